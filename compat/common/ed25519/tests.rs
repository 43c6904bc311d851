//! What both versions promise, and what holds beyond it. The package names a hash beside SHA-512, `OtherHash`.

use ed25519_dalek::{
    EXPANDED_SECRET_KEY_LENGTH, KEYPAIR_LENGTH, PUBLIC_KEY_LENGTH, SECRET_KEY_LENGTH,
    SIGNATURE_LENGTH, Signature, Signer, SigningKey, Verifier, VerifyingKey,
};

/// L, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// The public key of RFC 8032, section 7.1, test 1.
const PUBLIC: [u8; 32] = [
    0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a,
    0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a,
];

/// Its secret key.
pub(crate) const SECRET: [u8; 32] = [
    0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4,
    0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60,
];

/// The signature with S + L in the place of S.
fn plus_order(signature: &Signature) -> Signature {
    let (mut s, mut carry) = (*signature.s_bytes(), 0);
    for (s, order) in s.iter_mut().zip(ORDER) {
        carry += u16::from(*s) + u16::from(order);
        *s = carry as u8;
        carry >>= 8;
    }
    Signature::from_components(*signature.r_bytes(), s)
}

#[test]
fn the_vector_of_the_rfc() {
    let key = SigningKey::from_bytes(&SECRET);
    assert_eq!(key.verifying_key().to_bytes(), PUBLIC);
    let signature = key.sign(b"");
    assert_eq!(signature.to_bytes()[..4], [0xe5, 0x56, 0x43, 0x00]);
    assert!(key.verify(b"", &signature).is_ok());
    assert!(key.verify_strict(b"", &signature).is_ok());
    let lengths = [
        SECRET_KEY_LENGTH,
        PUBLIC_KEY_LENGTH,
        SIGNATURE_LENGTH,
        KEYPAIR_LENGTH,
        EXPANDED_SECRET_KEY_LENGTH,
    ];
    assert_eq!(lengths, [32, 32, 64, 64, 64]);
}

#[test]
fn s_is_checked_as_the_features_say() {
    let key = SigningKey::from_bytes(&SECRET);
    let signature = key.sign(b"message");
    let lenient = cfg!(feature = "legacy_compatibility");
    let larger = plus_order(&signature);
    assert_eq!(key.verify(b"message", &larger).is_ok(), lenient);
    assert_eq!(key.verify_strict(b"message", &larger).is_ok(), lenient);
    assert!(key.verify(b"passage", &larger).is_err());
    // The same modulo L, and at least 2^253, which no version takes.
    let beyond = plus_order(&plus_order(&larger));
    assert!(key.verify(b"message", &beyond).is_err());
    assert!(key.verify_strict(b"message", &beyond).is_err());
}

#[test]
fn a_pair_must_match() {
    let key = SigningKey::from_bytes(&SECRET);
    let mut pair = key.to_keypair_bytes();
    assert_eq!(SigningKey::from_keypair_bytes(&pair).ok(), Some(key));
    pair[63] ^= 0x80;
    assert!(SigningKey::from_keypair_bytes(&pair).is_err());
}

#[test]
fn debug_shows_no_secret() {
    let shown = format!("{:?}", SigningKey::from_bytes(&SECRET)).to_lowercase();
    assert!(shown.contains("d75a98"), "{shown}");
    assert!(
        !shown.contains("9d61b1") && !shown.contains("157, 97"),
        "{shown}"
    );
}

#[test]
fn the_default_key_is_weak_and_strictly_refused() {
    let key = VerifyingKey::default();
    assert!(key.is_weak());
    let mut forged = [0; 64];
    forged[0] = 1;
    let forged = Signature::from_bytes(&forged);
    assert!(key.verify(b"anything", &forged).is_ok());
    assert!(key.verify_strict(b"anything", &forged).is_err());
}

#[test]
#[cfg(feature = "batch")]
fn batches_give_the_verdicts_of_single_verification() {
    use ed25519_dalek::verify_batch;

    // The neutral element, and an encoding of it that is not canonical: alone it is refused.
    let mut one = [0; 32];
    one[0] = 1;
    let mut other = [0xff; 32];
    (other[0], other[31]) = (0xee, 0x7f);
    for (r, valid) in [(one, true), (other, false)] {
        let (key, signature) = (
            VerifyingKey::default(),
            Signature::from_components(r, [0; 32]),
        );
        assert_eq!(key.verify(b"", &signature).is_ok(), valid);
        for size in [1, 2, 40] {
            let batch = verify_batch(
                &vec![&b""[..]; size],
                &vec![signature; size],
                &vec![key; size],
            );
            assert_eq!(batch.is_ok(), valid);
        }
    }
    let key = SigningKey::from_bytes(&SECRET);
    let signatures = [key.sign(b"message"), plus_order(&key.sign(b"message"))];
    let batch = verify_batch(
        &[&b"message"[..]; 2],
        &signatures,
        &[key.verifying_key(); 2],
    );
    assert_eq!(batch.is_ok(), cfg!(feature = "legacy_compatibility"));
    assert!(verify_batch(&[b"message"], &signatures, &[]).is_err());
    assert!(verify_batch(&[], &[], &[]).is_ok());
}

