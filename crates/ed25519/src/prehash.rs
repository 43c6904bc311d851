//! Ed25519ph: signatures of the hash of a message (RFC 8032 section 5.1).
//!
//! The RFC knows only SHA-512 as the hash of the message. Another hash of 64
//! bytes works here too and is then between the two parties.

use crate::sha512::Sha512;
use ed25519::signature::DigestSigner;
use sha2::{Digest, digest::Update, digest::typenum::U64};

use crate::domain::Domain;
use crate::expanded::ExpandedSecretKey;
use crate::profile::Rules;
use crate::verify::{KeyParts, verify_parts};
use crate::{Signature, SignatureError, SigningKey, VerifyingKey};

/// Signs with `CtxDigest` in the place of SHA-512.
pub(crate) fn sign_prehashed<CtxDigest, MsgDigest>(
    secret: &ExpandedSecretKey,
    key: &VerifyingKey,
    prehashed_message: MsgDigest,
    context: Option<&[u8]>,
) -> Result<Signature, SignatureError>
where
    CtxDigest: Digest<OutputSize = U64>,
    MsgDigest: Digest<OutputSize = U64>,
{
    // RFC 8032 section 5.1: dom2 with phflag 1 and the context, and PH(M) in the place of M in the
    // steps of section 5.1.6.
    let domain = Domain::prehashed(context.unwrap_or_default())?;
    let prehash = prehashed_message.finalize();
    Ok(secret.sign_parts::<CtxDigest>(domain, key.as_bytes(), &[&prehash]))
}

/// Verifies with `CtxDigest` in the place of SHA-512.
pub(crate) fn verify_prehashed<CtxDigest, MsgDigest>(
    rules: &Rules,
    key: &impl KeyParts,
    prehashed_message: MsgDigest,
    context: Option<&[u8]>,
    signature: &Signature,
) -> Result<(), SignatureError>
where
    CtxDigest: Digest<OutputSize = U64>,
    MsgDigest: Digest<OutputSize = U64>,
{
    // RFC 8032 section 5.1: dom2 with phflag 1 and the context, and PH(M) in the place of M in the
    // steps of section 5.1.7.
    let domain = Domain::prehashed(context.unwrap_or_default())?;
    let prehash = prehashed_message.finalize();
    verify_parts::<CtxDigest>(rules, key, domain, &[&prehash], signature)
}

impl SigningKey {
    /// Signs with Ed25519ph: `prehashed_message` is a hash of 64 bytes that has
    /// absorbed the message, `context` 0 to 255 bytes (none: empty). Constant
    /// time in all but the lengths.
    ///
    /// # Errors
    ///
    /// If the context is longer than 255 bytes.
    ///
    /// ```
    /// use lanner_ed25519::{Digest, Sha512, SigningKey};
    ///
    /// let signing_key = SigningKey::from_bytes(&[2; 32]);
    /// let hash = Sha512::new_with_prefix(b"message");
    /// let signature = signing_key.sign_prehashed(hash.clone(), Some(b"example v1"))?;
    ///
    /// signing_key
    ///     .verifying_key()
    ///     .verify_prehashed_strict(hash, Some(b"example v1"), &signature)?;
    /// # Ok::<(), lanner_ed25519::SignatureError>(())
    /// ```
    pub fn sign_prehashed<MsgDigest>(
        &self,
        prehashed_message: MsgDigest,
        context: Option<&[u8]>,
    ) -> Result<Signature, SignatureError>
    where
        MsgDigest: Digest<OutputSize = U64>,
    {
        sign_prehashed::<Sha512, MsgDigest>(
            self.expanded(),
            self.as_ref(),
            prehashed_message,
            context,
        )
    }

    /// Verifies an Ed25519ph signature with the public key under
    /// [`profile::Dalek`](crate::profile::Dalek): `prehashed_message` is a hash
    /// of 64 bytes that has absorbed the message, `context` has 0 to 255 bytes
    /// (none: empty).
    ///
    /// With feature `legacy_compatibility`, S need only be below 2^253.
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
        self.verifying_key()
            .verify_prehashed(prehashed_message, context, signature)
    }
}

impl<D> DigestSigner<D, Signature> for SigningKey
where
    D: Digest<OutputSize = U64> + Update,
{
    /// Signs with Ed25519ph, without a context, what `f` feeds to the hash.
    fn try_sign_digest<F: Fn(&mut D) -> Result<(), SignatureError>>(
        &self,
        f: F,
    ) -> Result<Signature, SignatureError> {
        let mut digest = D::new();
        f(&mut digest)?;
        self.sign_prehashed(digest, None)
    }
}
