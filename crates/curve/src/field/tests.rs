//! One suite for every representation, against big integers, with limbs at the
//! edges of what each representation allows.

pub(crate) mod long;

use super::chains::{invert, sqrt_ratio_each};
use super::{Field, Operand, Packed};
use core::fmt::Debug;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::vec::Vec;
use subtle::Choice;

pub(super) fn p() -> BigUint {
    (BigUint::from(1u8) << 255) - 19u8
}

pub(super) fn value(packed: Packed) -> BigUint {
    BigUint::from_bytes_le(packed.0.map(u64::to_le_bytes).as_flattened())
}

/// The class of an element, as the integer in [0, p).
pub(super) fn class<F: Field>(element: &F) -> BigUint {
    value(element.to_packed()) % p()
}

/// The class of any operand, read through a multiplication by 1.
fn class_of<F: Field>(operand: &impl Operand<F>) -> BigUint {
    class(&F::mul(operand, &F::ONE))
}

/// A representation whose limbs a test can set.
pub(crate) trait Limbed: Field<Loose: Debug> + Debug {
    /// Whether `add_loose` and `sub_loose` take any factor.
    const SUMS_OF_FACTORS: bool = false;

    /// An element that is carried, with limbs chosen by `pick` from 0 to the
    /// greatest that the representation allows; and its class.
    fn carried(pick: impl FnMut(u64) -> u64) -> (Self, BigUint);

    /// The same of a factor that is not carried.
    fn factor(pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint);

    /// Whether limbs are within the bounds of an element that is carried.
    fn is_carried(&self) -> bool;
}

/// The class of limbs that have this many bits each.
fn of_limbs<T: Copy + Into<u64>>(limbs: &[T], position: impl Fn(usize) -> usize) -> BigUint {
    let weighted = limbs.iter().enumerate();
    let sum: BigUint = weighted
        .map(|(i, &limb)| BigUint::from(limb.into()) << position(i))
        .sum();
    sum % p()
}

fn of_51_bits(limbs: &[u64; 5]) -> BigUint {
    of_limbs(limbs, |i| 51 * i)
}

fn of_25_bits(limbs: &[u32; 10]) -> BigUint {
    of_limbs(limbs, |i| (51 * i).div_ceil(2))
}

/// Of limbs of 29 bits, from 0 to `most` for those from -`most` / 2 on.
fn of_29_bits(limbs: &[i64; 9]) -> BigUint {
    const BIAS: i64 = 1 << 32;
    let biased = of_limbs(&limbs.map(|limb| (limb + BIAS) as u64), |i| 29 * i);
    (biased + p() - of_limbs(&[BIAS as u64; 9], |i| 29 * i)) % p()
}

impl Limbed for super::radix51::Field51 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs = core::array::from_fn(|_| pick((1 << 51) + (1 << 15) - 1));
        (Self::from_limbs(limbs), of_51_bits(&limbs))
    }

    fn factor(mut pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint) {
        let limbs = core::array::from_fn(|_| pick((1 << 54) - 1));
        (Self::loose_from_limbs(limbs), of_51_bits(&limbs))
    }

    fn is_carried(&self) -> bool {
        self.limbs()
            .iter()
            .all(|&limb| limb < (1 << 51) + (1 << 15))
    }
}

/// Limbs of 26 and 25 bits in turn, of so many 64ths of their unit at most.
fn limbs_of_25_bits(sixty_fourths: u64, mut pick: impl FnMut(u64) -> u64) -> [u32; 10] {
    core::array::from_fn(|i| pick((sixty_fourths << (20 - (i as u64 & 1))) - 1) as u32)
}

impl Limbed for super::radix25::Field25 {
    fn carried(pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs = limbs_of_25_bits(65, pick);
        (Self::from_limbs(limbs), of_25_bits(&limbs))
    }

    fn factor(pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint) {
        let limbs = limbs_of_25_bits(194, pick);
        (Self::loose_from_limbs(limbs), of_25_bits(&limbs))
    }

    fn is_carried(&self) -> bool {
        let limbs = self.limbs().iter().enumerate();
        limbs
            .into_iter()
            .all(|(i, &limb)| limb < 65 << (20 - (i & 1)))
    }
}

/// The most that a carried limb of 29 bits may be.
const MOST_OF_29: i64 = (1 << 28) + (1 << 15);

