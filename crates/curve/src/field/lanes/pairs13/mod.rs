//! Twenty limbs of 13 bits, two in a word of 32 bits, the same word of four elements in one vector: for vectors that
//! multiply eight integers of 16 bits and add the products in pairs.
//!
//! ```text
//!             word 0       word 1       word 2       word 3
//! vector m    a_2m a_2m+1  b_2m b_2m+1  c_2m c_2m+1  d_2m d_2m+1     a, b, c, d: four elements
//! dot         a_2m a'_2j + a_2m+1 a'_2j-1, and so on: one column of each product
//! ```
//!
//! Limb i has the weight 2^13i, and 2^260 = 608. Limbs are signed. Bounds of their magnitude, in units of 2^12:
//!
//! * carried: 65/64;
//! * loose, a sum or difference of two carried ones: twice that;
//! * the factors of a product: two loose ones, or a carried one and a sum of four, so that the twenty products of a column
//!   are below 4.2 * 20 * 2^24 = 2^30.4 together; what else is added to it is below 2^28.4 (`Columns::folded` and `lower!` of [`products`]);
//! * wide: a product is carried at once, and sums of products have up to six units, below which halves of 16 bits hold
//!   what [`narrow`] adds.
//!
//! V8 mixes all that one block of code computes, and what does not fit in registers goes to the stack and back. Products are
//! therefore computed in groups of five columns, which read their factors from memory of which the compilers know
//! nothing (`black_box`). And it copies arrays by a call, when they are longer than a few words: here they are copied
//! vector by vector, and products written where their first factor was.

use super::super::{Arithmetic, Operand, Packed, packed};
use super::{Constants, Lanes, MAX_LANES, Quads, bits_of, choose_words, mask_of};
use core::ops::{BitOr, BitXor};
use lanner_simd::{Pairs, PlainPairs, Task, splat_pairs};
use products::{mul, mul_121666, narrow, square};
use subtle::Choice;

/// Vectors for this layout, with constants: whatever is plain data has them.
pub(crate) trait Vector: Pairs {
    const CONSTANTS: Constants<Self, 10>;

    /// Whether a condition holds for both halves in every lane: for debug builds.
    fn all(self, holds: impl Fn(i16) -> bool) -> bool {
        let both = |word: u32| holds(word as i16) && holds((word >> 16) as i16);
        self.words().into_iter().all(both)
    }
}

impl<V: PlainPairs> Vector for V {
    const CONSTANTS: Constants<Self, 10> = Constants {
        zero: splat_each(&CONSTANTS.zero),
        one: splat_each(&CONSTANTS.one),
        two: splat_each(&CONSTANTS.two),
        d: splat_each(&CONSTANTS.d),
        d2: splat_each(&CONSTANTS.d2),
        sqrt_m1: splat_each(&CONSTANTS.sqrt_m1),
    };
}

const fn splat_each<V: PlainPairs>(limbs: &[u64; 10]) -> [V; 10] {
    each!(I => splat_pairs(limbs[I] as u32))
}

/// Limbs 2i and 2i + 1 in vector i.
type Limbs<V> = [V; 10];

/// An array of ten, or as many as there are indices, with an expression for each: not closures, see `radix51`.
macro_rules! each {
    ($i:ident => $value:expr) => {
        each!($i $value, 0 1 2 3 4 5 6 7 8 9)
    };
    ($i:ident in five => $value:expr) => {
        each!($i $value, 0 1 2 3 4)
    };
    ($i:ident in eleven => $value:expr) => {
        each!($i $value, 0 1 2 3 4 5 6 7 8 9 10)
    };
    ($i:ident $value:expr, $($index:literal)*) => {
        [$({
            const $i: usize = $index;
            $value
        }),*]
    };
}
use each;

mod products;

/// Half of the range of a limb, and what makes it positive.
const HALF: i32 = 1 << 12;
const MASK: i32 = (1 << 13) - 1;
/// 2^260, and 2^263.
const FOLD: i32 = 608;
const FOLD_HIGH: i32 = 8 * FOLD;

