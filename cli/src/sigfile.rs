//! Signature files: the bare bytes of one signature, as `openssl pkeyutl -rawin` has them.

use crate::error::{Error, Kind};
use crate::schemes::ed25519;
use crate::text::Shown;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// More than any signature format is long; enough to tell what a file is.
const MAX_FILE: u64 = 64 * 1024;

/// A detached signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signature {
    /// Pure Ed25519 (RFC 8032, section 5.1): 64 bytes.
    Ed25519(ed25519::Signature),
}

impl Signature {
    /// The content of a signature file.
    pub(crate) fn to_bytes(self) -> [u8; 64] {
        match self {
            Signature::Ed25519(signature) => signature.to_bytes(),
        }
    }
}

/// `FILE.sig`, where a signature of `message` lies unless the user says otherwise.
pub(crate) fn default_path(message: &Path) -> PathBuf {
    let mut name = OsString::from(message);
    name.push(".sig");
    PathBuf::from(name)
}

/// Reads an Ed25519 signature file.
pub(crate) fn read(path: &Path) -> Result<Signature, Error> {
    let error = |e: std::io::Error| {
        let error = Error::io("read the signature", path, &e);
        if e.kind() == std::io::ErrorKind::NotFound {
            error.with_hint("say where the signature is with -s SIGNATURE")
        } else {
            error
        }
    };
    let file = File::open(path).map_err(error)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(error)?;
    match <[u8; 64]>::try_from(bytes.as_slice()) {
        Ok(bytes) => Ok(Signature::Ed25519(ed25519::Signature::from_bytes(&bytes))),
        Err(_) => Err(Error::new(
            Kind::BadSignatureFile,
            format!(
                "{} is not an Ed25519 signature file: it has {} bytes instead of 64",
                Shown(path),
                if bytes.len() as u64 > MAX_FILE {
                    format!("more than {MAX_FILE}")
                } else {
                    bytes.len().to_string()
                }
            ),
        )
        .with_path(path)
        .with_hint(guess(&bytes))),
    }
}

/// What a file that is no signature file may be.
fn guess(bytes: &[u8]) -> &'static str {
    let hex = bytes.trim_ascii();
    if bytes.is_empty() {
        "the file is empty: was it written to the end?"
    } else if bytes.starts_with(b"-----BEGIN SSH SIGNATURE") {
        "it looks like an SSH signature: ssh-keygen -Y verify reads those"
    } else if bytes.starts_with(b"-----BEGIN PGP") {
        "it looks like an OpenPGP signature: gpg --verify reads those"
    } else if bytes.starts_with(b"untrusted comment:") {
        "it looks like a minisign or signify signature: those programs read it"
    } else if hex.len() == 128 && hex.iter().all(u8::is_ascii_hexdigit) {
        "it looks like a signature in hexadecimal; turn it into bytes with: xxd -r -p"
    } else if hex.len() == 88 && hex.ends_with(b"==") {
        "it looks like a signature in Base64; turn it into bytes with: base64 -d"
    } else if bytes.len() < 64 {
        "is the file cut short?"
    } else {
        "give the detached signature with -s, not the signed file"
    }
}
