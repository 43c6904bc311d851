//! Signing and verifying with Lanner, and nothing else.

#![no_std]
#![no_main]

use lanner_ed25519::{Signer, SigningKey, Verifier};

fn task(seed: &[u8; 32], message: &[u8]) -> bool {
    let key = SigningKey::from_bytes(seed);
    let signature = key.sign(message);
    key.verifying_key().verify(message, &signature).is_ok()
}

size_start::program!(task);
