//! Project Wycheproof's verdicts on Ed25519 signatures.

use crate::vectors_support::check;
use lanner_ed25519::{Signature, VerifyingKey};
use lanner_vectors::outside_files;
use lanner_vectors::wycheproof::{ED25519, Verdict};

#[test]
fn ed25519() {
    let Some(files) = outside_files("Wycheproof Ed25519", &[ED25519]) else {
        return;
    };
    let mut count = 0;
    for group in files.wycheproof_ed25519() {
        for case in &group.tests {
            count += 1;
            let name = format!("case {}: {}", case.tc_id, case.comment);
            match <&[u8; 64]>::try_from(case.sig.as_slice()) {
                Ok(sig) => check(&name, &group.key, &case.msg, sig, |p| match p {
                    // Not a profile; the file does not say.
                    "strict-legacy" => None,
                    _ => Some(case.accepted_by(p)),
                }),
                Err(_) => {
                    assert_eq!(case.result, Verdict::Invalid, "{name}");
                    assert!(Signature::from_slice(&case.sig).is_err(), "{name}");
                }
            }
        }
    }
    assert_eq!(count, 151);
}

#[cfg(feature = "pem")]
#[test]
fn the_keys_of_the_file_read_in_every_form() {
    use lanner_ed25519::pkcs8::DecodePublicKey;

    let Some(files) = outside_files("Wycheproof Ed25519 keys", &[ED25519]) else {
        return;
    };
    for group in files.wycheproof_ed25519() {
        let key = VerifyingKey::from_bytes(&group.key).expect("a public key");
        assert_eq!(
            VerifyingKey::from_public_key_der(&group.key_der).expect("DER"),
            key
        );
        assert_eq!(
            VerifyingKey::from_public_key_pem(&group.key_pem).expect("PEM"),
            key
        );
    }
}

#[test]
fn the_keys_of_the_file_are_ordinary() {
    let Some(files) = outside_files("Wycheproof Ed25519 keys", &[ED25519]) else {
        return;
    };
    for group in files.wycheproof_ed25519() {
        let key = VerifyingKey::from_bytes(&group.key).expect("a public key");
        assert!(!key.is_weak() && key.is_canonical());
    }
}
