//! NIST ACVP: key generation, key checks, signatures (Ed25519 and Ed25519ph
//! with contexts) and X25519.

use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// A secret key and its public key.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyPair {
    /// The number of the case.
    pub tc_id: u32,
    /// The secret: a seed for Ed25519, a scalar for X25519.
    #[serde(alias = "privateKey", with = "hex::array")]
    pub d: [u8; 32],
    /// The public key.
    #[serde(alias = "publicKey", with = "hex::array")]
    pub q: [u8; 32],
}

/// A public key to check; it may have any length.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyCheck {
    /// The number of the case.
    pub tc_id: u32,
    /// The public key.
    #[serde(alias = "publicKey", with = "hex::bytes")]
    pub q: Vec<u8>,
    /// Whether the key is valid.
    pub test_passed: bool,
    /// What was done to the key.
    pub reason: String,
}

/// A signature.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The number of the case.
    pub tc_id: u32,
    /// Whether this is Ed25519ph; else Ed25519.
    pub prehash: bool,
    /// The seed.
    pub d: [u8; 32],
    /// The public key.
    pub q: [u8; 32],
    /// The message, not hashed.
    pub message: Vec<u8>,
    /// The context of Ed25519ph.
    pub context: Vec<u8>,
    /// The signature.
    pub signature: [u8; 64],
    /// Whether it is valid.
    pub valid: bool,
}

/// An X25519 exchange between two key pairs.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// The number of the case.
    pub tc_id: u32,
    /// The server's secret.
    #[serde(with = "hex::array")]
    pub private_server: [u8; 32],
    /// The server's public key.
    #[serde(with = "hex::array")]
    pub public_server: [u8; 32],
    /// The other side's secret.
    #[serde(with = "hex::array")]
    pub private_iut: [u8; 32],
    /// The other side's public key.
    #[serde(with = "hex::array")]
    pub public_iut: [u8; 32],
    /// The shared secret.
    #[serde(with = "hex::array")]
    pub z: [u8; 32],
    /// Whether z is right.
    pub test_passed: bool,
}

/// All groups of the file.
#[derive(Clone, Debug)]
pub struct Acvp {
    /// Ed25519 key generation.
    pub eddsa_keygen: Vec<KeyPair>,
    /// Ed25519 public keys.
    pub eddsa_keyver: Vec<KeyCheck>,
    /// Deterministic signatures.
    pub eddsa_siggen: Vec<Signature>,
    /// Signatures, good and spoiled.
    pub eddsa_sigver: Vec<Signature>,
    /// X25519 exchanges.
    pub x25519_exchange: Vec<Exchange>,
    /// X25519 key generation.
    pub x25519_keygen: Vec<KeyPair>,
    /// X25519 public keys.
    pub x25519_keyver: Vec<KeyCheck>,
}

#[derive(Deserialize)]
struct Group<T> {
    tests: Vec<T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignatureGroup {
    pre_hash: bool,
    d: Option<String>,
    q: Option<String>,
    tests: Vec<SignatureTest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignatureTest {
    tc_id: u32,
    d: Option<String>,
    q: Option<String>,
    #[serde(with = "hex::bytes")]
    message: Vec<u8>,
    #[serde(with = "hex::bytes", default)]
    context: Vec<u8>,
    #[serde(with = "hex::array")]
    signature: [u8; 64],
    #[serde(default = "yes")]
    test_passed: bool,
}

fn yes() -> bool {
    true
}

fn flatten<T>(groups: Vec<Group<T>>) -> Vec<T> {
    groups.into_iter().flat_map(|group| group.tests).collect()
}

fn signatures(groups: Vec<SignatureGroup>) -> Vec<Signature> {
    let mut out = Vec::new();
    for group in groups {
        // The key stands with the group or with the test.
        for test in group.tests {
            let d = test.d.as_ref().or(group.d.as_ref()).expect("a secret key");
            let q = test.q.as_ref().or(group.q.as_ref()).expect("a public key");
            out.push(Signature {
                tc_id: test.tc_id,
                prehash: group.pre_hash,
                d: hex::decode_array(d),
                q: hex::decode_array(q),
                message: test.message,
                context: test.context,
                signature: test.signature,
                valid: test.test_passed,
            });
        }
    }
    out
}

impl Outside {
    /// `acvp_25519_shared.json`.
    pub fn acvp(&self) -> Acvp {
        #[derive(Deserialize)]
        struct File {
            #[serde(rename = "EDDSA-KeyGen-1.0")]
            eddsa_keygen: Vec<Group<KeyPair>>,
            #[serde(rename = "EDDSA-KeyVer-1.0")]
            eddsa_keyver: Vec<Group<KeyCheck>>,
            #[serde(rename = "EDDSA-SigGen-1.0")]
            eddsa_siggen: Vec<SignatureGroup>,
            #[serde(rename = "EDDSA-SigVer-1.0")]
            eddsa_sigver: Vec<SignatureGroup>,
            #[serde(rename = "XECDH-SSC-RFC7748")]
            x25519_exchange: Vec<Group<Exchange>>,
            #[serde(rename = "XECDH-keyGen-RFC7748")]
            x25519_keygen: Vec<Group<KeyPair>>,
            #[serde(rename = "XECDH-keyVer-RFC7748")]
            x25519_keyver: Vec<Group<KeyCheck>>,
        }
        let file: File = self.json("acvp/acvp_25519_shared.json");
        Acvp {
            eddsa_keygen: flatten(file.eddsa_keygen),
            eddsa_keyver: flatten(file.eddsa_keyver),
            eddsa_siggen: signatures(file.eddsa_siggen),
            eddsa_sigver: signatures(file.eddsa_sigver),
            x25519_exchange: flatten(file.x25519_exchange),
            x25519_keygen: flatten(file.x25519_keygen),
            x25519_keyver: flatten(file.x25519_keyver),
        }
    }
}
