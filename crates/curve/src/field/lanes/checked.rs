//! Vectors that panic where a sum, a difference or a product does not fit, for tests: the arithmetic of this
//! module stays within its bounds on whatever implements the traits.
//!
//! Nothing is inlined: that would take the compiler minutes, and nothing hurries here.

use super::{Constants, double51, narrow25, pairs13, radix25, radix51, whole25};
use core::array::from_fn;
use core::borrow::Borrow;
use lanner_simd::{Groups, Mask, MulAdd52, MulAddF64, Pairs, Parts, Task, U32x4, U64};
use num_bigint::BigInt;

/// N words side by side.
#[derive(Clone, Copy)]
pub(super) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Words<N> {
    #[inline(never)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(never)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }
}

/// What is lost is a bug; `None` is where a result has no room.
fn checked(result: Option<u64>) -> u64 {
    result.expect("the result fits")
}

impl<const N: usize> U64 for Words<N> {
    const LANES: usize = N;

    #[inline(never)]
    fn splat(word: u64) -> Self {
        Self([word; N])
    }

    #[inline(never)]
    fn load(words: &[u64]) -> Self {
        Self(from_fn(|i| words[i]))
    }

    #[inline(never)]
    fn store(self, words: &mut [u64]) {
        words[..N].copy_from_slice(&self.0);
    }

    fn load_le(bytes: &[u8]) -> Self {
        Self(from_fn(|i| u64::from_le_bytes(bytes.as_chunks().0[i])))
    }

    fn load_u32_le(bytes: &[u8]) -> Self {
        Self(from_fn(|i| {
            u32::from_le_bytes(bytes.as_chunks().0[i]).into()
        }))
    }

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| checked(a.checked_add(b)))
    }

    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| checked(a.checked_sub(b)))
    }

    /// A factor of more than 32 bits is a bug.
    #[inline(never)]
    fn mul_low32(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let factor = |word| u64::from(u32::try_from(word).expect("a factor has 32 bits"));
            factor(a) * factor(b)
        })
    }

    #[inline(never)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(never)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(never)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    fn chi(self, b: Self, c: Self) -> Self {
        self.xor(b.zip(c, |b, c| !b & c))
    }

    #[inline(never)]
    fn shl<const BITS: i32>(self) -> Self {
        self.map(|word| word << BITS)
    }

    #[inline(never)]
    fn shr<const BITS: i32>(self) -> Self {
        self.map(|word| word >> BITS)
    }

    fn shl_by(self, bits: u32) -> Self {
        self.map(|word| word << bits)
    }

    fn shr_by(self, bits: u32) -> Self {
        self.map(|word| word >> bits)
    }

    fn shr_each(self, counts: Self) -> Self {
        self.zip(counts, |word, count| {
            u32::try_from(count).map_or(0, |count| word.checked_shr(count).unwrap_or(0))
        })
    }

    fn sign(self) -> Self {
        self.map(|word| (word >> 63).wrapping_neg())
    }

    fn below(self, other: Self) -> Self {
        self.zip(other, |a, b| u64::from(a < b).wrapping_neg())
    }

    fn highest_bits(self) -> u32 {
        (0..N).fold(0, |bits, i| bits | ((self.0[i] >> 63) as u32) << i)
    }
}

/// Where lane i takes its word from.
fn source(order: i32, i: usize) -> usize {
    (i & !3) | (order >> (2 * (i & 3)) & 3) as usize
}

impl<const N: usize> Groups for Words<N> {
    type Lanes = u8;
    type Order = i32;

    #[inline(never)]
    fn load_transposed(rows: &[[u64; 4]]) -> [Self; 4] {
        from_fn(|word| Self(from_fn(|lane| rows[lane][word])))
    }

    #[inline(never)]
    fn permute<const ORDER: i32>(self) -> Self {
        Self(from_fn(|i| self.0[source(ORDER, i)]))
    }

    #[inline(never)]
    fn order<const A: i32, const B: i32>(choice: Mask<u64>) -> i32 {
        A ^ (choice.word() as i32 & (A ^ B))
    }

    #[inline(never)]
    fn permute_by(self, order: i32) -> Self {
        Self(from_fn(|i| self.0[source(order, i)]))
    }

    #[inline(never)]
    fn swap_groups(self) -> Self {
        Self(from_fn(|i| self.0[(i + 4) % N]))
    }

