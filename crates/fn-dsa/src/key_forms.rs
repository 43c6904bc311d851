//! Files of Falcon keys in the forms of others, each under its own name. **Unstable**: these forms are no standard, and
//! what is here changes when those who define them change them; it is not covered by semantic versioning.
//!
//! | type | who writes it | identifiers | contents of a private key |
//! |---|---|---|---|
//! | the keys themselves | Open Quantum Safe's provider for OpenSSL | 1.3.9999.3.11, .14 | signing key, verifying key |
//! | [`Padded`] | the same, for `falconpadded512` and `falconpadded1024` | 1.3.9999.3.16, .19 | the same |
//! | [`BouncyCastle`] | Bouncy Castle | 1.3.9999.3.11, .14 | `SEQUENCE { 0, f, g, F, SEQUENCE { h } }` |
//!
//! Keys read all of these and do not tell which it was. The types here write one, and read that one alone.
//!
//! For FN-DSA the IETF's drafts (draft-ietf-lamps-fn-dsa-certificates-00, draft-ietf-lamps-cms-fn-dsa-00) leave the
//! identifiers open until NIST assigns them, and so there is no type for their forms. `docs/fn-dsa-status.md` says what
//! else is open in them.
//!
//! ```
//! # #[cfg(all(feature = "keygen", feature = "sign", feature = "alloc"))] {
//! use lanner_fn_dsa::falcon::{SigningKey512, VerifyingKey512};
//! use lanner_fn_dsa::key_forms::{BouncyCastle, Padded};
//! use lanner_fn_dsa::pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey};
//!
//! let key = SigningKey512::from_seed(&[1; 32]).unwrap();
//! let file = Padded(&key).to_pkcs8_der().unwrap();
//! let Padded(back) = Padded::<SigningKey512>::from_pkcs8_der(file.as_bytes()).unwrap();
//! assert_eq!(back, key);
//! assert!(BouncyCastle::<SigningKey512>::from_pkcs8_der(file.as_bytes()).is_err());
//! # }
//! ```

#[cfg(all(feature = "alloc", feature = "sign"))]
use pkcs8::der::asn1::OctetStringRef;
#[cfg(feature = "alloc")]
use pkcs8::spki::AlgorithmIdentifierRef;
#[cfg(all(feature = "alloc", feature = "sign"))]
use pkcs8::{EncodePrivateKey, SecretDocument};
#[cfg(feature = "alloc")]
use pkcs8::{EncodePublicKey, spki::Document};
#[cfg(feature = "sign")]
use pkcs8::{Error, PrivateKeyInfoRef};
use pkcs8::{
    ObjectIdentifier,
    spki::{self, SubjectPublicKeyInfoRef},
};
#[cfg(all(feature = "alloc", feature = "sign"))]
use zeroize::Zeroizing;
#[cfg(all(feature = "pem", feature = "sign"))]
use {alloc::string::String, pkcs8::spki::der::pem::LineEnding};

#[cfg(feature = "sign")]
use crate::key_info::MALFORMED;
#[cfg(all(feature = "pem", feature = "sign"))]
use crate::key_info::pem_of;
use crate::key_info::{FALCON_512_OID, FALCON_1024_OID};
pub use crate::key_info::{FALCON_PADDED_512_OID, FALCON_PADDED_1024_OID};
use crate::params::R3;
#[cfg(all(feature = "alloc", feature = "sign"))]
use crate::params::{bits_fg, sign_key_size, vrfy_key_size};
#[cfg(feature = "sign")]
use crate::secret::DecodingSpace;
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::VerifyingKeyOf;
#[cfg(feature = "sign")]
use crate::wiping::after_reading;
#[cfg(all(feature = "alloc", feature = "sign"))]
use crate::wiping::{after_writing, after_writing_sequence};

/// Keys that are to make padded signatures: `falconpadded512` and `falconpadded1024` of Open Quantum Safe. What the
/// signer does with that is its own affair: [`Encoding::Padded`](crate::falcon::Encoding::Padded) makes such signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padded<K>(pub K);

/// Keys as Bouncy Castle writes them. Public keys are those of Open Quantum Safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BouncyCastle<K>(pub K);

const PADDED: [ObjectIdentifier; 2] = [FALCON_PADDED_512_OID, FALCON_PADDED_1024_OID];
const PLAIN: [ObjectIdentifier; 2] = [FALCON_512_OID, FALCON_1024_OID];

/// The algorithm of a degree, unless it is a toy.
#[cfg(feature = "alloc")]
fn algorithm(oids: [ObjectIdentifier; 2], logn: u32) -> Option<AlgorithmIdentifierRef<'static>> {
    let oid = match logn {
        9 => oids[0],
        10 => oids[1],
        _ => return None,
    };
    Some(AlgorithmIdentifierRef {
        oid,
        parameters: None,
    })
}

fn check(oids: [ObjectIdentifier; 2], found: ObjectIdentifier) -> spki::Result<()> {
    if oids.contains(&found) {
        Ok(())
    } else {
        Err(spki::Error::OidUnknown { oid: found })
    }
}

