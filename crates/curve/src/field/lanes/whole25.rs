//! Limbs in words of 64 bits, each in the lower half: a product fills a word, and products are summed in place.
//!
//! ```text
//! lane     63 ... 32 | 31 ... 0        a limb has 25 or 26 bits, and a factor up to 28
//! limb          0    |   limb
//! product            sum of products, below 2^61.8 for factors
//! ```
//!
//! Wide limbs are products whose carries are not done: even ones below 2^59.1 for carried factors, odd ones below
//! 2^58.5.

use super::super::Packed;
use super::radix25::{
    CONSTANTS, Layout, carry_wide, each, limbs_of_words, mask, multiple_of_p, times_19,
};
use super::{Constants, MAX_LANES, mask_of, order, store_transposed};
use core::borrow::Borrow;
use core::marker::PhantomData;
use lanner_simd::{Parts, Plain, Task, U64};
use subtle::Choice;

/// Vectors for this layout, with constants: whatever is plain data has them.
pub(crate) trait Vector: Parts {
    const CONSTANTS: Constants<Self, 10>;

    /// Whether a condition holds for the word of every lane: for debug builds.
    fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        let mut words = [0; MAX_LANES];
        self.store(&mut words);
        words.iter().all(|&word| holds(word))
    }
}

impl<V: Parts + Plain> Vector for V {
    const CONSTANTS: Constants<Self, 10> = CONSTANTS.in_lanes();
}

/// A limb fills a lane.
#[derive(Clone, Copy)]
pub(crate) struct Whole<V>(PhantomData<V>);

/// 19 a, for a below 2^32 / 19.
#[inline(always)]
fn nineteenfold<P: U64>(a: P) -> P {
    a.mul_low32(P::splat(19)).opaque()
}

/// The sum of products of limbs.
macro_rules! column {
    ($x0:ident $i0:literal $y0:ident $j0:literal $(, $x:ident $i:literal $y:ident $j:literal)+) => {
        $x0[$i0].mul_low32($y0[$j0])$(.add_product_at::<$i, $j>($x, $y))+
    };
}

/// What becomes of the columns of a product.
trait Columns<P> {
    /// Takes column K.
    fn take<const K: usize>(&mut self, sum: P);
}

/// The columns as they are.
struct Sums<P>([P; 10]);

impl<P: U64> Columns<P> for Sums<P> {
    #[inline(always)]
    fn take<const K: usize>(&mut self, sum: P) {
        self.0[K] = sum;
    }
}

/// The limbs, carried in one chain. With sums below 2^63 the carry of the top is below 2^38.
struct Carried<P> {
    limbs: [P; 10],
    over: P,
}

impl<P: U64> Columns<P> for Carried<P> {
    #[inline(always)]
    fn take<const K: usize>(&mut self, sum: P) {
        // Only now, so that columns are summed side by side.
        let sum = if K == 0 { sum } else { sum.add(self.over) };
        (self.limbs[K], self.over) = if K & 1 == 0 {
            (sum.and(P::splat(mask(0))), sum.shr::<26>())
        } else {
            (sum.and(P::splat(mask(1))), sum.shr::<25>())
        };
    }
}

impl<P: U64> Carried<P> {
    #[inline(always)]
    fn new() -> Self {
        Self {
            limbs: [P::splat(0); 10],
            over: P::splat(0),
        }
    }

    /// The carry of the top returns times 19: the last one, into limb 1, is below 19 * 2^38 / 2^26 < 2^17.
    #[inline(always)]
    fn finish(self) -> [P; 10] {
        let mut limbs = self.limbs;
        let lowest = limbs[0].add(times_19(self.over));
        limbs[0] = lowest.and(P::splat(mask(0)));
        limbs[1] = limbs[1].add(lowest.shr::<26>());
        limbs
    }
}

