//! AVX2: registers of 256 bits.
//!
//! Soundness: the types here are reached through [`Isa`] alone, in operations that [`crate::Avx2::enter`] or
//! [`crate::Avx512Ifma::enter`] runs, so where the processor has AVX2. That is the reason of every `unsafe` that calls an
//! intrinsic; those with pointers say what they read or write.
#![allow(unsafe_code)]

use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::ops::{BitOr, BitXor};

use crate::vector::{Groups, Plain, U64, binary, whole};
use crate::{Isa, Mask, Task};

/// AVX2.
pub(crate) struct Avx2;

impl super::Sealed for Avx2 {}

impl Isa for Avx2 {
    const NAME: &'static str = "avx2";
    type U64 = U64x4;
    type U64x4 = U64x4;
    type U32x4 = super::portable::Words32;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        #[inline(never)]
        #[target_feature(enable = "avx2")]
        fn inside<T: Task>(task: T) -> T::Output {
            task.run()
        }
        // SAFETY: see the module.
        unsafe { inside(task) }
    }
}

// ---------------------------------------------------------------- u64

/// Four words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x4(__m256i);

// SAFETY: a register is four words.
unsafe impl Plain for U64x4 {}

impl U64 for U64x4 {
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm256_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let words: &[u64; 4] = words.first_chunk().expect("four words");
        // SAFETY: the array has 32 bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 4] = words.first_chunk_mut().expect("four words");
        // SAFETY: the array has 32 bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 32] = bytes.first_chunk().expect("four words");
        // SAFETY: the array has 32 bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_u32_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("four words");
        // SAFETY: the array has 16 bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_cvtepu32_epi64(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }

    #[inline(always)]
    fn load_blocks_be(blocks: &[&[u8; 128]]) -> [Self; 16] {
        let mut words = [Self::splat(0); 16];
        for (quarter, words) in words.chunks_exact_mut(4).enumerate() {
            // SAFETY: as above.
            let [w0, w1, w2, w3] = unsafe { load_quarter(blocks, quarter) };
            words.copy_from_slice(&[Self(w0), Self(w1), Self(w2), Self(w3)]);
        }
        words
    }

    binary!(
        add: _mm256_add_epi64,
        sub: _mm256_sub_epi64,
        mul_low32: _mm256_mul_epu32,
        and: _mm256_and_si256,
        or: _mm256_or_si256,
        xor: _mm256_xor_si256,
        shr_each: _mm256_srlv_epi64,
    );

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        self.xor(Self(unsafe { _mm256_andnot_si256(b.0, c.0) }))
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_slli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        // SAFETY: as above.
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
    fn below(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_cmpgt_epi64(other.0, self.0) })
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(self.0)) as u32 }
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn opaque(mut value: __m256i) -> __m256i {
            // SAFETY: no instruction.
            unsafe {
                asm!("/* {0} */", inout(ymm_reg) value,
                    options(pure, nomem, nostack, preserves_flags));
            }
            value
        }
        // SAFETY: as above.
        Self(unsafe { opaque(self.0) })
    }
}

/// Four big-endian words of each of four blocks, beginning at word 4·`quarter`: the words of one number
/// side by side.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn load_quarter(blocks: &[&[u8; 128]], quarter: usize) -> [__m256i; 4] {
    // SAFETY: the caller has AVX2; a quarter of a block has 32 bytes, and the loads ask for no alignment.
    unsafe {
        let low = 0x0001_0203_0405_0607;
        let high = 0x0809_0a0b_0c0d_0e0f;
        let swap = _mm256_set_epi64x(high, low, high, low);
        macro_rules! row {
            ($i:literal) => {{
                let bytes = &blocks[$i][32 * quarter..][..32];
                _mm256_shuffle_epi8(_mm256_loadu_si256(bytes.as_ptr().cast()), swap)
            }};
        }
        transpose4([row!(0), row!(1), row!(2), row!(3)])
    }
}

/// Transposes a matrix of four rows of four words, by unpacking pairs and then halves.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn transpose4([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: the caller has AVX2.
    unsafe {
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

/// Four rows of four words at the front of a slice.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn load_rows(rows: &[[u64; 4]]) -> [__m256i; 4] {
    let rows: &[[u64; 4]; 4] = rows.first_chunk().expect("four rows");
    // SAFETY: the caller has AVX2; a row has 32 bytes, and the loads ask for no alignment.
    unsafe {
        [
            _mm256_loadu_si256(rows[0].as_ptr().cast()),
            _mm256_loadu_si256(rows[1].as_ptr().cast()),
            _mm256_loadu_si256(rows[2].as_ptr().cast()),
            _mm256_loadu_si256(rows[3].as_ptr().cast()),
        ]
    }
}

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(__m256i);

impl BitOr for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}

impl BitXor for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
}

/// For each lane the 32-bit halves that it takes, lower and upper: AVX2 moves only those by an
/// order that is not constant.
#[inline(always)]
fn order_halves<const ORDER: i32>() -> __m256i {
    let lane = |i: i32| {
        let from = i64::from(ORDER >> (2 * i) & 3);
        (2 * from) | ((2 * from + 1) << 32)
    };
    // SAFETY: see the module.
    unsafe { _mm256_setr_epi64x(lane(0), lane(1), lane(2), lane(3)) }
}

whole!(U64x4, Avx2);

impl Groups for U64x4 {
    type Lanes = Lanes;
    type Order = Self;

    #[inline(always)]
    fn load_transposed(rows: &[[u64; 4]]) -> [Self; 4] {
        // SAFETY: see the module.
        let [a, b, c, d] = unsafe { transpose4(load_rows(rows)) };
        [Self(a), Self(b), Self(c), Self(d)]
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm256_permute4x64_epi64::<ORDER>(self.0) })
    }

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Mask<u64>) -> Self {
        let lanes = Lanes(Self::splat(choice.word()).0);
        Self::select(Self(order_halves::<A>()), Self(order_halves::<B>()), lanes)
    }

    #[inline(always)]
    fn permute_by(self, order: Self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm256_permutevar8x32_epi32(self.0, order.0) })
    }

    #[inline(always)]
    fn swap_groups(self) -> Self {
        self
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        let lane = |i: u8| -i64::from(LANES >> i & 1);
        // SAFETY: see the module.
        Self(unsafe {
            let lanes = _mm256_setr_epi64x(lane(0), lane(1), lane(2), lane(3));
            _mm256_blendv_epi8(a.0, b.0, lanes)
        })
    }

    #[inline(always)]
    fn lanes(bits: u8) -> Lanes {
        // SAFETY: see the module.
        Lanes(unsafe {
            let lane = _mm256_setr_epi64x(1, 2, 4, 8);
            let bits = _mm256_set1_epi64x(bits.into());
            _mm256_cmpeq_epi64(_mm256_and_si256(bits, lane), lane)
        })
    }

    #[inline(always)]
    fn select(a: Self, b: Self, lanes: Lanes) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm256_blendv_epi8(a.0, b.0, lanes.0) })
    }
}
