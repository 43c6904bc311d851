//! Hedged signing: the nonce depends on fresh randomness as well.
//!
//! Deterministic nonces need no randomness to be safe, but they let an attacker
//! who can provoke faults, or who measures power, watch the same computation
//! again and again. Here the nonce is r = SHA-512(Z, prefix, zeros, M) with 32
//! random bytes Z, in the manner of the CFRG's draft "Hedged ECDSA and EdDSA
//! Signatures" (draft-irtf-cfrg-det-sigs-with-noise): the zeros fill the first
//! block of the hash, so that secrets and message are never processed in one
//! block. Should the generator fail or be known to the attacker, r still
//! depends on the secret prefix and on the message, as it does without it.
//! Verification is the same as ever.

use crate::sha512::Sha512;
use ed25519::signature::{RandomizedMultipartSigner, RandomizedSigner};
use lanner_simd::stack::cleared;
use rand_core::TryCryptoRng;
use sha2::Digest;
use zeroize::Zeroizing;

use crate::depth;
use crate::domain::Domain;
use crate::expanded::Nonce;
use crate::verify::{challenge, challenge_hash};
use crate::{Signature, SignatureError, SigningKey};

/// What is left of a block of SHA-512 (128 bytes) after Z and the prefix.
const PADDING: [u8; 64] = [0; 64];

impl RandomizedMultipartSigner<Signature> for SigningKey {
    /// Signs the concatenation of the parts, with 32 bytes of the generator in the derivation of the nonce.
    /// Constant time in all but the lengths.
    ///
    /// # Errors
    ///
    /// If the generator fails.
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature, SignatureError> {
        let mut z = Zeroizing::new([0; 32]);
        rng.try_fill_bytes(&mut *z)
            .map_err(|_| SignatureError::new())?;

        Ok(cleared::<{ depth::SIGN }, _>(|| {
            let secret = self.expanded();
            let mut hash = Sha512::new();
            hash.update(z.as_slice());
            hash.update(secret.hash_prefix.as_slice());
            hash.update(PADDING);
            for part in message {
                hash.update(part);
            }
            let nonce = Nonce::from_hash(hash);

            let key = self.as_ref().as_bytes();
            let mut hash: Sha512 = challenge_hash(Domain::PURE, key, nonce.commitment());
            for part in message {
                hash.update(part);
            }
            nonce.respond(&secret.scalar, &challenge(hash))
        }))
    }
}

impl RandomizedSigner<Signature> for SigningKey {
    /// Signs with 32 bytes of fresh randomness mixed into the nonce, which
    /// hardens against faults and power analysis. Two signatures of one message
    /// differ; both verify as usual. Constant time in all but the length of the
    /// message. Fails only if `rng` does.
    ///
    /// ```
    /// use getrandom::SysRng;
    /// use lanner_ed25519::SigningKey;
    /// use lanner_ed25519::ed25519::signature::RandomizedSigner;
    ///
    /// let signing_key = SigningKey::from_bytes(&[6; 32]);
    /// let signature = signing_key.try_sign_with_rng(&mut SysRng, b"message")?;
    /// signing_key.verify_strict(b"message", &signature)?;
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, SignatureError> {
        self.try_multipart_sign_with_rng(rng, &[message])
    }
}
