//! Octets that look random and are the same in every run.

use num_bigint::BigUint;
use sha2::{Digest, Sha512};

use crate::model::field::{self, L};

/// SHA-512 of a label and a counter, block after block.
pub(super) struct Stream {
    label: String,
    counter: u64,
}

impl Stream {
    /// A stream of its own for each label.
    pub(super) fn new(label: &str) -> Self {
        Self {
            label: format!("lanner test vectors: {label}"),
            counter: 0,
        }
    }

    fn block(&mut self) -> [u8; 64] {
        let digest = Sha512::new()
            .chain_update(&self.label)
            .chain_update(self.counter.to_le_bytes())
            .finalize();
        self.counter += 1;
        digest.into()
    }

    /// Any number of octets.
    pub(super) fn octets(&mut self, length: usize) -> Vec<u8> {
        let mut out = Vec::new();
        while out.len() < length {
            out.extend(self.block());
        }
        out.truncate(length);
        out
    }

    /// 32 octets.
    pub(super) fn array(&mut self) -> [u8; 32] {
        self.octets(32).try_into().expect("32 octets")
    }

    /// A scalar mod L.
    pub(super) fn scalar(&mut self) -> BigUint {
        field::from_bytes(&self.block()) % &*L
    }
}
