//! Key files: PKCS#8 and SubjectPublicKeyInfo in PEM (RFC 8410, RFC 5958, RFC 7468).

use crate::error::{Error, Kind};
use crate::schemes::{ed25519, x25519};
use crate::text::{Shown, shell_word};
use pkcs8::der::Decode;
use pkcs8::der::pem::{self, LineEnding};
use pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use pkcs8::{
    DecodePrivateKey, EncodePrivateKey, EncodePublicKey, ObjectIdentifier, PrivateKeyInfoRef,
};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zeroize::Zeroizing;

/// id-Ed25519 (RFC 8410, section 3).
const OID_ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
/// id-X25519 (RFC 8410, section 3).
const OID_X25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");

const SECRET_LABEL: &str = "PRIVATE KEY";
const PUBLIC_LABEL: &str = "PUBLIC KEY";

/// A key file is a few hundred bytes; what is larger is some other file.
const MAX_FILE: u64 = 64 * 1024;

/// The algorithms that a key can be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Algorithm {
    /// Signatures (RFC 8032)
    Ed25519,
    /// Key agreement (RFC 7748)
    X25519,
}

impl Algorithm {
    const ALL: [Algorithm; 2] = [Algorithm::Ed25519, Algorithm::X25519];

    fn oid(self) -> ObjectIdentifier {
        match self {
            Algorithm::Ed25519 => OID_ED25519,
            Algorithm::X25519 => OID_X25519,
        }
    }

    /// The field's name for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Algorithm::Ed25519 => "Ed25519",
            Algorithm::X25519 => "X25519",
        }
    }

    /// What keys of this kind are for.
    fn purpose(self) -> &'static str {
        match self {
            Algorithm::Ed25519 => "signatures",
            Algorithm::X25519 => "key agreement",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A secret key; wiped when dropped.
pub(crate) enum SecretKey {
    Ed25519(Box<ed25519::SigningKey>),
    X25519(x25519::StaticSecret),
}

/// A public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PublicKey {
    Ed25519(ed25519::VerifyingKey),
    X25519(x25519::PublicKey),
}

impl SecretKey {
    /// Makes a key from the operating system's random numbers.
    pub(crate) fn generate(algorithm: Algorithm) -> Result<Self, Error> {
        match algorithm {
            Algorithm::Ed25519 => {
                ed25519::SigningKey::generate_from_os().map(|key| SecretKey::Ed25519(Box::new(key)))
            }
            Algorithm::X25519 => x25519::StaticSecret::try_random().map(SecretKey::X25519),
        }
        .map_err(|e| {
            Error::new(
                Kind::Io,
                format!("the operating system gives no random numbers: {e}"),
            )
        })
    }

    pub(crate) fn public(&self) -> PublicKey {
        match self {
            SecretKey::Ed25519(key) => PublicKey::Ed25519(key.verifying_key()),
            SecretKey::X25519(key) => PublicKey::X25519(x25519::PublicKey::from(key)),
        }
    }

    /// The signing key, if it is one; `path` is for the error.
    pub(crate) fn into_ed25519(self, path: &Path) -> Result<Box<ed25519::SigningKey>, Error> {
        match self {
            SecretKey::Ed25519(key) => Ok(key),
            SecretKey::X25519(_) => {
                Err(wrong_algorithm(path, Algorithm::X25519, Algorithm::Ed25519)
                    .with_hint(make_one(Algorithm::Ed25519)))
            }
        }
    }

    /// The key-agreement key, if it is one; `path` is for the error.
    pub(crate) fn into_x25519(self, path: &Path) -> Result<x25519::StaticSecret, Error> {
        match self {
            SecretKey::X25519(key) => Ok(key),
            SecretKey::Ed25519(_) => {
                Err(wrong_algorithm(path, Algorithm::Ed25519, Algorithm::X25519)
                    .with_hint(make_one(Algorithm::X25519)))
            }
        }
    }

