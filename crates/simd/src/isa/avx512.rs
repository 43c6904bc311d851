//! AVX-512 with the 52-bit multiply-add: registers of 512 bits, 32 of them; rotations and functions of three
//! operands are single instructions.
//!
//! Soundness: the types here are reached through [`Isa`] and [`Ifma`] alone, in operations that
//! [`crate::Avx512Ifma::enter`] runs, so where the processor has the instructions. That is the reason of every `unsafe`
//! that calls an intrinsic; those with pointers say what they read or write.
#![allow(unsafe_code)]

use core::arch::{asm, x86_64::*};
use core::ops::{Add, Mul, Neg, Sub};

use super::avx2::{load_quarter, load_rows, transpose4};
use super::whole;
use crate::vector::{Each, F64, Groups, MulAdd52, Plain, Rows, U64, binary};
use crate::{Ifma, Isa, Mask, Task};

/// AVX-512 with IFMA.
pub(crate) struct Avx512;

impl super::Sealed for Avx512 {}

impl Isa for Avx512 {
    const NAME: &'static str = "avx512";
    type U64 = U64x8;
    type U64x4 = U64x4;
    type U32x4 = super::portable::Words32;
    type Pairs = super::portable::Words32;
    type I16 = super::avx2::I16x16;
    type U32 = super::avx2::U32x8;
    type I64 = super::avx2::I64x4;
    type F64 = F64x8;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        #[inline(never)]
        #[target_feature(
            enable = "avx512ifma,avx512f,avx512cd,avx512vl,avx512dq,avx512bw,avx2,fma,adx,bmi1,bmi2"
        )]
        fn inside<T: Task>(task: T) -> T::Output {
            task.run()
        }
        // SAFETY: see the module.
        unsafe { inside(task) }
    }
}

impl Ifma for Avx512 {
    type U64x8 = U64x8;
    type Rows = U32x16;
}

// ---------------------------------------------------------------- u64

/// Truth tables of `ternarylogic`: bit 4a + 2b + c is the value at (a, b, c).
mod table {
    pub(super) const XOR3: i32 = 0b1001_0110;
    pub(super) const CHOOSE: i32 = 0b1100_1010;
    pub(super) const MAJORITY: i32 = 0b1110_1000;
    pub(super) const CHI: i32 = 0b1101_0010;
}

/// Four words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x4(__m256i);

/// Eight words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x8(__m512i);

// SAFETY: a register is so many words.
unsafe impl Plain for U64x4 {}
// SAFETY: a register is so many words.
unsafe impl Plain for U64x8 {}

/// The lanes that an order takes, in each group of four.
const fn order_words(order: i32) -> [u64; 8] {
    let mut words = [0; 8];
    let mut i = 0;
    while i < 8 {
        words[i] = (i as u64 & 4) | ((order as u64 >> (2 * (i & 3))) & 3);
        i += 1;
    }
    words
}

