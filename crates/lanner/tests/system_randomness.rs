//! The generator of the operating system, in every scheme: on each target that has one, WebAssembly with WASI among them.
#![cfg(all(
    feature = "ed25519",
    feature = "x25519",
    feature = "fn-dsa",
    feature = "hybrid",
    feature = "getrandom"
))]

use lanner::OsRng;

#[test]
fn keys_are_random() {
    let keys = [(); 2].map(|()| lanner::ed25519::SigningKey::generate_from_os().expect("a key"));
    assert_ne!(keys[0], keys[1]);
    let keys = [(); 2].map(|()| lanner::x25519::StaticSecret::generate_from_os().expect("a key"));
    assert_ne!(keys[0].as_bytes(), keys[1].as_bytes());
    let keys = [(); 2].map(|()| lanner::fn_dsa::SigningKey512::generate_from_os().expect("a key"));
    assert_ne!(keys[0], keys[1]);
    let keys = [(); 2].map(|()| lanner::hybrid::SigningKey512::generate_from_os().expect("a key"));
    assert_ne!(keys[0], keys[1]);
    let mut signatures = [[0; 730]; 2];
    for signature in &mut signatures {
        keys[0]
            .sign_bytes(&mut OsRng, b"", b"message", signature)
            .expect("signs");
    }
    assert_ne!(signatures[0], signatures[1]);
}
