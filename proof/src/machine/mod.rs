//! The run through a function, on any of the processors: what they have in common.
//!
//! A processor is a module with registers (`Processor`) and what a `Run` asks of it: to enter a function (`enter`), to do
//! the instruction at `at` (`step`), and what a function must give back (`kept`, `stack_pointer`). The one of the target
//! is compiled, because the code that is run is that of this process.
#![allow(unsafe_code)]

mod flags;
#[cfg(all(test, target_os = "linux"))]
mod tests;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod x86;

#[cfg(target_arch = "aarch64")]
use aarch64 as processor;
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
use x86 as processor;

use std::ops::Range;
use std::slice;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::memory::Memory;
use crate::unknowns::{Interval, Unknowns, Value};
use crate::word::Word;
use flags::Flags;
use processor::Processor;

/// Bits of an address, and of a register.
const WORD: u64 = usize::BITS as u64;
/// Bytes that arguments and results may take, those that the stack may, and those of the vector registers.
const HEAP_SIZE: u64 = 1 << 22;
const STACK_SIZE: u64 = 1 << 22;
const VECTORS_SIZE: u64 = 1 << 12;
/// Bytes of a vector register, or more.
const VECTOR: u64 = 64;
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

/// The addresses of a run: no other part of the process has them, because they are reserved, and nothing is ever written there.
#[derive(Debug)]
struct Reserved {
    _bytes: Vec<u8>,
    all: Range<u64>,
}

impl Reserved {
    fn new() -> Self {
        const SIZE: u64 = HEAP_SIZE + STACK_SIZE + VECTORS_SIZE + VECTOR;
        let bytes = Vec::<u8>::with_capacity((SIZE + VECTOR) as usize);
        let first = (bytes.as_ptr() as u64).next_multiple_of(VECTOR);
        Self {
            _bytes: bytes,
            all: first..first + SIZE,
        }
    }

    fn heap(&self) -> Range<u64> {
        self.all.start..self.all.start + HEAP_SIZE
    }

    fn stack(&self) -> Range<u64> {
        self.heap().end..self.heap().end + STACK_SIZE
    }

    fn vectors(&self) -> Range<u64> {
        self.stack().end..self.stack().end + VECTORS_SIZE
    }

    /// Where functions return to.
    fn caller(&self) -> u64 {
        self.vectors().end
    }
}

