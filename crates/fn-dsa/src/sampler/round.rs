//! Rounds of random bytes: what the sampler of [`super::wide`] takes at a time, and what gives it.

/// Bytes of a round.
pub(super) const ROUND: usize = 48;

/// Rounds that are generated at once: a multiple of the 256 and of the 512 bytes at which generators are
/// efficient.
pub(crate) const ROUNDS: usize = 32;

/// Bytes that are generated at once.
pub(super) const RUN: usize = ROUND * ROUNDS;

/// A generator of uniform bytes in runs of `RUN`.
pub(crate) trait Generator {
    fn fill(&mut self, bytes: &mut [u8; RUN]);
}
