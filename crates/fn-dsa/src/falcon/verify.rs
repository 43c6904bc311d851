//! Verification: under one demanded encoding, and under any.

use super::Encoding;
use crate::codec::{self, header};
use crate::errors::Error;
use crate::hash::{DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON};
use crate::params::{NONCE_LENGTH, R3, signature_size};
use crate::verifying::{Body, StreamVerifier, VerifyingKeyOf};

/// The parts of a signature in the encoding that is demanded.
fn split_as(
    logn: u32,
    signature: &[u8],
    encoding: Encoding,
) -> Option<(&[u8; NONCE_LENGTH], Body<'_>)> {
    let kind = match encoding {
        Encoding::Compressed | Encoding::Padded => header::COMPRESSED,
        Encoding::ConstantTime => header::CONSTANT_TIME,
    };
    if logn == 0 || codec::header_logn(signature, kind) != Some(logn) {
        return None;
    }
    let (nonce, body) = signature[1..].split_first_chunk()?;
    let body = match encoding {
        Encoding::Compressed => Body::Compressed(body),
        Encoding::Padded if signature.len() == signature_size(logn) => Body::Padded(body),
        Encoding::Padded => return None,
        Encoding::ConstantTime => Body::ConstantTime(body),
    };
    Some((nonce, body))
}

/// The encoding that header and length tell.
fn encoding_of(logn: u32, signature: &[u8]) -> Encoding {
    if codec::header_logn(signature, header::CONSTANT_TIME) == Some(logn) {
        Encoding::ConstantTime
    } else if logn != 0 && signature.len() == signature_size(logn) {
        Encoding::Padded
    } else {
        Encoding::Compressed
    }
}

/// Verifies a signature in the encoding that is demanded, and in no other: **the first choice**.
///
/// In one encoding a signature has one form, to the last bit. `Padded`: exactly
/// [`signature_size`](crate::signature_size) bytes, the rest zero. `Compressed`: to the last byte that counts, and no
/// byte of padding. (A compressed signature that happens to fill the padded length is the same bytes in both.)
/// `ConstantTime`: twelve bits a coefficient.
///
/// # Errors
///
/// [`Error::Signature`] if it is not valid, or in another encoding.
///
/// ```
/// # #[cfg(all(feature = "keygen", feature = "sign"))] {
/// use lanner_fn_dsa::falcon::{self, Encoding, SigningKey512};
/// use lanner_fn_dsa::{Error, shake::SeededRng};
///
/// let key = SigningKey512::from_seed(&[3; 32])?;
/// let rng = &mut SeededRng::new(b"use a real generator");
/// let mut signature = [0; 666];
/// falcon::sign(&key, rng, b"message", Encoding::Padded, &mut signature)?;
///
/// let key = key.verifying_key();
/// falcon::verify_as(&key, &signature, b"message", Encoding::Padded)?;
/// let other = falcon::verify_as(&key, &signature, b"message", Encoding::Compressed);
/// assert_eq!(other, Err(Error::Signature));
/// # }
/// # Ok::<(), lanner_fn_dsa::Error>(())
/// ```
pub fn verify_as<const MIN: u32, const N: usize>(
    key: &VerifyingKeyOf<R3, MIN, N>,
    signature: &[u8],
    message: &[u8],
    encoding: Encoding,
) -> Result<(), Error> {
    let (nonce, body) = split_as(key.logn(), signature, encoding).ok_or(Error::Signature)?;
    key.verify_body(nonce, body, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message)
}

/// **Malleable**: verifies a signature in any of the three encodings, into each of which anybody can turn it.
///
/// For where signatures of several encodings arrive, and nothing depends on their bytes: not on whether two
/// are the same, nor on a hash of one. Otherwise [`verify_as`] is the right one. A compressed signature has either no
/// padding at all or the padding to the fixed length.
///
/// # Errors
///
/// [`Error::Signature`] if it is not valid.
pub fn verify<const MIN: u32, const N: usize>(
    key: &VerifyingKeyOf<R3, MIN, N>,
    signature: &[u8],
    message: &[u8],
) -> Result<(), Error> {
    verify_as(key, signature, message, encoding_of(key.logn(), signature))
}

