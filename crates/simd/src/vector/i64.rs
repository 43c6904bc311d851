//! Words of 64 bits in two's complement.

/// Words of 64 bits side by side, in two's complement.
pub trait I64: Copy + 'static {
    /// How many, a power of two.
    const LANES: usize;

    /// One word in every lane.
    fn splat(word: i64) -> Self;
    /// The first `LANES` words of a slice that has at least so many.
    fn load(words: &[i64]) -> Self;
    /// Writes the words to the front of a slice that has room for them.
    fn store(self, words: &mut [i64]);

    /// Of the 2 `LANES` words of (a, b), in blocks of 2t where t < `LANES` is a power of two: the first halves of the
    /// blocks, in order, and the second halves. A single lane has a and b.
    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self);
    /// The inverse of [`unzip`](Self::unzip).
    fn zip(first: Self, second: Self, t: usize) -> (Self, Self);
    /// The first `LANES` / t words of a slice, each t times, with t as for [`unzip`](Self::unzip).
    fn spread(words: &[i64], t: usize) -> Self;

    /// The sum modulo 2^64.
    fn add(self, other: Self) -> Self;
    /// The difference modulo 2^64.
    fn sub(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// Bits 32 to 95 of the product: that of fixed-point numbers with 32 fractional bits, rounded down.
    fn mul_fixed32(self, other: Self) -> Self;
    /// Half of `self` + 1 (modulo 2^64), rounded down.
    fn half_up(self) -> Self;

    /// Shifted to the left by `bits`, 0 to 63; the count is public.
    fn shl_by(self, bits: u32) -> Self;
    /// Shifted to the left by `BITS`, 0 to 63.
    fn shl<const BITS: i32>(self) -> Self;
    /// Shifted to the right by `BITS`, 0 to 63, with zeros from the left.
    fn shr<const BITS: i32>(self) -> Self;

    /// All ones where a word is negative, else 0.
    fn sign(self) -> Self;
    /// `negative` where `self` is negative, else `other`; in constant time.
    fn choose_by_sign(self, negative: Self, other: Self) -> Self;
}

/// The product for processors whose own has no 128 bits: a = a1 2^32 + a0 with a1 signed, and the parts of the products that reach
/// the result.
#[cfg(any(test, not(target_pointer_width = "64")))]
#[inline(always)]
pub(crate) const fn mul_in_halves(a: i64, b: i64) -> i64 {
    let (a0, a1) = (a as u32 as u64, a >> 32);
    let (b0, b1) = (b as u32 as u64, b >> 32);
    let low = (a0.wrapping_mul(b0) >> 32) as i64;
    low.wrapping_add((a0 as i64).wrapping_mul(b1))
        .wrapping_add(a1.wrapping_mul(b0 as i64))
        .wrapping_add(a1.wrapping_mul(b1) << 32)
}

#[cfg(test)]
mod tests {
    #[test]
    fn products_in_halves() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut word = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Of every length, and either sign.
            state as i64 >> (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 58)
        };
        for _ in 0..20_000 {
            let (a, b) = (word(), word());
            let expected = ((i128::from(a) * i128::from(b)) >> 32) as i64;
            assert_eq!(super::mul_in_halves(a, b), expected, "{a} {b}");
        }
        for a in [i64::MIN, -1, 0, 1, i64::MAX] {
            for b in [i64::MIN, -1, 0, 1, i64::MAX] {
                let expected = ((i128::from(a) * i128::from(b)) >> 32) as i64;
                assert_eq!(super::mul_in_halves(a, b), expected, "{a} {b}");
            }
        }
    }
}
