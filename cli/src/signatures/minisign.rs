//! Signature files of minisign and of signify.
//!
//! Both have a comment and a line with the number of the key and a signature. signify's ends there, and its signature is
//! of the message. minisign's is of the message's hash (or, in its legacy form, of the message), and there is a second
//! comment, which another signature ties to the first one. Behind one of signify the message itself may stand (`signify -S -e`).

use crate::base64;
use crate::error::{Error, Kind};
use crate::formats::KeyId;
use crate::formats::minisign::file;
use crate::text::Shown;
use crate::wire::Reader;
use blake2::{Blake2b512, Digest};
use std::borrow::Cow;
use std::path::Path;

const COMMENT: &str = "untrusted comment: ";
const TRUSTED: &str = "trusted comment: ";

/// A comment that is signed: bytes, of which nothing says that they are UTF-8.
#[derive(Debug)]
pub(crate) struct Trusted {
    comment: Vec<u8>,
    signature: Vec<u8>,
}

impl Trusted {
    /// The comment for people, and for JSON.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.comment)
    }
}

/// A signature of minisign, or without a trusted comment, of signify.
#[derive(Debug)]
pub(crate) struct Minisig {
    pub(crate) prehashed: bool,
    pub(crate) key_id: KeyId,
    pub(crate) signature: Vec<u8>,
    pub(crate) trusted: Option<Trusted>,
    /// What stands after it in the file: the message, if the file is not another one.
    pub(crate) message: Option<Vec<u8>>,
}

/// True if a file begins as those of minisign and signify do.
pub(crate) fn is_signature(bytes: &[u8]) -> bool {
    bytes.starts_with(COMMENT.as_bytes())
}

/// True if what follows the first line is as long as a signature, and not as a key.
pub(crate) fn has_signature(bytes: &[u8]) -> bool {
    let second = bytes.split(|&byte| byte == b'\n').nth(1);
    is_signature(bytes)
        && second
            .and_then(|line| base64::decode(line.trim_ascii_end()))
            .is_some_and(|bytes| bytes.len() == 74)
}

/// What stands after a signature in its file, where that is no trusted comment.
pub(crate) fn message(bytes: &[u8]) -> Option<&[u8]> {
    let mut feeds = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let (end, _) = feeds.nth(1).filter(|_| has_signature(bytes))?;
    let rest = &bytes[end + 1..];
    (!rest.trim_ascii().is_empty() && !rest.starts_with(TRUSTED.as_bytes())).then_some(rest)
}

pub(crate) fn hasher() -> Blake2b512 {
    Blake2b512::new()
}

/// Reads a signature file; `path` is for errors.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<Minisig, Error> {
    // What comes after the last line feed is a line if there is anything.
    let mut lines = bytes
        .strip_suffix(b"\n")
        .unwrap_or(bytes)
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines
        .next()
        .filter(|line| line.starts_with(COMMENT.as_bytes()))
        .ok_or_else(|| bad(path, "its first line is missing"))?;
    let body = lines
        .next()
        .and_then(|line| base64::decode(line.trim_ascii_end()))
        .ok_or_else(|| bad(path, "the Base64 of its second line is broken"))?;
    let mut reader = Reader::new(&body);
    let (kind, id, signature) = (reader.bytes(2), reader.bytes(8), reader.bytes(64));
    let (Some(kind @ (b"Ed" | b"ED")), Some(id), Some(signature), true) =
        (kind, id, signature, reader.is_empty())
    else {
        return Err(bad(path, "its second line holds no signature"));
    };
    let message = message(bytes).filter(|_| kind == b"Ed");
    let trusted = match lines.next() {
        _ if message.is_some() => None,
        None | Some(b"") => None,
        Some(line) => {
            let comment = line
                .strip_prefix(TRUSTED.as_bytes())
                .ok_or_else(|| bad(path, "its third line is no trusted comment"))?;
            let signature = lines
                .next()
                .and_then(|line| base64::decode(line.trim_ascii_end()))
                .filter(|bytes| bytes.len() == 64)
                .ok_or_else(|| bad(path, "the signature of its trusted comment is broken"))?;
            Some(Trusted {
                comment: comment.to_owned(),
                signature: signature.to_vec(),
            })
        }
    };
    if message.is_none() && lines.any(|line| !line.trim_ascii().is_empty()) {
        return Err(bad(path, "there is something after it"));
    }
    let prehashed = kind == b"ED";
    if prehashed && trusted.is_none() {
        return Err(bad(
            path,
            "its trusted comment is missing; is the file cut short?",
        ));
    }
    Ok(Minisig {
        prehashed,
        key_id: KeyId(id.try_into().expect("eight bytes")),
        signature: signature.to_vec(),
        trusted,
        message: message.map(<[u8]>::to_vec),
    })
}

impl Minisig {
    /// True if `verify` says so of the signature over the signature and the trusted comment, or if there is no comment.
    pub(crate) fn comment_is_valid(&self, verify: impl FnOnce(&[u8], &[u8]) -> bool) -> bool {
        match &self.trusted {
            None => true,
            Some(trusted) => {
                let message = tied(&self.signature, &trusted.comment);
                verify(&trusted.signature, &message)
            }
        }
    }
}

/// What the signature of a trusted comment is of.
fn tied(signature: &[u8], comment: &[u8]) -> Vec<u8> {
    [signature, comment].concat()
}

fn line(kind: &[u8; 2], id: KeyId, signature: &[u8], comment: &str) -> String {
    let bytes = [&kind[..], &id.0, signature].concat();
    file(comment, &bytes).to_string()
}

/// The signature file of minisign. `sign` signs a short message.
pub(crate) fn compose_minisign(
    signature: &[u8],
    prehashed: bool,
    id: KeyId,
    comment: &str,
    trusted: &str,
    sign: impl FnOnce(&[u8]) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    let kind = if prehashed { b"ED" } else { b"Ed" };
    let mut text = line(kind, id, signature, comment);
    let tie = sign(&tied(signature, trusted.as_bytes()))?;
    text.push_str(TRUSTED);
    text.push_str(trusted);
    text.push('\n');
    text.push_str(&base64::encode(&tie));
    text.push('\n');
    Ok(text.into_bytes())
}

/// The signature file of signify.
pub(crate) fn compose_signify(signature: &[u8], id: KeyId, comment: &str) -> Vec<u8> {
    line(b"Ed", id, signature, comment).into_bytes()
}

fn bad(path: &Path, why: &str) -> Error {
    Error::new(
        Kind::BadSignatureFile,
        format!(
            "{} is not a usable signature of minisign or signify: {why}",
            Shown(path)
        ),
    )
    .with_path(path)
}
