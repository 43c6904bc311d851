//! Words of 32 bits.

/// Words of 32 bits side by side.
///
/// Four operations are for residues modulo an odd p below 2^31, because instruction sets have the shortest forms of them
/// in different instructions.
pub trait U32: Copy + 'static {
    /// How many, a power of two.
    const LANES: usize;

    /// One word in every lane.
    fn splat(word: u32) -> Self;
    /// The first `LANES` words of a slice that has at least so many.
    fn load(words: &[u32]) -> Self;
    /// Writes the words to the front of a slice that has room for them.
    fn store(self, words: &mut [u32]);

    /// Of the 2 `LANES` words of (a, b), in blocks of 2t where t < `LANES` is a power of two: the first halves of the
    /// blocks, in order, and the second halves. A single lane has a and b.
    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self);
    /// The inverse of [`unzip`](Self::unzip).
    fn zip(first: Self, second: Self, t: usize) -> (Self, Self);
    /// The first `LANES` / t words of a slice, each t times, with t as for [`unzip`](Self::unzip).
    fn spread(words: &[u32], t: usize) -> Self;

    /// The sum modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// The difference modulo 2^32.
    fn sub(self, other: Self) -> Self;

    /// `self` - p where that is not negative, else `self`; for `self` below 2p.
    fn subtract_once(self, p: Self) -> Self;
    /// `self` + p where `self` is negative, else `self`; for `self` in (-p, p), in two's complement.
    fn add_to_negative(self, p: Self) -> Self;
    /// `self` - p where `self` is above p / 2, else `self`, in two's complement; for `self` below p.
    fn subtract_from_upper_half(self, p: Self) -> Self;
    /// [`difference_of_halves`] in each lane.
    fn difference_of_halves(self, other: Self, p: Self, inverse: Self) -> Self;
}

/// (ab - m p) / 2^32 for the m below 2^32 that makes it an integer, in two's complement, where `inverse` is 1/p modulo 2^32:
/// the result of Montgomery's multiplication, or that minus p, if ab is below 2^32 p.
#[inline(always)]
#[must_use]
pub const fn difference_of_halves(a: u32, b: u32, p: u32, inverse: u32) -> u32 {
    let product = a as u64 * b as u64;
    let multiple = (product as u32).wrapping_mul(inverse) as u64 * p as u64;
    ((product >> 32) as u32).wrapping_sub((multiple >> 32) as u32)
}
