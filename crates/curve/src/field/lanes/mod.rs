//! Several field elements side by side, in the lanes of vector registers.
//!
//! The idea is one: limb i of all the elements is one vector, and every operation
//! acts on all lanes alike. For four elements a, b, c, d:
//!
//! ```text
//!            lane 0  lane 1  lane 2  lane 3
//! limb 0      a_0     b_0     c_0     d_0     one vector
//! limb 1      a_1     b_1     c_1     d_1     another
//!   …
//! ```
//!
//! Limbs are shorter than the words that hold them. What is free above them takes the sums: a sum of two
//! elements is carried late or never, and the products of one column are added before anything is carried. Which
//! sums fit is written at the head of each file as bounds, and held to in debug builds and tests.
//!
//! Five ways of keeping limbs, over the traits of `lanner_simd` for any vector that has the multiplication
//! they need:
//!
//! | type | limbs | multiplication | in use with |
//! |---|---|---|---|
//! | [`radix51::Lanes51`] | 5 × 51 bits | [`MulAdd52`](lanner_simd::MulAdd52): 52 × 52 bits | AVX-512 IFMA |
//! | [`double51::Doubles51`] | 5 × 51 bits, in doubles | [`MulAddF64`](lanner_simd::MulAddF64): one rounding | AVX2 with FMA |
//! | [`radix25::Lanes25`] of [`whole25::Whole`] | 10 × 25.5 bits | [`U64::mul_low32`](lanner_simd::U64::mul_low32): 32 × 32 bits | SSE2; in tests AVX2 and NEON |
//! | `Lanes25` of [`narrow25::Narrow`] | 10 × 25.5 bits, four to a vector | [`U32x4`](lanner_simd::U32x4): 32 × 32 bits, two at a time | NEON |
//! | [`mixed::Mixed`] | the same for four of eight elements | the same, and that of single elements in turn | NEON |
//! | [`pairs13::Pairs13`] | 20 × 13 bits, two in a word | [`Pairs`](lanner_simd::Pairs): 16 × 16 bits, summed in pairs | WebAssembly |
//!
//! No file here names an instruction set. An operation ([`crate::backend::InLanes`]) is written over an [`Engine`],
//! and `crate::backend` instantiates the engine with the vectors of the processor.
//!
//! Lanes are used in two ways. Independent elements side by side are an
//! [`Arithmetic`] like a single one: the formulas are the same. And the four
//! coordinates of one point fill four lanes, a [`Quads`]: there lanes also trade
//! places.

/// `$name`, on limbs of vectors, is `$inlined`: where checks are on, in a function of its own. There arithmetic that is
/// inlined everywhere, each time with its checks, takes the compiler longer than all else in this crate.
macro_rules! once_if_checked {
    ($name:ident($($limbs:ident),+) $inlined:ident) => {
        #[inline(always)]
        fn $name<V: Vector>($($limbs: &Limbs<V>),+) -> Limbs<V> {
            struct Once<'a, V> {
                $($limbs: &'a Limbs<V>,)+
            }

            impl<V: Vector> Task for Once<'_, V> {
                type Output = Limbs<V>;

                #[inline(always)]
                fn run(self) -> Limbs<V> {
                    $inlined($(self.$limbs),+)
                }
            }

            if cfg!(debug_assertions) {
                V::outline(Once { $($limbs),+ })
            } else {
                $inlined($($limbs),+)
            }
        }
    };
}

// What is shown for all limbs is the same with every feature and at every level of optimisation. It is compiled with the default ones, and
// not for release, where that alone takes minutes.
#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
pub(crate) mod bounds;
#[cfg(test)]
mod checked;
mod double51;
mod mixed;
mod narrow25;
#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
mod open;
mod pairs13;
mod radix25;
mod radix51;
#[cfg(test)]
mod tests;
#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
pub(crate) mod unknown;
mod whole25;

use core::marker::PhantomData;

use super::{Arithmetic, Field, Packed};
use crate::ct::Mask;
pub(crate) use lanner_simd::order;
use lanner_simd::{Fma, Groups, Ifma, Isa, Plain, Task, splat};
pub(crate) use mixed::Single;
use subtle::Choice;

/// The most lanes that a vector has here.
pub(crate) const MAX_LANES: usize = 8;

/// Independent elements side by side.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // Rows of words.
pub(crate) trait Lanes: Arithmetic {
    /// How many.
    const LANES: usize;
    /// Whether a product takes little longer beside another one than alone.
    const IN_PAIRS: bool = Self::LANES == MAX_LANES;

