//! AVX-512 vectors with the 52-bit multiply-add: four lanes and eight.
//!
//! # Soundness
//!
//! The instructions may run only where [`lanner_simd::Avx512Ifma`] was detected.
//! Outside tests these types are named in one place, the dispatch of
//! [`crate::backend`], which enters through that witness.
#![allow(unsafe_code)]

use super::{Engine, MAX_LANES, MulAdd52, Vector, radix51};
use crate::field::adx::FieldAdx;
use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::transmute;
use subtle::Choice;

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct Ymm(__m256i);

/// Eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct Zmm(__m512i);

/// The backend.
pub(crate) struct Avx512;

impl Engine for Avx512 {
    const FAST_FIELD: bool = true;

    type Field = FieldAdx;
    type Quad = radix51::Lanes51<Ymm>;
    type Many = radix51::Lanes51<Zmm>;
}

/// The lanes that an order takes, in each group of four.
const fn order_words(order: i32) -> [u64; MAX_LANES] {
    let mut words = [0; MAX_LANES];
    let mut i = 0;
    while i < MAX_LANES {
        words[i] = (i as u64 & 4) | ((order as u64 >> (2 * (i & 3))) & 3);
        i += 1;
    }
    words
}

#[inline(always)]
fn swap_halves(a: Zmm) -> Zmm {
    // SAFETY: AVX-512 is there (see the module).
    Zmm(unsafe { _mm512_shuffle_i64x2::<0b01_00_11_10>(a.0, a.0) })
}

/// Four rows of four words, by unpacking pairs and then halves.
///
/// # Safety
///
/// AVX-512 is there.
#[inline(always)]
unsafe fn transpose4(rows: &[[u64; 4]; MAX_LANES]) -> [Ymm; 4] {
    // SAFETY: a row is as long as a vector.
    unsafe {
        let row = |i: usize| _mm256_loadu_epi64(rows[i].as_ptr().cast());
        let (even01, odd01) = (
            _mm256_unpacklo_epi64(row(0), row(1)),
            _mm256_unpackhi_epi64(row(0), row(1)),
        );
        let (even23, odd23) = (
            _mm256_unpacklo_epi64(row(2), row(3)),
            _mm256_unpackhi_epi64(row(2), row(3)),
        );
        [
            Ymm(_mm256_permute2x128_si256::<0x20>(even01, even23)),
            Ymm(_mm256_permute2x128_si256::<0x20>(odd01, odd23)),
            Ymm(_mm256_permute2x128_si256::<0x31>(even01, even23)),
            Ymm(_mm256_permute2x128_si256::<0x31>(odd01, odd23)),
        ]
    }
}

/// Eight rows of four words: as `transpose4` in each half.
///
/// # Safety
///
/// AVX-512 is there.
#[inline(always)]
unsafe fn transpose8(rows: &[[u64; 4]; MAX_LANES]) -> [Zmm; 4] {
    // SAFETY: a row is half as long as a vector.
    unsafe {
        let row = |i: usize| {
            let low = _mm512_castsi256_si512(_mm256_loadu_epi64(rows[i].as_ptr().cast()));
            _mm512_inserti64x4::<1>(low, _mm256_loadu_epi64(rows[i + 4].as_ptr().cast()))
        };
        let (even01, odd01) = (
            _mm512_unpacklo_epi64(row(0), row(1)),
            _mm512_unpackhi_epi64(row(0), row(1)),
        );
        let (even23, odd23) = (
            _mm512_unpacklo_epi64(row(2), row(3)),
            _mm512_unpackhi_epi64(row(2), row(3)),
        );
        let low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        [
            Zmm(_mm512_permutex2var_epi64(even01, low, even23)),
            Zmm(_mm512_permutex2var_epi64(odd01, low, odd23)),
            Zmm(_mm512_permutex2var_epi64(even01, high, even23)),
            Zmm(_mm512_permutex2var_epi64(odd01, high, odd23)),
        ]
    }
}

