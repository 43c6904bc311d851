//! Original Falcon: encodings and which of them is demanded, the deterministic mode, and the line between its
//! keys and those of FN-DSA.
#![cfg(all(feature = "keygen", feature = "sign"))]

use lanner_fn_dsa::falcon::Encoding::{Compressed, ConstantTime, Padded};
use lanner_fn_dsa::falcon::{
    self, Encoding, SigningKey512, SigningKey1024, VerifyingKey512, det1024,
};
use lanner_fn_dsa::rand_core::{Rng, TryCryptoRng, TryRng};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DOMAIN_NONE, Error, HASH_ID_ORIGINAL_FALCON, HASH_ID_RAW};

const ENCODINGS: [Encoding; 3] = [Compressed, Padded, ConstantTime];

fn key_512() -> SigningKey512 {
    SigningKey512::from_seed(&[1; 32]).unwrap()
}

fn rng() -> SeededRng {
    SeededRng::new(b"falcon")
}

/// One signature, in each encoding.
fn in_all_encodings(key: &SigningKey512) -> [Vec<u8>; 3] {
    ENCODINGS.map(|encoding| {
        let mut signature = vec![0; falcon::max_signature_size(encoding, 9)];
        let length = falcon::sign(key, &mut rng(), b"m", encoding, &mut signature).unwrap();
        signature.truncate(length);
        signature
    })
}

/// The same nonce and s2 in three encodings: each is valid where it is demanded, and nowhere else.
#[test]
fn an_encoding_is_demanded() {
    let key = key_512();
    let public = key.verifying_key();
    let mut encoded = [0; 897];
    public.write_bytes(&mut encoded).unwrap();
    let signatures = in_all_encodings(&key);
    assert_eq!(signatures[0][1..600], signatures[1][1..600]);
    for (signature, of) in signatures.iter().zip(ENCODINGS) {
        for demanded in ENCODINGS {
            let expected = if of == demanded {
                Ok(())
            } else {
                Err(Error::Signature)
            };
            let verdict = falcon::verify_as(&public, signature, b"m", demanded);
            assert_eq!(verdict, expected, "{of:?} as {demanded:?}");
            let stream = falcon::verify_stream_as(&public, signature, demanded);
            let verdict = stream.and_then(|mut stream| {
                stream.update(b"m");
                stream.finish()
            });
            assert_eq!(verdict, expected);
            let verdict = falcon::verify_with_encoded_key_as(&encoded, signature, b"m", demanded);
            assert_eq!(verdict, expected);
            let other = falcon::verify_as(&public, signature, b"n", demanded);
            assert_eq!(other, Err(Error::Signature));
        }
        // What the other functions are for, and say.
        assert_eq!(falcon::verify(&public, signature, b"m"), Ok(()));
    }
}

/// Under one encoding no other bytes are the same signature: cut short, padded, or with another header.
#[test]
fn one_form_in_an_encoding() {
    let key = key_512();
    let public = key.verifying_key();
    for (signature, encoding) in in_all_encodings(&key).iter().zip(ENCODINGS) {
        for length in (0..signature.len() + 8).chain([666, 752, 809, 1000]) {
            let mut other = signature.clone();
            other.resize(length, 0);
            let expected = length == signature.len();
            let verdict = falcon::verify_as(&public, &other, b"m", encoding);
            assert_eq!(verdict.is_ok(), expected, "{encoding:?}, {length} bytes");
        }
        for bit in 0..8 * signature.len() {
            let mut other = signature.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            let verdict = falcon::verify_as(&public, &other, b"m", encoding);
            assert_eq!(verdict, Err(Error::Signature), "{encoding:?}, bit {bit}");
        }
    }
}

/// Of a compressed signature that fills the padded length, the two encodings are the same bytes.
#[test]
fn a_compressed_signature_of_the_padded_length() {
    let key = SigningKey1024::from_seed(&[1; 32]).unwrap();
    let public = key.verifying_key();
    let rng = &mut rng();
    let mut buffer = vec![0; falcon::max_signature_size(Compressed, 10)];
    // 1,280 bytes in about one of 500 signatures.
    let signature = loop {
        let length = falcon::sign(&key, rng, b"m", Compressed, &mut buffer).unwrap();
        if length == 1280 {
            break &buffer[..length];
        }
    };
    for encoding in [Compressed, Padded] {
        assert_eq!(
            falcon::verify_as(&public, signature, b"m", encoding),
            Ok(())
        );
    }
    assert_eq!(falcon::verify(&public, signature, b"m"), Ok(()));
    assert!(falcon::verify_as(&public, signature, b"m", ConstantTime).is_err());
}

