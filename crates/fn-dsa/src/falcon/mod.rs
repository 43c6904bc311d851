//! The original Falcon, round 3 of NIST's competition: what liboqs, PQClean, Bouncy Castle, Algorand and
//! noble implement.
//!
//! The keys are those of the main variant, of the same types and bytes. A message is hashed behind the
//! nonce alone: neither a context nor the verifying key enters. Three encodings of signatures are in
//! use, and one form of a signed message:
//!
//! | | first byte (512, 1024) | length (512, 1024) |
//! |---|---|---|
//! | [`Encoding::Padded`] | 0x39, 0x3a | 666, 1280 |
//! | [`Encoding::Compressed`] | 0x39, 0x3a | at most 752, 1462; 655 and 1271 on average |
//! | [`Encoding::ConstantTime`] | 0x59, 0x5a | 809, 1577 |
//! | [`open`], [`seal`]: the signed message of the NIST interface | | message + 42 + the compressed s2 |
//!
//! ```
//! # #[cfg(all(feature = "keygen", feature = "sign"))] {
//! use lanner_fn_dsa::{SigningKey512, falcon, shake::SeededRng};
//!
//! let key = SigningKey512::from_seed(&[3; 32])?;
//! let rng = &mut SeededRng::new(b"use a real generator");
//! let mut buffer = [0; falcon::max_signature_size(falcon::Encoding::Compressed, 9)];
//! let length = falcon::sign(&key, rng, b"message", falcon::Encoding::Compressed, &mut buffer)?;
//! falcon::verify(&key.verifying_key(), &buffer[..length], b"message")?;
//! # }
//! # Ok::<(), lanner_fn_dsa::Error>(())
//! ```

#[cfg(feature = "sign")]
use rand_core::TryCryptoRng;

#[cfg(feature = "sign")]
use crate::attempts::{self, Attempts, Derived, Reference, SigningSpace};
use crate::codec::{self, BITS_CONSTANT_TIME, header};
use crate::errors::Error;
#[cfg(feature = "sign")]
use crate::hash::MessageHash;
use crate::hash::{DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON};
use crate::params::{LOGN_MAX, LOGN_MIN, NONCE_LENGTH, P3, signature_size};
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::{Body, StreamVerifier, VerifyingKeyOf};

pub mod det1024;
#[cfg(test)]
mod tests;

/// A verifying key of degree 512.
pub type VerifyingKey512 = VerifyingKeyOf<P3, 9, 512>;

/// A verifying key of degree 1024.
pub type VerifyingKey1024 = VerifyingKeyOf<P3, 10, 1024>;

/// A verifying key of degree 2 to 256, for tests and research. (Degree 2 is original Falcon's alone.)
pub type VerifyingKeyWeak = VerifyingKeyOf<P3, 1, 256>;

/// A signing key of degree 512.
#[cfg(feature = "sign")]
pub type SigningKey512 = SigningKeyOf<P3, 9, 512>;

/// A signing key of degree 1024.
#[cfg(feature = "sign")]
pub type SigningKey1024 = SigningKeyOf<P3, 10, 1024>;

/// A signing key of degree 2 to 256, for tests and research.
#[cfg(feature = "sign")]
pub type SigningKeyWeak = SigningKeyOf<P3, 1, 256>;

/// How a signature is encoded (specification, section 3.11.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Compressed, of variable length, without padding.
    Compressed,
    /// Compressed, and padded with zeros to a fixed length. A signature that would be longer is thrown
    /// away by the signer, which happens about once in a hundred million times.
    Padded,
    /// Coefficients of a fixed width: for signatures that are secrets themselves.
    ConstantTime,
}

/// The most bytes that a signature of degree 2^`logn` takes in an encoding: for `Padded` and
/// `ConstantTime` the exact length. For `Compressed` it is the length that other implementations
/// reserve, and more than the bound on the norm allows.
///
/// # Panics
///
/// If `logn` is not in 1..=10.
#[must_use]
pub const fn max_signature_size(encoding: Encoding, logn: u32) -> usize {
    assert!(LOGN_MIN <= logn && logn <= LOGN_MAX);
    let head = 1 + NONCE_LENGTH;
    match encoding {
        Encoding::Compressed => head + ((11usize << logn) + (101 >> (10 - logn))).div_ceil(8),
        Encoding::Padded => signature_size(logn),
        Encoding::ConstantTime => head + ((BITS_CONSTANT_TIME as usize) << logn) / 8,
    }
}

/// The parts of a signature in any of the encodings.
fn split(logn: u32, signature: &[u8]) -> Option<(&[u8; NONCE_LENGTH], Body<'_>)> {
    let (nonce, body) = signature.get(1..)?.split_first_chunk()?;
    let body = if codec::header_logn(signature, header::COMPRESSED) == Some(logn) {
        if signature.len() == signature_size(logn) {
            Body::Padded(body)
        } else {
            Body::Compressed(body)
        }
    } else if codec::header_logn(signature, header::CONSTANT_TIME) == Some(logn) {
        Body::ConstantTime(body)
    } else {
        return None;
    };
    Some((nonce, body))
}

