//! Signing.

use core::hint::black_box;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::{Encoding, max_sealed_size, max_signature_size, verify_as};
use crate::attempts::{self, Attempts, Derived, Reference, SigningSpace};
use crate::checked::{named_apart, twice_of_a_seed};
use crate::codec::{self, header};
use crate::errors::Error;
use crate::hash::{DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON, MessageHash};
use crate::params::{NONCE_LENGTH, R3};
use crate::rules::Ruled;
use crate::sampler::wide::FastSource;
use crate::shake::{RATE_256, SeededRng, ShakeStream, Sponge};
use crate::signing::{SigningKeyOf, write_signature};
use crate::wiping::{after_signing_falcon, after_signing_reference};

/// Signs a message. Returns the length of the signature, which is written to the start of `output`.
///
/// Takes 40 random bytes. Constant time as [`SigningKey::try_sign`](crate::SigningKey::try_sign); the
/// length of a compressed signature is that of a public value.
///
/// # Errors
///
/// [`Error::Length`] if `output` is shorter than [`max_signature_size`]; [`Error::Random`] if the
/// generator failed; [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped.
pub fn sign<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    sign_in(
        key,
        &mut SigningSpace::new(),
        rng,
        message,
        encoding,
        output,
    )
}

/// Makes the signature of [`sign`] in memory that the caller provides, for small stacks.
///
/// # Errors
///
/// Those of [`sign`].
pub fn sign_in<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    space: &mut SigningSpace<N>,
    rng: &mut R,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    after_signing_falcon::<N, _>(|| {
        let source = &mut FastSource::empty();
        let attempts = &mut Derived::new(rng, &key.secret.hsk, true, source);
        sign_with(key, space, attempts, message, encoding, output)
    })
}

/// Makes a signature as [`sign`] does, and gives it out only if it is the right one, whatever single fault of the
/// processor or of memory happened meanwhile, as
/// [`sign_bytes_checked`](SigningKeyOf::sign_bytes_checked) of FN-DSA does. Returns its length.
///
/// Takes 32 bytes from the generator and then 32 more, and the time of two signatures and a verification. The signature is the
/// one that [`sign`] makes with [`SeededRng`] of these 64 bytes.
///
/// # Errors
///
/// [`Error::Fault`] if the two differ or the signature is not valid: this key or this machine should sign no more
/// before the reason is found. Those of [`sign`]. The start of `output` is zeros then, or as it was.
///
/// ```
/// # #[cfg(feature = "keygen")] {
/// use lanner_fn_dsa::falcon::{self, Encoding, SigningKey512};
/// use lanner_fn_dsa::shake::SeededRng;
///
/// let key = SigningKey512::from_seed(&[3; 32])?;
/// let rng = &mut SeededRng::new(b"use a real generator");
/// let mut signature = [0; 666];
/// falcon::sign_checked(&key, rng, b"message", Encoding::Padded, &mut signature)?;
/// falcon::verify_as(&key.verifying_key(), &signature, b"message", Encoding::Padded)?;
/// # }
/// # Ok::<(), lanner_fn_dsa::Error>(())
/// ```
pub fn sign_checked<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    let message = named_apart(message);
    let space = &mut SigningSpace::new();
    sign_named(key, space, rng, message, encoding, output)
}

/// [`sign_checked`] in memory that the caller provides, for small stacks. A second signature and a verifying key are on the
/// stack besides: with them and what is overwritten at the end, it takes at most 18 kB for degrees up to 512, and 24 kB above.
///
/// # Errors
///
/// Those of [`sign_checked`].
pub fn sign_checked_in<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    space: &mut SigningSpace<N>,
    rng: &mut R,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    sign_named(key, space, rng, named_apart(message), encoding, output)
}

#[inline(always)]
fn sign_named<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    space: &mut SigningSpace<N>,
    rng: &mut R,
    [message, verified]: [&[u8]; 2],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    let output = room(encoding, key.secret.present()?, output)?;
    let sign = |rng: &mut SeededRng, signature: &mut [u8]| {
        let (key, message) = (black_box(key), black_box(message));
        sign_in(key, space, rng, message, encoding, signature)
    };
    let verify = |signature: &[u8]| {
        let public_key = black_box(key).verifying_key();
        verify_as(&public_key, signature, black_box(verified), encoding)
    };
    twice_of_a_seed::<N, _>(rng, output, sign, verify)
}

