//! Verifies signatures: of short messages, and of files that are read in pieces.

use super::guard::Guard;
use crate::error::{Error, Kind};
use crate::input::Message;
use crate::keys::VerifyingKey;
use crate::progress::Progress;
use crate::schemes::ed25519::{self, profile::Strict};
use crate::schemes::fn_dsa::{DomainContext, HASH_ID_RAW};
use crate::text::Shown;
use std::path::Path;

/// True if `signature` is valid for a message that this program has composed; for Ed25519, by the strict rule.
pub(crate) fn is_valid(key: &VerifyingKey, signature: &[u8], message: &[u8]) -> bool {
    fed(key, signature, b"", |update| {
        update(message);
        Ok(())
    })
    .is_ok_and(|valid| valid)
}

/// True if `signature` is valid for the rest of `message`, as it is, under a context, which must be empty for keys that have
/// none. Messages that begin with the mark of another format are refused.
pub(crate) fn file(
    key: &VerifyingKey,
    signature: &[u8],
    context: &[u8],
    message: &mut Message,
    path: &Path,
) -> Result<bool, Error> {
    let mut progress = Progress::new("verifying", message.size());
    let mut guard = Guard::default();
    fed(key, signature, context, |update| {
        message.feed(&mut progress, |bytes| {
            guard.check(bytes, path)?;
            update(bytes);
            Ok(())
        })
    })
}

/// Hands a message to a hash.
pub(crate) fn hash(
    message: &mut Message,
    what: &'static str,
    mut update: impl FnMut(&[u8]),
) -> Result<(), Error> {
    let mut progress = Progress::new(what, message.size());
    message.feed(&mut progress, |bytes| {
        update(bytes);
        Ok(())
    })
}

/// True if `signature` is valid for the message that `feed` hands over, piece by piece, under a context, as for [`file`].
pub(crate) fn fed(
    key: &VerifyingKey,
    signature: &[u8],
    context: &[u8],
    feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), Error>,
) -> Result<bool, Error> {
    // Some signatures are refused before the message is looked at.
    match key {
        VerifyingKey::Ed25519(key) => {
            let Ok(signature) = ed25519::Signature::from_slice(signature) else {
                return Ok(false);
            };
            let Ok(mut verifier) = key.under(Strict).verify_stream(&signature) else {
                return Ok(false);
            };
            feed(&mut |bytes| verifier.update(bytes))?;
            Ok(verifier.finalize_and_verify().is_ok())
        }
        VerifyingKey::FnDsa(key) => {
            let Ok(mut verifier) =
                key.verify_stream(signature, &DomainContext(context), &HASH_ID_RAW)
            else {
                return Ok(false);
            };
            feed(&mut |bytes| verifier.update(bytes))?;
            Ok(verifier.finish().is_ok())
        }
        VerifyingKey::Hybrid(key) => {
            let mut verifier = key.verify_stream(signature, context);
            feed(&mut |bytes| verifier.update(bytes))?;
            Ok(verifier.finish().is_ok())
        }
        // A security key signs no bare bytes.
        VerifyingKey::Sk(_) => Ok(false),
    }
}

/// Refuses keys of small order, for which anybody can make signatures; `path` is for the error.
pub(crate) fn refuse_weak(key: &VerifyingKey, path: &Path) -> Result<(), Error> {
    let is_weak = match key {
        VerifyingKey::Ed25519(key) => key.is_weak(),
        VerifyingKey::Sk(key) => key.key.is_weak(),
        // A hybrid key has no half of small order: it would not decode.
        VerifyingKey::FnDsa(_) | VerifyingKey::Hybrid(_) => false,
    };
    if !is_weak {
        return Ok(());
    }
    Err(Error::new(
        Kind::WeakKey,
        format!(
            "{} is a weak key: anybody can make signatures for it",
            Shown(path)
        ),
    )
    .with_path(path)
    .with_hint("trust nothing that is signed with it; ask the signer for another key"))
}
