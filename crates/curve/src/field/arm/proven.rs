//! What the step of the ladder computes, for all coordinates within their bounds: its machine code, as the compiler puts it
//! together of the assembly of this representation, as a function of its own.
//!
//! Between operations values stay in registers, or are put by where the compiler likes, in an order that it chooses. But
//! every operation ends with a chain of additions or subtractions that no other code has. Where such a
//! chain ends, its four registers hold the sum, difference or product mod p of what earlier operations left: one of those of the
//! formula that are still to come. That is shown, and that the value is carried where later operations
//! rely on it. Then it is forgotten how these words came to be: of them the operations that follow know the bounds, and nothing else.
//! So what they compute mod p is a polynomial in the coordinates, and that is compared with the formula. An end that is not
//! recognized leaves an operation out, which is seen.

use super::{FieldArm, Line, step};
use crate::field::expected;
use core::mem::{offset_of, size_of};
use lanner_proof::{Number, Run};
use num_bigint::BigInt;
use std::vec::Vec;

fn p() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

extern "C" fn ladder_step(
    p: &mut Line<FieldArm>,
    q: &mut Line<FieldArm>,
    difference: &FieldArm,
    swap: u64,
) {
    step(p, q, difference, swap);
}

/// Where values are, by their numbers: the coordinates that the step is given, and what its operations leave.
mod places {
    pub(super) const U2: usize = 0;
    pub(super) const W2: usize = 1;
    pub(super) const U3: usize = 2;
    pub(super) const W3: usize = 3;
    pub(super) const U1: usize = 4;
    pub(super) const INPUTS: usize = 5;
    pub(super) const A: usize = 5;
    pub(super) const B: usize = 6;
    pub(super) const C: usize = 7;
    pub(super) const D: usize = 8;
    pub(super) const DA: usize = 9;
    pub(super) const CB: usize = 10;
    pub(super) const AA: usize = 11;
    pub(super) const BB: usize = 12;
    pub(super) const E: usize = 13;
    pub(super) const DIFF: usize = 14;
    pub(super) const DIFF2: usize = 15;
    pub(super) const NEXT_W3: usize = 16;
    pub(super) const SUM: usize = 17;
    pub(super) const NEXT_U3: usize = 18;
    pub(super) const NEXT_U2: usize = 19;
    pub(super) const E_TIMES: usize = 20;
    pub(super) const BBE: usize = 21;
    pub(super) const NEXT_W2: usize = 22;
    pub(super) const ALL: usize = 23;
}
use places::*;

/// An operation on what two places hold, or one.
#[derive(Clone, Copy)]
enum Operation {
    Sum(usize, usize),
    Difference(usize, usize),
    Product(usize, usize),
    Times121666(usize),
}
use Operation::{Difference, Product, Sum, Times121666};

impl Operation {
    /// Its result, if there are the operands.
    fn of(self, places: &[Option<Number>]) -> Option<Number> {
        let at = |place: usize| places[place].as_ref();
        Some(match self {
            Sum(a, b) => at(a)? + at(b)?,
            Difference(a, b) => at(a)? - at(b)?,
            Product(a, b) => at(a)? * at(b)?,
            Times121666(a) => at(a)? * &Number::from(121_666),
        })
    }

    fn end(self) -> End {
        match self {
            Sum(..) => End::Sum,
            Difference(..) => End::Difference,
            Product(..) | Times121666(_) => End::Carried,
        }
    }
}

/// What an operation ends with.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// `add`: the sum of words, and 38 or nothing added to the lowest.
    Sum,
    /// `sub`: 38 or nothing subtracted, and what is borrowed.
    Difference,
    /// `fold_top!`: what was above bit 255 added, and what is carried.
    Carried,
}

impl End {
    /// The most that the result is.
    fn most(self) -> BigInt {
        match self {
            Self::Carried => (BigInt::from(1) << 255) + ((1 << 23) - 1),
            Self::Sum | Self::Difference => (BigInt::from(1) << 256) - 1,
        }
    }

    /// Whether the last instructions are such an end, and the registers of the result. They only say where to look.
    fn of(codes: &[u32]) -> Option<(Self, [usize; 4])> {
        /// The bits of an instruction on three registers of 64 bits that are not the registers' numbers, and those of a choice
        /// that are not its condition either.
        const WHICH: u32 = 0xffe0_fc00;
        const CHOICE: u32 = 0xffe0_0c00;
        const ADD: u32 = 0x8b00_0000;
        const ADDS: u32 = 0xab00_0000;
        const ADC: u32 = 0x9a00_0000;
        const ADCS: u32 = 0xba00_0000;
        const SUBS: u32 = 0xeb00_0000;
        const SBC: u32 = 0xda00_0000;
        const SBCS: u32 = 0xfa00_0000;
        const CSEL: u32 = 0x9a80_0000;
        let to = |code: u32| (code & 31) as usize;
        let is = |which: u32| move |code: u32| code & WHICH == which;
        // With zero as the second operand.
        let carries = |which: u32| move |code: u32| is(which)(code) && code >> 16 & 31 == 31;
        let (_, &last) = codes.split_last_chunk::<6>()?;
        let [first, second, a, b, c, d] = last;
        if is(ADDS)(a) && carries(ADCS)(b) && carries(ADCS)(c) && carries(ADC)(d) {
            Some((Self::Carried, [a, b, c, d].map(to)))
        } else if is(SUBS)(a) && carries(SBCS)(b) && carries(SBCS)(c) && carries(SBC)(d) {
            Some((Self::Difference, [a, b, c, d].map(to)))
        } else if is(ADDS)(first)
            && [second, a, b].into_iter().all(is(ADCS))
            && c & CHOICE == CSEL
            && is(ADD)(d)
            && to(d) == to(first)
        {
            Some((Self::Sum, [first, second, a, b].map(to)))
        } else {
            None
        }
    }
}

