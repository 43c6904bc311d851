//! Decoders on arbitrary bytes: no panic, and what decodes is the one encoding of its value.

use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, draft2026, falcon};
use proptest::collection::vec;
use proptest::prelude::*;

/// Bytes that begin with the given header as a rule, and have about the right length.
fn shaped(header: u8, length: usize) -> impl Strategy<Value = Vec<u8>> {
    (
        prop_oneof![9 => Just(header), 1 => any::<u8>()],
        prop_oneof![8 => Just(length), 1 => 0..length + 3],
        any::<bool>(),
    )
        .prop_flat_map(|(header, length, sparse)| {
            let byte = if sparse {
                prop_oneof![3 => Just(0u8), 1 => any::<u8>()].boxed()
            } else {
                any::<u8>().boxed()
            };
            vec(byte, length).prop_map(move |mut bytes| {
                if let Some(first) = bytes.first_mut() {
                    *first = header;
                }
                bytes
            })
        })
}

macro_rules! verifying_key {
    ($bytes:expr, $type:ty) => {
        if let Ok(key) = <$type>::from_bytes($bytes) {
            let mut again = vec![0; $bytes.len()];
            key.write_bytes(&mut again).unwrap();
            prop_assert_eq!(&again, $bytes);
        }
    };
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn verifying_keys(
        toy in shaped(3, 15),
        tiny in shaped(1, 5),
        large in shaped(9, 897),
    ) {
        verifying_key!(&toy, falcon::VerifyingKeyWeak);
        verifying_key!(&tiny, falcon::VerifyingKeyWeak);
        verifying_key!(&toy, draft2026::VerifyingKeyWeak);
        verifying_key!(&large, falcon::VerifyingKey512);
        verifying_key!(&large, draft2026::VerifyingKeyStandard);
    }

    #[test]
    fn signatures(
        toy in shaped(0x33, 52),
        compressed in shaped(0x33, 50),
        constant in shaped(0x53, 53),
        blob in vec(any::<u8>(), 0..120),
    ) {
        // h = 1.
        let mut bytes = [0; 15];
        bytes[0] = 3;
        bytes[2] = 4;
        let key = falcon::VerifyingKeyWeak::from_bytes(&bytes).unwrap();
        let main = lanner_fn_dsa::VerifyingKeyWeak::from_bytes(&bytes).unwrap();
        let _ = main.try_verify(&toy, &DOMAIN_NONE, &HASH_ID_RAW, b"message");
        let draft = draft2026::VerifyingKeyWeak::from_bytes(&bytes).unwrap();
        let _ = draft.try_verify(&toy, &DOMAIN_NONE, &HASH_ID_RAW, b"message");
        for signature in [&toy, &compressed, &constant, &blob] {
            let _ = falcon::verify(&key, signature, b"message");
            let _ = falcon::open(&key, signature);
        }
        let large = VerifyingKey1024::from_bytes(&[&[10][..], &[0; 1792]].concat()).unwrap();
        for first in [0xba, 0xda] {
            let mut signature = blob.clone();
            signature.insert(0, first);
            let _ = falcon::det1024::verify(&large, &signature, b"message");
            let _ = falcon::det1024::to_constant_time(&signature);
        }
    }
}

type VerifyingKey1024 = falcon::VerifyingKey1024;

#[cfg(feature = "sign")]
mod signing {
    use super::*;
    use lanner_fn_dsa::shake::SeededRng;

    macro_rules! signing_key {
        ($bytes:expr, $type:ty, $sign:expr) => {
            if let Ok(key) = <$type>::from_bytes($bytes) {
                let mut again = vec![0; $bytes.len()];
                key.write_bytes(&mut again).unwrap();
                prop_assert_eq!(&again, $bytes);
                // The basis of such a key may be too long: then signing ends with an error.
                let mut signature = vec![0; lanner_fn_dsa::signature_size(key.logn())];
                let _ = $sign(key, &mut SeededRng::new(b"random"), &mut signature[..]);
            }
        };
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

        #[test]
        fn signing_keys(
            tiny in shaped(0x51, 7),
            toy in shaped(0x52, 13),
            other in shaped(0x53, 25),
            draft in shaped(0x52, 77),
            large in shaped(0x59, 1281),
        ) {
            fn weak(key: falcon::SigningKeyWeak, rng: &mut SeededRng, output: &mut [u8]) {
                let _ = falcon::sign(&key, rng, b"m", falcon::Encoding::Padded, output);
            }
            signing_key!(&tiny, falcon::SigningKeyWeak, weak);
            signing_key!(&toy, falcon::SigningKeyWeak, weak);
            signing_key!(&other, falcon::SigningKeyWeak, weak);
            signing_key!(&draft, draft2026::SigningKeyWeak, |key: draft2026::SigningKeyWeak, rng, output| {
                key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"m", output)
            });
            signing_key!(&large, falcon::SigningKey512, |key, rng, output| {
                falcon::sign(&key, rng, b"m", falcon::Encoding::Padded, output)
            });
        }
    }

    /// One byte of a good key or signature changed: decoding or verifying says no, and nothing panics.
    #[cfg(feature = "keygen")]
    #[test]
    fn mutations() {
        use lanner_fn_dsa::{SigningKeyWeak, VerifyingKeyWeak};
        let rng = &mut SeededRng::new(b"random");
        for logn in [4, 6, 8] {
            let key = SigningKeyWeak::from_seed_of_degree(logn, &[9; 32]).unwrap();
            check(&key, rng);
        }
        fn check<R: lanner_fn_dsa::CryptoRng>(key: &SigningKeyWeak, rng: &mut R) {
            let mut signature = vec![0; lanner_fn_dsa::signature_size(key.logn())];
            key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"m", &mut signature)
                .unwrap();
            let public = key.verifying_key();
            for at in 0..signature.len() {
                for flip in [1, 0x80, 0xff] {
                    let mut spoiled = signature.clone();
                    spoiled[at] ^= flip;
                    assert!(
                        public
                            .try_verify(&spoiled, &DOMAIN_NONE, &HASH_ID_RAW, b"m")
                            .is_err()
                    );
                }
            }
            let mut bytes = vec![0; lanner_fn_dsa::vrfy_key_size(key.logn())];
            public.write_bytes(&mut bytes).unwrap();
            for at in 0..bytes.len() {
                let mut spoiled = bytes.clone();
                spoiled[at] ^= 0x10;
                if let Ok(other) = VerifyingKeyWeak::from_bytes(&spoiled) {
                    assert_ne!(other, public);
                    assert!(
                        other
                            .try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"m")
                            .is_err()
                    );
                }
            }
        }
    }
}
