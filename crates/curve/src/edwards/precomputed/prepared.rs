//! A point with tables of its multiples, for keys that verify many signatures.

use super::in_frame::{self, InFrame};
use super::niels::PackedNiels;
use super::quad::QuadPoint;
use crate::backend::{InLanes, Kind, in_lanes, with_field};
use crate::bytes::words_from_bytes;
use crate::edwards::models::Extended;
use crate::edwards::multiples::vartime_straus_in_memory;
use crate::edwards::straus::{
    AddedTo, PointAccumulator, Sliding, vartime_straus, vartime_straus_from,
};
use crate::edwards::{CompressedEdwardsY, EdwardsPoint, decode};
use crate::field::Field;
use crate::field::chains::vartime_invert;
use crate::field::lanes::Engine;
use crate::scalar::Scalar;
use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD};

/// How many odd multiples each of the two tables has: digits of width 7.
pub(super) const ODD_MULTIPLES: usize = 32;

/// A point A with tables for fast variable-time sums \[a]A + \[b]B: 6 kB, the odd
/// multiples of A and of 2^128 A.
///
/// With them every scalar is cut into two halves, which saves half of the doublings. Making
/// the tables costs about as much as one verification.
///
/// ```
/// use lanner_curve::edwards::{EdwardsPoint, VartimePreparedPoint};
/// use lanner_curve::scalar::Scalar;
///
/// let (a, b) = (Scalar::from(3u64), Scalar::from(4u64));
/// let prepared = VartimePreparedPoint::new(&EdwardsPoint::mul_base(&Scalar::from(2u64)));
/// let sum = prepared.vartime_double_scalar_mul_basepoint(&a, &b);
/// assert_eq!(sum, EdwardsPoint::mul_base(&Scalar::from(10u64)));
/// ```
#[derive(Clone)]
pub struct VartimePreparedPoint {
    pub(super) odd: [PackedNiels; ODD_MULTIPLES],
    pub(super) shifted_odd: [PackedNiels; ODD_MULTIPLES],
}

/// The points P, 3P, 5P, ….
#[inline]
fn odd_multiples<F: Field>(point: &Extended<F>) -> [Extended<F>; ODD_MULTIPLES] {
    let twice = point.double().to_extended().to_cached();
    let mut multiples = [*point; ODD_MULTIPLES];
    for i in 1..ODD_MULTIPLES {
        multiples[i] = multiples[i - 1].add(&twice).to_extended();
    }
    multiples
}

#[inline]
fn prepare<F: Field>(point: &Extended<F>) -> VartimePreparedPoint {
    let mut shifted = point.double();
    for _ in 1..128 {
        shifted = shifted.to_projective().double();
    }
    VartimePreparedPoint {
        odd: Extended::vartime_pack_niels(&odd_multiples(point)),
        shifted_odd: Extended::vartime_pack_niels(&odd_multiples(&shifted.to_extended())),
    }
}

/// \[a]A + \[b]B. Each scalar is cut in two at bit 128, where the second tables begin. Nothing is
/// reduced, so a component of small order keeps its part.
#[inline(always)]
fn vartime_mul<F, A>(a: &Scalar, point: &VartimePreparedPoint, b: &Scalar) -> EdwardsPoint
where
    F: Field,
    A: PointAccumulator<F>,
    [PackedNiels]: AddedTo<A>,
{
    vartime_straus::<A>(&vartime_terms(a, point, b)[..])
        .to_point()
        .pack()
}

/// [`vartime_mul`] by the blocks of a representation.
#[inline(always)]
fn vartime_mul_in_frame<F: Field>(
    a: &Scalar,
    point: &VartimePreparedPoint,
    b: &Scalar,
) -> EdwardsPoint {
    let mut frame = in_frame::identity();
    let zero = InFrame::<F>::new(&mut frame);
    vartime_straus_from(zero, &vartime_terms(a, point, b)[..])
        .to_point()
        .pack()
}

/// The terms: each scalar in halves.
#[inline(always)]
fn vartime_terms<'p>(
    a: &Scalar,
    point: &'p VartimePreparedPoint,
    b: &Scalar,
) -> [Sliding<&'p [PackedNiels]>; 4] {
    let [a0, a1, a2, a3] = words_from_bytes(a.as_bytes());
    let [b0, b1, b2, b3] = words_from_bytes(b.as_bytes());
    [
        Sliding::vartime_new(&[a0, a1], &point.odd[..]),
        Sliding::vartime_new(&[a2, a3], &point.shifted_odd[..]),
        Sliding::vartime_new(&[b0, b1], &BASE_ODD[..]),
        Sliding::vartime_new(&[b2, b3], &BASE_2_POW_128_ODD[..]),
    ]
}

/// [`vartime_mul`] in lanes.
struct VartimeMul<'a> {
    a: &'a Scalar,
    point: &'a VartimePreparedPoint,
    b: &'a Scalar,
}

impl InLanes for VartimeMul<'_> {
    type Output = EdwardsPoint;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.shares
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> EdwardsPoint {
        vartime_mul::<E::Field, QuadPoint<E::Quad>>(self.a, self.point, self.b)
    }
}

impl VartimePreparedPoint {
    /// Makes the tables, in variable time.
    #[must_use]
    pub fn new(point: &EdwardsPoint) -> Self {
        with_field!(F => prepare::<F>(&point.unpack()))
    }

    /// \[a]A + \[b]B for the base point B, in variable time. Exact for all points: a
    /// is taken as an integer.
    #[must_use]
    pub fn vartime_double_scalar_mul_basepoint(&self, a: &Scalar, b: &Scalar) -> EdwardsPoint {
        in_lanes(VartimeMul { a, point: self, b }).unwrap_or_else(|_| {
            with_field!(F => if F::BLOCKS.is_some() {
                vartime_mul_in_frame::<F>(a, self, b)
            } else {
                vartime_straus_in_memory::<F>(&vartime_terms(a, self, b)[..]).pack()
            })
        })
    }

    /// The encoding of \[a]A + \[b]B for the base point B, in variable time.
    #[must_use]
    pub fn vartime_double_scalar_mul_basepoint_compress(
        &self,
        a: &Scalar,
        b: &Scalar,
    ) -> CompressedEdwardsY {
        let point = self.vartime_double_scalar_mul_basepoint(a, b);
        with_field!(F => {
            let point = point.unpack::<F>();
            let inverse = vartime_invert(&point.z);
            CompressedEdwardsY(decode::encode_with_inverse(&point.x, &point.y, &inverse))
        })
    }
}

impl core::fmt::Debug for VartimePreparedPoint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("VartimePreparedPoint")
            .finish_non_exhaustive()
    }
}
