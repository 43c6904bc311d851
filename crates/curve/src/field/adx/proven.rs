//! What the blocks compute, for all values within the bounds: each operation of a formula when it has written its place, and all
//! of them together.
//!
//! Shown of each operation: its place is the sum, difference, product or square mod p of what its operands' places hold, or
//! the one of two that is chosen, and it is carried where later operations rely on that. Then the place is
//! given any value within these bounds, of which the operations that follow know nothing else. So what they compute mod p is a
//! polynomial in the inputs, and that is compared with the formula.

use super::blocks::Ladder;
use super::{Assembly, WithAdx, WithBmi};
use crate::field::blocks::PointFrame;
use crate::field::expected;
use core::mem::size_of;
use lanner_proof::{Number, Run};
use num_bigint::BigInt;
use std::vec::Vec;

fn p() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

/// What a place may hold, at most.
#[derive(Clone, Copy)]
enum Bounds {
    Carried,
    Any,
}
use Bounds::{Any, Carried};

impl Bounds {
    fn most(self) -> BigInt {
        match self {
            Carried => (BigInt::from(1) << 255) + ((1 << 11) - 1),
            Any => (BigInt::from(1) << 256) - 1,
        }
    }
}

/// An operation: the place that it writes, the bounds of what it writes, and that as a polynomial in what places hold.
type Operation = (usize, Bounds, fn(&[Number]) -> Number);

/// Bytes of a place.
const PLACE: u64 = 32;

/// Any value within bounds, and its words.
fn any(run: &mut Run, bounds: Bounds) -> (Number, Vec<Number>) {
    let value = run.unknown(0, bounds.most());
    let words = run.digits(&value, 64, 4);
    (value, words)
}

fn value(run: &mut Run, at: u64) -> Number {
    (0..4).fold(Number::from(0), |sum, i| {
        &sum + &(&run.read(at + 8 * i, 8) << (64 * i))
    })
}

/// A block over a frame of `places`, of which the first ones are its inputs, and with more inputs behind the frame.
struct Block<'a> {
    function: *const (),
    places: usize,
    inputs: &'a [Bounds],
    /// The other operand, in places behind those of the frame.
    others: &'a [Bounds],
    /// An argument that is known.
    known: Option<u64>,
    operations: &'a [Operation],
}

impl Block<'_> {
    /// Shows each operation: the run, what all inputs are, those behind the frame last, and what all places are in terms of
    /// them.
    fn check(&self) -> (Run, Vec<Number>, Vec<Number>) {
        let mut run = Run::new();
        let none = Number::from(0);
        let frame = run.room(PLACE * self.places as u64);
        let other = run.room(PLACE * self.others.len() as u64);
        let address = |place: usize| match place.checked_sub(self.places) {
            None => frame + PLACE * place as u64,
            Some(place) => other + PLACE * place as u64,
        };
        // What places hold, to the operations that follow, and what that is of the inputs.
        let mut values = std::vec![none; self.places + self.others.len()];
        let inputs = self.inputs.iter().enumerate();
        let others = self.others.iter().enumerate();
        let others = others.map(|(i, bounds)| (self.places + i, bounds));
        let mut given = Vec::new();
        for (place, &bounds) in inputs.chain(others) {
            let (value, words) = any(&mut run, bounds);
            run.put(address(place), &words, 8);
            values[place] = value.clone();
            given.push(value);
        }
        let mut of_inputs = values.clone();
        let written = self.operations.iter();
        let ends: Vec<u64> = written.map(|&(to, ..)| address(to) + PLACE).collect();
        let mut arguments = std::vec![frame];
        arguments.extend((!self.others.is_empty()).then_some(other));
        arguments.extend(self.known);
        run.call_in_steps(self.function, &arguments, &ends, |run, step| {
            let (to, bounds, expected) = self.operations[step];
            let result = value(run, address(to));
            assert!(
                run.is_within(&result, 0, bounds.most()),
                "operation {step}: the value is not within its bounds"
            );
            assert!(
                run.is_zero(&(&result - &expected(&values)), &p()),
                "operation {step}: the value is another one"
            );
            let (value, words) = any(run, bounds);
            run.put(address(to), &words, 8);
            values[to] = value;
            of_inputs[to] = expected(&of_inputs);
        });
        // Nothing else was written there since.
        let given_places = (0..self.inputs.len()).chain(self.places..values.len());
        for place in given_places.chain(self.operations.iter().map(|&(to, ..)| to)) {
            let difference = &value(&mut run, address(place)) - &values[place];
            assert!(
                run.is_within(&difference, 0, 0),
                "place {place} was written once more"
            );
        }
        (run, given, of_inputs)
    }
}

