//! What version 3 promises, and what holds beyond it.

#[path = "../../common/ed25519/tests.rs"]
mod both;

#[cfg(all(feature = "digest", feature = "hazmat"))]
use sha3::Sha3_512 as OtherHash;

#[test]
#[cfg(all(feature = "alloc", feature = "digest", feature = "hazmat"))]
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
    use ed25519_dalek::SigningKey;

    let key = SigningKey::from_bytes(&both::SECRET);
    let written = postcard::to_allocvec(&key).expect("serialises");
    assert_eq!(written.len(), 1 + 32);
    assert_eq!(postcard::from_bytes::<SigningKey>(&written).ok(), Some(key));
}

#[test]
#[cfg(feature = "rand_core")]
fn generated_keys_differ() {
    use ed25519_dalek::SigningKey;

    let mut rng = getrandom::rand_core::UnwrapErr(getrandom::SysRng);
    assert_ne!(
        SigningKey::generate(&mut rng),
        SigningKey::generate(&mut rng)
    );
}

#[test]
#[cfg(feature = "digest")]
fn the_traits_of_signature_3() {
    use ed25519_dalek::ed25519::signature::{MultipartSigner, MultipartVerifier};
    use ed25519_dalek::{DigestSigner, DigestVerifier, Sha512, Signature, Signer, SigningKey};

    let key = SigningKey::from_bytes(&both::SECRET);
    let parts: [&[u8]; 2] = [b"mess", b"age"];
    let signature: Signature = key.multipart_sign(&parts);
    assert_eq!(signature, key.sign(b"message"));
    assert!(key.multipart_verify(&parts, &signature).is_ok());
    let context = key.with_context(b"context").expect("short");
    let absorb = |hash: &mut Sha512| ed25519_dalek::Digest::update(hash, b"message");
    let signature: Signature = context.sign_digest(absorb);
    let public = key.verifying_key();
    let context = public.with_context(b"context").expect("short");
    let absorb = |hash: &mut Sha512| {
        ed25519_dalek::Digest::update(hash, b"message");
        Ok(())
    };
    assert!(context.verify_digest(absorb, &signature).is_ok());
    assert!(public.verify_digest(absorb, &signature).is_err());
}
