//! The Montgomery curve: curve25519 of RFC 7748. Points are given by their u coordinate alone.

use core::hash::{Hash, Hasher};
use core::ops::{Mul, MulAssign};

use lanner_curve::montgomery as inner;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use crate::edwards::EdwardsPoint;
use crate::scalar::Scalar;
use crate::traits::Identity;

/// A u coordinate, on the curve or its twist: 32 little-endian bytes, whose highest bit is ignored (RFC 7748, section 5).
///
/// `==` and `Hash` are of coordinates modulo 2^255 - 19; `==` is in constant time.
#[derive(Clone, Copy, Debug, Default)]
pub struct MontgomeryPoint(pub [u8; 32]);

impl MontgomeryPoint {
    fn inner(&self) -> inner::MontgomeryPoint {
        inner::MontgomeryPoint(self.0)
    }

    /// The u coordinate of \[scalar]B for the base point, u = 9. Constant time.
    pub fn mul_base(scalar: &Scalar) -> Self {
        inner::MontgomeryPoint::mul_base(&scalar.0).into()
    }

    /// \[n]P, where n is the integer that `bytes` clamp to: X25519. Constant time.
    pub fn mul_clamped(self, bytes: [u8; 32]) -> Self {
        self.inner().mul_clamped(bytes).into()
    }

    /// \[n]B, where n is the integer that `bytes` clamp to. Constant time.
    pub fn mul_base_clamped(bytes: [u8; 32]) -> Self {
        inner::MontgomeryPoint::mul_base_clamped(bytes).into()
    }

    /// \[n]P for the bits of n, most significant first. Constant time in the values of the bits, not in their number.
    pub fn mul_bits_be(&self, bits: impl Iterator<Item = bool>) -> MontgomeryPoint {
        self.inner().mul_bits_be(bits).into()
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 32 bytes.
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The point of the Edwards curve whose x has the sign `sign`, 0 or 1 (RFC 7748, section 4.1); `None` if the
    /// coordinate belongs to the twist.
    pub fn to_edwards(&self, sign: u8) -> Option<EdwardsPoint> {
        self.inner().to_edwards(sign).map(EdwardsPoint)
    }
}

impl From<inner::MontgomeryPoint> for MontgomeryPoint {
    fn from(point: inner::MontgomeryPoint) -> Self {
        MontgomeryPoint(point.0)
    }
}

impl From<MontgomeryPoint> for inner::MontgomeryPoint {
    fn from(point: MontgomeryPoint) -> Self {
        point.inner()
    }
}

impl ConstantTimeEq for MontgomeryPoint {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.inner().ct_eq(&other.inner())
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
        self.inner().hash(state);
    }
}

impl ConditionallySelectable for MontgomeryPoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        inner::MontgomeryPoint::conditional_select(&a.inner(), &b.inner(), choice).into()
    }
}

impl Identity for MontgomeryPoint {
    /// u = 0, which stands for the point at infinity too.
    fn identity() -> Self {
        MontgomeryPoint([0; 32])
    }
}

impl Zeroize for MontgomeryPoint {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Mul<&Scalar> for &MontgomeryPoint {
    type Output = MontgomeryPoint;

    #[expect(clippy::op_ref, reason = "by value, the secret would be copied")]
    fn mul(self, scalar: &Scalar) -> MontgomeryPoint {
        (&self.inner() * &scalar.0).into()
    }
}

impl Mul<&MontgomeryPoint> for &Scalar {
    type Output = MontgomeryPoint;

    fn mul(self, point: &MontgomeryPoint) -> MontgomeryPoint {
        point * self
    }
}

by_value!(Mul::mul: MontgomeryPoint, Scalar => MontgomeryPoint);
by_value!(Mul::mul: Scalar, MontgomeryPoint => MontgomeryPoint);

assigning! {
    MulAssign::mul_assign: MontgomeryPoint, Scalar, *;
}
