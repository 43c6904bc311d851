//! The result of a key agreement.

use lanner_simd::stack::cleared;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// How deep on the stack the frames go that hold a secret outside `lanner_x25519`, which clears its own.
pub(crate) const CALLER_DEPTH: usize = 1024;

/// The 32 bytes that both parties computed. Wiped when dropped.
///
/// Not uniformly random: derive keys from them with a key derivation function.
pub struct SharedSecret([u8; 32]);

impl SharedSecret {
    /// What `ours` and `theirs` make (RFC 7748, section 6.1).
    #[inline]
    pub(crate) fn of(
        ours: &lanner_x25519::StaticSecret,
        theirs: &lanner_x25519::PublicKey,
    ) -> Self {
        cleared::<CALLER_DEPTH, _>(|| SharedSecret(ours.diffie_hellman(theirs).to_bytes()))
    }

    /// A copy of the 32 bytes, which the caller should wipe.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The 32 bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether the other party's public key contributed to this secret: `false` if the secret is all zero, because that
    /// key had small order. Constant time.
    #[must_use]
    pub fn was_contributory(&self) -> bool {
        !bool::from(self.0.ct_eq(&[0; 32]))
    }
}

impl AsRef<[u8]> for SharedSecret {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Zeroize for SharedSecret {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Drop for SharedSecret {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl ZeroizeOnDrop for SharedSecret {}
