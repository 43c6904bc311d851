//! What version 3 promises: the items are Lanner's own, whose tests stand beside them.

#![cfg(all(feature = "reusable_secrets", feature = "static_secrets"))]

use getrandom::{SysRng, rand_core::UnwrapErr};
use x25519_dalek::{
    EphemeralSecret, PublicKey, ReusableSecret, StaticSecret, X25519_BASEPOINT_BYTES, x25519,
};

#[test]
fn every_kind_of_secret_agrees() {
    let mut rng = UnwrapErr(SysRng);
    let kept = StaticSecret::random_from_rng(&mut rng);
    let public = PublicKey::from(&kept);
    assert_eq!(
        public.to_bytes(),
        x25519(kept.to_bytes(), X25519_BASEPOINT_BYTES)
    );
    let once = EphemeralSecret::random_from_rng(&mut rng);
    let once_public = PublicKey::from(&once);
    assert_eq!(
        once.diffie_hellman(&public).as_bytes(),
        kept.diffie_hellman(&once_public).as_bytes()
    );
    let again = ReusableSecret::random_from_rng(&mut rng);
    let again_public = PublicKey::from(&again);
    assert_eq!(
        again.diffie_hellman(&public).as_bytes(),
        kept.diffie_hellman(&again_public).as_bytes()
    );
    assert!(
        !again
            .diffie_hellman(&PublicKey::from([0; 32]))
            .was_contributory()
    );
}

#[test]
fn it_is_lanner() {
    let key: lanner_x25519::PublicKey = PublicKey::from([9; 32]);
    assert_eq!(key.as_bytes(), &[9; 32]);
}

/// Trees count on the macros that the original brings along.
#[test]
#[cfg(feature = "serde")]
fn serde_comes_with_its_macros() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Record(PublicKey);

    fn both<T: serde::Serialize + for<'de> serde::Deserialize<'de>>() {}
    both::<Record>();
}
