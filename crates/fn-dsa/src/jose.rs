//! JSON Web Keys and signatures (JOSE), as draft-ietf-cose-falcon-04 has them. **Unstable**: the draft changes, what it
//! calls FN-DSA is a standard that is not published, and what is here changes with both; it is not covered by semantic
//! versioning. What is fixed in the draft, and so is here:
//!
//! * the key type `AKP` of draft-ietf-cose-dilithium, with the members `alg`, `pub` and `priv`: octets in base64url
//!   without padding, which are the encoded verifying key and signing key of the main variant (897 and 1281 bytes at
//!   degree 512, as the draft's table has it)
//! * the names `FN-DSA-512` and `FN-DSA-1024` of the algorithms
//! * what the thumbprint of a key hashes ([`Jwk::thumbprint_input`])
//! * that a signature is the scheme's own: a padded one, over the signing input of RFC 7515, section 5.1, with no context
//!
//! Of COSE the draft has no values yet ("TBD", with -54 and -55 requested), and so nothing is written under them.
//!
//! A [`Jwk`] has the traits of serde; the text is made and read by a crate like `serde_json`, whose buffers this crate
//! cannot overwrite.
//!
//! ```
//! # #[cfg(all(feature = "keygen", feature = "sign"))] {
//! use lanner_fn_dsa::jose::{Jwk, sign, verify};
//! use lanner_fn_dsa::{SigningKey512, VerifyingKey512, shake::SeededRng};
//!
//! let key = SigningKey512::from_seed(&[1; 32]).unwrap();
//! let public = Jwk::try_from(&key.verifying_key()).unwrap();
//! let text = serde_json::to_string(&public).unwrap();
//! assert!(text.starts_with(r#"{"kty":"AKP","alg":"FN-DSA-512","pub":"C"#));
//!
//! let rng = &mut SeededRng::new(b"use a real generator");
//! let token = sign(&key, rng, r#"{"alg":"FN-DSA-512"}"#, b"payload").unwrap();
//! let public = serde_json::from_str::<Jwk>(&text).unwrap();
//! let key = VerifyingKey512::try_from(&public).unwrap();
//! assert_eq!(verify(&key, &token).unwrap().payload, b"payload");
//! # }
//! ```

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use base64ct::{Base64UrlUnpadded, Encoding};
#[cfg(feature = "sign")]
use rand_core::TryCryptoRng;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
#[cfg(feature = "sign")]
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::errors::Error;
use crate::hash::{DOMAIN_NONE, HASH_ID_RAW};
#[cfg(feature = "sign")]
use crate::params::signature_size;
use crate::params::{P3, check_degree, sign_key_size, vrfy_key_size};
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::VerifyingKeyOf;

/// The name of the algorithm of a degree, unless it is a toy: `FN-DSA-512` or `FN-DSA-1024`.
#[must_use]
pub const fn algorithm(logn: u32) -> Option<&'static str> {
    match logn {
        9 => Some("FN-DSA-512"),
        10 => Some("FN-DSA-1024"),
        _ => None,
    }
}

/// The name of the algorithm of a key.
fn name_of(logn: u32) -> Result<&'static str, Error> {
    // 0 of a key that was wiped.
    let error = if logn == 0 { Error::Key } else { Error::Degree };
    algorithm(logn).ok_or(error)
}

/// The logarithm of the degree of an algorithm.
fn logn_of(name: &str) -> Option<u32> {
    [9, 10]
        .into_iter()
        .find(|logn| algorithm(*logn) == Some(name))
}

/// A JSON Web Key with the octets of a verifying key, and those of the signing key or not.
///
/// Reading one checks its members: the type, a known algorithm, and lengths. Whether the octets are a key is checked by
/// the conversion into one. Other members (`kid`, `use`) are skipped. Wiped when dropped; `Debug` shows no secret.
#[derive(Clone)]
pub struct Jwk {
    logn: u32,
    public: Vec<u8>,
    private: Option<Zeroizing<Vec<u8>>>,
}

/// The members, as they are written.
#[derive(Deserialize, Serialize)]
struct Members {
    kty: String,
    alg: String,
    #[serde(rename = "pub")]
    public: String,
    #[serde(
        rename = "priv",
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    private: Option<Secret>,
}

/// A member that is there: `null` is no text, and no key without a private part either.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    Secret::deserialize(deserializer).map(Some)
}

/// What is written as an object: a type of its own members takes an array of them too.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map))
            }
        }

        deserializer
            .deserialize_map(Visitor(PhantomData))
            .map(Object)
    }
}

