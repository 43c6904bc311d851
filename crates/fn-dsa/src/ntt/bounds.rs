//! What the transforms compute and how large it becomes, for all inputs: the code of this module run on lanes that hold
//! unknowns instead of integers.
//!
//! A lane has bounds, and what it is modulo q as a polynomial in the inputs ([`Form`]). A sum or a difference that may leave
//! 16 bits ends the run; so does a Montgomery product unless the low halves of both products are the same for all inputs, and
//! a subtraction of a rounded quotient unless the quotient is one of the number that it is subtracted from.
//!
//! Shown, for every degree and every number of lanes that an instruction set has (1, 8, 16): from inputs within their bounds, no
//! lane overflows; results are within what the functions promise; and they are the values, coefficients, products
//! and quotients modulo q that they should be, each for all inputs.
//!
//! Not here: that each instruction set does what the trait `I16` says (samples in lanner-simd's tests; all inputs of a
//! centring and all of a product by each factor of the tables in `lanes`), and what compilers make of it.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use std::cell::RefCell;
use std::thread_local;

use lanner_simd::I16;

use super::lanes::{Constants, LaneZeta, Residues};
use super::tables::{self, Zeta, inverse_scale};
use super::{
    LOGN_MIN_LANES, Norms, center_all, divide, forward, inverse, make_canonical,
    multiply_by_values, subtract_from, transpose,
};
use crate::forms::{Form, power};
use crate::params::{LOGN_MAX, LOGN_MIN, N_MAX, Q};

const QI: i32 = Q as i32;

thread_local! {
    /// The values that lanes name. A vector is plain data, and so cannot own them.
    static VALUES: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
}

/// The number of a value.
type Id = u32;

/// What is known of a 16-bit integer.
#[derive(Clone)]
struct Value {
    /// Both included.
    low: i32,
    high: i32,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    /// A number, and what it is modulo q.
    Number(Rc<Form>),
    /// What steps make of another number; all of them ascend.
    Quotient(Id, Rc<[Step]>),
    /// The low half of the product of numbers and a constant.
    LowHalf(Vec<Id>, i16),
}

#[derive(Clone, Copy)]
enum Step {
    MulHigh(i32),
    Add(i32),
    ShiftRight(i32),
}

/// Panics where a number does not fit 16 bits.
fn checked(what: &str, low: i32, high: i32) -> (i32, i32) {
    let fits = |x: i32| i16::try_from(x).is_ok();
    assert!(fits(low) && fits(high), "{what} overflows: {low} to {high}");
    (low, high)
}

fn apply(steps: &[Step], x: i32) -> i32 {
    steps.iter().fold(x, |x, step| match step {
        Step::MulHigh(factor) => (x * factor) >> 16,
        Step::Add(constant) => checked("a sum", x + constant, x + constant).0,
        Step::ShiftRight(bits) => x >> bits,
    })
}

fn add_value(value: Value) -> Id {
    VALUES.with_borrow_mut(|values| {
        values.push(value);
        Id::try_from(values.len() - 1).expect("there are not so many")
    })
}

fn value(id: Id) -> Value {
    VALUES.with_borrow(|values| values[id as usize].clone())
}

fn number((low, high): (i32, i32), form: Rc<Form>) -> Id {
    let kind = Kind::Number(form);
    add_value(Value { low, high, kind })
}

fn constant(x: i16) -> Id {
    let (x, form) = (x.into(), Form::constant(x.into(), Q));
    number((x, x), Rc::new(form))
}

