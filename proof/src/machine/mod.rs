//! The processor: registers, flags, and the run through a function.
#![allow(unsafe_code)]

mod general;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
mod vectors;

use std::slice;

use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, Formatter, Instruction, Mnemonic, NasmFormatter,
    OpKind, Register,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::memory::Memory;
use crate::unknowns::{Interval, Unknowns, Value};
use crate::word::Word;

/// Where the run's memory begins. No process has anything there.
const HEAP: u64 = 1 << 60;
/// Where the stack begins, downwards.
const STACK: u64 = HEAP + (1 << 40);
/// Bytes of the stack.
const STACK_SIZE: u64 = 1 << 39;
/// Where vector registers lie, 64 bytes each.
const VECTORS: u64 = HEAP + (1 << 41);
/// Where the function returns to.
const CALLER: u64 = HEAP + (1 << 42);
/// What is above the first addresses of ours is ours.
const OURS: std::ops::Range<u64> = HEAP..HEAP + (1 << 43);
/// The longest instruction, in bytes.
const LONGEST: usize = 15;
/// More instructions than a straight run has: it does not end.
const MOST: usize = 1 << 20;

/// An integer that inputs determine, for statements about a run.
#[derive(Clone, Debug)]
pub struct Number(Value);

impl From<i64> for Number {
    fn from(constant: i64) -> Self {
        Self(Value::constant(constant))
    }
}

impl std::ops::Add for &Number {
    type Output = Number;

    fn add(self, other: Self) -> Number {
        Number(self.0.plus(&other.0))
    }
}

impl std::ops::Sub for &Number {
    type Output = Number;

    fn sub(self, other: Self) -> Number {
        Number(self.0.minus(&other.0))
    }
}

impl std::ops::Mul for &Number {
    type Output = Number;

    fn mul(self, other: Self) -> Number {
        Number(self.0.times(&other.0))
    }
}

impl std::ops::Shl<u64> for &Number {
    type Output = Number;

    fn shl(self, bits: u64) -> Number {
        Number(self.0.raised(bits))
    }
}

/// What the last instruction that sets flags says.
#[derive(Debug, Default)]
struct Flags {
    carry: Option<Value>,
    overflow: Option<Value>,
    /// The result that decides about zero and sign, and its bits.
    result: Option<(Word, u64)>,
    /// What was compared by subtraction.
    compared: Option<(Word, Word, u64)>,
}

impl Flags {
    /// What an operation on bits leaves: neither carry nor overflow.
    fn of_bits(word: &Word, bits: u64) -> Self {
        Self {
            carry: Some(Value::constant(0)),
            overflow: Some(Value::constant(0)),
            result: Some((word.clone(), bits)),
            compared: Some((word.clone(), Word::constant(0), bits)),
        }
    }
}

/// A run of one or more functions on one set of unknowns.
///
/// ```
/// # #[cfg(all(target_arch = "x86_64", target_os = "linux"))] {
/// use lanner_proof::Run;
///
/// extern "C" fn twice(x: &u64, out: &mut u64) {
///     *out = *x << 1;
/// }
///
/// let mut run = Run::new();
/// let x = run.unknown(0, 1u64 << 40);
/// let (at, out) = (run.place(&[x.clone()], 8), run.room(8));
/// run.call(twice as *const (), &[at, out]);
/// let result = run.read(out, 8);
/// assert!(run.is_zero(&(&result - &(&x + &x)), &7.into()));
/// assert!(run.is_within(&result, 0, 1u64 << 41));
/// assert!(!run.is_within(&result, 0, 1u64 << 40));
/// # }
/// ```
#[derive(Debug)]
pub struct Run {
    all: Unknowns,
    memory: Memory,
    /// The registers from rax on, with the bits that were written last; the rest above is zeros.
    registers: [(u64, Word); 16],
    flags: Flags,
    next: u64,
    at: u64,
    /// The address behind what the last instruction stored.
    stored: Option<u64>,
}

impl Default for Run {
    fn default() -> Self {
        Self::new()
    }
}

impl Run {
    /// Without unknowns, and with an empty memory.
    #[must_use]
    pub fn new() -> Self {
        Self {
            all: Unknowns::default(),
            memory: Memory::default(),
            registers: std::array::from_fn(|_| (64, Word::constant(0))),
            flags: Flags::default(),
            next: HEAP,
            at: CALLER,
            stored: None,
        }
    }

