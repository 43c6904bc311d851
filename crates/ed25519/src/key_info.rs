//! Key files: PKCS#8 (RFC 5958, RFC 8410) and SubjectPublicKeyInfo.
//!
//! Private keys are read in every form that is found in the wild:
//!
//! * version 1, as OpenSSL writes it, with or without attributes,
//! * version 2, with the public key, which must match,
//! * the version 2 that *ring* wrote before 0.17, with an explicit tag around
//!   the public key where RFC 5958 wants an implicit one.
//!
//! They are written as version 1, because OpenSSL before 3.5 does not read
//! version 2; [`SigningKey::to_pkcs8_v2_der`] writes that.

use core::fmt;

use ed25519::pkcs8::{
    DecodePrivateKey, Error, KeyError, KeypairBytes, PrivateKeyInfoRef, PublicKeyBytes,
    spki::{
        self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
        SubjectPublicKeyInfoRef,
        der::{
            self, AnyRef, Decode, Reader, SliceReader, Tag, TagMode, TagNumber,
            asn1::{BitStringRef, SequenceRef},
        },
    },
};
#[cfg(feature = "alloc")]
use ed25519::pkcs8::{Document, EncodePrivateKey, EncodePublicKey, SecretDocument};
use lanner_simd::stack::cleared;
use subtle::ConstantTimeEq;
#[cfg(feature = "pem")]
use {
    alloc::string::String,
    ed25519::pkcs8::spki::der::pem::{LineEnding, PemLabel, decode_label},
    zeroize::Zeroizing,
};

use crate::depth;
use crate::{SecretKey, Signature, SigningKey, VerifyingKey};

/// The error of reading a private key out of a `PrivateKeyInfoRef`: it is not
/// an Ed25519 key, its secret key is not 32 bytes long, or its public key does
/// not match. Converts into [`pkcs8::Error`](Error).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateKeyError(Error);

impl From<PrivateKeyError> for Error {
    fn from(error: PrivateKeyError) -> Error {
        error.0
    }
}

impl From<Error> for PrivateKeyError {
    fn from(error: Error) -> PrivateKeyError {
        PrivateKeyError(error)
    }
}

impl fmt::Display for PrivateKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl core::error::Error for PrivateKeyError {}

/// The key of a secret key and of the public key that was stored with it.
fn check_pair(secret_key: &SecretKey, public_key: Option<&[u8; 32]>) -> Result<SigningKey, Error> {
    let signing_key = SigningKey::from_bytes(secret_key);
    match public_key {
        Some(stored) if !bool::from(signing_key.as_ref().as_bytes().ct_eq(stored)) => {
            Err(Error::KeyMalformed(KeyError::Invalid))
        }
        _ => Ok(signing_key),
    }
}

/// Parses what old versions of *ring* wrote: version 2, but with an explicit
/// tag around the public key.
///
/// ```text
/// SEQUENCE { INTEGER 1, AlgorithmIdentifier, OCTET STRING,
///     [0] IMPLICIT Attributes OPTIONAL, [1] EXPLICIT BIT STRING }
/// ```
fn parse_old_ring(bytes: &[u8]) -> der::Result<PrivateKeyInfoRef<'_>> {
    let mut reader = SliceReader::new(bytes)?;
    let info = reader.sequence(|reader: &mut SliceReader<'_>| {
        if u8::decode(reader)? != 1 {
            return Err(reader.error(Tag::Integer.value_error()));
        }
        let algorithm = reader.decode()?;
        let private_key = reader.decode()?;
        let _attributes =
            reader.context_specific::<&SequenceRef>(TagNumber(0), TagMode::Implicit)?;
        let public_key: Option<BitStringRef<'_>> =
            reader.context_specific(TagNumber(1), TagMode::Explicit)?;
        if public_key.is_none() {
            return Err(reader.error(Tag::BitString.value_error()));
        }
        let mut info = PrivateKeyInfoRef::new(algorithm, private_key);
        info.public_key = public_key;
        Ok(info)
    })?;
    reader.finish()?;
    Ok(info)
}

// The blanket implementation for every `TryFrom<PrivateKeyInfoRef>` whose error
// is `pkcs8::Error` cannot see the old form of ring, which is no valid
// `PrivateKeyInfoRef`. That is why `PrivateKeyError` is a type of its own.
impl DecodePrivateKey for SigningKey {
    /// Decodes a PKCS#8 private key in DER: version 1 or 2, attributes allowed,
    /// or the form of old versions of *ring*.
    fn from_pkcs8_der(bytes: &[u8]) -> Result<Self, Error> {
        cleared::<{ depth::KEY_FILE }, _>(|| {
            let info = match PrivateKeyInfoRef::try_from(bytes) {
                Ok(info) => info,
                // If it is neither form, the error is that of the standard one.
                Err(error) => parse_old_ring(bytes).map_err(|_| error)?,
            };
            Ok(Self::try_from(info)?)
        })
    }

