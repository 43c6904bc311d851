//! Key files of FN-DSA: PKCS#8 and SubjectPublicKeyInfo, in DER and in PEM.

use lanner_fn_dsa::pkcs8::der::pem::LineEnding;
use lanner_fn_dsa::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_fn_dsa::{SigningKeyStandard, VerifyingKeyStandard};

/// Several forms are read and one is written: what is written reads as the same key, and is written the same.
fn private(key: &SigningKeyStandard) {
    let written = key.to_pkcs8_der().expect("keys for use have an identifier");
    let again = SigningKeyStandard::from_pkcs8_der(written.as_bytes()).expect("our own form");
    assert_eq!(&again, key);
    let twice = again.to_pkcs8_der().expect("as before");
    assert_eq!(twice.as_bytes(), written.as_bytes());
}

fn public(key: &VerifyingKeyStandard, der: Option<&[u8]>) {
    let written = key
        .to_public_key_der()
        .expect("keys for use have an identifier");
    let again =
        VerifyingKeyStandard::from_public_key_der(written.as_bytes()).expect("our own form");
    assert_eq!(&again, key);
    // One form: only the identifier may differ.
    if let Some(der) = der {
        assert_eq!(der.len(), written.as_bytes().len());
        let differing = der.iter().zip(written.as_bytes()).filter(|(a, b)| a != b);
        assert!(differing.count() <= 1);
    }
}

/// The bytes as each kind of file.
pub fn run(data: &[u8]) {
    if let Ok(key) = SigningKeyStandard::from_pkcs8_der(data) {
        private(&key);
    }
    if let Ok(key) = VerifyingKeyStandard::from_public_key_der(data) {
        public(&key, Some(data));
    }
    if let Ok(text) = std::str::from_utf8(data) {
        if let Ok(key) = SigningKeyStandard::from_pkcs8_pem(text) {
            private(&key);
        }
        if let Ok(key) = VerifyingKeyStandard::from_public_key_pem(text) {
            public(&key, None);
        }
    }
}

/// Files of both degrees.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for logn in [9, 10] {
        let key = SigningKeyStandard::from_seed_of_degree(logn, &[1; 32]).expect("a key");
        let public = key.verifying_key();
        seeds.push(key.to_pkcs8_der().expect("encodes").as_bytes().to_vec());
        seeds.push(
            public
                .to_public_key_der()
                .expect("encodes")
                .as_bytes()
                .to_vec(),
        );
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
        seeds.push(pem.as_bytes().to_vec());
        let pem = public.to_public_key_pem(LineEnding::CRLF).expect("encodes");
        seeds.push(pem.into_bytes());
    }
    seeds
}