    /// An input, from `low` to `high`, both included.
    pub fn unknown(&mut self, low: impl Into<BigInt>, high: impl Into<BigInt>) -> Number {
        Number(self.all.fresh(Interval::new(low, high)))
    }

    /// The digits of a number, lowest first, of `bits` bits each; the highest is what is left.
    pub fn digits(&mut self, number: &Number, bits: u64, count: usize) -> Vec<Number> {
        let mut rest = number.0.clone();
        let mut digits = Vec::new();
        for _ in 1..count {
            let (above, digit) = self.all.cut(&rest, bits);
            digits.push(Number(digit));
            rest = above;
        }
        digits.push(Number(rest));
        digits
    }

    /// The address of an array of words of `size` bytes; negative numbers in two's complement.
    pub fn place(&mut self, words: &[Number], size: u64) -> u64 {
        let address = self.room(size * words.len() as u64);
        self.put(address, words, size);
        address
    }

    /// Stores an array of words of `size` bytes at an address.
    pub fn put(&mut self, address: u64, words: &[Number], size: u64) {
        for (i, number) in words.iter().enumerate() {
            let word = Word::of(number.0.clone(), 8 * size, &mut self.all);
            self.memory
                .store(address + size * i as u64, size, word, &mut self.all);
        }
    }

    /// The address of memory that nothing was stored in, for so many bytes.
    pub fn room(&mut self, bytes: u64) -> u64 {
        let address = self.next;
        self.next += bytes.next_multiple_of(64) + 64;
        address
    }

    /// The word of `size` bytes at an address, without a sign.
    ///
    /// # Panics
    ///
    /// Nothing was stored there.
    pub fn read(&mut self, address: u64, size: u64) -> Number {
        Number(self.load(address, size).unsigned().clone())
    }

    /// The word of `size` bytes at an address, in two's complement.
    ///
    /// # Panics
    ///
    /// Nothing was stored there.
    pub fn read_signed(&mut self, address: u64, size: u64) -> Number {
        Number(self.load(address, size).signed(8 * size, &mut self.all))
    }

    /// Whether a number is 0 modulo an odd one, for all inputs. No is not a proof of the contrary.
    pub fn is_zero(&mut self, number: &Number, modulus: &BigInt) -> bool {
        self.all.vanishes(&number.0.polynomial, modulus)
    }

    /// Whether a number is from `low` to `high`, both included, for all inputs. No is not a proof of the contrary.
    pub fn is_within(
        &mut self,
        number: &Number,
        low: impl Into<BigInt>,
        high: impl Into<BigInt>,
    ) -> bool {
        let bounds = Interval::new(low, high);
        number.0.within.is_within(&bounds) || self.all.is_within(&number.0.polynomial, &bounds)
    }

    /// Runs a function of the C interface with integers as arguments, at most six, until it returns.
    ///
    /// All other registers are unknowns that have nothing to do with inputs, and neither flags, vectors nor what is below the
    /// stack's top are known: what computes with what it was not given computes something else.
    ///
    /// # Panics
    ///
    /// Where the function's way depends on inputs, or it uses an instruction or memory that this does not know; or
    /// if it does not give back the registers that are the caller's, as assembly may that names not all it uses.
    pub fn call(&mut self, function: *const (), arguments: &[u64]) {
        self.call_in_steps(function, arguments, &[], |_, _| ());
    }

    /// As [`call`](Self::call); and each time an instruction has stored the last byte before one of the addresses `ends`, of
    /// which each waits for the one before it, calls `then` with its place among them.
    ///
    /// So what a step has left in memory can be compared with what it should be, and then be replaced by any other numbers of
    /// which no more is known than the next step may rely on ([`put`](Self::put)).
    ///
    /// # Panics
    ///
    /// As `call`; and if not all of these bytes were stored.
    pub fn call_in_steps(
        &mut self,
        function: *const (),
        arguments: &[u64],
        ends: &[u64],
        mut then: impl FnMut(&mut Self, usize),
    ) {
        const KEPT: [Register; 6] = [
            Register::RBX,
            Register::RBP,
            Register::R12,
            Register::R13,
            Register::R14,
            Register::R15,
        ];
        self.enter(function, arguments);
        let kept = KEPT.map(|register| self.get(register, 64));
        let mut steps = ends.iter().enumerate().peekable();
        for _ in 0..MOST {
            if self.at == CALLER {
                assert!(steps.next().is_none(), "the function leaves out steps");
                assert_eq!(
                    self.constant(Register::RSP),
                    STACK,
                    "the function returns with another stack"
                );
                for (register, before) in KEPT.into_iter().zip(kept) {
                    let after = self.get(register, 64);
                    assert!(
                        after.unsigned().polynomial == before.unsigned().polynomial,
                        "the function does not give back {register:?}"
                    );
                }
                return;
            }
            let instruction = fetch(self.at);
            self.at = instruction.next_ip();
            self.stored = None;
            self.step(&instruction);
            if let Some((step, _)) = steps.next_if(|&(_, &end)| self.stored == Some(end)) {
                then(self, step);
            }
        }
        panic!("the function does not end");
    }

