//! SSE2: registers of 128 bits. Part of x86-64, and of the 32-bit targets that this file is compiled for.
#![allow(unsafe_code)] // Intrinsics.

use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::ops::{Add, Mul, Neg, Sub};

use super::pair::{Half, Pair};
use crate::vector::{F64, Plain, U64, binary};
use crate::{Isa, Task};

/// SSE2.
pub(crate) struct Sse2;

impl super::Sealed for Sse2 {}

impl Isa for Sse2 {
    const NAME: &'static str = "sse2";
    type U64 = U64x2;
    type U32x4 = super::portable::Words32;
    type Pairs = super::portable::Words32;
    type U64x4 = Pair<U64x2>;
    type I16 = super::portable::Single;
    type U32 = u32;
    type I64 = i64;
    type F64 = F64x2;

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

// ---------------------------------------------------------------- u64

/// Two words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x2(__m128i);

// SAFETY: a register is two words.
unsafe impl Plain for U64x2 {}

impl U64 for U64x2 {
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: the target has SSE2; so in all of these.
        Self(unsafe { _mm_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let words: &[u64; 2] = words.first_chunk().expect("two words");
        // SAFETY: the array has 16 bytes, and the load asks for no alignment.
        Self(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 2] = words.first_chunk_mut().expect("two words");
        // SAFETY: the array has 16 bytes, and the store asks for no alignment.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("two words");
        // SAFETY: the array has 16 bytes, and the load asks for no alignment.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_u32_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 8] = bytes.first_chunk().expect("two words");
        // SAFETY: the array has 8 bytes, and the load asks for no alignment.
        unsafe {
            let words = _mm_loadl_epi64(bytes.as_ptr().cast());
            Self(_mm_unpacklo_epi32(words, _mm_setzero_si128()))
        }
    }

    binary!(
        add: _mm_add_epi64,
        sub: _mm_sub_epi64,
        mul_low32: _mm_mul_epu32,
        and: _mm_and_si128,
        or: _mm_or_si128,
        xor: _mm_xor_si128,
    );

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // SAFETY: as above.
        self.xor(Self(unsafe { _mm_andnot_si128(b.0, c.0) }))
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_slli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_srli_epi64::<BITS>(self.0) })
    }

    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sll_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_srl_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            // The instruction takes its one count from the low word.
            let low = _mm_srl_epi64(self.0, counts.0);
            let high = _mm_srl_epi64(self.0, _mm_unpackhi_epi64(counts.0, counts.0));
            let (low, high) = (_mm_castsi128_pd(low), _mm_castsi128_pd(high));
            Self(_mm_castpd_si128(_mm_shuffle_pd::<0b10>(low, high)))
        }
    }

    #[inline(always)]
    fn sign(self) -> Self {
        // That of the higher half, in both halves.
        // SAFETY: as above.
        unsafe {
            let signs = _mm_srai_epi32::<31>(self.0);
            Self(_mm_shuffle_epi32::<0b11_11_01_01>(signs))
        }
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self {
        self.sub(other).sign()
    }

    #[inline(always)]
    fn count_below(self, other: Self, sum: Self) -> Self {
        // The borrow of the difference.
        sum.add(self.sub(other).shr::<63>())
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        // SAFETY: as above.
        unsafe { _mm_movemask_pd(_mm_castsi128_pd(self.0)) as u32 }
    }

    // With eight registers, compilers move what they multiply from place to place.
    #[cfg(all(target_arch = "x86", not(miri)))]
    #[inline(always)]
    fn add_product_at<const I: usize, const J: usize>(self, a: &[Self], b: &[Self]) -> Self {
        #[inline]
        #[target_feature(enable = "sse2")]
        fn add_product<const I: usize, const J: usize>(
            mut sum: __m128i,
            a: &[U64x2],
            b: &[U64x2],
        ) -> __m128i {
            assert!(I < a.len() && J < b.len());
            // SAFETY: reads element I of `a` and element J of `b`, which are there, and aligned; touches the
            // registers that are declared.
            unsafe {
                asm!(
                    "movdqa {factor}, [{a} + {i}]",
                    "pmuludq {factor}, [{b} + {j}]",
                    "paddq {sum}, {factor}",
                    a = in(reg) a.as_ptr(),
                    b = in(reg) b.as_ptr(),
                    i = const 16 * I,
                    j = const 16 * J,
                    factor = out(xmm_reg) _,
                    sum = inout(xmm_reg) sum,
                    options(pure, readonly, nostack, preserves_flags)
                );
            }
            sum
        }
        // SAFETY: as above.
        Self(unsafe { add_product::<I, J>(self.0, a, b) })
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        #[inline]
        #[target_feature(enable = "sse2")]
        fn opaque(mut value: __m128i) -> __m128i {
            // SAFETY: no instruction.
            unsafe {
                asm!("/* {0} */", inout(xmm_reg) value,
                    options(pure, nomem, nostack, preserves_flags));
            }
            value
        }
        // SAFETY: as above.
        Self(unsafe { opaque(self.0) })
    }
}

