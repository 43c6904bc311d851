//! The key types: equality, randomness, secrecy, small orders, formats.

use getrandom::{SysRng, rand_core::UnwrapErr};
use lanner_x25519::{EphemeralSecret, PublicKey, x25519, x25519_checked};
use zeroize::{Zeroize, ZeroizeOnDrop};

fn bytes(hex: &str) -> [u8; 32] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

/// Every u whose result is all zero (RFC 7748 section 6.1): the points of
/// small order of the curve and of its twist, as encoded modulo 2^255.
fn small_order() -> Vec<[u8; 32]> {
    let mut all: Vec<[u8; 32]> = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]
    .map(bytes)
    .to_vec();
    for i in 0..all.len() {
        let mut high = all[i];
        high[31] |= 0x80;
        all.push(high);
    }
    all
}

#[test]
fn small_order_is_refused_where_it_is_checked() {
    for u in small_order() {
        let secret = || EphemeralSecret::random_from_rng(&mut UnwrapErr(SysRng));
        let public = PublicKey::from(u);
        let unchecked = secret().diffie_hellman(&public);
        assert_eq!(unchecked.to_bytes(), [0; 32], "{u:02x?}");
        assert!(!unchecked.was_contributory());
        assert!(secret().diffie_hellman_checked(&public).is_err());
        assert_eq!(x25519([7; 32], u), [0; 32]);
        assert!(x25519_checked([7; 32], u).is_err());
    }
    let error = x25519_checked([7; 32], [0; 32]).unwrap_err();
    assert!(error.to_string().contains("small order"));
}

#[test]
fn public_keys_compare_as_coordinates() {
    let p_plus_2 = {
        let mut u = [0xff; 32];
        u[0] = 0xef;
        u[31] = 0x7f;
        u
    };
    let two = {
        let mut u = [0; 32];
        u[0] = 2;
        u
    };
    let key = PublicKey::from(p_plus_2);
    assert_eq!(key, PublicKey::from(two));
    assert_ne!(key, PublicKey::from([3; 32]));
    // The bytes are kept.
    assert_eq!(key.to_bytes(), p_plus_2);
    assert_eq!(key.as_bytes(), &p_plus_2);
    assert_eq!(key.as_ref(), p_plus_2);

    let set: std::collections::HashSet<PublicKey> = [key, PublicKey::from(two)].into();
    assert_eq!(set.len(), 1);

    let mut wiped = key;
    wiped.zeroize();
    assert_eq!(wiped.to_bytes(), [0; 32]);
}

#[test]
fn random_secrets_differ_and_agree() {
    let mut rng = UnwrapErr(SysRng);
    let alice = EphemeralSecret::random_from_rng(&mut rng);
    let bob = EphemeralSecret::random_from_rng(&mut rng);
    let (alice_public, bob_public) = (PublicKey::from(&alice), PublicKey::from(&bob));
    assert_ne!(alice_public, bob_public);
    let shared = alice.diffie_hellman(&bob_public);
    assert_eq!(
        shared.as_bytes(),
        bob.diffie_hellman(&alice_public).as_bytes()
    );
}

fn is_wiped<T: ZeroizeOnDrop>() {}

#[test]
fn secrets_are_wiped_and_not_shown() {
    is_wiped::<EphemeralSecret>();
    is_wiped::<lanner_x25519::SharedSecret>();
    let secret = EphemeralSecret::random_from_rng(&mut UnwrapErr(SysRng));
    assert_eq!(format!("{secret:?}"), "EphemeralSecret { .. }");
    let shared = secret.diffie_hellman(&PublicKey::from([9; 32]));
    assert_eq!(format!("{shared:?}"), "SharedSecret { .. }");
}

#[cfg(feature = "getrandom")]
#[test]
fn randomness_of_the_system() {
    let (a, b) = (EphemeralSecret::random(), EphemeralSecret::random());
    assert_ne!(PublicKey::from(&a), PublicKey::from(&b));
    assert!(EphemeralSecret::generate_from_os().is_ok());
}

