//! The points of small order, and the tests for them.
//!
//! The points of the curve are a cyclic group of order 8L: a point is a component of the prime
//! order L plus one of the eight points of [`EIGHT_TORSION`]. Multiplying by L tells which component
//! there is, and costs a scalar multiplication (`mul_by_order`); in variable time two exponentiations
//! tell whether there is any (`characters`).

use super::EdwardsPoint;
use super::models::Extended;
use crate::backend::{with_field, with_portable_field};
use crate::field::{Arithmetic, Field, Packed};
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

/// Whether \[8]P is the neutral element: XY(X^2 + Y^2) = 0.
///
/// A double has x = 2xy / (1 + dx^2y^2) and y = (x^2 + y^2) / (1 - dx^2y^2), where no denominator is 0. \[8]P is neutral
/// where \[4]P is (0, 1) or (0, -1), the only points with x = 0; so where \[2]P has x = 0 or y = 0.
#[inline(always)]
pub(super) fn is_small_order<F: Arithmetic>(point: &Extended<F>) -> F::Mask {
    let circle = F::carry(&F::square(&point.x).add(&F::square(&point.y)));
    point.x.equal(&F::ZERO) | point.y.equal(&F::ZERO) | circle.equal(&F::ZERO)
}

/// \[L]P. The bits of L are public: the same operations for every point.
#[inline]
pub(super) fn mul_by_order<F: Field>(point: &Extended<F>) -> Extended<F> {
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

impl EdwardsPoint {
    /// 8 times the point: it clears the small-order component.
    #[must_use]
    pub fn mul_by_cofactor(&self) -> Self {
        with_field!(F => mul_by_cofactor::<F>(&self.unpack()).pack())
    }

    /// Whether the order of the point divides 8.
    #[must_use]
    pub fn is_small_order(&self) -> bool {
        with_portable_field!(F => Choice::from(is_small_order::<F>(&self.unpack())).into())
    }

    /// Whether the point is in the subgroup of prime order L, that is, has no
    /// small-order component. The neutral element is.
    ///
    /// Costs about as much as a scalar multiplication.
    #[must_use]
    pub fn is_torsion_free(&self) -> bool {
        with_field!(F => mul_by_order::<F>(&self.unpack()).is_identity().into())
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
