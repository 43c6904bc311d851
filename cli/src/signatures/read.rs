//! Reads signature files of every form.

use super::{Format, Signature, bare, cose, minisign, sshsig};
use crate::error::{Error, Kind};
use crate::smallfile;
use crate::text::{Shown, without_mark};
use std::path::Path;

/// Reads a signature file. Its form is the one it looks like, which must be `wanted` if that is given. The message, which has
/// `size` bytes, may stand after the signature: no more is read than it takes to tell the two messages apart.
pub(crate) fn read(path: &Path, wanted: Option<Format>, size: u64) -> Result<Signature, Error> {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let max = smallfile::MAX.saturating_add(size);
    let has_message = |start: &[u8]| minisign::message(start).is_some();
    let bytes = smallfile::read_further(path, "signature", max, has_message).map_err(hinted)?;
    if bytes.len() > smallfile::MAX && !has_message(&bytes) {
        return Err(too_large(path));
    }
    of_wanted_form(parse(&bytes, path, wanted)?, path, wanted)
}

/// Reads the file of an SSH signature, of which ssh-keygen has the last word.
pub(crate) fn read_as_ssh_keygen(path: &Path) -> Result<sshsig::SshSignature, Error> {
    let file = smallfile::read(path, "signature").map_err(hinted)?;
    if file.is_too_large() {
        return Err(too_large(path));
    }
    sshsig::parse_as_ssh_keygen(&file.bytes, path)
}

fn hinted(error: Error) -> Error {
    if error.kind == Kind::NotFound {
        error.with_hint("say where the signature is with -s SIGNATURE")
    } else {
        error
    }
}

fn too_large(path: &Path) -> Error {
    Error::new(
        Kind::BadSignatureFile,
        format!(
            "{} is not a signature file: it has more than {} bytes",
            Shown(path),
            smallfile::MAX
        ),
    )
    .with_path(path)
    .with_hint("give the detached signature with -s, not the signed file")
}

fn of_wanted_form(
    signature: Signature,
    path: &Path,
    wanted: Option<Format>,
) -> Result<Signature, Error> {
    let found = signature.format();
    match wanted {
        // One of minisign has all that one of signify has, and a comment. The other way around, the comment may have been cut off.
        Some(Format::Signify) if found == Format::Minisign => Ok(signature),
        Some(wanted) if wanted != found => Err(Error::new(
            Kind::BadSignatureFile,
            format!(
                "{} is a {}; --format asks for a {}",
                Shown(path),
                found.name(),
                wanted.name()
            ),
        )
        .with_path(path)),
        _ => Ok(signature),
    }
}

/// The signature in the content of a file, if it has a form that says so itself and is not one of keys.
pub(crate) fn of_known_form(bytes: &[u8], path: &Path) -> Result<Option<Signature>, Error> {
    let bytes = without_mark(bytes);
    if sshsig::is_signature(bytes) {
        return sshsig::parse(bytes, path).map(|it| Some(Signature::Ssh(Box::new(it))));
    }
    if cose::is_signature(bytes) {
        return cose::parse(bytes, path).map(|it| Some(Signature::Cose(Box::new(it))));
    }
    if minisign::has_signature(bytes) {
        return minisign::parse(bytes, path).map(|it| Some(Signature::Minisign(Box::new(it))));
    }
    Ok(None)
}

/// The signature in the content of a file. Where bare bytes are `wanted`, those of the right length are nothing else.
fn parse(bytes: &[u8], path: &Path, wanted: Option<Format>) -> Result<Signature, Error> {
    let bare = |bytes: &[u8]| Signature::Bare {
        bytes: bytes.to_vec(),
        format: Format::Raw,
    };
    if wanted == Some(Format::Raw) && bare::is_length(bytes.len()) {
        return Ok(bare(bytes));
    }
    let bytes = without_mark(bytes);
    if let Some(signature) = of_known_form(bytes, path)? {
        return Ok(signature);
    }
    if minisign::is_signature(bytes) {
        return minisign::parse(bytes, path).map(|it| Signature::Minisign(Box::new(it)));
    }
    // Bytes first: 64 of them may be digits by chance, but hardly in the right number for a signature of another kind.
    if !bare::is_length(bytes.len())
        && let Some(bytes) = bare::from_base64(bytes)
    {
        return Ok(Signature::Bare {
            bytes,
            format: Format::Base64,
        });
    }
    Ok(bare(bytes))
}
