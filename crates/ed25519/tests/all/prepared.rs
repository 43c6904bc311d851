//! A key with tables gives the verdicts of the key without.
#![cfg(feature = "fast")]

use crate::common::items::{Item, honest, item};
use ed25519::signature::MultipartVerifier;
use lanner_curve::edwards::EdwardsPoint;
use lanner_ed25519::profile::{Dalek, ProfileName, Strict, Zip215};
use lanner_ed25519::{
    PreparedVerifyingKey, Signature, SignatureError, SigningKey, Verifier, VerifyingKey,
};
use lanner_vectors::own;
use proptest::prelude::*;

/// Verifies in every way, with tables and without, and compares.
fn check(key: &VerifyingKey, message: &[u8], signature: &Signature) -> Vec<bool> {
    let prepared = PreparedVerifyingKey::new(key);
    let same = |one: Result<(), SignatureError>, other: Result<(), SignatureError>| {
        assert_eq!(one.is_ok(), other.is_ok(), "{key:?} {signature:?}");
    };
    same(
        prepared.verify(message, signature),
        key.verify(message, signature),
    );
    same(
        prepared.multipart_verify(&[message, b""], signature),
        key.verify(message, signature),
    );
    same(
        prepared.verify_strict(message, signature),
        key.verify_strict(message, signature),
    );
    same(
        prepared.under(Zip215).verify(message, signature),
        key.under(Zip215).verify(message, signature),
    );
    same(
        prepared
            .under(Strict)
            .verify_stream(signature)
            .and_then(|mut verifier| {
                verifier.update(message);
                verifier.finalize_and_verify()
            }),
        key.under(Strict).verify(message, signature),
    );
    #[cfg(feature = "hazmat")]
    same(
        prepared.verify_stream(signature).and_then(|mut verifier| {
            verifier.update(message);
            verifier.finalize_and_verify()
        }),
        key.verify(message, signature),
    );
    ProfileName::ALL
        .iter()
        .map(|&profile| {
            let singly = key.under(profile).verify(message, signature);
            let valid = singly.is_ok();
            let bytes = key.as_bytes();
            same(
                VerifyingKey::verify_from_bytes(bytes, profile, message, signature),
                key.under(profile).verify(message, signature),
            );
            same(prepared.under(profile).verify(message, signature), singly);
            let streamed =
                prepared
                    .under(profile)
                    .verify_stream(signature)
                    .and_then(|mut verifier| {
                        for piece in message.chunks(5) {
                            verifier.update(piece);
                        }
                        verifier.finalize_and_verify()
                    });
            assert_eq!(streamed.is_ok(), valid, "{profile} {key:?} {signature:?}");
            valid
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn equals_the_key_without_tables((key, message, signature) in item()) {
        check(&key, &message, &signature);
    }
}

/// Torsion in A and R of every class, which the tables must not lose.
#[test]
fn torsion_counts_as_without_tables() {
    let mut verdicts = [0; 2];
    for a_class in 0..8 {
        for r_class in 0..8 {
            for m in 0..4 {
                let (key, signature) = crate::common::forge(5, 9, a_class, r_class, &[m]);
                check(&key, &[m], &signature);
                let prepared = PreparedVerifyingKey::from(key);
                let valid = prepared.under(Dalek).verify(&[m], &signature).is_ok();
                verdicts[usize::from(valid)] += 1;
                assert!(prepared.under(Zip215).verify(&[m], &signature).is_ok());
            }
        }
    }
    assert!(verdicts[0] > 100 && verdicts[1] > 10, "{verdicts:?}");
}

#[test]
fn the_vectors_have_their_verdicts() {
    let mut checked = 0;
    for case in &own::verify().cases {
        let Ok(key) = VerifyingKey::from_bytes(&case.key) else {
            assert!(PreparedVerifyingKey::from_bytes(&case.key).is_err());
            let signature = Signature::from_bytes(&case.sig);
            for &profile in ProfileName::ALL {
                assert!(
                    VerifyingKey::verify_from_bytes(&case.key, profile, &case.msg, &signature)
                        .is_err()
                );
            }
            continue;
        };
        let verdicts = check(&key, &case.msg, &Signature::from_bytes(&case.sig));
        for (profile, valid) in ProfileName::ALL.iter().zip(verdicts) {
            let stated = case.accepted_by(profile.as_str());
            assert_eq!(valid, stated, "case {} {profile}", case.id);
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn contexts_and_prehashes() {
    let signing_key = SigningKey::from_bytes(&[8; 32]);
    let prepared = PreparedVerifyingKey::new(&signing_key.verifying_key());
    let (context, message) = (&b"example v1"[..], &b"message"[..]);

    let signature = signing_key.sign_ctx(context, message).unwrap();
    assert!(
        prepared
            .under(Strict)
            .verify_ctx(context, message, &signature)
            .is_ok()
    );
    assert!(
        prepared
            .under(Strict)
            .verify_ctx(b"other", message, &signature)
            .is_err()
    );
    assert!(
        prepared
            .under(Strict)
            .verify_ctx(b"", message, &signature)
            .is_err()
    );
    assert!(prepared.verify(message, &signature).is_err());
    let zip215 = prepared
        .under(Zip215)
        .verify_ctx(context, message, &signature);
    assert!(zip215.is_ok());
    for (ctx, expected) in [(context, true), (b"other", false)] {
        let mut verifier = prepared
            .under(Strict)
            .verify_stream_ctx(ctx, &signature)
            .unwrap();
        verifier.update(b"mess");
        verifier.update(b"age");
        assert_eq!(verifier.finalize_and_verify().is_ok(), expected);
    }
    assert!(
        prepared
            .under(Strict)
            .verify_stream_ctx(b"", &signature)
            .is_err()
    );
    let (weak, forgery) = crate::common::identity_forgery(5);
    let weak = PreparedVerifyingKey::new(&weak);
    assert!(
        weak.under(Strict)
            .verify_stream_ctx(context, &forgery)
            .is_err()
    );

    #[cfg(feature = "digest")]
    {
        use lanner_ed25519::{Digest, DigestVerifier, Sha512};
        let hash = || Sha512::new_with_prefix(message);
        for value in [None, Some(context)] {
            let signature = signing_key.sign_prehashed(hash(), value).unwrap();
            let other = Some(&b"other"[..]);
            assert!(prepared.verify_prehashed(hash(), value, &signature).is_ok());
            assert!(
                prepared
                    .verify_prehashed(hash(), other, &signature)
                    .is_err()
            );
            let strict = prepared.verify_prehashed_strict(hash(), value, &signature);
            assert!(strict.is_ok());
            let zip215 = prepared
                .under(Zip215)
                .verify_prehashed(hash(), value, &signature);
            assert!(zip215.is_ok());
            let absorb = |digest: &mut Sha512| {
                Digest::update(digest, message);
                Ok(())
            };
            let digest = prepared.verify_digest(absorb, &signature).is_ok();
            assert_eq!(digest, value.is_none());
        }
        let hash = hash();
        assert!(weak.verify_prehashed(hash.clone(), None, &forgery).is_ok());
        assert!(weak.verify_prehashed_strict(hash, None, &forgery).is_err());
    }
}

#[test]
fn the_key_comes_back() {
    let (key, _, _): Item = honest(3);
    let prepared = PreparedVerifyingKey::new(&key);
    assert_eq!(prepared.verifying_key(), key);
    assert_eq!(prepared.as_ref(), &key);
    assert_eq!(
        PreparedVerifyingKey::from_bytes(key.as_bytes())
            .unwrap()
            .verifying_key(),
        key
    );
    let bytes: String = key.as_bytes().iter().map(|b| format!("{b:02x}")).collect();
    assert!(format!("{prepared:?}").contains(&bytes));
    assert!(PreparedVerifyingKey::from_bytes(&[2; 32]).is_err());
    // The tables are of this point and no other.
    let (signer, message, signature) = honest(4);
    let mixed = PreparedVerifyingKey::from(VerifyingKey::from(EdwardsPoint::from(key)));
    assert!(mixed.verify(&message, &signature).is_err());
    let prepared: PreparedVerifyingKey = (&signer).into();
    assert!(prepared.clone().verify(&message, &signature).is_ok());
    assert!(prepared.verify(b"other", &honest(4).2).is_err());
}
