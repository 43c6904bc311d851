//! Signs messages, short ones and files.

use super::guard::Guard;
use crate::error::{Error, Kind};
use crate::input::Message;
use crate::keys::SigningKey;
use crate::progress::Progress;
use crate::schemes::ed25519::{self, SignStreamError};
use crate::schemes::fn_dsa::{self, DomainContext, HASH_ID_RAW, StreamError};
use crate::schemes::hybrid;
use crate::text::Shown;
use sha2::{Digest, Sha512};
use std::path::Path;

/// Signs a message that this program has composed, as it is.
pub(crate) fn short(key: &SigningKey, message: &[u8]) -> Result<Vec<u8>, Error> {
    match key {
        SigningKey::Ed25519(key) => {
            let signature = key.sign_checked(message).map_err(|_| fault())?;
            Ok(signature.to_bytes().to_vec())
        }
        SigningKey::FnDsa(key) => fn_dsa_signature(key, b"", |sink| {
            sink.update(message);
            Ok(())
        }),
        SigningKey::Hybrid(key) => hybrid_signature(key, b"", &Sha512::digest(message).into()),
    }
}

/// Signs what `message` holds from its first byte to its end, as it is, under a context of at most 255 bytes, which must be
/// empty for keys that have none. Messages that begin with the mark of another format are refused.
pub(crate) fn file(
    key: &SigningKey,
    context: &[u8],
    message: &mut Message,
    path: &Path,
) -> Result<Vec<u8>, Error> {
    match key {
        SigningKey::Ed25519(key) => ed25519_file(key, b"", message, path),
        // Once: both halves sign the hash.
        SigningKey::Hybrid(key) => {
            let mut guard = Guard::default();
            let mut hash = Sha512::new();
            let mut progress = Progress::new("hashing", message.size());
            message.feed(&mut progress, |bytes| {
                guard.check(bytes, path)?;
                hash.update(bytes);
                Ok(())
            })?;
            hybrid_signature(key, context, &hash.finalize().into())
        }
        // Once, and again in the rare case that the first attempt at a signature comes out too long: with a fresh
        // nonce, which is hashed before the message.
        SigningKey::FnDsa(key) => fn_dsa_signature(key, context, |sink| {
            let mut progress = Progress::new("signing", message.size());
            let mut guard = Guard::default();
            message.rewind()?;
            message.feed(&mut progress, |bytes| {
                guard.check(bytes, path)?;
                sink.update(bytes);
                Ok(())
            })
        }),
    }
}

/// True if the message is read once, whatever happens, so that a pipe will do.
pub(crate) fn reads_once(key: &SigningKey) -> bool {
    matches!(key, SigningKey::Hybrid(_))
}

fn hybrid_signature(
    key: &hybrid::SigningKeyStandard,
    context: &[u8],
    digest: &[u8; hybrid::DIGEST_LENGTH],
) -> Result<Vec<u8>, Error> {
    let mut signature = vec![0; hybrid::signature_size(key.logn())];
    key.sign_digest_checked(&mut getrandom::SysRng, context, digest, &mut signature)
        .map_err(|error| match error {
            hybrid::Error::Fault => fault(),
            _ => Error::new(Kind::Io, "the operating system gives no random numbers"),
        })?;
    Ok(signature)
}

/// A signature was made twice, and is not right.
fn fault() -> Error {
    Error::new(
        Kind::Io,
        "the signature did not pass its check: the processor or the memory failed",
    )
    .with_hint("nothing was signed; check this machine, and the key against its backup")
}

/// Signs a payload of so many bytes as a part of a structure of which `prefix` is what stands before it.
pub(crate) fn payload(
    key: &SigningKey,
    prefix: &[u8],
    length: u64,
    message: &mut Message,
    path: &Path,
) -> Result<Vec<u8>, Error> {
    let SigningKey::Ed25519(key) = key else {
        return Err(
            Error::new(Kind::WrongKeyType, "this signature is one of Ed25519").with_path(path),
        );
    };
    let signature = ed25519_file(key, prefix, message, path)?;
    // Both passes have read the same; but the prefix says how much that is.
    let mut found = 0;
    message.rewind()?;
    message.feed(&mut Progress::new("checking", Some(length)), |bytes| {
        found += bytes.len() as u64;
        Ok(())
    })?;
    if found == length {
        Ok(signature)
    } else {
        Err(changed(path))
    }
}

fn changed(path: &Path) -> Error {
    Error::new(
        Kind::MessageChanged,
        format!("{} changed while it was being signed", Shown(path)),
    )
    .with_path(path)
    .with_hint("nothing was signed; wait until nobody writes to the file, or sign a copy")
}

/// Reads the message twice.
fn ed25519_file(
    key: &ed25519::SigningKey,
    prefix: &[u8],
    message: &mut Message,
    path: &Path,
) -> Result<Vec<u8>, Error> {
    let total = message.size().map(|size| size.saturating_mul(2));
    let mut progress = Progress::new("signing, in two passes", total);
    let result = key.sign_stream(|sink| {
        let mut guard = Guard::default();
        sink.update(prefix);
        message.rewind()?;
        message.feed(&mut progress, |bytes| {
            // Within a structure, a file may begin as it likes.
            if prefix.is_empty() {
                guard.check(bytes, path)?;
            }
            sink.update(bytes);
            Ok(())
        })
    });
    match result {
        Ok(signature) => Ok(signature.to_bytes().to_vec()),
        Err(SignStreamError::Source(error)) => Err(error),
        // `MessageChanged`: a signature over two messages at once would give the key away.
        Err(_) => Err(changed(path)),
    }
}

fn fn_dsa_signature(
    key: &fn_dsa::SigningKeyStandard,
    context: &[u8],
    mut feed: impl FnMut(&mut fn_dsa::MessageSink<'_>) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let mut signature = vec![0; fn_dsa::signature_size(key.logn())];
    let result = key.sign_stream(
        &mut getrandom::SysRng,
        &DomainContext(context),
        &HASH_ID_RAW,
        &mut signature,
        |sink| feed(sink),
    );
    match result {
        Ok(()) => Ok(signature),
        Err(StreamError::Source(error)) => Err(error),
        Err(StreamError::Sign(fn_dsa::Error::Random)) => Err(Error::new(
            Kind::Io,
            "the operating system gives no random numbers",
        )),
        Err(error) => Err(
            Error::new(Kind::BadKey, format!("the key does not sign: {error}"))
                .with_hint("make a new one with: lanner keygen"),
        ),
    }
}
