//! X25519: key files, and keys in `serde`.

use lanner_x25519::pkcs8::spki::der::pem::LineEnding;
use lanner_x25519::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use lanner_x25519::{PublicKey, StaticSecret};

use crate::serialized::{agrees, seed};

fn secret(key: &StaticSecret) {
    let written = key.to_pkcs8_der().expect("encodes");
    let again = StaticSecret::from_pkcs8_der(written.as_bytes()).expect("our own form");
    assert_eq!(again.to_bytes(), key.to_bytes());
}

fn public(key: &PublicKey) {
    let written = key.to_public_key_der().expect("encodes");
    let again = PublicKey::from_public_key_der(written.as_bytes()).expect("our own form");
    assert_eq!(again.to_bytes(), key.to_bytes());
}

/// The bytes as each kind of file.
pub fn run(data: &[u8]) {
    if let Ok(key) = StaticSecret::from_pkcs8_der(data) {
        secret(&key);
    }
    if let Ok(key) = PublicKey::from_public_key_der(data) {
        public(&key);
        let written = key.to_public_key_der().expect("encodes");
        assert_eq!(
            written.as_bytes(),
            data,
            "a second form of a public key file"
        );
    }
    if let Ok(text) = std::str::from_utf8(data) {
        if let Ok(key) = StaticSecret::from_pkcs8_pem(text) {
            secret(&key);
        }
        if let Ok(key) = PublicKey::from_public_key_pem(text) {
            public(&key);
        }
    }
    // Any 32 bytes.
    let array = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).ok();
    agrees(data, false, |bytes| array(bytes).map(PublicKey::from));
    agrees(data, false, |bytes| array(bytes).map(StaticSecret::from));
}

/// One of each.
pub fn seeds() -> Vec<Vec<u8>> {
    let key = StaticSecret::from([7; 32]);
    let public = PublicKey::from(&key);
    vec![
        key.to_pkcs8_der().expect("encodes").as_bytes().to_vec(),
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
            .to_public_key_pem(LineEnding::LF)
            .expect("encodes")
            .into_bytes(),
        public.to_bytes().to_vec(),
        seed(public.as_bytes()),
    ]
}
