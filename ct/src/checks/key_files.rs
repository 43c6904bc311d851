//! Key files of secret keys, in DER and PEM, read and written.
//!
//! What is secret in a file is the key; its frame, and where the key lies, is public.

use lanner_ed25519::SigningKey;
use lanner_fn_dsa::{SigningKey512, SigningKey1024, falcon};
use lanner_x25519::StaticSecret;
use lanner_x25519::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};

use super::Check;
use crate::output::Output;

/// Those of the curve.
pub(super) const CURVE: &[Check] = &[
    ("ed25519-read-der", |s| {
        let key = SigningKey::from_pkcs8_der(s.files.ed25519_der.bytes()).expect("a key file");
        key.to_bytes().into()
    }),
    ("ed25519-read-der-v2", |s| {
        let key = SigningKey::from_pkcs8_der(s.files.ed25519_der_v2.bytes()).expect("a key file");
        key.to_bytes().into()
    }),
    ("ed25519-read-pem", |s| {
        let key = SigningKey::from_pkcs8_pem(s.files.ed25519_pem.text()).expect("a key file");
        key.to_bytes().into()
    }),
    ("ed25519-write-der", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let der = key.to_pkcs8_der().expect("a key is written");
        let mut out = Output::from(der.as_bytes());
        let der = key.to_pkcs8_v2_der().expect("a key is written");
        out.extend(der.as_bytes());
        out
    }),
    ("ed25519-write-pem", |s| {
        let key = SigningKey::from_bytes(&s.seed);
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("a key is written");
        let mut out = Output::from(pem.as_bytes());
        let pem = key
            .to_pkcs8_v2_pem(LineEnding::LF)
            .expect("a key is written");
        out.extend(pem.as_bytes());
        out
    }),
    ("x25519-read-der", |s| {
        let key = StaticSecret::from_pkcs8_der(s.files.x25519_der.bytes()).expect("a key file");
        key.to_bytes().into()
    }),
    ("x25519-read-pem", |s| {
        let key = StaticSecret::from_pkcs8_pem(s.files.x25519_pem.text()).expect("a key file");
        key.to_bytes().into()
    }),
    ("x25519-write-der", |s| {
        let der = StaticSecret::from(s.seed).to_pkcs8_der();
        Output::from(der.expect("a key is written").as_bytes())
    }),
    ("x25519-write-pem", |s| {
        let pem = StaticSecret::from(s.seed).to_pkcs8_pem(LineEnding::LF);
        Output::from(pem.expect("a key is written").as_bytes())
    }),
];

/// Those of Falcon, which FN-DSA uses too.
pub(super) const FN_DSA: &[Check] = &[
    ("fn-dsa-read-der", |s| {
        let key = SigningKey512::from_pkcs8_der(s.files.fn_dsa_der.bytes()).expect("a key file");
        secret_512(&key)
    }),
    ("fn-dsa-read-pem", |s| {
        let key = SigningKey512::from_pkcs8_pem(s.files.fn_dsa_pem.text()).expect("a key file");
        secret_512(&key)
    }),
    ("falcon-read-der", |s| {
        let key = falcon::SigningKey512::from_pkcs8_der(s.files.falcon_der.bytes());
        let mut out = Output::default();
        out.write(1281, |bytes| {
            key.expect("a key file")
                .write_bytes(bytes)
                .expect("its size");
        });
        out
    }),
    ("falcon-write-der", |s| {
        let key = falcon::SigningKey512::from_bytes(&s.fn_dsa.main_512).expect("a key");
        let der = key.to_pkcs8_der().expect("a key is written");
        Output::from(der.as_bytes())
    }),
    ("fn-dsa-write-der", |s| {
        let key = SigningKey1024::from_bytes(&s.fn_dsa.main_1024).expect("a key");
        let der = key.to_pkcs8_der().expect("a key is written");
        Output::from(der.as_bytes())
    }),
    ("fn-dsa-write-pem", |s| {
        let key = SigningKey512::from_bytes(&s.fn_dsa.main_512).expect("a key");
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("a key is written");
        Output::from(pem.as_bytes())
    }),
];

fn secret_512(key: &SigningKey512) -> Output {
    let mut out = Output::default();
    out.write(1281, |bytes| key.write_bytes(bytes).expect("its size"));
    out
}
