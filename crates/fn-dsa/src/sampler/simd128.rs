//! The four attempts of a round of [`super::wide`] at once, with wasm's simd128.
//!
//! The values are those of the other targets, bit for bit. What differs is how they come about: this
//! instruction set rounds to integers, but cannot shift lanes by different amounts, so that thresholds stay
//! doubles, and the power of two is a factor. Constants are read from a table that the compiler does not
//! look through, because a constant in the code costs an engine three instructions.
#![allow(unsafe_code)] // Loads through pointers.

use core::arch::wasm32::*;
use core::hint::black_box;

use super::round::ROUND;
use super::tables::{EXP, INVERSE_2_SIGMA_MAX_SQUARED, INVERSE_LN_2, LN_2, ONE, PARTS72};
use crate::fpr::ROUNDER;

/// 2^52: doubles from here on are integers.
const TWO_52: u64 = 0x4330_0000_0000_0000;

/// The halves of the entries of the base distribution, in turn; then the constants.
static TABLE: [u64; ENTRIES + 12 + EXP.len()] = {
    let mut table = [0; ENTRIES + 12 + EXP.len()];
    let mut i = 0;
    while i < 18 {
        table[2 * i] = PARTS72.high[i];
        table[2 * i + 1] = PARTS72.low[i];
        i += 1;
    }
    let constants = [
        0x1ff,
        1,
        TWO_52,
        ONE,
        1 << 63,
        INVERSE_2_SIGMA_MAX_SQUARED,
        INVERSE_LN_2,
        ROUNDER,
        LN_2,
        // The exponent of 2^23, less s.
        ROUNDER + 1023 + 23,
        // Reserved, so that the loads of the coefficients are aligned.
        0,
        0,
    ];
    let mut i = 0;
    while i < 12 {
        table[ENTRIES + i] = constants[i];
        i += 1;
    }
    let mut i = 0;
    while i < EXP.len() {
        table[ENTRIES + 12 + i] = EXP[i];
        i += 1;
    }
    table
};

/// Words of the base distribution.
const ENTRIES: usize = 36;

/// Four attempts, those with even numbers for the first centre and those with odd ones for the second.
pub(super) struct Four {
    pub(super) z: [f64; 4],
    /// One bit for each attempt; what is neither accepted nor refused is decided by `below`.
    pub(super) accepted: u32,
    pub(super) refused: u32,
    scaled: [v128; 2],
    thresholds: [v128; 2],
}

impl Four {
    /// The bits of the probabilities below the thresholds.
    #[cold]
    pub(super) fn below(&self) -> [u64; 4] {
        let mut below = [0; 4];
        for (i, below) in below.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let rest = f64x2_sub(self.scaled[i], self.thresholds[i]);
            let rest = f64x2_mul(rest, f64x2_splat(549_755_813_888.0)); // 2^39
            *below = [
                f64x2_extract_lane::<0>(rest) as u64,
                f64x2_extract_lane::<1>(rest) as u64,
            ];
        }
        below
    }
}

#[inline(always)]
fn both(f: impl Fn(usize) -> v128) -> [v128; 2] {
    [f(0), f(1)]
}

