//! The derivation of fn-dsa 0.2 against that crate, for every degree: the same keys and signatures from the same
//! random bytes. `interop/shake256x4` runs this file against fn-dsa 0.3 with its feature `shake256x4` as well.

use fn_dsa_02::{KeyPairGenerator as _, SigningKey as _, VerifyingKey as _};
use lanner_fn_dsa::shake256x4;
use lanner_fn_dsa::{KeyPairGenerator as _, sign_key_size, signature_size, vrfy_key_size};
use lanner_interop::{hex, start};

use crate::replay::{Replay, some_bytes};

/// What may be signed.
const IDS: [&[u8]; 3] = [
    lanner_fn_dsa::HASH_ID_RAW.0,
    lanner_fn_dsa::HASH_ID_ORIGINAL_FALCON.0,
    lanner_fn_dsa::HASH_ID_SHA3_256.0,
];

macro_rules! round {
    ($name:ident, $generator:ident, $signing:ident, $verifying:ident) => {
        fn $name(logn: u32, rng: &mut fastrand::Rng) {
            let seed = rng.u64(..);
            let context = || format!("logn {logn}, seed {seed}");

            let (mut sk, mut vk) = (vec![0; sign_key_size(logn)], vec![0; vrfy_key_size(logn)]);
            shake256x4::$generator::default().keygen(
                logn,
                &mut Replay::new(seed),
                &mut sk,
                &mut vk,
            );
            let (mut their_sk, mut their_vk) = (vec![0; sk.len()], vec![0; vk.len()]);
            fn_dsa_02::$generator::default().keygen(
                logn,
                &mut Replay::new(seed),
                &mut their_sk,
                &mut their_vk,
            );
            assert_eq!(hex(&sk), hex(&their_sk), "{}", context());
            assert_eq!(hex(&vk), hex(&their_vk), "{}", context());

            // The same key as a value, and another one by the default derivation.
            let mut bytes = [0; 32];
            Replay::new(seed).fill(&mut bytes);
            let ours =
                lanner_fn_dsa::$signing::from_seed_of_degree_shake256x4(logn, &bytes).unwrap();
            let mut encoded = vec![0; sk.len()];
            ours.write_bytes(&mut encoded).unwrap();
            assert_eq!(hex(&encoded), hex(&sk), "{}", context());
            if logn >= 5 {
                let other = lanner_fn_dsa::$signing::from_seed_of_degree(logn, &bytes).unwrap();
                assert_ne!(ours, other, "{}", context());
            }

            let id = IDS[rng.usize(..IDS.len())];
            let (message, domain) = (some_bytes(rng, 300), some_bytes(rng, 255));
            let mut signature = vec![0; signature_size(logn)];
            ours.sign_bytes_compat_shake256x4(
                &mut Replay::new(seed ^ 1),
                &lanner_fn_dsa::DomainContext(&domain),
                &lanner_fn_dsa::HashIdentifier(id),
                &message,
                &mut signature,
            )
            .unwrap();
            let mut their_signature = vec![0; signature.len()];
            fn_dsa_02::$signing::decode(&sk).expect("our key").sign(
                &mut Replay::new(seed ^ 1),
                &fn_dsa_02::DomainContext(&domain),
                &fn_dsa_02::HashIdentifier(id),
                &message,
                &mut their_signature,
            );
            assert_eq!(hex(&signature), hex(&their_signature), "{}", context());
            let verifying = fn_dsa_02::$verifying::decode(&vk).expect("our key");
            for (right, message) in [(true, &message[..]), (false, b"another message")] {
                let verdict = verifying.verify(
                    &signature,
                    &fn_dsa_02::DomainContext(&domain),
                    &fn_dsa_02::HashIdentifier(id),
                    message,
                );
                assert_eq!(verdict, right, "{}", context());
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
    let mut rng = start("fn-dsa 0.2");
    for logn in 2..=8 {
        for _ in 0..toys {
            weak(logn, &mut rng);
        }
    }
    for i in 0..real {
        match i % 4 {
            0 => standard(9, &mut rng),
            _ => of_512(9, &mut rng),
        }
        match i % 4 {
            0 => standard(10, &mut rng),
            _ => of_1024(10, &mut rng),
        }
    }
}

#[test]
fn fn_dsa_0_2_derives_the_same() {
    rounds(20, 8);
}

#[test]
#[ignore = "long: 1,000 seeds of every degree"]
fn fn_dsa_0_2_derives_the_same_long() {
    rounds(1_000, 1_000);
}
