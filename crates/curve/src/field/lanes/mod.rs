//! Several field elements side by side, in the lanes of vector registers.
//!
//! The idea is one: limb i of all the elements is one vector, and every operation
//! acts on all lanes alike. Three ways of keeping limbs, over any vector that has
//! the multiplication they need:
//!
//! | type | limbs | multiplication | vectors |
//! |---|---|---|---|
//! | [`radix51::Lanes51`] | 5 × 51 bits | [`MulAdd52`]: 52 × 52 bits | AVX-512 IFMA |
//! | [`radix25::Lanes25`] | 10 × 25.5 bits | [`Mul32`]: 32 × 32 bits | AVX2, SSE2; in tests NEON |
//! | `narrow25::Narrow25` | 10 × 25.5 bits, four to a vector | `Words32`: 32 × 32 bits, two at a time | WebAssembly |
//!
//! [`portable::Words`] has every multiplication in plain Rust, so that the whole
//! logic is tested on any machine.
//!
//! Lanes are used in two ways. Independent elements side by side are an
//! [`Arithmetic`] like a single one: the formulas are the same. And the four
//! coordinates of one point fill four lanes, a [`Quads`]: there lanes also trade
//! places.

#[cfg(any(
    test,
    all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    )
))]
mod narrow25;
#[cfg(any(test, all(target_arch = "x86", target_feature = "sse2", not(miri))))]
mod pair;
#[cfg(test)]
pub(crate) mod portable;
pub(crate) mod radix25;
pub(crate) mod radix51;
#[cfg(test)]
mod tests;

#[cfg(all(
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_pointer_width = "64")
    ),
    not(miri)
))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
pub(crate) mod avx512;
#[cfg(all(test, target_arch = "aarch64", target_feature = "neon", not(miri)))]
mod neon;
#[cfg(all(
    target_arch = "wasm32",
    any(target_feature = "simd128", feature = "simd128")
))]
pub(crate) mod simd128;
#[cfg(all(
    any(target_arch = "x86", all(test, target_arch = "x86_64")),
    target_feature = "sse2",
    not(miri)
))]
pub(crate) mod sse2;

use super::{Arithmetic, Packed};
use core::borrow::Borrow;
use core::ops::{BitOr, BitXor};
use lanner_simd::Task;
use subtle::Choice;

/// The most lanes that a vector has here.
pub(crate) const MAX_LANES: usize = 8;

/// 64-bit words side by side: four, or eight as two groups of four.
pub(crate) trait Vector: Copy + 'static {
    /// How many words: 4 or 8.
    const LANES: usize;
    /// A decision for each lane.
    type Mask: Copy + BitOr<Output = Self::Mask> + BitXor<Output = Self::Mask>;

    fn splat(word: u64) -> Self;
    /// The first `LANES` of the words.
    fn load(words: &[u64; MAX_LANES]) -> Self;
    /// The words, and zeros up to `MAX_LANES`.
    fn store(self) -> [u64; MAX_LANES];
    /// Lane i of result j is word j of row i, for the first `LANES` rows.
    fn load_transposed(rows: &[[u64; 4]; MAX_LANES]) -> [Self; 4];

    fn add(self, rhs: Self) -> Self;
    fn sub(self, rhs: Self) -> Self;
    fn and(self, rhs: Self) -> Self;
    fn or(self, rhs: Self) -> Self;
    fn shl<const N: u32>(self) -> Self;
    fn shr<const N: u32>(self) -> Self;

    /// Lane i of each group of four takes lane (ORDER >> 2i) mod 4 of that group.
    fn permute<const ORDER: i32>(self) -> Self;
    /// A permutation that is not known before; in constant time.
    type Order: Copy;
    /// The order `B` if `choice` is set, else `A`.
    fn order<const A: i32, const B: i32>(choice: Choice) -> Self::Order;
    /// As [`Vector::permute`], in that order.
    fn permute_by(self, order: Self::Order) -> Self;

    /// Exchanges the two groups of four; for four lanes, nothing.
    fn swap_groups(self) -> Self;
    /// In each group of four, lane i is `b`'s where bit i of `LANES` is set, else
    /// `a`'s.
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self;

    /// Bit i is for lane i.
    fn mask(bits: u8) -> Self::Mask;
    /// `b` where the mask is set, `a` elsewhere.
    fn select(a: Self, b: Self, mask: Self::Mask) -> Self;
}

