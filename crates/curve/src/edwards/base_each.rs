//! Many multiples of the base point, in the forms that signatures and keys need. Constant time in all but their number.

use super::models::Extended;
use super::{CompressedEdwardsY, EdwardsPoint, base, decode};
use crate::backend::{self, with_field};
use crate::field::{Field, Packed, chains::invert};
use crate::montgomery::MontgomeryPoint;
use crate::scalar::{Scalar, clamp_in_place};
use core::ops::Range;
use lanner_simd::stack::cleared;
use zeroize::Zeroizing;

/// How many multiples are computed together, with one inversion: a multiple of the lanes of every backend.
pub(super) const GROUP: usize = 16;

/// How many multiples a vector must have to be faster than they are one after the other, whose windows are shared out
/// to the lanes: all of four, or half of eight.
pub(super) const ENOUGH: usize = 4;

/// How deep on the stack a group goes; the multiplications clear what is theirs. Without tables they are computed, by
/// functions that are inlined here.
const GROUP_DEPTH: usize = if cfg!(feature = "precomputed-tables") {
    4736
} else {
    5120
};

/// What becomes of the multiples; there are as many places as integers.
pub(super) enum Multiples<'a> {
    Edwards {
        points: &'a mut [EdwardsPoint],
        encodings: &'a mut [CompressedEdwardsY],
    },
    /// No multiple is the neutral element.
    Montgomery(&'a mut [MontgomeryPoint]),
}

impl EdwardsPoint {
    /// \[a]B for each scalar a, with its encoding of 32 bytes: `points[i]` becomes what [`mul_base`](Self::mul_base)
    /// makes of `scalars[i]`, and `encodings[i]` what [`compress`](Self::compress) makes of that. Constant time in
    /// all but the number of scalars. No allocation.
    ///
    /// Several share one inversion. Where the processor has vectors that are wide enough, multiples are computed side by
    /// side: with AVX-512 IFMA each takes a third to a half of the time of one alone.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let scalars = [3u64, 4, 5].map(Scalar::from);
    /// let mut points = [EdwardsPoint::default(); 3];
    /// let mut encodings = [CompressedEdwardsY::default(); 3];
    /// EdwardsPoint::mul_base_each(&scalars, &mut points, &mut encodings);
    /// assert_eq!(points[2], EdwardsPoint::mul_base(&scalars[2]));
    /// assert_eq!(encodings[2], points[2].compress());
    /// ```
    pub fn mul_base_each(
        scalars: &[Scalar],
        points: &mut [Self],
        encodings: &mut [CompressedEdwardsY],
    ) {
        assert_eq!(scalars.len(), points.len());
        assert_eq!(scalars.len(), encodings.len());
        for range in groups(scalars.len()) {
            let integers = &scalars[range.clone()];
            let (points, encodings) = (&mut points[range.clone()], &mut encodings[range]);
            cleared::<GROUP_DEPTH, _>(|| {
                let mut references = [&[0; 32]; GROUP];
                for (reference, scalar) in references.iter_mut().zip(integers) {
                    *reference = scalar.as_bytes();
                }
                let references = &references[..integers.len()];
                let Some(Multiples::Edwards { points, encodings }) =
                    side_by_side(references, Multiples::Edwards { points, encodings })
                else {
                    return;
                };
                for (point, n) in points.iter_mut().zip(references) {
                    *point = base::mul_base(n);
                }
                with_field!(F => decode::encode_batch::<F>(points, encodings));
            });
        }
    }
}

