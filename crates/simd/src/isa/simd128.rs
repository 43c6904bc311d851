//! The 128-bit vectors of WebAssembly. An engine refuses a module with instructions that it does not have, so
//! that code that runs has them.
#![allow(unsafe_code)] // Loads and stores through pointers.

#[cfg(target_arch = "wasm32")]
use core::arch::wasm32::*;
#[cfg(target_arch = "wasm64")]
use core::arch::wasm64::*;
use core::ops::{Add, Mul, Neg, Sub};

use super::pair::{Half, Pair};
use crate::vector::{F64, I16, Pairs, Plain, PlainPairs, PlainU32x4, U32x4, U64};
use crate::{Isa, Task};

/// The vectors of WebAssembly.
pub(crate) struct Simd128;

impl super::Sealed for Simd128 {}

impl Isa for Simd128 {
    const NAME: &'static str = "simd128";
    const COMPACT: bool = true;
    type U32x4 = Words32;
    type Pairs = Words32;
    type U64 = U64x2;
    type U64x4 = Pair<U64x2>;
    type I16 = I16x8;
    type U32 = u32;
    type I64 = i64;
    type F64 = F64x2;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        #[inline(never)]
        #[target_feature(enable = "simd128")]
        fn inside<T: Task>(task: T) -> T::Output {
            task.run()
        }
        inside(task)
    }
}

// ---------------------------------------------------------------- u64

/// Two words.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x2(v128);

// SAFETY: a register is two words.
unsafe impl Plain for U64x2 {}

impl U64 for U64x2 {
    const LANES: usize = 2;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(u64x2_splat(word))
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let words: &[u64; 2] = words.first_chunk().expect("two words");
        // SAFETY: the array has 16 bytes, and the load asks for no alignment.
        Self(unsafe { v128_load(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words: &mut [u64; 2] = words.first_chunk_mut().expect("two words");
        // SAFETY: the array has 16 bytes, and the store asks for no alignment.
        unsafe { v128_store(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn load_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("two words");
        // SAFETY: the array has 16 bytes, and the load asks for no alignment.
        Self(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_u32_le(bytes: &[u8]) -> Self {
        let bytes: &[u8; 8] = bytes.first_chunk().expect("two words");
        // SAFETY: the array has 8 bytes, and the load asks for no alignment.
        Self(unsafe { u64x2_load_extend_u32x2(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_blocks_be(blocks: &[&[u8; 128]]) -> [Self; 16] {
        let mut words = [Self::splat(0); 16];
        for (pair, words) in words.chunks_exact_mut(2).enumerate() {
            let a = load_pair(blocks[0], pair);
            let b = load_pair(blocks[1], pair);
            // The transposition and the change of byte order in one shuffle each.
            let even =
                i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 23, 22, 21, 20, 19, 18, 17, 16>(a, b);
            let odd =
                i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 31, 30, 29, 28, 27, 26, 25, 24>(a, b);
            words.copy_from_slice(&[Self(even), Self(odd)]);
        }
        words
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(u64x2_sub(self.0, other.0))
    }

    #[inline(always)]
    fn mul_low32(self, other: Self) -> Self {
        let low = u32x4_shuffle::<0, 2, 0, 2>(self.0, self.0);
        Self(u64x2_extmul_low_u32x4(
            low,
            u32x4_shuffle::<0, 2, 0, 2>(other.0, other.0),
        ))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn choose(self, b: Self, c: Self) -> Self {
        Self(v128_bitselect(b.0, c.0, self.0))
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self, _differences: &mut Self) -> Self {
        // Where the first two differ, the third decides.
        self.xor(b).choose(c, b)
    }

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        self.xor(Self(v128_andnot(c.0, b.0)))
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        Self(u64x2_shl(self.0, BITS as u32))
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(u64x2_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        Self(u64x2_shl(self.0, bits))
    }

    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        Self(u64x2_shr(self.0, bits))
    }

    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        // The instructions shift all lanes alike, by a count modulo 64.
        let (first, second) = (
            u64x2_extract_lane::<0>(counts.0),
            u64x2_extract_lane::<1>(counts.0),
        );
        let shifted = u64x2(
            u64x2_extract_lane::<0>(self.0) >> (first & 63),
            u64x2_extract_lane::<1>(self.0) >> (second & 63),
        );
        let near = u64x2_eq(u64x2_shr(counts.0, 6), u64x2_splat(0));
        Self(v128_and(shifted, near))
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Self(i64x2_shr(self.0, 63))
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self {
        Self(i64x2_lt(self.0, other.0))
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        u32::from(i64x2_bitmask(self.0))
    }
}

/// Two words of a block, beginning at word 2·`pair`, as they lie in memory.
#[inline(always)]
fn load_pair(block: &[u8; 128], pair: usize) -> v128 {
    let bytes = &block[16 * pair..][..16];
    // SAFETY: the slice has 16 bytes, and the load asks for no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

impl Half for U64x2 {
    type Isa = Simd128;

    #[inline(always)]
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self {
        Self(match (i, j) {
            (0, 0) => u64x2_shuffle::<0, 2>(a.0, b.0),
            (_, 0) => u64x2_shuffle::<1, 2>(a.0, b.0),
            (0, _) => u64x2_shuffle::<0, 3>(a.0, b.0),
            _ => u64x2_shuffle::<1, 3>(a.0, b.0),
        })
    }
}

// ---------------------------------------------------------------- f64

/// Two values.
#[derive(Clone, Copy)]
pub(crate) struct F64x2(v128);

impl Add for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f64x2_add(self.0, other.0))
    }
}

impl Sub for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f64x2_sub(self.0, other.0))
    }
}

impl Mul for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f64x2_mul(self.0, other.0))
    }
}

impl Neg for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(f64x2_neg(self.0))
    }
}

