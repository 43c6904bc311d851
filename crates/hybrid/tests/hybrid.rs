//! Keys, signatures and refusals.
#![cfg(feature = "sign")]

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{BuildHasher, BuildHasherDefault};

use lanner_ed25519::profile::ProfileName;
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DOMAIN_NONE, DomainContext, HASH_ID_RAW};
use lanner_hybrid::{
    Error, LOGN_512, LOGN_1024, PREFIX, SigningKey512, SigningKey1024, SigningKeyStandard,
    SigningSpace, VerifyingKey512, VerifyingKey1024, VerifyingKeyStandard, label, signature_size,
    verifying_key_size,
};
use sha2::{Digest, Sha512};

fn key(logn: u32) -> SigningKeyStandard {
    SigningKeyStandard::from_seed_of_degree(logn, &[7; 32]).unwrap()
}

fn public(key: &SigningKeyStandard) -> Vec<u8> {
    let mut bytes = vec![0; verifying_key_size(key.logn())];
    key.verifying_key().write_bytes(&mut bytes).unwrap();
    bytes
}

fn sign(key: &SigningKeyStandard, context: &[u8], message: &[u8]) -> Vec<u8> {
    let mut signature = vec![0; signature_size(key.logn())];
    let rng = &mut SeededRng::new(b"seed");
    key.sign_bytes(rng, context, message, &mut signature)
        .unwrap();
    signature
}

#[test]
fn the_types_agree() {
    let seed = [9; 32];
    let (one, two) = (
        SigningKey512::from_seed(&seed).unwrap(),
        SigningKeyStandard::from_seed_of_degree(LOGN_512, &seed).unwrap(),
    );
    assert_eq!(one.verifying_key().hash(), two.verifying_key().hash());
    let large = SigningKey1024::from_seed(&seed).unwrap();
    assert_eq!(large, SigningKey1024::from_seed(&seed).unwrap());
    // The same seed is another key in both halves with another degree.
    let (small, large) = (public(&two), {
        let mut bytes = vec![0; 1825];
        large.verifying_key().write_bytes(&mut bytes).unwrap();
        bytes
    });
    assert_ne!(small[..32], large[..32]);
    let bytes = public(&two);
    assert_eq!(
        VerifyingKey512::from_bytes(&bytes).unwrap(),
        one.verifying_key()
    );
    assert_eq!(VerifyingKey1024::from_bytes(&bytes), Err(Error::Degree));
    assert_eq!(
        SigningKey1024::from_seed_of_degree(LOGN_512, &seed).err(),
        Some(Error::Degree)
    );
    assert_eq!(one.seed(), &seed);
}

/// Every byte of a signature counts: of each half some, of every length all.
#[test]
fn one_encoding() {
    for logn in [LOGN_512, LOGN_1024] {
        let key = key(logn);
        let (verifying, message) = (key.verifying_key(), b"message");
        let good = sign(&key, b"", message);
        verifying.verify(&good, b"", message).unwrap();
        let refused = |signature: &[u8]| {
            let verdict = verifying.verify(signature, b"", message);
            assert_eq!(verdict, Err(Error::Signature), "{}", signature.len());
        };
        for at in (0..good.len()).step_by(7).chain(60..70) {
            let mut bad = good.clone();
            bad[at] ^= 1;
            refused(&bad);
        }
        for length in [0, 64, good.len() - 1] {
            refused(&good[..length]);
        }
        refused(&[&good[..], &[0]].concat());
        // S + L, the other encoding of the same S.
        let order = hex::decode("edd3f55c1a631258d69cf7a2def9de14").unwrap();
        let mut bad = good.clone();
        let mut carry = 0;
        for i in 0..32 {
            let l = match i {
                0..16 => order[i],
                31 => 0x10,
                _ => 0,
            };
            let sum = u16::from(bad[32 + i]) + u16::from(l) + carry;
            bad[32 + i] = sum as u8;
            carry = sum >> 8;
        }
        refused(&bad);
    }
}

