//! Vectors whose lanes hold all integers within bounds, for the tests of the crates with an arithmetic of their own, which
//! include this file and compile their sources once more on it: what they do with these vectors they do with every input at
//! once.
//!
//! The integers are those of `lanner-curve`'s tests: bounds, and polynomials in the inputs, which say what limbs stand for.

#[path = "../../../../../crates/curve/src/field/lanes/unknown/numbers.rs"]
#[allow(dead_code)]
mod numbers;
#[path = "../../../../../crates/curve/src/field/lanes/unknown/polynomial.rs"]
mod polynomial;
#[path = "../../../../../crates/curve/src/field/lanes/unknown/signed.rs"]
mod signed;
pub(crate) mod vector;

pub(crate) use numbers::{Integer, Number, fitting, forget};
#[allow(unused_imports)]
pub(crate) use signed::Signed;

use vector::Four;

type Quad = [Four; 10];

/// The unit of a limb.
pub(crate) fn unit(i: usize) -> i128 {
    1 << if i < 5 { 26 } else { 25 }
}

/// Any element whose limbs are within bounds, and what it stands for in each lane.
pub(crate) fn any(bounds: impl Fn(usize) -> (i128, i128)) -> (Quad, [Integer; 4]) {
    let quad = core::array::from_fn(|i| {
        let (low, high) = bounds(i);
        Four([(); 4].map(|()| Number::unknown(low, high)))
    });
    let values = value(&quad);
    (quad, values)
}

/// The bounds of a product.
pub(crate) fn product(i: usize) -> (i128, i128) {
    (0, unit(i) + unit(i) / 128 - 1)
}

/// The bounds of a product or its negative.
pub(crate) fn signed(i: usize) -> (i128, i128) {
    let (_, high) = product(i);
    (-high, high)
}

/// The bounds of a first factor.
pub(crate) fn factor(i: usize) -> (i128, i128) {
    let most = 41 * unit(i) / 10;
    (-most, most)
}

/// What words hold.
pub(crate) fn word(_: usize) -> (i128, i128) {
    (i32::MIN.into(), i32::MAX.into())
}

/// What each lane stands for.
pub(crate) fn value(quad: &Quad) -> [Integer; 4] {
    core::array::from_fn(|lane| {
        Integer::sum((0..10).map(|i| {
            let place = i % 2 * 5 + i / 2;
            (quad[place].0[lane], (51 * i).div_ceil(2) as u32)
        }))
    })
}

/// Panics unless all limbs are within bounds.
pub(crate) fn assert_within(what: &str, quad: &Quad, bounds: impl Fn(usize) -> (i128, i128)) {
    for (i, limb) in quad.iter().enumerate() {
        let (low, high) = bounds(i);
        for number in limb.0 {
            let (least, most) = number.bounds();
            assert!(
                number.is_within(low, high),
                "{what}: limb {i} is from {least} to {most}"
            );
        }
    }
}

/// Panics unless each lane is that modulo p, whatever the inputs are.
pub(crate) fn assert_values(what: &str, quad: &Quad, expected: &[Integer; 4]) {
    for (lane, (value, expected)) in value(quad).iter().zip(expected).enumerate() {
        assert!(
            value.minus(expected).vanishes(),
            "{what}: another value in lane {lane}"
        );
    }
}