/// The columns of a product, from the lowest on. As in `radix25` for one element: `r` is 19 b, and `d` is 2 a for odd
/// limbs, of which limb 2i + 1 stands at i.
///
/// For factors, sums are below 3.04^2 (1 + 19 * 6.5) 2^52 < 2^62.2, with what carries to them too.
#[inline(always)]
fn mul<P: U64>(a: &[P; 10], b: &[P; 10], columns: &mut impl Columns<P>) {
    let r = &each!(I => if I == 0 { b[0] } else { nineteenfold(b[I]) });
    let d = &[
        a[1].add(a[1]),
        a[3].add(a[3]),
        a[5].add(a[5]),
        a[7].add(a[7]),
        a[9].add(a[9]),
    ];
    columns.take::<0>(column!(a 0 b 0, d 0 r 9, a 2 r 8, d 1 r 7, a 4 r 6, d 2 r 5, a 6 r 4, d 3 r 3, a 8 r 2, d 4 r 1));
    columns.take::<1>(column!(a 0 b 1, a 1 b 0, a 2 r 9, a 3 r 8, a 4 r 7, a 5 r 6, a 6 r 5, a 7 r 4, a 8 r 3, a 9 r 2));
    columns.take::<2>(column!(a 0 b 2, d 0 b 1, a 2 b 0, d 1 r 9, a 4 r 8, d 2 r 7, a 6 r 6, d 3 r 5, a 8 r 4, d 4 r 3));
    columns.take::<3>(column!(a 0 b 3, a 1 b 2, a 2 b 1, a 3 b 0, a 4 r 9, a 5 r 8, a 6 r 7, a 7 r 6, a 8 r 5, a 9 r 4));
    columns.take::<4>(column!(a 0 b 4, d 0 b 3, a 2 b 2, d 1 b 1, a 4 b 0, d 2 r 9, a 6 r 8, d 3 r 7, a 8 r 6, d 4 r 5));
    columns.take::<5>(column!(a 0 b 5, a 1 b 4, a 2 b 3, a 3 b 2, a 4 b 1, a 5 b 0, a 6 r 9, a 7 r 8, a 8 r 7, a 9 r 6));
    columns.take::<6>(column!(a 0 b 6, d 0 b 5, a 2 b 4, d 1 b 3, a 4 b 2, d 2 b 1, a 6 b 0, d 3 r 9, a 8 r 8, d 4 r 7));
    columns.take::<7>(column!(a 0 b 7, a 1 b 6, a 2 b 5, a 3 b 4, a 4 b 3, a 5 b 2, a 6 b 1, a 7 b 0, a 8 r 9, a 9 r 8));
    columns.take::<8>(column!(a 0 b 8, d 0 b 7, a 2 b 6, d 1 b 5, a 4 b 4, d 2 b 3, a 6 b 2, d 3 b 1, a 8 b 0, d 4 r 9));
    columns.take::<9>(column!(a 0 b 9, a 1 b 8, a 2 b 7, a 3 b 6, a 4 b 5, a 5 b 4, a 6 b 3, a 7 b 2, a 8 b 1, a 9 b 0));
}

