//! Four 64-bit words: how field elements rest in points and tables.

use crate::ct::Mask;
use subtle::{Choice, ConstantTimeEq};

/// A field element as a 256-bit integer in little-endian words.
///
/// Any value is allowed and stands for its class mod p; [`Packed::freeze`] gives
/// the representative in [0, p). No representation of the arithmetic shows
/// outside, so points made by one backend serve every other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed(pub(crate) [u64; 4]);

const LOW_63: u64 = u64::MAX >> 1;

/// p = 2^255 - 19.
pub(crate) const P: [u64; 4] = [u64::MAX - 18, u64::MAX, u64::MAX, LOW_63];

impl Packed {
    pub(crate) const ZERO: Self = Self([0; 4]);
    pub(crate) const ONE: Self = Self([1, 0, 0, 0]);

    /// Reads 32 little-endian bytes and ignores the highest bit (RFC 7748,
    /// section 5). A value in [p, 2^255) is taken as it is.
    #[inline]
    pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Self {
        let mut words = crate::bytes::words_from_bytes(bytes);
        words[3] &= LOW_63;
        Self(words)
    }

    /// Words below 2^255 plus a small value, for representations whose lowest limb
    /// overlaps the next one.
    #[inline(always)]
    pub(super) const fn from_words_plus(words: [u64; 4], small: u64) -> Self {
        Self(add_small(words, small))
    }

    /// The class of a 512-bit integer, in little-endian words. Constant time.
    #[cfg_attr(not(feature = "digest"), allow(dead_code))]
    pub(crate) fn from_wide_words(words: &[u64; 8]) -> Self {
        let mut sum = [words[0], words[1], words[2], words[3]];
        // 2^256 = 38 mod p. What is carried out of the top is at most 38 after the first pass, at most 1 after the
        // second, and then the sum is small enough for the third to carry nothing.
        let mut high = [words[4], words[5], words[6], words[7]];
        for _ in 0..3 {
            let mut carry = 0;
            for (word, high) in sum.iter_mut().zip(high) {
                let total = u128::from(*word) + 38 * u128::from(high) + carry;
                *word = total as u64;
                carry = total >> 64;
            }
            high = [carry as u64, 0, 0, 0];
        }
        debug_assert_eq!(high[0], 0);
        Self(sum)
    }

    /// The 32 little-endian bytes of the representative in [0, p).
    #[inline]
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        crate::bytes::bytes_from_words(&self.freeze().0)
    }

    /// The representative in [0, p).
    #[inline]
    pub(crate) const fn freeze(self) -> Self {
        // Folding the top bit leaves a value below 2^255 + 19 < 2p.
        let [a, b, c, d] = self.0;
        let folded = add_small([a, b, c, d & LOW_63], 19 * (d >> 63));
        // value >= p exactly when value + 19 reaches bit 255.
        let plus = add_small(folded, 19);
        let ge = plus[3] >> 63;
        let [a, b, c, d] = add_small(folded, 19 * ge);
        Self([a, b, c, d & LOW_63])
    }

    /// The additive inverse of a value in [0, p), in [0, p].
    pub(crate) const fn neg(self) -> Self {
        // p - value borrows only from limbs above, never out of the top.
        let (a, borrow) = P[0].overflowing_sub(self.0[0]);
        let (b, borrow) = borrowing_sub(P[1], self.0[1], borrow);
        let (c, borrow) = borrowing_sub(P[2], self.0[2], borrow);
        Self([a, b, c, P[3] - self.0[3] - borrow as u64])
    }

    /// The additive inverse of a value that is at most 2p = 2^256 - 38, and so of any that is carried: in [0, 2p].
    #[cfg(feature = "precomputed-tables")]
    #[inline(always)]
    pub(crate) const fn neg_loose(self) -> Self {
        let (a, borrow) = (u64::MAX - 37).overflowing_sub(self.0[0]);
        let (b, borrow) = borrowing_sub(u64::MAX, self.0[1], borrow);
        let (c, borrow) = borrowing_sub(u64::MAX, self.0[2], borrow);
        Self([a, b, c, u64::MAX - self.0[3] - borrow as u64])
    }

    /// Whether the representative in [0, p) is odd: the sign bit of RFC 8032.
    #[inline]
    pub(crate) fn is_negative(self) -> Choice {
        Choice::from((self.freeze().0[0] & 1) as u8)
    }

    #[inline]
    pub(crate) fn is_zero(self) -> Choice {
        self.freeze().0.ct_eq(&[0; 4])
    }

    /// Replaces the value by `other` where the mask is set.
    #[inline]
    pub(crate) fn conditional_assign(&mut self, other: &Self, mask: Mask) {
        for (word, new) in self.0.iter_mut().zip(other.0) {
            *word = mask.select(*word, new);
        }
    }
}

impl ConstantTimeEq for Packed {
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        self.freeze().0.ct_eq(&other.freeze().0)
    }
}

impl zeroize::DefaultIsZeroes for Packed {}

impl Default for Packed {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Adds a value below 2^64 without a carry out of the top: the caller's value
/// stays below 2^256 - 2^64.
const fn add_small(words: [u64; 4], small: u64) -> [u64; 4] {
    let (a, carry) = words[0].overflowing_add(small);
    let (b, carry) = words[1].overflowing_add(carry as u64);
    let (c, carry) = words[2].overflowing_add(carry as u64);
    [a, b, c, words[3] + carry as u64]
}

const fn borrowing_sub(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(borrow as u64);
    (difference, first | second)
}

/// 2.
pub(crate) const TWO: [u64; 4] = [2, 0, 0, 0];

/// d = -121665/121666, of the curve -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032, section 5.1).
pub(crate) const D: [u64; 4] = [
    0x75eb4dca135978a3,
    0x00700a4d4141d8ab,
    0x8cc740797779e898,
    0x52036cee2b6ffe73,
];

/// 2d.
pub(crate) const D2: [u64; 4] = {
    // d is below 2^255, so its double fits.
    let [a, b, c, d] = D;
    Packed([a << 1, b << 1 | a >> 63, c << 1 | b >> 63, d << 1 | c >> 63])
        .freeze()
        .0
};

/// 2^((p-1)/4), a square root of -1.
pub(crate) const SQRT_M1: [u64; 4] = [
    0xc4ee1b274a0ea0b0,
    0x2f431806ad2fe478,
    0x2b4d00993dfbd7a7,
    0x2b8324804fc1df0b,
];
