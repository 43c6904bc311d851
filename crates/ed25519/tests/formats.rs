//! Round trips of every format, and what is refused.

use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};

fn key() -> SigningKey {
    SigningKey::from_bytes(&[0x42; 32])
}

#[test]
fn bytes() {
    let key = key();
    assert_eq!(key.to_bytes(), [0x42; 32]);
    assert_eq!(key.as_bytes(), &[0x42; 32]);
    let public = key.verifying_key();
    assert_eq!(VerifyingKey::from_bytes(public.as_bytes()).unwrap(), public);
    assert_eq!(VerifyingKey::try_from(public.as_ref()).unwrap(), public);
    assert_eq!(&key.to_keypair_bytes()[..32], key.as_bytes());
    assert_eq!(&key.to_keypair_bytes()[32..], public.as_bytes());
    let signature = key.sign(b"m");
    assert_eq!(Signature::from_bytes(&signature.to_bytes()), signature);
    let set: std::collections::HashSet<VerifyingKey> = [public, public].into();
    assert_eq!(set.len(), 1);
}

#[test]
fn half_of_all_values_are_no_points() {
    let decodable = (0..=255)
        .filter(|&y| VerifyingKey::from_bytes(&[y; 32]).is_ok())
        .count();
    assert!((90..170).contains(&decodable), "{decodable}");
}

/// Values of all kinds: points, no points, y >= p, and x = 0 with the sign bit.
#[test]
fn many_keys_are_decoded_as_each_is() {
    let mut encodings: Vec<[u8; 32]> = (0..=255).map(|y| [y; 32]).collect();
    for low in 0..=255 {
        let mut bytes = [0xff; 32];
        (bytes[0], bytes[31]) = (low, 0x7f | low << 7);
        encodings.push(bytes);
    }
    let mut one = [0; 32];
    (one[0], one[31]) = (1, 0x80);
    encodings.push(one);
    for backend in lanner_curve::backend::list() {
        lanner_curve::backend::force(backend).expect("a listed backend can run");
        for len in [0, 1, 3, 4, 7, 8, 15, 16, 17, encodings.len()] {
            let bytes = &encodings[encodings.len() - len..];
            let mut keys = vec![Some(key().verifying_key()); len];
            VerifyingKey::from_bytes_each(bytes, &mut keys);
            for (bytes, key) in bytes.iter().zip(keys) {
                let single = VerifyingKey::from_bytes(bytes).ok();
                assert_eq!(key, single, "{bytes:?} on {backend}");
                assert_eq!(key.map(|key| key.to_bytes()), single.map(|_| *bytes));
                let point = |key: VerifyingKey| key.to_montgomery();
                assert_eq!(key.map(point), single.map(point), "{bytes:?} on {backend}");
            }
        }
    }
}

#[cfg(feature = "rand_core")]
#[test]
fn generated_keys_differ() {
    use getrandom::{SysRng, rand_core::UnwrapErr};
    let mut rng = UnwrapErr(SysRng);
    assert_ne!(
        SigningKey::generate(&mut rng),
        SigningKey::generate(&mut rng)
    );
}

#[cfg(feature = "getrandom")]
#[test]
fn keys_from_the_system_differ() {
    let (a, b) = (
        SigningKey::generate_from_os(),
        SigningKey::generate_from_os(),
    );
    assert_ne!(a.unwrap(), b.unwrap());
}

#[cfg(all(feature = "digest", feature = "rand_core"))]
#[test]
fn key_init() {
    use getrandom::{SysRng, rand_core::UnwrapErr};
    use sha2::digest::common::{Generate, KeySizeUser, TryKeyInit};
    assert_eq!(<SigningKey as KeySizeUser>::key_size(), 32);
    assert_eq!(<VerifyingKey as KeySizeUser>::key_size(), 32);
    assert_eq!(
        <SigningKey as TryKeyInit>::new(&[0x42; 32].into()).unwrap(),
        key()
    );
    assert!(<SigningKey as TryKeyInit>::new_from_slice(&[0; 31]).is_err());
    let mut rng = UnwrapErr(SysRng);
    assert_ne!(SigningKey::generate_from_rng(&mut rng), key());
}