impl Value {
    fn as_constant(&self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    fn form(&self) -> &Rc<Form> {
        match &self.kind {
            Kind::Number(form) => form,
            _ => panic!("nothing is known of this modulo q"),
        }
    }

    /// The numbers and the constant that this is the product of, modulo 2^16.
    fn factors(&self, id: Id) -> (Vec<Id>, i16) {
        match (&self.kind, self.as_constant()) {
            (Kind::LowHalf(factors, constant), _) => (factors.clone(), *constant),
            (_, Some(constant)) => (Vec::new(), constant as i16),
            _ => (vec![id], 1),
        }
    }

    fn then(&self, id: Id, step: Step) -> Id {
        let (of, steps) = match &self.kind {
            Kind::Number(_) => (id, [step].into()),
            Kind::Quotient(of, steps) => (*of, steps.iter().copied().chain([step]).collect()),
            Kind::LowHalf(..) => panic!("a step on half a product is not known here"),
        };
        let number = value(of);
        let steps: Rc<[Step]> = steps;
        let (low, high) = (apply(&steps, number.low), apply(&steps, number.high));
        let kind = Kind::Quotient(of, steps);
        add_value(Value { low, high, kind })
    }
}

/// The factors of a product modulo 2^16.
fn low_product(a: Id, b: Id) -> (Vec<Id>, i16) {
    let (mut factors, of_a) = value(a).factors(a);
    let (others, of_b) = value(b).factors(b);
    factors.extend(others);
    factors.sort_unstable();
    (factors, of_a.wrapping_mul(of_b))
}

fn add(a: Id, b: Id) -> Id {
    let (x, y) = (value(a), value(b));
    if let (Kind::Quotient(..), Some(constant)) = (&x.kind, y.as_constant()) {
        return x.then(a, Step::Add(constant));
    }
    let bounds = checked("a sum", x.low + y.low, x.high + y.high);
    number(bounds, Rc::new(x.form().plus(y.form(), Q)))
}

fn sub(a: Id, b: Id, wrapping: bool) -> Id {
    let (x, y) = (value(a), value(b));
    let Kind::LowHalf(factors, factor) = &y.kind else {
        let bounds = checked("a difference", x.low - y.high, x.high - y.low);
        return number(bounds, Rc::new(x.form().minus(y.form(), Q)));
    };
    let &[quotient] = factors.as_slice() else {
        panic!("a difference of a number and half a product is not known here");
    };
    let quotient = value(quotient);
    let steps = match quotient.kind {
        Kind::Quotient(of, steps) if of == a => steps,
        _ => panic!("the quotient is not of this number"),
    };
    assert_eq!(factor % QI as i16, 0, "a multiple of q is subtracted");
    let factor = i32::from(*factor);
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for k in quotient.low..=quotient.high {
        // The numbers that have this quotient: from the first that has it, or more, to where the next begins.
        let from = first_with(&steps, x.low, x.high, k);
        let to = first_with(&steps, x.low, x.high, k + 1) - 1;
        if from > to {
            continue;
        }
        let product = k * factor;
        if !wrapping {
            checked("a product", product, product);
        }
        // Exact, if it fits, even where the product wrapped.
        let ends = checked("a remainder", from - product, to - product);
        (low, high) = (low.min(ends.0), high.max(ends.1));
    }
    number((low, high), x.form().clone())
}

/// The first number from `low` to `high` of which steps make `k` or more, or `high` + 1.
fn first_with(steps: &[Step], low: i32, high: i32, k: i32) -> i32 {
    let (mut from, mut to) = (low, high + 1);
    while from < to {
        let middle = (from + to).div_euclid(2);
        if apply(steps, middle) < k {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

/// (ab - cd) / 2^16.
fn high_difference([a, b, c, d]: [Id; 4]) -> Id {
    assert_eq!(
        low_product(a, b),
        low_product(c, d),
        "the low halves are not the same"
    );
    let [x, y, multiple, q] = [a, b, c, d].map(value);
    let q = q.as_constant().expect("a constant");
    assert_eq!(q % QI, 0, "a multiple of q is subtracted");
    let ends = |x: &Value, y: &Value| {
        let products = [x.low, x.high].map(|x| [y.low, y.high].map(|y| x * y));
        let products = products.as_flattened();
        (
            *products.iter().min().unwrap(),
            *products.iter().max().unwrap(),
        )
    };
    let of_q = ends(
        &multiple,
        &Value {
            low: q,
            high: q,
            kind: multiple.kind.clone(),
        },
    );
    let product = ends(&x, &y);
    // One set computes the difference in 32 bits.
    let low = product.0.checked_sub(of_q.1).expect("32 bits");
    let high = product.1.checked_sub(of_q.0).expect("32 bits");
    // An integer between these; the halves themselves fit.
    let bounds = checked("a product", -(-low >> 16), high >> 16);
    let inverse_r = power((1 << 16) % Q, (Q - 2).into(), Q);
    let form = x.form().times(y.form(), Q).scaled(inverse_r.into(), Q);
    number(bounds, Rc::new(form))
}

/// `N` unknowns side by side.
#[derive(Clone, Copy)]
struct Lanes<const N: usize>([Id; N]);

impl<const N: usize> Lanes<N> {
    fn zip(self, other: Self, f: impl Fn(Id, Id) -> Id) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const N: usize> I16 for Lanes<N> {
    const LANES: usize = N;

    fn vectors(_: &mut [i16]) -> &mut [Self] {
        panic!("unknowns have no place among integers")
    }

    fn splat(value: i16) -> Self {
        Self([constant(value); N])
    }

    fn load(from: &[i16]) -> Self {
        Self(from_fn(|i| constant(from[i])))
    }

    fn store(self, _: &mut [i16]) {
        panic!("unknowns have no place among integers")
    }

    fn add(self, other: Self) -> Self {
        self.zip(other, add)
    }

    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| sub(a, b, false))
    }

    fn wrapping_sub(self, other: Self) -> Self {
        self.zip(other, |a, b| sub(a, b, true))
    }

    fn mul_low(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let (factors, factor) = low_product(a, b);
            if factors.is_empty() {
                return constant(factor);
            }
            let (low, high) = (i16::MIN.into(), i16::MAX.into());
            let kind = Kind::LowHalf(factors, factor);
            add_value(Value { low, high, kind })
        })
    }

    fn mul_high(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let factor = value(b).as_constant().filter(|&factor| factor >= 0);
            let factor = factor.expect("a constant, so that the product ascends");
            value(a).then(a, Step::MulHigh(factor))
        })
    }

    fn high_difference(self, b: Self, c: Self, d: Self) -> Self {
        Self(from_fn(|i| {
            high_difference([self.0[i], b.0[i], c.0[i], d.0[i]])
        }))
    }

    fn shr<const BITS: i32>(self) -> Self {
        Self(self.0.map(|a| value(a).then(a, Step::ShiftRight(BITS))))
    }

    fn transpose(square: &mut [Self]) {
        let rows: Vec<Self> = square.to_vec();
        for (i, column) in square.iter_mut().enumerate() {
            column.0 = from_fn(|j| rows[j].0[i]);
        }
    }
}

