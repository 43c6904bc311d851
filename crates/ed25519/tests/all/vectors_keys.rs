//! Key files: RFC 8410's examples, ring's and BoringSSL's good and bad DER, and
//! the signatures in their files.

use crate::vectors_support::check;
use lanner_ed25519::{Signature, Signer, SigningKey};
use lanner_vectors::{outside, outside_files, ring};

#[cfg(feature = "pem")]
#[test]
fn rfc8410() {
    use lanner_ed25519::pkcs8::{DecodePrivateKey, DecodePublicKey};
    use lanner_ed25519::{VerifyingKey, pkcs8::EncodePrivateKey, pkcs8::EncodePublicKey};
    use lanner_vectors::rfc::{pem_to_der, split_certificate};

    let Some(files) = outside("RFC 8410") else {
        return;
    };
    let pem = files.rfc8410();
    let public = VerifyingKey::from_public_key_pem(&pem.public_key).expect("section 10.1");
    let v1 = SigningKey::from_pkcs8_pem(&pem.private_key_v1).expect("section 10.3, version 1");
    let v2 = SigningKey::from_pkcs8_pem(&pem.private_key_v2).expect("section 10.3, version 2");
    assert_eq!(v1.verifying_key(), public);
    assert!(v1 == v2);

    // What is written is the RFC's own form.
    let written = v1.to_pkcs8_pem(Default::default()).expect("PEM");
    assert_eq!(written.trim_end(), pem.private_key_v1.trim_end());
    let written = public.to_public_key_pem(Default::default()).expect("PEM");
    assert_eq!(written.trim_end(), pem.public_key.trim_end());

    // The certificate of section 10.2 carries a signature of that key.
    let (signed, signature) = split_certificate(&pem_to_der(&pem.certificate));
    let signature = signature.as_slice().try_into().expect("64 octets");
    check(
        "section 10.2",
        public.as_bytes(),
        &signed,
        signature,
        |_| Some(true),
    );
}

#[cfg(feature = "pkcs8")]
#[test]
fn ring_pkcs8() {
    use lanner_ed25519::pkcs8::DecodePrivateKey;

    let Some(files) = outside("ring's PKCS#8 keys") else {
        return;
    };
    let cases = files.ring_pkcs8();
    assert_eq!(cases.len(), 41);
    let mut wrong = Vec::new();
    for case in cases {
        let verdict = SigningKey::from_pkcs8_der(&case.der).ok();
        let found = verdict.map(|key| key.verifying_key().to_bytes());
        let stated = if case.accepted { case.public_key } else { None };
        if found != stated {
            wrong.push((case.line, stated.is_some()));
        }
    }
    assert!(
        wrong.is_empty(),
        "(line, whether it should be accepted): {wrong:?}"
    );
}

#[test]
fn ring_verify() {
    let Some(files) = outside_files("ring's signatures", &[ring::VERIFY]) else {
        return;
    };
    let cases = files.ring_verify();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let name = format!("line {}", case.line);
        check(
            &name,
            &case.key,
            &case.message,
            &case.signature,
            |profile| match profile {
                // The file's invalid ones have L added to S, below 2^253.
                "donna" | "strict-legacy" => Some(true),
                _ => Some(case.valid),
            },
        );
    }
}

/// The secret and public keys of a BoringSSL key stanza, from every form in it;
/// none if a form does not decode.
#[cfg(feature = "pkcs8")]
fn boringssl_key(
    stanza: &lanner_vectors::Stanza,
) -> Option<(Option<SigningKey>, lanner_ed25519::VerifyingKey)> {
    use lanner_ed25519::VerifyingKey;
    use lanner_ed25519::pkcs8::{DecodePrivateKey, DecodePublicKey};

    let mut secret = None;
    let mut public = None;
    if stanza.get("PKCS8").is_some() {
        secret = Some(SigningKey::from_pkcs8_der(&stanza.octets("PKCS8")).ok()?);
    }
    if stanza.get("SPKI").is_some() {
        public = Some(VerifyingKey::from_public_key_der(&stanza.octets("SPKI")).ok()?);
    }
    if stanza.get("RawPrivate").is_some() {
        let raw = stanza.octets("RawPrivate").try_into().expect("a seed");
        assert_eq!(secret.as_ref().map(SigningKey::to_bytes), Some(raw));
    }
    let derived = secret.as_ref().map(SigningKey::verifying_key);
    let key = public.or(derived).expect("some form");
    if stanza.get("RawPublic").is_some() {
        assert_eq!(key.to_bytes(), stanza.octets("RawPublic")[..]);
    }
    if let (Some(public), Some(derived)) = (public, derived) {
        assert_eq!(public, derived);
    }
    Some((secret, key))
}

#[cfg(feature = "pkcs8")]
#[test]
fn boringssl_keys() {
    let Some(files) = outside("BoringSSL's Ed25519 keys") else {
        return;
    };
    let evp = files.boringssl_ed25519();
    assert_eq!(evp.keys.len(), 8);
    for (name, stanza) in &evp.keys {
        let refused = stanza.get("Error").is_some();
        assert_eq!(boringssl_key(stanza).is_none(), refused, "{name}");
    }
}

#[test]
fn boringssl_signatures() {
    let Some(files) = outside("BoringSSL's Ed25519 signatures") else {
        return;
    };
    let evp = files.boringssl_ed25519();
    let (mut signed, mut verified, mut refused) = (0, 0, 0);
    for stanza in &evp.operations {
        let (key, secret) = evp.key(stanza.text(stanza.kind()));
        let message = stanza.octets("Input");
        let name = format!("line {}", stanza.line);
        match (stanza.kind(), stanza.get("Error")) {
            ("SignMessage", None) => {
                assert!(secret);
                signed += 1;
                let seed = key.octets("RawPrivate").try_into().expect("a seed");
                let signature = SigningKey::from_bytes(&seed).sign(&message);
                assert_eq!(signature.to_bytes(), stanza.octets("Output")[..], "{name}");
            }
            ("VerifyMessage", error) => {
                let public = key.octets("RawPublic").try_into().expect("a public key");
                let output = stanza.octets("Output");
                match output.as_slice().try_into() {
                    Ok(signature) => {
                        check(&name, &public, &message, signature, |_| {
                            Some(error.is_none())
                        });
                    }
                    Err(_) => {
                        assert_eq!(error, Some("INVALID_SIGNATURE"), "{name}");
                        assert!(Signature::from_slice(&output).is_err(), "{name}");
                    }
                }
                if error.is_none() {
                    verified += 1
                } else {
                    refused += 1
                }
            }
            // What is left cannot be expressed here: a public key that signs, a
            // digest that Ed25519 does not take.
            ("SignMessage" | "Sign" | "Verify", Some(_)) => {}
            other => panic!("{name}: unexpected {other:?}"),
        }
    }
    assert_eq!((signed, verified, refused), (5, 5, 2));
}
