//! Signature files: the bare bytes of one signature; for Ed25519, as `openssl pkeyutl -rawin` has them.

use crate::algorithm::SignatureAlgorithm;
use crate::error::{Error, Kind};
use crate::schemes::ed25519;
use crate::smallfile;
use crate::text::Shown;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A detached signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Signature {
    /// Pure Ed25519 (RFC 8032, section 5.1): 64 bytes.
    Ed25519(ed25519::Signature),
    /// FN-DSA without context, of the message itself, padded: 666 or 1280 bytes.
    FnDsa(Box<[u8]>),
}

impl Signature {
    /// The content of a signature file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Signature::Ed25519(signature) => signature.to_bytes().to_vec(),
            Signature::FnDsa(bytes) => bytes.to_vec(),
        }
    }
}

/// `FILE.sig`, where a signature of `message` lies unless the user says otherwise.
pub(crate) fn default_path(message: &Path) -> PathBuf {
    let mut name = OsString::from(message);
    name.push(".sig");
    PathBuf::from(name)
}

/// Reads a signature file of an algorithm, whose length it must have.
pub(crate) fn read(path: &Path, algorithm: SignatureAlgorithm) -> Result<Signature, Error> {
    let file = smallfile::read(path, "signature").map_err(|e| {
        if e.kind == Kind::NotFound {
            e.with_hint("say where the signature is with -s SIGNATURE")
        } else {
            e
        }
    })?;
    let bytes = file.bytes.as_slice();
    let size = algorithm.signature_size();
    match algorithm {
        _ if bytes.len() != size => {}
        SignatureAlgorithm::Ed25519 => {
            if let Ok(signature) = ed25519::Signature::from_slice(bytes) {
                return Ok(Signature::Ed25519(signature));
            }
        }
        SignatureAlgorithm::FnDsa512 | SignatureAlgorithm::FnDsa1024 => {
            return Ok(Signature::FnDsa(bytes.into()));
        }
    }
    let length = if file.is_too_large() {
        format!("more than {}", smallfile::MAX)
    } else {
        bytes.len().to_string()
    };
    Err(Error::new(
        Kind::BadSignatureFile,
        format!(
            "{} is not an {algorithm} signature file: it has {length} bytes instead of {size}",
            Shown(path),
        ),
    )
    .with_path(path)
    .with_hint(guess(bytes, size)))
}

/// What a file that is no signature file of `size` bytes may be.
fn guess(bytes: &[u8], size: usize) -> String {
    let other = SignatureAlgorithm::ALL
        .into_iter()
        .find(|algorithm| algorithm.signature_size() == bytes.len());
    if let Some(other) = other {
        return format!("it has the length of an {other} signature: is the key the right one?");
    }
    let text = bytes.trim_ascii();
    if bytes.is_empty() {
        "the file is empty: was it written to the end?"
    } else if bytes.starts_with(b"-----BEGIN SSH SIGNATURE") {
        "it looks like an SSH signature: ssh-keygen -Y verify reads those"
    } else if bytes.starts_with(b"-----BEGIN PGP") {
        "it looks like an OpenPGP signature: gpg --verify reads those"
    } else if bytes.starts_with(b"untrusted comment:") {
        "it looks like a minisign or signify signature: those programs read it"
    } else if text.len() == 2 * size && text.iter().all(u8::is_ascii_hexdigit) {
        "it looks like a signature in hexadecimal; turn it into bytes with: xxd -r -p"
    } else if is_base64_of(text, size) {
        "it looks like a signature in Base64; turn it into bytes with: base64 -d"
    } else if bytes.len() < size {
        "is the file cut short?"
    } else {
        "give the detached signature with -s, not the signed file"
    }
    .to_owned()
}

/// True if `text` is `size` bytes in Base64, in one line or several.
fn is_base64_of(text: &[u8], size: usize) -> bool {
    let digits = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    digits.clone().count() == size.div_ceil(3) * 4
        && digits
            .clone()
            .all(|&byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
}
