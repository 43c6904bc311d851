//! What is done with the generated tables of multiples of the base point.
//!
//! `computed` has the same functions for builds without tables.

mod basepoint_tables;
mod each;
mod fixed_base;
mod fixed_base_each;
mod half_size;
mod in_frame;
#[cfg(feature = "alloc")]
mod join;
mod prepared;
mod prepared_each;
mod quad;
mod variable_base;

pub use basepoint_tables::{
    EdwardsBasepointTable, EdwardsBasepointTableRadix16, EdwardsBasepointTableRadix32,
    EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256,
};
pub use prepared::VartimePreparedPoint;

use super::base_each::Multiples;
#[cfg(feature = "alloc")]
use super::models::Completed;
use super::multiples::InMemory;
use super::niels;
use super::straus::AddedTo;
use super::{EdwardsPoint, GroupEquation, digits};
use crate::backend::{
    HAS_FIAT, in_lanes, with_field, with_field_beside_lanes, with_portable_field,
};
use crate::field::Field;
#[cfg(feature = "alloc")]
use crate::field::lanes::MAX_LANES;
use crate::scalar::recode::signed_radix;
use crate::tables::BASE_ODD;
use lanner_simd::stack::cleared;
use zeroize::Zeroizing;

/// How deep on the stack [`mul_base`] goes without lanes, whatever the representation.
const MUL_BASE_DEPTH: usize = if HAS_FIAT { 3008 } else { 2816 };

/// The odd multiples of B.
#[inline(always)]
pub(super) fn base_multiples<F: Field>() -> impl for<'s> AddedTo<InMemory<'s, F>> {
    &BASE_ODD[..]
}

/// \[n]P for the digits of n in radix 16, where lanes have it; the backend's choice. Constant time.
#[inline(always)]
pub(super) fn mul_in_lanes(point: &EdwardsPoint, digits: &[i8; 64]) -> Option<EdwardsPoint> {
    in_lanes(variable_base::Mul { point, digits }).ok()
}

/// \[n]B for n below 2^255, as little-endian bytes. Constant time.
#[inline]
pub(super) fn mul_base(n: &[u8; 32]) -> EdwardsPoint {
    let digits = digits(n);
    if let Ok(point) = in_lanes(fixed_base::MulBase(&digits)) {
        return point;
    }
    cleared::<MUL_BASE_DEPTH, _>(|| with_field!(F => fixed_base::mul_base::<F>(&digits).pack()))
}

/// \[a]B and \[b]B for a and b below 2^255, as little-endian bytes, in one pass where the backend
/// has vectors. Constant time.
#[inline]
pub(super) fn mul_base_pair(a: &[u8; 32], b: &[u8; 32]) -> [EdwardsPoint; 2] {
    let mut pair = Zeroizing::new([[0; 64]; 2]);
    for (digits, n) in pair.iter_mut().zip([a, b]) {
        signed_radix::<4, 64>(n, digits);
    }
    if let Ok(points) = in_lanes(fixed_base::MulBasePair(&pair)) {
        return points;
    }
    [a, b].map(mul_base)
}

/// \[n]B for the integers of a group, each below 2^255 as little-endian bytes, side by side; or the places back, if
/// that is not faster here than one after the other. Constant time in all but their number.
#[inline]
pub(super) fn mul_base_each<'a>(
    n: &[&[u8; 32]],
    multiples: Multiples<'a>,
) -> Result<(), Multiples<'a>> {
    let digits = fixed_base_each::Digits::new(n);
    in_lanes(fixed_base_each::MulBaseEach {
        digits: &digits,
        multiples,
    })
    .map_err(|operation| operation.multiples)
}

/// A multiple of \[S]B - R - \[k]A by a number that has no common factor with 8L.
pub(super) fn vartime_defect(equation: &GroupEquation) -> EdwardsPoint {
    let halved = in_lanes(half_size::VartimeDefect(equation)).unwrap_or_else(|_| {
        with_field_beside_lanes!(F => if F::BLOCKS.is_some() {
            half_size::vartime_defect_in_frame::<F>(equation)
        } else {
            half_size::vartime_defect_in_memory::<F>(equation)
        })
    });
    halved
        .unwrap_or_else(|| with_portable_field!(F => half_size::vartime_full_defect::<F>(equation)))
}

/// The sum of 2^(shift j) times point j, for the points up to the last that is not the neutral element.
#[cfg(feature = "alloc")]
pub(super) fn vartime_join(points: &[EdwardsPoint; MAX_LANES], shift: u32) -> EdwardsPoint {
    in_lanes(join::VartimeJoin { points, shift })
        .unwrap_or_else(|join| with_field!(F => join.sum::<F, Completed<F>>()))
}

/// The verdicts on equations side by side, or `false` if that is not faster here than one after
/// the other. `otherwise` decides an equation whose k has no pair of half-size numbers.
pub(super) fn vartime_each(
    equations: &[GroupEquation],
    cofactored: bool,
    otherwise: fn(&GroupEquation, bool) -> bool,
    verdicts: &mut [bool],
) -> bool {
    in_lanes(each::VartimeEach {
        equations,
        cofactored,
        otherwise,
        verdicts,
    })
    .is_ok()
}
