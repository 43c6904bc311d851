//! COSE: the working group's EdDSA example, a COSE_Sign1 message (RFC 9052
//! section 4.2).

use ciborium::Value;
use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// A COSE_Sign1 message and its key.
#[derive(Clone, Debug)]
pub struct Sign1 {
    /// The public key.
    pub x: [u8; 32],
    /// The seed.
    pub d: [u8; 32],
    /// The octets that are signed: the Sig_structure of RFC 9052 section 4.4,
    /// built from the message.
    pub to_be_signed: Vec<u8>,
    /// The signature in the message.
    pub signature: [u8; 64],
}

impl Outside {
    /// `eddsa-sig-01.json`.
    pub fn cose_eddsa(&self) -> Sign1 {
        #[derive(Deserialize)]
        struct Key {
            #[serde(with = "hex::array")]
            x_hex: [u8; 32],
            #[serde(with = "hex::array")]
            d_hex: [u8; 32],
        }
        #[derive(Deserialize)]
        struct Sign0 {
            key: Key,
        }
        #[derive(Deserialize)]
        struct Input {
            plaintext: String,
            sign0: Sign0,
        }
        #[derive(Deserialize)]
        struct Intermediates {
            #[serde(rename = "ToBeSign_hex", with = "hex::bytes")]
            to_be_signed: Vec<u8>,
        }
        #[derive(Deserialize)]
        struct Output {
            #[serde(with = "hex::bytes")]
            cbor: Vec<u8>,
        }
        #[derive(Deserialize)]
        struct File {
            input: Input,
            intermediates: Intermediates,
            output: Output,
        }
        let file: File = self.json("cose/eddsa-sig-01.json");

        let message: Value = ciborium::from_reader(file.output.cbor.as_slice()).expect("CBOR");
        let Value::Tag(18, body) = message else {
            panic!("not a COSE_Sign1 message")
        };
        let parts = body.into_array().expect("an array");
        let [protected, _unprotected, payload, signature] =
            <[Value; 4]>::try_from(parts).expect("four parts");
        assert_eq!(
            payload.as_bytes().expect("a payload"),
            file.input.plaintext.as_bytes()
        );

        let structure = Value::Array(vec![
            Value::Text("Signature1".to_owned()),
            protected,
            Value::Bytes(Vec::new()),
            payload,
        ]);
        let mut to_be_signed = Vec::new();
        ciborium::into_writer(&structure, &mut to_be_signed).expect("CBOR");
        assert_eq!(to_be_signed, file.intermediates.to_be_signed);

        Sign1 {
            x: file.input.sign0.key.x_hex,
            d: file.input.sign0.key.d_hex,
            to_be_signed,
            signature: signature
                .into_bytes()
                .expect("a signature")
                .try_into()
                .expect("a signature of 64 octets"),
        }
    }
}