/// Text that is overwritten.
struct Secret(Zeroizing<String>);

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_str().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(Zeroizing::new(text)))
    }
}

impl Serialize for Jwk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Members {
            kty: "AKP".into(),
            alg: self.algorithm().into(),
            public: Base64UrlUnpadded::encode_string(&self.public),
            private: self
                .private
                .as_ref()
                .map(|octets| Secret(Zeroizing::new(Base64UrlUnpadded::encode_string(octets)))),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Jwk {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Object::<Members>(members) = Object::deserialize(deserializer)?;
        if members.kty != "AKP" {
            return Err(de::Error::custom("not a key of type AKP"));
        }
        let logn = logn_of(&members.alg)
            .ok_or_else(|| de::Error::custom("neither FN-DSA-512 nor FN-DSA-1024"))?;
        let malformed = || de::Error::custom("malformed octets of a key");
        let octets = |text: &str, length: usize| {
            // In one allocation, which the caller wipes.
            let mut octets = Zeroizing::new(vec![0; length]);
            match Base64UrlUnpadded::decode(text, &mut octets) {
                Ok(decoded) if decoded.len() == length => Ok(octets),
                _ => Err(malformed()),
            }
        };
        Ok(Self {
            logn,
            public: octets(&members.public, vrfy_key_size(logn))?.to_vec(),
            private: match &members.private {
                None => None,
                Some(text) => Some(octets(&text.0, sign_key_size(logn))?),
            },
        })
    }
}

impl Jwk {
    /// The name of the algorithm: the member `alg`.
    #[must_use]
    pub fn algorithm(&self) -> &'static str {
        algorithm(self.logn).unwrap_or_default()
    }

    /// Whether it has a signing key.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.private.is_some()
    }

    /// The same without the signing key.
    #[must_use]
    pub fn to_public(&self) -> Self {
        Self {
            logn: self.logn,
            public: self.public.clone(),
            private: None,
        }
    }

    /// What the thumbprint of the key hashes (RFC 7638 with the members `alg`, `kty` and `pub`): SHA-256 of it, in
    /// base64url, is the thumbprint.
    #[must_use]
    pub fn thumbprint_input(&self) -> String {
        let public = Base64UrlUnpadded::encode_string(&self.public);
        alloc::format!(
            r#"{{"alg":"{}","kty":"AKP","pub":"{public}"}}"#,
            self.algorithm()
        )
    }
}

impl fmt::Debug for Jwk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jwk")
            .field("alg", &self.algorithm())
            .field("private", &self.is_private())
            .finish_non_exhaustive()
    }
}

impl<const MIN: u32, const N: usize> TryFrom<&VerifyingKeyOf<P3, MIN, N>> for Jwk {
    type Error = Error;

    /// Fails with [`Error::Degree`] for toy degrees, which have no name, and with [`Error::Key`] for the key of a signing key
    /// that was wiped.
    fn try_from(key: &VerifyingKeyOf<P3, MIN, N>) -> Result<Self, Error> {
        let logn = key.logn();
        name_of(logn)?;
        let mut public = vec![0; vrfy_key_size(logn)];
        key.write_bytes(&mut public)?;
        Ok(Self {
            logn,
            public,
            private: None,
        })
    }
}

#[cfg(feature = "sign")]
impl<const MIN: u32, const N: usize> TryFrom<&SigningKeyOf<P3, MIN, N>> for Jwk {
    type Error = Error;

    /// Fails with [`Error::Degree`] for toy degrees, which have no name, and with [`Error::Key`] if the key was wiped.
    fn try_from(key: &SigningKeyOf<P3, MIN, N>) -> Result<Self, Error> {
        let mut jwk = Self::try_from(&key.verifying_key())?;
        let private = jwk
            .private
            .insert(Zeroizing::new(vec![0; sign_key_size(jwk.logn)]));
        key.write_bytes(private)?;
        Ok(jwk)
    }
}

impl<const MIN: u32, const N: usize> TryFrom<&Jwk> for VerifyingKeyOf<P3, MIN, N> {
    type Error = Error;

    /// Fails with [`Error::Key`] if the octets are no verifying key of the algorithm, and [`Error::Degree`] if the type
    /// does not support the degree.
    fn try_from(jwk: &Jwk) -> Result<Self, Error> {
        check_degree(jwk.logn, MIN, N.ilog2())?;
        let key = Self::from_bytes(&jwk.public).map_err(|_| Error::Key)?;
        if key.logn() == jwk.logn {
            Ok(key)
        } else {
            Err(Error::Key)
        }
    }
}

