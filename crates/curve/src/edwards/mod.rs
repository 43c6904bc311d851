//! The twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 over the integers mod
//! p = 2^255 - 19, with d = -121665/121666: edwards25519 of RFC 7748, the curve of
//! Ed25519.
//!
//! Its points are a group of order 8L with L prime. The addition formulas are
//! complete, so no operation has exceptional cases.

#[cfg_attr(feature = "precomputed-tables", path = "precomputed/mod.rs")]
#[cfg_attr(not(feature = "precomputed-tables"), path = "computed.rs")]
mod base;
mod base_each;
mod characters;
mod compressed;
mod decode;
mod double_base;
mod equation;
#[cfg(feature = "group")]
mod group;
mod group_equation;
#[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
mod late_carries;
pub(crate) mod models;
mod multiples;
#[cfg(feature = "alloc")]
mod multiscalar;
#[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
pub(crate) mod niels;
mod ops;
mod pairs;
#[cfg(feature = "serde")]
mod serialize;
mod straus;
pub(crate) mod torsion;
mod variable_base;

#[cfg(feature = "precomputed-tables")]
pub use base::{
    EdwardsBasepointTable, EdwardsBasepointTableRadix16, EdwardsBasepointTableRadix32,
    EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256,
    VartimePreparedPoint,
};
pub use characters::TorsionCharacter;
pub use compressed::CompressedEdwardsY;
pub use decode::DecodingRule;
pub use equation::GroupEquation;
#[cfg(feature = "group")]
pub use group::SubgroupPoint;
#[cfg(feature = "alloc")]
pub use multiscalar::VartimeEdwardsPrecomputation;

use crate::backend::{HAS_FIAT, with_field};
use crate::field::{Arithmetic, Field, Packed, chains::invert};
use crate::montgomery::MontgomeryPoint;
use crate::scalar::recode::signed_radix;
use crate::scalar::{Scalar, clamp_in_place};
use core::fmt;
use lanner_simd::stack::cleared;
use models::Extended;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

/// The digits in radix 16 of an integer below 2^255.
#[inline(always)]
fn digits(n: &[u8; 32]) -> Zeroizing<[i8; 64]> {
    let mut digits = Zeroizing::new([0; 64]);
    signed_radix::<4, 64>(n, &mut digits);
    digits
}

/// How deep on the stack the multiplications without lanes go, whatever the representation.
const MUL_DEPTH: usize = if HAS_FIAT { 6336 } else { 5440 };
/// How deep the frames are that call them, and that hold the scalar or the product.
pub(crate) const CALLER_DEPTH: usize = 448;
/// The same for two products.
const PAIR_DEPTH: usize = 1792;

/// A point of the curve, in extended coordinates; 128 bytes, the same on every
/// backend.
///
/// Equality compares points, not coordinates, in constant time.
#[derive(Clone, Copy)]
pub struct EdwardsPoint {
    pub(crate) x: Packed,
    pub(crate) y: Packed,
    pub(crate) z: Packed,
    pub(crate) t: Packed,
}

impl EdwardsPoint {
    /// The coordinates in a representation of the arithmetic.
    #[inline(always)]
    pub(crate) fn unpack<F: Field>(&self) -> Extended<F> {
        Extended {
            x: F::from_packed(&self.x),
            y: F::from_packed(&self.y),
            z: F::from_packed(&self.z),
            t: F::from_packed(&self.t),
        }
    }

    /// Whether the point is the neutral element: X = 0 and Y = Z.
    #[inline]
    pub(crate) fn is_neutral(&self) -> Choice {
        self.x.is_zero() & self.y.ct_eq(&self.z)
    }

    /// \[n]P for n below 2^255, as little-endian bytes.
    #[inline]
    fn mul_integer(&self, n: &[u8; 32]) -> Self {
        let digits = digits(n);
        if let Some(multiple) = base::mul_in_lanes(self, &digits) {
            return multiple;
        }
        cleared::<MUL_DEPTH, _>(
            || with_field!(F => variable_base::mul::<F>(&self.unpack(), &digits).pack()),
        )
    }

    /// \[a]P: what the operators `*` compute.
    pub(crate) fn mul_scalar(&self, scalar: &Scalar) -> Self {
        cleared::<CALLER_DEPTH, _>(|| self.mul_integer(scalar.as_bytes()))
    }

    /// The 32-byte encoding: y, with the sign of x in the top bit (RFC 8032,
    /// section 5.1.2).
    #[must_use]
    pub fn compress(&self) -> CompressedEdwardsY {
        CompressedEdwardsY(with_field!(F => decode::encode::<F>(&self.unpack())))
    }

    /// The encodings of several points, with one inversion for all.
    #[must_use]
    pub fn compress_batch<const N: usize>(points: &[Self; N]) -> [CompressedEdwardsY; N] {
        let mut encodings = [CompressedEdwardsY([0; 32]); N];
        with_field!(F => decode::encode_batch::<F>(points, &mut encodings));
        encodings
    }

