//! Secret keys.

use core::fmt;

use curve25519_dalek::scalar::Scalar;
use ed25519::signature::{KeypairRef, Signer, Verifier};
use lanner_ed25519 as lanner;
use lanner_simd::stack::cleared;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::ecosystem;
use crate::errors::Cause;
use crate::{KEYPAIR_LENGTH, SECRET_KEY_LENGTH, Signature, SignatureError, VerifyingKey};

/// How deep on the stack the frames go that hold a key on its way; Lanner's operations clear their own.
pub(crate) const COPY: usize = 1024;

/// A secret key as RFC 8032, section 5.1.5, defines it: 32 random bytes, also known as the seed.
pub type SecretKey = [u8; SECRET_KEY_LENGTH];

/// An Ed25519 key that signs, with the public key that was derived from it.
///
/// Wiped when dropped; `Debug` shows the public key only; `==` takes constant time.
#[derive(Clone)]
pub struct SigningKey {
    // Wipes itself.
    pub(crate) key: lanner::SigningKey,
    verifying_key: VerifyingKey,
}

impl SigningKey {
    /// The signing key of a secret key. Every 32 bytes are one. Constant time.
    #[inline]
    pub fn from_bytes(secret_key: &SecretKey) -> Self {
        cleared::<COPY, _>(|| {
            let key = lanner::SigningKey::from_bytes(secret_key);
            let verifying_key = VerifyingKey(key.verifying_key());
            SigningKey { key, verifying_key }
        })
    }

    /// A copy of the 32-byte secret key, which the caller should wipe.
    #[inline]
    pub fn to_bytes(&self) -> SecretKey {
        self.key.to_bytes()
    }

    /// The 32-byte secret key.
    #[inline]
    pub fn as_bytes(&self) -> &SecretKey {
        self.key.as_bytes()
    }

    /// Takes a key pair of 64 bytes: the secret key, then the public key.
    ///
    /// # Errors
    ///
    /// If the public key is not the one of the secret key.
    #[inline]
    pub fn from_keypair_bytes(bytes: &[u8; KEYPAIR_LENGTH]) -> Result<SigningKey, SignatureError> {
        let (secret_key, public_key) = bytes.split_first_chunk().expect("64 is more than 32");
        let public_key = VerifyingKey::try_from(public_key)?;
        cleared::<COPY, _>(|| {
            let signing_key = SigningKey::from_bytes(secret_key);
            if signing_key.verifying_key == public_key {
                Ok(signing_key)
            } else {
                Err(Cause::Mismatch.into())
            }
        })
    }

    /// The key pair as 64 bytes: the secret key, then the public key.
    pub fn to_keypair_bytes(&self) -> [u8; KEYPAIR_LENGTH] {
        self.key.to_keypair_bytes()
    }

    /// The public key.
    pub fn verifying_key(&self) -> VerifyingKey {
        self.verifying_key
    }

    /// A new random key, from any cryptographically secure generator.
    #[cfg(feature = "rand_core")]
    pub fn generate<R: ecosystem::Generator + ?Sized>(csprng: &mut R) -> SigningKey {
        let mut secret_key = zeroize::Zeroizing::new(SecretKey::default());
        csprng.fill_bytes(&mut *secret_key);
        Self::from_bytes(&secret_key)
    }

    /// [`VerifyingKey`]'s `verify` with the public key.
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.verifying_key.verify(message, signature)
    }

    /// [`VerifyingKey::verify_strict`] with the public key.
    ///
    /// # Errors
    ///
    /// If the signature is not valid.
    pub fn verify_strict(
        &self,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verifying_key.verify_strict(message, signature)
    }

    /// [`VerifyingKey::verify_stream`] with the public key.
    ///
    /// # Errors
    ///
    /// If the signature can be refused before the message is seen.
    #[cfg(feature = "hazmat")]
    pub fn verify_stream(
        &self,
        signature: &Signature,
    ) -> Result<crate::StreamVerifier, SignatureError> {
        self.verifying_key.verify_stream(signature)
    }

    /// The first 32 bytes of SHA-512 of the secret key, **not clamped**: the secret key for X25519 that belongs to
    /// [`VerifyingKey::to_montgomery`].
    pub fn to_scalar_bytes(&self) -> [u8; 32] {
        self.key.to_scalar_bytes()
    }

    /// The secret scalar, clamped and then reduced modulo L: \[scalar]B is the public key.
    pub fn to_scalar(&self) -> Scalar {
        self.key.to_scalar().into()
    }
}

