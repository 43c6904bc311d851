//! Multiples of any point, in constant time.

use super::models::{Cached, Extended};
use crate::ct::Mask;
use crate::field::Field;
use crate::scalar::recode::signed_radix;

/// The multiples 1 to 8 of a point.
struct Window<F>([Cached<F>; 8]);

impl<F: Field> Window<F> {
    #[inline(always)]
    fn new(point: &Extended<F>) -> Self {
        let first = point.to_cached();
        let mut multiples = [first; 8];
        let mut multiple = *point;
        for entry in &mut multiples[1..] {
            multiple = multiple.add(&first).to_extended();
            *entry = multiple.to_cached();
        }
        Self(multiples)
    }

    /// \[digit] for digit in -8..=8: reads all eight entries.
    #[inline(always)]
    fn select(&self, digit: i8) -> Cached<F> {
        let negative = (digit >> 7) as u8 & 1;
        let magnitude = ((digit ^ (digit >> 7)) as u8).wrapping_add(negative);
        let mut point = Cached::IDENTITY;
        for (entry, multiple) in self.0.iter().zip(1u64..) {
            point = Cached::select(&point, entry, Mask::eq(magnitude.into(), multiple));
        }
        point.conditional_negate(Mask::eq(negative.into(), 1));
        point
    }
}

/// \[n]P for n below 2^255, given as little-endian bytes: windows of four bits.
#[inline]
pub(super) fn mul<F: Field>(point: &Extended<F>, n: &[u8; 32]) -> Extended<F> {
    let window = Window::new(point);
    let digits = signed_radix::<4, 64>(n);
    let mut sum = Extended::IDENTITY;
    for &digit in digits.iter().rev() {
        let doubled = sum.double().to_projective().double().to_projective();
        let doubled = doubled.double().to_projective().double();
        sum = doubled
            .to_extended()
            .add(&window.select(digit))
            .to_extended();
    }
    sum
}
