//! Recodings: an integer as a sum of few small signed digits times powers of two.
//!
//! | function | digits | time | for |
//! |---|---|---|---|
//! | [`signed_radix`] | radix 2^w, in [−2^(w−1), 2^(w−1)) | constant | windows with tables of 1…2^(w−1) |
//! | [`SignedRadix`] | the same, w chosen at run time | constant | buckets (Pippenger) |
//! | [`vartime_naf`] | odd or zero, one in w consecutive not zero | variable | public scalars |
//!
//! "Constant" is in the value of the integer; w and the number of digits are
//! public.

use super::arith::Limbs;
use zeroize::Zeroize;

/// The `width ≤ 16` bits of `x` from bit `position` on, zeros beyond the end.
#[inline(always)]
fn bits_at<const N: usize>(x: &[u64; N], position: usize, width: u32) -> u64 {
    let (limb, shift) = (position / 64, position as u32 % 64);
    let at = |i: usize| if i < N { x[i] } else { 0 };
    // Shifting by 63 − shift and 1 more avoids the shift by 64.
    (at(limb) >> shift | at(limb + 1) << (63 - shift) << 1) & ((1 << width) - 1)
}

/// `x + Σ 2^(width−1)·2^(width·i)` over all digits but the last.
///
/// Its windows of `width` bits, less 2^(width−1) except for the last, are the
/// signed digits of `x`: the addition does all carries at once.
#[inline(always)]
fn add_bias(x: &Limbs, bias: &[u64; 5]) -> [u64; 5] {
    let mut sum = [0; 5];
    let mut carry = 0;
    for i in 0..5 {
        let t = u128::from(bias[i]) + u128::from(if i < 4 { x[i] } else { 0 }) + carry;
        sum[i] = t as u64;
        carry = t >> 64;
    }
    debug_assert_eq!(carry, 0);
    sum
}

const fn bias(width: u32, digits: usize) -> [u64; 5] {
    let mut bias = [0; 5];
    let mut i = 0;
    while i + 1 < digits {
        let bit = width as usize * i + width as usize - 1;
        bias[bit / 64] |= 1 << (bit % 64);
        i += 1;
    }
    bias
}

/// The signed digits of `x` in radix 2^`W`, W from 2 to 8, least significant
/// first, in constant time:
/// x = Σ d\[i\]·2^(W·i), with −2^(W−1) ≤ d\[i\] < 2^(W−1) for all but the last
/// digit, and 0 ≤ d\[N−1\] ≤ 2^(W−1).
///
/// `x` must be below 2^(W·N − 1) and below 2^255. Clamped integers fit with
/// N = ⌈256/W⌉ digits, that is 64, 52, 43, 37 for W = 4, 5, 6, 7. Scalars that are
/// reduced fit with N = ⌈254/W⌉, that is 51 for W = 5 and the same otherwise.
///
/// For W = 8 the last digit must not become 2^7, so `x` must be below
/// 127·2^(8·N − 8): 32 digits for reduced scalars, 33 for clamped integers.
///
/// The digits are as secret as the integer, and written in place: the caller wipes them.
#[inline(always)]
pub(crate) fn signed_radix<const W: u32, const N: usize>(x: &[u8; 32], digits: &mut [i8; N]) {
    const {
        assert!(W >= 2 && W <= 8);
        assert!(N >= 1 && W as usize * N <= 320);
    }
    let mut words = crate::bytes::words_from_bytes(x);
    let mut biased = add_bias(&words, &const { bias(W, N) });
    // Unrolled, all shifts are constants.
    *digits = core::array::from_fn(|i| {
        let window = bits_at(&biased, W as usize * i, W) as i16;
        if i + 1 < N {
            (window - (1 << (W - 1))) as i8
        } else {
            debug_assert!(window <= 1 << (W - 1) && window < 128, "integer too large");
            debug_assert!(
                (W as usize * N..320).all(|bit| bits_at(&biased, bit, 1) == 0),
                "integer too large"
            );
            window as i8
        }
    });
    words.zeroize();
    biased.zeroize();
}