macro_rules! words {
    (
        $name:ident, $register:ident, $vector:ident, $count:literal, $group:literal, $load_blocks:ident, $transpose:ident, $swap:expr,
        $set1:ident, $loadu:ident, $storeu:ident, $load_u32:ident,
        $add:ident, $sub:ident, $mul:ident, $mul_signed:ident, $and:ident, $or:ident, $xor:ident, $ternary:ident,
        $sllv:ident, $srlv:ident, $sll:ident, $srl:ident, $rol:ident, $cmplt:ident, $movm:ident, $movepi:ident,
        $permute:ident, $permute_by:ident, $blend:ident, $mul_add_low:ident, $mul_add_high:ident
    ) => {
        impl U64 for $name {
            const LANES: usize = $count;

            #[inline(always)]
            fn splat(word: u64) -> Self {
                // SAFETY: see the module; so in all of these.
                Self(unsafe { $set1(word as i64) })
            }

            #[inline(always)]
            fn load(words: &[u64]) -> Self {
                let words: &[u64; $count] = words.first_chunk().expect("a word for each lane");
                // SAFETY: the array is as long as the register, and the load asks for no alignment.
                Self(unsafe { $loadu(words.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self, words: &mut [u64]) {
                let words: &mut [u64; $count] = words.first_chunk_mut().expect("a word for each lane");
                // SAFETY: the array is as long as the register, and the store asks for no alignment.
                unsafe { $storeu(words.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn load_le(bytes: &[u8]) -> Self {
                let bytes: &[u8; 8 * $count] = bytes.first_chunk().expect("a word for each lane");
                // SAFETY: the array is as long as the register, and the load asks for no alignment.
                Self(unsafe { $loadu(bytes.as_ptr().cast()) })
            }

            #[inline(always)]
            fn load_u32_le(bytes: &[u8]) -> Self {
                let bytes: &[u8; 4 * $count] = bytes.first_chunk().expect("a word for each lane");
                // SAFETY: as above.
                Self(unsafe { $load_u32(bytes) })
            }

            #[inline(always)]
            fn load_blocks_be(blocks: &[&[u8; 128]]) -> [Self; 16] {
                // SAFETY: as above.
                unsafe { $load_blocks(blocks) }
            }

            #[inline(always)]
            fn load_columns(rows: &[[u64; 4]]) -> [Self; 4] {
                Self::load_transposed(rows)
            }

            binary!(
                add: $add,
                sub: $sub,
                mul_low32: $mul,
                mul_low32_signed: $mul_signed,
                and: $and,
                or: $or,
                xor: $xor,
                shr_each: $srlv,
            );

            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<{ table::XOR3 }>(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn choose(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<{ table::CHOOSE }>(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn majority(self, b: Self, c: Self, _differences: &mut Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<{ table::MAJORITY }>(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn chi(self, b: Self, c: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $ternary::<{ table::CHI }>(self.0, b.0, c.0) })
            }

            #[inline(always)]
            fn shl_by(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sll(self.0, _mm_cvtsi32_si128(bits as i32)) })
            }

            #[inline(always)]
            fn shr_by(self, bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $srl(self.0, _mm_cvtsi32_si128(bits as i32)) })
            }

            // The shifts by an immediate disagree on the type of the count; the constant vector becomes the
            // immediate.
            #[inline(always)]
            fn shl<const BITS: i32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sllv(self.0, $set1(BITS as i64)) })
            }

            #[inline(always)]
            fn shr<const BITS: i32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $srlv(self.0, $set1(BITS as i64)) })
            }

            #[inline(always)]
            fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
                const { assert!(LEFT + RIGHT == 64) };
                // SAFETY: as above.
                Self(unsafe { $rol::<LEFT>(self.0) })
            }

            #[inline(always)]
            fn sign(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $movm($movepi(self.0)) })
            }

            #[inline(always)]
            fn below(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $movm($cmplt(self.0, other.0)) })
            }

            #[inline(always)]
            fn highest_bits(self) -> u32 {
                // SAFETY: as above.
                unsafe { u32::from($movepi(self.0)) }
            }

            #[inline(always)]
            fn opaque(self) -> Self {
                #[inline]
                #[target_feature(enable = "avx512f,avx512vl")]
                fn opaque(mut value: $vector) -> $vector {
                    // SAFETY: no instruction.
                    unsafe {
                        asm!("/* {0} */", inout($register) value,
                            options(pure, nomem, nostack, preserves_flags));
                    }
                    value
                }
                // SAFETY: as above.
                Self(unsafe { opaque(self.0) })
            }
        }

        impl Groups for $name {
            type Lanes = __mmask8;
            type Order = Self;

            #[inline(always)]
            fn load_transposed(rows: &[[u64; 4]]) -> [Self; 4] {
                // SAFETY: see the module.
                unsafe { $transpose(rows) }
            }

            #[inline(always)]
            fn permute<const ORDER: i32>(self) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $permute::<ORDER>(self.0) })
            }

            #[inline(always)]
            fn order<const A: i32, const B: i32>(choice: Mask<u64>) -> Self {
                Self::select(
                    Self::load(&const { order_words(A) }),
                    Self::load(&const { order_words(B) }),
                    choice.word() as u8,
                )
            }

            #[inline(always)]
            fn permute_by(self, order: Self) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $permute_by(order.0, self.0) })
            }

            #[inline(always)]
            fn swap_groups(self) -> Self {
                $swap(self)
            }

            #[inline(always)]
            fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $blend(LANES * $group, a.0, b.0) })
            }

            #[inline(always)]
            fn lanes(bits: u8) -> __mmask8 {
                bits
            }

            #[inline(always)]
            fn select(a: Self, b: Self, lanes: __mmask8) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $blend(lanes, a.0, b.0) })
            }
        }

        whole!($name, Avx512);

        impl MulAdd52 for $name {
            #[inline(always)]
            fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $mul_add_low(accumulator.0, a.0, b.0) })
            }

            #[inline(always)]
            fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $mul_add_high(accumulator.0, a.0, b.0) })
            }
        }
    };
}

