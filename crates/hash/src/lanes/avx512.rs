//! Eight lanes in a 512-bit vector and four in a 256-bit one, with AVX-512: rotations and
//! functions of three operands are single instructions, and there are 32 registers.
//!
//! unsafe: intrinsics, which need the instructions. Every function either takes the witness or
//! a vector, which exists only because a witness did.

use core::arch::x86_64::*;

use lanner_simd::Avx512Ifma;

use super::{Kernel, Lanes, On, avx2::load_quarter};

/// Truth tables of `ternarylogic`: bit 4a + 2b + c is the value at (a, b, c).
mod table {
    pub(super) const XOR3: i32 = 0b1001_0110;
    pub(super) const CHOOSE: i32 = 0b1100_1010;
    pub(super) const MAJORITY: i32 = 0b1110_1000;
    pub(super) const CHI: i32 = 0b1101_0010;
}

/// Eight words.
#[derive(Clone, Copy)]
pub(crate) struct U64x8(__m512i);

/// Four words.
#[derive(Clone, Copy)]
pub(crate) struct U64x4(__m256i);

/// Implements the trait but for `load_blocks`, from the intrinsics of one width.
macro_rules! lanes {
    (
        $name:ident, $count:literal, $load_blocks:path,
        $set1:ident, $loadu:ident, $storeu:ident, $add:ident, $xor:ident, $rol:ident, $srli:ident,
        $ternary:ident
    ) => {
        impl Lanes<$count> for $name {
            type Witness = Avx512Ifma;

            #[inline(always)]
            fn enter(witness: Avx512Ifma, kernel: impl Kernel) {
                witness.run(On::<$count, Self, _> { witness, kernel });
            }

            #[inline(always)]
            fn splat(_: Avx512Ifma, word: u64) -> Self {
                // SAFETY: there is a witness of AVX-512.
                Self(unsafe { $set1(word as i64) })
            }

            #[inline(always)]
            fn load(_: Avx512Ifma, words: &[u64; $count]) -> Self {
                // SAFETY: there is a witness of AVX-512; the array is as long as the vector, and
                // the load asks for no alignment.
                Self(unsafe { $loadu(words.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self, words: &mut [u64; $count]) {
                // SAFETY: a vector exists, so the processor has AVX-512; the array is as long as
                // the vector, and the store asks for no alignment.
                unsafe { $storeu(words.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn load_blocks(_: Avx512Ifma, blocks: &[&[u8; 128]; $count]) -> [Self; 16] {
                // SAFETY: there is a witness of AVX-512.
                unsafe { $load_blocks(blocks) }
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe { $xor(self.0, other.0) })
            }

            #[inline(always)]
            fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
                const { assert!(LEFT + RIGHT == 64) };
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe { $rol::<LEFT>(self.0) })
            }

            #[inline(always)]
            fn shift_right<const BITS: i32>(self) -> Self {
                // The intrinsics disagree on the type of the count; literals fit them all.
                const { assert!(BITS == 6 || BITS == 7) };
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe {
                    match BITS {
                        6 => $srli::<6>(self.0),
                        _ => $srli::<7>(self.0),
                    }
                })
            }

            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe { $ternary::<{ table::XOR3 }>(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn choose(self, b: Self, c: Self) -> Self {
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe { $ternary::<{ table::CHOOSE }>(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn majority(self, b: Self, c: Self, _differences: &mut Self) -> Self {
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe { $ternary::<{ table::MAJORITY }>(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: a vector exists, so the processor has AVX-512.
                Self(unsafe { $ternary::<{ table::CHI }>(self.0, b.0, c.0) })
            }
        }
    };
}

lanes!(
    U64x8,
    8,
    eight_blocks,
    _mm512_set1_epi64,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi64,
    _mm512_xor_si512,
    _mm512_rol_epi64,
    _mm512_srli_epi64,
    _mm512_ternarylogic_epi64
);

lanes!(
    U64x4,
    4,
    four_blocks,
    _mm256_set1_epi64x,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_add_epi64,
    _mm256_xor_si256,
    _mm256_rol_epi64,
    _mm256_srli_epi64,
    _mm256_ternarylogic_epi64
);

/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn four_blocks(blocks: &[&[u8; 128]; 4]) -> [U64x4; 16] {
    // SAFETY: the caller has AVX2.
    let quarters = unsafe {
        [
            load_quarter(blocks, 0),
            load_quarter(blocks, 1),
            load_quarter(blocks, 2),
            load_quarter(blocks, 3),
        ]
    };
    let mut words = [U64x4(quarters[0][0]); 16];
    for (word, &vector) in words.iter_mut().zip(quarters.as_flattened()) {
        *word = U64x4(vector);
    }
    words
}

/// # Safety
///
/// The processor has AVX-512 F and BW.
#[inline(always)]
unsafe fn eight_blocks(blocks: &[&[u8; 128]; 8]) -> [U64x8; 16] {
    // SAFETY: the caller has AVX-512.
    let halves = unsafe { [load_half(blocks, 0), load_half(blocks, 1)] };
    let mut words = [U64x8(halves[0][0]); 16];
    for (word, &vector) in words.iter_mut().zip(halves.as_flattened()) {
        *word = U64x8(vector);
    }
    words
}

/// Eight big-endian words of each block, beginning at word 8·`half`: the words of one number
/// side by side.
///
/// # Safety
///
/// The processor has AVX-512 F and BW.
#[inline(always)]
unsafe fn load_half(blocks: &[&[u8; 128]; 8], half: usize) -> [__m512i; 8] {
    // SAFETY: the caller has AVX-512.
    unsafe {
        // Messages 2i and 2i+1: their words 0, 2, 4, 6 in pairs, and their words 1, 3, 5, 7.
        let (even01, odd01) = load_pair(blocks[0], blocks[1], half);
        let (even23, odd23) = load_pair(blocks[2], blocks[3], half);
        let (even45, odd45) = load_pair(blocks[4], blocks[5], half);
        let (even67, odd67) = load_pair(blocks[6], blocks[7], half);
        let [w0, w2, w4, w6] = transpose_pairs(even01, even23, even45, even67);
        let [w1, w3, w5, w7] = transpose_pairs(odd01, odd23, odd45, odd67);
        [w0, w1, w2, w3, w4, w5, w6, w7]
    }
}

/// Transposes a matrix of four rows of four 128-bit elements.
///
/// # Safety
///
/// The processor has AVX-512 F.
#[inline(always)]
unsafe fn transpose_pairs(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;
    // SAFETY: the caller has AVX-512.
    unsafe {
        let (ab_even, ab_odd) = (
            _mm512_shuffle_i64x2::<EVEN>(a, b),
            _mm512_shuffle_i64x2::<ODD>(a, b),
        );
        let (cd_even, cd_odd) = (
            _mm512_shuffle_i64x2::<EVEN>(c, d),
            _mm512_shuffle_i64x2::<ODD>(c, d),
        );
        [
            _mm512_shuffle_i64x2::<EVEN>(ab_even, cd_even),
            _mm512_shuffle_i64x2::<EVEN>(ab_odd, cd_odd),
            _mm512_shuffle_i64x2::<ODD>(ab_even, cd_even),
            _mm512_shuffle_i64x2::<ODD>(ab_odd, cd_odd),
        ]
    }
}

/// Half a block of each of two messages, big-endian: the even words in pairs, and the odd ones.
///
/// # Safety
///
/// The processor has AVX-512 F and BW.
#[inline(always)]
unsafe fn load_pair(a: &[u8; 128], b: &[u8; 128], half: usize) -> (__m512i, __m512i) {
    let (a, b) = (&a[64 * half..][..64], &b[64 * half..][..64]);
    // SAFETY: the slices have 64 bytes, and the loads ask for no alignment; the caller has
    // AVX-512.
    unsafe {
        let swap =
            _mm512_broadcast_i32x4(_mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607));
        let a = _mm512_shuffle_epi8(_mm512_loadu_si512(a.as_ptr().cast()), swap);
        let b = _mm512_shuffle_epi8(_mm512_loadu_si512(b.as_ptr().cast()), swap);
        (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
    }
}