#[test]
fn contexts_and_messages_count() {
    let key = key(LOGN_512);
    let verifying = key.verifying_key();
    let signature = sign(&key, b"context", b"message");
    verifying
        .verify(&signature, b"context", b"message")
        .unwrap();
    for (context, message) in [
        (&b""[..], &b"message"[..]),
        (b"contex", b"message"),
        (b"context", b"massage"),
        (b"contextm", b"essage"),
    ] {
        let verdict = verifying.verify(&signature, context, message);
        assert_eq!(verdict, Err(Error::Signature));
    }
    let long = [0; 256];
    assert_eq!(
        verifying.verify(&signature, &long, b""),
        Err(Error::Context)
    );
    let mut out = vec![0; 730];
    let rng = &mut SeededRng::new(b"");
    assert_eq!(
        key.sign_bytes(rng, &long, b"", &mut out),
        Err(Error::Context)
    );
    key.sign_bytes(rng, &long[..255], b"", &mut out).unwrap();
    verifying.verify(&out, &long[..255], b"").unwrap();
    assert_eq!(
        key.sign_bytes(rng, b"", b"", &mut out[1..]),
        Err(Error::Length)
    );
}

#[test]
fn pieces_are_a_message() {
    let key = key(LOGN_512);
    let message: Vec<u8> = (0..1000).map(|i| i as u8).collect();
    let signature = sign(&key, b"", &message);
    let verifying = key.verifying_key();
    for size in [1, 127, 128, 129, 1000] {
        let mut stream = verifying.verify_stream(&signature, b"");
        message.chunks(size).for_each(|piece| stream.update(piece));
        stream.finish().unwrap();
    }
    let mut stream = verifying.verify_stream(&signature, b"");
    stream.update(&message[1..]);
    assert_eq!(stream.finish(), Err(Error::Signature));
}

#[test]
fn keys_have_one_encoding() {
    let good = public(&key(LOGN_512));
    let refused = |bytes: &[u8]| {
        assert_eq!(VerifyingKeyStandard::from_bytes(bytes), Err(Error::Key));
    };
    for length in [0, 31, 32, 928] {
        refused(&good[..length]);
    }
    refused(&[&good[..], &[0]].concat());
    let with_point = |point: &str| {
        let mut bytes = good.clone();
        bytes[..32].copy_from_slice(&hex::decode(point).unwrap());
        bytes
    };
    for point in [
        // Points of small order: 1, -1, of order 4, of order 8.
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        // y = p + 3, of a point of large order.
        "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        // No point.
        "0200000000000000000000000000000000000000000000000000000000000000",
    ] {
        refused(&with_point(point));
    }
    let mut bytes = good.clone();
    bytes[32] = 0x0a; // The header of the other degree.
    refused(&bytes);
    VerifyingKeyStandard::from_bytes(&good).unwrap();
}

/// The halves are signatures of neither the message nor its hash, under any rule, nor of a message that begins with the
/// prefix elsewhere; and halves of two keys make no signature under a mixture of the keys.
#[test]
fn halves_are_of_no_use() {
    let (one, two) = (key(LOGN_512), {
        SigningKeyStandard::from_seed_of_degree(LOGN_512, &[8; 32]).unwrap()
    });
    let message = b"message";
    let digest = Sha512::digest(message);
    let signature = sign(&one, b"", message);
    let keys = (public(&one), public(&two));
    let ed25519 =
        lanner_ed25519::VerifyingKey::from_bytes(keys.0[..32].try_into().unwrap()).unwrap();
    let half = lanner_ed25519::Signature::from_slice(&signature[..64]).unwrap();
    let fn_dsa = lanner_fn_dsa::VerifyingKey512::from_bytes(&keys.0[32..]).unwrap();
    let context = DomainContext(label(LOGN_512));
    for bytes in [&message[..], &digest] {
        for &profile in ProfileName::ALL {
            assert!(ed25519.under(profile).verify(bytes, &half).is_err());
        }
        for context in [DOMAIN_NONE, context] {
            let verdict = fn_dsa.try_verify(&signature[64..], &context, &HASH_ID_RAW, bytes);
            assert!(verdict.is_err());
        }
    }
    // What they are signatures of; and of that, FN-DSA's without the context is none.
    let representative = [
        &PREFIX[..],
        &[30],
        label(LOGN_512),
        &Sha512::digest(&keys.0),
        &[0],
        &digest,
    ]
    .concat();
    let strict = ProfileName::Strict;
    ed25519
        .under(strict)
        .verify(&representative, &half)
        .unwrap();
    let verify =
        |context| fn_dsa.try_verify(&signature[64..], &context, &HASH_ID_RAW, &representative);
    verify(context).unwrap();
    assert!(verify(DOMAIN_NONE).is_err());

    // Mixed keys, and signatures made of halves of two signers.
    let other = sign(&two, b"", message);
    let mixed_key = [&keys.0[..32], &keys.1[32..]].concat();
    let mixed_key = VerifyingKey512::from_bytes(&mixed_key).unwrap();
    let mixed = [&signature[..64], &other[64..]].concat();
    for signature in [&signature, &other, &mixed] {
        assert!(mixed_key.verify(signature, b"", message).is_err());
    }
    assert!(one.verifying_key().verify(&mixed, b"", message).is_err());
    // Two signatures of one signer of one message do mix: both halves are valid.
    let mut again = vec![0; 730];
    let rng = &mut SeededRng::new(b"another");
    one.sign_bytes(rng, b"", message, &mut again).unwrap();
    assert_ne!(again, signature);
    let mixed = [&again[..64], &signature[64..]].concat();
    one.verifying_key().verify(&mixed, b"", message).unwrap();
}