/// n unknowns within bounds, numbered from `first`.
fn unknowns<const N: usize>(n: usize, first: usize, bound: i32) -> Vec<Lanes<N>> {
    let unknown = |i: usize| number((-bound, bound), Rc::new(Form::unknown((first + i) as u16)));
    (0..n / N)
        .map(|i| Lanes(from_fn(|j| unknown(N * i + j))))
        .collect()
}

/// Compares all lanes with forms, and their bounds with some; the values of before are forgotten with them.
fn expect<const N: usize>(
    poly: &[Lanes<N>],
    (low, high): (i32, i32),
    form: impl Fn(usize) -> Form,
) {
    for (i, &id) in poly.iter().flat_map(|vector| &vector.0).enumerate() {
        let value = value(id);
        assert!(
            low <= value.low && value.high <= high,
            "slot {i} of {}: {} to {}",
            N * poly.len(),
            value.low,
            value.high
        );
        assert!(**value.form() == form(i), "slot {i} is another number");
    }
}

fn forget() {
    VALUES.with_borrow_mut(Vec::clear);
}

/// Powers of w, for w^((2 rev(slot) + 1) j), which coefficient j counts in a slot.
struct Roots {
    logn: u32,
    powers: Vec<u32>,
}

impl Roots {
    fn new(logn: u32) -> Self {
        let w = power(7, 1024 >> logn, Q);
        let powers = (0..2 << logn).map(|e| power(w, e, Q)).collect();
        Self { logn, powers }
    }