/// The contents of a private key in Bouncy Castle's form: what follows the sequence's header.
#[cfg(all(feature = "alloc", feature = "sign"))]
fn sequence_of(keys: &[u8], logn: u32, output: &mut [u8]) -> usize {
    let n = 1 << logn;
    let (signing_key, verifying_key) = keys.split_at(sign_key_size(logn));
    let f_length = n * bits_fg(logn) as usize / 8;
    let (f, rest) = signing_key[1..].split_at(f_length);
    let (g, big_f) = rest.split_at(f_length);
    let h = &verifying_key[1..];
    let mut length = 0;
    let mut put = |bytes: &[u8]| {
        output[length..length + bytes.len()].copy_from_slice(bytes);
        length += bytes.len();
    };
    put(&[0x02, 0x01, 0x00]);
    for octets in [f, g, big_f] {
        put(&header(0x04, octets.len()));
        put(octets);
    }
    put(&header(0x30, HEADER + h.len()));
    put(&header(0x04, h.len()));
    put(h);
    length
}

/// Bytes of the tag and the length of a value of 256 to 65535 bytes, which all values here are.
#[cfg(all(feature = "alloc", feature = "sign"))]
const HEADER: usize = 4;

#[cfg(all(feature = "alloc", feature = "sign"))]
fn header(tag: u8, length: usize) -> [u8; HEADER] {
    let [high, low] = (length as u16).to_be_bytes();
    [tag, 0x82, high, low]
}

#[cfg(all(feature = "alloc", feature = "sign"))]
impl<const MIN: u32, const N: usize> EncodePrivateKey for Padded<&SigningKeyOf<R3, MIN, N>> {
    /// Fails for toy degrees, which have no identifier, and for a key that was wiped.
    fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        let algorithm = algorithm(PADDED, self.0.logn()).ok_or(MALFORMED)?;
        after_writing::<N, _>(|| self.0.document_under(algorithm))
    }

    /// The same in PEM, with the label `PRIVATE KEY`.
    #[cfg(feature = "pem")]
    fn to_pkcs8_pem(&self, line_ending: LineEnding) -> Result<Zeroizing<String>, Error> {
        after_writing::<N, _>(|| pem_of(&self.to_pkcs8_der()?, line_ending))
    }
}

#[cfg(all(feature = "alloc", feature = "sign"))]
impl<const MIN: u32, const N: usize> EncodePrivateKey for BouncyCastle<&SigningKeyOf<R3, MIN, N>> {
    /// Fails for toy degrees, which have no identifier, and for a key that was wiped.
    fn to_pkcs8_der(&self) -> Result<SecretDocument, Error> {
        let logn = self.0.logn();
        let algorithm = algorithm(PLAIN, logn).ok_or(MALFORMED)?;
        after_writing_sequence::<N, _>(|| {
            let mut keys = Zeroizing::new([0; sign_key_size(10) + vrfy_key_size(10)]);
            let keys = &mut keys[..sign_key_size(logn) + vrfy_key_size(logn)];
            self.0.write_both(keys)?;
            // A number of three bytes, six headers, and two header bytes of ours fewer.
            let mut buffer =
                Zeroizing::new([0; 3 + 6 * HEADER - 2 + sign_key_size(10) + vrfy_key_size(10)]);
            let length = sequence_of(keys, logn, &mut buffer[HEADER..]);
            buffer[..HEADER].copy_from_slice(&header(0x30, length));
            let contents = OctetStringRef::new(&buffer[..HEADER + length])?;
            PrivateKeyInfoRef::new(algorithm, contents).try_into()
        })
    }

    /// The same in PEM, with the label `PRIVATE KEY`.
    #[cfg(feature = "pem")]
    fn to_pkcs8_pem(&self, line_ending: LineEnding) -> Result<Zeroizing<String>, Error> {
        after_writing_sequence::<N, _>(|| pem_of(&self.to_pkcs8_der()?, line_ending))
    }
}

#[cfg(feature = "alloc")]
impl<const MIN: u32, const N: usize> EncodePublicKey for Padded<&VerifyingKeyOf<R3, MIN, N>> {
    /// Fails for toy degrees, which have no identifier, and for a key that was wiped.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let algorithm = algorithm(PADDED, self.0.logn()).ok_or(spki::Error::KeyMalformed)?;
        self.0.document_under(algorithm)
    }
}

#[cfg(feature = "alloc")]
impl<const MIN: u32, const N: usize> EncodePublicKey for BouncyCastle<&VerifyingKeyOf<R3, MIN, N>> {
    /// Fails for toy degrees, which have no identifier, and for a key that was wiped.
    fn to_public_key_der(&self) -> spki::Result<Document> {
        self.0.to_public_key_der()
    }
}

/// Reading: the identifier, and of private keys the form of the contents.
macro_rules! reading {
    ($form:ident, $oids:ident, $is_sequence:literal) => {
        impl<const MIN: u32, const N: usize> TryFrom<SubjectPublicKeyInfoRef<'_>>
            for $form<VerifyingKeyOf<R3, MIN, N>>
        {
            type Error = spki::Error;

            /// Fails under other identifiers.
            fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
                check($oids, info.algorithm.oid)?;
                info.try_into().map(Self)
            }
        }

        #[cfg(feature = "sign")]
        impl<const MIN: u32, const N: usize> TryFrom<PrivateKeyInfoRef<'_>>
            for $form<SigningKeyOf<R3, MIN, N>>
        {
            type Error = Error;

            /// Fails under other identifiers, for contents in another form, and if there is a public key that is
            /// not the one of the private key.
            fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self, Error> {
                check($oids, info.algorithm.oid)?;
                if (info.private_key.as_bytes().first() == Some(&0x30)) != $is_sequence {
                    return Err(MALFORMED);
                }
                let space = &mut DecodingSpace::new();
                after_reading::<N, _>(|| SigningKeyOf::from_info(space, &info).map(Self))
            }
        }
    };
}
reading!(Padded, PADDED, false);
reading!(BouncyCastle, PLAIN, true);
