//! Writes keys in the form that is asked for.

use super::{KeyId, jwk, minisign, note, openssh, pkcs8, recognise};
use crate::algorithm::Algorithm;
use crate::base64;
use crate::error::{Error, Kind};
use crate::keys::{PublicKey, SecretKey, without_traces};
use crate::password::Password;
use crate::text::hex;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// The forms that a key can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Encoding {
    /// PKCS#8 or SubjectPublicKeyInfo, as text (OpenSSL and most others)
    Pem,
    /// The same as bytes
    Der,
    /// OpenSSH's private key file, or the line of a public key
    Openssh,
    Minisign,
    Signify,
    /// JSON Web Key (RFC 8037)
    Jwk,
    /// A line with a name for signed notes (C2SP); the comment is the name
    Note,
    /// The bytes of the key alone; of a secret key of the curves, 32
    Raw,
    /// The same in hexadecimal
    Hex,
    /// The same in Base64
    Base64,
}

impl Encoding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Pem => "pem",
            Encoding::Der => "der",
            Encoding::Openssh => "openssh",
            Encoding::Minisign => "minisign",
            Encoding::Signify => "signify",
            Encoding::Jwk => "jwk",
            Encoding::Note => "note",
            Encoding::Raw => "raw",
            Encoding::Hex => "hex",
            Encoding::Base64 => "base64",
        }
    }

    /// True if secret keys in this form can have a password.
    pub(crate) fn can_encrypt(self) -> bool {
        matches!(
            self,
            Encoding::Pem
                | Encoding::Der
                | Encoding::Openssh
                | Encoding::Minisign
                | Encoding::Signify
        )
    }

    /// True if keys in this form have a comment.
    pub(crate) fn has_comment(self) -> bool {
        !matches!(
            self,
            Encoding::Der | Encoding::Raw | Encoding::Hex | Encoding::Base64
        )
    }
}

/// What is written beside a key, where the form has room for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    pub(crate) comment: Option<String>,
    pub(crate) key_id: Option<KeyId>,
}

impl Beside {
    /// The number of the key, or where it has none, the first eight bytes of the hash that its fingerprint is: then
    /// both halves of a pair have the same one, whoever converts them.
    fn key_id(&self, key: &PublicKey) -> KeyId {
        self.key_id.unwrap_or_else(|| derived_key_id(key))
    }

    fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }
}

/// The number for minisign and signify of a key that came without one.
pub(crate) fn derived_key_id(key: &PublicKey) -> KeyId {
    let hash = Sha256::digest(key.ssh_blob());
    KeyId(hash[..8].try_into().expect("eight bytes"))
}

fn no_such_form(encoding: Encoding, algorithm: Algorithm, what: &str) -> Error {
    Error::new(
        Kind::Usage,
        format!(
            "{what} keys of {algorithm} have no form that is called {:?}",
            encoding.name()
        ),
    )
    .with_hint("pem and der have room for all keys")
}

/// Fails if keys of this kind have no such form. All but PEM and DER are of 32 bytes that say of which algorithm they are,
/// or are taken for a curve's.
pub(crate) fn check_form(key: &SecretKey, encoding: Encoding) -> Result<(), Error> {
    match (encoding, key.seed()) {
        (Encoding::Pem | Encoding::Der, _) | (_, Some(_)) => Ok(()),
        (_, None) => Err(no_such_form(encoding, key.algorithm(), "secret")),
    }
}

/// A secret key as the content of a file. `password` only if the form [can have one](Encoding::can_encrypt).
pub(crate) fn secret(
    key: &SecretKey,
    encoding: Encoding,
    beside: &Beside,
    password: Option<&Password>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    without_traces(|| secret_within(key, encoding, beside, password))
}

