//! One suite for every representation, against big integers, with limbs at the
//! edges of what each representation allows.

use super::chains::{invert, sqrt_ratio_each};
use super::{Field, Operand, Packed};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::vec::Vec;
use subtle::Choice;

fn p() -> BigUint {
    (BigUint::from(1u8) << 255) - 19u8
}

fn value(packed: Packed) -> BigUint {
    packed
        .0
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << 64) + word)
}

/// The class of an element, as the integer in [0, p).
fn class<F: Field>(element: &F) -> BigUint {
    value(element.to_packed()) % p()
}

/// The class of any operand, read through a multiplication by 1.
fn class_of<F: Field>(operand: &impl Operand<F>) -> BigUint {
    class(&F::mul(operand, &F::ONE))
}

/// A representation whose limbs a test can set.
trait Limbed: Field {
    /// An element that is carried, with limbs chosen by `pick` from 0 to the
    /// greatest that the representation allows; and its class.
    fn carried(pick: impl FnMut(u64) -> u64) -> (Self, BigUint);
}

impl Limbed for super::radix51::Field51 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs: [u64; 5] = core::array::from_fn(|_| pick((1 << 51) + (1 << 15) - 1));
        let sum = (0..5)
            .map(|i| BigUint::from(limbs[i]) << (51 * i))
            .sum::<BigUint>();
        (Self::from_limbs(limbs), sum % p())
    }
}

impl Limbed for super::radix25::Field25 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs: [u32; 10] =
            core::array::from_fn(|i| pick((65 << (20 - (i as u64 & 1))) - 1) as u32);
        let sum = (0..10)
            .map(|i| BigUint::from(limbs[i]) << (51 * i).div_ceil(2))
            .sum::<BigUint>();
        (Self::from_limbs(limbs), sum % p())
    }
}

impl Limbed for super::radix29::Field29 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        const MOST: i64 = (1 << 28) + (1 << 15);
        let limbs: [i64; 9] = core::array::from_fn(|_| pick(2 * MOST as u64) as i64 - MOST);
        let sum = |limbs: [i64; 9]| -> BigUint {
            (0..9)
                .map(|i| BigUint::from(limbs[i] as u64) << (29 * i))
                .sum()
        };
        let positive = sum(limbs.map(|limb| limb + MOST)) + (p() << 8);
        (Self::from_limbs(limbs), (positive - sum([MOST; 9])) % p())
    }
}

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
impl<A: super::adx::Assembly> Limbed for super::adx::Saturated<A> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let mut limbs: [u64; 4] = core::array::from_fn(|_| pick(u64::MAX));
        // The top bit only with limbs that keep the value below 2^255 + 2^11.
        if limbs[3] == u64::MAX {
            limbs = [limbs[0] % (1 << 11), 0, 0, 1 << 63];
        }
        limbs[3] &= u64::MAX >> u32::from(limbs[1] != 0 || limbs[2] != 0 || limbs[3] << 1 != 0);
        (Self::from_limbs(limbs), value(Packed(limbs)) % p())
    }
}

#[cfg(all(target_arch = "aarch64", target_pointer_width = "64", not(miri)))]
impl Limbed for super::arm::FieldArm {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let mut limbs: [u64; 4] = core::array::from_fn(|_| pick(u64::MAX));
        // The top bit only with limbs that keep the value below 2^255 + 2^23.
        if limbs[3] == u64::MAX {
            limbs = [limbs[0] % (1 << 23), 0, 0, 1 << 63];
        }
        limbs[3] &= u64::MAX >> u32::from(limbs[1] != 0 || limbs[2] != 0 || limbs[3] << 1 != 0);
        (Self::from_limbs(limbs), value(Packed(limbs)) % p())
    }
}

#[cfg(feature = "fiat")]
impl Limbed for super::fiat::FiatField51 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs: [u64; 5] = core::array::from_fn(|_| pick(1 << 51));
        let sum = (0..5)
            .map(|i| BigUint::from(limbs[i]) << (51 * i))
            .sum::<BigUint>();
        (Self::from_limbs(limbs), sum % p())
    }
}

#[cfg(feature = "fiat")]
impl Limbed for super::fiat::FiatField25 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs: [u32; 10] = core::array::from_fn(|i| pick(1 << (26 - (i & 1))) as u32);
        let sum = (0..10)
            .map(|i| BigUint::from(limbs[i]) << (51 * i).div_ceil(2))
            .sum::<BigUint>();
        (Self::from_limbs(limbs), sum % p())
    }
}

