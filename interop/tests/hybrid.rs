//! The halves of FN-DSA in the vectors of hybrid signatures, held against the crate fn-dsa. All else in the vectors is
//! computed by `vectors/hybrid.py`.

use fn_dsa::{
    CryptoRng, DomainContext, HASH_ID_RAW, KeyPairGenerator, KeyPairGeneratorStandard, RngCore,
    RngError, SigningKey, SigningKeyStandard, VerifyingKey, VerifyingKeyStandard, sign_key_size,
    signature_size, vrfy_key_size,
};

/// Hands out a seed, and after that bytes that do not matter.
struct Seed(Vec<u8>);

impl RngCore for Seed {
    fn next_u32(&mut self) -> u32 {
        unreachable!("bytes alone are asked for")
    }

    fn next_u64(&mut self) -> u64 {
        unreachable!("bytes alone are asked for")
    }

    fn fill_bytes(&mut self, output: &mut [u8]) {
        for byte in output {
            *byte = self.0.pop().unwrap_or(7);
        }
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(output);
        Ok(())
    }
}

impl CryptoRng for Seed {}

#[test]
fn halves_of_fn_dsa() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/data/hybrid.json");
    let text = std::fs::read_to_string(path).expect("the vectors");
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    assert!(cases.len() >= 4);
    for case in &cases {
        let bytes = |name: &str| hex::decode(case[name].as_str().expect("text")).expect("hex");
        let (logn, label): (u32, &[u8]) = match case["algorithm"].as_str() {
            Some("ed25519+fn-dsa-512") => (9, b"Ed25519+FN-DSA-512-main-SHA512"),
            Some("ed25519+fn-dsa-1024") => (10, b"Ed25519+FN-DSA-1024-main-SHA512"),
            other => panic!("{other:?}"),
        };
        let mut rng = Seed(bytes("fn_dsa_seed").into_iter().rev().collect());
        let mut secret = vec![0; sign_key_size(logn)];
        let mut public = vec![0; vrfy_key_size(logn)];
        KeyPairGeneratorStandard::default().keygen(logn, &mut rng, &mut secret, &mut public);
        assert_eq!(public, bytes("verifying_key")[32..]);

        let context = DomainContext(label);
        let (signed, signature) = (bytes("representative"), bytes("signature"));
        let key = VerifyingKeyStandard::decode(&public).expect("a key");
        assert!(key.verify(&signature[64..], &context, &HASH_ID_RAW, &signed));
        assert!(!key.verify(&signature[64..], &DomainContext(b""), &HASH_ID_RAW, &signed));

        // A half that the other library makes is one.
        let mut half = vec![0; signature_size(logn)];
        let mut signer = SigningKeyStandard::decode(&secret).expect("a key");
        signer.sign(&mut rng, &context, &HASH_ID_RAW, &signed, &mut half);
        let mixed = [&signature[..64], &half].concat();
        let key = lanner::hybrid::VerifyingKeyStandard::from_bytes(&bytes("verifying_key"));
        let key = key.expect("a key");
        let (context, message) = (bytes("context"), bytes("message"));
        key.verify(&mixed, &context, &message).expect("it is valid");
        assert!(key.verify(&mixed, &context, b"another").is_err());
    }
}
