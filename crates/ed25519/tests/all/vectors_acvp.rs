//! NIST ACVP: Ed25519 and Ed25519ph with contexts.

use crate::vectors_support::check;
use lanner_ed25519::{Signer, SigningKey, VerifyingKey};
use lanner_vectors::outside;

#[test]
fn keys() {
    let Some(files) = outside("ACVP EdDSA keys") else {
        return;
    };
    let file = files.acvp();
    for case in &file.eddsa_keygen {
        let key = SigningKey::from_bytes(&case.d);
        assert_eq!(
            key.verifying_key().to_bytes(),
            case.q,
            "case {}",
            case.tc_id
        );
    }
    for case in &file.eddsa_keyver {
        let valid = VerifyingKey::try_from(case.q.as_slice()).is_ok();
        assert_eq!(
            valid, case.test_passed,
            "case {}: {}",
            case.tc_id, case.reason
        );
    }
    assert_eq!((file.eddsa_keygen.len(), file.eddsa_keyver.len()), (3, 4));
}

#[test]
fn signatures() {
    let Some(files) = outside("ACVP EdDSA signatures") else {
        return;
    };
    let file = files.acvp();
    assert_eq!((file.eddsa_siggen.len(), file.eddsa_sigver.len()), (20, 10));
    for case in file.eddsa_siggen.iter().filter(|case| !case.prehash) {
        let key = SigningKey::from_bytes(&case.d);
        assert_eq!(
            key.sign(&case.message).to_bytes(),
            case.signature,
            "case {}",
            case.tc_id
        );
    }
    for case in file
        .eddsa_siggen
        .iter()
        .chain(&file.eddsa_sigver)
        .filter(|case| !case.prehash)
    {
        let name = format!("case {}", case.tc_id);
        check(&name, &case.q, &case.message, &case.signature, |_| {
            Some(case.valid)
        });
    }
}

#[cfg(feature = "digest")]
#[test]
fn prehashed_signatures() {
    use lanner_ed25519::{Digest, Sha512, Signature, profile};

    let Some(files) = outside("ACVP Ed25519ph") else {
        return;
    };
    let file = files.acvp();
    for case in file.eddsa_siggen.iter().filter(|case| case.prehash) {
        let key = SigningKey::from_bytes(&case.d);
        let hash = Sha512::new_with_prefix(&case.message);
        let signature = key
            .sign_prehashed(hash, Some(&case.context))
            .expect("a context");
        assert_eq!(signature.to_bytes(), case.signature, "case {}", case.tc_id);
    }
    for case in file
        .eddsa_siggen
        .iter()
        .chain(&file.eddsa_sigver)
        .filter(|case| case.prehash)
    {
        let signature = Signature::from_bytes(&case.signature);
        // A key that was spoiled may be no point; that is a refusal too.
        let verdicts = VerifyingKey::from_bytes(&case.q).map(|key| {
            let hash = || Sha512::new_with_prefix(&case.message);
            let context = Some(case.context.as_slice());
            [
                key.verify_prehashed(hash(), context, &signature).is_ok(),
                key.verify_prehashed_strict(hash(), context, &signature)
                    .is_ok(),
                key.under(profile::Rfc8032)
                    .verify_prehashed(hash(), context, &signature)
                    .is_ok(),
                key.under(profile::Zip215)
                    .verify_prehashed(hash(), context, &signature)
                    .is_ok(),
                key.under(profile::Libsodium)
                    .verify_prehashed(hash(), context, &signature)
                    .is_ok(),
            ]
        });
        assert_eq!(
            verdicts.unwrap_or([false; 5]),
            [case.valid; 5],
            "case {}",
            case.tc_id
        );
    }
}
