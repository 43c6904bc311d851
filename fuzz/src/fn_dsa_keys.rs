//! Keys of FN-DSA in all variants: the encoding is unique, and keys that are none do no harm.

use lanner_fn_dsa::falcon::Encoding;
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{self as fn_dsa, DOMAIN_NONE, HASH_ID_RAW, draft2026, falcon};

/// The two schemes, as the macros below want them.
mod scheme {
    macro_rules! sign {
        (fn_dsa, $key:expr, $rng:expr, $message:expr, $signature:expr) => {
            $key.sign_bytes($rng, &DOMAIN_NONE, &HASH_ID_RAW, $message, $signature)
        };
        (falcon, $key:expr, $rng:expr, $message:expr, $signature:expr) => {
            falcon::sign(&$key, $rng, $message, Encoding::Padded, $signature).map(|_| ())
        };
    }
    macro_rules! verify {
        (fn_dsa, $key:expr, $message:expr, $signature:expr) => {
            $key.try_verify($signature, &DOMAIN_NONE, &HASH_ID_RAW, $message)
        };
        (falcon, $key:expr, $message:expr, $signature:expr) => {
            falcon::verify_as(&$key, $signature, $message, Encoding::Padded)
        };
    }
    pub(super) use {sign, verify};
}

macro_rules! verifying {
    ($bytes:expr, $($scheme:ident $key:ty),+) => {$(
        if let Ok(key) = <$key>::from_bytes($bytes) {
            let mut again = vec![0; $bytes.len()];
            key.write_bytes(&mut again).expect("the length that was read");
            assert_eq!(again, $bytes, "a second encoding of a verifying key");
            let signature = vec![0; fn_dsa::signature_size(key.logn())];
            assert!(scheme::verify!($scheme, key, b"", &signature).is_err());
        }
    )+};
}

macro_rules! signing {
    ($bytes:expr, $($scheme:ident $key:ty),+) => {$(
        if let Ok(key) = <$key>::from_bytes($bytes) {
            let mut again = vec![0; $bytes.len()];
            key.write_bytes(&mut again).expect("the length that was read");
            assert_eq!(again, $bytes, "a second encoding of a signing key");
            let mut signature = vec![0; fn_dsa::signature_size(key.logn())];
            let rng = &mut SeededRng::new($bytes);
            // A key that decodes may still be no short basis: then there is an error, and in time.
            if scheme::sign!($scheme, key, rng, b"message", &mut signature).is_ok() {
                let public = key.verifying_key();
                let verdict = scheme::verify!($scheme, public, b"message", &signature);
                assert_eq!(verdict, Ok(()), "what was signed is valid");
            }
        }
    )+};
}

/// The bytes as a key of each variant and kind.
pub fn run(data: &[u8]) {
    verifying!(
        data,
        fn_dsa fn_dsa::VerifyingKeyStandard,
        fn_dsa fn_dsa::VerifyingKeyWeak,
        falcon falcon::VerifyingKeyStandard,
        falcon falcon::VerifyingKeyWeak,
        fn_dsa draft2026::VerifyingKeyStandard,
        fn_dsa draft2026::VerifyingKeyWeak
    );
    signing!(
        data,
        fn_dsa fn_dsa::SigningKeyStandard,
        fn_dsa fn_dsa::SigningKeyWeak,
        falcon falcon::SigningKeyStandard,
        falcon falcon::SigningKeyWeak,
        fn_dsa draft2026::SigningKeyStandard,
        fn_dsa draft2026::SigningKeyWeak
    );
}

/// Keys of every degree.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    macro_rules! add {
        ($key:ty, $logn:expr, $sign_key_size:expr) => {{
            let key = <$key>::from_seed_of_degree($logn, &[$logn as u8; 32]).expect("a key");
            let mut bytes = vec![0; $sign_key_size];
            key.write_bytes(&mut bytes).expect("the length");
            seeds.push(bytes);
            let mut bytes = vec![0; fn_dsa::vrfy_key_size($logn)];
            key.verifying_key()
                .write_bytes(&mut bytes)
                .expect("the length");
            seeds.push(bytes);
        }};
    }
    for logn in 2..=8 {
        add!(fn_dsa::SigningKeyWeak, logn, fn_dsa::sign_key_size(logn));
        add!(
            draft2026::SigningKeyWeak,
            logn,
            draft2026::sign_key_size(logn)
        );
    }
    for logn in 9..=10 {
        add!(
            fn_dsa::SigningKeyStandard,
            logn,
            fn_dsa::sign_key_size(logn)
        );
        add!(
            draft2026::SigningKeyStandard,
            logn,
            draft2026::sign_key_size(logn)
        );
    }
    seeds
}
