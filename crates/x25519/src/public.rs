//! Public keys.

use lanner_curve::montgomery::MontgomeryPoint;
use zeroize::Zeroize;

/// A public key: a u coordinate, 32 bytes little-endian.
///
/// Every 32 bytes are one. The top bit is ignored and the rest is taken modulo
/// p = 2^255 - 19 (RFC 7748 section 5). `==` and `Hash` follow that: they
/// compare coordinates and not encodings; the bytes are kept as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey(pub(crate) MontgomeryPoint);

impl PublicKey {
    /// The 32 bytes of this key.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The 32 bytes of this key.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

impl From<[u8; 32]> for PublicKey {
    fn from(bytes: [u8; 32]) -> PublicKey {
        PublicKey(MontgomeryPoint(bytes))
    }
}

impl AsRef<[u8]> for PublicKey {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Zeroize for PublicKey {
    /// Public keys are not wiped when dropped; protocols that treat them as
    /// private can do so with this.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
