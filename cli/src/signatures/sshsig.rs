//! SSH signatures of files (PROTOCOL.sshsig in OpenSSH's sources): what `ssh-keygen -Y` and git have.
//!
//! What is signed is short: a mark, a namespace that says for what purpose, and the hash of the message.

use crate::base64;
use crate::error::{Error, Kind};
use crate::formats::openssh;
use crate::keys::{PublicKey, VerifyingKey, foreign_ssh_kind};
use crate::text::Shown;
use crate::wire::{Reader, put_string};
use sha2::{Digest, Sha256, Sha512};
use std::path::Path;

const MAGIC: &[u8] = b"SSHSIG";
const VERSION: u32 = 1;
const BEGIN: &[u8] = b"-----BEGIN SSH SIGNATURE-----";
const END: &[u8] = b"-----END SSH SIGNATURE-----";

/// The namespace of files, as ssh-keygen's manual has it.
pub(crate) const FILE_NAMESPACE: &str = "file";

/// The hash functions that the format has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hash {
    Sha256,
    Sha512,
}

impl Hash {
    /// As it is called in the format.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Hash::Sha256 => "sha256",
            Hash::Sha512 => "sha512",
        }
    }

    /// As people call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Hash::Sha256 => "SHA-256",
            Hash::Sha512 => "SHA-512",
        }
    }

    pub(crate) fn hasher(self) -> Hasher {
        match self {
            Hash::Sha256 => Hasher::Sha256(Sha256::new()),
            Hash::Sha512 => Hasher::Sha512(Sha512::new()),
        }
    }
}

/// A hash that is being computed.
pub(crate) enum Hasher {
    Sha256(Sha256),
    Sha512(Sha512),
}

impl Hasher {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            Hasher::Sha256(hasher) => hasher.update(bytes),
            Hasher::Sha512(hasher) => hasher.update(bytes),
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        match self {
            Hasher::Sha256(hasher) => hasher.finalize().to_vec(),
            Hasher::Sha512(hasher) => hasher.finalize().to_vec(),
        }
    }
}

/// What a security key says beside its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    flags: u8,
    counter: u32,
}

impl Touch {
    /// Somebody touched the security key.
    pub(crate) fn is_present(self) -> bool {
        self.flags & 1 != 0
    }

    /// And proved who they are, by PIN or finger.
    pub(crate) fn is_verified(self) -> bool {
        self.flags & 4 != 0
    }
}

/// A signature, and the key that it claims to be by, which nobody has vouched for.
#[derive(Debug)]
pub(crate) struct SshSignature {
    pub(crate) public: VerifyingKey,
    pub(crate) namespace: String,
    pub(crate) hash: Hash,
    /// There is something in the field that is reserved, which nobody signs and verifiers ignore.
    pub(crate) has_reserved: bool,
    signature: Vec<u8>,
    pub(crate) touch: Option<Touch>,
}

/// True if a file begins as SSH signatures do, in text or in bytes.
pub(crate) fn is_signature(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(BEGIN) || bytes.starts_with(b"SSHSIG\0\0\0")
}

/// Reads a signature file; `path` is for errors.
pub(crate) fn parse(bytes: &[u8], path: &Path) -> Result<SshSignature, Error> {
    if bytes.starts_with(MAGIC) {
        return parse_blob(bytes, path);
    }
    parse_blob(&unarmoured(bytes, path)?, path)
}

/// Reads a signature file as ssh-keygen does, and nothing else: what is good by one and not by the other, somebody could show to
/// whoever has the one.
pub(crate) fn parse_as_ssh_keygen(bytes: &[u8], path: &Path) -> Result<SshSignature, Error> {
    let body = bytes
        .strip_prefix(BEGIN)
        .and_then(|rest| rest.strip_prefix(b"\n"))
        .ok_or_else(|| bad(path, "its first line is missing, or is not the first one"))?;
    let end = [&b"\n"[..], END].concat();
    let end = body.windows(end.len()).position(|window| window == end);
    // What stands behind it, nobody reads.
    let body = &body[..end.ok_or_else(|| bad(path, "its last line is missing"))?];
    let is_space = |byte: u8| byte.is_ascii_whitespace() || byte == b'\x0b';
    parse_blob(&decoded(body, is_space, path)?, path)
}

