//! Key files: PKCS#8 (RFC 5958) and SubjectPublicKeyInfo.
//!
//! The identifier tells the scheme, because the bytes do not: a key for both would open
//! [a way to forge](crate::falcon). Falcon's are those of Open Quantum Safe's provider for OpenSSL, which Bouncy
//! Castle uses too. Read are its three generations, and the identifiers of keys that are to make padded
//! signatures; written is the first of these rows:
//!
//! | | degree 512 | degree 1024 |
//! |---|---|---|
//! | Falcon | 1.3.9999.3.11 | 1.3.9999.3.14 |
//! | padded signatures | 1.3.9999.3.16 | 1.3.9999.3.19 |
//! | earlier | 1.3.9999.3.6, 1.3.9999.3.1 | 1.3.9999.3.9, 1.3.9999.3.4 |
//! | FN-DSA | 2.25.2041985364.9 | 2.25.2041985364.10 |
//!
//! No standard has named FN-DSA yet. Its identifiers are this project's own until one does, under the arc that
//! needs no registration: no UUID in use is as small as that number, which was drawn at random and must be below 2^32
//! for the usual decoders.
//!
//! A public key is a bit string of the encoded verifying key. Of private keys, these forms are read:
//!
//! * the encoded signing key, followed by the verifying key or not, in an octet string of its own or not
//!   (Open Quantum Safe); written is the signing key followed by the verifying key, in an octet string
//! * `SEQUENCE { INTEGER 0, f, g, F, SEQUENCE { h } }` with octet strings that lack the header bytes
//!   (Bouncy Castle)
//!
//! A public key that is stored beside the private one must belong to it.
//!
//! The keys of the [draft guess](crate::draft2026) have no identifier, and no files.

#[cfg(feature = "sign")]
use pkcs8::der::{self, Decode, Reader, SliceReader, asn1::OctetStringRef};
#[cfg(feature = "alloc")]
use pkcs8::der::{AnyRef, asn1::BitStringRef};
#[cfg(all(feature = "alloc", feature = "sign"))]
use pkcs8::{EncodePrivateKey, SecretDocument};
#[cfg(feature = "alloc")]
use pkcs8::{
    EncodePublicKey,
    spki::{Document, SubjectPublicKeyInfo},
};
#[cfg(feature = "sign")]
use pkcs8::{Error, KeyError, PrivateKeyInfoRef};
use pkcs8::{
    ObjectIdentifier,
    spki::{self, AlgorithmIdentifierRef, SubjectPublicKeyInfoRef},
};
#[cfg(feature = "sign")]
use subtle::ConstantTimeEq;
#[cfg(feature = "sign")]
use zeroize::Zeroizing;

#[cfg(feature = "sign")]
use crate::params::sign_key_size;
#[cfg(any(feature = "alloc", feature = "sign"))]
use crate::params::vrfy_key_size;
use crate::params::{P3, R3, Variant, check_degree};
#[cfg(feature = "sign")]
use crate::secret::DecodingSpace;
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::VerifyingKeyOf;
#[cfg(feature = "sign")]
use crate::wiping::after_reading;
#[cfg(all(feature = "alloc", feature = "sign"))]
use crate::wiping::after_writing;
#[cfg(all(feature = "pem", feature = "sign"))]
use {
    alloc::string::String,
    pkcs8::spki::der::pem::{LineEnding, PemLabel},
};

/// A variant whose keys have identifiers, and so files. Sealed, as [`Variant`] is.
pub trait Named: Variant {
    /// The identifiers by the logarithm of the degree: of each degree the first one is written, and all are read.
    const IDENTIFIERS: &'static [(u32, ObjectIdentifier)];
}

impl Named for R3 {
    const IDENTIFIERS: &'static [(u32, ObjectIdentifier)] = &[
        (9, FALCON_512_OID),
        (10, FALCON_1024_OID),
        (9, FALCON_PADDED_512_OID),
        (10, FALCON_PADDED_1024_OID),
        (9, ObjectIdentifier::new_unwrap("1.3.9999.3.6")),
        (10, ObjectIdentifier::new_unwrap("1.3.9999.3.9")),
        (9, ObjectIdentifier::new_unwrap("1.3.9999.3.1")),
        (10, ObjectIdentifier::new_unwrap("1.3.9999.3.4")),
    ];
}

