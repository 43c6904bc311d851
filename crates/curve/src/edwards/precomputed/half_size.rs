//! The equation of verification with scalars of half the size, in variable time (Antipa et al.
//! 2005; Pornin, eprint 2020/454).
//!
//! In the place of \[S]B - R - \[k]A a multiple of it is computed, by a number v that is invertible
//! modulo 8L, the exponent of the group: it is 0 exactly if that is, and no point of small order
//! is lost. With u = v k mod 8L, which `scalar::lattice` finds together with v, the multiple is
//!
//! ```text
//! [v S mod L]B - [v]R - [u]A              v odd, 0 < |v| < L; u and |v| mostly below 2^128
//!
//!   [w mod 2^128]B + [w >> 128](2^128 B)  w = v S mod L: two tables, of B and of 2^128 B
//!   + [|v|](∓R) + [u](-A)                 two tables that are made on the way
//! ```
//!
//! so that four terms share about 128 doublings, where the equation as it stands has two that
//! share 253.

use super::in_frame::{self, InFrame, MultiplesInWords};
use super::niels::PackedNiels;
use super::quad::{InPlace, QuadMultiples, QuadPoint};
use crate::backend::{InLanes, Kind};
use crate::bytes::words_from_bytes;
use crate::edwards::models::Extended;
use crate::edwards::multiples::{CachedMultiples, vartime_straus_in_memory};
use crate::edwards::straus::{
    Accumulator, OddMultiples, PointAccumulator, Sliding, vartime_straus, vartime_straus_from,
};
use crate::edwards::{EdwardsPoint, GroupEquation};
use crate::field::Field;
use crate::field::blocks::Blocks;
use crate::field::lanes::{Engine, Quads};
use crate::scalar::lattice::{HalfSize, vartime_half_size};
use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD};

/// u and v, and the words of v S mod L, which is the scalar of B. `None` for a k that has no
/// such pair; that includes a k that is not reduced, which counts as the integer it is.
#[inline]
pub(super) fn vartime_halves(equation: &GroupEquation) -> Option<(HalfSize, [u64; 4])> {
    let half = vartime_half_size(equation.k.as_bytes())?;
    let base = half.v_scalar() * equation.s;
    Some((half, words_from_bytes(base.as_bytes())))
}

/// \[v]\[S]B - \[v]R - \[v k]A for an invertible v, or `None` where there is no v of half the size.
#[inline(always)]
fn vartime_defect<F: Field, Q: Quads>(equation: &GroupEquation) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let (a, r) = points::<F>(equation, &half);
    let [a, r] = QuadMultiples::of_both(&a, &r);
    let ([u, v], [low, high]) = vartime_terms(&half, &base, [&a, &r], TABLES);
    let defect = vartime_straus::<QuadPoint<Q>>(&((u, v), (low, high)));
    Some(PointAccumulator::<F>::to_point(&defect).pack())
}

/// [`vartime_defect`] with a sum that stays in memory.
#[inline(always)]
fn vartime_defect_in_place<F: Field, Q: Quads>(equation: &GroupEquation) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let (a, r) = points::<F>(equation, &half);
    let (a, r) = (QuadMultiples::new(&a), QuadMultiples::new(&r));
    let mut sum = QuadPoint::<Q>::identity();
    let (made, tables) = vartime_terms(&half, &base, [&a, &r], TABLES);
    vartime_straus_from(InPlace::new(&mut sum), &(&made[..], &tables[..]));
    Some(PointAccumulator::<F>::to_point(&sum).pack())
}

/// [`vartime_defect`] with a sum that stays in memory, of single elements. A function for each representation, as below: the stack
/// would have room for the tables of all of them at once.
#[inline(never)]
pub(super) fn vartime_defect_in_memory<F: Field>(equation: &GroupEquation) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let (a, r) = points::<F>(equation, &half);
    let (a, r) = (CachedMultiples::new(&a), CachedMultiples::new(&r));
    let (made, tables) = vartime_terms(&half, &base, [&a, &r], TABLES);
    Some(vartime_straus_in_memory::<F>(&(&made[..], &tables[..])).pack())
}

/// [`vartime_defect`] by the blocks of a representation.
#[inline(never)]
pub(super) fn vartime_defect_in_frame<F: Field>(
    equation: &GroupEquation,
    blocks: &'static Blocks,
) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let (a, r) = points::<F>(equation, &half);
    let (a, r) = (MultiplesInWords::new(&a), MultiplesInWords::new(&r));
    let mut frame = in_frame::identity();
    let zero = InFrame::new(&mut frame, blocks);
    let (made, tables) = vartime_terms(&half, &base, [&a, &r], TABLES);
    let defect = vartime_straus_from(zero, &(&made[..], &tables[..]));
    Some(defect.to_point::<F>().pack())
}

/// The points that u and |v| multiply: -A and, with the sign that v asks for, R.
#[inline(always)]
fn points<F: Field>(equation: &GroupEquation, half: &HalfSize) -> (Extended<F>, Extended<F>) {
    let (r, a) = (equation.r.unpack::<F>(), equation.a.unpack::<F>());
    (a.neg(), if half.v_is_negative { r } else { r.neg() })
}

/// The odd multiples of B and of 2^128 B.
const TABLES: [&[PackedNiels]; 2] = [&BASE_ODD, &BASE_2_POW_128_ODD];

/// The four terms, given the multiples of the points and of the base point.
#[inline(always)]
fn vartime_terms<M: OddMultiples, T: OddMultiples>(
    half: &HalfSize,
    &[b0, b1, b2, b3]: &[u64; 4],
    [a, r]: [M; 2],
    [low, high]: [T; 2],
) -> ([Sliding<M>; 2], [Sliding<T>; 2]) {
    (
        [
            Sliding::vartime_new(&half.u, a),
            Sliding::vartime_new(&half.v, r),
        ],
        [
            Sliding::vartime_new(&[b0, b1], low),
            Sliding::vartime_new(&[b2, b3], high),
        ],
    )
}

/// [`vartime_defect`] in lanes.
pub(super) struct VartimeDefect<'a>(pub(super) &'a GroupEquation);

impl InLanes for VartimeDefect<'_> {
    type Output = Option<EdwardsPoint>;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.shares
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> Option<EdwardsPoint> {
        if E::Quad::IN_PLACE {
            return vartime_defect_in_place::<E::Field, E::Quad>(self.0);
        }
        vartime_defect::<E::Field, E::Quad>(self.0)
    }
}
