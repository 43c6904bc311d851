//! Signatures that every face of the project gives for the same key, message and random bytes: those of
//! JavaScript compute with other instructions, and `js/test/fn-dsa.test.mjs` has the same table.
#![cfg(all(feature = "keygen", feature = "sign"))]

use lanner_fn_dsa::falcon::{self, Encoding, max_signature_size};
use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};
use lanner_fn_dsa::{
    DomainContext, HASH_ID_RAW, HASH_ID_SHA3_256, HASH_ID_SHA3_384, HASH_ID_SHA3_512,
    HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512, HASH_ID_SHA512_256, HASH_ID_SHAKE128,
    HASH_ID_SHAKE256, HashIdentifier, SigningKeyStandard, draft2026, signature_size,
};
use sha2::{Digest, Sha256};

/// Every byte is 7.
struct Sevens;

impl TryRng for Sevens {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(0x0707_0707)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(0x0707_0707_0707_0707)
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Self::Error> {
        output.fill(7);
        Ok(())
    }
}

impl TryCryptoRng for Sevens {}

/// What is signed: 0, 1, 2, …, with as many bytes as the hash function gives.
const KINDS: [(&str, HashIdentifier<'static>, usize); 11] = [
    ("", HASH_ID_RAW, 100),
    ("sha256", HASH_ID_SHA256, 32),
    ("sha384", HASH_ID_SHA384, 48),
    ("sha512", HASH_ID_SHA512, 64),
    ("sha512-256", HASH_ID_SHA512_256, 32),
    ("sha3-256", HASH_ID_SHA3_256, 32),
    ("sha3-384", HASH_ID_SHA3_384, 48),
    ("sha3-512", HASH_ID_SHA3_512, 64),
    ("shake128", HASH_ID_SHAKE128, 32),
    ("shake256", HASH_ID_SHAKE256, 64),
    ("mu", draft2026::HASH_ID_EXTMU, 64),
];

/// Variant, hash function, and the first 16 bytes of SHA-256 of the signature.
#[rustfmt::skip]
const KNOWN: &[(&str, &str, &str)] = &[
    ("fndsa512", "", "b973e1cfe7b439414bc5cefd31207e52"),
    ("fndsa512draft2026", "", "fb5c9376063814b2b64bbd3c1ed653f9"),
    ("fndsa512", "sha256", "42f2774b74c6542618110387baa506b7"),
    ("fndsa512draft2026", "sha256", "3089af6b049f57d8631db3a2135f42b0"),
    ("fndsa512", "sha384", "f3728479fb44f2c7569f807564d9d32f"),
    ("fndsa512draft2026", "sha384", "effa7b1c5769bcf7dc566e7b90ab22c2"),
    ("fndsa512", "sha512", "9f4877563f1b8615d4536aa83a57d7fe"),
    ("fndsa512draft2026", "sha512", "6156ef04b2813d69f2413073671ddf1a"),
    ("fndsa512", "sha512-256", "dd26d1808ac6b7dfeee49c22e702c29d"),
    ("fndsa512draft2026", "sha512-256", "cb759b308da56b5df0c8fbb2a0e155b4"),
    ("fndsa512", "sha3-256", "81d413a6ce5f1dc9df3a70e503cac0b2"),
    ("fndsa512draft2026", "sha3-256", "cfdc7273c87dc91fd5c01d28f6b2c966"),
    ("fndsa512", "sha3-384", "a6d4104dd3c0767b660bf02a1091d183"),
    ("fndsa512draft2026", "sha3-384", "4fbb65e6e44e1da90cea6546745232b6"),
    ("fndsa512", "sha3-512", "06b3e2cc6ed0abb255909d89841114bb"),
    ("fndsa512draft2026", "sha3-512", "49c19a114b321fe7737b2c7ff4d29eac"),
    ("fndsa512", "shake128", "5d9d740a2c32bcdfe1a6db522581352c"),
    ("fndsa512draft2026", "shake128", "5bbb2ba93ec14e681cdd0b1aecf61d64"),
    ("fndsa512", "shake256", "13ba90ecbc05bc408d2fffecc052a423"),
    ("fndsa512draft2026", "shake256", "5f93f0e3e1d425a073bd1cf73bd68f7c"),
    ("fndsa512draft2026", "mu", "add18232dd578c4e15c66b990f9bf72b"),
    ("falcon512", "", "111efbeda8eb8219f8b744021e8459c6"),
    ("falcon512padded", "", "30151cf390edc41d10a700edd427468d"),
    ("falcon512ct", "", "315e95fb6f27306a0574951cd62b41d8"),
    ("fndsa1024", "", "91c4f716332860af86c03885766aa571"),
    ("fndsa1024draft2026", "", "76b0eb367778b2ae282463845b3389a3"),
    ("fndsa1024", "sha256", "f6305ff966501ef38324eed25f365c7b"),
    ("fndsa1024draft2026", "sha256", "a18473b5f2d6541ff4c5b9d9afdef6a6"),
    ("fndsa1024", "sha384", "f9920c36a34d0cd907d17cd9fe65b92d"),
    ("fndsa1024draft2026", "sha384", "4e4cb43dfee8f83d27161bbfcf02b5db"),
    ("fndsa1024", "sha512", "edf54c824554add464b820f7c76e3186"),
    ("fndsa1024draft2026", "sha512", "1d83a64283c55a2cba45a82020b4fc8e"),
    ("fndsa1024", "sha512-256", "9a5beb8006fe8db8e70cd7fe29e6f1de"),
    ("fndsa1024draft2026", "sha512-256", "4e03fb97fa0a1a132bf71b8ddee9da42"),
    ("fndsa1024", "sha3-256", "195cbc15b0cfd14cef0390ff4743429c"),
    ("fndsa1024draft2026", "sha3-256", "a8a06ed23a0da9014a1dc23968064cff"),
    ("fndsa1024", "sha3-384", "ee75287065fc1a2c5dc883120a49bf90"),
    ("fndsa1024draft2026", "sha3-384", "fcfaf552f2a827da3236119ad344353a"),
    ("fndsa1024", "sha3-512", "5f1a9b59929cf226b20c65d1ec348271"),
    ("fndsa1024draft2026", "sha3-512", "c4b0a3caf3effd90f362a479b160d956"),
    ("fndsa1024", "shake128", "000eace07d6adb61c520c6e6f5659ca3"),
    ("fndsa1024draft2026", "shake128", "2c9c72981c24b31473121bbdf92e799b"),
    ("fndsa1024", "shake256", "8d5e6a0006df878e525432ae09bc9bcf"),
    ("fndsa1024draft2026", "shake256", "241cf1be692721da0f81f13319a2c4dd"),
    ("fndsa1024draft2026", "mu", "5abf4bb72fe1627370266321471eaa51"),
    ("falcon1024", "", "06482bb785e9393210b888f864540289"),
    ("falcon1024padded", "", "83b5fab4fd61fc96b8660958639054a5"),
    ("falcon1024ct", "", "7928830179929e4ebb818ecb65bfccbf"),
];

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| i as u8).collect()
}