    /// PKCS#8 version 1, which every reader knows.
    pub(crate) fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        match self {
            SecretKey::Ed25519(key) => key.to_pkcs8_pem(LineEnding::LF),
            SecretKey::X25519(key) => key.to_pkcs8_pem(LineEnding::LF),
        }
        .map_err(|e| encoding_error(&e))
    }

    /// Reads PKCS#8 in all its forms. A public key that comes with the secret one must match it.
    fn from_der(der: &[u8], path: &Path) -> Result<Self, Error> {
        let algorithm = match PrivateKeyInfoRef::from_der(der) {
            Ok(info) => algorithm_of(&info.algorithm, path)?,
            // There is a broken form that only Ed25519 keys come in, and their decoder knows it.
            Err(_) => Algorithm::Ed25519,
        };
        match algorithm {
            Algorithm::Ed25519 => ed25519::SigningKey::from_pkcs8_der(der)
                .map(|key| SecretKey::Ed25519(Box::new(key))),
            Algorithm::X25519 => x25519::StaticSecret::from_pkcs8_der(der).map(SecretKey::X25519),
        }
        .map_err(|e| match e {
            pkcs8::Error::KeyMalformed(_) => malformed(
                path,
                "the secret value is not 32 bytes, or the public key beside it does not belong \
                 to it",
            ),
            e => malformed(path, &format!("the PKCS#8 structure is broken ({e})")),
        })
    }
}

impl PublicKey {
    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            PublicKey::Ed25519(_) => Algorithm::Ed25519,
            PublicKey::X25519(_) => Algorithm::X25519,
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            PublicKey::Ed25519(key) => key.as_bytes(),
            PublicKey::X25519(key) => key.as_bytes(),
        }
    }

    /// The verifying key, if it is one; `path` is for the error.
    pub(crate) fn into_ed25519(self, path: &Path) -> Result<ed25519::VerifyingKey, Error> {
        match self {
            PublicKey::Ed25519(key) => Ok(key),
            PublicKey::X25519(_) => {
                Err(wrong_algorithm(path, Algorithm::X25519, Algorithm::Ed25519)
                    .with_hint(ask_for_one(Algorithm::Ed25519)))
            }
        }
    }

    /// The key-agreement key, if it is one; `path` is for the error.
    pub(crate) fn into_x25519(self, path: &Path) -> Result<x25519::PublicKey, Error> {
        match self {
            PublicKey::X25519(key) => Ok(key),
            PublicKey::Ed25519(_) => {
                Err(wrong_algorithm(path, Algorithm::Ed25519, Algorithm::X25519)
                    .with_hint(ask_for_one(Algorithm::X25519)))
            }
        }
    }

    /// SubjectPublicKeyInfo.
    pub(crate) fn to_pem(self) -> Result<String, Error> {
        match self {
            PublicKey::Ed25519(key) => key.to_public_key_pem(LineEnding::LF),
            PublicKey::X25519(key) => key.to_public_key_pem(LineEnding::LF),
        }
        .map_err(|e| encoding_error(&e))
    }

    fn from_der(der: &[u8], path: &Path) -> Result<Self, Error> {
        let broken = |e: &dyn fmt::Display| {
            let why = format!("the SubjectPublicKeyInfo structure is broken ({e})");
            malformed(path, &why)
        };
        let info = SubjectPublicKeyInfoRef::from_der(der).map_err(|e| broken(&e))?;
        let algorithm = algorithm_of(&info.algorithm, path)?;
        if info.subject_public_key.as_bytes().map(<[u8]>::len) != Some(32) {
            return Err(malformed(path, "the public value is not 32 bytes"));
        }
        match algorithm {
            Algorithm::Ed25519 => ed25519::VerifyingKey::try_from(info)
                .map(PublicKey::Ed25519)
                .map_err(|_| malformed(path, "its 32 bytes are not a point of the curve")),
            Algorithm::X25519 => x25519::PublicKey::try_from(info)
                .map(PublicKey::X25519)
                .map_err(|e| broken(&e)),
        }
    }
}

