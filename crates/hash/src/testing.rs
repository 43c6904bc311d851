//! What the tests share: random bytes with a fixed seed.

use std::string::String;
use std::vec::Vec;
use std::{env, format};

/// SplitMix64: every word from a counter, so that any seed is as good as any other.
pub(crate) struct Random(u64);

impl Random {
    /// From the number in `LANNER_TEST_SEED`, else from a fixed one.
    pub(crate) fn new() -> Self {
        let seed = env::var("LANNER_TEST_SEED").map_or(1, |text| {
            text.parse().expect("LANNER_TEST_SEED is a number")
        });
        Self(seed)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.word() as u8).collect()
    }

    /// The message cut into parts at random places, some of them empty.
    pub(crate) fn cut<'a>(&mut self, mut message: &'a [u8]) -> Vec<&'a [u8]> {
        let mut parts = Vec::new();
        while self.below(4) > 0 {
            let (part, rest) = message.split_at(self.below(message.len() + 1));
            parts.push(part);
            message = rest;
        }
        parts.push(message);
        parts
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