words!(
    U64x4,
    ymm_reg,
    __m256i,
    4,
    0x1,
    four_blocks,
    transpose_four,
    core::convert::identity,
    _mm256_set1_epi64x,
    _mm256_loadu_epi64,
    _mm256_storeu_epi64,
    four_halves,
    _mm256_add_epi64,
    _mm256_sub_epi64,
    _mm256_mul_epu32,
    _mm256_mul_epi32,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_xor_si256,
    _mm256_ternarylogic_epi64,
    _mm256_sllv_epi64,
    _mm256_srlv_epi64,
    _mm256_sll_epi64,
    _mm256_srl_epi64,
    _mm256_rol_epi64,
    _mm256_cmplt_epi64_mask,
    _mm256_movm_epi64,
    _mm256_movepi64_mask,
    _mm256_permute4x64_epi64,
    _mm256_permutexvar_epi64,
    _mm256_mask_blend_epi64,
    _mm256_madd52lo_epu64,
    _mm256_madd52hi_epu64
);

words!(
    U64x8,
    zmm_reg,
    __m512i,
    8,
    0x11,
    eight_blocks,
    transpose_eight,
    swap_halves,
    _mm512_set1_epi64,
    _mm512_loadu_epi64,
    _mm512_storeu_epi64,
    eight_halves,
    _mm512_add_epi64,
    _mm512_sub_epi64,
    _mm512_mul_epu32,
    _mm512_mul_epi32,
    _mm512_and_si512,
    _mm512_or_si512,
    _mm512_xor_si512,
    _mm512_ternarylogic_epi64,
    _mm512_sllv_epi64,
    _mm512_srlv_epi64,
    _mm512_sll_epi64,
    _mm512_srl_epi64,
    _mm512_rol_epi64,
    _mm512_cmplt_epi64_mask,
    _mm512_movm_epi64,
    _mm512_movepi64_mask,
    _mm512_permutex_epi64,
    _mm512_permutexvar_epi64,
    _mm512_mask_blend_epi64,
    _mm512_madd52lo_epu64,
    _mm512_madd52hi_epu64
);

#[inline(always)]
fn swap_halves(a: U64x8) -> U64x8 {
    // SAFETY: see the module.
    U64x8(unsafe { _mm512_shuffle_i64x2::<0b01_00_11_10>(a.0, a.0) })
}

