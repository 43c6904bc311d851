//! Eight residues in a vector of wasm's simd128.
#![allow(unsafe_code)] // Loads and stores through pointers.

use core::arch::wasm32::*;

use super::Operation;
use super::lanes::{Constants, LaneZeta, Lanes};
use super::tables::{Q_INVERSE, ZETA, Zeta};
use crate::params::N_MAX;

/// The smallest degree on these lanes: transpositions take 64 residues.
pub(super) const LOGN_MIN: u32 = 6;

/// Runs an operation where the instructions are enabled, whatever the flags are.
#[target_feature(enable = "simd128")]
pub(super) fn run<O: Operation>(operation: O) -> O::Output {
    operation.run::<Eight>(())
}

#[target_feature(enable = "simd128")]
#[inline(never)]
fn forward(logn: u32, poly: &mut [Eight]) {
    super::forward((), logn, poly, Constants::new(()));
}

#[target_feature(enable = "simd128")]
#[inline(never)]
fn inverse(logn: u32, scale: Zeta, poly: &mut [Eight]) {
    super::inverse((), logn, scale, poly, Constants::new(()));
}

/// Eight residues.
#[derive(Clone, Copy)]
pub(super) struct Eight(v128);

/// The high halves of two vectors of products that fit 31 bits.
#[inline(always)]
fn high_halves(low: v128, high: v128) -> v128 {
    i16x8_narrow_i32x4(i32x4_shr(low, 16), i32x4_shr(high, 16))
}

#[inline(always)]
fn interleave_low(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
}

#[inline(always)]
fn interleave_high(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
}

impl Lanes for Eight {
    const COUNT: usize = 8;
    type Token = ();
    type Poly = [Eight; N_MAX / 8];

    #[inline(always)]
    fn poly((): ()) -> Self::Poly {
        [Self(i16x8_splat(0)); N_MAX / 8]
    }

    #[inline(always)]
    fn load((): (), from: &[i16]) -> Self {
        let from: &[i16; 8] = &from.as_chunks().0[0];
        // SAFETY: 16 bytes are there to read, of any alignment.
        Self(unsafe { v128_load(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [i16]) {
        let to: &mut [i16; 8] = &mut to.as_chunks_mut().0[0];
        // SAFETY: 16 bytes are there to write, of any alignment.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat((): (), value: i16) -> Self {
        Self(i16x8_splat(value))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        Self(i16x8_mul(self.0, other.0))
    }

    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        Self(high_halves(
            i32x4_extmul_low_i16x8(self.0, other.0),
            i32x4_extmul_high_i16x8(self.0, other.0),
        ))
    }

    /// There is no instruction for high halves, but one for sums of two products.
    #[inline(always)]
    fn high_difference(self, zeta: Self, m: Self, q: Self) -> Self {
        let minus_q = i16x8_neg(q.0);
        let low = i32x4_dot_i16x8(interleave_low(self.0, m.0), interleave_low(zeta.0, minus_q));
        let high = i32x4_dot_i16x8(
            interleave_high(self.0, m.0),
            interleave_high(zeta.0, minus_q),
        );
        Self(high_halves(low, high))
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Self {
        Self(i16x8_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let square: &mut [Self; 8] = &mut square.as_chunks_mut().0[0];
        // Write an element's place as the bits of its row, then of its column. Interleaving rows i and i + 4
        // rotates all bits: after three times, row and column have changed places.
        for _ in 0..3 {
            let last = *square;
            for i in 0..4 {
                square[2 * i] = Self(interleave_low(last[i].0, last[i + 4].0));
                square[2 * i + 1] = Self(interleave_high(last[i].0, last[i + 4].0));
            }
        }
    }

    #[inline(always)]
    fn forward((): (), logn: u32, poly: &mut [Self], _: Constants<Self>) {
        forward(logn, poly);
    }

    #[inline(always)]
    fn inverse((): (), logn: u32, scale: Zeta, poly: &mut [Self], _: Constants<Self>) {
        inverse(logn, scale, poly);
    }

    /// Gathered from the one table: tables in the order of the lanes would be larger than all of this code.
    #[inline(always)]
    fn tail_zeta((): (), logn: u32, inverse: bool, index: usize) -> LaneZeta<Self> {
        // What `tables::Tail` has at this index: vectors for k = 1, 2, 4 parts, in each for all groups.
        let groups = (1 << logn) / 64;
        let k = match index / groups {
            0 => 1,
            1 | 2 => 2,
            _ => 4,
        };
        let place = index - groups * (k - 1);
        let (g, s) = (place / k, place % k);
        let m = k * groups * 8;
        let lane = |j: usize| {
            let block = (g * 8 + j) * k + s;
            let from = if inverse {
                2 * m - 1 - block
            } else {
                m + block
            };
            // Below N_MAX already.
            ZETA[from % N_MAX].value
        };
        let value = i16x8(
            lane(0),
            lane(1),
            lane(2),
            lane(3),
            lane(4),
            lane(5),
            lane(6),
            lane(7),
        );
        LaneZeta {
            value: Self(value),
            times_q_inverse: Self(i16x8_mul(value, i16x8_splat(Q_INVERSE))),
        }
    }
}
