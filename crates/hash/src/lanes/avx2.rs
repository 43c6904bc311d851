//! Four lanes in a 256-bit vector, with AVX2.
//!
//! unsafe: intrinsics, which need the instructions. Every function either takes the witness or
//! a vector, which exists only because a witness did.

#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

use arch::*;
use lanner_simd::Avx2;

use super::{Kernel, Lanes, On};

/// Four words.
#[derive(Clone, Copy)]
pub(crate) struct U64x4(__m256i);

impl Lanes<4> for U64x4 {
    type Witness = Avx2;

    #[inline(always)]
    fn enter(witness: Avx2, kernel: impl Kernel) {
        witness.run(On::<4, Self, _> { witness, kernel });
    }

    #[inline(always)]
    fn splat(_: Avx2, word: u64) -> Self {
        // SAFETY: there is a witness of AVX2.
        Self(unsafe { _mm256_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    fn load(_: Avx2, words: &[u64; 4]) -> Self {
        // SAFETY: there is a witness of AVX2; the array has 32 bytes, and the load asks for no
        // alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 4]) {
        // SAFETY: a vector exists, so the processor has AVX2; the array has 32 bytes, and the
        // store asks for no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_blocks(witness: Avx2, blocks: &[&[u8; 128]; 4]) -> [Self; 16] {
        let mut words = [Self::splat(witness, 0); 16];
        for (quarter, words) in words.chunks_exact_mut(4).enumerate() {
            // SAFETY: there is a witness of AVX2.
            let [w0, w1, w2, w3] = unsafe { load_quarter(blocks, quarter) };
            words.copy_from_slice(&[Self(w0), Self(w1), Self(w2), Self(w3)]);
        }
        words
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: a vector exists, so the processor has AVX2.
        Self(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: a vector exists, so the processor has AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        // SAFETY: a vector exists, so the processor has AVX2.
        unsafe {
            // A rotation by whole bytes is one shuffle, whose indices are rotated themselves.
            if LEFT % 8 == 0 {
                let low = const { 0x0706_0504_0302_0100_u64.rotate_left(LEFT as u32) as i64 };
                let high = const { 0x0f0e_0d0c_0b0a_0908_u64.rotate_left(LEFT as u32) as i64 };
                let from = _mm256_set_epi64x(high, low, high, low);
                return Self(_mm256_shuffle_epi8(self.0, from));
            }
            // More units add than shift.
            let up = match LEFT {
                1 => _mm256_add_epi64(self.0, self.0),
                _ => _mm256_slli_epi64::<LEFT>(self.0),
            };
            Self(_mm256_or_si256(up, _mm256_srli_epi64::<RIGHT>(self.0)))
        }
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Self {
        // SAFETY: a vector exists, so the processor has AVX2.
        Self(unsafe { _mm256_srli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        // SAFETY: a vector exists, so the processor has AVX2.
        Self(unsafe {
            let either = _mm256_and_si256(self.0, _mm256_xor_si256(b.0, c.0));
            _mm256_xor_si256(either, c.0)
        })
    }

    #[inline(always)]
    fn majority(self, b: Self, _c: Self, differences: &mut Self) -> Self {
        let before = *differences;
        *differences = self.xor(b);
        // SAFETY: a vector exists, so the processor has AVX2.
        Self(unsafe { _mm256_and_si256(differences.0, before.0) }).xor(b)
    }

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: a vector exists, so the processor has AVX2.
        self.xor(Self(unsafe { _mm256_andnot_si256(b.0, c.0) }))
    }
}

/// Four big-endian words of each block, beginning at word 4·`quarter`: the words of one number
/// side by side.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn load_quarter(blocks: &[&[u8; 128]; 4], quarter: usize) -> [__m256i; 4] {
    // SAFETY: the caller has AVX2.
    unsafe {
        let low = 0x0001_0203_0405_0607;
        let high = 0x0809_0a0b_0c0d_0e0f;
        let swap = _mm256_set_epi64x(high, low, high, low);
        let [a, b, c, d] = [
            load_swapped(blocks[0], quarter, swap),
            load_swapped(blocks[1], quarter, swap),
            load_swapped(blocks[2], quarter, swap),
            load_swapped(blocks[3], quarter, swap),
        ];
        // Words 0 and 2 of a and b, words 1 and 3, and the same of c and d.
        let (ab_even, ab_odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let (cd_even, cd_odd) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
        [
            _mm256_permute2x128_si256::<0x20>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x20>(ab_odd, cd_odd),
            _mm256_permute2x128_si256::<0x31>(ab_even, cd_even),
            _mm256_permute2x128_si256::<0x31>(ab_odd, cd_odd),
        ]
    }
}

/// A quarter of a block, its bytes permuted by `swap`.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn load_swapped(block: &[u8; 128], quarter: usize, swap: __m256i) -> __m256i {
    let bytes = &block[32 * quarter..][..32];
    // SAFETY: the slice has 32 bytes, and the load asks for no alignment; the caller has AVX2.
    unsafe { _mm256_shuffle_epi8(_mm256_loadu_si256(bytes.as_ptr().cast()), swap) }
}