impl Named for P3 {
    const IDENTIFIERS: &'static [(u32, ObjectIdentifier)] =
        &[(9, FN_DSA_512_OID), (10, FN_DSA_1024_OID)];
}

/// The identifier of Falcon keys of degree 512: 1.3.9999.3.11.
pub const FALCON_512_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.9999.3.11");

/// The identifier of Falcon keys of degree 1024: 1.3.9999.3.14.
pub const FALCON_1024_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.9999.3.14");

/// The identifier of Falcon keys of degree 512 for padded signatures: 1.3.9999.3.16.
pub const FALCON_PADDED_512_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.9999.3.16");

/// The identifier of Falcon keys of degree 1024 for padded signatures: 1.3.9999.3.19.
pub const FALCON_PADDED_1024_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.9999.3.19");

/// The identifier of FN-DSA keys of degree 512: 2.25.2041985364.9, this project's own until a standard names one.
pub const FN_DSA_512_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.25.2041985364.9");

/// The identifier of FN-DSA keys of degree 1024: 2.25.2041985364.10, this project's own until a standard names one.
pub const FN_DSA_1024_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.25.2041985364.10");

/// The logn of an algorithm, which must have no parameters, and be of a degree from 2^`min` to `n`: a type that does not
/// support it does not know the algorithm, whatever the key is worth.
fn logn_of<V: Named>(
    algorithm: AlgorithmIdentifierRef<'_>,
    min: u32,
    n: usize,
) -> spki::Result<u32> {
    let oid = algorithm.oid;
    let known = V::IDENTIFIERS
        .iter()
        .find(|(logn, known)| *known == oid && check_degree(*logn, min, n.ilog2()).is_ok());
    match (known, algorithm.parameters) {
        (Some(&(logn, _)), None) => Ok(logn),
        (Some(_), Some(_)) => Err(spki::Error::KeyMalformed),
        (None, _) => Err(spki::Error::OidUnknown { oid }),
    }
}

/// The algorithm of keys of a degree, unless it is a toy.
#[cfg(feature = "alloc")]
fn algorithm_of<V: Named>(logn: u32) -> Option<AlgorithmIdentifierRef<'static>> {
    let &(_, oid) = V::IDENTIFIERS.iter().find(|(known, _)| *known == logn)?;
    Some(AlgorithmIdentifierRef {
        oid,
        parameters: None::<AnyRef<'static>>,
    })
}

impl<V: Named, const MIN: u32, const N: usize> TryFrom<SubjectPublicKeyInfoRef<'_>>
    for VerifyingKeyOf<V, MIN, N>
{
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        let logn = logn_of::<V>(info.algorithm, MIN, N)?;
        let bytes = info
            .subject_public_key
            .as_bytes()
            .ok_or(spki::Error::KeyMalformed)?;
        match Self::from_bytes(bytes) {
            Ok(key) if key.logn() == logn => Ok(key),
            _ => Err(spki::Error::KeyMalformed),
        }
    }
}

#[cfg(feature = "alloc")]
impl<V: Named, const MIN: u32, const N: usize> EncodePublicKey for VerifyingKeyOf<V, MIN, N> {
    /// Fails for toy degrees, which have no identifier, and for a key that was wiped.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let algorithm = algorithm_of::<V>(self.logn()).ok_or(spki::Error::KeyMalformed)?;
        self.document_under(algorithm)
    }
}

#[cfg(feature = "alloc")]
impl<V: Variant, const MIN: u32, const N: usize> VerifyingKeyOf<V, MIN, N> {
    pub(crate) fn document_under(
        &self,
        algorithm: AlgorithmIdentifierRef<'_>,
    ) -> spki::Result<Document> {
        let mut bytes = [0; vrfy_key_size(10)];
        let bytes = &mut bytes[..vrfy_key_size(self.logn())];
        self.write_bytes(bytes)
            .map_err(|_| spki::Error::KeyMalformed)?;
        Document::try_from(SubjectPublicKeyInfo {
            algorithm,
            subject_public_key: BitStringRef::from_bytes(bytes)?,
        })
    }
}

