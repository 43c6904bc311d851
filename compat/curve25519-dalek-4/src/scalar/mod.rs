//! Integers modulo L, the order of the large subgroup.

#[cfg(feature = "group")]
mod field;

use core::borrow::Borrow;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Index, Mul, MulAssign, Neg, Sub, SubAssign};

#[cfg(feature = "digest")]
use digest::{Digest, Output, generic_array::typenum::U64};
use lanner_curve::scalar as inner;
#[cfg(feature = "rand_core")]
use rand_core::CryptoRngCore;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;
#[cfg(any(feature = "alloc", feature = "digest", feature = "rand_core"))]
use zeroize::Zeroizing;

pub use inner::clamp_integer;

/// An integer modulo L = 2^252 + 27742317777372353535851937790883648493, held as the 32 bytes of its little-endian
/// encoding.
///
/// Everything makes it canonical, that is below L, but `from_bits` of the feature `legacy_compatibility`. `==` is in
/// constant time; `Debug` shows nothing.
#[derive(Clone, Copy, Default)]
pub struct Scalar(pub(crate) inner::Scalar);

newtype!(Scalar, inner::Scalar);
negation!(Scalar);

binary! {
    Add::add: Scalar, Scalar => Scalar;
    Sub::sub: Scalar, Scalar => Scalar;
    Mul::mul: Scalar, Scalar => Scalar;
}

assigning! {
    AddAssign::add_assign: Scalar, Scalar, +;
    SubAssign::sub_assign: Scalar, Scalar, -;
    MulAssign::mul_assign: Scalar, Scalar, *;
}

impl Scalar {
    /// The scalar 0.
    pub const ZERO: Self = Scalar(inner::Scalar::ZERO);

    /// The scalar 1.
    pub const ONE: Self = Scalar(inner::Scalar::ONE);

    /// The integer below 2^255 that the bytes are, not reduced.
    pub(crate) const fn integer(bytes: [u8; 32]) -> Self {
        Scalar(inner::Scalar::from_bits(bytes))
    }

    /// Reduces a 256-bit little-endian integer modulo L.
    pub fn from_bytes_mod_order(bytes: [u8; 32]) -> Scalar {
        Scalar(inner::Scalar::from_bytes_mod_order(bytes))
    }

    /// Reduces a 512-bit little-endian integer modulo L.
    pub fn from_bytes_mod_order_wide(input: &[u8; 64]) -> Scalar {
        Scalar(inner::Scalar::from_bytes_mod_order_wide(input))
    }

    /// Decodes the 32-byte little-endian encoding of an integer below L; none for any other input.
    pub fn from_canonical_bytes(bytes: [u8; 32]) -> CtOption<Scalar> {
        inner::Scalar::from_canonical_bytes(bytes).map(Scalar)
    }

    /// Takes the low 255 bits of a 256-bit little-endian integer as they are.
    ///
    /// Points are multiplied by that integer, not by its residue. Arithmetic between scalars gives the reduced result,
    /// where the original leaves it undefined.
    #[cfg(feature = "legacy_compatibility")]
    #[deprecated(
        since = "4.0.0",
        note = "the scalar is not reduced: use it to multiply points only"
    )]
    pub const fn from_bits(bytes: [u8; 32]) -> Scalar {
        Scalar::integer(bytes)
    }

    /// A uniformly random scalar.
    #[cfg(feature = "rand_core")]
    pub fn random<R: CryptoRngCore + ?Sized>(rng: &mut R) -> Self {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        Scalar::from_bytes_mod_order_wide(&bytes)
    }

    /// Hashes `input` with a hash of 64 bytes, and reduces that modulo L.
    #[cfg(feature = "digest")]
    pub fn hash_from_bytes<D>(input: &[u8]) -> Scalar
    where
        D: Digest<OutputSize = U64> + Default,
    {
        Scalar::from_hash(D::default().chain_update(input))
    }

    /// Reduces the 64 bytes of a hash modulo L.
    #[cfg(feature = "digest")]
    pub fn from_hash<D>(hash: D) -> Scalar
    where
        D: Digest<OutputSize = U64>,
    {
        let mut bytes = Zeroizing::new([0; 64]);
        hash.finalize_into(Output::<D>::from_mut_slice(&mut bytes[..]));
        Scalar::from_bytes_mod_order_wide(&bytes)
    }

    /// The 32-byte little-endian encoding.
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The 32-byte little-endian encoding.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The inverse modulo L; 0 for 0. Constant time.
    pub fn invert(&self) -> Scalar {
        Scalar(self.0.invert())
    }

    /// Replaces every scalar by its inverse, and returns the product of the inverses. Constant time.
    ///
    /// If any is zero, all become zero, and so does the product.
    ///
    /// # Panics
    ///
    /// In builds with debug assertions, if any is zero.
    #[cfg(feature = "alloc")]
    pub fn batch_invert(inputs: &mut [Scalar]) -> Scalar {
        let mut some_zero = Choice::from(0);
        let mut scalars: Zeroizing<alloc::vec::Vec<inner::Scalar>> =
            Zeroizing::new(inputs.iter().map(|input| input.0).collect());
        for scalar in scalars.iter() {
            // The product is reduced, whatever the scalar is.
            some_zero |= (scalar * inner::Scalar::ONE).ct_eq(&inner::Scalar::ZERO);
        }
        debug_assert!(!bool::from(some_zero), "zero has no inverse");
        let mut product = Scalar(inner::Scalar::invert_batch_alloc(&mut scalars));
        for (input, scalar) in inputs.iter_mut().zip(scalars.iter()) {
            *input = Scalar::conditional_select(&Scalar(*scalar), &Scalar::ZERO, some_zero);
        }
        product.conditional_assign(&Scalar::ZERO, some_zero);
        product
    }
}

/// Hashes the 32 bytes.
impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

/// The bytes of the little-endian encoding; panics if the index is above 31.
impl Index<usize> for Scalar {
    type Output = u8;

    fn index(&self, index: usize) -> &u8 {
        &self.as_bytes()[index]
    }
}

impl<T: Borrow<Scalar>> Product<T> for Scalar {
    fn product<I: Iterator<Item = T>>(factors: I) -> Self {
        factors.fold(Scalar::ONE, |product, factor| product * factor.borrow())
    }
}

impl<T: Borrow<Scalar>> Sum<T> for Scalar {
    fn sum<I: Iterator<Item = T>>(terms: I) -> Self {
        terms.fold(Scalar::ZERO, |sum, term| sum + term.borrow())
    }
}

macro_rules! from_integer {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Scalar {
            fn from(n: $integer) -> Scalar {
                Scalar(n.into())
            }
        }
    )*};
}

from_integer!(u8 u16 u32 u64 u128);
