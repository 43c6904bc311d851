//! Signs messages, short ones and files.

use super::guard::Guard;
use super::verify;
use crate::error::{Error, Kind};
use crate::input::Message;
use crate::keys::SigningKey;
use crate::progress::Progress;
use crate::schemes::ed25519::{self, SignStreamError};
use crate::schemes::fn_dsa::rand_core::TryCryptoRng;
use crate::schemes::fn_dsa::{self, DomainContext, HASH_ID_RAW, StreamError};
use crate::schemes::hybrid;
use crate::text::Shown;
use sha2::{Digest, Sha512};
use std::fmt::Display;
use std::path::Path;

/// Files up to this size are held in memory, and signed there.
const IN_MEMORY: usize = 1024 * 1024;

/// Signs a message that this program has composed, as it is: twice, and gives out what passes its check.
pub(crate) fn short(key: &SigningKey, message: &[u8]) -> Result<Vec<u8>, Error> {
    twice(&mut getrandom::SysRng, key, b"", message)
}

/// The same with any generator, and under a context, which must be empty for keys that have none.
fn twice<R: TryCryptoRng>(
    rng: &mut R,
    key: &SigningKey,
    context: &[u8],
    message: &[u8],
) -> Result<Vec<u8>, Error> {
    match key {
        SigningKey::Ed25519(key) => {
            let signature = key.sign_checked(message).map_err(|_| fault())?;
            Ok(signature.to_bytes().to_vec())
        }
        SigningKey::FnDsa(key) => {
            let mut signature = vec![0; fn_dsa::signature_size(key.logn())];
            let context = DomainContext(context);
            key.sign_bytes_checked(rng, &context, &HASH_ID_RAW, message, &mut signature)
                .map_err(fn_dsa_error)?;
            Ok(signature)
        }
        SigningKey::Hybrid(key) => {
            hybrid_signature(rng, key, context, &Sha512::digest(message).into())
        }
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
        // Read once: both halves sign the hash.
        SigningKey::Hybrid(key) => {
            let mut hash = Sha512::new();
            guarded(message, "hashing", path, |bytes| hash.update(bytes))?;
            let digest = hash.finalize().into();
            hybrid_signature(&mut getrandom::SysRng, key, context, &digest)
        }
        SigningKey::Ed25519(ed25519) => checked(key, context, message, path, |message| {
            ed25519_file(ed25519, b"", message, path)
        }),
        // Once, and again in the rare case that the first attempt at a signature comes out too long: with a fresh
        // nonce, which is hashed before the message.
        SigningKey::FnDsa(fn_dsa) => checked(key, context, message, path, |message| {
            fn_dsa_signature(fn_dsa, context, |sink| {
                message.rewind()?;
                guarded(message, "signing", path, |bytes| sink.update(bytes))
            })
        }),
    }
}

/// Signs in memory, twice, what is short, and by `in_pieces` what is not, which is then read once more and gets its signature if
/// that is valid.
fn checked(
    key: &SigningKey,
    context: &[u8],
    message: &mut Message,
    path: &Path,
    in_pieces: impl FnOnce(&mut Message) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    if let Some(whole) = in_memory(message, path)? {
        return twice(&mut getrandom::SysRng, key, context, &whole);
    }
    let signature = in_pieces(message)?;
    let (_, valid) = read_again(key, &signature, context, b"", message)?;
    if valid {
        Ok(signature)
    } else {
        Err(invalid(path))
    }
}

/// Hands over the rest of a message that does not begin with the mark of another format.
fn guarded(
    message: &mut Message,
    what: &'static str,
    path: &Path,
    mut update: impl FnMut(&[u8]),
) -> Result<(), Error> {
    let mut guard = Guard::default();
    message.feed(&mut Progress::new(what, message.size()), |bytes| {
        guard.check(bytes, path)?;
        update(bytes);
        Ok(())
    })
}

/// The message, unless it is long, or says less of its length than there is.
fn in_memory(message: &mut Message, path: &Path) -> Result<Option<Vec<u8>>, Error> {
    if message.size().is_none_or(|size| size > IN_MEMORY as u64) {
        return Ok(None);
    }
    let mut whole = Some(Vec::new());
    message.rewind()?;
    guarded(message, "signing", path, |bytes| {
        whole = whole.take().filter(|whole| whole.len() <= IN_MEMORY);
        if let Some(whole) = &mut whole {
            whole.extend_from_slice(bytes);
        }
    })?;
    Ok(whole)
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
    let SigningKey::Ed25519(ed25519) = key else {
        return Err(
            Error::new(Kind::WrongKeyType, "this signature is one of Ed25519").with_path(path),
        );
    };
    let signature = ed25519_file(ed25519, prefix, message, path)?;
    // Both passes have read the same; but the prefix says how much that is. The pass that counts verifies.
    let (found, valid) = read_again(key, &signature, b"", prefix, message)?;
    if found != length {
        Err(changed(path))
    } else if !valid {
        Err(invalid(path))
    } else {
        Ok(signature)
    }
}