    #[inline(never)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| {
            [a.0[i], b.0[i]][usize::from(LANES >> (i & 3) & 1)]
        }))
    }

    #[inline(never)]
    fn lanes(bits: u8) -> u8 {
        bits
    }

    #[inline(never)]
    fn select(a: Self, b: Self, lanes: u8) -> Self {
        Self(from_fn(|i| [a.0[i], b.0[i]][usize::from(lanes >> i & 1)]))
    }
}

/// Pairs of words are parts.
impl<const LANES: usize> Parts for Words<LANES> {
    type Part = Words<2>;
    const PARTS: usize = LANES / 2;

    #[inline(never)]
    fn part<const N: usize>(vectors: &[Self; N], index: usize) -> impl Borrow<[Words<2>; N]> {
        vectors.map(|vector| Words([vector.0[2 * index], vector.0[2 * index + 1]]))
    }

    #[inline(never)]
    fn set_part<const N: usize>(vectors: &mut [Self; N], index: usize, part: [Words<2>; N]) {
        for (vector, part) in vectors.iter_mut().zip(part) {
            vector.0[2 * index..][..2].copy_from_slice(&part.0);
        }
    }

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

/// Factors of more than 52 bits are a bug.
fn product52(a: u64, b: u64) -> u128 {
    assert!(a >> 52 == 0 && b >> 52 == 0, "a factor has 52 bits");
    u128::from(a) * u128::from(b)
}

impl<const N: usize> MulAdd52 for Words<N> {
    #[inline(never)]
    fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self {
        accumulator.add(a.zip(b, |a, b| product52(a, b) as u64 & ((1 << 52) - 1)))
    }

    #[inline(never)]
    fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self {
        accumulator.add(a.zip(b, |a, b| (product52(a, b) >> 52) as u64))
    }
}

/// A double as an integer, odd or zero, times a power of two.
fn exact(word: u64) -> (i128, u32) {
    let exponent = (word >> 52 & 0x7ff) as u32;
    assert!(
        exponent != 0x7ff && (exponent != 0 || word << 1 == 0),
        "normal or zero"
    );
    if exponent == 0 {
        return (0, 0);
    }
    let magnitude = word & ((1 << 52) - 1) | 1 << 52;
    let zeros = magnitude.trailing_zeros();
    let odd = i128::from(magnitude >> zeros);
    // Times 2^-1075.
    let exponent = exponent + zeros;
    (if word >> 63 == 1 { -odd } else { odd }, exponent)
}

/// Whether a * b + c is this double, without rounding.
fn is_sum(a: u64, b: u64, c: u64, sum: u64) -> bool {
    let ([a, b], [c, sum]) = ([a, b].map(exact), [c, sum].map(exact));
    // Times 2^-2150 all of them.
    let terms = [
        (a.0 * b.0, a.1 + b.1),
        (c.0, c.1 + 1075),
        (-sum.0, sum.1 + 1075),
    ];
    let terms = terms.into_iter().filter(|term| term.0 != 0);
    let least = terms.clone().map(|term| term.1).min().unwrap_or(0);
    let has_room = |term: (i128, u32)| {
        let bits = 128 - term.0.unsigned_abs().leading_zeros();
        // And two bits for the sum.
        bits + (term.1 - least) < 125
    };
    if terms.clone().all(has_room) {
        terms.map(|term| term.0 << (term.1 - least)).sum::<i128>() == 0
    } else {
        let whole = terms.map(|term| BigInt::from(term.0) << (term.1 - least));
        whole.sum::<BigInt>() == BigInt::ZERO
    }
}

/// What is rounded is a bug.
impl MulAddF64 for Words<4> {
    /// A sum that leaves the binade of the anchor is a bug.
    #[inline(never)]
    fn mul_add_anchor(a: Self, b: Self, anchor: Self) -> Self {
        Self(from_fn(|i| {
            let [a, b, anchor] = [a.0[i], b.0[i], anchor.0[i]].map(f64::from_bits);
            assert!(
                (a * b).abs() <= anchor / 3.0 && anchor.to_bits() << 12 == 1 << 63,
                "the sum stays near the anchor"
            );
            a.mul_add(b, anchor).to_bits()
        }))
    }

