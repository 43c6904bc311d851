//! Algorand's deterministic Falcon-1024: one signature for each key and message, and no nonce in it.
//!
//! The nonce is fixed by a version number (0), the degree and a label; all randomness comes from the
//! key and the message (D. Lazar, C. Peikert, "Deterministic Falcon signatures"). A second signature of
//! the same message, made with other roundings, would endanger the key: here every backend gives
//! the same bits.
//!
//! A signature is a byte 0xba (compressed) or 0xda (fixed width), the version, and s2.
//!
//! ```
//! # #[cfg(all(feature = "keygen", feature = "sign"))] {
//! use lanner_fn_dsa::falcon::{Encoding, SigningKey1024, det1024};
//!
//! let key = SigningKey1024::from_seed(&[5; 32])?;
//! let mut signature = [0; det1024::MAX_COMPRESSED_SIZE];
//! let length = det1024::sign(&key, b"message", &mut signature)?;
//! let signature = &signature[..length];
//! det1024::verify_as(&key.verifying_key(), signature, b"message", Encoding::Compressed)?;
//! # }
//! # Ok::<(), lanner_fn_dsa::Error>(())
//! ```

#[cfg(feature = "sign")]
use core::hint::black_box;

#[cfg(feature = "sign")]
use zeroize::Zeroizing;

use super::{Encoding, VerifyingKey1024, max_signature_size};
#[cfg(feature = "sign")]
use super::{SigningKey1024, sign::sign_to};
#[cfg(feature = "sign")]
use crate::attempts::Reference;
#[cfg(feature = "sign")]
use crate::attempts::SigningSpace;
#[cfg(feature = "sign")]
use crate::checked::{named_apart, twice};
use crate::codec;
use crate::errors::Error;
use crate::hash::{DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON};
#[cfg(feature = "sign")]
use crate::params::sign_key_size;
use crate::params::{FN_DSA_LOGN_1024 as LOGN, N_MAX, NONCE_LENGTH, R3};
use crate::rules::Ruled;
#[cfg(feature = "sign")]
use crate::shake::ShakeStream;
use crate::verifying::Body;
#[cfg(feature = "sign")]
use crate::wiping::{after_checking, after_signing_det1024};

/// The most bytes of a compressed signature.
pub const MAX_COMPRESSED_SIZE: usize =
    max_signature_size(Encoding::Compressed, LOGN) - NONCE_LENGTH + 1;

/// Bytes of a signature of fixed width: 1538.
pub const CONSTANT_TIME_SIZE: usize =
    max_signature_size(Encoding::ConstantTime, LOGN) - NONCE_LENGTH + 1;

/// The version of the salt that is signed with.
pub const SALT_VERSION: u8 = 0;

const COMPRESSED: u8 = 0xba;
const CONSTANT_TIME: u8 = 0xda;

/// The nonce of a version.
fn salt(version: u8) -> [u8; NONCE_LENGTH] {
    const LABEL: &[u8] = b"FALCON_DET";
    let mut salt = [0; NONCE_LENGTH];
    salt[0] = version;
    salt[1] = LOGN as u8;
    salt[2..2 + LABEL.len()].copy_from_slice(LABEL);
    salt
}

/// Signs a message, compressed. Returns the length of the signature, at the start of `output`.
///
/// # Errors
///
/// [`Error::Length`] if `output` is shorter than [`MAX_COMPRESSED_SIZE`]; [`Error::Attempts`] if the
/// key is no key, [`Error::Key`] if it was wiped.
#[cfg(feature = "sign")]
pub fn sign(key: &SigningKey1024, message: &[u8], output: &mut [u8]) -> Result<usize, Error> {
    sign_in(key, &mut SigningSpace::new(), message, output)
}

#[cfg(feature = "sign")]
fn sign_in(
    key: &SigningKey1024,
    space: &mut SigningSpace<N_MAX>,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let output = output.get_mut(..MAX_COMPRESSED_SIZE).ok_or(Error::Length)?;
    after_signing_det1024::<N_MAX, _>(|| {
        let mut seeds = ShakeStream::empty();
        start(key, message, &mut seeds)?;
        let attempts = &mut Reference::new(salt(SALT_VERSION), |seed| {
            seeds.fill(seed);
            Ok(())
        });
        sign_to(key, space, attempts, message, |_, s2| {
            output[0] = COMPRESSED;
            output[1] = SALT_VERSION;
            Some(2 + codec::compress(R3::RULES, s2, &mut output[2..])?)
        })
    })
}

