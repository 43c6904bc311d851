//! Nine limbs of 29 bits with a sign, in words of 64 bits: the representation for WebAssembly, whose multiplication gives 64
//! bits, and where instructions count: an engine keeps most of a product on its stack.
//!
//! Limb i has weight 2^29i, and 2^261 = 1216. Bounds of the magnitude of limbs, in units of 2^28:
//!
//! * carried: 1 + 2^-13;
//! * from `add` or `sub`: twice that, and good as a factor: nine products of such limbs are below 2^61.2;
//! * `add_loose` and `sub_loose` carry.

use super::{Arithmetic, Field, Operand, Packed, of_one_element};
use crate::ct::Mask;
use core::hint::black_box;
use core::ops::{Add, BitAnd, Mul, Shr, Sub};
use subtle::Choice;

type Limbs = [i64; 9];

/// What computes as limbs do: integers of 64 bits, and in tests all of them within bounds.
trait Limb:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Add<i64, Output = Self>
    + Sub<i64, Output = Self>
    + Mul<i64, Output = Self>
    + BitAnd<i64, Output = Self>
    + Shr<i32, Output = Self>
{
}

impl<T> Limb for T where
    T: Copy
        + Add<Output = T>
        + Sub<Output = T>
        + Mul<Output = T>
        + Add<i64, Output = T>
        + Sub<i64, Output = T>
        + Mul<i64, Output = T>
        + BitAnd<i64, Output = T>
        + Shr<i32, Output = T>
{
}

/// A carried element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field29(Limbs);

/// A sum or difference, good as a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loose29(Limbs);

const MASK: i64 = (1 << 29) - 1;
/// Half of the range of a limb.
const HALF: i64 = 1 << 28;
/// 2^261.
const FOLD: i64 = 1216;
/// The most that a carried limb may be.
const CARRIED: i64 = HALF + (1 << 15);

/// An array of nine, with an expression for each index. Not `from_fn`: an engine copies arrays by a call when they are
/// longer than a few words, and so they are copied limb by limb here.
macro_rules! each {
    ($i:ident => $limb:expr) => {
        each!($i $limb, 0 1 2 3 4 5 6 7 8)
    };
    ($i:ident $limb:expr, $($index:literal)*) => {
        [$({
            const $i: usize = $index;
            $limb
        }),*]
    };
}

fn within(limbs: &Limbs, most: i64) -> bool {
    limbs.iter().all(|limb| limb.abs() <= most)
}

impl Operand<Self> for Field29 {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(within(&self.0, CARRIED));
        &self.0
    }
}

impl Operand<Field29> for Loose29 {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(within(&self.0, 2 * CARRIED));
        &self.0
    }
}

/// Carries limbs below 16 units, all at once. What goes over is 8 at most. A macro, because functions of constants are not
/// generic.
macro_rules! carried_narrow {
    ($l:ident) => {
        each!(I => {
            let over = ($l[I] + HALF) >> 29;
            let below = ($l[(I + 8) % 9] + HALF) >> 29;
            $l[I] - over * (MASK + 1) + if I == 0 { below * FOLD } else { below }
        })
    };
}

#[inline(always)]
const fn carry_narrow(l: &Limbs) -> Limbs {
    carried_narrow!(l)
}

/// Carries columns below 2^62 in magnitude.
///
/// Two chains, from 0 to 4 and from 4 to 8, so that they run side by side. What goes over is below 2^33, so that limb 5 may exceed
/// its half by 2^5, limb 0 before its last carry by 2^43.3, and limb 1 by 2^14.3.
#[inline(always)]
fn carry_chains<T: Limb>(mut t: [T; 9]) -> [T; 9] {
    macro_rules! carry {
        ($from:literal -> $to:literal $(, $times:expr)?) => {
            let raised = t[$from] + HALF;
            t[$to] = t[$to] + (raised >> 29) $(* $times)?;
            t[$from] = (raised & MASK) - HALF;
        };
    }
    carry!(0 -> 1);
    carry!(4 -> 5);
    carry!(1 -> 2);
    carry!(5 -> 6);
    carry!(2 -> 3);
    carry!(6 -> 7);
    carry!(3 -> 4);
    carry!(7 -> 8);
    carry!(4 -> 5);
    carry!(8 -> 0, FOLD);
    carry!(0 -> 1);
    t
}

