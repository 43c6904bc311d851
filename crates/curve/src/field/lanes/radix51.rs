//! Five limbs of 51 bits in each lane, for a multiplication of 52 bits.
//!
//! Bounds:
//!
//! * carried, and so a factor: limbs below 2^51 + 2^19;
//! * wide, a product whose carries are not done: limbs below 2^59.1, with a cover below 2^60.9. Sums
//!   of up to four with covers fit 64 bits.
//!
//! The multiplication wants factors below 2^52, so a sum is always carried: loose
//! values are carried values here.

use super::super::{Arithmetic, Operand, Packed, chains, packed, radix51::Field51};
use super::{Constants, Lanes, MAX_LANES, Quads, bits_of, mask_of, store_transposed};
use lanner_simd::{MulAdd52, Plain, Task};
use subtle::Choice;

type Limbs<V> = [V; 5];

/// An array of five, with an expression for each index. Not a closure, because closures
/// are not always inlined, and then are not compiled for the vector's instructions.
macro_rules! each {
    ($i:ident => $limb:expr) => {
        [
            {
                const $i: usize = 0;
                $limb
            },
            {
                const $i: usize = 1;
                $limb
            },
            {
                const $i: usize = 2;
                $limb
            },
            {
                const $i: usize = 3;
                $limb
            },
            {
                const $i: usize = 4;
                $limb
            },
        ]
    };
}
pub(super) use each;

/// `$start` and one half (`mul_add_low` or `mul_add_high`) of each product of limbs that is named.
///
/// What follows is written out: the compiler would unroll loops, in a hundred seconds.
macro_rules! terms {
    ($half:ident, $start:expr, $a:ident, $b:ident: $($i:literal $j:literal),*) => {{
        let sum = $start;
        $(let sum = V::$half(sum, $a[$i], $b[$j]);)*
        sum
    }};
}

/// `$start` and the halves of a_i b_j for i + j = k.
macro_rules! column {
    (0 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 0 0) };
    (1 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 0 1, 1 0) };
    (2 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 0 2, 1 1, 2 0) };
    (3 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 0 3, 1 2, 2 1, 3 0) };
    (4 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 0 4, 1 3, 2 2, 3 1, 4 0) };
    (5 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 1 4, 2 3, 3 2, 4 1) };
    (6 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 2 4, 3 3, 4 2) };
    (7 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 3 4, 4 3) };
    (8 $half:ident, $start:expr, $a:ident, $b:ident) => { terms!($half, $start, $a, $b: 4 4) };
}

/// `$start` and the halves of a_i a_j for i + j = k and i < j.
macro_rules! pairs {
    (1 $half:ident, $start:expr, $a:ident) => { terms!($half, $start, $a, $a: 0 1) };
    (2 $half:ident, $start:expr, $a:ident) => { terms!($half, $start, $a, $a: 0 2) };
    (3 $half:ident, $start:expr, $a:ident) => { terms!($half, $start, $a, $a: 0 3, 1 2) };
    (4 $half:ident, $start:expr, $a:ident) => { terms!($half, $start, $a, $a: 0 4, 1 3) };
    (5 $half:ident, $start:expr, $a:ident) => { terms!($half, $start, $a, $a: 1 4, 2 3) };
    (6 $half:ident, $start:expr, $a:ident) => { terms!($half, $start, $a, $a: 2 4) };
    (7 $half:ident, $start:expr, $a:ident) => { terms!($half, $start, $a, $a: 3 4) };
}

/// Vectors for this radix, with constants: whatever is plain data has them.
pub(crate) trait Vector: MulAdd52 {
    const CONSTANTS: Constants<Self, 5>;

    /// Whether a condition holds for the word of every lane: for debug builds.
    fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        let mut words = [0; MAX_LANES];
        self.store(&mut words);
        words.iter().all(|&word| holds(word))
    }
}

impl<V: MulAdd52 + Plain> Vector for V {
    const CONSTANTS: Constants<Self, 5> = CONSTANTS.in_lanes();
}