/// Makes the signature of [`sign`], and gives it out only if it is the right one, whatever single fault of the processor or of
/// memory happened meanwhile, as [`sign_bytes_checked`](super::SigningKey1024::sign_bytes_checked) of FN-DSA does: it is made twice,
/// compared, and verified. Takes the time of that.
///
/// # Errors
///
/// [`Error::Fault`] if the two differ or the signature is not valid: this key or this machine should sign no more
/// before the reason is found. Those of [`sign`]. The start of `output` is zeros then, or as it was.
///
/// ```
/// # #[cfg(all(feature = "keygen", feature = "sign"))] {
/// use lanner_fn_dsa::falcon::{Encoding, SigningKey1024, det1024};
///
/// let key = SigningKey1024::from_seed(&[5; 32])?;
/// let mut signature = [0; det1024::MAX_COMPRESSED_SIZE];
/// let length = det1024::sign_checked(&key, b"message", &mut signature)?;
/// let signature = &signature[..length];
/// det1024::verify_as(&key.verifying_key(), signature, b"message", Encoding::Compressed)?;
/// # }
/// # Ok::<(), lanner_fn_dsa::Error>(())
/// ```
#[cfg(feature = "sign")]
pub fn sign_checked(
    key: &SigningKey1024,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let [message, verified] = named_apart(message);
    let output = output.get_mut(..MAX_COMPRESSED_SIZE).ok_or(Error::Length)?;
    key.secret.present()?;
    let space = &mut SigningSpace::new();
    after_checking::<N_MAX, _>(|| {
        let make =
            |signature: &mut [u8]| sign_in(black_box(key), space, black_box(message), signature);
        let verify = |signature: &[u8]| {
            let public_key = black_box(key).verifying_key();
            verify_as(
                &public_key,
                signature,
                black_box(verified),
                Encoding::Compressed,
            )
        };
        twice(output, make, verify)
    })
}

/// The stream of all seeds, from the key and the message.
#[cfg(feature = "sign")]
fn start(key: &SigningKey1024, message: &[u8], seeds: &mut ShakeStream) -> Result<(), Error> {
    let mut encoded = Zeroizing::new([0; sign_key_size(LOGN)]);
    key.secret.encode(R3::RULES, &mut *encoded)?;
    seeds.restart(&[&[LOGN as u8], &*encoded, message]);
    Ok(())
}

/// The version and s2 of a signature.
fn split(signature: &[u8]) -> Option<(u8, Body<'_>)> {
    match signature {
        [COMPRESSED, version, body @ ..] => Some((*version, Body::Compressed(body))),
        [CONSTANT_TIME, version, body @ ..] => Some((*version, Body::ConstantTime(body))),
        _ => None,
    }
}

/// Verifies a signature in the encoding that is demanded, and in no other, of any version of the salt: **the
/// first choice**. There is no padded form. A compressed signature has at most [`MAX_COMPRESSED_SIZE`] bytes, one of
/// fixed width [`CONSTANT_TIME_SIZE`]. Time depends on what is verified, all of which is public.
///
/// # Errors
///
/// [`Error::Signature`] if it is not valid, or in another encoding.
pub fn verify_as(
    key: &VerifyingKey1024,
    signature: &[u8],
    message: &[u8],
    encoding: Encoding,
) -> Result<(), Error> {
    match (encoding, split(signature)) {
        (Encoding::Compressed, Some((_, Body::Compressed(_))))
        | (Encoding::ConstantTime, Some((_, Body::ConstantTime(_)))) => {
            verify(key, signature, message)
        }
        _ => Err(Error::Signature),
    }
}

/// **Malleable**: verifies a signature of either encoding, into each of which anybody can turn it; of any version
/// of the salt. Otherwise [`verify_as`] is the right one. Lengths and time are the same.
///
/// # Errors
///
/// [`Error::Signature`] if it is not valid.
pub fn verify(key: &VerifyingKey1024, signature: &[u8], message: &[u8]) -> Result<(), Error> {
    let (version, body) = split(signature).ok_or(Error::Signature)?;
    let nonce = &salt(version);
    let mut stream = key.stream(nonce, body, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)?;
    stream.update(message);
    stream.finish()
}

/// Converts a compressed signature, of at most [`MAX_COMPRESSED_SIZE`] bytes, to one of fixed width,
/// [`CONSTANT_TIME_SIZE`] bytes. It is not verified. The conversion is for public signatures, and its own time varies.
///
/// # Errors
///
/// [`Error::Signature`] if `compressed` is malformed.
pub fn to_constant_time(compressed: &[u8]) -> Result<[u8; CONSTANT_TIME_SIZE], Error> {
    let (version, Body::Compressed(body)) = split(compressed).ok_or(Error::Signature)? else {
        return Err(Error::Signature);
    };
    let mut s2 = [0; N_MAX];
    if codec::decompress(R3::RULES, body, &mut s2) != Some(body.len()) {
        return Err(Error::Signature);
    }
    let mut output = [0; CONSTANT_TIME_SIZE];
    output[0] = CONSTANT_TIME;
    output[1] = version;
    codec::pack_s2(R3::RULES, &s2, &mut output[2..]).ok_or(Error::Signature)?;
    Ok(output)
}
