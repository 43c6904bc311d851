//! Many encodings at once.

use super::formulas::{Doubled, invsqrt_a_minus_d, invsqrt_a_minus_d_in_lanes};
use super::{CompressedRistretto, RistrettoPoint};
use crate::backend::{InLanes, in_lanes, with_field};
use crate::edwards::EdwardsPoint;
use crate::edwards::models::Extended;
use crate::field::chains::invert;
use crate::field::lanes::{Engine, Lanes, MAX_LANES};
use crate::field::{Arithmetic, Field, Packed};
use alloc::vec::Vec;

impl RistrettoPoint {
    /// The encodings of the doubles of points, with one inversion for all: an encoding of its own takes a square
    /// root, and a double needs none. Constant time in all but their number.
    ///
    /// Who wants the encodings of points themselves halves them before, or the scalars that they are multiples by
    /// ([`Scalar::div_by_2`](crate::scalar::Scalar::div_by_2)). Where the processor has vectors that are wide enough,
    /// points are encoded side by side.
    ///
    /// ```
    /// use lanner_curve::ristretto::RistrettoPoint;
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let points = [3u64, 4, 5].map(|n| RistrettoPoint::mul_base(&Scalar::from(n)));
    /// let encodings = RistrettoPoint::double_and_compress_batch(&points);
    /// assert_eq!(encodings[1], (points[1] + points[1]).compress());
    /// ```
    #[must_use]
    pub fn double_and_compress_batch<'a, I>(points: I) -> Vec<CompressedRistretto>
    where
        I: IntoIterator<Item = &'a Self>,
    {
        let points: Vec<EdwardsPoint> = points.into_iter().map(|point| point.0).collect();
        let mut encodings = alloc::vec![CompressedRistretto([0; 32]); points.len()];
        let batch = DoubleAndEncode {
            points: &points,
            encodings: &mut encodings,
        };
        if let Err(batch) = in_lanes(batch) {
            with_field!(F => batch.run_single::<F>());
        }
        encodings
    }
}

/// The encodings of the doubles of points.
struct DoubleAndEncode<'a> {
    points: &'a [EdwardsPoint],
    encodings: &'a mut [CompressedRistretto],
}

/// The product of all that must be inverted, and of what comes before each of them (Montgomery's trick).
#[inline(always)]
fn product_of<F: Arithmetic>(doubled: &[Doubled<F>], before: &mut Vec<F>) -> F {
    let mut product = F::ONE;
    for doubled in doubled {
        before.push(product);
        let (factor, _) = factor(doubled);
        product = F::mul(&product, &factor);
    }
    product
}

/// The product of a doubled point, or 1 if it is 0; and whether it is.
#[inline(always)]
fn factor<F: Arithmetic>(doubled: &Doubled<F>) -> (F, F::Mask) {
    let product = doubled.product();
    let is_zero = product.equal(&F::ZERO);
    (F::select(&product, &F::ONE, is_zero), is_zero)
}

/// The elements that encode, last first, from the inverse of all products.
#[inline(always)]
fn encode_next<F: Arithmetic>(
    doubled: &Doubled<F>,
    before: &F,
    inverse: &mut F,
    invsqrt_a_minus_d: &F,
) -> F {
    let (factor, is_zero) = factor(doubled);
    let own = F::mul(inverse, before);
    *inverse = F::mul(inverse, &factor);
    doubled.encode(&F::select(&own, &F::ZERO, is_zero), invsqrt_a_minus_d)
}

impl DoubleAndEncode<'_> {
    #[inline]
    fn run_single<F: Field>(self) {
        let doubled: Vec<Doubled<F>> = self
            .points
            .iter()
            .map(|point| Doubled::new(&point.unpack()))
            .collect();
        let mut before = Vec::with_capacity(doubled.len());
        let mut inverse = invert(&product_of(&doubled, &mut before));
        let constant = invsqrt_a_minus_d();
        let each = doubled.iter().zip(&before).zip(self.encodings).rev();
        for ((doubled, before), encoding) in each {
            let s = encode_next(doubled, before, &mut inverse, &constant);
            *encoding = CompressedRistretto(s.to_packed().to_bytes());
        }
    }
}

impl InLanes for DoubleAndEncode<'_> {
    type Output = ();
    const FIELD_BESIDE_DOUBLES: bool = true;

    #[inline(always)]
    fn run<E: Engine>(self) {
        let lanes = E::Many::LANES;
        let groups = self.points.len().div_ceil(lanes);
        let mut doubled: Vec<Doubled<E::Many>> = Vec::with_capacity(groups);
        let mut before = Vec::with_capacity(groups);
        for points in self.points.chunks(lanes) {
            let mut group = [EdwardsPoint::default(); MAX_LANES];
            group[..points.len()].copy_from_slice(points);
            doubled.push(Doubled::new(&Extended::gather(&group)));
        }
        let products = product_of(&doubled, &mut before).to_lanes();
        let mut inverse = E::Many::from_lanes(&invert_each::<E::Field>(&products[..lanes]));
        let constant = invsqrt_a_minus_d_in_lanes();
        for i in (0..groups).rev() {
            let s = encode_next(&doubled[i], &before[i], &mut inverse, &constant);
            let s = s.to_lanes();
            let encodings = self.encodings[i * lanes..].iter_mut().zip(&s[..lanes]);
            for (encoding, s) in encodings {
                *encoding = CompressedRistretto(s.to_bytes());
            }
        }
    }
}

/// The inverses of a few elements, none of which is 0, with one inversion.
#[inline(always)]
fn invert_each<F: Field>(elements: &[Packed]) -> [[u64; 4]; MAX_LANES] {
    let mut inverses = [[0; 4]; MAX_LANES];
    let mut before = [F::ONE; MAX_LANES];
    let mut product = F::ONE;
    for (element, before) in elements.iter().zip(&mut before) {
        *before = product;
        product = F::mul(&product, &F::from_packed(element));
    }
    let mut inverse = invert(&product);
    for i in (0..elements.len()).rev() {
        inverses[i] = F::mul(&inverse, &before[i]).to_packed().0;
        inverse = F::mul(&inverse, &F::from_packed(&elements[i]));
    }
    inverses
}
