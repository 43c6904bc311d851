//! Two lanes with NEON.
#![allow(unsafe_code)] // Intrinsics of an instruction set that the target has.

use core::arch::aarch64::*;
use core::ops::{Add, Mul, Neg, Sub};

use lanner_simd::Task;

use super::{Lanes, Words};

/// Two values.
#[derive(Clone, Copy)]
pub(crate) struct F64x2(float64x2_t);

/// Two words.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(uint64x2_t);

impl Add for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vaddq_f64(self.0, other.0)) }
    }
}

impl Sub for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vsubq_f64(self.0, other.0)) }
    }
}

impl Mul for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vmulq_f64(self.0, other.0)) }
    }
}

impl Neg for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vnegq_f64(self.0)) }
    }
}

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
        // SAFETY: two doubles are there to read; the target has NEON.
        Self(unsafe { vld1q_f64(pack.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, pack: &mut [f64; 2]) {
        // SAFETY: two doubles are there to write; the target has NEON.
        unsafe { vst1q_f64(pack.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vdupq_n_f64(value)) }
    }
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vdivq_f64(self.0, divisor.0)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vsqrtq_f64(self.0)) }
    }
    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1);
        // SAFETY: the target has NEON.
        unsafe { (Self(vzip1q_f64(a.0, b.0)), Self(vzip2q_f64(a.0, b.0))) }
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
        Self::load(&values)
    }
    #[inline(always)]
    fn to_words(self) -> U64x2 {
        // SAFETY: the target has NEON.
        unsafe { U64x2(vreinterpretq_u64_f64(self.0)) }
    }
    #[inline(always)]
    fn from_words(words: U64x2) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vreinterpretq_f64_u64(words.0)) }
    }
}

impl Words for U64x2 {
    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = &bytes.as_chunks().0[0];
        // SAFETY: 16 bytes are there to read; the target has NEON.
        Self(unsafe { vreinterpretq_u64_u8(vld1q_u8(bytes.as_ptr())) })
    }
    #[inline(always)]
    fn from_u32_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 8] = &bytes.as_chunks().0[0];
        // SAFETY: 8 bytes are there to read; the target has NEON.
        Self(unsafe { vmovl_u32(vreinterpret_u32_u8(vld1_u8(bytes.as_ptr()))) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 2] = &mut words.as_chunks_mut().0[0];
        // SAFETY: two words are there to write; the target has NEON.
        unsafe { vst1q_u64(words.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vdupq_n_u64(word)) }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vaddq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vsubq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vandq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vorrq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(veorq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn shift_left<const N: i32>(self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vshlq_n_u64::<N>(self.0)) }
    }
    #[inline(always)]
    fn shift_right<const N: i32>(self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vshrq_n_u64::<N>(self.0)) }
    }
    #[inline(always)]
    fn shift_right_each(self, counts: Self) -> Self {
        // The instruction takes the low byte of a count, and shifts right by its negative.
        // SAFETY: the target has NEON.
        unsafe {
            let near = vcltq_u64(counts.0, vdupq_n_u64(64));
            let left = vnegq_s64(vreinterpretq_s64_u64(counts.0));
            Self(vandq_u64(vshlq_u64(self.0, left), near))
        }
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self {
        // SAFETY: the target has NEON.
        unsafe { Self(vcltq_u64(self.0, other.0)) }
    }
    #[inline(always)]
    fn highest_bits(self) -> u32 {
        // SAFETY: the target has NEON.
        unsafe {
            let bits = vshrq_n_u64::<63>(self.0);
            (vgetq_lane_u64::<0>(bits) | vgetq_lane_u64::<1>(bits) << 1) as u32
        }
    }
}
