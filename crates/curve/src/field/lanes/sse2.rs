//! SSE2 vectors: two lanes.
//!
//! # Soundness
//!
//! SSE2 is part of x86-64, and of the targets for x86 that this module is compiled for.
#![allow(unsafe_code)]

use super::pair::{Half, Pair};
use super::{Engine, Part32, radix25};
use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::transmute;
use lanner_simd::Task;

/// The backend.
#[cfg_attr(target_arch = "x86_64", allow(dead_code))]
pub(crate) struct Sse2;

#[cfg_attr(target_arch = "x86_64", allow(dead_code))]
impl Sse2 {
    /// Runs an operation in a function of its own, compiled for the vectors.
    #[inline(always)]
    pub(crate) fn run<T: Task>(operation: T) -> T::Output {
        Xmm::outline(operation)
    }
}

impl Engine for Sse2 {
    const FAST_FIELD: bool = false;

    type Field = crate::field::radix25::Field25;
    type Quad = radix25::Lanes25<Pair<Xmm>>;
    type Many = radix25::Lanes25<Pair<Xmm>>;
}

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct Xmm(__m128i);

impl Part32 for Xmm {
    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: SSE2 is there (see the module); so in all of these.
        Self(unsafe { _mm_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_add_epi64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sub_epi64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_and_si128(self.0, rhs.0) })
    }

    // The count of the shifts by an immediate is an `i32`, which a `u32` parameter cannot
    // name; the constant vector becomes the immediate.
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_sll_epi64(self.0, _mm_cvtsi32_si128(N as i32)) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_srl_epi64(self.0, _mm_cvtsi32_si128(N as i32)) })
    }

    #[inline(always)]
    fn mul_low32(a: Self, b: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_mul_epu32(a.0, b.0) })
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        let mut value = self.0;
        // SAFETY: no instruction.
        unsafe {
            asm!("/* {0} */", inout(xmm_reg) value,
                options(pure, nomem, nostack, preserves_flags));
        }
        Self(value)
    }
}

/// The same word in every lane.
const fn constant(word: u64) -> Pair<Xmm> {
    // SAFETY: the vectors are plain data of this many words.
    Pair(unsafe { transmute::<[[u64; 2]; 2], [Xmm; 2]>([[word; 2]; 2]) })
}

impl Half for Xmm {
    const CONSTANTS: radix25::Constants<Pair<Self>> = radix25::constants!(|word| constant(word));

    #[inline(always)]
    fn new(words: [u64; 2]) -> Self {
        // SAFETY: reads no more than the array.
        Self(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        let mut words = [0; 2];
        // SAFETY: writes no more than the array.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) };
        words
    }

    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_or_si128(self.0, rhs.0) })
    }

    #[inline(always)]
    fn xor(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm_xor_si128(self.0, rhs.0) })
    }

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

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}