#[test]
fn a_generator_that_fails() {
    struct Broken;
    impl rand_core::TryRng for Broken {
        type Error = core::fmt::Error;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Err(core::fmt::Error)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Err(core::fmt::Error)
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            Err(core::fmt::Error)
        }
    }
    impl rand_core::TryCryptoRng for Broken {}
    let mut signature = vec![1; 730];
    let result = key(LOGN_512).sign_bytes(&mut Broken, b"", b"", &mut signature);
    assert_eq!(result, Err(Error::Random));
    assert!(signature.iter().all(|&byte| byte == 0));
    assert_eq!(
        SigningKey512::generate(&mut Broken).err(),
        Some(Error::Random)
    );
}

#[test]
fn debug_hides_the_secret() {
    let key = key(LOGN_512);
    let text = format!("{key:?}");
    assert!(text.contains("verifying_key") && !text.contains("seed") && !text.contains("7, 7"));
    // What is public shows, by what keys are told apart.
    let (verifying, half) = (key.verifying_key(), hex::encode(&public(&key)[..32]));
    let stream = verifying.verify_stream(b"", b"");
    for text in [text, format!("{verifying:?}"), format!("{stream:?}")] {
        assert!(text.contains(&half), "{text}");
    }
}

/// Keys are equal where seed and degree are, and verifying keys where both halves are.
#[test]
fn keys_that_differ_are_not_equal() {
    let key = |logn, seed| SigningKeyStandard::from_seed_of_degree(logn, &[seed; 32]).unwrap();
    let keys = [
        key(LOGN_512, 1),
        key(LOGN_512, 2),
        key(LOGN_1024, 1),
        key(LOGN_1024, 2),
    ];
    for (i, one) in keys.iter().enumerate() {
        for (j, other) in keys.iter().enumerate() {
            assert_eq!(one == &other.clone(), i == j, "{i} {j}");
            assert_eq!(one.verifying_key() == other.verifying_key(), i == j);
        }
    }
    let (one, other) = (public(&keys[0]), public(&keys[1]));
    let mixed = [&one[..32], &other[32..]].concat();
    let mixed = VerifyingKeyStandard::from_bytes(&mixed).unwrap();
    for key in &keys {
        assert_ne!(mixed, key.verifying_key());
    }
}

/// Each reason has words of its own.
#[test]
fn errors_say_what_is_wrong() {
    let texts = [
        (Error::Degree, "degree"),
        (Error::Length, "length"),
        (Error::Context, "context"),
        (Error::Key, "key"),
        (Error::Signature, "signature is not valid"),
        (Error::Random, "random"),
        (Error::Fault, "did not pass its check"),
    ];
    for (error, word) in texts {
        let said = error.to_string();
        assert!(said.contains(word), "{said}");
    }
}

