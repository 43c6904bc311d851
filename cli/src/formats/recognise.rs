//! Tells what a key file is from its first bytes, and takes off its outer coat.

use super::{Bare, Form, Recognised, minisign, note, openssh};
use crate::base64;
use crate::error::{Error, Kind};
use crate::keys::malformed;
use crate::text::{Shown, shell_word, without_mark};
use pkcs8::der::{Decode, SliceReader, Tag, Tagged, pem};
use std::path::Path;
use zeroize::Zeroizing;

/// The lengths that bare keys have: of the curves' keys, of pairs of Ed25519, of the public keys of FN-DSA and of hybrids.
const BARE: [usize; 6] = [32, 64, 897, 1793, 929, 1825];

const COMMENT: &str = "Comment: ";

/// What a block of PEM begins with.
const BEGIN: &[u8] = b"-----BEGIN ";

/// Recognises the content of a key file; `path` is for errors.
pub(crate) fn recognise(bytes: &[u8], path: &Path) -> Result<Recognised, Error> {
    let bytes = without_mark(bytes);
    let text = bytes.trim_ascii();
    if bytes.starts_with(minisign::COMMENT) {
        return minisign_or_signify(bytes, path);
    }
    if text.starts_with(b"{") && std::str::from_utf8(text).is_ok() {
        return Ok(whole(Form::Jwk, text));
    }
    if openssh::is_public_line(text) {
        return Ok(whole(Form::SshLine, text));
    }
    if note::is_secret(text) {
        return Ok(whole(Form::NoteSecret, text));
    }
    if note::is_public(text) {
        return Ok(whole(Form::NotePublic, text));
    }
    if let Some(form) = der_form(bytes) {
        return Ok(whole(form, bytes));
    }
    if let Some(recognised) = bare(bytes) {
        return Ok(recognised);
    }
    let (block, before) = pem_block(bytes, path)?;
    let mut recognised = pem_form(block, path)?;
    recognised.comment = comment_before(before);
    Ok(recognised)
}

fn whole(form: Form, bytes: &[u8]) -> Recognised {
    Recognised {
        form,
        body: Zeroizing::new(bytes.to_vec()),
        comment: None,
    }
}

/// The comment that a PEM file has before its block, where RFC 7468 leaves room for text.
fn comment_before(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let comment = text.lines().find_map(|line| line.strip_prefix(COMMENT))?;
    Some(comment.trim().to_owned()).filter(|comment| !comment.is_empty())
}

/// The line that [`recognise`] finds a comment in.
pub(super) fn comment_line(comment: Option<&str>) -> String {
    comment.map_or(String::new(), |comment| format!("{COMMENT}{comment}\n"))
}

fn minisign_or_signify(bytes: &[u8], path: &Path) -> Result<Recognised, Error> {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    // Nothing says that a comment is UTF-8.
    let comment = lines.next().and_then(|line| {
        let comment = line.strip_prefix(minisign::COMMENT)?;
        minisign::users_comment(&String::from_utf8_lossy(comment))
    });
    let body = lines.next().unwrap_or_default().trim_ascii();
    let body = base64::decode(body)
        .ok_or_else(|| malformed(path, "the Base64 of its second line is broken"))?;
    let form = match (body.len(), body.get(..4)) {
        (minisign::PUBLIC, Some([b'E', b'd', ..])) => Form::MinisignPublic,
        (minisign::MINISIGN_SECRET, Some([b'E', b'd', ..])) => Form::MinisignSecret,
        (minisign::SIGNIFY_SECRET, Some(b"EdBK")) => Form::SignifySecret,
        (74, Some([b'E', b'd' | b'D', ..])) => {
            return Err(Error::new(
                Kind::BadKey,
                format!("{} is a signature, not a key", Shown(path)),
            )
            .with_path(path)
            .with_hint("is the order of the arguments right?"));
        }
        _ => {
            return Err(malformed(
                path,
                "it begins as the files of minisign and signify, but holds no key of theirs",
            ));
        }
    };
    if lines.any(|line| !line.trim_ascii().is_empty()) {
        return Err(malformed(path, "there is something after the key"));
    }
    Ok(Recognised {
        form,
        body,
        comment,
    })
}

/// What a file in DER is: one value that is all of it, and what its first fields are.
fn der_form(bytes: &[u8]) -> Option<Form> {
    use pkcs8::der::{Reader, asn1::AnyRef};
    let any = AnyRef::from_der(bytes).ok()?;
    if any.tag() != Tag::Sequence {
        return None;
    }
    let mut fields = SliceReader::new(any.value()).ok()?;
    let first = Tag::peek(&fields).ok()?;
    if first == Tag::Integer {
        return Some(Form::Pkcs8 { pem: false });
    }
    let skipped = AnyRef::decode(&mut fields).ok()?;
    if fields.is_finished() || skipped.tag() != Tag::Sequence {
        return None;
    }
    match Tag::peek(&fields).ok()? {
        Tag::OctetString => Some(Form::EncryptedPkcs8 { pem: false }),
        Tag::BitString => Some(Form::Spki { pem: false }),
        Tag::Sequence => Some(Form::Certificate { pem: false }),
        _ => None,
    }
}