/// Panics unless these are the same mod p, whatever the inputs are.
fn assert_same(run: &mut Run, what: &str, result: &Number, expected: &Number) {
    assert!(
        run.is_zero(&(result - expected), &p()),
        "{what} is another polynomial"
    );
}

fn times(x: &Number, factor: i64) -> Number {
    x * &Number::from(factor)
}

extern "C" fn ladder_step<A: Assembly>(ladder: &mut Ladder, swap: u64) {
    A::ladder_step(ladder, swap);
}

extern "C" fn double<A: Assembly>(frame: &mut PointFrame) {
    (A::BLOCKS.double)(frame);
}

extern "C" fn add_affine<A: Assembly>(frame: &mut PointFrame, q: &[[u64; 4]; 3]) {
    (A::BLOCKS.add_affine)(frame, q);
}

extern "C" fn add<A: Assembly>(frame: &mut PointFrame, q: &[[u64; 4]; 4]) {
    (A::BLOCKS.add)(frame, q);
}

/// The places of a ladder.
mod ladder {
    pub(super) const U2: usize = 0;
    pub(super) const W2: usize = 1;
    pub(super) const U3: usize = 2;
    pub(super) const W3: usize = 3;
    pub(super) const U1: usize = 4;
    pub(super) const A: usize = 5;
    pub(super) const B: usize = 6;
    pub(super) const C: usize = 7;
    pub(super) const D: usize = 8;
    pub(super) const DA: usize = 9;
    pub(super) const CB: usize = 10;
    pub(super) const A1: usize = 11;
    pub(super) const B1: usize = 12;
    pub(super) const AA: usize = 13;
    pub(super) const BB: usize = 14;
    pub(super) const E: usize = 15;
    pub(super) const BBE: usize = 16;
    pub(super) const SUM: usize = 17;
    pub(super) const DIFF: usize = 18;
    pub(super) const DIFF2: usize = 19;
}

fn check_ladder_step<Kind: Assembly>(swap: bool) {
    use ladder::*;
    let chosen: [Operation; 2] = if swap {
        [(B1, Any, |x| x[D].clone()), (A1, Any, |x| x[C].clone())]
    } else {
        [(B1, Any, |x| x[B].clone()), (A1, Any, |x| x[A].clone())]
    };
    let operations: [Operation; 19] = [
        (B, Any, |x| &x[U2] - &x[W2]),
        (A, Any, |x| &x[U2] + &x[W2]),
        (D, Any, |x| &x[U3] - &x[W3]),
        (C, Any, |x| &x[U3] + &x[W3]),
        chosen[0],
        chosen[1],
        (DA, Carried, |x| &x[D] * &x[A]),
        (CB, Carried, |x| &x[C] * &x[B]),
        (BB, Carried, |x| &x[B1] * &x[B1]),
        (DIFF, Any, |x| &x[DA] - &x[CB]),
        (SUM, Any, |x| &x[DA] + &x[CB]),
        (AA, Carried, |x| &x[A1] * &x[A1]),
        (E, Any, |x| &x[AA] - &x[BB]),
        (DIFF2, Carried, |x| &x[DIFF] * &x[DIFF]),
        (BBE, Any, |x| &times(&x[E], 121_666) + &x[BB]),
        (U3, Carried, |x| &x[SUM] * &x[SUM]),
        (U2, Carried, |x| &x[AA] * &x[BB]),
        (W2, Carried, |x| &x[E] * &x[BBE]),
        (W3, Carried, |x| &x[U1] * &x[DIFF2]),
    ];
    let places = size_of::<Ladder>() / PLACE as usize;
    let (mut run, given, results) = Block {
        function: ladder_step::<Kind> as *const (),
        places,
        inputs: &[Carried, Carried, Carried, Carried, Any],
        others: &[],
        known: Some(swap.into()),
        operations: &operations,
    }
    .check();
    let left = [("U2", U2), ("W2", W2), ("U3", U3), ("W3", W3)];
    for ((what, place), expected) in left.into_iter().zip(expected::ladder_step(&given, swap)) {
        assert_same(&mut run, what, &results[place], &expected);
    }
}

