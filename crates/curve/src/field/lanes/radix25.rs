//! Ten limbs of 26 and 25 bits in turn in each lane, for a multiplication of 32 bits.
//!
//! Limb i has weight 2^ceil(25.5 i):
//!
//! ```text
//! bit  255    230    204    179    153    128    102    77     51     26     0
//!       |  25  |  26  |  25  |  26  |  25  |  26  |  25  |  26  |  25  |  26  |
//! limb     9      8      7      6      5      4      3      2      1      0
//! ```
//!
//! Bounds, in units of 2^26 for even limbs and of 2^25 for odd ones:
//!
//! * carried: below 1 + 1/64;
//! * a factor: even limbs below 2.05 and odd ones below 3.05, and an even limb and the
//!   odd one above it together below 2^32 / 19, which is 3.36 * 2^26;
//! * from `add`: below 2.04, and from `sub`: even limbs below 1 and odd ones below
//!   3.04, so that both are factors;
//! * `add_loose` and `sub_loose` carry;
//! * wide, a product that may be summed: as the [`Layout`] says.
//!
//! All that is the same whether a limb has a word of 64 bits to itself or one of 32. What differs is a [`Layout`]: how a
//! product of two limbs, which has up to 64 bits, is made and summed, and how it is carried.

use super::super::{Arithmetic, Operand, Packed, packed, radix25::Field25};
use super::{Constants, Lanes, MAX_LANES, Quads, bits_of, choose_words};
use core::ops::{BitOr, BitXor};
use lanner_simd::U64;
use subtle::Choice;

/// How limbs lie in vectors, and how they are multiplied.
#[cfg_attr(not(feature = "alloc"), allow(dead_code))] // Rows of words.
pub(crate) trait Layout: Copy + 'static {
    /// Limb i of all elements.
    type Limb: Copy + 'static;
    /// A decision for each lane.
    type Mask: Copy + BitOr<Output = Self::Mask> + BitXor<Output = Self::Mask>;
    /// A permutation that is not known before.
    type Order: Copy;

    const LANES: usize;
    /// See [`Quads::DEAR_CHOICES`].
    const DEAR_CHOICES: bool = false;
    const CONSTANTS: Constants<Self::Limb, 10>;
    /// A multiple of p, limb by limb, above what [`Quads::wide_neg`] takes.
    const WIDE_P: [u64; 10];
    /// Sums of wide products are below so many sixty-fourths of the unit, in even limbs and in odd ones.
    const WIDE_BELOW: [u64; 2];

    /// A word that a limb has room for, in every lane.
    fn splat(word: u64) -> Self::Limb;
    /// The words, and zeros up to `MAX_LANES`.
    fn words(limb: Self::Limb) -> [u64; MAX_LANES];
    /// Whether a condition holds for the word of every lane: for debug builds.
    fn all(limb: Self::Limb, holds: impl Fn(u64) -> bool) -> bool;
    /// The inverse of `words`, for tests.
    #[cfg(test)]
    fn limb(words: [u64; MAX_LANES]) -> Self::Limb;

    fn add(a: Self::Limb, b: Self::Limb) -> Self::Limb;
    fn sub(a: Self::Limb, b: Self::Limb) -> Self::Limb;
    fn and(a: Self::Limb, b: Self::Limb) -> Self::Limb;
    fn shr<const BITS: i32>(a: Self::Limb) -> Self::Limb;
    /// The product, which a limb has room for.
    fn times(a: Self::Limb, b: Self::Limb) -> Self::Limb;

    fn permute<const ORDER: i32>(a: Self::Limb) -> Self::Limb;
    fn order<const A: i32, const B: i32>(choice: Choice) -> Self::Order;
    fn permute_by(a: Self::Limb, order: Self::Order) -> Self::Limb;
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    fn swap_groups(a: Self::Limb) -> Self::Limb;
    fn blend<const LANES: u8>(a: Self::Limb, b: Self::Limb) -> Self::Limb;
    fn mask(bits: u8) -> Self::Mask;
    fn select(a: Self::Limb, b: Self::Limb, mask: Self::Mask) -> Self::Limb;

    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Limbs<Self>;
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    #[inline(always)]
    fn choose<const N: usize>(
        entries: [&[u64; 4]; N],
        masks: &[u8; N],
        otherwise: u64,
    ) -> Limbs<Self> {
        Self::from_lanes(&choose_words(entries, masks, otherwise))
    }
    fn to_lanes(limbs: &Limbs<Self>) -> [Packed; MAX_LANES];

    /// A word of 64 bits for each lane.
    type Word: Copy;
    /// Two limbs in each word, the even one below: see [`Lanes::to_words`].
    fn to_words(limbs: &Limbs<Self>) -> [Self::Word; 5];
    fn from_words(words: &[Self::Word; 5]) -> Limbs<Self>;
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [Self::Word; 4];
    fn store_words(words: &[Self::Word; 4]) -> [[u64; 4]; MAX_LANES];

    /// The carried product of factors.
    fn mul(a: &Limbs<Self>, b: &Limbs<Self>) -> Limbs<Self>;
    fn square(a: &Limbs<Self>) -> Limbs<Self>;
    fn square_times(a: &Limbs<Self>, n: u32) -> Limbs<Self>;
    fn mul_121666(a: &Limbs<Self>) -> Limbs<Self>;
    /// The wide product of carried factors.
    fn mul_wide(a: &Limbs<Self>, b: &Limbs<Self>) -> Limbs<Self>;
    /// See [`Quads::mul_wide_square_half`].
    #[inline(always)]
    fn mul_wide_square_half<const HALF: usize>(a: &Limbs<Self>, b: &Limbs<Self>) -> Limbs<Self> {
        Self::mul_wide(a, b)
    }
    /// See [`Quads::mul_wide_odd_lanes`].
    #[inline(always)]
    fn mul_wide_odd_lanes(a: &Limbs<Self>, b: &Limbs<Self>) -> Limbs<Self> {
        Self::mul_wide(a, b)
    }
    /// Carries sums of wide products.
    fn narrow(a: &Limbs<Self>) -> Limbs<Self>;
}

