//! Signatures of original Falcon in all encodings, signed messages, and the deterministic mode.

use std::sync::OnceLock;

use lanner_fn_dsa::falcon::{self, Encoding, det1024, max_sealed_size, max_signature_size};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON, signature_size, vrfy_key_size};

use crate::fn_dsa_signatures::MESSAGE;

const ENCODINGS: [Encoding; 3] = [
    Encoding::Compressed,
    Encoding::Padded,
    Encoding::ConstantTime,
];

struct Keys {
    weak: Vec<falcon::VerifyingKeyWeak>,
    of_512: falcon::VerifyingKey512,
    of_1024: falcon::VerifyingKey1024,
}

fn weak() -> impl Iterator<Item = falcon::SigningKeyWeak> {
    (2..=8).map(|logn| {
        falcon::SigningKeyWeak::from_seed_of_degree(logn, &[logn as u8; 32]).expect("a degree")
    })
}

fn of_512() -> falcon::SigningKey512 {
    falcon::SigningKey512::from_seed(&[9; 32]).expect("a key")
}

fn of_1024() -> falcon::SigningKey1024 {
    falcon::SigningKey1024::from_seed(&[10; 32]).expect("a key")
}

fn keys() -> &'static Keys {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| Keys {
        weak: weak().map(|key| key.verifying_key()).collect(),
        of_512: of_512().verifying_key(),
        of_1024: of_1024().verifying_key(),
    })
}

/// The bytes as a signature, and as a signed message.
pub fn run(data: &[u8]) {
    let keys = keys();
    macro_rules! check {
        ($key:expr) => {{
            let key = $key;
            let verdict = falcon::verify(key, data, MESSAGE);
            let demanded =
                ENCODINGS.map(|encoding| falcon::verify_as(key, data, MESSAGE, encoding));
            // In pieces it is the same.
            let streams = [falcon::verify_stream(key, data)]
                .into_iter()
                .chain(ENCODINGS.map(|encoding| falcon::verify_stream_as(key, data, encoding)))
                .map(|stream| {
                    stream.and_then(|mut stream| {
                        MESSAGE.chunks(3).for_each(|piece| stream.update(piece));
                        stream.finish()
                    })
                });
            assert!(streams.eq([verdict].into_iter().chain(demanded)));
            // The padded encoding is the one that the interface of FN-DSA has.
            let other = key.dangerous_to_fn_dsa().try_verify(
                data,
                &DOMAIN_NONE,
                &HASH_ID_ORIGINAL_FALCON,
                MESSAGE,
            );
            assert_eq!(demanded[1], other);
            // One encoding, but for a compressed signature of the padded length.
            let encodings = demanded.iter().filter(|verdict| verdict.is_ok()).count();
            let both = data.len() == signature_size(key.logn()) && encodings == 2;
            assert!(encodings == usize::from(verdict.is_ok()) || verdict.is_ok() && both);
            if verdict.is_ok() {
                let longer = [data, &[0]].concat();
                assert!(
                    falcon::verify(key, &longer, MESSAGE).is_err()
                        || longer.len() == signature_size(key.logn())
                );
                assert!(falcon::verify(key, data, b"other").is_err());
            }
            if let Ok(message) = falcon::open(key, data) {
                assert!(message.len() < data.len());
                let longer = [data, &[0]].concat();
                assert!(falcon::open(key, &longer).is_err());
            }
        }};
    }
    keys.weak.iter().for_each(|key| check!(key));
    check!(&keys.of_512);
    check!(&keys.of_1024);
    macro_rules! encoded {
        ($key:expr) => {{
            let key = $key;
            let mut bytes = vec![0; vrfy_key_size(key.logn())];
            key.write_bytes(&mut bytes).expect("the length");
            assert_eq!(
                falcon::verify_with_encoded_key(&bytes, data, MESSAGE),
                falcon::verify(key, data, MESSAGE)
            );
            for encoding in ENCODINGS {
                assert_eq!(
                    falcon::verify_with_encoded_key_as(&bytes, data, MESSAGE, encoding),
                    falcon::verify_as(key, data, MESSAGE, encoding)
                );
            }
        }};
    }
    encoded!(&keys.of_512);
    encoded!(&keys.of_1024);

    let verdict = det1024::verify(&keys.of_1024, data, MESSAGE);
    // There is no padded form, and of the others a signature has one.
    let demanded =
        ENCODINGS.map(|encoding| det1024::verify_as(&keys.of_1024, data, MESSAGE, encoding));
    let encodings = demanded.iter().filter(|verdict| verdict.is_ok()).count();
    assert_eq!(encodings, usize::from(verdict.is_ok()));
    assert!(demanded[1].is_err());
    if let Ok(converted) = det1024::to_constant_time(data) {
        assert_eq!(det1024::verify(&keys.of_1024, &converted, MESSAGE), verdict);
        assert!(det1024::to_constant_time(&converted).is_err());
    }
}

/// Signatures in every encoding.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    macro_rules! add {
        ($key:expr) => {{
            let key = $key;
            let rng = &mut SeededRng::new(b"seeds");
            for encoding in ENCODINGS {
                let mut output = vec![0; max_signature_size(encoding, key.logn())];
                let length =
                    falcon::sign(&key, rng, MESSAGE, encoding, &mut output).expect("signs");
                output.truncate(length);
                let verdict = falcon::verify(&key.verifying_key(), &output, MESSAGE);
                assert_eq!(verdict, Ok(()));
                seeds.push(output);
            }
            let mut output = vec![0; max_sealed_size(key.logn(), MESSAGE.len())];
            let length = falcon::seal(&key, rng, MESSAGE, &mut output).expect("signs");
            output.truncate(length);
            seeds.push(output);
        }};
    }
    weak().for_each(|key| add!(key));
    add!(of_512());
    add!(of_1024());
    let mut output = vec![0; det1024::MAX_COMPRESSED_SIZE];
    let length = det1024::sign(&of_1024(), MESSAGE, &mut output).expect("signs");
    output.truncate(length);
    seeds.push(
        det1024::to_constant_time(&output)
            .expect("well-formed")
            .to_vec(),
    );
    seeds.push(output);
    seeds
}
