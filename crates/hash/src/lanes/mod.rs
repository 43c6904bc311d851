//! 64-bit words side by side: one vector, one word of each message.
//!
//! The hash functions are written once, generic over [`Lanes`]; each instruction set has a
//! thin file of its own. [`Portable`] is an array of words: the twin that every machine and
//! Miri can test, and, with one lane, the code for processors without vectors.

#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
#[allow(unsafe_code)]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unsafe_code)]
pub(crate) mod avx512;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little",
    not(miri)
))]
#[allow(unsafe_code)]
pub(crate) mod neon;
mod portable;
#[cfg(all(
    target_family = "wasm",
    any(feature = "simd128", target_feature = "simd128")
))]
#[allow(unsafe_code)]
pub(crate) mod simd128;

#[cfg(test)]
mod tests;

pub(crate) use portable::Portable;

/// A vector of `N` words of 64 bits.
///
/// A value exists only where the processor has the instructions: the functions that make
/// one take the witness. Everything is `#[inline(always)]`, so that it is compiled inside
/// the function that [`enter`](Self::enter) calls; elsewhere it would be correct and slow.
pub(crate) trait Lanes<const N: usize>: Copy {
    /// Proof that the instructions are there.
    type Witness: Copy;

    /// Runs a kernel in a function that is compiled for the instructions.
    fn enter(witness: Self::Witness, kernel: impl Kernel);

    /// The same word in every lane.
    fn splat(witness: Self::Witness, word: u64) -> Self;

    /// One word for each lane.
    fn load(witness: Self::Witness, words: &[u64; N]) -> Self;

    /// The word of each lane.
    fn store(self, words: &mut [u64; N]);

    /// The 16 big-endian words of a block, for each lane.
    fn load_blocks(witness: Self::Witness, blocks: &[&[u8; 128]; N]) -> [Self; 16];

    /// The sum modulo 2^64.
    fn add(self, other: Self) -> Self;

    /// Exclusive or.
    fn xor(self, other: Self) -> Self;

    /// Rotated to the left by `LEFT` bits, 1 to 63. `RIGHT` is 64 less `LEFT`, because an
    /// expression cannot be the argument of a generic constant.
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self;

    /// Shifted to the right, by 6 or 7 bits as SHA-512 does.
    fn shift_right<const BITS: i32>(self) -> Self;

    /// `self` ^ `b` ^ `c`; where that is two operations, `b` ^ `c` is the first.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b.xor(c))
    }

    /// The bits of `b` where `self` has ones, those of `c` elsewhere: Ch of SHA-512.
    fn choose(self, b: Self, c: Self) -> Self;

    /// The majority of `self`, `b` and `c`, bit by bit: Maj of SHA-512. `differences` is
    /// `b` ^ `c` and becomes `self` ^ `b`, which the next round needs.
    fn majority(self, b: Self, c: Self, differences: &mut Self) -> Self;

    /// `self` ^ (!`b` & `c`): chi of Keccak.
    fn chi(self, b: Self, c: Self) -> Self;
}

/// A computation on lanes.
///
/// The method is a generic closure that can be, and must be, `#[inline(always)]`: a closure
/// that calls thousands of intrinsics would not be inlined into the function that has the
/// features, and each intrinsic would stay a call.
pub(crate) trait Kernel {
    fn run<const N: usize, L: Lanes<N>>(self, witness: L::Witness);
}

/// A kernel and the lanes that it is for, as a task for a witness.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
pub(crate) struct On<const N: usize, L: Lanes<N>, K> {
    pub(crate) witness: L::Witness,
    pub(crate) kernel: K,
}

#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
impl<const N: usize, L: Lanes<N>, K: Kernel> lanner_simd::Task for On<N, L, K> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.kernel.run::<N, L>(self.witness);
    }
}
