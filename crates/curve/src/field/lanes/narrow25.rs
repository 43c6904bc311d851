//! Ten limbs of 26 and 25 bits in turn, the same limb of four elements in one vector of four
//! words of 32 bits: for vectors that multiply two of their four words at a time.
//!
//! Sums, selections and permutations take half the instructions that `radix25`
//! has for them with vectors of this length. Bounds, in units of 2^26 for even limbs and of
//! 2^25 for odd ones:
//!
//! * carried: below 1 + 1/64;
//! * a factor: even limbs below 2.05 and odd ones below 3.05, and an even limb and the
//!   odd one above it together below 2^32 / 19, which is 3.36 * 2^26;
//! * from `add`: below 2.04, and from `sub`: even limbs below 1 and odd ones below
//!   3.04, so that both are factors;
//! * `add_loose` and `sub_loose` carry;
//! * wide: a product is carried, and its sums are not, below 17.
//!
//! V8 mixes all that one block of code computes, and what does not fit in registers goes to
//! the stack and back. Products are therefore computed in parts that read their factors from
//! memory of which the compiler knows nothing (`black_box`); it would also turn products
//! of numbers whose bits it knows into multiplications of 64 bits, which are three times
//! as expensive.

use super::super::radix25::Field25;
use super::super::{Arithmetic, Field, Operand, Packed};
use super::radix25::{Constants, bits, bits_of, each, mask, multiple_of_p};
use super::{Lanes, MAX_LANES, Quads};
use core::hint::black_box;
use core::ops::{BitOr, BitXor};
use lanner_simd::Task;
use subtle::Choice;

/// Two words of 64 bits.
pub(crate) trait Double: Copy + 'static {
    fn new(words: [u64; 2]) -> Self;
    fn add(self, rhs: Self) -> Self;
    fn sub(self, rhs: Self) -> Self;
    fn and(self, rhs: Self) -> Self;
    fn or(self, rhs: Self) -> Self;
    fn shl<const N: u32>(self) -> Self;
    fn shr<const N: u32>(self) -> Self;
}

/// Four words of 32 bits.
pub(crate) trait Words32: Copy + 'static {
    type Double: Double;

    const CONSTANTS: Constants<Self>;

    fn new(words: [u32; 4]) -> Self;
    fn words(self) -> [u32; 4];
    fn splat(word: u32) -> Self;
    fn add(self, rhs: Self) -> Self;
    fn sub(self, rhs: Self) -> Self;
    fn and(self, rhs: Self) -> Self;
    fn or(self, rhs: Self) -> Self;
    fn xor(self, rhs: Self) -> Self;
    fn shr<const N: u32>(self) -> Self;
    /// The low halves of the products.
    fn mul(self, rhs: Self) -> Self;
    /// The products of words 0 and 1.
    fn mul_first(self, rhs: Self) -> Self::Double;
    /// The products of words 2 and 3.
    fn mul_last(self, rhs: Self) -> Self::Double;
    /// The low halves of four words.
    fn pack(first: Self::Double, last: Self::Double) -> Self;
    /// Word i is word (order >> 2i) mod 4, for an order that is public: one instruction for one
    /// that is known when this is inlined.
    fn permute(self, order: i32) -> Self;
    /// Word i is `b`'s where bit i of `LANES` is set, else `a`'s.
    fn blend<const LANES: u8>(a: Self, b: Self) -> Self;

    /// Runs a task in a function of its own, compiled for the vector.
    fn outline<T: Task>(task: T) -> T::Output;
}

type Limbs<V> = [V; 10];
/// Sums of products: of words 0 and 1, and of words 2 and 3.
type Sum<V> = [<V as Words32>::Double; 2];
type Sums<V> = [Sum<V>; 10];

/// A carried element in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Narrow25<V>(Limbs<V>);

/// A sum or difference in each lane, good as a factor.
#[derive(Clone, Copy)]
pub(crate) struct Loose25<V>(Limbs<V>);

