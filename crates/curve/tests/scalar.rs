//! The integers modulo L against big integers, and every trait and constructor.

#[path = "../src/scalar/tests/oracle.rs"]
mod scalar_oracle;

use lanner_curve::scalar::{Scalar, clamp_integer};
use num_bigint::BigUint;
use proptest::prelude::*;
use scalar_oracle::{around_powers_of_two, integer, order, reduced, to_big, to_bytes};
use std::collections::HashSet;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

fn scalar(limbs: &[u64; 4]) -> Scalar {
    Scalar::from_canonical_bytes(to_bytes(&to_big(limbs))).unwrap()
}

fn value(x: &Scalar) -> BigUint {
    BigUint::from_bytes_le(x.as_bytes())
}

/// Checks that `x` is the canonical representative of `expected`.
#[track_caller]
fn assert_is(x: Scalar, expected: BigUint) {
    assert_eq!(value(&x), expected % order());
}

fn check_reductions(x: &BigUint) {
    assert_is(Scalar::from_bytes_mod_order_wide(&to_bytes(x)), x.clone());
    if x.bits() > 256 {
        return;
    }
    let bytes = to_bytes(x);
    assert_is(Scalar::from_bytes_mod_order(bytes), x.clone());

    let canonical = x < &order();
    let decoded = Option::<Scalar>::from(Scalar::from_canonical_bytes(bytes));
    assert_eq!(decoded.is_some(), canonical, "x = {x}");
    assert_eq!(Scalar::vartime_is_canonical(&bytes), canonical, "x = {x}");
    if let Some(decoded) = decoded {
        assert_eq!(decoded.to_bytes(), bytes);
    }
}

fn check_pair(a: &Scalar, b: &Scalar) {
    let l = order();
    let (x, y) = (value(a), value(b));

    assert_is(a + b, &x + &y);
    assert_is(a - b, &x + &l - &y);
    assert_is(a * b, &x * &y);
    assert_is(-a, &l - &x);
    assert_is(Scalar::mul_add(a, b, a), &x * &y + &x);
    let half = a.div_by_2();
    assert_is(half + half, x.clone());
    assert!(value(&half) < l);

    assert_eq!(a == b, x == y);
    assert_eq!(bool::from(a.ct_eq(b)), x == y);
    assert_eq!(Scalar::conditional_select(a, b, Choice::from(0)), *a);
    assert_eq!(Scalar::conditional_select(a, b, Choice::from(1)), *b);
}

fn check_inverse(a: &Scalar) {
    let expected = value(a).modinv(&order()).unwrap_or_default();
    assert_is(a.invert(), expected.clone());
    assert_is(a.vartime_invert(), expected);
}

/// What a batch inversion must do: every inverse, zeros kept, and the product of
/// the inverses of the others.
fn check_batch(before: &[Scalar], after: &[Scalar], product: Scalar) {
    let mut expected = Scalar::ONE;
    for (before, after) in before.iter().zip(after) {
        assert_eq!(*after, before.invert());
        expected *= after;
    }
    assert_eq!(product, expected);
}

#[test]
fn edge_cases_of_reduction() {
    for x in around_powers_of_two(512) {
        check_reductions(&x);
    }
    for k in 0u32..40 {
        for offset in 0u32..4 {
            check_reductions(&(order() * k + offset));
            check_reductions(&(order() * (k + 1) - offset));
            // Multiples of L at the top of the wide range.
            let top = (BigUint::from(1u8) << 512) / order() - k;
            check_reductions(&(order() * &top - offset));
            if k > 0 {
                check_reductions(&(order() * &top + offset));
            }
        }
    }
}

#[test]
fn edge_cases_of_arithmetic() {
    let mut edges: Vec<Scalar> = around_powers_of_two(252)
        .iter()
        .step_by(17)
        .map(|x| Scalar::from_bytes_mod_order(to_bytes(x)))
        .collect();
    for x in 0u8..3 {
        edges.push(Scalar::from(x));
        edges.push(-Scalar::from(x + 1));
        edges.push(Scalar::from_bytes_mod_order(to_bytes(&(order() / 2u8 + x))));
        edges.push(Scalar::from_bytes_mod_order(to_bytes(
            &((BigUint::from(1u8) << 252) + x - 1u8),
        )));
    }
    for a in &edges {
        check_inverse(a);
        for b in &edges {
            check_pair(a, b);
        }
    }
}