    fn exponent(&self, slot: usize, j: usize) -> usize {
        let reversed = slot.reverse_bits() >> (usize::BITS - self.logn);
        (2 * reversed + 1) * j % self.powers.len()
    }

    fn at(&self, slot: usize, j: usize) -> u32 {
        self.powers[self.exponent(slot, j)]
    }

    /// 1 / `at`.
    fn inverse_at(&self, slot: usize, j: usize) -> u32 {
        let order = self.powers.len();
        self.powers[(order - self.exponent(slot, j)) % order]
    }
}

const CANONICAL: (i32, i32) = (0, QI - 1);
/// What a centring promises.
const CENTRED: (i32, i32) = (-6144, 6144);
/// What [`forward`] takes.
const COEFFICIENTS: i32 = 12288;
/// What it leaves.
const VALUES_WITH_SLACK: i32 = (1 << 15) - 1;
/// What [`inverse`] takes, and what it leaves.
const VALUES_TO_INVERT: i32 = 12289;
const INVERTED: i32 = 7000;

fn forward_of<const N: usize>(logn: u32) {
    let n = 1 << logn;
    let roots = Roots::new(logn);
    let constants = Constants::new();
    let mut poly = unknowns::<N>(n, 1, COEFFICIENTS);
    forward(logn, &mut poly, constants);
    transpose(&mut poly);
    let value = |slot| {
        let coefficient = |j| ((j + 1) as u16, roots.at(slot, j));
        Form::linear((0..n).map(coefficient))
    };
    expect(&poly, (-VALUES_WITH_SLACK, VALUES_WITH_SLACK), value);
    make_canonical(&mut poly, constants);
    expect(&poly, CANONICAL, value);
    forget();
}

fn inverse_of<const N: usize>(logn: u32) {
    let n = 1 << logn;
    let r = (1 << 16) % Q;
    let roots = Roots::new(logn);
    for (scale, factor) in [
        (inverse_scale(logn), r),
        (Zeta::new(tables::inverse_degree(logn)), 1),
    ] {
        let constants = Constants::new();
        let mut poly = unknowns::<N>(n, 1, VALUES_TO_INVERT);
        transpose(&mut poly);
        inverse(logn, scale, &mut poly, constants);
        let factor = factor * power(n as u32, (Q - 2).into(), Q) % Q;
        let coefficient = |j| {
            let value = |slot| ((slot + 1) as u16, roots.inverse_at(slot, j) * factor % Q);
            Form::linear((0..n).map(value))
        };
        expect(&poly, (-INVERTED, INVERTED), coefficient);
        let mut canonical = poly.clone();
        make_canonical(&mut canonical, constants);
        expect(&canonical, CANONICAL, coefficient);
        center_all(&mut poly, constants);
        expect(&poly, CENTRED, coefficient);
        forget();
    }
}

/// Runs a check of a degree for each number of lanes that it has.
macro_rules! for_all_lanes {
    ($check:ident) => {
        for logn in LOGN_MIN..=LOGN_MAX {
            $check::<1>(logn);
        }
        for logn in LOGN_MIN_LANES..=LOGN_MAX {
            $check::<8>(logn);
            $check::<16>(logn);
        }
    };
}

#[test]
fn values_of_all_coefficients() {
    for_all_lanes!(forward_of);
}

#[test]
fn coefficients_of_all_values() {
    for_all_lanes!(inverse_of);
}

/// All residues, n at a time.
fn all_residues(n: usize) -> impl Iterator<Item = Vec<u16>> {
    let residues = move |first: usize| {
        let residue = move |i| ((first + i) % Q as usize) as u16;
        (0..n).map(residue).collect()
    };
    (0..Q as usize).step_by(n).map(residues)
}

