//! The twin of every vector in plain Rust: lanes are elements of an array.

use core::array::from_fn;
use core::ops::{BitOr, BitXor};

use super::pair::{Half, Pair};
use super::whole;
use crate::vector::{
    Each, F64, Groups, I16, I64, MulAdd52, Pairs, Plain, PlainPairs, PlainU32x4, Rows, U32, U32x4,
    U64, difference_of_halves,
};
use crate::{Ifma, Isa, Mask, Task};

/// Registers of one lane.
// Public, as the next, because `f64` leads to both.
pub struct Portable;

impl super::Sealed for Portable {}

impl Isa for Portable {
    const NAME: &'static str = "portable";
    const COMPACT: bool = cfg!(target_family = "wasm");
    type U64 = Words<1>;
    type U32x4 = Words32;
    type Pairs = Words32;
    type U64x4 = Words<4>;
    type I16 = Single;
    type U32 = u32;
    type I64 = i64;
    type F64 = f64;

    // There are no instructions to be compiled for: whoever is in an operation already stays where he is.
    #[inline(always)]
    fn enter<O: crate::Operation>(operation: O) -> O::Output {
        operation.run::<Self>()
    }

    // Never inlined: what it leaves on the stack lies below the caller's frame, where the caller overwrites it.
    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

/// Registers of two lanes: the twin of the instruction sets with 128 bits.
pub(crate) struct Portable128;

impl super::Sealed for Portable128 {}

impl Isa for Portable128 {
    const NAME: &'static str = "portable128";
    type U64 = Words<2>;
    type U64x4 = Pair<Words<2>>;
    type I16 = Single;
    type U32 = u32;
    type I64 = i64;
    type F64 = f64;
    type U32x4 = Words32;
    type Pairs = Words32;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        Portable::outline(task)
    }
}

impl Half for Words<2> {
    type Isa = Portable128;

    #[inline(always)]
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self {
        Self([a.0[i], b.0[j]])
    }
}

impl Ifma for Portable {
    type U64x8 = Words<8>;
    type Rows = Words32x16;
}

/// Sixteen words of 32 bits.
#[derive(Clone, Copy)]
pub struct Words32x16([u32; 16]);

impl Rows for Words32x16 {
    #[inline(always)]
    fn spread(row: [u32; 4]) -> Self {
        Self(from_fn(|i| row[i % 4]))
    }

    #[inline(always)]
    fn new(words: [u32; 16]) -> Self {
        Self(words)
    }

    #[inline(always)]
    fn store_le(self, bytes: &mut [u8; 64]) {
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(self.0) {
            *bytes = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] ^ other.0[i]))
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32>(self) -> Self {
        Self(from_fn(|i| self.0[i].rotate_left(LEFT as u32)))
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(self) -> Self {
        Self(from_fn(|i| {
            self.0[i / 4 * 4 + (ORDER >> (2 * (i % 4)) & 3) as usize]
        }))
    }

    #[inline(always)]
    fn compact_below(words: &[u16; 16], limit: u16, to: &mut [u16; 16]) -> usize {
        let mut count = 0;
        for &word in words {
            to[count & 15] = word;
            count += usize::from(word < limit);
        }
        count
    }

    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        from_fn(|g| Self(from_fn(|i| rows[i / 4].0[4 * g + i % 4])))
    }
}

/// `N` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Words<const N: usize>([u64; N]);

impl<const N: usize> Words<N> {
    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i])))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const N: usize> Each for Words<N> {
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        self.zip(counts, |word, count| {
            u32::try_from(count).map_or(0, |count| word.checked_shl(count).unwrap_or(0))
        })
    }

    #[inline(always)]
    fn leading_zeros(self) -> Self {
        self.map(|word| word.leading_zeros().into())
    }
}

