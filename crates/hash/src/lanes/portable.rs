//! Lanes as an array of words.

use core::array::from_fn;

use super::{Kernel, Lanes};

/// `N` words in an array.
#[derive(Clone, Copy)]
pub(crate) struct Portable<const N: usize>([u64; N]);

impl<const N: usize> Portable<N> {
    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i])))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const N: usize> Lanes<N> for Portable<N> {
    type Witness = ();

    // Not inlined: what it leaves on the stack lies below the caller's frame, where the
    // caller wipes it.
    #[inline(never)]
    fn enter((): (), kernel: impl Kernel) {
        kernel.run::<N, Self>(());
    }

    #[inline(always)]
    fn splat((): (), word: u64) -> Self {
        Self([word; N])
    }

    #[inline(always)]
    fn load((): (), words: &[u64; N]) -> Self {
        Self(*words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; N]) {
        *words = self.0;
    }

    #[inline(always)]
    fn load_blocks((): (), blocks: &[&[u8; 128]; N]) -> [Self; 16] {
        from_fn(|word| {
            Self(from_fn(|lane| {
                let (words, _) = blocks[lane].as_chunks();
                u64::from_be_bytes(words[word])
            }))
        })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        self.map(|word| word.rotate_left(LEFT as u32))
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Self {
        self.map(|word| word >> BITS)
    }

    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        c.xor(self.zip(b.xor(c), |a, d| a & d))
    }

    #[inline(always)]
    fn majority(self, b: Self, _c: Self, differences: &mut Self) -> Self {
        let before = *differences;
        *differences = self.xor(b);
        differences.zip(before, |d, e| d & e).xor(b)
    }

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        self.xor(b.zip(c, |b, c| !b & c))
    }
}
