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
    Accumulator, OddMultiples, Sliding, vartime_straus, vartime_straus_from,
};
use crate::edwards::{EdwardsPoint, GroupEquation};
use crate::field::Field;
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
fn vartime_defect<Q: Quads>(equation: &GroupEquation) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let [a, r] = QuadMultiples::of_both(quads::<Q>(equation, &half));
    let (made, tables) = vartime_terms(&half, &base, [&a, &r], TABLES);
    let defect = if Q::SHARES_CODE {
        vartime_straus::<QuadPoint<Q>>(&(&made[..], &tables[..]))
    } else {
        let ([u, v], [low, high]) = (made, tables);
        vartime_straus::<QuadPoint<Q>>(&((u, v), (low, high)))
    };
    Some(defect.pack())
}

/// [`vartime_defect`] with a sum that stays in place.
#[inline(always)]
fn vartime_defect_in_place<Q: Quads>(equation: &GroupEquation) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let [a, r] = quads::<Q>(equation, &half);
    let (a, r) = (QuadMultiples::new(a), QuadMultiples::new(r));
    let mut sum = QuadPoint::<Q>::identity();
    let (made, tables) = vartime_terms(&half, &base, [&a, &r], TABLES);
    vartime_straus_from(InPlace::new(&mut sum), &(&made[..], &tables[..]));
    Some(sum.pack())
}

/// [`vartime_defect`] with a sum that stays in memory, of single elements. A function for each representation, as below: the stack
/// would have room for the tables of all of them at once.
#[inline(never)]
pub(super) fn vartime_defect_in_memory<F: Field>(equation: &GroupEquation) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let (a, r) = points::<F>(equation, &half);
    let [a, r] = [a, r].map(|point| CachedMultiples::new(&point));
    let (made, tables) = vartime_terms(&half, &base, [&a, &r], TABLES);
    Some(vartime_sum_in_memory(&made, &tables))
}

/// \[S]B - \[k]A - R itself, for a k that has no pair of half-size numbers: hardly any, but for those that are not reduced.
#[cold]
#[inline(never)]
pub(super) fn vartime_full_defect<F: Field>(equation: &GroupEquation) -> EdwardsPoint {
    let GroupEquation { s, r, k, a } = equation;
    let [a, r] = [a, r].map(|point| CachedMultiples::new(&point.unpack::<F>().neg()));
    let made = [
        Sliding::vartime_from_scalar(k, &a),
        Sliding::vartime_new(&[1, 0], &r),
    ];
    let tables = [Sliding::vartime_from_scalar(s, TABLES[0])];
    vartime_sum_in_memory(&made, &tables)
}

/// The sum of terms, of which some have tables that were made on the way.
#[inline(never)]
fn vartime_sum_in_memory<F: Field>(
    made: &[Sliding<&CachedMultiples<F>>],
    tables: &[Sliding<&[PackedNiels]>],
) -> EdwardsPoint {
    vartime_straus_in_memory::<F>(&(made, tables)).pack()
}

/// [`vartime_defect`] by the blocks of a representation.
#[inline(never)]
pub(super) fn vartime_defect_in_frame<F: Field>(equation: &GroupEquation) -> Option<EdwardsPoint> {
    let (half, base) = vartime_halves(equation)?;
    let (a, r) = points::<F>(equation, &half);
    let [a, r] = [a, r].map(|point| MultiplesInWords::new(&point));
    let mut frame = in_frame::identity();
    let zero = InFrame::<F>::new(&mut frame);
    let (made, tables) = vartime_terms(&half, &base, [&a, &r], TABLES);
    let defect = vartime_straus_from(zero, &(&made[..], &tables[..]));
    Some(defect.to_point().pack())
}

/// The points that u and |v| multiply: -A and, with the sign that v asks for, R.
#[inline(always)]
fn points<F: Field>(equation: &GroupEquation, half: &HalfSize) -> (Extended<F>, Extended<F>) {
    let (r, a) = (equation.r.unpack::<F>(), equation.a.unpack::<F>());
    (a.neg(), if half.v_is_negative { r } else { r.neg() })
}

/// The same in lanes.
#[inline(always)]
fn quads<Q: Quads>(equation: &GroupEquation, half: &HalfSize) -> [QuadPoint<Q>; 2] {
    let (a, r) = (QuadPoint::new(&equation.a), QuadPoint::new(&equation.r));
    [a.neg(), if half.v_is_negative { r } else { r.neg() }]
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
            return vartime_defect_in_place::<E::Quad>(self.0);
        }
        vartime_defect::<E::Quad>(self.0)
    }
}