/// Carries the columns of a product, each below 2^61.3 in magnitude: those above are folded in two parts, of 29 bits and
/// what is over, which is below 2^32.3.
#[inline(always)]
fn carry_wide<T: Limb>(c: [T; 17]) -> [T; 9] {
    carry_chains(each!(I => {
        // Of the eight columns above, that of limb I, and what is over the one below.
        let folded = if I == 0 {
            c[9] & MASK
        } else if I == 8 {
            c[16] >> 29
        } else {
            (c[(9 + I) % 17] & MASK) + (c[(8 + I) % 17] >> 29)
        };
        c[I] + folded * FOLD
    }))
}

/// Polynomials of degree 2 in 2^29, of which three with powers of 2^87 make an element.
type Part<T> = [T; 3];

#[inline(always)]
fn parts<T: Limb>(a: &[T; 9]) -> [Part<T>; 3] {
    [[a[0], a[1], a[2]], [a[3], a[4], a[5]], [a[6], a[7], a[8]]]
}

#[inline(always)]
fn sum<T: Limb>([a, b, c]: Part<T>, [d, e, f]: Part<T>) -> Part<T> {
    [a + d, b + e, c + f]
}

#[inline(always)]
fn product<T: Limb>([a, b, c]: Part<T>, [d, e, f]: Part<T>) -> [T; 5] {
    [
        a * d,
        a * e + b * d,
        a * f + b * e + c * d,
        b * f + c * e,
        c * f,
    ]
}

/// By Karatsuba, in three parts: 54 products of limbs in place of 81. Those of sums of two loose parts are below 3 * 2^60 together.
#[inline(always)]
fn mul_inline<T: Limb>(a: &[T; 9], b: &[T; 9]) -> [T; 9] {
    let ([a0, a1, a2], [b0, b1, b2]) = (parts(a), parts(b));
    let (p0, p1, p2) = (product(a0, b0), product(a1, b1), product(a2, b2));
    let s01 = product(sum(a0, a1), sum(b0, b1));
    let s02 = product(sum(a0, a2), sum(b0, b2));
    let s12 = product(sum(a1, a2), sum(b1, b2));
    let x = |i: usize| s01[i] - p0[i] - p1[i];
    let y = |i: usize| s02[i] - p0[i] - p2[i] + p1[i];
    let z = |i: usize| s12[i] - p1[i] - p2[i];
    carry_wide([
        p0[0],
        p0[1],
        p0[2],
        p0[3] + x(0),
        p0[4] + x(1),
        x(2),
        x(3) + y(0),
        x(4) + y(1),
        y(2),
        y(3) + z(0),
        y(4) + z(1),
        z(2),
        z(3) + p2[0],
        z(4) + p2[1],
        p2[2],
        p2[3],
        p2[4],
    ])
}

/// Products of limbs that differ count twice.
#[inline(always)]
fn square_inline<T: Limb>(a: &[T; 9]) -> [T; 9] {
    let d = each!(I => a[I] * 2);
    carry_wide([
        a[0] * a[0],
        d[0] * a[1],
        d[0] * a[2] + a[1] * a[1],
        d[0] * a[3] + d[1] * a[2],
        d[0] * a[4] + d[1] * a[3] + a[2] * a[2],
        d[0] * a[5] + d[1] * a[4] + d[2] * a[3],
        d[0] * a[6] + d[1] * a[5] + d[2] * a[4] + a[3] * a[3],
        d[0] * a[7] + d[1] * a[6] + d[2] * a[5] + d[3] * a[4],
        d[0] * a[8] + d[1] * a[7] + d[2] * a[6] + d[3] * a[5] + a[4] * a[4],
        d[1] * a[8] + d[2] * a[7] + d[3] * a[6] + d[4] * a[5],
        d[2] * a[8] + d[3] * a[7] + d[4] * a[6] + a[5] * a[5],
        d[3] * a[8] + d[4] * a[7] + d[5] * a[6],
        d[4] * a[8] + d[5] * a[7] + a[6] * a[6],
        d[5] * a[8] + d[6] * a[7],
        d[6] * a[8] + a[7] * a[7],
        d[7] * a[8],
        a[8] * a[8],
    ])
}