    /// Takes values below 2^256, `LANES` of them; the others are not read.
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self;
    /// In each lane the entry of its own window that its number, 0 to `N`, asks for, as by [`choose_entry`]; an entry has
    /// several values below 2^256. Reads every entry, in constant time.
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    #[inline(always)]
    fn choose_entries<const N: usize, const C: usize>(
        windows: &[[[[u64; 4]; C]; N]],
        numbers: &[u8; MAX_LANES],
        neutral: &[u64; C],
    ) -> [Self; C] {
        let mut rows = [[[0; 4]; MAX_LANES]; C];
        for lane in 0..Self::LANES {
            let entry = choose_entry(&windows[lane], numbers[lane], neutral);
            for (rows, value) in rows.iter_mut().zip(entry) {
                rows[lane] = value;
            }
        }
        let mut chosen = [Self::ZERO; C];
        for (chosen, rows) in chosen.iter_mut().zip(&rows) {
            *chosen = Self::from_lanes(rows);
        }
        chosen
    }
    /// In each lane the one entry, below 2^255, whose mask has the bit of the lane; `otherwise` in lanes that no mask
    /// has. Reads every entry, in constant time.
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    #[inline(always)]
    fn choose<const N: usize>(entries: [&[u64; 4]; N], masks: &[u8; N], otherwise: u64) -> Self {
        Self::from_lanes(&choose_words(entries, masks, otherwise))
    }
    /// Some 256-bit values of the same classes, `LANES` of them.
    fn to_lanes(&self) -> [Packed; MAX_LANES];
    /// Bit i is for element i.
    fn mask(bits: u8) -> Self::Mask;
    /// Bit i is for element i; for public decisions.
    fn vartime_mask_bits(mask: Self::Mask) -> u8;

    /// A word for each lane.
    type Word: Copy;

    /// The limbs as they are, in five words: how elements rest in memory where they are taken up in another order
    /// than they were left in, each in a row of its own.
    fn to_words(&self) -> [Self::Word; 5];
    /// From what [`Lanes::to_words`] gave.
    fn from_words(words: &[Self::Word; 5]) -> Self;
    /// Lane i of word j is word j of row i, for `LANES` rows; the others are not read.
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [Self::Word; 4];
    /// The inverse; rows beyond `LANES` are anything.
    fn store_words(words: &[Self::Word; 4]) -> [[u64; 4]; MAX_LANES];
}

/// How many elements in lanes should go together through a chain of [`super::chains`]: as many as one or two vectors hold.
/// A squaring in eight lanes takes about half again as long alone as beside another. In four
/// lanes of ten limbs it has enough to do alone, and two want more registers than there are; so in [`mixed`].
#[inline(always)]
pub(crate) fn at_once<L: Lanes>() -> usize {
    if L::IN_PAIRS { 2 * L::LANES } else { L::LANES }
}

/// Groups of four elements, each group the coordinates of one point or the
/// operands of one formula: lanes trade places here.
///
/// A product may be summed before its carries are done: that is [`Quads::Wide`],
/// good for sums and differences of up to four products (a doubled one counts twice).
#[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
pub(crate) trait Quads: Lanes {
    type Wide: Copy;
    /// Whether sums of products are better carried than products.
    const LATE_CARRIES: bool;
    /// Whether a sum of elements must be carried to be a factor. Then sums of up to eight products are carried as
    /// well, and formulas on points are better with those.
    const SUMS_ARE_CARRIED: bool = false;
    /// Whether [`Quads::permute_by`] costs much more than [`Quads::permute`], so that one after the other is faster
    /// than two that do not wait for each other.
    const DEAR_CHOICES: bool = false;
    /// A permutation that is not known before; in constant time.
    type Order: Copy;

    /// The order `B` if `choice` is set, else `A`.
    fn order<const A: i32, const B: i32>(choice: Choice) -> Self::Order;
    fn permute_by(&self, order: Self::Order) -> Self;