/// As in `radix25` for one element: equal terms are taken once and doubled, `d` is
/// 2 a, and an odd limb times an odd one counts twice more, so `q` is 4 a for those. Limb 2i + 1 stands at i in `q`, and
/// limb 5 + i of 19 a at i in `r`.
///
/// For factors, sums are below 2^61.8.
#[inline(always)]
fn square<P: U64>(a: &[P; 10], columns: &mut impl Columns<P>) {
    let d = &each!(I => a[I].add(a[I]));
    let q = &[
        d[1].add(d[1]),
        d[3].add(d[3]),
        d[5].add(d[5]),
        d[7].add(d[7]),
    ];
    let r = &[
        nineteenfold(a[5]),
        nineteenfold(a[6]),
        nineteenfold(a[7]),
        nineteenfold(a[8]),
        nineteenfold(a[9]),
    ];
    columns.take::<0>(column!(a 0 a 0, q 0 r 4, d 2 r 3, q 1 r 2, d 4 r 1, d 5 r 0));
    columns.take::<1>(column!(d 0 a 1, d 2 r 4, d 3 r 3, d 4 r 2, d 5 r 1));
    columns.take::<2>(column!(d 0 a 2, d 1 a 1, q 1 r 4, d 4 r 3, q 2 r 2, a 6 r 1));
    columns.take::<3>(column!(d 0 a 3, d 1 a 2, d 4 r 4, d 5 r 3, d 6 r 2));
    columns.take::<4>(column!(d 0 a 4, q 0 a 3, a 2 a 2, q 2 r 4, d 6 r 3, d 7 r 2));
    columns.take::<5>(column!(d 0 a 5, d 1 a 4, d 2 a 3, d 6 r 4, d 7 r 3));
    columns.take::<6>(column!(d 0 a 6, q 0 a 5, d 2 a 4, d 3 a 3, q 3 r 4, a 8 r 3));
    columns.take::<7>(column!(d 0 a 7, d 1 a 6, d 2 a 5, d 3 a 4, d 8 r 4));
    columns.take::<8>(column!(d 0 a 8, q 0 a 7, d 2 a 6, q 1 a 5, a 4 a 4, d 9 r 4));
    columns.take::<9>(column!(d 0 a 9, d 1 a 8, d 2 a 7, d 3 a 6, d 4 a 5));
}

/// The carried product.
#[inline(always)]
fn mul_carried<P: U64>(a: &[P; 10], b: &[P; 10]) -> [P; 10] {
    let mut columns = Carried::new();
    mul(a, b, &mut columns);
    columns.finish()
}

#[inline(always)]
fn square_carried<P: U64>(a: &[P; 10]) -> [P; 10] {
    let mut columns = Carried::new();
    square(a, &mut columns);
    columns.finish()
}

/// The wide product.
#[inline(always)]
fn mul_uncarried<P: U64>(a: &[P; 10], b: &[P; 10]) -> [P; 10] {
    let mut columns = Sums([P::splat(0); 10]);
    mul(a, b, &mut columns);
    columns.0
}

#[inline(always)]
fn square_uncarried<P: U64>(a: &[P; 10]) -> [P; 10] {
    let mut columns = Sums([P::splat(0); 10]);
    square(a, &mut columns);
    columns.0
}

/// A hundred products cost much more than a call, and inlined into formulas they would spill
/// registers: they are tasks for [`Parts::outline`], done on one part after the other.
macro_rules! task {
    ($task:ident($($factor:ident),+ $(; $n:ident)?) $body:expr) => {
        struct $task<'a, V> {
            $($factor: &'a [V; 10],)+
            $($n: u32,)?
        }

        impl<V: Vector> Task for $task<'_, V> {
            type Output = [V; 10];

            #[inline(always)]
            fn run(self) -> [V; 10] {
                let mut result = V::CONSTANTS.zero;
                for index in 0..V::PARTS {
                    $(let $factor = V::part(self.$factor, index);)+
                    $(let $factor: &[V::Part; 10] = $factor.borrow();)+
                    $(let $n = self.$n;)?
                    V::set_part(&mut result, index, $body);
                }
                result
            }
        }
    };
}
task!(Mul(a, b) mul_carried(a, b));
task!(MulWide(a, b) mul_uncarried(a, b));
task!(Square(a) square_carried(a));
task!(SquareTimes(a; n) {
    let mut limbs = *a;
    for _ in 0..n {
        limbs = square_carried(&each!(I => limbs[I].opaque()));
    }
    limbs
});
task!(Carry(a) carry_wide(a));

/// The wide product of factors that are the same in one of two parts.
struct MulWideSquareHalf<'a, V, const HALF: usize> {
    a: &'a [V; 10],
    b: &'a [V; 10],
}

impl<V: Vector, const HALF: usize> Task for MulWideSquareHalf<'_, V, HALF> {
    type Output = [V; 10];

    #[inline(always)]
    fn run(self) -> [V; 10] {
        let mut result = V::CONSTANTS.zero;
        let a = V::part(self.a, HALF);
        V::set_part(&mut result, HALF, square_uncarried(a.borrow()));
        let (a, b) = (V::part(self.a, 1 - HALF), V::part(self.b, 1 - HALF));
        V::set_part(&mut result, 1 - HALF, mul_uncarried(a.borrow(), b.borrow()));
        result
    }
}

