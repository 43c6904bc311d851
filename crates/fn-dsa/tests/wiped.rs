//! Keys that were wiped while they are still there: none of their uses gives a signature or has one
//! accepted, and only those panic that are documented to.
#![cfg(all(feature = "keygen", feature = "sign"))]

use lanner_fn_dsa::draft2026::{self, SigningKey as _};
use lanner_fn_dsa::falcon::{self, Encoding};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DOMAIN_NONE, DecodingSpace, Error, HASH_ID_RAW, KeyPairGenerator, KeyPairGenerator512,
    KeyPairGenerator1024, KeyPairGeneratorStandard, KeyPairGeneratorWeak, PreparedSigningKey512,
    SigningKey, SigningKey512, SigningKey1024, SigningKeyStandard, SigningKeyWeak,
    SigningSpaceEach, StreamError, VerifyingKey, VerifyingKey512, shake256x4, sign_key_size,
    signature_size, vrfy_key_size,
};
use zeroize::{Zeroize, ZeroizeOnDrop};

const MESSAGE: &[u8] = b"message";

fn wiped<K: Zeroize>(mut key: K) -> K {
    key.zeroize();
    key
}

fn key() -> SigningKey512 {
    SigningKey512::from_seed(&[1; 32]).expect("any seed")
}

fn falcon_key() -> falcon::SigningKey512 {
    falcon::SigningKey512::from_seed(&[1; 32]).expect("any seed")
}

fn draft_key() -> draft2026::SigningKey512 {
    draft2026::SigningKey512::from_seed(&[1; 32]).expect("any seed")
}

fn rng() -> SeededRng {
    SeededRng::new(b"wiped")
}

/// Lengths that a buffer may have: none, that of degree 1 if there were one, and those of real ones.
const LENGTHS: [usize; 10] = [0, 1, 2, 3, 41, 44, 666, 897, 1281, 2305];

#[test]
fn it_is_no_key() {
    let key = wiped(key());
    assert_eq!(SigningKey::get_logn(&key), 0);
    for length in LENGTHS {
        let mut output = vec![0; length];
        assert_eq!(key.write_bytes(&mut output), Err(Error::Key));
        assert_eq!(key.try_to_verifying_key(&mut output), Err(Error::Key));
    }
    let key = wiped(draft_key());
    assert_eq!(key.write_bytes(&mut [0; 1345]), Err(Error::Key));
    let key = wiped(SigningKeyWeak::from_seed(&[1; 32]).expect("any seed"));
    assert_eq!(key.logn(), 0);
    assert_eq!(key.write_bytes(&mut [0; 641]), Err(Error::Key));
    let key = wiped(SigningKey1024::from_seed(&[1; 32]).expect("any seed"));
    assert_eq!(key.write_bytes(&mut [0; 2305]), Err(Error::Key));
}

#[test]
fn it_signs_nothing() {
    let key = wiped(key());
    let rng = &mut rng();
    for length in LENGTHS {
        let signature = &mut vec![0; length];
        let signed = [
            key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature),
            key.try_sign(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature),
            key.sign_bytes_compat(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature),
            key.sign_bytes_compat_shake256x4(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature),
            key.sign_bytes_checked(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature),
        ];
        assert_eq!(signed, [Err(Error::Key); 5]);
        let streamed = key.sign_stream(rng, &DOMAIN_NONE, &HASH_ID_RAW, signature, |_| Err(()));
        assert_eq!(streamed, Err(StreamError::Sign(Error::Key)));
        let mut key = wiped(draft_key());
        let signed = key.sign(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature);
        assert_eq!(signed, None);
    }
    let signer = key.stream_signer(rng, &DOMAIN_NONE, &HASH_ID_RAW);
    assert_eq!(signer.err(), Some(Error::Key));
}

