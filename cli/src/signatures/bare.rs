//! Signatures that are their bytes and nothing else.

use crate::algorithm::SignatureAlgorithm;
use crate::base64;
use crate::error::{Error, Kind};
use crate::text::Shown;
use std::path::Path;

/// Fails unless bytes have the length of a signature of `algorithm`; `path` is for the error.
pub(crate) fn check_length(
    bytes: &[u8],
    algorithm: SignatureAlgorithm,
    path: &Path,
) -> Result<(), Error> {
    let size = algorithm.signature_size();
    if algorithm == SignatureAlgorithm::SkEd25519 {
        return Err(Error::new(
            Kind::WrongKeyType,
            format!(
                "{} is no SSH signature, and security keys make no others",
                Shown(path)
            ),
        )
        .with_path(path));
    }
    if bytes.len() == size {
        return Ok(());
    }
    Err(Error::new(
        Kind::BadSignatureFile,
        format!(
            "{} is not an {algorithm} signature file: it has {} bytes instead of {size}",
            Shown(path),
            bytes.len()
        ),
    )
    .with_path(path)
    .with_hint(guess(bytes, size)))
}

/// The signature in one line of Base64, if that is what a file is.
pub(crate) fn from_base64(bytes: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let decoded = base64::decode(&digits)?;
    is_length(decoded.len()).then(|| decoded.to_vec())
}

/// True for the lengths that signatures have.
pub(crate) fn is_length(length: usize) -> bool {
    SignatureAlgorithm::ALL
        .iter()
        .any(|algorithm| algorithm.signature_size() == length)
}

/// What a file that is no signature of `size` bytes may be.
pub(crate) fn guess(bytes: &[u8], size: usize) -> String {
    let other = SignatureAlgorithm::ALL
        .into_iter()
        .find(|algorithm| algorithm.signature_size() == bytes.len());
    if let Some(other) = other {
        return format!("it has the length of an {other} signature: is the key the right one?");
    }
    let text = bytes.trim_ascii();
    if bytes.is_empty() {
        "the file is empty: was it written to the end?"
    } else if bytes.starts_with(b"-----BEGIN PGP") {
        "it looks like an OpenPGP signature: gpg --verify reads those"
    } else if text.len() == 2 * size && text.iter().all(u8::is_ascii_hexdigit) {
        "it looks like a signature in hexadecimal; turn it into bytes with: xxd -r -p"
    } else if bytes.len() < size {
        "is the file cut short?"
    } else {
        "give the detached signature with -s, not the signed file"
    }
    .to_owned()
}
