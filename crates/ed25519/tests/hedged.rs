//! Signing with fresh randomness in the nonce.
#![cfg(feature = "rand_core")]

use core::convert::Infallible;
use ed25519::signature::{RandomizedMultipartSigner, RandomizedSigner};
use lanner_ed25519::rand_core::{TryCryptoRng, TryRng};
use lanner_ed25519::{Signature, Signer, SigningKey};
use std::collections::HashSet;

/// A generator that always gives the same byte: a broken one.
struct Constant(u8);

impl TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_ne_bytes([self.0; 4]))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_ne_bytes([self.0; 8]))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}

fn key() -> SigningKey {
    SigningKey::from_bytes(&[12; 32])
}

#[test]
fn hedged_signatures_verify_and_differ() {
    let mut commitments = HashSet::new();
    commitments.insert(*key().sign(b"message").r_bytes());
    for byte in 0..20 {
        let signature = key().sign_with_rng(&mut Constant(byte), b"message");
        assert!(key().verify_strict(b"message", &signature).is_ok());
        assert!(key().verify_strict(b"massage", &signature).is_err());
        assert!(commitments.insert(*signature.r_bytes()));
    }
}

/// With a broken generator the nonce still depends on message and key.
#[test]
fn a_broken_generator_does_not_repeat_nonces() {
    let sign = |key: &SigningKey, message: &[u8]| -> Signature {
        key.sign_with_rng(&mut Constant(0), message)
    };
    let other = SigningKey::from_bytes(&[13; 32]);
    let commitments: HashSet<[u8; 32]> = [
        sign(&key(), b""),
        sign(&key(), b"message"),
        sign(&key(), b"massage"),
        sign(&other, b"message"),
    ]
    .iter()
    .map(|signature| *signature.r_bytes())
    .collect();
    assert_eq!(commitments.len(), 4);
    assert_eq!(sign(&key(), b"message"), sign(&key(), b"message"));
}

#[test]
fn parts_are_concatenated() {
    let whole = key().sign_with_rng(&mut Constant(3), b"in two parts");
    let parts = key().multipart_sign_with_rng(&mut Constant(3), &[b"in two ", b"parts"]);
    assert_eq!(whole, parts);
}

/// A generator that fails.
struct Failing;

impl TryRng for Failing {
    type Error = std::io::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::io::Error::other("no entropy"))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(std::io::Error::other("no entropy"))
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(std::io::Error::other("no entropy"))
    }
}

impl TryCryptoRng for Failing {}

#[test]
fn a_failing_generator_is_an_error() {
    assert!(key().try_sign_with_rng(&mut Failing, b"m").is_err());
}