#[test]
fn it_signs_nothing_for_falcon() {
    let key = wiped(falcon_key());
    let rng = &mut rng();
    for length in LENGTHS {
        let output = &mut vec![0; length];
        for encoding in [
            Encoding::Compressed,
            Encoding::Padded,
            Encoding::ConstantTime,
        ] {
            let signed = falcon::sign(&key, rng, MESSAGE, encoding, output);
            assert_eq!(signed, Err(Error::Key));
            let signed = falcon::sign_reference(&key, rng, MESSAGE, encoding, output);
            assert_eq!(signed, Err(Error::Key));
        }
        let sealed = falcon::seal(&key, rng, MESSAGE, output);
        assert_eq!(sealed, Err(Error::Key));
        let sealed = falcon::seal_reference(&key, rng, MESSAGE, output);
        assert_eq!(sealed, Err(Error::Key));
    }
    let signer = falcon::stream_signer(&key, rng);
    assert_eq!(signer.err(), Some(Error::Key));
    let key = wiped(falcon::SigningKey1024::from_seed(&[1; 32]).expect("any seed"));
    let signed = falcon::det1024::sign(&key, MESSAGE, &mut [0; 1500]);
    assert_eq!(signed, Err(Error::Key));
    let crossed = falcon::SigningKey512::dangerous_from_fn_dsa(&wiped(self::key()));
    assert_eq!(crossed, wiped(falcon_key()));
    let back = wiped(falcon_key()).dangerous_to_fn_dsa();
    assert_eq!(back, wiped(self::key()));
    assert_eq!(back.verifying_key().hashed(), &[0; 64]);
}

/// A signature by a key that is there, in lengths and with headers as well that would be those of degree 1.
fn signatures() -> Vec<Vec<u8>> {
    let mut signature = vec![0; 666];
    key()
        .sign_bytes(
            &mut rng(),
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            MESSAGE,
            &mut signature,
        )
        .expect("signs");
    let mut all = vec![Vec::new(), signature.clone()];
    for header in [0x20, 0x30, 0x50] {
        for length in LENGTHS.into_iter().filter(|&length| length > 0) {
            let mut other = signature.clone();
            other.resize(length, 0);
            other[0] = header;
            all.push(other);
        }
    }
    all
}

#[test]
fn its_verifying_key_accepts_nothing() {
    let key = wiped(key()).verifying_key();
    assert_eq!(key.logn(), 0);
    assert_eq!(key.hashed(), &[0; 64]);
    assert_eq!(key, key.clone());
    assert_ne!(key, self::key().verifying_key());
    for length in LENGTHS {
        assert_eq!(key.write_bytes(&mut vec![0; length]), Err(Error::Key));
    }
    let good = self::key().verifying_key();
    for signature in signatures() {
        let verdict = key.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE);
        assert_eq!(verdict, Err(Error::Signature));
        assert!(!key.verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE));
        let stream = key.verify_stream(&signature, &DOMAIN_NONE, &HASH_ID_RAW);
        assert_eq!(stream.err(), Some(Error::Signature));
        // Beside others that are valid.
        for count in [1, 2, 9] {
            let mut keys = vec![&good; count];
            keys[count / 2] = &key;
            let mut verdicts = vec![true; count];
            VerifyingKey512::verify_each(
                &keys,
                &vec![&signature[..]; count],
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                &vec![MESSAGE; count],
                &mut verdicts,
            )
            .expect("as many of each");
            let valid = signature == signatures()[1];
            for (i, verdict) in verdicts.into_iter().enumerate() {
                assert_eq!(verdict, valid && i != count / 2);
            }
        }
    }
}

