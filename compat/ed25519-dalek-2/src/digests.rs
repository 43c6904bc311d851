//! The traits of signature 2 for hashes of 64 bytes that have absorbed the message: Ed25519ph.

use ed25519::signature::{DigestSigner, DigestVerifier};

use crate::context::Context;
use crate::ecosystem::{Digest, U64};
use crate::{Signature, SignatureError, SigningKey, VerifyingKey};

impl<D: Digest<OutputSize = U64>> DigestSigner<D, Signature> for SigningKey {
    /// Signs without a context.
    fn try_sign_digest(&self, msg_digest: D) -> Result<Signature, SignatureError> {
        self.sign_prehashed(msg_digest, None)
    }
}

impl<D: Digest<OutputSize = U64>> DigestSigner<D, Signature> for Context<'_, '_, SigningKey> {
    fn try_sign_digest(&self, msg_digest: D) -> Result<Signature, SignatureError> {
        self.key().sign_prehashed(msg_digest, Some(self.value()))
    }
}

impl<D: Digest<OutputSize = U64>> DigestVerifier<D, Signature> for VerifyingKey {
    /// Verifies without a context.
    fn verify_digest(&self, msg_digest: D, signature: &Signature) -> Result<(), SignatureError> {
        self.verify_prehashed(msg_digest, None, signature)
    }
}

impl<D: Digest<OutputSize = U64>> DigestVerifier<D, Signature> for Context<'_, '_, VerifyingKey> {
    fn verify_digest(&self, msg_digest: D, signature: &Signature) -> Result<(), SignatureError> {
        self.key()
            .verify_prehashed(msg_digest, Some(self.value()), signature)
    }
}
