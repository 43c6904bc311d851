//! Hybrid keys, signatures and key files: Ed25519 and FN-DSA in one. What decodes has one encoding, and no half of a
//! signature is worth anything alone.

use std::sync::OnceLock;

use lanner_ed25519::{Digest, Sha512};
use lanner_hybrid::pkcs8::der::pem::LineEnding;
use lanner_hybrid::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_hybrid::{SigningKeyStandard, VerifyingKeyStandard, signature_size, verifying_key_size};

const MESSAGE: &[u8] = b"message";

struct Known {
    key: VerifyingKeyStandard,
    signature: Vec<u8>,
}

fn secret(logn: u32) -> SigningKeyStandard {
    SigningKeyStandard::from_seed_of_degree(logn, &[logn as u8; 32]).expect("a degree")
}

fn known() -> &'static [Known; 2] {
    static KNOWN: OnceLock<[Known; 2]> = OnceLock::new();
    KNOWN.get_or_init(|| {
        [9, 10].map(|logn| {
            let secret = secret(logn);
            let mut signature = vec![0; signature_size(logn)];
            let rng = &mut lanner_fn_dsa::shake::SeededRng::new(b"hybrid");
            secret
                .sign_bytes(rng, b"", MESSAGE, &mut signature)
                .expect("it signs");
            Known {
                key: secret.verifying_key(),
                signature,
            }
        })
    })
}

fn bytes_of(key: &VerifyingKeyStandard) -> Vec<u8> {
    let mut bytes = vec![0; verifying_key_size(key.logn())];
    key.write_bytes(&mut bytes).expect("the length");
    bytes
}

fn verifying(key: &VerifyingKeyStandard, file: Option<&[u8]>) {
    let bytes = bytes_of(key);
    let again = VerifyingKeyStandard::from_bytes(&bytes).expect("it decoded before");
    assert_eq!(again.hash(), key.hash());
    let written = key.to_public_key_der().expect("encodes");
    let again = VerifyingKeyStandard::from_public_key_der(written.as_bytes());
    assert_eq!(bytes_of(&again.expect("our own form")), bytes);
    if let Some(file) = file {
        assert_eq!(
            file,
            written.as_bytes(),
            "a second form of a public key file"
        );
    }
    let signature = vec![0; signature_size(key.logn())];
    assert!(key.verify(&signature, b"", MESSAGE).is_err());
}

fn signing(key: &SigningKeyStandard) {
    let written = key.to_pkcs8_der().expect("encodes");
    let again = SigningKeyStandard::from_pkcs8_der(written.as_bytes()).expect("our own form");
    assert_eq!((again.seed(), again.logn()), (key.seed(), key.logn()));
    let twice = again.to_pkcs8_der().expect("encodes");
    assert_eq!(twice.as_bytes(), written.as_bytes());
}

/// A signature by its key, whole and in pieces; and each half of it beside the other half of a good one.
fn signature(data: &[u8]) {
    for known in known() {
        let verdict = known.key.verify(data, b"", MESSAGE);
        let mut stream = known.key.verify_stream(data, b"");
        MESSAGE.chunks(3).for_each(|piece| stream.update(piece));
        assert_eq!(stream.finish(), verdict);
        let digest = Sha512::digest(MESSAGE).into();
        assert_eq!(known.key.verify_digest(data, b"", &digest), verdict);
        // Whoever finds another one has broken both schemes, or found that one of them was not asked.
        assert_eq!(
            verdict.is_ok(),
            data == known.signature,
            "another signature"
        );
        if verdict.is_ok() {
            assert!(known.key.verify(data, b"other", MESSAGE).is_err());
            assert!(known.key.verify(data, b"", b"other").is_err());
        }
        // Each half alone beside a good one.
        if data.len() == known.signature.len() {
            let ((first, second), (good_first, good_second)) =
                (data.split_at(64), known.signature.split_at(64));
            for halves in [[first, good_second], [good_first, second]] {
                let verdict = known.key.verify(&halves.concat(), b"", MESSAGE);
                assert_eq!(verdict.is_ok(), halves == [good_first, good_second]);
            }
        }
    }
}

/// The bytes as everything that can be read.
pub fn run(data: &[u8]) {
    if let Ok(key) = VerifyingKeyStandard::from_bytes(data) {
        assert_eq!(bytes_of(&key), data, "a second encoding of a verifying key");
        verifying(&key, None);
    }
    signature(data);
    // A seed makes a key, in a millisecond or more: only what is a file of one is read as one.
    if let Ok(key) = SigningKeyStandard::from_pkcs8_der(data) {
        signing(&key);
    }
    if let Ok(key) = VerifyingKeyStandard::from_public_key_der(data) {
        verifying(&key, Some(data));
    }
    if let Ok(text) = std::str::from_utf8(data) {
        if let Ok(key) = SigningKeyStandard::from_pkcs8_pem(text) {
            signing(&key);
        }
        if let Ok(key) = VerifyingKeyStandard::from_public_key_pem(text) {
            verifying(&key, None);
        }
    }
}

/// Of both degrees: a key, a signature, files.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (logn, known) in [9, 10].into_iter().zip(known()) {
        let secret = secret(logn);
        seeds.push(bytes_of(&known.key));
        seeds.push(known.signature.clone());
        let der = secret.to_pkcs8_der().expect("encodes");
        seeds.push(der.as_bytes().to_vec());
        let der = known.key.to_public_key_der().expect("encodes");
        seeds.push(der.as_bytes().to_vec());
        let pem = secret.to_pkcs8_pem(LineEnding::LF).expect("encodes");
        seeds.push(pem.as_bytes().to_vec());
        let pem = known.key.to_public_key_pem(LineEnding::CRLF);
        seeds.push(pem.expect("encodes").into_bytes());
    }
    seeds
}
