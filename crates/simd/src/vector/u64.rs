//! Words of 64 bits.
#![allow(unsafe_code)] // Vectors as plain data.

use core::borrow::Borrow;
use core::ops::{BitOr, BitXor};

use crate::{Mask, Task};

/// Words of 64 bits side by side.
pub trait U64: Copy + 'static {
    /// How many.
    const LANES: usize;

    /// One word in every lane.
    fn splat(word: u64) -> Self;
    /// The first `LANES` words of a slice that has at least so many.
    fn load(words: &[u64]) -> Self;
    /// Writes the words to the front of a slice that has room for them.
    fn store(self, words: &mut [u64]);
    /// The words at the front of a slice, each of eight bytes, little-endian.
    fn load_le(bytes: &[u8]) -> Self;
    /// The same from four bytes each.
    fn load_u32_le(bytes: &[u8]) -> Self;
    /// Word i of the result has in lane j the word i of block j, big-endian; there are `LANES` blocks.
    #[inline(always)]
    fn load_blocks_be(blocks: &[&[u8; 128]]) -> [Self; 16] {
        let mut words = [Self::splat(0); 16];
        for (i, word) in words.iter_mut().enumerate() {
            let mut lanes = [0; 8];
            for (lane, block) in lanes.iter_mut().zip(&blocks[..Self::LANES]) {
                *lane = u64::from_be_bytes(block.as_chunks().0[i]);
            }
            *word = Self::load(&lanes);
        }
        words
    }
    /// Lane i of result j is word j of row i, for the first `LANES` rows: [`Groups::load_transposed`] for vectors of
    /// any length.
    #[inline(always)]
    fn load_columns(rows: &[[u64; 4]]) -> [Self; 4] {
        let mut words = [Self::splat(0); 4];
        for (j, word) in words.iter_mut().enumerate() {
            let mut lanes = [0; 8];
            for (lane, row) in lanes.iter_mut().zip(&rows[..Self::LANES]) {
                *lane = row[j];
            }
            *word = Self::load(&lanes);
        }
        words
    }

    /// The sum modulo 2^64.
    fn add(self, other: Self) -> Self;
    /// The difference modulo 2^64.
    fn sub(self, other: Self) -> Self;
    /// The product of the low 32 bits of both.
    fn mul_low32(self, other: Self) -> Self;
    /// The same of signed halves, in two's complement.
    #[inline(always)]
    fn mul_low32_signed(self, other: Self) -> Self {
        // A negative one is its unsigned reading less 2^32.
        let (a, b) = (self.shl::<32>().sign(), other.shl::<32>().sign());
        let excess = a.and(other).add(b.and(self)).shl::<32>();
        self.mul_low32(other).sub(excess)
    }

    /// Bit by bit.
    fn and(self, other: Self) -> Self;
    /// Bit by bit.
    fn or(self, other: Self) -> Self;
    /// Bit by bit.
    fn xor(self, other: Self) -> Self;
    /// `self` ^ `b` ^ `c`; where that is two operations, `b` ^ `c` is the first.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b.xor(c))
    }
    /// The bits of `b` where `self` has ones, those of `c` elsewhere: Ch of SHA-512.
    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        self.and(b.xor(c)).xor(c)
    }
    /// The majority of `self`, `b` and `c`, bit by bit: Maj of SHA-512. `differences` is
    /// `b` ^ `c` and becomes `self` ^ `b`, which the next round needs; where the majority is one operation,
    /// it is left alone.
    #[inline(always)]
    fn majority(self, b: Self, _c: Self, differences: &mut Self) -> Self {
        let before = *differences;
        *differences = self.xor(b);
        differences.and(before).xor(b)
    }
    /// `self` ^ (!`b` & `c`): chi of Keccak.
    fn chi(self, b: Self, c: Self) -> Self;

    /// Shifted to the left by `BITS`, 0 to 63.
    fn shl<const BITS: i32>(self) -> Self;
    /// Shifted to the right by `BITS`, 0 to 63.
    fn shr<const BITS: i32>(self) -> Self;
    /// Shifted to the left by `bits`, 0 to 63, in constant time.
    fn shl_by(self, bits: u32) -> Self;
    /// Shifted to the right by `bits`, 0 to 63, in constant time.
    fn shr_by(self, bits: u32) -> Self;
    /// Each word shifted right by a count of its own; by 64 or more, it becomes 0.
    fn shr_each(self, counts: Self) -> Self;
    /// Rotated to the left by `LEFT` bits, 1 to 63. `RIGHT` is 64 less `LEFT`, because an
    /// expression cannot be the argument of a generic constant.
    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        self.shl::<LEFT>().or(self.shr::<RIGHT>())
    }

    /// The sum with a product of lower halves, those of `a[I]` and `b[J]`. Where registers are few, the
    /// factors are read from memory where they are multiplied.
    #[inline(always)]
    fn add_product_at<const I: usize, const J: usize>(self, a: &[Self], b: &[Self]) -> Self {
        self.add(a[I].mul_low32(b[J]))
    }

    /// All ones where the highest bit is set, else 0; of single words the optimiser does not know that
    /// ([`Mask::of_sign`]).
    fn sign(self) -> Self;
    /// All ones where a word is below the other, both being below 2^63; else 0.
    fn below(self, other: Self) -> Self;
    /// The sum, and 1 more where the word is below the other, both being below 2^63.
    #[inline(always)]
    fn count_below(self, other: Self, sum: Self) -> Self {
        sum.sub(self.below(other))
    }
    /// The highest bit of each word, the first lane's lowest.
    fn highest_bits(self) -> u32;

    /// The same value, of which the optimiser knows nothing where that matters: else it turns
    /// products and sums of shifts into multiplications of whole lanes, which are three
    /// times as expensive.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// The order in which lanes 0 to 3 take lanes a, b, c, d: for [`Groups::permute`].
