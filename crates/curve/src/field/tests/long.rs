//! Each operation of each representation against big integers, on limbs that an adversary chooses within the bounds that the
//! representation states: a thousand inputs in every run, and a million in the long one; half or a tenth
//! as many inversions.
//!
//! Where machine code is proven (`proven.rs`) this says no more; it is for the assembly and the compilers of other processors,
//! and for what is not proven anywhere: elements at rest, the representative below p, inversion.

use super::{Limbed, class, class_of, p, value};
use crate::adversary::Adversary;
use crate::field::Packed;
use crate::field::chains::invert;
use crate::field::formulas::Line;
use num_bigint::BigUint;
use std::vec::Vec;
use subtle::Choice;

type Element<F> = (F, BigUint);

/// A carried element.
pub(crate) fn carried<F: Limbed>(source: &mut Adversary) -> Element<F> {
    if source.below(4) == 0 {
        let packed = Packed(source.words());
        return (F::from_packed(&packed), value(packed) % p());
    }
    source.begin();
    F::carried(|most| source.limb(most))
}

fn factor<F: Limbed>(source: &mut Adversary) -> (F::Loose, BigUint) {
    source.begin();
    F::factor(|most| source.limb(most))
}

/// x - y modulo p, for y below 2^260.
fn difference(x: &BigUint, y: &BigUint) -> BigUint {
    (x + (p() << 5) - y) % p()
}

/// That a result is carried, and which one it is.
macro_rules! assert_class {
    ($result:expr, $expected:expr, $($input:expr),+) => {{
        let result = $result;
        assert!(result.is_carried(), "{} leaves {result:x?} of {:x?}", stringify!($result), ($($input,)+));
        assert_eq!(class(&result), $expected % p(), "{} of {:x?}", stringify!($result), ($($input,)+));
    }};
}

/// That a factor that is not carried stands for that.
macro_rules! assert_factor {
    ($result:expr, $expected:expr, $($input:expr),+) => {{
        let result = $result;
        assert_eq!(class_of::<F>(&result), $expected % p(), "{} of {:x?}", stringify!($result), ($($input,)+));
    }};
}

pub(super) fn products<F: Limbed>(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let ((a, x), (b, y)) = (carried::<F>(source), carried::<F>(source));
        let ((c, z), (d, w)) = (factor::<F>(source), factor::<F>(source));
        assert_class!(F::mul(&a, &b), &x * &y, a, b);
        assert_class!(F::mul(&c, &d), &z * &w, c, d);
        assert_class!(F::mul_in_place(&a, &d), &x * &w, a, d);
        assert_class!(F::square(&a), &x * &x, a);
        assert_class!(F::square(&c), &z * &z, c);
        assert_class!(F::square_in_place(&d), &w * &w, d);
        assert_class!(F::mul_121666(&b), &y * 121_666u32, b);
        assert_class!(F::mul_121666(&d), &w * 121_666u32, d);
    }
}

pub(super) fn powers<F: Limbed>(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let (a, x) = factor::<F>(source);
        let n = match source.below(64) {
            0 => 1 + source.below(50) as u32,
            _ => 1 + source.below(4) as u32,
        };
        let power = (0..n).fold(x, |x, _| &x * &x % p());
        assert_class!(F::square_times(&a, n), &power, a, n);
    }
}

pub(super) fn sums<F: Limbed>(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let ((a, x), (b, y)) = (carried::<F>(source), carried::<F>(source));
        let (c, z) = factor::<F>(source);
        let (sum, minus) = (a.add(&b), a.sub(&b));
        assert_factor!(sum, &x + &y, a, b);
        assert_factor!(minus, difference(&x, &y), a, b);
        assert_class!(F::carry(&sum), &x + &y, a, b);
        assert_class!(F::carry(&minus), difference(&x, &y), a, b);
        assert_class!(F::carry(&c), &z, c);
        assert_class!(a.neg(), difference(&BigUint::ZERO, &x), a);
        // Of two loose ones, and of one beside one that is carried.
        assert_factor!(F::add_loose(&sum, &minus), &x + &x, a, b);
        assert_factor!(F::sub_loose(&sum, &minus), &y + &y, a, b);
        assert_factor!(
            F::sub_loose(&minus, &sum),
            difference(&BigUint::ZERO, &(&y + &y)),
            a,
            b
        );
        assert_factor!(F::add_loose(&sum, &b), &x + &y + &y, a, b);
        assert_factor!(F::sub_loose(&a, &minus), &y, a, b);
        if F::SUMS_OF_FACTORS {
            let (d, w) = factor::<F>(source);
            assert_factor!(F::add_loose(&c, &d), &z + &w, c, d);
            assert_factor!(F::sub_loose(&c, &d), difference(&z, &w), c, d);
        }
    }
}