impl MontgomeryPoint {
    /// The u-coordinates of \[n]B for the integers n that the elements of `bytes` clamp to, 32 bytes each:
    /// `products[i]` becomes what [`mul_base_clamped`](Self::mul_base_clamped) makes of `bytes[i]`. Constant time in
    /// all but the number of products. No allocation.
    ///
    /// Several share one inversion. Where the processor has vectors that are wide enough, products are computed side by
    /// side: with AVX-512 IFMA each takes a third to a half of the time of one alone.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_curve::montgomery::MontgomeryPoint;
    ///
    /// let secrets = [[1; 32], [2; 32], [3; 32]];
    /// let mut products = [MontgomeryPoint::default(); 3];
    /// MontgomeryPoint::mul_base_clamped_each(&secrets, &mut products);
    /// assert_eq!(products[2], MontgomeryPoint::mul_base_clamped(secrets[2]));
    /// ```
    pub fn mul_base_clamped_each(bytes: &[[u8; 32]], products: &mut [Self]) {
        assert_eq!(bytes.len(), products.len());
        for range in groups(bytes.len()) {
            let (bytes, products) = (&bytes[range.clone()], &mut products[range]);
            cleared::<GROUP_DEPTH, _>(|| {
                let mut clamped = Zeroizing::new([[0; 32]; GROUP]);
                for (clamped, bytes) in clamped.iter_mut().zip(bytes) {
                    *clamped = *bytes;
                    clamp_in_place(clamped);
                }
                let mut references = [&[0; 32]; GROUP];
                for (reference, clamped) in references.iter_mut().zip(clamped.iter()) {
                    *reference = clamped;
                }
                let references = &references[..bytes.len()];
                // A clamped integer is 8 m with m below 2^252 and not 0, so L does not divide it: no multiple is the
                // neutral element, and Z - Y is never 0.
                let Some(Multiples::Montgomery(products)) =
                    side_by_side(references, Multiples::Montgomery(products))
                else {
                    return;
                };
                let mut points = [EdwardsPoint::default(); GROUP];
                for (point, n) in points.iter_mut().zip(references) {
                    *point = base::mul_base(n);
                }
                with_field!(F => to_montgomery_batch::<F>(&points[..bytes.len()], products));
            });
        }
    }
}

/// The ranges of the groups that so many items fall into. Fewer than `ENOUGH` that would leave most of a vector idle
/// are a group of their own.
pub(super) fn groups(count: usize) -> impl Iterator<Item = Range<usize>> {
    let lanes = backend::lanes();
    let mut start = 0;
    core::iter::from_fn(move || {
        let group = GROUP.min(count - start);
        let over = group % lanes;
        let group = if over < ENOUGH && over < group {
            group - over
        } else {
            group
        };
        start += group;
        (group > 0).then(|| start - group..start)
    })
}

/// Computes the multiples of a group in lanes, or gives the places back if that is not faster.
#[inline(always)]
fn side_by_side<'a>(integers: &[&[u8; 32]], multiples: Multiples<'a>) -> Option<Multiples<'a>> {
    if integers.len() < ENOUGH {
        return Some(multiples);
    }
    base::mul_base_each(integers, multiples).err()
}

/// The corresponding points of the Montgomery curve, with one inversion (Montgomery's trick); 0 for the neutral
/// element.
#[inline]
pub(super) fn to_montgomery_batch<F: Field>(
    points: &[EdwardsPoint],
    products: &mut [MontgomeryPoint],
) {
    // u = (Z + Y)/(Z - Y). Until the last pass a product's place keeps the product of the denominators before it, in which
    // 1 stands for 0.
    let denominator = |point: &Extended<F>| {
        let difference = F::carry(&point.z.sub(&point.y));
        let is_zero = difference.equal(&F::ZERO);
        (F::select(&difference, &F::ONE, is_zero), is_zero)
    };
    let mut product = F::ONE;
    for (point, place) in points.iter().zip(&mut *products) {
        place.0 = product.to_packed().to_bytes();
        product = F::mul(&product, &denominator(&point.unpack()).0);
    }
    let mut inverse = invert(&product);
    for (point, place) in points.iter().zip(products).rev() {
        let before = F::from_packed(&Packed::from_bytes(&place.0));
        let point = point.unpack::<F>();
        let (denominator, is_zero) = denominator(&point);
        let u = F::mul(&point.z.add(&point.y), &F::mul(&inverse, &before));
        place.0 = F::select(&u, &F::ZERO, is_zero).to_packed().to_bytes();
        inverse = F::mul(&inverse, &denominator);
    }
}
