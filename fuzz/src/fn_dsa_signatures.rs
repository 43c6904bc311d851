//! Signatures of FN-DSA, main variant and draft guess, under keys that are known; and JSON Web Signatures.

use std::sync::OnceLock;

use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DOMAIN_NONE, HASH_ID_RAW, SigningKeyStandard, SigningKeyWeak, VerifyingKeyStandard,
    VerifyingKeyWeak, draft2026, signature_size,
};

use crate::jose;

pub(crate) const MESSAGE: &[u8] = b"message";

struct Keys {
    weak: Vec<VerifyingKeyWeak>,
    standard: Vec<VerifyingKeyStandard>,
    draft_weak: Vec<draft2026::VerifyingKeyWeak>,
    draft_standard: Vec<draft2026::VerifyingKeyStandard>,
}

macro_rules! signing_keys {
    ($key:ty, $range:expr) => {
        $range.map(|logn| {
            <$key>::from_seed_of_degree(logn, &[logn as u8; 32]).expect("a degree of the type")
        })
    };
}

fn keys() -> &'static Keys {
    static KEYS: OnceLock<Keys> = OnceLock::new();
    KEYS.get_or_init(|| Keys {
        weak: signing_keys!(SigningKeyWeak, 2..=8)
            .map(|key| key.verifying_key())
            .collect(),
        standard: signing_keys!(SigningKeyStandard, 9..=10)
            .map(|key| key.verifying_key())
            .collect(),
        draft_weak: signing_keys!(draft2026::SigningKeyWeak, 2..=8)
            .map(|key| key.verifying_key())
            .collect(),
        draft_standard: signing_keys!(draft2026::SigningKeyStandard, 9..=10)
            .map(|key| key.verifying_key())
            .collect(),
    })
}

/// The bytes as a signature under keys of every degree and both variants.
pub fn run(data: &[u8]) {
    let keys = keys();
    macro_rules! check {
        ($list:expr) => {
            for key in &$list {
                let verify = |signature: &[u8]| {
                    key.try_verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE)
                };
                let verdict = verify(data);
                if data.len() != signature_size(key.logn()) {
                    assert!(verdict.is_err(), "another length");
                    continue;
                }
                // In pieces it is the same.
                let in_pieces = key
                    .verify_stream(data, &DOMAIN_NONE, &HASH_ID_RAW)
                    .and_then(|mut stream| {
                        MESSAGE.chunks(3).for_each(|piece| stream.update(piece));
                        stream.finish()
                    });
                assert_eq!(verdict, in_pieces);
                if verdict.is_ok() {
                    // The last byte is padding or holds the end of s2: no second form of the same.
                    let longer = [data, &[0]].concat();
                    assert!(verify(&longer).is_err() && verify(&data[..data.len() - 1]).is_err());
                    let mut header = data.to_vec();
                    header[0] ^= 0x60;
                    assert!(verify(&header).is_err());
                }
            }
        };
    }
    check!(keys.weak);
    check!(keys.standard);
    check!(keys.draft_weak);
    check!(keys.draft_standard);
    if let Ok(text) = std::str::from_utf8(data) {
        jose::token(text);
    }
}

/// A valid signature for each of the keys, and tokens.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    macro_rules! add {
        ($key:ty, $range:expr) => {
            for key in signing_keys!($key, $range) {
                let mut signature = vec![0; signature_size(key.logn())];
                let rng = &mut SeededRng::new(b"seeds");
                key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE, &mut signature)
                    .expect("signs");
                let verdict =
                    key.verifying_key()
                        .try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE);
                assert_eq!(verdict, Ok(()));
                seeds.push(signature);
            }
        };
    }
    add!(SigningKeyWeak, 2..=8);
    add!(SigningKeyStandard, 9..=10);
    add!(draft2026::SigningKeyWeak, 2..=8);
    add!(draft2026::SigningKeyStandard, 9..=10);
    seeds.extend(jose::tokens());
    seeds
}
