//! Key files: PEM (RFC 7468), and what is said of files that hold no key of ours.

use crate::error::{Error, Kind};
use crate::keys::{PublicKey, SecretKey, malformed, without_traces};
use crate::output::old_name;
use crate::smallfile::{self, SmallFile};
use crate::text::{Shown, shell_word};
use pkcs8::der::pem;
use std::fs::Metadata;
use std::path::Path;
use zeroize::Zeroizing;

const SECRET_LABEL: &str = "PRIVATE KEY";
const PUBLIC_LABEL: &str = "PUBLIC KEY";

/// What is done about a secret key that other users may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenKey {
    Refuse,
    Accept,
}

/// Reads a secret key. Remarks that the user should hear go to `warnings`.
pub(crate) fn read_secret(
    path: &Path,
    open_key: OpenKey,
    warnings: &mut Vec<String>,
) -> Result<SecretKey, Error> {
    without_traces(|| read_secret_file(path, open_key, warnings))
}

fn read_secret_file(
    path: &Path,
    open_key: OpenKey,
    warnings: &mut Vec<String>,
) -> Result<SecretKey, Error> {
    let file = read_key_file(path).map_err(|e| hint_at_old(e, path))?;
    let (label, der) = decode_pem(&file, path)?;
    match label.as_str() {
        SECRET_LABEL => {
            if let Some(remark) = remark_on_access(&file.metadata, path) {
                match open_key {
                    OpenKey::Accept => warnings.push(remark),
                    OpenKey::Refuse => return Err(is_open(path, remark)),
                }
            }
            SecretKey::from_der(&der, path)
        }
        PUBLIC_LABEL => Err(Error::new(
            Kind::WrongKeyType,
            format!(
                "{} is a public key; the secret key is needed here",
                Shown(path)
            ),
        )
        .with_path(path)),
        other => Err(foreign_label(other, path)),
    }
}

/// Reads a public key.
pub(crate) fn read_public(path: &Path) -> Result<PublicKey, Error> {
    let (label, der) = decode_pem(&read_key_file(path)?, path)?;
    match label.as_str() {
        PUBLIC_LABEL => PublicKey::from_der(&der, path),
        SECRET_LABEL => Err(Error::new(
            Kind::WrongKeyType,
            format!(
                "{} is a secret key; the public key is needed here",
                Shown(path)
            ),
        )
        .with_path(path)
        .with_hint(format!(
            "derive it with: lanner public {} -o PUBLIC.pem. If somebody else sent you this file, \
             tell them: it lets anybody sign in their name",
            shell_word(path)
        ))),
        other => Err(foreign_label(other, path)),
    }
}

fn decode_pem(file: &SmallFile, path: &Path) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
    let block = pem_block(&file.bytes, path)?;
    let mut decoder = pem::Decoder::new_detect_wrap(block)
        .map_err(|e| malformed(path, &format!("the PEM block is broken ({e})")))?;
    // Reserved at once: growing would leave copies of the secret behind.
    let mut der = Zeroizing::new(Vec::with_capacity(decoder.remaining_len()));
    decoder
        .decode_to_end(&mut der)
        .map_err(|e| malformed(path, &format!("the PEM block is broken ({e})")))?;
    Ok((decoder.type_label().to_owned(), der))
}

/// Finds the one PEM block of a key file; `openssl pkey -text` and others put prose around it.
fn pem_block<'a>(text: &'a [u8], path: &Path) -> Result<&'a [u8], Error> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    const END: &[u8] = b"-----END ";
    const DASHES: &[u8] = b"-----";
    let find = |from: usize, needle: &[u8]| {
        text[from..]
            .windows(needle.len())
            .position(|window| window == needle)
            .map(|at| from + at)
    };
    let Some(begin) = find(0, BEGIN) else {
        return Err(not_pem(text, path));
    };
    let end = find(begin, END)
        .and_then(|at| find(at + END.len(), DASHES))
        .map(|at| at + DASHES.len())
        .ok_or_else(|| {
            malformed(
                path,
                "the PEM block has no end line; is the file cut short?",
            )
        })?;
    if find(end, BEGIN).is_some() {
        return Err(Error::new(
            Kind::BadKey,
            format!("{} holds more than one PEM block", Shown(path)),
        )
        .with_path(path)
        .with_hint("give each key a file of its own"));
    }
    Ok(&text[begin..end])
}