/// The wide product where one of two factors is 1 in lanes 0 and 2: the other lanes go together into one part.
struct MulWideOddLanes<'a, V> {
    a: &'a [V; 10],
    b: &'a [V; 10],
}

impl<V: Vector> Task for MulWideOddLanes<'_, V> {
    type Output = [V; 10];

    #[inline(always)]
    fn run(self) -> [V; 10] {
        const ODD: i32 = order(1, 3, 1, 3);
        const SPREAD: i32 = order(0, 0, 1, 1);
        let (a, b) = (
            each!(I => self.a[I].permute::<ODD>()),
            each!(I => self.b[I].permute::<ODD>()),
        );
        let (a, b) = (V::part(&a, 0), V::part(&b, 0));
        let mut odd = V::CONSTANTS.zero;
        V::set_part(&mut odd, 0, mul_uncarried(a.borrow(), b.borrow()));
        each!(I => V::blend::<0b1010>(self.a[I], odd[I].permute::<SPREAD>()))
    }
}

impl<V: Vector> Layout for Whole<V> {
    type Limb = V;
    type Mask = V::Lanes;
    type Order = V::Order;

    const LANES: usize = V::LANES;
    const DEAR_CHOICES: bool = V::PARTS == 2;
    const CONSTANTS: Constants<V, 10> = V::CONSTANTS;
    // Above twice any product of carried factors, and four of them below 2^63.
    const WIDE_P: [u64; 10] = multiple_of_p(3 << 33);
    const WIDE_BELOW: [u64; 2] = [1 << 43, 1 << 44];

    #[inline(always)]
    fn splat(word: u64) -> V {
        V::splat(word)
    }

    #[inline(always)]
    fn words(limb: V) -> [u64; MAX_LANES] {
        let mut words = [0; MAX_LANES];
        limb.store(&mut words);
        words
    }

    fn all(limb: V, holds: impl Fn(u64) -> bool) -> bool {
        limb.all(holds)
    }

    #[cfg(test)]
    fn limb(words: [u64; MAX_LANES]) -> V {
        V::load(&words)
    }

    #[inline(always)]
    fn add(a: V, b: V) -> V {
        a.add(b)
    }

    #[inline(always)]
    fn sub(a: V, b: V) -> V {
        a.sub(b)
    }

    #[inline(always)]
    fn and(a: V, b: V) -> V {
        a.and(b)
    }

    #[inline(always)]
    fn shr<const BITS: i32>(a: V) -> V {
        a.shr::<BITS>()
    }

