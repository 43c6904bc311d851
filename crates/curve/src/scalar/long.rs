//! The arithmetic modulo L against big integers, on words that an adversary chooses: a few thousand inputs in every run, and a
//! million in the long one. The machine code on x86-64 is proven but for inversion (`proven.rs`).

use super::Scalar;
use super::tests::oracle::{order, to_big, to_bytes};
use crate::adversary::Adversary;
use num_bigint::BigUint;
use subtle::ConstantTimeEq;

/// Any integer of `N` words, in one of three next to a multiple of L.
fn integer<const N: usize>(source: &mut Adversary) -> BigUint {
    let integer = to_big(&source.words::<N>());
    if source.below(3) != 0 {
        return integer;
    }
    let multiple = &integer / order() * order();
    let offset = BigUint::from(source.below(80));
    if source.below(2) == 1 && multiple >= offset {
        return multiple - offset;
    }
    let above = multiple + offset;
    if above.bits() <= 64 * N as u64 {
        above
    } else {
        integer
    }
}

/// A scalar, and its integer.
fn scalar(source: &mut Adversary) -> (Scalar, BigUint) {
    let integer = integer::<4>(source);
    (
        Scalar::from_bytes_mod_order(to_bytes(&integer)),
        integer % order(),
    )
}

/// That a scalar is below L, and which one it is.
#[track_caller]
fn assert_is(scalar: Scalar, expected: &BigUint) {
    assert_eq!(
        BigUint::from_bytes_le(scalar.as_bytes()),
        expected % order()
    );
}

fn reductions(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let (x, wide) = (integer::<4>(source), integer::<8>(source));
        assert_is(Scalar::from_bytes_mod_order(to_bytes(&x)), &x);
        assert_is(Scalar::from_bytes_mod_order_wide(&to_bytes(&wide)), &wide);
        let decoded = Option::<Scalar>::from(Scalar::from_canonical_bytes(to_bytes(&x)));
        assert_eq!(decoded.is_some(), x < order(), "{x:x}");
        assert_eq!(
            Scalar::vartime_is_canonical(&to_bytes(&x)),
            x < order(),
            "{x:x}"
        );
    }
}

fn operations(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let ((a, x), (b, y), (c, z)) = (scalar(source), scalar(source), scalar(source));
        assert_is(a, &x);
        assert_is(a + b, &(&x + &y));
        assert_is(a - b, &(&x + order() - &y));
        assert_is(-a, &(order() - &x));
        assert_is(a * b, &(&x * &y));
        assert_is(Scalar::mul_add(&a, &b, &c), &(&x * &y + &z));
        let half = BigUint::from_bytes_le(a.div_by_2().as_bytes());
        assert!(half < order());
        assert_eq!((&half + &half) % order(), x);
        assert_eq!(bool::from(a.ct_eq(&b)), x == y);
    }
}

fn inverses(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let (a, x) = scalar(source);
        let expected = BigUint::from(u8::from(x != BigUint::ZERO));
        for inverse in [a.invert(), a.vartime_invert()] {
            let inverse = BigUint::from_bytes_le(inverse.as_bytes());
            assert!(inverse < order() && (expected != BigUint::ZERO || inverse == expected));
            assert_eq!(&inverse * &x % order(), expected, "{x:x}");
        }
    }
}

const SHORT: u32 = if cfg!(miri) { 2 } else { 2_000 };
const LONG: u32 = 1_000_000;

#[test]
fn each_operation() {
    let source = &mut Adversary::new(0);
    reductions(SHORT, source);
    operations(SHORT, source);
    inverses(SHORT / 2, source);
}

#[test]
#[ignore = "long: a million inputs"]
fn reductions_long() {
    reductions(LONG, &mut Adversary::new(1));
}

#[test]
#[ignore = "long: a million inputs"]
fn operations_long() {
    operations(LONG, &mut Adversary::new(2));
}

#[test]
#[ignore = "long: a hundred thousand inputs"]
fn inverses_long() {
    inverses(LONG / 10, &mut Adversary::new(3));
}