/// Elements with every limb at one end or near a carry.
fn extremes<F: Limbed>() -> Vec<(F, BigUint)> {
    let mut elements = Vec::new();
    for low in [0u64, 1, 18, 19, 20, 37, 38, 39] {
        elements.push(F::carried(|max| low.min(max)));
        elements.push(F::carried(|max| max - low));
        for position in 0..10 {
            for other in [0, u64::MAX] {
                let mut i = 0;
                elements.push(F::carried(|max| {
                    i += 1;
                    if i - 1 == position {
                        max - low
                    } else {
                        other.min(max)
                    }
                }));
            }
        }
    }
    // Around p, 2^255 and 2p.
    for (low, high) in [(0xdau64, 0xffu64), (0xed, 0x7f), (0xff, 0x7f)] {
        for offset in 0..40 {
            let low = (u64::MAX - 0xff + low)
                .wrapping_add(offset)
                .wrapping_sub(20);
            let packed = Packed([low, u64::MAX, u64::MAX, (high << 56) | (u64::MAX >> 8)]);
            elements.push((F::from_packed(&packed), value(packed) % p()));
        }
    }
    elements
}

/// Every operation on a pair of carried elements with known classes.
fn check_pair<F: Field>((a, x): &(F, BigUint), (b, y): &(F, BigUint)) {
    let p = p();
    let difference = |x: &BigUint, y: &BigUint| (x + &p - y) % &p;
    assert_eq!(class(a), *x);
    assert_eq!(class(&F::from_packed(&a.to_packed())), *x);

    let (sum, diff) = (a.add(b), a.sub(b));
    let (sum_value, diff_value) = ((x + y) % &p, difference(x, y));
    assert_eq!(class_of::<F>(&sum), sum_value);
    assert_eq!(class_of::<F>(&diff), diff_value);
    assert_eq!(class(&F::carry(&sum)), sum_value);
    assert_eq!(class(&F::carry(&diff)), diff_value);
    assert_eq!(class(&F::carry(a)), *x);
    assert_eq!(class(&a.neg()), difference(&BigUint::ZERO, x));

    let loose_sum = F::add_loose(&sum, &diff);
    let loose_difference = F::sub_loose(&sum, &diff);
    assert_eq!(class_of::<F>(&loose_sum), (x + x) % &p);
    assert_eq!(class_of::<F>(&loose_difference), (y + y) % &p);
    assert_eq!(
        class_of::<F>(&F::sub_loose(&diff, &sum)),
        difference(&p, &((y + y) % &p)) % &p
    );
    assert_eq!(class_of::<F>(&F::add_loose(&sum, b)), (x + y + y) % &p);
    assert_eq!(class_of::<F>(&F::sub_loose(a, &diff)), *y);
    assert_eq!(class(&F::carry(&loose_difference)), (y + y) % &p);

    // Products of everything that may be a factor.
    let product = F::mul(a, b);
    assert_eq!(class(&product), x * y % &p);
    assert_eq!(class(&F::mul(&sum, &diff)), &sum_value * &diff_value % &p);
    assert_eq!(class(&F::mul(&diff, &diff)), &diff_value * &diff_value % &p);
    assert_eq!(class(&F::square(&diff)), &diff_value * &diff_value % &p);
    let wide = (x + x) % &p * ((y + y) % &p) % &p;
    assert_eq!(class(&F::mul(&loose_sum, &loose_difference)), wide);
    assert_eq!(class(&F::mul(&loose_difference, &loose_sum)), wide);
    assert_eq!(
        class(&F::mul(&loose_difference, &loose_difference)),
        y * y * 4u8 % &p
    );
    assert_eq!(class(&F::square(&loose_difference)), y * y * 4u8 % &p);
    assert_eq!(class(&F::square(a)), x * x % &p);
    assert_eq!(
        class(&F::mul_121666(&loose_difference)),
        y * 243_332u32 % &p
    );
    assert_eq!(class(&F::mul_121666(a)), x * 121_666u32 % &p);
    // Results are carried: they can be summed again.
    assert_eq!(class_of::<F>(&product.sub(&F::square(&diff))), {
        difference(&(x * y % &p), &(&diff_value * &diff_value % &p))
    });

    for choice in [0, 1] {
        let choice = Choice::from(choice);
        let expected = if bool::from(choice) { (y, x) } else { (x, y) };
        let (mut left, mut right) = (*a, *b);
        F::conditional_swap(&mut left, &mut right, choice.into());
        assert_eq!((&class(&left), &class(&right)), expected);
        assert_eq!(&class(&F::select(a, b, choice.into())), expected.0);
    }
}

fn check_powers<F: Field>((a, x): &(F, BigUint)) {
    let p = p();
    assert_eq!(
        class(&F::square_times(a, 5)),
        x.modpow(&BigUint::from(32u8), &p)
    );
    for n in [1, 2, 3, 50] {
        let exponent = BigUint::from(1u8) << n;
        assert_eq!(class(&F::square_times(a, n)), x.modpow(&exponent, &p));
        // A loose factor begins a chain as well.
        let twice = (x + x) % &p;
        assert_eq!(
            class(&F::square_times(&a.add(a), n)),
            twice.modpow(&exponent, &p)
        );
    }
    assert_eq!(class(&invert(a)), x.modpow(&(&p - 2u8), &p));
    // a^2 and -a^2 have roots over 1, 2 a^2 and -2 a^2 have not: 2 is no square.
    let square = F::square(a);
    for (factor, is_square) in [(1u8, true), (2, x == &BigUint::ZERO)] {
        let u = if factor == 1 {
            square
        } else {
            F::carry(&square.add(&square))
        };
        for u in [u, u.neg()] {
            let [(exists, root)] = sqrt_ratio_each(&[(u, F::ONE)]);
            assert_eq!(bool::from(Choice::from(exists)), is_square);
            if is_square {
                assert_eq!(class(&F::square(&root)), class(&u));
            }
            let [(exists, root)] = sqrt_ratio_each(&[(F::ONE, u)]);
            assert_eq!(
                bool::from(Choice::from(exists)),
                is_square && x != &BigUint::ZERO
            );
            if bool::from(Choice::from(exists)) {
                assert_eq!(class(&F::mul(&F::square(&root), &u)), BigUint::from(1u8));
            }
        }
    }
}

