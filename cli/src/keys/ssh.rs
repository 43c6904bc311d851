//! What OpenSSH calls a key: its name, its bytes, its fingerprint.

use super::*;
use crate::base64;
use crate::wire::{Reader, put_string};
use sha2::{Digest, Sha256};

const ED25519: &str = "ssh-ed25519";
const SK_ED25519: &str = "sk-ssh-ed25519@openssh.com";

/// The names of what OpenSSH has no names for. RFC 4251, section 6, wants a domain of the namer's after the sign;
/// `.invalid` (RFC 2606) is nobody's and never will be, so that no other meaning can be given to them.
const FN_DSA_512: &str = "fn-dsa-512@lanner.invalid";
const FN_DSA_1024: &str = "fn-dsa-1024@lanner.invalid";
const HYBRID_512: &str = "ed25519+fn-dsa-512@lanner.invalid";
const HYBRID_1024: &str = "ed25519+fn-dsa-1024@lanner.invalid";
const X25519: &str = "x25519@lanner.invalid";

/// True for the names of keys that are this project's own.
pub(crate) fn is_private_ssh_name(name: &[u8]) -> bool {
    [FN_DSA_512, FN_DSA_1024, HYBRID_512, HYBRID_1024, X25519]
        .iter()
        .any(|own| own.as_bytes() == name)
}

impl PublicKey {
    /// The name of the kind of key.
    pub(crate) fn ssh_name(&self) -> &'static str {
        match self {
            PublicKey::Verifying(key) => key.ssh_name(),
            PublicKey::X25519(_) => X25519,
        }
    }

    /// The key as SSH has it (RFC 8709, section 4): its name and its bytes.
    pub(crate) fn ssh_blob(&self) -> Vec<u8> {
        match self {
            PublicKey::Verifying(key) => key.ssh_blob(),
            PublicKey::X25519(_) => blob(self.ssh_name(), &self.to_bytes()),
        }
    }

    /// `SHA256:` and the Base64 of the hash of [`Self::ssh_blob`], as `ssh-keygen -l` prints it.
    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(&self.ssh_blob())
    }

    /// Reads a key as SSH has it; `path` is for errors.
    pub(crate) fn from_ssh_blob(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let short = || malformed(path, "its SSH structure is broken");
        let mut reader = Reader::new(bytes);
        let name = reader.text().ok_or_else(short)?;
        let is_ours = [ED25519, SK_ED25519].contains(&name) || is_private_ssh_name(name.as_bytes());
        if !is_ours {
            return Err(foreign_ssh_key(name, path));
        }
        let key = reader.string().ok_or_else(short)?;
        let application = if name == SK_ED25519 {
            Some(reader.text().ok_or_else(short)?)
        } else {
            None
        };
        if !reader.is_empty() {
            return Err(malformed(path, "there is something after the key"));
        }
        let read = match name {
            X25519 => PublicKey::x25519(key, path)?,
            FN_DSA_512 | FN_DSA_1024 => PublicKey::fn_dsa(key, path)?,
            HYBRID_512 | HYBRID_1024 => PublicKey::hybrid(key, path)?,
            _ => PublicKey::ed25519(key, path)?,
        };
        let read = match (read, application) {
            (PublicKey::Verifying(VerifyingKey::Ed25519(key)), Some(application)) => {
                let application = application.to_owned();
                PublicKey::Verifying(VerifyingKey::Sk(Box::new(SkKey { key, application })))
            }
            (read, _) => read,
        };
        // The degree of a key of FN-DSA is in the name and in the key.
        if read.ssh_name() == name {
            Ok(read)
        } else {
            Err(malformed(path, "its name is that of another kind of key"))
        }
    }
}

impl VerifyingKey {
    pub(crate) fn ssh_name(&self) -> &'static str {
        match self.algorithm() {
            SignatureAlgorithm::Ed25519 => ED25519,
            SignatureAlgorithm::SkEd25519 => SK_ED25519,
            SignatureAlgorithm::FnDsa512 => FN_DSA_512,
            SignatureAlgorithm::FnDsa1024 => FN_DSA_1024,
            SignatureAlgorithm::Hybrid512 => HYBRID_512,
            SignatureAlgorithm::Hybrid1024 => HYBRID_1024,
        }
    }

    pub(crate) fn ssh_blob(&self) -> Vec<u8> {
        let mut blob = blob(self.ssh_name(), &self.to_bytes());
        if let VerifyingKey::Sk(key) = self {
            put_string(&mut blob, key.application.as_bytes());
        }
        blob
    }

    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(&self.ssh_blob())
    }
}

fn blob(name: &str, key: &[u8]) -> Vec<u8> {
    let mut blob = Vec::with_capacity(name.len() + key.len() + 8);
    put_string(&mut blob, name.as_bytes());
    put_string(&mut blob, key);
    blob
}

fn fingerprint(blob: &[u8]) -> String {
    format!("SHA256:{}", base64::encode_unpadded(&Sha256::digest(blob)))
}

/// True for a whole key of OpenSSH's that is none of ours: the name, and as many fields as such keys have (RFC 4253, section
/// 6.6; RFC 5656, section 3.1; PROTOCOL.u2f).
pub(crate) fn is_foreign_ssh_key(name: &str, blob: &[u8]) -> bool {
    let fields = match name {
        "ssh-rsa" | "ecdsa-sha2-nistp256" | "ecdsa-sha2-nistp384" | "ecdsa-sha2-nistp521" => 2,
        "sk-ecdsa-sha2-nistp256@openssh.com" => 3,
        "ssh-dss" => 4,
        _ => return false,
    };
    let mut reader = Reader::new(blob);
    reader.text() == Some(name)
        && (0..fields).all(|_| reader.string().is_some())
        && reader.is_empty()
}

/// What a key is whose kind is none of ours.
pub(crate) fn foreign_ssh_kind(name: &str) -> &'static str {
    if name.contains("-cert-") {
        "a certificate of OpenSSH"
    } else if name.starts_with("ssh-rsa") || name.starts_with("rsa-") {
        "an RSA key"
    } else if name.contains("ecdsa") {
        "an elliptic-curve (ECDSA) key"
    } else if name == "ssh-dss" {
        "a DSA key"
    } else {
        "a key of an unknown kind"
    }
}

fn foreign_ssh_key(name: &str, path: &Path) -> Error {
    let is = foreign_ssh_kind(name);
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is {is}; lanner works with Ed25519, X25519 and FN-DSA",
            Shown(path)
        ),
    )
    .with_path(path)
    .with_hint("make a key with: lanner keygen -o KEY.pem, or ssh-keygen -t ed25519")
}