/// Reads once more what was signed: how many bytes stand behind the prefix, and whether the signature is valid.
fn read_again(
    key: &SigningKey,
    signature: &[u8],
    context: &[u8],
    prefix: &[u8],
    message: &mut Message,
) -> Result<(u64, bool), Error> {
    let mut found = 0;
    message.rewind()?;
    let mut progress = Progress::new("checking", message.size());
    let valid = verify::fed(&key.public(), signature, context, |update| {
        update(prefix);
        message.feed(&mut progress, |bytes| {
            found += bytes.len() as u64;
            update(bytes);
            Ok(())
        })
    })?;
    Ok((found, valid))
}

fn invalid(path: &Path) -> Error {
    changed(path).with_more("or the processor or the memory failed")
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
    use crate::input::Source;
    use crate::schemes::fn_dsa::DOMAIN_NONE;
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

    fn keys() -> [SigningKey; 2] {
        let lattice = fn_dsa::SigningKeyStandard::from_seed_of_degree(
            fn_dsa::FN_DSA_LOGN_512,
            &[9; fn_dsa::SEED_LENGTH],
        );
        [
            SigningKey::Ed25519(Box::new(ed25519::SigningKey::from_bytes(&[9; 32]))),
            SigningKey::FnDsa(Box::new(lattice.expect("any seed is one"))),
        ]
    }

    fn message(bytes: &[u8]) -> Message {
        let name = Path::new("m");
        let message = Source::Bytes { name, bytes }.rewindable();
        message.expect("it is in memory")
    }

    /// In memory and in pieces, each under its context.
    #[test]
    fn files_of_every_size_have_valid_signatures() {
        let path = Path::new("m");
        let bytes: Vec<u8> = (0..=IN_MEMORY).map(|i| (i % 251) as u8).collect();
        for key in keys() {
            let context = match key {
                SigningKey::Ed25519(_) => &b""[..],
                _ => b"context",
            };
            for length in [0, 1, IN_MEMORY, IN_MEMORY + 1] {
                let mut message = message(&bytes[..length]);
                let signature = file(&key, context, &mut message, path).expect("it signs");
                let is_valid = |context: &[u8], length: usize| {
                    let message = &mut self::message(&bytes[..length]);
                    let valid = verify::file(&key.public(), &signature, context, message, path);
                    valid.expect("it can be read")
                };
                assert!(is_valid(context, length));
                assert!(!is_valid(context, length ^ 1));
                assert!(context.is_empty() || !is_valid(b"", length));
                if let SigningKey::Ed25519(key) = &key {
                    let plain = ed25519::Signer::sign(&**key, &bytes[..length]);
                    assert_eq!(signature, plain.to_bytes());
                }
            }
        }
    }

    /// What was made in pieces is given out only if it is valid of what is read afterwards.
    #[test]
    fn wrong_signatures_of_long_files_are_kept_back() {
        let path = Path::new("m");
        let bytes = vec![7; IN_MEMORY + 1];
        for key in keys() {
            let right = file(&key, b"", &mut message(&bytes), path).expect("it signs");
            for wrong in [0, 40, right.len() - 1, right.len()] {
                let run = checked(&key, b"", &mut message(&bytes), path, |_| {
                    let mut signature = right.clone();
                    if let Some(byte) = signature.get_mut(wrong) {
                        *byte ^= 1;
                    }
                    Ok(signature)
                });
                match run {
                    Ok(signature) => assert_eq!((wrong, signature), (right.len(), right.clone())),
                    Err(error) => {
                        assert_ne!(wrong, right.len());
                        assert_eq!(error.kind, Kind::MessageChanged);
                    }
                }
            }
        }
    }

    /// A file may have grown since it was asked for its size.
    #[test]
    fn what_is_longer_than_it_said_is_read_in_pieces() {
        let place = tempfile::tempdir().expect("there is room");
        let path = place.path().join("m");
        std::fs::write(&path, b"short").expect("there is room");
        let mut opened = Message::rewindable(&path).expect("it is a file");
        let read = |message: &mut Message| in_memory(message, &path).expect("it can be read");
        assert_eq!(read(&mut opened).as_deref(), Some(&b"short"[..]));
        std::fs::write(&path, vec![7; IN_MEMORY + 200_000]).expect("there is room");
        assert_eq!(read(&mut opened), None);
        for key in keys() {
            let signature = file(&key, b"", &mut opened, &path).expect("it signs");
            let whole = vec![7; IN_MEMORY + 200_000];
            assert!(verify::is_valid(&key.public(), &signature, &whole));
        }
    }

    /// What signs twice draws one seed, of two halves, and what it gives out is the plain signature of that seed.
    #[test]
    fn short_messages_of_fn_dsa_are_signed_twice() {
        const MESSAGE: &[u8] = b"message";
        let [_, lattice] = keys();
        let SigningKey::FnDsa(key) = &lattice else {
            panic!("the second one is of FN-DSA");
        };
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
        assert_eq!(
            twice(&mut rng, &lattice, b"", MESSAGE).expect("signed"),
            plain
        );
        assert_eq!(rng.0, 64);
    }
}