/// The order in which lanes 0 to 3 take lanes a, b, c, d: for [`Vector::permute`].
pub(crate) const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

/// Multiplication and addition as AVX-512 IFMA has them.
pub(crate) trait MulAdd52: Vector {
    const CONSTANTS: radix51::Constants<Self>;

    /// accumulator + bits 0 to 51 of a b, for a and b below 2^52.
    fn mul_add_low(accumulator: Self, a: Self, b: Self) -> Self;
    /// accumulator + bits 52 to 103 of a b, for a and b below 2^52.
    fn mul_add_high(accumulator: Self, a: Self, b: Self) -> Self;
}

/// A vector that multiplies halves of lanes, to products that fill them: at once, or in parts
/// where registers are shorter.
pub(crate) trait Mul32: Vector {
    const CONSTANTS: radix25::Constants<Self>;

    type Part: Part32;
    const PARTS: usize;
    fn part<const N: usize>(limbs: &[Self; N], index: usize) -> impl Borrow<[Self::Part; N]>;
    fn set_part<const N: usize>(limbs: &mut [Self; N], index: usize, part: [Self::Part; N]);

    /// The product of the low 32 bits of a and of b.
    fn mul_low32(a: Self, b: Self) -> Self;

    /// Runs a task in a function of its own, compiled for the vector.
    fn outline<T: Task>(task: T) -> T::Output;
}

/// A register of lanes, as [`Vector`] and [`Mul32`] have them.
pub(crate) trait Part32: Copy + 'static {
    fn splat(word: u64) -> Self;
    fn add(self, rhs: Self) -> Self;
    fn sub(self, rhs: Self) -> Self;
    fn and(self, rhs: Self) -> Self;
    fn shl<const N: u32>(self) -> Self;
    fn shr<const N: u32>(self) -> Self;
    fn mul_low32(a: Self, b: Self) -> Self;

    /// The same value, of which the optimiser knows nothing where that matters: else it turns
    /// products and sums of shifts into multiplications of whole lanes, which are three
    /// times as expensive.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// A vector that is one register: the rest of [`Mul32`], and most of [`Part32`].
macro_rules! whole {
    () => {
        type Part = Self;
        const PARTS: usize = 1;

        #[inline(always)]
        fn part<const LIMBS: usize>(
            limbs: &[Self; LIMBS],
            _: usize,
        ) -> impl core::borrow::Borrow<[Self; LIMBS]> {
            limbs
        }

        #[inline(always)]
        fn set_part<const LIMBS: usize>(limbs: &mut [Self; LIMBS], _: usize, part: [Self; LIMBS]) {
            *limbs = part;
        }

        #[inline(always)]
        fn mul_low32(a: Self, b: Self) -> Self {
            super::Part32::mul_low32(a, b)
        }
    };
    (part) => {
        #[inline(always)]
        fn splat(word: u64) -> Self {
            super::Vector::splat(word)
        }

        #[inline(always)]
        fn add(self, rhs: Self) -> Self {
            super::Vector::add(self, rhs)
        }

        #[inline(always)]
        fn sub(self, rhs: Self) -> Self {
            super::Vector::sub(self, rhs)
        }

        #[inline(always)]
        fn and(self, rhs: Self) -> Self {
            super::Vector::and(self, rhs)
        }

        #[inline(always)]
        fn shl<const BITS: u32>(self) -> Self {
            super::Vector::shl::<BITS>(self)
        }

        #[inline(always)]
        fn shr<const BITS: u32>(self) -> Self {
            super::Vector::shr::<BITS>(self)
        }
    };
}
use whole;

