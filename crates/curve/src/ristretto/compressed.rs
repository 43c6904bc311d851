//! The 32-byte form of an element.

use super::RistrettoPoint;
use super::formulas::decode_each;
use crate::backend::with_field;
use crate::field::{Field, Packed};
use crate::traits::Identity;
use core::array::TryFromSliceError;
use core::fmt;
use core::hash::{Hash, Hasher};
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

/// 32 bytes that may encode an element of Ristretto255 (RFC 9496, section 4.3.1).
///
/// Any bytes are allowed; decompression tells whether they encode an element. Every element has one encoding, so
/// encodings can be compared in the place of elements.
#[derive(Clone, Copy)]
pub struct CompressedRistretto(pub [u8; 32]);

impl CompressedRistretto {
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

    /// Takes a slice of 32 bytes.
    ///
    /// # Errors
    ///
    /// If the length is another.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
        bytes.try_into().map(Self)
    }

    /// The element, or `None` if the bytes are not the encoding of one (RFC 9496, section 4.3.1). Constant time but for
    /// whether they are.
    #[must_use]
    pub fn decompress(&self) -> Option<RistrettoPoint> {
        let (valid, point) = self.decode();
        bool::from(valid).then_some(point)
    }

    /// (1, element), or (0, anything) if the bytes encode none. Constant time.
    #[inline]
    pub(super) fn decode(&self) -> (Choice, RistrettoPoint) {
        let s = Packed::from_bytes(&self.0);
        // The top bit is not set, s is below p, and s is even.
        let canonical = s.to_bytes().ct_eq(&self.0) & !Choice::from(self.0[0] & 1);
        with_field!(F => {
            let [decoded] = decode_each::<F, 1>(&[F::from_packed(&s)]);
            let point = decoded.point.pack();
            let valid = canonical
                & Choice::from(decoded.exists)
                & !Choice::from(decoded.t_is_negative)
                & !point.y.is_zero();
            (valid, RistrettoPoint(point))
        })
    }
}

impl ConstantTimeEq for CompressedRistretto {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for CompressedRistretto {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for CompressedRistretto {}

impl Hash for CompressedRistretto {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Identity for CompressedRistretto {
    fn identity() -> Self {
        Self([0; 32])
    }
}

impl Default for CompressedRistretto {
    /// The encoding of the neutral element.
    fn default() -> Self {
        Self::identity()
    }
}

impl TryFrom<&[u8]> for CompressedRistretto {
    type Error = TryFromSliceError;

    fn try_from(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
        Self::from_slice(bytes)
    }
}

impl fmt::Debug for CompressedRistretto {
    /// Shows the bytes, as curve25519-dalek does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CompressedRistretto: {:?}", self.0)
    }
}

impl Zeroize for CompressedRistretto {
    /// Becomes the encoding of the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
