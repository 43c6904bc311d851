//! Signing and verifying with ed25519-compact, and nothing else.

#![no_std]
#![no_main]

use ed25519_compact::{KeyPair, Seed};

fn task(seed: &[u8; 32], message: &[u8]) -> bool {
    let Ok(key) = KeyPair::try_from_seed(Seed::new(*seed)) else {
        return false;
    };
    let signature = key.sk.sign(message, None);
    key.pk.verify(message, &signature).is_ok()
}

size_start::program!(task);
