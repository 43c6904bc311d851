//! Interfaces on which a key can be lost. Not for ordinary signing.
//!
//! The functions here take a secret and a public key separately, or a secret
//! that was not made by hashing a seed. **Two signatures by one secret on one
//! message under two public keys reveal the secret**, and so do two messages
//! under one nonce. Whoever calls them must derive the public key from the
//! secret (`VerifyingKey::from(&expanded_secret_key)`) or check that they
//! match.
//!
//! `CtxDigest` is the hash in the place of SHA-512: `CtxDigest = Sha512` gives
//! Ed25519 as RFC 8032 specifies it.

mod blinding;

use sha2::Digest;
use sha2::digest::typenum::U64;

use crate::domain::Domain;
use crate::profile;
use crate::verify::verify_parts;
use crate::{Signature, SignatureError, VerifyingKey};

pub use crate::expanded::ExpandedSecretKey;
pub use blinding::{
    blind_public_key, blind_secret_key, expand_secret_key, mul_by_group_order,
    verifying_key_from_x25519,
};

/// Signs `message` (RFC 8032 section 5.1.6).
///
/// **Hazard:** `verifying_key` must be the key of `esk`; see the
/// [module](self).
pub fn raw_sign<CtxDigest>(
    esk: &ExpandedSecretKey,
    message: &[u8],
    verifying_key: &VerifyingKey,
) -> Signature
where
    CtxDigest: Digest<OutputSize = U64>,
{
    esk.sign_parts::<CtxDigest>(Domain::PURE, verifying_key.as_bytes(), &[message])
}

/// [`ExpandedSecretKey::sign`] with another hash: signs `message` under the public key of `esk`, which is
/// derived on the way. The same bytes as [`raw_sign`] with the right key. Constant time in all but the
/// length of the message.
///
/// **Hazard:** that of the fields of `esk` alone; see [`ExpandedSecretKey`].
///
/// ```
/// use lanner_ed25519::hazmat::{ExpandedSecretKey, raw_sign_deriving};
/// use lanner_ed25519::{Signer, SigningKey};
///
/// let seed = [3; 32];
/// let esk = ExpandedSecretKey::from(&seed);
/// let signature = raw_sign_deriving::<sha2::Sha512>(&esk, b"message");
/// assert_eq!(signature, SigningKey::from_bytes(&seed).sign(b"message"));
/// ```
pub fn raw_sign_deriving<CtxDigest>(esk: &ExpandedSecretKey, message: &[u8]) -> Signature
where
    CtxDigest: Digest<OutputSize = U64>,
{
    esk.derive_and_sign::<CtxDigest>(Domain::PURE, message)
}

/// Signs a message that `msg_update` feeds to the hash it is given.
///
/// **Hazard:** `msg_update` is called twice and must feed the same bytes both
/// times, or the result can reveal the key. [`SigningKey::sign_stream`] checks
/// that; this function does not. `verifying_key` must be the key of `esk`.
///
/// # Errors
///
/// The error of `msg_update`.
///
/// [`SigningKey::sign_stream`]: crate::SigningKey::sign_stream
pub fn raw_sign_byupdate<CtxDigest, F>(
    esk: &ExpandedSecretKey,
    msg_update: F,
    verifying_key: &VerifyingKey,
) -> Result<Signature, SignatureError>
where
    CtxDigest: Digest<OutputSize = U64>,
    F: Fn(&mut CtxDigest) -> Result<(), SignatureError>,
{
    esk.sign_by_update(Domain::PURE, verifying_key.as_bytes(), msg_update)
}

/// Signs with Ed25519ph; `context` has 0 to 255 bytes.
///
/// **Hazard:** `verifying_key` must be the key of `esk`; see the
/// [module](self).
///
/// # Errors
///
/// If the context is longer than 255 bytes.
#[cfg(feature = "digest")]
pub fn raw_sign_prehashed<CtxDigest, MsgDigest>(
    esk: &ExpandedSecretKey,
    prehashed_message: MsgDigest,
    verifying_key: &VerifyingKey,
    context: Option<&[u8]>,
) -> Result<Signature, SignatureError>
where
    MsgDigest: Digest<OutputSize = U64>,
    CtxDigest: Digest<OutputSize = U64>,
{
    crate::prehash::sign_prehashed::<CtxDigest, MsgDigest>(
        esk,
        verifying_key,
        prehashed_message,
        context,
    )
}

/// Verifies under [`profile::Dalek`] with another hash than SHA-512.
///
/// With feature `legacy_compatibility`, S need only be below 2^253.
///
/// # Errors
///
/// If the signature is not valid.
pub fn raw_verify<CtxDigest>(
    vk: &VerifyingKey,
    message: &[u8],
    signature: &Signature,
) -> Result<(), SignatureError>
where
    CtxDigest: Digest<OutputSize = U64>,
{
    verify_parts::<CtxDigest>(&profile::DROP_IN, vk, Domain::PURE, &[message], signature)
}

/// Verifies an Ed25519ph signature under [`profile::Dalek`] with other hashes
/// than SHA-512.
///
/// With feature `legacy_compatibility`, S need only be below 2^253.
///
/// # Errors
///
/// If the signature is not valid or the context longer than 255 bytes.
#[cfg(feature = "digest")]
pub fn raw_verify_prehashed<CtxDigest, MsgDigest>(
    vk: &VerifyingKey,
    prehashed_message: MsgDigest,
    context: Option<&[u8]>,
    signature: &Signature,
) -> Result<(), SignatureError>
where
    MsgDigest: Digest<OutputSize = U64>,
    CtxDigest: Digest<OutputSize = U64>,
{
    crate::prehash::verify_prehashed::<CtxDigest, MsgDigest>(
        &profile::DROP_IN,
        vk,
        prehashed_message,
        context,
        signature,
    )
}
