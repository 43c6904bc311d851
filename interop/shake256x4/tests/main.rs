//! The derivation of `lanner_fn_dsa::shake256x4` against fn-dsa 0.3 with its feature of that name: the tests that
//! `interop/tests/fn_dsa` runs against fn-dsa 0.2.

extern crate fn_dsa_02 as fn_dsa;

#[path = "../../tests/fn_dsa/fn_dsa_0_2.rs"]
mod fn_dsa_0_2;
#[allow(dead_code)]
#[path = "../../tests/fn_dsa/replay.rs"]
mod replay;

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