#[cfg(feature = "pem")]
mod key_files {
    use super::*;
    use lanner_ed25519::pkcs8::{
        self, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, KeypairBytes,
        PrivateKeyInfoRef, PublicKeyBytes, spki::SignatureAlgorithmIdentifier,
    };

    /// RFC 8410 section 10.3.
    const RFC_PRIVATE_V1: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";
    /// The same with an attribute and the public key.
    const RFC_PRIVATE_V2: &str = "-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
";
    /// RFC 8410 section 10.1.
    const RFC_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";

    #[test]
    fn rfc8410() {
        let key = SigningKey::from_pkcs8_pem(RFC_PRIVATE_V1).unwrap();
        assert_eq!(SigningKey::from_pkcs8_pem(RFC_PRIVATE_V2).unwrap(), key);
        let public = VerifyingKey::from_public_key_pem(RFC_PUBLIC).unwrap();
        assert_eq!(key.verifying_key(), public);

        let written = key.to_pkcs8_pem(Default::default()).unwrap();
        assert_eq!(*written, RFC_PRIVATE_V1);
        assert_eq!(
            public.to_public_key_pem(Default::default()).unwrap(),
            RFC_PUBLIC
        );
    }

    fn v1() -> Vec<u8> {
        let mut der = hex::decode("302e020100300506032b657004220420").unwrap();
        der.extend(key().as_bytes());
        der
    }

    fn v2() -> Vec<u8> {
        let mut der = hex::decode("3051020101300506032b657004220420").unwrap();
        der.extend(key().as_bytes());
        der.extend(hex::decode("812100").unwrap());
        der.extend(key().verifying_key().as_bytes());
        der
    }

    fn old_ring() -> Vec<u8> {
        let mut der = hex::decode("3053020101300506032b657004220420").unwrap();
        der.extend(key().as_bytes());
        der.extend(hex::decode("a123032100").unwrap());
        der.extend(key().verifying_key().as_bytes());
        der
    }

    /// The attribute of [`RFC_PRIVATE_V2`], after the secret key.
    fn with_attributes(der: &[u8]) -> Vec<u8> {
        let attributes =
            hex::decode("a01f301d060a2a864886f70d01090914310f0c0d437572646c6520436861697273");
        let mut with = [&der[..48], &attributes.unwrap(), &der[48..]].concat();
        with[1] += 33;
        with
    }

    #[test]
    fn reads_every_form() {
        for der in [v1(), v2(), old_ring()] {
            let with = SigningKey::from_pkcs8_der(&with_attributes(&der));
            assert_eq!(with.unwrap(), key());
            assert_eq!(SigningKey::from_pkcs8_der(&der).unwrap(), key());
        }
        let pem =
            pkcs8::spki::der::pem::encode_string("PRIVATE KEY", Default::default(), &old_ring());
        assert_eq!(SigningKey::from_pkcs8_pem(&pem.unwrap()).unwrap(), key());
    }

    #[test]
    fn writes_v1_and_v2_on_request() {
        assert_eq!(key().to_pkcs8_der().unwrap().as_bytes(), v1());
        assert_eq!(key().to_pkcs8_v2_der().unwrap().as_bytes(), v2());
        let pem = key().to_pkcs8_v2_pem(Default::default()).unwrap();
        assert_eq!(SigningKey::from_pkcs8_pem(&pem).unwrap(), key());
    }

