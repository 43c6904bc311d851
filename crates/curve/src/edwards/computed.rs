//! Builds without tables of multiples of the base point B: they are computed, for small binaries.
//!
//! `precomputed` has the same functions for builds with tables.

use super::base_each::Multiples;
use super::models::Completed;
use super::straus::{AddedTo, PointAccumulator};
use super::{EdwardsPoint, GroupEquation, digits, variable_base};
use crate::backend::with_field;
use crate::constants::ED25519_BASEPOINT_POINT;
use crate::field::Field;
use lanner_simd::stack::cleared;

/// How deep on the stack [`mul_base`] goes, whatever the representation.
const MUL_BASE_DEPTH: usize = 3648;

/// The odd multiples of B.
#[inline]
pub(super) fn base_multiples<F: Field>() -> impl AddedTo<Completed<F>> {
    Completed::odd_multiples(&ED25519_BASEPOINT_POINT.unpack())
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

/// `None`: to halve the scalar of B takes multiples of 2^128 B, which cost as many doublings as they
/// save where no table has them.
#[inline(always)]
pub(super) fn vartime_defect(_: &GroupEquation) -> Option<EdwardsPoint> {
    None
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
