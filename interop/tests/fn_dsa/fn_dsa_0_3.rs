//! The main variant against fn-dsa 0.3, for every degree.

use fn_dsa::{
    KeyPairGenerator as _, SigningKey as TheirSigningKey, VerifyingKey as TheirVerifyingKey,
};
use lanner_fn_dsa::{
    KeyPairGenerator as _, SigningKey as _, VerifyingKey as _, sign_key_size, signature_size,
    vrfy_key_size,
};
use lanner_interop::{hex, start};

use crate::replay::{Replay, one_bit_changed, some_bytes, spoiled};

/// Every way to say what is signed, in both crates.
const IDS: [&[u8]; 11] = [
    lanner_fn_dsa::HASH_ID_RAW.0,
    lanner_fn_dsa::HASH_ID_ORIGINAL_FALCON.0,
    lanner_fn_dsa::HASH_ID_SHA256.0,
    lanner_fn_dsa::HASH_ID_SHA384.0,
    lanner_fn_dsa::HASH_ID_SHA512.0,
    lanner_fn_dsa::HASH_ID_SHA512_256.0,
    lanner_fn_dsa::HASH_ID_SHA3_256.0,
    lanner_fn_dsa::HASH_ID_SHA3_384.0,
    lanner_fn_dsa::HASH_ID_SHA3_512.0,
    lanner_fn_dsa::HASH_ID_SHAKE128.0,
    lanner_fn_dsa::HASH_ID_SHAKE256.0,
];

#[test]
fn the_identifiers_are_the_same() {
    let theirs = [
        fn_dsa::HASH_ID_RAW.0,
        fn_dsa::HASH_ID_ORIGINAL_FALCON.0,
        fn_dsa::HASH_ID_SHA256.0,
        fn_dsa::HASH_ID_SHA384.0,
        fn_dsa::HASH_ID_SHA512.0,
        fn_dsa::HASH_ID_SHA512_256.0,
        fn_dsa::HASH_ID_SHA3_256.0,
        fn_dsa::HASH_ID_SHA3_384.0,
        fn_dsa::HASH_ID_SHA3_512.0,
        fn_dsa::HASH_ID_SHAKE128.0,
        fn_dsa::HASH_ID_SHAKE256.0,
    ];
    assert_eq!(IDS, theirs);
    for logn in 2..=10 {
        assert_eq!(sign_key_size(logn), fn_dsa::sign_key_size(logn));
        assert_eq!(vrfy_key_size(logn), fn_dsa::vrfy_key_size(logn));
        assert_eq!(signature_size(logn), fn_dsa::signature_size(logn));
    }
}

/// How often something was met, so that a test can tell that it was a test.
#[derive(Default)]
struct Met {
    keys_refused: u32,
    keys_read: u32,
}