fn digest(signature: &[u8]) -> String {
    hex::encode(&Sha256::digest(signature)[..16])
}

#[test]
fn signatures_are_those_of_every_face() {
    let mut found = Vec::new();
    for logn in [9, 10] {
        let degree = 1 << logn;
        let key = SigningKeyStandard::from_seed_of_degree(logn, &[5; 32]).unwrap();
        let draft = draft2026::SigningKeyStandard::from_seed_of_degree(logn, &[5; 32]).unwrap();
        for (kind, id, length) in KINDS {
            let message = message(length);
            let context = DomainContext(if kind == "mu" { b"" } else { b"context" });
            let mut signature = vec![0; signature_size(logn)];
            if kind != "mu" {
                key.sign_bytes(&mut Sevens, &context, &id, &message, &mut signature)
                    .unwrap();
                key.verifying_key()
                    .try_verify(&signature, &context, &id, &message)
                    .unwrap();
                found.push((format!("fndsa{degree}"), kind, digest(&signature)));
            }
            draft
                .sign_bytes(&mut Sevens, &context, &id, &message, &mut signature)
                .unwrap();
            draft
                .verifying_key()
                .try_verify(&signature, &context, &id, &message)
                .unwrap();
            found.push((format!("fndsa{degree}draft2026"), kind, digest(&signature)));
        }
        let falcon_key = falcon::SigningKeyStandard::from_seed_of_degree(logn, &[5; 32]).unwrap();
        for (name, encoding) in [
            ("", Encoding::Compressed),
            ("padded", Encoding::Padded),
            ("ct", Encoding::ConstantTime),
        ] {
            let mut signature = vec![0; max_signature_size(encoding, logn)];
            let length = falcon::sign(
                &falcon_key,
                &mut Sevens,
                &message(100),
                encoding,
                &mut signature,
            )
            .unwrap();
            let signature = &signature[..length];
            falcon::verify_as(
                &falcon_key.verifying_key(),
                signature,
                &message(100),
                encoding,
            )
            .unwrap();
            found.push((format!("falcon{degree}{name}"), "", digest(signature)));
        }
    }
    let found: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|(name, kind, digest)| (name.as_str(), *kind, digest.as_str()))
        .collect();
    assert_eq!(found, KNOWN);
}

/// The same verdicts as from a decoded key.
#[test]
fn encoded_keys_of_original_falcon() {
    use lanner_fn_dsa::Error;

    let key = falcon::SigningKeyStandard::from_seed_of_degree(9, &[5; 32]).unwrap();
    let mut public = [0; 897];
    key.verifying_key().write_bytes(&mut public).unwrap();
    let mut signature = [0; 666];
    falcon::sign(&key, &mut Sevens, b"m", Encoding::Padded, &mut signature).unwrap();
    let wrong = falcon::verify_with_encoded_key_as(&public, &signature, b"m", Encoding::Compressed);
    assert_eq!(wrong, Err(Error::Signature));
    for encoding in [None, Some(Encoding::Padded)] {
        encoded_key(
            &public,
            &signature,
            |key, signature, message| match encoding {
                None => falcon::verify_with_encoded_key(key, signature, message),
                Some(encoding) => {
                    falcon::verify_with_encoded_key_as(key, signature, message, encoding)
                }
            },
        );
    }
}

fn encoded_key(
    public: &[u8; 897],
    signature: &[u8],
    verify: impl Fn(&[u8], &[u8], &[u8]) -> Result<(), lanner_fn_dsa::Error>,
) {
    use lanner_fn_dsa::Error;

    assert_eq!(verify(public, signature, b"m"), Ok(()));
    assert_eq!(verify(public, signature, b"n"), Err(Error::Signature));
    assert_eq!(verify(public, b"", b"m"), Err(Error::Signature));
    assert_eq!(verify(&public[..896], signature, b"m"), Err(Error::Key));
    assert_eq!(verify(b"", signature, b"m"), Err(Error::Key));
    for (at, value, error) in [
        (0, 0x08, Error::Degree),
        (0, 0x0a, Error::Key),
        (0, 0x19, Error::Key),
        (1, 0xff, Error::Key),
    ] {
        let mut wrong = *public;
        wrong[at] = value;
        assert_eq!(verify(&wrong, signature, b"m"), Err(error), "{at}");
    }
}
