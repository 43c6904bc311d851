//! CCTV (C2SP's community vectors): Ed25519 with low-order, mixed-order and
//! non-canonical points, and the verdict of each policy.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// The name of Lanner's profile for a policy of the CCTV and speccheck files.
///
/// # Panics
/// On a policy that no profile reproduces.
pub fn profile_of_policy(policy: &str) -> &'static str {
    match policy {
        "rfc8032_cofactored" => "rfc8032",
        "rfc8032_cofactorless" => "rfc8032-cofactorless",
        "go_openssl" => "dalek",
        "dalek_strict" => "strict",
        "zip215" => "zip215",
        "libsodium" => "libsodium",
        other => panic!("no profile for the policy {other}"),
    }
}

/// A signature and who accepts it.
#[derive(Clone, Debug, Deserialize)]
pub struct CctvCase {
    /// The number of the case.
    pub number: u32,
    /// The public key.
    #[serde(with = "hex::array")]
    pub key: [u8; 32],
    /// The signature.
    #[serde(with = "hex::array")]
    pub sig: [u8; 64],
    /// The message, as text.
    pub msg: String,
    /// What is special about the case.
    pub flags: Vec<String>,
    /// Verdict by policy.
    pub accept: BTreeMap<String, bool>,
}

impl Outside {
    /// The cases of CCTV.
    pub fn cctv(&self) -> Vec<CctvCase> {
        #[derive(Deserialize)]
        struct File {
            vectors: Vec<CctvCase>,
        }
        self.json::<File>("cctv/ed25519/ed25519vectors.shared.json")
            .vectors
    }
}
