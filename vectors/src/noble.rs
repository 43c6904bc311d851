//! noble-curves' copy of the small-order set of ZIP 215: every pair of
//! small-order encodings as key and R, with S = 0.

use serde::Deserialize;

use crate::hex;
use crate::outside::Outside;

/// The file, as noble-curves publishes it.
pub const ZIP215: &str = "noble/zip215.json";

/// The message of every case.
pub const ZIP215_MESSAGE: &[u8] = b"Zcash";

/// A signature over [`ZIP215_MESSAGE`].
#[derive(Clone, Debug, Deserialize)]
pub struct Zip215Case {
    /// The public key.
    #[serde(rename = "vk_bytes", with = "hex::array")]
    pub key: [u8; 32],
    /// The signature.
    #[serde(rename = "sig_bytes", with = "hex::array")]
    pub signature: [u8; 64],
    /// Whether libsodium 1.0.15 accepted, by Zcash's rule before ZIP 215.
    pub valid_legacy: bool,
    /// Whether ZIP 215 accepts.
    pub valid_zip215: bool,
}

impl Outside {
    /// The 196 pairs.
    pub fn zip215(&self) -> Vec<Zip215Case> {
        self.json(ZIP215)
    }
}