/// Two halves in a word.
const fn pair(low: i32, high: i32) -> u32 {
    low as u16 as u32 | (high as u16 as u32) << 16
}

/// The words of a value below p, with limbs from -2^12 to 2^12.
const fn limbs_of(words: [u64; 4]) -> [u64; 10] {
    let mut limbs = [0; 20];
    let mut over = 0;
    let mut i = 0;
    while i < 20 {
        let (word, shift) = (13 * i / 64, 13 * i % 64);
        let mut chunk = words[word] >> shift;
        if shift > 64 - 13 && word < 3 {
            chunk |= words[word + 1] << (64 - shift);
        }
        let limb = (chunk as i32 & MASK) + over;
        over = (limb + HALF) >> 13;
        limbs[i] = limb - (over << 13);
        i += 1;
    }
    // The highest has eight bits, and nothing is over.
    each!(I => pair(limbs[2 * I], limbs[2 * I + 1]) as u64)
}

/// The words of the constants of [`Arithmetic`].
pub(super) const CONSTANTS: Constants<u64, 10> = Constants {
    zero: [0; 10],
    one: limbs_of([1, 0, 0, 0]),
    two: limbs_of(packed::TWO),
    d: limbs_of(packed::D),
    d2: limbs_of(packed::D2),
    sqrt_m1: limbs_of(packed::SQRT_M1),
};

/// A carried element in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Pairs13<V>(Limbs<V>);

/// A sum or difference in each lane, good as a factor.
#[derive(Clone, Copy)]
pub(crate) struct Loose13<V>(Limbs<V>);

/// A product in each lane, or a sum of a few.
#[derive(Clone, Copy)]
pub(crate) struct Wide13<V>(Limbs<V>);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Mask<V>(V);

impl<V: Pairs> BitOr for Mask<V> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self(self.0.or(rhs.0))
    }
}

impl<V: Pairs> BitXor for Mask<V> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        Self(self.0.xor(rhs.0))
    }
}

/// The first order, or the second where the mask is set.
#[derive(Clone, Copy)]
pub(crate) struct Order<V>(i32, i32, Mask<V>);

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
super::open::open!(V: Vector; Pairs13, Loose13, Wide13);

/// Whether every limb is at most so many sixty-fourths of the unit.
// Not inlined: it is in every operation of debug builds, and compiling them would take minutes.
#[inline(never)]
fn within<V: Vector>(limbs: &Limbs<V>, sixty_fourths: u32) -> bool {
    let most = sixty_fourths << 6;
    let in_bounds = |half: i16| u32::from(half.unsigned_abs()) <= most;
    limbs.iter().all(|limb| limb.all(in_bounds))
}

impl<V: Vector> Operand<Self> for Pairs13<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(within(&self.0, 65));
        &self.0
    }
}

impl<V: Vector> Operand<Pairs13<V>> for Loose13<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(within(&self.0, 2 * 65));
        &self.0
    }
}

/// A product costs much more than a call.
struct Mul<'a, V>(&'a mut Limbs<V>, &'a Limbs<V>);

impl<V: Pairs> Task for Mul<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        mul(self.0, self.1);
    }
}

struct SquareTimes<'a, V>(&'a mut Limbs<V>, u32);

impl<V: Pairs> Task for SquareTimes<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for _ in 0..self.1 {
            square(self.0);
        }
    }
}

struct Mul121666<'a, V>(&'a mut Limbs<V>);

impl<V: Pairs> Task for Mul121666<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        mul_121666(self.0);
    }
}

/// Vector by vector.
#[inline(always)]
fn copied<V: Pairs>(limbs: &Limbs<V>) -> Limbs<V> {
    each!(I => limbs[I])
}

#[inline(always)]
fn product<V: Pairs>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    let mut product = copied(a);
    V::outline(Mul(&mut product, b));
    copied(&product)
}

#[inline(always)]
fn squared<V: Pairs>(a: &Limbs<V>, times: u32) -> Limbs<V> {
    let mut square = copied(a);
    V::outline(SquareTimes(&mut square, times));
    copied(&square)
}

#[inline(always)]
fn sum<V: Pairs>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    each!(I => a[I].add_halves(b[I]))
}

