//! What version 2 promises.

#![cfg(all(feature = "reusable_secrets", feature = "static_secrets"))]

use rand_core::OsRng;
use x25519_dalek::{
    EphemeralSecret, PublicKey, ReusableSecret, SharedSecret, StaticSecret, X25519_BASEPOINT_BYTES,
    x25519,
};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The ladder's first iteration of RFC 7748, section 5.2.
const ONCE: [u8; 32] = [
    0x42, 0x2c, 0x8e, 0x7a, 0x62, 0x27, 0xd7, 0xbc, 0xa1, 0x35, 0x0b, 0x3e, 0x2b, 0xb7, 0x27, 0x9f,
    0x78, 0x97, 0xb8, 0x7b, 0xb6, 0x85, 0x4b, 0x78, 0x3c, 0x60, 0xe8, 0x03, 0x11, 0xae, 0x30, 0x79,
];

#[test]
fn the_vector_of_the_rfc_by_every_way() {
    let base = X25519_BASEPOINT_BYTES;
    assert_eq!(x25519(base, base), ONCE);
    let secret = StaticSecret::from(base);
    assert_eq!(PublicKey::from(&secret).to_bytes(), ONCE);
    let shared = secret.diffie_hellman(&PublicKey::from(base));
    assert_eq!(shared.to_bytes(), ONCE);
    assert_eq!(AsRef::<[u8]>::as_ref(&shared), ONCE);
}

#[test]
fn every_kind_of_secret_agrees() {
    let kept = StaticSecret::random_from_rng(OsRng);
    let public = PublicKey::from(&kept);
    let once = EphemeralSecret::random_from_rng(&mut OsRng);
    let once_public = PublicKey::from(&once);
    assert_eq!(
        once.diffie_hellman(&public).as_bytes(),
        kept.diffie_hellman(&once_public).as_bytes()
    );
    let again = ReusableSecret::random_from_rng(OsRng);
    let again_public = PublicKey::from(&again.clone());
    for _ in 0..2 {
        assert_eq!(
            again.diffie_hellman(&public).as_bytes(),
            kept.diffie_hellman(&again_public).as_bytes()
        );
    }
}

#[test]
#[cfg(feature = "getrandom")]
fn secrets_of_the_system_differ() {
    assert_ne!(
        StaticSecret::random().to_bytes(),
        StaticSecret::random().to_bytes()
    );
    let publics = [
        PublicKey::from(&EphemeralSecret::random()),
        PublicKey::from(&ReusableSecret::random()),
    ];
    assert_ne!(publics[0], publics[1]);
}

#[test]
fn bytes_are_kept_and_not_clamped() {
    let secret = StaticSecret::from([0xff; 32]);
    assert_eq!(secret.to_bytes(), [0xff; 32]);
    assert_eq!(AsRef::<[u8]>::as_ref(&secret), [0xff; 32]);
    let public = PublicKey::from([0xff; 32]);
    assert_eq!(public.as_bytes(), &[0xff; 32]);
    // The top bit does not count, and 2^255 - 1 is 18 modulo p.
    let mut eighteen = [0; 32];
    eighteen[0] = 18;
    assert_eq!(public, PublicKey::from(eighteen));
}

#[test]
fn a_key_of_small_order_shows() {
    let secret = StaticSecret::from([1; 32]);
    let shared = secret.diffie_hellman(&PublicKey::from([0; 32]));
    assert!(!shared.was_contributory());
    assert_eq!(shared.as_bytes(), &[0; 32]);
}

#[test]
fn secrets_can_be_wiped_and_are_when_dropped() {
    fn wiped_when_dropped<T: Zeroize + ZeroizeOnDrop>(_: &T) {}
    let mut secret = StaticSecret::from([7; 32]);
    let mut shared: SharedSecret = secret.diffie_hellman(&PublicKey::from(ONCE));
    wiped_when_dropped(&secret);
    wiped_when_dropped(&shared);
    wiped_when_dropped(&EphemeralSecret::random_from_rng(OsRng));
    wiped_when_dropped(&ReusableSecret::random_from_rng(OsRng));
    secret.zeroize();
    shared.zeroize();
    assert_eq!(secret.as_bytes(), &[0; 32]);
    assert_eq!(shared.as_bytes(), &[0; 32]);
    let mut public = PublicKey::from(ONCE);
    public.zeroize();
    assert_eq!(public.as_bytes(), &[0; 32]);
}

#[test]
#[cfg(feature = "serde")]
fn serde_writes_arrays_of_32() {
    let secret = StaticSecret::from(ONCE);
    let bytes = postcard::to_allocvec(&secret).expect("serialises");
    assert_eq!(bytes, ONCE);
    let read: StaticSecret = postcard::from_bytes(&bytes).expect("reads");
    assert_eq!(read.to_bytes(), ONCE);
    let json = serde_json::to_string(&PublicKey::from(ONCE)).expect("serialises");
    assert_eq!(json, serde_json::to_string(&ONCE).expect("serialises"));
    assert!(serde_json::from_str::<PublicKey>("[1, 2, 3]").is_err());
}
