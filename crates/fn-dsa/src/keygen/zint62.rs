//! Large integers: limbs of 62 bits, least significant first, in two's complement.
//!
//! ```text
//!    limb         0               1                    last
//!           [ 62 bits, >= 0 | 62 bits, >= 0 | … | signed, [-2^61, 2^61) ]
//!    word     0   |   1         2   |   3     …
//! ```
//!
//! All limbs but the last are in [0, 2^62), each in an `i64` whose two upper bits are free: a sum of two limbs and a
//! borrow does not overflow, and an arithmetic shift by 62 gives the carry. The last limb is signed. It is in
//! [-2^61, 2^61) after every operation of this file but one: [`multiply_small`] leaves up to 2^63 - 1 in it, for [`excess`] to see.
//!
//! The scheme fixes sizes in words of 31 bits, two to a limb, and whether a number fits its words decides
//! which keys exist. [`excess`] and [`all_fit`] answer that for any number of
//! words, odd ones as well. The longest number, F at the depth above the integers, has 156 limbs.
//!
//! Products of limbs are below 2^124 in absolute value, and an `i128` holds the sum of four.
//! [`dot`] therefore splits its sum after each four into the part below 2^62 and the rest, and adds these up apart: with
//! at most 256 terms they stay below 2^69 and 2^71. Such sums wait in columns of 128 bits until [`carry_columns`] makes
//! limbs of them.
//!
//! A [`Window`] reads 64 bits at a position that is secret, for the fixed-point numbers of the reduction. The limbs that
//! may be in it are public, at most eight; it reads all of them and keeps three by masks:
//!
//! ```text
//!     x  … | limb | limb | limb | limb | …
//!               [ three kept: 186 bits ]
//!                  [offset][  64 bits  ]
//! ```
//!
//! All lengths and shifts are public unless said otherwise; nothing here branches or indexes by values.

use lanner_simd::mask::shift_left;
use lanner_simd::{Mask, U64};

use super::lanes::Single;
use super::mp31::Prime;

/// Bits of a word, two of which make a limb.
const WORD: u32 = 31;

/// The lower bits of a limb.
pub(crate) const MASK: i64 = (1 << 62) - 1;

/// x y.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
pub(crate) fn product(x: i64, y: i64) -> i128 {
    i128::from(x) * i128::from(y)
}

/// The same. WebAssembly has no product of 128 bits, and the compiler calls a function for one of twice as many.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
pub(crate) fn product(x: i64, y: i64) -> i128 {
    product_in_halves(x, y)
}

/// x y from products of 32-bit halves, of which the higher ones are signed.
#[cfg(any(test, target_arch = "wasm32"))]
#[inline(always)]
fn product_in_halves(x: i64, y: i64) -> i128 {
    const LOW: i64 = 0xffff_ffff;
    let (x0, x1) = (x & LOW, x >> 32);
    let (y0, y1) = (y & LOW, y >> 32);
    let low = (x0 as u64) * (y0 as u64);
    // Each at most 2^63 - 2^31 in magnitude.
    let (a, b) = (x0 * y1, x1 * y0);
    let middle = (low >> 32) as i64 + (a & LOW) + (b & LOW);
    let high = x1 * y1 + (a >> 32) + (b >> 32) + (middle >> 32);
    let low = (middle as u64) << 32 | low & LOW as u64;
    i128::from(high) << 64 | i128::from(low)
}

/// The sum of x_i y_i, as a number below 2^62 and 2^62 times another.
#[inline(always)]
pub(crate) fn dot(x: &[i64], y: &[i64]) -> (i128, i128) {
    let (mut low, mut high) = (0i128, 0i128);
    let (xs, x_rest) = x.as_chunks::<4>();
    let (ys, y_rest) = y.as_chunks::<4>();
    for (x, y) in xs.iter().zip(ys) {
        // Four products stay below 2^127.
        let sum =
            product(x[0], y[0]) + product(x[1], y[1]) + product(x[2], y[2]) + product(x[3], y[3]);
        low += sum & i128::from(MASK);
        high += sum >> 62;
    }
    let mut sum = 0;
    for (&x, &y) in x_rest.iter().zip(y_rest) {
        sum += product(x, y);
    }
    (low + (sum & i128::from(MASK)), high + (sum >> 62))
}

