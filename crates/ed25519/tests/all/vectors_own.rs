//! The project's own vectors, derived by an independent slow model: every sort
//! of key and R with S in and out of range, and every special encoding.

use crate::vectors_support::{PROFILES, check};
use lanner_ed25519::{Signer, SigningKey, VerifyingKey};
use lanner_vectors::own::{self, Scheme};

#[test]
fn every_case_has_the_verdicts_of_the_model() {
    let file = own::verify();
    for case in &file.cases {
        let name = format!("case {} ({}; {}; {})", case.id, case.a, case.r, case.s);
        check(&name, &case.key, &case.msg, &case.sig, |p| {
            Some(case.accepted_by(p))
        });
    }
    // Each profile is told from each other by some case, with one exception:
    // strict and libsodium differ only under a non-canonical key of large order,
    // and nobody knows a secret key for one of those few.
    for (one, _) in PROFILES {
        for (other, _) in PROFILES {
            let told = |c: &own::VerifyCase| c.accepted_by(one) != c.accepted_by(other);
            let alike = [one, other]
                .iter()
                .all(|p| ["strict", "libsodium"].contains(p));
            assert!(
                alike || one == other || file.cases.iter().any(told),
                "{one} and {other}"
            );
        }
    }
}

#[test]
fn every_length_signs_alike() {
    for case in own::sign().cases.iter().chain(&own::rfc8032().cases) {
        let key = SigningKey::from_bytes(&case.seed);
        assert_eq!(
            key.verifying_key().to_bytes(),
            case.public_key,
            "{}",
            case.name
        );
        let signature = match case.scheme {
            Scheme::Ed25519 => {
                check(
                    &case.name,
                    &case.public_key,
                    &case.message,
                    &case.signature,
                    |_| Some(true),
                );
                key.sign(&case.message)
            }
            Scheme::Ed25519ctx => {
                let signature = key
                    .sign_ctx(&case.context, &case.message)
                    .expect("a context");
                let verifying_key = key.verifying_key();
                for (name, verdicts) in PROFILES {
                    let forms = verdicts(&verifying_key, &case.context, &case.message, &signature);
                    assert!(forms.ctx && !forms.pure, "{name}: {}", case.name);
                    let other = verdicts(&verifying_key, b"another", &case.message, &signature);
                    assert!(!other.ctx, "{name}: {}", case.name);
                }
                signature
            }
            #[cfg(feature = "digest")]
            Scheme::Ed25519ph => {
                use lanner_ed25519::{Digest, Sha512};
                let hash = Sha512::new_with_prefix(&case.message);
                let context = Some(case.context.as_slice());
                let signature = key
                    .sign_prehashed(hash.clone(), context)
                    .expect("a context");
                let key = key.verifying_key();
                for (name, verdicts) in PROFILES {
                    let forms = verdicts(&key, &case.context, &case.message, &signature);
                    assert!(forms.prehashed && !forms.ctx, "{name}: {}", case.name);
                }
                key.verify_prehashed_strict(hash, context, &signature)
                    .expect("a signature of its own");
                signature
            }
            #[cfg(not(feature = "digest"))]
            Scheme::Ed25519ph => continue,
        };
        assert_eq!(signature.to_bytes(), case.signature, "{}", case.name);
    }
}

#[test]
fn every_encoding_of_a_key_is_judged_alike() {
    for case in own::points().cases {
        let decoded = VerifyingKey::from_bytes(&case.bytes);
        assert_eq!(
            decoded.is_ok(),
            case.zip215,
            "case {} ({})",
            case.id,
            case.note
        );
        let (Ok(key), Some(point)) = (decoded, case.point) else {
            continue;
        };
        assert_eq!(key.to_bytes(), case.bytes);
        assert_eq!(
            key.is_weak(),
            point.small_order,
            "case {} ({})",
            case.id,
            case.note
        );
        assert_eq!(
            key.is_canonical(),
            case.rfc8032,
            "case {} ({})",
            case.id,
            case.note
        );
        assert_eq!(
            key.to_montgomery().to_bytes(),
            point.u,
            "case {} ({})",
            case.id,
            case.note
        );
        assert_eq!(key.to_edwards().compress().to_bytes(), point.canonical);
    }
}
