//! AVX2 vectors: four lanes.
//!
//! # Soundness
//!
//! The instructions may run only where [`lanner_simd::Avx2`] was detected. Outside
//! tests this type is named in one place, the dispatch of [`crate::backend`], which
//! enters through that witness.
#![allow(unsafe_code)]

use super::{Engine, MAX_LANES, Mul32, Part32, Vector, radix25, whole};
use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::transmute;
use core::ops::{BitOr, BitXor};
use lanner_simd::Task;
use subtle::Choice;

/// The backend.
pub(crate) struct Avx2;

impl Engine for Avx2 {
    const FAST_FIELD: bool = cfg!(target_arch = "x86_64");

    #[cfg(target_arch = "x86_64")]
    type Field = crate::field::adx::FieldAdx;
    #[cfg(target_arch = "x86")]
    type Field = crate::field::radix25::Field25;
    type Quad = radix25::Lanes25<Ymm>;
    type Many = radix25::Lanes25<Ymm>;
}

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Ymm(__m256i);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Mask(__m256i);

/// For each lane the 32-bit halves that it takes, lower and upper: AVX2 moves only those by an
/// order that is not constant.
#[inline(always)]
fn order_halves<const ORDER: i32>() -> __m256i {
    let lane = |i: i32| {
        let from = i64::from(ORDER >> (2 * i) & 3);
        (2 * from) | ((2 * from + 1) << 32)
    };
    // SAFETY: AVX2 is there (see the module); so in all of these.
    unsafe { _mm256_setr_epi64x(lane(0), lane(1), lane(2), lane(3)) }
}

impl BitOr for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_or_si256(self.0, rhs.0) })
    }
}

impl BitXor for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_xor_si256(self.0, rhs.0) })
    }
}

impl Vector for Ymm {
    const LANES: usize = 4;
    type Mask = Mask;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    fn load(words: &[u64; MAX_LANES]) -> Self {
        // SAFETY: reads no more than the array.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self) -> [u64; MAX_LANES] {
        let mut words = [0; MAX_LANES];
        // SAFETY: writes no more than the array.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }

    /// By unpacking pairs and then halves.
    #[inline(always)]
    fn load_transposed(rows: &[[u64; 4]; MAX_LANES]) -> [Self; 4] {
        // SAFETY: a row is as long as a vector.
        unsafe {
            let row = |i: usize| _mm256_loadu_si256(rows[i].as_ptr().cast());
            let (even01, odd01) = (
                _mm256_unpacklo_epi64(row(0), row(1)),
                _mm256_unpackhi_epi64(row(0), row(1)),
            );
            let (even23, odd23) = (
                _mm256_unpacklo_epi64(row(2), row(3)),
                _mm256_unpackhi_epi64(row(2), row(3)),
            );
            [
                Self(_mm256_permute2x128_si256::<0x20>(even01, even23)),
                Self(_mm256_permute2x128_si256::<0x20>(odd01, odd23)),
                Self(_mm256_permute2x128_si256::<0x31>(even01, even23)),
                Self(_mm256_permute2x128_si256::<0x31>(odd01, odd23)),
            ]
        }
    }

    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_add_epi64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sub_epi64(self.0, rhs.0) })
    }

    #[inline(always)]
    fn and(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_and_si256(self.0, rhs.0) })
    }

    #[inline(always)]
    fn or(self, rhs: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_or_si256(self.0, rhs.0) })
    }

    // The count of the shifts by an immediate is an `i32`, which a `u32` parameter
    // cannot name; the constant vector becomes the immediate.
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sllv_epi64(self.0, _mm256_set1_epi64x(N.into())) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(N.into())) })
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_permute4x64_epi64::<ORDER>(self.0) })
    }

    type Order = Self;

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> Self {
        let mask = Self::mask(black_box(choice.unwrap_u8()).wrapping_neg());
        Self::select(Self(order_halves::<A>()), Self(order_halves::<B>()), mask)
    }

    #[inline(always)]
    fn permute_by(self, order: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_permutevar8x32_epi32(self.0, order.0) })
    }

    #[inline(always)]
    fn swap_groups(self) -> Self {
        self
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        let lane = |i: u8| -i64::from(LANES >> i & 1);
        // SAFETY: as above.
        Self(unsafe {
            _mm256_blendv_epi8(
                a.0,
                b.0,
                _mm256_setr_epi64x(lane(0), lane(1), lane(2), lane(3)),
            )
        })
    }

    #[inline(always)]
    fn mask(bits: u8) -> Mask {
        // SAFETY: as above.
        Mask(unsafe {
            let lane = _mm256_setr_epi64x(1, 2, 4, 8);
            _mm256_cmpeq_epi64(
                _mm256_and_si256(_mm256_set1_epi64x(bits.into()), lane),
                lane,
            )
        })
    }

    #[inline(always)]
    fn select(a: Self, b: Self, mask: Mask) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_blendv_epi8(a.0, b.0, mask.0) })
    }
}

/// The same word in every lane.
const fn constant(word: u64) -> Ymm {
    // SAFETY: the vector is plain data of this many words.
    Ymm(unsafe { transmute::<[u64; 4], __m256i>([word; 4]) })
}

impl Mul32 for Ymm {
    const CONSTANTS: radix25::Constants<Self> = radix25::constants!(|word| constant(word));

    whole!();

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        #[inline(never)]
        #[target_feature(enable = "avx2")]
        fn inside<T: Task>(task: T) -> T::Output {
            task.run()
        }
        // SAFETY: as above.
        unsafe { inside(task) }
    }
}

impl Part32 for Ymm {
    whole!(part);

    #[inline(always)]
    fn mul_low32(a: Self, b: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_mul_epu32(a.0, b.0) })
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
