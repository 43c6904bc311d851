//! Two lanes with SSE2, four with AVX2.
#![allow(unsafe_code)] // Intrinsics of instruction sets that the target or a witness guarantees.

#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;
use core::ops::{Add, Mul, Neg, Sub};

use arch::*;
use lanner_simd::{Avx2, Task};

use super::{Lanes, Words};

/// Two values, with SSE2, which the target has.
#[derive(Clone, Copy)]
pub(crate) struct F64x2(__m128d);

/// Four values, with AVX2. Used only inside of `enter`, whose witness proves the feature.
#[derive(Clone, Copy)]
pub(crate) struct F64x4(__m256d);

/// The four operators of a vector type.
macro_rules! operators {
    ($name:ident, $add:ident, $sub:ident, $mul:ident, $xor:ident, $set1:ident) => {
        impl Add for $name {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: a value of this type exists only where the processor has the instructions.
                Self(unsafe { $add(self.0, other.0) })
            }
        }
        impl Sub for $name {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: as for the sum.
                Self(unsafe { $sub(self.0, other.0) })
            }
        }
        impl Mul for $name {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                // SAFETY: as for the sum.
                Self(unsafe { $mul(self.0, other.0) })
            }
        }
        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: as for the sum.
                Self(unsafe { $xor(self.0, $set1(-0.0)) })
            }
        }
    };
}

operators!(
    F64x2,
    _mm_add_pd,
    _mm_sub_pd,
    _mm_mul_pd,
    _mm_xor_pd,
    _mm_set1_pd
);
operators!(
    F64x4,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_xor_pd,
    _mm256_set1_pd
);

impl Lanes for F64x2 {
    type Real = f64;
    type Pack = [f64; 2];
    type Witness = ();
    type Half = f64;
    type Words = U64x2;
    const WIDTH: usize = 2;

