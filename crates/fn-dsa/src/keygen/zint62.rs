//! Large integers: limbs of 62 bits, least significant first, in two's complement. All limbs but the
//! last are in [0, 2^62); the last is signed and in an `i64`.
//!
//! Sizes that the scheme fixes are in words of 31 bits, two to a limb. All lengths and shifts are
//! public unless said otherwise; nothing here branches or indexes by values.

use super::mp31::Prime;

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

/// Carries `columns` into the limbs of `to`, as many as `to` has, and clears them. What exceeds `to` is
/// cut off.
#[inline]
pub(crate) fn carry_columns(columns: &mut [i128], to: &mut [i64]) {
    let mut carry = 0i128;
    let last = to.len() - 1;
    for (limb, column) in to.iter_mut().zip(&*columns) {
        carry += *column;
        *limb = carry as i64 & MASK;
        carry >>= 62;
    }
    columns.fill(0);
    // The last limb is signed.
    to[last] = (to[last] << 2) >> 2;
}

/// Whether x is in [-2^(31 words - 1), 2^(31 words - 1)): all ones or zero.
#[inline]
pub(crate) fn fits(x: &[i64], words: usize) -> u64 {
    let sign = x[x.len() - 1] >> 63;
    // The limb with the sign bit of the narrower number, then those above.
    let bit = 31 * words as u32 - 1;
    let at = (bit / 62) as usize;
    let mut other = 0;
    if let Some((first, above)) = x[at..].split_first() {
        if above.is_empty() {
            other |= (first >> (bit % 62)) ^ sign;
        } else {
            other |= (first >> (bit % 62)) ^ (sign & MASK) >> (bit % 62);
        }
        if let Some((last, between)) = above.split_last() {
            other |= last ^ sign;
            for limb in between {
                other |= limb ^ (sign & MASK);
            }
        }
    }
    is_zero(other as u64)
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

/// All ones if x is zero, else zero.
#[inline(always)]
pub(crate) fn is_zero(x: u64) -> u64 {
    ((x | x.wrapping_neg()) >> 63).wrapping_sub(1)
}

/// The residues modulo a 31-bit prime of numbers of `stride` limbs each.
#[inline]
pub(crate) fn residues(from: &[i64], stride: usize, prime: &Prime, to: &mut [u32]) {
    // Horner's rule in words of 31 bits from the top, which is signed.
    let two_31 = prime.reduce(1 << 31);
    let weight = prime.mul(prime.r2, two_31);
    for (x, to) in from.chunks_exact(stride).zip(to) {
        let mut r = 0;
        let mut sign = 0;
        for &limb in x.iter().rev() {
            for word in [limb >> 31, limb] {
                r = prime.add(
                    prime.mul(r, weight),
                    prime.reduce_once(word as u32 & 0x7fff_ffff),
                );
            }
            if sign == 0 {
                sign = 1;
                // Two words hold the top limb modulo 2^62.
                let power = prime.mul(two_31, weight);
                r = prime.sub(r, power & (limb >> 63) as u32);
            }
        }
        *to = r;
    }
}

/// How many bits |x| has, or |x + 1| if x is negative. Scans all limbs.
#[inline]
pub(crate) fn bit_length(x: &[i64]) -> u32 {
    let sign = x[x.len() - 1] >> 63;
    let mut length = 0;
    for (i, &limb) in x.iter().enumerate() {
        let bits = ((limb ^ sign) & MASK) as u64;
        let here = 62 * i as u32 + bit_length_u64(bits);
        let keep = is_zero(bits) as u32;
        length = (length & keep) | (here & !keep);
    }
    length
}

#[inline(always)]
fn bit_length_u64(x: u64) -> u32 {
    // A zero has no leading one to look for, and some processors want one.
    64 - (x << 1 | 1).leading_zeros() - 1
}

/// Quotient and remainder by 31 of a number up to 63487, without division.
#[inline(always)]
const fn div_31(x: u32) -> (u32, u32) {
    let quotient = (x * 67651) >> 21;
    (quotient, x - 31 * quotient)
}

/// How many limbs a window may have to look at: the scale of 7 words, 30 bits, and the rest of a limb.
const CANDIDATES: usize = 6;

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
    /// All ones for the one that is.
    chosen: [i64; CANDIDATES],
    /// Where the window starts in it.
    offset: u32,
    /// Clears what is from below the base.
    above_base: i64,
    /// All ones if one bit is missing.
    narrow: i64,
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
        let mut chosen = [0; CANDIDATES];
        for (candidate, chosen) in (first..).zip(&mut chosen[..candidates]) {
            *chosen = is_zero(u64::from(candidate ^ half)) as i64;
        }
        Self {
            first: first as usize,
            candidates,
            chosen,
            offset: 2 * remainder + (position & 1),
            above_base: -1 << 32u32.saturating_sub(scale),
            narrow: is_zero(u64::from(div_31(scale).1)) as i64,
        }
    }

    /// Puts the window on numbers of `active` limbs, `stride` from one to the next.
    #[inline]
    pub(crate) fn apply(&self, x: &[i64], stride: usize, active: usize, to: &mut [i64]) {
        for (x, to) in x.chunks_exact(stride).zip(to) {
            let x = &x[..active];
            let sign = x[active - 1] >> 63;
            let digit = |i: usize| match i.checked_sub(1) {
                None => 0,
                Some(i) => x.get(i).copied().unwrap_or(sign) & MASK,
            };
            let mut parts = [0; 3];
            let mut digits = [digit(self.first), digit(self.first + 1)];
            for (i, chosen) in self.chosen[..self.candidates].iter().enumerate() {
                let next = digit(self.first + i + 2);
                parts[0] |= digits[0] & chosen;
                parts[1] |= digits[1] & chosen;
                parts[2] |= next & chosen;
                digits = [digits[1], next];
            }
            let low = parts[0] as u128 | (parts[1] as u128) << 62 | (parts[2] as u128) << 124;
            let window = (low >> self.offset) as i64 & self.above_base;
            *to = (window & !self.narrow) | (((window << 1) >> 1) & self.narrow);
        }
    }
}

/// x <- x - t 2^shift modulo 2^(62 x.len()), where `limbs` gives the lower limbs of t, `count` of them, and
/// then its last one, signed and less than 2^61 in absolute value.
#[inline(always)]
pub(crate) fn subtract_shifted(
    x: &mut [i64],
    shift: u32,
    count: usize,
    mut limbs: impl FnMut(usize) -> i64,
) {
    let whole = (shift / 62) as usize;
    let bits = shift % 62;
    let Some((last, body)) = x.get_mut(whole..).and_then(<[i64]>::split_last_mut) else {
        return;
    };
    let (mut previous, mut borrow) = (0, 0);
    let (lower, upper) = body.split_at_mut(count.min(body.len()));
    for (i, x) in lower.iter_mut().enumerate() {
        let limb = limbs(i);
        let difference = *x - (((limb << bits) & MASK) | (previous >> (62 - bits))) + borrow;
        previous = limb;
        *x = difference & MASK;
        borrow = difference >> 62;
    }
    // What is left of t, signed, unless it is cut off here.
    let limb = limbs(lower.len());
    let mut rest = ((limb << bits) & MASK) | (previous >> (62 - bits));
    let mut above = limb >> (62 - bits);
    for x in upper {
        let difference = *x - (rest & MASK) + borrow;
        *x = difference & MASK;
        borrow = difference >> 62;
        rest = above;
        above >>= 62;
    }
    let difference = *last - (rest & MASK) + borrow;
    *last = (difference << 2) >> 2;
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