/// Reads a secret key. Remarks that the user should hear go to `warnings`.
pub(crate) fn read_secret(path: &Path, warnings: &mut Vec<String>) -> Result<SecretKey, Error> {
    let (label, der) = read_pem(path)?;
    match label.as_str() {
        SECRET_LABEL => {
            let key = SecretKey::from_der(&der, path)?;
            warnings.extend(remark_on_access(path));
            Ok(key)
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
    let (label, der) = read_pem(path)?;
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

/// The key in `path` is for another purpose than the command's.
fn wrong_algorithm(path: &Path, found: Algorithm, wanted: Algorithm) -> Error {
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is an {found} key, for {}; this command needs an {wanted} key, for {}",
            Shown(path),
            found.purpose(),
            wanted.purpose()
        ),
    )
    .with_path(path)
}

/// What somebody does who has a secret key of the wrong kind.
fn make_one(wanted: Algorithm) -> String {
    format!(
        "make one with: lanner keygen --algorithm {} -o KEY.pem",
        wanted.name().to_lowercase()
    )
}

/// What somebody does who has a public key of the wrong kind.
fn ask_for_one(wanted: Algorithm) -> String {
    format!("ask its owner for their {wanted} public key")
}

fn read_pem(path: &Path) -> Result<(String, Zeroizing<Vec<u8>>), Error> {
    let text = read_key_file(path)?;
    let block = pem_block(&text, path)?;
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

fn read_key_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    let error = |e: std::io::Error| Error::io("read the key", path, &e);
    let file = File::open(path).map_err(error)?;
    // Reserved at once: growing would leave copies of the secret behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_FILE as usize + 1));
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(error)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Error::new(
            Kind::BadKey,
            format!("{} is too large for a key file", Shown(path)),
        )
        .with_path(path)
        .with_hint("is the order of the arguments right? Keys are PEM files of about 120 bytes"));
    }
    Ok(bytes)
}

/// Says so if other users may read the secret key in `path`.
fn remark_on_access(path: &Path) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = path.metadata().ok()?;
        let mode = metadata.permissions().mode();
        (metadata.is_file() && mode & 0o077 != 0).then(|| {
            format!(
                "other users of this machine may read {} (mode {:04o}); to stop that: chmod 600 {}",
                Shown(path),
                mode & 0o7777,
                shell_word(path)
            )
        })
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

fn algorithm_of(identifier: &AlgorithmIdentifierRef<'_>, path: &Path) -> Result<Algorithm, Error> {
    let Some(algorithm) = Algorithm::ALL
        .into_iter()
        .find(|algorithm| algorithm.oid() == identifier.oid)
    else {
        let oid = identifier.oid.to_string();
        let name = match oid.as_str() {
            "1.2.840.113549.1.1.1" => "RSA",
            "1.2.840.10045.2.1" => "elliptic-curve (ECDSA or ECDH)",
            "1.2.840.10040.4.1" => "DSA",
            "1.3.101.111" => "X448",
            "1.3.101.113" => "Ed448",
            _ => "",
        };
        let kind = if name.is_empty() {
            format!("a key of the unknown algorithm {oid}")
        } else {
            format!("an {name} key").replace("an DSA", "a DSA")
        };
        return Err(Error::new(
            Kind::WrongKeyType,
            format!(
                "{} is {kind}; lanner works with Ed25519 and X25519",
                Shown(path)
            ),
        )
        .with_path(path)
        .with_hint("make a key with: lanner keygen -o KEY.pem"));
    };
    if identifier.parameters.is_some() {
        return Err(malformed(
            path,
            "its algorithm has parameters, which RFC 8410 forbids",
        ));
    }
    Ok(algorithm)
}

fn malformed(path: &Path, why: &str) -> Error {
    Error::new(
        Kind::BadKey,
        format!("{} is not a usable key: {why}", Shown(path)),
    )
    .with_path(path)
    .with_hint("take the key from its backup, or make a new one with: lanner keygen -o KEY.pem")
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

/// Cannot happen: the lengths are fixed.
fn encoding_error(error: &dyn fmt::Display) -> Error {
    Error::new(Kind::Io, format!("cannot encode the key: {error}"))
}