impl F64 for F64x2 {
    type Real = f64;
    type Pack = [f64; 2];
    type Half = f64;
    type Words = U64x2;

    const LANES: usize = 2;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        <Simd128 as Isa>::outline(task)
    }

    #[inline(always)]
    fn packs(values: &[f64]) -> &[[f64; 2]] {
        values.as_chunks().0
    }

    #[inline(always)]
    fn packs_mut(values: &mut [f64]) -> &mut [[f64; 2]] {
        values.as_chunks_mut().0
    }

    #[inline(always)]
    fn load(pack: &[f64; 2]) -> Self {
        // SAFETY: two values are there to read.
        Self(unsafe { v128_load(pack.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, pack: &mut [f64; 2]) {
        // SAFETY: two values are there to write.
        unsafe { v128_store(pack.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(f64x2_splat(value))
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        Self(f64x2_div(self.0, divisor.0))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f64x2_sqrt(self.0))
    }

    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        debug_assert!(D == 1);
        (
            Self(i64x2_shuffle::<0, 2>(a.0, b.0)),
            Self(i64x2_shuffle::<1, 3>(a.0, b.0)),
        )
    }

    #[inline(always)]
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
        Self::unzip::<D>(even, odd)
    }

    #[inline(always)]
    fn load_repeated<const D: usize>(values: &[f64]) -> Self {
        debug_assert!(D == 1);
        Self::load(&Self::packs(&values[..2])[0])
    }

    #[inline(always)]
    fn alternate(values: [f64; 2], first: usize) -> Self {
        debug_assert!(first.is_multiple_of(2));
        Self::load(&values)
    }

    #[inline(always)]
    fn to_words(self) -> U64x2 {
        U64x2(self.0)
    }

    #[inline(always)]
    fn from_words(words: U64x2) -> Self {
        Self(words.0)
    }
}

// ---------------------------------------------------------------- i16

/// Eight integers.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct I16x8(v128);

/// The high halves of two vectors of products that fit 31 bits.
#[inline(always)]
fn high_halves(low: v128, high: v128) -> v128 {
    i16x8_narrow_i32x4(i32x4_shr(low, 16), i32x4_shr(high, 16))
}

#[inline(always)]
fn interleave_low(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
}

#[inline(always)]
fn interleave_high(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
}

impl I16 for I16x8 {
    const LANES: usize = 8;

    #[inline(always)]
    fn vectors(integers: &mut [i16]) -> &mut [Self] {
        // SAFETY: a vector is its integers, whatever they are.
        unsafe { crate::memory::recast_mut(integers) }
    }

    #[inline(always)]
    fn splat(value: i16) -> Self {
        Self(i16x8_splat(value))
    }

    #[inline(always)]
    fn load(from: &[i16]) -> Self {
        let from: &[i16; 8] = from.first_chunk().expect("eight integers");
        // SAFETY: the array has 16 bytes, and the load asks for no alignment.
        Self(unsafe { v128_load(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [i16]) {
        let to: &mut [i16; 8] = to.first_chunk_mut().expect("eight integers");
        // SAFETY: the array has 16 bytes, and the store asks for no alignment.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        Self(i16x8_mul(self.0, other.0))
    }

    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        Self(high_halves(
            i32x4_extmul_low_i16x8(self.0, other.0),
            i32x4_extmul_high_i16x8(self.0, other.0),
        ))
    }

    /// There is no instruction for high halves, but one for sums of two products.
    #[inline(always)]
    fn high_difference(self, b: Self, c: Self, d: Self) -> Self {
        let minus_d = i16x8_neg(d.0);
        let low = i32x4_dot_i16x8(interleave_low(self.0, c.0), interleave_low(b.0, minus_d));
        let high = i32x4_dot_i16x8(interleave_high(self.0, c.0), interleave_high(b.0, minus_d));
        Self(high_halves(low, high))
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(i16x8_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let square: &mut [Self; 8] = square.try_into().expect("eight vectors");
        // Write an element's place as the bits of its row, then of its column. Interleaving rows i and i + 4
        // rotates all bits: after three times, row and column have changed places.
        for _ in 0..3 {
            let last = *square;
            for i in 0..4 {
                square[2 * i] = Self(interleave_low(last[i].0, last[i + 4].0));
                square[2 * i + 1] = Self(interleave_high(last[i].0, last[i + 4].0));
            }
        }
    }
}

// ---------------------------------------------------------------- u32

/// Four words of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Words32(v128);

// SAFETY: a register is four words.
unsafe impl PlainPairs for Words32 {}

// SAFETY: as above.
unsafe impl PlainU32x4 for Words32 {}

impl U32x4 for Words32 {
    type Double = U64x2;

    #[inline(always)]
    fn new(words: [u32; 4]) -> Self {
        Self(u32x4(words[0], words[1], words[2], words[3]))
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ]
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(u32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(u32x4_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(u32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    fn mul_first(self, other: Self) -> U64x2 {
        U64x2(u64x2_extmul_low_u32x4(self.0, other.0))
    }

    #[inline(always)]
    fn mul_last(self, other: Self) -> U64x2 {
        U64x2(u64x2_extmul_high_u32x4(self.0, other.0))
    }

    #[inline(always)]
    fn pack(first: U64x2, last: U64x2) -> Self {
        Self(u32x4_shuffle::<0, 2, 4, 6>(first.0, last.0))
    }

    #[inline(always)]
    fn permute(self, order: i32) -> Self {
        // One shuffle once the order is known.
        let from = |lane: i32| order >> (2 * lane) & 3;
        let word = |lane: i32| match from(lane) {
            0 => u32x4_extract_lane::<0>(self.0),
            1 => u32x4_extract_lane::<1>(self.0),
            2 => u32x4_extract_lane::<2>(self.0),
            _ => u32x4_extract_lane::<3>(self.0),
        };
        Self(u32x4(word(0), word(1), word(2), word(3)))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        macro_rules! lane {
            ($i:literal) => {
                u32x4_extract_lane::<$i>(if LANES >> $i & 1 == 1 { b.0 } else { a.0 })
            };
        }
        Self(u32x4(lane!(0), lane!(1), lane!(2), lane!(3)))
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        Simd128::outline(task)
    }
}

impl Pairs for Words32 {
    #[inline(always)]
    fn new(words: [u32; 4]) -> Self {
        Self(u32x4(words[0], words[1], words[2], words[3]))
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ]
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn add_halves(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub_halves(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Self {
        Self(i32x4_dot_i16x8(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(u32x4_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(u32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        Self(u32x4_shl(self.0, BITS as u32))
    }

    #[inline(always)]
    fn shr_signed<const BITS: i32>(self) -> Self {
        Self(i32x4_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn shr_halves<const BITS: i32>(self) -> Self {
        Self(i16x8_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(self.0, self.0))
    }

    #[inline(always)]
    fn halves(low: Self, high: Self) -> Self {
        Self(i16x8_shuffle::<0, 9, 2, 11, 4, 13, 6, 15>(low.0, high.0))
    }

    #[inline(always)]
    fn permute(self, order: i32) -> Self {
        // One shuffle once the order is known.
        let from = |lane: i32| order >> (2 * lane) & 3;
        let word = |lane: i32| match from(lane) {
            0 => u32x4_extract_lane::<0>(self.0),
            1 => u32x4_extract_lane::<1>(self.0),
            2 => u32x4_extract_lane::<2>(self.0),
            _ => u32x4_extract_lane::<3>(self.0),
        };
        Self(u32x4(word(0), word(1), word(2), word(3)))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        macro_rules! lane {
            ($i:literal) => {
                u32x4_extract_lane::<$i>(if LANES >> $i & 1 == 1 { b.0 } else { a.0 })
            };
        }
        Self(u32x4(lane!(0), lane!(1), lane!(2), lane!(3)))
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        Simd128::outline(task)
    }
}
