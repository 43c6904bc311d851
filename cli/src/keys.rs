//! Keys, of any algorithm, and their encodings: PKCS#8 and SubjectPublicKeyInfo (RFC 8410, RFC 5958).

use crate::algorithm::{
    Algorithm, OID_ED25519, OID_X25519, SignatureAlgorithm, foreign_kind, is_falcon,
};
use crate::error::{Error, Kind};
use crate::schemes::{ed25519, fn_dsa, x25519};
use crate::text::Shown;
use pkcs8::der::Decode;
use pkcs8::der::pem::LineEnding;
use pkcs8::spki::{self, AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use pkcs8::{
    DecodePrivateKey, EncodePrivateKey, EncodePublicKey, ObjectIdentifier, PrivateKeyInfoRef,
};
use std::fmt;
use std::path::Path;
use zeroize::Zeroizing;

/// A secret key; wiped when dropped. It is in the heap, so that moving one leaves no copy behind.
pub(crate) enum SecretKey {
    Signing(SigningKey),
    X25519(Box<x25519::StaticSecret>),
}

/// A secret key that signs.
pub(crate) enum SigningKey {
    Ed25519(Box<ed25519::SigningKey>),
    /// A key of degree 512 or 1024.
    FnDsa(Box<fn_dsa::SigningKeyStandard>),
}

/// A public key.
#[derive(Debug)]
pub(crate) enum PublicKey {
    Verifying(VerifyingKey),
    X25519(x25519::PublicKey),
}

/// A public key that verifies signatures.
#[derive(Debug)]
pub(crate) enum VerifyingKey {
    Ed25519(ed25519::VerifyingKey),
    /// A key of degree 512 or 1024.
    FnDsa(Box<fn_dsa::VerifyingKeyStandard>),
}

/// Runs what has secrets as values, which are copied as they are moved, and overwrites the stack that it used before
/// anything else runs: an enum that is built there and moved to the heap takes along what its unused part finds.
///
/// What comes back should be in the heap. The schemes overwrite what they use themselves, deep as they go; this is
/// for the functions between them and here, which take less. (`tests/cli/residue.rs` searches; what it finds depends on
/// how the compiler shares out the code: `CARGO_INCREMENTAL=0` has shown a key where other builds did not.)
pub(crate) fn without_traces<R>(operation: impl FnOnce() -> R) -> R {
    const STACK: usize = 16 * 1024;
    lanner_simd::stack::cleared::<STACK, _>(operation)
}

impl SigningKey {
    /// Makes a key from the operating system's random numbers.
    fn generate(algorithm: SignatureAlgorithm) -> Result<Self, Error> {
        let logn = match algorithm {
            SignatureAlgorithm::Ed25519 => {
                return ed25519::SigningKey::generate_from_os()
                    .map(|key| SigningKey::Ed25519(Box::new(key)))
                    .map_err(|e| no_random_numbers(&e));
            }
            SignatureAlgorithm::FnDsa512 => fn_dsa::FN_DSA_LOGN_512,
            SignatureAlgorithm::FnDsa1024 => fn_dsa::FN_DSA_LOGN_1024,
        };
        let mut seed = Zeroizing::new([0; fn_dsa::SEED_LENGTH]);
        getrandom::fill(&mut *seed).map_err(|e| no_random_numbers(&e))?;
        fn_dsa::SigningKeyStandard::from_seed_of_degree(logn, &seed)
            .map(|key| SigningKey::FnDsa(Box::new(key)))
            .map_err(|e| Error::new(Kind::Io, format!("cannot make a key: {e}")))
    }

    pub(crate) fn algorithm(&self) -> SignatureAlgorithm {
        match self {
            SigningKey::Ed25519(_) => SignatureAlgorithm::Ed25519,
            SigningKey::FnDsa(key) => of_degree(key.logn()),
        }
    }

    pub(crate) fn public(&self) -> VerifyingKey {
        match self {
            SigningKey::Ed25519(key) => VerifyingKey::Ed25519(key.verifying_key()),
            SigningKey::FnDsa(key) => VerifyingKey::FnDsa(Box::new(key.verifying_key())),
        }
    }
}

impl SecretKey {
    /// Makes a key from the operating system's random numbers.
    pub(crate) fn generate(algorithm: Algorithm) -> Result<Self, Error> {
        without_traces(|| {
            match algorithm {
                Algorithm::Ed25519 => SigningKey::generate(SignatureAlgorithm::Ed25519),
                Algorithm::FnDsa512 => SigningKey::generate(SignatureAlgorithm::FnDsa512),
                Algorithm::FnDsa1024 => SigningKey::generate(SignatureAlgorithm::FnDsa1024),
                Algorithm::X25519 => {
                    return x25519::StaticSecret::generate_from_os()
                        .map(|key| SecretKey::X25519(Box::new(key)))
                        .map_err(|e| no_random_numbers(&e));
                }
            }
            .map(SecretKey::Signing)
        })
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            SecretKey::Signing(key) => key.algorithm().into(),
            SecretKey::X25519(_) => Algorithm::X25519,
        }
    }

    /// Fails if the key is not of the algorithm that is asked for; `path` is for the error.
    pub(crate) fn check_algorithm(
        &self,
        wanted: Option<Algorithm>,
        path: &Path,
    ) -> Result<(), Error> {
        match wanted {
            Some(wanted) if wanted != self.algorithm() => Err(Error::new(
                Kind::WrongKeyType,
                format!(
                    "{} is an {} key; --alg asks for an {wanted} key",
                    Shown(path),
                    self.algorithm()
                ),
            )
            .with_path(path)),
            _ => Ok(()),
        }
    }

    pub(crate) fn public(&self) -> PublicKey {
        match self {
            SecretKey::Signing(key) => PublicKey::Verifying(key.public()),
            SecretKey::X25519(key) => PublicKey::X25519(x25519::PublicKey::from(&**key)),
        }
    }

    /// The signing key, if it is one, and of the algorithm that is asked for; `path` is for the error.
    pub(crate) fn into_signing(
        self,
        wanted: Option<SignatureAlgorithm>,
        path: &Path,
    ) -> Result<SigningKey, Error> {
        let found = self.algorithm();
        match self {
            SecretKey::Signing(key) if wanted.is_none_or(|wanted| wanted == key.algorithm()) => {
                Ok(key)
            }
            _ => Err(no_signing_key(path, found, wanted).with_hint(make_one(
                wanted.unwrap_or(SignatureAlgorithm::Ed25519).into(),
            ))),
        }
    }

    /// The key-agreement key, if it is one; `path` is for the error.
    pub(crate) fn into_x25519(self, path: &Path) -> Result<Box<x25519::StaticSecret>, Error> {
        match self {
            SecretKey::X25519(key) => Ok(key),
            SecretKey::Signing(key) => {
                Err(no_x25519_key(path, key.algorithm()).with_hint(make_one(Algorithm::X25519)))
            }
        }
    }

    /// PKCS#8 version 1, which every reader knows.
    pub(crate) fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        match self {
            SecretKey::Signing(SigningKey::Ed25519(key)) => key.to_pkcs8_pem(LineEnding::LF),
            SecretKey::Signing(SigningKey::FnDsa(key)) => key.to_pkcs8_pem(LineEnding::LF),
            SecretKey::X25519(key) => key.to_pkcs8_pem(LineEnding::LF),
        }
        .map_err(|e| encoding_error(&e))
    }

    /// Reads PKCS#8 in all its forms, within [`without_traces`]. A public key that comes with the secret one must match it.
    pub(crate) fn from_der(der: &[u8], path: &Path) -> Result<Self, Error> {
        let oid = match PrivateKeyInfoRef::from_der(der) {
            Ok(info) => checked_identifier(&info.algorithm, path)?,
            // There is a broken form that only Ed25519 keys come in, and their decoder knows it.
            Err(_) => OID_ED25519,
        };
        match oid {
            OID_ED25519 => ed25519::SigningKey::from_pkcs8_der(der)
                .map(|key| SecretKey::Signing(SigningKey::Ed25519(Box::new(key)))),
            OID_X25519 => x25519::StaticSecret::from_pkcs8_der(der)
                .map(|key| SecretKey::X25519(Box::new(key))),
            _ => fn_dsa::SigningKeyStandard::from_pkcs8_der(der)
                .map(|key| SecretKey::Signing(SigningKey::FnDsa(Box::new(key)))),
        }
        .map_err(|e| match e {
            pkcs8::Error::PublicKey(spki::Error::OidUnknown { oid }) => foreign_key(oid, path),
            pkcs8::Error::KeyMalformed(_) if oid == OID_ED25519 || oid == OID_X25519 => malformed(
                path,
                "the secret value is not 32 bytes, or the public key beside it does not belong \
                 to it",
            ),
            pkcs8::Error::KeyMalformed(_) => malformed(
                path,
                "it is none of the forms that FN-DSA keys have, its values are not \
                 those of a key, or the public key beside it does not belong to it",
            ),
            e => malformed(path, &format!("the PKCS#8 structure is broken ({e})")),
        })
    }
}

