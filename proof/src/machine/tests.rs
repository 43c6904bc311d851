//! Each instruction as it is modelled here, and as the processor does it.
//!
//! A few instructions are run on unknowns, and then by the processor, or by what emulates it, on numbers that the unknowns may be:
//! what the run says of registers, memory, vectors and flags must be what the processor has made of these numbers, and every
//! bound and every equation that the run has written down must hold of them. What the run refuses is not compared; but on
//! constants it may refuse nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use num_bigint::BigInt;
use num_integer::Integer;

use super::processor::tests::{general_registers, is_end, split_flags, vector};
use super::{Number, Run};
use crate::unknowns::{Interval, Value};
use crate::word::Word;

/// What instructions are given and leave: four registers, words of memory, three vectors; the carry before, all flags
/// after.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) general: [u64; 4],
    pub(super) memory: [u64; 8],
    pub(super) vectors: [[u64; 8]; 3],
    pub(super) flags: u64,
}

const WORDS_BUT_FLAGS: usize = 4 + 8 + 24;
const WORDS: usize = WORDS_BUT_FLAGS + 1;

/// The most that the word at a place is.
fn up_to(place: usize) -> u64 {
    match place {
        0..4 => usize::MAX as u64,
        WORDS_BUT_FLAGS => 1,
        _ => u64::MAX,
    }
}

impl State {
    fn words(&self) -> Vec<u64> {
        let vectors = self.vectors.iter().flatten();
        let words = self.general.iter().chain(&self.memory).chain(vectors);
        words.chain([&self.flags]).copied().collect()
    }

    fn of(words: &[u64]) -> Self {
        let mut state = Self::default();
        state.general.copy_from_slice(&words[..4]);
        state.memory.copy_from_slice(&words[4..12]);
        for (vector, words) in state.vectors.iter_mut().zip(words[12..36].chunks(8)) {
            vector.copy_from_slice(words);
        }
        state.flags = words[36];
        state
    }
}

/// Instructions, as text and between what gives them a state and takes it: the run ends at `nop`.
pub(super) type Snippet = (&'static str, extern "C" fn(&mut State));

/// Numbers as good as random.
struct Random(u64);

impl Random {
    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to `most`, and the ends and what is near them more often than others.
    fn up_to(&mut self, most: u64) -> u64 {
        let any = self.next();
        let any = match self.next() % 8 {
            0 => 0,
            1 => u64::MAX,
            2 => any % 3,
            3 => u64::MAX - any % 3,
            4 => any | 0xffff_ffff,
            5 => any << 32,
            6 => 1 << 63 | any >> 1,
            _ => any,
        };
        if most == u64::MAX {
            any
        } else {
            any % (most + 1)
        }
    }
}

/// The most that words are, which are unknowns, or constants.
#[derive(Clone, Copy, Debug)]
enum Given {
    UpTo(u64),
    Constants,
}

impl Given {
    fn words(self, random: &mut Random) -> Vec<u64> {
        let most = match self {
            Self::UpTo(most) => most,
            Self::Constants => u64::MAX,
        };
        (0..WORDS)
            .map(|i| random.up_to(most.min(up_to(i))))
            .collect()
    }
}

/// Runs the instructions up to the end: the run, where the state is, and how many unknowns there were at the beginning.
fn run_to_end(function: extern "C" fn(&mut State), inputs: &[Interval]) -> (Run, u64, usize) {
    let mut run = Run::new();
    // The first unknowns are the inputs.
    let words = inputs.iter().map(|within| run.all.fresh(within.clone()));
    let words: Vec<Number> = words.map(Number).collect();
    let at = run.place(&words, 8);
    run.at = function as *const () as u64;
    run.enter(&[at]);
    let count = run.all.count();
    while !is_end(&run) {
        run.step();
    }
    (run, at, count)
}

/// A comparison of a run with the processor, for one state.
struct Comparison<'a> {
    what: String,
    /// What all unknowns are.
    values: &'a [Option<BigInt>],
}

