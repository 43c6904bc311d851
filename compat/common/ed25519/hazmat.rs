//! Interfaces on which a key can be lost. Not for ordinary signing.
//!
//! **Two signatures by one secret on one message under two public keys reveal the secret.** Whoever calls these
//! functions must derive the public key from the secret (`VerifyingKey::from(&expanded_secret_key)`) or check that they
//! match. `CtxDigest` is the hash in the place of SHA-512.

use core::cell::Cell;

use lanner_ed25519::hazmat as lanner;
use lanner_simd::stack::cleared;

use crate::adapter::Adapted;
use crate::ecosystem::{self, Digest, U64};
#[cfg(feature = "digest")]
use crate::errors::Cause;
use crate::errors::verdict;
use crate::signing::COPY;
use crate::verifying::admitted;
#[cfg(feature = "digest")]
use crate::verifying::check;
use crate::{Signature, SignatureError, VerifyingKey};

pub use crate::expanded::ExpandedSecretKey;

/// Signs `message` (RFC 8032, section 5.1.6).
///
/// **Hazard:** `verifying_key` must be the key of `esk`; see the [module](self).
pub fn raw_sign<CtxDigest>(
    esk: &ExpandedSecretKey,
    message: &[u8],
    verifying_key: &VerifyingKey,
) -> Signature
where
    CtxDigest: Digest<OutputSize = U64>,
{
    let key = &verifying_key.0;
    ecosystem::signature(cleared::<COPY, _>(|| {
        lanner::raw_sign::<Adapted<CtxDigest>>(&esk.inner(), message, key)
    }))
}

/// Signs a message that `msg_update` feeds to the hash it is given.
///
/// **Hazard:** `msg_update` is called twice and must feed the same bytes both times, or the result can reveal the key.
/// `verifying_key` must be the key of `esk`.
///
/// # Errors
///
/// The error of `msg_update`.
pub fn raw_sign_byupdate<CtxDigest, F>(
    esk: &ExpandedSecretKey,
    msg_update: F,
    verifying_key: &VerifyingKey,
) -> Result<Signature, SignatureError>
where
    CtxDigest: Digest<OutputSize = U64>,
    F: Fn(&mut CtxDigest) -> Result<(), SignatureError>,
{
    // The error of the closure, which goes past Lanner, whose own is another type.
    let error = Cell::new(None);
    let absorb = |hash: &mut Adapted<CtxDigest>| {
        msg_update(&mut hash.0).map_err(|cause| {
            error.set(Some(cause));
            lanner_ed25519::SignatureError::new()
        })
    };
    let signature =
        cleared::<COPY, _>(|| lanner::raw_sign_byupdate(&esk.inner(), absorb, &verifying_key.0));
    match signature {
        Ok(signature) => Ok(ecosystem::signature(signature)),
        Err(_) => Err(error.take().unwrap_or_default()),
    }
}

/// Signs with Ed25519ph; `context` has 0 to 255 bytes.
///
/// **Hazard:** `verifying_key` must be the key of `esk`; see the [module](self).
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
    let (message, key) = (Adapted(prehashed_message), &verifying_key.0);
    let signature = cleared::<COPY, _>(|| {
        lanner::raw_sign_prehashed::<Adapted<CtxDigest>, _>(&esk.inner(), message, key, context)
    });
    match signature {
        Ok(signature) => Ok(ecosystem::signature(signature)),
        Err(_) => Err(Cause::Context.into()),
    }
}

/// Verifies by the rule of `verify`.
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
    let signature = admitted(signature)?;
    verdict(lanner::raw_verify::<Adapted<CtxDigest>>(
        &vk.0, message, &signature,
    ))
}

/// Verifies an Ed25519ph signature by the rule of `verify`.
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
    let (signature, message) = (admitted(signature)?, Adapted(prehashed_message));
    check(context)?;
    verdict(lanner::raw_verify_prehashed::<Adapted<CtxDigest>, _>(
        &vk.0, message, context, &signature,
    ))
}
