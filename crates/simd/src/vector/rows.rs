//! Words of 32 bits in groups of four.

/// Sixteen words of 32 bits in four groups of four: the same row of four matrices.
pub trait Rows: Copy + 'static {
    /// Four words in each group.
    fn spread(row: [u32; 4]) -> Self;
    /// The words, group after group.
    fn new(words: [u32; 16]) -> Self;
    /// Writes the words, little-endian.
    fn store_le(self, bytes: &mut [u8; 64]);

    /// The sum modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// Rotated to the left by `LEFT` bits, 1 to 31.
    fn rotate_left<const LEFT: i32>(self) -> Self;
    /// Word i of each group takes word (`ORDER` >> 2i) mod 4 of it.
    fn permute<const ORDER: i32>(self) -> Self;
    /// Writes those of sixteen short words that are below `limit` to the front of `to`, in their order, and returns how many;
    /// behind them, anything.
    fn compact_below(words: &[u16; 16], limit: u16, to: &mut [u16; 16]) -> usize;
    /// Result i has group i of every row.
    fn transpose(rows: [Self; 4]) -> [Self; 4];
}