#[test]
fn step_of_a_ladder() {
    for swap in [false, true] {
        check_ladder_step::<WithAdx>(swap);
        check_ladder_step::<WithBmi>(swap);
    }
}

/// The places of a formula on points.
mod point {
    pub(super) const PLACES: usize = 14;
    pub(super) const CX: usize = 0;
    pub(super) const CY: usize = 1;
    pub(super) const CZ: usize = 2;
    pub(super) const CT: usize = 3;
    pub(super) const X: usize = 4;
    pub(super) const Y: usize = 5;
    pub(super) const Z: usize = 6;
    // Of additions.
    pub(super) const T: usize = 7;
    pub(super) const Y_MINUS_X: usize = 8;
    pub(super) const Y_PLUS_X: usize = 9;
    pub(super) const PA: usize = 10;
    pub(super) const PB: usize = 11;
    pub(super) const PC: usize = 12;
    pub(super) const PD: usize = 13;
    // Of doublings.
    pub(super) const XY: usize = 7;
    pub(super) const XX: usize = 8;
    pub(super) const YY: usize = 9;
    pub(super) const ZZ: usize = 10;
    pub(super) const XY2: usize = 11;
    pub(super) const ZZ2: usize = 12;
    // What an addition is given.
    pub(super) const Q0: usize = PLACES;
    pub(super) const Q1: usize = PLACES + 1;
    pub(super) const Q2: usize = PLACES + 2;
    pub(super) const Q3: usize = PLACES + 3;
}

/// The extended coordinates of the point that a block begins with: X, Y, Z, and T.
fn extended(given: &[Number]) -> [Number; 4] {
    use point::*;
    [
        &given[CX] * &given[CT],
        &given[CY] * &given[CZ],
        &given[CZ] * &given[CT],
        &given[CX] * &given[CY],
    ]
}

fn check_double<Kind: Assembly>() {
    use point::*;
    let operations: [Operation; 13] = [
        (Y, Carried, |x| &x[CY] * &x[CZ]),
        (X, Carried, |x| &x[CX] * &x[CT]),
        (Z, Carried, |x| &x[CZ] * &x[CT]),
        (XX, Carried, |x| &x[X] * &x[X]),
        (XY, Any, |x| &x[X] + &x[Y]),
        (YY, Carried, |x| &x[Y] * &x[Y]),
        (CZ, Any, |x| &x[YY] - &x[XX]),
        (CY, Any, |x| &x[YY] + &x[XX]),
        (ZZ, Carried, |x| &x[Z] * &x[Z]),
        (ZZ2, Any, |x| &x[ZZ] + &x[ZZ]),
        (XY2, Carried, |x| &x[XY] * &x[XY]),
        (CT, Any, |x| &x[ZZ2] - &x[CZ]),
        (CX, Any, |x| &x[XY2] - &x[CY]),
    ];
    let (mut run, given, results) = Block {
        function: double::<Kind> as *const (),
        places: PLACES,
        inputs: &[Any; 4],
        others: &[],
        known: None,
        operations: &operations,
    }
    .check();
    let [x, y, z, _] = extended(&given);
    let (xx, yy) = (&x * &x, &y * &y);
    // 2xy / (y^2 - x^2), and (y^2 + x^2) / (2 - (y^2 - x^2)): the sum of a point and itself on -x^2 + y^2 = 1 + d x^2 y^2.
    for (what, place, expected) in [
        ("CX", CX, times(&(&x * &y), 2)),
        ("CZ", CZ, &yy - &xx),
        ("CY", CY, &yy + &xx),
        ("CT", CT, &times(&(&z * &z), 2) - &(&yy - &xx)),
    ] {
        assert_same(&mut run, what, &results[place], &expected);
    }
}