    fn mul_wide(&self, rhs: &Self) -> Self::Wide;
    /// The product of factors that are the same in lanes 0 and 1, or in lanes 2 and 3 if `HALF` is 1.
    #[inline(always)]
    fn mul_wide_square_half<const HALF: usize>(&self, rhs: &Self) -> Self::Wide {
        self.mul_wide(rhs)
    }
    /// The product with a factor that is 1 in lanes 0 and 2.
    #[inline(always)]
    fn mul_wide_odd_lanes(&self, rhs: &Self) -> Self::Wide {
        self.mul_wide(rhs)
    }
    /// The product, and in the lanes of `LANES` what makes it *cover* another one, if
    /// [`Quads::wide_sum_or_difference`] asks for that: some multiple of p. It counts as two
    /// products. For several products at a time, where `mul_wide` is for one that others wait for.
    #[inline(always)]
    fn mul_wide_over<const LANES: u8>(&self, rhs: &Self) -> Self::Wide {
        self.mul_wide(rhs)
    }
    /// The square, with a cover as of [`Quads::mul_wide_over`].
    #[inline(always)]
    fn square_wide_over<const LANES: u8>(&self) -> Self::Wide {
        self.mul_wide(self)
    }
    /// Twice the value, as a product, with a cover as of [`Quads::mul_wide_over`].
    #[inline(always)]
    fn twice_wide_over<const LANES: u8>(&self) -> Self::Wide {
        self.mul_wide_over::<LANES>(&Self::TWO)
    }
    /// A carried value as a loose one.
    #[inline(always)]
    fn to_loose(value: &Self) -> Self::Loose {
        Self::add_loose(value, &Self::ZERO)
    }
    /// 121666 times the value, as a product.
    #[inline(always)]
    fn mul_121666_wide(&self) -> Self::Wide {
        self.mul_wide(&Self::mul_121666(&Self::ONE))
    }
    /// `wide` and 121666 times the value.
    #[inline(always)]
    fn wide_add_121666(&self, wide: Self::Wide) -> Self::Wide {
        Self::wide_sum_or_difference::<0>(wide, self.mul_121666_wide())
    }
    fn narrow(wide: Self::Wide) -> Self;

