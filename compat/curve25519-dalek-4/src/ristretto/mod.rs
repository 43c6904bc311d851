//! ristretto255 (RFC 9496): a group of prime order L, made of the points of the Edwards curve.

mod compressed;
#[cfg(feature = "group")]
mod group;
#[cfg(feature = "alloc")]
mod multiscalar;
#[cfg(feature = "precomputed-tables")]
mod table;

use core::borrow::Borrow;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

#[cfg(feature = "digest")]
use digest::{Digest, Output, generic_array::typenum::U64};
use lanner_curve::ristretto as inner;
#[cfg(feature = "rand_core")]
use rand_core::CryptoRngCore;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;
#[cfg(any(feature = "digest", feature = "rand_core"))]
use zeroize::Zeroizing;

use crate::scalar::Scalar;
use crate::traits::Identity;

pub use compressed::CompressedRistretto;
#[cfg(feature = "alloc")]
pub use multiscalar::VartimeRistrettoPrecomputation;
#[cfg(feature = "precomputed-tables")]
pub use table::RistrettoBasepointTable;

/// An element of the group. `==` compares elements in constant time.
#[derive(Clone, Copy, Default)]
pub struct RistrettoPoint(pub(crate) inner::RistrettoPoint);

newtype!(RistrettoPoint, inner::RistrettoPoint);
negation!(RistrettoPoint);

binary! {
    Add::add: RistrettoPoint, RistrettoPoint => RistrettoPoint;
    Sub::sub: RistrettoPoint, RistrettoPoint => RistrettoPoint;
    Mul::mul: RistrettoPoint, Scalar => RistrettoPoint;
    Mul::mul: Scalar, RistrettoPoint => RistrettoPoint;
}

assigning! {
    AddAssign::add_assign: RistrettoPoint, RistrettoPoint, +;
    SubAssign::sub_assign: RistrettoPoint, RistrettoPoint, -;
    MulAssign::mul_assign: RistrettoPoint, Scalar, *;
}

impl RistrettoPoint {
    /// The 32-byte encoding (RFC 9496, section 4.3.2).
    pub fn compress(&self) -> CompressedRistretto {
        self.0.compress().into()
    }

    /// The encodings of the doubles of several elements, with one inversion for all.
    #[cfg(feature = "alloc")]
    pub fn double_and_compress_batch<'a, I>(points: I) -> alloc::vec::Vec<CompressedRistretto>
    where
        I: IntoIterator<Item = &'a RistrettoPoint>,
    {
        let points = points.into_iter().map(|point| &point.0);
        inner::RistrettoPoint::double_and_compress_batch(points)
            .into_iter()
            .map(CompressedRistretto::from)
            .collect()
    }

    /// A uniformly random element.
    #[cfg(feature = "rand_core")]
    pub fn random<R: CryptoRngCore + ?Sized>(rng: &mut R) -> Self {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        RistrettoPoint::from_uniform_bytes(&bytes)
    }

    /// Hashes `input` with a hash of 64 bytes, and maps that to the group.
    #[cfg(feature = "digest")]
    pub fn hash_from_bytes<D>(input: &[u8]) -> RistrettoPoint
    where
        D: Digest<OutputSize = U64> + Default,
    {
        RistrettoPoint::from_hash(D::default().chain_update(input))
    }

    /// Maps the 64 bytes of a hash to the group.
    #[cfg(feature = "digest")]
    pub fn from_hash<D>(hash: D) -> RistrettoPoint
    where
        D: Digest<OutputSize = U64> + Default,
    {
        let mut bytes = Zeroizing::new([0; 64]);
        hash.finalize_into(Output::<D>::from_mut_slice(&mut bytes[..]));
        RistrettoPoint::from_uniform_bytes(&bytes)
    }

    /// Maps 64 uniform bytes to the group (RFC 9496, section 4.3.4). Constant time.
    pub fn from_uniform_bytes(bytes: &[u8; 64]) -> RistrettoPoint {
        RistrettoPoint(inner::RistrettoPoint::from_uniform_bytes(bytes))
    }

    /// \[scalar] times the base point. Constant time.
    pub fn mul_base(scalar: &Scalar) -> Self {
        RistrettoPoint(inner::RistrettoPoint::mul_base(&scalar.0))
    }

    /// \[a]A + \[b]B for the base point B. Variable time.
    #[allow(non_snake_case)]
    pub fn vartime_double_scalar_mul_basepoint(
        a: &Scalar,
        A: &RistrettoPoint,
        b: &Scalar,
    ) -> RistrettoPoint {
        RistrettoPoint(inner::RistrettoPoint::vartime_double_scalar_mul_basepoint(
            &a.0, &A.0, &b.0,
        ))
    }
}

impl Identity for RistrettoPoint {
    fn identity() -> Self {
        RistrettoPoint::default()
    }
}

impl<T: Borrow<RistrettoPoint>> Sum<T> for RistrettoPoint {
    fn sum<I: Iterator<Item = T>>(points: I) -> Self {
        points.fold(RistrettoPoint::default(), |sum, point| sum + point.borrow())
    }
}
