//! Multiples of the base point B, from the generated tables.

use super::models::Extended;
use super::niels::{AffineNiels, NielsMultiples, PackedNiels};
use crate::ct::Mask;
use crate::field::Field;
use crate::scalar::recode::signed_radix;
use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD, BASE_RADIX_16};

/// \[n]B for n below 2^255, given as little-endian bytes. Constant time.
#[inline]
pub(super) fn mul_base<F: Field>(n: &[u8; 32]) -> Extended<F> {
    // n = sum of digits[i] 16^i, and window i holds the multiples of 16^i B.
    let digits = signed_radix::<4, 64>(n);
    let mut sum = Extended::IDENTITY;
    for (window, &digit) in BASE_RADIX_16.iter().zip(&digits) {
        sum = sum.add_affine(&select(window, digit)).to_extended();
    }
    sum
}

/// \[digit] of a window, for digit in -8..=8: reads all eight entries.
#[inline(always)]
fn select<F: Field>(window: &[PackedNiels; 8], digit: i8) -> AffineNiels<F> {
    let negative = (digit >> 7) as u8 & 1;
    let magnitude = ((digit ^ (digit >> 7)) as u8).wrapping_add(negative);
    // The neutral element: y + x = y - x = 1, xy = 0.
    let neutral = Mask::eq(magnitude.into(), 0).keep(1);
    let mut words = [[neutral, 0, 0, 0], [neutral, 0, 0, 0], [0; 4]];
    for (entry, multiple) in window.iter().zip(1u64..) {
        let mask = Mask::eq(magnitude.into(), multiple);
        for (sum, coordinate) in words.iter_mut().zip(entry) {
            for (word, new) in sum.iter_mut().zip(coordinate) {
                *word |= mask.keep(*new);
            }
        }
    }
    let mut point = AffineNiels::from_packed(&words);
    point.conditional_negate(Mask::eq(negative.into(), 1));
    point
}

/// The odd multiples of B.
#[inline(always)]
pub(super) fn base_multiples<F: Field>() -> NielsMultiples<'static> {
    NielsMultiples::new(&BASE_ODD)
}

/// The odd multiples of 2^128 B.
#[inline(always)]
pub(super) fn shifted_base_multiples() -> NielsMultiples<'static> {
    NielsMultiples::new(&BASE_2_POW_128_ODD)
}