#[test]
fn the_deterministic_mode_demands_an_encoding() {
    let key = SigningKey1024::from_seed(&[4; 32]).unwrap();
    let public = key.verifying_key();
    let mut compressed = vec![0; det1024::MAX_COMPRESSED_SIZE];
    let length = det1024::sign(&key, b"m", &mut compressed).unwrap();
    compressed.truncate(length);
    let wide = det1024::to_constant_time(&compressed).unwrap();
    for (signature, of) in [(&compressed[..], Compressed), (&wide[..], ConstantTime)] {
        for demanded in ENCODINGS {
            let verdict = det1024::verify_as(&public, signature, b"m", demanded);
            assert_eq!(verdict.is_ok(), of == demanded, "{of:?} as {demanded:?}");
            assert!(det1024::verify_as(&public, signature, b"n", demanded).is_err());
        }
    }
}

#[test]
fn buffers_that_are_too_short() {
    let key = key_512();
    let result = falcon::sign(&key, &mut rng(), b"m", Compressed, &mut [0; 751]);
    assert_eq!(result, Err(Error::Length));
    assert_eq!(
        falcon::seal(&key, &mut rng(), b"m", &mut [0; 754]),
        Err(Error::Length)
    );
}

/// What the types are for: with one key for both schemes, a signature that was made for Falcon is one of FN-DSA,
/// of a message that nobody signed; and the other way round.
#[test]
fn one_key_for_both_schemes_allows_forgeries() {
    let falcon_key = key_512();
    let key = falcon_key.dangerous_to_fn_dsa();
    assert_eq!(
        key,
        lanner_fn_dsa::SigningKey512::from_seed(&[1; 32]).unwrap()
    );
    assert_eq!(SigningKey512::dangerous_from_fn_dsa(&key), falcon_key);
    let public = key.verifying_key();
    let falcon_public = VerifyingKey512::dangerous_from_fn_dsa(&public);
    assert_eq!(falcon_public, falcon_key.verifying_key());
    assert_eq!(falcon_public.dangerous_to_fn_dsa(), public);
    assert_eq!(
        falcon_public.dangerous_to_fn_dsa().hashed(),
        public.hashed()
    );

    let chosen = [&public.hashed()[..], &[0, 0], b"forged"].concat();
    let mut signature = [0; 666];
    falcon::sign(&falcon_key, &mut rng(), &chosen, Padded, &mut signature).unwrap();
    let verify =
        |message: &[u8]| public.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, message);
    assert_eq!(verify(b"forged"), Ok(()));
    assert_eq!(verify(&chosen), Err(Error::Signature));

    key.sign_bytes(
        &mut rng(),
        &DOMAIN_NONE,
        &HASH_ID_RAW,
        b"forged",
        &mut signature,
    )
    .unwrap();
    assert_eq!(
        falcon::verify_as(&falcon_public, &signature, &chosen, Padded),
        Ok(())
    );
}

/// The hash identifier of fn-dsa 0.3 for original Falcon signs the same.
#[test]
fn the_identifier_of_original_falcon() {
    let key = key_512();
    let public = key.verifying_key().dangerous_to_fn_dsa();
    for (signature, encoding) in in_all_encodings(&key).iter().zip(ENCODINGS) {
        let main = public.try_verify(signature, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, b"m");
        assert_eq!(main.is_ok(), encoding == Padded);
    }
}

#[test]
fn keys_say_what_they_are() {
    let key = key_512();
    let shown = format!("{key:?}");
    assert!(
        shown.contains("Falcon") && !shown.contains("FN-DSA"),
        "{shown}"
    );
    // The hash is that of the encoding, however the key came about.
    let mut encoded = [0; 897];
    key.verifying_key().write_bytes(&mut encoded).unwrap();
    let decoded = VerifyingKey512::from_bytes(&encoded).unwrap();
    assert_eq!(format!("{decoded:?}"), format!("{:?}", key.verifying_key()));
    let hash = format!(
        "{:02x}",
        key.verifying_key().dangerous_to_fn_dsa().hashed()[0]
    );
    assert!(shown.contains(&format!("hash {hash}")), "{shown}");
}