    #[inline(never)]
    fn mul_add_exact(a: Self, b: Self, c: Self) -> Self {
        Self(from_fn(|i| {
            let [x, y, z] = [a.0[i], b.0[i], c.0[i]].map(f64::from_bits);
            let sum = x.mul_add(y, z).to_bits();
            assert!(
                is_sum(a.0[i], b.0[i], c.0[i], sum),
                "the result is a double"
            );
            sum
        }))
    }

    #[inline(never)]
    fn add_exact(self, other: Self) -> Self {
        let one = Self([1f64.to_bits(); 4]);
        Self::mul_add_exact(self, one, other)
    }

    #[inline(never)]
    fn sub_exact(self, other: Self) -> Self {
        let minus_one = Self([(-1f64).to_bits(); 4]);
        Self::mul_add_exact(other, minus_one, self)
    }

    #[inline(never)]
    fn add_encodings(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(never)]
    fn sub_encodings(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }
}

/// A function from limbs to vectors with the same limb in every lane, and the constants that it makes.
macro_rules! constants {
    ($name:ident, $limbs:literal, |$word:ident| $vector:ty: $new:expr) => {
        const fn $name<const N: usize>(
            limbs: &Constants<u64, $limbs>,
        ) -> Constants<$vector, $limbs> {
            const fn each<const N: usize>(words: &[u64; $limbs]) -> [$vector; $limbs] {
                let mut vectors = [{
                    let $word = 0;
                    $new
                }; $limbs];
                let mut i = 0;
                while i < $limbs {
                    let $word = words[i];
                    vectors[i] = $new;
                    i += 1;
                }
                vectors
            }
            Constants {
                zero: each::<N>(&limbs.zero),
                one: each::<N>(&limbs.one),
                two: each::<N>(&limbs.two),
                d: each::<N>(&limbs.d),
                d2: each::<N>(&limbs.d2),
                sqrt_m1: each::<N>(&limbs.sqrt_m1),
            }
        }
    };
}
constants!(words51, 5, |word| Words<N>: Words([word; N]));
constants!(words25, 10, |word| Words<N>: Words([word; N]));
constants!(narrow25, 10, |word| Narrow: Narrow([word as u32; 4]));
constants!(pairs13, 10, |word| Halves: Halves([word as u32; 4]));

impl<const N: usize> radix51::Vector for Words<N> {
    const CONSTANTS: Constants<Self, 5> = words51(&radix51::CONSTANTS);
}

impl double51::Vector for Words<4> {
    const CONSTANTS: Constants<Self, 5> = words51(&double51::CONSTANTS);
}

impl whole25::Vector for Words<4> {
    const CONSTANTS: Constants<Self, 10> = words25(&radix25::CONSTANTS);
}

impl narrow25::Vector for Narrow {
    const CONSTANTS: Constants<Self, 10> = narrow25::<4>(&radix25::CONSTANTS);
}

/// Four words of 32 bits.
#[derive(Clone, Copy)]
pub(super) struct Narrow([u32; 4]);

impl Narrow {
    #[inline(never)]
    fn zip(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    #[inline(never)]
    fn products(self, other: Self, from: usize) -> Words<2> {
        let product = |i: usize| u64::from(self.0[i]) * u64::from(other.0[i]);
        Words([product(from), product(from + 1)])
    }
}

/// As [`checked`].
fn checked_u32(result: Option<u32>) -> u32 {
    result.expect("the result fits")
}

impl U32x4 for Narrow {
    type Double = Words<2>;

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
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| checked_u32(a.checked_add(b)))
    }

    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| checked_u32(a.checked_sub(b)))
    }

    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| checked_u32(a.checked_mul(b)))
    }

    #[inline(never)]
    fn mul_first(self, other: Self) -> Words<2> {
        self.products(other, 0)
    }

    #[inline(never)]
    fn mul_last(self, other: Self) -> Words<2> {
        self.products(other, 2)
    }

    /// What is above 32 bits is a bug.
    #[inline(never)]
    fn pack(first: Words<2>, last: Words<2>) -> Self {
        let ([a, b], [c, d]) = (first.0, last.0);
        Self([a, b, c, d].map(|word| u32::try_from(word).expect("a limb has 32 bits")))
    }

    #[inline(never)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(never)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(never)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(never)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(self.0.map(|word| word >> BITS))
    }

    #[inline(never)]
    fn permute(self, order: i32) -> Self {
        Self(from_fn(|i| self.0[source(order, i)]))
    }

    #[inline(never)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| [a, b][usize::from(LANES >> i & 1)].0[i]))
    }

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

