//! The generator of the operating system, in every scheme: on each target that has one, WebAssembly with WASI among them.
#![cfg(all(
    feature = "ed25519",
    feature = "x25519",
    feature = "fn-dsa",
    feature = "hybrid",
    feature = "getrandom"
))]

use std::error::Error;
use std::panic::UnwindSafe;

use lanner::hybrid::OsRng as OfHybrids;
use lanner::{OsRng, ed25519, hybrid, x25519};

/// Errors are this project's own types, which programs can name: another version of the crate `getrandom` is no other interface.
#[test]
fn errors_have_names_here() {
    fn named<E: Error + Copy + Eq + Send + Sync + Unpin + UnwindSafe + 'static>(error: Option<E>) {
        assert_eq!(error, None);
    }
    let key: Result<_, ed25519::NoRandomness> = ed25519::SigningKey::generate_from_os();
    named(key.err());
    let secret: Result<_, x25519::NoRandomness> = x25519::EphemeralSecret::generate_from_os();
    named(secret.err());
    let filled: Result<(), ed25519::NoRandomness> = OsRng::try_fill(&mut [0; 32]);
    named(filled.err());
    let _: OfHybrids = OsRng;
}

#[test]
fn keys_are_random() {
    let keys = [(); 2].map(|()| ed25519::SigningKey::generate_from_os().expect("a key"));
    assert_ne!(keys[0], keys[1]);
    let keys = [(); 2].map(|()| x25519::StaticSecret::generate_from_os().expect("a key"));
    assert_ne!(keys[0].as_bytes(), keys[1].as_bytes());
    let keys = [(); 2].map(|()| lanner::fn_dsa::SigningKey512::generate_from_os().expect("a key"));
    assert_ne!(keys[0], keys[1]);
    let keys = [(); 2].map(|()| hybrid::SigningKey512::generate_from_os().expect("a key"));
    assert_ne!(keys[0], keys[1]);
    let mut signatures = [[0; 730]; 2];
    for signature in &mut signatures {
        keys[0]
            .sign_bytes(&mut OsRng, b"", b"message", signature)
            .expect("signs");
    }
    assert_ne!(signatures[0], signatures[1]);
}