#[test]
fn lengths_and_signed_messages() {
    let key = key_512();
    let public = key.verifying_key();
    for encoding in [Compressed, Padded, ConstantTime] {
        let mut signature = vec![0; falcon::max_signature_size(encoding, 9)];
        let length = falcon::sign(&key, &mut rng(), b"m", encoding, &mut signature).unwrap();
        let expected = match encoding {
            Compressed => length,
            Padded => 666,
            ConstantTime => 809,
        };
        assert_eq!(length, expected);
        signature.truncate(length);
        falcon::verify(&public, &signature, b"m").unwrap();
        assert!(falcon::verify(&public, &signature, b"n").is_err());
        assert!(falcon::open(&public, &signature).is_err());
    }
    let mut sealed = vec![0; falcon::max_sealed_size(9, 5)];
    let length = falcon::seal(&key, &mut rng(), b"hello", &mut sealed).unwrap();
    assert_eq!(falcon::open(&public, &sealed[..length]).unwrap(), b"hello");
    assert!(falcon::open(&public, &sealed[..length - 1]).is_err());
    sealed[2 + 40] ^= 1;
    assert!(falcon::open(&public, &sealed[..length]).is_err());
}

/// What the reference draws, without which its known answers would not come out: 40 bytes that are the nonce, and 48 of
/// which everything else is made.
#[test]
fn what_the_reference_draws() {
    let key = key_512();
    let public = key.verifying_key();
    let mut drawn = [0; 88];
    let behind = &mut rng();
    behind.fill_bytes(&mut drawn);
    let next = behind.next_u64();
    let sign = |rng: &mut SeededRng, encoding| {
        let mut signature = vec![0; falcon::max_signature_size(encoding, 9)];
        let length = falcon::sign_reference(&key, rng, b"hello", encoding, &mut signature).unwrap();
        signature.truncate(length);
        signature
    };
    for encoding in ENCODINGS {
        let rng = &mut rng();
        let signature = sign(rng, encoding);
        assert_eq!(signature[1..41], drawn[..40]);
        falcon::verify_as(&public, &signature, b"hello", encoding).unwrap();
        assert_eq!(rng.next_u64(), next);
    }
    // The NIST interface has the same nonce and vector: in front of them a length.
    assert_eq!(
        falcon::max_sealed_size(9, 5),
        2 + falcon::max_signature_size(Compressed, 9) + 5
    );
    assert_eq!(
        falcon::max_sealed_size(10, usize::MAX - 2_000),
        usize::MAX - 2_000 + falcon::max_sealed_size(10, 0)
    );
    for too_long in [usize::MAX, usize::MAX - falcon::max_sealed_size(9, 0) + 1] {
        // By its own words: builds that check for overflow end here in any case.
        let refused = std::panic::catch_unwind(|| falcon::max_sealed_size(9, too_long));
        let refused = refused.expect_err("it does not fit");
        let constant = refused.downcast_ref::<&str>().copied();
        let said = constant.or_else(|| refused.downcast_ref::<String>().map(String::as_str));
        assert!(said.is_some_and(|said| said.contains("longer than memory")));
    }
    let compressed = sign(&mut rng(), Compressed);
    let mut sealed = vec![0; falcon::max_sealed_size(9, 5)];
    let from = &mut rng();
    let length = falcon::seal_reference(&key, from, b"hello", &mut sealed).unwrap();
    let sealed = &sealed[..length];
    assert_eq!(from.next_u64(), next);
    assert_eq!(falcon::open(&public, sealed).unwrap(), b"hello");
    assert_eq!(sealed[2..42], drawn[..40]);
    assert_eq!(sealed[48..], compressed[41..]);
    // Another seed gives another vector for the same nonce.
    let mut other = These(drawn);
    other.0[87] ^= 1;
    let mut signature = [0; 666];
    falcon::sign_reference(&key, &mut other, b"hello", Padded, &mut signature).unwrap();
    let padded = sign(&mut rng(), Padded);
    assert_eq!(signature[..41], padded[..41]);
    assert_ne!(padded, signature);
    let short = &mut [0; 665];
    let refused = falcon::sign_reference(&key, &mut rng(), b"hello", Padded, short);
    assert_eq!(refused, Err(Error::Length));
}

/// A generator of these bytes, once.
struct These([u8; 88]);

impl TryRng for These {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("bytes alone are asked for")
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unreachable!("bytes alone are asked for")
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Self::Error> {
        output.copy_from_slice(&self.0[..output.len()]);
        self.0.rotate_left(output.len());
        Ok(())
    }
}

