//! JOSE (RFC 8037 appendix A) and COSE (RFC 9053 section 2.2).

use crate::vectors_support::check;
use lanner_ed25519::{Signer, SigningKey};
use lanner_vectors::outside;

#[test]
fn jose() {
    let Some(files) = outside("JOSE") else { return };
    let jose = files.jose();
    assert_eq!(
        (
            jose.private_key.curve.as_str(),
            jose.public_key.curve.as_str()
        ),
        ("Ed25519", "Ed25519")
    );
    let key = SigningKey::from_bytes(&jose.private_key.d.expect("a private key"));
    assert_eq!(key.verifying_key().to_bytes(), jose.private_key.x);
    assert_eq!(key.verifying_key().to_bytes(), jose.public_key.x);
    assert_eq!(key.sign(&jose.signing_input).to_bytes(), jose.signature);
    check(
        "A.4",
        &jose.public_key.x,
        &jose.signing_input,
        &jose.signature,
        |_| Some(true),
    );
}

#[test]
fn cose() {
    let Some(files) = outside("COSE") else { return };
    let cose = files.cose_eddsa();
    let key = SigningKey::from_bytes(&cose.d);
    assert_eq!(key.verifying_key().to_bytes(), cose.x);
    assert_eq!(key.sign(&cose.to_be_signed).to_bytes(), cose.signature);
    check(
        "EdDSA-01",
        &cose.x,
        &cose.to_be_signed,
        &cose.signature,
        |_| Some(true),
    );
}