/// Products and their sums, not carried.
#[derive(Clone, Copy)]
pub(crate) struct Wide25<V>(Limbs<V>);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Mask<V>(V);

impl<V: Words32> BitOr for Mask<V> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self(self.0.or(rhs.0))
    }
}

impl<V: Words32> BitXor for Mask<V> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        Self(self.0.xor(rhs.0))
    }
}

/// The first order, or the second where the mask is set.
#[derive(Clone, Copy)]
pub(crate) struct Order<V>(i32, i32, Mask<V>);

/// Above every carried element.
const TWO_P: [u64; 10] = multiple_of_p(2);
/// Above every factor, and above two products.
const FOUR_P: [u64; 10] = multiple_of_p(4);

/// Whether limb i of every lane is below `even` or `odd` sixty-fourths of its unit.
#[inline(never)]
fn within<V: Words32>(limbs: &Limbs<V>, even: u64, odd: u64) -> bool {
    limbs.iter().enumerate().all(|(i, limb)| {
        let most = [even, odd][i & 1] << (bits(i) - 6);
        limb.words().iter().all(|&word| u64::from(word) < most)
    })
}

#[inline(never)]
fn is_factor<V: Words32>(a: &Limbs<V>) -> bool {
    let sums = core::array::from_fn(|i| a[i & !1].add(a[i | 1]));
    within(a, 131, 195) && within(&sums, 215, 430)
}

impl<V: Words32> Operand<Self> for Narrow25<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(within(&self.0, 65, 65));
        &self.0
    }
}

impl<V: Words32> Operand<Narrow25<V>> for Loose25<V> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs<V> {
        debug_assert!(is_factor(&self.0));
        &self.0
    }
}

/// Carries limbs below 32 units, all at once.
#[inline(always)]
fn carry_narrow<V: Words32>(limbs: &Limbs<V>) -> Limbs<V> {
    let over = each!(I => if I & 1 == 0 { limbs[I].shr::<26>() } else { limbs[I].shr::<25>() });
    each!(I => {
        let below = limbs[I].and(V::splat(mask(I) as u32));
        below.add(if I == 0 { over[9].mul(V::splat(19)) } else { over[(I + 9) % 10] })
    })
}

/// a - b + a multiple of p.
#[inline(always)]
fn difference<V: Words32>(a: &Limbs<V>, b: &Limbs<V>, p: &[u64; 10]) -> Limbs<V> {
    each!(I => a[I].add(V::splat(p[I] as u32)).sub(b[I]))
}

#[inline(always)]
fn times_19<D: Double>(a: D) -> D {
    a.add(a.shl::<1>()).add(a.shl::<4>())
}