/// The limbs of the constants of [`Arithmetic`].
pub(super) const CONSTANTS: Constants<u64, 5> = Constants {
    zero: [0; 5],
    one: [1, 0, 0, 0, 0],
    two: [2, 0, 0, 0, 0],
    d: Field51::from_words(packed::D).to_limbs(),
    d2: Field51::from_words(packed::D2).to_limbs(),
    sqrt_m1: Field51::from_words(packed::SQRT_M1).to_limbs(),
};

const LOW_51: u64 = (1 << 51) - 1;
/// 2p, limb by limb.
const TWO_P: [u64; 5] = [
    2 * (LOW_51 - 18),
    2 * LOW_51,
    2 * LOW_51,
    2 * LOW_51,
    2 * LOW_51,
];

/// An element in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Lanes51<V>(Limbs<V>);

/// A product in each lane, or a sum of a few.
#[derive(Clone, Copy)]
pub(crate) struct Wide51<V>(Limbs<V>);

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
super::open::open!(V: Vector; Lanes51, Wide51);

/// The bound of carried limbs. Not inlined: it is for debug builds only.
#[inline(never)]
fn is_carried<V: Vector>(limbs: &Limbs<V>) -> bool {
    let in_bounds = |word: u64| word < (1 << 51) + (1 << 19);
    limbs.iter().all(|limb| limb.all(in_bounds))
}

impl<V: Vector> Operand<Self> for Lanes51<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(is_carried(&self.0));
        &self.0
    }
}

/// Moves what is above 51 bits to the next limb, from the top one times 19 to the
/// lowest, all at once. Limbs of any size end below 2^51 + 19 * 2^13, and limbs
/// below 2^53 below 2^51 + 19 * 4.
#[inline(always)]
fn carry_inlined<V: Vector>(limbs: &Limbs<V>) -> Limbs<V> {
    let high = each!(I => limbs[I].shr::<51>());
    let mask = V::splat(LOW_51);
    let low = each!(I => limbs[I].and(mask));
    [
        V::mul_add_low(low[0], high[4], V::splat(19)),
        low[1].add(high[0]),
        low[2].add(high[1]),
        low[3].add(high[2]),
        low[4].add(high[3]),
    ]
}

/// Column k of a product, folded with 2^255 = 19: `own` + 2 `carried` + 19 `beyond`, in four cycles.
/// `own` is added last.
///
/// The compiler would make multiplications of sums of shifts, which take fifteen cycles on some
/// processors: hence what it does not see through.
#[inline(always)]
fn fold<V: Vector>(own: V, carried: Option<V>, beyond: V) -> V {
    let seventeen = beyond.shl::<4>().opaque().add(beyond);
    let twice = match carried {
        Some(carried) => {
            let half = beyond.add(carried).opaque();
            half.add(half)
        }
        None => beyond.add(beyond).opaque(),
    };
    own.add(seventeen.add(twice))
}

/// [`fold`] where the sum of `carried` and `beyond` is there already, and nothing else.
#[inline(always)]
fn fold_sum<V: Vector>(sum: V, beyond: V) -> V {
    let seventeen = beyond.shl::<4>().opaque().add(beyond);
    seventeen.add(sum.add(sum).opaque())
}

