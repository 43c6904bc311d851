//! The points of small order, and the tests for them.
//!
//! The points of the curve E are a cyclic group of order 8L: a point is a component of the prime
//! order L plus one of the eight points of [`EIGHT_TORSION`].
//!
//! ```text
//!    E  ────────────────►  [2]E  ────────────────────────►  [8]E
//! 8L points  is P = [2]Q?   4L     is Q in [4]E, for any Q?    L points
//! ```
//!
//! Multiplying by L tells which component there is, and costs a scalar multiplication
//! (`mul_by_order`). In variable time at most four exponentiations tell, on the Montgomery curve
//! v^2 = u^3 + A u^2 + u, whose one rational point of order 2 is (0, 0):
//!
//! 1. [`vartime_halve`]. A point (u, v) is twice another exactly if u is a square (Pornin, eprint
//!    2022/1164, halves points of Edwards curves by the same descent). With w^2 = u, exactly one
//!    of A + 2u + 2v/w and A + 2u - 2v/w is a square s^2, because their product A^2 - 4 is none:
//!    one exponentiation gives s. A half is Q = (x, x s) with x = (s^2 - A)/2 - s w. Which of
//!    the two roots are taken for w and s changes Q by its sign or by (0, 0), and both keep Q in
//!    \[4]E or out of it.
//! 2. [`Half::vartime_pairing_is_one`]. Q is in \[4]E exactly if its Tate pairing with the point
//!    T = (1, sqrt(A + 2)) of order 4 is 1 (Koshelev, eprint 2022/037). The function with divisor
//!    4(T) - 4(0) is (v - sqrt(A + 2) u)^2 / u, so that means: x is a square r^2, and
//!    r (s - sqrt(A + 2)) is one too.
//!
//! P = \[2]Q is then in \[8]E, the subgroup of order L. Field elements are carried between the
//! steps; sums that go straight into a product are not.

use super::EdwardsPoint;
use super::models::Extended;
use crate::backend::with_field;
use crate::field::chains::{sqrt_ratio, vartime_is_square, vartime_sqrt_ratio_or_inverse};
use crate::field::{Field, Packed};
use crate::scalar::L;
use subtle::Choice;

/// The points whose order divides 8: `EIGHT_TORSION[i]` is i times the point
/// `EIGHT_TORSION[1]` of order 8.
pub const EIGHT_TORSION: [EdwardsPoint; 8] = {
    const X1: Packed = Packed([
        0xdea14646c545d14a,
        0x5c193c7013e5e238,
        0xe933993238de4abb,
        0x1fd5b9a006394a28,
    ]);
    const Y1: Packed = Packed([
        0x4fd84d3d706a17c7,
        0x0f67100d760b3cba,
        0xc6cc392cfa53202a,
        0x7a03ac9277fdc74e,
    ]);
    const T1: Packed = Packed([
        0x2d0d253ede7e8781,
        0xba993d74cdfa8596,
        0x303276d192f8af0a,
        0x6ce244c360a26beb,
    ]);
    const I: Packed = Packed(crate::field::packed::SQRT_M1);
    const fn affine(x: Packed, y: Packed, t: Packed) -> EdwardsPoint {
        EdwardsPoint {
            x,
            y,
            z: Packed::ONE,
            t,
        }
    }
    [
        affine(Packed::ZERO, Packed::ONE, Packed::ZERO),
        affine(X1, Y1, T1),
        affine(I.neg(), Packed::ZERO, Packed::ZERO),
        affine(X1, Y1.neg(), T1.neg()),
        affine(Packed::ZERO, Packed::ONE.neg(), Packed::ZERO),
        affine(X1.neg(), Y1.neg(), T1),
        affine(I, Packed::ZERO, Packed::ZERO),
        affine(X1.neg(), Y1, T1.neg()),
    ]
};

/// \[8]P.
#[inline]
pub(super) fn mul_by_cofactor<F: Field>(point: &Extended<F>) -> Extended<F> {
    point
        .double()
        .to_projective()
        .double()
        .to_projective()
        .double()
        .to_extended()
}

/// \[L]P. The bits of L are public: the same operations for every point.
#[inline]
fn mul_by_order<F: Field>(point: &Extended<F>) -> Extended<F> {
    let cached = point.to_cached();
    // Bit 252 is the top one.
    let mut sum = *point;
    for bit in (0..252).rev() {
        let doubled = sum.double();
        sum = doubled.to_extended();
        if L[bit / 64] >> (bit % 64) & 1 == 1 {
            sum = sum.add(&cached).to_extended();
        }
    }
    sum
}

/// A half Q = (x, x s) of a point, on the Montgomery curve.
struct Half<F> {
    x: F,
    s: F,
}

