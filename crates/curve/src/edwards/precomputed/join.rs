//! Joining the parts of a sum, each of which counts a power of two more than the one before.
//!
//! That is one long chain of doublings, which four lanes do faster than single elements where they are fast.

use super::niels::PackedNiels;
use super::quad::QuadPoint;
use crate::backend::{InLanes, Kind};
use crate::edwards::EdwardsPoint;
use crate::edwards::models::Extended;
use crate::edwards::straus::{AddedTo, PointAccumulator};
use crate::field::Field;
use crate::field::lanes::{Engine, MAX_LANES};

/// The sum of 2^(shift j) times point j.
pub(super) struct VartimeJoin<'a> {
    pub(super) points: &'a [EdwardsPoint; MAX_LANES],
    pub(super) shift: u32,
}

impl VartimeJoin<'_> {
    #[inline(always)]
    pub(super) fn sum<F: Field, A: PointAccumulator<F>>(&self) -> EdwardsPoint
    where
        [PackedNiels]: AddedTo<A>,
    {
        let mut points = [Extended::<F>::IDENTITY; MAX_LANES];
        let mut len = 0;
        for (i, point) in self.points.iter().enumerate() {
            points[i] = point.unpack();
            if !bool::from(point.is_neutral()) {
                len = i + 1;
            }
        }
        let points = Extended::vartime_pack_niels(&points);
        let mut sum = A::identity();
        for i in (0..len).rev() {
            sum = points[..].add(sum, i);
            if i > 0 {
                for _ in 0..self.shift {
                    sum = sum.double();
                }
            }
        }
        sum.to_point().pack()
    }
}

impl InLanes for VartimeJoin<'_> {
    type Output = EdwardsPoint;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        // Doublings in four lanes of AVX2 are level with single ones.
        kind.wide || !kind.fast_field
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> EdwardsPoint {
        self.sum::<E::Field, QuadPoint<E::Quad>>()
    }
}