/// The operations of the step, and where they leave their results.
fn operations(swap: bool) -> Vec<(usize, Operation)> {
    let (plus, minus) = if swap { (C, D) } else { (A, B) };
    std::vec![
        (A, Sum(U2, W2)),
        (B, Difference(U2, W2)),
        (C, Sum(U3, W3)),
        (D, Difference(U3, W3)),
        (DA, Product(D, A)),
        (CB, Product(C, B)),
        (AA, Product(plus, plus)),
        (BB, Product(minus, minus)),
        (E, Difference(AA, BB)),
        (DIFF, Difference(DA, CB)),
        (DIFF2, Product(DIFF, DIFF)),
        (NEXT_W3, Product(U1, DIFF2)),
        (SUM, Sum(DA, CB)),
        (NEXT_U3, Product(SUM, SUM)),
        (NEXT_U2, Product(AA, BB)),
        (E_TIMES, Times121666(E)),
        (BBE, Sum(BB, E_TIMES)),
        (NEXT_W2, Product(E, BBE)),
    ]
}

/// The value of four words.
fn value(words: &[Number]) -> Number {
    let words = words.iter().zip((0..).step_by(64));
    words.fold(Number::from(0), |sum, (word, at)| &sum + &(word << at))
}

/// The operations that are still to come, what places hold, and what that is of the inputs.
struct Formula {
    rest: Vec<(usize, Operation)>,
    values: Vec<Option<Number>>,
    of_inputs: Vec<Option<Number>>,
}

impl Formula {
    /// Takes what an operation has left in registers to be the result of one that is still to come.
    fn take(&mut self, run: &mut Run, end: End, registers: [usize; 4]) {
        let words = registers.map(|number| run.register(number));
        let result = value(&words);
        let is_it = |&(_, operation): &(usize, Operation)| {
            let expected = operation.of(&self.values);
            let expected = expected.filter(|_| operation.end() == end);
            expected.is_some_and(|expected| run.is_zero(&(&result - &expected), &p()))
        };
        let found = self.rest.iter().position(is_it);
        let found = found.expect("the result of an operation is another one");
        let (to, operation) = self.rest.remove(found);
        let words = run.forget(&words, end.most());
        let words = words.expect("the result of an operation is not within its bounds");
        self.values[to] = Some(value(&words));
        self.of_inputs[to] = operation.of(&self.of_inputs);
    }
}

/// Runs the step, wherever its code lies, and panics unless all is as it should be.
fn check(function: *const (), swap: bool) {
    let mut run = Run::new();
    let mut values = std::vec![None; ALL];
    let mut element = |run: &mut Run, at: u64, place: usize| {
        let any = run.unknown(0, End::Carried.most());
        let words = run.digits(&any, 64, 4);
        run.put(at, &words, 8);
        values[place] = Some(any);
    };
    let lines = [(); 2].map(|()| run.room(size_of::<Line<FieldArm>>() as u64));
    let u = lines.map(|line| line + offset_of!(Line<FieldArm>, u) as u64);
    let w = lines.map(|line| line + offset_of!(Line<FieldArm>, w) as u64);
    let difference = run.room(size_of::<FieldArm>() as u64);
    let coordinates = [u[0], w[0], u[1], w[1]];
    for (at, place) in coordinates.into_iter().zip([U2, W2, U3, W3]) {
        element(&mut run, at, place);
    }
    element(&mut run, difference, U1);
    let mut formula = Formula {
        rest: operations(swap),
        of_inputs: values.clone(),
        values,
    };
    let mut codes = Vec::new();
    let arguments = [lines[0], lines[1], difference, swap.into()];
    run.call_watched(function, &arguments, |run| {
        codes.push(u32::from_le_bytes(run.last()));
        if let Some((end, registers)) = End::of(&codes) {
            formula.take(run, end, registers);
        }
    });
    assert!(formula.rest.is_empty(), "the step leaves out operations");
    let results = [NEXT_U2, NEXT_W2, NEXT_U3, NEXT_W3];
    for (at, place) in coordinates.into_iter().zip(results) {
        let words = [0, 8, 16, 24].map(|i| run.read(at + i, 8));
        let given = formula.values[place].as_ref().expect("it was computed");
        assert!(
            run.is_within(&(&value(&words) - given), 0, 0),
            "what the step leaves is not what it computed"
        );
    }
    let inputs = formula.of_inputs[..INPUTS].iter().flatten();
    let inputs: Vec<Number> = inputs.cloned().collect();
    let expected = expected::ladder_step(&inputs, swap);
    for (place, expected) in results.into_iter().zip(expected) {
        let result = formula.of_inputs[place].as_ref().expect("it was computed");
        assert!(
            run.is_zero(&(result - &expected), &p()),
            "place {place} is another polynomial"
        );
    }
}

