//! Two lanes with wasm's simd128.
#![allow(unsafe_code)] // Loads and stores through pointers.

use core::arch::wasm32::*;
use core::ops::{Add, Mul, Neg, Sub};

use lanner_simd::Task;

use super::{Lanes, Words};

/// Two values.
#[derive(Clone, Copy)]
pub(crate) struct F64x2(v128);

/// Two words.
#[derive(Clone, Copy)]
pub(crate) struct U64x2(v128);

impl Add for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f64x2_add(self.0, other.0))
    }
}

impl Sub for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f64x2_sub(self.0, other.0))
    }
}

impl Mul for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f64x2_mul(self.0, other.0))
    }
}

impl Neg for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(f64x2_neg(self.0))
    }
}

impl Lanes for F64x2 {
    type Real = f64;
    type Pack = [f64; 2];
    type Witness = ();
    type Half = f64;
    type Words = U64x2;
    const WIDTH: usize = 2;

    /// Compiled for SIMD whatever the flags are: who compiles this module has chosen it by the feature. An
    /// engine without SIMD refuses the module as a whole.
    #[inline(always)]
    fn enter<T: Task>((): (), task: T) -> T::Output {
        #[target_feature(enable = "simd128")]
        fn inside<T: Task>(task: T) -> T::Output {
            task.run()
        }
        inside(task)
    }
    /// Engines translate functions one by one, and optimise those that are used much first: small ones help.
    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        #[target_feature(enable = "simd128")]
        #[inline(never)]
        fn outside<T: Task>(task: T) -> T::Output {
            task.run()
        }
        outside(task)
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
        // SAFETY: two doubles are there to read.
        Self(unsafe { v128_load(pack.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, pack: &mut [f64; 2]) {
        // SAFETY: two doubles are there to write.
        unsafe { v128_store(pack.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(f64x2_splat(value))
    }
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        Self(f64x2_div(self.0, divisor.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f64x2_sqrt(self.0))
    }
    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1);
        (
            Self(i64x2_shuffle::<0, 2>(a.0, b.0)),
            Self(i64x2_shuffle::<1, 3>(a.0, b.0)),
        )
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
        U64x2(self.0)
    }
    #[inline(always)]
    fn from_words(words: U64x2) -> Self {
        Self(words.0)
    }
}

impl Words for U64x2 {
    #[inline(always)]
    fn from_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = &bytes.as_chunks().0[0];
        // SAFETY: 16 bytes are there to read.
        Self(unsafe { v128_load(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn from_u32_bytes(bytes: &[u8]) -> Self {
        let bytes: &[u8; 8] = &bytes.as_chunks().0[0];
        // SAFETY: 8 bytes are there to read.
        Self(u64x2_extend_low_u32x4(unsafe {
            v128_load64_zero(bytes.as_ptr().cast())
        }))
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 2] = &mut words.as_chunks_mut().0[0];
        // SAFETY: two words are there to write.
        unsafe { v128_store(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(u64x2_splat(word))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i64x2_add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(i64x2_sub(self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }
    #[inline(always)]
    fn shift_left<const N: i32>(self) -> Self {
        Self(i64x2_shl(self.0, N as u32))
    }
    #[inline(always)]
    fn shift_right<const N: i32>(self) -> Self {
        Self(u64x2_shr(self.0, N as u32))
    }
    #[inline(always)]
    fn shift_right_each(self, counts: Self) -> Self {
        // No such instruction: lane by lane.
        let shift = |word: u64, count: u64| Words::shift_right_each(word, count);
        Self(u64x2(
            shift(
                u64x2_extract_lane::<0>(self.0),
                u64x2_extract_lane::<0>(counts.0),
            ),
            shift(
                u64x2_extract_lane::<1>(self.0),
                u64x2_extract_lane::<1>(counts.0),
            ),
        ))
    }
    #[inline(always)]
    fn below(self, other: Self) -> Self {
        Self(i64x2_lt(self.0, other.0))
    }
    #[inline(always)]
    fn highest_bits(self) -> u32 {
        u32::from(i64x2_bitmask(self.0))
    }
}
