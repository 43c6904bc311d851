//! AVX2 and FMA: registers of 256 bits.
//!
//! Soundness: the types here are reached through [`Isa`] alone, in operations that [`crate::Avx2::enter`] or
//! [`crate::Avx512Ifma::enter`] runs, so where the processor has AVX2 and FMA. That is the reason of every `unsafe` that calls an
//! intrinsic; those with pointers say what they read or write.
#![allow(unsafe_code)]

use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::ops::{Add, BitOr, BitXor, Mul, Neg, Sub};

use super::whole;
use crate::vector::{F64, Groups, I16, I64, MulAddF64, Plain, U32, U64, binary};
use crate::{Isa, Mask, Task};

/// AVX2, and FMA, which all processors with AVX2 have but for a few of VIA's.
pub(crate) struct Avx2;

impl super::Sealed for Avx2 {}

impl Isa for Avx2 {
    const NAME: &'static str = "avx2";
    type U64 = U64x4;
    type U64x4 = U64x4;
    type U32x4 = super::portable::Words32;
    type Pairs = super::portable::Words32;
    type I16 = I16x16;
    type U32 = U32x8;
    type I64 = I64x4;
    type F64 = F64x4;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        #[inline(never)]
        #[target_feature(enable = "avx2,fma")]
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
    fn load_columns(rows: &[[u64; 4]]) -> [Self; 4] {
        Self::load_transposed(rows)
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
        mul_low32_signed: _mm256_mul_epi32,
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
    fn shl_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
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
    fn sign(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_cmpgt_epi64(_mm256_setzero_si256(), self.0) })
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

impl super::Fma for Avx2 {}

impl MulAddF64 for U64x4 {
    #[inline(always)]
    fn mul_add_anchor(a: Self, b: Self, anchor: Self) -> Self {
        Self::mul_add_exact(a, b, anchor)
    }

    #[inline(always)]
    fn mul_add_exact(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: see the module.
        Self(unsafe {
            let (a, b) = (_mm256_castsi256_pd(a.0), _mm256_castsi256_pd(b.0));
            _mm256_castpd_si256(_mm256_fmadd_pd(a, b, _mm256_castsi256_pd(c.0)))
        })
    }

    #[inline(always)]
    fn add_exact(self, other: Self) -> Self {
        // SAFETY: see the module.
        Self(unsafe {
            let (a, b) = (_mm256_castsi256_pd(self.0), _mm256_castsi256_pd(other.0));
            _mm256_castpd_si256(_mm256_add_pd(a, b))
        })
    }

    #[inline(always)]
    fn sub_exact(self, other: Self) -> Self {
        // SAFETY: see the module.
        Self(unsafe {
            let (a, b) = (_mm256_castsi256_pd(self.0), _mm256_castsi256_pd(other.0));
            _mm256_castpd_si256(_mm256_sub_pd(a, b))
        })
    }

    #[inline(always)]
    fn in_order(self) -> Self {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn in_order(mut value: __m256i) -> __m256i {
            // SAFETY: no instruction. Not `pure`: such blocks keep their order.
            unsafe {
                asm!("/* {0} */", inout(ymm_reg) value, options(nomem, nostack, preserves_flags));
            }
            value
        }
        // SAFETY: see the module.
        Self(unsafe { in_order(self.0) })
    }
}

// ---------------------------------------------------------------- f64

/// Four values.
#[derive(Clone, Copy)]
pub(crate) struct F64x4(__m256d);

impl Add for F64x4 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm256_add_pd(self.0, other.0) })
    }
}

impl Sub for F64x4 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm256_sub_pd(self.0, other.0) })
    }
}

impl Mul for F64x4 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm256_mul_pd(self.0, other.0) })
    }
}

impl Neg for F64x4 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}

impl F64 for F64x4 {
    type Real = f64;
    type Pack = [f64; 4];
    type Half = super::sse2::F64x2;
    type Words = U64x4;

