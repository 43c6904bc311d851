//! Versions 2 of the schemes and 4 of the curve.

mod curve;
mod ed25519;
mod edges;
mod groups;
mod ristretto;
mod x25519;

use rand_core_06::{CryptoRng, Error, RngCore};

use crate::story::{Sequence, Story};

pub(crate) fn tell(story: &mut Story) {
    curve::tell(story);
    ristretto::tell(story);
    groups::tell(story);
    ed25519::tell(story);
    edges::tell(story);
    x25519::tell(story);
}

/// The generator of the story, by the traits of the time.
impl RngCore for Sequence {
    fn next_u32(&mut self) -> u32 {
        rand_core_06::impls::next_u32_via_fill(self)
    }

    fn next_u64(&mut self) -> u64 {
        rand_core_06::impls::next_u64_via_fill(self)
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            let [next] = self.array();
            *byte = next;
        }
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

impl CryptoRng for Sequence {}
