//! XEdDSA: known answers of libsignal, the model of the specification in other words, and what is refused.
#![cfg(all(feature = "xeddsa", feature = "digest"))]

use lanner_curve::constants::ED25519_BASEPOINT_POINT as B;
use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::scalar::{Scalar, clamp_integer};
use lanner_ed25519::profile::{Donna, Strict};
use lanner_ed25519::xeddsa::{SecretKey, verify, verify_with_sign, verifying_key};
use lanner_ed25519::{Digest, Sha512, Signature};

fn octets<const N: usize>(digits: &str) -> [u8; N] {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits, &mut bytes).expect("digits");
    bytes
}

fn hash(parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Sha512::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// L, little-endian.
fn order() -> [u8; 32] {
    let mut bytes = (-Scalar::ONE).to_bytes();
    bytes[0] += 1;
    bytes
}

/// The sum of two little-endian integers below 2^256.
fn sum(a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let mut carry = 0;
    core::array::from_fn(|i| {
        let byte = u16::from(a[i]) + u16::from(b[i]) + carry;
        carry = byte >> 8;
        byte as u8
    })
}

/// The key and the randomness of libsignal's tests in C: `internal_fast_tests.c`, `internal_slow_tests.c`.
#[test]
fn known_answers_of_libsignal() {
    let mut secret = [0; 32];
    secret[8] = 189;
    let key = SecretKey::from_x25519(&secret);
    let signature = key.sign(&[0; 200], &[0; 64]);
    let expected = octets(
        "11c7f3e6c4df9e8a5150e1db3b30f92de3a3b3aa438656545fa7390f4bcc7bb2\
         6c431d9e90643e4f0eaa0e9c557766fa69ada576d63dcaf2ac326c11d0b97702",
    );
    assert_eq!(signature.to_bytes(), expected);
    let public = key.x25519_public_bytes();
    assert_eq!(public, MontgomeryPoint::mul_base_clamped(secret).0);
    assert!(verify(&public, &[0; 200], &signature).is_ok());
    assert!(verify(&[0xff; 32], &[0; 200], &signature).is_err());

    // Ten thousand signatures, each by a key and of a message that the last one leads to.
    let mut signature = [1; 64];
    let mut message = [0; 200];
    for count in 1..=10_000 {
        let secret: [u8; 32] = *hash(&[&signature]).first_chunk().expect("64 bytes");
        let random = hash(&[&secret]);
        let key = SecretKey::from_x25519(&secret);
        signature = key.sign(&message, &random).to_bytes();
        if count % 100 == 1 {
            let made = Signature::from_bytes(&signature);
            assert!(verify(&key.x25519_public_bytes(), &message, &made).is_ok());
        }
        if random[63] & 1 == 1 {
            signature[count % 64] ^= 1;
        } else {
            message[count % 200] ^= 1;
        }
    }
    let expected: [u8; 64] = octets(
        "152903386616cd26bb3eece29f72a25c7d05c9cb843f9296b3fbb9ddd6ed9904\
         c1a80216cf493ff1be69f9f1cc16d7dc6ed378aa04eb71519de87a5bd8497b05",
    );
    assert_eq!(signature, expected);
}

/// libsignal's own test of `verify_signature`: its form, with the sign in the highest bit.
#[test]
fn a_signature_with_its_sign() {
    let secret = octets("c097248412e58bf05df487968205132794178e367637f5818f81e0e6ce73e865");
    let public = octets("ab7e717d4a163b7d9a1d8071dfe9dcf8cdcd1cea3339b6356be84d887e322c64");
    let message: [u8; 33] =
        octets("05edce9d9c415ca78cb7252e72c2c4a554d3eb29485a0e1d503118d1a82d99fb4a");
    let bytes = octets(
        "5de88ca9a89b4a115da79109c67c9c7464a3e4180274f1cb8c63c2984e286dfb\
         ede82deb9dcd9fae0bfbb821569b3d9001bd8130cd11d486cef047bd60b86e88",
    );
    assert_eq!(
        SecretKey::from_x25519(&secret).x25519_public_bytes(),
        public
    );
    let signature = Signature::from_bytes(&bytes);
    assert!(verify_with_sign(&public, &message, &signature).is_ok());
    // The specification's verifier knows no such bit.
    assert!(verify(&public, &message, &signature).is_err());
    for i in 0..64 {
        for bit in [1, 0x80] {
            let mut bytes = bytes;
            bytes[i] ^= bit;
            let signature = Signature::from_bytes(&bytes);
            assert!(
                verify_with_sign(&public, &message, &signature).is_err(),
                "{i}"
            );
        }
    }
    assert!(verify_with_sign(&public, &message[1..], &signature).is_err());
}

/// `xeddsa_sign` step by step, on points and scalars.
#[test]
fn signatures_are_those_of_the_specification() {
    let mut signs = [0; 2];
    for i in 0..64u8 {
        let secret = *hash(&[b"secret", &[i]]).first_chunk().expect("64 bytes");
        let random = hash(&[b"random", &[i]]);
        let message = vec![i; 5 * usize::from(i)];
        let k = Scalar::from_bytes_mod_order(clamp_integer(secret));
        let e = (B * k).compress().0;
        let odd = e[31] >> 7 == 1;
        signs[usize::from(odd)] += 1;
        let a = if odd { -k } else { k };
        let point = (B * a).compress();
        assert_eq!(point.0[31] >> 7, 0);
        let mut label = [0xff; 32];
        label[0] = 0xfe;
        // As Signal's code has it: the negative is reduced, the clamped key is not.
        let hashed = if odd {
            a.to_bytes()
        } else {
            clamp_integer(secret)
        };
        let r = hash(&[&label, &hashed, &message, &random]);
        let r = Scalar::from_bytes_mod_order_wide(&r);
        let commitment = (B * r).compress();
        let h = hash(&[&commitment.0, &point.0, &message]);
        let s = r + Scalar::from_bytes_mod_order_wide(&h) * a;

        let key = SecretKey::from_x25519(&secret);
        let signature = key.sign(&message, &random);
        assert_eq!(
            signature,
            Signature::from_components(commitment.0, s.to_bytes())
        );
        let public = key.x25519_public_bytes();
        assert_eq!(public, MontgomeryPoint::mul_base_clamped(secret).0);
        assert_eq!(key.verifying_key().to_bytes(), point.0);
        assert_eq!(verifying_key(&public).expect("a key"), key.verifying_key());
        assert!(verify(&public, &message, &signature).is_ok());
        assert!(verify_with_sign(&public, &message, &signature).is_ok());
        assert!(
            key.verifying_key()
                .under(Strict)
                .verify(&message, &signature)
                .is_ok()
        );
        // Other randomness, another signature.
        assert_ne!(key.sign(&message, &[i; 64]), signature);
    }
    assert!(signs[0] > 10 && signs[1] > 10, "{signs:?}");
}

#[test]
fn what_the_specification_says_of_s() {
    let key = SecretKey::from_x25519(&[3; 32]);
    let public = key.x25519_public_bytes();
    let signature = key.sign(b"m", &[5; 64]);
    let with = |s: [u8; 32]| Signature::from_components(*signature.r_bytes(), s);
    // S + L is below 2^253 unless S is near L, S + 2 L is not.
    let once = sum(signature.s_bytes(), &order());
    assert!(verify(&public, b"m", &with(once)).is_ok());
    assert!(verify_with_sign(&public, b"m", &with(once)).is_ok());
    let strict = verifying_key(&public).expect("a key");
    assert!(strict.under(Strict).verify(b"m", &with(once)).is_err());
    let twice = sum(&once, &order());
    assert!(twice[31] & 0xe0 != 0);
    assert!(verify(&public, b"m", &with(twice)).is_err());
    for bit in [0x20, 0x40, 0x80] {
        let mut s = *signature.s_bytes();
        s[31] |= bit;
        assert!(verify(&public, b"m", &with(s)).is_err());
        assert!(verify_with_sign(&public, b"m", &with(s)).is_err());
    }
}

#[test]
fn keys_that_are_none() {
    let mut p = [0xff; 32];
    (p[0], p[31]) = (0xed, 0x7f);
    let small = |n: u8| {
        let mut bytes = [0; 32];
        bytes[0] = n;
        bytes
    };
    // Of the curve, and of its twist.
    assert!(verifying_key(&small(9)).is_ok());
    assert!(verifying_key(&small(2)).is_err());
    assert!(verify_with_sign(&small(2), b"", &Signature::from_bytes(&[0; 64])).is_err());
    // p + 9 is 9 to X25519 and to libsignal, and refused as specified; so is the highest bit.
    for u in [sum(&p, &small(9)), p, [0xff; 32], {
        let mut u = small(9);
        u[31] |= 0x80;
        u
    }] {
        assert!(verifying_key(&u).is_err(), "{u:?}");
    }
    // p - 1 is no point of the curve; p - 5 is one or none, but reduced.
    p[0] = 0xec;
    assert!(verifying_key(&p).is_err());
    let reduced = (1..=0xec).filter(|low| {
        let mut u = p;
        u[0] = *low;
        verifying_key(&u).is_ok()
    });
    assert!(reduced.count() > 50);
}

/// With u = 0, A is the point of order 2: whoever knows that can sign, and the specification lets them.
#[test]
fn keys_of_small_order_are_accepted_as_specified() {
    let key = verifying_key(&[0; 32]).expect("u = 0 is on the curve");
    assert!(key.is_weak());
    let mut found = 0;
    for i in 0..64u8 {
        let s = Scalar::from(u64::from(i) + 1);
        let r = EdwardsPoint::mul_base(&s).compress();
        let signature = Signature::from_components(r.0, s.to_bytes());
        let h = hash(&[&r.0, key.as_bytes(), b"m"]);
        let even = Scalar::from_bytes_mod_order_wide(&h).to_bytes()[0] & 1 == 0;
        assert_eq!(verify(&[0; 32], b"m", &signature).is_ok(), even);
        assert!(key.under(Strict).verify(b"m", &signature).is_err());
        assert_eq!(key.under(Donna).verify(b"m", &signature).is_ok(), even);
        found += u32::from(even);
    }
    assert!(found > 10);
    assert!(CompressedEdwardsY(*key.as_bytes()).decompress().is_some());
}

#[test]
fn debug_shows_nothing() {
    let shown = format!("{:?}", SecretKey::from_x25519(&[7; 32]));
    assert_eq!(shown, "SecretKey { .. }");
}