    const LANES: usize = 4;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        <Avx2 as Isa>::outline(task)
    }

    #[inline(always)]
    fn packs(values: &[f64]) -> &[[f64; 4]] {
        values.as_chunks().0
    }

    #[inline(always)]
    fn packs_mut(values: &mut [f64]) -> &mut [[f64; 4]] {
        values.as_chunks_mut().0
    }

    #[inline(always)]
    fn load(pack: &[f64; 4]) -> Self {
        // SAFETY: four values are there to read.
        Self(unsafe { _mm256_loadu_pd(pack.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, pack: &mut [f64; 4]) {
        // SAFETY: four values are there to write.
        unsafe { _mm256_storeu_pd(pack.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_div_pd(self.0, divisor.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn round_down(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_floor_pd(self.0) })
    }

    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1 || D == 2);
        // SAFETY: as above.
        unsafe {
            let low = _mm256_permute2f128_pd::<0x20>(a.0, b.0);
            let high = _mm256_permute2f128_pd::<0x31>(a.0, b.0);
            if D == 2 {
                return (Self(low), Self(high));
            }
            // (a0, a1, b0, b1) and (a2, a3, b2, b3): the evens are a0, a2, b0, b2.
            (
                Self(_mm256_unpacklo_pd(low, high)),
                Self(_mm256_unpackhi_pd(low, high)),
            )
        }
    }

    #[inline(always)]
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
        debug_assert!(D == 1 || D == 2);
        // SAFETY: as above.
        unsafe {
            let (low, high) = match D {
                2 => (even.0, odd.0),
                _ => (
                    _mm256_unpacklo_pd(even.0, odd.0),
                    _mm256_unpackhi_pd(even.0, odd.0),
                ),
            };
            (
                Self(_mm256_permute2f128_pd::<0x20>(low, high)),
                Self(_mm256_permute2f128_pd::<0x31>(low, high)),
            )
        }
    }

    #[inline(always)]
    fn load_repeated<const D: usize>(values: &[f64]) -> Self {
        debug_assert!(D == 1 || D == 2);
        if D == 1 {
            return Self::load(&Self::packs(&values[..4])[0]);
        }
        // SAFETY: as above.
        Self(unsafe { _mm256_setr_pd(values[0], values[0], values[1], values[1]) })
    }

    #[inline(always)]
    fn alternate(values: [f64; 2], first: usize) -> Self {
        debug_assert!(first.is_multiple_of(2));
        // SAFETY: as above.
        Self(unsafe { _mm256_setr_pd(values[0], values[1], values[0], values[1]) })
    }

    #[inline(always)]
    fn to_words(self) -> U64x4 {
        // SAFETY: as above.
        U64x4(unsafe { _mm256_castpd_si256(self.0) })
    }

    #[inline(always)]
    fn from_words(words: U64x4) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_castsi256_pd(words.0) })
    }
}

// ---------------------------------------------------------------- u32, i64

/// The halves of 128 bits: the lower ones of a and b, and the upper ones.
#[inline(always)]
fn halves(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // SAFETY: see the module; so in all of these.
    unsafe {
        (
            _mm256_permute2x128_si256::<0x20>(a, b),
            _mm256_permute2x128_si256::<0x31>(a, b),
        )
    }
}

/// Exchanges the two middle quarters.
#[inline(always)]
fn swap_middle(a: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe { _mm256_permute4x64_epi64::<0xd8>(a) }
}

/// Quarters: the even ones of a, then of b, and the odd ones.
#[inline(always)]
fn quarters(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // SAFETY: as above.
    unsafe {
        (
            swap_middle(_mm256_unpacklo_epi64(a, b)),
            swap_middle(_mm256_unpackhi_epi64(a, b)),
        )
    }
}

/// The inverse of `quarters`.
#[inline(always)]
fn quarters_back(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (a, b) = (swap_middle(a), swap_middle(b));
    // SAFETY: as above.
    unsafe { (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)) }
}

/// Eighths: the even ones of a, then of b, and the odd ones.
#[inline(always)]
fn eighths(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // SAFETY: as above.
    unsafe {
        let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
        (
            swap_middle(_mm256_castps_si256(_mm256_shuffle_ps::<0x88>(a, b))),
            swap_middle(_mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(a, b))),
        )
    }
}

/// The inverse of `eighths`.
#[inline(always)]
fn eighths_back(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (a, b) = (swap_middle(a), swap_middle(b));
    // SAFETY: as above.
    unsafe { (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)) }
}

/// Eight words of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct U32x8(__m256i);

