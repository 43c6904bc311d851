//! Who accepts what, on signatures that only a dishonest signer makes.

use crate::common::{forge, identity_forgery, order_l, shifted, torsion};
use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_ed25519::profile::*;
use lanner_ed25519::{Signature, Signer, SigningKey, Verifier, VerifyingKey};

/// The verdicts of the frozen profiles, in the order of the table in the
/// documentation.
fn verdicts(key: &VerifyingKey, message: &[u8], signature: &Signature) -> [bool; 7] {
    [
        key.under(Rfc8032).verify(message, signature).is_ok(),
        key.under(Rfc8032Cofactorless)
            .verify(message, signature)
            .is_ok(),
        key.under(Dalek).verify(message, signature).is_ok(),
        key.under(Strict).verify(message, signature).is_ok(),
        key.under(Zip215).verify(message, signature).is_ok(),
        key.under(Donna).verify(message, signature).is_ok(),
        key.under(Libsodium).verify(message, signature).is_ok(),
    ]
}

const ALL: [bool; 7] = [true; 7];
const NONE: [bool; 7] = [false; 7];

/// Whether `verify` has donna's rule instead of dalek's.
const LEGACY: bool = cfg!(feature = "legacy_compatibility");

fn check_drop_in_names(key: &VerifyingKey, message: &[u8], signature: &Signature) {
    let rules = verdicts(key, message, signature);
    let expected = if LEGACY { rules[5] } else { rules[2] };
    assert_eq!(key.verify(message, signature).is_ok(), expected);
    if !LEGACY {
        assert_eq!(key.verify_strict(message, signature).is_ok(), rules[3]);
    }
}

#[test]
fn honest_signatures_are_accepted_by_all() {
    let signing_key = SigningKey::from_bytes(&[1; 32]);
    let key = signing_key.verifying_key();
    let signature = signing_key.sign(b"message");
    assert_eq!(verdicts(&key, b"message", &signature), ALL);
    assert_eq!(verdicts(&key, b"massage", &signature), NONE);
    check_drop_in_names(&key, b"message", &signature);
    // Any bit of the signature counts.
    for bit in 0..512 {
        let mut bytes = signature.to_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(verdicts(&key, b"message", &bytes.into()), NONE, "bit {bit}");
    }
}

/// Under the neutral element as public key, R = \[S]B is valid for any message.
#[test]
fn weak_key_forgery() {
    let (key, signature) = identity_forgery(5);
    assert!(key.is_weak());
    for message in [&b""[..], b"pay", b"pay more"] {
        assert_eq!(
            verdicts(&key, message, &signature),
            [true, true, true, false, true, true, false]
        );
        check_drop_in_names(&key, message, &signature);
    }
    // Small-order R as well: S = 0.
    let (key, signature) = identity_forgery(0);
    assert_eq!(
        verdicts(&key, b"m", &signature),
        [true, true, true, false, true, true, false]
    );
}

/// An R of small order with an honest key: the signer chose r = 0.
#[test]
fn small_order_r() {
    let (key, signature) = forge(11, 0, 0, 0, b"message");
    assert!(!key.is_weak());
    assert_eq!(
        verdicts(&key, b"message", &signature),
        [true, true, true, false, true, true, false]
    );
    check_drop_in_names(&key, b"message", &signature);
}

/// The neutral element as R, encoded with the sign bit and with y = p + 1:
/// only ZIP 215 takes it.
#[test]
fn non_canonical_r() {
    let (key, _) = identity_forgery(0);
    let p_plus_1 = {
        let mut y = [0xff; 32];
        y[0] = 0xee;
        y[31] = 0x7f;
        y
    };
    let mut negative_zero = [0; 32];
    negative_zero[0] = 1;
    negative_zero[31] = 0x80;
    let mut both = p_plus_1;
    both[31] = 0xff;
    for r in [p_plus_1, negative_zero, both] {
        let signature = Signature::from_components(r, [0; 32]);
        assert_eq!(
            verdicts(&key, b"m", &signature),
            [false, false, false, false, true, false, false],
            "{r:02x?}"
        );
        check_drop_in_names(&key, b"m", &signature);
    }
}

/// Non-canonical encodings of weak keys: the profiles that accept weak keys
/// differ on them.
#[test]
fn non_canonical_weak_key() {
    let mut negative_zero = [0; 32];
    negative_zero[0] = 1;
    negative_zero[31] = 0x80;
    let mut p_plus_1 = [0xff; 32];
    p_plus_1[0] = 0xee;
    p_plus_1[31] = 0x7f;
    let (_, signature) = identity_forgery(9);
    for encoding in [negative_zero, p_plus_1] {
        let key = VerifyingKey::from_bytes(&encoding).unwrap();
        assert!(key.is_weak() && !key.is_canonical());
        // The bytes are kept, so that this is another key than the neutral
        // element encoded canonically.
        assert_eq!(key.to_bytes(), encoding);
        assert_ne!(key, identity_forgery(9).0);
        assert_eq!(
            verdicts(&key, b"m", &signature),
            [false, false, true, false, true, true, false]
        );
        check_drop_in_names(&key, b"m", &signature);
    }
}

