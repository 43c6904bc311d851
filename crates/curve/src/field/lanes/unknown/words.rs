//! Words of 64 bits.

use super::super::{Constants, radix25, radix51, whole25};
use super::{Lane, Number, fitting, is_at_rest, load, store};
use core::array::from_fn;
use core::borrow::Borrow;
use core::ops::{BitOr, BitXor};
use lanner_simd::{Groups, Mask, MulAdd52, Parts, Task, U64};
use std::vec::Vec;

/// N words side by side; vectors of it are parts themselves if it is `WHOLE`, and else parts are pairs.
#[derive(Clone, Copy)]
pub(crate) struct Words<const N: usize, const WHOLE: bool = false>(pub(crate) [Lane; N]);

impl<const N: usize, const WHOLE: bool> Words<N, WHOLE> {
    pub(super) fn zip(self, other: Self, f: impl Fn(Lane, Lane) -> Lane) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn map(self, f: impl Fn(Lane) -> Lane) -> Self {
        Self(self.0.map(f))
    }

    pub(crate) fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        self.0.iter().all(|lane| lane.all(&holds))
    }
}

/// For what the arithmetic of elements does not ask for.
fn not_here() -> ! {
    panic!("nothing is known of that")
}

impl<const N: usize, const WHOLE: bool> U64 for Words<N, WHOLE> {
    const LANES: usize = N;

    fn splat(word: u64) -> Self {
        Self([Lane::Bits(word); N])
    }

    fn load(words: &[u64]) -> Self {
        if is_at_rest() {
            return Self(from_fn(|i| Lane::of(load(words[i], 64))));
        }
        Self(from_fn(|i| Lane::Bits(words[i])))
    }

    fn store(self, words: &mut [u64]) {
        for (word, lane) in words.iter_mut().zip(self.0) {
            *word = store(lane.integer());
        }
    }

    fn load_le(_: &[u8]) -> Self {
        not_here()
    }

    fn load_u32_le(_: &[u8]) -> Self {
        not_here()
    }

    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            Lane::fitting("a sum", a.integer().plus(b.integer()))
        })
    }

    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            Lane::fitting("a difference", a.integer().minus_named(b.integer()))
        })
    }

    fn mul_low32(self, other: Self) -> Self {
        let factor = |lane: Lane| fitting("a factor of 32 bits", lane.integer(), 0, (1 << 32) - 1);
        self.zip(other, |a, b| Lane::of(factor(a).times(factor(b))))
    }

    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            (lane, Lane::Bits(mask)) | (Lane::Bits(mask), lane) => lane.and(mask),
            _ => not_here(),
        })
    }

    fn or(self, other: Self) -> Self {
        self.zip(other, Lane::or)
    }

    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            (Lane::Bits(a), Lane::Bits(b)) => Lane::Bits(a ^ b),
            (lane, Lane::Bits(0)) => lane,
            // The sign of a double.
            (Lane::Double(number, exponent), Lane::Bits(0x8000_0000_0000_0000)) => {
                Lane::Double(Number::Known(0).minus(number), exponent)
            }
            _ => not_here(),
        })
    }

    fn chi(self, _: Self, _: Self) -> Self {
        not_here()
    }

    fn shl<const BITS: i32>(self) -> Self {
        self.map(|lane| lane.shl(BITS as u32))
    }

    fn shr<const BITS: i32>(self) -> Self {
        self.map(|lane| Lane::of(lane.integer().cut(BITS as u32).1))
    }

    fn shl_by(self, _: u32) -> Self {
        not_here()
    }

    fn shr_by(self, _: u32) -> Self {
        not_here()
    }

    fn shr_each(self, _: Self) -> Self {
        not_here()
    }

    fn sign(self) -> Self {
        not_here()
    }

    fn below(self, _: Self) -> Self {
        not_here()
    }

    fn highest_bits(self) -> u32 {
        not_here()
    }
}

/// Where lane i takes its word from.
pub(super) fn source(order: i32, i: usize) -> usize {
    (i & !3) | (order >> (2 * (i & 3)) & 3) as usize
}

/// A decision for each lane, which may be either.
#[derive(Clone, Copy)]
pub(crate) struct Undecided;

impl BitOr for Undecided {
    type Output = Self;

    fn bitor(self, _: Self) -> Self {
        self
    }
}

impl BitXor for Undecided {
    type Output = Self;

    fn bitxor(self, _: Self) -> Self {
        self
    }
}

/// One of two orders.
#[derive(Clone, Copy)]
pub(crate) struct OneOf(i32, i32);