#[cfg(feature = "reusable_secrets")]
#[test]
fn reusable_secrets_are_reusable() {
    use lanner_x25519::ReusableSecret;

    is_wiped::<ReusableSecret>();
    let secret = ReusableSecret::random_from_rng(&mut UnwrapErr(SysRng));
    let peer = PublicKey::from([9; 32]);
    let first = secret.diffie_hellman(&peer);
    let second = secret.clone().diffie_hellman_checked(&peer).unwrap();
    assert_eq!(first.as_bytes(), second.as_bytes());
    assert!(!format!("{secret:?}").contains(|c: char| c.is_ascii_digit()));
}

#[cfg(feature = "static_secrets")]
mod static_secrets {
    use super::*;
    use lanner_x25519::StaticSecret;
    use proptest::prelude::*;

    #[test]
    fn bytes_are_kept_unclamped() {
        is_wiped::<StaticSecret>();
        let secret = StaticSecret::from([0xff; 32]);
        assert_eq!(secret.to_bytes(), [0xff; 32]);
        assert_eq!(secret.as_bytes(), &[0xff; 32]);
        assert_eq!(secret.as_ref(), [0xff; 32]);
        assert_eq!(secret.clone().to_bytes(), [0xff; 32]);
        assert_eq!(format!("{secret:?}"), "StaticSecret { .. }");
        // Clamping happens in use (RFC 7748 section 5).
        let mut clamped = [0xff; 32];
        clamped[0] = 0xf8;
        clamped[31] = 0x7f;
        assert_eq!(
            PublicKey::from(&secret),
            PublicKey::from(&StaticSecret::from(clamped))
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn types_and_function_agree(a: [u8; 32], b: [u8; 32], u: [u8; 32]) {
            let (alice, bob) = (StaticSecret::from(a), StaticSecret::from(b));
            let (alice_public, bob_public) = (PublicKey::from(&alice), PublicKey::from(&bob));
            prop_assert_eq!(alice_public.to_bytes(), x25519(a, lanner_x25519::X25519_BASEPOINT_BYTES));
            let shared = alice.diffie_hellman(&bob_public);
            prop_assert_eq!(shared.to_bytes(), bob.diffie_hellman(&alice_public).to_bytes());
            prop_assert_eq!(shared.to_bytes(), x25519(a, bob_public.to_bytes()));
            // Any bytes are a public key; its top bit does not count.
            let mut masked = u;
            masked[31] &= 0x7f;
            prop_assert_eq!(x25519(a, u), x25519(a, masked));
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serde() {
        let secret = StaticSecret::from([0xab; 32]);
        let public = PublicKey::from([0xcd; 32]);
        let json = serde_json::to_string(&(&secret, &public)).unwrap();
        assert_eq!(
            json,
            format!("[[{}],[{}]]", ["171"; 32].join(","), ["205"; 32].join(","))
        );
        let (s, p): (StaticSecret, PublicKey) = serde_json::from_str(&json).unwrap();
        assert_eq!(s.to_bytes(), secret.to_bytes());
        assert_eq!(p.to_bytes(), public.to_bytes());

        // 32 bytes and nothing else, without a length.
        let binary = postcard::to_allocvec(&public).unwrap();
        assert_eq!(binary, [0xcd; 32]);
        let back: PublicKey = postcard::from_bytes(&binary).unwrap();
        assert_eq!(back.to_bytes(), public.to_bytes());

        for wrong in [
            ["1"; 31].join(","),
            ["1"; 33].join(","),
            ["256"; 32].join(","),
        ] {
            assert!(serde_json::from_str::<PublicKey>(&format!("[{wrong}]")).is_err());
            assert!(serde_json::from_str::<StaticSecret>(&format!("[{wrong}]")).is_err());
        }
        let error = serde_json::from_str::<PublicKey>("{}").expect_err("no array");
        assert!(error.to_string().contains("expected an array of length 32"));
        let error = serde_json::from_str::<StaticSecret>("[1]").expect_err("too short");
        assert!(error.to_string().contains("expected an array of length 32"));
    }

    /// Formats that write newtypes as sequences of one.
    #[cfg(feature = "serde")]
    #[test]
    fn serde_of_sequences() {
        use serde::Deserialize;
        use serde::de::IntoDeserializer;
        use serde::de::value::{BoolDeserializer, Error, SeqDeserializer};

        let inside = |bytes: &[u8]| SeqDeserializer::<_, Error>::new([bytes.to_vec()].into_iter());
        // A public key is a newtype of a coordinate, which is one of numbers.
        let twice =
            |bytes: &[u8]| SeqDeserializer::<_, Error>::new([vec![bytes.to_vec()]].into_iter());
        let public = PublicKey::deserialize(twice(&[0xcd; 32])).unwrap();
        assert_eq!(public.to_bytes(), [0xcd; 32]);
        let secret = StaticSecret::deserialize(inside(&[0xab; 32])).unwrap();
        assert_eq!(secret.to_bytes(), [0xab; 32]);
        assert!(PublicKey::deserialize(twice(&[1; 31])).is_err());
        assert!(StaticSecret::deserialize(inside(&[1; 31])).is_err());

        let empty = || SeqDeserializer::<_, Error>::new(core::iter::empty::<u8>());
        let public = PublicKey::deserialize(empty()).expect_err("nothing is inside");
        let secret = StaticSecret::deserialize(empty()).expect_err("nothing is inside");
        let length =
            |name| format!("invalid length 0, expected tuple struct {name} with 1 element");
        assert_eq!(public.to_string(), length("PublicKey"));
        assert_eq!(secret.to_string(), length("StaticSecret"));

        let wrong = || -> BoolDeserializer<Error> { true.into_deserializer() };
        let public = PublicKey::deserialize(wrong()).expect_err("no sequence");
        let secret = StaticSecret::deserialize(wrong()).expect_err("no sequence");
        let kind = |name| format!("invalid type: boolean `true`, expected tuple struct {name}");
        assert_eq!(public.to_string(), kind("PublicKey"));
        assert_eq!(secret.to_string(), kind("StaticSecret"));
    }

    #[cfg(feature = "pem")]
    #[test]
    fn key_files() {
        use lanner_x25519::pkcs8::{
            DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
        };

        let secret = StaticSecret::from([0x42; 32]);
        let public = PublicKey::from(&secret);

        // The bytes that `openssl genpkey -algorithm x25519` writes.
        let mut expected = hex::decode("302e020100300506032b656e04220420").unwrap();
        expected.extend([0x42; 32]);
        let der = secret.to_pkcs8_der().unwrap();
        assert_eq!(der.as_bytes(), expected);
        let read = StaticSecret::from_pkcs8_der(&expected).unwrap();
        assert_eq!(read.to_bytes(), [0x42; 32]);

        let pem = secret.to_pkcs8_pem(Default::default()).unwrap();
        let read = StaticSecret::from_pkcs8_pem(&pem).unwrap();
        assert_eq!(read.to_bytes(), [0x42; 32]);

        let mut expected_public = hex::decode("302a300506032b656e032100").unwrap();
        expected_public.extend(public.as_bytes());
        assert_eq!(
            public.to_public_key_der().unwrap().as_bytes(),
            expected_public
        );
        let pem = public.to_public_key_pem(Default::default()).unwrap();
        let read = PublicKey::from_public_key_pem(&pem).unwrap();
        assert_eq!(read.to_bytes(), public.to_bytes());

        // Version 2: the public key must match.
        let mut v2 = hex::decode("3051020101300506032b656e04220420").unwrap();
        v2.extend([0x42; 32]);
        v2.extend(hex::decode("812100").unwrap());
        v2.extend(public.as_bytes());
        assert!(StaticSecret::from_pkcs8_der(&v2).is_ok());
        *v2.last_mut().unwrap() ^= 1;
        assert!(StaticSecret::from_pkcs8_der(&v2).is_err());

        // Ed25519's identifier, bytes missing or in excess.
        let mut wrong = expected.clone();
        wrong[11] = 0x70;
        assert!(StaticSecret::from_pkcs8_der(&wrong).is_err());
        let mut wrong = expected_public.clone();
        wrong[8] = 0x70;
        assert!(PublicKey::from_public_key_der(&wrong).is_err());
        for n in 0..expected.len() {
            assert!(StaticSecret::from_pkcs8_der(&expected[..n]).is_err());
        }
        for n in 0..expected_public.len() {
            assert!(PublicKey::from_public_key_der(&expected_public[..n]).is_err());
        }
        expected.push(0);
        assert!(StaticSecret::from_pkcs8_der(&expected).is_err());
    }
}
