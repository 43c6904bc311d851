//! jsonwebtoken: a token by EdDSA, verified and read.

mod clock;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde_json::{Value, json};

fn main() {
    let key = SigningKey::from_bytes(&[7; 32]);
    let file = key.to_pkcs8_der().expect("encodes");
    let signing = EncodingKey::from_ed_der(file.as_bytes());
    let verifying = DecodingKey::from_ed_der(key.verifying_key().as_bytes());
    let claims = json!({ "sub": "falcon", "exp": 4_000_000_000_u64 });
    let token = encode(&Header::new(Algorithm::EdDSA), &claims, &signing).expect("signs");
    let rules = Validation::new(Algorithm::EdDSA);
    clock::time(|| {
        let read = decode::<Value>(&token, &verifying, &rules).expect("valid");
        assert_eq!(read.claims, claims);
    });
}