#[cfg(feature = "sign")]
pub(crate) const MALFORMED: Error = Error::KeyMalformed(KeyError::Invalid);

/// What a file holds of a private key: the encoded signing key, and the verifying key without its header.
#[cfg(feature = "sign")]
struct Parts<'a> {
    signing_key: Zeroizing<[u8; sign_key_size(10)]>,
    /// Without the first byte.
    verifying_key: Option<&'a [u8]>,
}

#[cfg(feature = "sign")]
impl<'a> Parts<'a> {
    fn read(logn: u32, private_key: &'a [u8]) -> Result<Self, Error> {
        if private_key.len() == sign_key_size(logn)
            || private_key.len() == sign_key_size(logn) + vrfy_key_size(logn)
        {
            return Self::of_encoded(logn, private_key);
        }
        if let Ok(inner) = <&OctetStringRef>::from_der(private_key) {
            return Self::of_encoded(logn, inner.as_bytes());
        }
        Self::of_sequence(logn, private_key)
    }

    fn of_encoded(logn: u32, bytes: &'a [u8]) -> Result<Self, Error> {
        let (signing_key, verifying_key) = bytes
            .split_at_checked(sign_key_size(logn))
            .ok_or(MALFORMED)?;
        let mut copy = Zeroizing::new([0; sign_key_size(10)]);
        copy[..signing_key.len()].copy_from_slice(signing_key);
        let verifying_key = match verifying_key {
            [] => None,
            [header, rest @ ..] if u32::from(*header) == logn => Some(rest),
            _ => return Err(MALFORMED),
        };
        Ok(Self {
            signing_key: copy,
            verifying_key,
        })
    }

    fn of_sequence(logn: u32, bytes: &'a [u8]) -> Result<Self, Error> {
        let mut reader = SliceReader::new(bytes)?;
        let (polynomials, verifying_key) = reader.sequence(|reader: &mut SliceReader<'a>| {
            if u8::decode(reader)? != 0 {
                return Err(reader.error(der::Tag::Integer.value_error()));
            }
            let polynomials: [&OctetStringRef; 3] =
                [reader.decode()?, reader.decode()?, reader.decode()?];
            let verifying_key =
                if reader.is_finished() {
                    None
                } else {
                    Some(reader.sequence(|reader: &mut SliceReader<'a>| {
                        <&OctetStringRef>::decode(reader)
                    })?)
                };
            Ok::<_, der::Error>((polynomials, verifying_key))
        })?;
        reader.finish()?;

        let n = 1 << logn;
        let bits_fg = crate::params::bits_fg(logn) as usize;
        let lengths = [n * bits_fg / 8, n * bits_fg / 8, n];
        let mut copy = Zeroizing::new([0; sign_key_size(10)]);
        copy[0] = crate::codec::header::SIGNING_KEY + logn as u8;
        let mut at = 1;
        for (polynomial, length) in polynomials.iter().zip(lengths) {
            if polynomial.as_bytes().len() != length {
                return Err(MALFORMED);
            }
            copy[at..at + length].copy_from_slice(polynomial.as_bytes());
            at += length;
        }
        Ok(Self {
            signing_key: copy,
            verifying_key: verifying_key.map(OctetStringRef::as_bytes),
        })
    }
}

#[cfg(feature = "sign")]
impl<V: Named, const MIN: u32, const N: usize> TryFrom<PrivateKeyInfoRef<'_>>
    for SigningKeyOf<V, MIN, N>
{
    type Error = Error;

    /// Fails if there is a public key that is not the one of the private key.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, Error> {
        let space = &mut DecodingSpace::new();
        after_reading::<N, _>(|| Self::from_info(space, &info))
    }
}

