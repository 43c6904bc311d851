//! What a fault does after an instruction.

use std::fmt;

use iced_x86::{
    Instruction, InstructionInfoFactory, OpAccess, OpKind, Register, RflagsBits, UsedMemory,
};
use nix::libc::user_regs_struct;

use super::extended::Extended;
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
    /// A bit of a vector register.
    Vector(usize, usize),
    /// A bit of a mask of AVX-512.
    Mask(usize, usize),
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
    pub(super) after: Instruction,
}

impl Fault {
    /// One of what an instruction that is about to run will have written, or none if it writes nothing that is known.
    pub(super) fn choose(
        process: &Process,
        registers: &user_regs_struct,
        random: &mut Random,
    ) -> Result<Option<Self>, String> {
        let (bytes, length) = process.code(registers.rip);
        let after = decode(&bytes[..length], registers.rip);
        let extended = Extended::of(process.id())?;
        Ok(after.map(|after| Self::of(after, registers, &extended, random)))
    }

    pub(super) fn of(
        after: Instruction,
        registers: &user_regs_struct,
        extended: &Extended,
        random: &mut Random,
    ) -> Self {
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
            } else if register.is_vector_register() {
                let bit = bit_of_vector(&after, register, extended, random);
                choices.extend(bit.map(|bit| What::Vector(register.number(), bit)));
            } else if register.is_k() && extended.bits_of_masks() > 0 {
                // All of it is written, but only as many bits count as a vector has lanes, most often 8.
                let bits = 8 << random.below(4);
                choices.push(What::Mask(register.number(), random.below(bits)));
            }
        }
        for memory in info.used_memory() {
            let size = memory.memory_size().size();
            if !writes(memory.access()) || size == 0 {
                continue;
            }
            if let Some(address) = address_of(memory, &after, registers, extended, random) {
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
        Self { what, after }
    }
}

/// One of the bits of a vector register that an instruction writes, if it has any here.
fn bit_of_vector(
    after: &Instruction,
    written: Register,
    extended: &Extended,
    random: &mut Random,
) -> Option<usize> {
    let number = written.number();
    let operand = (0..after.op_count())
        .filter(|i| after.op_kind(*i) == OpKind::Register)
        .map(|i| after.op_register(i))
        .find(|operand| operand.is_vector_register() && operand.number() == number);
    let there = extended.bits_of_vector(number);
    let all = there.min(8 * written.size());
    let result = all.min(8 * operand.unwrap_or(written).size());
    if result == 0 {
        return None;
    }
    // But for the oldest instructions, zeros are written above the result, and few instructions read those.
    let in_zeros = all > result && random.below(8) == 0;
    Some(match in_zeros {
        true => result + random.below(all - result),
        false => random.below(result),
    })
}

/// The address of what an instruction writes; where it scatters, of one of the elements, if there are any.
fn address_of(
    memory: &UsedMemory,
    after: &Instruction,
    registers: &user_regs_struct,
    extended: &Extended,
    random: &mut Random,
) -> Option<u64> {
    let element = match memory.vsib_size() as usize {
        0 => 0,
        size => {
            let mask = extended.mask(after.op_mask().number())?;
            let elements = memory.index().size() / size;
            let written: Vec<usize> = (0..elements).filter(|i| mask & 1 << i != 0).collect();
            *written.get(random.below(written.len().max(1)))?
        }
    };
    memory.virtual_address(element, |register, element, size| {
        if register.is_vector_register() {
            extended.vector(register.number(), size * element, size)
        } else {
            Some(value(register, registers))
        }
    })
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} {}: {:?}", self.after.ip(), self.after, self.what)
    }
}
