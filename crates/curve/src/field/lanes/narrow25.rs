//! Limbs in words of 32 bits, the same limb of four elements in one vector of 128 bits: for vectors that multiply
//! two of their four words at a time.
//!
//! ```text
//!             word 0   word 1   word 2   word 3
//! limb i       a_i      b_i      c_i      d_i          25 or 26 bits, and a factor up to 28
//!               |________|        |________|
//! products    a_i a'_j, b_i b'_j  c_i c'_j, d_i d'_j   two vectors of two words of 64 bits
//! ```
//!
//! Sums, selections and permutations take half the instructions that [`whole25`](super::whole25)
//! has for them with vectors of this length. A product ends as limbs of 32 bits again, so it is carried at
//! once: wide limbs are carried ones here, and their sums are below 17 units.
//!
//! V8 mixes all that one block of code computes, and what does not fit in registers goes to
//! the stack and back. Products are therefore computed in parts that read their factors from
//! memory of which the compiler knows nothing ([`U32x4::apart`]); it would also turn products
//! of numbers whose bits it knows into multiplications of 64 bits, which are three times
//! as expensive.

use super::super::radix25::Field25;
use super::super::{Field, Packed};
use super::radix25::{
    CONSTANTS, FOUR_P, Layout, carry_narrow, carry_wide, each, limbs_of_words, times_19,
};
use super::{Constants, MAX_LANES, mask_of};
use core::marker::PhantomData;
use core::ops::{BitOr, BitXor};
use lanner_simd::{PlainU32x4, Task, U32x4, U64, splat_u32x4};
use subtle::Choice;

/// Vectors for this layout, with constants: whatever is plain data has them.
pub(crate) trait Vector: U32x4 {
    const CONSTANTS: Constants<Self, 10>;

    /// Whether a condition holds for the word of every lane: for debug builds.
    fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        self.words().iter().all(|&word| holds(word.into()))
    }
}

impl<V: PlainU32x4> Vector for V {
    const CONSTANTS: Constants<Self, 10> = Constants {
        zero: splat_each(&CONSTANTS.zero),
        one: splat_each(&CONSTANTS.one),
        two: splat_each(&CONSTANTS.two),
        d: splat_each(&CONSTANTS.d),
        d2: splat_each(&CONSTANTS.d2),
        sqrt_m1: splat_each(&CONSTANTS.sqrt_m1),
    };
}

const fn splat_each<V: PlainU32x4>(limbs: &[u64; 10]) -> [V; 10] {
    each!(I => splat_u32x4(limbs[I] as u32))
}

/// A limb fills a quarter of a vector.
#[derive(Clone, Copy)]
pub(crate) struct Narrow<V>(PhantomData<V>);

/// Sums of products: of words 0 and 1, and of words 2 and 3.
type Sum<V> = [<V as U32x4>::Double; 2];
type Sums<V> = [Sum<V>; 10];

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Mask<V>(V);

impl<V: U32x4> BitOr for Mask<V> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self(self.0.or(rhs.0))
    }
}

impl<V: U32x4> BitXor for Mask<V> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        Self(self.0.xor(rhs.0))
    }
}

/// The first order, or the second where the mask is set.
#[derive(Clone, Copy)]
pub(crate) struct Order<V>(i32, i32, Mask<V>);

#[inline(always)]
fn carry_sums<V: U32x4>(sums: &Sums<V>) -> [V; 10] {
    let halves = V::apart(sums);
    let first = carry_wide(&each!(I => halves[I][0]));
    let first = V::apart(&first);
    let halves = V::apart(sums);
    let last = carry_wide(&each!(I => halves[I][1]));
    each!(I => V::pack(first[I], last[I]))
}

#[inline(always)]
fn product<V: U32x4>(a: V, b: V) -> Sum<V> {
    [a.mul_first(b), a.mul_last(b)]
}

#[inline(always)]
fn plus<V: U32x4>(sum: Sum<V>, a: V, b: V) -> Sum<V> {
    [sum[0].add(a.mul_first(b)), sum[1].add(a.mul_last(b))]
}

#[inline(always)]
fn twice<D: U64>(sum: [D; 2]) -> [D; 2] {
    [sum[0].add(sum[0]), sum[1].add(sum[1])]
}

