//! What version 2 promises, and what holds beyond it.

#[path = "../../common/ed25519/tests.rs"]
mod both;

#[cfg(all(feature = "digest", feature = "hazmat"))]
use blake2::Blake2b512 as OtherHash;

#[test]
#[cfg(all(feature = "std", feature = "digest", feature = "hazmat"))]
fn errors_of_callers_come_back() {
    use ed25519_dalek::hazmat::{ExpandedSecretKey, raw_sign_byupdate};
    use ed25519_dalek::{Sha512, SignatureError, VerifyingKey};

    let expanded = ExpandedSecretKey::from(&both::SECRET);
    let public = VerifyingKey::from(&expanded);
    let failing = |_: &mut Sha512| Err(SignatureError::from_source("mine"));
    let error = raw_sign_byupdate(&expanded, failing, &public).expect_err("fails");
    assert!(std::error::Error::source(&error).is_some_and(|source| source.to_string() == "mine"));
}

#[test]
#[cfg(feature = "serde")]
fn serde_writes_bytes() {
    use ed25519_dalek::{Signer, SigningKey};

    let key = SigningKey::from_bytes(&both::SECRET);
    let written = postcard::to_allocvec(&key).expect("serialises");
    // Bytes, whose number goes before them.
    assert_eq!(written, [&[32][..], &both::SECRET].concat());
    assert_eq!(
        postcard::from_bytes::<SigningKey>(&written).ok(),
        Some(key.clone())
    );
    let written = postcard::to_allocvec(&key.sign(b"message")).expect("serialises");
    assert_eq!(written, key.sign(b"message").to_bytes());
}

#[test]
#[cfg(feature = "rand_core")]
fn generated_keys_differ() {
    use ed25519_dalek::SigningKey;

    let mut rng = rand_core::OsRng;
    assert_ne!(
        SigningKey::generate(&mut rng),
        SigningKey::generate(&mut rng)
    );
}