impl<const N: usize> U64 for Words<N> {
    const LANES: usize = N;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([word; N])
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        Self(*words.first_chunk().expect("a word for each lane"))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        *words.first_chunk_mut().expect("a word for each lane") = self.0;
    }

    #[inline(always)]
    fn load_le(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        Self(from_fn(|i| u64::from_le_bytes(words[i])))
    }

    #[inline(always)]
    fn load_u32_le(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        Self(from_fn(|i| u32::from_le_bytes(words[i]).into()))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn mul_low32(self, other: Self) -> Self {
        self.zip(other, |a, b| u64::from(a as u32) * u64::from(b as u32))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        self.xor(b.zip(c, |b, c| !b & c))
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        self.map(|word| word << BITS)
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        self.map(|word| word >> BITS)
    }

    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        self.map(|word| crate::mask::shift_left(word, bits))
    }

    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        self.map(|word| crate::mask::shift_right(word, bits))
    }

    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        self.zip(counts, |word, count| {
            let near = Mask::of_less(count, 64) & !Mask::of_sign(count);
            near.keep(crate::mask::shift_right(word, count as u32 & 63))
        })
    }

    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        const { assert!(LEFT + RIGHT == 64) };
        self.map(|word| word.rotate_left(LEFT as u32))
    }

    #[inline(always)]
    fn sign(self) -> Self {
        self.map(|word| Mask::of_sign(word).word())
    }

    #[inline(always)]
    fn below(self, other: Self) -> Self {
        self.zip(other, |a, b| Mask::of_less(a, b).word())
    }

    #[inline(always)]
    fn count_below(self, other: Self, sum: Self) -> Self {
        // The borrow of the difference.
        sum.add(self.sub(other).shr::<63>())
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        let bit = |(i, &word): (usize, &u64)| (crate::mask::top_bit(word) as u32) << i;
        self.0.iter().enumerate().map(bit).sum()
    }
}

// SAFETY: an array of so many words.
#[allow(unsafe_code)]
unsafe impl<const N: usize> Plain for Words<N> {}

/// All ones or all zeros for each lane.
#[derive(Clone, Copy)]
pub struct Lanes<const N: usize>([Mask<u64>; N]);

impl<const N: usize> BitOr for Lanes<N> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const N: usize> BitXor for Lanes<N> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

/// The first order, or the second where the mask is set.
#[derive(Clone, Copy)]
pub struct Order(i32, i32, Mask<u64>);

/// Where lane i takes its word from.
#[inline(always)]
fn source(order: i32, i: usize) -> usize {
    (i & 4) | (order >> (2 * (i & 3)) & 3) as usize
}

const LOW_52: u64 = (1 << 52) - 1;

/// The product of the low 52 bits of both.
#[inline(always)]
fn product52(a: u64, b: u64) -> u128 {
    u128::from(a & LOW_52) * u128::from(b & LOW_52)
}

macro_rules! groups {
    ($($lanes:literal)*) => {$(
        impl Groups for Words<$lanes> {
            type Lanes = Lanes<$lanes>;
            type Order = Order;

            #[inline(always)]
            fn load_transposed(rows: &[[u64; 4]]) -> [Self; 4] {
                from_fn(|word| Self(from_fn(|lane| rows[lane][word])))
            }

            #[inline(always)]
            fn permute<const ORDER: i32>(self) -> Self {
                Self(from_fn(|i| self.0[source(ORDER, i)]))
            }

            #[inline(always)]
            fn order<const A: i32, const B: i32>(choice: Mask<u64>) -> Order {
                Order(A, B, choice)
            }

            #[inline(always)]
            fn permute_by(self, Order(a, b, choice): Order) -> Self {
                Self(from_fn(|i| choice.select(self.0[source(a, i)], self.0[source(b, i)])))
            }

            #[inline(always)]
            fn swap_groups(self) -> Self {
                Self(from_fn(|i| self.0[(i + 4) % $lanes]))
            }

            #[inline(always)]
            fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
                Self(from_fn(|i| [a, b][usize::from(LANES >> (i & 3) & 1)].0[i]))
            }

            #[inline(always)]
            fn lanes(bits: u8) -> Lanes<$lanes> {
                Lanes(from_fn(|i| Mask::of_bit(u64::from(bits) >> i & 1)))
            }

            #[inline(always)]
            fn select(a: Self, b: Self, lanes: Lanes<$lanes>) -> Self {
                Self(from_fn(|i| lanes.0[i].select(a.0[i], b.0[i])))
            }
        }

        whole!(Words<$lanes>, Portable);

        impl MulAdd52 for Words<$lanes> {
            #[inline(always)]
            fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self {
                accumulator.add(a.zip(b, |a, b| product52(a, b) as u64 & LOW_52))
            }

            #[inline(always)]
            fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self {
                accumulator.add(a.zip(b, |a, b| (product52(a, b) >> 52) as u64))
            }
        }
    )*};
}
groups!(4 8);

/// Four words of 32 bits, each a pair of integers of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Words32([u32; 4]);