/// a b, where others wait for it.
///
/// Bits 0 to 51 of a_i b_j have weight 2^51(i + j), and the bits above have 2^(51(i + j) + 52), so
/// that column k is low\[k\] + 2 high\[k - 1\], for k from 0 to 9, of which the last five fold back.
/// They are written first: a processor takes the oldest work that it can do, and folding goes on
/// beside the other columns. That takes a third off the time of a product.
///
/// A column has at most five terms of each kind, low ones below 2^52 and high ones below
/// 2^50.01: a limb is below (5 + 4 * 2^-1 + 19 * (4 + 5 * 2^-1)) * 2^52 < 2^59.1.
#[inline(always)]
fn mul_inlined<V: Vector>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    let zero = V::splat(0);
    let (mut high, mut low) = ([zero; 9], [zero; 9]);
    macro_rules! columns {
        ($($k:tt)*) => {$(
            high[$k] = column!($k mul_add_high, zero, a, b);
            low[$k] = column!($k mul_add_low, zero, a, b);
        )*};
    }
    columns!(8 7 6 5 4 3 2 1 0);
    each!(K => {
        let beyond = high[K + 4].add(high[K + 4]);
        let beyond = if K < 4 { beyond.add(low[(K + 5) % 9]) } else { beyond };
        fold(low[K], if K != 0 { Some(high[(K + 8) % 9]) } else { None }, beyond)
    })
}

/// a b + 38 `start`, where other products are computed at the same time: every column begins with what
/// would be added to it, for fewer additions, fewer vectors at a time, and more time alone. With
/// vectors of 512 bits, for which a processor of Intel has two ports, the number of instructions
/// is what a product costs.
#[inline(always)]
fn mul_over_inlined<V: Vector>(start: &Limbs<V>, a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    let zero = V::splat(0);
    // Twice high[4] to high[8].
    let mut twice = [zero; 5];
    macro_rules! high_columns {
        ($($k:tt)*) => {$(
            let high = column!($k mul_add_high, start[$k - 4], a, b);
            twice[$k - 4] = high.add(high);
        )*};
    }
    high_columns!(8 7 6 5 4);
    // What folds back to limbs 0 to 4.
    let mut beyond = [zero, zero, zero, zero, twice[4]];
    macro_rules! beyond {
        ($($k:tt)*) => { $(beyond[$k - 5] = column!($k mul_add_low, twice[$k - 5], a, b);)* };
    }
    beyond!(8 7 6 5);
    macro_rules! limb {
        ($k:tt $before:tt) => {{
            let sum = column!($before mul_add_high, beyond[$k], a, b);
            column!($k mul_add_low, fold_sum(sum, beyond[$k]), a, b)
        }};
    }
    [
        column!(0 mul_add_low, fold_sum(beyond[0], beyond[0]), a, b),
        limb!(1 0),
        limb!(2 1),
        limb!(3 2),
        limb!(4 3),
    ]
}

/// a^2, in the order of [`mul`]. The products of different limbs count twice: column k is low\[k\]
/// of the squares of limbs, and twice the sum of low\[k\] of the others, high\[k - 1\] of the
/// squares, and twice high\[k - 1\] of the others.
#[inline(always)]
fn square_inlined<V: Vector>(a: &Limbs<V>) -> Limbs<V> {
    let zero = V::splat(0);
    // What counts four times and twice in column k; what counts once in column 2k.
    let (mut four, mut two, mut one) = ([zero; 10], [zero; 10], [zero; 5]);
    // An odd column and the even one below it: of it, of the products of limbs below, and half of it.
    macro_rules! columns {
        ($($odd:tt $even:tt $below:tt $half:literal),*) => {$(
            four[$odd] = pairs!($even mul_add_high, zero, a);
            two[$odd] = terms!(mul_add_high, zero, a, a: $half $half);
            two[$odd] = pairs!($odd mul_add_low, two[$odd], a);
            four[$even] = pairs!($below mul_add_high, zero, a);
            two[$even] = pairs!($even mul_add_low, zero, a);
            one[$half] = terms!(mul_add_low, zero, a, a: $half $half);
        )*};
    }
    two[9] = terms!(mul_add_high, zero, a, a: 4 4);
    four[8] = pairs!(7 mul_add_high, zero, a);
    one[4] = terms!(mul_add_low, zero, a, a: 4 4);
    columns!(7 6 5 3, 5 4 3 2, 3 2 1 1);
    two[1] = terms!(mul_add_high, zero, a, a: 0 0);
    two[1] = pairs!(1 mul_add_low, two[1], a);
    one[0] = terms!(mul_add_low, zero, a, a: 0 0);
    macro_rules! sums {
        ($($k:literal)*) => { $(two[$k] = two[$k].add(four[$k].add(four[$k]));)* };
    }
    sums!(2 3 4 5 6 7 8);
    each!(K => {
        let beyond = two[K + 5].add(two[K + 5]);
        let beyond = if K % 2 == 1 { beyond.add(one[(K + 5) / 2 % 5]) } else { beyond };
        let own = if K & 1 == 0 { one[K / 2] } else { zero };
        fold(own, if K != 0 { Some(two[K]) } else { None }, beyond)
    })
}