/// To rest and back, decisions, and what chooses.
pub(super) fn rest<F: Limbed>(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let ((a, x), (b, y)) = (carried::<F>(source), carried::<F>(source));
        let packed = a.to_packed();
        assert_eq!(value(packed) % p(), x, "{a:x?}");
        assert_eq!(value(packed.freeze()), x, "{a:x?}");
        assert_eq!(BigUint::from_bytes_le(&packed.to_bytes()), x, "{a:x?}");
        let words = Packed(source.words());
        assert_class!(F::from_packed(&words), value(words), words);
        assert_class!(F::from_frozen(&packed.freeze()), &x, a);
        assert_eq!(
            bool::from(Choice::from(a.is_negative())),
            x.bit(0),
            "{a:x?}"
        );
        for (other, z) in [(&b, &y), (&a, &x), (&F::from_packed(&packed), &x)] {
            let same = Choice::from(a.equal(other));
            assert_eq!(bool::from(same), x == *z, "{a:x?} {other:x?}");
        }
        for choice in [0, 1] {
            let choice = Choice::from(choice);
            let (mut left, mut right) = (a, b);
            F::conditional_swap(&mut left, &mut right, choice.into());
            let expected = if choice.into() { [&y, &x] } else { [&x, &y] };
            assert_eq!([&class(&left), &class(&right)], expected);
            assert_eq!(&class(&F::select(&a, &b, choice.into())), expected[0]);
        }
        let window: [[[u64; 4]; 3]; 8] = [(); 8].map(|()| [(); 3].map(|()| source.words()));
        let number = source.below(9) as u8;
        let entry = F::choose_entry(&window, number, &[1, 0, 1]);
        let expected = match number {
            0 => [[1, 0, 0, 0], [0; 4], [1, 0, 0, 0]],
            _ => window[usize::from(number) - 1],
        };
        assert_eq!(entry, expected, "entry {number} of {window:x?}");
    }
}

pub(super) fn inverses<F: Limbed>(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let (a, x) = carried::<F>(source);
        let expected = u8::from(x != BigUint::ZERO);
        let inverse = invert(&a);
        assert!(inverse.is_carried(), "{a:x?}");
        assert_eq!(class(&inverse) * &x % p(), expected.into(), "{a:x?}");
        #[cfg(feature = "precomputed-tables")]
        {
            let inverse = crate::field::chains::vartime_invert(&a);
            assert_eq!(class(&inverse) * &x % p(), expected.into(), "{a:x?}");
        }
        // Zero stays zero.
        if expected == 0 {
            assert_eq!(class(&inverse), BigUint::ZERO);
        }
    }
}

/// [`step`](crate::field::formulas::step) on big integers.
pub(crate) fn step(p_and_q: &mut [Line<BigUint>; 2], u: &BigUint) {
    let [p, q] = p_and_q;
    let times = |x: &BigUint, y: &BigUint| x * y % self::p();
    let (a, b) = (&p.u + &p.w, difference(&p.u, &p.w));
    let (c, d) = (&q.u + &q.w, difference(&q.u, &q.w));
    let (aa, bb) = (times(&a, &a), times(&b, &b));
    let (da, cb) = (times(&d, &a), times(&c, &b));
    let e = difference(&aa, &bb);
    let (sum, minus) = (&da + &cb, difference(&da, &cb));
    *p = Line {
        u: times(&aa, &bb),
        w: times(&e, &(&bb + &e * 121_666u32)),
    };
    *q = Line {
        u: times(&sum, &sum),
        w: times(u, &times(&minus, &minus)),
    };
}

/// Ladders of a few steps.
pub(super) fn ladders<F: Limbed>(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let (u, x) = carried::<F>(source);
        let bits: Vec<bool> = (0..1 + source.below(4))
            .map(|_| source.below(2) == 1)
            .collect();
        let line = |u: BigUint, w: u8| Line { u, w: w.into() };
        let mut expected = [line(1u8.into(), 0), line(x.clone(), 1)];
        for &bit in &bits {
            if bit {
                expected.reverse();
            }
            step(&mut expected, &x);
            if bit {
                expected.reverse();
            }
        }
        let choices = bits.iter().map(|&bit| Choice::from(u8::from(bit)));
        let (computed_u, computed_w) = F::ladder(&u, choices);
        assert_class!(computed_u, &expected[0].u, u, bits);
        assert_class!(computed_w, &expected[0].w, u, bits);
    }
}

