//! Vectors of WebAssembly: two lanes.
//!
//! # Soundness
//!
//! An engine refuses a module with instructions that it does not have, so that code that runs
//! has them.
#![allow(unsafe_code)]

use super::pair::{Half, Pair};
use super::{Engine, Part32, radix25};
use core::arch::wasm32::*;
use core::mem::transmute;
use lanner_cpu::Task;

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
    const FAST_FIELD: bool = false;

    type Field = crate::field::radix25::Field25;
    type Quad = radix25::Lanes25<Pair<Vector128>>;
    type Many = radix25::Lanes25<Pair<Vector128>>;
}

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Vector128(v128);

/// The low halves of both lanes, in the low half of the vector.
#[inline(always)]
fn narrow(a: v128) -> v128 {
    u32x4_shuffle::<0, 2, 0, 2>(a, a)
}

impl Part32 for Vector128 {
    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(u64x2_splat(word))
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
    fn shl<const N: u32>(self) -> Self {
        Self(u64x2_shl(self.0, N))
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        Self(u64x2_shr(self.0, N))
    }

    // The compiler narrows each limb once.
    #[inline(always)]
    fn mul_low32(a: Self, b: Self) -> Self {
        Self(u64x2_extmul_low_u32x4(narrow(a.0), narrow(b.0)))
    }
}

/// The same word in every lane.
const fn constant(word: u64) -> Pair<Vector128> {
    // SAFETY: the vectors are plain data of this many words.
    Pair(unsafe { transmute::<[[u64; 2]; 2], [Vector128; 2]>([[word; 2]; 2]) })
}

impl Half for Vector128 {
    const CONSTANTS: radix25::Constants<Pair<Self>> = radix25::constants!(|word| constant(word));

    #[inline(always)]
    fn new(words: [u64; 2]) -> Self {
        Self(u64x2(words[0], words[1]))
    }

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        [
            u64x2_extract_lane::<0>(self.0),
            u64x2_extract_lane::<1>(self.0),
        ]
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
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self {
        Self(match (i, j) {
            (0, 0) => u64x2_shuffle::<0, 2>(a.0, b.0),
            (_, 0) => u64x2_shuffle::<1, 2>(a.0, b.0),
            (0, _) => u64x2_shuffle::<0, 3>(a.0, b.0),
            _ => u64x2_shuffle::<1, 3>(a.0, b.0),
        })
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
