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