/// Decodes a verifying key of degree 512 or 1024 and verifies one signature, in the encoding that is demanded.
///
/// The same as [`VerifyingKeyOf::from_bytes`] and [`verify_as`]. For many signatures under one key, decode it
/// once instead.
///
/// # Errors
///
/// [`Error::Key`] or [`Error::Degree`] if the key is none, whatever the signature; [`Error::Signature`] if the
/// signature is not valid.
///
/// ```
/// # #[cfg(all(feature = "keygen", feature = "sign"))] {
/// use lanner_fn_dsa::falcon::{self, Encoding, SigningKey512};
/// use lanner_fn_dsa::shake::SeededRng;
///
/// let key = SigningKey512::from_seed(&[3; 32])?;
/// let rng = &mut SeededRng::new(b"use a real generator");
/// let mut signature = [0; 666];
/// falcon::sign(&key, rng, b"message", Encoding::Padded, &mut signature)?;
///
/// let mut public = [0; 897];
/// key.verifying_key().write_bytes(&mut public)?;
/// falcon::verify_with_encoded_key_as(&public, &signature, b"message", Encoding::Padded)?;
/// # }
/// # Ok::<(), lanner_fn_dsa::Error>(())
/// ```
pub fn verify_with_encoded_key_as(
    key: &[u8],
    signature: &[u8],
    message: &[u8],
    encoding: Encoding,
) -> Result<(), Error> {
    let key = VerifyingKeyOf::<R3, 9, 1024>::from_bytes(key)?;
    verify_as(&key, signature, message, encoding)
}

/// Decodes a verifying key of degree 512 or 1024 and verifies one signature, in any of the three encodings.
///
/// **Malleable**: anybody can turn a signature of one encoding into one of another.
/// [`verify_with_encoded_key_as`] demands one.
///
/// # Errors
///
/// [`Error::Key`] or [`Error::Degree`] if the key is none, whatever the signature; [`Error::Signature`] if the
/// signature is not valid.
pub fn verify_with_encoded_key(key: &[u8], signature: &[u8], message: &[u8]) -> Result<(), Error> {
    let key = VerifyingKeyOf::<R3, 9, 1024>::from_bytes(key)?;
    verify(&key, signature, message)
}

/// Begins to verify a signature, in the encoding that is demanded, of a message that comes in pieces.
///
/// # Errors
///
/// [`Error::Signature`] if the signature is malformed, or in another encoding.
pub fn verify_stream_as<'k, 's, const MIN: u32, const N: usize>(
    key: &'k VerifyingKeyOf<R3, MIN, N>,
    signature: &'s [u8],
    encoding: Encoding,
) -> Result<StreamVerifier<'k, 's, R3>, Error> {
    let (nonce, body) = split_as(key.logn(), signature, encoding).ok_or(Error::Signature)?;
    key.stream(nonce, body, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)
}

/// Begins to verify a signature, in any of the three encodings, of a message that comes in pieces.
///
/// **Malleable**: anybody can turn a signature of one encoding into one of another. [`verify_stream_as`] demands
/// one.
///
/// # Errors
///
/// [`Error::Signature`] if the signature is malformed.
pub fn verify_stream<'k, 's, const MIN: u32, const N: usize>(
    key: &'k VerifyingKeyOf<R3, MIN, N>,
    signature: &'s [u8],
) -> Result<StreamVerifier<'k, 's, R3>, Error> {
    verify_stream_as(key, signature, encoding_of(key.logn(), signature))
}

/// Verifies a signed message of the NIST interface ("sm"), and gives the message in it.
///
/// Two bytes tell the length of the signature's second part, big-endian; the nonce follows (40 bytes),
/// the message, and that part: a byte 0x29 or 0x2a, and the compressed s2 without padding. The form is unique.
///
/// # Errors
///
/// [`Error::Signature`] if it is not valid.
pub fn open<'m, const MIN: u32, const N: usize>(
    key: &VerifyingKeyOf<R3, MIN, N>,
    signed_message: &'m [u8],
) -> Result<&'m [u8], Error> {
    let (nonce, message, body) = split_blob(key.logn(), signed_message).ok_or(Error::Signature)?;
    let body = Body::Compressed(body);
    key.verify_body(nonce, body, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message)?;
    Ok(message)
}

type Blob<'m> = (&'m [u8; NONCE_LENGTH], &'m [u8], &'m [u8]);

pub(super) fn split_blob(logn: u32, blob: &[u8]) -> Option<Blob<'_>> {
    let (length, rest) = blob.split_first_chunk()?;
    let (nonce, rest) = rest.split_first_chunk()?;
    let length = usize::from(u16::from_be_bytes(*length));
    let (message, part) = rest.split_at_checked(rest.len().checked_sub(length)?)?;
    if codec::header_logn(part, header::NIST_BLOB) != Some(logn) {
        return None;
    }
    Some((nonce, message, &part[1..]))
}
