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

/// How many odd multiples of a point; fewer where the stack may be short.
const ODD_MULTIPLES: usize = if cfg!(feature = "precomputed-tables") {
    8
} else {
    4
};

/// The odd multiples 1, 3, 5, … of a point.
#[derive(Clone, Copy)]
pub(super) struct OddMultiples<F>([Cached<F>; ODD_MULTIPLES]);

impl<F: Field> OddMultiples<F> {
    /// The width of the non-adjacent forms that these multiples serve.
    #[inline(always)]
    pub(super) fn width(&self) -> u32 {
        ODD_MULTIPLES.trailing_zeros() + 2
    }

    #[inline]
    pub(super) fn new(point: &Extended<F>) -> Self {
        let twice = point.double().to_extended().to_cached();
        let mut multiples = Self([Cached::IDENTITY; ODD_MULTIPLES]);
        let mut multiple = *point;
        multiples.0[0] = point.to_cached();
        for entry in &mut multiples.0[1..] {
            multiple = multiple.add(&twice).to_extended();
            *entry = multiple.to_cached();
        }
        multiples
    }

    /// sum + \[digit]P for a digit of a non-adjacent form of that width.
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
    let multiples = OddMultiples::new(point);
    let base = base_multiples::<F>();
    let a = Naf::vartime_from_scalar(a, multiples.width());
    let b = Naf::vartime_from_scalar(b, base.width());
    vartime_horner(a.top().max(b.top()), |sum, i| {
        let sum = multiples.vartime_add(sum, a.digit(i));
        base.vartime_add(sum, b.digit(i))
    })
}
