//! Four words of 32 bits.
#![allow(unsafe_code)] // Vectors as plain data.

use crate::Task;
use crate::vector::U64;

/// Four words of 32 bits side by side, for instruction sets that multiply two of them at a time, to products of
/// 64 bits.
pub trait U32x4: Copy + 'static {
    /// Two words of 64 bits.
    type Double: U64;

    /// The words.
    fn new(words: [u32; 4]) -> Self;
    /// The words.
    fn words(self) -> [u32; 4];
    /// One word in every lane.
    fn splat(word: u32) -> Self;

    /// The sum modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// The difference modulo 2^32.
    fn sub(self, other: Self) -> Self;
    /// The product modulo 2^32.
    fn mul(self, other: Self) -> Self;
    /// The products of words 0 and 1.
    fn mul_first(self, other: Self) -> Self::Double;
    /// The products of words 2 and 3.
    fn mul_last(self, other: Self) -> Self::Double;
    /// The low halves of the two words of each.
    fn pack(first: Self::Double, last: Self::Double) -> Self;

    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// Shifted to the right by `BITS`, 0 to 31.
    fn shr<const BITS: i32>(self) -> Self;

    /// Word i is word (order >> 2i) mod 4, for an order that is public: one instruction for one
    /// that is known when this is inlined.
    fn permute(self, order: i32) -> Self;
    /// Word i is `b`'s where bit i of `LANES` is set, else `a`'s.
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self;

    /// `b`'s words where the mask, all ones or all zeros in each word, is set, else `a`'s; in constant time.
    #[inline(always)]
    fn select(a: Self, b: Self, mask: Self) -> Self {
        a.xor(mask.and(a.xor(b)))
    }

    /// The same value. Where products are made faster by parts that read their factors from memory, it is memory of
    /// which the compiler knows nothing; where registers hold all of a part, the compiler is left to itself.
    #[inline(always)]
    fn apart<T>(value: &T) -> &T {
        core::hint::black_box(value)
    }

    /// The same value; values that are named so are computed in the order in which they are written, and in that order
    /// with other code that keeps its place.
    #[inline(always)]
    fn in_order(sum: [Self::Double; 2]) -> [Self::Double; 2] {
        sum
    }

    /// Runs a task in a function of its own, compiled for the vectors: as [`Isa::outline`](crate::Isa::outline).
    fn outline<T: Task>(task: T) -> T::Output;
}

/// Vectors that are nothing but their words, so that constants are made before the program runs.
///
/// # Safety
///
/// The type is plain data of exactly four words, in the order of the lanes.
pub unsafe trait PlainU32x4: U32x4 {}

/// One word in every lane: [`U32x4::splat`] in constants.
#[must_use]
pub const fn splat_u32x4<V: PlainU32x4>(word: u32) -> V {
    union Data<V: Copy> {
        words: [u32; 4],
        vector: V,
    }
    const { assert!(size_of::<V>() == 16) }
    // SAFETY: a plain vector is four words.
    unsafe { Data { words: [word; 4] }.vector }
}
