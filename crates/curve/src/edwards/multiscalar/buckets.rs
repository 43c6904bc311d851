//! Buckets without lanes.

use super::{Terms, room};
use crate::edwards::EdwardsPoint;
use crate::edwards::models::Extended;
use crate::edwards::niels::AffineNiels;
use crate::field::Field;
use crate::scalar::recode::SignedRadix;
use alloc::vec::Vec;

/// The widest windows.
const MAX_WIDTH: u32 = 13;

/// The width of windows with the least cost, and that cost in products.
pub(super) fn plan(terms: &Terms) -> (u32, usize) {
    let mut best = (2, usize::MAX);
    for width in 2..=MAX_WIDTH {
        let windows = SignedRadix::len_of(terms.bits, width);
        let short_windows = short_windows(terms, width);
        let short = terms.points.len() - terms.long;
        let entries = terms.long * windows + short * short_windows;
        // Each bucket takes two additions of nine products, and its first point one product in place of seven.
        let doublings = 7 * terms.bits as usize;
        let cost = entries * 7 + ((windows * 12) << (width - 1)) + doublings;
        if cost < best.1 {
            best = (width, cost);
        }
    }
    best
}

fn short_windows(terms: &Terms, width: u32) -> usize {
    SignedRadix::len_of((terms.short_bits + 1).min(terms.bits), width)
}

/// Pippenger (1976): for each window of the scalars, points go to the bucket of
/// their digit, and the buckets are summed with their weights. See also
/// Bernstein, Doumen, Lange and Oosterwijk (2012), section 4.
#[inline]
pub(super) fn pippenger<F: Field>(terms: &Terms, width: u32) -> Option<Extended<F>> {
    let radix = SignedRadix::new(terms.bits, width);
    let mut biased = room(terms.scalars.len())?;
    biased.extend(terms.scalars.iter().map(|scalar| radix.biased(scalar)));
    let mut points: Vec<AffineNiels<F>> = room(terms.points.len())?;
    let niels = |point: &EdwardsPoint| AffineNiels::from_affine(&point.unpack());
    points.extend(terms.points.iter().map(niels));

    let mut buckets: Vec<Option<Extended<F>>> = room(1 << (width - 1))?;
    buckets.resize(1 << (width - 1), None);
    let mut sum = Extended::IDENTITY;
    for window in (0..radix.len()).rev() {
        if window + 1 < radix.len() {
            let mut double = sum.double();
            for _ in 1..width {
                double = double.to_projective().double();
            }
            sum = double.to_extended();
        }
        let these = if window < short_windows(terms, width) {
            points.len()
        } else {
            terms.long
        };
        for (biased, point) in biased.iter().zip(&points[..these]) {
            let digit = radix.digit(biased, window);
            if digit == 0 {
                continue;
            }
            let bucket = &mut buckets[usize::from(digit.unsigned_abs()) - 1];
            *bucket = Some(match bucket {
                None if digit > 0 => point.to_extended_inline(),
                None => point.to_extended_inline().neg(),
                Some(sum) if digit > 0 => sum.add_affine(point).to_extended(),
                Some(sum) => sum.sub_affine(point).to_extended(),
            });
        }
        // Bucket i has weight i + 1: the sum of all suffix sums.
        let mut suffix: Option<Extended<F>> = None;
        for bucket in buckets.iter_mut().rev() {
            suffix = match (suffix, bucket.take()) {
                (Some(suffix), Some(bucket)) => Some(suffix.add(&bucket.to_cached()).to_extended()),
                (suffix, None) => suffix,
                (None, bucket) => bucket,
            };
            if let Some(suffix) = &suffix {
                sum = sum.add(&suffix.to_cached()).to_extended();
            }
        }
    }
    Some(sum)
}