    /// The encodings of several points, with one inversion for all.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn compress_batch_alloc(points: &[Self]) -> alloc::vec::Vec<CompressedEdwardsY> {
        let mut encodings = alloc::vec![CompressedEdwardsY([0; 32]); points.len()];
        with_field!(F => decode::encode_batch::<F>(points, &mut encodings));
        encodings
    }

    /// The corresponding point of the Montgomery curve, u = (1 + y)/(1 - y) (RFC
    /// 7748, section 4.1); u = 0 for the neutral element.
    #[must_use]
    pub fn to_montgomery(&self) -> MontgomeryPoint {
        with_field!(F => {
            let point = self.unpack::<F>();
            let (sum, difference) = (point.z.add(&point.y), F::carry(&point.z.sub(&point.y)));
            MontgomeryPoint(F::mul(&sum, &invert(&difference)).to_packed().to_bytes())
        })
    }

    /// The corresponding points of the Montgomery curve, as [`to_montgomery`](Self::to_montgomery) gives them, with one
    /// inversion for all.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_montgomery_batch(points: &[Self]) -> alloc::vec::Vec<MontgomeryPoint> {
        let mut coordinates = alloc::vec![MontgomeryPoint([0; 32]); points.len()];
        with_field!(F => base_each::to_montgomery_batch::<F>(points, &mut coordinates));
        coordinates
    }

    /// A random point of the curve that is not the neutral element, from random encodings until one is of a point:
    /// nobody knows its discrete logarithms. It may have a component of small order. Runs in variable time; the encodings
    /// that are thrown away do not depend on the point.
    #[cfg(feature = "rand_core")]
    pub fn random<R: rand_core::Rng + ?Sized>(rng: &mut R) -> Self {
        let mut encoding = CompressedEdwardsY([0; 32]);
        loop {
            rng.fill_bytes(&mut encoding.0);
            if let Some(point) = encoding.decompress()
                && !bool::from(point.is_neutral())
            {
                return point;
            }
        }
    }

    /// Twice the point.
    #[cfg(feature = "group")]
    pub(crate) fn double(&self) -> Self {
        with_field!(F => self.unpack::<F>().double().to_extended().pack())
    }

    /// \[a]B for the base point B.
    #[must_use]
    pub fn mul_base(scalar: &Scalar) -> Self {
        cleared::<CALLER_DEPTH, _>(|| base::mul_base(scalar.as_bytes()))
    }

    /// \[a]B and \[b]B for the base point B, in one pass: faster than one after the other where the
    /// backend has vectors. Constant time.
    ///
    /// ```
    /// use lanner_curve::{edwards::EdwardsPoint, scalar::Scalar};
    ///
    /// let (a, b) = (Scalar::from(3u64), Scalar::from(5u64));
    /// let points = EdwardsPoint::mul_base_pair(&a, &b);
    /// assert_eq!(points, [EdwardsPoint::mul_base(&a), EdwardsPoint::mul_base(&b)]);
    /// ```
    #[must_use]
    pub fn mul_base_pair(a: &Scalar, b: &Scalar) -> [Self; 2] {
        cleared::<PAIR_DEPTH, _>(|| base::mul_base_pair(a.as_bytes(), b.as_bytes()))
    }

    /// \[n]P, where n is the integer that `bytes` clamp to (RFC 7748, section 5).
    ///
    /// n is not reduced modulo L: for a point with a component of small order this
    /// differs from multiplication by a scalar.
    #[must_use]
    pub fn mul_clamped(self, mut bytes: [u8; 32]) -> Self {
        clamp_in_place(&mut bytes);
        let product = cleared::<CALLER_DEPTH, _>(|| self.mul_integer(&bytes));
        bytes.zeroize();
        product
    }

    /// \[n]B, where n is the integer that `bytes` clamp to (RFC 7748, section 5).
    #[must_use]
    pub fn mul_base_clamped(mut bytes: [u8; 32]) -> Self {
        clamp_in_place(&mut bytes);
        let product = cleared::<CALLER_DEPTH, _>(|| base::mul_base(&bytes));
        bytes.zeroize();
        product
    }

    /// \[a]A + \[b]B for the base point B. Runs in variable time in all arguments.
    #[must_use]
    #[allow(non_snake_case)]
    pub fn vartime_double_scalar_mul_basepoint(a: &Scalar, A: &Self, b: &Scalar) -> Self {
        with_field!(F => double_base::vartime_mul::<F>(a, &A.unpack(), b).pack())
    }
}

impl Default for EdwardsPoint {
    /// The neutral element.
    fn default() -> Self {
        Extended::<crate::field::radix25::Field25>::IDENTITY.pack()
    }
}

impl ConstantTimeEq for EdwardsPoint {
    fn ct_eq(&self, other: &Self) -> Choice {
        with_field!(F => {
            let (a, b) = (self.unpack::<F>(), other.unpack::<F>());
            let same_x = F::mul(&a.x, &b.z).to_packed().ct_eq(&F::mul(&b.x, &a.z).to_packed());
            let same_y = F::mul(&a.y, &b.z).to_packed().ct_eq(&F::mul(&b.y, &a.z).to_packed());
            same_x & same_y
        })
    }
}

impl PartialEq for EdwardsPoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for EdwardsPoint {}

impl ConditionallySelectable for EdwardsPoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let mask = choice.into();
        let mut point = *a;
        point.x.conditional_assign(&b.x, mask);
        point.y.conditional_assign(&b.y, mask);
        point.z.conditional_assign(&b.z, mask);
        point.t.conditional_assign(&b.t, mask);
        point
    }
}

impl fmt::Debug for EdwardsPoint {
    /// Shows the encoding, in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EdwardsPoint({:?})", self.compress())
    }
}

impl Zeroize for EdwardsPoint {
    /// Becomes the neutral element.
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
        self.z.zeroize();
        self.t.zeroize();
        *self = Self::default();
    }
}