/// One key pair from one seed, made by both; signatures of both, seen by both.
macro_rules! round {
    ($name:ident, $generator:ident, $signing:ident, $verifying:ident) => {
        fn $name(logn: u32, rng: &mut fastrand::Rng, met: &mut Met) {
            let seed = rng.u64(..);
            let context = || format!("logn {logn}, seed {seed}");

            // Keys.
            let mut sk = vec![0; sign_key_size(logn)];
            let mut vk = vec![0; vrfy_key_size(logn)];
            lanner_fn_dsa::$generator::default().keygen(
                logn,
                &mut Replay::new(seed),
                &mut sk,
                &mut vk,
            );
            let mut their_sk = vec![0; sk.len()];
            let mut their_vk = vec![0; vk.len()];
            fn_dsa::$generator::default().keygen(
                logn,
                &mut Replay::new(seed),
                &mut their_sk,
                &mut their_vk,
            );
            assert_eq!(hex(&sk), hex(&their_sk), "{}", context());
            assert_eq!(hex(&vk), hex(&their_vk), "{}", context());
            let ours = lanner_fn_dsa::$signing::decode(&their_sk).expect("their key");
            let mut theirs = <fn_dsa::$signing as TheirSigningKey>::decode(&sk).expect("our key");
            let our_public = lanner_fn_dsa::$verifying::decode(&their_vk).expect("their key");
            let their_public =
                <fn_dsa::$verifying as TheirVerifyingKey>::decode(&vk).expect("our key");

            // Signatures.
            let id = IDS[rng.usize(..IDS.len())];
            let (message, domain) = (some_bytes(rng, 300), some_bytes(rng, 255));
            let verdicts = |signature: &[u8], id: &[u8], message: &[u8], domain: &[u8]| {
                let ours = our_public.verify(
                    signature,
                    &lanner_fn_dsa::DomainContext(domain),
                    &lanner_fn_dsa::HashIdentifier(id),
                    message,
                );
                let theirs = their_public.verify(
                    signature,
                    &fn_dsa::DomainContext(domain),
                    &fn_dsa::HashIdentifier(id),
                    message,
                );
                assert_eq!(ours, theirs, "{}, signature {}", context(), hex(signature));
                ours
            };
            let mut signature = vec![0; signature_size(logn)];
            ours.sign(
                &mut Replay::new(seed ^ 1),
                &lanner_fn_dsa::DomainContext(&domain),
                &lanner_fn_dsa::HashIdentifier(id),
                &message,
                &mut signature,
            );
            assert!(verdicts(&signature, id, &message, &domain), "{}", context());
            theirs.sign(
                &mut Replay::new(seed ^ 2),
                &fn_dsa::DomainContext(&domain),
                &fn_dsa::HashIdentifier(id),
                &message,
                &mut signature,
            );
            assert!(verdicts(&signature, id, &message, &domain), "{}", context());
            let mut same = vec![0; signature.len()];
            ours.sign_bytes_compat(
                &mut Replay::new(seed ^ 2),
                &lanner_fn_dsa::DomainContext(&domain),
                &lanner_fn_dsa::HashIdentifier(id),
                &message,
                &mut same,
            )
            .expect("signs");
            assert_eq!(hex(&same), hex(&signature), "{}", context());

            // What is not valid.
            let other = IDS[rng.usize(..IDS.len())];
            if other != id {
                assert!(
                    !verdicts(&signature, other, &message, &domain),
                    "{}",
                    context()
                );
            }
            let longer = [&message[..], b"x"].concat();
            assert!(!verdicts(&signature, id, &longer, &domain), "{}", context());
            let shorter = &domain[..domain.len() / 2];
            if shorter != domain && id != lanner_fn_dsa::HASH_ID_ORIGINAL_FALCON.0 {
                assert!(
                    !verdicts(&signature, id, &message, shorter),
                    "{}",
                    context()
                );
            }
            if logn <= 8 {
                for bad in one_bit_changed(&signature, 41) {
                    let valid = verdicts(&bad, id, &message, &domain);
                    assert!(logn <= 4 || !valid, "{}", context());
                }
            }
            for _ in 0..8 {
                let bad = spoiled(rng, &signature);
                // A flipped coefficient may leave a toy signature short enough.
                let valid = verdicts(&bad, id, &message, &domain);
                assert!(logn <= 4 || !valid, "{}", context());
            }
            assert!(!verdicts(&signature[1..], id, &message, &domain));
            assert!(!verdicts(&[], id, &message, &domain));

            // Spoiled keys: read by both or by neither.
            for _ in 0..4 {
                let bad = spoiled(rng, &vk);
                let ours = lanner_fn_dsa::$verifying::decode(&bad);
                let theirs = <fn_dsa::$verifying as TheirVerifyingKey>::decode(&bad);
                assert_eq!(ours.is_some(), theirs.is_some(), "{}", hex(&bad));
                match ours {
                    Some(_) => met.keys_read += 1,
                    None => met.keys_refused += 1,
                }
                // Ours may refuse a secret that is none where theirs reads it, never the reverse.
                let bad = spoiled(rng, &sk);
                if lanner_fn_dsa::$signing::decode(&bad).is_some() {
                    let theirs = <fn_dsa::$signing as TheirSigningKey>::decode(&bad);
                    assert!(theirs.is_some(), "{}", hex(&bad));
                }
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
round!(of_512, KeyPairGenerator512, SigningKey512, VerifyingKey512);
round!(
    of_1024,
    KeyPairGenerator1024,
    SigningKey1024,
    VerifyingKey1024
);

/// `toys` rounds for each toy degree, `real` for each of 512 and 1024.
fn rounds(toys: u32, real: u32) {
    let mut rng = start("fn-dsa 0.3");
    let met = &mut Met::default();
    for logn in 2..=8 {
        for _ in 0..toys {
            weak(logn, &mut rng, met);
        }
    }
    for i in 0..real {
        match i % 3 {
            0 => of_512(9, &mut rng, met),
            _ => standard(9, &mut rng, met),
        }
        match i % 3 {
            0 => of_1024(10, &mut rng, met),
            _ => standard(10, &mut rng, met),
        }
    }
    assert!(met.keys_refused > 0 && met.keys_read > 0, "both outcomes");
}

#[test]
fn keys_signatures_and_verdicts() {
    rounds(40, 20);
}

#[test]
#[ignore = "long: thousands of keys of every degree"]
fn keys_signatures_and_verdicts_long() {
    rounds(1_000, 500);
}

/// Signatures of degree 512 from a fresh generator each: everybody accepts all of them.
#[test]
#[ignore = "long: 10,000 signatures"]
fn no_signature_is_rejected_long() {
    use pqcrypto_falcon::falconpadded512;
    use pqcrypto_traits::sign::{DetachedSignature as _, PublicKey as _};

    let mut rng = start("no signature is rejected");
    for key in 0..100 {
        let seed = lanner_interop::array(&mut rng);
        let ours = lanner_fn_dsa::SigningKey512::from_seed(&seed).expect("a key");
        let our_public = ours.verifying_key();
        let mut vk = [0; 897];
        our_public.write_bytes(&mut vk).expect("the length");
        let their_public = fn_dsa::VerifyingKey512::decode(&vk).expect("our key");
        let pqclean_public = falconpadded512::PublicKey::from_bytes(&vk).expect("our key");
        for i in 0..100 {
            let message = some_bytes(&mut rng, 100);
            let domain = some_bytes(&mut rng, 10);
            let mut signature = [0; 666];
            let random = &mut Replay::new(rng.u64(..));
            ours.sign_bytes(
                random,
                &lanner_fn_dsa::DomainContext(&domain),
                &lanner_fn_dsa::HASH_ID_RAW,
                &message,
                &mut signature,
            )
            .expect("signs");
            assert!(
                our_public.verify(
                    &signature,
                    &lanner_fn_dsa::DomainContext(&domain),
                    &lanner_fn_dsa::HASH_ID_RAW,
                    &message
                ),
                "key {key}, signature {i}"
            );
            assert!(
                their_public.verify(
                    &signature,
                    &fn_dsa::DomainContext(&domain),
                    &fn_dsa::HASH_ID_RAW,
                    &message
                ),
                "key {key}, signature {i}"
            );
            // And as original Falcon.
            let length = lanner_fn_dsa::falcon::sign(
                &lanner_fn_dsa::falcon::SigningKey512::dangerous_from_fn_dsa(&ours),
                random,
                &message,
                lanner_fn_dsa::falcon::Encoding::Padded,
                &mut signature,
            );
            assert_eq!(length, Ok(666));
            let detached =
                falconpadded512::DetachedSignature::from_bytes(&signature).expect("a signature");
            assert!(
                falconpadded512::verify_detached_signature(&detached, &message, &pqclean_public)
                    .is_ok(),
                "key {key}, signature {i}"
            );
        }
    }
}
