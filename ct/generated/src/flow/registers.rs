//! The registers of x86: which there are, and what calls do with them, on either width.

use iced_x86::{Register, RflagsBits};

/// The general registers, in the order in which the processor numbers them.
pub(super) const REGISTERS: usize = 16;

pub(super) const STACK_POINTER: usize = 4;

/// The words of 64 bits in a vector, as far as they are followed.
pub(super) const WORDS: usize = 8;

pub(super) const STATUS: u32 = RflagsBits::OF
    | RflagsBits::SF
    | RflagsBits::ZF
    | RflagsBits::AF
    | RflagsBits::CF
    | RflagsBits::PF;

/// The registers that carry arguments, on either width: di, si, dx, cx, r8, r9.
pub(super) const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];

/// The registers of results, by number.
pub(super) const RESULTS: [usize; 2] = [0, 2];

/// The registers that a call leaves as they were, by number.
pub(super) fn kept_by_calls(bits: u32) -> &'static [usize] {
    if bits == 64 {
        &[3, 4, 5, 12, 13, 14, 15]
    } else {
        &[3, 4, 5, 6, 7]
    }
}

/// The number of a general register, whole or in part.
pub(super) fn number(register: Register) -> Option<usize> {
    register.is_gpr().then(|| register.full_register().number())
}

/// The number of a vector register, if it is one of those that are followed.
pub(super) fn vector_number(register: Register) -> Option<usize> {
    let is = register.is_xmm() || register.is_ymm() || register.is_zmm();
    (is && register.number() < REGISTERS).then(|| register.number())
}
