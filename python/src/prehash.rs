//! A hash that is known, in the place of a hash function that has absorbed a message.

use digest::consts::U64;
use digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update};

/// The 64 bytes of SHA-512 of a message.
pub(crate) struct Prehash(pub(crate) [u8; 64]);

impl FixedOutput for Prehash {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&self.0);
    }
}

impl OutputSizeUser for Prehash {
    type OutputSize = U64;
}

impl HashMarker for Prehash {}

// What the trait of hash functions asks for, and Ed25519ph does not: it takes the hash out, and puts nothing in.

impl Default for Prehash {
    fn default() -> Self {
        unreachable!("made of a hash alone")
    }
}

impl Update for Prehash {
    fn update(&mut self, _: &[u8]) {
        unreachable!("it has absorbed the message")
    }
}