fn parse_blob(blob: &[u8], path: &Path) -> Result<SshSignature, Error> {
    let broken = || bad(path, "it is cut short or has lengths that do not fit");
    let mut reader = Reader::new(blob);
    if reader.bytes(MAGIC.len()) != Some(MAGIC) {
        return Err(bad(path, "its mark is missing"));
    }
    match reader.number() {
        Some(VERSION) => {}
        Some(other) => return Err(bad(path, &format!("it has the unknown version {other}"))),
        None => return Err(broken()),
    }
    let public = reader.string().ok_or_else(broken)?;
    let namespace = reader.text().ok_or_else(broken)?;
    let reserved = reader.string().ok_or_else(broken)?;
    let hash = match reader.text().ok_or_else(broken)? {
        "sha256" => Hash::Sha256,
        "sha512" => Hash::Sha512,
        other => return Err(bad(path, &format!("it has the unknown hash {other:?}"))),
    };
    let mut signature = Reader::new(reader.string().ok_or_else(broken)?);
    if !reader.is_empty() {
        return Err(bad(path, "there is something after it"));
    }
    if namespace.is_empty() {
        return Err(bad(path, "it has no namespace"));
    }
    let public = match PublicKey::from_ssh_blob(public, path) {
        Ok(PublicKey::Verifying(key)) => key,
        Ok(PublicKey::X25519(_)) => return Err(bad(path, "its key is not one for signatures")),
        Err(error) if error.kind == Kind::WrongKeyType => return Err(foreign(public, path)),
        Err(error) if error.kind == Kind::BadKey => return Err(bad(path, "its key is broken")),
        Err(error) => return Err(error),
    };
    let name = signature.text().ok_or_else(broken)?;
    let bytes = signature.string().ok_or_else(broken)?;
    if name != public.ssh_name() {
        return Err(bad(path, "its signature is of another kind than its key"));
    }
    let touch = match public {
        VerifyingKey::Sk(_) => Some(Touch {
            flags: signature.byte().ok_or_else(broken)?,
            counter: signature.number().ok_or_else(broken)?,
        }),
        _ => None,
    };
    if !signature.is_empty() || bytes.len() != public.algorithm().signature_size() {
        return Err(bad(path, "its signature has the wrong length"));
    }
    Ok(SshSignature {
        public,
        namespace: namespace.to_owned(),
        hash,
        has_reserved: !reserved.is_empty(),
        signature: bytes.to_vec(),
        touch,
    })
}

/// A signature by a key of an algorithm that is none of ours. The file is in order, and those who made it did nothing wrong.
fn foreign(public: &[u8], path: &Path) -> Error {
    let name = Reader::new(public).text().unwrap_or_default();
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is a signature by {}; lanner verifies Ed25519 and FN-DSA",
            Shown(path),
            foreign_ssh_kind(name)
        ),
    )
    .with_path(path)
    .with_hint("ssh-keygen verifies it; for git: git -c gpg.ssh.program=ssh-keygen …")
}

impl SshSignature {
    /// True if the name of the application stands in it, which whoever has a security key may choose, and it is not the one
    /// that OpenSSH chooses.
    pub(crate) fn has_free_words(&self) -> bool {
        matches!(&self.public, VerifyingKey::Sk(key) if key.application != "ssh:")
    }