/// Makes the vectors anew, as far as FN-DSA goes; `vectors/hybrid.py --fill` makes the rest.
#[test]
#[ignore = "writes vectors/data/hybrid.json"]
fn write_vectors() {
    let messages: [(&[u8], &[u8]); 3] = [(b"", b""), (b"", b"message"), (b"context", &[0xff; 300])];
    let mut cases = Vec::new();
    for logn in [LOGN_512, LOGN_1024] {
        for (i, (context, message)) in (0u8..).zip(messages) {
            let seed: [u8; 32] = core::array::from_fn(|at| at as u8 + 32 * i);
            let key = SigningKeyStandard::from_seed_of_degree(logn, &seed).unwrap();
            cases.push(serde_json::json!({
                "algorithm": key.verifying_key().name(),
                "seed": hex::encode(seed),
                "context": hex::encode(context),
                "message": hex::encode(message),
                "verifying_key": hex::encode(public(&key)),
                "signature": hex::encode(sign(&key, context, message)),
            }));
        }
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../vectors/data/hybrid.json"
    );
    std::fs::write(path, serde_json::to_string_pretty(&cases).unwrap()).unwrap();
}

/// `vectors/hybrid.py` computed all but FN-DSA's own bits by other means.
#[test]
fn vectors() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../vectors/data/hybrid.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mut degrees = Vec::new();
    for case in &cases {
        let bytes = |name: &str| hex::decode(case[name].as_str().unwrap()).unwrap();
        let (context, message) = (bytes("context"), bytes("message"));
        let logn = match case["algorithm"].as_str().unwrap() {
            "ed25519+fn-dsa-512" => LOGN_512,
            _ => LOGN_1024,
        };
        degrees.push(logn);
        let seed = bytes("seed").try_into().unwrap();
        let key = SigningKeyStandard::from_seed_of_degree(logn, &seed).unwrap();
        assert_eq!(public(&key), bytes("verifying_key"));
        assert_eq!(key.verifying_key().hash()[..], bytes("key_hash"));
        let verifying = VerifyingKeyStandard::from_bytes(&bytes("verifying_key")).unwrap();
        assert_eq!(verifying.name(), case["algorithm"]);
        let signature = bytes("signature");
        verifying.verify(&signature, &context, &message).unwrap();
        assert_eq!(sign(&key, &context, &message)[..64], signature[..64]);
    }
    assert!(degrees.contains(&LOGN_512) && degrees.contains(&LOGN_1024));
}

/// The files that all faces write and read.
#[cfg(feature = "pem")]
#[test]
fn key_files_of_the_vectors() {
    use lanner_hybrid::pkcs8::spki::{DecodePublicKey, EncodePublicKey};
    use lanner_hybrid::pkcs8::{DecodePrivateKey, EncodePrivateKey};
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../vectors/data/key_files.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    for logn in [LOGN_512, LOGN_1024] {
        let cases = file["cases"].as_array().unwrap();
        let name = lanner_hybrid::name(logn);
        let case = cases.iter().find(|case| case["algorithm"] == name).unwrap();
        let bytes = |name: &str| hex::decode(case[name].as_str().unwrap()).unwrap();
        let seed = bytes("seed").try_into().unwrap();
        let key = SigningKeyStandard::from_seed_of_degree(logn, &seed).unwrap();
        assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), bytes("pkcs8"));
        let read = SigningKeyStandard::from_pkcs8_der(&bytes("pkcs8"));
        assert_eq!(read.unwrap(), key);
        let verifying = key.verifying_key();
        let spki = verifying.to_public_key_der().unwrap();
        assert_eq!(spki.as_bytes(), bytes("spki"));
        let read = VerifyingKeyStandard::from_public_key_der(&bytes("spki"));
        assert_eq!(read.unwrap(), verifying);
    }
}