/// A sum of products, and after each arrow twice what stands before it, plus more of them.
macro_rules! column {
    (
        $a:ident $i:literal $b:ident $j:literal
        $(, $as:ident $is:literal $bs:ident $js:literal)*
        $(=> $($at:ident $it:literal $bt:ident $jt:literal),*)*
    ) => {{
        let sum = product($a[$i], $b[$j]);
        $(let sum = plus(sum, $as[$is], $bs[$js]);)*
        $(
            let sum = twice(sum);
            $(let sum = plus(sum, $at[$it], $bt[$jt]);)*
        )*
        V::in_order(sum)
    }};
}

/// Polynomials of degree 4 modulo x^5 = 19, where x = 2^51.
type Ring<T> = [T; 5];

/// The columns of a product of polynomials; `r` is 19 b, which degree 0 does not need.
macro_rules! ring_columns {
    ($column:ident, $a:ident, $b:ident, $r:ident) => {
        [
            $column!($a 0 $b 0, $a 1 $r 4, $a 2 $r 3, $a 3 $r 2, $a 4 $r 1),
            $column!($a 0 $b 1, $a 1 $b 0, $a 2 $r 4, $a 3 $r 3, $a 4 $r 2),
            $column!($a 0 $b 2, $a 1 $b 1, $a 2 $b 0, $a 3 $r 4, $a 4 $r 3),
            $column!($a 0 $b 3, $a 1 $b 2, $a 2 $b 1, $a 3 $b 0, $a 4 $r 4),
            $column!($a 0 $b 4, $a 1 $b 3, $a 2 $b 2, $a 3 $b 1, $a 4 $b 0),
        ]
    };
}

#[inline(always)]
fn ring_mul<V: U32x4>(a: &Ring<V>, [b, r]: &[Ring<V>; 2]) -> Ring<Sum<V>> {
    ring_columns!(column, a, b, r)
}

/// The even limbs, the odd ones, and their sums.
#[inline(always)]
fn parts<V: U32x4>(a: &[V; 10]) -> [Ring<V>; 3] {
    [
        [a[0], a[2], a[4], a[6], a[8]],
        [a[1], a[3], a[5], a[7], a[9]],
        [
            a[0].add(a[1]),
            a[2].add(a[3]),
            a[4].add(a[5]),
            a[6].add(a[7]),
            a[8].add(a[9]),
        ],
    ]
}

/// A part of a second factor, and 19 times it.
#[inline(always)]
fn with_multiples<V: U32x4>(b: Ring<V>) -> [Ring<V>; 2] {
    let nineteen = V::splat(19);
    let r = [
        b[0],
        b[1].mul(nineteen),
        b[2].mul(nineteen),
        b[3].mul(nineteen),
        b[4].mul(nineteen),
    ];
    [b, r]
}

/// An expression of the products of the even limbs, of the odd ones and of the sums of both.
macro_rules! with_ring_products {
    (
        $v:ident: $ring_mul:ident, $a:ident, $b:ident, $between:ident,
        |$ee:ident, $oo:ident, $cross:ident| $result:expr
    ) => {{
        let a = parts($a);
        let [evens, odds, sums] = parts($b);
        let b = [
            with_multiples(evens),
            with_multiples(odds),
            with_multiples(sums),
        ];
        let ee = $ring_mul(&$v::apart(&a)[0], &$v::apart(&b)[0]);
        let $ee = $v::apart(&ee);
        $between(0);
        let oo = $ring_mul(&$v::apart(&a)[1], &$v::apart(&b)[1]);
        let $oo = $v::apart(&oo);
        $between(1);
        let cross = $ring_mul(&$v::apart(&a)[2], &$v::apart(&b)[2]);
        let $cross = $v::apart(&cross);
        $between(2);
        $result
    }};
}

/// The sums of a product, from the products of its parts; with an index for those that have
/// two halves.
macro_rules! combine {
    ($ee:ident, $oo:ident, $cross:ident $(, $half:literal)?) => {
        each!(I => if I & 1 == 1 {
            $cross[I / 2]$([$half])?
                .sub($oo[I / 2]$([$half])?)
                .sub($ee[I / 2]$([$half])?)
        } else {
            let oo = $oo[(I / 2 + 4) % 5]$([$half])?;
            let oo2 = oo.add(oo);
            $ee[I / 2]$([$half])?.add(if I == 0 { times_19(oo2) } else { oo2 })
        })
    };
}

