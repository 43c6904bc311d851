//! Secret keys.

use super::*;
use pkcs8::der::Decode;
use pkcs8::der::pem::LineEnding;
use pkcs8::spki;
use pkcs8::{DecodePrivateKey, EncodePrivateKey, PrivateKeyInfoRef};
use zeroize::Zeroizing;

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
            SignatureAlgorithm::Hybrid512 => return Self::generate_hybrid(hybrid::LOGN_512),
            SignatureAlgorithm::Hybrid1024 => return Self::generate_hybrid(hybrid::LOGN_1024),
            SignatureAlgorithm::SkEd25519 => return Err(not_made_here()),
        };
        let mut seed = Zeroizing::new([0; fn_dsa::SEED_LENGTH]);
        getrandom::fill(&mut *seed).map_err(|e| no_random_numbers(&e))?;
        fn_dsa::SigningKeyStandard::from_seed_of_degree(logn, &seed)
            .map(|key| SigningKey::FnDsa(Box::new(key)))
            .map_err(|e| Error::new(Kind::Io, format!("cannot make a key: {e}")))
    }

    fn generate_hybrid(logn: u32) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; hybrid::SEED_LENGTH]);
        getrandom::fill(&mut *seed).map_err(|e| no_random_numbers(&e))?;
        hybrid::SigningKeyStandard::from_seed_of_degree(logn, &seed)
            .map(|key| SigningKey::Hybrid(Box::new(key)))
            .map_err(|e| Error::new(Kind::Io, format!("cannot make a key: {e}")))
    }

    pub(crate) fn algorithm(&self) -> SignatureAlgorithm {
        match self {
            SigningKey::Ed25519(_) => SignatureAlgorithm::Ed25519,
            SigningKey::FnDsa(key) => of_degree(key.logn()),
            SigningKey::Hybrid(key) => hybrid_of_degree(key.logn()),
        }
    }

    pub(crate) fn public(&self) -> VerifyingKey {
        match self {
            SigningKey::Ed25519(key) => VerifyingKey::Ed25519(key.verifying_key()),
            SigningKey::FnDsa(key) => VerifyingKey::FnDsa(Box::new(key.verifying_key())),
            SigningKey::Hybrid(key) => VerifyingKey::Hybrid(Box::new(key.verifying_key())),
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
                Algorithm::Hybrid512 => SigningKey::generate(SignatureAlgorithm::Hybrid512),
                Algorithm::Hybrid1024 => SigningKey::generate(SignatureAlgorithm::Hybrid1024),
                Algorithm::SkEd25519 => return Err(not_made_here()),
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
            Some(wanted) if wanted != self.algorithm() => {
                Err(wrong_algorithm(path, self.algorithm(), wanted))
            }
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

    /// The key that these 32 bytes are, of one of the curves or of a hybrid, within [`without_traces`].
    pub(crate) fn from_seed(
        algorithm: Algorithm,
        seed: &[u8; 32],
        path: &Path,
    ) -> Result<Self, Error> {
        match algorithm {
            Algorithm::Ed25519 => Ok(SecretKey::Signing(SigningKey::Ed25519(Box::new(
                ed25519::SigningKey::from_bytes(seed),
            )))),
            Algorithm::X25519 => Ok(SecretKey::X25519(Box::new(x25519::StaticSecret::from(
                *seed,
            )))),
            Algorithm::Hybrid512 => Ok(Self::hybrid(hybrid::LOGN_512, seed)),
            Algorithm::Hybrid1024 => Ok(Self::hybrid(hybrid::LOGN_1024, seed)),
            other => Err(malformed(
                path,
                &format!("32 bytes are no secret key of {other}"),
            )),
        }
    }

    fn hybrid(logn: u32, seed: &[u8; 32]) -> Self {
        let key = hybrid::SigningKeyStandard::from_seed_of_degree(logn, seed);
        SecretKey::Signing(SigningKey::Hybrid(Box::new(
            key.expect("both degrees are in this build"),
        )))
    }

    /// The key of Ed25519 that these 64 bytes are: the seed and the public key, which must match, within
    /// [`without_traces`].
    pub(crate) fn ed25519_with_public(pair: &[u8], path: &Path) -> Result<Self, Error> {
        let pair = pair.try_into().ok();
        pair.and_then(|pair| ed25519::SigningKey::from_keypair_bytes(pair).ok())
            .map(|key| SecretKey::Signing(SigningKey::Ed25519(Box::new(key))))
            .ok_or_else(|| {
                malformed(
                    path,
                    "its secret key does not belong to the public key beside it",
                )
            })
    }

    /// The 32 bytes that the secret keys of the curves are.
    pub(crate) fn seed(&self) -> Option<&[u8; 32]> {
        match self {
            SecretKey::Signing(SigningKey::Ed25519(key)) => Some(key.as_bytes()),
            SecretKey::X25519(key) => Some(key.as_bytes()),
            // The seed of a hybrid stays in key files: bare, it would be that of an Ed25519 key to somebody.
            SecretKey::Signing(SigningKey::FnDsa(_) | SigningKey::Hybrid(_)) => None,
        }
    }

    /// PKCS#8 version 1 in DER.
    pub(crate) fn to_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            SecretKey::Signing(SigningKey::Ed25519(key)) => key.to_pkcs8_der(),
            SecretKey::Signing(SigningKey::FnDsa(key)) => key.to_pkcs8_der(),
            SecretKey::Signing(SigningKey::Hybrid(key)) => key.to_pkcs8_der(),
            SecretKey::X25519(key) => key.to_pkcs8_der(),
        }
        .map(|document| document.to_bytes())
        .map_err(|e| encoding_error(&e))
    }

    /// PKCS#8 version 1, which every reader knows.
    pub(crate) fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        match self {
            SecretKey::Signing(SigningKey::Ed25519(key)) => key.to_pkcs8_pem(LineEnding::LF),
            SecretKey::Signing(SigningKey::FnDsa(key)) => key.to_pkcs8_pem(LineEnding::LF),
            SecretKey::Signing(SigningKey::Hybrid(key)) => key.to_pkcs8_pem(LineEnding::LF),
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
            _ if is_hybrid(oid) => hybrid::SigningKeyStandard::from_pkcs8_der(der)
                .map(|key| SecretKey::Signing(SigningKey::Hybrid(Box::new(key)))),
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
            pkcs8::Error::KeyMalformed(_) if is_hybrid(oid) => malformed(
                path,
                "it is no seed of 32 bytes, or the public key beside it does not belong to it",
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

/// Security keys make their own keys.
fn not_made_here() -> Error {
    Error::new(
        Kind::Usage,
        "a key in a security key is made with: ssh-keygen -t ed25519-sk",
    )
}
