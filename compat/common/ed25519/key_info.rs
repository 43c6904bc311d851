//! Key files: PKCS#8 (RFC 5958, RFC 8410) and SubjectPublicKeyInfo, read and written as the version that this package
//! stands for does: private keys are written as version 2, with the public key.

#[cfg(feature = "alloc")]
use ed25519::pkcs8::{Document, EncodePrivateKey, EncodePublicKey, SecretDocument};
use ed25519::pkcs8::{KeypairBytes, PublicKeyBytes, spki};
use lanner_simd::stack::cleared;
#[cfg(feature = "pem")]
use {
    alloc::string::String,
    ed25519::pkcs8::spki::der::pem::{LineEnding, PemLabel},
    zeroize::Zeroizing,
};

use crate::ecosystem::{Error, PrivateKeyInfo, malformed};
use crate::signing::COPY;
use crate::{SigningKey, VerifyingKey};

/// How deep on the stack reading and writing a key file go.
const KEY_FILE: usize = 2048;

impl TryFrom<PrivateKeyInfo<'_>> for SigningKey {
    type Error = Error;

    fn try_from(info: PrivateKeyInfo<'_>) -> Result<Self, Error> {
        cleared::<KEY_FILE, _>(|| KeypairBytes::try_from(info)?.try_into())
    }
}

impl TryFrom<KeypairBytes> for SigningKey {
    type Error = Error;

    fn try_from(pair: KeypairBytes) -> Result<Self, Error> {
        SigningKey::try_from(&pair)
    }
}

impl TryFrom<&KeypairBytes> for SigningKey {
    type Error = Error;

    /// Fails if there is a public key that is not the one of the secret key.
    fn try_from(pair: &KeypairBytes) -> Result<Self, Error> {
        cleared::<COPY, _>(|| {
            let stored = match &pair.public_key {
                Some(bytes) => {
                    Some(VerifyingKey::from_bytes(bytes.as_ref()).map_err(|_| malformed())?)
                }
                None => None,
            };
            let signing_key = SigningKey::from_bytes(&pair.secret_key);
            match stored {
                Some(stored) if stored != signing_key.verifying_key() => Err(malformed()),
                _ => Ok(signing_key),
            }
        })
    }
}

impl From<SigningKey> for KeypairBytes {
    fn from(signing_key: SigningKey) -> KeypairBytes {
        KeypairBytes::from(&signing_key)
    }
}

impl From<&SigningKey> for KeypairBytes {
    fn from(signing_key: &SigningKey) -> KeypairBytes {
        KeypairBytes {
            secret_key: signing_key.to_bytes(),
            public_key: Some(signing_key.verifying_key().into()),
        }
    }
}

#[cfg(feature = "alloc")]
impl EncodePrivateKey for SigningKey {
    /// Encodes as PKCS#8 version 2 in DER: 83 bytes, with the public key.
    fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        cleared::<KEY_FILE, _>(|| KeypairBytes::from(self).to_pkcs8_der())
    }

    /// The same in PEM, with the label `PRIVATE KEY`.
    #[cfg(feature = "pem")]
    fn to_pkcs8_pem(&self, line_ending: LineEnding) -> Result<Zeroizing<String>, Error> {
        cleared::<KEY_FILE, _>(|| {
            let document = self.to_pkcs8_der()?;
            Ok(document.to_pem(PrivateKeyInfo::PEM_LABEL, line_ending)?)
        })
    }
}

#[cfg(feature = "alloc")]
impl EncodePublicKey for VerifyingKey {
    /// Encodes as SubjectPublicKeyInfo in DER: 44 bytes.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        PublicKeyBytes::from(self).to_public_key_der()
    }
}

impl TryFrom<spki::SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(info: spki::SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        PublicKeyBytes::try_from(info)?.try_into()
    }
}

impl TryFrom<PublicKeyBytes> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(bytes: PublicKeyBytes) -> spki::Result<Self> {
        VerifyingKey::try_from(&bytes)
    }
}

impl TryFrom<&PublicKeyBytes> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(bytes: &PublicKeyBytes) -> spki::Result<Self> {
        VerifyingKey::from_bytes(bytes.as_ref()).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl From<VerifyingKey> for PublicKeyBytes {
    fn from(key: VerifyingKey) -> PublicKeyBytes {
        PublicKeyBytes::from(&key)
    }
}

impl From<&VerifyingKey> for PublicKeyBytes {
    fn from(key: &VerifyingKey) -> PublicKeyBytes {
        PublicKeyBytes(key.to_bytes())
    }
}
