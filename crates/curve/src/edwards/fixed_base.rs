//! Multiples of the base point, in constant time.

use super::models::Extended;
use crate::field::Field;

/// [n]B for n below 2^255, given as little-endian bytes.
#[cfg(feature = "precomputed-tables")]
#[inline]
pub(super) fn mul_base<F: Field>(n: &[u8; 32]) -> Extended<F> {
    use super::models::AffineNiels;
    use crate::ct::Mask;
    use crate::scalar::recode::signed_radix;
    use crate::tables::BASE_RADIX_16;

    /// [digit] of a window, for digit in -8..=8: reads all eight entries.
    #[inline(always)]
    fn select<F: Field>(window: &[super::models::PackedNiels; 8], digit: i8) -> AffineNiels<F> {
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

    // n = sum of digits[i] 16^i, and window i holds the multiples of 16^i B.
    let digits = signed_radix::<4, 64>(n);
    let mut sum = Extended::IDENTITY;
    for (window, &digit) in BASE_RADIX_16.iter().zip(&digits) {
        sum = sum.add_affine(&select(window, digit)).to_extended();
    }
    sum
}

/// [n]B for n below 2^255, given as little-endian bytes; without tables.
#[cfg(not(feature = "precomputed-tables"))]
#[inline]
pub(super) fn mul_base<F: Field>(n: &[u8; 32]) -> Extended<F> {
    super::variable_base::mul(&crate::constants::ED25519_BASEPOINT_POINT.unpack(), n)
}