// SAFETY: an array of four words.
#[allow(unsafe_code)]
unsafe impl PlainPairs for Words32 {}

// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl PlainU32x4 for Words32 {}

impl Words32 {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn products(self, other: Self, from: usize) -> Words<2> {
        let product = |i: usize| u64::from(self.0[i]) * u64::from(other.0[i]);
        Words([product(from), product(from + 1)])
    }

    /// Both halves of each word, low half first, as integers.
    #[inline(always)]
    fn zip_halves(self, other: Self, f: impl Fn(i16, i16) -> i16) -> Self {
        self.zip(other, |a, b| {
            let [low, high] = [0, 16].map(|place| f((a >> place) as i16, (b >> place) as i16));
            u32::from(low as u16) | u32::from(high as u16) << 16
        })
    }
}

impl U32x4 for Words32 {
    type Double = Words<2>;

    #[inline(always)]
    fn new(words: [u32; 4]) -> Self {
        Self(words)
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        self.0
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self([word; 4])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_sub)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_mul)
    }

    #[inline(always)]
    fn mul_first(self, other: Self) -> Words<2> {
        self.products(other, 0)
    }

    #[inline(always)]
    fn mul_last(self, other: Self) -> Words<2> {
        self.products(other, 2)
    }

    #[inline(always)]
    fn pack(first: Words<2>, last: Words<2>) -> Self {
        let ([a, b], [c, d]) = (first.0, last.0);
        Self([a as u32, b as u32, c as u32, d as u32])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(from_fn(|i| self.0[i] >> BITS))
    }

    #[inline(always)]
    fn permute(self, order: i32) -> Self {
        Self(from_fn(|i| self.0[source(order, i)]))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| [a, b][usize::from(LANES >> i & 1)].0[i]))
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        Portable::outline(task)
    }
}

impl Pairs for Words32 {
    #[inline(always)]
    fn new(words: [u32; 4]) -> Self {
        Self(words)
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        self.0
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self([word; 4])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_add)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_mul)
    }

    #[inline(always)]
    fn add_halves(self, other: Self) -> Self {
        self.zip_halves(other, i16::wrapping_add)
    }

    #[inline(always)]
    fn sub_halves(self, other: Self) -> Self {
        self.zip_halves(other, i16::wrapping_sub)
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let [low, high] = [0, 16]
                .map(|place| i32::from((a >> place) as i16) * i32::from((b >> place) as i16));
            low.wrapping_add(high) as u32
        })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(from_fn(|i| self.0[i] >> BITS))
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        Self(self.0.map(|word| word << BITS))
    }

    #[inline(always)]
    fn shr_signed<const BITS: i32>(self) -> Self {
        Self(self.0.map(|word| (word as i32 >> BITS) as u32))
    }

    #[inline(always)]
    fn shr_halves<const BITS: i32>(self) -> Self {
        self.zip_halves(self, |half, _| half >> BITS)
    }

    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(self.0.map(|word| word.rotate_left(16)))
    }

    #[inline(always)]
    fn halves(low: Self, high: Self) -> Self {
        low.zip(high, |low, high| low & 0xffff | high & !0xffff)
    }

    #[inline(always)]
    fn permute(self, order: i32) -> Self {
        Self(from_fn(|i| self.0[source(order, i)]))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| [a, b][usize::from(LANES >> i & 1)].0[i]))
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        Portable::outline(task)
    }
}

// ---------------------------------------------------------------- u32, i64

