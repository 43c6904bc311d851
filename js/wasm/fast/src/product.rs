//! Products of four pairs of elements.
//!
//! V8 mixes all that one block of code computes, and what does not fit in registers goes to the
//! stack and back. Products are therefore computed in parts that read their factors from memory
//! of which the compiler knows nothing (`black_box`).

use core::hint::black_box;

use crate::field::carry;
use lanner_wasm_curve::each;
use lanner_wasm_curve::field::{Quad, Ring, combined, ring_mul, ring_square};
use lanner_wasm_curve::vector::{Four, Two};

/// Sums of products: of lanes 0 and 1, and of lanes 2 and 3.
type Sum = [Two; 2];

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

/// Half of the lanes, carried.
#[inline(always)]
fn columns<const HALF: usize>([even, odd, both]: [&[Sum; 5]; 3]) -> [Two; 10] {
    combined(|i| even[i][HALF], |i| odd[i][HALF], |i| both[i][HALF])
}

#[inline(never)]
pub(crate) fn mul(a: &Quad, b: &Quad) -> Quad {
    let (a, b) = (parts(a), parts(&carry(b)));
    let r = times_19_each(&b);
    combine([&a, &b, &r], |[a, b, r]| ring_mul(*a, *b, *r))
}

#[inline(never)]
pub(crate) fn square(b: &Quad) -> Quad {
    let b = parts(&carry(b));
    let r = times_19_each(&b);
    combine([&b, &r], |[b, r]| ring_square(*b, *r))
}