#[test]
fn step_of_the_ladder() {
    check(ladder_step as *const (), false);
}

#[test]
fn step_of_the_ladder_with_points_exchanged() {
    check(ladder_step as *const (), true);
}

/// The step with one instruction changed: each change that makes another function of it is found.
mod controls {
    use super::{check, ladder_step};
    use lanner_proof::{Number, Run};
    use std::vec::Vec;

    /// The bits that say which instruction on registers of 64 bits it is, without the numbers of the registers.
    const WHICH: u32 = 0xffe0_fc00;
    const MUL: u32 = 0x9b00_7c00;
    const UMULH: u32 = 0x9bc0_7c00;

    /// The instructions of the step, which are done in their order: those that it does on numbers.
    fn code() -> Vec<u32> {
        let mut run = Run::new();
        let words: Vec<Number> = (1..=8).map(Number::from).collect();
        let [p, q, difference] = [(); 3].map(|()| run.place(&words, 8));
        let mut codes = Vec::new();
        let arguments = [p, q, difference, 0];
        run.call_watched(ladder_step as *const (), &arguments, |run| {
            codes.push(u32::from_le_bytes(run.last()));
        });
        codes
    }

    /// Checks a copy of the step in which the first instruction is changed that `change` has another one for.
    fn check_changed(change: impl Fn(u32) -> Option<u32>) {
        let mut codes = code();
        let mut all = codes.iter_mut();
        let changed = all.find_map(|code| change(*code).map(|other| *code = other));
        changed.expect("there is such an instruction");
        check(codes.as_ptr().cast(), false);
    }

    /// One instruction in place of another one, with the same registers.
    fn other(from: u32, to: u32) -> impl Fn(u32) -> Option<u32> {
        move |code| (code & WHICH == from).then_some(code ^ from ^ to)
    }

    /// An instruction with its operands exchanged, if these are two.
    fn exchanged(which: u32) -> impl Fn(u32) -> Option<u32> {
        move |code| {
            let (a, b) = (code >> 5 & 31, code >> 16 & 31);
            let others = code & !(31 << 5 | 31 << 16);
            (code & WHICH == which && a != b).then_some(others | b << 5 | a << 16)
        }
    }

    /// A choice by the opposite condition, of those of which `is` holds.
    fn opposite(is: impl Fn(u32) -> bool) -> impl Fn(u32) -> Option<u32> {
        let is_choice = |code: u32| code & 0xffe0_0c00 == 0x9a80_0000;
        move |code| (is_choice(code) && is(code >> 12 & 15)).then_some(code ^ 1 << 12)
    }

    /// A product is the same; so what is found of the others is not that they are copies.
    #[test]
    fn exchanged_factors_change_nothing() {
        check_changed(exchanged(MUL));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn exchanged_operands_of_a_difference() {
        const SUBS: u32 = 0xeb00_0000;
        check_changed(exchanged(SUBS));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn a_factor_from_another_register() {
        check_changed(|code| (code & WHICH == MUL).then_some(code ^ 1 << 16));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn the_other_half_of_a_product() {
        check_changed(other(MUL, UMULH));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn a_carry_that_is_lost_on_the_way() {
        const ADCS: u32 = 0xba00_0000;
        const ADDS: u32 = 0xab00_0000;
        check_changed(other(ADCS, ADDS));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn a_carry_that_is_lost_at_the_end() {
        const ADC: u32 = 0x9a00_0000;
        const ADD: u32 = 0x8b00_0000;
        check_changed(other(ADC, ADD));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn another_constant_than_38() {
        let is_38 = |code: u32| code & 0x7fff_ffe0 == 0x5280_0000 | 38 << 5;
        check_changed(|code| is_38(code).then_some(code ^ 1 << 5));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn an_overflow_that_is_taken_to_be_none() {
        const EQUAL: u32 = 0;
        check_changed(opposite(|condition| condition != EQUAL));
    }

    #[test]
    #[should_panic(expected = "the result of an operation is another one")]
    fn a_word_of_the_other_point() {
        const EQUAL: u32 = 0;
        check_changed(opposite(|condition| condition == EQUAL));
    }

    /// A pair of registers that is stored elsewhere than on the stack: what the step leaves.
    #[test]
    #[should_panic(expected = "what the step leaves is not what it computed")]
    fn a_result_from_another_register() {
        let is_pair = |code: u32| code & 0xffc0_0000 == 0xa900_0000;
        check_changed(|code| (is_pair(code) && code >> 5 & 31 != 31).then_some(code ^ 1));
    }
}