/// For the magnitudes 1 to 8 which bytes have it, and which bytes are negative, of eight digits in -8..=8.
#[cfg_attr(
    not(any(feature = "alloc", feature = "precomputed-tables")),
    allow(dead_code)
)]
#[inline(always)]
pub(crate) fn digit_masks(digits: u64) -> ([u8; 8], u8) {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    // Bit 8i of the word goes to bit 56 + i of the product; the other products meet neither that nor each other.
    let gather = |bits: u64| ((bits & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let signs = digits >> 7 & LOWEST;
    // The negatives: no byte carries, because none is 0 that is negated.
    let magnitudes = (digits ^ (signs * 0xff)) + signs;
    let [one, two, four, eight] = [0, 1, 2, 3].map(|bit| gather(magnitudes >> bit));
    let masks = [
        one & !two & !four,
        !one & two & !four,
        one & two & !four,
        !one & !two & four,
        one & !two & four,
        !one & two & four,
        one & two & four,
        eight,
    ];
    (masks, gather(signs))
}

/// The signed digits of integers in radix 2^width, with the width chosen at run time, in constant time: as for
/// [`signed_radix`], with digits that fit 16 bits, taken one at a time.
///
/// An integer's digits beyond its own are 0.
#[cfg(any(feature = "alloc", test))]
#[derive(Clone, Copy)]
pub(crate) struct SignedRadix {
    width: u32,
    len: usize,
    bias: [u64; 5],
}

#[cfg(any(feature = "alloc", test))]
impl SignedRadix {
    /// How many digits integers below 2^`bits` have.
    #[inline]
    pub(crate) const fn len_of(bits: u32, width: u32) -> usize {
        (bits / width) as usize + 1
    }

    /// For integers below 2^`bits`, bits up to 255; panics if the width is not one of 2 to 15.
    #[inline]
    pub(crate) fn new(bits: u32, width: u32) -> Self {
        assert!((2..=15).contains(&width) && bits <= 255);
        let len = Self::len_of(bits, width);
        Self {
            width,
            len,
            bias: bias(width, len),
        }
    }

    /// How many digits there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The integer in the form from which [`digit`](Self::digit) takes digits.
    #[inline(always)]
    pub(crate) fn biased(&self, x: &Limbs) -> [u64; 5] {
        let biased = add_bias(x, &self.bias);
        debug_assert!(
            (self.width as usize * self.len..320).all(|bit| bits_at(&biased, bit, 1) == 0),
            "integer too large"
        );
        biased
    }

    /// Digit `i`, least significant first.
    #[inline(always)]
    pub(crate) fn digit(&self, biased: &[u64; 5], i: usize) -> i16 {
        let half = 1 << (self.width - 1);
        let window = bits_at(biased, self.width as usize * i, self.width) as i16;
        let digit = window - if i + 1 < self.len { half } else { 0 };
        debug_assert!(digit <= half, "integer too large");
        digit
    }
}

/// A type for the digits of [`vartime_naf`].
pub(crate) trait NafDigit: Copy {
    /// The largest width whose digits fit.
    const MAX_WIDTH: u32;
    /// The digit 0.
    const ZERO: Self;
    /// The digit of this value.
    fn new(value: i32) -> Self;
}

impl NafDigit for i8 {
    const MAX_WIDTH: u32 = 8;
    const ZERO: Self = 0;

    #[inline(always)]
    fn new(value: i32) -> Self {
        value as Self
    }
}

impl NafDigit for i16 {
    const MAX_WIDTH: u32 = 16;
    const ZERO: Self = 0;

    #[inline(always)]
    fn new(value: i32) -> Self {
        value as Self
    }
}

/// The non-adjacent form of width `width` of the integer in `limbs`, in variable
/// time: x = Σ digits\[i\]·2^i, every digit 0 or odd with |digit| < 2^(width−1), and
/// in `width` consecutive digits at most one is not 0 (Hankerson, Menezes,
/// Vanstone, "Guide to Elliptic Curve Cryptography", section 3.3).
///
/// Returns the index of the highest digit that is not 0, or `None` for x = 0. All
/// of `digits` is written; an integer below 2^n needs n + 1 digits.
///
/// Panics if `digits` is too short, if `width` is below 2 or too large for the
/// type of the digits (8 for `i8`, 16 for `i16`).
#[inline]
pub(crate) fn vartime_naf<const N: usize, D: NafDigit>(
    limbs: &[u64; N],
    width: u32,
    digits: &mut [D],
) -> Option<usize> {
    assert!((2..=D::MAX_WIDTH).contains(&width));
    digits.fill(D::ZERO);

    let mut highest = None;
    let mut position = 0;
    // What is left to write is (x >> position) + carry.
    let mut carry = 0u64;
    while position < 64 * N || carry == 1 {
        // The next odd place is the next 1, or with a carry the next 0.
        let (limb, shift) = (position / 64, position % 64);
        let rest = if limb < N { limbs[limb] >> shift } else { 0 };
        let skip = (rest ^ carry.wrapping_neg()).trailing_zeros() as usize;
        if skip >= 64 - shift {
            // The zeros that were shifted in look like the end of the run, and may
            // not be: go on with the next limb.
            position += 64 - shift;
            continue;
        }
        position += skip;

        // Odd, and at most 2^width − 1 even with the carry.
        let window = bits_at(limbs, position, width) + carry;
        carry = window >> (width - 1);
        digits[position] = D::new(window as i32 - ((carry as i32) << width));
        highest = Some(position);
        position += width as usize;
    }
    highest
}

/// The digits of an odd number, all of them odd, in variable time: ±n = Σ d\[i\]·2^(W·i)
/// with |d\[i\]| < 2^W (Joye and Tunstall 2009), for (n, whether it is negative) with n
/// odd and below 2^128.
#[cfg(feature = "precomputed-tables")]
#[inline]
pub(crate) fn vartime_odd_digits<const W: usize, const N: usize>(
    (mut n, negative): (u128, bool),
) -> [i8; N] {
    const {
        assert!(W >= 2 && W <= 7);
        assert!(W * N > 128);
    }
    debug_assert!(n & 1 == 1);
    let mut digits = [0; N];
    for digit in &mut digits[..N - 1] {
        // Odd, since n is; what is left is odd again.
        let window = (n & ((2 << W) - 1)) as i16 - (1 << W);
        *digit = window as i8;
        n = (n >> W) | 1;
    }
    digits[N - 1] = n as i8;
    if negative {
        digits = digits.map(|digit| -digit);
    }
    digits
}
