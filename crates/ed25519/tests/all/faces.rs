//! Every way in gives the one verdict, and what is shown of keys and errors says what it should.

use ed25519::signature::MultipartVerifier;
use lanner_ed25519::profile::{ProfileName, Strict};
use lanner_ed25519::{MessageSink, Signature, Signer, SigningKey, Verifier, VerifyingKey};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn key() -> SigningKey {
    SigningKey::from_bytes(&[0x21; 32])
}

/// A signature of another message is none, whichever type and trait is asked.
#[test]
fn every_way_to_verify_refuses() {
    let (key, public) = (key(), key().verifying_key());
    let signature = key.sign(b"message");
    for (message, valid) in [(b"message", true), (b"massage", false)] {
        let parts: [&[u8]; 2] = [&message[..3], &message[3..]];
        let of_profile = public.under(Strict);
        let verdicts = [
            key.verify(message, &signature),
            key.verify_strict(message, &signature),
            Verifier::verify(&key, message, &signature),
            Verifier::verify(&public, message, &signature),
            Verifier::verify(&of_profile, message, &signature),
            key.multipart_verify(&parts, &signature),
            public.multipart_verify(&parts, &signature),
            of_profile.multipart_verify(&parts, &signature),
        ];
        for (i, verdict) in verdicts.iter().enumerate() {
            assert_eq!(verdict.is_ok(), valid, "{i}");
        }
    }
}

#[cfg(feature = "digest")]
#[test]
fn every_way_to_verify_a_hash_refuses() {
    use lanner_ed25519::{Digest, DigestVerifier, Sha512};
    let (key, public) = (key(), key().verifying_key());
    let hash = |message: &[u8]| Sha512::new_with_prefix(message);
    let plain = key.sign_prehashed(hash(b"message"), None).unwrap();
    let with_context = key.sign_prehashed(hash(b"message"), Some(b"c")).unwrap();
    for (message, valid) in [(b"message", true), (b"massage", false)] {
        let absorb = |hash: &mut Sha512| {
            Digest::update(hash, message);
            Ok(())
        };
        let verdicts = [
            key.verify_prehashed(hash(message), None, &plain),
            key.verify_prehashed(hash(message), Some(b"c"), &with_context),
            public.verify_digest(absorb, &plain),
            public.under(Strict).verify_digest(absorb, &plain),
            public
                .with_context(b"c")
                .unwrap()
                .verify_digest(absorb, &with_context),
        ];
        for (i, verdict) in verdicts.iter().enumerate() {
            assert_eq!(verdict.is_ok(), valid, "{i}");
        }
    }
    // The context is part of it, and a source that fails is no signature.
    let absorb = |hash: &mut Sha512| {
        Digest::update(hash, b"message");
        Ok(())
    };
    let other = public.with_context(b"d").unwrap();
    assert!(other.verify_digest(absorb, &with_context).is_err());
    assert_eq!((other.key(), other.value()), (&public, &b"d"[..]));
    let failing = |_: &mut Sha512| Err(lanner_ed25519::SignatureError::new());
    assert!(public.under(Strict).verify_digest(failing, &plain).is_err());
}

#[test]
fn equal_keys_hash_alike_and_others_do_not() {
    let hash = |key: VerifyingKey| {
        let mut state = DefaultHasher::new();
        key.hash(&mut state);
        state.finish()
    };
    let other = SigningKey::from_bytes(&[0x22; 32]).verifying_key();
    let again = VerifyingKey::from_bytes(key().verifying_key().as_bytes()).unwrap();
    assert_eq!(hash(key().verifying_key()), hash(again));
    assert_ne!(hash(key().verifying_key()), hash(other));
    assert_ne!(key().verifying_key(), other);
}

/// Both halves of an expanded key count.
#[cfg(feature = "hazmat")]
#[test]
fn expanded_keys_are_equal_in_both_halves() {
    use lanner_ed25519::hazmat::ExpandedSecretKey;
    let of = |scalar: u8, prefix: u8| {
        let bytes = core::array::from_fn(|i| if i < 32 { scalar } else { prefix });
        ExpandedSecretKey::from_unclamped_bytes(&bytes)
    };
    for (scalar, prefix) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        assert_eq!(of(1, 1) == of(scalar, prefix), (scalar, prefix) == (1, 1));
    }
}