impl Half for U64x2 {
    type Isa = Sse2;

    #[inline(always)]
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let (a, b) = (_mm_castsi128_pd(a.0), _mm_castsi128_pd(b.0));
            _mm_castpd_si128(match (i, j) {
                (0, 0) => _mm_shuffle_pd::<0b00>(a, b),
                (_, 0) => _mm_shuffle_pd::<0b01>(a, b),
                (0, _) => _mm_shuffle_pd::<0b10>(a, b),
                _ => _mm_shuffle_pd::<0b11>(a, b),
            })
        })
    }
}

// ---------------------------------------------------------------- f64

/// Two values.
#[derive(Clone, Copy)]
pub(crate) struct F64x2(__m128d);

impl Add for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the target has SSE2; so in all of these.
        Self(unsafe { _mm_add_pd(self.0, other.0) })
    }
}

impl Sub for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the target has SSE2; so in all of these.
        Self(unsafe { _mm_sub_pd(self.0, other.0) })
    }
}

impl Mul for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the target has SSE2; so in all of these.
        Self(unsafe { _mm_mul_pd(self.0, other.0) })
    }
}

impl Neg for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the target has SSE2; so in all of these.
        Self(unsafe { _mm_xor_pd(self.0, _mm_set1_pd(-0.0)) })
    }
}

impl F64 for F64x2 {
    type Real = f64;
    type Pack = [f64; 2];
    type Half = f64;
    type Words = U64x2;

    const LANES: usize = 2;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        <Sse2 as Isa>::outline(task)
    }

    #[inline(always)]
    fn packs(values: &[f64]) -> &[[f64; 2]] {
        values.as_chunks().0
    }

    #[inline(always)]
    fn packs_mut(values: &mut [f64]) -> &mut [[f64; 2]] {
        values.as_chunks_mut().0
    }

    #[inline(always)]
    fn load(pack: &[f64; 2]) -> Self {
        // SAFETY: two values are there to read.
        Self(unsafe { _mm_loadu_pd(pack.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, pack: &mut [f64; 2]) {
        // SAFETY: two values are there to write.
        unsafe { _mm_storeu_pd(pack.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_set1_pd(value) })
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_div_pd(self.0, divisor.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1);
        // SAFETY: as above.
        unsafe {
            (
                Self(_mm_unpacklo_pd(a.0, b.0)),
                Self(_mm_unpackhi_pd(a.0, b.0)),
            )
        }
    }

    #[inline(always)]
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
        Self::unzip::<D>(even, odd)
    }

    #[inline(always)]
    fn load_repeated<const D: usize>(values: &[f64]) -> Self {
        debug_assert!(D == 1);
        Self::load(&Self::packs(&values[..2])[0])
    }

    #[inline(always)]
    fn alternate(values: [f64; 2], first: usize) -> Self {
        debug_assert!(first.is_multiple_of(2));
        // SAFETY: as above.
        Self(unsafe { _mm_setr_pd(values[0], values[1]) })
    }

    #[inline(always)]
    fn to_words(self) -> U64x2 {
        // SAFETY: as above.
        U64x2(unsafe { _mm_castpd_si128(self.0) })
    }

    #[inline(always)]
    fn from_words(words: U64x2) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_castsi128_pd(words.0) })
    }
}