macro_rules! vector {
    (
        $name:ident, $words:ty, $lanes:literal, $group:expr,
        $splat:ident $load:ident $add:ident $sub:ident $and:ident $or:ident $shl:ident $shr:ident
        $permute:ident $permute_by:ident $swap:expr, $transpose:ident $blend:ident $mul_add_low:ident $mul_add_high:ident
    ) => {
        impl Vector for $name {
            const LANES: usize = $lanes;
            type Mask = __mmask8;

            #[inline(always)]
            fn splat(word: u64) -> Self {
                // SAFETY: AVX-512 is there (see the module); so in all of these.
                Self(unsafe { $splat(word as i64) })
            }

            #[inline(always)]
            fn load(words: &[u64; MAX_LANES]) -> Self {
                // SAFETY: reads no more than the array.
                Self(unsafe { $load(words.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self) -> [u64; MAX_LANES] {
                let mut words = [0; MAX_LANES];
                // SAFETY: the vectors are plain data of this many words.
                let lanes = unsafe { transmute::<$words, [u64; $lanes]>(self.0) };
                words[..$lanes].copy_from_slice(&lanes);
                words
            }

            #[inline(always)]
            fn load_transposed(rows: &[[u64; 4]; MAX_LANES]) -> [Self; 4] {
                // SAFETY: as above.
                unsafe { $transpose(rows) }
            }

            #[inline(always)]
            fn add(self, rhs: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $add(self.0, rhs.0) })
            }

            #[inline(always)]
            fn sub(self, rhs: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sub(self.0, rhs.0) })
            }

            #[inline(always)]
            fn and(self, rhs: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $and(self.0, rhs.0) })
            }

            #[inline(always)]
            fn or(self, rhs: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $or(self.0, rhs.0) })
            }

            #[inline(always)]
            fn shl<const N: u32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shl(self.0, $splat(N.into())) })
            }

            #[inline(always)]
            fn shr<const N: u32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shr(self.0, $splat(N.into())) })
            }

            #[inline(always)]
            fn permute<const ORDER: i32>(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $permute::<ORDER>(self.0) })
            }

            type Order = Self;

            #[inline(always)]
            fn order<const A: i32, const B: i32>(choice: Choice) -> Self {
                let mask = black_box(choice.unwrap_u8()).wrapping_neg();
                Self::select(
                    Self::load(&const { order_words(A) }),
                    Self::load(&const { order_words(B) }),
                    mask,
                )
            }

            #[inline(always)]
            fn permute_by(self, order: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $permute_by(order.0, self.0) })
            }

            #[inline(always)]
            fn swap_groups(self) -> Self {
                $swap(self)
            }

            #[inline(always)]
            fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $blend(LANES * $group, a.0, b.0) })
            }

            #[inline(always)]
            fn mask(bits: u8) -> __mmask8 {
                bits
            }

            #[inline(always)]
            fn select(a: Self, b: Self, mask: __mmask8) -> Self {
                // SAFETY: as above.
                Self(unsafe { $blend(mask, a.0, b.0) })
            }
        }

        impl MulAdd52 for $name {
            const CONSTANTS: radix51::Constants<Self> = {
                const fn constant(word: u64) -> $name {
                    // SAFETY: the vectors are plain data of this many words.
                    $name(unsafe { transmute::<[u64; $lanes], $words>([word; $lanes]) })
                }
                radix51::constants!(|word| constant(word))
            };

            #[inline(always)]
            fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $mul_add_low(accumulator.0, a.0, b.0) })
            }

            #[inline(always)]
            fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $mul_add_high(accumulator.0, a.0, b.0) })
            }
        }
    };
}

vector!(
    Ymm, __m256i, 4, 1,
    _mm256_set1_epi64x _mm256_loadu_epi64 _mm256_add_epi64 _mm256_sub_epi64 _mm256_and_si256
    _mm256_or_si256 _mm256_sllv_epi64 _mm256_srlv_epi64 _mm256_permute4x64_epi64
    _mm256_permutexvar_epi64     core::convert::identity, transpose4 _mm256_mask_blend_epi64 _mm256_madd52lo_epu64 _mm256_madd52hi_epu64
);

vector!(
    Zmm, __m512i, 8, 0x11,
    _mm512_set1_epi64 _mm512_loadu_epi64 _mm512_add_epi64 _mm512_sub_epi64 _mm512_and_si512
    _mm512_or_si512 _mm512_sllv_epi64 _mm512_srlv_epi64 _mm512_permutex_epi64
    _mm512_permutexvar_epi64     swap_halves, transpose8 _mm512_mask_blend_epi64 _mm512_madd52lo_epu64 _mm512_madd52hi_epu64
);
