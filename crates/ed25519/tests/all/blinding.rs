//! Key blinding and its companions.
#![cfg(feature = "hazmat")]

use lanner_curve::constants::ED25519_BASEPOINT_POINT as B;
use lanner_curve::scalar::{Scalar, clamp_integer};
use lanner_ed25519::hazmat::{
    ExpandedSecretKey, blind_public_key, blind_secret_key, expand_secret_key, mul_by_group_order,
    raw_sign, verifying_key_from_x25519,
};
use lanner_ed25519::{SigningKey, VerifyingKey};
use sha2::{Digest, Sha512};

#[test]
fn blinded_pairs_belong_together() {
    for i in 0..20u8 {
        let signing_key = SigningKey::from_bytes(&[i; 32]);
        let secret = ExpandedSecretKey::from(signing_key.as_bytes());
        let parameter: [u8; 32] = Sha512::digest([i])[..32].try_into().unwrap();

        let blinded = blind_secret_key(&secret, &parameter);
        let key = blind_public_key(&signing_key.verifying_key(), &parameter);
        assert_eq!(VerifyingKey::from(&blinded), key);
        assert_ne!(key, signing_key.verifying_key());
        let signature = raw_sign::<Sha512>(&blinded, b"message", &key);
        assert!(key.verify_strict(b"message", &signature).is_ok());
        assert!(signing_key.verify_strict(b"message", &signature).is_err());

        // The definition, computed another way: the integer h times A.
        let point = signing_key.verifying_key().to_edwards();
        assert_eq!(key.to_edwards(), point.mul_clamped(parameter));
        let label = b"Derive temporary signing key hash input";
        let expanded = expand_secret_key(signing_key.as_bytes());
        let prefix = Sha512::new()
            .chain_update(label)
            .chain_update(&expanded[32..])
            .finalize();
        assert_eq!(blinded.hash_prefix, prefix[..32]);
    }
}

#[test]
fn the_parameter_is_clamped() {
    let key = SigningKey::from_bytes(&[1; 32]).verifying_key();
    let mut parameter = [0x55; 32];
    let blinded = blind_public_key(&key, &parameter);
    parameter[0] ^= 7;
    parameter[31] ^= 0xc0;
    assert_eq!(blind_public_key(&key, &parameter), blinded);
    parameter[0] ^= 8;
    assert_ne!(blind_public_key(&key, &parameter), blinded);
}

#[test]
fn expanded_keys_as_bytes() {
    let signing_key = SigningKey::from_bytes(&[3; 32]);
    let hash = Sha512::digest([3; 32]);
    let expanded = expand_secret_key(signing_key.as_bytes());
    assert_eq!(
        expanded[..32],
        clamp_integer(hash[..32].try_into().unwrap())
    );
    assert_eq!(expanded[32..], hash[32..]);

    let secret = ExpandedSecretKey::from(signing_key.as_bytes());
    assert!(ExpandedSecretKey::from_unclamped_bytes(&expanded) == secret);
    let blinded = blind_secret_key(&secret, &[9; 32]);
    let bytes = blinded.to_unclamped_bytes();
    assert_eq!(bytes[..32], blinded.scalar.to_bytes());
    assert!(ExpandedSecretKey::from_unclamped_bytes(&bytes) == blinded);
    assert!(ExpandedSecretKey::from_bytes(&bytes) != blinded);
}

#[test]
fn keys_from_x25519_keys() {
    for i in 0..20u8 {
        let key = SigningKey::from_bytes(&[i; 32]).verifying_key();
        let u = key.to_montgomery().to_bytes();
        let x_is_odd = key.as_bytes()[31] >> 7 == 1;
        assert_eq!(verifying_key_from_x25519(&u, x_is_odd).unwrap(), key);
        let other = verifying_key_from_x25519(&u, !x_is_odd).unwrap();
        assert_eq!(other.to_edwards(), -key.to_edwards());
    }
    // u = 2 is on the twist, and u = -1 on neither curve's Edwards form.
    let mut u = [0; 32];
    u[0] = 2;
    assert!(verifying_key_from_x25519(&u, false).is_err());
    let mut minus_one = [0xff; 32];
    (minus_one[0], minus_one[31]) = (0xec, 0x7f);
    assert!(verifying_key_from_x25519(&minus_one, false).is_err());
}

#[test]
fn group_order_tells_torsion() {
    let mut one = [0; 32];
    one[0] = 1;
    for class in 0..8 {
        let point = B * Scalar::from(77u64) + crate::common::torsion(class);
        let key = VerifyingKey::from(point);
        // L is 5 modulo 8.
        let expected = crate::common::torsion(5 * class % 8).compress().to_bytes();
        assert_eq!(mul_by_group_order(&key), expected);
        assert_eq!(key.is_torsion_free(), class == 0);
        assert_eq!(mul_by_group_order(&key) == one, class == 0);
        assert_eq!(key.to_x25519_public_bytes().is_ok(), class == 0);
        let weak = VerifyingKey::from(crate::common::torsion(class));
        assert_eq!(weak.is_torsion_free(), class == 0);
        assert!(weak.to_x25519_public_bytes().is_err());
    }
}