/// Independent elements side by side.
pub(crate) trait Lanes: Arithmetic {
    /// How many.
    const LANES: usize;

    /// Takes values below 2^256, `LANES` of them; the others are not read.
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self;
    /// Some 256-bit values of the same classes, `LANES` of them.
    fn to_lanes(&self) -> [Packed; MAX_LANES];
    /// Bit i is for element i.
    fn mask(bits: u8) -> Self::Mask;
    /// Bit i is for element i; for public decisions.
    fn vartime_mask_bits(mask: Self::Mask) -> u8;
}

/// Groups of four elements, each group the coordinates of one point or the
/// operands of one formula: lanes trade places here.
///
/// A product may be summed before its carries are done: that is [`Quads::Wide`],
/// good for sums and differences of up to four products (a doubled one counts twice).
pub(crate) trait Quads: Lanes {
    type Wide: Copy;
    /// A permutation that is not known before; in constant time.
    type Order: Copy;

    /// The order `B` if `choice` is set, else `A`.
    fn order<const A: i32, const B: i32>(choice: Choice) -> Self::Order;
    fn permute_by(&self, order: Self::Order) -> Self;

    fn mul_wide(&self, rhs: &Self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;

    /// In the lanes of `LANES` a + b, elsewhere a.
    fn wide_add<const LANES: u8>(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// The negatives of one product or of twice one.
    fn wide_neg(a: Self::Wide) -> Self::Wide;
    fn wide_permute<const ORDER: i32>(a: Self::Wide) -> Self::Wide;
    fn wide_blend<const LANES: u8>(a: Self::Wide, b: Self::Wide) -> Self::Wide;

    fn permute<const ORDER: i32>(&self) -> Self;
    fn swap_groups(&self) -> Self;
    fn blend<const LANES: u8>(a: &Self, b: &Self) -> Self;
    /// In the lanes of `MINUS` a - b, elsewhere a + b.
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self;
}

/// What of [`Quads`] does the same to each limb, for a type of limbs that are a [`Vector`] `V` and
/// for `$wide`, its products; with the module's own macro `each`.
macro_rules! limb_by_limb {
    ($wide:ident) => {
        type Wide = $wide<V>;
        type Order = V::Order;

        #[inline(always)]
        fn wide_add<const LANES: u8>(a: $wide<V>, b: $wide<V>) -> $wide<V> {
            $wide(each!(I => V::blend::<LANES>(a.0[I], a.0[I].add(b.0[I]))))
        }

        #[inline(always)]
        fn wide_permute<const ORDER: i32>(a: $wide<V>) -> $wide<V> {
            $wide(each!(I => a.0[I].permute::<ORDER>()))
        }

        #[inline(always)]
        fn wide_blend<const LANES: u8>(a: $wide<V>, b: $wide<V>) -> $wide<V> {
            $wide(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
        }

        #[inline(always)]
        fn order<const A: i32, const B: i32>(choice: Choice) -> V::Order {
            V::order::<A, B>(choice)
        }

        #[inline(always)]
        fn permute_by(&self, order: V::Order) -> Self {
            Self(each!(I => self.0[I].permute_by(order)))
        }

        #[inline(always)]
        fn permute<const ORDER: i32>(&self) -> Self {
            Self(each!(I => self.0[I].permute::<ORDER>()))
        }

        #[inline(always)]
        fn swap_groups(&self) -> Self {
            Self(each!(I => self.0[I].swap_groups()))
        }

        #[inline(always)]
        fn blend<const LANES: u8>(a: &Self, b: &Self) -> Self {
            Self(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
        }
    };
}
use limb_by_limb;

/// The types of a backend with lanes.
pub(crate) trait Engine {
    /// Whether computing with one element alone is so fast that four lanes that wait for each
    /// other are not faster.
    const FAST_FIELD: bool;

    /// One element.
    type Field: super::Field;
    /// Four elements.
    type Quad: Quads;
    /// As many elements as a vector holds: four or eight.
    type Many: Quads;
}