pub(crate) type Limbs<L> = [<L as Layout>::Limb; 10];

/// An array of ten, with an expression for each index: for closures see `radix51`.
macro_rules! each {
    ($i:ident => $limb:expr) => {
        $crate::field::lanes::radix25::each!($i $limb, 0 1 2 3 4 5 6 7 8 9)
    };
    ($i:ident $limb:expr, $($index:literal)*) => {
        [$({
            const $i: usize = $index;
            $limb
        }),*]
    };
}
pub(super) use each;

const fn limbs_of(words: [u64; 4]) -> [u64; 10] {
    let limbs = Field25::from_words(words).to_limbs();
    each!(I => limbs[I] as u64)
}

/// The limbs of the constants of [`Arithmetic`].
pub(super) const CONSTANTS: Constants<u64, 10> = Constants {
    zero: limbs_of([0; 4]),
    one: limbs_of([1, 0, 0, 0]),
    two: limbs_of(packed::TWO),
    d: limbs_of(packed::D),
    d2: limbs_of(packed::D2),
    sqrt_m1: limbs_of(packed::SQRT_M1),
};

/// The number of bits of limb `i`.
pub(super) const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}

pub(super) const fn mask(i: usize) -> u64 {
    (1 << bits(i)) - 1
}

/// k p, limb by limb.
pub(super) const fn multiple_of_p(k: u64) -> [u64; 10] {
    let mut limbs = [0; 10];
    let mut i = 0;
    while i < 10 {
        limbs[i] = k * (mask(i) - if i == 0 { 18 } else { 0 });
        i += 1;
    }
    limbs
}

/// Above every carried element.
const TWO_P: [u64; 10] = multiple_of_p(2);
/// Above every factor.
pub(super) const FOUR_P: [u64; 10] = multiple_of_p(4);

/// A carried element in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Lanes25<L: Layout>(Limbs<L>);

impl<L: Layout> Lanes25<L> {
    /// From carried limbs.
    #[inline(always)]
    pub(super) fn from_limbs(limbs: Limbs<L>) -> Self {
        Self(limbs)
    }
}

