//! What tests look at, with 64 bits and with 32.

use iced_x86::{Mnemonic, Register};

use crate::machine::Run;

/// Where a vector register lies.
pub(in crate::machine) fn vector(run: &Run, number: usize) -> u64 {
    run.vector(Register::XMM0 + number as u32)
}

/// The bits of carry, zero, sign and overflow.
pub(in crate::machine) fn split_flags() -> [u32; 4] {
    [0, 6, 7, 11]
}

/// Whether the instructions are done.
pub(in crate::machine) fn is_end(run: &Run) -> bool {
    run.fetch().mnemonic() == Mnemonic::Nop
}