/// A run of one or more functions on one set of unknowns.
///
/// ```
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
/// ```
#[derive(Debug)]
pub struct Run {
    all: Unknowns,
    memory: Memory,
    processor: Processor,
    flags: Flags,
    ours: Reserved,
    next: u64,
    /// The address of the next instruction.
    at: u64,
    /// The address of the one that was done last.
    last: u64,
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
        let ours = Reserved::new();
        Self {
            all: Unknowns::default(),
            memory: Memory::default(),
            processor: Processor::default(),
            flags: Flags::default(),
            next: ours.heap().start,
            at: ours.caller(),
            last: ours.caller(),
            ours,
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
    ///
    /// # Panics
    ///
    /// There is no more.
    pub fn room(&mut self, bytes: u64) -> u64 {
        let address = self.next;
        self.next += bytes.next_multiple_of(VECTOR) + VECTOR;
        assert!(
            self.next <= self.ours.heap().end,
            "the run's memory is full"
        );
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

    /// Lets what is asked from now on be shown by cases of any unknown that has two values, up to `count` of them one within
    /// the other, and not only of those in what is asked: where compilers compare words instead of adding their carries.
    /// It takes long, if it does not hold.
    pub fn try_cases(&mut self, count: u32) {
        self.all.cases_of_any = Some(count);
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

    /// Runs a function of the C interface with addresses as arguments, at most six, until it returns; other integers of the size of
    /// an address will do.
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
        let mut steps = ends.iter().enumerate().peekable();
        self.call_watched(function, arguments, |run| {
            if let Some((step, _)) = steps.next_if(|&(_, &end)| run.stored == Some(end)) {
                then(run, step);
            }
        });
        assert!(steps.next().is_none(), "the function leaves out steps");
    }

    /// As [`call`](Self::call); and after each instruction calls `then`, which may look at what was done
    /// ([`last`](Self::last)) and what registers hold ([`register`](Self::register)), and forget how some of that came to be
    /// ([`forget`](Self::forget)).
    ///
    /// # Panics
    ///
    /// As `call`.
    pub fn call_watched(
        &mut self,
        function: *const (),
        arguments: &[u64],
        mut then: impl FnMut(&mut Self),
    ) {
        assert!(arguments.len() <= 6, "at most six arguments");
        self.flags = Flags::default();
        self.memory.forget(self.ours.stack());
        self.memory.forget(self.ours.vectors());
        self.at = function as u64;
        let stack = self.enter(arguments);
        let kept = self.kept();
        for _ in 0..MOST {
            if self.at == self.ours.caller() {
                assert_eq!(
                    self.stack_pointer(),
                    stack,
                    "the function returns with another stack"
                );
                for ((name, before), (_, after)) in kept.into_iter().zip(self.kept()) {
                    assert!(
                        after.unsigned().polynomial == before.unsigned().polynomial,
                        "the function does not give back {name}"
                    );
                }
                return;
            }
            self.stored = None;
            self.last = self.at;
            self.step();
            then(self);
        }
        panic!("the function does not end");
    }

    /// Bytes of the code from the instruction on that was done last.
    ///
    /// # Panics
    ///
    /// None was.
    #[must_use]
    pub fn last<const N: usize>(&self) -> [u8; N] {
        self.code_at(self.last)
    }

    /// The word in a general register, by the number that instructions have for it, without a sign.
    pub fn register(&mut self, number: usize) -> Number {
        let written = self.processor.registers()[number].clone();
        Number(self.lowest(&written, WORD).unsigned().clone())
    }

    /// Forgets how words came to be that are the digits of a number, lowest first, each of the size of an address: wherever
    /// registers, vectors or memory hold one of these, they then hold a word of which no more is known than that the number is from 0 to
    /// `most`; which is shown first. The new words; or `None`, and nothing is forgotten, where it is not shown.
    ///
    /// What was said of the old words holds of the new ones, which are the same: but it is for who calls this to keep
    /// it.
    ///
    /// # Panics
    ///
    /// One of them is no word, or is the same for all inputs; or `most` has more digits.
    pub fn forget(&mut self, words: &[Number], most: impl Into<BigInt>) -> Option<Vec<Number>> {
        let most = most.into();
        let bits = WORD * words.len() as u64;
        assert!(most.bits() <= bits, "the number has as many digits");
        let mut number = Number::from(0);
        for (word, at) in words.iter().zip((0..).step_by(WORD as usize)) {
            assert!(
                word.0.within.is_within(&Interval::of_bits(WORD)),
                "a digit is a word"
            );
            assert!(word.0.as_constant().is_none(), "a digit is an unknown");
            number = &number + &(word << at);
        }
        if !self.is_within(&number, 0, most.clone()) {
            return None;
        }
        let any = self.unknown(0, most);
        let new = self.digits(&any, WORD, words.len());
        for (old, new) in words.iter().zip(&new) {
            let old = &old.0.polynomial;
            let word = Word::of(new.0.clone(), WORD, &mut self.all);
            for (written, register) in self.processor.registers_mut() {
                if *written == WORD && register.unsigned().polynomial == *old {
                    *register = word.clone();
                }
            }
            self.memory.replace(WORD / 8, old, &word);
        }
        Some(new)
    }

    fn load(&mut self, address: u64, size: u64) -> Word {
        if let Some(word) = self.memory.load(address, size, &mut self.all) {
            return word;
        }
        assert!(
            !self.ours.all.contains(&address),
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
            self.ours.all.contains(&address),
            "{address:#x} is not the run's: {:#x}",
            self.at
        );
        self.memory.store(address, size, word, &mut self.all);
        self.stored = Some(address + size);
    }

    /// Bytes of the code of the next instruction, and behind it.
    fn code<const N: usize>(&self) -> [u8; N] {
        self.code_at(self.at)
    }

    fn code_at<const N: usize>(&self, at: u64) -> [u8; N] {
        assert!(!self.ours.all.contains(&at), "there is no code at {at:#x}");
        // SAFETY: the run began at a function and follows its code; reading a few bytes behind its end meets another function's,
        // or the padding of the page.
        unsafe { *(at as *const [u8; N]) }
    }

    /// The lowest bits of a register of which so many were written; what is above them is zeros.
    fn lowest(&mut self, &(written, ref word): &(u64, Word), bits: u64) -> Word {
        if written < bits {
            Word::of(word.unsigned().clone(), bits, &mut self.all)
        } else if written == bits {
            word.clone()
        } else {
            word.narrowed(written, bits, &mut self.all)
        }
    }

    /// A register of which nothing is known.
    fn anything(&mut self) -> (u64, Word) {
        let any = self.all.fresh(Interval::of_bits(WORD));
        (WORD, Word::of(any, WORD, &mut self.all))
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
}

/// A constant that fits in a register.
fn as_constant(word: &Word) -> Option<u64> {
    word.as_constant().and_then(ToPrimitive::to_u64)
}