/// With y = 2^26 an element is E + O y, of even and of odd limbs, and y^2 = 2x, x^5 = 19: the product is
/// (E E' + 2x O O') + (E O' + O E') y, and by Karatsuba the second is (E + O)(E' + O') - E E' - O O'.
///
/// For factors, sums are below 2^61.8. Does something else `between` its parts, 0, 1 and 2.
#[inline(always)]
pub(super) fn mul<V: U32x4>(a: &[V; 10], b: &[V; 10], mut between: impl FnMut(usize)) -> [V; 10] {
    with_ring_products!(V: ring_mul, a, b, between, |ee, oo, cross| {
        let (first, last) = (combine!(ee, oo, cross, 0), combine!(ee, oo, cross, 1));
        carry_sums::<V>(&each!(I => [first[I], last[I]]))
    })
}

/// As in `radix25` for one element, with what counts twice or four times doubled as a sum. Does something else `between`
/// its parts, 0 to 3.
#[inline(always)]
pub(super) fn square<V: U32x4>(limbs: &[V; 10], mut between: impl FnMut(usize)) -> [V; 10] {
    let nineteen = V::splat(19);
    // No limb below the fifth is needed 19 times.
    let multiples = each!(I => if I < 5 { limbs[I] } else { limbs[I].mul(nineteen) });
    macro_rules! columns {
        (|$a:ident, $r:ident| $($sum:expr),*) => {{
            let ($a, $r) = (V::apart(limbs), V::apart(&multiples));
            [$($sum),*]
        }};
    }
    let sums_0 = columns!(
        |a, r| column!(a 1 r 9, a 3 r 7 => a 2 r 8, a 4 r 6, a 5 r 5 => a 0 a 0),
        column!(a 0 a 1, a 2 r 9, a 3 r 8, a 4 r 7, a 5 r 6 =>)
    );
    between(0);
    let sums_1 = columns!(
        |a, r| column!(a 3 r 9, a 5 r 7 => a 0 a 2, a 1 a 1, a 4 r 8 => a 6 r 6),
        column!(a 0 a 3, a 1 a 2, a 4 r 9, a 5 r 8, a 6 r 7 =>)
    );
    between(1);
    let sums_2 = columns!(
        |a, r| column!(a 1 a 3, a 5 r 9 => a 0 a 4, a 6 r 8, a 7 r 7 => a 2 a 2),
        column!(a 0 a 5, a 1 a 4, a 2 a 3, a 6 r 9, a 7 r 8 =>)
    );
    between(2);
    let sums_3 = columns!(
        |a, r| column!(a 1 a 5, a 7 r 9 => a 0 a 6, a 2 a 4, a 3 a 3 => a 8 r 8),
        column!(a 0 a 7, a 1 a 6, a 2 a 5, a 3 a 4, a 8 r 9 =>)
    );
    between(3);
    let sums_4 = columns!(
        |a, r| column!(a 1 a 7, a 3 a 5 => a 0 a 8, a 2 a 6, a 9 r 9 => a 4 a 4),
        column!(a 0 a 9, a 1 a 8, a 2 a 7, a 3 a 6, a 4 a 5 =>)
    );
    let sums = [sums_0, sums_1, sums_2, sums_3, sums_4];
    carry_sums::<V>(&each!(I => sums[I / 2][I % 2]))
}

/// A hundred products cost much more than a call.
struct Mul<'a, V>(&'a [V; 10], &'a [V; 10]);

impl<V: U32x4> Task for Mul<'_, V> {
    type Output = [V; 10];

    #[inline(always)]
    fn run(self) -> [V; 10] {
        mul(self.0, self.1, |_| ())
    }
}

struct Square<'a, V>(&'a [V; 10]);

impl<V: U32x4> Task for Square<'_, V> {
    type Output = [V; 10];

    #[inline(always)]
    fn run(self) -> [V; 10] {
        square(self.0, |_| ())
    }
}

impl<V: Vector> Layout for Narrow<V> {
    type Limb = V;
    type Mask = Mask<V>;
    type Order = Order<V>;

    const LANES: usize = 4;
    const CONSTANTS: Constants<V, 10> = V::CONSTANTS;
    // Above two products.
    const WIDE_P: [u64; 10] = FOUR_P;
    const WIDE_BELOW: [u64; 2] = [17 * 64; 2];

    #[inline(always)]
    fn splat(word: u64) -> V {
        V::splat(word as u32)
    }

