//! Public keys.

use super::*;
use pkcs8::EncodePublicKey;
use pkcs8::der::Decode;
use pkcs8::der::pem::LineEnding;
use pkcs8::spki::{self, SubjectPublicKeyInfoRef};

impl VerifyingKey {
    pub(crate) fn algorithm(&self) -> SignatureAlgorithm {
        match self {
            VerifyingKey::Ed25519(_) => SignatureAlgorithm::Ed25519,
            VerifyingKey::FnDsa(key) => of_degree(key.logn()),
            VerifyingKey::Hybrid(key) => hybrid_of_degree(key.logn()),
            VerifyingKey::Sk(_) => SignatureAlgorithm::SkEd25519,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            VerifyingKey::Ed25519(key) => key.to_bytes().to_vec(),
            VerifyingKey::Sk(key) => key.key.to_bytes().to_vec(),
            VerifyingKey::Hybrid(key) => {
                let mut bytes = vec![0; hybrid::verifying_key_size(key.logn())];
                key.write_bytes(&mut bytes)
                    .expect("the length is the key's");
                bytes
            }
            VerifyingKey::FnDsa(key) => {
                let mut bytes = vec![0; fn_dsa::vrfy_key_size(key.logn())];
                key.write_bytes(&mut bytes)
                    .expect("the length is the key's");
                bytes
            }
        }
    }
}