    #[test]
    fn refuses_what_is_malformed() {
        for der in [v1(), v2(), old_ring()] {
            for n in 0..der.len() {
                assert!(SigningKey::from_pkcs8_der(&der[..n]).is_err(), "{n}");
            }
            let longer = [&der[..], &[0]].concat();
            assert!(SigningKey::from_pkcs8_der(&longer).is_err());
            // No single bit of the structure may change.
            let secret = 16..48;
            for bit in (0..8 * der.len()).filter(|bit| !secret.contains(&(bit / 8))) {
                let mut der = der.clone();
                der[bit / 8] ^= 1 << (bit % 8);
                assert!(SigningKey::from_pkcs8_der(&der).is_err(), "{bit}");
            }
        }
        assert!(SigningKey::from_pkcs8_pem(RFC_PUBLIC).is_err());
        assert!(VerifyingKey::from_public_key_pem(RFC_PRIVATE_V1).is_err());
        assert!(SigningKey::from_pkcs8_pem("").is_err());
    }

    /// Another program's file is told by its label, not by what a decoder stumbles over: OpenSSH's lines have another width.
    #[test]
    fn files_of_another_kind_are_named() {
        let line = "A".repeat(70);
        for (label, body) in [("OPENSSH PRIVATE KEY", &*line), ("EC PRIVATE KEY", "AAAA")] {
            let pem = format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n");
            let error = SigningKey::from_pkcs8_pem(&pem).unwrap_err().to_string();
            assert!(
                error.contains("unexpected PEM type label"),
                "{label}: {error}"
            );
        }
    }

    #[test]
    fn public_keys() {
        let public = key().verifying_key();
        let mut expected = hex::decode("302a300506032b6570032100").unwrap();
        expected.extend(public.as_bytes());
        let der = public.to_public_key_der().unwrap();
        assert_eq!(der.as_bytes(), expected);
        assert_eq!(
            VerifyingKey::from_public_key_der(&expected).unwrap(),
            public
        );
        for n in 0..expected.len() {
            assert!(VerifyingKey::from_public_key_der(&expected[..n]).is_err());
        }
        for bit in 0..8 * 12 {
            let mut der = expected.clone();
            der[bit / 8] ^= 1 << (bit % 8);
            assert!(VerifyingKey::from_public_key_der(&der).is_err(), "{bit}");
        }
        // A value of y without a point.
        let no_point = (2u8..).find(|&y| VerifyingKey::from_bytes(&[y; 32]).is_err());
        expected[12..].fill(no_point.unwrap());
        assert!(VerifyingKey::from_public_key_der(&expected).is_err());
    }

    #[test]
    fn conversions() {
        let pair = KeypairBytes::from(&key());
        assert_eq!(pair.to_bytes(), Some(key().to_keypair_bytes()));
        assert_eq!(SigningKey::try_from(&pair).unwrap(), key());
        assert_eq!(
            SigningKey::try_from(KeypairBytes::from(key())).unwrap(),
            key()
        );
        let public = key().verifying_key();
        let bytes = PublicKeyBytes::from(public);
        assert_eq!(VerifyingKey::try_from(&bytes).unwrap(), public);
        assert_eq!(VerifyingKey::try_from(bytes).unwrap(), public);
        let der = v2();
        let info = PrivateKeyInfoRef::try_from(&der[..]).unwrap();
        // Its error converts into the one of `pkcs8`.
        let read = |info| -> pkcs8::Result<SigningKey> { Ok(SigningKey::try_from(info)?) };
        assert_eq!(read(info).unwrap(), key());
        // And says the same: here that the public key is not the secret key's.
        let mut other = v2();
        *other.last_mut().unwrap() ^= 1;
        let other = PrivateKeyInfoRef::try_from(&other[..]).unwrap();
        let error = SigningKey::try_from(other).unwrap_err();
        let said = error.to_string();
        assert_eq!(said, pkcs8::Error::from(error).to_string());
        assert!(said.contains("malformed"), "{said}");
        for oid in [
            SigningKey::SIGNATURE_ALGORITHM_IDENTIFIER.oid,
            VerifyingKey::SIGNATURE_ALGORITHM_IDENTIFIER.oid,
        ] {
            assert_eq!(oid.to_string(), "1.3.101.112");
        }
    }

