//! Four words of 32 bits, each a pair of integers of 16 bits.
#![allow(unsafe_code)] // Vectors as plain data.

use crate::Task;

/// Four words of 32 bits side by side, each of which is an integer in two's complement, or a pair of integers of 16 bits,
/// its *halves*: for instruction sets that multiply eight halves at a time.
pub trait Pairs: Copy + 'static {
    /// The words.
    fn new(words: [u32; 4]) -> Self;
    /// The words.
    fn words(self) -> [u32; 4];
    /// One word in every lane.
    fn splat(word: u32) -> Self;

    /// The sum of words modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// The product of words modulo 2^32.
    fn mul(self, other: Self) -> Self;
    /// The sum of halves modulo 2^16.
    fn add_halves(self, other: Self) -> Self;
    /// The difference of halves modulo 2^16.
    fn sub_halves(self, other: Self) -> Self;
    /// In each word the sum of the product of the low halves and that of the high ones.
    fn dot(self, other: Self) -> Self;

    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// Words shifted to the left by `BITS`, 0 to 31.
    fn shl<const BITS: i32>(self) -> Self;
    /// Words shifted to the right by `BITS`, 0 to 31; what comes in is zeros.
    fn shr<const BITS: i32>(self) -> Self;
    /// Words shifted to the right by `BITS`, 0 to 31; what comes in is the sign.
    fn shr_signed<const BITS: i32>(self) -> Self;
    /// Halves shifted to the right by `BITS`, 0 to 15; what comes in is the sign.
    fn shr_halves<const BITS: i32>(self) -> Self;

    /// The halves of each word exchanged.
    fn swap_halves(self) -> Self;
    /// The low halves of one and the high halves of another.
    fn halves(low: Self, high: Self) -> Self;
    /// Word i is word (order >> 2i) mod 4, for an order that is public: one instruction for one
    /// that is known when this is inlined.
    fn permute(self, order: i32) -> Self;
    /// Word i is `b`'s where bit i of `LANES` is set, else `a`'s.
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self;

    /// Runs a task in a function of its own, compiled for the vectors: as [`Isa::outline`](crate::Isa::outline).
    fn outline<T: Task>(task: T) -> T::Output;
}

/// Vectors that are nothing but their words, so that constants are made before the program runs.
///
/// # Safety
///
/// The type is plain data of exactly four words, in the order of the lanes.
pub unsafe trait PlainPairs: Pairs {}

/// One word in every lane: [`Pairs::splat`] in constants.
#[must_use]
pub const fn splat_pairs<V: PlainPairs>(word: u32) -> V {
    union Data<V: Copy> {
        words: [u32; 4],
        vector: V,
    }
    const { assert!(size_of::<V>() == 16) }
    // SAFETY: a plain vector is four words.
    unsafe { Data { words: [word; 4] }.vector }
}
