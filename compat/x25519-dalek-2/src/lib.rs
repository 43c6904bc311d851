//! The items of `x25519-dalek` 2.0, served by [`lanner_x25519`]: for `[patch.crates-io]`, so that programs and libraries
//! that ask for that version get this one.
//!
//! Shared secrets and public keys are the same bytes, and what is accepted is the same: every 32 bytes are a public key and a
//! secret key (RFC 7748, section 5). Beyond the original, secrets are wiped without the feature `zeroize`
//! too, and so is the stack that the operations on them used.
//!
//! New programs use [`lanner_x25519`] by its name.

#![no_std]

mod secret;
#[cfg(feature = "serde")]
mod serde_impl;
mod shared;

use core::fmt;

use zeroize::Zeroize;

pub use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519};
pub use secret::EphemeralSecret;
#[cfg(feature = "reusable_secrets")]
pub use secret::ReusableSecret;
#[cfg(feature = "static_secrets")]
pub use secret::StaticSecret;
pub use shared::SharedSecret;

/// A public key: a u coordinate, 32 bytes little-endian. Every 32 bytes are one.
///
/// `==` and `Hash` compare coordinates modulo 2^255 - 19 and ignore the top bit; the bytes are kept as given.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(lanner_x25519::PublicKey);

impl PublicKey {
    /// The 32 bytes.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The 32 bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

impl From<[u8; 32]> for PublicKey {
    fn from(bytes: [u8; 32]) -> Self {
        PublicKey(bytes.into())
    }
}

impl AsRef<[u8]> for PublicKey {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Zeroize for PublicKey {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
