//! Many public keys and many shared secrets at once are the single ones, on every backend.
#![cfg(feature = "static_secrets")]

use lanner_curve::backend;
use lanner_x25519::{
    PublicKey, StaticSecret, X25519_BASEPOINT_BYTES, x25519, x25519_base_each, x25519_each,
};
use proptest::prelude::*;
use std::sync::Mutex;

fn check(secrets: &[[u8; 32]]) {
    let mut public_keys = vec![[0xff; 32]; secrets.len()];
    x25519_base_each(secrets, &mut public_keys);
    let typed: Vec<StaticSecret> = secrets.iter().copied().map(StaticSecret::from).collect();
    let mut typed_keys = vec![PublicKey::from([0xff; 32]); secrets.len()];
    StaticSecret::public_keys_each(&typed, &mut typed_keys);
    for (i, secret) in secrets.iter().enumerate() {
        let expected = x25519(*secret, X25519_BASEPOINT_BYTES);
        assert_eq!(public_keys[i], expected);
        assert_eq!(typed_keys[i].to_bytes(), expected);
        assert_eq!(PublicKey::from(&typed[i]).to_bytes(), expected);
    }
    // With each other's, in another order.
    public_keys.reverse();
    let mut shared = vec![[0xff; 32]; secrets.len()];
    x25519_each(secrets, &public_keys, &mut shared);
    for (i, shared) in shared.iter().enumerate() {
        assert_eq!(*shared, x25519(secrets[i], public_keys[i]));
    }
}

fn on_every_backend(test: impl Fn()) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap();
    for backend in backend::list() {
        backend::force(backend).expect("a listed backend can run");
        test();
    }
}

#[test]
fn every_number_of_keys() {
    on_every_backend(|| {
        for count in 0..=33 {
            let secrets = (0..count).map(|i| core::array::from_fn(|k| (i * 89 + k * 7 + 1) as u8));
            check(&secrets.collect::<Vec<_>>());
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_keys(secrets in prop::collection::vec(any::<[u8; 32]>(), 0..34)) {
        on_every_backend(|| check(&secrets));
    }
}

#[test]
#[should_panic(expected = "assertion")]
fn as_many_places_as_secrets() {
    x25519_base_each(&[[1; 32]; 2], &mut [[0; 32]]);
}

#[test]
#[should_panic(expected = "assertion")]
fn as_many_points_as_secrets() {
    x25519_each(&[[1; 32]; 2], &[[9; 32]], &mut [[0; 32]; 2]);
}

#[test]
#[should_panic(expected = "assertion")]
fn as_many_places_as_shared_secrets() {
    x25519_each(&[[1; 32]; 2], &[[9; 32]; 2], &mut [[0; 32]]);
}