fn read_key_file(path: &Path) -> Result<SmallFile, Error> {
    let file = smallfile::read(path, "key")?;
    if file.is_too_large() {
        return Err(Error::new(
            Kind::BadKey,
            format!("{} is too large for a key file", Shown(path)),
        )
        .with_path(path)
        .with_hint(
            "is the order of the arguments right? Keys are PEM files of 120 bytes to 6 kB",
        ));
    }
    Ok(file)
}

/// A run of `keygen --force` that was killed may have left the old key under another name.
fn hint_at_old(error: Error, path: &Path) -> Error {
    let old = old_name(path);
    if error.kind == Kind::NotFound && old.symlink_metadata().is_ok() {
        error.with_hint(format!(
            "an interrupted keygen --force has saved the old key; to have it back: mv {} {}",
            shell_word(&old),
            shell_word(path)
        ))
    } else {
        error
    }
}

/// Says so if other users may read or write the secret key. If the file is the user's own, anybody else
/// counts, as for ssh. If it is somebody else's, it may be meant for a group that the user is in, and only
/// those outside the group count. What comes through a pipe has no permissions.
fn remark_on_access(metadata: &Metadata, path: &Path) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let is_own = metadata.uid() == rustix::process::getuid().as_raw();
        let others = if is_own { 0o077 } else { 0o007 };
        (metadata.is_file() && metadata.mode() & others != 0).then(|| {
            format!(
                "other users of this machine may read or write {} (mode {:04o}); to stop that: chmod 600 {}",
                Shown(path),
                metadata.mode() & 0o7777,
                shell_word(path)
            )
        })
    }
    #[cfg(not(unix))]
    {
        let _ = (metadata, path);
        None
    }
}

/// The refusal of such a key.
fn is_open(path: &Path, remark: String) -> Error {
    Error::new(Kind::OpenKey, remark).with_path(path).with_hint(
        "if somebody may have read it, make a new key; --allow-open-key uses it as it is",
    )
}

fn not_pem(text: &[u8], path: &Path) -> Error {
    let hint = if text.is_empty() {
        "the file is empty".to_owned()
    } else if text[0] == 0x30 {
        format!(
            "it looks like DER; convert it with: openssl pkey -inform DER -in {} -out KEY.pem \
             (add -pubin for a public key)",
            shell_word(path)
        )
    } else if text.starts_with(b"ssh-ed25519 ") {
        "it looks like an OpenSSH public key; lanner reads PEM files, as openssl pkey writes them"
            .to_owned()
    } else {
        "lanner reads PEM files, as it writes them itself and as openssl pkey does".to_owned()
    };
    Error::new(
        Kind::BadKey,
        format!("{} is not a PEM key file", Shown(path)),
    )
    .with_path(path)
    .with_hint(hint)
}

fn foreign_label(label: &str, path: &Path) -> Error {
    let hint = match label {
        "ENCRYPTED PRIVATE KEY" => format!(
            "the key is protected by a password; unlock a copy with: openssl pkey -in {} -out \
             UNLOCKED.pem",
            shell_word(path)
        ),
        "CERTIFICATE" => format!(
            "take the public key out of the certificate with: openssl x509 -in {} -pubkey -noout",
            shell_word(path)
        ),
        _ => "lanner reads \"PRIVATE KEY\" (PKCS#8) and \"PUBLIC KEY\" (SubjectPublicKeyInfo), as \
              openssl pkey writes them"
            .to_owned(),
    };
    Error::new(
        Kind::BadKey,
        format!(
            "{} holds a PEM block {label:?}, which lanner does not read",
            Shown(path)
        ),
    )
    .with_path(path)
    .with_hint(hint)
}