#[test]
#[cfg(all(feature = "digest", feature = "hazmat"))]
fn hashes_in_the_place_of_sha_512() {
    use ed25519_dalek::hazmat::{
        ExpandedSecretKey, raw_sign, raw_sign_prehashed, raw_verify, raw_verify_prehashed,
    };
    use ed25519_dalek::{Digest, Sha512};

    use super::OtherHash;

    let expanded = ExpandedSecretKey::from(&SECRET);
    let key = SigningKey::from_bytes(&SECRET);
    let public = VerifyingKey::from(&expanded);
    assert_eq!(public, key.verifying_key());
    let signature = raw_sign::<Sha512>(&expanded, b"message", &public);
    assert_eq!(signature, key.sign(b"message"));
    let other = raw_sign::<OtherHash>(&expanded, b"message", &public);
    assert_ne!(other, signature);
    assert!(raw_verify::<OtherHash>(&public, b"message", &other).is_ok());
    assert!(raw_verify::<Sha512>(&public, b"message", &other).is_err());
    let lenient = cfg!(feature = "legacy_compatibility");
    let larger = plus_order(&signature);
    assert_eq!(
        raw_verify::<Sha512>(&public, b"message", &larger).is_ok(),
        lenient
    );

    let hash = OtherHash::new_with_prefix(b"message");
    let signed =
        raw_sign_prehashed::<Sha512, _>(&expanded, hash.clone(), &public, Some(b"context"));
    let signed = signed.expect("a short context");
    assert_eq!(
        Some(signed),
        key.sign_prehashed(hash.clone(), Some(b"context")).ok()
    );
    let verdict =
        raw_verify_prehashed::<Sha512, _>(&public, hash.clone(), Some(b"context"), &signed);
    assert!(verdict.is_ok());
    // An error, where the original may panic.
    let long = raw_verify_prehashed::<Sha512, _>(&public, hash.clone(), Some(&[0; 256]), &signed);
    assert!(long.is_err());
    assert!(
        public
            .verify_prehashed(hash.clone(), Some(&[0; 256]), &signed)
            .is_err()
    );
    assert!(key.sign_prehashed(hash, Some(&[0; 256])).is_err());
}

#[test]
#[cfg(all(feature = "alloc", feature = "pkcs8"))]
fn key_files_have_the_public_key() {
    use ed25519_dalek::pkcs8::{
        DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
    };

    let key = SigningKey::from_bytes(&SECRET);
    let file = key.to_pkcs8_der().expect("encodes");
    assert_eq!(file.as_bytes().len(), 83);
    assert_eq!(file.as_bytes()[51..], PUBLIC);
    assert_eq!(
        SigningKey::from_pkcs8_der(file.as_bytes()).ok(),
        Some(key.clone())
    );
    let mut wrong = file.as_bytes().to_vec();
    wrong[82] ^= 1;
    assert!(SigningKey::from_pkcs8_der(&wrong).is_err());
    let file = key.verifying_key().to_public_key_der().expect("encodes");
    let read = VerifyingKey::from_public_key_der(file.as_bytes());
    assert_eq!(read.ok(), Some(key.verifying_key()));
}

#[test]
#[cfg(feature = "serde")]
fn serde_refuses_other_lengths() {
    for length in [31, 33, 35] {
        let json = serde_json::to_string(&vec![1_u8; length]).expect("serialises");
        let error = serde_json::from_str::<SigningKey>(&json).expect_err("wrong length");
        assert!(
            error
                .to_string()
                .contains(&format!("invalid length {length}")),
            "{error}"
        );
    }
}

/// What the originals make batches with brings the macros of `zeroize`, and trees count on them.
#[test]
#[cfg(feature = "batch")]
fn batches_come_with_the_macros_of_zeroize() {
    use zeroize::{Zeroize, ZeroizeOnDrop};

    #[derive(Zeroize, ZeroizeOnDrop)]
    struct Secret([u8; 32]);

    let mut secret = Secret(SECRET);
    secret.zeroize();
    assert_eq!(secret.0, [0; 32]);
}
