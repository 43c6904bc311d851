//! x86, with 64 bits and with 32.

mod general;
#[cfg(all(test, target_os = "linux"))]
mod seen;
#[cfg(all(test, target_os = "linux"))]
#[cfg_attr(target_arch = "x86", path = "tests32.rs")]
pub(super) mod tests;
mod vectors;

use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, Formatter, Instruction, Mnemonic, NasmFormatter,
    OpKind, Register,
};
use num_bigint::BigInt;

use super::flags::either;
use super::{Run, WORD, as_constant};
use crate::word::Word;

/// The longest instruction, in bytes.
const LONGEST: usize = 15;

/// The stack's top, by the name that it has.
const STACK_POINTER: Register = if WORD == 64 {
    Register::RSP
} else {
    Register::ESP
};

/// The registers that a function gives back.
const KEPT: &[Register] = if WORD == 64 {
    &[
        Register::RBX,
        Register::RBP,
        Register::R12,
        Register::R13,
        Register::R14,
        Register::R15,
    ]
} else {
    &[Register::EBX, Register::EBP, Register::ESI, Register::EDI]
};

/// The registers from rax on, with the bits that were written last; the rest above is zeros.
#[derive(Debug)]
pub(super) struct Processor([(u64, Word); 16]);

impl Default for Processor {
    fn default() -> Self {
        Self(std::array::from_fn(|_| (WORD, Word::constant(0))))
    }
}

impl Processor {
    /// With the bits of each that were written last.
    pub(super) fn registers(&self) -> &[(u64, Word)] {
        &self.0
    }

    pub(super) fn registers_mut(&mut self) -> &mut [(u64, Word)] {
        &mut self.0
    }
}

impl Run {
    /// What a function is given: arguments in registers, or on the stack; and where the stack must be when it returns.
    pub(super) fn enter(&mut self, arguments: &[u64]) -> u64 {
        const ARGUMENTS: [Register; 6] = [
            Register::RDI,
            Register::RSI,
            Register::RDX,
            Register::RCX,
            Register::R8,
            Register::R9,
        ];
        for i in 0..self.processor.0.len() {
            self.processor.0[i] = self.anything();
        }
        // Room for six arguments and for what aligns them.
        let top = self.ours.stack().end - 32;
        if WORD == 64 {
            for (register, &argument) in ARGUMENTS.into_iter().zip(arguments) {
                self.set(register, Word::constant(argument));
            }
        } else {
            for (&argument, at) in arguments.iter().zip((top..).step_by(4)) {
                self.store(at, 4, Word::constant(argument));
            }
        }
        self.set(STACK_POINTER, Word::constant(top));
        self.push(Word::constant(self.ours.caller()));
        top
    }

    /// The registers that are the caller's, with their names.
    pub(super) fn kept(&mut self) -> Vec<(String, Word)> {
        let kept = KEPT.iter();
        kept.map(|&register| (format!("{register:?}"), self.get(register, WORD)))
            .collect()
    }

    pub(super) fn stack_pointer(&mut self) -> u64 {
        self.constant(STACK_POINTER)
    }

    /// Does the instruction at `at`.
    pub(super) fn step(&mut self) {
        let instruction = self.fetch();
        self.at = instruction.next_ip();
        if let Some(why) = unknown_form(&instruction) {
            stop(&instruction, why);
        }
        if !self.general(&instruction) && !self.vectors(&instruction) {
            stop(&instruction, "is not known here");
        }
    }

    fn fetch(&self) -> Instruction {
        let bytes = self.code::<LONGEST>();
        Decoder::with_ip(usize::BITS, &bytes, self.at, DecoderOptions::NONE).decode()
    }

    fn push(&mut self, word: Word) {
        let top = self.stack_pointer() - WORD / 8;
        self.set(STACK_POINTER, Word::constant(top));
        self.store(top, WORD / 8, word);
    }

    fn pop(&mut self) -> Word {
        let top = self.stack_pointer();
        self.set(STACK_POINTER, Word::constant(top + WORD / 8));
        self.load(top, WORD / 8)
    }

    fn constant(&mut self, register: Register) -> u64 {
        let word = self.get(register, WORD);
        as_constant(&word)
            .unwrap_or_else(|| panic!("{register:?} depends on inputs at {:#x}", self.at))
    }

    /// A general register's lowest bits.
    fn get(&mut self, register: Register, bits: u64) -> Word {
        assert!(register.is_gpr(), "{register:?} is not known here");
        let written = self.processor.0[register.full_register().number()].clone();
        self.lowest(&written, bits)
    }

    fn set(&mut self, register: Register, word: Word) {
        assert!(register.is_gpr(), "{register:?} is not known here");
        let bits = 8 * register.size() as u64;
        let number = register.full_register().number();
        if bits >= 32 {
            self.processor.0[number] = (bits, word);
            return;
        }
        assert!(!is_high_byte(register), "{register:?} is not known here");
        let old = self.get(register.full_register(), WORD);
        let (above, _) = self.all.cut(old.unsigned(), bits);
        self.processor.0[number] = if above.as_constant() == Some(&BigInt::ZERO) {
            // The word as it is, with its sign.
            (bits, word)
        } else {
            let value = above.raised(bits).plus(word.unsigned());
            (WORD, Word::of(value, WORD, &mut self.all))
        };
    }

