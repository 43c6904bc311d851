//! The original Falcon, round 3 of NIST's competition: what liboqs, PQClean, Bouncy Castle, Algorand and
//! noble implement.
//!
//! Keys have the bytes of the main variant's, and **types of their own**: a message is hashed behind the nonce
//! alone, neither a context nor the verifying key enters, and so a Falcon signature of a message that somebody
//! else chose can be an FN-DSA signature of another one under the same key. A key pair is for one of the two
//! schemes; [`SigningKey512::dangerous_from_fn_dsa`] and its kin make one for both. (The bytes tell no difference, and
//! nor does a seed: keep them apart as well.)
//!
//! Three encodings of signatures are in use, and one form of a signed message:
//!
//! | | first byte (512, 1024) | length (512, 1024) |
//! |---|---|---|
//! | [`Encoding::Padded`] | 0x39, 0x3a | 666, 1280 |
//! | [`Encoding::Compressed`] | 0x39, 0x3a | at most 752, 1462; 655 and 1271 on average |
//! | [`Encoding::ConstantTime`] | 0x59, 0x5a | 809, 1577 |
//! | [`open`], [`seal`]: the signed message of the NIST interface | | message + 42 + the compressed s2 |
//!
//! Signatures that are made here, but for those of the functions `…_reference` and of [`det1024`], have a padded form
//! whatever their encoding is, and so at most 666 or 1280 bytes when they are compressed: the same random bytes give
//! one message the same vector in each encoding, because two would give the key away.
//!
//! **Verify with [`verify_as`]**, which demands the encoding that has been agreed on: each is unique by itself, but
//! anybody can turn a signature of one encoding into one of another. [`verify`] takes all of them.
//!
//! ```
//! # #[cfg(all(feature = "keygen", feature = "sign"))] {
//! use lanner_fn_dsa::falcon::{self, Encoding, SigningKey512};
//! use lanner_fn_dsa::shake::SeededRng;
//!
//! let key = SigningKey512::from_seed(&[3; 32])?;
//! let rng = &mut SeededRng::new(b"use a real generator");
//! let mut buffer = [0; falcon::max_signature_size(Encoding::Compressed, 9)];
//! let length = falcon::sign(&key, rng, b"message", Encoding::Compressed, &mut buffer)?;
//! falcon::verify_as(&key.verifying_key(), &buffer[..length], b"message", Encoding::Compressed)?;
//! # }
//! # Ok::<(), lanner_fn_dsa::Error>(())
//! ```

use crate::codec::BITS_CONSTANT_TIME;
#[cfg(feature = "keygen")]
use crate::generating::KeyPairGeneratorOf;
use crate::params::{LOGN_MAX, LOGN_MIN, NONCE_LENGTH, R3, signature_size};
#[cfg(feature = "sign")]
use crate::signing::SigningKeyOf;
use crate::verifying::VerifyingKeyOf;

mod crossing;
pub mod det1024;
#[cfg(feature = "sign")]
mod sign;
#[cfg(feature = "sign")]
mod stream;
#[cfg(all(test, feature = "sign"))]
mod tests;
mod verify;

pub use crate::codec::Encoding;
#[cfg(feature = "sign")]
pub use sign::{
    seal, seal_reference, sign, sign_checked, sign_checked_in, sign_in, sign_reference,
};
#[cfg(feature = "sign")]
pub use stream::{StreamSignerStandard, stream_signer};
pub use verify::{
    open, verify, verify_as, verify_stream, verify_stream_as, verify_with_encoded_key,
    verify_with_encoded_key_as,
};

/// A verifying key of degree 512 or 1024.
pub type VerifyingKeyStandard = VerifyingKeyOf<R3, 9, 1024>;

/// A verifying key of degree 512.
pub type VerifyingKey512 = VerifyingKeyOf<R3, 9, 512>;

/// A verifying key of degree 1024.
pub type VerifyingKey1024 = VerifyingKeyOf<R3, 10, 1024>;

/// A verifying key of degree 2 to 256, for tests and research. (Degree 2 is original Falcon's alone.)
pub type VerifyingKeyWeak = VerifyingKeyOf<R3, 1, 256>;

/// A signing key of degree 512 or 1024.
#[cfg(feature = "sign")]
pub type SigningKeyStandard = SigningKeyOf<R3, 9, 1024>;

/// A [`StreamVerifier`](crate::StreamVerifier) of a signature of this variant.
pub type StreamVerifierStandard<'k, 's> = crate::StreamVerifier<'k, 's, R3>;

/// A signing key of degree 512.
#[cfg(feature = "sign")]
pub type SigningKey512 = SigningKeyOf<R3, 9, 512>;

/// A signing key of degree 1024.
#[cfg(feature = "sign")]
pub type SigningKey1024 = SigningKeyOf<R3, 10, 1024>;

/// A signing key of degree 2 to 256, for tests and research.
#[cfg(feature = "sign")]
pub type SigningKeyWeak = SigningKeyOf<R3, 1, 256>;

/// A generator of key pairs of degree 512 or 1024.
#[cfg(feature = "keygen")]
pub type KeyPairGeneratorStandard = KeyPairGeneratorOf<R3, 9, 1024>;

/// A generator of key pairs of degree 512.
#[cfg(feature = "keygen")]
pub type KeyPairGenerator512 = KeyPairGeneratorOf<R3, 9, 512>;

/// A generator of key pairs of degree 1024.
#[cfg(feature = "keygen")]
pub type KeyPairGenerator1024 = KeyPairGeneratorOf<R3, 10, 1024>;

/// A generator of key pairs of degree 4 to 256, for tests and research.
#[cfg(feature = "keygen")]
pub type KeyPairGeneratorWeak = KeyPairGeneratorOf<R3, 2, 256>;

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

/// Bytes that [`seal`] needs for a message of `message_length` bytes, at most.
///
/// # Panics
///
/// If `logn` is not in 1..=10, or the sum overflows.
#[must_use]
pub const fn max_sealed_size(logn: u32, message_length: usize) -> usize {
    let around = 2 + max_signature_size(Encoding::Compressed, logn);
    around
        .checked_add(message_length)
        .expect("a sealed message is longer than memory")
}