/// Carries `columns` into so many limbs, and clears them; `to` gets each limb with its place. What exceeds them is cut off.
#[inline(always)]
pub(crate) fn carry_columns(columns: &mut [i128], limbs: usize, mut to: impl FnMut(usize, i64)) {
    let mut carry = 0i128;
    for (i, column) in columns[..limbs].iter().enumerate() {
        carry += *column;
        let limb = carry as i64 & MASK;
        carry >>= 62;
        // The last limb is signed.
        to(
            i,
            if i == limbs - 1 {
                (limb << 2) >> 2
            } else {
                limb
            },
        );
    }
    columns.fill(0);
}

/// What x is beyond [-2^(31 words - 1), 2^(31 words - 1)): zero exactly if it is in there.
#[inline]
pub(crate) fn excess(x: &[i64], words: usize) -> u64 {
    let sign = Mask::of_sign(x[x.len() - 1]);
    let (sign, sign_limb) = (sign.word(), sign.keep(MASK));
    // The limb with the sign bit of the narrower number, then those above.
    let bit = 31 * words as u32 - 1;
    let at = (bit / 62) as usize;
    let mut other = 0;
    if let Some((first, above)) = x[at..].split_first() {
        if above.is_empty() {
            other |= (first >> (bit % 62)) ^ sign;
        } else {
            other |= (first >> (bit % 62)) ^ sign_limb >> (bit % 62);
        }
        if let Some((last, between)) = above.split_last() {
            other |= last ^ sign;
            for limb in between {
                other |= limb ^ sign_limb;
            }
        }
    }
    other as u64
}

/// Whether all numbers of `active` limbs, `stride` from one to the next, fit in `words` words of 31 bits.
pub(crate) fn all_fit(x: &[i64], stride: usize, active: usize, words: usize) -> bool {
    let excess = x
        .chunks_exact(stride)
        .fold(0, |any, x| any | excess(&x[..active], words));
    is_zero(excess).declassify()
}

/// x <- x factor, for x >= 0 and a small positive factor.
pub(crate) fn multiply_small(x: &mut [i64], factor: i64) {
    let last = x.len() - 1;
    let mut carry = 0i128;
    for (i, x) in x.iter_mut().enumerate() {
        carry += product(*x, factor);
        *x = if i == last {
            // Saturating keeps an overflow visible.
            carry.min(i128::from(i64::MAX)) as i64
        } else {
            carry as i64 & MASK
        };
        carry >>= 62;
    }
}

/// Whether x is zero.
#[inline(always)]
pub(crate) fn is_zero(x: u64) -> Mask<u64> {
    Mask::of_zero(x)
}

/// The residues modulo a 31-bit prime of numbers of `stride` limbs each.
#[inline]
pub(crate) fn residues(from: &[i64], stride: usize, prime: &Prime, to: &mut [u32]) {
    // Horner's rule in words of 31 bits from the top; above a negative number stands -1. A product takes any
    // 32 bits, so that the sums need not be reduced.
    let two_31 = prime.reduce(1 << WORD);
    let (weight, above) = (prime.mul(prime.r2, two_31), prime.sub(0, two_31));
    let words = |limb: i64| [limb >> WORD, limb].map(|word| word as u32 & 0x7fff_ffff);
    for (x, to) in from.chunks_exact(stride).zip(to) {
        let Some((&top, below)) = x.split_last() else {
            continue;
        };
        let negative = Mask::of_sign((top >> 32) as u32);
        let [high, mut lowest] = words(top);
        let mut product = prime.mul(negative.keep(above) + high, weight);
        for &limb in below.iter().rev() {
            let [high, low] = words(limb);
            product = prime.mul(product + lowest, weight);
            product = prime.mul(product + high, weight);
            lowest = low;
        }
        *to = prime.add(product, prime.reduce_once(lowest));
    }
}

