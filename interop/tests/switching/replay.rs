//! The same random bytes for both sides.

use std::convert::Infallible;

use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};

/// A generator whose bytes are a function of its seed.
#[derive(Clone)]
pub(crate) struct Replay(fastrand::Rng);

impl Replay {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }
}

impl TryRng for Replay {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.u32(..))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.u64(..))
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill(output);
        Ok(())
    }
}

impl TryCryptoRng for Replay {}
