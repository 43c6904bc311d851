//! Keys for signed notes (the specification signed-note of C2SP, and Go's golang.org/x/mod/sumdb/note): one line with a
//! name, a hash of the name and the key, and the key.

use super::{Secret, Unlocked};
use crate::algorithm::Algorithm;
use crate::base64;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, malformed};
use crate::text::{hex, unhex};
use sha2::{Digest, Sha256};
use std::path::Path;
use zeroize::Zeroizing;

/// What secret keys begin with.
const SECRET: &str = "PRIVATE+KEY+";
/// The identifier of Ed25519, before keys.
const ED25519: u8 = 1;

/// The four bytes by which notes tell keys apart.
pub(crate) type KeyHash = [u8; 4];

/// True for what can name a key: text without spaces and without a plus sign.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text
            .chars()
            .any(|c| c == '+' || c.is_whitespace() || c.is_control())
}

/// The hash of a name and the key of Ed25519 that has it.
pub(crate) fn key_hash(name: &str, key: &[u8; 32]) -> KeyHash {
    let hash = Sha256::new()
        .chain_update(name)
        .chain_update([b'\n', ED25519])
        .chain_update(key)
        .finalize();
    hash[..4].try_into().expect("four bytes")
}

/// The public key as verifiers take it.
pub(crate) fn public_line(name: &str, key: &[u8; 32]) -> String {
    let hash = hex(&key_hash(name, key));
    let bytes = [&[ED25519][..], key].concat();
    format!("{name}+{}+{}", *hash, *base64::encode(&bytes))
}

/// The secret key as signers take it.
pub(crate) fn secret_line(name: &str, seed: &[u8; 32], public: &[u8; 32]) -> Zeroizing<String> {
    let hash = hex(&key_hash(name, public));
    let mut bytes = Zeroizing::new([ED25519; 33]);
    bytes[1..].copy_from_slice(seed);
    let body = base64::encode(&*bytes);
    let length = SECRET.len() + name.len() + hash.len() + body.len() + 2;
    let mut line = Zeroizing::new(String::with_capacity(length));
    for part in [SECRET, name, "+", &hash, "+", &body] {
        line.push_str(part);
    }
    line
}

/// The name for a key in this form, which is its comment.
pub(crate) fn name_of(comment: Option<&str>) -> Result<&str, Error> {
    comment.filter(|name| is_name(name)).ok_or_else(|| {
        Error::new(
            Kind::Usage,
            "a key for signed notes has a name, without spaces and without a plus sign",
        )
        .with_hint("give it with -C NAME, say example.org/releases")
    })
}

/// The parts of a line: name, hash, and key after its identifier.
struct Line<'a> {
    name: &'a str,
    hash: Vec<u8>,
    key: Zeroizing<[u8; 32]>,
}

fn line(text: &str) -> Option<Line<'_>> {
    let (name, rest) = text.split_once('+')?;
    let (hash, key) = rest.split_once('+')?;
    let hash = unhex(hash.as_bytes()).filter(|hash| hash.len() == 4)?;
    let bytes = base64::decode(key.as_bytes())?;
    let (&[kind], key) = bytes.split_first_chunk()?;
    let key: &[u8; 32] = key.try_into().ok()?;
    (is_name(name) && kind == ED25519).then(|| Line {
        name,
        hash: hash.to_vec(),
        key: Zeroizing::new(*key),
    })
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().map(str::trim)
}

/// True for the line of a public key.
pub(crate) fn is_public(bytes: &[u8]) -> bool {
    !is_secret(bytes) && text(bytes).and_then(line).is_some()
}

/// True for the line of a secret key.
pub(crate) fn is_secret(bytes: &[u8]) -> bool {
    bytes.starts_with(SECRET.as_bytes())
}

fn broken(path: &Path) -> Error {
    malformed(path, "its line is not NAME+HASH+KEY with a key of Ed25519")
}

fn check_hash(line: &Line<'_>, public: &PublicKey, path: &Path) -> Result<(), Error> {
    let key = public.as_ed25519().expect("it is one");
    if line.hash == key_hash(line.name, key) {
        return Ok(());
    }
    Err(malformed(
        path,
        "its hash is not that of the name and the key",
    ))
}

/// The key, and its name.
pub(crate) fn read_public(bytes: &[u8], path: &Path) -> Result<(PublicKey, String), Error> {
    let line = text(bytes).and_then(line).ok_or_else(|| broken(path))?;
    let public = PublicKey::ed25519(&*line.key, path)?;
    check_hash(&line, &public, path)?;
    Ok((public, line.name.to_owned()))
}

/// The secret key, with its name as the comment, within [`crate::keys::without_traces`].
pub(crate) fn read_secret(bytes: &[u8], path: &Path) -> Result<Unlocked, Error> {
    let line = text(bytes)
        .and_then(|text| text.strip_prefix(SECRET))
        .and_then(line)
        .ok_or_else(|| broken(path))?;
    let key = Secret::from_seed(Algorithm::Ed25519, &line.key, path)?;
    check_hash(&line, &key.public(), path)?;
    Ok(Unlocked {
        key,
        comment: Some(line.name.to_owned()),
        key_id: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of the example in the documentation of golang.org/x/mod/sumdb/note.
    const PUBLIC: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const SECRET_LINE: &str =
        "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";

    #[test]
    fn the_keys_of_gos_documentation() {
        let path = Path::new("k");
        let (public, name) = read_public(PUBLIC.as_bytes(), path).unwrap();
        assert_eq!(name, "PeterNeumann");
        let bytes = public.as_ed25519().unwrap();
        assert_eq!(public_line(&name, bytes), PUBLIC);
        let unlocked = read_secret(SECRET_LINE.as_bytes(), path).unwrap();
        assert_eq!(unlocked.key.public().as_ed25519(), Some(bytes));
        let seed = unlocked.key.seed().unwrap();
        assert_eq!(*secret_line(&name, seed, bytes), SECRET_LINE);
    }

    #[test]
    fn what_is_broken() {
        let path = Path::new("k");
        for (from, to) in [
            ("PeterNeumann", "PeterNewman"),
            ("c74f20a3", "c74f20a4"),
            ("ARpc", "Ahpc"),
            ("c74f20a3", "c74f20"),
            ("PeterNeumann", "Peter Neumann"),
            ("PeterNeumann", ""),
        ] {
            let text = PUBLIC.replace(from, to);
            assert!(read_public(text.as_bytes(), path).is_err(), "{text}");
            let text = SECRET_LINE.replace(from, to);
            assert_eq!(
                read_secret(text.as_bytes(), path).is_err(),
                text != SECRET_LINE,
                "{text}"
            );
        }
    }
}