impl U32 for U32x8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_epi32(word as i32) })
    }

    #[inline(always)]
    fn load(words: &[u32]) -> Self {
        let words: &[u32; 8] = words.first_chunk().expect("eight words");
        // SAFETY: the array has 32 bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words: &mut [u32; 8] = words.first_chunk_mut().expect("eight words");
        // SAFETY: the array has 32 bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self) {
        let (first, second) = match t {
            4 => halves(a.0, b.0),
            2 => quarters(a.0, b.0),
            _ => eighths(a.0, b.0),
        };
        (Self(first), Self(second))
    }

    #[inline(always)]
    fn zip(first: Self, second: Self, t: usize) -> (Self, Self) {
        let (a, b) = match t {
            4 => halves(first.0, second.0),
            2 => quarters_back(first.0, second.0),
            _ => eighths_back(first.0, second.0),
        };
        (Self(a), Self(b))
    }

    #[inline(always)]
    fn spread(words: &[u32], t: usize) -> Self {
        match t {
            // SAFETY: as above.
            4 => Self(unsafe {
                _mm256_setr_m128i(
                    _mm_set1_epi32(words[0] as i32),
                    _mm_set1_epi32(words[1] as i32),
                )
            }),
            2 => {
                let words: &[u32; 4] = words.first_chunk().expect("four words");
                // SAFETY: the array has 16 bytes, and the load asks for no alignment.
                Self(unsafe {
                    let four = _mm_loadu_si128(words.as_ptr().cast());
                    let from = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
                    _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(four), from)
                })
            }
            _ => Self::load(words),
        }
    }

    binary!(add: _mm256_add_epi32, sub: _mm256_sub_epi32);

    #[inline(always)]
    fn subtract_once(self, p: Self) -> Self {
        // Minus p it is smaller, or wraps to something larger.
        // SAFETY: as above.
        Self(unsafe { _mm256_min_epu32(self.0, self.sub(p).0) })
    }

    #[inline(always)]
    fn add_to_negative(self, p: Self) -> Self {
        // A negative number is large as an unsigned one, and plus p wraps to something smaller.
        // SAFETY: as above.
        Self(unsafe { _mm256_min_epu32(self.0, self.add(p).0) })
    }

    #[inline(always)]
    fn subtract_from_upper_half(self, p: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let above = _mm256_cmpgt_epi32(self.0, _mm256_srli_epi32::<1>(p.0));
            _mm256_sub_epi32(self.0, _mm256_and_si256(p.0, above))
        })
    }

    #[inline(always)]
    fn difference_of_halves(self, other: Self, p: Self, inverse: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            // The even lanes, then the odd ones: ab minus the multiple of p with the same low half.
            macro_rules! difference {
                ($a:expr, $b:expr) => {{
                    let product = _mm256_mul_epu32($a, $b);
                    let multiple = _mm256_mul_epu32(_mm256_mul_epu32(product, inverse.0), p.0);
                    _mm256_sub_epi64(product, multiple)
                }};
            }
            let even = difference!(self.0, other.0);
            let odd = difference!(
                _mm256_srli_epi64::<32>(self.0),
                _mm256_srli_epi64::<32>(other.0)
            );
            _mm256_blend_epi32::<0xaa>(_mm256_srli_epi64::<32>(even), odd)
        })
    }
}

/// Four words of 64 bits in two's complement.
#[derive(Clone, Copy)]
pub(crate) struct I64x4(__m256i);

impl I64 for I64x4 {
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(word: i64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_epi64x(word) })
    }

    #[inline(always)]
    fn load(words: &[i64]) -> Self {
        let words: &[i64; 4] = words.first_chunk().expect("four words");
        // SAFETY: the array has 32 bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [i64]) {
        let words: &mut [i64; 4] = words.first_chunk_mut().expect("four words");
        // SAFETY: the array has 32 bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self) {
        let (first, second) = match t {
            2 => halves(a.0, b.0),
            _ => quarters(a.0, b.0),
        };
        (Self(first), Self(second))
    }

    #[inline(always)]
    fn zip(first: Self, second: Self, t: usize) -> (Self, Self) {
        let (a, b) = match t {
            2 => halves(first.0, second.0),
            _ => quarters_back(first.0, second.0),
        };
        (Self(a), Self(b))
    }

    #[inline(always)]
    fn spread(words: &[i64], t: usize) -> Self {
        match t {
            // SAFETY: as above.
            2 => Self(unsafe { _mm256_setr_epi64x(words[0], words[0], words[1], words[1]) }),
            _ => Self::load(words),
        }
    }

    binary!(
        add: _mm256_add_epi64,
        sub: _mm256_sub_epi64,
        or: _mm256_or_si256,
        xor: _mm256_xor_si256,
    );

    #[inline(always)]
    fn mul_fixed32(self, other: Self) -> Self {
        // a = a1 2^32 + a0, where a negative a is its unsigned reading minus 2^64.
        // SAFETY: as above.
        Self(unsafe {
            let (a0, b0) = (self.0, other.0);
            let (a1, b1) = (_mm256_srli_epi64::<32>(a0), _mm256_srli_epi64::<32>(b0));
            let excess = _mm256_add_epi64(
                _mm256_and_si256(a0, other.sign().0),
                _mm256_and_si256(b0, self.sign().0),
            );
            let high = _mm256_slli_epi64::<32>(_mm256_sub_epi64(_mm256_mul_epu32(a1, b1), excess));
            let low = _mm256_srli_epi64::<32>(_mm256_mul_epu32(a0, b0));
            let cross = _mm256_add_epi64(_mm256_mul_epu32(a0, b1), _mm256_mul_epu32(a1, b0));
            _mm256_add_epi64(_mm256_add_epi64(low, cross), high)
        })
    }

    #[inline(always)]
    fn half_up(self) -> Self {
        // With the sign bit flipped, a logical shift serves.
        self.add(Self::splat(i64::MIN + 1))
            .shr::<1>()
            .sub(Self::splat(1 << 62))
    }

    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
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
    fn sign(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_cmpgt_epi64(_mm256_setzero_si256(), self.0) })
    }

    #[inline(always)]
    fn choose_by_sign(self, negative: Self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            _mm256_castpd_si256(_mm256_blendv_pd(
                _mm256_castsi256_pd(other.0),
                _mm256_castsi256_pd(negative.0),
                _mm256_castsi256_pd(self.0),
            ))
        })
    }
}

