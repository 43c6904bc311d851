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
use super::{Constants, MAX_LANES, mask_of, store_transposed};
use core::borrow::Borrow;
use core::marker::PhantomData;
use lanner_simd::{Parts, Plain, Task, U64};
use subtle::Choice;

/// Vectors for this layout, with constants: whatever is plain data has them.
pub(crate) trait Vector: Parts {
    const CONSTANTS: Constants<Self, 10>;
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

/// Polynomials of degree 4 modulo x^5 = 19, where x = 2^51.
type Ring<P> = [P; 5];

/// The sum of products of limbs.
macro_rules! column {
    ($x:ident $i:literal $y:ident $j:literal $(, $xs:ident $is:literal $ys:ident $js:literal)*) => {
        $x[$i].mul_low32($y[$j])$(.add($xs[$is].mul_low32($ys[$js])))*
    };
}

// These loops are unrolled late, and so the sums of one product keep together; written out, they
// are mixed with those of the other products, and spilled.
#[inline(always)]
fn ring_mul<P: U64>(a: &Ring<P>, b: &Ring<P>) -> Ring<P> {
    let mut r = *b;
    for limb in &mut r[1..] {
        *limb = nineteenfold(*limb);
    }
    let mut sum = *b;
    for limb in &mut sum {
        *limb = a[0].mul_low32(*limb);
    }
    for i in 1..5 {
        for k in 0..5 {
            let factor = if k >= i { b[k - i] } else { r[k + 5 - i] };
            sum[k] = sum[k].add(a[i].mul_low32(factor));
        }
    }
    sum
}

/// With y = 2^26 an element is E + O y, of even and of odd limbs, and y^2 = 2x: the
/// product is (E E' + 2x O O') + (E O' + O E') y, and by Karatsuba the second is
/// (E + O)(E' + O') - E E' - O O'.
///
/// For factors, sums are below (3.36 * 2^26)^2 * (1 + 4 * 19) < 2^61.8.
#[inline(always)]
fn mul<P: U64>(a: &[P; 10], b: &[P; 10]) -> [P; 10] {
    let evens = |a: &[P; 10]| [a[0], a[2], a[4], a[6], a[8]];
    let odds = |a: &[P; 10]| [a[1], a[3], a[5], a[7], a[9]];
    let (mut s, mut t) = (evens(a), evens(b));
    for k in 0..5 {
        s[k] = s[k].add(a[2 * k + 1]);
        t[k] = t[k].add(b[2 * k + 1]);
    }
    let cross = ring_mul(&s, &t);
    let oo = ring_mul(&odds(a), &odds(b));
    let ee = ring_mul(&evens(a), &evens(b));
    let mut sum = *a;
    for k in 0..5 {
        sum[2 * k + 1] = cross[k].sub(oo[k]).sub(ee[k]);
        let oo2 = oo[(k + 4) % 5].add(oo[(k + 4) % 5]);
        sum[2 * k] = ee[k].add(if k == 0 { times_19(oo2) } else { oo2 });
    }
    sum
}

/// As in `radix25` for one element: equal terms are taken once and doubled, `d` is
/// 2 a, and an odd limb times an odd one counts twice more, so `q` is 4 a for those.
///
/// For factors, sums are below 2^61.8.
#[inline(always)]
fn square<P: U64>(a: &[P; 10]) -> [P; 10] {
    let d = each!(I => a[I].add(a[I]));
    let q = each!(I => d[I].add(d[I]));
    let r = each!(I => nineteenfold(a[I]));
    [
        column!(a 0 a 0, q 1 r 9, d 2 r 8, q 3 r 7, d 4 r 6, d 5 r 5),
        column!(d 0 a 1, d 2 r 9, d 3 r 8, d 4 r 7, d 5 r 6),
        column!(d 0 a 2, d 1 a 1, q 3 r 9, d 4 r 8, q 5 r 7, a 6 r 6),
        column!(d 0 a 3, d 1 a 2, d 4 r 9, d 5 r 8, d 6 r 7),
        column!(d 0 a 4, q 1 a 3, a 2 a 2, q 5 r 9, d 6 r 8, d 7 r 7),
        column!(d 0 a 5, d 1 a 4, d 2 a 3, d 6 r 9, d 7 r 8),
        column!(d 0 a 6, q 1 a 5, d 2 a 4, d 3 a 3, q 7 r 9, a 8 r 8),
        column!(d 0 a 7, d 1 a 6, d 2 a 5, d 3 a 4, d 8 r 9),
        column!(d 0 a 8, q 1 a 7, d 2 a 6, q 3 a 5, a 4 a 4, d 9 r 9),
        column!(d 0 a 9, d 1 a 8, d 2 a 7, d 3 a 6, d 4 a 5),
    ]
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
task!(Mul(a, b) carry_wide(&mul(a, b)));
task!(MulWide(a, b) mul(a, b));
task!(Square(a) carry_wide(&square(a)));
task!(SquareTimes(a; n) {
    let mut limbs = *a;
    for _ in 0..n {
        limbs = carry_wide(&square(&each!(I => limbs[I].opaque())));
    }
    limbs
});
task!(Carry(a) carry_wide(a));

impl<V: Vector> Layout for Whole<V> {
    type Limb = V;
    type Mask = V::Lanes;
    type Order = V::Order;

    const LANES: usize = V::LANES;
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
    fn narrow(a: &[V; 10]) -> [V; 10] {
        Carry { a }.run()
    }
}
