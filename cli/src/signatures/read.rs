//! Reads signature files of every form.

use super::{Format, Signature, bare, cose, minisign, sshsig};
use crate::error::{Error, Kind};
use crate::smallfile::{self, SmallFile};
use crate::text::{Shown, without_mark};
use std::path::Path;

/// Reads a signature file. Its form is the one it looks like, which must be `wanted` if that is given.
pub(crate) fn read(path: &Path, wanted: Option<Format>) -> Result<Signature, Error> {
    let file = small(path)?;
    of_wanted_form(parse(&file.bytes, path, wanted)?, path, wanted)
}

/// Reads the file of an SSH signature, of which ssh-keygen has the last word.
pub(crate) fn read_as_ssh_keygen(path: &Path) -> Result<sshsig::SshSignature, Error> {
    sshsig::parse_as_ssh_keygen(&small(path)?.bytes, path)
}

fn small(path: &Path) -> Result<SmallFile, Error> {
    let file = smallfile::read(path, "signature").map_err(|e| {
        if e.kind == Kind::NotFound {
            e.with_hint("say where the signature is with -s SIGNATURE")
        } else {
            e
        }
    })?;
    if file.is_too_large() {
        return Err(Error::new(
            Kind::BadSignatureFile,
            format!(
                "{} is not a signature file: it has more than {} bytes",
                Shown(path),
                smallfile::MAX
            ),
        )
        .with_path(path)
        .with_hint("give the detached signature with -s, not the signed file"));
    }
    Ok(file)
}

/// Reads the signature of `list`, from a file of its own or from one that has the list after it, as `signify -S -e`
/// writes them and `signify -C` reads them. Then the two lists must be the same.
pub(crate) fn read_of_list(
    path: &Path,
    wanted: Option<Format>,
    list: &[u8],
    list_path: &Path,
) -> Result<Signature, Error> {
    let file = smallfile::read_public(path, "signature", smallfile::MAX + list.len())?;
    if minisign::has_signature(&file)
        && let Some(end) = end_of_second_line(&file)
        && !file[end..].is_empty()
        && !file[end..].starts_with(b"trusted comment: ")
    {
        if file[end..] != *list {
            return Err(Error::new(
                Kind::SignatureInvalid,
                format!(
                    "the list in {} is not the one in {}",
                    Shown(path),
                    Shown(list_path)
                ),
            )
            .with_path(path));
        }
        let signature = minisign::parse(&file[..end], path)?;
        return of_wanted_form(Signature::Minisign(Box::new(signature)), path, wanted);
    }
    if file.len() > smallfile::MAX {
        return Err(Error::new(
            Kind::BadSignatureFile,
            format!("{} is too large for a signature", Shown(path)),
        )
        .with_path(path));
    }
    of_wanted_form(parse(&file, path, wanted)?, path, wanted)
}

fn end_of_second_line(bytes: &[u8]) -> Option<usize> {
    let feeds = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    feeds.map(|(at, _)| at + 1).nth(1)
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
