//! IEEE-754 binary64 in integers, for targets whose own arithmetic is not trusted to keep the
//! contract, or is not there.
//!
//! Rounding is to nearest, ties to even, as in hardware. Zeros keep their signs. Subnormal
//! arguments count as zero and subnormal results become zero; an exponent that overflows gives infinity;
//! infinities and NaN as arguments give some value. None of these occurs in signing.
//!
//! The code takes the same path for all values: no branch, no table, and no instruction beyond additions,
//! shifts, and products of 32-bit halves. Shifts by secret amounts are made of shifts of single words
//! (`lanner_simd::mask`), because for 64-bit values they are library calls on 32-bit targets.

use core::ops::{Add, Mul, Neg, Sub};

use lanner_simd::Mask;
use lanner_simd::mask::{shift_left, shift_right};
use zeroize::DefaultIsZeroes;

use super::roots;
use super::{Real, Roots, one_lane, values};

/// The encoding of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Emulated(u64);

impl DefaultIsZeroes for Emulated {}

const SIGN: u64 = 1 << 63;
const FRACTION: u64 = (1 << 52) - 1;

// Masks are made of single words and widened: two words of them cost twice as much on 32-bit processors.

/// The upper word.
#[inline(always)]
fn high(value: u64) -> u32 {
    (value >> 32) as u32
}

/// Whether a value is not zero.
#[inline(always)]
fn is_nonzero(value: u64) -> Mask<u32> {
    Mask::of_nonzero(high(value) | value as u32)
}

/// 1 if a value is not zero.
#[inline(always)]
fn nonzero(value: u64) -> u64 {
    u64::from(is_nonzero(value).keep(1))
}

/// Whether the highest bit is set.
#[inline(always)]
fn top(value: u64) -> Mask<u64> {
    Mask::of_sign(high(value)).widen()
}

/// `value >> count`; the lowest bit of the result is set if a one was shifted out. A count of 64 or more, to be taken
/// for a signed number that is not below 0, shifts everything out.
#[inline(always)]
fn shift_right_sticky(value: u64, count: u32) -> u64 {
    let far = Mask::of_sign(63_u32.wrapping_sub(count)).widen();
    let within = count & 63;
    // What is shifted out, at the top.
    let lost = shift_left(value, 63 - within) << 1;
    let near = shift_right(value, within) | nonzero(lost);
    far.select(near, nonzero(value))
}

/// Shifts a value left until its highest bit is set, and counts the shifts; 0 stays 0.
#[inline(always)]
fn normalise(value: u64) -> (u64, i32) {
    // The zeros at the top, counted in the upper word, or in the lower one where that is empty.
    let empty = Mask::of_zero(high(value));
    let mut word = empty.select(high(value), value as u32);
    let mut count = empty.keep(32);
    for step in (0..5).rev() {
        let empty = Mask::of_zero(word >> (32 - (1 << step)));
        word = empty.select(word, word << (1 << step));
        count += empty.keep(1 << step);
    }
    (shift_left(value, count), count as i32)
}

/// The 128-bit product, as its high and low halves.
#[inline(always)]
fn wide_product(a: u64, b: u64) -> (u64, u64) {
    let low = |x: u64| x & 0xffff_ffff;
    let (a0, a1, b0, b1) = (low(a), a >> 32, low(b), b >> 32);
    let (p00, p01, p10, p11) = (a0 * b0, a0 * b1, a1 * b0, a1 * b1);
    let middle = (p00 >> 32) + low(p01) + low(p10);
    let high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
    (high, low(p00) | (middle << 32))
}

/// A value taken apart: sign in place, biased exponent, significand with its leading one in bit 52,
/// or 0 for a zero.
#[inline(always)]
fn unpack(bits: u64) -> (u64, i32, u64) {
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let normal = Mask::of_nonzero(exponent as u32);
    (
        bits & SIGN,
        exponent,
        normal.widen().keep((bits & FRACTION) | (1 << 52)),
    )
}

/// Rounds a significand whose leading one is bit 63 (or which is 0), with that bit's biased exponent;
/// its lowest bit may stand for everything below it.
#[inline(always)]
fn pack(sign: u64, exponent: i32, significand: u64) -> Emulated {
    let kept = significand >> 11;
    let up = ((significand & 0x7ff) + 0x3ff + (kept & 1)) >> 11;
    // The leading one adds 1 to the exponent field; so does a carry out of the fraction.
    let rounded = kept + up;
    let value = ((exponent as u64).wrapping_sub(1) << 52).wrapping_add(rounded);
    let vanishes = Mask::of_sign((exponent - 1) as u32).widen() | !top(significand);
    let infinite = Mask::of_sign((2047 - exponent - (rounded >> 52) as i32) as u32).widen();
    let value = infinite.select(value, 0x7ff0_0000_0000_0000);
    Emulated(sign | (!vanishes).keep(value))
}

