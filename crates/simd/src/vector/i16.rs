//! Signed integers of 16 bits.

/// Signed integers of 16 bits side by side.
pub trait I16: Copy + 'static {
    /// How many: 1, 8 or 16.
    const LANES: usize;

    /// Integers as vectors, in their place. Panics if they are not aligned for vectors (to 64 bytes is enough for every set),
    /// or are not a multiple of `LANES`.
    fn vectors(integers: &mut [i16]) -> &mut [Self];
    /// One integer in every lane.
    fn splat(value: i16) -> Self;
    /// The first `LANES` integers of a slice that has at least so many.
    fn load(from: &[i16]) -> Self;
    /// Writes the integers to the front of a slice that has room for them.
    fn store(self, to: &mut [i16]);

    /// The sum, which fits 16 bits: the portable twin checks it in debug builds.
    fn add(self, other: Self) -> Self;
    /// The difference, which fits 16 bits.
    fn sub(self, other: Self) -> Self;
    /// The difference modulo 2^16.
    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        self.sub(other)
    }
    /// The low halves of the products.
    fn mul_low(self, other: Self) -> Self;
    /// The high halves of the products, rounded down.
    fn mul_high(self, other: Self) -> Self;
    /// The high half of `self` * `b` - `c` * `d`, where the low halves of the products are equal.
    #[inline(always)]
    fn high_difference(self, b: Self, c: Self, d: Self) -> Self {
        self.mul_high(b).sub(c.mul_high(d))
    }
    /// Divided by 2^`BITS`, rounded down.
    fn shr<const BITS: i32>(self) -> Self;

    /// Unpacks fields of 14 bits, the first of them at the high end of the first byte (`from_top`) or at its low end, and returns
    /// how many of `fields`: as many as fill vectors, or none where single words do not take longer.
    #[inline(always)]
    fn unpack_14(bytes: &[u8], from_top: bool, fields: &mut [u16]) -> usize {
        let _ = (bytes, from_top, fields);
        0
    }

    /// Makes vector i of the first `LANES` vectors hold lane i of each.
    fn transpose(square: &mut [Self]);
}