impl Signer<Signature> for SigningKey {
    /// Signs deterministically (RFC 8032, section 5.1.6). Never fails. Constant time in all but the length of the message.
    fn try_sign(&self, message: &[u8]) -> Result<Signature, SignatureError> {
        Ok(ecosystem::signature(lanner::Signer::sign(
            &self.key, message,
        )))
    }
}

impl Verifier<Signature> for SigningKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), SignatureError> {
        self.verifying_key.verify(message, signature)
    }
}

impl KeypairRef for SigningKey {
    type VerifyingKey = VerifyingKey;
}

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.verifying_key
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for SigningKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.key.ct_eq(&other.key)
    }
}

impl PartialEq for SigningKey {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for SigningKey {}

// Its key wipes itself.
impl ZeroizeOnDrop for SigningKey {}

impl From<SecretKey> for SigningKey {
    #[inline]
    fn from(mut secret_key: SecretKey) -> Self {
        let signing_key = Self::from_bytes(&secret_key);
        secret_key.zeroize();
        signing_key
    }
}

impl From<&SecretKey> for SigningKey {
    #[inline]
    fn from(secret_key: &SecretKey) -> Self {
        Self::from_bytes(secret_key)
    }
}

impl TryFrom<&[u8]> for SigningKey {
    type Error = SignatureError;

    fn try_from(bytes: &[u8]) -> Result<SigningKey, SignatureError> {
        match bytes.try_into() {
            Ok(secret_key) => cleared::<COPY, _>(|| Ok(Self::from_bytes(secret_key))),
            Err(_) => Err(Cause::Length {
                name: "SecretKey",
                length: SECRET_KEY_LENGTH,
            }
            .into()),
        }
    }
}

#[cfg(feature = "digest")]
mod prehashed {
    use super::SigningKey;
    use crate::adapter::Adapted;
    use crate::context::Context;
    use crate::ecosystem::{self, Digest, U64};
    use crate::errors::Cause;
    use crate::{Signature, SignatureError};

    impl SigningKey {
        /// Binds this key to a context for Ed25519ph.
        ///
        /// # Errors
        ///
        /// If the context is longer than 255 bytes.
        pub fn with_context<'k, 'v>(
            &'k self,
            context_value: &'v [u8],
        ) -> Result<Context<'k, 'v, Self>, SignatureError> {
            Context::new(self, context_value)
        }

        /// Signs with Ed25519ph (RFC 8032, section 5.1): `prehashed_message` is a hash of 64 bytes that has absorbed the
        /// message, `context` has 0 to 255 bytes (none: empty). Constant time in all but the lengths.
        ///
        /// # Errors
        ///
        /// If the context is longer than 255 bytes.
        pub fn sign_prehashed<MsgDigest>(
            &self,
            prehashed_message: MsgDigest,
            context: Option<&[u8]>,
        ) -> Result<Signature, SignatureError>
        where
            MsgDigest: Digest<OutputSize = U64>,
        {
            match self.key.sign_prehashed(Adapted(prehashed_message), context) {
                Ok(signature) => Ok(ecosystem::signature(signature)),
                Err(_) => Err(Cause::Context.into()),
            }
        }

        /// [`VerifyingKey::verify_prehashed`](crate::VerifyingKey::verify_prehashed) with the public key.
        ///
        /// # Errors
        ///
        /// If the signature is not valid or the context longer than 255 bytes.
        pub fn verify_prehashed<MsgDigest>(
            &self,
            prehashed_message: MsgDigest,
            context: Option<&[u8]>,
            signature: &Signature,
        ) -> Result<(), SignatureError>
        where
            MsgDigest: Digest<OutputSize = U64>,
        {
            self.verifying_key
                .verify_prehashed(prehashed_message, context, signature)
        }
    }
}