impl<const N: usize, const WHOLE: bool> Groups for Words<N, WHOLE> {
    type Lanes = Undecided;
    type Order = OneOf;

    fn load_transposed(rows: &[[u64; 4]]) -> [Self; 4] {
        from_fn(|word| {
            let row: Vec<u64> = rows[..N].iter().map(|row| row[word]).collect();
            Self::load(&row)
        })
    }

    fn permute<const ORDER: i32>(self) -> Self {
        Self(from_fn(|i| self.0[source(ORDER, i)]))
    }

    fn order<const A: i32, const B: i32>(_: Mask<u64>) -> OneOf {
        OneOf(A, B)
    }

    fn permute_by(self, OneOf(a, b): OneOf) -> Self {
        Self(from_fn(|i| {
            self.0[source(a, i)].or_else(self.0[source(b, i)])
        }))
    }

    fn swap_groups(self) -> Self {
        Self(from_fn(|i| self.0[(i + 4) % N]))
    }

    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| [a, b][usize::from(LANES >> (i & 3) & 1)].0[i]))
    }

    fn lanes(_: u8) -> Undecided {
        Undecided
    }

    fn select(a: Self, b: Self, _: Undecided) -> Self {
        a.zip(b, Lane::or_else)
    }
}

impl<const N: usize> Parts for Words<N, false> {
    type Part = Words<2>;
    const PARTS: usize = N / 2;

    fn part<const COUNT: usize>(
        vectors: &[Self; COUNT],
        index: usize,
    ) -> impl Borrow<[Words<2>; COUNT]> {
        vectors.map(|vector| Words([vector.0[2 * index], vector.0[2 * index + 1]]))
    }

    fn set_part<const COUNT: usize>(
        vectors: &mut [Self; COUNT],
        index: usize,
        part: [Words<2>; COUNT],
    ) {
        for (vector, part) in vectors.iter_mut().zip(part) {
            vector.0[2 * index..][..2].copy_from_slice(&part.0);
        }
    }

    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

impl<const N: usize> Parts for Words<N, true> {
    type Part = Self;
    const PARTS: usize = 1;

    fn part<const COUNT: usize>(vectors: &[Self; COUNT], _: usize) -> impl Borrow<[Self; COUNT]> {
        *vectors
    }

    fn set_part<const COUNT: usize>(vectors: &mut [Self; COUNT], _: usize, part: [Self; COUNT]) {
        *vectors = part;
    }

    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

/// Cuts the product of factors of 52 bits.
fn product52(a: Lane, b: Lane) -> (Number, Number) {
    let factor = |lane: Lane| fitting("a factor of 52 bits", lane.integer(), 0, (1 << 52) - 1);
    factor(a).times(factor(b)).cut(52)
}

impl<const N: usize> MulAdd52 for Words<N> {
    fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self {
        accumulator.add(a.zip(b, |a, b| Lane::of(product52(a, b).0)))
    }

    fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self {
        accumulator.add(a.zip(b, |a, b| Lane::of(product52(a, b).1)))
    }
}

/// Constants with the same word in every lane.
macro_rules! constants {
    ($limbs:expr, |$word:ident| $vector:expr) => {{
        macro_rules! each {
            ($name:ident) => {{
                let limbs = $limbs.$name;
                let mut vectors = [{
                    let $word = limbs[0];
                    $vector
                }; _];
                let mut i = 0;
                while i < limbs.len() {
                    let $word = limbs[i];
                    vectors[i] = $vector;
                    i += 1;
                }
                vectors
            }};
        }
        Constants {
            zero: each!(zero),
            one: each!(one),
            two: each!(two),
            d: each!(d),
            d2: each!(d2),
            sqrt_m1: each!(sqrt_m1),
        }
    }};
}
pub(super) use constants;

impl<const N: usize> radix51::Vector for Words<N> {
    const CONSTANTS: Constants<Self, 5> =
        constants!(radix51::CONSTANTS, |word| Words([Lane::Bits(word); N]));

    fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        Words::all(self, holds)
    }
}

macro_rules! whole25 {
    ($whole:literal) => {
        impl whole25::Vector for Words<4, $whole> {
            const CONSTANTS: Constants<Self, 10> =
                constants!(radix25::CONSTANTS, |word| Words([Lane::Bits(word); 4]));

            fn all(self, holds: impl Fn(u64) -> bool) -> bool {
                Words::all(self, holds)
            }
        }
    };
}
whole25!(false);
whole25!(true);
