//! No way to sign under a public key that is not the secret key's, and no way
//! to see a secret by accident.

use ed25519::signature::{Keypair, MultipartSigner};
use lanner_ed25519::{
    KEYPAIR_LENGTH, PUBLIC_KEY_LENGTH, SECRET_KEY_LENGTH, SIGNATURE_LENGTH, Signer, SigningKey,
    VerifyingKey,
};
use subtle::ConstantTimeEq;
use zeroize::ZeroizeOnDrop;

fn pair() -> (SigningKey, SigningKey) {
    (
        SigningKey::from_bytes(&[1; 32]),
        SigningKey::from_bytes(&[2; 32]),
    )
}

#[test]
fn key_pairs_must_match() {
    let (mine, theirs) = pair();
    let mut bytes = mine.to_keypair_bytes();
    assert_eq!(SigningKey::from_keypair_bytes(&bytes).unwrap(), mine);
    bytes[SECRET_KEY_LENGTH..].copy_from_slice(theirs.verifying_key().as_bytes());
    assert!(SigningKey::from_keypair_bytes(&bytes).is_err());
    // Any bit, and a half that is no point.
    for bit in 0..256 {
        let mut bytes = mine.to_keypair_bytes();
        bytes[32 + bit / 8] ^= 1 << (bit % 8);
        assert!(SigningKey::from_keypair_bytes(&bytes).is_err(), "bit {bit}");
    }
}

#[cfg(feature = "pkcs8")]
#[test]
fn stored_public_keys_must_match() {
    use lanner_ed25519::pkcs8::{DecodePrivateKey, KeypairBytes, PublicKeyBytes};

    let (mine, theirs) = pair();
    let mismatched = KeypairBytes {
        secret_key: mine.to_bytes(),
        public_key: Some(PublicKeyBytes(theirs.verifying_key().to_bytes())),
    };
    assert!(SigningKey::try_from(&mismatched).is_err());
    assert!(SigningKey::try_from(mismatched).is_err());

    // Version 2, and ring's old form of it.
    for (head, middle) in [
        ("3051020101300506032b657004220420", "812100"),
        ("3053020101300506032b657004220420", "a123032100"),
    ] {
        let document = |public: &VerifyingKey| {
            let mut der = hex::decode(head).unwrap();
            der.extend(mine.as_bytes());
            der.extend(hex::decode(middle).unwrap());
            der.extend(public.as_bytes());
            der
        };
        let good = SigningKey::from_pkcs8_der(&document(&mine.verifying_key()));
        assert_eq!(good.unwrap(), mine);
        assert!(SigningKey::from_pkcs8_der(&document(&theirs.verifying_key())).is_err());
    }
}

/// Signing twice gives the same signature, whatever road the key came along.
#[test]
fn every_entry_signs_alike() {
    let (key, _) = pair();
    let expected = key.sign(b"one message");
    assert_eq!(key.try_sign(b"one message").unwrap(), expected);
    assert_eq!(
        key.try_multipart_sign(&[b"one ", b"", b"message"]).unwrap(),
        expected
    );
    assert_eq!(key.clone().sign(b"one message"), expected);
    let reloaded = SigningKey::from_keypair_bytes(&key.to_keypair_bytes()).unwrap();
    assert_eq!(reloaded.sign(b"one message"), expected);
    assert_eq!(
        SigningKey::from(key.to_bytes()).sign(b"one message"),
        expected
    );
    assert_eq!(
        SigningKey::from(key.as_bytes()).sign(b"one message"),
        expected
    );
    let from_slice = SigningKey::try_from(&key.as_bytes()[..]).unwrap();
    assert_eq!(from_slice.sign(b"one message"), expected);
    let stream = key.sign_stream(|sink| {
        sink.update(b"one message");
        Ok::<(), ()>(())
    });
    assert_eq!(stream.unwrap(), expected);
}

#[test]
fn public_halves_agree() {
    let (key, _) = pair();
    let public: VerifyingKey = key.verifying_key();
    assert_eq!(VerifyingKey::from(&key), public);
    assert_eq!(Keypair::verifying_key(&key), public);
    let borrowed: &VerifyingKey = key.as_ref();
    assert_eq!(*borrowed, public);
    let product = lanner_curve::constants::ED25519_BASEPOINT_POINT * key.to_scalar();
    assert_eq!(product, public.to_edwards());
    // The X25519 key pair that corresponds (RFC 7748 section 4.1).
    let x25519 = lanner_curve::montgomery::MontgomeryPoint::mul_base_clamped(key.to_scalar_bytes());
    assert_eq!(x25519, public.to_montgomery());
}

#[test]
fn secrets_are_not_shown() {
    fn is_wiped<T: ZeroizeOnDrop>() {}
    is_wiped::<SigningKey>();
    let secret = [0xa5; 32];
    let key = SigningKey::from_bytes(&secret);
    let shown = format!("{key:?} {key:#?}");
    assert!(shown.contains("VerifyingKey"));
    assert!(!shown.contains("a5a5") && !shown.contains("165"), "{shown}");
    assert!(format!("{:?}", key.verifying_key()).contains(&hex::encode(key.verifying_key())));
}

#[test]
fn comparison() {
    let (a, b) = pair();
    assert_eq!(a, a.clone());
    assert_ne!(a, b);
    assert!(bool::from(a.ct_eq(&a)));
    assert!(!bool::from(a.ct_eq(&b)));
}