fn products_of<const N: usize>() {
    let n = 1024;
    let inverse_r = power((1 << 16) % Q, (Q - 2).into(), Q);
    for values in all_residues(n) {
        let mut poly = unknowns::<N>(n, 1, VALUES_WITH_SLACK);
        // As a transform leaves them.
        transpose(&mut poly);
        multiply_by_values(&mut poly, &values, Constants::new());
        transpose(&mut poly);
        let bounds = (-VALUES_TO_INVERT, VALUES_TO_INVERT);
        expect(&poly, bounds, |i| {
            let factor = i64::from(u32::from(values[i]) * inverse_r % Q);
            Form::unknown((i + 1) as u16).scaled(factor, Q)
        });
        forget();
    }
}

fn differences_of<const N: usize>() {
    let n = 1024;
    for c in all_residues(n) {
        let mut poly = unknowns::<N>(n, 1, INVERTED);
        subtract_from(&c, &mut poly, Constants::new());
        expect(&poly, CENTRED, |i| {
            Form::constant(c[i].into(), Q).minus(&Form::unknown((i + 1) as u16), Q)
        });
        forget();
    }
}

fn quotients_of<const N: usize>() {
    let f = unknowns::<N>(N, 1, VALUES_WITH_SLACK);
    let mut g = unknowns::<N>(N, 1 + N, VALUES_WITH_SLACK);
    let constants = Constants::new();
    divide(&mut g, &f, constants);
    // f^(q - 2) is 1/f, or 0 for 0.
    let quotient = |i| {
        let inverse = Form::power((1 + i) as u16, (Q - 2) as u16);
        Form::unknown((1 + N + i) as u16).times(&inverse, Q)
    };
    expect(&g, (-VALUES_WITH_SLACK, VALUES_WITH_SLACK), quotient);
    make_canonical(&mut g, constants);
    expect(&g, CANONICAL, quotient);
    forget();
}

#[test]
fn what_is_done_with_values() {
    products_of::<1>();
    products_of::<8>();
    products_of::<16>();
    differences_of::<1>();
    differences_of::<8>();
    differences_of::<16>();
    quotients_of::<1>();
    quotients_of::<8>();
    quotients_of::<16>();
}

/// A sum of squares ascends with each of them, so that the largest tells of all.
#[test]
fn the_largest_squares_have_room() {
    let norms = Norms::ZERO.include(&[-6145; N_MAX]).include(&[6145; N_MAX]);
    assert_eq!(norms.squared, 2 * N_MAX as u64 * 6145 * 6145);
    assert_eq!(norms.largest, 6145);
}

/// One number within bounds, and constants.
fn one(bound: i32) -> (Lanes<1>, Constants<Lanes<1>>) {
    (unknowns::<1>(1, 1, bound)[0], Constants::new())
}

#[test]
#[should_panic(expected = "a sum overflows: -32768 to 32768")]
fn a_sum_that_may_overflow_is_seen() {
    let (x, _) = one(1 << 14);
    let _ = x.add(x);
}

#[test]
#[should_panic(expected = "the low halves are not the same")]
fn a_factor_with_another_inverse_is_seen() {
    let (x, constants) = one(5);
    let wrong = Zeta {
        times_q_inverse: 1,
        ..Zeta::new(3)
    };
    let _ = x.montgomery_by(LaneZeta::splat(wrong), constants.q);
}

#[test]
#[should_panic(expected = "a remainder overflows")]
fn a_quotient_that_is_too_small_is_seen() {
    let (x, constants) = one(VALUES_WITH_SLACK);
    // Down to -32, where -2 would be right.
    let _ = x.wrapping_sub(x.shr::<10>().mul_low(constants.q));
}

#[test]
#[should_panic(expected = "slot 0 is another number")]
fn another_number_is_seen() {
    let (x, _) = one(5);
    expect(&[x], (-5, 5), |_| Form::unknown(2));
}

#[test]
#[should_panic(expected = "slot 0 of 1")]
fn bounds_that_are_not_kept_are_seen() {
    let (x, _) = one(5);
    expect(&[x], (-5, 4), |_| Form::unknown(1));
}
