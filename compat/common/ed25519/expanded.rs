//! What a secret key expands to.

use core::fmt;

use curve25519_dalek::scalar::Scalar;
use lanner_ed25519::hazmat as lanner;
use lanner_simd::stack::cleared;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::errors::Cause;
use crate::signing::COPY;
use crate::{SecretKey, SignatureError, VerifyingKey};

/// A secret key after RFC 8032, section 5.1.5: the secret scalar, and what is hashed before the message to make the
/// nonce.
///
/// Wiped when dropped; `Debug` shows nothing; `==` takes constant time.
pub struct ExpandedSecretKey {
    /// The secret scalar.
    pub scalar: Scalar,
    /// Absorbed before the message when the nonce is derived.
    pub hash_prefix: [u8; 32],
}

impl ExpandedSecretKey {
    /// Takes 64 bytes as SHA-512 gives them: the first 32 are clamped and become the scalar, the last 32 the prefix.
    pub fn from_bytes(bytes: &[u8; 64]) -> Self {
        cleared::<COPY, _>(|| lanner::ExpandedSecretKey::from_bytes(bytes).into())
    }

    /// Takes a slice of 64 bytes as [`Self::from_bytes`] does.
    ///
    /// # Errors
    ///
    /// If the slice is not 64 bytes long.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, SignatureError> {
        match bytes.try_into() {
            Ok(bytes) => cleared::<COPY, _>(|| Ok(Self::from_bytes(bytes))),
            Err(_) => Err(Cause::Length {
                name: "ExpandedSecretKey",
                length: 64,
            }
            .into()),
        }
    }

    /// The same as Lanner takes it. Within an operation that clears the stack.
    pub(crate) fn inner(&self) -> lanner::ExpandedSecretKey {
        lanner::ExpandedSecretKey {
            scalar: self.scalar.into(),
            hash_prefix: self.hash_prefix,
        }
    }
}

impl From<lanner::ExpandedSecretKey> for ExpandedSecretKey {
    fn from(expanded: lanner::ExpandedSecretKey) -> Self {
        ExpandedSecretKey {
            scalar: expanded.scalar.into(),
            hash_prefix: expanded.hash_prefix,
        }
    }
}

impl From<&SecretKey> for ExpandedSecretKey {
    /// RFC 8032, section 5.1.5, steps 1 to 3.
    fn from(secret_key: &SecretKey) -> Self {
        cleared::<COPY, _>(|| lanner::ExpandedSecretKey::from(secret_key).into())
    }
}

impl From<&ExpandedSecretKey> for VerifyingKey {
    /// The public key \[scalar]B.
    fn from(secret: &ExpandedSecretKey) -> VerifyingKey {
        cleared::<COPY, _>(|| VerifyingKey((&secret.inner()).into()))
    }
}

impl TryFrom<&[u8]> for ExpandedSecretKey {
    type Error = SignatureError;

    fn try_from(bytes: &[u8]) -> Result<Self, SignatureError> {
        Self::from_slice(bytes)
    }
}

impl fmt::Debug for ExpandedSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpandedSecretKey").finish_non_exhaustive()
    }
}

impl ConstantTimeEq for ExpandedSecretKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.scalar.ct_eq(&other.scalar) & self.hash_prefix.ct_eq(&other.hash_prefix)
    }
}

impl PartialEq for ExpandedSecretKey {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for ExpandedSecretKey {}

impl Drop for ExpandedSecretKey {
    fn drop(&mut self) {
        self.scalar.zeroize();
        self.hash_prefix.zeroize();
    }
}

impl ZeroizeOnDrop for ExpandedSecretKey {}
