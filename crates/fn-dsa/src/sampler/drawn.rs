//! What depends on the randomness alone in an attempt of [`super::wide`]: the half-Gaussian z0 with its side b, and what
//! the coin says.
//!
//! With a coin of 23 bits that is k, an attempt is accepted if (k + 1) / 2^23 is at most the probability
//! ccs exp(-x), and refused if k / 2^23 is above it. In logarithms of base 2, and with the part of x that depends on the
//! centre on one side:
//!
//! ```text
//!     (z - rest)^2 / (2 sigma'^2 ln 2) - log2(ccs)  <  -log2((k + 1/2) / 2^23) + z0^2 / (2 sigma_max^2 ln 2)
//! ```
//!
//! up to an error, and up to the half on either side of k + 1/2. Both together stay below [`MARGIN`], if k is 2^11 at
//! least: log2(1 + 1/4096) < 2^-11.4 for the halves, 2^-16.2 for each of the two logarithms, and 2^-40 for everything
//! else. So the right side, less the margin and more, are two bounds that are known before the centre, and what lies
//! between them is left to the exact computation: one attempt in 2,600. So are all with a smaller coin, one in 4,096.

use lanner_simd::U64;

use super::round::ROUND;
use super::tables::{HALF, INVERSE_2_SIGMA_MAX_SQUARED_LN_2, LOG_2, ONE, PARTS72, Parts};
use crate::fpr::{Lanes, Real};

/// Bits of the coin in the short word.
pub(super) const COIN_BITS: i32 = 23;

/// Coins below are not estimated.
const LEAST_COIN: u64 = 1 << 11;

/// 2^-11.
const MARGIN: u64 = 0x3f40_0000_0000_0000;

/// 2^20, a margin beyond all that is compared.
const ANYTHING: u64 = 0x4130_0000_0000_0000;

/// 2^52, whose sum with an integer below is the encoding's.
pub(super) const TWO_52: u64 = 0x4330_0000_0000_0000;

/// As many attempts as there are lanes.
#[derive(Clone, Copy)]
pub(super) struct Drawn<L> {
    /// -z0 or 1 + z0.
    pub(super) z: L,
    /// Accepted if what depends on the centre is below,
    pub(super) low: L,
    /// and refused if it is above.
    pub(super) high: L,
}

#[inline(always)]
pub(super) fn real<L: Lanes>(bits: u64) -> L {
    L::splat(L::Real::from_bits(bits))
}

/// z0 and z: u has its highest 63 bits in `long`, above the bit b, and the `BITS` others in `u_low`.
#[inline(always)]
pub(super) fn half_gaussian<L: Lanes, const BITS: u32>(
    table: &Parts<BITS>,
    long: L::Words,
    u_low: L::Words,
) -> (L, L) {
    let word = L::Words::splat;
    // How many entries are above u. An entry is if its high part, and 1 more where its low part is above that of u, is
    // above that of u.
    let u_high = long.shr::<1>();
    let mut z0 = word(0);
    for (high, low) in table.high.iter().zip(&table.low) {
        let entry = u_low.count_below(word(*low), word(*high));
        z0 = u_high.count_below(entry, z0);
    }
    // As a double: the low bits of 2^52 + z0.
    let two52 = word(TWO_52);
    let z0 = L::from_words(two52.or(z0)) - L::from_words(two52);
    // -z0, or 1 + z0 if the bit is set.
    let bit = long.shl::<63>();
    let sign = bit.xor(word(1 << 63));
    let one = word(0).sub(long.and(word(1))).and(word(ONE));
    let z = L::from_words(z0.to_words().xor(sign)) + L::from_words(one);
    (z0, z)
}

/// The lower 9 bits of u, from the short word.
#[inline(always)]
pub(super) fn lower_bits<W: U64>(short: W) -> W {
    short.and(W::splat(0x1ff))
}

/// log2(x) + `offset`, for a normal x above 0 and an offset that is an integer; the error is below 2^-16.2.
#[inline(always)]
pub(super) fn log2<L: Lanes>(x: L, offset: i32) -> L {
    let word = L::Words::splat;
    let bits = x.to_words();
    let bias = L::Real::from_bits(TWO_52) + L::Real::from_i32(1023 - offset);
    let exponent = L::from_words(bits.shr::<52>().or(word(TWO_52))) - L::splat(bias);
    let m = L::from_words(bits.and(word((1 << 52) - 1)).or(word(ONE)));
    let coefficient = |k: usize| real::<L>(LOG_2[k]);
    let linear = |k: usize| coefficient(k) + coefficient(k + 1) * m;
    let m2 = m * m;
    exponent + (linear(0) + (linear(2) + linear(4) * m2) * m2)
}

/// What the two words of each attempt say.
#[inline(always)]
pub(super) fn drawn<L: Lanes>(long: L::Words, short: L::Words) -> Drawn<L> {
    let word = L::Words::splat;
    let (z0, z) = half_gaussian::<L, 9>(&PARTS72, long, lower_bits(short));
    let coin = short.shr::<9>();
    // k + 1/2
    let middle = (L::from_words(coin.or(word(TWO_52))) - real::<L>(TWO_52)) + real::<L>(HALF);
    let bound = z0 * z0 * real::<L>(INVERSE_2_SIGMA_MAX_SQUARED_LN_2) - log2(middle, -COIN_BITS);
    let small = coin.below(word(LEAST_COIN)).and(word(ANYTHING));
    let margin = L::from_words(small) + real::<L>(MARGIN);
    Drawn {
        z,
        low: bound - margin,
        high: bound + margin,
    }
}

/// The words of attempt `first` of a round and the following, for as many lanes as there are.
#[inline(always)]
pub(super) fn words<W: U64>(round: &[u8; ROUND], first: usize) -> (W, W) {
    let (long, short) = round.split_at(32);
    (
        W::load_le(&long[8 * first..]),
        W::load_u32_le(&short[4 * first..]),
    )
}