    /// Generic code that asks for the traits.
    #[test]
    fn as_trait() {
        fn load<K: DecodePrivateKey>(der: &[u8]) -> pkcs8::Result<K> {
            K::from_pkcs8_der(der)
        }
        assert_eq!(load::<SigningKey>(&old_ring()).unwrap(), key());
    }
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;
    use ::serde::{Deserialize, Serialize};

    fn numbers(bytes: &[u8]) -> String {
        let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
        format!("[{}]", numbers.join(","))
    }

    #[test]
    fn keys() {
        let public = key().verifying_key();
        let json = serde_json::to_string(&key()).unwrap();
        assert_eq!(json, numbers(key().as_bytes()));
        assert_eq!(serde_json::from_str::<SigningKey>(&json).unwrap(), key());
        let json = serde_json::to_string(&public).unwrap();
        assert_eq!(json, numbers(public.as_bytes()));
        assert_eq!(serde_json::from_str::<VerifyingKey>(&json).unwrap(), public);

        // Binary: a length and the bytes.
        let binary = postcard::to_allocvec(&key()).unwrap();
        assert_eq!(binary, [&[32][..], key().as_bytes()].concat());
        assert_eq!(postcard::from_bytes::<SigningKey>(&binary).unwrap(), key());
        let binary = postcard::to_allocvec(&public).unwrap();
        assert_eq!(
            postcard::from_bytes::<VerifyingKey>(&binary).unwrap(),
            public
        );
    }

    #[test]
    fn wrong_lengths_and_points() {
        for n in [0, 31, 33, 64] {
            let json = numbers(&vec![1; n]);
            for error in [
                serde_json::from_str::<SigningKey>(&json).unwrap_err(),
                serde_json::from_str::<VerifyingKey>(&json).unwrap_err(),
            ] {
                assert!(error.to_string().contains("32 bytes"), "{error}");
                // However many there are, as ed25519-dalek counts them.
                let length = format!("invalid length {n},");
                assert!(error.to_string().starts_with(&length), "{error}");
            }
            let binary = postcard::to_allocvec(&vec![1u8; n]).unwrap();
            assert!(postcard::from_bytes::<SigningKey>(&binary).is_err());
            assert!(postcard::from_bytes::<VerifyingKey>(&binary).is_err());
        }
        let no_point = (2u8..).find(|&y| VerifyingKey::from_bytes(&[y; 32]).is_err());
        let json = numbers(&[no_point.unwrap(); 32]);
        let error = serde_json::from_str::<VerifyingKey>("true").unwrap_err();
        let expected = "expected an Ed25519 public key (32 bytes)";
        assert!(error.to_string().contains(expected), "{error}");
        let error = serde_json::from_str::<VerifyingKey>(&json).unwrap_err();
        assert!(error.to_string().starts_with("not a point of the curve"));
        // The place in the text, as for every other error.
        assert_eq!(error.line(), 1);
    }