#[cfg(feature = "sign")]
impl<V: Named, const MIN: u32, const N: usize> SigningKeyOf<V, MIN, N> {
    pub(crate) fn from_info(
        space: &mut DecodingSpace<N>,
        info: &PrivateKeyInfoRef<'_>,
    ) -> Result<Self, Error> {
        let logn = logn_of::<V>(info.algorithm, MIN, N)?;
        let parts = Parts::read(logn, info.private_key.as_bytes())?;
        let bytes = &parts.signing_key[..sign_key_size(logn)];
        let key = Self::decoded(space, bytes).map_err(|_| MALFORMED)?;

        let mut derived = [0; vrfy_key_size(10)];
        let derived = &mut derived[..vrfy_key_size(logn)];
        key.verifying_key()
            .write_bytes(derived)
            .map_err(|_| MALFORMED)?;
        let matches = |stored: &[u8], derived: &[u8]| bool::from(stored.ct_eq(derived));
        if let Some(stored) = parts.verifying_key
            && !matches(stored, &derived[1..])
        {
            return Err(MALFORMED);
        }
        if let Some(stored) = &info.public_key
            && !stored
                .as_bytes()
                .is_some_and(|bytes| matches(bytes, derived) || matches(bytes, &derived[1..]))
        {
            return Err(MALFORMED);
        }
        Ok(key)
    }
}

#[cfg(all(feature = "alloc", feature = "sign"))]
impl<V: Named, const MIN: u32, const N: usize> EncodePrivateKey for SigningKeyOf<V, MIN, N> {
    /// In the form that Open Quantum Safe's provider has. Fails for toy degrees, which have no identifier, and for a key
    /// that was wiped.
    fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        after_writing::<N, _>(|| self.document())
    }

    /// The same in PEM, with the label `PRIVATE KEY`.
    #[cfg(feature = "pem")]
    fn to_pkcs8_pem(&self, line_ending: LineEnding) -> Result<Zeroizing<String>, Error> {
        after_writing::<N, _>(|| pem_of(&self.document()?, line_ending))
    }
}

/// A private key's file in PEM.
#[cfg(all(feature = "pem", feature = "sign"))]
pub(crate) fn pem_of(
    document: &SecretDocument,
    line_ending: LineEnding,
) -> Result<Zeroizing<String>, Error> {
    Ok(document.to_pem(PrivateKeyInfoRef::PEM_LABEL, line_ending)?)
}

#[cfg(all(feature = "alloc", feature = "sign"))]
impl<V: Named, const MIN: u32, const N: usize> SigningKeyOf<V, MIN, N> {
    fn document(&self) -> Result<SecretDocument, Error> {
        let algorithm = algorithm_of::<V>(self.logn()).ok_or(MALFORMED)?;
        self.document_under(algorithm)
    }

    /// The signing key followed by the verifying key, in an octet string, under an identifier.
    pub(crate) fn document_under(
        &self,
        algorithm: AlgorithmIdentifierRef<'_>,
    ) -> Result<SecretDocument, Error> {
        /// An octet string of more than 255 bytes: tag, and a length in two bytes.
        const HEADER: usize = 4;
        let logn = self.logn();
        let (signing, verifying) = (sign_key_size(logn), vrfy_key_size(logn));
        let mut buffer = Zeroizing::new([0; HEADER + sign_key_size(10) + vrfy_key_size(10)]);
        let buffer = &mut buffer[..HEADER + signing + verifying];
        let (header, keys) = buffer.split_at_mut(HEADER);
        let [high, low] = (keys.len() as u16).to_be_bytes();
        header.copy_from_slice(&[0x04, 0x82, high, low]);
        self.write_both(keys)?;
        PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(buffer)?).try_into()
    }

    /// Writes the signing key, and behind it the verifying key.
    pub(crate) fn write_both(&self, output: &mut [u8]) -> Result<(), Error> {
        let (signing_key, verifying_key) = output.split_at_mut(sign_key_size(self.logn()));
        self.write_bytes(signing_key).map_err(|_| MALFORMED)?;
        self.verifying_key()
            .write_bytes(verifying_key)
            .map_err(|_| MALFORMED)
    }
}
