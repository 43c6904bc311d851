//! The integers modulo the order L of the large subgroup of Curve25519,
//! L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032, section 5.1).
//!
//! # Constant time
//!
//! Everything runs in constant time in its arguments unless its name begins with
//! `vartime_`.

mod arith;
mod convert;
#[cfg(feature = "group")]
mod group;
#[cfg(feature = "digest")]
mod hash;
pub(crate) mod invert;
pub(crate) mod lattice;
#[cfg(test)]
mod long;
mod ops;
// As it ships, as that of the field.
#[cfg(all(
    test,
    lanner_proof,
    not(debug_assertions),
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_os = "linux",
    target_pointer_width = "64",
    not(miri)
))]
mod proven;
pub(crate) mod recode;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(test)]
pub(crate) mod tests;

use crate::bytes::{bytes_from_words, words_from_bytes};
pub(crate) use arith::L;
use arith::Limbs;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Index;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

/// An integer modulo L, the order of the large subgroup of Curve25519.
///
/// It is held as the 32 bytes of its little-endian encoding, and every public
/// function makes and keeps the integer canonical, that is in [0, L). There are two
/// exceptions: [`Scalar::from_bits`] of the feature `legacy_compatibility`, and what
/// [`BasepointTable::mul_base_clamped`](crate::traits::BasepointTable::mul_base_clamped)
/// hands to a table of one's own. They make a scalar that is not reduced but below
/// 2^255. Arithmetic with such a scalar is correct modulo L and gives canonical
/// results; comparison, [`Scalar::to_bytes`] and multiplication of points see the
/// integer itself.
///
/// # Secrets
///
/// A scalar is often a secret key or a nonce, so `Debug` does not print it:
/// print [`Scalar::as_bytes`] where a value is public. `==` is in constant time.
/// The type is `Copy`, so it cannot wipe itself when dropped; wipe secrets with
/// [`Zeroize`].
///
/// # Example
///
/// ```
/// use lanner_curve::scalar::Scalar;
///
/// let a = Scalar::from(1234u64);
/// let b = Scalar::from(5678u64);
/// assert_eq!(a * b - b * a, Scalar::ZERO);
/// assert_eq!(a * a.invert(), Scalar::ONE);
/// ```
#[derive(Clone, Copy)]
pub struct Scalar {
    bytes: [u8; 32],
}

impl Scalar {
    /// The scalar 0.
    pub const ZERO: Self = Self { bytes: [0; 32] };

    /// The scalar 1.
    pub const ONE: Self = {
        let mut bytes = [0; 32];
        bytes[0] = 1;
        Self { bytes }
    };

    #[inline(always)]
    fn from_limbs(limbs: &Limbs) -> Self {
        Self {
            bytes: bytes_from_words(limbs),
        }
    }

    #[inline(always)]
    fn limbs(&self) -> Limbs {
        words_from_bytes(&self.bytes)
    }

    /// Reduces a 256-bit little-endian integer modulo L.
    #[inline]
    pub fn from_bytes_mod_order(bytes: [u8; 32]) -> Self {
        Self::from_limbs(&arith::reduce(&words_from_bytes(&bytes)))
    }

    /// Reduces a 512-bit little-endian integer modulo L.
    ///
    /// For 64 uniformly random bytes the result is uniform up to 2^-259.
    pub fn from_bytes_mod_order_wide(bytes: &[u8; 64]) -> Self {
        Self::from_limbs(&arith::reduce_wide(&words_from_bytes(bytes)))
    }

    /// Decodes the 32-byte little-endian encoding of an integer in [0, L).
    ///
    /// Any other input gives a `CtOption` that is none.
    #[inline]
    pub fn from_canonical_bytes(bytes: [u8; 32]) -> CtOption<Self> {
        let below = arith::is_below_l(&words_from_bytes(&bytes));
        CtOption::new(Self { bytes }, Choice::from(below as u8))
    }

    /// Whether 32 bytes are the little-endian encoding of an integer in [0, L).
    ///
    /// This is the check of S in a signature (RFC 8032, section 5.1.7). It may
    /// take a time that depends on the bytes.
    #[inline]
    pub fn vartime_is_canonical(bytes: &[u8; 32]) -> bool {
        // L is 2^252 and a little more: the top byte decides nearly always.
        match bytes[31] {
            0..0x10 => true,
            0x10 => arith::is_below_l(&words_from_bytes(bytes)) == 1,
            _ => false,
        }
    }