impl Limbed for super::radix29::Field29 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs = core::array::from_fn(|_| pick(2 * MOST_OF_29 as u64) as i64 - MOST_OF_29);
        (Self::from_limbs(limbs), of_29_bits(&limbs))
    }

    fn factor(mut pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint) {
        let limbs = core::array::from_fn(|_| pick(4 * MOST_OF_29 as u64) as i64 - 2 * MOST_OF_29);
        (Self::loose_from_limbs(limbs), of_29_bits(&limbs))
    }

    fn is_carried(&self) -> bool {
        self.limbs().iter().all(|limb| limb.abs() <= MOST_OF_29)
    }
}

/// Four words of a value below 2^255 + 2^`bits`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[cfg_attr(not(target_pointer_width = "64"), allow(dead_code))]
fn saturated(bits: u32, mut pick: impl FnMut(u64) -> u64) -> [u64; 4] {
    let mut limbs: [u64; 4] = core::array::from_fn(|_| pick(u64::MAX));
    // The top bit only with limbs that keep the value below that.
    if limbs[3] >= u64::MAX - 1 || limbs[3] == 1 << 63 {
        limbs = [limbs[0] % (1 << bits), 0, 0, 1 << 63];
    }
    limbs[3] &= u64::MAX >> u32::from(limbs[1] != 0 || limbs[2] != 0 || limbs[3] << 1 != 0);
    limbs
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[cfg_attr(not(target_pointer_width = "64"), allow(dead_code))]
fn is_below(bits: u32, limbs: &[u64; 4]) -> bool {
    limbs[3] >> 63 == 0 || limbs[1..] == [0, 0, 1 << 63] && limbs[0] < 1 << bits
}

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
impl<A: super::adx::Assembly> Limbed for super::adx::Saturated<A> {
    const SUMS_OF_FACTORS: bool = true;

    fn carried(pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs = saturated(11, pick);
        (Self::from_limbs(limbs), value(Packed(limbs)) % p())
    }

    fn factor(mut pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint) {
        let limbs = core::array::from_fn(|_| pick(u64::MAX));
        (Self::loose_from_limbs(limbs), value(Packed(limbs)) % p())
    }

    fn is_carried(&self) -> bool {
        is_below(11, self.limbs())
    }
}

#[cfg(all(target_arch = "aarch64", target_pointer_width = "64", not(miri)))]
impl Limbed for super::arm::FieldArm {
    const SUMS_OF_FACTORS: bool = true;

    fn carried(pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs = saturated(23, pick);
        (Self::from_limbs(limbs), value(Packed(limbs)) % p())
    }

    fn factor(mut pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint) {
        let limbs = core::array::from_fn(|_| pick(u64::MAX));
        (Self::loose_from_limbs(limbs), value(Packed(limbs)) % p())
    }

    fn is_carried(&self) -> bool {
        is_below(23, self.limbs())
    }
}

#[cfg(feature = "fiat")]
impl Limbed for super::fiat::FiatField51 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs = core::array::from_fn(|_| pick(1 << 51));
        (Self::from_limbs(limbs), of_51_bits(&limbs))
    }

    fn factor(mut pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint) {
        let limbs = core::array::from_fn(|_| pick(3 << 51));
        (Self::loose_from_limbs(limbs), of_51_bits(&limbs))
    }

    fn is_carried(&self) -> bool {
        self.limbs().iter().all(|&limb| limb <= 1 << 51)
    }
}

#[cfg(feature = "fiat")]
impl Limbed for super::fiat::FiatField25 {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, BigUint) {
        let limbs = core::array::from_fn(|i| pick(1 << (26 - (i & 1))) as u32);
        (Self::from_limbs(limbs), of_25_bits(&limbs))
    }

    fn factor(mut pick: impl FnMut(u64) -> u64) -> (Self::Loose, BigUint) {
        let limbs = core::array::from_fn(|i| pick(3 << (26 - (i & 1))) as u32);
        (Self::loose_from_limbs(limbs), of_25_bits(&limbs))
    }

    fn is_carried(&self) -> bool {
        let limbs = self.limbs().iter().enumerate();
        limbs
            .into_iter()
            .all(|(i, &limb)| limb <= 1 << (26 - (i & 1)))
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