// ---------------------------------------------------------------- i16

/// Sixteen integers.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct I16x16(__m256i);

impl I16 for I16x16 {
    const LANES: usize = 16;

    #[inline(always)]
    fn vectors(integers: &mut [i16]) -> &mut [Self] {
        // SAFETY: a vector is its integers, whatever they are.
        unsafe { crate::memory::recast_mut(integers) }
    }

    #[inline(always)]
    fn splat(value: i16) -> Self {
        // SAFETY: see the module; so in all of these.
        Self(unsafe { _mm256_set1_epi16(value) })
    }

    #[inline(always)]
    fn load(from: &[i16]) -> Self {
        let from: &[i16; 16] = from.first_chunk().expect("sixteen integers");
        // SAFETY: the array has 32 bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [i16]) {
        let to: &mut [i16; 16] = to.first_chunk_mut().expect("sixteen integers");
        // SAFETY: the array has 32 bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }

    binary!(
        add: _mm256_add_epi16,
        sub: _mm256_sub_epi16,
        mul_low: _mm256_mullo_epi16,
        mul_high: _mm256_mulhi_epi16,
    );

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srai_epi16::<BITS>(self.0) })
    }

    #[inline(always)]
    fn unpack_14(bytes: &[u8], from_top: bool, fields: &mut [u16]) -> usize {
        // Four fields fill seven bytes: they begin in bytes 0, 1, 3 and 5, at bits 0, 6, 4 and 2. Each is cut out of four
        // bytes.
        let shuffle: [i8; 16] = if from_top {
            [3, 2, 1, 0, 4, 3, 2, 1, 6, 5, 4, 3, 8, 7, 6, 5]
        } else {
            [0, 1, 2, 3, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8]
        };
        let places: [i32; 4] = if from_top {
            [18, 12, 14, 16]
        } else {
            [0, 6, 4, 2]
        };
        let mut done = 0;
        for fields in fields.as_chunks_mut::<16>().0 {
            let bytes: Option<&[u8; 37]> = bytes.get(done / 4 * 7..).and_then(<[u8]>::first_chunk);
            let Some(bytes) = bytes else { break };
            // SAFETY: the loads of sixteen bytes begin at 0, 7, 14 and 21 of 37, those of the constants and the store are as
            // long as what they read and write, and none asks for alignment.
            unsafe {
                let shuffle = _mm256_broadcastsi128_si256(_mm_loadu_si128(shuffle.as_ptr().cast()));
                let places = _mm256_broadcastsi128_si256(_mm_loadu_si128(places.as_ptr().cast()));
                let two_groups = |first: usize, second: usize| {
                    let groups = _mm256_loadu2_m128i(
                        bytes.as_ptr().add(7 * second).cast(),
                        bytes.as_ptr().add(7 * first).cast(),
                    );
                    let words = _mm256_srlv_epi32(_mm256_shuffle_epi8(groups, shuffle), places);
                    _mm256_and_si256(words, _mm256_set1_epi32(0x3fff))
                };
                // Packing takes the halves in turn.
                let packed = _mm256_packus_epi32(two_groups(0, 2), two_groups(1, 3));
                _mm256_storeu_si256(fields.as_mut_ptr().cast(), packed);
            }
            done += 16;
        }
        done
    }

    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let square: &mut [Self; 16] = square.try_into().expect("sixteen vectors");
        // Write an element's place as the bits of its row, then of its column. Interleaving rows i and
        // i + 8 rotates all bits but the one that tells the 128-bit halves apart: four times, and
        // the places of rows and columns have changed but for the two highest bits, which are
        // a row's lowest bit and the half by then.
        // SAFETY: as above.
        unsafe {
            let mut rows = square.map(|row| row.0);
            for _ in 0..4 {
                let last = rows;
                for i in 0..8 {
                    rows[2 * i] = _mm256_unpacklo_epi16(last[i], last[i + 8]);
                    rows[2 * i + 1] = _mm256_unpackhi_epi16(last[i], last[i + 8]);
                }
            }
            for i in 0..8 {
                let (even, odd) = (rows[2 * i], rows[2 * i + 1]);
                square[i] = Self(_mm256_permute2x128_si256::<0x20>(even, odd));
                square[i + 8] = Self(_mm256_permute2x128_si256::<0x31>(even, odd));
            }
        }
    }
}
