//! A key together with the context of Ed25519ph.

use ed25519::signature::{DigestSigner, DigestVerifier};
use sha2::{Digest, digest::Update, digest::typenum::U64};

use crate::domain::MAX_CONTEXT_LENGTH;
use crate::errors::require;
use crate::{Signature, SignatureError, SigningKey, VerifyingKey};

/// A key bound to a context for Ed25519ph (RFC 8032 sections 5.1 and 8.3).
///
/// Made by [`SigningKey::with_context`] and [`VerifyingKey::with_context`].
///
/// ```
/// use lanner_ed25519::{Digest, DigestSigner, DigestVerifier, Sha512, Signature, SigningKey};
///
/// let signing_key = SigningKey::from_bytes(&[4; 32]);
/// let signature: Signature = signing_key
///     .with_context(b"example v1")?
///     .sign_digest(|hash: &mut Sha512| Digest::update(hash, b"message"));
///
/// let verifying_key = signing_key.verifying_key();
/// verifying_key.with_context(b"example v1")?.verify_digest(
///     |hash: &mut Sha512| {
///         Digest::update(hash, b"message");
///         Ok(())
///     },
///     &signature,
/// )?;
/// # Ok::<(), lanner_ed25519::SignatureError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Context<'k, 'v, K> {
    key: &'k K,
    /// At most [`Self::MAX_LENGTH`] bytes.
    value: &'v [u8],
}

impl<'k, 'v, K> Context<'k, 'v, K> {
    /// Greatest length of a context, in bytes.
    pub const MAX_LENGTH: usize = MAX_CONTEXT_LENGTH;

    fn new(key: &'k K, value: &'v [u8]) -> Result<Self, SignatureError> {
        require(value.len() <= Self::MAX_LENGTH)?;
        Ok(Context { key, value })
    }

    /// The key.
    pub fn key(&self) -> &'k K {
        self.key
    }

    /// The context, 0 to 255 bytes.
    pub fn value(&self) -> &'v [u8] {
        self.value
    }
}

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
}

impl VerifyingKey {
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
}

impl<D> DigestSigner<D, Signature> for Context<'_, '_, SigningKey>
where
    D: Digest<OutputSize = U64> + Update,
{
    /// Signs with Ed25519ph, in this context, what `f` feeds to the hash.
    fn try_sign_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
    ) -> Result<Signature, SignatureError> {
        let mut digest = D::new();
        f(&mut digest)?;
        self.key.sign_prehashed(digest, Some(self.value))
    }
}

impl<D> DigestVerifier<D, Signature> for Context<'_, '_, VerifyingKey>
where
    D: Digest<OutputSize = U64> + Update,
{
    /// Verifies an Ed25519ph signature in this context on what `f` feeds to the
    /// hash, under [`profile::Dalek`](crate::profile::Dalek).
    fn verify_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let mut digest = D::new();
        f(&mut digest)?;
        self.key
            .verify_prehashed(digest, Some(self.value), signature)
    }
}