impl Add for Emulated {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        // x is the larger in magnitude.
        let (a, b) = (self.0, other.0);
        let less = top((a & !SIGN).wrapping_sub(b & !SIGN));
        let difference = less.keep(a ^ b);
        let ((sign, exponent, x), (sign_y, exponent_y, y)) =
            (unpack(a ^ difference), unpack(b ^ difference));
        // Ten bits more, the lowest standing for what is shifted out: enough, because unless the
        // exponents are equal or neighbours the difference loses at most one leading bit.
        let (x, y) = (
            x << 10,
            shift_right_sticky(y << 10, (exponent - exponent_y) as u32),
        );
        let opposite = top(sign ^ sign_y);
        let sum = x.wrapping_add(opposite.negate(y));
        // An exact zero is positive unless both terms are negative.
        let sign = sign & (is_nonzero(sum).widen().word() | sign_y);
        let (sum, shifts) = normalise(sum);
        pack(sign, exponent + 1 - shifts, sum)
    }
}

impl Neg for Emulated {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0 ^ SIGN)
    }
}

impl Sub for Emulated {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Emulated {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let ((sign_x, exponent_x, x), (sign_y, exponent_y, y)) = (unpack(self.0), unpack(other.0));
        // In [2^126, 2^128), or 0.
        let (high, low) = wide_product(x << 11, y << 11);
        let product = high | nonzero(low);
        let short = !top(product);
        pack(
            sign_x ^ sign_y,
            exponent_x + exponent_y - 1022 - short.keep(1) as i32,
            short.select(product, product << 1),
        )
    }
}

impl Emulated {
    /// The quotient, by long division; a zero divisor gives some value.
    #[inline]
    fn quotient(self, divisor: Self) -> Self {
        let ((sign_x, exponent_x, x), (sign_y, exponent_y, y)) =
            (unpack(self.0), unpack(divisor.0));
        let mut rest = x;
        let mut quotient = 0;
        for _ in 0..56 {
            let difference = rest.wrapping_sub(y);
            let fits = !top(difference);
            rest = fits.select(rest, difference);
            quotient = (quotient << 1) | fits.keep(1);
            rest <<= 1;
        }
        // floor(x 2^55 / y), in (2^54, 2^56).
        let quotient = (quotient << 8) | nonzero(rest);
        let short = !top(quotient);
        let nonzero_x = is_nonzero(x).widen();
        pack(
            sign_x ^ sign_y,
            exponent_x - exponent_y + 1023 - short.keep(1) as i32,
            nonzero_x.keep(short.select(quotient, quotient << 1)),
        )
    }

    /// The square root, bit by bit; a value below zero gives some value.
    #[inline]
    fn square_root(self) -> Self {
        let (sign, exponent, x) = unpack(self.0);
        // x 2^(exponent - 1075) = m 2^(2k) with m in [2^52, 2^54): the root's exponent is half.
        let odd = (exponent & 1) ^ 1;
        let mut m = Mask::of_bit(odd as u64).select(x, x << 1) << 10;
        let (mut rest, mut root) = (0_u64, 0_u64);
        for _ in 0..54 {
            rest = (rest << 2) | (m >> 62);
            m <<= 2;
            let difference = rest.wrapping_sub((root << 2) | 1);
            let fits = !top(difference);
            rest = fits.select(rest, difference);
            root = (root << 1) | fits.keep(1);
        }
        pack(
            sign,
            (exponent + 1023 - odd) >> 1,
            (root << 10) | nonzero(rest),
        )
    }
}

one_lane!(Emulated);

impl Real for Emulated {
    const ROOTS: Roots<Self> = Roots {
        re: &values!(roots::RE, Emulated),
        im: &values!(roots::IM, Emulated),
    };
    const ZERO: Self = Self(0);

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.0
    }

    #[inline]
    fn from_i32(value: i32) -> Self {
        let sign = (i64::from(value) as u64) & SIGN;
        let (magnitude, shifts) = normalise(u64::from(value.unsigned_abs()));
        pack(sign, 1023 + 63 - shifts, magnitude)
    }
}