/// Signs as the reference implementation does behind the NIST interface, byte for byte from the same
/// random bytes: 40 for the nonce, then 48 for the seed of everything else. For the sake of
/// reproduction.
///
/// # Errors
///
/// [`Error::Length`] if `output` is shorter than [`max_signature_size`]; [`Error::Random`] if the
/// generator failed; [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped.
pub fn sign_reference<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    let space = &mut SigningSpace::new();
    after_signing_reference::<N, _>(|| {
        let mut seeds = ShakeStream::empty();
        let nonce = reference_randomness(rng, &mut seeds)?;
        let attempts = &mut Reference::new(nonce, |seed| {
            seeds.fill(seed);
            Ok(())
        });
        sign_with(key, space, attempts, message, encoding, output)
    })
}

/// Draws the nonce, and the seed of the stream that gives all seeds.
fn reference_randomness<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    seeds: &mut ShakeStream,
) -> Result<[u8; NONCE_LENGTH], Error> {
    let mut nonce = [0; NONCE_LENGTH];
    let mut seed = Zeroizing::new([0; 48]);
    rng.try_fill_bytes(&mut nonce).map_err(|_| Error::Random)?;
    rng.try_fill_bytes(&mut *seed).map_err(|_| Error::Random)?;
    seeds.restart(&[&*seed]);
    Ok(nonce)
}

/// The part of `output` that a signature may take.
pub(super) fn room(encoding: Encoding, logn: u32, output: &mut [u8]) -> Result<&mut [u8], Error> {
    output
        .get_mut(..max_signature_size(encoding, logn))
        .ok_or(Error::Length)
}

/// Writes a signature to `output`, which has room for one.
pub(super) fn encoder(
    encoding: Encoding,
    logn: u32,
    output: &mut [u8],
) -> impl FnMut(&[u8; NONCE_LENGTH], &[i16]) -> Option<usize> {
    move |nonce, s2| write_signature(R3::RULES, encoding, logn, nonce, s2, output)
}

pub(super) fn sign_with<A: Attempts, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    space: &mut SigningSpace<N>,
    attempts: &mut A,
    message: &[u8],
    encoding: Encoding,
    output: &mut [u8],
) -> Result<usize, Error> {
    let logn = key.secret.present()?;
    let output = room(encoding, logn, output)?;
    let encoder = encoder(encoding, logn, output);
    sign_to(key, space, attempts, message, encoder)
}

pub(super) fn sign_to<A: Attempts, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    space: &mut SigningSpace<N>,
    attempts: &mut A,
    message: &[u8],
    encode: impl FnMut(&[u8; NONCE_LENGTH], &[i16]) -> Option<usize>,
) -> Result<usize, Error> {
    let mut message_hash = MessageHash::empty();
    let hash = |nonce: &[u8; NONCE_LENGTH], c: &mut [u16], digest: &mut Sponge<RATE_256>| {
        let hpk = &key.secret.hpk;
        message_hash.start(
            R3::RULES,
            nonce,
            hpk,
            &DOMAIN_NONE,
            &HASH_ID_ORIGINAL_FALCON,
        )?;
        message_hash.update(message);
        message_hash.point(R3::RULES, nonce, c)?;
        digest.clone_from(message_hash.digest());
        Ok(())
    };
    attempts::sign::<_, N, Error>(R3::RULES, &key.secret, space, attempts, hash, encode)
}

/// Makes the signed message of the NIST interface, which [`open`](super::open) takes. Returns its length.
///
/// # Errors
///
/// [`Error::Length`] if `output` is shorter than [`max_sealed_size`]; [`Error::Random`] if the
/// generator failed; [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped.
pub fn seal<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let space = &mut SigningSpace::new();
    after_signing_falcon::<N, _>(|| {
        let source = &mut FastSource::empty();
        let attempts = &mut Derived::new(rng, &key.secret.hsk, true, source);
        seal_with(key, space, attempts, message, output)
    })
}

/// Makes the signed message of the NIST interface as the reference implementation does, byte for byte from the
/// same random bytes: 40 for the nonce, then 48 for the seed of everything else. Returns its length. For the sake
/// of reproduction.
///
/// # Errors
///
/// [`Error::Length`] if `output` is shorter than [`max_sealed_size`]; [`Error::Random`] if the
/// generator failed; [`Error::Attempts`] if the key is no key, [`Error::Key`] if it was wiped.
pub fn seal_reference<R: TryCryptoRng + ?Sized, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    rng: &mut R,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let space = &mut SigningSpace::new();
    after_signing_reference::<N, _>(|| {
        let mut seeds = ShakeStream::empty();
        let nonce = reference_randomness(rng, &mut seeds)?;
        let attempts = &mut Reference::new(nonce, |seed| {
            seeds.fill(seed);
            Ok(())
        });
        seal_with(key, space, attempts, message, output)
    })
}

