//! The draft guess against fn-dsa 0.4, for every degree: the same bytes from the same
//! randomness.

use fn_dsa_04::{
    KeyPairGenerator as _, SigningKey as TheirSigningKey, VerifyingKey as TheirVerifyingKey,
};
use lanner_fn_dsa::draft2026::{
    self, KeyPairGenerator as _, SigningKey as _, VerifyingKey as _, sign_key_size, signature_size,
    vrfy_key_size,
};
use lanner_interop::{bytes, hex, start};

use crate::replay::{Replay, one_bit_changed, some_bytes, spoiled};

const IDS: [&[u8]; 11] = [
    draft2026::HASH_ID_RAW.0,
    draft2026::HASH_ID_EXTMU.0,
    draft2026::HASH_ID_SHA256.0,
    draft2026::HASH_ID_SHA384.0,
    draft2026::HASH_ID_SHA512.0,
    draft2026::HASH_ID_SHA512_256.0,
    draft2026::HASH_ID_SHA3_256.0,
    draft2026::HASH_ID_SHA3_384.0,
    draft2026::HASH_ID_SHA3_512.0,
    draft2026::HASH_ID_SHAKE128.0,
    draft2026::HASH_ID_SHAKE256.0,
];

#[test]
fn the_identifiers_are_the_same() {
    let theirs = [
        fn_dsa_04::HASH_ID_RAW.0,
        fn_dsa_04::HASH_ID_EXTMU.0,
        fn_dsa_04::HASH_ID_SHA256.0,
        fn_dsa_04::HASH_ID_SHA384.0,
        fn_dsa_04::HASH_ID_SHA512.0,
        fn_dsa_04::HASH_ID_SHA512_256.0,
        fn_dsa_04::HASH_ID_SHA3_256.0,
        fn_dsa_04::HASH_ID_SHA3_384.0,
        fn_dsa_04::HASH_ID_SHA3_512.0,
        fn_dsa_04::HASH_ID_SHAKE128.0,
        fn_dsa_04::HASH_ID_SHAKE256.0,
    ];
    assert_eq!(IDS, theirs);
    for logn in 2..=10 {
        assert_eq!(sign_key_size(logn), fn_dsa_04::sign_key_size(logn));
        assert_eq!(vrfy_key_size(logn), fn_dsa_04::vrfy_key_size(logn));
        assert_eq!(signature_size(logn), fn_dsa_04::signature_size(logn));
    }
}

