//! Vectors of WebAssembly: four words of 32 bits.
//!
//! # Soundness
//!
//! An engine refuses a module with instructions that it does not have, so that code that runs
//! has them.
#![allow(unsafe_code)]

use super::narrow25::{Double, Narrow25, Words32};
use super::{Engine, radix25};
use core::arch::wasm32::*;
use core::mem::transmute;
use lanner_simd::Task;

/// The backend.
pub(crate) struct Simd128;

impl Simd128 {
    /// Runs an operation in a function of its own, compiled for the vectors.
    #[inline(always)]
    pub(crate) fn run<T: Task>(operation: T) -> T::Output {
        Vector128::outline(operation)
    }
}

impl Engine for Simd128 {
    const FAST_FIELD: bool = true;

    type Field = crate::field::radix25::Field25;
    type Quad = Narrow25<Vector128>;
    type Many = Narrow25<Vector128>;
}

/// Four words of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct Vector128(v128);

/// Two words of 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Double128(v128);

impl Double for Double128 {
    #[inline(always)]
    fn new(words: [u64; 2]) -> Self {
        Self(u64x2(words[0], words[1]))
    }

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self(u64x2_add(self.0, rhs.0))
    }

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self(u64x2_sub(self.0, rhs.0))
    }

    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        Self(v128_and(self.0, rhs.0))
    }

    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        Self(v128_or(self.0, rhs.0))
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        Self(u64x2_shl(self.0, N))
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        Self(u64x2_shr(self.0, N))
    }
}

/// The same word in every lane.
const fn constant(word: u64) -> Vector128 {
    // SAFETY: the vector is plain data of this many words.
    Vector128(unsafe { transmute::<[u32; 4], v128>([word as u32; 4]) })
}

impl Words32 for Vector128 {
    type Double = Double128;

    const CONSTANTS: radix25::Constants<Self> = radix25::constants!(|word| constant(word));

    #[inline(always)]
    fn new(words: [u32; 4]) -> Self {
        Self(u32x4(words[0], words[1], words[2], words[3]))
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ]
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self(u32x4_add(self.0, rhs.0))
    }

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self(u32x4_sub(self.0, rhs.0))
    }

    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        Self(v128_and(self.0, rhs.0))
    }

    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        Self(v128_or(self.0, rhs.0))
    }

    #[inline(always)]
    fn xor(self, rhs: Self) -> Self {
        Self(v128_xor(self.0, rhs.0))
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        Self(u32x4_shr(self.0, N))
    }

    #[inline(always)]
    fn mul(self, rhs: Self) -> Self {
        Self(u32x4_mul(self.0, rhs.0))
    }

    #[inline(always)]
    fn mul_first(self, rhs: Self) -> Double128 {
        Double128(u64x2_extmul_low_u32x4(self.0, rhs.0))
    }

    #[inline(always)]
    fn mul_last(self, rhs: Self) -> Double128 {
        Double128(u64x2_extmul_high_u32x4(self.0, rhs.0))
    }

    #[inline(always)]
    fn pack(first: Double128, last: Double128) -> Self {
        Self(u32x4_shuffle::<0, 2, 4, 6>(first.0, last.0))
    }

    #[inline(always)]
    fn permute(self, order: i32) -> Self {
        // One shuffle once the order is known.
        let from = |lane: i32| order >> (2 * lane) & 3;
        let word = |lane: i32| match from(lane) {
            0 => u32x4_extract_lane::<0>(self.0),
            1 => u32x4_extract_lane::<1>(self.0),
            2 => u32x4_extract_lane::<2>(self.0),
            _ => u32x4_extract_lane::<3>(self.0),
        };
        Self(u32x4(word(0), word(1), word(2), word(3)))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        macro_rules! lane {
            ($i:literal) => {
                u32x4_extract_lane::<$i>(if LANES >> $i & 1 == 1 { b.0 } else { a.0 })
            };
        }
        Self(u32x4(lane!(0), lane!(1), lane!(2), lane!(3)))
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        #[inline(never)]
        #[target_feature(enable = "simd128")]
        fn inside<T: Task>(task: T) -> T::Output {
            task.run()
        }
        inside(task)
    }
}
