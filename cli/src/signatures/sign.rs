//! Signs messages, short ones and files.

use super::guard::Guard;
use super::verify;
use crate::error::{Error, Kind};
use crate::input::Message;
use crate::keys::{SigningKey, VerifyingKey};
use crate::progress::Progress;
use crate::schemes::ed25519::{self, SignStreamError};
use crate::schemes::fn_dsa::rand_core::TryCryptoRng;
use crate::schemes::fn_dsa::{self, DOMAIN_NONE, DomainContext, HASH_ID_RAW, StreamError};
use crate::schemes::hybrid;
use crate::text::Shown;
use sha2::{Digest, Sha512};
use std::fmt::Display;
use std::path::Path;

/// Signs a message that this program has composed, as it is: twice, and gives out what passes its check.
pub(crate) fn short(key: &SigningKey, message: &[u8]) -> Result<Vec<u8>, Error> {
    short_with(&mut getrandom::SysRng, key, message)
}

/// The same with another generator than the system's.
fn short_with<R: TryCryptoRng>(
    rng: &mut R,
    key: &SigningKey,
    message: &[u8],
) -> Result<Vec<u8>, Error> {
    match key {
        SigningKey::Ed25519(key) => {
            let signature = key.sign_checked(message).map_err(|_| fault())?;
            Ok(signature.to_bytes().to_vec())
        }
        SigningKey::FnDsa(key) => {
            let mut signature = vec![0; fn_dsa::signature_size(key.logn())];
            key.sign_bytes_checked(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, &mut signature)
                .map_err(fn_dsa_error)?;
            Ok(signature)
        }
        SigningKey::Hybrid(key) => hybrid_signature(rng, key, b"", &Sha512::digest(message).into()),
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
            let digest = hash.finalize().into();
            hybrid_signature(&mut getrandom::SysRng, key, context, &digest)
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

fn hybrid_signature<R: TryCryptoRng>(
    rng: &mut R,
    key: &hybrid::SigningKeyStandard,
    context: &[u8],
    digest: &[u8; hybrid::DIGEST_LENGTH],
) -> Result<Vec<u8>, Error> {
    let mut signature = vec![0; hybrid::signature_size(key.logn())];
    key.sign_digest_checked(rng, context, digest, &mut signature)
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

/// Signs a payload of so many bytes as a part of a structure of which `prefix` is what stands before it, and verifies what it
/// gives out.
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
    // Both passes have read the same; but the prefix says how much that is. The pass that counts verifies.
    let mut found = 0;
    message.rewind()?;
    let public = VerifyingKey::Ed25519(key.verifying_key());
    let valid = verify::fed(&public, &signature, b"", |update| {
        update(prefix);
        message.feed(&mut Progress::new("checking", Some(length)), |bytes| {
            found += bytes.len() as u64;
            update(bytes);
            Ok(())
        })
    })?;
    if found != length {
        Err(changed(path))
    } else if !valid {
        Err(changed(path).with_more("or the processor or the memory failed"))
    } else {
        Ok(signature)
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
        Err(StreamError::Sign(error)) => Err(fn_dsa_error(error)),
        Err(error) => Err(does_not_sign(&error)),
    }
}

fn fn_dsa_error(error: fn_dsa::Error) -> Error {
    match error {
        fn_dsa::Error::Fault => fault(),
        fn_dsa::Error::Random => {
            Error::new(Kind::Io, "the operating system gives no random numbers")
        }
        error => does_not_sign(&error),
    }
}

fn does_not_sign(error: &dyn Display) -> Error {
    Error::new(Kind::BadKey, format!("the key does not sign: {error}"))
        .with_hint("make a new one with: lanner keygen")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::fn_dsa::rand_core::TryRng;
    use crate::schemes::fn_dsa::shake::SeededRng;
    use std::convert::Infallible;

    /// A generator whose bytes are known, and how many it gave.
    struct Counted(usize);

    impl TryRng for Counted {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            self.0 += 4;
            Ok(u32::from_ne_bytes([7; 4]))
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            self.0 += 8;
            Ok(u64::from_ne_bytes([7; 8]))
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            self.0 += bytes.len();
            bytes.fill(7);
            Ok(())
        }
    }

    impl TryCryptoRng for Counted {}

    /// What signs twice draws one seed, of two halves, and what it gives out is the plain signature of that seed.
    #[test]
    fn short_messages_of_fn_dsa_are_signed_twice() {
        const MESSAGE: &[u8] = b"message";
        let key = fn_dsa::SigningKeyStandard::from_seed_of_degree(
            fn_dsa::FN_DSA_LOGN_512,
            &[9; fn_dsa::SEED_LENGTH],
        )
        .expect("any seed is one");
        let mut plain = vec![0; fn_dsa::signature_size(key.logn())];
        key.sign_bytes(
            &mut SeededRng::new(&[7; 64]),
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            MESSAGE,
            &mut plain,
        )
        .expect("it is a key");
        let mut rng = Counted(0);
        let key = SigningKey::FnDsa(Box::new(key));
        assert_eq!(short_with(&mut rng, &key, MESSAGE).expect("signed"), plain);
        assert_eq!(rng.0, 64);
    }
}
