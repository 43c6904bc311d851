//! Key files: PKCS#8 for signing keys, SubjectPublicKeyInfo for verifying keys.
//!
//! Nobody has assigned identifiers, so they are this project's own, under an arc that needs no registration. A signing key is its
//! seed of 32 bytes, without further framing.

#[cfg(feature = "sign")]
use lanner_simd::stack::cleared;
#[cfg(feature = "sign")]
use pkcs8::PrivateKeyInfoRef;
use pkcs8::spki::{self, SubjectPublicKeyInfoRef};
use pkcs8::{AlgorithmIdentifierRef, ObjectIdentifier};
#[cfg(feature = "alloc")]
use pkcs8::{Document, EncodePublicKey, der::asn1::BitStringRef};
#[cfg(all(feature = "alloc", feature = "sign"))]
use pkcs8::{EncodePrivateKey, SecretDocument, der::asn1::OctetStringRef};
#[cfg(feature = "sign")]
use pkcs8::{Error, KeyError};
#[cfg(all(feature = "pem", feature = "sign"))]
use {
    alloc::string::String,
    pkcs8::spki::der::pem::{LineEnding, PemLabel},
    zeroize::Zeroizing,
};

#[cfg(feature = "sign")]
use crate::SigningKeyOf;
use crate::VerifyingKeyOf;
use crate::{LOGN_512, LOGN_1024, verifying_key_size};

/// The identifier of keys with FN-DSA-512, this project's own.
pub const HYBRID_512_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.25.2041985364.109");

/// The identifier of keys with FN-DSA-1024, this project's own.
pub const HYBRID_1024_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.25.2041985364.110");

/// How deep on the stack reading and writing go, beside making the key.
#[cfg(feature = "sign")]
const KEY_FILE_DEPTH: usize = 28 * 1024;

#[cfg(feature = "alloc")]
fn identifier(logn: u32) -> AlgorithmIdentifierRef<'static> {
    let oid = if logn == LOGN_512 {
        HYBRID_512_OID
    } else {
        HYBRID_1024_OID
    };
    AlgorithmIdentifierRef {
        oid,
        parameters: None,
    }
}

/// The degree of an algorithm, which must have no parameters. A type that supports degrees from 2^`min` to `n` does not know
/// the algorithm of another degree, whatever the key is worth.
fn degree(identifier: &AlgorithmIdentifierRef<'_>, min: u32, n: usize) -> spki::Result<u32> {
    let oid = identifier.oid;
    let known = [(LOGN_512, HYBRID_512_OID), (LOGN_1024, HYBRID_1024_OID)]
        .into_iter()
        .find(|(logn, known)| *known == oid && (min..=n.ilog2()).contains(logn));
    match (known, identifier.parameters) {
        (Some((logn, _)), None) => Ok(logn),
        (Some(_), Some(_)) => Err(spki::Error::KeyMalformed),
        (None, _) => Err(spki::Error::OidUnknown { oid }),
    }
}

#[cfg(feature = "sign")]
impl<const MIN: u32, const N: usize> TryFrom<PrivateKeyInfoRef<'_>> for SigningKeyOf<MIN, N> {
    type Error = Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, Error> {
        cleared::<KEY_FILE_DEPTH, _>(|| {
            let malformed = || Error::KeyMalformed(KeyError::Invalid);
            let logn = degree(&info.algorithm, MIN, N)?;
            let seed = info.private_key.as_bytes();
            let seed = seed.try_into().map_err(|_| malformed())?;
            let key = Self::from_seed_of_degree(logn, seed).map_err(|_| malformed())?;
            if let Some(stored) = info.public_key {
                // Whole bytes: no bits of the last one are unused.
                let stored = stored.as_bytes().ok_or_else(malformed)?;
                let stored = VerifyingKeyOf::from_bytes(stored);
                if stored.as_ref() != Ok(&key.verifying_key()) {
                    return Err(malformed());
                }
            }
            Ok(key)
        })
    }
}

#[cfg(all(feature = "alloc", feature = "sign"))]
impl<const MIN: u32, const N: usize> EncodePrivateKey for SigningKeyOf<MIN, N> {
    /// Encodes as PKCS#8 version 1 in DER.
    fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        cleared::<KEY_FILE_DEPTH, _>(|| {
            let info =
                PrivateKeyInfoRef::new(identifier(self.logn()), OctetStringRef::new(self.seed())?);
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

impl<const MIN: u32, const N: usize> TryFrom<SubjectPublicKeyInfoRef<'_>>
    for VerifyingKeyOf<MIN, N>
{
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        let logn = degree(&info.algorithm, MIN, N)?;
        let bits = info.subject_public_key;
        let key = bits
            .as_bytes()
            .filter(|bytes| bytes.len() == verifying_key_size(logn))
            .and_then(|bytes| Self::from_bytes(bytes).ok());
        key.ok_or(spki::Error::KeyMalformed)
    }
}

#[cfg(feature = "alloc")]
impl<const MIN: u32, const N: usize> EncodePublicKey for VerifyingKeyOf<MIN, N> {
    /// Encodes as SubjectPublicKeyInfo in DER.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let mut bytes = [0; verifying_key_size(LOGN_1024)];
        let bytes = &mut bytes[..verifying_key_size(self.logn())];
        self.write_bytes(bytes)
            .map_err(|_| spki::Error::KeyMalformed)?;
        SubjectPublicKeyInfoRef {
            algorithm: identifier(self.logn()),
            subject_public_key: BitStringRef::new(0, bytes)?,
        }
        .try_into()
    }
}