    /// True if this is a signature of the message with this hash, by [`Self::public`].
    pub(crate) fn is_valid(&self, digest: &[u8]) -> bool {
        let signed = signed_data(&self.namespace, self.hash, digest);
        match (&self.public, self.touch) {
            (VerifyingKey::Sk(key), Some(touch)) => {
                // PROTOCOL.u2f: the authenticator signs hashes of the application and of the message.
                let mut message = Sha256::digest(key.application.as_bytes()).to_vec();
                message.push(touch.flags);
                message.extend_from_slice(&touch.counter.to_be_bytes());
                message.extend_from_slice(&Sha256::digest(&signed));
                super::verify::is_valid(&VerifyingKey::Ed25519(key.key), &self.signature, &message)
            }
            _ => super::verify::is_valid(&self.public, &self.signature, &signed),
        }
    }
}

/// What is signed in the place of a message.
fn signed_data(namespace: &str, hash: Hash, digest: &[u8]) -> Vec<u8> {
    let mut data = MAGIC.to_vec();
    put_string(&mut data, namespace.as_bytes());
    put_string(&mut data, b"");
    put_string(&mut data, hash.id().as_bytes());
    put_string(&mut data, digest);
    data
}

/// The signature file of a message with this hash. `sign` signs a short message with the secret key of `public`.
pub(crate) fn compose(
    public: &VerifyingKey,
    namespace: &str,
    hash: Hash,
    digest: &[u8],
    sign: impl FnOnce(&[u8]) -> Result<Vec<u8>, Error>,
) -> Result<Vec<u8>, Error> {
    let signature = sign(&signed_data(namespace, hash, digest))?;
    let mut inner = Vec::new();
    put_string(&mut inner, public.ssh_name().as_bytes());
    put_string(&mut inner, &signature);
    let mut blob = MAGIC.to_vec();
    blob.extend_from_slice(&VERSION.to_be_bytes());
    put_string(&mut blob, &public.ssh_blob());
    put_string(&mut blob, namespace.as_bytes());
    put_string(&mut blob, b"");
    put_string(&mut blob, hash.id().as_bytes());
    put_string(&mut blob, &inner);
    Ok(openssh::armoured("SSH SIGNATURE", &blob)
        .as_bytes()
        .to_vec())
}

fn unarmoured(text: &[u8], path: &Path) -> Result<Vec<u8>, Error> {
    let body = text
        .trim_ascii()
        .strip_prefix(BEGIN)
        .ok_or_else(|| bad(path, "its first line is missing"))?
        .strip_suffix(END)
        .ok_or_else(|| {
            let has_end = text.windows(END.len()).any(|window| window == END);
            bad(
                path,
                if has_end {
                    "there is something after its last line; each signature has a file of its own"
                } else {
                    "its last line is missing; is the file cut short?"
                },
            )
        })?;
    decoded(body, |byte| b"\r\n".contains(&byte), path)
}

/// The Base64 of a body, in which there may be `space`.
fn decoded(body: &[u8], space: impl Fn(u8) -> bool, path: &Path) -> Result<Vec<u8>, Error> {
    let digits = body.iter().copied().filter(|&byte| !space(byte));
    base64::decode(&digits.collect::<Vec<u8>>())
        .map(|blob| blob.to_vec())
        .ok_or_else(|| bad(path, "its Base64 is broken"))
}

fn bad(path: &Path, why: &str) -> Error {
    Error::new(
        Kind::BadSignatureFile,
        format!("{} is not a usable SSH signature: {why}", Shown(path)),
    )
    .with_path(path)
}

/// A namespace is one word without what a terminal or a list would take for something else.
pub(crate) fn check_namespace(namespace: Option<&str>) -> Result<(), Error> {
    match namespace {
        Some(text)
            if text.is_empty()
                || text.len() > 255
                || text.chars().any(|c| c.is_control() || c.is_whitespace()) =>
        {
            Err(Error::new(
                Kind::Usage,
                "a namespace is one word, say file, git or release@example.org",
            ))
        }
        _ => Ok(()),
    }
}