impl VerifyingKey {
    pub(crate) fn algorithm(&self) -> SignatureAlgorithm {
        match self {
            VerifyingKey::Ed25519(_) => SignatureAlgorithm::Ed25519,
            VerifyingKey::FnDsa(key) => of_degree(key.logn()),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            VerifyingKey::Ed25519(key) => key.to_bytes().to_vec(),
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

    /// SubjectPublicKeyInfo.
    pub(crate) fn to_pem(&self) -> Result<String, Error> {
        match self {
            PublicKey::Verifying(VerifyingKey::Ed25519(key)) => {
                key.to_public_key_pem(LineEnding::LF)
            }
            PublicKey::Verifying(VerifyingKey::FnDsa(key)) => key.to_public_key_pem(LineEnding::LF),
            PublicKey::X25519(key) => key.to_public_key_pem(LineEnding::LF),
        }
        .map_err(|e| encoding_error(&e))
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

/// The algorithm of FN-DSA keys of degree 2^logn.
fn of_degree(logn: u32) -> SignatureAlgorithm {
    if logn == fn_dsa::FN_DSA_LOGN_512 {
        SignatureAlgorithm::FnDsa512
    } else {
        SignatureAlgorithm::FnDsa1024
    }
}

/// The identifier of an algorithm, which for the curves must have no parameters.
fn checked_identifier(
    identifier: &AlgorithmIdentifierRef<'_>,
    path: &Path,
) -> Result<ObjectIdentifier, Error> {
    let oid = identifier.oid;
    if identifier.parameters.is_some() && (oid == OID_ED25519 || oid == OID_X25519) {
        return Err(malformed(
            path,
            "its algorithm has parameters, which RFC 8410 forbids",
        ));
    }
    Ok(oid)
}

/// The file is a key file, but there is something wrong with the key.
pub(crate) fn malformed(path: &Path, why: &str) -> Error {
    Error::new(
        Kind::BadKey,
        format!("{} is not a usable key: {why}", Shown(path)),
    )
    .with_path(path)
    .with_hint("take the key from its backup, or make a new one with: lanner keygen -o KEY.pem")
}

/// A key of an algorithm that is none of ours.
fn foreign_key(oid: ObjectIdentifier, path: &Path) -> Error {
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is {}; lanner works with Ed25519, X25519 and FN-DSA",
            Shown(path),
            foreign_kind(oid)
        ),
    )
    .with_path(path)
    .with_hint(if is_falcon(&oid.to_string()) {
        "Falcon and FN-DSA are two schemes, and a key that signs in both lets signatures be forged across \
         them; make a key with: lanner keygen --alg fn-dsa-512 -o KEY.pem"
    } else {
        "make a key with: lanner keygen -o KEY.pem"
    })
}

/// The key in `path` does not sign, or not by the algorithm that is asked for.
fn no_signing_key(path: &Path, found: Algorithm, wanted: Option<SignatureAlgorithm>) -> Error {
    let need = match wanted {
        Some(wanted) => format!("--alg asks for an {wanted} key"),
        None => format!(
            "this command needs a key for signatures ({})",
            SignatureAlgorithm::NAMES
        ),
    };
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is an {found} key, for {}; {need}",
            Shown(path),
            found.purpose()
        ),
    )
    .with_path(path)
}

/// The key in `path` is for signatures, and key agreement is wanted.
fn no_x25519_key(path: &Path, found: SignatureAlgorithm) -> Error {
    let purpose = Algorithm::from(found).purpose();
    Error::new(
        Kind::WrongKeyType,
        format!(
            "{} is an {found} key, for {purpose}; this command needs an X25519 key, for {}",
            Shown(path),
            Algorithm::X25519.purpose()
        ),
    )
    .with_path(path)
}

/// What somebody does who has a secret key of the wrong kind.
fn make_one(wanted: Algorithm) -> String {
    format!(
        "make one with: lanner keygen --alg {} -o KEY.pem",
        wanted.option()
    )
}

fn no_random_numbers(error: &dyn fmt::Display) -> Error {
    Error::new(
        Kind::Io,
        format!("the operating system gives no random numbers: {error}"),
    )
}

/// Cannot happen: the lengths are fixed.
fn encoding_error(error: &dyn fmt::Display) -> Error {
    Error::new(Kind::Io, format!("cannot encode the key: {error}"))
}