#[test]
fn constants_and_conversions() {
    assert_eq!(value(&Scalar::ZERO), BigUint::ZERO);
    assert_eq!(value(&Scalar::ONE), BigUint::from(1u8));
    assert_eq!(Scalar::default(), Scalar::ZERO);
    assert_eq!(value(&Scalar::from(u8::MAX)), BigUint::from(u8::MAX));
    assert_eq!(
        value(&Scalar::from(u16::MAX - 1)),
        BigUint::from(u16::MAX - 1)
    );
    assert_eq!(
        value(&Scalar::from(u32::MAX - 1)),
        BigUint::from(u32::MAX - 1)
    );
    assert_eq!(
        value(&Scalar::from(u64::MAX - 1)),
        BigUint::from(u64::MAX - 1)
    );
    assert_eq!(
        value(&Scalar::from(u128::MAX - 1)),
        BigUint::from(u128::MAX - 1)
    );

    let x = -Scalar::from(5u8);
    for i in 0..32 {
        assert_eq!(x[i], x.to_bytes()[i]);
        assert_eq!(x[i], x.as_bytes()[i]);
    }
}

#[test]
#[should_panic = "index out of bounds"]
fn index_beyond_the_bytes_panics() {
    let _ = Scalar::ONE[32];
}

#[test]
#[allow(clippy::op_ref)] // every combination of the two is what is tested
fn operators_take_values_and_references() {
    let (a, b) = (Scalar::from(1000u32), Scalar::from(7u32));
    for sum in [a + b, a + &b, &a + b, &a + &b] {
        assert_eq!(sum, Scalar::from(1007u32));
    }
    for difference in [a - b, a - &b, &a - b, &a - &b] {
        assert_eq!(difference, Scalar::from(993u32));
    }
    for product in [a * b, a * &b, &a * b, &a * &b] {
        assert_eq!(product, Scalar::from(7000u32));
    }
    assert_eq!(-a, -&a);
    assert_eq!(-a + a, Scalar::ZERO);
    assert_eq!(-Scalar::ZERO, Scalar::ZERO);

    let mut x = a;
    x += b;
    x += &b;
    assert_eq!(x, Scalar::from(1014u32));
    x -= b;
    x -= &b;
    assert_eq!(x, a);
    x *= b;
    x *= &b;
    assert_eq!(x, Scalar::from(49000u32));
}

#[test]
fn sums_and_products() {
    let numbers = [2u8, 3, 5, 7].map(Scalar::from);
    assert_eq!(numbers.iter().sum::<Scalar>(), Scalar::from(17u8));
    assert_eq!(numbers.into_iter().sum::<Scalar>(), Scalar::from(17u8));
    assert_eq!(numbers.iter().product::<Scalar>(), Scalar::from(210u8));
    assert_eq!(numbers.into_iter().product::<Scalar>(), Scalar::from(210u8));
    assert_eq!([Scalar::ONE; 0].iter().sum::<Scalar>(), Scalar::ZERO);
    assert_eq!([Scalar::ONE; 0].iter().product::<Scalar>(), Scalar::ONE);
}

#[test]
fn equality_sees_every_bit() {
    let x = Scalar::from_bytes_mod_order([0x5a; 32]);
    for bit in 0..252 {
        let mut bytes = x.to_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let other = Scalar::from_canonical_bytes(bytes).unwrap();
        assert_ne!(x, other, "bit {bit}");
        assert!(!bool::from(x.ct_eq(&other)));
    }
}

#[test]
fn hash_follows_equality() {
    let set: HashSet<Scalar> = (0u8..100).map(|x| Scalar::from(x % 10)).collect();
    assert_eq!(set.len(), 10);
    assert!(set.contains(&(Scalar::from(4u8) + Scalar::from(5u8))));
}

#[test]
fn debug_does_not_print_the_value() {
    assert_eq!(format!("{:?}", Scalar::from(123u8)), "Scalar(..)");
    assert_eq!(format!("{:#?}", Scalar::from(123u8)), "Scalar(..)");
}

#[test]
fn zeroize_makes_zero() {
    let mut x = Scalar::from(123u8);
    x.zeroize();
    assert_eq!(x, Scalar::ZERO);
    let mut many = [Scalar::ONE; 3];
    many.zeroize();
    assert_eq!(many, [Scalar::ZERO; 3]);
}

#[test]
fn clamping() {
    for byte in [0, 0xff, 0x5a, 0xa5] {
        let clamped = BigUint::from_bytes_le(&clamp_integer([byte; 32]));
        assert_eq!(clamped.bits(), 255);
        assert_eq!(&clamped % 8u8, BigUint::ZERO);
        let kept = (BigUint::from(1u8) << 254) - 8u8;
        assert_eq!(&clamped & &kept, BigUint::from_bytes_le(&[byte; 32]) & kept);
    }
}

