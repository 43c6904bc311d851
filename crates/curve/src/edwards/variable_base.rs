//! Multiples of any point, in constant time.

use super::models::{Cached, Extended};
use crate::ct::Mask;
use crate::field::Field;

/// The multiples 1 to 8 of a point. An array and no type of its own, and filled in its place: else
/// compilers for small code keep it on the stack twice.
pub(super) type Window<F> = [Cached<F>; 8];

#[inline(always)]
pub(super) fn fill<F: Field>(window: &mut Window<F>, point: &Extended<F>) {
    let first = point.to_cached();
    let mut multiple = *point;
    window[0] = first;
    for entry in &mut window[1..] {
        multiple = multiple.add(&first).to_extended();
        *entry = multiple.to_cached();
    }
}

/// \[digit] for digit in -8..=8: reads all eight entries.
#[inline(always)]
pub(super) fn select<F: Field>(window: &Window<F>, digit: i8) -> Cached<F> {
    let negative = (digit >> 7) as u8 & 1;
    let magnitude = ((digit ^ (digit >> 7)) as u8).wrapping_add(negative);
    let mut point = Cached::IDENTITY;
    for (entry, multiple) in window.iter().zip(1u64..) {
        point = Cached::select(&point, entry, Mask::eq(magnitude.into(), multiple));
    }
    point.conditional_negate(Mask::eq(negative.into(), 1));
    point
}

/// \[n]P for n = sum of digits\[i] 16^i, with digits in -8..=8.
#[inline]
pub(super) fn mul<F: Field>(point: &Extended<F>, digits: &[i8; 64]) -> Extended<F> {
    let mut window = [Cached::IDENTITY; 8];
    fill(&mut window, point);
    let mut sum = Extended::IDENTITY;
    for &digit in digits.iter().rev() {
        let doubled = sum.double().to_projective().double().to_projective();
        let doubled = doubled.double().to_projective().double();
        sum = doubled
            .to_extended()
            .add(&select(&window, digit))
            .to_extended();
    }
    sum
}
