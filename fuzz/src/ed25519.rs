//! Ed25519: keys, signatures, and key files.

use lanner_ed25519::pkcs8::spki::der::pem::LineEnding;
use lanner_ed25519::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_ed25519::profile::Strict;
use lanner_ed25519::{Signature, Signer, SigningKey, Verifier, VerifyingKey};

const MESSAGE: &[u8] = b"message";

fn signing(key: &SigningKey) {
    let written = key.to_pkcs8_der().expect("encodes");
    let again = SigningKey::from_pkcs8_der(written.as_bytes()).expect("our own form");
    assert_eq!(again.to_bytes(), key.to_bytes());
    assert_eq!(
        again.to_pkcs8_der().expect("encodes").as_bytes(),
        written.as_bytes()
    );
}

fn verifying(key: &VerifyingKey) {
    let written = key.to_public_key_der().expect("encodes");
    let again = VerifyingKey::from_public_key_der(written.as_bytes()).expect("our own form");
    assert_eq!(again.to_bytes(), key.to_bytes());
}

/// The bytes as everything that can be read.
pub fn run(data: &[u8]) {
    if let Ok(bytes) = <&[u8; 32]>::try_from(data)
        && let Ok(key) = VerifyingKey::from_bytes(bytes)
    {
        assert_eq!(key.as_bytes(), bytes);
        verifying(&key);
    }
    if let Ok(bytes) = <&[u8; 64]>::try_from(data)
        && let Ok(key) = SigningKey::from_keypair_bytes(bytes)
    {
        assert_eq!(key.to_keypair_bytes(), *bytes);
        signing(&key);
    }
    // A signature under a key that is known, or under the bytes before it.
    if let Some((before, bytes)) = data.split_last_chunk::<64>() {
        let signature = Signature::from_bytes(bytes);
        assert_eq!(signature.to_bytes(), *bytes);
        let mut keys = vec![SigningKey::from_bytes(&[7; 32]).verifying_key()];
        if let Ok(bytes) = <&[u8; 32]>::try_from(before) {
            keys.extend(VerifyingKey::from_bytes(bytes));
        }
        for key in keys {
            let lax = key.verify(MESSAGE, &signature).is_ok();
            let strict = key.verify_strict(MESSAGE, &signature).is_ok();
            assert!(lax || !strict, "the strict rule accepts less");
            let streamed = key
                .under(Strict)
                .verify_stream(&signature)
                .is_ok_and(|mut stream| {
                    MESSAGE.chunks(3).for_each(|piece| stream.update(piece));
                    stream.finalize_and_verify().is_ok()
                });
            assert_eq!(streamed, strict);
        }
    }
    if let Ok(key) = SigningKey::from_pkcs8_der(data) {
        signing(&key);
    }
    if let Ok(key) = VerifyingKey::from_public_key_der(data) {
        verifying(&key);
        let written = key.to_public_key_der().expect("encodes");
        assert_eq!(
            written.as_bytes(),
            data,
            "a second form of a public key file"
        );
    }
    if let Ok(text) = std::str::from_utf8(data) {
        if let Ok(key) = SigningKey::from_pkcs8_pem(text) {
            signing(&key);
        }
        if let Ok(key) = VerifyingKey::from_public_key_pem(text) {
            verifying(&key);
        }
    }
}

/// One of everything.
pub fn seeds() -> Vec<Vec<u8>> {
    let key = SigningKey::from_bytes(&[7; 32]);
    let public = key.verifying_key();
    let signature = key.sign(MESSAGE).to_bytes();
    vec![
        public.to_bytes().to_vec(),
        key.to_keypair_bytes().to_vec(),
        signature.to_vec(),
        [&public.to_bytes()[..], &signature].concat(),
        key.to_pkcs8_der().expect("encodes").as_bytes().to_vec(),
        key.to_pkcs8_v2_der().expect("encodes").as_bytes().to_vec(),
        public
            .to_public_key_der()
            .expect("encodes")
            .as_bytes()
            .to_vec(),
        key.to_pkcs8_pem(LineEnding::LF)
            .expect("encodes")
            .as_bytes()
            .to_vec(),
        public
            .to_public_key_pem(LineEnding::CRLF)
            .expect("encodes")
            .into_bytes(),
    ]
}
