//! The curve's operations on threads with little stack, whatever the profile: without optimisation too, where programs that
//! move from other libraries are run and tested (`cargo xtask test --full --only "the stack of builds"`). More than was taken
//! ends the process, so that this needs no look at the stack.
#![cfg(all(
    feature = "batch",
    feature = "getrandom",
    feature = "pem",
    feature = "x25519",
    not(target_family = "wasm")
))]

use std::hint::black_box;
use std::thread::Builder;

use lanner::ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner::ed25519::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use lanner::ed25519::{Signature, Signer, SigningKey, VerifyingKey, batch};
use lanner::x25519::{PublicKey, StaticSecret};

/// What a thread has of the C library musl if it asks for nothing: the least of those that are usual.
const SMALL: usize = 128 << 10;

fn with_stack(bytes: usize, operation: impl FnOnce() + Send + 'static) {
    Builder::new()
        .stack_size(bytes)
        .spawn(operation)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn one_at_a_time() {
    with_stack(SMALL, || {
        let key = SigningKey::from_bytes(&[7; 32]);
        let signature = key.sign(b"message");
        let public = key.verifying_key();
        public.verify_strict(b"message", &signature).unwrap();
        let pem = key.to_pkcs8_pem(LineEnding::LF).unwrap();
        assert_eq!(SigningKey::from_pkcs8_pem(&pem).unwrap(), key);
    });
    with_stack(SMALL, || {
        let secret = StaticSecret::from([7; 32]);
        let public = PublicKey::from(&secret);
        black_box(secret.diffie_hellman(&public));
    });
}

#[test]
fn a_batch() {
    with_stack(2 * SMALL, || {
        let key = SigningKey::from_bytes(&[7; 32]);
        let messages: Vec<[u8; 4]> = (0..64_u32).map(u32::to_be_bytes).collect();
        let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let signatures: Vec<Signature> = messages.iter().map(|message| key.sign(message)).collect();
        let keys: Vec<VerifyingKey> = vec![key.verifying_key(); 64];
        batch::verify_batch(&messages, &signatures, &keys).unwrap();
    });
}