impl Comparison<'_> {
    fn value(&self, value: &Value) -> Option<BigInt> {
        let result = value.polynomial.at(self.values)?;
        assert!(
            value.within.low <= result && result <= value.within.high,
            "{}: a number is not within its bounds",
            self.what
        );
        Some(result)
    }

    fn word(&self, place: usize, word: &Word, bits: u64, expected: u64) {
        let expected = BigInt::from(expected);
        let power = BigInt::from(1) << bits;
        let Some(unsigned) = self.value(word.unsigned()) else {
            return;
        };
        assert_eq!(unsigned, expected, "{}: word {place}", self.what);
        let number = self.value(word.number());
        let number = number.map(|number| number.mod_floor(&power));
        assert_eq!(
            number,
            Some(expected),
            "{}: word {place}, with a sign",
            self.what
        );
    }

    fn flags(&self, run: &Run, expected: u64) {
        let [carry, zero, sign, overflow] =
            split_flags().map(|bit| BigInt::from(expected >> bit & 1));
        let what = &self.what;
        if let Some(value) = run.flags.carry.as_ref().and_then(|value| self.value(value)) {
            assert_eq!(value, carry, "{what}: the carry");
        }
        let value = run.flags.overflow.as_ref();
        if let Some(value) = value.and_then(|value| self.value(value)) {
            assert_eq!(value, overflow, "{what}: the overflow");
        }
        if let Some((word, bits)) = run.flags.result.clone()
            && let Some(value) = self.value(word.unsigned())
        {
            let is_zero = BigInt::from(u8::from(value == BigInt::ZERO));
            assert_eq!(is_zero, zero, "{what}: zero");
            assert_eq!(value >> (bits - 1), sign, "{what}: the sign");
        }
        if let Some((a, b, bits)) = run.flags.compared.clone() {
            let half = BigInt::from(1) << (bits - 1);
            let signed = |word: &Word| {
                let value = self.value(word.unsigned())? + &half;
                Some(value.mod_floor(&(&half << 1)))
            };
            if let (Some(a), Some(b)) = (signed(&a), signed(&b)) {
                assert_eq!(a < b, sign != overflow, "{what}: less");
            }
        }
    }
}

/// States of which each snippet is tried with some bounds.
const STATES: usize = 24;

/// What a run has left: registers with their bits, and words of memory and vectors, each with its place in a state.
fn read(run: &mut Run, at: u64, lanes: usize) -> Vec<(usize, u64, Word)> {
    let registers = general_registers(run).into_iter().enumerate();
    let mut words: Vec<(usize, u64, Word)> =
        registers.map(|(i, (bits, word))| (i, bits, word)).collect();
    let memory = (4..12).map(|i| (i, at + 8 * i as u64));
    let run_now = &*run;
    let vectors = (0..3).flat_map(|register| {
        (0..lanes).map(move |lane| {
            (
                12 + 8 * register + lane,
                vector(run_now, register) + 8 * lane as u64,
            )
        })
    });
    let places: Vec<(usize, u64)> = memory.chain(vectors).collect();
    for (i, at) in places {
        words.push((i, 64, run.load(at, 8)));
    }
    words
}

/// Compares a run with the processor in some states: how many.
fn compare((text, function): Snippet, given: Given, lanes: usize, random: &mut Random) -> usize {
    let inputs = |words: &[u64]| -> Vec<Interval> {
        let inputs = words.iter().enumerate();
        inputs
            .map(|(i, &word)| match given {
                Given::Constants => Interval::new(word, word),
                Given::UpTo(most) => Interval::new(0, most.min(up_to(i))),
            })
            .collect()
    };
    let run_on = |words: &[u64]| {
        let inputs = inputs(words);
        let run = || {
            let (mut run, at, count) = run_to_end(function, &inputs);
            let words = read(&mut run, at, lanes);
            (run, words, count)
        };
        match given {
            Given::Constants => Some(run()),
            Given::UpTo(_) => catch_unwind(AssertUnwindSafe(run)).ok(),
        }
    };
    // One run on unknowns says what becomes of all numbers.
    let mut once = None;
    for state in 0..STATES {
        let before = given.words(random);
        if once.is_none() || matches!(given, Given::Constants) {
            once = run_on(&before);
        }
        let Some((run, words, count)) = &once else {
            return state;
        };
        let values = run.all.values(&before, count - before.len());
        let comparison = Comparison {
            what: format!("{text} of {given:?} {before:x?}"),
            values: &values,
        };
        run.all.assert_holds(&values, &comparison.what);
        let mut after = State::of(&before);
        function(&mut after);
        let expected = after.words();
        for (i, bits, word) in words {
            comparison.word(*i, word, *bits, expected[*i]);
        }
        comparison.flags(run, after.flags);
    }
    STATES
}

/// Compares all of these: the run may refuse unknowns. How many states of unknowns are compared.
pub(super) fn compare_some(snippets: &[Snippet], lanes: usize) -> usize {
    let mut random = Random(1);
    let mut count = 0;
    for &snippet in snippets {
        compare(snippet, Given::Constants, lanes, &mut random);
        for most in [u64::MAX, u64::MAX >> 2, 0xffff_ffff, 0xffff, 1] {
            count += compare(snippet, Given::UpTo(most), lanes, &mut random);
        }
    }
    count
}

/// The same, where the run refuses few.
pub(super) fn compare_all(snippets: &[Snippet], lanes: usize) {
    let count = compare_some(snippets, lanes);
    assert!(
        count > 2 * STATES * snippets.len(),
        "hardly any is compared"
    );
}