#[test]
fn its_verifying_key_accepts_nothing_of_falcon() {
    let key = wiped(falcon_key()).verifying_key();
    let det1024 = wiped(falcon::SigningKey1024::from_seed(&[1; 32]).expect("any seed"));
    let det1024 = det1024.verifying_key();
    let refused = Err(Error::Signature);
    for signature in signatures() {
        assert_eq!(falcon::verify(&key, &signature, MESSAGE), refused);
        let stream = falcon::verify_stream(&key, &signature);
        assert_eq!(stream.err(), Some(Error::Signature));
        for encoding in [
            Encoding::Compressed,
            Encoding::Padded,
            Encoding::ConstantTime,
        ] {
            let verdict = falcon::verify_as(&key, &signature, MESSAGE, encoding);
            assert_eq!(verdict, refused);
        }
        assert_eq!(falcon::open(&key, &signature), Err(Error::Signature));
        let sealed = [&[0, signature.len() as u8][..], &[0; 40], &signature].concat();
        assert_eq!(falcon::open(&key, &sealed), Err(Error::Signature));
        for header in [0xba, 0xda] {
            let signature = [&[header, 0], &signature[..]].concat();
            let verdict = falcon::det1024::verify(&det1024, &signature, MESSAGE);
            assert_eq!(verdict, refused);
        }
    }
}

#[test]
fn it_is_copied_compared_and_shown() {
    let (key, other) = (wiped(key()), key());
    assert_eq!(key, key.clone());
    assert_eq!(key, wiped(other.clone()));
    assert_ne!(key, other);
    assert_eq!(
        format!("{key:?}"),
        "SigningKey { verifying_key: VerifyingKey(FN-DSA, none), .. }"
    );
    let key = wiped(falcon_key());
    assert_eq!(
        format!("{key:?}"),
        "SigningKey { verifying_key: VerifyingKey(Falcon, none), .. }"
    );
    assert_eq!(wiped(wiped(draft_key())), wiped(draft_key()));
}

/// Whatever decodes into a place where one was is a key.
#[test]
fn it_can_be_replaced() {
    let mut encoded = [0; sign_key_size(9)];
    key().write_bytes(&mut encoded).expect("the length");
    let mut key = wiped(key());
    assert_ne!(key, self::key());
    key = SigningKey512::from_bytes_in(&mut DecodingSpace::new(), &encoded).expect("a key");
    assert_eq!(key, self::key());
}

#[test]
fn it_is_prepared_for_nothing() {
    let rng = &mut rng();
    let mut prepared = Box::new(PreparedSigningKey512::new());
    let mut space = Box::new(SigningSpaceEach::new());
    let mut signs = |prepared: &PreparedSigningKey512, expected: Result<(), Error>| {
        let messages = [MESSAGE; 2];
        let mut signatures = [0; 2 * 666];
        let signature = &mut signatures[..666];
        let signed = prepared.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, signature);
        assert_eq!(signed, expected);
        let signed = prepared.sign_each(
            &mut space,
            rng,
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            &messages,
            &mut signatures,
        );
        assert_eq!(signed, expected);
    };
    prepared.prepare(&wiped(key()));
    assert!(prepared.signing_key().is_none());
    signs(&prepared, Err(Error::Key));
    prepared.prepare(&key());
    signs(&prepared, Ok(()));
    prepared.prepare(&wiped(key()));
    assert!(prepared.signing_key().is_none());
    signs(&prepared, Err(Error::Key));
    prepared.prepare(&key());
    prepared.zeroize();
    assert!(format!("{prepared:?}").contains("none"));
    signs(&prepared, Err(Error::Key));
    prepared.prepare(&key());
    signs(&prepared, Ok(()));
}

#[cfg(feature = "signature")]
#[test]
fn it_has_no_signature_by_the_traits() {
    use lanner_fn_dsa::Signature512;
    use signature::{Keypair, RandomizedMultipartSigner, RandomizedSigner, Verifier};

    let key = wiped(key());
    let signed: Result<Signature512, _> = key.try_sign_with_rng(&mut rng(), MESSAGE);
    assert!(signed.is_err());
    let signed: Result<Signature512, _> = key.try_multipart_sign_with_rng(&mut rng(), &[MESSAGE]);
    assert!(signed.is_err());
    let public = Keypair::verifying_key(&key);
    let signature = Signature512::from_bytes(&[0x30; 666]);
    assert!(Verifier::verify(&public, MESSAGE, &signature).is_err());
    #[cfg(feature = "getrandom")]
    assert!(signature::Signer::<Signature512>::try_sign(&key, MESSAGE).is_err());
}

