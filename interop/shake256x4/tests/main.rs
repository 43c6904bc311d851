//! The derivation of `lanner_fn_dsa::shake256x4` against fn-dsa 0.3 with its feature of that name: the tests that
//! `interop/tests/fn_dsa` runs against fn-dsa 0.2.

extern crate fn_dsa_02 as fn_dsa;

#[path = "../../tests/fn_dsa/fn_dsa_0_2.rs"]
mod fn_dsa_0_2;
#[allow(dead_code)]
#[path = "../../tests/fn_dsa/replay.rs"]
mod replay;

/// The first version derives as the second does.
#[test]
fn keys_and_signatures_are_those_of_fn_dsa_0_1() {
    use fn_dsa_01::{KeyPairGenerator as _, SigningKey as _, VerifyingKey as _};
    for seed in 0..20 {
        let (mut sk, mut vk) = ([0; 1281], [0; 897]);
        fn_dsa_01::KeyPairGenerator512::default().keygen(
            9,
            &mut replay::Replay::new(seed),
            &mut sk,
            &mut vk,
        );
        let mut bytes = [0; 32];
        replay::Replay::new(seed).fill(&mut bytes);
        let ours = lanner_fn_dsa::SigningKey512::from_seed_shake256x4(&bytes).unwrap();
        assert!(ours == lanner_fn_dsa::SigningKey512::from_bytes(&sk).unwrap());

        let mut theirs = [0; 666];
        fn_dsa_01::SigningKey512::decode(&sk).expect("its own key").sign(
            &mut replay::Replay::new(!seed),
            &fn_dsa_01::DOMAIN_NONE,
            &fn_dsa_01::HASH_ID_RAW,
            b"message",
            &mut theirs,
        );
        let mut signature = [0; 666];
        let id = lanner_fn_dsa::HASH_ID_RAW;
        ours.sign_bytes_compat_shake256x4(
            &mut replay::Replay::new(!seed),
            &lanner_fn_dsa::DOMAIN_NONE,
            &id,
            b"message",
            &mut signature,
        )
        .unwrap();
        assert_eq!(signature, theirs);
        let none = fn_dsa_01::DOMAIN_NONE;
        let key = fn_dsa_01::VerifyingKey512::decode(&vk).expect("its own key");
        let mut current = [0; 666];
        ours.sign_bytes(
            &mut replay::Replay::new(!seed),
            &lanner_fn_dsa::DOMAIN_NONE,
            &id,
            b"message",
            &mut current,
        )
        .unwrap();
        for signature in [&theirs, &current] {
            assert!(key.verify(signature, &none, &fn_dsa_01::HASH_ID_RAW, b"message"));
        }
    }
}

/// That the feature is on: the crate's name alone does not tell.
#[test]
fn the_source_is_shake256x4() {
    use fn_dsa_02::KeyPairGenerator as _;
    let (mut sk, mut vk) = ([0; 1281], [0; 897]);
    fn_dsa_02::KeyPairGenerator512::default().keygen(
        9,
        &mut replay::Replay::new(1),
        &mut sk,
        &mut vk,
    );
    let mut seed = [0; 32];
    replay::Replay::new(1).fill(&mut seed);
    let default = lanner_fn_dsa::SigningKey512::from_seed(&seed).unwrap();
    assert_ne!(
        lanner_fn_dsa::SigningKey512::from_bytes(&sk).unwrap(),
        default
    );
}