/// Bytes, digits or Base64 of a length that keys have.
fn bare(bytes: &[u8]) -> Option<Recognised> {
    let recognised = |kind, body| Recognised {
        form: Form::Bare(kind),
        body,
        comment: None,
    };
    let text = bytes.trim_ascii();
    if text.len().is_multiple_of(2)
        && BARE.contains(&(text.len() / 2))
        && text.iter().all(u8::is_ascii_hexdigit)
    {
        let body = crate::text::unhex(text)?;
        return Some(recognised(Bare::Hex, body));
    }
    if let Some(body) = base64::decode(text) {
        if BARE.contains(&body.len()) {
            return Some(recognised(Bare::Base64, body));
        }
        // The second line of a file of minisign, as `minisign -P` takes it.
        if body.len() == minisign::PUBLIC && body.starts_with(b"Ed") {
            return Some(Recognised {
                form: Form::MinisignPublic,
                body,
                comment: None,
            });
        }
    }
    // Prose before a block of PEM can give the file any length.
    (BARE.contains(&bytes.len()) && find(bytes, 0, BEGIN).is_none())
        .then(|| recognised(Bare::Raw, Zeroizing::new(bytes.to_vec())))
}

/// Where something is first, from a place on.
fn find(text: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    text[from..]
        .windows(needle.len())
        .position(|window| window == needle)
        .map(|at| from + at)
}

fn pem_form(block: &[u8], path: &Path) -> Result<Recognised, Error> {
    let broken = |e: pem::Error| malformed(path, &format!("the PEM block is broken ({e})"));
    let trimmed = without_trailing_blanks(block);
    let block = trimmed.as_ref().map_or(block, |lines| lines.as_slice());
    let mut decoder = pem::Decoder::new_detect_wrap(block).map_err(broken)?;
    // Reserved at once: growing would leave copies of the secret behind.
    let mut body = Zeroizing::new(Vec::with_capacity(decoder.remaining_len()));
    decoder
        .decode_to_end(&mut body)
        .map_err(|e| malformed(path, &format!("the PEM block is broken ({e})")))?;
    let form = match decoder.type_label() {
        "PRIVATE KEY" => Form::Pkcs8 { pem: true },
        "ENCRYPTED PRIVATE KEY" => Form::EncryptedPkcs8 { pem: true },
        "PUBLIC KEY" => Form::Spki { pem: true },
        "CERTIFICATE" | "X509 CERTIFICATE" => Form::Certificate { pem: true },
        openssh::LABEL => Form::OpenSsh,
        other => return Err(foreign_label(other, path)),
    };
    Ok(Recognised {
        form,
        body,
        comment: None,
    })
}

/// The same lines without what stands at their ends and nobody sees, if there is something: a parser of RFC 7468 may pass over
/// it, and OpenSSL's does.
fn without_trailing_blanks(block: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    // Reserved at once: growing would leave copies of the secret behind.
    let mut lines = Zeroizing::new(Vec::with_capacity(block.len()));
    for line in block.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let kept = text.iter().rposition(|byte| !is_blank(byte));
        lines.extend_from_slice(&text[..kept.map_or(0, |last| last + 1)]);
        lines.extend_from_slice(&line[text.len()..]);
    }
    (lines.len() < block.len()).then_some(lines)
}

/// Finds the one PEM block of a key file, and what is before it; `openssl pkey -text` and others put prose there.
fn pem_block<'a>(text: &'a [u8], path: &Path) -> Result<(&'a [u8], &'a [u8]), Error> {
    const END: &[u8] = b"-----END ";
    const DASHES: &[u8] = b"-----";
    let find = |from, needle| find(text, from, needle);
    let Some(begin) = find(0, BEGIN) else {
        return Err(not_a_key(text, path));
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
    Ok((&text[begin..end], &text[..begin]))
}

/// The hint where nothing can be said of a file.
pub(crate) const KEYS_READ: &str = "lanner reads PKCS#8 and SubjectPublicKeyInfo (PEM and DER), X.509, JWK, the keys of \
                                    OpenSSH, minisign and signify, and bare keys";

fn not_a_key(text: &[u8], path: &Path) -> Error {
    let hint = if text.is_empty() {
        "the file is empty"
    } else if text[0] == 0x30 {
        "it begins as DER does; is the file cut short?"
    } else if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        "it is text in UTF-16, as PowerShell writes it; save it as UTF-8"
    } else if text.starts_with(b"PuTTY-User-Key-File") {
        "it is a key of PuTTY; convert it with: puttygen FILE -O private-openssh -o KEY"
    } else if text.starts_with(b"SSHSIG") || text.starts_with(b"-----BEGIN SSH SIG") {
        "it is a signature; is the order of the arguments right?"
    } else {
        KEYS_READ
    };
    Error::new(Kind::BadKey, format!("{} is not a key file", Shown(path)))
        .with_path(path)
        .with_hint(hint)
}

fn foreign_label(label: &str, path: &Path) -> Error {
    let hint = match label {
        "SSH SIGNATURE" => "it is a signature; is the order of the arguments right?".to_owned(),
        "RSA PRIVATE KEY" | "EC PRIVATE KEY" | "DSA PRIVATE KEY" => {
            "it is a key of another algorithm; make one with: lanner keygen -o KEY.pem".to_owned()
        }
        "CERTIFICATE REQUEST" => format!(
            "take the public key out of the request with: openssl req -in {} -pubkey -noout",
            shell_word(path)
        ),
        _ => "lanner reads \"PRIVATE KEY\" and \"ENCRYPTED PRIVATE KEY\" (PKCS#8), \"PUBLIC KEY\" \
              (SubjectPublicKeyInfo), \"CERTIFICATE\" and \"OPENSSH PRIVATE KEY\""
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_length_makes_prose_a_bare_key() {
        let block = "-----BEGIN PUBLIC KEY-----\n\
                     MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=\n\
                     -----END PUBLIC KEY-----\n";
        for length in BARE.into_iter().filter(|length| *length > block.len()) {
            let prose = "p".repeat(length - block.len() - 1);
            let file = format!("{prose}\n{block}");
            assert_eq!(file.len(), length);
            let found = recognise(file.as_bytes(), Path::new("key")).expect("a key");
            assert!(matches!(found.form, Form::Spki { pem: true }), "{length}");
        }
    }
}