    /// The forms of version 3 of the crate `ed25519`.
    #[test]
    fn signatures() {
        let signature = key().sign(b"m");
        let json = serde_json::to_string(&signature).unwrap();
        assert_eq!(json, format!("\"{signature:X}\""));
        assert_eq!(serde_json::from_str::<Signature>(&json).unwrap(), signature);
        let binary = postcard::to_allocvec(&signature).unwrap();
        assert_eq!(binary, [&[64][..], &signature.to_bytes()].concat());
    }

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Compatible(#[serde(with = "lanner_ed25519::serde_compat")] Signature);

    /// In a tagged enumeration serde reads what stands there before it knows what that is to be.
    #[derive(Debug, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Plain {
            signature: Signature,
        },
        Compatible {
            #[serde(with = "lanner_ed25519::serde_compat")]
            signature: Signature,
        },
    }

    #[test]
    fn compatible_signatures_in_a_binary_format() {
        use ciborium::Value;

        fn written(value: &impl Serialize) -> Vec<u8> {
            let mut bytes = Vec::new();
            ciborium::into_writer(value, &mut bytes).unwrap();
            bytes
        }
        let signature = key().sign(b"m");
        let bytes = signature.to_bytes();
        let read = |value: Value| {
            let read = ciborium::from_reader::<Compatible, _>(&written(&value)[..]);
            read.ok().map(|it| it.0)
        };
        assert_eq!(
            written(&Compatible(signature)),
            written(&Value::from(&bytes[..]))
        );
        assert_eq!(read(Value::from(&bytes[..])), Some(signature));
        let numbers = |bytes: &[u8]| Value::Array(bytes.iter().map(|&it| it.into()).collect());
        assert_eq!(read(numbers(&bytes)), Some(signature));
        assert_eq!(read(numbers(&bytes[1..])), None);
        assert_eq!(read(Value::from(&bytes[1..])), None);
        assert_eq!(read(Value::from(signature.to_string())), None);
        assert!(numbers(&bytes).deserialized::<Compatible>().is_err());

        let tagged = |value: &Tagged| ciborium::from_reader::<Tagged, _>(&written(value)[..]);
        match tagged(&Tagged::Compatible { signature }) {
            Ok(Tagged::Compatible { signature: found }) => assert_eq!(found, signature),
            other => panic!("{other:?}"),
        }
        // As the crate `ed25519` has it.
        assert!(tagged(&Tagged::Plain { signature }).is_err());
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Numbers(#[serde(with = "lanner_ed25519::serde_compat::numbers")] Signature);

    /// As versions 1 and 2 of the crate `ed25519` wrote them.
    #[test]
    fn signatures_as_numbers() {
        let written = Numbers(key().sign(b"m"));
        let bytes = written.0.to_bytes();
        let json = serde_json::to_string(&written).unwrap();
        assert_eq!(json, numbers(&bytes));
        assert_eq!(serde_json::from_str::<Numbers>(&json).unwrap(), written);
        let binary = postcard::to_allocvec(&written).unwrap();
        assert_eq!(binary, bytes);
        assert_eq!(postcard::from_bytes::<Numbers>(&binary).unwrap(), written);

        // A format that says how many there are.
        let mut tagged = Vec::new();
        ciborium::into_writer(&written, &mut tagged).unwrap();
        assert_eq!(
            ciborium::from_reader::<Numbers, _>(&tagged[..]).unwrap(),
            written
        );

        assert!(postcard::from_bytes::<Numbers>(&bytes[1..]).is_err());
        for wrong in [
            numbers(&bytes[1..]),
            numbers(&[&bytes[..], &[0]].concat()),
            format!("\"{}\"", written.0),
        ] {
            let error = serde_json::from_str::<Numbers>(&wrong).unwrap_err();
            assert!(error.to_string().contains("64 bytes"), "{error}");
        }
    }

    #[test]
    fn compatible_signatures() {
        let signature = key().sign(b"m");
        let json = serde_json::to_string(&Compatible(signature)).unwrap();
        assert_eq!(json, serde_json::to_string(&signature).unwrap());
        for form in [
            json,
            format!("\"{signature:x}\""),
            numbers(&signature.to_bytes()),
        ] {
            let read: Compatible = serde_json::from_str(&form).unwrap();
            assert_eq!(read.0, signature);
        }
        let binary = postcard::to_allocvec(&Compatible(signature)).unwrap();
        assert_eq!(binary, postcard::to_allocvec(&signature).unwrap());
        let read: Compatible = postcard::from_bytes(&binary).unwrap();
        assert_eq!(read.0, signature);

        let hex = signature.to_string();
        for wrong in [
            numbers(&signature.to_bytes()[..63]),
            numbers(&[&signature.to_bytes()[..], &[0]].concat()),
            format!("\"{}\"", &hex[..126]),
            format!("\"{hex}00\""),
            format!("\"zz{}\"", &hex[2..]),
            String::from("17"),
            String::from("null"),
        ] {
            let error = serde_json::from_str::<Compatible>(&wrong).err();
            let error = error.expect(&wrong).to_string();
            // What it would have read.
            assert!(
                error.contains("signature") || error.contains("64 bytes"),
                "{error}"
            );
        }
    }
}