/// Makes the attempts: see `super::wide::attempts` for the reasons.
#[inline(always)]
pub(super) fn four(round: &[u8; ROUND], centres: [f64; 2], narrow: f64, ccs: f64) -> Four {
    let table: &[u64; ENTRIES + 12 + EXP.len()] = black_box(&TABLE);
    // SAFETY: eight bytes are there to read.
    let word = |i: usize| unsafe { v128_load64_splat((&raw const table[i]).cast()) };
    let constant = |i: usize| word(ENTRIES + i);
    // SAFETY: 16 bytes each are there to read.
    let (long, short) = unsafe {
        let at = |i: usize| v128_load(round[16 * i..16 * i + 16].as_ptr().cast());
        ([at(0), at(1)], at(2))
    };

    let centre = f64x2(centres[0], centres[1]);
    let floor = f64x2_floor(centre);
    let rest = f64x2_sub(centre, floor);

    // How many entries are above the 72 bits, negative.
    let high = both(|k| u64x2_shr(long[k], 1));
    let low = [
        u64x2_extend_low_u32x4(short),
        u64x2_extend_high_u32x4(short),
    ];
    let low = both(|k| v128_and(low[k], constant(0)));
    let mut minus_z0 = [i64x2_splat(0); 2];
    // Not a loop: builds for size would keep it as one.
    macro_rules! count {
        ($($i:literal)*) => {$({
            let (entry, part) = (word(2 * $i), word(2 * $i + 1));
            minus_z0 = both(|k| {
                let entry = i64x2_sub(entry, i64x2_lt(low[k], part));
                i64x2_add(minus_z0[k], i64x2_lt(high[k], entry))
            });
        })*};
    }
    count!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
    let two52 = constant(2);
    let one = constant(3);
    let z0 = both(|k| f64x2_sub(i64x2_sub(two52, minus_z0[k]), two52));
    // -z0, or 1 + z0 if the bit is set.
    let z = both(|k| {
        let set = i64x2_neg(v128_and(long[k], constant(1)));
        let signed = v128_xor(z0[k], v128_andnot(constant(4), set));
        f64x2_add(signed, v128_and(set, one))
    });

    let x = both(|k| {
        let distance = f64x2_sub(z[k], rest);
        let own = f64x2_mul(f64x2_mul(distance, distance), f64x2_splat(narrow));
        f64x2_sub(own, f64x2_mul(f64x2_mul(z0[k], z0[k]), constant(5)))
    });
    let rounder = constant(7);
    let rounded = both(|k| f64x2_add(f64x2_mul(x[k], constant(6)), rounder));
    let r = both(|k| f64x2_sub(x[k], f64x2_mul(f64x2_sub(rounded[k], rounder), constant(8))));
    let exponential = exp_of_minus(r, one, |i| word(ENTRIES + 12 + i));
    // 2^23 times the probability: the coin's bits stand against its integer part.
    let scaled = both(|k| {
        let power = i64x2_shl(i64x2_sub(constant(9), rounded[k]), 52);
        f64x2_mul(f64x2_mul(f64x2_splat(ccs), exponential[k]), power)
    });
    let thresholds = both(|k| f64x2_floor(scaled[k]));
    let coins = u32x4_shr(short, 9);
    let coins = [
        u64x2_extend_low_u32x4(coins),
        u64x2_extend_high_u32x4(coins),
    ];
    let coins = both(|k| f64x2_sub(v128_or(coins[k], two52), two52));
    let bits = |masks: [v128; 2]| {
        u32::from(i64x2_bitmask(masks[0])) | u32::from(i64x2_bitmask(masks[1])) << 2
    };
    let sums = both(|k| f64x2_add(floor, z[k]));
    Four {
        z: [
            f64x2_extract_lane::<0>(sums[0]),
            f64x2_extract_lane::<1>(sums[0]),
            f64x2_extract_lane::<0>(sums[1]),
            f64x2_extract_lane::<1>(sums[1]),
        ],
        accepted: bits(both(|k| f64x2_lt(coins[k], thresholds[k]))),
        refused: bits(both(|k| f64x2_lt(thresholds[k], coins[k]))),
        scaled,
        thresholds,
    }
}

/// exp(-r) as `super::wide::exp_of_minus` computes it.
#[inline(always)]
fn exp_of_minus(r: [v128; 2], one: v128, coefficient: impl Fn(usize) -> v128) -> [v128; 2] {
    let linear =
        |i: usize| both(|k| f64x2_add(coefficient(i), f64x2_mul(coefficient(i + 1), r[k])));
    // a + b c
    let fma =
        |a: [v128; 2], b: [v128; 2], c: [v128; 2]| both(|k| f64x2_add(a[k], f64x2_mul(b[k], c[k])));
    let r2 = both(|k| f64x2_mul(r[k], r[k]));
    let low = fma(both(|k| f64x2_sub(one, r[k])), linear(0), r2);
    let middle = fma(linear(2), linear(4), r2);
    let high = fma(linear(6), linear(8), r2);
    let r4 = both(|k| f64x2_mul(r2[k], r2[k]));
    fma(low, fma(middle, high, r4), r4)
}