    /// [`Self::from_pkcs8_der`] in PEM, with the label `PRIVATE KEY`.
    #[cfg(feature = "pem")]
    fn from_pkcs8_pem(pem: &str) -> Result<Self, Error> {
        cleared::<{ depth::KEY_FILE }, _>(|| {
            // First what kind of file it is: one of another kind need not be readable further.
            PrivateKeyInfoRef::validate_pem_label(decode_label(pem.as_bytes())?)?;
            let (_, document) = SecretDocument::from_pem(pem)?;
            Self::from_pkcs8_der(document.as_bytes())
        })
    }
}

impl TryFrom<PrivateKeyInfoRef<'_>> for SigningKey {
    type Error = PrivateKeyError;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, PrivateKeyError> {
        cleared::<{ depth::KEY_FILE }, _>(|| {
            let stored = info.public_key.is_some();
            let pair = KeypairBytes::try_from(info)?;
            // `KeypairBytes` drops a public key that is not a whole number of bytes.
            if stored && pair.public_key.is_none() {
                return Err(Error::KeyMalformed(KeyError::Invalid).into());
            }
            Ok(SigningKey::try_from(&pair)?)
        })
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
        cleared::<{ depth::COPY }, _>(|| {
            check_pair(
                &pair.secret_key,
                pair.public_key.as_ref().map(AsRef::as_ref),
            )
        })
    }
}

impl From<SigningKey> for KeypairBytes {
    fn from(signing_key: SigningKey) -> KeypairBytes {
        KeypairBytes::from(&signing_key)
    }
}

impl From<&SigningKey> for KeypairBytes {
    /// Both halves. Encoding them gives PKCS#8 version 2.
    fn from(signing_key: &SigningKey) -> KeypairBytes {
        KeypairBytes {
            secret_key: signing_key.to_bytes(),
            public_key: Some(signing_key.verifying_key().into()),
        }
    }
}

#[cfg(feature = "alloc")]
impl EncodePrivateKey for SigningKey {
    /// Encodes as PKCS#8 version 1 in DER: 48 bytes, without the public key,
    /// the form that OpenSSL writes.
    fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        cleared::<{ depth::KEY_FILE }, _>(|| {
            let pair = KeypairBytes {
                secret_key: self.to_bytes(),
                public_key: None,
            };
            pair.to_pkcs8_der()
        })
    }

    /// [`Self::to_pkcs8_der`] in PEM, with the label `PRIVATE KEY`.
    #[cfg(feature = "pem")]
    fn to_pkcs8_pem(&self, line_ending: LineEnding) -> Result<Zeroizing<String>, Error> {
        cleared::<{ depth::KEY_FILE }, _>(|| {
            let document = self.to_pkcs8_der()?;
            Ok(document.to_pem(PrivateKeyInfoRef::PEM_LABEL, line_ending)?)
        })
    }
}

#[cfg(feature = "alloc")]
impl SigningKey {
    /// Encodes as PKCS#8 version 2 in DER: 83 bytes, with the public key, for
    /// readers that insist on it. OpenSSL before 3.5 does not read it.
    ///
    /// # Errors
    ///
    /// None in practice; the encoder's type has one.
    pub fn to_pkcs8_v2_der(&self) -> Result<SecretDocument, Error> {
        cleared::<{ depth::KEY_FILE }, _>(|| KeypairBytes::from(self).to_pkcs8_der())
    }

    /// Encodes as PKCS#8 version 2 in PEM, with the public key, for readers that
    /// insist on it. OpenSSL before 3.5 does not read it.
    ///
    /// # Errors
    ///
    /// None in practice; the encoder's type has one.
    #[cfg(feature = "pem")]
    pub fn to_pkcs8_v2_pem(&self, line_ending: LineEnding) -> Result<Zeroizing<String>, Error> {
        cleared::<{ depth::KEY_FILE }, _>(|| KeypairBytes::from(self).to_pkcs8_pem(line_ending))
    }
}

impl SignatureAlgorithmIdentifier for SigningKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> =
        <Signature as AssociatedAlgorithmIdentifier>::ALGORITHM_IDENTIFIER;
}

impl SignatureAlgorithmIdentifier for VerifyingKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> =
        <Signature as AssociatedAlgorithmIdentifier>::ALGORITHM_IDENTIFIER;
}

#[cfg(feature = "alloc")]
impl EncodePublicKey for VerifyingKey {
    /// Encodes as SubjectPublicKeyInfo in DER: 44 bytes.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        PublicKeyBytes::from(self).to_public_key_der()
    }
}

impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
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

    /// Decodes the 32 bytes of the key.
    ///
    /// # Errors
    ///
    /// If no point of the curve has this y coordinate.
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