/// A half of a point with X != 0, or `None` if the point is not twice another.
#[inline(always)]
fn vartime_halve<F: Field>(point: &Extended<F>) -> Option<Half<F>> {
    let (sum, difference) = (point.z.add(&point.y), point.z.sub(&point.y));
    // u = (Z + Y)/(Z - Y) = w^2.
    let (is_square, w) = sqrt_ratio(&F::carry(&sum), &F::carry(&difference));
    if !bool::from(Choice::from(is_square)) {
        return None;
    }
    let a = F::from_frozen(&MONTGOMERY_A);
    let u = F::square(&w);
    let two_u = F::carry(&u.add(&u));
    // v = sqrt(-(A + 2)) u / x, so v/w = sqrt(-(A + 2)) w Z / X. Both sums times X:
    let first = F::mul(&a.add(&two_u), &point.x);
    let v_over_w = F::mul(&F::mul(&F::from_frozen(&SQRT_MINUS_A_PLUS_2), &w), &point.z);
    let second = F::carry(&v_over_w.add(&v_over_w));
    let (_, s) = vartime_sqrt_ratio_or_inverse(
        &F::carry(&first.add(&second)),
        &point.x,
        &F::from_frozen(&SQRT_A_SQUARED_MINUS_4_I),
    );
    let sw = F::mul(&s, &w);
    let doubled = F::sub_loose(&F::square(&s).sub(&a), &sw.add(&sw));
    let x = F::mul(&doubled, &F::from_frozen(&HALF));
    Some(Half { x, s })
}

impl<F: Field> Half<F> {
    /// Whether the Tate pairing of Q and T is 1.
    #[inline(always)]
    fn vartime_pairing_is_one(&self) -> bool {
        let (is_square, r) = sqrt_ratio(&self.x, &F::ONE);
        bool::from(Choice::from(is_square))
            && vartime_is_square(&F::mul(&r, &self.s.sub(&F::from_frozen(&SQRT_A_PLUS_2))))
    }
}

/// Whether the point is in the subgroup of order L, in variable time.
#[inline]
fn vartime_is_torsion_free<F: Field>(point: &Extended<F>) -> bool {
    if point.x.to_packed().is_zero().into() {
        // The neutral element, or the point of order 2.
        return point.is_identity().into();
    }
    vartime_halve(point).is_some_and(|half| half.vartime_pairing_is_one())
}

/// A = 486662 of the Montgomery curve.
const MONTGOMERY_A: Packed = Packed([486_662, 0, 0, 0]);

/// A square root of A + 2.
const SQRT_A_PLUS_2: Packed = Packed([
    0x165db7106377bbd8,
    0x9ca5ee38d7b56c9c,
    0x3de05885280b5910,
    0x141b0b6806563d50,
]);

/// A square root of -(A + 2).
const SQRT_MINUS_A_PLUS_2: Packed = Packed([
    0xcc6e04aaff457e06,
    0xc5a1d3d14b7d1a82,
    0xd27b08dc03fc4f7e,
    0x0f26edf460a006bb,
]);

/// A square root of (A^2 - 4) sqrt(-1).
const SQRT_A_SQUARED_MINUS_4_I: Packed = Packed([
    0x00bc8befa14b6386,
    0x67c6a19ec5a686cc,
    0xe7cc1e9ccf03a648,
    0x797f018b3b0eebf0,
]);

/// 1/2 = (p + 1) / 2.
const HALF: Packed = Packed([u64::MAX - 8, u64::MAX, u64::MAX, u64::MAX >> 2]);

impl EdwardsPoint {
    /// 8 times the point: it clears the small-order component.
    #[must_use]
    pub fn mul_by_cofactor(&self) -> Self {
        with_field!(F => mul_by_cofactor::<F>(&self.unpack()).pack())
    }

    /// Whether the order of the point divides 8.
    #[must_use]
    pub fn is_small_order(&self) -> bool {
        with_field!(F => mul_by_cofactor::<F>(&self.unpack()).is_identity().into())
    }

    /// Whether the point is in the subgroup of prime order L, that is, has no
    /// small-order component. The neutral element is.
    ///
    /// Costs about as much as a scalar multiplication.
    #[must_use]
    pub fn is_torsion_free(&self) -> bool {
        with_field!(F => mul_by_order::<F>(&self.unpack()).is_identity().into())
    }

    /// Whether the point is in the subgroup of prime order L, that is, has no small-order
    /// component, in variable time: about half of the time of
    /// [`is_torsion_free`](Self::is_torsion_free).
    ///
    /// ```
    /// use lanner_curve::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
    ///
    /// assert!(ED25519_BASEPOINT_POINT.vartime_is_torsion_free());
    /// assert!(!(ED25519_BASEPOINT_POINT + EIGHT_TORSION[4]).vartime_is_torsion_free());
    /// ```
    #[must_use]
    pub fn vartime_is_torsion_free(&self) -> bool {
        with_field!(F => vartime_is_torsion_free::<F>(&self.unpack()))
    }

    /// The number t in 0..8 such that the point is `EIGHT_TORSION[t]` plus a point
    /// of the subgroup of order L. Runs in variable time.
    #[must_use]
    pub fn vartime_torsion_index(&self) -> u8 {
        // [L]P clears the component of order L, and L mod 8 = 5 is its own
        // inverse: [L]P = EIGHT_TORSION[5 t mod 8].
        let residue = with_field!(F => mul_by_order::<F>(&self.unpack()).pack());
        let index = EIGHT_TORSION.iter().position(|torsion| *torsion == residue);
        (5 * index.expect("[L]P has an order that divides 8") % 8) as u8
    }
}