/// What both additions leave: with e, f, g and h of add-2008-hwcd-3, X = e f and Z = f g, so x = e / g, and Y = g h, so y = h / f.
fn assert_sum(run: &mut Run, given: &[Number], results: &[Number], c: &Number, d: &Number) {
    use point::*;
    let [x, y, ..] = extended(given);
    let (a, b) = (&(&y - &x) * &given[5], &(&y + &x) * &given[4]);
    for (what, place, expected) in [
        ("e", CX, &b - &a),
        ("f", CT, d - c),
        ("g", CZ, d + c),
        ("h", CY, &b + &a),
    ] {
        assert_same(run, what, &results[place], &expected);
    }
}

/// What both additions begin with.
const BEGIN: [Operation; 6] = {
    use point::*;
    [
        (Y, Carried, |x| &x[CY] * &x[CZ]),
        (X, Carried, |x| &x[CX] * &x[CT]),
        (T, Carried, |x| &x[CX] * &x[CY]),
        (Z, Carried, |x| &x[CZ] * &x[CT]),
        (Y_MINUS_X, Any, |x| &x[Y] - &x[X]),
        (Y_PLUS_X, Any, |x| &x[Y] + &x[X]),
    ]
};

/// What both end with.
const END: [Operation; 4] = {
    use point::*;
    [
        (CZ, Any, |x| &x[PD] + &x[PC]),
        (CT, Any, |x| &x[PD] - &x[PC]),
        (CX, Any, |x| &x[PB] - &x[PA]),
        (CY, Any, |x| &x[PB] + &x[PA]),
    ]
};

/// Runs an addition with these operations between what both have.
fn check_addition(
    function: *const (),
    others: &[Bounds],
    between: &[Operation],
) -> (Run, Vec<Number>, Vec<Number>) {
    Block {
        function,
        places: point::PLACES,
        inputs: &[Any; 4],
        others,
        known: None,
        operations: &[&BEGIN, between, &END].concat(),
    }
    .check()
}

fn check_add_affine<Kind: Assembly>() {
    use point::*;
    let between: [Operation; 4] = [
        (PC, Carried, |x| &x[T] * &x[Q2]),
        (PA, Carried, |x| &x[Y_MINUS_X] * &x[Q1]),
        (PB, Carried, |x| &x[Y_PLUS_X] * &x[Q0]),
        (PD, Any, |x| &x[Z] + &x[Z]),
    ];
    let function = add_affine::<Kind> as *const ();
    let (mut run, given, results) = check_addition(function, &[Any; 3], &between);
    let [.., z, t] = extended(&given);
    let (c, d) = (&t * &given[6], times(&z, 2));
    assert_sum(&mut run, &given, &results, &c, &d);
}

fn check_add<Kind: Assembly>() {
    use point::*;
    let between: [Operation; 4] = [
        (PC, Carried, |x| &x[T] * &x[Q3]),
        (PD, Carried, |x| &x[Z] * &x[Q2]),
        (PA, Carried, |x| &x[Y_MINUS_X] * &x[Q1]),
        (PB, Carried, |x| &x[Y_PLUS_X] * &x[Q0]),
    ];
    let function = add::<Kind> as *const ();
    let (mut run, given, results) = check_addition(function, &[Any; 4], &between);
    let [.., z, t] = extended(&given);
    let (c, d) = (&t * &given[7], &z * &given[6]);
    assert_sum(&mut run, &given, &results, &c, &d);
}

#[test]
fn formulas_on_points() {
    assert_eq!(size_of::<PointFrame>(), point::PLACES * PLACE as usize);
    check_double::<WithAdx>();
    check_double::<WithBmi>();
    check_add_affine::<WithAdx>();
    check_add_affine::<WithBmi>();
    check_add::<WithAdx>();
    check_add::<WithBmi>();
}