/// a^2 + 76 `start`, in the order of [`mul_over`].
///
/// Half of column k, but for low\[k\] of the square of a limb, is m_k = low\[k\] of the products of different
/// limbs, high\[k - 1\] of the square, and twice high\[k - 1\] of the others. Where no square belongs to column
/// k + 5, 19 times that column is 38 m_(k + 5), of which 4 are had by beginning a column of limb k with m_(k + 5).
#[inline(always)]
fn square_over_inlined<V: Vector>(start: &Limbs<V>, a: &Limbs<V>) -> Limbs<V> {
    // Twice the products of different limbs of column $k, of which the sum begins with $start.
    macro_rules! doubled {
        ($k:tt, $start:expr) => {{
            let sum = pairs!($k mul_add_high, $start, a);
            sum.add(sum)
        }};
    }
    let zero = V::splat(0);
    let m9 = terms!(mul_add_high, start[4].add(start[4]), a, a: 4 4);
    let m8 = doubled!(7, start[3]);
    let m7 = terms!(mul_add_high, doubled!(6, start[2]), a, a: 3 3);
    let m7 = pairs!(7 mul_add_low, m7, a);
    let m6 = pairs!(6 mul_add_low, doubled!(5, start[1]), a);
    let m5 = terms!(mul_add_high, doubled!(4, start[0]), a, a: 2 2);
    let m5 = pairs!(5 mul_add_low, m5, a);
    // Columns 6 and 8.
    let b6 = terms!(mul_add_low, m6.add(m6), a, a: 3 3);
    let b8 = terms!(mul_add_low, m8.add(m8), a, a: 4 4);

    let half0 = fold_sum(m5, m5);
    let limb0 = terms!(mul_add_low, half0.add(half0), a, a: 0 0);
    let m1 = terms!(mul_add_high, b6, a, a: 0 0);
    let limb1 = fold_sum(pairs!(1 mul_add_low, m1, a), b6);
    let m2 = pairs!(2 mul_add_low, doubled!(1, m7), a);
    let half2 = m7.shl::<4>().opaque().add(m7).add(m2);
    let limb2 = terms!(mul_add_low, half2.add(half2), a, a: 1 1);
    let m3 = terms!(mul_add_high, doubled!(2, zero).add(b8), a, a: 1 1);
    let limb3 = fold_sum(pairs!(3 mul_add_low, m3, a), b8);
    let m4 = pairs!(4 mul_add_low, doubled!(3, m9), a);
    let half4 = m9.shl::<4>().opaque().add(m9).add(m4);
    let limb4 = terms!(mul_add_low, half4.add(half4), a, a: 2 2);
    [limb0, limb1, limb2, limb3, limb4]
}

once_if_checked!(mul(a, b) mul_inlined);
once_if_checked!(mul_over(start, a, b) mul_over_inlined);
once_if_checked!(square(a) square_inlined);
once_if_checked!(square_over(start, a) square_over_inlined);
once_if_checked!(carry(limbs) carry_inlined);

/// 121666 a.
#[inline(always)]
fn mul_121666<V: Vector>(a: &Limbs<V>) -> Limbs<V> {
    let (zero, factor) = (V::splat(0), V::splat(121_666));
    let low = each!(I => V::mul_add_low(zero, a[I], factor));
    // Below 2^17.
    let high = each!(I => V::mul_add_high(zero, a[I], factor));
    each!(K => if K == 0 {
        V::mul_add_low(low[0], high[4], V::splat(2 * 19))
    } else {
        low[K].add(high[(K + 4) % 5].shl::<1>())
    })
}

