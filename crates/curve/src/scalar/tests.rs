//! Tests of what the module keeps to itself: recodings and half-size scalars.

pub(crate) mod oracle;

use super::Scalar;
use super::lattice::{HalfSize, vartime_half_size};
use super::recode::*;
use num_bigint::{BigInt, BigUint, Sign};
use oracle::{around_powers_of_two, integer, order, reduced, to_big, to_bytes, to_limbs};
use proptest::prelude::*;
use std::vec;
use std::vec::Vec;

/// Σ digits\[i\]·2^(width·i).
fn evaluate<D: Copy + Into<i64>>(digits: &[D], width: u32) -> BigInt {
    digits
        .iter()
        .rev()
        .fold(BigInt::ZERO, |sum, &digit| (sum << width) + digit.into())
}

fn check_radix<const W: u32, const N: usize>(x: &BigUint) {
    let mut digits = [0x55; N];
    signed_radix::<W, N>(&to_bytes(x), &mut digits);
    let half = 1i16 << (W - 1);
    for (i, &digit) in digits.iter().enumerate() {
        let digit = i16::from(digit);
        if i + 1 < N {
            assert!((-half..half).contains(&digit), "digit {i} = {digit}");
        } else {
            assert!((0..=half).contains(&digit), "last digit = {digit}");
        }
    }
    assert_eq!(evaluate(&digits, W), BigInt::from(x.clone()));
}

fn check_radix_all_widths(x: &BigUint) {
    assert!(x.bits() <= 255);
    check_radix::<4, 64>(x);
    check_radix::<5, 52>(x);
    check_radix::<6, 43>(x);
    check_radix::<7, 37>(x);
    check_radix::<8, 33>(x);
    if x < &order() {
        check_radix::<5, 51>(x);
        check_radix::<8, 32>(x);
    }
    for width in 2..=15 {
        check_radix_at_run_time(x, 255, width);
        if x < &order() {
            check_radix_at_run_time(x, 253, width);
        }
    }
}

fn check_radix_at_run_time(x: &BigUint, bits: u32, width: u32) {
    let radix = SignedRadix::new(bits, width);
    let biased = radix.biased(&to_limbs(x));
    let digits: Vec<i16> = (0..radix.len()).map(|i| radix.digit(&biased, i)).collect();
    let half = 1i32 << (width - 1);
    let (last, others) = digits.split_last().unwrap();
    assert!(others.iter().all(|&d| (-half..half).contains(&d.into())));
    assert!((0..=half).contains(&i32::from(*last)));
    assert_eq!(evaluate(&digits, width), BigInt::from(x.clone()));
}

fn assert_congruent(value: BigInt, x: &Scalar) {
    let difference = value - BigInt::from(BigUint::from_bytes_le(x.as_bytes()));
    assert_eq!(difference % BigInt::from(order()), BigInt::ZERO);
}

fn check_naf<const N: usize, D: NafDigit + Into<i64> + Default>(limbs: [u64; N], width: u32) {
    let x = to_big(&limbs);
    // The shortest array that has to do, with rubbish in it.
    let mut digits = vec![D::new(77); x.bits() as usize + 1];
    let highest = vartime_naf(&limbs, width, &mut digits);
    let values: Vec<i64> = digits.iter().map(|&d| d.into()).collect();

    assert_eq!(evaluate(&values, 1), BigInt::from(x));
    assert_eq!(highest, values.iter().rposition(|&d| d != 0));
    for window in values.windows(width as usize) {
        assert!(window.iter().filter(|&&d| d != 0).count() <= 1);
    }
    for &digit in &values {
        assert!(digit == 0 || digit & 1 == 1 && digit.abs() < 1 << (width - 1));
    }
}

fn check_naf_all_widths<const N: usize>(limbs: [u64; N]) {
    for width in 2..=8 {
        check_naf::<N, i8>(limbs, width);
    }
    for width in 2..=16 {
        check_naf::<N, i16>(limbs, width);
    }
}

#[test]
fn recodings_of_edge_cases() {
    for x in around_powers_of_two(255) {
        check_radix_all_widths(&x);
    }
    for x in around_powers_of_two(256) {
        check_naf_all_widths::<4>(to_limbs(&x));
    }
    for x in around_powers_of_two(128) {
        check_naf_all_widths::<2>(to_limbs(&x));
    }
    for offset in 0u8..4 {
        check_radix_all_widths(&(order() - offset));
        check_radix_all_widths(&(order() + offset));
    }
    // Every window at its largest: the carry runs through all digits.
    for byte in [0x77u8, 0x7f, 0x88, 0xaa, 0x55, 0xff] {
        let mut bytes = [byte; 32];
        bytes[31] &= 0x7f;
        check_radix_all_widths(&BigUint::from_bytes_le(&bytes));
    }
}

#[test]
#[should_panic = "out of bounds"]
fn naf_in_too_short_an_array_panics() {
    vartime_naf(&[u64::MAX; 4], 5, &mut [0i8; 256]);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic = "integer too large"]
fn radix_of_too_large_an_integer_is_noticed() {
    signed_radix::<8, 32>(&[0x7f; 32].map(|byte: u8| byte | 0x80), &mut [0; 32]);
}

proptest! {
    #[test]
    fn radix_digits_make_the_integer(x in integer::<4>()) {
        let mut x = x;
        x[3] &= u64::MAX >> 1;
        check_radix_all_widths(&to_big(&x));
    }

    #[test]
    fn short_radix_digits_make_the_integer(x in integer::<2>()) {
        for width in 2..=15 {
            check_radix_at_run_time(&to_big(&x), 128, width);
        }
    }

    #[test]
    fn naf_is_one(x in integer::<4>(), y in integer::<3>(), z in integer::<2>()) {
        check_naf_all_widths(x);
        check_naf_all_widths(y);
        check_naf_all_widths(z);
    }
}