    /// What a function is given.
    fn enter(&mut self, function: *const (), arguments: &[u64]) {
        const ARGUMENTS: [Register; 6] = [
            Register::RDI,
            Register::RSI,
            Register::RDX,
            Register::RCX,
            Register::R8,
            Register::R9,
        ];
        assert!(arguments.len() <= ARGUMENTS.len(), "at most six arguments");
        for register in &mut self.registers {
            let any = self.all.fresh(Interval::of_bits(64));
            *register = (64, Word::of(any, 64, &mut self.all));
        }
        self.flags = Flags::default();
        self.memory.forget(STACK - STACK_SIZE..STACK);
        self.memory.forget(VECTORS..CALLER);
        for (register, &argument) in ARGUMENTS.into_iter().zip(arguments) {
            self.set(register, Word::constant(argument));
        }
        self.set(Register::RSP, Word::constant(STACK));
        self.push(Word::constant(CALLER));
        self.at = function as u64;
    }

    fn step(&mut self, instruction: &Instruction) {
        if let Some(why) = unknown_form(instruction) {
            stop(instruction, why);
        }
        if !self.general(instruction) && !self.vectors(instruction) {
            stop(instruction, "is not known here");
        }
    }

    fn load(&mut self, address: u64, size: u64) -> Word {
        if let Some(word) = self.memory.load(address, size, &mut self.all) {
            return word;
        }
        assert!(
            !OURS.contains(&address),
            "{address:#x} was not written: {:#x}",
            self.at
        );
        assert!(size <= 8, "constants are read by words");
        // SAFETY: the code runs on addresses that it computed from its own constants: tables of the program.
        let bytes = unsafe { slice::from_raw_parts(address as *const u8, size as usize) };
        Word::constant(
            bytes
                .iter()
                .rev()
                .fold(0u64, |word, &byte| (word << 8) | u64::from(byte)),
        )
    }

    fn store(&mut self, address: u64, size: u64, word: Word) {
        assert!(
            OURS.contains(&address),
            "{address:#x} is not the run's: {:#x}",
            self.at
        );
        self.memory.store(address, size, word, &mut self.all);
        self.stored = Some(address + size);
    }

    fn push(&mut self, word: Word) {
        let top = self.constant(Register::RSP) - 8;
        self.set(Register::RSP, Word::constant(top));
        self.store(top, 8, word);
    }

    fn pop(&mut self) -> Word {
        let top = self.constant(Register::RSP);
        self.set(Register::RSP, Word::constant(top + 8));
        self.load(top, 8)
    }

    fn constant(&mut self, register: Register) -> u64 {
        let word = self.get(register, 64);
        let constant = word.as_constant().and_then(ToPrimitive::to_u64);
        constant.unwrap_or_else(|| panic!("{register:?} depends on inputs at {:#x}", self.at))
    }

    /// A general register's lowest bits.
    fn get(&mut self, register: Register, bits: u64) -> Word {
        assert!(register.is_gpr(), "{register:?} is not known here");
        let (written, word) = self.registers[register.full_register().number()].clone();
        if written < bits {
            Word::of(word.unsigned().clone(), bits, &mut self.all)
        } else if written == bits {
            word
        } else {
            word.narrowed(written, bits, &mut self.all)
        }
    }