impl<V: Vector> Arithmetic for Lanes51<V> {
    type Limbs = Limbs<V>;
    type Loose = Self;
    type Mask = V::Lanes;

    const ZERO: Self = Self(V::CONSTANTS.zero);
    const ONE: Self = Self(V::CONSTANTS.one);
    const TWO: Self = Self(V::CONSTANTS.two);
    const D: Self = Self(V::CONSTANTS.d);
    const D2: Self = Self(V::CONSTANTS.d2);
    const SQRT_M1: Self = Self(V::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> Self {
        let (a, b) = (self.limbs(), rhs.limbs());
        Self(carry(&each!(I => a[I].add(b[I]))))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Self {
        Self(carry(&difference(self.limbs(), rhs.limbs())))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(*lhs.limbs()).add(&Self(*rhs.limbs()))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(*lhs.limbs()).sub(&Self(*rhs.limbs()))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(*value.limbs())
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(carry(&if V::LANES == MAX_LANES {
            mul_over(&[V::splat(0); 5], lhs.limbs(), rhs.limbs())
        } else {
            mul(lhs.limbs(), rhs.limbs())
        }))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(carry(&if V::LANES == MAX_LANES {
            square_over(&[V::splat(0); 5], value.limbs())
        } else {
            square(value.limbs())
        }))
    }

    /// Each square waits for the one before.
    #[inline(always)]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        let mut power = carry(&square(value.limbs()));
        for _ in 1..n {
            power = carry(&square(&power));
        }
        Self(power)
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        Self(carry(&mul_121666(value.limbs())))
    }

    #[inline(always)]
    fn pow_250_ones<const N: usize>(x: &[Self; N]) -> ([Self; N], [Self; N]) {
        V::outline(Pow250Ones(x))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: V::Lanes) -> Self {
        Self(each!(I => V::select(a.0[I], b.0[I], mask)))
    }

    #[inline(always)]
    fn equal(&self, other: &Self) -> V::Lanes {
        V::lanes(bits_of(&self.sub(other).to_lanes(), Packed::is_zero))
    }

    #[inline(always)]
    fn is_negative(&self) -> V::Lanes {
        V::lanes(bits_of(&self.to_lanes(), Packed::is_negative))
    }
}

/// [`Arithmetic::pow_250_ones`].
struct Pow250Ones<'a, V, const N: usize>(&'a [Lanes51<V>; N]);

impl<V: Vector, const N: usize> Task for Pow250Ones<'_, V, N> {
    type Output = ([Lanes51<V>; N], [Lanes51<V>; N]);

    #[inline(always)]
    fn run(self) -> Self::Output {
        chains::pow_250_ones(self.0)
    }
}

/// a - b + 2p.
#[inline(always)]
fn difference<V: Vector>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    each!(I => a[I].add(V::splat(TWO_P[I])).sub(b[I]))
}

/// The limbs of 256-bit values, word by word: 51 bits each, and 52 in the top one.
#[inline(always)]
fn limbs_of_words<V: Vector>(&[a, b, c, d]: &[V; 4]) -> Limbs<V> {
    let mask = V::splat(LOW_51);
    [
        a.and(mask),
        a.shr::<51>().or(b.shl::<13>()).and(mask),
        b.shr::<38>().or(c.shl::<26>()).and(mask),
        c.shr::<25>().or(d.shl::<39>()).and(mask),
        d.shr::<12>(),
    ]
}