/// Carries the ten sums of a product, each below 2^63: as `radix25` has it.
#[inline(always)]
fn carry_half<D: Double>(sums: [D; 10]) -> [D; 10] {
    let mut t = sums;
    let masks = [D::new([mask(0); 2]), D::new([mask(1); 2])];
    let mut over;
    macro_rules! carry {
        ($from:literal) => {
            over = if $from & 1 == 0 {
                t[$from].shr::<26>()
            } else {
                t[$from].shr::<25>()
            };
            t[$from] = t[$from].and(masks[$from & 1]);
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

#[inline(always)]
fn carry_wide<V: Words32>(sums: &Sums<V>) -> Limbs<V> {
    let halves = black_box(sums);
    let first = carry_half(each!(I => halves[I][0]));
    let first = black_box(&first);
    let halves = black_box(sums);
    let last = carry_half(each!(I => halves[I][1]));
    each!(I => V::pack(first[I], last[I]))
}

#[inline(always)]
fn product<V: Words32>(a: V, b: V) -> Sum<V> {
    [a.mul_first(b), a.mul_last(b)]
}

#[inline(always)]
fn plus<V: Words32>(sum: Sum<V>, a: V, b: V) -> Sum<V> {
    [sum[0].add(a.mul_first(b)), sum[1].add(a.mul_last(b))]
}

#[inline(always)]
fn twice<D: Double>(sum: [D; 2]) -> [D; 2] {
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
        sum
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
fn ring_mul<V: Words32>(a: &Ring<V>, [b, r]: &[Ring<V>; 2]) -> Ring<Sum<V>> {
    ring_columns!(column, a, b, r)
}

/// The even limbs, the odd ones, and their sums.
#[inline(always)]
fn parts<V: Words32>(a: &Limbs<V>) -> [Ring<V>; 3] {
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
fn with_multiples<V: Words32>(b: Ring<V>) -> [Ring<V>; 2] {
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
        $ring_mul:ident, $a:ident, $b:ident,
        |$ee:ident, $oo:ident, $cross:ident| $result:expr
    ) => {{
        let a = parts($a);
        let [evens, odds, sums] = parts($b);
        let b = [
            with_multiples(evens),
            with_multiples(odds),
            with_multiples(sums),
        ];
        let ee = $ring_mul(&black_box(&a)[0], &black_box(&b)[0]);
        let $ee = black_box(&ee);
        let oo = $ring_mul(&black_box(&a)[1], &black_box(&b)[1]);
        let $oo = black_box(&oo);
        let cross = $ring_mul(&black_box(&a)[2], &black_box(&b)[2]);
        let $cross = black_box(&cross);
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

/// By Karatsuba, as `radix25` has it. For factors, sums are below 2^61.8.
#[inline(always)]
fn mul<V: Words32>(a: &Limbs<V>, b: &Limbs<V>) -> Limbs<V> {
    with_ring_products!(ring_mul, a, b, |ee, oo, cross| {
        let (first, last) = (combine!(ee, oo, cross, 0), combine!(ee, oo, cross, 1));
        carry_wide::<V>(&each!(I => [first[I], last[I]]))
    })
}

/// As in `radix25` for one element, with what counts twice or four times doubled as a sum.
#[inline(always)]
fn square<V: Words32>(limbs: &Limbs<V>) -> Limbs<V> {
    let nineteen = V::splat(19);
    // No limb below the fifth is needed 19 times.
    let multiples = each!(I => if I < 5 { limbs[I] } else { limbs[I].mul(nineteen) });
    macro_rules! columns {
        (|$a:ident, $r:ident| $($sum:expr),*) => {{
            let ($a, $r) = (black_box(limbs), black_box(&multiples));
            [$($sum),*]
        }};
    }
    let sums = [
        columns!(
            |a, r| column!(a 1 r 9, a 3 r 7 => a 2 r 8, a 4 r 6, a 5 r 5 => a 0 a 0),
            column!(a 0 a 1, a 2 r 9, a 3 r 8, a 4 r 7, a 5 r 6 =>)
        ),
        columns!(
            |a, r| column!(a 3 r 9, a 5 r 7 => a 0 a 2, a 1 a 1, a 4 r 8 => a 6 r 6),
            column!(a 0 a 3, a 1 a 2, a 4 r 9, a 5 r 8, a 6 r 7 =>)
        ),
        columns!(
            |a, r| column!(a 1 a 3, a 5 r 9 => a 0 a 4, a 6 r 8, a 7 r 7 => a 2 a 2),
            column!(a 0 a 5, a 1 a 4, a 2 a 3, a 6 r 9, a 7 r 8 =>)
        ),
        columns!(
            |a, r| column!(a 1 a 5, a 7 r 9 => a 0 a 6, a 2 a 4, a 3 a 3 => a 8 r 8),
            column!(a 0 a 7, a 1 a 6, a 2 a 5, a 3 a 4, a 8 r 9 =>)
        ),
        columns!(
            |a, r| column!(a 1 a 7, a 3 a 5 => a 0 a 8, a 2 a 6, a 9 r 9 => a 4 a 4),
            column!(a 0 a 9, a 1 a 8, a 2 a 7, a 3 a 6, a 4 a 5 =>)
        ),
    ];
    carry_wide::<V>(&each!(I => sums[I / 2][I % 2]))
}

/// A hundred products cost much more than a call.
struct Mul<'a, V>(&'a Limbs<V>, &'a Limbs<V>);

impl<V: Words32> Task for Mul<'_, V> {
    type Output = Limbs<V>;

    #[inline(always)]
    fn run(self) -> Limbs<V> {
        mul(self.0, self.1)
    }
}

struct Square<'a, V>(&'a Limbs<V>);

impl<V: Words32> Task for Square<'_, V> {
    type Output = Limbs<V>;

    #[inline(always)]
    fn run(self) -> Limbs<V> {
        square(self.0)
    }
}

impl<V: Words32> Arithmetic for Narrow25<V> {
    type Limbs = Limbs<V>;
    type Loose = Loose25<V>;
    type Mask = Mask<V>;

    const ZERO: Self = Self(V::CONSTANTS.zero);
    const ONE: Self = Self(V::CONSTANTS.one);
    const TWO: Self = Self(V::CONSTANTS.two);
    const D: Self = Self(V::CONSTANTS.d);
    const D2: Self = Self(V::CONSTANTS.d2);
    const SQRT_M1: Self = Self(V::CONSTANTS.sqrt_m1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> Loose25<V> {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose25(each!(I => a[I].add(b[I])))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Loose25<V> {
        // Even limbs give their excess to the odd ones.
        let limbs = difference(self.limbs(), rhs.limbs(), &TWO_P);
        Loose25(each!(I => if I & 1 == 0 {
            limbs[I].and(V::splat(mask(0) as u32))
        } else {
            limbs[I].add(limbs[I - 1].shr::<26>())
        }))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25<V> {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose25(carry_narrow(&each!(I => a[I].add(b[I]))))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25<V> {
        Loose25(carry_narrow(&difference(lhs.limbs(), rhs.limbs(), &FOUR_P)))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(carry_narrow(value.limbs()))
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(V::outline(Mul(lhs.limbs(), rhs.limbs())))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(V::outline(Square(value.limbs())))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        let (limbs, factor) = (value.limbs(), black_box(V::splat(121_666)));
        Self(carry_wide::<V>(&each!(I => product(limbs[I], factor))))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: Mask<V>) -> Self {
        Self(each!(I => a.0[I].xor(mask.0.and(a.0[I].xor(b.0[I])))))
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
}

/// The limbs of two 256-bit integers, given their words.
#[inline(always)]
fn limbs_of_two<D: Double>(words: [D; 4]) -> [D; 10] {
    let [a, b, c, d] = words;
    let (even, odd) = (D::new([mask(0); 2]), D::new([mask(1); 2]));
    let top = d.shr::<38>();
    // The top bit is worth 19.
    let over = times_19(top.shr::<25>());
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

impl<V: Words32> Lanes for Narrow25<V> {
    const LANES: usize = 4;

    #[inline(always)]
    fn from_lanes(values: &[[u64; 4]; MAX_LANES]) -> Self {
        let [a, b, c, d, ..] = values;
        let first = limbs_of_two([
            V::Double::new([a[0], b[0]]),
            V::Double::new([a[1], b[1]]),
            V::Double::new([a[2], b[2]]),
            V::Double::new([a[3], b[3]]),
        ]);
        let last = limbs_of_two([
            V::Double::new([c[0], d[0]]),
            V::Double::new([c[1], d[1]]),
            V::Double::new([c[2], d[2]]),
            V::Double::new([c[3], d[3]]),
        ]);
        Self(each!(I => V::pack(first[I], last[I])))
    }

    #[inline(always)]
    fn to_lanes(&self) -> [Packed; MAX_LANES] {
        let limbs = self.limbs().map(V::words);
        core::array::from_fn(|lane| {
            if lane < 4 {
                Field25::from_limbs(limbs.map(|limb| limb[lane])).to_packed()
            } else {
                Packed::ZERO
            }
        })
    }

    #[inline(always)]
    fn mask(bits: u8) -> Mask<V> {
        let bits = u32::from(black_box(bits));
        Mask(V::new(
            [0, 1, 2, 3].map(|lane| (bits >> lane & 1).wrapping_neg()),
        ))
    }

    #[inline(always)]
    fn vartime_mask_bits(mask: Mask<V>) -> u8 {
        let words = mask.0.words();
        (0..4).fold(0, |bits, lane| bits | (words[lane] as u8 & 1) << lane)
    }
}

impl<V: Words32> Quads for Narrow25<V> {
    type Wide = Wide25<V>;
    type Order = Order<V>;

    #[inline(always)]
    fn order<const A: i32, const B: i32>(choice: Choice) -> Order<V> {
        let word = u32::from(black_box(choice.unwrap_u8())).wrapping_neg();
        Order(A, B, Mask(V::splat(word)))
    }

    #[inline(always)]
    fn permute_by(&self, order: Order<V>) -> Self {
        let Order(a, b, mask) = order;
        let limbs = &self.0;
        Self::select(
            &Self(each!(I => limbs[I].permute(a))),
            &Self(each!(I => limbs[I].permute(b))),
            mask,
        )
    }

    #[inline(always)]
    fn mul_wide(&self, rhs: &Self) -> Wide25<V> {
        Wide25(Self::mul(self, rhs).0)
    }

    #[inline(always)]
    fn narrow(wide: Wide25<V>) -> Self {
        debug_assert!(within(&wide.0, 17 * 64, 17 * 64));
        Self(carry_narrow(&wide.0))
    }

    #[inline(always)]
    fn wide_add<const LANES: u8>(a: Wide25<V>, b: Wide25<V>) -> Wide25<V> {
        Wide25(each!(I => V::blend::<LANES>(a.0[I], a.0[I].add(b.0[I]))))
    }

    #[inline(always)]
    fn wide_neg(a: Wide25<V>) -> Wide25<V> {
        Wide25(each!(I => V::splat(FOUR_P[I] as u32).sub(a.0[I])))
    }

    #[inline(always)]
    fn wide_permute<const ORDER: i32>(a: Wide25<V>) -> Wide25<V> {
        Wide25(each!(I => a.0[I].permute(ORDER)))
    }

    #[inline(always)]
    fn wide_blend<const LANES: u8>(a: Wide25<V>, b: Wide25<V>) -> Wide25<V> {
        Wide25(each!(I => V::blend::<LANES>(a.0[I], b.0[I])))
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
        let (a, b) = (self.limbs(), rhs.limbs());
        let minus = difference(a, b, &TWO_P);
        Self(carry_narrow(
            &each!(I => V::blend::<MINUS>(a[I].add(b[I]), minus[I])),
        ))
    }
}

#[cfg(test)]
impl<V: Words32> super::tests::Limbed for Narrow25<V> {
    fn carried(mut pick: impl FnMut(u64) -> u64) -> (Self, std::vec::Vec<num_bigint::BigUint>) {
        use num_bigint::BigUint;
        let mut limbs = [[0; 4]; 10];
        let mut classes = std::vec::Vec::new();
        let p = (BigUint::from(1u8) << 255) - 19u8;
        for lane in 0..4 {
            let mut sum = BigUint::ZERO;
            for (i, limb) in limbs.iter_mut().enumerate() {
                let word = pick((65 << (bits(i) - 6)) - 1);
                limb[lane] = word as u32;
                sum += BigUint::from(word) << (51 * i).div_ceil(2);
            }
            classes.push(sum % &p);
        }
        (Self(limbs.map(V::new)), classes)
    }
}
