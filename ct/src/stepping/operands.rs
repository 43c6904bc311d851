//! Where the operands of an instruction are.

use std::collections::HashMap;
use std::os::unix::fs::FileExt;

use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, Register, UsedMemory};
use nix::libc::user_regs_struct;

use crate::followed::{Process, value};
use crate::instructions::decode;

/// What of an instruction shows, apart from itself.
#[derive(Default)]
struct Shown {
    memory: Vec<UsedMemory>,
    /// Registers whose values decide how long it takes.
    values: Vec<Register>,
    /// Whether what lies in memory decides that as well: the divisor of a division.
    divisor_in_memory: bool,
}

/// The instructions that were met, by address. Code does not change.
#[derive(Default)]
pub(crate) struct Operands(HashMap<u64, Shown>);

impl Operands {
    /// A digest of the addresses of the operands in memory, and of the operands of divisions.
    ///
    /// # Errors
    ///
    /// There is an instruction that this does not follow.
    pub(crate) fn digest(
        &mut self,
        process: &Process,
        registers: &user_regs_struct,
    ) -> Result<u64, String> {
        let shown = match self.0.entry(registers.rip) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(Shown::of(process, registers.rip)?)
            }
        };
        let mut digest = 0;
        for memory in &shown.memory {
            let index = value(memory.index(), registers).wrapping_mul(memory.scale() as u64);
            let address = value(memory.base(), registers)
                .wrapping_add(index)
                .wrapping_add(memory.displacement())
                .wrapping_add(value(memory.segment(), registers));
            digest = mix(digest, address);
            if shown.divisor_in_memory {
                let mut divisor = [0; 8];
                let size = memory.memory_size().size().min(divisor.len());
                let read = process
                    .memory()
                    .read_exact_at(&mut divisor[..size], address);
                read.map_err(|error| format!("the divisor at {address:#x}: {error}"))?;
                digest = mix(digest, u64::from_le_bytes(divisor));
            }
        }
        for register in &shown.values {
            digest = mix(digest, value(*register, registers));
        }
        Ok(digest)
    }
}

impl Shown {
    fn of(process: &Process, address: u64) -> Result<Self, String> {
        let (bytes, length) = process.code(address);
        let instruction = decode(&bytes[..length], address)
            .ok_or_else(|| format!("no instruction that is known at {address:#x}: {bytes:02x?}"))?;
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info(&instruction);
        // The address that lea computes, or a nop carries, is not used.
        let used = info.used_memory().iter();
        let used = used.filter(|memory| memory.access() != OpAccess::NoMemAccess);
        let mut shown = Self {
            memory: used.copied().collect(),
            values: Vec::new(),
            divisor_in_memory: false,
        };
        if shown.memory.iter().any(|memory| memory.vsib_size() != 0) {
            return Err(format!("addresses in a vector register: {instruction}"));
        }
        if matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv) {
            shown.values = vec![Register::RAX, Register::RDX];
            if instruction.op0_register() != Register::None {
                shown.values.push(instruction.op0_register());
            } else {
                shown.divisor_in_memory = true;
            }
        }
        Ok(shown)
    }
}

/// Any good mixture will do (the finaliser of MurmurHash3).
fn mix(digest: u64, word: u64) -> u64 {
    let mut x = (digest.rotate_left(5) ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x.wrapping_mul(0xc4ce_b9fe_1a85_ec53)
}
