//! RFC 8032 section 7, and Go's list of signatures.

use crate::vectors_support::check;
use lanner_ed25519::{Signer, SigningKey, profile};
use lanner_vectors::own::Scheme;
use lanner_vectors::{golang, outside, outside_files};

#[test]
fn rfc8032() {
    let Some(files) = outside("RFC 8032") else {
        return;
    };
    let mut seen = [0; 3];
    for (scheme, case) in files.rfc8032() {
        let key = SigningKey::from_bytes(&case.secret_key);
        assert_eq!(
            key.verifying_key().to_bytes(),
            case.public_key,
            "{}",
            case.name
        );
        match scheme {
            Scheme::Ed25519 => {
                seen[0] += 1;
                assert_eq!(
                    key.sign(&case.message).to_bytes(),
                    case.signature,
                    "{}",
                    case.name
                );
                check(
                    &case.name,
                    &case.public_key,
                    &case.message,
                    &case.signature,
                    |_| Some(true),
                );
            }
            Scheme::Ed25519ctx => {
                seen[1] += 1;
                let signature = key
                    .sign_ctx(&case.context, &case.message)
                    .expect("a context");
                assert_eq!(signature.to_bytes(), case.signature, "{}", case.name);
                let key = key.verifying_key();
                assert!(
                    key.under(profile::Strict)
                        .verify_ctx(&case.context, &case.message, &signature)
                        .is_ok()
                );
                assert!(
                    key.under(profile::Strict)
                        .verify_ctx(b"another", &case.message, &signature)
                        .is_err()
                );
            }
            Scheme::Ed25519ph => {
                seen[2] += 1;
                #[cfg(feature = "digest")]
                {
                    use lanner_ed25519::{Digest, Sha512};
                    let hash = Sha512::new_with_prefix(&case.message);
                    let signature = key.sign_prehashed(hash.clone(), None).expect("no context");
                    assert_eq!(signature.to_bytes(), case.signature, "{}", case.name);
                    let key = key.verifying_key();
                    assert!(key.verify_prehashed(hash.clone(), None, &signature).is_ok());
                    assert!(
                        key.verify_prehashed(hash, Some(b"another"), &signature)
                            .is_err()
                    );
                }
            }
        }
    }
    assert_eq!(seen, [5, 4, 1]);
}

#[test]
fn golang_sign_input() {
    let Some(files) = outside_files("sign.input", &[golang::SIGN_INPUT]) else {
        return;
    };
    let lines = files.golang_sign_input();
    assert_eq!(lines.len(), 128);
    for (nth, line) in lines.iter().enumerate() {
        let key = SigningKey::from_bytes(&line.seed);
        assert_eq!(
            key.verifying_key().to_bytes(),
            line.public_key,
            "line {}",
            nth + 1
        );
        assert_eq!(
            key.sign(&line.message).to_bytes(),
            line.signature,
            "line {}",
            nth + 1
        );
        let name = format!("line {}", nth + 1);
        check(
            &name,
            &line.public_key,
            &line.message,
            &line.signature,
            |_| Some(true),
        );
        // One more octet, and it is another message.
        let longer = [line.message.as_slice(), &[0]].concat();
        check(&name, &line.public_key, &longer, &line.signature, |_| {
            Some(false)
        });
    }
}
