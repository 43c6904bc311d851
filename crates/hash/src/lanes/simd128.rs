//! Two lanes in a 128-bit vector of WebAssembly.
//!
//! unsafe: loads and stores through pointers, and the call into functions compiled for the
//! instructions. An engine refuses a module with instructions that it does not have, so that
//! code that runs has them.

#[cfg(target_arch = "wasm32")]
use core::arch::wasm32 as arch;
#[cfg(target_arch = "wasm64")]
use core::arch::wasm64 as arch;

use arch::*;

use super::{Kernel, Lanes};

/// Two words.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(v128);

impl Lanes<2> for U64x2 {
    type Witness = ();

    #[inline(always)]
    fn enter((): (), kernel: impl Kernel) {
        #[target_feature(enable = "simd128")]
        #[inline(never)]
        fn inside(kernel: impl Kernel) {
            kernel.run::<2, U64x2>(());
        }
        inside(kernel);
    }

    #[inline(always)]
    fn splat((): (), word: u64) -> Self {
        Self(u64x2_splat(word))
    }

    #[inline(always)]
    fn load((): (), words: &[u64; 2]) -> Self {
        // SAFETY: the array has 16 bytes, and the load asks for no alignment.
        Self(unsafe { v128_load(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 2]) {
        // SAFETY: the array has 16 bytes, and the store asks for no alignment.
        unsafe { v128_store(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_blocks((): (), blocks: &[&[u8; 128]; 2]) -> [Self; 16] {
        let mut words = [Self::splat((), 0); 16];
        for (pair, words) in words.chunks_exact_mut(2).enumerate() {
            let a = load_pair(blocks[0], pair);
            let b = load_pair(blocks[1], pair);
            // The transposition and the change of byte order in one shuffle each.
            let even =
                i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 23, 22, 21, 20, 19, 18, 17, 16>(a, b);
            let odd =
                i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 31, 30, 29, 28, 27, 26, 25, 24>(a, b);
            words.copy_from_slice(&[Self(even), Self(odd)]);
        }
        words
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        let (up, down) = (
            u64x2_shl(self.0, LEFT as u32),
            u64x2_shr(self.0, RIGHT as u32),
        );
        Self(v128_or(up, down))
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Self {
        Self(u64x2_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        Self(v128_bitselect(b.0, c.0, self.0))
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self, _differences: &mut Self) -> Self {
        // Where the first two differ, the third decides.
        self.xor(b).choose(c, b)
    }

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        self.xor(Self(v128_andnot(c.0, b.0)))
    }
}

/// Two words of a block, beginning at word 2·`pair`, as they lie in memory.
#[inline(always)]
fn load_pair(block: &[u8; 128], pair: usize) -> v128 {
    let bytes = &block[16 * pair..][..16];
    // SAFETY: the slice has 16 bytes, and the load asks for no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}