/// 256-bit values, word by word, for carried limbs.
#[inline(always)]
fn words_of_limbs<V: Vector>(&[a, b, c, d, e]: &Limbs<V>) -> [V; 4] {
    let mask = V::splat(LOW_51);
    let b = b.add(a.shr::<51>());
    let c = c.add(b.shr::<51>());
    let d = d.add(c.shr::<51>());
    // Below 2^52.
    let e = e.add(d.shr::<51>());
    let (a, b, c, d) = (a.and(mask), b.and(mask), c.and(mask), d.and(mask));
    [
        a.or(b.shl::<51>()),
        b.shr::<13>().or(c.shl::<38>()),
        c.shr::<26>().or(d.shl::<25>()),
        d.shr::<39>().or(e.shl::<12>()),
    ]
}

impl<V: Vector> Lanes for Lanes51<V> {
    const LANES: usize = V::LANES;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        // The top limb keeps bit 255: it is below 2^52, and may need the carry.
        Self(carry(&limbs_of_words(&V::load_transposed(values))))
    }

    #[inline(always)]
    fn choose<const N: usize>(entries: [&[u64; 4]; N], masks: &[u8; N], otherwise: u64) -> Self {
        let mut words = [V::splat(0); 4];
        words[0] = V::splat(otherwise);
        for i in 0..N {
            let lanes = V::lanes(masks[i]);
            for k in 0..4 {
                words[k] = V::select(words[k], V::splat(entries[i][k]), lanes);
            }
        }
        // Below 2^255, all limbs have 51 bits.
        Self(limbs_of_words(&words))
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        let mut rows = store_transposed(&words_of_limbs(self.limbs()));
        let mut lanes = [Packed::ZERO; MAX_LANES];
        for (lane, row) in lanes.iter_mut().zip(&mut rows) {
            lane.0 = *row;
        }
        lanes
    }

    #[inline(always)]
    fn mask(bits: u8) -> V::Lanes {
        V::lanes(bits)
    }

    #[inline(always)]
    fn vartime_mask_bits(mask: V::Lanes) -> u8 {
        let mut words = [0; MAX_LANES];
        V::select(V::splat(0), V::splat(1), mask).store(&mut words);
        (0..V::LANES).fold(0, |bits, i| bits | (words[i] as u8) << i)
    }

    type Word = V;

    #[inline(always)]
    fn to_words(&self) -> [V; 5] {
        self.0
    }

    #[inline(always)]
    fn from_words(words: &[V; 5]) -> Self {
        Self(*words)
    }

    #[inline(always)]
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [V; 4] {
        V::load_transposed(rows)
    }

    #[inline(always)]
    fn store_words(words: &[V; 4]) -> [[u64; 4]; MAX_LANES] {
        store_transposed(words)
    }
}

/// 1280 p, limb by limb: above twice any product, and four of them below 2^64.
const WIDE_P: [u64; 5] = multiple_of_p(1280);
/// 38 times this is 646 p, limb by limb: above any product.
const START: [u64; 5] = multiple_of_p(17);
/// 76 times this is 608 p, limb by limb: above any product.
const START_OF_SQUARE: [u64; 5] = multiple_of_p(8);
/// 640 p, limb by limb: above any product.
const COVER: [u64; 5] = multiple_of_p(640);

const fn multiple_of_p(factor: u64) -> [u64; 5] {
    [
        (LOW_51 - 18) * factor,
        LOW_51 * factor,
        LOW_51 * factor,
        LOW_51 * factor,
        LOW_51 * factor,
    ]
}

/// These limbs in the lanes of `LANES`, and 0 in the others.
#[inline(always)]
fn in_lanes<V: Vector, const LANES: u8>(limbs: &[u64; 5]) -> Limbs<V> {
    each!(I => V::blend::<LANES>(V::splat(0), V::splat(limbs[I])))
}

impl<V: Vector> Quads for Lanes51<V> {
    type Wide = Wide51<V>;
    const LATE_CARRIES: bool = true;
    const SUMS_ARE_CARRIED: bool = true;
    type Order = V::Order;