/// A sum or difference in each lane, good as a factor.
#[derive(Clone, Copy)]
pub(crate) struct Loose25<L: Layout>(Limbs<L>);

impl<L: Layout> Loose25<L> {
    /// From the limbs of a factor.
    #[inline(always)]
    pub(super) fn from_limbs(limbs: Limbs<L>) -> Self {
        Self(limbs)
    }
}

/// A product in each lane, or a sum of a few.
#[derive(Clone, Copy)]
pub(crate) struct Wide25<L: Layout>(Limbs<L>);

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
super::open::open!(L: Layout; Lanes25, Loose25, Wide25);

/// Whether limb i of every lane is below `even` or `odd` sixty-fourths of its unit.
// Not inlined: it is in every operation of debug builds, and compiling them would take minutes.
#[inline(never)]
fn within<L: Layout>(limbs: &Limbs<L>, even: u64, odd: u64) -> bool {
    limbs.iter().enumerate().all(|(i, &limb)| {
        let most = [even, odd][i & 1] << (bits(i) - 6);
        L::all(limb, |word| word < most)
    })
}

/// Whether no limb is above that of the multiple of p from which it is subtracted.
#[inline(never)]
fn has_negative<L: Layout>(a: &Limbs<L>) -> bool {
    (0..10).all(|i| L::all(a[i], |word| word <= L::WIDE_P[i]))
}

#[inline(never)]
fn is_factor<L: Layout>(a: &Limbs<L>) -> bool {
    let sums = core::array::from_fn(|i| L::add(a[i & !1], a[i | 1]));
    within::<L>(a, 131, 195) && within::<L>(&sums, 215, 430)
}

impl<L: Layout> Operand<Self> for Lanes25<L> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<L> {
        debug_assert!(within::<L>(&self.0, 65, 65));
        &self.0
    }
}

impl<L: Layout> Operand<Lanes25<L>> for Loose25<L> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<L> {
        debug_assert!(is_factor::<L>(&self.0));
        &self.0
    }
}

/// What is above a limb's bits.
macro_rules! over {
    ($layout:ident, $limb:expr, $i:expr) => {
        if $i & 1 == 0 {
            $layout::shr::<26>($limb)
        } else {
            $layout::shr::<25>($limb)
        }
    };
}

/// Carries limbs below 32 units, all at once.
#[inline(always)]
pub(super) fn carry_narrow<L: Layout>(limbs: &Limbs<L>) -> Limbs<L> {
    let low = each!(I => L::and(limbs[I], L::splat(mask(I))));
    let over = each!(I => over!(L, limbs[I], I));
    each!(I => if I == 0 {
        L::add(low[0], L::times(over[9], L::splat(19)))
    } else {
        L::add(low[I], over[I - 1])
    })
}

/// a - b + 2p or 4p.
#[inline(always)]
fn difference<L: Layout>(a: &Limbs<L>, b: &Limbs<L>, p: &[u64; 10]) -> Limbs<L> {
    each!(I => L::sub(L::add(a[I], L::splat(p[I])), b[I]))
}

/// 19 a, for a below 2^59.
#[inline(always)]
pub(super) fn times_19<P: U64>(a: P) -> P {
    let a = a.opaque();
    a.add(a.shl::<1>()).add(a.shl::<4>().opaque())
}

/// Carries the ten sums of a product, or of a few, each below 2^63.
///
/// Two chains side by side, from 0 to 5 and from 5 to 0. After the last step limb 1 may exceed its
/// bits by 19 * 2^38 / 2^26 and limb 6 by 2^37 / 2^25, both below 2^18.
#[inline(always)]
pub(super) fn carry_wide<P: U64>(limbs: &[P; 10]) -> [P; 10] {
    let mut t = *limbs;
    let mut over;
    macro_rules! carry {
        ($from:literal) => {
            (t[$from], over) = if $from & 1 == 0 {
                (t[$from].and(P::splat(mask(0))), t[$from].shr::<26>())
            } else {
                (t[$from].and(P::splat(mask(1))), t[$from].shr::<25>())
            };
        };
        ($from:literal -> $to:literal) => {
            carry!($from);
            t[$to] = t[$to].add(over);
        };
    }
    carry!(0 -> 1);
    carry!(5 -> 6);
    carry!(1 -> 2);
    carry!(6 -> 7);
    carry!(2 -> 3);
    carry!(7 -> 8);
    carry!(3 -> 4);
    carry!(8 -> 9);
    carry!(4 -> 5);
    carry!(9);
    t[0] = t[0].add(times_19(over));
    carry!(5 -> 6);
    carry!(0 -> 1);
    t
}

