//! Signing with fresh randomness in the nonce.
#![cfg(feature = "rand_core")]

use core::convert::Infallible;
use ed25519::signature::{RandomizedMultipartSigner, RandomizedSigner};
use lanner_ed25519::rand_core::{TryCryptoRng, TryRng};
use lanner_ed25519::{Signature, Signer, SigningKey};
use lanner_vectors::own;
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

/// A generator that gives these bytes, once.
struct Once(Option<[u8; 32]>);

impl TryRng for Once {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("32 bytes are asked for at once")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("32 bytes are asked for at once")
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(&self.0.take().expect("32 bytes are asked for once"));
        Ok(())
    }
}

impl TryCryptoRng for Once {}

fn key() -> SigningKey {
    SigningKey::from_bytes(&[12; 32])
}

/// The nonce is SHA-512(Z, prefix, 64 zeros, M), as a slow model derives it.
#[test]
fn signatures_are_those_of_the_model() {
    let cases = own::hedged().cases;
    assert!(cases.iter().any(|case| case.message.is_empty()));
    for case in cases {
        let key = SigningKey::from_bytes(&case.seed);
        assert_eq!(key.verifying_key().to_bytes(), case.public_key);
        let signature = key.sign_with_rng(&mut Once(Some(case.z)), &case.message);
        assert_eq!(signature.to_bytes(), case.signature, "{}", case.name);
        let parts: Vec<&[u8]> = case.message.chunks(50).collect();
        let signature = key.multipart_sign_with_rng(&mut Once(Some(case.z)), &parts);
        assert_eq!(signature.to_bytes(), case.signature, "{}", case.name);
        key.verify_strict(&case.message, &signature)
            .expect("a signature of its own");
    }
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
