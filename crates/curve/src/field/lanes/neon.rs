//! NEON vectors: two lanes.
//!
//! # Soundness
//!
//! NEON is part of the targets that this module is compiled for.
#![allow(unsafe_code)]

use super::pair::{Half, Pair};
use super::{Engine, Part32, radix25};
use core::arch::aarch64::*;
use core::mem::transmute;
use lanner_simd::Task;

/// The backend.
pub(crate) struct Neon;

impl Engine for Neon {
    const FAST_FIELD: bool = true;

    type Field = crate::field::radix51::Field51;
    type Quad = radix25::Lanes25<Pair<Vector128>>;
    type Many = radix25::Lanes25<Pair<Vector128>>;
}

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Vector128(uint64x2_t);

impl Part32 for Vector128 {
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: NEON is there (see the module); so in all of these.
        Self(unsafe { vdupq_n_u64(word) })
    }

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vaddq_u64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vsubq_u64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vandq_u64(self.0, rhs.0) })
    }

    // The count of the shifts by an immediate is an `i32`, which a `u32` parameter cannot
    // name; the constant vector becomes the immediate. To the right is a negative count.
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(N.into())) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(-i64::from(N))) })
    }

    // The compiler narrows each limb once, and joins products with sums.
    #[inline(always)]
    fn mul_low32(a: Self, b: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vmull_u32(vmovn_u64(a.0), vmovn_u64(b.0)) })
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
        // SAFETY: reads no more than the array.
        Self(unsafe { vld1q_u64(words.as_ptr()) })
    }

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        let mut words = [0; 2];
        // SAFETY: writes no more than the array.
        unsafe { vst1q_u64(words.as_mut_ptr(), self.0) };
        words
    }

    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vorrq_u64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn xor(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { veorq_u64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            match (i, j) {
                (0, 0) => vzip1q_u64(a.0, b.0),
                (_, 0) => vextq_u64::<1>(a.0, b.0),
                (0, _) => vcombine_u64(vget_low_u64(a.0), vget_high_u64(b.0)),
                _ => vzip2q_u64(a.0, b.0),
            }
        })
    }

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}
