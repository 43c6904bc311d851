//! Sixteen residues in a register of AVX2.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use lanner_simd::Avx2;

use super::lanes::{LaneZeta, Lanes};
use super::tables::Tail;

/// The smallest degree on these lanes: transpositions take 256 residues, and the toy degrees are not
/// worth tables of their own.
pub(super) const LOGN_MIN: u32 = 9;

static TAIL_512: Tail<30, 16> = Tail::new(2, false);
static TAIL_1024: Tail<60, 16> = Tail::new(4, false);
static INVERSE_TAIL_512: Tail<30, 16> = Tail::new(2, true);
static INVERSE_TAIL_1024: Tail<60, 16> = Tail::new(4, true);

/// Sixteen residues. Values are made from a witness alone, so that each one proves AVX2.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m256i);

impl Lanes for Sixteen {
    const COUNT: usize = 16;
    type Token = Avx2;
    type Poly = [Sixteen; crate::params::N_MAX / 16];

    #[inline(always)]
    fn poly(_: Avx2) -> Self::Poly {
        // SAFETY: AVX2 exists by the witness.
        [Self(unsafe { _mm256_setzero_si256() }); crate::params::N_MAX / 16]
    }

    #[inline(always)]
    fn load(_: Avx2, from: &[i16]) -> Self {
        let from: &[i16; 16] = from.first_chunk().expect("sixteen residues");
        // SAFETY: AVX2 exists by the witness; 32 bytes are read, of any alignment.
        Self(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [i16]) {
        let to: &mut [i16; 16] = to.first_chunk_mut().expect("sixteen residues");
        // SAFETY: AVX2 exists because `self` does; 32 bytes are written, of any alignment.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat(_: Avx2, value: i16) -> Self {
        // SAFETY: AVX2 exists by the witness.
        Self(unsafe { _mm256_set1_epi16(value) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX2 exists because `self` does.
        Self(unsafe { _mm256_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: AVX2 exists because `self` does.
        Self(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        // SAFETY: AVX2 exists because `self` does.
        Self(unsafe { _mm256_mullo_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        // SAFETY: AVX2 exists because `self` does.
        Self(unsafe { _mm256_mulhi_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Self {
        // SAFETY: AVX2 exists because `self` does.
        Self(unsafe { _mm256_srai_epi16::<BITS>(self.0) })
    }

    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let square: &mut [Self; 16] = square.try_into().expect("sixteen vectors");
        // Write an element's place as the bits of its row, then of its column. Interleaving rows i and
        // i + 8 rotates all bits but the one that tells the 128-bit halves apart: four times, and
        // the places of rows and columns have changed but for the two highest bits, which are
        // a row's lowest bit and the half by then.
        // SAFETY: AVX2 exists because the vectors do.
        unsafe {
            let mut rows = square.map(|row| row.0);
            for _ in 0..4 {
                let last = rows;
                for i in 0..8 {
                    rows[2 * i] = _mm256_unpacklo_epi16(last[i], last[i + 8]);
                    rows[2 * i + 1] = _mm256_unpackhi_epi16(last[i], last[i + 8]);
                }
            }
            for i in 0..8 {
                let (even, odd) = (rows[2 * i], rows[2 * i + 1]);
                square[i] = Self(_mm256_permute2x128_si256::<0x20>(even, odd));
                square[i + 8] = Self(_mm256_permute2x128_si256::<0x31>(even, odd));
            }
        }
    }

    #[inline(always)]
    fn tail_zeta(_: Avx2, logn: u32, inverse: bool, index: usize) -> LaneZeta<Self> {
        let (value, times_q_inverse) = match (logn, inverse) {
            (9, false) => (&TAIL_512.value[index], &TAIL_512.times_q_inverse[index]),
            (9, true) => (
                &INVERSE_TAIL_512.value[index],
                &INVERSE_TAIL_512.times_q_inverse[index],
            ),
            (_, false) => (&TAIL_1024.value[index], &TAIL_1024.times_q_inverse[index]),
            (_, true) => (
                &INVERSE_TAIL_1024.value[index],
                &INVERSE_TAIL_1024.times_q_inverse[index],
            ),
        };
        // SAFETY: AVX2 exists by the witness; 32 bytes are read from each, of any alignment.
        unsafe {
            LaneZeta {
                value: Self(_mm256_loadu_si256(value.as_ptr().cast())),
                times_q_inverse: Self(_mm256_loadu_si256(times_q_inverse.as_ptr().cast())),
            }
        }
    }
}