impl TryCryptoRng for These {}

#[test]
fn deterministic_falcon() {
    let key = SigningKey1024::from_seed(&[4; 32]).unwrap();
    let public = key.verifying_key();
    let mut signature = vec![0; det1024::MAX_COMPRESSED_SIZE];
    let length = det1024::sign(&key, b"m", &mut signature).unwrap();
    signature.truncate(length);
    assert_eq!(signature[..2], [0xba, 0]);
    det1024::verify(&public, &signature, b"m").unwrap();
    assert!(det1024::verify(&public, &signature, b"n").is_err());
    let wide = det1024::to_constant_time(&signature).unwrap();
    assert_eq!(wide[..2], [0xda, 0]);
    det1024::verify(&public, &wide, b"m").unwrap();
    assert!(det1024::to_constant_time(&wide).is_err());
    for at in [0, 1, 2, 700, length - 1] {
        let mut spoiled = signature.clone();
        spoiled[at] ^= 1;
        assert!(det1024::verify(&public, &spoiled, b"m").is_err());
    }
    // What Algorand's own library signs with this key (the package algorand-falcon 0.1.0).
    let long: Vec<u8> = (0..1024).map(|i| i as u8).collect();
    let known: [(&[u8], &str); 4] = [
        (
            b"",
            "8eb11e235794cad54f50e2c0d58ce64d2cbb5849cbcefc833297b1ec533dcacd",
        ),
        (
            b"m",
            "ec27e5989dad39de3f4c1f5dea7f439004b5426b5b989e33be7b5ec21084f646",
        ),
        (
            b"deterministic",
            "c22042104c69c5353f1bc88af155e92a13efb75005ad266c4ed4cfa8bfe7039e",
        ),
        (
            &long,
            "a126c203c46b99f01c05199a4b61395007c9d48648dbc893c2ce69525d796fa4",
        ),
    ];
    for (message, hash) in known {
        use sha2::Digest;
        let mut signature = [0; det1024::MAX_COMPRESSED_SIZE];
        let length = det1024::sign(&key, message, &mut signature).unwrap();
        assert_eq!(
            hex::encode(sha2::Sha256::digest(&signature[..length])),
            hash
        );
    }
    // The ordinary signature with the nonce written out.
    let mut salted = vec![0x3a, 0, 10];
    salted.extend(b"FALCON_DET");
    salted.resize(41, 0);
    salted.extend(&signature[2..]);
    falcon::verify(&public, &salted, b"m").unwrap();
    let result = det1024::sign(&key, b"m", &mut vec![0; det1024::MAX_COMPRESSED_SIZE - 1]);
    assert_eq!(result, Err(Error::Length));
}

/// How long compressed signatures are, and how many do not fit the padded length: what the documents say.
///
/// `cargo test --release -p lanner-fn-dsa --test falcon -- --ignored --nocapture lengths`
#[test]
#[ignore = "a measurement"]
fn lengths_of_compressed_signatures() {
    const COUNT: usize = 20_000;
    for logn in [9, 10] {
        let rng = &mut SeededRng::new(b"lengths");
        let padded = falcon::max_signature_size(Padded, logn);
        let mut buffer = vec![0; falcon::max_signature_size(Compressed, logn)];
        let mut lengths = Vec::new();
        // Several keys, for the lengths depend on the key a little.
        for seed in 0..20 {
            let key = falcon::SigningKeyStandard::from_seed_of_degree(logn, &[seed; 32]).unwrap();
            lengths.extend((0..COUNT / 20).map(|i| {
                let message = i.to_le_bytes();
                falcon::sign(&key, rng, &message, Compressed, &mut buffer).unwrap() as f64
            }));
        }
        let mean = lengths.iter().sum::<f64>() / COUNT as f64;
        let squares = lengths.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        let deviation = (squares / COUNT as f64).sqrt();
        let longest = lengths.iter().fold(0.0, |a: f64, &b| a.max(b));
        let longer = lengths.iter().filter(|&&x| x > padded as f64).count();
        let equal = lengths.iter().filter(|&&x| x == padded as f64).count();
        println!(
            "degree {}: mean {mean:.2}, deviation {deviation:.2}, longest {longest}; of {COUNT}, {longer} are longer \
             than {padded} bytes and {equal} as long",
            1 << logn
        );
        assert!(longer * 200 < COUNT);
    }
}