    /// Whether a point is better kept in memory than in registers between two operations.
    const IN_PLACE: bool = false;
    /// Runs a task, in a function of its own for elements that stay in memory.
    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }

    /// Whether two terms of a sum may share their code, where that costs no time.
    const SHARES_CODE: bool = false;

    /// Whether squares are so much cheaper than products that a doubling should begin with four of them.
    const SQUARES_PAY: bool = false;
    /// The product of a sum of products, at most `COUNT` of them, and another, of two for a `COUNT` of two and else of four.
    #[inline(always)]
    fn mul_sums<const COUNT: usize>(lhs: Self::Wide, rhs: Self::Wide) -> Self {
        Self::mul(&Self::narrow(lhs), &Self::narrow(rhs))
    }
    /// The product of a sum, in the lanes of `MINUS` a difference, and another element.
    #[inline(always)]
    fn mul_sum_or_difference<const MINUS: u8>(&self, summand: &Self, rhs: &Self) -> Self::Wide {
        self.sum_or_difference::<MINUS>(summand).mul_wide(rhs)
    }
    /// The square of a sum.
    #[inline(always)]
    fn square_sum(&self, summand: &Self) -> Self::Wide {
        let sum = self.sum_or_difference::<0>(summand);
        sum.mul_wide(&sum)
    }

    /// In the lanes of `LANES` a + b, elsewhere a.
    fn wide_add<const LANES: u8>(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// In the lanes of `MINUS` a - b, where a must cover b; elsewhere a + b.
    #[inline(always)]
    fn wide_sum_or_difference<const MINUS: u8>(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        Self::wide_add::<0b1111>(a, Self::wide_blend::<MINUS>(b, Self::wide_neg(b)))
    }
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

/// The types of a backend with lanes.
pub(crate) trait Engine {
    /// One element.
    type Field: Field;
    /// Four elements.
    type Quad: Quads;
    /// As many elements as a vector holds: four or eight.
    type Many: Quads;
}

/// Five limbs of 51 bits, in the vectors of `I`; `F` computes with one element.
pub(crate) struct Radix51<I, F>(PhantomData<(I, F)>);

impl<I: Ifma, F: Field> Engine for Radix51<I, F> {
    type Field = F;
    type Quad = radix51::Lanes51<I::U64x4>;
    type Many = radix51::Lanes51<I::U64x8>;
}

/// Five limbs of 51 bits, each in a double.
pub(crate) struct Double51<I, F>(PhantomData<(I, F)>);

impl<I: Fma, F: Field> Engine for Double51<I, F> {
    type Field = F;
    type Quad = double51::Doubles51<I::U64x4>;
    type Many = Self::Quad;
}

/// Ten limbs of 25.5 bits, each in a word of 64 bits.
pub(crate) struct Radix25<I, F>(PhantomData<(I, F)>);

impl<I: Isa, F: Field> Engine for Radix25<I, F> {
    type Field = F;
    type Quad = radix25::Lanes25<whole25::Whole<I::U64x4>>;
    type Many = Self::Quad;
}

/// Ten limbs of 25.5 bits, each in a word of 32 bits, for four elements; eight are these and four single ones.
pub(crate) struct Mixed25<I, F>(PhantomData<(I, F)>);

impl<I: Isa, F: Single> Engine for Mixed25<I, F> {
    type Field = F;
    type Quad = radix25::Lanes25<narrow25::Narrow<I::U32x4>>;
    type Many = mixed::Mixed<I::U32x4, F>;
}

/// Twenty limbs of 13 bits, two in a word of 32 bits.
pub(crate) struct Words13<I, F>(PhantomData<(I, F)>);

impl<I: Isa, F: Field> Engine for Words13<I, F> {
    type Field = F;
    type Quad = pairs13::Pairs13<I::Pairs>;
    type Many = Self::Quad;
}

/// The limbs of the constants of [`Arithmetic`]; or vectors with the same limb in every lane.
pub(crate) struct Constants<T, const N: usize> {
    pub(super) zero: [T; N],
    pub(super) one: [T; N],
    pub(super) two: [T; N],
    pub(super) d: [T; N],
    pub(super) d2: [T; N],
    pub(super) sqrt_m1: [T; N],
}

/// One word in every lane, for each word.
const fn splat_each<V: Plain, const N: usize>(words: &[u64; N]) -> [V; N] {
    let mut vectors = [splat(0); N];
    let mut i = 0;
    while i < N {
        vectors[i] = splat(words[i]);
        i += 1;
    }
    vectors
}

impl<const N: usize> Constants<u64, N> {
    /// The same in every lane.
    const fn in_lanes<V: Plain>(&self) -> Constants<V, N> {
        Constants {
            zero: splat_each(&self.zero),
            one: splat_each(&self.one),
            two: splat_each(&self.two),
            d: splat_each(&self.d),
            d2: splat_each(&self.d2),
            sqrt_m1: splat_each(&self.sqrt_m1),
        }
    }
}

/// The entry number `number` - 1 of a window, or for 0 the values of `neutral`: reads every entry, in constant time.
#[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
#[inline(always)]
pub(crate) fn choose_entry<const N: usize, const C: usize>(
    window: &[[[u64; 4]; C]; N],
    number: u8,
    neutral: &[u64; C],
) -> [[u64; 4]; C] {
    let none = Mask::eq(number.into(), 0);
    let mut words = [[0; 4]; C];
    for (value, &neutral) in words.iter_mut().zip(neutral) {
        value[0] = none.keep(neutral);
    }
    for (entry, place) in window.iter().zip(1u64..) {
        let mask = Mask::eq(number.into(), place);
        for (sum, value) in words.iter_mut().zip(entry) {
            for (word, new) in sum.iter_mut().zip(value) {
                *word |= mask.keep(*new);
            }
        }
    }
    words
}

/// [`Lanes::store_words`] of vectors.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))]
#[inline(always)]
fn store_transposed<V: Groups>(words: &[V; 4]) -> [[u64; 4]; MAX_LANES] {
    // Transposing a square is its own inverse; there is one for each group of four lanes.
    let mut squares = [[0; 4]; MAX_LANES];
    for i in 0..4 {
        let mut lanes = [0; MAX_LANES];
        words[i].store(&mut lanes);
        squares[i] = [lanes[0], lanes[1], lanes[2], lanes[3]];
        squares[4 + i] = [lanes[4], lanes[5], lanes[6], lanes[7]];
    }
    let transposed = V::load_transposed(&squares);
    let mut rows = [[0; 4]; MAX_LANES];
    for i in 0..4 {
        let mut lanes = [0; MAX_LANES];
        transposed[i].store(&mut lanes);
        rows[i] = [lanes[0], lanes[1], lanes[2], lanes[3]];
        rows[4 + i] = [lanes[4], lanes[5], lanes[6], lanes[7]];
    }
    rows
}

/// [`Lanes::choose`] word by word, for [`Lanes::from_lanes`].
#[inline(always)]
fn choose_words<const N: usize>(
    entries: [&[u64; 4]; N],
    masks: &[u8; N],
    otherwise: u64,
) -> [[u64; 4]; MAX_LANES] {
    let mut rows = [[otherwise, 0, 0, 0]; MAX_LANES];
    for (lane, row) in rows.iter_mut().enumerate() {
        for (entry, &mask) in entries.iter().zip(masks) {
            let mask = Mask::eq((mask >> lane & 1).into(), 1);
            for (word, new) in row.iter_mut().zip(*entry) {
                *word = mask.select(*word, *new);
            }
        }
    }
    rows
}

/// One bit for each lane.
#[inline(always)]
fn bits_of(lanes: &[Packed; MAX_LANES], decide: impl Fn(Packed) -> Choice) -> u8 {
    lanes
        .iter()
        .enumerate()
        .fold(0, |bits, (i, &lane)| bits | decide(lane).unwrap_u8() << i)
}

/// A secret decision, for vectors.
#[inline(always)]
fn mask_of(choice: Choice) -> lanner_simd::Mask<u64> {
    lanner_simd::Mask::of_bit(choice.unwrap_u8().into())
}