#[test]
fn batches_of_every_small_size() {
    fn check<const N: usize>() {
        let before = std::array::from_fn::<_, N, _>(|i| Scalar::from(i as u64 * i as u64 + 3));
        let mut after = before;
        let product = Scalar::invert_batch(&mut after);
        check_batch(&before, &after, product);
    }
    check::<0>();
    check::<1>();
    check::<2>();
    check::<3>();
    check::<17>();
}

/// The rule of curve25519-dalek.
#[test]
#[cfg_attr(
    debug_assertions,
    should_panic(expected = "a scalar of the batch is 0")
)]
fn batches_with_a_zero() {
    let mut scalars = [Scalar::from(3u64), Scalar::ZERO, Scalar::from(5u64)];
    assert_eq!(Scalar::invert_batch(&mut scalars), Scalar::ZERO);
    assert_eq!(scalars, [Scalar::ZERO; 3]);
}

proptest! {
    #[test]
    fn reductions_are_right(x in integer::<4>(), y in integer::<8>()) {
        check_reductions(&to_big(&x));
        check_reductions(&to_big(&y));
    }

    #[test]
    fn arithmetic_is_right(a in reduced(), b in reduced(), c in reduced()) {
        let (a, b, c) = (scalar(&a), scalar(&b), scalar(&c));
        check_pair(&a, &b);
        check_pair(&a, &a);
        assert_is(Scalar::mul_add(&a, &b, &c), value(&a) * value(&b) + value(&c));
    }

    #[test]
    fn inverses_are_right(a in reduced()) {
        check_inverse(&scalar(&a));
    }

    #[test]
    fn batch_inverses_are_right(
        inputs in prop::array::uniform8(reduced().prop_filter("0", |x| *x != [0; 4])),
    ) {
        let before = inputs.map(|x| scalar(&x));
        let mut after = before;
        let product = Scalar::invert_batch(&mut after);
        check_batch(&before, &after, product);
    }
}

#[cfg(feature = "alloc")]
proptest! {
    #[test]
    fn batch_inverses_of_slices_are_right(
        inputs in prop::collection::vec(reduced().prop_filter("0", |x| *x != [0; 4]), 0..20),
    ) {
        let before: Vec<Scalar> = inputs.iter().map(scalar).collect();
        let mut after = before.clone();
        let product = Scalar::invert_batch_alloc(&mut after);
        check_batch(&before, &after, product);
    }
}

/// Scalars that are not reduced: the arithmetic is right all the same.
#[cfg(feature = "legacy_compatibility")]
mod unreduced {
    use super::*;

    #[test]
    fn from_bits_drops_the_top_bit_only() {
        assert_eq!(Scalar::from_bits([0xff; 32])[31], 0x7f);
        assert_eq!(Scalar::from_bits([0xff; 32])[30], 0xff);
        // 2^255 − 1 is not reduced, and differs from its residue.
        let x = Scalar::from_bits([0xff; 32]);
        assert_ne!(x, x + Scalar::ZERO);
    }

    proptest! {
        #[test]
        fn arithmetic_is_right(a in integer::<4>(), b in integer::<4>()) {
            let a = Scalar::from_bits(to_bytes(&to_big(&a)));
            let b = Scalar::from_bits(to_bytes(&to_big(&b)));
            let (x, y) = (value(&a), value(&b));
            assert_is(a + b, &x + &y);
            assert_is(a - b, &x + order() * 16u8 - &y);
            assert_is(a * b, &x * &y);
            assert_is(-a, order() * 16u8 - &x);
            assert_is(Scalar::mul_add(&a, &b, &a), &x * &y + &x);
            assert_is(a.div_by_2() + a.div_by_2(), x.clone());
            assert_is(a.invert(), (&x % order()).modinv(&order()).unwrap_or_default());
        }
    }
}

#[cfg(feature = "digest")]
mod digest {
    use super::*;
    use sha2::{Digest, Sha512};

    #[test]
    fn hashes_are_reduced_little_endian() {
        let output: [u8; 64] = Sha512::digest(b"a message").into();
        let expected = Scalar::from_bytes_mod_order_wide(&output);
        assert_is(expected, BigUint::from_bytes_le(&output));
        assert_eq!(Scalar::hash_from_bytes::<Sha512>(b"a message"), expected);
        let hash = Sha512::new().chain_update(b"a mess").chain_update(b"age");
        assert_eq!(Scalar::from_hash(hash), expected);
    }
}

#[cfg(feature = "rand_core")]
mod random {
    use super::*;
    use rand_core::{CryptoRng, TryCryptoRng, TryRng};
    use std::convert::Infallible;

    /// 0, 1, 2, … as bytes.
    struct Counter(u8);