/// The limbs of 256-bit integers, given their words.
#[inline(always)]
pub(super) fn limbs_of_words<P: U64>([a, b, c, d]: [P; 4]) -> [P; 10] {
    let (even, odd) = (P::splat(mask(0)), P::splat(mask(1)));
    let top = d.shr::<38>();
    // The top bit is worth 19.
    let over = top.shr::<25>().mul_low32(P::splat(19));
    [
        a.and(even).add(over),
        a.shr::<26>().and(odd),
        a.shr::<51>().or(b.shl::<13>()).and(even),
        b.shr::<13>().and(odd),
        b.shr::<38>(),
        c.and(odd),
        c.shr::<25>().and(even),
        c.shr::<51>().or(d.shl::<13>()).and(odd),
        d.shr::<12>().and(even),
        top.and(odd),
    ]
}

impl<L: Layout> Arithmetic for Lanes25<L> {
    type Limbs = Limbs<L>;
    type Loose = Loose25<L>;
    type Mask = L::Mask;

    const ZERO: Self = Self(L::CONSTANTS.zero);
    const ONE: Self = Self(L::CONSTANTS.one);
    const TWO: Self = Self(L::CONSTANTS.two);
    const D: Self = Self(L::CONSTANTS.d);
    const D2: Self = Self(L::CONSTANTS.d2);
    const SQRT_M1: Self = Self(L::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> Loose25<L> {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose25(each!(I => L::add(a[I], b[I])))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Loose25<L> {
        // Even limbs give their excess to the odd ones.
        let limbs = difference::<L>(self.limbs(), rhs.limbs(), &TWO_P);
        Loose25(each!(I => if I & 1 == 0 {
            L::and(limbs[I], L::splat(mask(0)))
        } else {
            L::add(limbs[I], L::shr::<26>(limbs[I - 1]))
        }))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25<L> {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose25(carry_narrow::<L>(&each!(I => L::add(a[I], b[I]))))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25<L> {
        let limbs = difference::<L>(lhs.limbs(), rhs.limbs(), &FOUR_P);
        Loose25(carry_narrow::<L>(&limbs))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(carry_narrow::<L>(value.limbs()))
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(L::mul(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(L::square(value.limbs()))
    }

    #[inline(always)]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        Self(L::square_times(value.limbs(), n))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        Self(L::mul_121666(value.limbs()))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: L::Mask) -> Self {
        Self(each!(I => L::select(a.0[I], b.0[I], mask)))
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> L::Mask {
        L::mask(bits_of(
            &Self::carry(&self.sub(other)).to_lanes(),
            Packed::is_zero,
        ))
    }

    #[inline(always)]
    fn is_negative(&self) -> L::Mask {
        L::mask(bits_of(&self.to_lanes(), Packed::is_negative))
    }
}

impl<L: Layout> Lanes for Lanes25<L> {
    const LANES: usize = L::LANES;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        Self(L::from_lanes(values))
    }

    #[inline(always)]
    fn choose<const N: usize>(entries: [&[u64; 4]; N], masks: &[u8; N], otherwise: u64) -> Self {
        Self(L::choose(entries, masks, otherwise))
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        L::to_lanes(self.limbs())
    }

    #[inline(always)]
    fn mask(bits: u8) -> L::Mask {
        L::mask(bits)
    }

    #[inline(always)]
    fn vartime_mask_bits(mask: L::Mask) -> u8 {
        let words = L::words(L::select(L::splat(0), L::splat(1), mask));
        (0..L::LANES).fold(0, |bits, i| bits | (words[i] as u8) << i)
    }

    type Word = L::Word;

    #[inline(always)]
    fn to_words(&self) -> [L::Word; 5] {
        L::to_words(self.limbs())
    }

    #[inline(always)]
    fn from_words(words: &[L::Word; 5]) -> Self {
        Self(L::from_words(words))
    }

    #[inline(always)]
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [L::Word; 4] {
        L::load_words(rows)
    }

    #[inline(always)]
    fn store_words(words: &[L::Word; 4]) -> [[u64; 4]; MAX_LANES] {
        L::store_words(words)
    }
}

impl<L: Layout> Quads for Lanes25<L> {
    type Wide = Wide25<L>;
    const LATE_CARRIES: bool = false;
    const DEAR_CHOICES: bool = L::DEAR_CHOICES;
    type Order = L::Order;

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> L::Order {
        L::order::<A, B>(choice)
    }

    #[inline(always)]
    fn permute_by(&self, order: L::Order) -> Self {
        Self(each!(I => L::permute_by(self.0[I], order)))
    }

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> Wide25<L> {
        Wide25(L::mul_wide(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn mul_wide_square_half<const HALF: usize>(&self, rhs: &Self) -> Wide25<L> {
        Wide25(L::mul_wide_square_half::<HALF>(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn mul_wide_odd_lanes(&self, rhs: &Self) -> Wide25<L> {
        Wide25(L::mul_wide_odd_lanes(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn narrow(wide: Wide25<L>) -> Self {
        debug_assert!(within::<L>(&wide.0, L::WIDE_BELOW[0], L::WIDE_BELOW[1]));
        Self(L::narrow(&wide.0))
    }

    #[inline(always)]
    fn wide_add<const LANES: u8>(a: Wide25<L>, b: Wide25<L>) -> Wide25<L> {
        Wide25(each!(I => L::blend::<LANES>(a.0[I], L::add(a.0[I], b.0[I]))))
    }

    #[inline(always)]
    fn to_loose(value: &Self) -> Loose25<L> {
        Loose25(value.0)
    }

    #[inline(always)]
    fn wide_neg(a: Wide25<L>) -> Wide25<L> {
        debug_assert!(has_negative::<L>(&a.0));
        Wide25(each!(I => L::sub(L::splat(L::WIDE_P[I]), a.0[I])))
    }

    #[inline(always)]
    fn wide_permute<const ORDER: i32>(a: Wide25<L>) -> Wide25<L> {
        Wide25(each!(I => L::permute::<ORDER>(a.0[I])))
    }

    #[inline(always)]
    fn wide_blend<const LANES: u8>(a: Wide25<L>, b: Wide25<L>) -> Wide25<L> {
        Wide25(each!(I => L::blend::<LANES>(a.0[I], b.0[I])))
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(&self) -> Self {
        Self(each!(I => L::permute::<ORDER>(self.0[I])))
    }

    #[inline(always)]
    fn swap_groups(&self) -> Self {
        Self(each!(I => L::swap_groups(self.0[I])))
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: &Self, b: &Self) -> Self {
        Self(each!(I => L::blend::<LANES>(a.0[I], b.0[I])))
    }

    #[inline(always)]
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self {
        let (a, b) = (self.limbs(), rhs.limbs());
        let minus = difference::<L>(a, b, &TWO_P);
        Self(carry_narrow::<L>(
            &each!(I => L::blend::<MINUS>(L::add(a[I], b[I]), minus[I])),
        ))
    }
}

#[cfg(test)]
impl<L: Layout> super::tests::Limbed for Lanes25<L> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        use num_bigint::BigUint;
        let mut limbs = [[0; MAX_LANES]; 10];
        let mut classes = std::vec::Vec::new();
        let p = (BigUint::from(1u8) << 255) - 19u8;
        for lane in 0..L::LANES {
            let mut sum = BigUint::ZERO;
            for (i, limb) in limbs.iter_mut().enumerate() {
                limb[lane] = pick((65 << (bits(i) - 6)) - 1);
                sum += BigUint::from(limb[lane]) << (51 * i).div_ceil(2);
            }
            classes.push(sum % &p);
        }
        (Self(limbs.map(L::limb)), classes)
    }
}
