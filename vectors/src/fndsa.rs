//! The crates fn-dsa: keys and signatures of 0.3.0 and 0.4.0 from known randomness, and hashes of many
//! keys.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// What both versions give.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// The logarithm of the degree.
    pub logn: u32,
    /// The number of the case.
    pub j: u32,
    /// The context.
    #[serde(with = "hex::bytes")]
    pub ctx: Vec<u8>,
    /// The message.
    #[serde(with = "hex::bytes")]
    pub msg: Vec<u8>,
    /// The name of the hash function before signing, if there is one.
    pub prehash: Option<String>,
    /// Its identifier.
    #[serde(with = "hex::bytes")]
    pub hash_id: Vec<u8>,
    /// What is signed: the message or its hash.
    #[serde(with = "hex::bytes")]
    pub hv: Vec<u8>,
    /// The signing key.
    #[serde(with = "hex::bytes")]
    pub sk: Vec<u8>,
    /// The verifying key.
    #[serde(with = "hex::bytes")]
    pub vk: Vec<u8>,
    /// The signature.
    #[serde(with = "hex::bytes")]
    pub sig: Vec<u8>,
    /// SHA3-256 of the three.
    #[serde(rename = "sha3_256_sk_vk_sig", with = "hex::array")]
    pub sha3_256: [u8; 32],
    /// What went in.
    #[serde(flatten)]
    pub random: Random,
}

/// The randomness of a case.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Random {
    /// Version 0.3.0.
    V3 {
        /// Key generation takes its 32 octets from SHAKE256 of this.
        #[serde(with = "hex::bytes")]
        keygen_rng_seed: Vec<u8>,
        /// All random octets that signing takes.
        #[serde(with = "hex::bytes")]
        sign_random_bytes: Vec<u8>,
    },
    /// Version 0.4.0.
    V4 {
        /// The seed of the key pair.
        #[serde(with = "hex::array")]
        seed_kgen: [u8; 32],
        /// All random octets that signing takes.
        #[serde(with = "hex::bytes")]
        seed_sign: Vec<u8>,
    },
}

/// Signatures over a message representative mu from outside: one to verify, and one to make.
#[derive(Clone, Debug, Deserialize)]
pub struct ExternalMu {
    /// The verifying key.
    #[serde(with = "hex::bytes")]
    pub vk: Vec<u8>,
    /// mu.
    #[serde(with = "hex::bytes")]
    pub mu: Vec<u8>,
    /// The signature.
    #[serde(with = "hex::bytes")]
    pub sig: Vec<u8>,
    /// The signing key of the second one.
    #[serde(with = "hex::bytes")]
    pub sign_sk: Vec<u8>,
    /// Its verifying key.
    #[serde(with = "hex::bytes")]
    pub sign_vk: Vec<u8>,
    /// Its mu.
    #[serde(with = "hex::bytes")]
    pub sign_mu: Vec<u8>,
    /// The 40 random octets of the caller.
    #[serde(with = "hex::bytes")]
    pub sign_sign_seed: Vec<u8>,
    /// What is derived from them.
    #[serde(with = "hex::bytes")]
    pub sign_sign_seed_derived: Vec<u8>,
    /// The signature that comes out.
    #[serde(with = "hex::bytes")]
    pub sign_sig: Vec<u8>,
}

/// SHA-256 of f, g, F and G from the seeds `test0`, `test1`, …, by logn.
pub type KeygenHashes = BTreeMap<u32, Vec<[u8; 32]>>;

impl Outside {
    fn fndsa_cases(&self, file: &str) -> Vec<Case> {
        #[derive(Deserialize)]
        struct File {
            vectors: Vec<Case>,
        }
        self.json::<File>(file).vectors
    }

    /// `pornin-fn-dsa-0.3.0-kat.j0-4.json`.
    pub fn fndsa_0_3(&self) -> Vec<Case> {
        self.fndsa_cases("fndsa/pornin-fn-dsa-0.3.0-kat.j0-4.json")
    }

    /// `pornin-fn-dsa-0.4.0-kat.j0-4.json`.
    pub fn fndsa_0_4(&self) -> Vec<Case> {
        self.fndsa_cases("fndsa/pornin-fn-dsa-0.4.0-kat.j0-4.json")
    }

    /// `pornin-fn-dsa-0.4.0-extmu-512.json`.
    pub fn fndsa_external_mu(&self) -> Vec<ExternalMu> {
        #[derive(Deserialize)]
        struct File {
            vectors: Vec<ExternalMu>,
        }
        self.json::<File>("fndsa/pornin-fn-dsa-0.4.0-extmu-512.json")
            .vectors
    }

    /// `pornin-keygen-hashes.i0-49.json`: the sets of 0.3.0 and of 0.4.0.
    pub fn fndsa_keygen_hashes(&self) -> (KeygenHashes, KeygenHashes) {
        #[derive(Deserialize)]
        struct File {
            sets: BTreeMap<String, BTreeMap<String, Vec<String>>>,
        }
        let file: File = self.json("fndsa/pornin-keygen-hashes.i0-49.json");
        let set = |prefix: &str| {
            let mut found = file
                .sets
                .iter()
                .filter(|(name, _)| name.starts_with(prefix));
            let (_, set) = found.next().expect("a set");
            assert!(found.next().is_none());
            set.iter()
                .map(|(logn, hashes)| {
                    let logn = logn.strip_prefix("logn").expect("logn…");
                    let hashes = hashes.iter().map(|hash| hex::decode_array(hash)).collect();
                    (logn.parse().expect("a number"), hashes)
                })
                .collect()
        };
        (set("fn-dsa-0.3.0"), set("fn-dsa-0.4.0"))
    }
}