#[cfg(all(feature = "pkcs8", feature = "alloc"))]
#[test]
fn it_has_no_file() {
    use lanner_fn_dsa::key_forms::{BouncyCastle, Padded};
    use lanner_fn_dsa::pkcs8::{EncodePrivateKey, EncodePublicKey};

    let key = wiped(key());
    assert!(key.to_pkcs8_der().is_err());
    assert!(key.verifying_key().to_public_key_der().is_err());
    #[cfg(feature = "pem")]
    assert!(key.to_pkcs8_pem(Default::default()).is_err());
    let key = wiped(falcon_key());
    assert!(key.to_pkcs8_der().is_err());
    assert!(Padded(&key).to_pkcs8_der().is_err());
    assert!(BouncyCastle(&key).to_pkcs8_der().is_err());
    let key = key.verifying_key();
    assert!(Padded(&key).to_public_key_der().is_err());
    assert!(BouncyCastle(&key).to_public_key_der().is_err());
}

#[cfg(feature = "jose")]
#[test]
fn it_has_no_web_key() {
    use lanner_fn_dsa::jose::{self, Jwk};

    let key = wiped(key());
    assert_eq!(Jwk::try_from(&key).err(), Some(Error::Key));
    let public = key.verifying_key();
    assert_eq!(Jwk::try_from(&public).err(), Some(Error::Key));
    let signed = jose::sign(&key, &mut rng(), r#"{"alg":"FN-DSA-512"}"#, MESSAGE);
    assert_eq!(signed, Err(Error::Key));
    // The headers: of the algorithm, of none, and no JSON.
    for header in ["eyJhbGciOiJGTi1EU0EtNTEyIn0", "e30", ""] {
        let token = format!("{header}.bWVzc2FnZQ.AAAA");
        assert_eq!(jose::verify(&public, &token), Err(Error::Signature));
    }
}

/// Toy degrees have no name, and so no header names them, not even one without a name.
#[cfg(feature = "jose")]
#[test]
fn toys_have_no_web_signature() {
    use base64ct::{Base64UrlUnpadded, Encoding};

    let key = SigningKeyWeak::from_seed(&[1; 32]).expect("any seed");
    let input = "e30.bWVzc2FnZQ";
    let mut signature = [0; 356];
    key.sign_bytes(
        &mut rng(),
        &DOMAIN_NONE,
        &HASH_ID_RAW,
        input.as_bytes(),
        &mut signature,
    )
    .expect("signs");
    let token = format!("{input}.{}", Base64UrlUnpadded::encode_string(&signature));
    let verdict = lanner_fn_dsa::jose::verify(&key.verifying_key(), &token);
    assert_eq!(verdict, Err(Error::Signature));
}

/// A generator has nothing of a key between two of them, and wiping it is no harm.
#[test]
fn generators_go_on() {
    fn check<G: KeyPairGenerator + Zeroize + ZeroizeOnDrop>(logn: u32) {
        let pair = |generator: &mut G| {
            let mut pair = (vec![0; sign_key_size(logn)], vec![0; vrfy_key_size(logn)]);
            generator
                .keygen_from_seed(logn, &[5; 32], &mut pair.0, &mut pair.1)
                .expect("the lengths");
            pair
        };
        let mut generator = G::default();
        let first = pair(&mut generator);
        generator.zeroize();
        assert_eq!(pair(&mut generator), first);
    }
    check::<KeyPairGeneratorStandard>(9);
    check::<KeyPairGenerator512>(9);
    check::<KeyPairGenerator1024>(10);
    check::<KeyPairGeneratorWeak>(8);
    check::<falcon::KeyPairGeneratorStandard>(9);
    check::<shake256x4::KeyPairGeneratorStandard>(9);

    fn wipes<T: Zeroize + ZeroizeOnDrop>() {}
    wipes::<SigningKeyStandard>();
    wipes::<SigningKey1024>();
    wipes::<draft2026::SigningKeyStandard>();
    wipes::<draft2026::KeyPairGeneratorStandard>();
    assert_eq!(signature_size(9), 666);
}