#[cfg(feature = "sign")]
impl<const MIN: u32, const N: usize> TryFrom<&Jwk> for SigningKeyOf<P3, MIN, N> {
    type Error = Error;

    /// Fails with [`Error::Key`] if there is no signing key, or it is none of the algorithm, or the verifying key is not
    /// its own, and [`Error::Degree`] if the type does not support the degree.
    fn try_from(jwk: &Jwk) -> Result<Self, Error> {
        check_degree(jwk.logn, MIN, N.ilog2())?;
        let private = jwk.private.as_ref().ok_or(Error::Key)?;
        let key = Self::from_bytes(private).map_err(|_| Error::Key)?;
        let mut public = vec![0; vrfy_key_size(key.logn())];
        key.verifying_key().write_bytes(&mut public)?;
        if key.logn() == jwk.logn && bool::from(public.ct_eq(&jwk.public)) {
            Ok(key)
        } else {
            Err(Error::Key)
        }
    }
}

/// The parts of a signed message that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The protected header, as JSON: whoever has more members than `alg` in it looks at them here.
    pub header: String,
    /// The payload.
    pub payload: Vec<u8>,
}

/// The member `alg` of a header.
fn header_algorithm(header: &str) -> Option<String> {
    /// Reads `alg`, and skips the rest, but for what must be understood (RFC 7515, section 4.1.11).
    #[derive(Deserialize)]
    struct Header {
        alg: String,
        #[serde(default)]
        crit: Present,
    }
    let Object::<Header>(header) = serde_json::from_str(header).ok()?;
    (!header.crit.0).then_some(header.alg)
}

/// Whether a member is there, whatever it is.
#[derive(Default)]
struct Present(bool);

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        de::IgnoredAny::deserialize(deserializer).map(|_| Self(true))
    }
}

/// Signs a payload as a JSON Web Signature in compact form (RFC 7515, section 7.1). `header` is the protected header, as
/// JSON, and its `alg` must be that of the key. Takes 40 random bytes an attempt, as
/// [`SigningKeyOf::sign_bytes`] does.
///
/// # Errors
///
/// [`Error::Degree`] if the header names another algorithm or none, or has `crit`; [`Error::Random`] if the generator
/// failed; [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped.
#[cfg(feature = "sign")]
pub fn sign<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    rng: &mut R,
    header: &str,
    payload: &[u8],
) -> Result<String, Error> {
    let logn = key.logn();
    if header_algorithm(header).as_deref() != Some(name_of(logn)?) {
        return Err(Error::Degree);
    }
    let mut token = Base64UrlUnpadded::encode_string(header.as_bytes());
    token.push('.');
    token.push_str(&Base64UrlUnpadded::encode_string(payload));
    let mut signature = vec![0; signature_size(logn)];
    key.sign_bytes(
        rng,
        &DOMAIN_NONE,
        &HASH_ID_RAW,
        token.as_bytes(),
        &mut signature,
    )?;
    token.push('.');
    token.push_str(&Base64UrlUnpadded::encode_string(&signature));
    Ok(token)
}

/// Verifies a JSON Web Signature in compact form, whose header names the algorithm of the key.
///
/// # Errors
///
/// [`Error::Signature`] if it is none by this key, whatever the reason. Headers with `crit` are refused, because this
/// understands no extension.
pub fn verify<const MIN: u32, const N: usize>(
    key: &VerifyingKeyOf<P3, MIN, N>,
    token: &str,
) -> Result<Verified, Error> {
    let (input, signature) = token.rsplit_once('.').ok_or(Error::Signature)?;
    let (header, payload) = input.split_once('.').ok_or(Error::Signature)?;
    let decode = |text: &str| Base64UrlUnpadded::decode_vec(text).map_err(|_| Error::Signature);
    let header = String::from_utf8(decode(header)?).map_err(|_| Error::Signature)?;
    // A toy has no name, and a header without one does not name it.
    let name = name_of(key.logn()).map_err(|_| Error::Signature)?;
    if header_algorithm(&header).as_deref() != Some(name) {
        return Err(Error::Signature);
    }
    key.try_verify(
        &decode(signature)?,
        &DOMAIN_NONE,
        &HASH_ID_RAW,
        input.as_bytes(),
    )?;
    Ok(Verified {
        header,
        payload: decode(payload)?,
    })
}