/// Any words at rest, of four and of eight.
fn packed(count: u32, source: &mut Adversary) {
    for _ in 0..count {
        let packed = Packed(source.words());
        let expected = value(packed) % p();
        assert_eq!(value(packed.freeze()), expected, "{packed:x?}");
        assert_eq!(
            bool::from(packed.is_negative()),
            expected.bit(0),
            "{packed:x?}"
        );
        assert_eq!(
            bool::from(packed.is_zero()),
            expected == BigUint::ZERO,
            "{packed:x?}"
        );
        assert_eq!(value(packed.freeze().neg()), p() - &expected, "{packed:x?}");
        let bytes = source.bytes();
        let mut integer = BigUint::from_bytes_le(&bytes);
        integer.set_bit(255, false);
        assert_eq!(value(Packed::from_bytes(&bytes)), integer, "{bytes:x?}");
        let read = Packed::from_bytes(&bytes).to_bytes();
        assert_eq!(BigUint::from_bytes_le(&read), integer % p(), "{bytes:x?}");
        let wide: [u64; 8] = source.words();
        let [low, high] = [0, 4].map(|at| value(Packed([0, 1, 2, 3].map(|i| wide[at + i]))));
        let expected = (low + (high << 256)) % p();
        assert_eq!(
            value(Packed::from_wide_words(&wide).freeze()),
            expected,
            "{wide:x?}"
        );
        #[cfg(feature = "precomputed-tables")]
        if packed.0[3] < u64::MAX {
            let negative = value(packed.neg_loose());
            assert_eq!(
                (negative + value(packed)) % p(),
                BigUint::ZERO,
                "{packed:x?}"
            );
        }
    }
}

/// How many inputs each operation has in every run, and in the long one.
const SHORT: u32 = if cfg!(miri) { 2 } else { 1_000 };
pub(crate) const LONG: u32 = 1_000_000;

#[test]
fn packed_values() {
    packed(SHORT, &mut Adversary::new(0));
}

#[test]
#[ignore = "long: a million inputs"]
fn packed_values_long() {
    packed(LONG, &mut Adversary::new(1));
}

macro_rules! long {
    ($($name:ident: $field:ty, $available:expr;)*) => {$(
        mod $name {
            use super::{Adversary, LONG, SHORT};

            #[test]
            fn each_operation() {
                if $available {
                    let source = &mut Adversary::new(2);
                    super::products::<$field>(SHORT, source);
                    super::powers::<$field>(SHORT, source);
                    super::sums::<$field>(SHORT, source);
                    super::rest::<$field>(SHORT, source);
                    super::inverses::<$field>(SHORT / 2, source);
                    super::ladders::<$field>(SHORT, source);
                }
            }

            long! { @ $field, $available;
                products_long: products, LONG;
                powers_long: powers, LONG;
                sums_long: sums, LONG;
                rest_long: rest, LONG;
                inverses_long: inverses, LONG / 10;
                ladders_long: ladders, LONG;
            }
        }
    )*};
    (@ $field:ty, $available:expr; $($name:ident: $operations:ident, $count:expr;)*) => {$(
        #[test]
        #[ignore = "long: a million inputs, or of inversions a tenth"]
        fn $name() {
            if $available {
                super::$operations::<$field>($count, &mut Adversary::new(3));
            }
        }
    )*};
}

long! {
    portable64: crate::field::radix51::Field51, true;
    portable32: crate::field::radix25::Field25, true;
    radix29: crate::field::radix29::Field29, true;
}

#[cfg(feature = "fiat")]
long! {
    fiat64: crate::field::fiat::FiatField51, true;
    fiat32: crate::field::fiat::FiatField25, true;
}

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
long! {
    adx: crate::field::adx::FieldAdx, lanner_simd::Adx::detect().is_some();
    bmi: crate::field::adx::FieldBmi, lanner_simd::Bmi::detect().is_some();
}

#[cfg(all(target_arch = "aarch64", target_pointer_width = "64", not(miri)))]
long! {
    arm: crate::field::arm::FieldArm, true;
}