    #[inline(always)]
    fn words(limb: V) -> [u64; MAX_LANES] {
        let [a, b, c, d] = limb.words().map(u64::from);
        [a, b, c, d, 0, 0, 0, 0]
    }

    fn all(limb: V, holds: impl Fn(u64) -> bool) -> bool {
        limb.all(holds)
    }

    #[cfg(test)]
    fn limb([a, b, c, d, ..]: [u64; MAX_LANES]) -> V {
        V::new([a, b, c, d].map(|word| word as u32))
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
        a.mul(b)
    }

    #[inline(always)]
    fn permute<const ORDER: i32>(a: V) -> V {
        a.permute(ORDER)
    }

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> Order<V> {
        Order(A, B, Mask(V::splat(mask_of(choice).word() as u32)))
    }

    #[inline(always)]
    fn permute_by(a: V, Order(first, second, mask): Order<V>) -> V {
        Self::select(a.permute(first), a.permute(second), mask)
    }

    #[inline(always)]
    fn swap_groups(a: V) -> V {
        a
    }

    #[inline(always)]
    fn blend<const LANES: u8>(a: V, b: V) -> V {
        V::blend::<LANES>(a, b)
    }

    #[inline(always)]
    fn mask(bits: u8) -> Mask<V> {
        let bits = u32::from(bits);
        Mask(V::new([0, 1, 2, 3].map(|lane| {
            lanner_simd::Mask::of_bit(bits >> lane & 1).word()
        })))
    }

    #[inline(always)]
    fn select(a: V, b: V, mask: Mask<V>) -> V {
        V::select(a, b, mask.0)
    }

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> [V; 10] {
        let [a, b, c, d, ..] = values;
        // Not closures: see `each`.
        macro_rules! two {
            ($a:ident, $b:ident) => {
                limbs_of_words([
                    V::Double::load(&[$a[0], $b[0]]),
                    V::Double::load(&[$a[1], $b[1]]),
                    V::Double::load(&[$a[2], $b[2]]),
                    V::Double::load(&[$a[3], $b[3]]),
                ])
            };
        }
        let (first, last) = (two!(a, b), two!(c, d));
        each!(I => V::pack(first[I], last[I]))
    }

    type Word = [u64; 4];

    #[inline(always)]
    fn to_words(limbs: &[V; 10]) -> [[u64; 4]; 5] {
        let limbs = each!(I => limbs[I].words());
        let mut words = [[0; 4]; 5];
        for i in 0..5 {
            for lane in 0..4 {
                words[i][lane] =
                    u64::from(limbs[2 * i][lane]) | u64::from(limbs[2 * i + 1][lane]) << 32;
            }
        }
        words
    }

    #[inline(always)]
    fn from_words(words: &[[u64; 4]; 5]) -> [V; 10] {
        each!(I => V::new([0, 1, 2, 3].map(|lane| (words[I / 2][lane] >> (32 * (I & 1))) as u32)))
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

    #[inline(always)]
    fn to_lanes(limbs: &[V; 10]) -> [Packed; MAX_LANES] {
        let limbs = each!(I => limbs[I].words());
        core::array::from_fn(|lane| {
            if lane < 4 {
                Field25::from_limbs(limbs.map(|limb| limb[lane])).to_packed()
            } else {
                Packed::ZERO
            }
        })
    }

    #[inline(always)]
    fn mul(a: &[V; 10], b: &[V; 10]) -> [V; 10] {
        V::outline(Mul(a, b))
    }

    #[inline(always)]
    fn square(a: &[V; 10]) -> [V; 10] {
        V::outline(Square(a))
    }

    #[inline(always)]
    fn square_times(a: &[V; 10], n: u32) -> [V; 10] {
        let mut limbs = Self::square(a);
        for _ in 1..n {
            limbs = Self::square(&limbs);
        }
        limbs
    }

    #[inline(always)]
    fn mul_121666(a: &[V; 10]) -> [V; 10] {
        let factor = *V::apart(&V::splat(121_666));
        carry_sums::<V>(&each!(I => product(a[I], factor)))
    }

    #[inline(always)]
    fn mul_wide(a: &[V; 10], b: &[V; 10]) -> [V; 10] {
        Self::mul(a, b)
    }

    #[inline(always)]
    fn narrow(a: &[V; 10]) -> [V; 10] {
        carry_narrow::<Self>(a)
    }
}
