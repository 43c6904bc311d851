//! The arithmetic of points: each formula is shuffles and two products.

use crate::field::{self, Lanes, add, mul, negate, number, order, square, square_times};
use crate::linear::linear;
use lanner_wasm_curve::each;
use lanner_wasm_curve::edwards::{
    DOUBLE, FACTORS, IDENTITY, Matrix, NEGATIVE, Point, SQUARED, SUM, Summand, TWICE_D,
    encode_affine, vartime_is_zero,
};
use lanner_wasm_curve::field::{Quad, power, small};
use lanner_wasm_curve::vector::Four;

const ZERO: [u8; 32] = [0; 32];
const ONE: [u8; 32] = number(1);

#[inline(never)]
pub(crate) fn summand(p: &Point) -> Summand {
    static LAST: Quad = field::quad([&ONE, &ONE, &number(2), &TWICE_D]);
    mul(&linear!(p, FACTORS), &LAST)
}

/// -p as a summand, given p: Y - X and Y + X trade places.
#[inline(always)]
pub(crate) fn opposite(p: &Summand) -> Summand {
    const OPPOSITE: Matrix = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, -1]];
    linear!(p, OPPOSITE)
}

/// p + q: any two points, in constant time.
#[inline(never)]
pub(crate) fn sum(p: &Point, q: &Summand) -> Point {
    let abcd = mul(&linear!(p, FACTORS), q);
    mul(&linear!(abcd, SUM[0]), &linear!(abcd, SUM[1]))
}

/// 2p.
#[inline(never)]
pub(crate) fn double(p: &Point) -> Point {
    let abcd = square(&linear!(p, SQUARED));
    mul(&linear!(abcd, DOUBLE[0]), &linear!(abcd, DOUBLE[1]))
}

/// -p.
pub(crate) fn negated(p: &Point) -> Point {
    linear!(p, NEGATIVE)
}

/// [`power`] of the first lanes.
#[inline(never)]
pub(crate) fn raised(z: &Quad, lanes: usize) -> Quad {
    let mut x = *z;
    power(&mut Lanes(lanes), &mut x);
    x
}

/// 1/z, and 0 for 0, in lane 0: z^(p - 2), p - 2 = 8 (p - 5) / 8 + 3.
#[inline(never)]
fn invert(z: &Quad) -> Quad {
    let cube = mul(&square(z), z);
    mul(&square_times(&raised(z, 1), 3, 1), &cube)
}

pub(crate) fn encode(p: &Point) -> [u8; 32] {
    let inverse = invert(&order::<2, 2, 2, 2>(p));
    encode_affine::<Lanes>(&mul(p, &order::<0, 0, 0, 0>(&inverse)))
}

/// The encodings of two points, for one inversion.
pub(crate) fn encode_both([p, q]: [&Point; 2]) -> [[u8; 32]; 2] {
    let (z, w) = (order::<2, 2, 2, 2>(p), order::<2, 2, 2, 2>(q));
    let inverse = order::<0, 0, 0, 0>(&invert(&mul(&z, &w)));
    [
        encode_affine::<Lanes>(&mul(p, &mul(&inverse, &w))),
        encode_affine::<Lanes>(&mul(q, &mul(&inverse, &z))),
    ]
}

/// (x, none): where none is 0, v x^2 = 2u, and elsewhere there is no such x.
///
/// Atkin's root (1992), without a division: if there is an x, and u is not 0, w = uv is no square, so that with
/// b = w^((p - 5) / 8) the square of i = w b^2 is -1, and x = u b (i - 1). If there is none, that square is 1, or v
/// alone is 0, and i with it.
#[inline(never)]
pub(crate) fn vartime_root(u: &Quad, v: &Quad, lanes: usize) -> (Quad, Quad) {
    let w = mul(u, v);
    let b = raised(&w, lanes);
    let i = mul(&w, &square(&b));
    let x = mul(&add(&i, &const { small([-1; 4]) }), &mul(u, &b));
    (x, mul(&add(&square(&i), &const { small([1; 4]) }), u))
}

/// The points of two encodings, canonical or not (y up to 2^255 - 1, a sign bit where x = 0); not
/// in constant time.
#[inline(never)]
pub(crate) fn vartime_decode(encodings: [&[u8; 32]; 2]) -> Option<[Point; 2]> {
    static FACTOR: Quad = field::quad([&TWICE_D, &TWICE_D, &ZERO, &ZERO]);
    let y = field::quad([encodings[0], encodings[1], &ZERO, &ZERO]);
    let yy = square(&y);
    let u = add(&yy, &const { small([-1; 4]) });
    let v = add(&mul(&yy, &FACTOR), &const { small([2; 4]) });
    // v is the double of the RFC's.
    let (x, none) = vartime_root(&u, &v, 2);
    let mut points = [IDENTITY; 2];
    for (lane, point) in points.iter_mut().enumerate() {
        if !vartime_is_zero::<Lanes>(&none, lane) {
            return None;
        }
        let mut root = x;
        if field::to_bytes(&root, lane)[0] & 1 != encodings[lane][31] >> 7 {
            root = negate(&root);
        }
        // X, Y, Z and X times 1, 1, 1 and Y.
        let limb = |i: usize| (root[i].words()[lane], y[i].words()[lane], i32::from(i == 0));
        let left: Quad = each!(10, J => {
            let (x, y, one) = limb(J);
            Four::new([x, y, one, x])
        });
        let right: Quad = each!(10, J => {
            let (_, y, one) = limb(J);
            Four::new([one, one, one, y])
        });
        *point = mul(&left, &right);
    }
    Some(points)
}
