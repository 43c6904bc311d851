//! The traits of signature 3 and digest 0.11: Ed25519ph of what a closure feeds to a hash of 64 bytes; sizes of keys.

use ed25519::signature::{DigestSigner, DigestVerifier};
use lanner_digest::Update;
use lanner_digest::common::{InvalidKey, Key, KeySizeUser, TryKeyInit};
use lanner_digest::typenum::U32;
use lanner_simd::stack::cleared;

use crate::context::Context;
use crate::ecosystem::{Digest, U64};
use crate::signing::COPY;
use crate::{Signature, SignatureError, SigningKey, VerifyingKey};

/// The hash of what `f` feeds to it.
fn hashed<D: Digest>(
    f: impl Fn(&mut D) -> Result<(), SignatureError>,
) -> Result<D, SignatureError> {
    let mut digest = D::new();
    f(&mut digest)?;
    Ok(digest)
}

impl<D: Digest<OutputSize = U64> + Update> DigestSigner<D, Signature> for SigningKey {
    /// Signs without a context.
    fn try_sign_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
    ) -> Result<Signature, SignatureError> {
        self.sign_prehashed(hashed(f)?, None)
    }
}

impl<D: Digest<OutputSize = U64> + Update> DigestSigner<D, Signature>
    for Context<'_, '_, SigningKey>
{
    fn try_sign_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
    ) -> Result<Signature, SignatureError> {
        self.key().sign_prehashed(hashed(f)?, Some(self.value()))
    }
}

impl<D: Digest<OutputSize = U64> + Update> DigestVerifier<D, Signature> for VerifyingKey {
    /// Verifies without a context.
    fn verify_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.verify_prehashed(hashed(f)?, None, signature)
    }
}

impl<D: Digest<OutputSize = U64> + Update> DigestVerifier<D, Signature>
    for Context<'_, '_, VerifyingKey>
{
    fn verify_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        self.key()
            .verify_prehashed(hashed(f)?, Some(self.value()), signature)
    }
}

impl KeySizeUser for SigningKey {
    type KeySize = U32;
}

impl KeySizeUser for VerifyingKey {
    type KeySize = U32;
}

impl TryKeyInit for SigningKey {
    /// The signing key of a secret key of 32 bytes. Never fails.
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        cleared::<COPY, _>(|| Ok(Self::from_bytes(key.as_ref())))
    }
}

#[cfg(feature = "rand_core")]
impl lanner_digest::common::Generate for SigningKey {
    fn try_generate_from_rng<R: rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        cleared::<COPY, _>(|| {
            let mut secret_key = zeroize::Zeroizing::new([0; 32]);
            rng.try_fill_bytes(&mut *secret_key)?;
            Ok(Self::from_bytes(&secret_key))
        })
    }
}