#[inline(always)]
fn mul_121666<T: Limb>(a: &[T; 9]) -> [T; 9] {
    carry_chains(each!(I => a[I] * 121_666))
}

#[inline(never)]
fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    mul_inline(a, b)
}

#[inline(never)]
fn square(a: &Limbs) -> Limbs {
    square_inline(a)
}

/// `n` squarings, which pass nothing through memory.
#[inline(never)]
fn square_times(a: &Limbs, n: u32) -> Limbs {
    let mut r = each!(I => a[I]);
    for _ in 0..n {
        r = square_inline(&r);
    }
    r
}

/// Computes an element in a block of its own, by a condition that is always true and that the
/// compilers do not know.
///
/// V8 mixes all that one block computes, and so keeps most of it on the stack. An element that stays in
/// a function costs half of one that goes through memory to another.
#[inline(always)]
fn apart(element: impl FnOnce() -> Limbs) -> Field29 {
    if black_box(true) {
        Field29(element())
    } else {
        Field29::ZERO
    }
}

impl Field29 {
    #[cfg(test)]
    pub(super) const fn from_limbs(limbs: Limbs) -> Self {
        Self(limbs)
    }

    #[cfg(test)]
    pub(super) const fn loose_from_limbs(limbs: Limbs) -> Loose29 {
        Loose29(limbs)
    }

    const fn from_words(w: [u64; 4]) -> Self {
        let mut limbs = [0; 9];
        let mut i = 0;
        while i < 9 {
            let (word, shift) = (29 * i / 64, 29 * i % 64);
            let mut chunk = w[word] >> shift;
            if shift > 64 - 29 && word < 3 {
                chunk |= w[word + 1] << (64 - shift);
            }
            limbs[i] = chunk as i64 & MASK;
            i += 1;
        }
        // The highest has 24 bits.
        Self(carry_narrow(&limbs))
    }
}

impl Arithmetic for Field29 {
    type Limbs = Limbs;
    type Loose = Loose29;
    type Mask = Mask;

