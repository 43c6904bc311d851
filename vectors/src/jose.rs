//! JOSE: the examples of RFC 8037 appendix A.

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// A JSON Web Key of type OKP, with its octets decoded.
#[derive(Clone, Debug)]
pub struct Jwk {
    /// The curve: `Ed25519` or `X25519`.
    pub curve: String,
    /// The public key.
    pub x: [u8; 32],
    /// The secret key, where there is one.
    pub d: Option<[u8; 32]>,
}

/// The examples of RFC 8037 appendix A.
#[derive(Clone, Debug)]
pub struct Rfc8037 {
    /// A.1: the private key.
    pub private_key: Jwk,
    /// A.2: the public key.
    pub public_key: Jwk,
    /// A.4: the signing input, `header.payload`.
    pub signing_input: Vec<u8>,
    /// A.4: the signature.
    pub signature: [u8; 64],
    /// A.6: the ephemeral public key.
    pub ephemeral: Jwk,
    /// A.6: the ephemeral secret.
    pub ephemeral_secret: [u8; 32],
    /// A.6: the peer's public key.
    pub peer: Jwk,
    /// A.6: the shared secret.
    pub z: [u8; 32],
}

#[derive(Deserialize)]
struct RawJwk {
    kty: String,
    crv: String,
    x: String,
    d: Option<String>,
}

/// base64url without padding (RFC 7515 section 2) to a fixed number of octets.
fn decode<const N: usize>(text: &str) -> [u8; N] {
    let octets = Base64UrlUnpadded::decode_vec(text).expect("base64url");
    octets
        .try_into()
        .unwrap_or_else(|_| panic!("not {N} octets: {text}"))
}

impl RawJwk {
    fn decode(self) -> Jwk {
        assert_eq!(self.kty, "OKP");
        Jwk {
            curve: self.crv,
            x: decode(&self.x),
            d: self.d.as_deref().map(decode),
        }
    }
}

impl Outside {
    /// `rfc8037.json`.
    pub fn jose(&self) -> Rfc8037 {
        #[derive(Deserialize)]
        struct A6 {
            epk_jwk: RawJwk,
            peer_jwk: RawJwk,
            #[serde(with = "hex::array")]
            z_hex: [u8; 32],
            #[serde(with = "hex::array")]
            ephemeral_private_hex: [u8; 32],
        }
        #[derive(Deserialize)]
        #[allow(non_snake_case)]
        struct File {
            A1_private_jwk: RawJwk,
            A2_public_jwk: RawJwk,
            A4_payload: String,
            A4_jws_compact: String,
            A6_x25519: A6,
        }
        let file: File = self.json("jose/rfc8037.json");
        let (signing_input, signature) =
            file.A4_jws_compact.rsplit_once('.').expect("a compact JWS");
        let (_, payload) = signing_input.split_once('.').expect("header.payload");
        assert_eq!(
            Base64UrlUnpadded::decode_vec(payload).expect("base64url"),
            file.A4_payload.as_bytes()
        );
        Rfc8037 {
            private_key: file.A1_private_jwk.decode(),
            public_key: file.A2_public_jwk.decode(),
            signing_input: signing_input.as_bytes().to_vec(),
            signature: decode(signature),
            ephemeral: file.A6_x25519.epk_jwk.decode(),
            ephemeral_secret: file.A6_x25519.ephemeral_private_hex,
            peer: file.A6_x25519.peer_jwk.decode(),
            z: file.A6_x25519.z_hex,
        }
    }
}