    #[inline(always)]
    fn enter<T: Task>((): (), task: T) -> T::Output {
        task.run()
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
        // SAFETY: two doubles are there to read; SSE2 is part of the target.
        Self(unsafe { _mm_loadu_pd(pack.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, pack: &mut [f64; 2]) {
        // SAFETY: two doubles are there to write; SSE2 is part of the target.
        unsafe { _mm_storeu_pd(pack.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: SSE2 is part of the target.
        Self(unsafe { _mm_set1_pd(value) })
    }
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: SSE2 is part of the target.
        Self(unsafe { _mm_div_pd(self.0, divisor.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: SSE2 is part of the target.
        Self(unsafe { _mm_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1);
        // SAFETY: SSE2 is part of the target.
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
        // SAFETY: SSE2 is part of the target.
        Self(unsafe { _mm_setr_pd(values[0], values[1]) })
    }
    #[inline(always)]
    fn to_words(self) -> U64x2 {
        // SAFETY: SSE2 is part of the target.
        U64x2(unsafe { _mm_castpd_si128(self.0) })
    }
    #[inline(always)]
    fn from_words(words: U64x2) -> Self {
        // SAFETY: SSE2 is part of the target.
        Self(unsafe { _mm_castsi128_pd(words.0) })
    }
}

impl Lanes for F64x4 {
    type Real = f64;
    type Pack = [f64; 4];
    type Witness = Avx2;
    type Half = F64x2;
    type Words = U64x4;
    const WIDTH: usize = 4;

    #[inline(always)]
    fn enter<T: Task>(witness: Avx2, task: T) -> T::Output {
        witness.run(task)
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
        // SAFETY: four doubles are there to read; inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_loadu_pd(pack.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, pack: &mut [f64; 4]) {
        // SAFETY: four doubles are there to write; inside of `enter` the processor has AVX2.
        unsafe { _mm256_storeu_pd(pack.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_set1_pd(value) })
    }
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_div_pd(self.0, divisor.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1 || D == 2);
        // SAFETY: inside of `enter` the processor has AVX2.
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
        // SAFETY: inside of `enter` the processor has AVX2.
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
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_setr_pd(values[0], values[0], values[1], values[1]) })
    }
    #[inline(always)]
    fn alternate(values: [f64; 2], first: usize) -> Self {
        debug_assert!(first.is_multiple_of(2));
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_setr_pd(values[0], values[1], values[0], values[1]) })
    }
    #[inline(always)]
    fn to_words(self) -> U64x4 {
        // SAFETY: inside of `enter` the processor has AVX2.
        U64x4(unsafe { _mm256_castpd_si256(self.0) })
    }
    #[inline(always)]
    fn from_words(words: U64x4) -> Self {
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_castsi256_pd(words.0) })
    }
}

/// Two words, with SSE2, which the target has.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(__m128i);

/// Four words, with AVX2. Used only inside of `enter`, whose witness proves the feature.
#[derive(Clone, Copy)]
pub(crate) struct U64x4(__m256i);

/// Operations that are one instruction.
macro_rules! word_operations {
    ($add:ident, $sub:ident, $and:ident, $or:ident, $xor:ident, $shl:ident, $shr:ident, $set1:ident) => {
        #[inline(always)]
        fn splat(word: u64) -> Self {
            // SAFETY: a value of this type exists only where the processor has the instructions, as in
            // all operations of this type.
            Self(unsafe { $set1(word as i64) })
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: as for `splat`.
            Self(unsafe { $add(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: as for `splat`.
            Self(unsafe { $sub(self.0, other.0) })
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: as for `splat`.
            Self(unsafe { $and(self.0, other.0) })
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: as for `splat`.
            Self(unsafe { $or(self.0, other.0) })
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            // SAFETY: as for `splat`.
            Self(unsafe { $xor(self.0, other.0) })
        }
        #[inline(always)]
        fn shift_left<const N: i32>(self) -> Self {
            // SAFETY: as for `splat`.
            Self(unsafe { $shl::<N>(self.0) })
        }
        #[inline(always)]
        fn shift_right<const N: i32>(self) -> Self {
            // SAFETY: as for `splat`.
            Self(unsafe { $shr::<N>(self.0) })
        }
    };
}

impl Words for U64x2 {
    word_operations!(
        _mm_add_epi64,
        _mm_sub_epi64,
        _mm_and_si128,
        _mm_or_si128,
        _mm_xor_si128,
        _mm_slli_epi64,
        _mm_srli_epi64,
        _mm_set1_epi64x
    );

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = &bytes.as_chunks().0[0];
        // SAFETY: 16 bytes are there to read; SSE2 is part of the target.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn from_u32_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 8] = &bytes.as_chunks().0[0];
        // SAFETY: 8 bytes are there to read; SSE2 is part of the target.
        unsafe {
            let words = _mm_loadl_epi64(bytes.as_ptr().cast());
            Self(_mm_unpacklo_epi32(words, _mm_setzero_si128()))
        }
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 2] = &mut words.as_chunks_mut().0[0];
        // SAFETY: two words are there to write; SSE2 is part of the target.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn shift_right_each(self, counts: Self) -> Self {
        // SAFETY: SSE2 is part of the target.
        unsafe {
            // The instruction takes its one count from the low word.
            let low = _mm_srl_epi64(self.0, counts.0);
            let high = _mm_srl_epi64(self.0, _mm_unpackhi_epi64(counts.0, counts.0));
            let (low, high) = (_mm_castsi128_pd(low), _mm_castsi128_pd(high));
            Self(_mm_castpd_si128(_mm_shuffle_pd::<0b10>(low, high)))
        }
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of the target.
        unsafe {
            let difference = _mm_sub_epi64(self.0, other.0);
            Self(_mm_shuffle_epi32::<0b11_11_01_01>(_mm_srai_epi32::<31>(
                difference,
            )))
        }
    }
    #[inline(always)]
    fn highest_bits(self) -> u32 {
        // SAFETY: SSE2 is part of the target.
        unsafe { _mm_movemask_pd(_mm_castsi128_pd(self.0)) as u32 }
    }
}

impl Words for U64x4 {
    word_operations!(
        _mm256_add_epi64,
        _mm256_sub_epi64,
        _mm256_and_si256,
        _mm256_or_si256,
        _mm256_xor_si256,
        _mm256_slli_epi64,
        _mm256_srli_epi64,
        _mm256_set1_epi64x
    );

    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 32] = &bytes.as_chunks().0[0];
        // SAFETY: 32 bytes are there to read; inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn from_u32_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = &bytes.as_chunks().0[0];
        // SAFETY: 16 bytes are there to read; inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_cvtepu32_epi64(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 4] = &mut words.as_chunks_mut().0[0];
        // SAFETY: four words are there to write; inside of `enter` the processor has AVX2.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn shift_right_each(self, counts: Self) -> Self {
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_srlv_epi64(self.0, counts.0) })
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self {
        // SAFETY: inside of `enter` the processor has AVX2.
        Self(unsafe { _mm256_cmpgt_epi64(other.0, self.0) })
    }
    #[inline(always)]
    fn highest_bits(self) -> u32 {
        // SAFETY: inside of `enter` the processor has AVX2.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(self.0)) as u32 }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::fpr::tests::lanes_agree;

    #[test]
    fn four_lanes_agree_with_one() {
        match Avx2::detect() {
            Some(witness) => lanes_agree::<F64x4>(witness),
            None => std::println!("no AVX2 here: four lanes are not tested"),
        }
    }
}
