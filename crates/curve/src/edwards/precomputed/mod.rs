//! What is done with the generated tables of multiples of the base point.
//!
//! `computed` has the same functions for builds without tables.

mod each;
mod fixed_base;
mod half_size;
mod in_frame;
pub(crate) mod niels;
mod prepared;
mod quad;

pub use prepared::VartimePreparedPoint;

use super::models::Completed;
use super::straus::AddedTo;
use super::{EdwardsPoint, GroupEquation, digits};
use crate::backend::{in_lanes, with_field};
use crate::field::Field;
use crate::scalar::recode::signed_radix;
use crate::tables::BASE_ODD;
use lanner_simd::stack::cleared;
use zeroize::Zeroizing;

/// How deep on the stack [`mul_base`] goes without lanes, whatever the representation.
const MUL_BASE_DEPTH: usize = if cfg!(feature = "fiat") { 3008 } else { 2816 };

/// The odd multiples of B.
#[inline(always)]
pub(super) fn base_multiples<F: Field>() -> impl AddedTo<Completed<F>> {
    &BASE_ODD[..]
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

/// A multiple of \[S]B - R - \[k]A by a number that has no common factor with 8L, or `None` where
/// k has no pair of half-size numbers.
pub(super) fn vartime_defect(equation: &GroupEquation) -> Option<EdwardsPoint> {
    in_lanes(half_size::VartimeDefect(equation)).unwrap_or_else(|_| {
        with_field!(F => match F::BLOCKS {
            Some(blocks) => half_size::vartime_defect_in_frame::<F>(equation, blocks),
            None => half_size::vartime_defect::<F, Completed<F>>(equation),
        })
    })
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
