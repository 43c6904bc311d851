//! Two lanes in a 128-bit vector of 64-bit ARM.
//!
//! unsafe: loads and stores through pointers. The instructions are there whenever this file is
//! compiled: the target has them.

use core::arch::aarch64::*;

use super::{Kernel, Lanes};

/// Two words.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(uint64x2_t);

impl Lanes<2> for U64x2 {
    type Witness = ();

    // Not inlined: what it leaves on the stack lies below the caller's frame, where the
    // caller wipes it.
    #[inline(never)]
    fn enter((): (), kernel: impl Kernel) {
        kernel.run::<2, Self>(());
    }

    #[inline(always)]
    fn splat((): (), word: u64) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vdupq_n_u64(word) })
    }

    #[inline(always)]
    fn load((): (), words: &[u64; 2]) -> Self {
        // SAFETY: the array has 16 bytes; the target has NEON.
        Self(unsafe { vld1q_u64(words.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 2]) {
        // SAFETY: the array has 16 bytes; the target has NEON.
        unsafe { vst1q_u64(words.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn load_blocks((): (), blocks: &[&[u8; 128]; 2]) -> [Self; 16] {
        let mut words = [Self::splat((), 0); 16];
        for (pair, words) in words.chunks_exact_mut(2).enumerate() {
            let a = load_swapped(blocks[0], pair);
            let b = load_swapped(blocks[1], pair);
            // SAFETY: the target has NEON.
            let (even, odd) = unsafe { (vtrn1q_u64(a, b), vtrn2q_u64(a, b)) };
            words.copy_from_slice(&[Self(even), Self(odd)]);
        }
        words
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vaddq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { veorq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        // Shifts right, then shifts left into the bits that this left free.
        // SAFETY: the target has NEON.
        Self(unsafe { vsliq_n_u64::<LEFT>(vshrq_n_u64::<RIGHT>(self.0), self.0) })
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vshrq_n_u64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vbslq_u64(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self, _differences: &mut Self) -> Self {
        // Where the first two differ, the third decides.
        self.xor(b).choose(c, b)
    }

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: the target has NEON.
        self.xor(Self(unsafe { vbicq_u64(c.0, b.0) }))
    }
}

/// Two big-endian words of a block, beginning at word 2·`pair`.
#[inline(always)]
fn load_swapped(block: &[u8; 128], pair: usize) -> uint64x2_t {
    let bytes = &block[16 * pair..][..16];
    // SAFETY: the slice has 16 bytes; the target has NEON.
    unsafe { vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(bytes.as_ptr()))) }
}
