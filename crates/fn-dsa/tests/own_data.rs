//! Keys and signatures of fixed seeds, for clones without the outside vectors: what the crates fn-dsa
//! 0.3.0 and 0.4.0 gave for them.
#![cfg(all(feature = "keygen", feature = "sign"))]

use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DomainContext, HASH_ID_RAW, KeyPairGenerator, signature_size, vrfy_key_size};
use sha2::{Digest, Sha256};

/// logn, and SHA-256 of signing key, verifying key and signature: of 0.3.0, of 0.4.0. All random bytes
/// come from SHAKE256 of "own data" and logn.
const KNOWN: [(u32, &str, &str); 9] = [
    (
        2,
        "34191854dc51e62d33dfe0e70aeac60fa1653e624fe7c7ff705b89e10c10ba51",
        "05f348be4c024e74921f4cb43febb8b1909531cadab7bbf56bd967f06583c041",
    ),
    (
        3,
        "9d11fa2a9e00fd3dd9ef6d1828774edd38258814cca4963ac2429e53e3f3520f",
        "0ad68d9f496293c0df829f038ee77fadee79529ad300c3a47d90ee997faefcf8",
    ),
    (
        4,
        "5e3d621bb1970f4ba596bd4e2179c38c048500877d2761da738c42b98a3fa8b2",
        "9ae319611c4f3e07ea64e1cf6aa99568417a7e697b0ceb17db9ed8f2b952b332",
    ),
    (
        5,
        "b23142daff40e1f4a4e1948f1dea036b1f81738fd9c6cce0f32bcd820d1d7506",
        "89f2d3f6895e3a0cb2fd20d223cc287dd29990fe77ae026e6cc0f65a00a7c8dc",
    ),
    (
        6,
        "a032c8aa5ed84744d9cedc795811ff1b1759d89984e990db12eebf5fc530df42",
        "16fcfedd9b3392eee99c04c8a999e212002e8ffa974cc28966ac8a3f8ab87a35",
    ),
    (
        7,
        "eef50b091cada9cd07e4c889f6844fa6af065eb8c83205f567b2da49a6a302ec",
        "ec14360432025a32164abe266bd2a283e09b9bf5802aac8318daa869e2d2a9d2",
    ),
    (
        8,
        "f43f77c1c13d210c264da370d953f5237070060491a592386b50d100276f2955",
        "8cd81739ec126253b48a1fe48b8a6649d762601575e83057bd3bcb5ea13f28d1",
    ),
    (
        9,
        "d19a904a94673145bc0bc11a768001d0bcabca088ffad693490457c2c427c8da",
        "f530bc4d9b74cf13c0a5a913762997be568ba3cfda4f9cc676e7c9845adee336",
    ),
    (
        10,
        "1f0ae0d4a4c355f269365a640160689e0fde3af80f16d3075cac8f860326fb68",
        "bb0e95d11ec152be8558cb272fb100d66e509ae04caed671440dd3485c2b6cc9",
    ),
];

/// logn, and the same hash with this library's own way to sign, whose sampler has its seed from the secret key, the nonce and
/// the message, on every processor.
const OWN: [(u32, &str); 9] = [
    (
        2,
        "c981d89f5acb5809d3a1cbf2bcbe286960541d19b4e748f5ca934d43fb770638",
    ),
    (
        3,
        "60e1b72c88a7a7e1f8d67f12da2af702d38e0f1599930b66a41e8362c0009987",
    ),
    (
        4,
        "3f1833b36849e91029c74ef6689bd4ff865f1002f31b390e003e7cb17069b719",
    ),
    (
        5,
        "e36320fc86bc385ed111ff6712846c0adfa4bf7e26d8945364a29322a7b2ef25",
    ),
    (
        6,
        "f2fd662423113cd5540f14504b9443a39d42dc7b71e0fc08a33ec22f852a9f14",
    ),
    (
        7,
        "8bc4f6650d99f03d1049a81c64df6be546eb1129be2d0bd929eab0967312d7de",
    ),
    (
        8,
        "2eacfa4c87d13d9aedd8620076a25c3964b815ee6d524751d02e2c118773c72b",
    ),
    (
        9,
        "36ab954628727fe2da2215a00410bdf43fbbe850964a5be0c22a171d47a17a37",
    ),
    (
        10,
        "9c5b32e1bd7a80b6fb09cb1dcff476161cb1d8176c65254833589edbc3d59db6",
    ),
];

const CONTEXT: DomainContext<'_> = DomainContext(b"context");

fn random(logn: u32) -> SeededRng {
    SeededRng::new(&[b"own data", &[logn as u8][..]].concat())
}

fn hash(sk: &[u8], vk: &[u8], sig: &[u8]) -> String {
    let hash = Sha256::new()
        .chain_update(sk)
        .chain_update(vk)
        .chain_update(sig);
    hex::encode(hash.finalize())
}

macro_rules! hash_of {
    ($generator:ty, $key:ty, $size:path, $sign:ident, $logn:expr) => {{
        let rng = &mut random($logn);
        let (mut sk, mut vk) = (vec![0; $size($logn)], vec![0; vrfy_key_size($logn)]);
        <$generator>::default().keygen($logn, rng, &mut sk, &mut vk);
        let key = <$key>::from_bytes(&sk).unwrap();
        let mut sig = vec![0; signature_size($logn)];
        key.$sign(rng, &CONTEXT, &HASH_ID_RAW, b"message", &mut sig)
            .unwrap();
        let public = key.verifying_key();
        public
            .try_verify(&sig, &CONTEXT, &HASH_ID_RAW, b"message")
            .unwrap();
        let mut again = vec![0; sk.len()];
        key.write_bytes(&mut again).unwrap();
        assert_eq!(again, sk);
        hash(&sk, &vk, &sig)
    }};
}

/// [`hash_of!`] with the types that are in scope, the standard degrees apart from the others.
macro_rules! hash_at {
    ($sign:ident, $logn:expr) => {
        if $logn < 9 {
            hash_of!(
                KeyPairGeneratorWeak,
                SigningKeyWeak,
                sign_key_size,
                $sign,
                $logn
            )
        } else {
            hash_of!(
                KeyPairGeneratorStandard,
                SigningKeyStandard,
                sign_key_size,
                $sign,
                $logn
            )
        }
    };
}

#[test]
fn version_0_3_0() {
    use lanner_fn_dsa::{
        KeyPairGeneratorStandard, KeyPairGeneratorWeak, SigningKeyStandard, SigningKeyWeak,
        sign_key_size,
    };
    for (logn, expected, _) in KNOWN {
        assert_eq!(hash_at!(sign_bytes_compat, logn), expected, "logn {logn}");
    }
}

#[test]
fn version_0_4_0() {
    use lanner_fn_dsa::draft2026::{
        KeyPairGeneratorStandard, KeyPairGeneratorWeak, SigningKeyStandard, SigningKeyWeak,
        sign_key_size,
    };
    for (logn, _, expected) in KNOWN {
        assert_eq!(hash_at!(sign_bytes, logn), expected, "logn {logn}");
    }
}

#[test]
fn the_own_way_to_sign() {
    use lanner_fn_dsa::{
        KeyPairGeneratorStandard, KeyPairGeneratorWeak, SigningKeyStandard, SigningKeyWeak,
        sign_key_size,
    };
    for (logn, expected) in OWN {
        assert_eq!(hash_at!(sign_bytes, logn), expected, "logn {logn}");
    }
}