    fn set(&mut self, register: Register, word: Word) {
        assert!(register.is_gpr(), "{register:?} is not known here");
        let bits = 8 * register.size() as u64;
        let number = register.full_register().number();
        if bits >= 32 {
            self.registers[number] = (bits, word);
            return;
        }
        assert!(!is_high_byte(register), "{register:?} is not known here");
        let old = self.get(register.full_register(), 64);
        let (above, _) = self.all.cut(old.unsigned(), bits);
        self.registers[number] = if above.as_constant() == Some(&BigInt::ZERO) {
            // The word as it is, with its sign.
            (bits, word)
        } else {
            let value = above.raised(bits).plus(word.unsigned());
            (64, Word::of(value, 64, &mut self.all))
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
        address
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

    /// A number's only value, if it has but one.
    fn decided(&mut self, value: &Value) -> Option<BigInt> {
        if let Some(constant) = value.as_constant() {
            return Some(constant.clone());
        }
        let bounds = self.all.bounds(&value.polynomial);
        if bounds.low == bounds.high {
            return Some(bounds.low);
        }
        self.all.only_value_of(&value.polynomial)
    }

    /// Whether a condition holds, if it does or does not for all inputs.
    fn holds(&mut self, condition: ConditionCode) -> Option<bool> {
        use ConditionCode as Is;
        let zero = |run: &mut Self| {
            let (word, _) = run.flags.result.clone()?;
            let bounds = run.all.bounds(&word.unsigned().polynomial);
            let low = (&word.unsigned().within.low).max(&bounds.low).clone();
            let high = (&word.unsigned().within.high).min(&bounds.high).clone();
            if low > BigInt::ZERO {
                Some(false)
            } else {
                (high == BigInt::ZERO).then_some(true)
            }
        };
        let carry = |run: &mut Self| {
            let carry = run.flags.carry.clone()?;
            run.decided(&carry).map(|carry| carry != BigInt::ZERO)
        };
        let less = |run: &mut Self| {
            let (a, b, bits) = run.flags.compared.clone()?;
            let difference = a
                .signed(bits, &mut run.all)
                .minus(&b.signed(bits, &mut run.all));
            let bounds = run.all.bounds(&difference.polynomial);
            if bounds.high < BigInt::ZERO || difference.within.high < BigInt::ZERO {
                Some(true)
            } else {
                let not = bounds.low >= BigInt::ZERO || difference.within.low >= BigInt::ZERO;
                not.then_some(false)
            }
        };
        let sign = |run: &mut Self| {
            let (word, bits) = run.flags.result.clone()?;
            let value = word.signed(bits, &mut run.all).within;
            if value.high < BigInt::ZERO {
                Some(true)
            } else {
                (value.low >= BigInt::ZERO).then_some(false)
            }
        };
        match condition {
            Is::o | Is::no => {
                let overflow = self.flags.overflow.clone()?;
                let set = self.decided(&overflow)? != BigInt::ZERO;
                Some(set == (condition == Is::o))
            }
            Is::b => carry(self),
            Is::ae => carry(self).map(|set| !set),
            Is::e => zero(self),
            Is::ne => zero(self).map(|set| !set),
            Is::be | Is::a => {
                let either = match (carry(self), zero(self)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                };
                either.map(|set| set == (condition == Is::be))
            }
            Is::s => sign(self),
            Is::ns => sign(self).map(|set| !set),
            Is::l => less(self),
            Is::ge => less(self).map(|set| !set),
            Is::le | Is::g => {
                let either = match (less(self), zero(self)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                };
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

/// The instruction at an address of this process.
fn fetch(address: u64) -> Instruction {
    assert!(!OURS.contains(&address), "there is no code at {address:#x}");
    // SAFETY: the run began at a function and follows its code; reading a few bytes behind its end meets another function's,
    // or the padding of the page.
    let bytes = unsafe { slice::from_raw_parts(address as *const u8, LONGEST) };
    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode()
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
                let short = |register: Register| {
                    register == Register::EIP || register.is_gpr() && !register.is_gpr64()
                };
                // Displacements alone are of as many bytes as addresses.
                let alone = registers == [Register::None; 2];
                if registers.into_iter().any(short) || alone && instruction.memory_displ_size() == 4
                {
                    return Some("has an address of 32 bits");
                }
                if registers[1].is_vector_register() {
                    return Some("has an address in each lane");
                }
                if matches!(instruction.segment_prefix(), Register::FS | Register::GS) {
                    return Some("has an address in a segment");
                }
            }
            OpKind::Register | OpKind::NearBranch64 => {}
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
