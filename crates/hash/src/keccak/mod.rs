//! Keccak-f\[1600\] on several states, with SHAKE128 and SHAKE256 of several messages
//! (FIPS 202).

mod permutation;
mod shake;
#[cfg(test)]
mod tests;

pub use shake::{Shake, Shake128, Shake256};

/// Applies Keccak-f\[1600\] (FIPS 202, 3.3) to `N` states side by side.
///
/// Word `i` of state `j` is `states[i][j]`; word x + 5y of a state is the standard's lane
/// (x, y), which is bytes 8(x + 5y) to 8(x + 5y) + 7 in little-endian order. `N` may be any
/// number; those that the vectors divide need no copies.
///
/// Constant time. The states are the caller's to wipe; what the computation leaves on the
/// stack is not wiped here.
///
/// ```
/// let mut states = [[0; 2]; 25];
/// lanner_hash::keccak::permute(&mut states);
/// assert_eq!(states[0], [0xf125_8f79_40e1_dde7; 2]);
/// ```
pub fn permute<const N: usize>(states: &mut [[u64; N]; 25]) {
    permutation::permute_with(crate::vectors::Vectors::active(), states);
}

/// Applies Keccak-f\[1600\] to one state, word by word. Otherwise as [`permute`].
///
/// ```
/// let mut state = [0; 25];
/// lanner_hash::keccak::permute_one(&mut state);
/// assert_eq!(state[0], 0xf125_8f79_40e1_dde7);
/// ```
pub fn permute_one(state: &mut [u64; 25]) {
    permutation::permute_one_with(crate::vectors::Vectors::active(), state);
}

/// Work in small pieces that can be done while a state is permuted.
///
/// It is moved into the permutation, which keeps it in registers, and back; the default is to have nothing to do. The method is
/// inlined there: it should be `#[inline(always)]`, and short.
pub trait Work: Default {
    /// The next piece. Does nothing when all are done.
    fn step(&mut self);
}

/// Nothing to do.
impl Work for () {
    #[inline(always)]
    fn step(&mut self) {}
}

/// Applies Keccak-f\[1600\] to one state as [`permute_one`] does, and some pieces of other work meanwhile: 24 of them, one
/// behind each round, where the state is in vectors (AVX-512), which leaves the processor's units for words idle; none
/// elsewhere.
///
/// ```
/// use lanner_hash::keccak::{Work, permute_one_beside};
///
/// #[derive(Default)]
/// struct Countdown(u64);
///
/// impl Work for Countdown {
///     #[inline(always)]
///     fn step(&mut self) {
///         self.0 = self.0.saturating_sub(1);
///     }
/// }
///
/// let (mut state, mut countdown) = ([0; 25], Countdown(100));
/// permute_one_beside(&mut state, &mut countdown);
/// assert_eq!(state[0], 0xf125_8f79_40e1_dde7);
/// assert!(countdown.0 == 76 || countdown.0 == 100);
/// // What is left has to be done behind it.
/// while countdown.0 > 0 {
///     countdown.step();
/// }
/// ```
#[inline]
pub fn permute_one_beside<W: Work>(state: &mut [u64; 25], work: &mut W) {
    permutation::permute_one_beside_with(crate::vectors::Vectors::active(), state, work);
}