/// How many bits the longest |x| has, or |x + 1| for negative x, of numbers of `stride` limbs each. Scans all.
#[inline]
pub(crate) fn bit_length(numbers: &[i64], stride: usize) -> u32 {
    let mut length = 0;
    for at in 0..stride {
        let bits = numbers.chunks_exact(stride).fold(0, |any, x| {
            any | ((x[at] ^ Mask::of_sign(x[stride - 1]).word()) & MASK)
        });
        let here = 62 * at as u32 + bit_length_u64(bits as u64);
        length = is_zero(bits as u64).narrow().select(here, length);
    }
    length
}

/// By bisection: not every processor counts leading zeros of 64 bits without a branch.
fn bit_length_u64(mut x: u64) -> u32 {
    let mut length = 0;
    for step in [32, 16, 8, 4, 2, 1] {
        let above = Mask::of_nonzero(x >> step);
        x = above.select(x, x >> step);
        length += above.narrow().keep(step);
    }
    length + x as u32
}

/// Quotient and remainder by 31 of a number up to 63487, without division.
#[inline(always)]
const fn div_31(x: u32) -> (u32, u32) {
    let quotient = (x * 67651) >> 21;
    (quotient, x - 31 * quotient)
}

/// How many limbs a window may have to look at: the scale of 7 words, 30 bits, and the rest of a limb.
const CANDIDATES: usize = 6;

/// Limb i of numbers of so many, counted from 1: below them are zeros, above them their signs.
#[inline(always)]
fn digit<V: U64>(i: usize, limbs: usize, sign: V, limb: &impl Fn(usize) -> V) -> V {
    let digit = match i.checked_sub(1) {
        None => V::splat(0),
        Some(i) if i < limbs => limb(i),
        _ => sign,
    };
    digit.and(V::splat(MASK as u64))
}

/// A window of 64 bits on long numbers, at a secret position: floor(x / 2^(31 base)) / 2^scale as a
/// fixed-point number, rounded down, modulo 2^32.
///
/// Where the scale is a multiple of 31, the result is one bit narrower: a value of 2^30 or more in
/// absolute value has the wrong sign. That is how the keys of this scheme are defined: it decides which
/// are rejected.
pub(crate) struct Window {
    /// The first limb that may be in the window, counted from 1.
    first: usize,
    /// How many may be the lowest in it.
    candidates: usize,
    /// Set for the one that is.
    chosen: [Mask<i64>; CANDIDATES],
    /// Where the window starts in it.
    offset: u32,
    /// Clears what is from below the base.
    above_base: i64,
    /// Set if one bit is missing.
    narrow: Mask<i64>,
}

impl Window {
    /// The scale is secret, and at most `scale_max`.
    pub(crate) fn new(base: usize, scale: u32, scale_max: u32) -> Self {
        // Bit 0 of the window, counted from a limb of zeros below x.
        let start = 31 * base as u32 + 30;
        let position = start + scale;
        let (half, remainder) = div_31(position / 2);
        let first = start / 62;
        let candidates = ((start + scale_max) / 62 - first + 1) as usize;
        let mut chosen = [Mask::of_sign(0); CANDIDATES];
        for (candidate, chosen) in (first..).zip(&mut chosen[..candidates]) {
            *chosen = Mask::of_equal(i64::from(candidate), i64::from(half));
        }
        // Nothing of a scale of 32 or more is from below the base.
        let below_base = Mask::of_less(scale, 32).keep(32_u32.wrapping_sub(scale));
        Self {
            first: first as usize,
            candidates,
            chosen,
            offset: 2 * remainder + (position & 1),
            above_base: shift_left(u64::MAX, below_base) as i64,
            narrow: Mask::of_zero(i64::from(div_31(scale).1)),
        }
    }

    /// Puts the window on numbers of `stride` limbs each.
    pub(crate) fn apply(&self, x: &[i64], stride: usize, to: &mut [i64]) {
        for (x, to) in x.chunks_exact(stride).zip(to) {
            let mut window = [0];
            let number = self.read(
                stride,
                #[inline(always)]
                |i| Single::splat(x[i] as u64),
            );
            number.store(&mut window);
            *to = window[0] as i64;
        }
    }