    const ZERO: Self = Self([0; 9]);
    const ONE: Self = Self([1, 0, 0, 0, 0, 0, 0, 0, 0]);
    const TWO: Self = Self([2, 0, 0, 0, 0, 0, 0, 0, 0]);
    const D: Self = Self::from_words(super::packed::D);
    const D2: Self = Self::from_words(super::packed::D2);
    const SQRT_M1: Self = Self::from_words(super::packed::SQRT_M1);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&self, rhs: &Self) -> Loose29 {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose29(each!(I => a[I] + b[I]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(&self, rhs: &Self) -> Loose29 {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose29(each!(I => a[I] - b[I]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose29 {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose29(carry_narrow(&each!(I => a[I] + b[I])))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose29 {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose29(carry_narrow(&each!(I => a[I] - b[I])))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(carry_narrow(value.limbs()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        let product = mul(lhs.limbs(), rhs.limbs());
        Self(each!(I => product[I]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square(value: &impl Operand<Self>) -> Self {
        let square = square(value.limbs());
        Self(each!(I => square[I]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_in_place(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        apart(|| mul_inline(a, b))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square_in_place(value: &impl Operand<Self>) -> Self {
        let a = value.limbs();
        apart(|| square_inline(a))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        let power = square_times(value.limbs(), n);
        Self(each!(I => power[I]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        let a = value.limbs();
        Self(mul_121666(a))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn select(a: &Self, b: &Self, mask: Mask) -> Self {
        Self(each!(I => select(a.0[I], b.0[I], mask)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn neg(&self) -> Self {
        Self(each!(I => -self.0[I]))
    }

    of_one_element!();
}

#[inline(always)]
fn select(a: i64, b: i64, mask: Mask) -> i64 {
    mask.select(a as u64, b as u64) as i64
}

#[inline(always)]
fn select_loose(a: &Loose29, b: &Loose29, mask: Mask) -> Loose29 {
    Loose29(each!(I => select(a.0[I], b.0[I], mask)))
}

impl Field for Field29 {
    #[inline(always)]
    fn from_packed(value: &Packed) -> Self {
        Self::from_words(value.0)
    }

    #[inline(never)]
    fn to_packed(&self) -> Packed {
        // 2^261 - 1216, a multiple of p, makes all limbs positive: above 2^27 and below 2^30.
        let mut l: [u64; 9] =
            each!(I => (self.limbs()[I] + if I == 0 { MASK + 1 - FOLD } else { MASK }) as u64);
        // What is above bit 255, below 2^7, comes down 19 times.
        l[0] += 19 * (l[8] >> 23);
        l[8] &= (1 << 23) - 1;
        let mut words = [0; 4];
        let mut over = 0;
        for (i, limb) in l.into_iter().enumerate() {
            let limb = limb + over;
            // Nothing is over the highest: the value is below 2^256.
            let bits = if i < 8 { limb & MASK as u64 } else { limb };
            over = limb >> 29;
            let (word, shift) = (29 * i / 64, 29 * i % 64);
            words[word] |= bits << shift;
            if shift > 64 - 29 && word < 3 {
                words[word + 1] |= bits >> (64 - shift);
            }
        }
        Packed(words)
    }

    /// As [`formulas::step`](super::formulas::step), but the point that is doubled is chosen after the sums: that of P and Q is the
    /// same whichever is which, up to the sign of a difference that is squared.
    #[inline(always)]
    fn ladder(u: &Self, bits: impl Iterator<Item = Choice>) -> (Self, Self) {
        let (mut pu, mut pw) = (Self::ONE, Self::ZERO);
        let (mut qu, mut qw) = (*u, Self::ONE);
        let mut swapped = Choice::from(0);
        for bit in bits {
            let mask = Mask::from(swapped ^ bit);
            swapped = bit;
            let (a, b) = (pu.add(&pw), pu.sub(&pw));
            let (c, d) = (qu.add(&qw), qu.sub(&qw));
            let (da, cb) = (Self::mul_in_place(&d, &a), Self::mul_in_place(&c, &b));
            let (a, b) = (select_loose(&a, &c, mask), select_loose(&b, &d, mask));
            let (aa, bb) = (Self::square_in_place(&a), Self::square_in_place(&b));
            let e = aa.sub(&bb);
            pu = Self::mul_in_place(&aa, &bb);
            pw = Self::mul_in_place(&e, &bb.add(&Self::mul_121666(&e)));
            qu = Self::square_in_place(&da.add(&cb));
            qw = Self::mul_in_place(u, &Self::square_in_place(&da.sub(&cb)));
        }
        let mask = Mask::from(swapped);
        (Self::select(&pu, &qu, mask), Self::select(&pw, &qw, mask))
    }
}

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
mod bounds;

#[cfg(test)]
mod tests {
    use super::super::{formulas, radix25::Field25};
    use super::{Choice, Field, Field29, Packed};
    use proptest::prelude::*;

    /// u(nP) by a ladder.
    fn by<F: Field>(u: &Packed, bits: &[bool], ladder: fn(&F, &[Choice]) -> (F, F)) -> Packed {
        let bits: std::vec::Vec<_> = bits
            .iter()
            .map(|&bit| Choice::from(u8::from(bit)))
            .collect();
        let (u, w) = ladder(&F::from_packed(u), &bits);
        F::mul(&u, &super::super::chains::invert(&w)).to_packed()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_ladder_is_that_of_the_formulas(u: [u64; 4], bits in proptest::collection::vec(any::<bool>(), 0..260)) {
            let u = Packed(u);
            let here = by::<Field29>(&u, &bits, |u, bits| Field29::ladder(u, bits.iter().copied()));
            let there = by::<Field25>(&u, &bits, |u, bits| formulas::ladder(u, bits.iter().copied()));
            prop_assert_eq!(here.freeze().0, there.freeze().0);
        }
    }
}