/// Verifies a signature in any of the three encodings. Each is unique: a compressed signature has either
/// no padding at all or the padding to the fixed length.
///
/// # Errors
///
/// [`Error::Signature`] if it is not valid.
pub fn verify<const MIN: u32, const N: usize>(
    key: &VerifyingKeyOf<P3, MIN, N>,
    signature: &[u8],
    message: &[u8],
) -> Result<(), Error> {
    let mut stream = verify_stream(key, signature)?;
    stream.update(message);
    stream.finish()
}

/// Decodes a verifying key of degree 512 or 1024 and verifies one signature, in any of the three encodings.
///
/// The same as [`VerifyingKeyOf::from_bytes`] and [`verify`], and about a fifth faster, because original Falcon
/// has no use for the hash of the key. For many signatures under one key, decode it once instead.
///
/// # Errors
///
/// [`Error::Key`] or [`Error::Degree`] if the key is none, whatever the signature; [`Error::Signature`] if the
/// signature is not valid.
///
/// ```
/// # #[cfg(all(feature = "keygen", feature = "sign"))] {
/// use lanner_fn_dsa::{SigningKey512, falcon, shake::SeededRng};
///
/// let key = SigningKey512::from_seed(&[3; 32])?;
/// let rng = &mut SeededRng::new(b"use a real generator");
/// let mut signature = [0; 666];
/// falcon::sign(&key, rng, b"message", falcon::Encoding::Padded, &mut signature)?;
///
/// let mut public = [0; 897];
/// key.verifying_key().write_bytes(&mut public)?;
/// falcon::verify_with_encoded_key(&public, &signature, b"message")?;
/// # }
/// # Ok::<(), lanner_fn_dsa::Error>(())
/// ```
pub fn verify_with_encoded_key(key: &[u8], signature: &[u8], message: &[u8]) -> Result<(), Error> {
    let key = VerifyingKeyOf::<P3, 9, 1024>::without_hash(key)?;
    verify(&key, signature, message)
}

/// Begins to verify a signature of a message that comes in pieces.
///
/// # Errors
///
/// [`Error::Signature`] if the signature is malformed.
pub fn verify_stream<'k, 's, const MIN: u32, const N: usize>(
    key: &'k VerifyingKeyOf<P3, MIN, N>,
    signature: &'s [u8],
) -> Result<StreamVerifier<'k, 's, P3>, Error> {
    let (nonce, body) = split(key.logn(), signature).ok_or(Error::Signature)?;
    key.stream(nonce, body, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)
}

/// Verifies a signed message of the NIST interface ("sm"), and gives the message in it.
///
/// Two bytes tell the length of the signature's second part, big-endian; the nonce follows (40 bytes),
/// the message, and that part: a byte 0x29 or 0x2a, and the compressed s2 without padding.
///
/// # Errors
///
/// [`Error::Signature`] if it is not valid.
pub fn open<'m, const MIN: u32, const N: usize>(
    key: &VerifyingKeyOf<P3, MIN, N>,
    signed_message: &'m [u8],
) -> Result<&'m [u8], Error> {
    let (nonce, message, body) = split_blob(key.logn(), signed_message).ok_or(Error::Signature)?;
    let body = Body::Compressed(body);
    let mut stream = key.stream(nonce, body, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)?;
    stream.update(message);
    stream.finish()?;
    Ok(message)
}

type Blob<'m> = (&'m [u8; NONCE_LENGTH], &'m [u8], &'m [u8]);

fn split_blob(logn: u32, blob: &[u8]) -> Option<Blob<'_>> {
    let (length, rest) = blob.split_first_chunk()?;
    let (nonce, rest) = rest.split_first_chunk()?;
    let length = usize::from(u16::from_be_bytes(*length));
    let (message, part) = rest.split_at_checked(rest.len().checked_sub(length)?)?;
    if codec::header_logn(part, header::NIST_BLOB) != Some(logn) {
        return None;
    }
    Some((nonce, message, &part[1..]))
}

/// Signs a message. Returns the length of the signature, which is written to the start of `output`.
///
/// Takes 40 random bytes. Constant time as [`SigningKey::try_sign`](crate::SigningKey::try_sign); the
/// length of a compressed signature is that of a public value.
///
/// # Errors
///
/// [`Error::Length`] if `output` is shorter than [`max_signature_size`]; [`Error::Random`] if the
/// generator failed; [`Error::Attempts`] if the key is no key.
#[cfg(feature = "sign")]
pub fn sign<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    let attempts = &mut Derived::new(rng, &key.secret.hsk, true);
    sign_with(key, attempts, message, encoding, output)
}

