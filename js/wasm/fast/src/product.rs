//! Products of four pairs of elements.
//!
//! V8 mixes all that one block of code computes, and what does not fit in registers goes to the
//! stack and back. Products are therefore computed in parts that read their factors from memory
//! of which the compiler knows nothing (`black_box`).

use core::hint::black_box;

use crate::field::{EVEN, ODD, Quad, Ring, carry, each, times_19};
use lanner_wasm_vector::{Four, Two};

/// Sums of products: of lanes 0 and 1, and of lanes 2 and 3.
type Sum = [Two; 2];

#[inline(always)]
fn plus(a: Sum, b: Sum) -> Sum {
    [a[0].add(b[0]), a[1].add(b[1])]
}

#[inline(always)]
fn products(a: Four, b: Four) -> Sum {
    [a.products(b), a.last_products(b)]
}

macro_rules! sum {
    ($a:ident $b:ident $(, $as:ident $bs:ident)*) => {{
        let sum = products($a, $b);
        $(let sum = plus(sum, products($as, $bs));)*
        sum
    }};
}

/// The product of polynomials; r is 19 b.
#[inline(always)]
fn ring_mul([a, b, r]: [&Ring; 3]) -> [Sum; 5] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (*a, *b);
    let [_, r1, r2, r3, r4] = *r;
    [
        sum!(a0 b0, a1 r4, a2 r3, a3 r2, a4 r1),
        sum!(a0 b1, a1 b0, a2 r4, a3 r3, a4 r2),
        sum!(a0 b2, a1 b1, a2 b0, a3 r4, a4 r3),
        sum!(a0 b3, a1 b2, a2 b1, a3 b0, a4 r4),
        sum!(a0 b4, a1 b3, a2 b2, a3 b1, a4 b0),
    ]
}

/// The square of a polynomial; r is 19 b.
#[inline(always)]
fn ring_square([b, r]: [&Ring; 2]) -> [Sum; 5] {
    let [b0, b1, b2, b3, b4] = *b;
    let [_, _, _, r3, r4] = *r;
    let (d0, d1, d2, d3) = (b0.add(b0), b1.add(b1), b2.add(b2), b3.add(b3));
    [
        sum!(b0 b0, d1 r4, d2 r3),
        sum!(d0 b1, d2 r4, b3 r3),
        sum!(d0 b2, b1 b1, d3 r4),
        sum!(d0 b3, d1 b2, b4 r4),
        sum!(d0 b4, d1 b3, b2 b2),
    ]
}

/// The even limbs, the odd ones and their sums.
type Parts = [Ring; 3];

#[inline(always)]
fn parts(a: &Quad) -> Parts {
    [
        each!(5, I => a[I]),
        each!(5, I => a[5 + I]),
        each!(5, I => a[I].add(a[5 + I])),
    ]
}

/// 19 times polynomials, but for the lowest coefficients, which nobody needs.
#[inline(always)]
fn times_19_each([even, odd, both]: &Parts) -> Parts {
    const NINETEEN: Four = Four::new([19; 4]);
    let times = |a: &Ring| each!(5, I => if I == 0 { a[0] } else { a[I].mul(NINETEEN) });
    [times(even), times(odd), times(both)]
}

/// From the products of the parts to those of the elements.
#[inline(always)]
fn combine<const N: usize>(factors: [&Parts; N], ring: impl Fn([&Ring; N]) -> [Sum; 5]) -> Quad {
    let even = ring(factors.map(|parts| &black_box(parts)[0]));
    let even = black_box(&even);
    let odd = ring(factors.map(|parts| &black_box(parts)[1]));
    let odd = black_box(&odd);
    let both = ring(factors.map(|parts| &black_box(parts)[2]));
    let both = black_box(&both);
    let low = columns::<0>([even, odd, both]);
    let low = black_box(&low);
    let high = columns::<1>([even, odd, both].map(black_box));
    each!(10, I => Four::pack(low[I], high[I]))
}

/// What is added to the columns so that they are not negative is a multiple of p: 2^62 less
/// `MULTIPLE` in even limbs and 2^61 less it in odd ones, and another 18 of it less in the lowest.
const MULTIPLE: i64 = 1 << 36;

/// Half of the lanes, carried.
///
/// For factors of 4.1 and 1 + 2^-16 units, a column is below 2^61.5 in absolute value.
#[inline(always)]
fn columns<const HALF: usize>([even, odd, both]: [&[Sum; 5]; 3]) -> [Two; 10] {
    let t: [Two; 10] = each!(10, I => if I < 5 {
        let odd = odd[(I + 4) % 5][HALF];
        let twice = odd.add(odd);
        even[I % 5][HALF]
            .add(if I == 0 { times_19(twice) } else { twice })
            .add(Two::splat((1 << 62) - if I == 0 { 19 * MULTIPLE } else { MULTIPLE }))
    } else {
        both[I - 5][HALF]
            .sub(even[I - 5][HALF])
            .sub(odd[I - 5][HALF])
            .add(Two::splat((1 << 61) - MULTIPLE))
    });
    carry_wide(t)
}

/// Two chains, from limb 0 to 5 and from 5 to 0 and 1.
#[inline(always)]
fn carry_wide(mut t: [Two; 10]) -> [Two; 10] {
    macro_rules! step {
        ($($i:literal),*) => {$(
            let (from, to) = ($i % 2 * 5 + $i / 2, ($i + 1) % 2 * 5 + ($i + 1) % 10 / 2);
            let over = if $i % 2 == 0 { t[from].shr::<26>() } else { t[from].shr::<25>() };
            t[from] = t[from].and(Two::splat(if $i % 2 == 0 { EVEN } else { ODD }));
            t[to] = t[to].add(if $i == 9 { times_19(over) } else { over });
        )*};
    }
    step!(0, 5, 1, 6, 2, 7, 3, 8, 4, 9, 5, 0);
    t
}

#[inline(never)]
pub(crate) fn mul(a: &Quad, b: &Quad) -> Quad {
    let (a, b) = (parts(a), parts(&carry(b)));
    let r = times_19_each(&b);
    combine([&a, &b, &r], ring_mul)
}

#[inline(never)]
pub(crate) fn square(b: &Quad) -> Quad {
    let b = parts(&carry(b));
    let r = times_19_each(&b);
    combine([&b, &r], ring_square)
}
