//! ring's test files for Ed25519.

use crate::outside::Outside;
use crate::stanza::Stanza;

/// The file of signatures, as ring publishes it.
pub const VERIFY: &str = "ring/ed25519_verify_tests.txt";

/// A PKCS#8 key and what ring says of it.
#[derive(Clone, Debug)]
pub struct Pkcs8Case {
    /// The line of the case in its file.
    pub line: usize,
    /// The DER.
    pub der: Vec<u8>,
    /// Whether ring takes it where version 1 without a public key is allowed.
    pub accepted: bool,
    /// Whether ring takes it where the public key must be there.
    pub accepted_checked: bool,
    /// The public key, where one of the two takes it.
    pub public_key: Option<[u8; 32]>,
}

/// A signature to verify.
#[derive(Clone, Debug)]
pub struct VerifyCase {
    /// The line of the case in its file.
    pub line: usize,
    /// The message.
    pub message: Vec<u8>,
    /// The public key.
    pub key: [u8; 32],
    /// The signature.
    pub signature: [u8; 64],
    /// Whether it is valid.
    pub valid: bool,
}

impl Outside {
    /// `ed25519_from_pkcs8_tests.txt`.
    pub fn ring_pkcs8(&self) -> Vec<Pkcs8Case> {
        let convert = |stanza: Stanza| Pkcs8Case {
            line: stanza.line,
            der: stanza.octets("Input"),
            accepted: stanza.text("Result-Maybe-Unchecked") == "OK",
            accepted_checked: stanza.text("Result-Checked") == "OK",
            public_key: stanza
                .get("Public")
                .map(|_| stanza.octets("Public").try_into().expect("a public key")),
        };
        Stanza::parse(&self.text("ring/ed25519_from_pkcs8_tests.txt"))
            .into_iter()
            .map(convert)
            .collect()
    }

    /// `ed25519_verify_tests.txt`.
    pub fn ring_verify(&self) -> Vec<VerifyCase> {
        let convert = |stanza: Stanza| VerifyCase {
            line: stanza.line,
            message: stanza.octets("MESSAGE"),
            key: stanza.octets("PUB").try_into().expect("a public key"),
            signature: stanza.octets("SIG").try_into().expect("a signature"),
            valid: match stanza.text("Result") {
                "P" => true,
                "F" => false,
                other => panic!("neither P nor F: {other}"),
            },
        };
        Stanza::parse(&self.text(VERIFY))
            .into_iter()
            .map(convert)
            .collect()
    }
}