/// The longer of u and v in bits, if there is a pair.
fn check_half_size(k: &BigUint) -> Option<u64> {
    assert!(k < &order());
    let pair = vartime_half_size(&to_bytes(k))?;
    let modulus = order() << 3;
    let (u, v) = (to_big(&pair.u), to_big(&pair.v));
    assert!(v.bit(0), "v is even for k = {k}");
    assert!(v < order());
    let sign = if pair.v_is_negative {
        Sign::Minus
    } else {
        Sign::Plus
    };
    let signed_v = BigInt::from_biguint(sign, v.clone());
    let difference = BigInt::from(u.clone()) - &signed_v * BigInt::from(k.clone());
    assert_eq!(difference % BigInt::from(modulus), BigInt::ZERO, "k = {k}");
    assert_congruent(signed_v, &pair.v_scalar());

    let bits = u.bits().max(v.bits());
    assert!(bits <= HalfSize::MAX_BITS.into());
    Some(bits)
}

#[test]
fn half_size_of_edge_cases() {
    let l = order;
    // Where k is short, the pair (k, 1) is.
    for k in 0u8..=255 {
        assert_eq!(
            check_half_size(&BigUint::from(k)),
            Some(BigUint::from(k).bits().max(1))
        );
    }
    for k in around_powers_of_two(252) {
        check_half_size(&k);
    }
    for k in [
        l() - 1u8,
        l() - 2u8,
        l() >> 1,
        (l() >> 1) + 1u8,
        l() / 3u8,
        l() / 7u8,
    ] {
        check_half_size(&k);
    }
    for denominator in 1u32..300 {
        for offset in 0u8..3 {
            check_half_size(&(((l() << 3) / denominator + offset) % l()));
            check_half_size(&(l() / (denominator + 1) - offset));
        }
    }
}

/// A k with u ≡ v·k (mod 8·L) for a short even u and a short even v, which must not
/// be taken, although all other lattice vectors are long.
fn with_short_even_vector(u: &BigUint, v: &BigUint) -> Option<BigUint> {
    // v has no inverse modulo 8·L, so divide by its powers of two first. If the
    // halves are a lattice vector too, they may be the better pair: no such k.
    let modulus = order() << 3;
    let twos = v.trailing_zeros()?.min(3);
    assert!(twos > 0 && u.trailing_zeros()? >= twos);
    let k = (u >> twos) * (v >> twos).modinv(&(&modulus >> twos))? % (&modulus >> twos);
    assert_eq!((v * &k) % &modulus, *u);
    let coprime = (u >> twos).modinv(&(v >> twos)).is_some();
    let halves_too = ((v >> 1) * &k) % &modulus == u >> 1;
    (k < order() && coprime && !halves_too).then_some(k)
}

#[test]
fn half_size_with_a_short_even_vector() {
    let mut lengths = Vec::new();
    for (u_bits, v_bits) in [
        (90, 90),
        (97, 95),
        (100, 100),
        (110, 110),
        (120, 127),
        (126, 60),
    ] {
        let mut found = 0;
        for i in 0u32.. {
            let u = (BigUint::from(1u8) << u_bits) - 1000u32 * i;
            let v = (BigUint::from(1u8) << v_bits) - 2u32 * (i + 1);
            if let Some(k) = with_short_even_vector(&u, &v) {
                lengths.push((u_bits, v_bits, check_half_size(&k)));
                found += 1;
                if found == 20 {
                    break;
                }
            }
        }
    }
    let of = |u, v| {
        lengths
            .iter()
            .filter(move |l| (l.0, l.1) == (u, v))
            .map(|l| l.2)
    };
    // A vector shorter than 2^94 leaves none of 160 bits beside it: full width.
    assert!(of(90, 90).all(|bits| bits.is_none()));
    assert!(of(100, 100).all(|bits| matches!(bits, Some(154..=157))));
    assert!(of(110, 110).all(|bits| matches!(bits, Some(144..=147))));
    assert!(of(120, 127).all(|bits| bits == Some(128)));
}

#[test]
fn half_size_is_typically_below_130_bits() {
    // A fixed sequence, so that the counts are too.
    let mut k = Scalar::from(1u64);
    let factor = Scalar::from_bytes_mod_order([0xa7; 32]);
    let mut longer = [0; 8];
    let n = 20_000;
    for _ in 0..n {
        k *= factor;
        let bits = check_half_size(&BigUint::from_bytes_le(k.as_bytes())).unwrap();
        for (i, count) in longer.iter_mut().enumerate() {
            *count += u32::from(bits > 126 + i as u64);
        }
    }
    std::println!("above 126, 127, … bits: {longer:?} of {n}");
    assert!(longer[2] < n / 5);
    assert!(longer[4] < n / 60);
    assert!(longer[7] < n / 2000);
}

proptest! {
    #[test]
    fn half_size_is_congruent(k in reduced()) {
        check_half_size(&to_big(&k));
    }

    #[test]
    fn half_size_is_found_near_fractions(
        numerator in any::<u64>(), denominator in 1u64.., shift in 0u32..64, offset in any::<u64>(),
    ) {
        let k = (order() << 3) * (numerator >> shift) / (denominator >> shift | 1)
            + (offset >> shift);
        check_half_size(&(k % order()));
    }
}