#[inline(always)]
fn difference<V: Pairs>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    each!(I => a[I].sub_halves(b[I]))
}

#[inline(always)]
fn sum_or_difference<V: Pairs, const MINUS: u8>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    each!(I => V::blend::<MINUS>(a[I].add_halves(b[I]), a[I].sub_halves(b[I])))
}

#[inline(always)]
fn select<V: Pairs>(a: V, b: V, mask: Mask<V>) -> V {
    a.xor(mask.0.and(a.xor(b)))
}

impl<V: Vector> Arithmetic for Pairs13<V> {
    type Limbs = Limbs<V>;
    type Loose = Loose13<V>;
    type Mask = Mask<V>;

    const ZERO: Self = Self(V::CONSTANTS.zero);
    const ONE: Self = Self(V::CONSTANTS.one);
    const TWO: Self = Self(V::CONSTANTS.two);
    const D: Self = Self(V::CONSTANTS.d);
    const D2: Self = Self(V::CONSTANTS.d2);
    const SQRT_M1: Self = Self(V::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> Loose13<V> {
        Loose13(sum(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Loose13<V> {
        Loose13(difference(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose13<V> {
        Loose13(narrow(&sum(lhs.limbs(), rhs.limbs())))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose13<V> {
        Loose13(narrow(&difference(lhs.limbs(), rhs.limbs())))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(narrow(value.limbs()))
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(product(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(squared(value.limbs(), 1))
    }

    #[inline(always)]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        Self(squared(value.limbs(), n))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        let mut product = copied(value.limbs());
        V::outline(Mul121666(&mut product));
        Self(copied(&product))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: Mask<V>) -> Self {
        Self(each!(I => select(a.0[I], b.0[I], mask)))
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> Mask<V> {
        Self::mask(bits_of(
            &Self::carry(&self.sub(other)).to_lanes(),
            Packed::is_zero,
        ))
    }

    #[inline(always)]
    fn is_negative(&self) -> Mask<V> {
        Self::mask(bits_of(&self.to_lanes(), Packed::is_negative))
    }

    #[inline(always)]
    fn neg(&self) -> Self {
        Self(difference(&V::CONSTANTS.zero, self.limbs()))
    }
}

impl<V: Vector> Lanes for Pairs13<V> {
    const LANES: usize = 4;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        let [a, b, c, d, ..] = values;
        let mask = V::splat(MASK as u32);
        macro_rules! word {
            ($i:expr) => {{
                let word = |row: &[u64; 4]| (row[$i / 2] >> (32 * ($i % 2))) as u32;
                V::new([word(a), word(b), word(c), word(d)])
            }};
        }
        // Vector m takes 26 bits from bit 26m on; the highest limb has nine.
        let wide = each!(M => {
            const WORD: usize = 26 * M / 32;
            const SHIFT: i32 = 26 * M as i32 % 32;
            let bits = word!(WORD).shr::<SHIFT>();
            let bits = if SHIFT > 32 - 26 && WORD < 7 {
                bits.or(word!((WORD + 1) % 8).shl::<{ (32 - SHIFT) % 32 }>())
            } else {
                bits
            };
            V::halves(bits.and(mask), bits.shr::<13>().and(mask).shl::<16>())
        });
        Self(narrow(&wide))
    }

    #[inline(always)]
    fn choose<const N: usize>(entries: [&[u64; 4]; N], masks: &[u8; N], otherwise: u64) -> Self {
        Self::from_lanes(&choose_words(entries, masks, otherwise))
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        // 2^260 - 608, a multiple of p, makes limbs positive: below 2^14, and a word of two below 2^27.
        let raise = |low: i32| V::splat(pair(low, MASK));
        let words = each!(I => {
            let raised = self.limbs()[I]
                .add_halves(raise(if I == 0 { MASK + 1 - FOLD } else { MASK }));
            let high = raised.shr::<16>().shl::<13>();
            raised.and(V::splat(0xffff)).add(high).words()
        });
        core::array::from_fn(|lane| {
            if lane < 4 {
                packed_from_26(&words.map(|word| word[lane]))
            } else {
                Packed::ZERO
            }
        })
    }

    #[inline(always)]
    fn mask(bits: u8) -> Mask<V> {
        let bits = u32::from(bits);
        Mask(V::new([0, 1, 2, 3].map(|lane| {
            lanner_simd::Mask::of_bit(bits >> lane & 1).word()
        })))
    }

    #[inline(always)]
    fn vartime_mask_bits(mask: Mask<V>) -> u8 {
        let words = mask.0.words();
        (0..4).fold(0, |bits, i| bits | (words[i] as u8 & 1) << i)
    }

    type Word = [u64; 4];

    #[inline(always)]
    fn to_words(&self) -> [[u64; 4]; 5] {
        let limbs = self.limbs();
        let limbs = each!(I => limbs[I].words());
        let mut words = [[0; 4]; 5];
        for (i, words) in words.iter_mut().enumerate() {
            for (lane, word) in words.iter_mut().enumerate() {
                *word = u64::from(limbs[2 * i][lane]) | u64::from(limbs[2 * i + 1][lane]) << 32;
            }
        }
        words
    }

    #[inline(always)]
    fn from_words(words: &[[u64; 4]; 5]) -> Self {
        Self(
            each!(I => V::new([0, 1, 2, 3].map(|lane| (words[I / 2][lane] >> (32 * (I & 1))) as u32))),
        )
    }

    #[inline(always)]
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [[u64; 4]; 4] {
        let [a, b, c, d, ..] = rows;
        [0, 1, 2, 3].map(|i| [a[i], b[i], c[i], d[i]])
    }

    #[inline(always)]
    fn store_words([a, b, c, d]: &[[u64; 4]; 4]) -> [[u64; 4]; MAX_LANES] {
        let mut rows = [[0; 4]; MAX_LANES];
        for i in 0..4 {
            rows[i] = [a[i], b[i], c[i], d[i]];
        }
        rows
    }
}

/// The sum of ten words below 2^27 of weight 2^26i, as some value below 2^256 of its class.
#[inline(always)]
fn packed_from_26(words: &[u32; 10]) -> Packed {
    let mut limbs = [0u64; 5];
    for i in 0..5 {
        limbs[i] = u64::from(words[2 * i]) + (u64::from(words[2 * i + 1]) << 26);
    }
    // What is above bit 255, below 2^7, comes down 19 times.
    limbs[0] += 19 * (limbs[4] >> 47);
    limbs[4] &= (1 << 47) - 1;
    for i in 0..4 {
        limbs[i + 1] += limbs[i] >> 52;
        limbs[i] &= (1 << 52) - 1;
    }
    let [a, b, c, d, e] = limbs;
    Packed([
        a | b << 52,
        b >> 12 | c << 40,
        c >> 24 | d << 28,
        d >> 36 | e << 16,
    ])
}

impl<V: Vector> Quads for Pairs13<V> {
    type Wide = Wide13<V>;
    const LATE_CARRIES: bool = false;
    type Order = Order<V>;

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> Order<V> {
        Order(A, B, Mask(V::splat(mask_of(choice).word() as u32)))
    }

    #[inline(always)]
    fn permute_by(&self, Order(first, second, mask): Order<V>) -> Self {
        Self(each!(I => select(self.0[I].permute(first), self.0[I].permute(second), mask)))
    }

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> Wide13<V> {
        Wide13(product(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn narrow(wide: Wide13<V>) -> Self {
        Self(narrow(&wide.0))
    }

    const SQUARES_PAY: bool = true;
    const IN_PLACE: bool = true;

    #[inline(always)]
    fn outline<T: Task>(task: T) -> T::Output {
        V::outline(task)
    }

    #[inline(always)]
    fn mul_sums<const COUNT: usize>(lhs: Wide13<V>, rhs: Wide13<V>) -> Self {
        let most = if COUNT > 2 { 4 } else { 2 };
        debug_assert!(within(&lhs.0, most * 65) && within(&rhs.0, most * 65));
        if COUNT > 2 {
            Self(product(&rhs.0, &narrow(&lhs.0)))
        } else {
            Self(product(&lhs.0, &rhs.0))
        }
    }

    #[inline(always)]
    fn mul_sum_or_difference<const MINUS: u8>(&self, summand: &Self, rhs: &Self) -> Wide13<V> {
        let factor = sum_or_difference::<V, MINUS>(self.limbs(), summand.limbs());
        Wide13(product(&factor, rhs.limbs()))
    }

    #[inline(always)]
    fn square_sum(&self, summand: &Self) -> Wide13<V> {
        Wide13(squared(&sum(self.limbs(), summand.limbs()), 1))
    }

    #[inline(always)]
    fn wide_add<const LANES: u8>(a: Wide13<V>, b: Wide13<V>) -> Wide13<V> {
        Wide13(each!(I => V::blend::<LANES>(a.0[I], a.0[I].add_halves(b.0[I]))))
    }

    #[inline(always)]
    fn wide_neg(a: Wide13<V>) -> Wide13<V> {
        Wide13(difference(&V::CONSTANTS.zero, &a.0))
    }

    #[inline(always)]
    fn wide_permute<const ORDER: i32>(a: Wide13<V>) -> Wide13<V> {
        Wide13(each!(I => a.0[I].permute(ORDER)))
    }

    #[inline(always)]
    fn wide_blend<const LANES: u8>(a: Wide13<V>, b: Wide13<V>) -> Wide13<V> {
        Wide13(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(&self) -> Self {
        Self(each!(I => self.0[I].permute(ORDER)))
    }

    #[inline(always)]
    fn swap_groups(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: &Self, b: &Self) -> Self {
        Self(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
    }

    #[inline(always)]
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self {
        let sum = sum_or_difference::<V, MINUS>(self.limbs(), rhs.limbs());
        Self(narrow(&sum))
    }
}

#[cfg(test)]
impl<V: Vector> super::tests::Limbed for Pairs13<V> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        use num_bigint::BigUint;
        const MOST: i64 = 65 << 6;
        let p = (BigUint::from(1u8) << 255) - 19u8;
        let mut words = [[0; 4]; 10];
        let mut classes = std::vec::Vec::new();
        // From the least to the most, and what makes them positive.
        let lanes: [[i64; 20]; 4] =
            core::array::from_fn(|_| core::array::from_fn(|_| pick(2 * MOST as u64) as i64 - MOST));
        for (lane, limbs) in lanes.into_iter().enumerate() {
            let (mut sum, mut raised) = (BigUint::from(0u8), BigUint::from(0u8));
            for (i, limb) in limbs.into_iter().enumerate() {
                sum += BigUint::from((limb + MOST) as u64) << (13 * i);
                raised += BigUint::from(MOST as u64) << (13 * i);
                words[i / 2][lane] |= u32::from(limb as i16 as u16) << (16 * (i % 2));
            }
            classes.push((sum + (&p << 8) - raised) % &p);
        }
        (Self(words.map(V::new)), classes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::checked::Halves;
    use super::{Limbs, narrow, pair, product, squared, within};
    use lanner_simd::Pairs;

    /// What a carried limb may be.
    const MOST: i32 = 65 << 6;

    /// Even and odd limbs.
    fn limbs(even: i32, odd: i32) -> Limbs<Halves> {
        [Halves::splat(pair(even * MOST, odd * MOST)); 10]
    }

    /// The vectors are those that panic where something has no room.
    #[test]
    fn factors_may_be_as_large_as_is_said() {
        let signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        for (a, b) in signs {
            for (c, d) in signs {
                for (most_a, most_b) in [(4, 1), (1, 4), (2, 2)] {
                    let (x, y) = (limbs(most_a * a, most_a * b), limbs(most_b * c, most_b * d));
                    assert!(within(&product(&x, &y), 65));
                }
            }
            assert!(within(&squared(&limbs(2 * a, 2 * b), 1), 65));
            assert!(within(&narrow(&limbs(6 * a, 6 * b)), 65));
        }
    }

    #[test]
    #[should_panic(expected = "the result fits")]
    fn larger_factors_overflow() {
        let _ = product(&limbs(3, 3), &limbs(3, 3));
    }
}
