//! Whether points have a component of small order, four side by side, by two exponentiations each.
//!
//! The way is that of `lanner-curve` (`edwards/characters.rs`, which says why it is right): with u = (Z + Y) / (Z - Y), the
//! component is even exactly if u is a square; of a root w, and v the other coordinate of Montgomery's curve, comes a point
//! of the curve that is mapped to this one by an isogeny of degree 2,
//! and a function there is a fourth power exactly if the component is 0.

use crate::field::{self, Lanes, mul, quad, square};
use crate::point::{raised, vartime_root};
use lanner_wasm_curve::each;
use lanner_wasm_curve::edwards::{Point, vartime_is_zero};
use lanner_wasm_curve::field::{Quad, ZERO, constant, small};
use lanner_wasm_curve::vector::Four;

/// A + 2 of Montgomery's curve, with A = 486662.
const A_PLUS_2: [u8; 32] =
    constant("0000000000000000000000000000000000000000000000000000000000076d08");

/// sqrt(A + 2) + 2.
const LAMBDA: [u8; 32] =
    constant("141b0b6806563d503de05885280b59109ca5ee38d7b56c9c165db7106377bbda");

/// The root of -(A + 2) by which Edwards' curve and Montgomery's belong together.
const ROOT: [u8; 32] = constant("0f26edf460a006bbd27b08dc03fc4f7ec5a1d3d14b7d1a82cc6e04aaff457e06");

#[inline(never)]
fn add(a: &Quad, b: &Quad) -> Quad {
    field::add(a, b)
}

#[inline(never)]
fn sub(a: &Quad, b: &Quad) -> Quad {
    each!(10, I => a[I].sub(b[I]))
}

/// A coordinate of four points.
#[inline(never)]
fn coordinate(points: [&Point; 4], lane: usize) -> Quad {
    let mut quad = ZERO;
    for (i, limbs) in quad.iter_mut().enumerate() {
        *limbs = Four::new(points.map(|point| point[i].words()[lane]));
    }
    quad
}

/// False where one of them has such a component, and for the neutral element, which is left to others. Not in constant
/// time.
#[inline(never)]
pub(crate) fn vartime_have_none(points: [&Point; 4]) -> bool {
    static CONSTANTS: [Quad; 4] = [
        quad([&ROOT; 4]),
        quad([&A_PLUS_2; 4]),
        quad([&LAMBDA; 4]),
        small([-1; 4]),
    ];
    let [root, a_plus_2, lambda, minus_1] = &CONSTANTS;
    let [x, y, z] = [0, 1, 2].map(|lane| coordinate(points, lane));
    let difference = sub(&z, &y);
    // (Z - Y) w^2 = Z + Y.
    let (w, odd) = vartime_root(&add(&z, &y), &add(&difference, &difference), 4);
    // v = sqrt(-(A + 2)) u Z/X, so v/w = sqrt(-(A + 2)) w Z/X. With n = (u - 1 - v/w) X it is U - A - 2 = 2n/X and
    // U = (2n + (A + 2) X)/X.
    let v = mul(&mul(&w, root), &z);
    let u_minus_1 = add(&square(&w), minus_1);
    let n = sub(&mul(&u_minus_1, &x), &v);
    let u = add(&add(&n, &n), &mul(&x, a_plus_2));
    // V - λ (U - A - 2) = 2m/X, and so f = 2 m^2/(n X), or as well f (n X)^4.
    let m = sub(&mul(&u, &w), &mul(&n, lambda));
    let denominator = mul(&n, &x);
    let value = mul(&square(&m), &mul(&square(&denominator), &denominator));
    let value = add(&value, &value);
    // Its power (p - 1) / 4 is 1, where (p - 1) / 4 = 2 (p - 5) / 8 + 1.
    let symbol = mul(&value, &square(&raised(&value, 4)));
    let other = add(&symbol, minus_1);
    (0..4)
        .all(|lane| vartime_is_zero::<Lanes>(&odd, lane) && vartime_is_zero::<Lanes>(&other, lane))
}
