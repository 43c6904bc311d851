//! Falcon, round 3: the known answers of NIST's submission and of PQClean, the hashes of liboqs, the
//! signatures and samples of falcon.py, and the example of the COSE draft.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;
use crate::stanza::Stanza;

/// A case of a NIST response file.
#[derive(Clone, Debug)]
pub struct KnownAnswer {
    /// The number of the case.
    pub count: u32,
    /// The seed of the deterministic generator (AES-256-CTR DRBG), 48 octets.
    pub seed: [u8; 48],
    /// The message.
    pub msg: Vec<u8>,
    /// The verifying key.
    pub pk: Vec<u8>,
    /// The signing key.
    pub sk: Vec<u8>,
    /// The signed message.
    pub sm: Vec<u8>,
}

/// The hashes of liboqs over known answers: the text of a response file, see the README there.
#[derive(Clone, Debug, Deserialize)]
pub struct KatHashes {
    /// SHA-256 of all 100 cases.
    #[serde(with = "hex::array")]
    pub all: [u8; 32],
    /// SHA-256 of the first case.
    #[serde(with = "hex::array")]
    pub single: [u8; 32],
}

/// A signature by falcon.py, with the random octets that went in.
#[derive(Clone, Debug, Deserialize)]
pub struct PythonSignature {
    /// The logarithm of the degree, 1 to 10.
    pub logn: u32,
    /// The secret polynomials.
    pub f: Vec<i8>,
    /// See `f`.
    pub g: Vec<i8>,
    /// See `f`.
    #[serde(rename = "F")]
    pub big_f: Vec<i8>,
    /// See `f`.
    #[serde(rename = "G")]
    pub big_g: Vec<i8>,
    /// The encoded verifying key.
    #[serde(with = "hex::bytes")]
    pub vk: Vec<u8>,
    /// The nonce, 40 octets.
    #[serde(with = "hex::bytes")]
    pub nonce: Vec<u8>,
    /// The signature's polynomial.
    pub s2: Vec<i16>,
    /// The padded signature.
    #[serde(with = "hex::bytes")]
    pub sig: Vec<u8>,
    /// The nonce, then 56 octets for each attempt.
    #[serde(with = "hex::bytes")]
    pub rng_bytes: Vec<u8>,
    /// How many attempts it took.
    pub attempts: usize,
}

/// A sample by falcon.py.
#[derive(Clone, Debug, Deserialize)]
pub struct PythonSample {
    /// The centre.
    pub mu: f64,
    /// The standard deviation.
    pub sigma: f64,
    /// The smallest standard deviation of the degree.
    pub sigmin: f64,
    /// The random octets; each read of several takes them big-endian.
    #[serde(with = "hex::bytes")]
    pub octets: Vec<u8>,
    /// The sample.
    pub z: i32,
}

/// The COSE_Sign1 message of the draft: an unpadded Falcon-512 signature.
#[derive(Clone, Debug, Deserialize)]
pub struct FalconSign1 {
    /// The octets that are signed.
    #[serde(with = "hex::bytes")]
    pub sig_structure: Vec<u8>,
    /// The verifying key.
    #[serde(with = "hex::bytes")]
    pub vk: Vec<u8>,
    /// The signature.
    #[serde(with = "hex::bytes")]
    pub sig: Vec<u8>,
    /// The whole message.
    #[serde(with = "hex::bytes")]
    pub cose_sign1: Vec<u8>,
}

fn known_answers(text: &str) -> Vec<KnownAnswer> {
    Stanza::parse(text)
        .into_iter()
        .map(|case| {
            let known = KnownAnswer {
                count: case.text("count").parse().expect("a number"),
                seed: hex::decode_array(case.text("seed")),
                msg: case.octets("msg"),
                pk: case.octets("pk"),
                sk: case.octets("sk"),
                sm: case.octets("sm"),
            };
            assert_eq!(case.text("mlen"), known.msg.len().to_string());
            assert_eq!(case.text("smlen"), known.sm.len().to_string());
            known
        })
        .collect()
}

impl Outside {
    /// `falcon512-KAT.00-49.rsp.gz` and `….50-99.rsp.gz`, or `falcon1024-…`: the submission's cases.
    pub fn falcon_known_answers(&self, degree: u32) -> Vec<KnownAnswer> {
        ["00-49", "50-99"]
            .iter()
            .flat_map(|part| {
                let name = format!("falcon-round3/falcon{degree}-KAT.{part}.rsp.gz");
                known_answers(&self.gunzip(&name))
            })
            .collect()
    }

    /// `nistkat_out_falcon-512_clean`, `…-padded-512_clean` and so on: one case each.
    pub fn pqclean_falcon(&self, name: &str) -> KnownAnswer {
        let mut cases = known_answers(&self.text(&format!("pqclean/nistkat_out_{name}_clean")));
        assert_eq!(cases.len(), 1);
        cases.remove(0)
    }

    /// `sig_kats.json`, the entries whose names begin with `Falcon`.
    pub fn liboqs_falcon(&self) -> BTreeMap<String, KatHashes> {
        let all: BTreeMap<String, serde_json::Value> = self.json("liboqs/sig_kats.json");
        all.into_iter()
            .filter(|(name, _)| name.starts_with("Falcon"))
            .map(|(name, value)| (name, serde_json::from_value(value).expect("two hashes")))
            .collect()
    }

    /// `sign_KAT.shared.json.gz`. The message is `data1`.
    pub fn falcon_py_signatures(&self) -> Vec<PythonSignature> {
        #[derive(Deserialize)]
        struct File {
            vectors: Vec<PythonSignature>,
        }
        let file: File = serde_json::from_str(&self.gunzip("falcon.py/sign_KAT.shared.json.gz"))
            .expect("falcon.py/sign_KAT.shared.json.gz");
        file.vectors
    }

    /// `samplerz_KAT512.json.gz`.
    pub fn falcon_py_samples(&self) -> Vec<PythonSample> {
        #[derive(Deserialize)]
        struct File {
            vectors: Vec<PythonSample>,
        }
        let file: File = serde_json::from_str(&self.gunzip("falcon.py/samplerz_KAT512.json.gz"))
            .expect("falcon.py/samplerz_KAT512.json.gz");
        file.vectors
    }

    /// `falcon512-cose-sign1.json`.
    pub fn cose_falcon(&self) -> FalconSign1 {
        let example: FalconSign1 = self.json("cose/falcon512-cose-sign1.json");
        assert!(example.cose_sign1.ends_with(&example.sig));
        example
    }
}