    #[inline(always)]
    fn wide_add<const LANES: u8>(a: Wide51<V>, b: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::blend::<LANES>(a.0[I], a.0[I].add(b.0[I]))))
    }

    #[inline(always)]
    fn wide_permute<const ORDER: i32>(a: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => a.0[I].permute::<ORDER>()))
    }

    #[inline(always)]
    fn wide_blend<const LANES: u8>(a: Wide51<V>, b: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
    }

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> V::Order {
        V::order::<A, B>(mask_of(choice))
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

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> Wide51<V> {
        Wide51(mul(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn mul_wide_over<const LANES: u8>(&self, rhs: &Self) -> Wide51<V> {
        let start = in_lanes::<V, LANES>(&START);
        Wide51(mul_over(&start, self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn square_wide_over<const LANES: u8>(&self) -> Wide51<V> {
        let start = in_lanes::<V, LANES>(&START_OF_SQUARE);
        Wide51(square_over(&start, self.limbs()))
    }

    #[inline(always)]
    fn twice_wide_over<const LANES: u8>(&self) -> Wide51<V> {
        let (a, over) = (self.limbs(), in_lanes::<V, LANES>(&COVER));
        Wide51(each!(I => a[I].add(a[I]).add(over[I])))
    }

    #[inline(always)]
    fn to_loose(value: &Self) -> Self {
        *value
    }

    #[inline(always)]
    fn mul_121666_wide(&self) -> Wide51<V> {
        Wide51(mul_121666(self.limbs()))
    }

    #[inline(always)]
    fn wide_add_121666(&self, wide: Wide51<V>) -> Wide51<V> {
        let (a, factor) = (self.limbs(), V::splat(121_666));
        let high4 = V::mul_add_high(V::splat(0), a[4], factor);
        Wide51(each!(K => {
            let limb = V::mul_add_low(wide.0[K], a[K], factor);
            if K == 0 {
                V::mul_add_low(limb, high4, V::splat(2 * 19))
            } else {
                // Twice.
                let limb = V::mul_add_high(limb, a[(K + 4) % 5], factor);
                V::mul_add_high(limb, a[(K + 4) % 5], factor)
            }
        }))
    }

    #[inline(always)]
    fn wide_sum_or_difference<const MINUS: u8>(a: Wide51<V>, b: Wide51<V>) -> Wide51<V> {
        if MINUS & 0b1111 == 0b1111 {
            return Wide51(each!(I => a.0[I].sub(b.0[I])));
        }
        Self::wide_add::<0b1111>(a, Self::wide_blend::<MINUS>(b, Self::wide_neg(b)))
    }

    #[inline(always)]
    fn narrow(wide: Wide51<V>) -> Self {
        Self(carry(&wide.0))
    }

    #[inline(always)]
    fn wide_neg(a: Wide51<V>) -> Wide51<V> {
        Wide51(each!(I => V::splat(WIDE_P[I]).sub(a.0[I])))
    }

    #[inline(always)]
    fn sum_or_difference<const MINUS: u8>(&self, rhs: &Self) -> Self {
        let (a, b) = (self.limbs(), rhs.limbs());
        let minus = difference(a, b);
        Self(carry(
            &each!(I => V::blend::<MINUS>(a[I].add(b[I]), minus[I])),
        ))
    }
}

#[cfg(test)]
impl<V: Vector> super::tests::Limbed for Lanes51<V> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        use num_bigint::BigUint;
        let mut limbs = [[0; MAX_LANES]; 5];
        let mut classes = std::vec::Vec::new();
        let p = (BigUint::from(1u8) << 255) - 19u8;
        for lane in 0..V::LANES {
            let mut sum = BigUint::ZERO;
            for (i, limb) in limbs.iter_mut().enumerate() {
                limb[lane] = pick((1 << 51) + (1 << 19) - 1);
                sum += BigUint::from(limb[lane]) << (51 * i);
            }
            classes.push(sum % &p);
        }
        (Self(limbs.map(|limb| V::load(&limb))), classes)
    }
}