#[cfg(feature = "pem")]
#[test]
fn key_files() {
    use lanner_hybrid::pkcs8::spki::{self, DecodePublicKey, EncodePublicKey};
    use lanner_hybrid::pkcs8::{DecodePrivateKey, EncodePrivateKey, Error};
    use lanner_hybrid::{HYBRID_512_OID, HYBRID_1024_OID};
    for logn in [LOGN_512, LOGN_1024] {
        let key = key(logn);
        let der = key.to_pkcs8_der().unwrap();
        // Version, identifier, and 32 bytes that stand in the file as they are.
        assert!(der.as_bytes().ends_with(&[&[4, 32][..], &[7; 32]].concat()));
        assert_eq!(
            SigningKeyStandard::from_pkcs8_der(der.as_bytes()).unwrap(),
            key
        );
        let pem = key.to_pkcs8_pem(Default::default()).unwrap();
        assert_eq!(SigningKeyStandard::from_pkcs8_pem(&pem).unwrap(), key);
        let public = key.verifying_key().to_public_key_der().unwrap();
        let read = VerifyingKeyStandard::from_public_key_der(public.as_bytes()).unwrap();
        assert_eq!(read, key.verifying_key());
        // A type for the other degree does not know the algorithm; the key is not malformed.
        let (error, public_error, oid) = match logn {
            LOGN_512 => (
                SigningKey1024::from_pkcs8_der(der.as_bytes()).unwrap_err(),
                VerifyingKey1024::from_public_key_der(public.as_bytes()).unwrap_err(),
                HYBRID_512_OID,
            ),
            _ => (
                SigningKey512::from_pkcs8_der(der.as_bytes()).unwrap_err(),
                VerifyingKey512::from_public_key_der(public.as_bytes()).unwrap_err(),
                HYBRID_1024_OID,
            ),
        };
        assert_eq!(public_error, spki::Error::OidUnknown { oid });
        assert_eq!(error, Error::PublicKey(public_error));
        // A seed of another length, and the identifier of the other degree.
        let mut bad = der.as_bytes().to_vec();
        bad.pop();
        assert!(SigningKeyStandard::from_pkcs8_der(&bad).is_err());
        let mut bad = public.as_bytes().to_vec();
        let at = bad
            .windows(2)
            .position(|pair| pair == [0x03, 0x82])
            .unwrap();
        bad[at - 1] ^= 3; // 109 and 110 differ in these bits.
        assert!(VerifyingKeyStandard::from_public_key_der(&bad).is_err());
    }
}

/// A key file of version 2 has the verifying key beside the seed, which must be that of the seed.
#[cfg(feature = "pem")]
#[test]
fn key_files_with_the_verifying_key() {
    use lanner_hybrid::pkcs8::{AlgorithmIdentifierRef, DecodePrivateKey, PrivateKeyInfoRef};
    use lanner_hybrid::pkcs8::{SecretDocument, der::asn1};
    for (logn, oid) in [
        (LOGN_512, lanner_hybrid::HYBRID_512_OID),
        (LOGN_1024, lanner_hybrid::HYBRID_1024_OID),
    ] {
        let key = key(logn);
        let read_as = |unused: u8, public: &[u8]| {
            let info = PrivateKeyInfoRef {
                algorithm: AlgorithmIdentifierRef {
                    oid,
                    parameters: None,
                },
                private_key: asn1::OctetStringRef::new(key.seed()).unwrap(),
                public_key: Some(asn1::BitStringRef::new(unused, public).unwrap()),
            };
            let der = SecretDocument::try_from(info).unwrap();
            SigningKeyStandard::from_pkcs8_der(der.as_bytes())
        };
        let read = |public: &[u8]| read_as(0, public);
        let right = public(&key);
        assert_eq!(read(&right).unwrap(), key);
        // The same bytes, of whose last one some bits are said to be unused.
        for unused in 1..8 {
            assert!(read_as(unused, &right).is_err());
        }
        let other = SigningKeyStandard::from_seed_of_degree(logn, &[8; 32]).unwrap();
        let other = public(&other);
        for wrong in [
            &other[..],
            &[&right[..32], &other[32..]].concat(),
            &[&other[..32], &right[32..]].concat(),
            &right[1..],
            &[],
        ] {
            assert!(read(wrong).is_err());
        }
    }
}

/// Sizes, labels and names are those of the two degrees, and of no other.
#[test]
fn other_degrees_have_no_sizes_and_names() {
    fn panics<R>(of: impl Fn(u32) -> R, logn: u32) -> bool {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| _ = of(logn))).is_err()
    }
    for logn in [0, 1, 8, 9, 10, 11, 32, u32::MAX] {
        let expected = logn != LOGN_512 && logn != LOGN_1024;
        assert_eq!(panics(verifying_key_size, logn), expected, "{logn}");
        assert_eq!(panics(signature_size, logn), expected, "{logn}");
        assert_eq!(panics(label, logn), expected, "{logn}");
        assert_eq!(panics(lanner_hybrid::name, logn), expected, "{logn}");
    }
}