/// Signs as the reference implementation does behind the NIST interface, byte for byte from the same
/// random bytes: 40 for the nonce, then 48 for the seed of everything else. For the sake of
/// reproduction.
///
/// # Errors
///
/// As [`sign`].
#[cfg(feature = "sign")]
pub fn sign_reference<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    let (nonce, mut stream) = reference_randomness(rng)?;
    let attempts = &mut Reference::new(nonce, |seed| {
        stream.fill(seed);
        Ok(())
    });
    sign_with(key, attempts, message, encoding, output)
}

#[cfg(feature = "sign")]
fn reference_randomness<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<([u8; NONCE_LENGTH], crate::shake::ShakeStream), Error> {
    let mut nonce = [0; NONCE_LENGTH];
    let mut seed = zeroize::Zeroizing::new([0; 48]);
    rng.try_fill_bytes(&mut nonce).map_err(|_| Error::Random)?;
    rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
    Ok((nonce, crate::shake::ShakeStream::new(&*seed)))
}

#[cfg(feature = "sign")]
fn sign_with<A: Attempts, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    attempts: &mut A,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    let logn = key.logn();
    let output = output
        .get_mut(..max_signature_size(encoding, logn))
        .ok_or(Error::Length)?;
    sign_to(key, attempts, message, |nonce, s2| {
        let (head, body) = output.split_at_mut(1 + NONCE_LENGTH);
        let (kind, length) = match encoding {
            Encoding::Compressed => {
                let length = codec::compress::<P3>(s2, body)?;
                // Of this one length the padded encoding is the meaning.
                (header::COMPRESSED, length)
            }
            Encoding::Padded => {
                codec::compress::<P3>(s2, body)?;
                (header::COMPRESSED, body.len())
            }
            Encoding::ConstantTime => {
                codec::pack_s2::<P3>(s2, body)?;
                (header::CONSTANT_TIME, body.len())
            }
        };
        head[0] = kind + logn as u8;
        head[1..].copy_from_slice(nonce);
        Some(head.len() + length)
    })
}

#[cfg(feature = "sign")]
fn sign_to<A: Attempts, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    attempts: &mut A,
    message: &[u8],
    encode: impl FnMut(&[u8; NONCE_LENGTH], &[i16]) -> Option<usize>,
) -> Result<usize, Error> {
    let hash = |nonce: &[u8; NONCE_LENGTH], c: &mut [u16]| {
        let hpk = &key.secret.hpk;
        let mut hash = MessageHash::new::<P3>(nonce, hpk, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)?;
        hash.update(message);
        hash.point::<P3>(nonce, c)
    };
    let space = &mut SigningSpace::new();
    attempts::sign::<P3, _, N, Error>(&key.secret, space, attempts, hash, encode)
}

/// Bytes that [`seal`] needs for a message of `message_length` bytes, at most.
///
/// # Panics
///
/// If `logn` is not in 1..=10, or the sum overflows.
#[must_use]
pub const fn max_sealed_size(logn: u32, message_length: usize) -> usize {
    2 + max_signature_size(Encoding::Compressed, logn) + message_length
}

/// Makes the signed message of the NIST interface, which [`open`] takes. Returns its length.
///
/// # Errors
///
/// [`Error::Length`] if `output` is shorter than [`max_sealed_size`]; otherwise as [`sign`].
#[cfg(feature = "sign")]
pub fn seal<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let attempts = &mut Derived::new(rng, &key.secret.hsk, true);
    seal_with(key, attempts, message, output)
}

/// As [`seal`], from random bytes as [`sign_reference`].
///
/// # Errors
///
/// As [`seal`].
#[cfg(feature = "sign")]
pub fn seal_reference<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let (nonce, mut stream) = reference_randomness(rng)?;
    let attempts = &mut Reference::new(nonce, |seed| {
        stream.fill(seed);
        Ok(())
    });
    seal_with(key, attempts, message, output)
}

#[cfg(feature = "sign")]
fn seal_with<A: Attempts, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<P3, MIN, N>,
    attempts: &mut A,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let logn = key.logn();
    let output = output
        .get_mut(..max_sealed_size(logn, message.len()))
        .ok_or(Error::Length)?;
    let (length, rest) = output.split_at_mut(2);
    let (nonce_out, rest) = rest.split_at_mut(NONCE_LENGTH);
    let (message_out, part) = rest.split_at_mut(message.len());
    let part_length = sign_to(key, attempts, message, |nonce, s2| {
        nonce_out.copy_from_slice(nonce);
        part[0] = header::NIST_BLOB + logn as u8;
        Some(1 + codec::compress::<P3>(s2, &mut part[1..])?)
    })?;
    // At most 1422.
    length.copy_from_slice(&(part_length as u16).to_be_bytes());
    message_out.copy_from_slice(message);
    Ok(2 + NONCE_LENGTH + message.len() + part_length)
}
