//! Ristretto255: a group of prime order on the Edwards curve (RFC 9496).
//!
//! The points of the Edwards curve are a group of order 8L. Protocols that were written for groups of prime order fail
//! on it in subtle ways. Ristretto255 is a group of order L: its elements are sets of four points of the curve, which
//! differ by points of small order, and each has exactly one encoding, of 32 bytes. Sums and multiples
//! are those of the Edwards points, and take the same time.
//!
//! ```
//! use lanner_curve::constants::RISTRETTO_BASEPOINT_POINT;
//! use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
//! use lanner_curve::scalar::Scalar;
//!
//! let point = RistrettoPoint::mul_base(&Scalar::from(5u64));
//! assert_eq!(point, RISTRETTO_BASEPOINT_POINT * Scalar::from(5u64));
//! let encoded: CompressedRistretto = point.compress();
//! assert_eq!(encoded.decompress(), Some(point));
//! assert_eq!(CompressedRistretto([0xff; 32]).decompress(), None);
//! ```

#[cfg(feature = "alloc")]
mod batch;
mod compressed;
mod formulas;
#[cfg(feature = "group")]
mod group;
mod inverse_map;
#[cfg(feature = "lizard")]
mod lizard;
mod map;
#[cfg(feature = "alloc")]
mod multiscalar;
mod ops;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "precomputed-tables")]
mod table;

pub use compressed::CompressedRistretto;
#[cfg(feature = "alloc")]
pub use multiscalar::VartimeRistrettoPrecomputation;
#[cfg(feature = "precomputed-tables")]
pub use table::RistrettoBasepointTable;

use crate::backend::with_field;
use crate::edwards::EdwardsPoint;
use crate::field::Field;
use crate::scalar::Scalar;
use crate::traits::Identity;
use core::fmt;
use formulas::invsqrt_a_minus_d;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

/// An element of Ristretto255; 128 bytes, the same on every backend.
///
/// Equality compares elements, not coordinates, in constant time.
// A point of the set that the element is: one whose double is in the subgroup of order L.
#[derive(Clone, Copy)]
pub struct RistrettoPoint(pub(crate) EdwardsPoint);

impl RistrettoPoint {
    /// The 32-byte encoding, of which every element has exactly one (RFC 9496, section 4.3.2). Constant time.
    #[must_use]
    pub fn compress(&self) -> CompressedRistretto {
        with_field!(F => {
            let [s] = formulas::encode_each::<F, 1>(&[self.0.unpack()], &invsqrt_a_minus_d());
            CompressedRistretto(s.to_packed().to_bytes())
        })
    }

    /// \[a]B for the base point B, [`RISTRETTO_BASEPOINT_POINT`](crate::constants::RISTRETTO_BASEPOINT_POINT).
    /// Constant time.
    #[must_use]
    pub fn mul_base(scalar: &Scalar) -> Self {
        Self(EdwardsPoint::mul_base(scalar))
    }

    /// \[a]A + \[b]B for the base point B. Runs in variable time in all arguments.
    #[must_use]
    #[allow(non_snake_case)]
    pub fn vartime_double_scalar_mul_basepoint(a: &Scalar, A: &Self, b: &Scalar) -> Self {
        Self(EdwardsPoint::vartime_double_scalar_mul_basepoint(
            a, &A.0, b,
        ))
    }
}

impl Identity for RistrettoPoint {
    fn identity() -> Self {
        Self(EdwardsPoint::identity())
    }
}

impl Default for RistrettoPoint {
    /// The neutral element.
    fn default() -> Self {
        Self::identity()
    }
}

impl ConstantTimeEq for RistrettoPoint {
    /// Without encoding either (RFC 9496, section 4.3.3).
    fn ct_eq(&self, other: &Self) -> Choice {
        with_field!(F => formulas::equal::<F>(&self.0.unpack(), &other.0.unpack()).into())
    }
}

impl PartialEq for RistrettoPoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for RistrettoPoint {}

impl ConditionallySelectable for RistrettoPoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self(EdwardsPoint::conditional_select(&a.0, &b.0, choice))
    }
}

impl fmt::Debug for RistrettoPoint {
    /// Shows the encoding, in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RistrettoPoint({:?})", self.compress())
    }
}

impl Zeroize for RistrettoPoint {
    /// Becomes the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