/// Memory that is lent holds nothing of what was signed before in it, and what is signed is the same.
#[test]
fn lent_memory_changes_nothing() {
    for logn in [LOGN_512, LOGN_1024] {
        let key = key(logn);
        let space = &mut Box::new(SigningSpace::new());
        let digest = Sha512::digest(b"message").into();
        let mut rngs = [(); 8].map(|()| SeededRng::new(b"seed"));
        let [a, b, c, d, e, f, g, h] = &mut rngs;
        let mut made = [(); 8].map(|()| vec![0; signature_size(logn)]);
        let [m, n, o, p, q, r, s, t] = &mut made;
        key.sign_bytes(a, b"context", b"message", m).unwrap();
        key.sign_bytes_in(space, b, b"context", b"message", n)
            .unwrap();
        key.sign_digest(c, b"context", &digest, o).unwrap();
        key.sign_digest_in(space, d, b"context", &digest, p)
            .unwrap();
        key.sign_bytes_checked(e, b"context", b"message", q)
            .unwrap();
        key.sign_bytes_checked_in(space, f, b"context", b"message", r)
            .unwrap();
        key.sign_digest_checked(g, b"context", &digest, s).unwrap();
        key.sign_digest_checked_in(space, h, b"context", &digest, t)
            .unwrap();
        let (plain, checked) = made.split_at(4);
        for of_four in [plain, checked] {
            assert!(of_four.iter().all(|signature| *signature == of_four[0]));
            let verdict = key
                .verifying_key()
                .verify(&of_four[0], b"context", b"message");
            assert_eq!(verdict, Ok(()));
        }
        let rng = &mut SeededRng::new(b"seed");
        let (short, long) = (&mut made[0][1..], [0; 256]);
        let refused = key.sign_bytes_in(space, rng, b"", b"", short);
        assert_eq!(refused, Err(Error::Length));
        let refused = key.sign_digest_checked_in(space, rng, &long, &digest, &mut made[1]);
        assert_eq!(refused, Err(Error::Context));
    }
}

#[test]
fn checked_signatures_are_signatures() {
    for logn in [LOGN_512, LOGN_1024] {
        let key = key(logn);
        let mut checked = vec![0; signature_size(logn)];
        let rng = &mut SeededRng::new(b"seed");
        key.sign_bytes_checked(rng, b"context", b"message", &mut checked)
            .unwrap();
        // The half of Ed25519 is no other, and that of FN-DSA draws its randomness in its own way.
        assert_eq!(checked[..64], sign(&key, b"context", b"message")[..64]);
        let public = key.verifying_key();
        assert_eq!(public.verify(&checked, b"context", b"message"), Ok(()));

        let digest = Sha512::digest(b"message").into();
        let mut of_digest = vec![0; signature_size(logn)];
        let rng = &mut SeededRng::new(b"seed");
        key.sign_digest_checked(rng, b"context", &digest, &mut of_digest)
            .unwrap();
        assert_eq!(of_digest, checked);

        let rng = &mut SeededRng::new(b"seed");
        let short = &mut checked[1..];
        assert_eq!(
            key.sign_bytes_checked(rng, b"", b"", short),
            Err(Error::Length)
        );
        assert_eq!(
            key.sign_digest_checked(rng, b"", &digest, short),
            Err(Error::Length)
        );
    }
}

/// What is equal has one hash; others have others.
#[test]
fn verifying_keys_are_found_in_sets() {
    let keys = [LOGN_512, LOGN_1024].map(|logn| key(logn).verifying_key());
    let [small, large] = keys;
    let set = HashSet::from([&small, &large]);
    assert!(set.contains(&key(LOGN_512).verifying_key()));
    let hash =
        |key: &VerifyingKeyStandard| BuildHasherDefault::<DefaultHasher>::default().hash_one(key);
    assert_ne!(hash(&small), hash(&large));
}
