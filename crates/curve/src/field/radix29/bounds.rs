//! How large limbs become, for all inputs, and what they stand for: the code of this module run on integers within bounds, as
//! that of lanes is (`lanes::bounds`).

use super::{CARRIED, FOLD, HALF, MASK, carry_narrow, mul_121666, mul_inline, square_inline};
use crate::field::lanes::unknown::{Integer, Number, Signed, forget};

type Limbs = [Signed; 9];

/// Limbs up to that in magnitude, and what they stand for.
fn any(most: i64) -> (Limbs, Integer) {
    let most = i128::from(most);
    let limbs = core::array::from_fn(|_| Signed(Number::unknown(-most, most)));
    (limbs, value(&limbs))
}

fn value(limbs: &Limbs) -> Integer {
    let weighted = limbs.iter().zip((0..).step_by(29));
    Integer::sum(weighted.map(|(limb, weight)| (limb.0, weight)))
}

fn assert_is(what: &str, limbs: &Limbs, expected: &Integer) {
    let most = i128::from(CARRIED);
    for (i, limb) in limbs.iter().enumerate() {
        let (low, high) = limb.0.bounds();
        assert!(
            limb.0.is_within(-most, most),
            "{what}: limb {i} is from {low} to {high}"
        );
    }
    assert!(
        value(limbs).minus(expected).vanishes(),
        "{what}: another value"
    );
}

/// What `add` and `sub` leave.
const LOOSE: i64 = 2 * CARRIED;

#[test]
fn products_have_room() {
    let ((a, x), (b, y)) = (any(LOOSE), any(LOOSE));
    assert_is("mul", &mul_inline(&a, &b), &x.times(&y));
    assert_is("square", &square_inline(&a), &x.times(&x));
    assert_is("mul_121666", &mul_121666(&a), &x.scaled(121_666));
    forget();
}

/// Sums and differences of two loose elements, and limbs of 29 bits without a sign, have no more than 16 units.
#[test]
fn sums_have_room() {
    const { assert!(2 * LOOSE < 16 * HALF && (1 << 29) <= 16 * HALF) };
    let (sum, x) = any(16 * HALF);
    assert_is("carry", &carried_narrow!(sum), &x);
    forget();
}

/// What is generic here is that function.
#[test]
fn constants_are_carried_the_same() {
    let limbs = each!(I => (1 << 28) + I as i64);
    assert_eq!(carry_narrow(&limbs), carried_narrow!(limbs));
}

#[test]
#[should_panic(expected = "has no room")]
fn factors_that_are_too_large_are_seen() {
    let ((a, _), (b, _)) = (any(2 * LOOSE), any(2 * LOOSE));
    let _ = mul_inline(&a, &b);
}

#[test]
#[should_panic(expected = "another value")]
fn another_value_is_seen() {
    let ((a, x), (b, _)) = (any(LOOSE), any(LOOSE));
    assert_is("mul", &mul_inline(&a, &b), &x.times(&x));
}
