//! Collecting results, and a generator that is the same every time.

use std::convert::Infallible;
use std::fmt::Debug;

use ed25519_dalek::rand_core::{TryCryptoRng, TryRng};

/// Results as lines of text.
#[derive(Default)]
pub(crate) struct Story(Vec<String>);

impl Story {
    /// Bytes, in hexadecimal.
    pub(crate) fn bytes(&mut self, what: &str, bytes: impl AsRef<[u8]>) {
        let hex: String = bytes
            .as_ref()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.0.push(format!("{what}: {hex}"));
    }

    /// Anything else.
    pub(crate) fn value(&mut self, what: &str, value: impl Debug) {
        self.0.push(format!("{what}: {value:?}"));
    }

    pub(crate) fn into_lines(self) -> Vec<String> {
        self.0
    }
}

/// Not random at all: a multiplicative sequence (Knuth's MMIX constants), the same for all.
pub(crate) struct Sequence(pub(crate) u64);

impl TryRng for Sequence {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        Ok(self.0 ^ self.0 >> 29)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = (self.try_next_u64()? >> 56) as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for Sequence {}

impl Sequence {
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        let Ok(()) = self.try_fill_bytes(&mut bytes);
        bytes
    }
}
