//! The arithmetic of points: each formula is shuffles and two products.

use crate::field::{self, Lanes, add, mul, negate, number, order, square, square_times};
use crate::linear::linear;
use lanner_wasm_curve::each;
use lanner_wasm_curve::edwards::{
    D, DOUBLE, FACTORS, I, IDENTITY, Matrix, NEGATIVE, Point, SQUARED, SUM, Summand, encode_affine,
    vartime_is_zero,
};
use lanner_wasm_curve::field::{Quad, constant, power, small};
use lanner_wasm_curve::vector::Four;

const ZERO: [u8; 32] = [0; 32];
const ONE: [u8; 32] = number(1);

/// 2d - p.
const D2: [u8; 32] = constant("2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159");

#[inline(never)]
pub(crate) fn summand(p: &Point) -> Summand {
    static LAST: Quad = field::quad([&ONE, &ONE, &number(2), &D2]);
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

/// [`power`] of an element.
#[inline(always)]
fn raised<const LANES: usize>(z: &Quad) -> Quad {
    let mut x = *z;
    power(&mut Lanes::<LANES>, &mut x);
    x
}

/// 1/z, and 0 for 0, in lane 0: z^(p - 2), p - 2 = 8 (p - 5) / 8 + 3.
#[inline(never)]
fn invert(z: &Quad) -> Quad {
    let cube = mul(&square(z), z);
    mul(&square_times::<1>(&raised::<1>(z), 3), &cube)
}

pub(crate) fn encode(p: &Point) -> [u8; 32] {
    let inverse = invert(&order::<2, 2, 2, 2>(p));
    encode_affine::<Lanes<1>>(&mul(p, &order::<0, 0, 0, 0>(&inverse)))
}

/// The encodings of two points, for one inversion.
pub(crate) fn encode_both([p, q]: [&Point; 2]) -> [[u8; 32]; 2] {
    let (z, w) = (order::<2, 2, 2, 2>(p), order::<2, 2, 2, 2>(q));
    let inverse = order::<0, 0, 0, 0>(&invert(&mul(&z, &w)));
    [
        encode_affine::<Lanes<1>>(&mul(p, &mul(&inverse, &w))),
        encode_affine::<Lanes<1>>(&mul(q, &mul(&inverse, &z))),
    ]
}

/// The points of two encodings, canonical or not (y up to 2^255 - 1, a sign bit where x = 0); not
/// in constant time.
#[inline(never)]
pub(crate) fn vartime_decode(encodings: [&[u8; 32]; 2]) -> Option<[Point; 2]> {
    static DD: Quad = field::quad([&D, &D, &ZERO, &ZERO]);
    static II: Quad = field::quad([&I, &I, &ZERO, &ZERO]);
    let y = field::quad([encodings[0], encodings[1], &ZERO, &ZERO]);
    let yy = square(&y);
    let u = add(&yy, &const { small([-1; 4]) });
    let v = add(&mul(&yy, &DD), &const { small([1; 4]) });
    // x = u v^3 (u v^7)^((p - 5) / 8), RFC 8032 section 5.1.3.
    let v3 = mul(&square(&v), &v);
    let uv3 = mul(&u, &v3);
    let uv7 = mul(&uv3, &mul(&v3, &v));
    let x = mul(&uv3, &raised::<2>(&uv7));
    let vxx = mul(&v, &square(&x));
    let difference = add(&vxx, &negate(&u));
    let sum = add(&vxx, &u);
    let xi = mul(&x, &II);
    let mut points = [IDENTITY; 2];
    for (lane, point) in points.iter_mut().enumerate() {
        let mut root = x;
        if !vartime_is_zero::<Lanes<1>>(&difference, lane) {
            if !vartime_is_zero::<Lanes<1>>(&sum, lane) {
                return None;
            }
            root = xi;
        }
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