impl pairs13::Vector for Halves {
    const CONSTANTS: Constants<Self, 10> = pairs13::<4>(&pairs13::CONSTANTS);
}

/// Four pairs of 16-bit integers.
#[derive(Clone, Copy)]
pub(super) struct Halves([u32; 4]);

impl Halves {
    #[inline(never)]
    fn zip(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    /// In two's complement; what is lost is a bug.
    #[inline(never)]
    fn zip_words(self, other: Self, f: impl Fn(i64, i64) -> i64) -> Self {
        self.zip(other, |a, b| {
            let word = f(i64::from(a as i32), i64::from(b as i32));
            i32::try_from(word).expect("the result fits") as u32
        })
    }

    /// In two's complement; what is lost is a bug.
    #[inline(never)]
    fn zip_halves(self, other: Self, f: impl Fn(i32, i32) -> i32) -> Self {
        self.zip(other, |a, b| {
            let half = |place: u32| {
                let half = f((a >> place) as i16 as i32, (b >> place) as i16 as i32);
                u32::from(i16::try_from(half).expect("the result fits") as u16) << place
            };
            half(0) | half(16)
        })
    }
}

impl Pairs for Halves {
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
    fn add(self, other: Self) -> Self {
        self.zip_words(other, |a, b| a + b)
    }

    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        self.zip_words(other, |a, b| a * b)
    }

    #[inline(never)]
    fn add_halves(self, other: Self) -> Self {
        self.zip_halves(other, |a, b| a + b)
    }

    #[inline(never)]
    fn sub_halves(self, other: Self) -> Self {
        self.zip_halves(other, |a, b| a - b)
    }

    #[inline(never)]
    fn dot(self, other: Self) -> Self {
        let half = |word: i64, place: u32| i64::from((word >> place) as i16);
        self.zip_words(other, |a, b| {
            half(a, 0) * half(b, 0) + half(a, 16) * half(b, 16)
        })
    }

    #[inline(never)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(never)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(never)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(never)]
    fn shl<const BITS: i32>(self) -> Self {
        Self(self.0.map(|word| word << BITS))
    }

    #[inline(never)]
    fn shr<const BITS: i32>(self) -> Self {
        Self(self.0.map(|word| word >> BITS))
    }

    #[inline(never)]
    fn shr_signed<const BITS: i32>(self) -> Self {
        self.zip_words(self, |a, _| a >> BITS)
    }

    #[inline(never)]
    fn shr_halves<const BITS: i32>(self) -> Self {
        self.zip_halves(self, |a, _| a >> BITS)
    }

    #[inline(never)]
    fn swap_halves(self) -> Self {
        Self(self.0.map(|word| word.rotate_left(16)))
    }

    #[inline(never)]
    fn halves(low: Self, high: Self) -> Self {
        low.zip(high, |low, high| low & 0xffff | high & !0xffff)
    }

    #[inline(never)]
    fn permute(self, order: i32) -> Self {
        Self(from_fn(|i| self.0[source(order, i)]))
    }

    #[inline(never)]
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| [a, b][usize::from(LANES >> i & 1)].0[i]))
    }

    #[inline(never)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

#[test]
fn sums_of_doubles_are_told_from_rounded_ones() {
    let of = |a: f64, b: f64, c: f64| {
        let sum = a.mul_add(b, c).to_bits();
        let is_right = is_sum(a.to_bits(), b.to_bits(), c.to_bits(), sum);
        // The one beside it is never right.
        assert!(!is_sum(a.to_bits(), b.to_bits(), c.to_bits(), sum ^ 1));
        is_right
    };
    let (large, small) = (2f64.powi(52) + 1.0, 2f64.powi(-60));
    assert!(of(3.0, 5.0, -7.0));
    assert!(of(large, 2.0, 2.0));
    assert!(of(large, 1.0, 1.0 - large));
    assert!(of(0.0, 3.0, 4.0));
    // Far from each other, and nothing is lost.
    assert!(of(2f64.powi(200), 2f64.powi(-150), 1.0));
    assert!(!of(large, large, 1.0));
    assert!(!of(1.0, 1.0, small));
    assert!(!of(2f64.powi(200), 1.0, small));
}