    #[inline(always)]
    fn times(a: V, b: V) -> V {
        a.mul_low32(b)
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(a: V) -> V {
        a.permute::<ORDER>()
    }

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> V::Order {
        V::order::<A, B>(mask_of(choice))
    }

    #[inline(always)]
    fn permute_by(a: V, order: V::Order) -> V {
        a.permute_by(order)
    }

    #[inline(always)]
    fn swap_groups(a: V) -> V {
        a.swap_groups()
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: V, b: V) -> V {
        V::blend::<LANES>(a, b)
    }

    #[inline(always)]
    fn mask(bits: u8) -> V::Lanes {
        V::lanes(bits)
    }

    #[inline(always)]
    fn select(a: V, b: V, mask: V::Lanes) -> V {
        V::select(a, b, mask)
    }

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> [V; 10] {
        limbs_of_words(V::load_transposed(values))
    }

    type Word = V;

    #[inline(always)]
    fn to_words(limbs: &[V; 10]) -> [V; 5] {
        let mut words = [limbs[0]; 5];
        for i in 0..5 {
            words[i] = limbs[2 * i].or(limbs[2 * i + 1].shl::<32>());
        }
        words
    }

    #[inline(always)]
    fn from_words(words: &[V; 5]) -> [V; 10] {
        let low = V::splat(u32::MAX.into());
        each!(I => if I & 1 == 0 {
            words[I / 2].and(low)
        } else {
            words[I / 2].shr::<32>()
        })
    }

    #[inline(always)]
    fn load_words(rows: &[[u64; 4]; MAX_LANES]) -> [V; 4] {
        V::load_transposed(rows)
    }

    #[inline(always)]
    fn store_words(words: &[V; 4]) -> [[u64; 4]; MAX_LANES] {
        store_transposed(words)
    }

    #[inline(always)]
    fn choose<const N: usize>(entries: [&[u64; 4]; N], masks: &[u8; N], otherwise: u64) -> [V; 10] {
        let mut words = [V::splat(0); 4];
        words[0] = V::splat(otherwise);
        for i in 0..N {
            let lanes = V::lanes(masks[i]);
            for k in 0..4 {
                words[k] = V::select(words[k], V::splat(entries[i][k]), lanes);
            }
        }
        limbs_of_words(words)
    }

    #[inline(always)]
    fn to_lanes(limbs: &[V; 10]) -> [Packed; MAX_LANES] {
        // After this pass only limb 0 can exceed its bits.
        let mut t = *limbs;
        let mut over = V::splat(0);
        // Not an iterator: see `each`.
        #[allow(clippy::needless_range_loop)]
        for i in 0..10 {
            let limb = t[i].add(over);
            (t[i], over) = if i & 1 == 0 {
                (limb.and(V::splat(mask(0))), limb.shr::<26>())
            } else {
                (limb.and(V::splat(mask(1))), limb.shr::<25>())
            };
        }
        t[0] = t[0].add(over.mul_low32(V::splat(19)));
        let words = [
            t[1].shl::<26>().or(t[2].shl::<51>()),
            t[2].shr::<13>().or(t[3].shl::<13>()).or(t[4].shl::<38>()),
            t[5].or(t[6].shl::<25>()).or(t[7].shl::<51>()),
            t[7].shr::<13>().or(t[8].shl::<12>()).or(t[9].shl::<38>()),
        ];
        // Not `map`: see `each`.
        let words = [
            Self::words(words[0]),
            Self::words(words[1]),
            Self::words(words[2]),
            Self::words(words[3]),
        ];
        let lowest = Self::words(t[0]);
        core::array::from_fn(|lane| {
            Packed::from_words_plus(core::array::from_fn(|i| words[i][lane]), lowest[lane])
        })
    }

    #[inline(always)]
    fn mul(a: &[V; 10], b: &[V; 10]) -> [V; 10] {
        V::outline(Mul { a, b })
    }

    #[inline(always)]
    fn square(a: &[V; 10]) -> [V; 10] {
        V::outline(Square { a })
    }

    #[inline(always)]
    fn square_times(a: &[V; 10], n: u32) -> [V; 10] {
        V::outline(SquareTimes { a, n })
    }

    #[inline(always)]
    fn mul_121666(a: &[V; 10]) -> [V; 10] {
        let factor = V::splat(121_666);
        let a = &each!(I => a[I].mul_low32(factor));
        Carry { a }.run()
    }

    #[inline(always)]
    fn mul_wide(a: &[V; 10], b: &[V; 10]) -> [V; 10] {
        V::outline(MulWide { a, b })
    }

    #[inline(always)]
    fn mul_wide_square_half<const HALF: usize>(a: &[V; 10], b: &[V; 10]) -> [V; 10] {
        if V::PARTS == 2 {
            V::outline(MulWideSquareHalf::<V, HALF> { a, b })
        } else {
            Self::mul_wide(a, b)
        }
    }

    #[inline(always)]
    fn mul_wide_odd_lanes(a: &[V; 10], b: &[V; 10]) -> [V; 10] {
        if V::PARTS == 2 {
            V::outline(MulWideOddLanes { a, b })
        } else {
            Self::mul_wide(a, b)
        }
    }

    #[inline(always)]
    fn narrow(a: &[V; 10]) -> [V; 10] {
        Carry { a }.run()
    }
}
