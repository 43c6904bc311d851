//! Builds without tables of multiples of the base point B: they are computed, for small binaries.
//!
//! `precomputed` has the same functions for builds with tables.

use super::base_each::Multiples;
#[cfg(feature = "alloc")]
use super::models::Extended;
use super::multiples::{CachedMultiples, InMemory};
use super::straus::AddedTo;
use super::{EdwardsPoint, GroupEquation, digits, double_base, variable_base};
use crate::backend::with_field;
use crate::constants::ED25519_BASEPOINT_POINT;
use crate::field::Field;
#[cfg(feature = "alloc")]
use crate::field::lanes::MAX_LANES;
use lanner_simd::stack::cleared;

/// How deep on the stack [`mul_base`] goes, whatever the representation.
const MUL_BASE_DEPTH: usize = 4224;

/// The odd multiples of B.
#[inline]
pub(super) fn base_multiples<F: Field>() -> impl for<'s> AddedTo<InMemory<'s, F>> {
    CachedMultiples::new(&ED25519_BASEPOINT_POINT.unpack())
}

/// Without lanes, which would be code for each backend.
#[inline(always)]
pub(super) fn mul_in_lanes(_: &EdwardsPoint, _: &[i8; 64]) -> Option<EdwardsPoint> {
    None
}

/// \[n]B for n below 2^255, as little-endian bytes. Constant time.
#[inline]
pub(super) fn mul_base(n: &[u8; 32]) -> EdwardsPoint {
    let digits = digits(n);
    cleared::<MUL_BASE_DEPTH, _>(
        || with_field!(F => variable_base::mul::<F>(&ED25519_BASEPOINT_POINT.unpack(), &digits).pack()),
    )
}

/// \[a]B and \[b]B, one after the other. Constant time.
#[inline]
pub(super) fn mul_base_pair(a: &[u8; 32], b: &[u8; 32]) -> [EdwardsPoint; 2] {
    [a, b].map(mul_base)
}

/// Multiples are computed one after the other.
#[inline(always)]
pub(super) fn mul_base_each<'a>(
    _: &[&[u8; 32]],
    multiples: Multiples<'a>,
) -> Result<(), Multiples<'a>> {
    Err(multiples)
}

/// \[S]B - R - \[k]A. To halve the scalar of B would take multiples of 2^128 B, which cost as many doublings as they
/// save where no table has them.
#[inline(always)]
pub(super) fn vartime_defect(equation: &GroupEquation) -> EdwardsPoint {
    let GroupEquation { s, r, k, a } = equation;
    with_field!(F => {
        let sum = double_base::vartime_mul::<F>(k, &a.unpack().neg(), s);
        sum.sub(&r.unpack().to_cached()).to_extended().pack()
    })
}

/// Equations are decided one after the other.
#[inline(always)]
pub(super) fn vartime_each(
    _: &[GroupEquation],
    _cofactored: bool,
    _otherwise: fn(&GroupEquation, bool) -> bool,
    _verdicts: &mut [bool],
) -> bool {
    false
}

/// The sum of 2^(shift j) times point j, for the points up to the last that is not the neutral element.
#[cfg(feature = "alloc")]
pub(super) fn vartime_join(points: &[EdwardsPoint; MAX_LANES], shift: u32) -> EdwardsPoint {
    with_field!(F => {
        let mut sum = Extended::<F>::IDENTITY;
        for point in points.iter().rev() {
            if !bool::from(sum.is_identity()) {
                let mut double = sum.double();
                for _ in 1..shift {
                    double = double.to_projective().double();
                }
                sum = double.to_extended();
            }
            sum = sum.add(&point.unpack().to_cached()).to_extended();
        }
        sum.pack()
    })
}