#[test]
fn lengths() {
    assert_eq!((SECRET_KEY_LENGTH, PUBLIC_KEY_LENGTH), (32, 32));
    assert_eq!((KEYPAIR_LENGTH, SIGNATURE_LENGTH), (64, 64));
    assert_eq!(lanner_ed25519::EXPANDED_SECRET_KEY_LENGTH, 64);
    let bytes = [1u8; 70];
    for n in (0..70).filter(|n| *n != 32) {
        assert!(SigningKey::try_from(&bytes[..n]).is_err());
        assert!(VerifyingKey::try_from(&bytes[..n]).is_err());
    }
    for n in (0..70).filter(|n| *n != 64) {
        assert!(lanner_ed25519::Signature::from_slice(&bytes[..n]).is_err());
    }
}

#[cfg(feature = "hazmat")]
mod hazmat {
    use super::*;
    use lanner_ed25519::hazmat::{
        ExpandedSecretKey, raw_sign, raw_sign_byupdate, raw_sign_deriving, raw_verify,
    };
    use lanner_ed25519::{SignatureError, Verifier};
    use sha2::{Digest, Sha512};

    fn expanded(key: &SigningKey) -> ExpandedSecretKey {
        ExpandedSecretKey::from(key.as_bytes())
    }

    #[test]
    fn expanded_keys() {
        let (key, other) = pair();
        let hash: [u8; 64] = Sha512::digest(key.as_bytes()).into();
        let secret = expanded(&key);
        assert_eq!(ExpandedSecretKey::from_bytes(&hash), secret);
        assert_eq!(ExpandedSecretKey::from_slice(&hash).unwrap(), secret);
        assert_eq!(ExpandedSecretKey::try_from(&hash[..]).unwrap(), secret);
        assert_ne!(expanded(&other), secret);
        for n in [0, 32, 63] {
            assert!(ExpandedSecretKey::from_slice(&hash[..n]).is_err());
        }
        assert_eq!(secret.hash_prefix, hash[32..]);
        assert_eq!(secret.scalar, key.to_scalar());
        assert_eq!(VerifyingKey::from(&secret), key.verifying_key());
        assert_eq!(format!("{secret:?}"), "ExpandedSecretKey { .. }");
        fn is_wiped<T: ZeroizeOnDrop>() {}
        is_wiped::<ExpandedSecretKey>();
    }

    #[test]
    fn the_public_key_is_derived_while_signing() {
        for i in 0..40u8 {
            let key = SigningKey::from_bytes(&[i; 32]);
            let message = std::vec![i ^ 0x55; 7 * usize::from(i)];
            let signature = raw_sign_deriving::<Sha512>(&expanded(&key), &message);
            assert_eq!(signature, key.sign(&message));
            assert_eq!(signature, expanded(&key).sign(&message));
        }
    }

    #[test]
    fn raw_functions_are_ed25519_with_sha512() {
        let (key, _) = pair();
        let (secret, public) = (expanded(&key), key.verifying_key());
        let signature = raw_sign::<Sha512>(&secret, b"message", &public);
        assert_eq!(signature, key.sign(b"message"));
        assert!(raw_verify::<Sha512>(&public, b"message", &signature).is_ok());
        assert!(raw_verify::<Sha512>(&public, b"massage", &signature).is_err());
        let by_update = raw_sign_byupdate(
            &secret,
            |hash: &mut Sha512| {
                hash.update(b"mess");
                hash.update(b"age");
                Ok(())
            },
            &public,
        );
        assert_eq!(by_update.unwrap(), signature);
        let failed = raw_sign_byupdate(
            &secret,
            |_: &mut Sha512| Err(SignatureError::new()),
            &public,
        );
        assert!(failed.is_err());
    }

    /// This is what the fence is for: the same nonce under two public keys.
    #[test]
    fn raw_signing_trusts_its_caller() {
        let (key, other) = pair();
        let secret = expanded(&key);
        let good = raw_sign::<Sha512>(&secret, b"m", &key.verifying_key());
        let bad = raw_sign::<Sha512>(&secret, b"m", &other.verifying_key());
        assert_eq!(good.r_bytes(), bad.r_bytes());
        assert_ne!(good.s_bytes(), bad.s_bytes());
        assert!(other.verifying_key().verify(b"m", &bad).is_err());
    }

    #[cfg(feature = "digest")]
    #[test]
    fn raw_prehashed() {
        use lanner_ed25519::hazmat::{raw_sign_prehashed, raw_verify_prehashed};
        let (key, _) = pair();
        let (secret, public) = (expanded(&key), key.verifying_key());
        let hash = Sha512::new_with_prefix(b"message");
        let signature =
            raw_sign_prehashed::<Sha512, _>(&secret, hash.clone(), &public, Some(b"c")).unwrap();
        assert_eq!(
            signature,
            key.sign_prehashed(hash.clone(), Some(b"c")).unwrap()
        );
        let verify = |context: &[u8]| {
            raw_verify_prehashed::<Sha512, _>(&public, hash.clone(), Some(context), &signature)
        };
        assert!(verify(b"c").is_ok());
        assert!(verify(b"d").is_err());
        assert!(verify(&[0; 256]).is_err());
        let too_long =
            raw_sign_prehashed::<Sha512, _>(&secret, hash.clone(), &public, Some(&[0; 256]));
        assert!(too_long.is_err());
    }
}