    /// The address that an operand in memory names.
    fn address(&mut self, instruction: &Instruction) -> u64 {
        if instruction.is_ip_rel_memory_operand() {
            return instruction.ip_rel_memory_address();
        }
        let mut address = instruction.memory_displacement64();
        if instruction.memory_base() != Register::None {
            address = address.wrapping_add(self.constant(instruction.memory_base()));
        }
        if instruction.memory_index() != Register::None {
            let index = self.constant(instruction.memory_index());
            address =
                address.wrapping_add(index.wrapping_mul(instruction.memory_index_scale().into()));
        }
        address & (u64::MAX >> (64 - WORD))
    }

    /// The bits of an operand.
    fn bits(instruction: &Instruction, operand: u32) -> u64 {
        8 * match instruction.op_kind(operand) {
            OpKind::Register => instruction.op_register(operand).size() as u64,
            OpKind::Memory => instruction.memory_size().size() as u64,
            _ => 0,
        }
    }

    fn operand(&mut self, instruction: &Instruction, operand: u32, bits: u64) -> Word {
        match instruction.op_kind(operand) {
            OpKind::Register => {
                let register = instruction.op_register(operand);
                assert!(!is_high_byte(register), "{register:?} is not known here");
                self.get(register, bits)
            }
            OpKind::Memory => {
                let address = self.address(instruction);
                self.load(address, bits / 8)
            }
            _ => {
                let value = BigInt::from(instruction.immediate(operand));
                Word::constant(value & ((BigInt::from(1) << bits) - 1))
            }
        }
    }

    fn write(&mut self, instruction: &Instruction, operand: u32, word: Word) {
        match instruction.op_kind(operand) {
            OpKind::Register => self.set(instruction.op_register(operand), word),
            _ => {
                let address = self.address(instruction);
                self.store(address, instruction.memory_size().size() as u64, word);
            }
        }
    }

    /// Whether a condition holds, if it does or does not for all inputs.
    fn holds(&mut self, condition: ConditionCode) -> Option<bool> {
        use ConditionCode as Is;
        match condition {
            Is::o => self.is_overflow_set(),
            Is::no => self.is_overflow_set().map(|set| !set),
            Is::b => self.is_carry_set(),
            Is::ae => self.is_carry_set().map(|set| !set),
            Is::e => self.is_result_zero(),
            Is::ne => self.is_result_zero().map(|set| !set),
            Is::be | Is::a => {
                let either = either(self.is_carry_set(), self.is_result_zero());
                either.map(|set| set == (condition == Is::be))
            }
            Is::s => self.is_result_negative(),
            Is::ns => self.is_result_negative().map(|set| !set),
            Is::l => self.is_less(),
            Is::ge => self.is_less().map(|set| !set),
            Is::le | Is::g => {
                let either = either(self.is_less(), self.is_result_zero());
                either.map(|set| set == (condition == Is::le))
            }
            _ => None,
        }
    }
}

fn is_high_byte(register: Register) -> bool {
    matches!(
        register,
        Register::AH | Register::BH | Register::CH | Register::DH
    )
}

/// Why an instruction is not known here, whatever it does, if so: forms of operands that the model of each instruction passes
/// over.
fn unknown_form(instruction: &Instruction) -> Option<&'static str> {
    if instruction.op_mask() != Register::None {
        return Some("does some lanes only");
    }
    for kind in instruction.op_kinds() {
        match kind {
            OpKind::Memory => {
                let registers = [instruction.memory_base(), instruction.memory_index()];
                let size = (WORD / 8) as usize;
                let short = |register: Register| {
                    register == Register::EIP || register.is_gpr() && register.size() != size
                };
                // Displacements alone are of as many bytes as addresses.
                let alone = registers == [Register::None; 2];
                let displacement = instruction.memory_displ_size() as usize;
                if registers.into_iter().any(short) || alone && displacement != size {
                    return Some("has a short address");
                }
                if registers[1].is_vector_register() {
                    return Some("has an address in each lane");
                }
                if matches!(instruction.segment_prefix(), Register::FS | Register::GS) {
                    return Some("has an address in a segment");
                }
            }
            OpKind::Register => {}
            OpKind::NearBranch64 if WORD == 64 => {}
            OpKind::NearBranch32 if WORD == 32 => {}
            OpKind::Immediate8
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64 => {}
            _ => return Some("has operands that are not known here"),
        }
    }
    None
}

/// Ends the run at an instruction.
fn stop(instruction: &Instruction, why: &str) -> ! {
    let mut text = String::new();
    NasmFormatter::new().format(instruction, &mut text);
    panic!("{:#x}: `{text}` {why}", instruction.ip());
}

/// Whether an instruction is one of the moves of a whole vector.
fn is_vector_move(mnemonic: Mnemonic) -> bool {
    use Mnemonic as Is;
    matches!(
        mnemonic,
        Is::Movaps
            | Is::Movups
            | Is::Movapd
            | Is::Movupd
            | Is::Movdqa
            | Is::Movdqu
            | Is::Vmovaps
            | Is::Vmovups
            | Is::Vmovapd
            | Is::Vmovupd
            | Is::Vmovdqa
            | Is::Vmovdqu
            | Is::Vmovdqa64
            | Is::Vmovdqu64
            | Is::Vmovdqa32
            | Is::Vmovdqu32
    )
}
