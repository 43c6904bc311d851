//! The Montgomery curve v^2 = u^3 + 486662 u^2 + u over the integers mod
//! p = 2^255 - 19: curve25519 of RFC 7748, the curve of X25519. Points are given by
//! their u-coordinate alone.

pub(crate) mod elligator2;
mod ladder;
#[cfg(feature = "serde")]
mod serialize;

use crate::backend::{HAS_FIAT, in_lanes, with_field};
use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::field::lanes::MAX_LANES;
use crate::field::{Arithmetic, Field, Packed, chains::invert};
use crate::operators::by_value;
use crate::scalar::{Scalar, clamp_in_place};
use crate::traits::Identity;
use core::hash::{Hash, Hasher};
use core::ops::{Mul, MulAssign};
use ladder::{Ladder, Ladders};
use lanner_simd::stack::cleared;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

/// How deep on the stack a ladder without lanes goes, whatever the representation, and whatever is inlined.
const LADDER_DEPTH: usize = 3840;
/// How deep the frames are that call it, and that hold the scalar or the product.
const CALLER_DEPTH: usize = 320;

/// Pairs that are multiplied together, because the clamped copies are on the stack: two vectors share an inversion.
const GROUP: usize = 2 * MAX_LANES;

/// With fewer in a vector, ladders are as fast one by one.
const ENOUGH: usize = 3;

/// How deep copies of scalars and products are left where a group is multiplied: in builds for size, which copy more of them.
const GROUP_DEPTH: usize = CALLER_DEPTH + 32 * GROUP + 2816;
/// How deep the conversion of a point goes.
const CONVERSION_DEPTH: usize = if cfg!(not(feature = "precomputed-tables")) {
    3264
} else if HAS_FIAT {
    1408
} else {
    1152
};

/// A u-coordinate, on the curve or its twist: 32 little-endian bytes, whose
/// highest bit is ignored (RFC 7748, section 5).
///
/// Equality and hashing are of coordinates mod p, not of bytes; equality is in
/// constant time.
#[derive(Clone, Copy, Debug, Default)]
pub struct MontgomeryPoint(pub [u8; 32]);

impl MontgomeryPoint {
    /// The u-coordinate of \[a]B for the base point B, u = 9.
    #[must_use]
    pub fn mul_base(scalar: &Scalar) -> Self {
        cleared::<CONVERSION_DEPTH, _>(|| EdwardsPoint::mul_base(scalar).to_montgomery())
    }

    /// \[n]P, where n is the integer that `bytes` clamp to: X25519 of RFC 7748,
    /// section 5. The result is 0 exactly if the order of P divides 8.
    #[must_use]
    pub fn mul_clamped(self, mut bytes: [u8; 32]) -> Self {
        clamp_in_place(&mut bytes);
        let product = cleared::<CALLER_DEPTH, _>(|| self.mul_integer(&bytes, 3));
        bytes.zeroize();
        product
    }

    /// \[n]B, where n is the integer that `bytes` clamp to; with the tables of the
    /// Edwards curve, and so faster than `X25519_BASEPOINT.mul_clamped`.
    #[must_use]
    pub fn mul_base_clamped(bytes: [u8; 32]) -> Self {
        cleared::<CONVERSION_DEPTH, _>(|| EdwardsPoint::mul_base_clamped(bytes).to_montgomery())
    }

    /// \[n]P for the bits of n, most significant first. Constant time in the values
    /// of the bits, not in their number.
    #[must_use]
    pub fn mul_bits_be(&self, bits: impl Iterator<Item = bool>) -> Self {
        cleared::<CALLER_DEPTH, _>(|| self.ladder(bits, 0))
    }

    /// \[2^doublings n]P for the bits of n.
    fn ladder(&self, bits: impl Iterator<Item = bool>, doublings: u32) -> Self {
        let ladder = Ladder {
            u: &Packed::from_bytes(&self.0),
            bits: bits.map(|bit| Choice::from(u8::from(bit))),
            doublings,
        };
        let u = in_lanes(ladder).unwrap_or_else(|Ladder { u, bits, .. }| {
            cleared::<LADDER_DEPTH, _>(|| with_field!(F => ladder::ladder::<F>(u, bits, doublings)))
        });
        Self(u.to_bytes())
    }

