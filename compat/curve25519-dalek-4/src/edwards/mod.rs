//! The Edwards curve: edwards25519 of RFC 8032.

mod compressed;
#[cfg(feature = "group")]
mod group;
#[cfg(feature = "alloc")]
mod multiscalar;
#[cfg(feature = "group")]
mod subgroup;
#[cfg(feature = "precomputed-tables")]
mod table;

use core::borrow::Borrow;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use lanner_curve::edwards as inner;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use crate::montgomery::MontgomeryPoint;
use crate::scalar::Scalar;
use crate::traits::Identity;

pub use compressed::CompressedEdwardsY;
#[cfg(feature = "alloc")]
pub use multiscalar::VartimeEdwardsPrecomputation;
#[cfg(feature = "group")]
pub use subgroup::SubgroupPoint;
#[cfg(feature = "precomputed-tables")]
pub use table::{
    EdwardsBasepointTable, EdwardsBasepointTableRadix16, EdwardsBasepointTableRadix32,
    EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256,
};

/// A point of the curve. `==` compares points in constant time.
#[derive(Clone, Copy, Default)]
pub struct EdwardsPoint(pub(crate) inner::EdwardsPoint);

newtype!(EdwardsPoint, inner::EdwardsPoint);
negation!(EdwardsPoint);

binary! {
    Add::add: EdwardsPoint, EdwardsPoint => EdwardsPoint;
    Sub::sub: EdwardsPoint, EdwardsPoint => EdwardsPoint;
    Mul::mul: EdwardsPoint, Scalar => EdwardsPoint;
    Mul::mul: Scalar, EdwardsPoint => EdwardsPoint;
}

assigning! {
    AddAssign::add_assign: EdwardsPoint, EdwardsPoint, +;
    SubAssign::sub_assign: EdwardsPoint, EdwardsPoint, -;
    MulAssign::mul_assign: EdwardsPoint, Scalar, *;
}

impl EdwardsPoint {
    /// The point of the Montgomery curve: u = (1 + y)/(1 - y) (RFC 7748, section 4.1); u = 0 for the neutral element.
    pub fn to_montgomery(&self) -> MontgomeryPoint {
        self.0.to_montgomery().into()
    }

    /// The 32-byte encoding: y, with the sign of x in the top bit (RFC 8032, section 5.1.2).
    pub fn compress(&self) -> CompressedEdwardsY {
        self.0.compress().into()
    }

    /// \[scalar]B for the base point B. Constant time.
    pub fn mul_base(scalar: &Scalar) -> Self {
        EdwardsPoint(inner::EdwardsPoint::mul_base(&scalar.0))
    }

    /// \[n]P, where n is the integer that `bytes` clamp to (RFC 7748, section 5), not reduced. Constant time.
    pub fn mul_clamped(self, bytes: [u8; 32]) -> Self {
        EdwardsPoint(self.0.mul_clamped(bytes))
    }

    /// \[n]B, where n is the integer that `bytes` clamp to. Constant time.
    pub fn mul_base_clamped(bytes: [u8; 32]) -> Self {
        EdwardsPoint(inner::EdwardsPoint::mul_base_clamped(bytes))
    }

    /// \[a]A + \[b]B for the base point B. Variable time.
    #[allow(non_snake_case)]
    pub fn vartime_double_scalar_mul_basepoint(
        a: &Scalar,
        A: &EdwardsPoint,
        b: &Scalar,
    ) -> EdwardsPoint {
        EdwardsPoint(inner::EdwardsPoint::vartime_double_scalar_mul_basepoint(
            &a.0, &A.0, &b.0,
        ))
    }

    /// \[8]P: it clears the component of small order.
    pub fn mul_by_cofactor(&self) -> EdwardsPoint {
        EdwardsPoint(self.0.mul_by_cofactor())
    }

    /// Whether the order of the point divides 8.
    pub fn is_small_order(&self) -> bool {
        self.0.is_small_order()
    }

    /// Whether the point has no component of small order. The neutral element has none.
    pub fn is_torsion_free(&self) -> bool {
        self.0.is_torsion_free()
    }

    /// Maps the first half of a hash to the curve by Elligator 2, and clears the component of small order.
    ///
    /// The points are not uniform: this is no hash to the curve.
    #[cfg(feature = "digest")]
    #[deprecated(since = "4.0.0", note = "this is not a secure hash function")]
    pub fn nonspec_map_to_curve<D>(bytes: &[u8]) -> EdwardsPoint
    where
        D: digest::Digest<OutputSize = digest::generic_array::typenum::U64> + Default,
    {
        use lanner_curve::montgomery::MontgomeryPoint;

        let hash = D::new_with_prefix(bytes).finalize();
        let half = hash.first_chunk().expect("64 is more than 32");
        let point = MontgomeryPoint::map_to_point_unbounded(half)
            .to_edwards(half[31] >> 7)
            .expect("Elligator 2 gives points of the curve");
        EdwardsPoint(point.mul_by_cofactor())
    }
}

impl Identity for EdwardsPoint {
    fn identity() -> Self {
        EdwardsPoint::default()
    }
}

impl<T: Borrow<EdwardsPoint>> Sum<T> for EdwardsPoint {
    fn sum<I: Iterator<Item = T>>(points: I) -> Self {
        points.fold(EdwardsPoint::default(), |sum, point| sum + point.borrow())
    }
}