    impl TryRng for Counter {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            let mut bytes = [0; 4];
            self.try_fill_bytes(&mut bytes)?;
            Ok(u32::from_le_bytes(bytes))
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            let mut bytes = [0; 8];
            self.try_fill_bytes(&mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            for byte in bytes {
                *byte = self.0;
                self.0 = self.0.wrapping_add(1);
            }
            Ok(())
        }
    }

    impl TryCryptoRng for Counter {}

    #[test]
    fn random_reduces_64_bytes() {
        let bytes: [u8; 64] = std::array::from_fn(|i| i as u8);
        let rng: &mut dyn CryptoRng = &mut Counter(0);
        assert_is(Scalar::random(rng), BigUint::from_bytes_le(&bytes));
        assert_ne!(Scalar::random(rng), Scalar::random(rng));
    }
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;

    #[test]
    fn a_tuple_of_32_bytes_and_back() {
        let x = -Scalar::from(1u8);
        let json = serde_json::to_string(&x).unwrap();
        let bytes: Vec<u8> = serde_json::from_str(&json).unwrap();
        assert_eq!(bytes, x.as_bytes());
        assert_eq!(serde_json::from_str::<Scalar>(&json).unwrap(), x);
    }

    #[test]
    fn bad_input_is_an_error() {
        let encode = |x: &BigUint| serde_json::to_string(&to_bytes::<32>(x)).unwrap();
        assert!(serde_json::from_str::<Scalar>(&encode(&(order() - 1u8))).is_ok());
        for x in [order(), order() + 1u8, BigUint::from(1u8) << 255] {
            let error = serde_json::from_str::<Scalar>(&encode(&x)).unwrap_err();
            let said = error.to_string();
            // The incumbent's words.
            assert!(
                said.contains("scalar was not canonically encoded"),
                "{said}"
            );
        }
        for bad in ["[]", "[1,2,3]", "7", "\"text\"", "null", "{}"] {
            assert!(serde_json::from_str::<Scalar>(bad).is_err());
        }
        let long = serde_json::to_string(&vec![0u8; 33]).unwrap();
        assert!(serde_json::from_str::<Scalar>(&long).is_err());
        let short = serde_json::to_string(&vec![0u8; 31]).unwrap();
        assert!(serde_json::from_str::<Scalar>(&short).is_err());
    }
}

#[cfg(feature = "group")]
#[test]
fn the_traits_of_ff() {
    use group::ff::{Field, FromUniformBytes, PrimeField};
    let generator = Scalar::MULTIPLICATIVE_GENERATOR;
    let minus_one = -Scalar::ONE;
    assert_eq!(Scalar::TWO_INV + Scalar::TWO_INV, Scalar::ONE);
    assert_eq!(Scalar::ROOT_OF_UNITY.square(), minus_one);
    assert_eq!(
        Scalar::ROOT_OF_UNITY * Scalar::ROOT_OF_UNITY_INV,
        Scalar::ONE
    );
    assert_eq!(Scalar::DELTA, generator.pow([4]));
    let t = (order() - 1u8) / 4u8;
    assert_eq!(generator.pow(t.to_u64_digits()), Scalar::ROOT_OF_UNITY);
    assert_eq!(Scalar::MODULUS, format!("0x{:x}", order()));
    assert_eq!(u64::from(Scalar::NUM_BITS), order().bits());
    assert!(bool::from(generator.sqrt().is_none()));
    for i in 0..20u64 {
        let x = Scalar::from(i * i) - Scalar::from(7 * i);
        let root = x.square().sqrt().unwrap();
        assert!(root == x || root == -x);
        let (is_square, root) = Scalar::sqrt_ratio(&(x.square() * generator), &Scalar::ONE);
        assert_eq!(bool::from(is_square), x == Scalar::ZERO);
        assert_eq!(
            root.square(),
            x.square() * generator * Scalar::ROOT_OF_UNITY
        );
        assert_eq!(bool::from(Field::invert(&x).is_none()), x == Scalar::ZERO);
        assert_eq!(bool::from(x.is_odd()), x[0] & 1 == 1);
        assert_eq!(Scalar::from_repr(x.to_repr()).unwrap(), x);
        assert_eq!(Scalar::from_repr_vartime(x.to_repr()), Some(x));
        assert_eq!(x.double(), x + x);
    }
    let l: [u8; 32] = to_bytes(&order());
    assert!(bool::from(Scalar::from_repr(l).is_none()));
    assert_eq!(Scalar::from_repr_vartime(l), None);
    assert_eq!(
        Scalar::from_uniform_bytes(&[9; 64]),
        Scalar::from_bytes_mod_order_wide(&[9; 64])
    );
    assert_eq!(
        Scalar::from_str_vartime("1234"),
        Some(Scalar::from(1234u64))
    );
}