    /// \[n]P for each pair of a point P and the integer n that its bytes clamp to, as
    /// [`mul_clamped`](Self::mul_clamped). Constant time in all but the number of pairs.
    ///
    /// Where the processor has vectors that are wide enough, pairs are computed side by side,
    /// and each costs a fraction of a single one.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_curve::montgomery::MontgomeryPoint;
    ///
    /// let scalars = [[1; 32], [2; 32]];
    /// let points = scalars.map(MontgomeryPoint::mul_base_clamped);
    /// let mut products = [MontgomeryPoint::default(); 2];
    /// MontgomeryPoint::mul_clamped_each(&scalars, &[points[1], points[0]], &mut products);
    /// assert_eq!(products[0], products[1]);
    /// ```
    pub fn mul_clamped_each(scalars: &[[u8; 32]], points: &[Self], products: &mut [Self]) {
        assert_eq!(scalars.len(), points.len());
        assert_eq!(scalars.len(), products.len());
        let mut start = 0;
        while start < scalars.len() {
            let left = scalars.len() - start;
            let len = if (MAX_LANES..MAX_LANES + ENOUGH).contains(&left) {
                MAX_LANES
            } else {
                left.min(GROUP)
            };
            let group = start..start + len;
            start += len;
            let (scalars, points) = (&scalars[group.clone()], &points[group.clone()]);
            let products = &mut products[group];
            cleared::<GROUP_DEPTH, _>(|| Self::mul_clamped_group(scalars, points, products));
        }
    }

    /// The pairs of a group.
    fn mul_clamped_group(scalars: &[[u8; 32]], points: &[Self], products: &mut [Self]) {
        let mut clamped = Zeroizing::new([[0; 32]; GROUP]);
        for (clamped, bytes) in clamped.iter_mut().zip(scalars) {
            *clamped = *bytes;
            clamp_in_place(clamped);
        }
        let ladders = Ladders {
            scalars: &clamped[..scalars.len()],
            points,
            products,
        };
        let ladders = if scalars.len() >= ENOUGH {
            match in_lanes(ladders) {
                Ok(()) => return,
                Err(ladders) => ladders,
            }
        } else {
            ladders
        };
        for ((n, point), product) in ladders.scalars.iter().zip(points).zip(ladders.products) {
            *product = point.mul_integer(n, 3);
        }
    }

    /// \[n]P for n below 2^255 with as many zeros at the end, as little-endian bytes: the three of clamped integers
    /// are three doublings in place of steps of the ladder.
    fn mul_integer(&self, n: &[u8; 32], zeros: u8) -> Self {
        let bits = (zeros..255).rev().map(usize::from);
        self.ladder(bits.map(|i| n[i / 8] >> (i % 8) & 1 == 1), zeros.into())
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The bytes.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The corresponding point of the Edwards curve whose x has the sign `sign`, 0
    /// or 1: y = (u - 1)/(u + 1) (RFC 7748, section 4.1). `None` if the coordinate
    /// belongs to the twist. Constant time but for that.
    #[must_use]
    pub fn to_edwards(&self, sign: u8) -> Option<EdwardsPoint> {
        let u = Packed::from_bytes(&self.0);
        let mut bytes = with_field!(F => {
            let u = F::from_packed(&u);
            let (numerator, denominator) = (u.sub(&F::ONE), F::carry(&u.add(&F::ONE)));
            // For u = -1, v^2 = u^3 + 486662 u^2 + u = 486660 is no square: the twist.
            if bool::from(denominator.to_packed().is_zero()) {
                return None;
            }
            F::mul(&numerator, &invert(&denominator)).to_packed()
        })
        .to_bytes();
        bytes[31] ^= sign << 7;
        CompressedEdwardsY(bytes).decompress()
    }
}

impl ConstantTimeEq for MontgomeryPoint {
    fn ct_eq(&self, other: &Self) -> Choice {
        Packed::from_bytes(&self.0).ct_eq(&Packed::from_bytes(&other.0))
    }
}

impl PartialEq for MontgomeryPoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for MontgomeryPoint {}

impl Hash for MontgomeryPoint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal coordinates must hash alike, so hash the least representative.
        Packed::from_bytes(&self.0).to_bytes().hash(state);
    }
}

impl ConditionallySelectable for MontgomeryPoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self(core::array::from_fn(|i| {
            u8::conditional_select(&a.0[i], &b.0[i], choice)
        }))
    }
}

impl Identity for MontgomeryPoint {
    /// u = 0, which stands for the point at infinity too.
    fn identity() -> Self {
        Self([0; 32])
    }
}

impl Zeroize for MontgomeryPoint {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Mul<&Scalar> for &MontgomeryPoint {
    type Output = MontgomeryPoint;

    fn mul(self, scalar: &Scalar) -> MontgomeryPoint {
        cleared::<CALLER_DEPTH, _>(|| self.mul_integer(scalar.as_bytes(), 0))
    }
}

impl Mul<&MontgomeryPoint> for &Scalar {
    type Output = MontgomeryPoint;

    fn mul(self, point: &MontgomeryPoint) -> MontgomeryPoint {
        point * self
    }
}

by_value! {
    MontgomeryPoint:
    Mul::mul: MontgomeryPoint, Scalar;
    Mul::mul: Scalar, MontgomeryPoint;
}

impl MulAssign<&Scalar> for MontgomeryPoint {
    fn mul_assign(&mut self, scalar: &Scalar) {
        *self = *self * scalar;
    }
}

impl MulAssign<Scalar> for MontgomeryPoint {
    fn mul_assign(&mut self, scalar: Scalar) {
        *self *= &scalar;
    }
}