/// # Safety
///
/// The processor has AVX-512.
#[inline(always)]
unsafe fn four_halves(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: the array has 16 bytes, and the load asks for no alignment.
    unsafe { _mm256_cvtepu32_epi64(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// # Safety
///
/// The processor has AVX-512.
#[inline(always)]
unsafe fn eight_halves(bytes: &[u8; 32]) -> __m512i {
    // SAFETY: the array has 32 bytes, and the load asks for no alignment.
    unsafe { _mm512_cvtepu32_epi64(_mm256_loadu_si256(bytes.as_ptr().cast())) }
}

/// # Safety
///
/// The processor has AVX-512.
#[inline(always)]
unsafe fn transpose_four(rows: &[[u64; 4]]) -> [U64x4; 4] {
    // SAFETY: the caller has AVX-512.
    let [a, b, c, d] = unsafe { transpose4(load_rows(rows)) };
    [U64x4(a), U64x4(b), U64x4(c), U64x4(d)]
}

/// Eight rows of four words: as four, in each half.
///
/// # Safety
///
/// The processor has AVX-512.
#[inline(always)]
unsafe fn transpose_eight(rows: &[[u64; 4]]) -> [U64x8; 4] {
    // SAFETY: the caller has AVX-512.
    unsafe {
        let (low, high) = (load_rows(rows), load_rows(&rows[4..]));
        macro_rules! row {
            ($i:literal) => {
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low[$i]), high[$i])
            };
        }
        let (even01, odd01) = (
            _mm512_unpacklo_epi64(row!(0), row!(1)),
            _mm512_unpackhi_epi64(row!(0), row!(1)),
        );
        let (even23, odd23) = (
            _mm512_unpacklo_epi64(row!(2), row!(3)),
            _mm512_unpackhi_epi64(row!(2), row!(3)),
        );
        let low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        [
            U64x8(_mm512_permutex2var_epi64(even01, low, even23)),
            U64x8(_mm512_permutex2var_epi64(odd01, low, odd23)),
            U64x8(_mm512_permutex2var_epi64(even01, high, even23)),
            U64x8(_mm512_permutex2var_epi64(odd01, high, odd23)),
        ]
    }
}

/// # Safety
///
/// The processor has AVX-512.
#[inline(always)]
unsafe fn four_blocks(blocks: &[&[u8; 128]]) -> [U64x4; 16] {
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
unsafe fn eight_blocks(blocks: &[&[u8; 128]]) -> [U64x8; 16] {
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
unsafe fn load_half(blocks: &[&[u8; 128]], half: usize) -> [__m512i; 8] {
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

// ---------------------------------------------------------------- u32

/// Sixteen words.
#[derive(Clone, Copy)]
pub(crate) struct U32x16(__m512i);

impl Each for U64x8 {
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm512_sllv_epi64(self.0, counts.0) })
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm512_lzcnt_epi64(self.0) })
    }
}

impl Rows for U32x16 {
    #[inline(always)]
    fn spread([a, b, c, d]: [u32; 4]) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm512_set4_epi32(d as i32, c as i32, b as i32, a as i32) })
    }

    #[inline(always)]
    fn new(words: [u32; 16]) -> Self {
        // SAFETY: the array is as long as the register, and the load asks for no alignment.
        Self(unsafe { _mm512_loadu_epi32(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store_le(self, bytes: &mut [u8; 64]) {
        // SAFETY: the array is as long as the register, and the store asks for no alignment.
        unsafe { _mm512_storeu_epi32(bytes.as_mut_ptr().cast(), self.0) }
    }

    binary!(
        add: _mm512_add_epi32,
        xor: _mm512_xor_si512,
    );

    #[inline(always)]
    fn rotate_left<const LEFT: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_rol_epi32::<LEFT>(self.0) })
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_shuffle_epi32::<ORDER>(self.0) })
    }

    #[inline(always)]
    fn compact_below(words: &[u16; 16], limit: u16, to: &mut [u16; 16]) -> usize {
        // SAFETY: both arrays are as long as the half register, and load and store ask for no alignment.
        unsafe {
            let words = _mm512_cvtepu16_epi32(_mm256_loadu_epi16(words.as_ptr().cast()));
            let below = _mm512_cmplt_epu32_mask(words, _mm512_set1_epi32(limit.into()));
            let front = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(below, words));
            _mm256_storeu_epi16(to.as_mut_ptr().cast(), front);
            below.count_ones() as usize
        }
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: as above.
        unsafe { transpose_pairs(a.0, b.0, c.0, d.0) }.map(Self)
    }
}

// ---------------------------------------------------------------- f64

/// Eight values.
#[derive(Clone, Copy)]
pub(crate) struct F64x8(__m512d);