#[must_use]
pub const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

/// Words of 64 bits in groups of four, of which there are one or two: lanes trade places within a group.
pub trait Groups: U64 {
    /// A decision for each lane.
    type Lanes: Copy + BitOr<Output = Self::Lanes> + BitXor<Output = Self::Lanes>;
    /// A permutation that is not known before.
    type Order: Copy;

    /// Lane i of result j is word j of row i, for the first `LANES` rows.
    fn load_transposed(rows: &[[u64; 4]]) -> [Self; 4];

    /// Lane i of each group takes lane (`ORDER` >> 2i) mod 4 of that group.
    fn permute<const ORDER: i32>(self) -> Self;
    /// The order `B` if `choice` is set, else `A`; in constant time.
    fn order<const A: i32, const B: i32>(choice: Mask<u64>) -> Self::Order;
    /// As [`permute`](Self::permute), in that order; in constant time.
    fn permute_by(self, order: Self::Order) -> Self;

    /// Exchanges the two groups; where there is one, nothing.
    fn swap_groups(self) -> Self;
    /// In each group, lane i is `b`'s where bit i of `LANES` is set, else `a`'s.
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self;

    /// Bit i is for lane i; in constant time.
    fn lanes(bits: u8) -> Self::Lanes;
    /// `b` where the lane is set, `a` elsewhere; in constant time.
    fn select(a: Self, b: Self, lanes: Self::Lanes) -> Self;
}

/// Groups that are one register or several: long code takes them apart and works on one register after the other, so
/// that what it works on stays in registers.
pub trait Parts: Groups {
    /// What one register holds.
    type Part: U64;
    /// How many registers.
    const PARTS: usize;

    /// Register `index` of each vector.
    fn part<const N: usize>(vectors: &[Self; N], index: usize) -> impl Borrow<[Self::Part; N]>;
    /// Puts a register in the place of that one of each vector.
    fn set_part<const N: usize>(vectors: &mut [Self; N], index: usize, part: [Self::Part; N]);

    /// Runs a task in a function of its own, compiled for the vectors: as [`Isa::outline`](crate::Isa::outline).
    fn outline<T: Task>(task: T) -> T::Output;
}

/// Each word with a count of its own, as AVX-512 has it.
pub trait Each: U64 {
    /// Each word shifted left by a count of its own; by 64 or more, it becomes 0.
    fn shl_each(self, counts: Self) -> Self;
    /// The number of zeros above the highest one, 64 of zero.
    fn leading_zeros(self) -> Self;
}

/// Multiplication and addition as AVX-512 IFMA has them.
pub trait MulAdd52: Parts {
    /// accumulator + bits 0 to 51 of a b, for a and b below 2^52.
    fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self;
    /// accumulator + bits 52 to 103 of a b, for a and b below 2^52.
    fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self;
}

/// Multiplication and addition in one rounding, as FMA has them. The words are the encodings of IEEE-754 binary64
/// values, all of them normal or zero, and what rounds does so to nearest:
/// [`rounds_to_nearest`](crate::Avx2::rounds_to_nearest) is to be asked before.
///
/// For exact products. With an *anchor* 1.5 * 2^n, the sum of the anchor and a value v, |v| < 2^(n - 1), stays between 2^n
/// and 2^(n + 1), where neighbours are 2^(n - 52) apart: the encoding is that of the anchor plus v / 2^(n - 52),
/// rounded. So encodings are integers, and may be summed as such.
pub trait MulAddF64: Groups {
    /// anchor + a b, rounded, for an anchor 1.5 * 2^n and |a b| <= 2^(n - 1).
    fn mul_add_anchor(a: Self, b: Self, anchor: Self) -> Self;
    /// a b + c, which has to be a value.
    fn mul_add_exact(a: Self, b: Self, c: Self) -> Self;
    /// The sum, which has to be a value.
    fn add_exact(self, other: Self) -> Self;
    /// The difference, which has to be a value.
    fn sub_exact(self, other: Self) -> Self;
    /// The sum modulo 2^64 of encodings, which are no numbers: [`U64::add`] for those.
    #[inline(always)]
    fn add_encodings(self, other: Self) -> Self {
        self.add(other)
    }
    /// The difference modulo 2^64 of encodings.
    #[inline(always)]
    fn sub_encodings(self, other: Self) -> Self {
        self.sub(other)
    }
    /// The same value; values that are named so are computed in the order in which they are written. Left to itself
    /// the compiler makes all products first, and spills them.
    #[inline(always)]
    fn in_order(self) -> Self {
        self
    }
}

/// Vectors that are nothing but their words, so that constants are made before the program runs.
///
/// # Safety
///
/// The type is plain data of exactly `LANES` words, at most eight, in the order of the lanes.
pub unsafe trait Plain: U64 {}

/// One word in every lane: [`U64::splat`] in constants.
#[must_use]
pub const fn splat<V: Plain>(word: u64) -> V {
    union Data<V: Copy> {
        words: [u64; 8],
        vector: V,
    }
    const { assert!(size_of::<V>() == 8 * V::LANES && V::LANES <= 8) }
    // SAFETY: a plain vector is so many words.
    unsafe { Data { words: [word; 8] }.vector }
}
