//! Go's copies: `sign.input` (a part of the list in D. J. Bernstein's package
//! for Ed25519) and the X25519 values of golang.org/x/crypto.

use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;
use crate::rfc::X25519Value;

/// The file of signatures, as Go publishes it.
pub const SIGN_INPUT: &str = "golang/sign.input.gz";

/// A line of `sign.input`.
#[derive(Clone, Debug)]
pub struct SignInput {
    /// The seed.
    pub seed: [u8; 32],
    /// The public key.
    pub public_key: [u8; 32],
    /// The message.
    pub message: Vec<u8>,
    /// The signature.
    pub signature: [u8; 64],
}

/// X25519 values, and points that an exchange must refuse.
#[derive(Clone, Debug, Deserialize)]
pub struct XCrypto {
    /// Single multiplications.
    pub vectors: Vec<X25519Value>,
    /// u coordinates of low order, in hexadecimal digits.
    pub low_order_points_must_error: Vec<String>,
}

impl Outside {
    /// `sign.input`.
    pub fn golang_sign_input(&self) -> Vec<SignInput> {
        let parse = |line: &str| {
            let fields: Vec<Vec<u8>> = line.split(':').take(4).map(hex::decode).collect();
            let [pair, public_key, message, signed] = fields
                .try_into()
                .expect("four fields in a line of sign.input");
            let public_key: [u8; 32] = public_key.try_into().expect("a public key");
            assert_eq!(
                pair[32..],
                public_key,
                "the first field is seed || public key"
            );
            assert_eq!(
                signed[64..],
                message[..],
                "the last field is signature || message"
            );
            SignInput {
                seed: pair[..32].try_into().expect("a seed"),
                public_key,
                message,
                signature: signed[..64].try_into().expect("a signature"),
            }
        };
        self.gunzip(SIGN_INPUT).lines().map(parse).collect()
    }

    /// golang.org/x/crypto's X25519 values.
    pub fn golang_x25519(&self) -> XCrypto {
        self.json("golang/x25519_xcrypto.json")
    }
}
