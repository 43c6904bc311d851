//! AArch64: the instructions that compilers and assembly here are made of, by the encodings of the Arm Architecture Reference
//! Manual (DDI 0487, chapter C4). What is not among them ends the run.

mod general;
mod memory;
#[cfg(all(test, target_os = "linux"))]
pub(super) mod tests;
mod vectors;

use std::fmt;

use super::flags::{Flags, either};
use super::{Run, VECTOR, as_constant};
use crate::unknowns::{Interval, Value};
use crate::word::{self, Word};

/// The number that stands for zeros, or for the stack pointer, as the instruction has it.
const LAST: usize = 31;
/// The link register.
const LINK: usize = 30;

/// x0 to x30, and the stack pointer; with the bits that were written last, above which there are zeros.
#[derive(Debug)]
pub(super) struct Processor {
    registers: [(u64, Word); 32],
    /// The flags that a register holds, by the unknown that it holds in their place.
    saved: Vec<(Value, Flags)>,
}

impl Default for Processor {
    fn default() -> Self {
        Self {
            registers: std::array::from_fn(|_| (64, Word::constant(0))),
            saved: Vec::new(),
        }
    }
}

impl Processor {
    /// With the bits of each that were written last.
    pub(super) fn registers(&self) -> &[(u64, Word)] {
        &self.registers
    }

    pub(super) fn registers_mut(&mut self) -> &mut [(u64, Word)] {
        &mut self.registers
    }
}

/// An instruction, and where it is.
#[derive(Clone, Copy)]
struct Instruction {
    code: u32,
    at: u64,
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}: the instruction {:#010x}", self.at, self.code)
    }
}

impl Instruction {
    /// The bits from `low` to `high`, both included.
    fn bits(self, high: u32, low: u32) -> u64 {
        u64::from(self.code >> low) & (u64::MAX >> (63 - (high - low)))
    }

    fn is_set(self, bit: u32) -> bool {
        self.bits(bit, bit) == 1
    }

    /// The same as a number with a sign.
    fn signed(self, high: u32, low: u32) -> i64 {
        let unused = 63 - (high - low);
        (self.bits(high, low) << unused).cast_signed() >> unused
    }

    /// The number of a register whose field begins there.
    fn register(self, low: u32) -> usize {
        self.bits(low + 4, low) as usize
    }

    /// Rd or Rt.
    fn d(self) -> usize {
        self.register(0)
    }

    fn n(self) -> usize {
        self.register(5)
    }

    fn m(self) -> usize {
        self.register(16)
    }

    /// The bits of general registers that most instructions name by the highest bit.
    fn width(self) -> u64 {
        if self.is_set(31) { 64 } else { 32 }
    }

    /// An address that is that far away.
    fn away(self, distance: i64) -> u64 {
        self.at.wrapping_add_signed(distance)
    }
}

/// Ends the run at an instruction.
fn stop(i: Instruction, why: &str) -> ! {
    panic!("{i} {why}")
}

impl Run {
    /// What a function is given: arguments in registers, where to return to, and what it must give back. Where the stack
    /// must be when it returns.
    pub(super) fn enter(&mut self, arguments: &[u64]) -> u64 {
        for number in 0..LAST {
            self.processor.registers[number] = self.anything();
        }
        for (number, &argument) in arguments.iter().enumerate() {
            self.set(number, 64, Word::constant(argument));
        }
        for number in 8..16 {
            let any = self.all.fresh(Interval::of_bits(64));
            let word = Word::of(any, 64, &mut self.all);
            self.store(self.vector(number), 8, word);
        }
        let top = self.ours.stack().end;
        self.set(LINK, 64, Word::constant(self.ours.caller()));
        self.processor.registers[LAST] = (64, Word::constant(top));
        top
    }

    /// The registers that are the caller's, with their names: x19 to x29, and the lower halves of v8 to v15.
    pub(super) fn kept(&mut self) -> Vec<(String, Word)> {
        let general = (19..30).map(|number| (format!("x{number}"), self.get(number, 64)));
        let mut kept: Vec<(String, Word)> = general.collect();
        for number in 8..16 {
            kept.push((format!("d{number}"), self.load(self.vector(number), 8)));
        }
        kept
    }

    pub(super) fn stack_pointer(&mut self) -> u64 {
        let word = self.get_or_stack(LAST, 64);
        as_constant(&word)
            .unwrap_or_else(|| panic!("the stack depends on inputs at {:#x}", self.at))
    }

