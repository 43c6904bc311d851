//! Lanes in plain Rust: the twin of every vector, for tests and for Miri.
//!
//! Nothing is inlined: that would take the compiler minutes, and nothing hurries here.

use super::narrow25::{Double, Words32};
use super::pair::{Half, Pair};
use super::{MAX_LANES, Mul32, MulAdd52, Vector, radix25, radix51, whole};
use lanner_simd::Task;
use subtle::Choice;

/// N words side by side, N = 4 or 8, or 2 in a pair.
#[derive(Clone, Copy)]
pub(crate) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Words<N> {
    #[inline(never)]
    fn zip(self, rhs: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|i| f(self.0[i], rhs.0[i])))
    }
}

impl<const N: usize> Vector for Words<N> {
    const LANES: usize = N;
    type Mask = u8;

    #[inline(never)]
    fn splat(word: u64) -> Self {
        Self([word; N])
    }

    #[inline(never)]
    fn load(words: &[u64; MAX_LANES]) -> Self {
        Self(core::array::from_fn(|i| words[i]))
    }

    #[inline(never)]
    fn store(self) -> [u64; MAX_LANES] {
        core::array::from_fn(|i| if i < N { self.0[i] } else { 0 })
    }

    #[inline(never)]
    fn load_transposed(rows: &[[u64; 4]; MAX_LANES]) -> [Self; 4] {
        core::array::from_fn(|word| Self(core::array::from_fn(|lane| rows[lane][word])))
    }

    #[inline(never)]
    fn add(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a + b)
    }

    #[inline(never)]
    fn sub(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a - b)
    }

    #[inline(never)]
    fn and(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a & b)
    }

    #[inline(never)]
    fn or(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a | b)
    }

    #[inline(never)]
    fn shl<const BITS: u32>(self) -> Self {
        Self(self.0.map(|word| word << BITS))
    }

    #[inline(never)]
    fn shr<const BITS: u32>(self) -> Self {
        Self(self.0.map(|word| word >> BITS))
    }

    #[inline(never)]
    fn permute<const ORDER: i32>(self) -> Self {
        Self(core::array::from_fn(|i| {
            self.0[(i & !3) | (ORDER as usize >> (2 * (i & 3)) & 3)]
        }))
    }

    type Order = [usize; 4];

    #[inline(never)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> [usize; 4] {
        let order = A ^ (i32::from(choice.unwrap_u8()).wrapping_neg() & (A ^ B));
        core::array::from_fn(|i| order as usize >> (2 * i) & 3)
    }

    /// The order steers addresses within one vector here, for the tests; the order of a
    /// secret is for real vectors.
    #[inline(never)]
    fn permute_by(self, order: [usize; 4]) -> Self {
        Self(core::array::from_fn(|i| self.0[(i & !3) | order[i & 3]]))
    }

    #[inline(never)]
    fn swap_groups(self) -> Self {
        Self(core::array::from_fn(|i| self.0[(i + 4) % N]))
    }

    #[inline(never)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(core::array::from_fn(|i| {
            [a.0[i], b.0[i]][usize::from(LANES >> (i & 3) & 1)]
        }))
    }

    #[inline(never)]
    fn mask(bits: u8) -> u8 {
        bits
    }

    #[inline(never)]
    fn select(a: Self, b: Self, mask: u8) -> Self {
        Self(core::array::from_fn(|i| {
            let mask = u64::from(mask >> i & 1).wrapping_neg();
            a.0[i] ^ (mask & (a.0[i] ^ b.0[i]))
        }))
    }
}

const LOW_52: u64 = (1 << 52) - 1;

impl<const N: usize> MulAdd52 for Words<N> {
    const CONSTANTS: radix51::Constants<Self> = radix51::constants!(|word| Words([word; N]));

    #[inline(never)]
    fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self {
        let product = a.zip(b, |a, b| {
            ((u128::from(a & LOW_52) * u128::from(b & LOW_52)) as u64) & LOW_52
        });
        accumulator.add(product)
    }

    #[inline(never)]
    fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self {
        let product = a.zip(b, |a, b| {
            ((u128::from(a & LOW_52) * u128::from(b & LOW_52)) >> 52) as u64
        });
        accumulator.add(product)
    }
}

impl<const N: usize> Mul32 for Words<N> {
    const CONSTANTS: radix25::Constants<Self> = radix25::constants!(|word| Words([word; N]));