    /// An integer below 2^255 as it is.
    #[inline(always)]
    pub(crate) fn unreduced(bytes: &[u8; 32]) -> Self {
        debug_assert!(bytes[31] < 0x80);
        Self { bytes: *bytes }
    }

    /// Takes the low 255 bits of a 256-bit little-endian integer as they are.
    ///
    /// The scalar is not reduced: see [`Scalar`] for what that means. It serves
    /// protocols that multiply points by clamped integers or accept S ≥ L; use
    /// [`Scalar::from_bytes_mod_order`] for everything else.
    #[cfg(feature = "legacy_compatibility")]
    pub const fn from_bits(bytes: [u8; 32]) -> Self {
        let mut bytes = bytes;
        bytes[31] &= 0x7f;
        Self { bytes }
    }

    /// The 32-byte little-endian encoding.
    #[inline]
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// The 32-byte little-endian encoding, by reference.
    #[inline]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// `a·b + c` with a single reduction, the step that makes S in a signature.
    ///
    /// ```
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let [r, k, s] = [3u64, 5, 7].map(Scalar::from);
    /// assert_eq!(Scalar::mul_add(&k, &s, &r), k * s + r);
    /// ```
    pub fn mul_add(a: &Self, b: &Self, c: &Self) -> Self {
        Self::from_limbs(&arith::mul_add(&a.limbs(), &b.limbs(), &c.limbs()))
    }

    /// The scalar `b` for which `b + b` is this one.
    pub fn div_by_2(&self) -> Self {
        Self::from_limbs(&arith::halve(&self.limbs()))
    }

    /// A uniformly random scalar.
    #[cfg(feature = "rand_core")]
    pub fn random<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut bytes = [0; 64];
        rng.fill_bytes(&mut bytes);
        let scalar = Self::from_bytes_mod_order_wide(&bytes);
        bytes.zeroize();
        scalar
    }
}

/// Clamps a 256-bit little-endian integer as X25519 and Ed25519 do with secret
/// keys (RFC 7748, section 5): the result is 2^254 plus a multiple of 8, below
/// 2^255.
///
/// ```
/// # use lanner_curve::scalar::clamp_integer;
/// assert_eq!(clamp_integer([0xff; 32])[0], 0xf8);
/// assert_eq!(clamp_integer([0xff; 32])[31], 0x7f);
/// ```
#[must_use]
pub const fn clamp_integer(bytes: [u8; 32]) -> [u8; 32] {
    let mut bytes = bytes;
    clamp_in_place(&mut bytes);
    bytes
}

/// [`clamp_integer`] without a copy, for secrets.
///
/// ```
/// # use lanner_curve::scalar::{clamp_in_place, clamp_integer};
/// let mut secret = [0xff; 32];
/// clamp_in_place(&mut secret);
/// assert_eq!(secret, clamp_integer([0xff; 32]));
/// ```
pub const fn clamp_in_place(bytes: &mut [u8; 32]) {
    bytes[0] &= !7;
    bytes[31] = bytes[31] & 0x7f | 0x40;
}

impl Default for Scalar {
    fn default() -> Self {
        Self::ZERO
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scalar(..)")
    }
}

impl ConstantTimeEq for Scalar {
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        self.bytes.ct_eq(&other.bytes)
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Scalar {}

/// Hashes the 32 bytes; equal scalars hash alike.
impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl ConditionallySelectable for Scalar {
    #[inline]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let (a, b) = (a.limbs(), b.limbs());
        Self::from_limbs(&core::array::from_fn(|i| {
            u64::conditional_select(&a[i], &b[i], choice)
        }))
    }
}

/// The bytes of the little-endian encoding; panics if the index is above 31.
impl Index<usize> for Scalar {
    type Output = u8;

    fn index(&self, index: usize) -> &u8 {
        &self.bytes[index]
    }
}

impl Zeroize for Scalar {
    fn zeroize(&mut self) {
        self.bytes.zeroize();
    }
}