impl PublicKey {
    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            PublicKey::Verifying(key) => key.algorithm().into(),
            PublicKey::X25519(_) => Algorithm::X25519,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            PublicKey::Verifying(key) => key.to_bytes(),
            PublicKey::X25519(key) => key.to_bytes().to_vec(),
        }
    }

    /// The verifying key, if it is one, and of the algorithm that is asked for; `path` is for the error.
    pub(crate) fn into_verifying(
        self,
        wanted: Option<SignatureAlgorithm>,
        path: &Path,
    ) -> Result<VerifyingKey, Error> {
        let found = self.algorithm();
        match self {
            PublicKey::Verifying(key) if wanted.is_none_or(|wanted| wanted == key.algorithm()) => {
                Ok(key)
            }
            _ => Err(no_signing_key(path, found, wanted).with_hint(match wanted {
                Some(wanted) => format!("ask its owner for their {wanted} public key"),
                None => "ask its owner for the public key that they sign with".to_owned(),
            })),
        }
    }

    /// The key-agreement key, if it is one; `path` is for the error.
    pub(crate) fn into_x25519(self, path: &Path) -> Result<x25519::PublicKey, Error> {
        match self {
            PublicKey::X25519(key) => Ok(key),
            PublicKey::Verifying(key) => Err(no_x25519_key(path, key.algorithm())
                .with_hint("ask its owner for their X25519 public key")),
        }
    }

    /// SubjectPublicKeyInfo in DER.
    pub(crate) fn to_der(&self) -> Result<Vec<u8>, Error> {
        match self {
            PublicKey::Verifying(VerifyingKey::Ed25519(key)) => key.to_public_key_der(),
            PublicKey::Verifying(VerifyingKey::FnDsa(key)) => key.to_public_key_der(),
            PublicKey::Verifying(VerifyingKey::Hybrid(key)) => key.to_public_key_der(),
            PublicKey::Verifying(VerifyingKey::Sk(_)) => return Err(no_form_of_sk()),
            PublicKey::X25519(key) => key.to_public_key_der(),
        }
        .map(|document| document.into_vec())
        .map_err(|e| encoding_error(&e))
    }

    /// SubjectPublicKeyInfo in PEM.
    pub(crate) fn to_pem(&self) -> Result<String, Error> {
        match self {
            PublicKey::Verifying(VerifyingKey::Ed25519(key)) => {
                key.to_public_key_pem(LineEnding::LF)
            }
            PublicKey::Verifying(VerifyingKey::FnDsa(key)) => key.to_public_key_pem(LineEnding::LF),
            PublicKey::Verifying(VerifyingKey::Hybrid(key)) => {
                key.to_public_key_pem(LineEnding::LF)
            }
            PublicKey::Verifying(VerifyingKey::Sk(_)) => return Err(no_form_of_sk()),
            PublicKey::X25519(key) => key.to_public_key_pem(LineEnding::LF),
        }
        .map_err(|e| encoding_error(&e))
    }

    /// The key of Ed25519 that these bytes are.
    pub(crate) fn ed25519(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let bytes: &[u8; 32] = bytes
            .try_into()
            .map_err(|_| malformed(path, "the public value is not 32 bytes"))?;
        ed25519::VerifyingKey::from_bytes(bytes)
            .map(|key| PublicKey::Verifying(VerifyingKey::Ed25519(key)))
            .map_err(|_| malformed(path, "its 32 bytes are not a point of the curve"))
    }

    /// The key of X25519 that these bytes are.
    pub(crate) fn x25519(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let bytes: [u8; 32] = bytes
            .try_into()
            .map_err(|_| malformed(path, "the public value is not 32 bytes"))?;
        Ok(PublicKey::X25519(x25519::PublicKey::from(bytes)))
    }

    /// The key of FN-DSA that these bytes are.
    pub(crate) fn fn_dsa(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        fn_dsa::VerifyingKeyStandard::from_bytes(bytes)
            .map(|key| PublicKey::Verifying(VerifyingKey::FnDsa(Box::new(key))))
            .map_err(|_| malformed(path, "its bytes are not a public key of FN-DSA"))
    }

    /// The hybrid key that these bytes are.
    pub(crate) fn hybrid(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        hybrid::VerifyingKeyStandard::from_bytes(bytes)
            .map(|key| PublicKey::Verifying(VerifyingKey::Hybrid(Box::new(key))))
            .map_err(|_| malformed(path, "its bytes are not a hybrid public key"))
    }

    /// The bytes of a key of Ed25519.
    pub(crate) fn as_ed25519(&self) -> Option<&[u8; 32]> {
        match self {
            PublicKey::Verifying(VerifyingKey::Ed25519(key)) => Some(key.as_bytes()),
            _ => None,
        }
    }

    pub(crate) fn from_der(der: &[u8], path: &Path) -> Result<Self, Error> {
        let broken = |e: &dyn fmt::Display| {
            let why = format!("the SubjectPublicKeyInfo structure is broken ({e})");
            malformed(path, &why)
        };
        let info = SubjectPublicKeyInfoRef::from_der(der).map_err(|e| broken(&e))?;
        let oid = checked_identifier(&info.algorithm, path)?;
        let is_short = info.subject_public_key.as_bytes().map(<[u8]>::len) == Some(32);
        match oid {
            OID_ED25519 | OID_X25519 if !is_short => {
                Err(malformed(path, "the public value is not 32 bytes"))
            }
            OID_ED25519 => ed25519::VerifyingKey::try_from(info)
                .map(|key| PublicKey::Verifying(VerifyingKey::Ed25519(key)))
                .map_err(|_| malformed(path, "its 32 bytes are not a point of the curve")),
            OID_X25519 => x25519::PublicKey::try_from(info)
                .map(PublicKey::X25519)
                .map_err(|e| broken(&e)),
            _ if is_hybrid(oid) => hybrid::VerifyingKeyStandard::try_from(info)
                .map(|key| PublicKey::Verifying(VerifyingKey::Hybrid(Box::new(key))))
                .map_err(|_| malformed(path, "its value is not a hybrid public key")),
            _ => fn_dsa::VerifyingKeyStandard::try_from(info)
                .map(|key| PublicKey::Verifying(VerifyingKey::FnDsa(Box::new(key))))
                .map_err(|e| match e {
                    spki::Error::OidUnknown { oid } => foreign_key(oid, path),
                    _ => malformed(
                        path,
                        "its value is not the public key of FN-DSA that its identifier announces",
                    ),
                }),
        }
    }
}

/// Security keys have no other form than OpenSSH's.
fn no_form_of_sk() -> Error {
    Error::new(
        Kind::WrongKeyType,
        "the key of a security key has no other form than OpenSSH's",
    )
    .with_hint("write it with: lanner convert --to openssh")
}
