//! schnorrkel: a signature verified.

mod clock;

use schnorrkel::{ExpansionMode, MiniSecretKey};

fn main() {
    let secret = MiniSecretKey::from_bytes(&[7; 32]).expect("32 bytes");
    let key = secret.expand_to_keypair(ExpansionMode::Ed25519);
    let signature = key.sign_simple(b"lanner", b"message");
    clock::time(|| {
        key.public
            .verify_simple(b"lanner", b"message", &signature)
            .expect("valid");
    });
}
