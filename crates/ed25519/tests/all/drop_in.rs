//! A program written for ed25519-dalek 3, with the crate renamed as a manifest
//! would.
#![cfg(all(
    feature = "batch",
    feature = "digest",
    feature = "hazmat",
    feature = "pem",
    feature = "rand_core",
    feature = "serde"
))]

use lanner_ed25519 as ed25519_dalek;

use ed25519_dalek::ed25519::signature::{MultipartSigner, MultipartVerifier};
use ed25519_dalek::hazmat::ExpandedSecretKey;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use ed25519_dalek::{
    Context, Digest, DigestSigner, DigestVerifier, EXPANDED_SECRET_KEY_LENGTH, KEYPAIR_LENGTH,
    PUBLIC_KEY_LENGTH, SECRET_KEY_LENGTH, SIGNATURE_LENGTH, SecretKey, Sha512, Signature,
    SignatureError, Signer, SigningKey, StreamVerifier, Verifier, VerifyingKey, rand_core,
    verify_batch,
};
use getrandom::{SysRng, rand_core::UnwrapErr};

fn generate<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> SigningKey {
    SigningKey::generate(rng)
}

#[test]
fn keys_and_bytes() -> Result<(), SignatureError> {
    let key: SigningKey = generate(&mut UnwrapErr(SysRng));
    let secret: SecretKey = key.to_bytes();
    let secret_bytes: [u8; SECRET_KEY_LENGTH] = *key.as_bytes();
    let pair: [u8; KEYPAIR_LENGTH] = key.to_keypair_bytes();
    let public: [u8; PUBLIC_KEY_LENGTH] = key.verifying_key().to_bytes();
    assert_eq!(secret, secret_bytes);
    assert_eq!(SigningKey::from_keypair_bytes(&pair)?, key);
    assert_eq!(VerifyingKey::from_bytes(&public)?, VerifyingKey::from(&key));
    let expanded: ExpandedSecretKey = (&secret).into();
    assert_eq!(VerifyingKey::from(&expanded), key.verifying_key());
    assert_eq!(EXPANDED_SECRET_KEY_LENGTH, 64);
    let _: [u8; 32] = key.to_scalar_bytes();
    let _ = (key.to_scalar(), key.verifying_key().to_montgomery());
    Ok(())
}

#[test]
fn signing_and_verifying() -> Result<(), SignatureError> {
    let key = SigningKey::from_bytes(&[8; 32]);
    let public: VerifyingKey = key.verifying_key();
    let message: &[u8] = b"message";

    let signature: Signature = key.sign(message);
    let bytes: [u8; SIGNATURE_LENGTH] = signature.to_bytes();
    let signature = Signature::try_from(&bytes[..])?;
    key.verify(message, &signature)?;
    key.verify_strict(message, &signature)?;
    public.verify(message, &signature)?;
    public.verify_strict(message, &signature)?;
    Verifier::verify(&key, message, &signature)?;
    let parts: [&[u8]; 2] = [b"mess", b"age"];
    assert_eq!(key.multipart_sign(&parts), signature);
    public.multipart_verify(&parts, &signature)?;
    key.multipart_verify(&parts, &signature)?;

    let mut verifier: StreamVerifier = public.verify_stream(&signature)?;
    verifier.update("message");
    verifier.finalize_and_verify()?;

    verify_batch(&[message; 3], &[signature; 3], &[public; 3])
}

#[test]
fn prehashing() -> Result<(), SignatureError> {
    let key = SigningKey::from_bytes(&[8; 32]);
    let mut hash: Sha512 = Sha512::new();
    Digest::update(&mut hash, b"message");
    let signature = key.sign_prehashed(hash.clone(), Some(b"context"))?;
    key.verify_prehashed(hash.clone(), Some(b"context"), &signature)?;
    key.verifying_key()
        .verify_prehashed_strict(hash, Some(b"context"), &signature)?;

    let context: Context<'_, '_, SigningKey> = key.with_context(b"context")?;
    let again: Signature = context.sign_digest(|hash: &mut Sha512| hash.update(b"message"));
    assert_eq!(again, signature);
    let public = key.verifying_key();
    public.with_context(b"context")?.verify_digest(
        |hash: &mut Sha512| {
            hash.update(b"message");
            Ok(())
        },
        &signature,
    )
}

#[test]
fn files() -> Result<(), Box<dyn std::error::Error>> {
    let key = SigningKey::from_bytes(&[8; 32]);
    let pem = key.to_pkcs8_pem(Default::default())?;
    assert_eq!(SigningKey::from_pkcs8_pem(&pem)?, key);
    let pem = key.verifying_key().to_public_key_pem(Default::default())?;
    assert_eq!(
        VerifyingKey::from_public_key_pem(&pem)?,
        key.verifying_key()
    );
    let json = serde_json::to_string(&(&key, key.verifying_key(), key.sign(b"")))?;
    let back: (SigningKey, VerifyingKey, Signature) = serde_json::from_str(&json)?;
    assert_eq!(back.0, key);
    Ok(())
}
