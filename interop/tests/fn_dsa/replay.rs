//! What the comparisons share.

use std::convert::Infallible;

use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};

/// A generator whose bytes are a function of its seed, whatever pieces they are drawn in: for our crate by
/// the traits of rand_core 0.10, for the others by those of 0.6.
#[derive(Clone)]
pub(crate) struct Replay(fastrand::Rng);

impl Replay {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub(crate) fn fill(&mut self, output: &mut [u8]) {
        for byte in output {
            *byte = self.0.u8(..);
        }
    }
}

impl TryRng for Replay {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("bytes alone are asked for")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("bytes alone are asked for")
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Infallible> {
        self.fill(output);
        Ok(())
    }
}

impl TryCryptoRng for Replay {}

impl fn_dsa::RngCore for Replay {
    fn next_u32(&mut self) -> u32 {
        unreachable!("bytes alone are asked for")
    }

    fn next_u64(&mut self) -> u64 {
        unreachable!("bytes alone are asked for")
    }

    fn fill_bytes(&mut self, output: &mut [u8]) {
        self.fill(output);
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), fn_dsa::RngError> {
        self.fill(output);
        Ok(())
    }
}

impl fn_dsa::CryptoRng for Replay {}

/// Random bytes, of a random length up to `most`.
pub(crate) fn some_bytes(rng: &mut fastrand::Rng, most: usize) -> Vec<u8> {
    let length = rng.usize(..=most);
    lanner_interop::bytes(rng, length)
}

/// The same bytes, with something wrong: one bit, one byte, or the end.
pub(crate) fn spoiled(rng: &mut fastrand::Rng, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = rng.usize(..bytes.len());
    match rng.u8(..4) {
        0 => bytes[at] ^= 1 << rng.u8(..8),
        1 => bytes[at] = bytes[at].wrapping_add(rng.u8(1..)),
        2 => {
            let last = bytes.len() - 1;
            bytes[last] ^= 1 << rng.u8(..8);
        }
        _ => bytes[at..].iter_mut().for_each(|byte| *byte ^= 0xff),
    }
    bytes
}

/// All that differ from these bytes in one bit, from a place on. (The sign of a coefficient that is zero is a
/// bit that random changes hardly ever meet.)
pub(crate) fn one_bit_changed(bytes: &[u8], from: usize) -> impl Iterator<Item = Vec<u8>> {
    (from * 8..bytes.len() * 8).map(|bit| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    })
}