fn seal_with<A: Attempts, const MIN: u32, const N: usize>(
    key: &SigningKeyOf<R3, MIN, N>,
    space: &mut SigningSpace<N>,
    attempts: &mut A,
    message: &[u8],
    output: &mut [u8],
) -> Result<usize, Error> {
    let logn = key.secret.present()?;
    let output = output
        .get_mut(..max_sealed_size(logn, message.len()))
        .ok_or(Error::Length)?;
    let (length, rest) = output.split_at_mut(2);
    let (nonce_out, rest) = rest.split_at_mut(NONCE_LENGTH);
    let (message_out, part) = rest.split_at_mut(message.len());
    let part_length = sign_to(key, space, attempts, message, |nonce, s2| {
        nonce_out.copy_from_slice(nonce);
        part[0] = header::NIST_BLOB + logn as u8;
        Some(1 + codec::compress(R3::RULES, s2, &mut part[1..])?)
    })?;
    // At most 1422.
    length.copy_from_slice(&(part_length as u16).to_be_bytes());
    message_out.copy_from_slice(message);
    Ok(2 + NONCE_LENGTH + message.len() + part_length)
}

#[cfg(all(test, feature = "keygen"))]
mod tests {
    use super::*;
    use crate::checked::Seed;
    use crate::falcon::{SigningKey512, SigningKey1024, det1024};

    const MESSAGE: &[u8] = b"message";

    #[test]
    fn checked_signatures_are_the_plain_ones() {
        let key = SigningKey512::from_seed(&[9; 32]).expect("any seed");
        for encoding in [
            Encoding::Compressed,
            Encoding::Padded,
            Encoding::ConstantTime,
        ] {
            let [mut plain, mut checked] = [[0; max_signature_size(Encoding::ConstantTime, 9)]; 2];
            let mut rng = SeededRng::new(b"a generator");
            let length = sign_checked(&key, &mut rng, MESSAGE, encoding, &mut checked);
            let mut seed = Seed::new();
            seed.draw(&mut SeededRng::new(b"a generator"))
                .expect("it does not fail");
            let rng = &mut seed.generator();
            assert_eq!(length, sign(&key, rng, MESSAGE, encoding, &mut plain));
            let length = length.expect("it is a key");
            assert_eq!(plain[..length], checked[..length]);
            let short = &mut [0; 600];
            let rng = &mut SeededRng::new(b"a generator");
            let result = sign_checked(&key, rng, MESSAGE, encoding, short);
            assert_eq!(result, Err(Error::Length));
        }
        let key = SigningKey1024::from_seed(&[9; 32]).expect("any seed");
        let [mut plain, mut checked] = [[0; det1024::MAX_COMPRESSED_SIZE]; 2];
        let length = det1024::sign_checked(&key, MESSAGE, &mut checked);
        assert_eq!(length, det1024::sign(&key, MESSAGE, &mut plain));
        let length = length.expect("it is a key");
        assert_eq!(plain[..length], checked[..length]);
    }

    /// Keys as a fault in memory leaves them. Falcon's hash does not bind the key: what is wrong is seen by verifying.
    #[test]
    fn keys_that_changed_sign_nothing() {
        let rng = &mut SeededRng::new(b"a generator");
        let mut key = SigningKey512::from_seed(&[9; 32]).expect("any seed");
        key.secret.h_values[5] ^= 1;
        let mut signature = [1; 666];
        let result = sign_checked(&key, rng, MESSAGE, Encoding::Padded, &mut signature);
        assert_eq!((result, signature), (Err(Error::Fault), [0; 666]));
        let mut key = SigningKey1024::from_seed(&[9; 32]).expect("any seed");
        key.secret.h_values[5] ^= 1;
        let mut signature = [1; det1024::MAX_COMPRESSED_SIZE];
        let result = det1024::sign_checked(&key, MESSAGE, &mut signature);
        assert_eq!(result, Err(Error::Fault));
        assert!(signature.iter().all(|byte| *byte == 0));
    }
}
