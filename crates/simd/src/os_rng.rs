//! The operating system's generator.

use core::convert::Infallible;
use core::fmt;

use rand_core::{TryCryptoRng, TryRng};

/// The operating system's random generator, for whatever takes one of rand_core 0.10 (feature `getrandom`; not on
/// WebAssembly without WASI).
///
/// Stands where `rand::rngs::OsRng` and `rand_core::OsRng` stood in programs written for rand_core 0.6, and
/// behaves the same. Each crate of this project re-exports it. To get errors instead of panics take
/// [`OsRng::try_fill`], or give `getrandom::SysRng` to functions that take a generator that can fail.
///
/// ```
/// use lanner_simd::OsRng;
/// use rand_core::Rng;
///
/// let mut seeds = [[0; 32]; 2];
/// seeds.iter_mut().for_each(|seed| OsRng.fill_bytes(seed));
/// assert_ne!(seeds[0], seeds[1]);
/// ```
///
/// # Panics
///
/// When the system has no randomness to give.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRng;

/// The operating system gives no randomness; what is shown says why. (A type of this project's: the crate `getrandom` is not
/// part of any interface.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomness(getrandom::Error);

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl core::error::Error for NoRandomness {}

impl OsRng {
    /// Fills bytes, or fails.
    ///
    /// # Errors
    ///
    /// If the operating system gives no randomness.
    pub fn try_fill(bytes: &mut [u8]) -> Result<(), NoRandomness> {
        getrandom::fill(bytes).map_err(NoRandomness)
    }
}

fn fill(bytes: &mut [u8]) {
    if let Err(error) = OsRng::try_fill(bytes) {
        panic!("no randomness from the operating system: {error}");
    }
}

impl TryRng for OsRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        fill(&mut bytes);
        Ok(u32::from_ne_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        fill(&mut bytes);
        Ok(u64::from_ne_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill(bytes);
        Ok(())
    }
}

impl TryCryptoRng for OsRng {}