/// The pair for X25519: the clamped first half of the hash, and its multiple of the base point (RFC 7748).
#[test]
fn the_pair_for_x25519() {
    use lanner_curve::montgomery::MontgomeryPoint;
    use sha2::{Digest, Sha512};
    let hash = Sha512::digest([0x21; 32]);
    let mut expected: [u8; 32] = hash[..32].try_into().unwrap();
    assert_eq!(key().to_scalar_bytes(), expected);
    expected[0] &= 0xf8;
    expected[31] = expected[31] & 0x7f | 0x40;
    assert_eq!(key().to_x25519_secret_bytes(), expected);
    let public = key().verifying_key().to_x25519_public_bytes().unwrap();
    assert_eq!(public, MontgomeryPoint::mul_base_clamped(expected).0);
}

#[test]
fn what_is_public_shows() {
    let public = key().verifying_key();
    let signature = key().sign(b"");
    let of_profile = format!("{:?}", public.under(Strict));
    let bytes = format!("{:?}", public.as_bytes());
    assert!(of_profile.contains(&bytes), "{of_profile}");
    let stream = public.under(Strict).verify_stream(&signature).unwrap();
    assert_eq!(format!("{stream:?}"), "StreamVerifier { .. }");
    let signed = key().sign_stream(|sink: &mut MessageSink<'_>| {
        assert_eq!(format!("{sink:?}"), "MessageSink { .. }");
        Ok::<(), ()>(())
    });
    assert_eq!(signed, Ok(signature));
}

#[test]
fn errors_list_the_profiles() {
    let said = "none".parse::<ProfileName>().unwrap_err().to_string();
    let (_, names) = said.split_once("the profiles are ").expect("a list");
    let names: Vec<&str> = names.split(", ").collect();
    let all: Vec<&str> = ProfileName::ALL.iter().map(|name| name.as_str()).collect();
    assert_eq!(names, all);
}

/// An S that the rule of S alone refuses, and one that only one profile accepts.
#[test]
fn reasons_under_every_profile() {
    use lanner_ed25519::{Reason, diagnose};
    let (public, good) = (key().verifying_key().to_bytes(), key().sign(b"m"));
    // p + 3 is the y of a point of large order, in an encoding that is not canonical; 1 is the neutral element.
    let other: [u8; 32] = core::array::from_fn(|i| match i {
        0 => 0xf0,
        31 => 0x7f,
        _ => 0xff,
    });
    let neutral: [u8; 32] = core::array::from_fn(|i| u8::from(i == 0));
    let with_r = |r| Signature::from_components(r, *good.s_bytes());
    let mut high = *good.s_bytes();
    high[31] |= 0x20;
    let high = Signature::from_components(*good.r_bytes(), high);
    let shifted = crate::common::shifted(&good, 1);
    for &profile in ProfileName::ALL {
        let name = profile.as_str();
        let reason = |key: &[u8; 32], message: &[u8], signature: &Signature| {
            diagnose(key, profile, message, signature)
        };
        assert_eq!(reason(&public, b"m", &good), None);
        assert_eq!(
            reason(&public, b"n", &good),
            Some(Reason::Equation),
            "{name}"
        );
        assert_eq!(reason(&public, b"m", &high), Some(Reason::SRange), "{name}");
        let donna = name == "donna";
        let expected = (!donna).then_some(Reason::SRange);
        assert_eq!(reason(&public, b"m", &shifted), expected, "{name}");
        // S is looked at after R, and the equation last.
        let any_r = name == "zip215";
        let expected = if any_r {
            Reason::Equation
        } else {
            Reason::REncoding
        };
        assert_eq!(
            reason(&public, b"m", &with_r(other)),
            Some(expected),
            "{name}"
        );
        let weak = !["strict", "libsodium", "simd0376-2026"].contains(&name);
        let expected = if weak {
            Reason::Equation
        } else {
            Reason::REncoding
        };
        assert_eq!(
            reason(&public, b"m", &with_r(neutral)),
            Some(expected),
            "{name}"
        );
        let any_key = ["dalek", "strict", "zip215", "donna"].contains(&name);
        let expected = if any_key {
            Reason::Equation
        } else {
            Reason::KeyEncoding
        };
        assert_eq!(reason(&other, b"m", &good), Some(expected), "{name}");
    }
    // Each has words of its own.
    let reasons = [
        (Reason::KeyEncoding, "the public key is no encoding"),
        (Reason::WeakKey, "the public key has small order"),
        (Reason::REncoding, "R is no encoding"),
        (Reason::SRange, "S is out of range"),
        (Reason::Equation, "the equation does not hold"),
    ];
    for (reason, words) in reasons {
        assert!(reason.to_string().starts_with(words), "{reason}");
    }
}
