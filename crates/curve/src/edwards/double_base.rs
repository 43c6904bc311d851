//! Sums of a few multiples, the base point's among them, in variable time: the
//! work of verification.
//!
//! Every scalar is written in non-adjacent form, and all of them share the
//! doublings (Straus 1964, with signed sliding windows).

use super::base::base_multiples;
use super::models::{Cached, Completed, Extended, Projective};
use crate::bytes::words_from_bytes;
use crate::field::Field;
use crate::scalar::Scalar;
use crate::scalar::recode::vartime_naf;

/// An integer below 2^256 in non-adjacent form.
pub(super) struct Naf {
    digits: [i8; 257],
    top: usize,
}

impl Naf {
    /// 0.
    #[cfg(feature = "precomputed-tables")]
    pub(super) const ZERO: Self = Self {
        digits: [0; 257],
        top: 0,
    };

    /// The form of width `width` from 2 to 8: every digit is 0, or odd and below
    /// 2^(width - 1) in magnitude.
    #[inline]
    pub(super) fn vartime_new<const N: usize>(words: &[u64; N], width: u32) -> Self {
        let mut digits = [0; 257];
        let top = vartime_naf(words, width, &mut digits).unwrap_or(0);
        Self { digits, top }
    }

    #[inline]
    pub(super) fn vartime_from_scalar(scalar: &Scalar, width: u32) -> Self {
        Self::vartime_new::<4>(&words_from_bytes(scalar.as_bytes()), width)
    }

    /// The position of the highest digit that is not 0.
    pub(super) fn top(&self) -> usize {
        self.top
    }

    #[inline(always)]
    pub(super) fn digit(&self, position: usize) -> i8 {
        self.digits[position]
    }
}

/// The odd multiples 1, 3, …, 15 of a point: what digits of width 5 need.
#[derive(Clone, Copy)]
pub(super) struct OddMultiples<F>([Cached<F>; 8]);

impl<F: Field> OddMultiples<F> {
    /// The width of the non-adjacent forms that these multiples serve.
    #[inline(always)]
    pub(super) fn width(&self) -> u32 {
        5
    }

    #[inline]
    pub(super) fn new(point: &Extended<F>) -> Self {
        let twice = point.double().to_extended().to_cached();
        let mut multiples = [point.to_cached(); 8];
        let mut multiple = *point;
        for entry in &mut multiples[1..] {
            multiple = multiple.add(&twice).to_extended();
            *entry = multiple.to_cached();
        }
        Self(multiples)
    }

    /// sum + \[digit]P for a digit that is 0 or odd in -15..=15.
    #[inline(always)]
    pub(super) fn vartime_add(&self, sum: Completed<F>, digit: i8) -> Completed<F> {
        let entry = usize::from(digit.unsigned_abs() / 2);
        match digit {
            0 => sum,
            1.. => sum.to_extended().add(&self.0[entry]),
            _ => sum.to_extended().sub(&self.0[entry]),
        }
    }
}

/// Doubles and adds from digit `top` down to digit 0.
#[inline(always)]
pub(super) fn vartime_horner<F: Field>(
    top: usize,
    add_digits: impl Fn(Completed<F>, usize) -> Completed<F>,
) -> Extended<F> {
    let mut sum = Projective::IDENTITY;
    for position in (1..=top).rev() {
        sum = add_digits(sum.double(), position).to_projective();
    }
    add_digits(sum.double(), 0).to_extended()
}

/// \[a]A + \[b]B.
#[inline]
pub(super) fn vartime_mul<F: Field>(a: &Scalar, point: &Extended<F>, b: &Scalar) -> Extended<F> {
    let (multiples, base) = (OddMultiples::new(point), base_multiples::<F>());
    let a = Naf::vartime_from_scalar(a, multiples.width());
    let b = Naf::vartime_from_scalar(b, base.width());
    vartime_horner(a.top().max(b.top()), |sum, i| {
        let sum = multiples.vartime_add(sum, a.digit(i));
        base.vartime_add(sum, b.digit(i))
    })
}