/// A non-canonical key of large order: `strict` takes it, as dalek's
/// `verify_strict` does. Nobody knows the secret scalar of such a point, but a
/// few messages with k = 0 mod something are not needed either: that the check
/// on A passes shows in a signature that fails by the equation alone, so
/// decoding and `is_canonical` are what is tested here.
#[test]
fn non_canonical_keys_of_large_order_decode() {
    let mut found = 0;
    for low in 0xefu8..=0xff {
        let mut encoding = [0xff; 32];
        encoding[0] = low;
        encoding[31] = 0x7f;
        let Ok(key) = VerifyingKey::from_bytes(&encoding) else {
            continue;
        };
        found += 1;
        assert!(!key.is_canonical() && !key.is_weak());
        let mut reduced = [0; 32];
        reduced[0] = low - 0xed;
        let same = VerifyingKey::from_bytes(&reduced).unwrap();
        assert!(same.is_canonical());
        assert_eq!(same.to_edwards(), key.to_edwards());
        assert_ne!(same, key);
    }
    assert!(found >= 5, "{found}");
}

/// Torsion components: the cofactored rules do not see them; the cofactorless
/// ones want them to cancel, which depends on k mod 8.
#[test]
fn torsion_components() {
    let mut seen = [false; 2];
    for (a_class, r_class) in [(0, 4), (4, 0), (1, 7), (2, 6), (4, 4), (3, 1)] {
        for message in [b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7"] {
            let (key, signature) = forge(3, 1000, a_class, r_class, message);
            let k = crate::common::challenge(&key, &signature, message).to_bytes()[0];
            let cancels = (u32::from(k) * u32::from(a_class) + u32::from(r_class)) % 8 == 0;
            seen[usize::from(cancels)] = true;
            assert_eq!(
                verdicts(&key, message, &signature),
                [true, cancels, cancels, cancels, true, cancels, cancels]
            );
            check_drop_in_names(&key, message, &signature);
        }
    }
    assert_eq!(seen, [true, true]);
}

/// S + L, S + 2L…: the same signature to a rule that only looks at the top bits.
#[test]
fn scalars_that_are_not_reduced() {
    let signing_key = SigningKey::from_bytes(&[2; 32]);
    let key = signing_key.verifying_key();
    let signature = signing_key.sign(b"m");
    let once = shifted(&signature, 1);
    assert!(once.s_bytes()[31] & 0xe0 == 0);
    let donna_only = [false, false, false, false, false, true, false];
    assert_eq!(verdicts(&key, b"m", &once), donna_only);
    check_drop_in_names(&key, b"m", &once);
    assert_eq!(key.verify(b"m", &once).is_ok(), LEGACY);
    assert_eq!(key.verify_strict(b"m", &once).is_ok(), LEGACY);
    // 2^253 and above is refused by all.
    let twice = shifted(&signature, 2);
    assert!(twice.s_bytes()[31] & 0xe0 != 0);
    assert_eq!(verdicts(&key, b"m", &twice), NONE);
    check_drop_in_names(&key, b"m", &twice);

    // The bounds themselves, under a key for which S alone decides: L - 1 is
    // the greatest S; S = L is 0 once more.
    let (key, zero) = identity_forgery(0);
    let l = Signature::from_components(*zero.r_bytes(), order_l());
    assert_eq!(verdicts(&key, b"m", &l), donna_only);
    let mut below = order_l();
    below[0] -= 1;
    let minus_b = -lanner_curve::constants::ED25519_BASEPOINT_POINT;
    let below = Signature::from_components(minus_b.compress().0, below);
    assert!(key.under(Dalek).verify(b"m", &below).is_ok());
}

/// R need not be a point at all.
#[test]
fn undecodable_r() {
    let no_point = (2u8..)
        .map(|y| [y; 32])
        .find(|y| CompressedEdwardsY(*y).decompress().is_none())
        .unwrap();
    let signing_key = SigningKey::from_bytes(&[2; 32]);
    let signature = Signature::from_components(no_point, *signing_key.sign(b"m").s_bytes());
    assert_eq!(
        verdicts(&signing_key.verifying_key(), b"m", &signature),
        NONE
    );
    assert!(VerifyingKey::from_bytes(&no_point).is_err());
}

#[test]
fn weak_keys_are_recognised() {
    for class in 0..8 {
        let key = VerifyingKey::from(torsion(class));
        assert!(key.is_weak() && key.is_canonical());
        let large =
            VerifyingKey::from(torsion(class) + lanner_curve::constants::ED25519_BASEPOINT_POINT);
        assert!(!large.is_weak());
        assert_eq!(EdwardsPoint::from(large), large.to_edwards());
    }
}

#[test]
fn profiles_have_names() {
    let names: Vec<&str> = ProfileName::ALL.iter().map(|p| p.as_str()).collect();
    let mut expected = vec![
        "rfc8032",
        "rfc8032-cofactorless",
        "dalek",
        "strict",
        "zip215",
        "donna",
        "libsodium",
    ];
    if cfg!(feature = "unstable-profiles") {
        expected.push("simd0376-2026");
    }
    assert_eq!(names, expected);
    for profile in ProfileName::ALL {
        assert_eq!(profile.as_str().parse(), Ok(*profile));
        assert_eq!(profile.to_string(), profile.as_str());
    }
    let error = "dalek-strict".parse::<ProfileName>().unwrap_err();
    assert!(error.to_string().contains("rfc8032-cofactorless"));
    assert_eq!(Donna::NAME, ProfileName::Donna);
}

#[cfg(feature = "unstable-profiles")]
#[test]
fn simd0376() {
    let accepts = |key: &VerifyingKey, message: &[u8], signature: &Signature| {
        key.under(Simd0376).verify(message, signature).is_ok()
    };
    // Cofactored: torsion in A and R does not matter…
    let (key, signature) = forge(3, 1000, 1, 2, b"m");
    assert!(accepts(&key, b"m", &signature));
    // …but points of small order do.
    let (key, signature) = identity_forgery(5);
    assert!(!accepts(&key, b"m", &signature));
    let (key, signature) = forge(11, 0, 0, 0, b"m");
    assert!(!accepts(&key, b"m", &signature));
}