    /// Puts the window on numbers side by side, of which `limb` gives the limbs; the last is signed.
    #[inline(always)]
    pub(crate) fn read<V: U64>(&self, limbs: usize, limb: impl Fn(usize) -> V) -> V {
        let sign = limb(limbs - 1).sign();
        let mut parts = [V::splat(0); 3];
        let first = digit(self.first, limbs, sign, &limb);
        let mut digits = [first, digit(self.first + 1, limbs, sign, &limb)];
        for (i, chosen) in self.chosen[..self.candidates].iter().enumerate() {
            let next = digit(self.first + i + 2, limbs, sign, &limb);
            let chosen = V::splat(chosen.word() as u64);
            parts[0] = parts[0].or(chosen.and(digits[0]));
            parts[1] = parts[1].or(chosen.and(digits[1]));
            parts[2] = parts[2].or(chosen.and(next));
            digits = [digits[1], next];
        }
        // 128 bits, of which 64 from the offset on, which is below 62.
        let [low, middle, high] = parts;
        let (low, high) = (
            low.or(middle.shl::<62>()),
            middle.shr::<2>().or(high.shl::<60>()),
        );
        let high = high.shl::<1>().shl_by(63 - self.offset);
        let window = low.shr_by(self.offset).or(high);
        let window = window.and(V::splat(self.above_base as u64));
        // Where one bit is missing, bit 62 is the sign.
        let top = V::splat(1 << 62);
        let narrow = window.and(V::splat(u64::MAX >> 1)).xor(top).sub(top);
        V::splat(self.narrow.word() as u64).choose(narrow, window)
    }
}

/// x <- x - t 2^shift modulo 2^(62 limbs of x), where `limbs` gives the lower limbs of t, `count` of them, and
/// then its last one, signed and less than 2^61 in absolute value. x is the first in each of the planes of n numbers.
#[inline(always)]
pub(crate) fn subtract_shifted(
    x: &mut [i64],
    n: usize,
    shift: u32,
    count: usize,
    mut limbs: impl FnMut(usize) -> i64,
) {
    let whole = (shift / 62) as usize;
    let bits = shift % 62;
    // As many as there are, though the last plane may end early.
    let x = x.get_mut(whole * n..).unwrap_or_default();
    let body = x.len().div_ceil(n).saturating_sub(1);
    let (mut previous, mut borrow, mut at) = (0, 0, 0);
    let lower = count.min(body);
    for i in 0..lower {
        let limb = limbs(i);
        let difference = x[at] - (((limb << bits) & MASK) | (previous >> (62 - bits))) + borrow;
        previous = limb;
        x[at] = difference & MASK;
        borrow = difference >> 62;
        at += n;
    }
    // What is left of t, signed, unless it is cut off here.
    let limb = limbs(lower);
    let mut rest = ((limb << bits) & MASK) | (previous >> (62 - bits));
    let mut above = limb >> (62 - bits);
    for _ in lower..body {
        let difference = x[at] - (rest & MASK) + borrow;
        x[at] = difference & MASK;
        borrow = difference >> 62;
        rest = above;
        above >>= 62;
        at += n;
    }
    if let Some(last) = x.get_mut(at) {
        let difference = *last - (rest & MASK) + borrow;
        *last = (difference << 2) >> 2;
    }
}

#[cfg(test)]
#[test]
fn products_in_halves() {
    let edges = [
        0,
        1,
        -1,
        2,
        i64::MAX,
        i64::MIN,
        MASK,
        -MASK,
        1 << 32,
        (1 << 32) - 1,
        -(1 << 32),
        1 << 31,
    ];
    let mut word = 1_i64;
    let mut values = edges.to_vec();
    for _ in 0..200 {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        values.push(word);
    }
    for &x in &values {
        for &y in &values {
            assert_eq!(
                product_in_halves(x, y),
                i128::from(x) * i128::from(y),
                "{x} {y}"
            );
        }
    }
}