macro_rules! operator {
    ($($trait:ident $method:ident $intrinsic:ident;)+) => {$(
        impl $trait for F64x8 {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module; so in all of these.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )+};
}

operator! {
    Add add _mm512_add_pd;
    Sub sub _mm512_sub_pd;
    Mul mul _mm512_mul_pd;
}

impl Neg for F64x8 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm512_xor_pd(self.0, _mm512_set1_pd(-0.0)) })
    }
}

/// Of sixteen values in two registers, which a register gets: for groups of `d` values the groups whose number
/// has the remainder `odd` modulo 2.
const fn unzipped(d: u64, odd: u64) -> [u64; 8] {
    let mut from = [0; 8];
    let mut i = 0;
    while i < 8 {
        from[i as usize] = i / d * 2 * d + odd * d + i % d;
        i += 1;
    }
    from
}

/// The inverse: value `first` + i comes from the even groups in one register and the odd ones in the other.
const fn zipped(d: u64, first: u64) -> [u64; 8] {
    let mut from = [0; 8];
    let mut i = 0;
    while i < 8 {
        let place = first + i;
        let group = place / d;
        from[i as usize] = group / 2 * d + place % d + if group % 2 == 1 { 8 } else { 0 };
        i += 1;
    }
    from
}

#[inline(always)]
fn two_sources(a: F64x8, from: &[u64; 8], b: F64x8) -> F64x8 {
    // SAFETY: see the module.
    F64x8(unsafe { _mm512_permutex2var_pd(a.0, U64x8::load(from).0, b.0) })
}

impl F64 for F64x8 {
    type Real = f64;
    type Pack = [f64; 8];
    type Half = super::avx2::F64x4;
    type Words = U64x8;

    const LANES: usize = 8;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        <Avx512 as Isa>::outline(task)
    }

    #[inline(always)]
    fn packs(values: &[f64]) -> &[[f64; 8]] {
        values.as_chunks().0
    }

    #[inline(always)]
    fn packs_mut(values: &mut [f64]) -> &mut [[f64; 8]] {
        values.as_chunks_mut().0
    }

    #[inline(always)]
    fn load(pack: &[f64; 8]) -> Self {
        // SAFETY: eight values are there to read.
        Self(unsafe { _mm512_loadu_pd(pack.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, pack: &mut [f64; 8]) {
        // SAFETY: eight values are there to write.
        unsafe { _mm512_storeu_pd(pack.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_div_pd(self.0, divisor.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn round_down(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_roundscale_pd::<0b1001>(self.0) })
    }

    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1 || D == 2);
        (
            two_sources(a, &const { unzipped(D as u64, 0) }, b),
            two_sources(a, &const { unzipped(D as u64, 1) }, b),
        )
    }

    #[inline(always)]
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
        debug_assert!(D == 1 || D == 2);
        (
            two_sources(even, &const { zipped(D as u64, 0) }, odd),
            two_sources(even, &const { zipped(D as u64, 8) }, odd),
        )
    }

    #[inline(always)]
    fn load_repeated<const D: usize>(values: &[f64]) -> Self {
        debug_assert!(D == 1 || D == 2);
        if D == 1 {
            return Self::load(&Self::packs(&values[..8])[0]);
        }
        let mut repeated = [0.0; 8];
        for (i, value) in repeated.iter_mut().enumerate() {
            *value = values[i / 2];
        }
        Self::load(&repeated)
    }

    #[inline(always)]
    fn alternate([a, b]: [f64; 2], first: usize) -> Self {
        debug_assert!(first.is_multiple_of(2));
        // SAFETY: as above.
        Self(unsafe { _mm512_setr_pd(a, b, a, b, a, b, a, b) })
    }

    #[inline(always)]
    fn to_words(self) -> U64x8 {
        // SAFETY: as above.
        U64x8(unsafe { _mm512_castpd_si512(self.0) })
    }

    #[inline(always)]
    fn from_words(words: U64x8) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_castsi512_pd(words.0) })
    }
}
