//! Key files (RFC 8410): PKCS#8 for secret keys, SubjectPublicKeyInfo for
//! public keys, with the algorithm identifier 1.3.101.110.
//!
//! Secret keys are read from version 1, with or without attributes, and from
//! version 2, whose public key must match. They are written as version 1, the
//! form that OpenSSL writes and every version of it reads.

use lanner_simd::stack::cleared;
use pkcs8::der::asn1::BitStringRef;
use pkcs8::spki::{self, SubjectPublicKeyInfoRef};
#[cfg(feature = "alloc")]
use pkcs8::{
    AlgorithmIdentifierRef, Document, EncodePrivateKey, EncodePublicKey, SecretDocument,
    der::asn1::OctetStringRef,
};
use pkcs8::{Error, KeyError, ObjectIdentifier, PrivateKeyInfoRef};
use subtle::ConstantTimeEq;
#[cfg(feature = "alloc")]
use zeroize::Zeroizing;
#[cfg(feature = "pem")]
use {
    alloc::string::String,
    pkcs8::spki::der::pem::{LineEnding, PemLabel},
};

use crate::{PublicKey, StaticSecret};

/// id-X25519 (RFC 8410 section 3).
const ALGORITHM_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.110");

/// The parameters must be absent.
#[cfg(feature = "alloc")]
const ALGORITHM: AlgorithmIdentifierRef<'static> = AlgorithmIdentifierRef {
    oid: ALGORITHM_OID,
    parameters: None,
};

/// How deep on the stack reading and writing go.
const KEY_FILE_DEPTH: usize = 2624;

/// The octet string inside the octet string that a private key is
/// (RFC 8410 section 7).
const CURVE_PRIVATE_KEY: [u8; 2] = [0x04, 0x20];

fn raw_key(bits: BitStringRef<'_>) -> Option<[u8; 32]> {
    bits.as_bytes()?.try_into().ok()
}

impl TryFrom<PrivateKeyInfoRef<'_>> for StaticSecret {
    type Error = Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, Error> {
        cleared::<KEY_FILE_DEPTH, _>(|| {
            info.algorithm.assert_algorithm_oid(ALGORITHM_OID)?;
            if info.algorithm.parameters.is_some() {
                return Err(Error::ParametersMalformed);
            }
            let malformed = || Error::KeyMalformed(KeyError::Invalid);
            let key = info.private_key.as_bytes();
            let key: &[u8; 32] = key
                .strip_prefix(&CURVE_PRIVATE_KEY)
                .and_then(|key| key.try_into().ok())
                .ok_or_else(malformed)?;
            let secret = StaticSecret::from(*key);
            if let Some(bits) = info.public_key {
                let stored = raw_key(bits).ok_or_else(malformed)?;
                let derived = PublicKey::from(&secret);
                if !bool::from(derived.as_bytes().ct_eq(&stored)) {
                    return Err(malformed());
                }
            }
            Ok(secret)
        })
    }
}

#[cfg(feature = "alloc")]
impl EncodePrivateKey for StaticSecret {
    /// Encodes as PKCS#8 version 1 in DER: 48 bytes.
    fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        cleared::<KEY_FILE_DEPTH, _>(|| {
            let mut key = Zeroizing::new([0; 34]);
            key[..2].copy_from_slice(&CURVE_PRIVATE_KEY);
            key[2..].copy_from_slice(self.as_bytes());
            let info = PrivateKeyInfoRef::new(ALGORITHM, OctetStringRef::new(&*key)?);
            SecretDocument::try_from(info)
        })
    }

    /// The same in PEM, with the label `PRIVATE KEY`.
    #[cfg(feature = "pem")]
    fn to_pkcs8_pem(&self, line_ending: LineEnding) -> Result<Zeroizing<String>, Error> {
        cleared::<KEY_FILE_DEPTH, _>(|| {
            let document = self.to_pkcs8_der()?;
            Ok(document.to_pem(PrivateKeyInfoRef::PEM_LABEL, line_ending)?)
        })
    }
}

impl TryFrom<SubjectPublicKeyInfoRef<'_>> for PublicKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm.assert_algorithm_oid(ALGORITHM_OID)?;
        if info.algorithm.parameters.is_some() {
            return Err(spki::Error::KeyMalformed);
        }
        raw_key(info.subject_public_key)
            .map(PublicKey::from)
            .ok_or(spki::Error::KeyMalformed)
    }
}

#[cfg(feature = "alloc")]
impl EncodePublicKey for PublicKey {
    /// Encodes as SubjectPublicKeyInfo in DER: 44 bytes.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        SubjectPublicKeyInfoRef {
            algorithm: ALGORITHM,
            subject_public_key: BitStringRef::new(0, self.as_bytes())?,
        }
        .try_into()
    }
}