/// One word, and how it moves between lanes: not at all.
macro_rules! single {
    ($($word:ident as $vector:ident),*) => {$(
        impl $vector for $word {
            const LANES: usize = 1;

            #[inline(always)]
            fn splat(word: $word) -> Self {
                word
            }

            #[inline(always)]
            fn load(words: &[$word]) -> Self {
                words[0]
            }

            #[inline(always)]
            fn store(self, words: &mut [$word]) {
                words[0] = self;
            }

            #[inline(always)]
            fn unzip(a: Self, b: Self, _t: usize) -> (Self, Self) {
                (a, b)
            }

            #[inline(always)]
            fn zip(first: Self, second: Self, _t: usize) -> (Self, Self) {
                (first, second)
            }

            #[inline(always)]
            fn spread(words: &[$word], _t: usize) -> Self {
                words[0]
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            own!($word);
        }
    )*};
}

/// What only one of the two has. The compiler makes vectors of loops over residues, and so their masks are those for lanes.
macro_rules! own {
    (u32) => {
        #[inline(always)]
        fn subtract_once(self, p: Self) -> Self {
            self.wrapping_sub(p).add_to_negative(p)
        }

        #[inline(always)]
        fn add_to_negative(self, p: Self) -> Self {
            self.wrapping_add(Mask::of_sign_in_lanes(self).keep(p))
        }

        #[inline(always)]
        fn subtract_from_upper_half(self, p: Self) -> Self {
            self.wrapping_sub(Mask::of_sign_in_lanes((p >> 1).wrapping_sub(self)).keep(p))
        }

        #[inline(always)]
        fn difference_of_halves(self, other: Self, p: Self, inverse: Self) -> Self {
            difference_of_halves(self, other, p, inverse)
        }
    };
    (i64) => {
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            self | other
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            self ^ other
        }

        #[inline(always)]
        fn mul_fixed32(self, other: Self) -> Self {
            #[cfg(target_pointer_width = "64")]
            {
                ((i128::from(self) * i128::from(other)) >> 32) as i64
            }
            #[cfg(not(target_pointer_width = "64"))]
            {
                crate::vector::mul_in_halves(self, other)
            }
        }

        #[inline(always)]
        fn half_up(self) -> Self {
            self.wrapping_add(1) >> 1
        }

        #[inline(always)]
        fn shl_by(self, bits: u32) -> Self {
            crate::mask::shift_left(self as u64, bits) as i64
        }

        #[inline(always)]
        fn shl<const BITS: i32>(self) -> Self {
            self << BITS
        }

        #[inline(always)]
        fn shr<const BITS: i32>(self) -> Self {
            (self as u64 >> BITS) as i64
        }

        #[inline(always)]
        fn sign(self) -> Self {
            Mask::of_sign(self).word()
        }

        #[inline(always)]
        fn choose_by_sign(self, negative: Self, other: Self) -> Self {
            Mask::of_sign(self).select(other, negative)
        }
    };
}

single!(u32 as U32, i64 as I64);

// ---------------------------------------------------------------- f64

impl F64 for f64 {
    type Real = Self;
    type Pack = Self;
    type Half = Self;
    type Words = Words<1>;

    const LANES: usize = 1;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        <Portable as Isa>::outline(task)
    }

    #[inline(always)]
    fn packs(values: &[Self]) -> &[Self] {
        values
    }

    #[inline(always)]
    fn packs_mut(values: &mut [Self]) -> &mut [Self] {
        values
    }

    #[inline(always)]
    fn load(pack: &Self) -> Self {
        *pack
    }

    #[inline(always)]
    fn store(self, pack: &mut Self) {
        *pack = self;
    }

    #[inline(always)]
    fn splat(value: Self) -> Self {
        value
    }

    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        self / divisor
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        super::scalar::square_root(self)
    }

    #[inline(always)]
    fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
        (a, b)
    }

    #[inline(always)]
    fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
        (even, odd)
    }

    #[inline(always)]
    fn load_repeated<const D: usize>(values: &[Self]) -> Self {
        values[0]
    }

    #[inline(always)]
    fn alternate(values: [Self; 2], first: usize) -> Self {
        values[first & 1]
    }

    #[inline(always)]
    fn to_words(self) -> Words<1> {
        Words([self.to_bits()])
    }

    #[inline(always)]
    fn from_words(words: Words<1>) -> Self {
        Self::from_bits(words.0[0])
    }
}

// ---------------------------------------------------------------- i16

/// One integer. Sums are checked in debug builds, which proves the bounds of those who add.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Single(i16);

impl I16 for Single {
    const LANES: usize = 1;

    #[inline(always)]
    #[allow(unsafe_code)]
    fn vectors(integers: &mut [i16]) -> &mut [Self] {
        // SAFETY: a vector is its integers, whatever they are.
        unsafe { crate::memory::recast_mut(integers) }
    }

    #[inline(always)]
    fn splat(value: i16) -> Self {
        Self(value)
    }

    #[inline(always)]
    fn load(from: &[i16]) -> Self {
        Self(from[0])
    }

    #[inline(always)]
    fn store(self, to: &mut [i16]) {
        to[0] = self.0;
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        Self(((i32::from(self.0) * i32::from(other.0)) >> 16) as i16)
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(self.0 >> BITS)
    }

    #[inline(always)]
    fn transpose(_: &mut [Self]) {}
}