/// One key pair and one signature from one seed.
macro_rules! round {
    ($name:ident, $generator:ident, $signing:ident, $verifying:ident) => {
        fn $name(logn: u32, rng: &mut fastrand::Rng) {
            let seed = rng.u64(..);
            let context = || format!("logn {logn}, seed {seed}");

            let mut sk = vec![0; sign_key_size(logn)];
            let mut vk = vec![0; vrfy_key_size(logn)];
            let random = &mut Replay::new(seed);
            draft2026::$generator::default().keygen(logn, random, &mut sk, &mut vk);
            let mut their_sk = vec![0; sk.len()];
            let mut their_vk = vec![0; vk.len()];
            let random = &mut Replay::new(seed);
            fn_dsa_04::$generator::default().keygen(logn, random, &mut their_sk, &mut their_vk);
            assert_eq!(hex(&sk), hex(&their_sk), "{}", context());
            assert_eq!(hex(&vk), hex(&their_vk), "{}", context());

            let mut ours = draft2026::$signing::decode(&their_sk).expect("their key");
            let mut theirs =
                <fn_dsa_04::$signing as TheirSigningKey>::decode(&sk).expect("our key");
            let our_public = draft2026::$verifying::decode(&their_vk).expect("their key");
            let their_public =
                <fn_dsa_04::$verifying as TheirVerifyingKey>::decode(&vk).expect("our key");

            let id = IDS[rng.usize(..IDS.len())];
            // Beside a mu from outside the context is not read, and so may be longer than any other.
            let external = id == draft2026::HASH_ID_EXTMU.0;
            let domain = some_bytes(rng, if external { 600 } else { 255 });
            let message = if external {
                bytes(rng, 64)
            } else {
                some_bytes(rng, 300)
            };
            if !external {
                let hashed = draft2026::hashed_vrfykey_from_vrfykey(&vk);
                assert_eq!(hashed, draft2026::hashed_vrfykey_from_signkey(&sk));
                let mu = draft2026::compute_mu(
                    &hashed,
                    &draft2026::DomainContext(&domain),
                    &draft2026::HashIdentifier(id),
                    &message,
                );
                let their_mu = fn_dsa_04::compute_mu(
                    &hashed,
                    &fn_dsa_04::DomainContext(&domain),
                    &fn_dsa_04::HashIdentifier(id),
                    &message,
                );
                assert_eq!(hex(&mu), hex(&their_mu[..]), "{}", context());
            }

            let mut signature = vec![0; signature_size(logn)];
            ours.sign(
                &mut Replay::new(seed ^ 1),
                &draft2026::DomainContext(&domain),
                &draft2026::HashIdentifier(id),
                &message,
                &mut signature,
            )
            .expect("signs");
            let mut their_signature = vec![0; signature.len()];
            theirs
                .sign(
                    &mut Replay::new(seed ^ 1),
                    &fn_dsa_04::DomainContext(&domain),
                    &fn_dsa_04::HashIdentifier(id),
                    &message,
                    &mut their_signature,
                )
                .expect("signs");
            assert_eq!(hex(&signature), hex(&their_signature), "{}", context());

            let verdicts = |signature: &[u8], id: &[u8], message: &[u8], domain: &[u8]| {
                let ours = our_public.verify(
                    signature,
                    &draft2026::DomainContext(domain),
                    &draft2026::HashIdentifier(id),
                    message,
                );
                let theirs = their_public.verify(
                    signature,
                    &fn_dsa_04::DomainContext(domain),
                    &fn_dsa_04::HashIdentifier(id),
                    message,
                );
                assert_eq!(ours, theirs, "{}, signature {}", context(), hex(signature));
                ours
            };
            assert!(verdicts(&signature, id, &message, &domain), "{}", context());
            let mut other = message.clone();
            other.push(1);
            if external {
                other.remove(0);
            }
            assert!(!verdicts(&signature, id, &other, &domain), "{}", context());
            if logn <= 8 && seed % 8 == 0 {
                for bad in one_bit_changed(&signature, 41) {
                    let valid = verdicts(&bad, id, &message, &domain);
                    assert!(logn <= 4 || !valid, "{}", context());
                }
            }
            for _ in 0..8 {
                let bad = spoiled(rng, &signature);
                let valid = verdicts(&bad, id, &message, &domain);
                assert!(logn <= 4 || !valid, "{}", context());
            }
            for _ in 0..4 {
                let bad = spoiled(rng, &vk);
                let ours = draft2026::$verifying::decode(&bad);
                let theirs = <fn_dsa_04::$verifying as TheirVerifyingKey>::decode(&bad);
                assert_eq!(ours.is_some(), theirs.is_some(), "{}", hex(&bad));
            }
        }
    };
}

round!(weak, KeyPairGeneratorWeak, SigningKeyWeak, VerifyingKeyWeak);
round!(
    standard,
    KeyPairGeneratorStandard,
    SigningKeyStandard,
    VerifyingKeyStandard
);

#[test]
fn keys_and_signatures_bit_for_bit() {
    let mut rng = start("fn-dsa 0.4");
    let mut seeds = 0;
    for (logn, count) in [
        (2, 140),
        (3, 140),
        (4, 140),
        (5, 140),
        (6, 140),
        (7, 120),
        (8, 100),
    ] {
        for _ in 0..count {
            weak(logn, &mut rng);
            seeds += 1;
        }
    }
    for (logn, count) in [(9, 50), (10, 30)] {
        for _ in 0..count {
            standard(logn, &mut rng);
            seeds += 1;
        }
    }
    assert!(seeds >= 1000, "{seeds} seeds");
}

#[test]
#[ignore = "long: a thousand keys and signatures of every degree"]
fn keys_and_signatures_bit_for_bit_long() {
    let mut rng = start("fn-dsa 0.4, long");
    for _ in 0..1_000 {
        for logn in 2..=8 {
            weak(logn, &mut rng);
        }
        standard(9, &mut rng);
        standard(10, &mut rng);
    }
}