    /// Does the instruction at `at`.
    pub(super) fn step(&mut self) {
        let i = Instruction {
            code: u32::from_le_bytes(self.code()),
            at: self.at,
        };
        self.at += 4;
        // C4.1, "A64 instruction set encoding", by bits 28 to 25.
        let is_known = match i.bits(28, 25) {
            0b1000 | 0b1001 => self.immediate(i),
            0b1010 | 0b1011 => self.branch(i),
            0b0101 | 0b1101 => self.general(i),
            0b0100 | 0b0110 | 0b1100 | 0b1110 => self.access(i),
            0b0111 | 0b1111 => self.lanes(i),
            _ => false,
        };
        if !is_known {
            stop(i, "is not known here");
        }
    }

    /// A register's lowest bits; the last is 0.
    fn get(&mut self, number: usize, bits: u64) -> Word {
        if number == LAST {
            Word::constant(0)
        } else {
            self.get_or_stack(number, bits)
        }
    }

    /// The same where the last is the stack pointer.
    fn get_or_stack(&mut self, number: usize, bits: u64) -> Word {
        let written = self.processor.registers[number].clone();
        self.lowest(&written, bits)
    }

    fn set(&mut self, number: usize, bits: u64, word: Word) {
        if number != LAST {
            self.processor.registers[number] = (bits, word);
        }
    }

    fn set_or_stack(&mut self, number: usize, bits: u64, word: Word) {
        self.processor.registers[number] = (bits, word);
    }

    /// The only value of a register that is used as an address.
    fn address(&mut self, i: Instruction, number: usize) -> u64 {
        let word = self.get_or_stack(number, 64);
        as_constant(&word).unwrap_or_else(|| stop(i, "has an address that depends on inputs"))
    }

    /// Where a vector register lies.
    fn vector(&self, number: usize) -> u64 {
        self.ours.vectors().start + VECTOR * number as u64
    }

    /// Whether a condition holds (C1.2.4), if it does or does not for all inputs.
    fn holds(&mut self, condition: u64) -> Option<bool> {
        let holds = match condition >> 1 {
            0b000 => self.is_result_zero(),
            0b001 => self.is_carry_set(),
            0b010 => self.is_result_negative(),
            0b011 => self.is_overflow_set(),
            0b100 => {
                // A carry, and not zero.
                let no_carry = self.is_carry_set().map(|set| !set);
                either(no_carry, self.is_result_zero()).map(|set| !set)
            }
            0b101 => self.is_less().map(|set| !set),
            0b110 => either(self.is_less(), self.is_result_zero()).map(|set| !set),
            _ => return Some(true),
        };
        holds.map(|holds| holds != (condition & 1 == 1))
    }

    /// A bit that is 1 where a condition holds.
    fn condition(&mut self, i: Instruction, condition: u64) -> Value {
        if let Some(holds) = self.holds(condition) {
            return Value::constant(u8::from(holds));
        }
        let bit = match (condition >> 1, &self.flags.carry, &self.flags.result) {
            (0b000, _, Some((word, _))) => {
                let value = word.unsigned().clone();
                self.all.is_zero_bit(&value)
            }
            (0b001, Some(carry), _) => carry.clone(),
            _ => stop(i, "depends on inputs"),
        };
        if condition & 1 == 0 {
            bit
        } else {
            Value::constant(1).minus(&bit)
        }
    }

    /// `zero` or `one`, as a bit says.
    fn choose(&mut self, zero: &Word, one: &Word, bit: &Value, bits: u64) -> Word {
        match bit.as_constant() {
            Some(bit) if *bit == 0.into() => zero.clone(),
            Some(_) => one.clone(),
            None if is_mask(zero, one, bits) => {
                let mask = Value::constant(0).minus(bit);
                Word::of(mask, bits, &mut self.all)
            }
            None => {
                // One bit if another is not set: either of two bits.
                let is_one = zero.as_constant() == Some(&1.into());
                let other = Value::constant(1).minus(bit);
                let other = Word::of(other, bits, &mut self.all);
                let or = is_one.then(|| word::either(one, &other, &mut self.all));
                or.flatten().unwrap_or_else(|| word::choose(zero, one, bit))
            }
        }
    }
}

/// Whether a choice is one of no bits and all.
fn is_mask(zero: &Word, one: &Word, bits: u64) -> bool {
    let ones = Word::constant(u64::MAX >> (64 - bits));
    zero.as_constant() == Some(&0.into()) && one.as_constant() == ones.as_constant()
}