fn secret_within(
    key: &SecretKey,
    encoding: Encoding,
    beside: &Beside,
    password: Option<&Password>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let public = key.public();
    let refused = || no_such_form(encoding, key.algorithm(), "secret");
    let seed = || key.seed().ok_or_else(refused);
    let ed25519 = || match key.algorithm() {
        Algorithm::Ed25519 => seed(),
        _ => Err(refused()),
    };
    let pair = || {
        let mut pair = Zeroizing::new([0; 64]);
        pair[..32].copy_from_slice(ed25519()?);
        pair[32..].copy_from_slice(&public.to_bytes());
        Ok(pair)
    };
    let comment = beside.comment();
    let line = recognise::comment_line(comment);
    let bytes = match (encoding, password) {
        (Encoding::Pem, None) => with_line(&line, &key.to_pem()?),
        (Encoding::Pem, Some(password)) => {
            let encrypted = pkcs8::encrypt(&key.to_der()?, password)?;
            with_line(&line, &pkcs8::encrypted_pem(&encrypted)?)
        }
        (Encoding::Der, None) => key.to_der()?,
        (Encoding::Der, Some(password)) => pkcs8::encrypt(&key.to_der()?, password)?,
        (Encoding::Openssh, _) => text(&openssh::write(
            ed25519()?,
            &public,
            comment.unwrap_or_default(),
            password,
        )?),
        (Encoding::Minisign, _) => text(&minisign::write_minisign_secret(
            &*pair()?,
            beside.key_id(&public),
            comment,
            password,
        )?),
        (Encoding::Signify, _) => text(&minisign::write_signify_secret(
            &*pair()?,
            beside.key_id(&public),
            comment,
            password,
        )?),
        (Encoding::Jwk, _) => text(&jwk::write(
            key.algorithm().name(),
            &public.to_bytes(),
            Some(seed()?),
            comment,
        )),
        (Encoding::Note, _) => {
            let name = note::name_of(comment)?;
            let key = public.as_ed25519().ok_or_else(refused)?;
            with_line_feed(&note::secret_line(name, ed25519()?, key))
        }
        (Encoding::Raw, _) => Zeroizing::new(seed()?.to_vec()),
        (Encoding::Hex, _) => with_line_feed(&hex(seed()?)),
        (Encoding::Base64, _) => with_line_feed(&base64::encode(seed()?)),
    };
    Ok(bytes)
}

/// A public key as the content of a file.
pub(crate) fn public(
    key: &PublicKey,
    encoding: Encoding,
    beside: &Beside,
) -> Result<Vec<u8>, Error> {
    let refused = || no_such_form(encoding, key.algorithm(), "public");
    let ed25519 = || key.as_ed25519().ok_or_else(refused);
    let comment = beside.comment();
    let is_curve = matches!(key.algorithm(), Algorithm::Ed25519 | Algorithm::X25519);
    let is_sk = key.algorithm() == Algorithm::SkEd25519;
    Ok(match encoding {
        Encoding::Pem => {
            let line = recognise::comment_line(comment);
            format!("{line}{}", key.to_pem()?).into_bytes()
        }
        Encoding::Der => key.to_der()?,
        Encoding::Openssh => openssh::public_line(key, comment).into_bytes(),
        Encoding::Minisign => {
            minisign::minisign_public(ed25519()?, beside.key_id(key), comment).into_bytes()
        }
        Encoding::Signify => {
            minisign::signify_public(ed25519()?, beside.key_id(key), comment).into_bytes()
        }
        Encoding::Jwk if is_curve => {
            let text = jwk::write(key.algorithm().name(), &key.to_bytes(), None, comment);
            text.as_bytes().to_vec()
        }
        Encoding::Note => {
            let key = ed25519()?;
            format!("{}\n", note::public_line(note::name_of(comment)?, key)).into_bytes()
        }
        Encoding::Raw if !is_sk => key.to_bytes(),
        Encoding::Hex if !is_sk => with_line_feed(&hex(&key.to_bytes())).to_vec(),
        Encoding::Base64 if !is_sk => with_line_feed(&base64::encode(&key.to_bytes())).to_vec(),
        _ => return Err(refused()),
    })
}

fn text(text: &str) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(text.as_bytes().to_vec())
}

fn with_line(line: &str, after: &str) -> Zeroizing<Vec<u8>> {
    Zeroizing::new([line.as_bytes(), after.as_bytes()].concat())
}

fn with_line_feed(line: &str) -> Zeroizing<Vec<u8>> {
    with_line(line, "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// RFC 8032, section 7.1, TEST 1; the fingerprint is what `ssh-keygen -l` prints.
    #[test]
    fn numbers_are_taken_from_the_fingerprint() {
        let path = Path::new("k");
        let hex = b"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        let bytes = crate::text::unhex(hex).unwrap();
        let key = PublicKey::ed25519(&bytes, path).unwrap();
        let id = derived_key_id(&key);
        let unpadded = base64::encode_unpadded(&id.0);
        assert_eq!(key.fingerprint()[7..17], unpadded[..10]);
    }
}
