//! What a fault does after an instruction.

use std::fmt;

use iced_x86::{Instruction, InstructionInfoFactory, OpAccess, Register, RflagsBits};
use nix::libc::user_regs_struct;

use crate::followed::{Process, value};
use crate::instructions::decode;

/// Any good sequence will do (Steele, Lea, Flood: SplitMix, OOPSLA 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % bound as u64) as usize
    }
}

/// A change of what is there after an instruction.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// A bit of a general register.
    General(Register, u32),
    /// A bit of the lower 128 of a vector register.
    Vector(usize, u32),
    /// A bit of a byte in memory.
    Memory(u64, u32),
    /// A bit of the flags.
    Flags(u32),
    /// The next instruction is left out.
    Skip,
}

/// A fault, and the instruction that it follows.
pub(super) struct Fault {
    pub(super) what: What,
    after: Instruction,
}

impl Fault {
    /// One of what an instruction that is about to run will have written, or none if it writes nothing that is known.
    pub(super) fn choose(
        process: &Process,
        registers: &user_regs_struct,
        random: &mut Random,
    ) -> Option<Self> {
        let (bytes, length) = process.code(registers.rip);
        let after = decode(&bytes[..length], registers.rip)?;
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info(&after);
        let writes = |access| {
            matches!(
                access,
                OpAccess::Write
                    | OpAccess::CondWrite
                    | OpAccess::ReadWrite
                    | OpAccess::ReadCondWrite
            )
        };
        let mut choices = vec![What::Skip];
        for used in info.used_registers() {
            let register = used.register();
            if !writes(used.access()) {
                continue;
            }
            if register.is_gpr() {
                let bits = register.size() * 8;
                choices.push(What::General(
                    register.full_register(),
                    random.below(bits) as u32,
                ));
            } else if register.is_vector_register() && register.number() < 16 {
                choices.push(What::Vector(register.number(), random.below(128) as u32));
            }
        }
        for memory in info.used_memory() {
            let size = memory.memory_size().size();
            if writes(memory.access()) && size > 0 && memory.vsib_size() == 0 {
                let index = value(memory.index(), registers).wrapping_mul(memory.scale() as u64);
                let address = value(memory.base(), registers)
                    .wrapping_add(index)
                    .wrapping_add(memory.displacement())
                    .wrapping_add(value(memory.segment(), registers));
                let at = address.wrapping_add(random.below(size) as u64);
                choices.push(What::Memory(at, random.below(8) as u32));
            }
        }
        // As they lie in the register.
        let flags = [
            (RflagsBits::CF, 0),
            (RflagsBits::PF, 2),
            (RflagsBits::ZF, 6),
            (RflagsBits::SF, 7),
            (RflagsBits::OF, 11),
        ];
        let modified: Vec<u32> = flags
            .iter()
            .filter(|(flag, _)| after.rflags_modified() & flag != 0)
            .map(|(_, bit)| *bit)
            .collect();
        if !modified.is_empty() {
            choices.push(What::Flags(modified[random.below(modified.len())]));
        }
        let what = choices.swap_remove(random.below(choices.len()));
        Some(Self { what, after })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} {}: {:?}", self.after.ip(), self.after, self.what)
    }
}