    whole!();

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

impl<const N: usize> super::Part32 for Words<N> {
    whole!(part);

    #[inline(never)]
    fn mul_low32(a: Self, b: Self) -> Self {
        a.zip(b, |a, b| u64::from(a as u32) * u64::from(b as u32))
    }
}

impl Half for Words<2> {
    const CONSTANTS: radix25::Constants<Pair<Self>> =
        radix25::constants!(|word| Pair([Words([word; 2]); 2]));

    #[inline(never)]
    fn new(words: [u64; 2]) -> Self {
        Self(words)
    }

    #[inline(never)]
    fn words(self) -> [u64; 2] {
        self.0
    }

    #[inline(never)]
    fn or(self, rhs: Self) -> Self {
        Vector::or(self, rhs)
    }

    #[inline(never)]
    fn xor(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a ^ b)
    }

    #[inline(never)]
    fn pick(a: Self, i: usize, b: Self, j: usize) -> Self {
        Self([a.0[i], b.0[j]])
    }

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

/// Four words of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct Narrow([u32; 4]);

impl Narrow {
    #[inline(never)]
    fn zip(self, rhs: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(core::array::from_fn(|i| f(self.0[i], rhs.0[i])))
    }

    #[inline(never)]
    fn products(self, rhs: Self, from: usize) -> Words<2> {
        let product = |i: usize| u64::from(self.0[i]) * u64::from(rhs.0[i]);
        Words([product(from), product(from + 1)])
    }
}

impl Double for Words<2> {
    #[inline(never)]
    fn new(words: [u64; 2]) -> Self {
        Self(words)
    }

    #[inline(never)]
    fn add(self, rhs: Self) -> Self {
        Vector::add(self, rhs)
    }

    #[inline(never)]
    fn sub(self, rhs: Self) -> Self {
        Vector::sub(self, rhs)
    }

    #[inline(never)]
    fn and(self, rhs: Self) -> Self {
        Vector::and(self, rhs)
    }

    #[inline(never)]
    fn or(self, rhs: Self) -> Self {
        Vector::or(self, rhs)
    }

    #[inline(never)]
    fn shl<const BITS: u32>(self) -> Self {
        Vector::shl::<BITS>(self)
    }

    #[inline(never)]
    fn shr<const BITS: u32>(self) -> Self {
        Vector::shr::<BITS>(self)
    }
}

impl Words32 for Narrow {
    type Double = Words<2>;

    const CONSTANTS: radix25::Constants<Self> =
        radix25::constants!(|word| Narrow([word as u32; 4]));

    #[inline(never)]
    fn new(words: [u32; 4]) -> Self {
        Self(words)
    }

    #[inline(never)]
    fn words(self) -> [u32; 4] {
        self.0
    }

    #[inline(never)]
    fn splat(word: u32) -> Self {
        Self([word; 4])
    }

    #[inline(never)]
    fn add(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a + b)
    }

    #[inline(never)]
    fn sub(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a - b)
    }

    #[inline(never)]
    fn and(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a & b)
    }

    #[inline(never)]
    fn or(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a | b)
    }

    #[inline(never)]
    fn xor(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a ^ b)
    }

    #[inline(never)]
    fn shr<const BITS: u32>(self) -> Self {
        Self(self.0.map(|word| word >> BITS))
    }

    #[inline(never)]
    fn mul(self, rhs: Self) -> Self {
        self.zip(rhs, |a, b| a * b)
    }

    #[inline(never)]
    fn mul_first(self, rhs: Self) -> Words<2> {
        self.products(rhs, 0)
    }

    #[inline(never)]
    fn mul_last(self, rhs: Self) -> Words<2> {
        self.products(rhs, 2)
    }

    #[inline(never)]
    fn pack(first: Words<2>, last: Words<2>) -> Self {
        let ([a, b], [c, d]) = (first.0, last.0);
        Self([a, b, c, d].map(|word| word as u32))
    }

    #[inline(never)]
    fn permute(self, order: i32) -> Self {
        Self([0, 2, 4, 6].map(|shift| self.0[(order >> shift & 3) as usize]))
    }

    #[inline(never)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(core::array::from_fn(|i| {
            [a, b][usize::from(LANES >> i & 1)].0[i]
        }))
    }

    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}
