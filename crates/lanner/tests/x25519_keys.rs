//! Ed25519 keys serve for X25519 after conversion.
#![cfg(all(feature = "ed25519", feature = "x25519"))]

use lanner::ed25519::SigningKey;
use lanner::x25519::{PublicKey, StaticSecret, x25519};

#[test]
fn converted_keys_agree() {
    for i in 0..20u8 {
        let ours = SigningKey::from_bytes(&[i; 32]);
        let theirs = SigningKey::from_bytes(&[i + 100; 32]);

        let secret = StaticSecret::from(ours.to_x25519_secret_bytes());
        let public = ours.verifying_key().to_x25519_public_bytes().unwrap();
        assert_eq!(PublicKey::from(&secret).to_bytes(), public);

        let their_secret = StaticSecret::from(theirs.to_x25519_secret_bytes());
        let their_public = theirs.verifying_key().to_x25519_public_bytes().unwrap();
        let shared = secret.diffie_hellman(&PublicKey::from(their_public));
        let their_shared = their_secret.diffie_hellman(&PublicKey::from(public));
        assert_eq!(shared.as_bytes(), their_shared.as_bytes());
        assert!(shared.was_contributory());

        // Clamped already, and the same key as the bytes that are not.
        let clamped = ours.to_x25519_secret_bytes();
        assert_eq!((clamped[0] & 7, clamped[31] >> 6), (0, 1));
        assert_eq!(
            x25519(ours.to_scalar_bytes(), their_public),
            *shared.as_bytes()
        );
    }
}
