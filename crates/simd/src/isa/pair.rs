//! Four words as two registers of two: for instruction sets whose registers have 128 bits.

use core::borrow::Borrow;
use core::ops::{BitOr, BitXor};

use crate::vector::{Groups, Parts, Plain, U64};
use crate::{Isa, Mask, Task};

/// Two words.
pub(crate) trait Half: U64 {
    /// The instruction set.
    type Isa: Isa;

    /// Lane i of a, and then lane j of b.
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self;
}

/// Lanes 0 and 1, and lanes 2 and 3.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Pair<H>(pub(crate) [H; 2]);

// SAFETY: twice as many words, in order.
#[allow(unsafe_code)]
unsafe impl<H: Half + Plain> Plain for Pair<H> {}

macro_rules! both {
    ($($name:ident),*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self([self.0[0].$name(other.0[0]), self.0[1].$name(other.0[1])])
        }
    )*};
}

impl<H: Half> U64 for Pair<H> {
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([H::splat(word); 2])
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let words = &words[..4];
        Self([H::load(&words[..2]), H::load(&words[2..])])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..4];
        self.0[0].store(&mut words[..2]);
        self.0[1].store(&mut words[2..]);
    }

    #[inline(always)]
    fn load_le(bytes: &[u8]) -> Self {
        Self([H::load_le(bytes), H::load_le(&bytes[16..])])
    }

    #[inline(always)]
    fn load_u32_le(bytes: &[u8]) -> Self {
        Self([H::load_u32_le(bytes), H::load_u32_le(&bytes[8..])])
    }

    both!(add, sub, mul_low32, and, or, xor, shr_each, below);

    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        Self([self.0[0].chi(b.0[0], c.0[0]), self.0[1].chi(b.0[1], c.0[1])])
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self) -> Self {
        Self([self.0[0].shl::<BITS>(), self.0[1].shl::<BITS>()])
    }

    #[inline(always)]
    fn shr<const BITS: i32>(self) -> Self {
        Self([self.0[0].shr::<BITS>(), self.0[1].shr::<BITS>()])
    }

    #[inline(always)]
    fn shl_by(self, bits: u32) -> Self {
        Self([self.0[0].shl_by(bits), self.0[1].shl_by(bits)])
    }

    #[inline(always)]
    fn shr_by(self, bits: u32) -> Self {
        Self([self.0[0].shr_by(bits), self.0[1].shr_by(bits)])
    }

    #[inline(always)]
    fn sign(self) -> Self {
        Self([self.0[0].sign(), self.0[1].sign()])
    }

    #[inline(always)]
    fn highest_bits(self) -> u32 {
        self.0[0].highest_bits() | self.0[1].highest_bits() << 2
    }

    #[inline(always)]
    fn opaque(self) -> Self {
        Self([self.0[0].opaque(), self.0[1].opaque()])
    }
}

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<H>([H; 2]);

impl<H: Half> BitOr for Lanes<H> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0].or(other.0[0]), self.0[1].or(other.0[1])])
    }
}

impl<H: Half> BitXor for Lanes<H> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self([self.0[0].xor(other.0[0]), self.0[1].xor(other.0[1])])
    }
}

/// The first order, or the second where the mask is set.
#[derive(Clone, Copy)]
pub(crate) struct Order<H>(i32, i32, Lanes<H>);

impl<H: Half> Pair<H> {
    /// The order is public.
    #[inline(always)]
    fn permute_by_public(self, order: i32) -> Self {
        let from = |lane: i32| (order >> (2 * lane) & 3) as usize;
        let (a, b, c, d) = (from(0), from(1), from(2), from(3));
        Self([
            H::pick(self.0[a >> 1], a & 1, self.0[b >> 1], b & 1),
            H::pick(self.0[c >> 1], c & 1, self.0[d >> 1], d & 1),
        ])
    }
}

impl<H: Half> Groups for Pair<H> {
    type Lanes = Lanes<H>;
    type Order = Order<H>;

    #[inline(always)]
    fn load_transposed(rows: &[[u64; 4]]) -> [Self; 4] {
        // Words 0 and 1 of a row, and words 2 and 3.
        let row = |i: usize| [H::load(&rows[i][..2]), H::load(&rows[i][2..])];
        let (first, second, third, fourth) = (row(0), row(1), row(2), row(3));
        let word = |i: usize| {
            let (half, lane) = (i >> 1, i & 1);
            Self([
                H::pick(first[half], lane, second[half], lane),
                H::pick(third[half], lane, fourth[half], lane),
            ])
        };
        [word(0), word(1), word(2), word(3)]
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(self) -> Self {
        self.permute_by_public(ORDER)
    }

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Mask<u64>) -> Order<H> {
        Order(A, B, Lanes([H::splat(choice.word()); 2]))
    }

    #[inline(always)]
    fn permute_by(self, Order(a, b, lanes): Order<H>) -> Self {
        Self::select(self.permute_by_public(a), self.permute_by_public(b), lanes)
    }

    #[inline(always)]
    fn swap_groups(self) -> Self {
        self
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        let from = |lane: usize| [a, b][usize::from(LANES >> lane & 1)].0[lane >> 1];
        Self([
            H::pick(from(0), 0, from(1), 1),
            H::pick(from(2), 0, from(3), 1),
        ])
    }

    #[inline(always)]
    fn lanes(bits: u8) -> Lanes<H> {
        let word = |lane: u32| Mask::of_bit(u64::from(bits) >> lane & 1).word();
        Lanes([H::load(&[word(0), word(1)]), H::load(&[word(2), word(3)])])
    }

    #[inline(always)]
    fn select(a: Self, b: Self, lanes: Lanes<H>) -> Self {
        let half = |i: usize| a.0[i].xor(lanes.0[i].and(a.0[i].xor(b.0[i])));
        Self([half(0), half(1)])
    }
}

impl<H: Half> Parts for Pair<H> {
    type Part = H;
    const PARTS: usize = 2;

    #[inline(always)]
    fn part<const N: usize>(vectors: &[Self; N], index: usize) -> impl Borrow<[H; N]> {
        let mut part = [vectors[0].0[index]; N];
        for (part, vector) in part.iter_mut().zip(vectors) {
            *part = vector.0[index];
        }
        part
    }

    #[inline(always)]
    fn set_part<const N: usize>(vectors: &mut [Self; N], index: usize, part: [H; N]) {
        for (vector, part) in vectors.iter_mut().zip(part) {
            vector.0[index] = part;
        }
    }

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        H::Isa::outline(task)
    }
}
