//! The result of a key agreement.

use core::fmt;

use lanner_curve::montgomery::MontgomeryPoint;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The 32 bytes that both parties computed. Wiped when dropped; `Debug` shows
/// nothing.
///
/// Not uniformly random: derive keys from them with a key derivation function.
pub struct SharedSecret(pub(crate) MontgomeryPoint);

impl SharedSecret {
    /// A copy of the 32 bytes, which the caller should wipe.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The 32 bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Whether the other party's public key contributed to this secret: `false`
    /// if the secret is all zero, because that key had small order. Constant
    /// time.
    #[must_use]
    pub fn was_contributory(&self) -> bool {
        !bool::from(self.as_bytes().ct_eq(&[0; 32]))
    }
}

impl AsRef<[u8]> for SharedSecret {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedSecret").finish_non_exhaustive()
    }
}

impl Drop for SharedSecret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for SharedSecret {}