fn constants<F: Field>() {
    let p = p();
    let d = &p - BigUint::from(121_665u32) * BigUint::from(121_666u32).modpow(&(&p - 2u8), &p) % &p;
    assert_eq!(class(&F::ZERO), BigUint::ZERO);
    assert_eq!(class(&F::ONE), BigUint::from(1u8));
    assert_eq!(class(&F::TWO), BigUint::from(2u8));
    assert_eq!(class(&F::D), d);
    assert_eq!(class(&F::D2), (&d + &d) % &p);
    assert_eq!(
        class(&F::SQRT_M1),
        BigUint::from(2u8).modpow(&((&p - 1u8) >> 2), &p)
    );
}

/// The ladder of a representation is that of the formulas, with `bits` as the scalar.
fn check_ladder<F: Field>((u, _): &(F, BigUint), bits: u64) {
    let bits = || (0..64).rev().map(|i| Choice::from((bits >> i) as u8 & 1));
    let (computed, expected) = (F::ladder(u, bits()), super::formulas::ladder(u, bits()));
    assert_eq!(class(&computed.0), class(&expected.0));
    assert_eq!(class(&computed.1), class(&expected.1));
}

/// Pairs of all extremes, or under Miri of a few.
fn edges<F: Limbed>() {
    let step = if cfg!(miri) { 37 } else { 1 };
    let elements = extremes::<F>();
    for a in elements.iter().step_by(step) {
        for b in elements.iter().step_by(7 * step) {
            check_pair(a, b);
            check_pair(b, a);
        }
    }
    for (i, a) in (0..).zip(elements.iter().step_by(11 * step)) {
        check_powers(a);
        check_ladder(a, 0x9e37_79b9_7f4a_7c15 << i);
    }
}

macro_rules! suites {
    ($($name:ident: $field:ty, $available:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn has_the_constants() {
                if $available {
                    constants::<$field>();
                }
            }

            #[test]
            fn agrees_at_the_edges() {
                if $available {
                    edges::<$field>();
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig {
                    cases: if cfg!(miri) { 2 } else { 1_000 },
                    failure_persistence: None,
                    ..ProptestConfig::default()
                })]

                #[test]
                fn agrees_on_random_elements(a: [u64; 10], b: [u64; 10]) {
                    if $available {
                        let element = |words: [u64; 10]| {
                            let mut words = words.into_iter();
                            <$field>::carried(|max| {
                                let word = words.next().unwrap();
                                // A quarter of the limbs at the top.
                                if word & 3 == 0 { max } else { (word >> 2) % max }
                            })
                        };
                        let (a, b) = (element(a), element(b));
                        check_pair(&a, &b);
                        check_powers(&a);
                    }
                }
            }
        }
    )*};
}

suites! {
    portable64: super::super::radix51::Field51, true;
    portable32: super::super::radix25::Field25, true;
    radix29: super::super::radix29::Field29, true;
}

#[cfg(feature = "fiat")]
suites! {
    fiat64: super::super::fiat::FiatField51, true;
    fiat32: super::super::fiat::FiatField25, true;
}

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
suites! {
    adx: super::super::adx::FieldAdx, lanner_simd::Adx::detect().is_some();
    bmi: super::super::adx::FieldBmi, lanner_simd::Bmi::detect().is_some();
}

#[cfg(all(target_arch = "aarch64", target_pointer_width = "64", not(miri)))]
suites! {
    arm: super::super::arm::FieldArm, true;
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn packed_values_freeze(words: [u64; 4], near in 0u64..60, top in 0u64..3) {
        // Random values, and values just around 0, p, 2p and 2^256.
        let edge = match top {
            0 => [near, 0, 0, 0],
            1 => [u64::MAX - near, u64::MAX, u64::MAX, u64::MAX >> 1],
            _ => [u64::MAX - near, u64::MAX, u64::MAX, u64::MAX],
        };
        for words in [words, edge] {
            let packed = Packed(words);
            let expected = value(packed) % p();
            prop_assert_eq!(value(packed.freeze()), expected.clone());
            prop_assert_eq!(bool::from(packed.is_negative()), expected.bit(0));
            prop_assert_eq!(bool::from(packed.is_zero()), expected == BigUint::ZERO);
            prop_assert_eq!(value(packed.freeze().neg()), p() - expected);
        }
    }
}
