//! Points of edwards25519, -x^2 + y^2 = 1 + d x^2 y^2, in extended coordinates (Hisil, Wong,
//! Carter, Dawson 2008): X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z, side by side in four lanes.

use crate::field::{
    self, Quad, add, each, is_zero, mul, negate, number, order, square, square_times,
};
use lanner_wasm_vector::Four;

pub(crate) type Point = Quad;

/// A point as a summand: Y - X, Y + X, 2Z, 2dT.
pub(crate) type Summand = Quad;

const ZERO: [u8; 32] = [0; 32];
const ONE: [u8; 32] = number(1);

/// d = -121665/121666.
const D: [u8; 32] =
    field::constant("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3");

/// 2d - p.
const D2: [u8; 32] =
    field::constant("2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159");

/// A square root of -1.
const I: [u8; 32] =
    field::constant("2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0");

pub(crate) const IDENTITY: Point = field::small([0, 1, 1, 0]);

/// The base point's encoding, y = 4/5.
pub(crate) const BASE: [u8; 32] = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    bytes
};

/// What a formula makes of each limb.
macro_rules! limbs {
    ($v:ident of $a:expr => $value:expr) => {
        each!(10, I => {
            let $v = $a[I];
            $value
        })
    };
}

/// Lanes in an order, and times small factors.
macro_rules! lanes {
    ($v:ident, $a:literal $b:literal $c:literal $d:literal) => {
        $v.order::<$a, $b, $c, $d>()
    };
    ($v:ident, $a:literal $b:literal $c:literal $d:literal, $($factor:literal)*) => {
        $v.order::<$a, $b, $c, $d>().mul(const { Four::new([$($factor),*]) })
    };
}

/// Y - X, Y + X, Z, T.
#[inline(always)]
fn factors(p: &Point) -> Quad {
    limbs!(v of p => lanes!(v, 1 1 2 3).add(lanes!(v, 0 0 0 0, -1 1 0 0)))
}

#[inline(never)]
pub(crate) fn summand(p: &Point) -> Summand {
    static FACTORS: Quad = field::quad([&ONE, &ONE, &number(2), &D2]);
    mul(&factors(p), &FACTORS)
}

/// -p as a summand, given p: Y - X and Y + X trade places.
#[inline(always)]
pub(crate) fn opposite(p: &Summand) -> Summand {
    limbs!(v of p => lanes!(v, 1 0 2 3, 1 1 1 -1))
}

/// p + q. The formulas are complete: any two points, in constant time.
///
/// A = (Y1 - X1)(Y2 - X2), B = (Y1 + X1)(Y2 + X2), C = 2 Z1 Z2, D = 2 d T1 T2; E = B - A, F = C - D,
/// G = C + D, H = B + A; X = EF, Y = GH, Z = FG, T = EH.
#[inline(never)]
pub(crate) fn sum(p: &Point, q: &Summand) -> Point {
    let abcd = mul(&factors(p), q);
    mul(
        &limbs!(v of abcd => lanes!(v, 1 2 2 1).add(lanes!(v, 0 3 3 0, -1 1 -1 -1))),
        &limbs!(v of abcd => lanes!(v, 2 1 2 1).add(lanes!(v, 3 0 3 0, -1 1 1 1))),
    )
}

/// 2p.
///
/// All four change their sign against the paper, which the products do not show: from the squares
/// A of X, B of Y, C of Z, D of X + Y, E = A + B - D, F = 2C + G, G = A - B, H = A + B.
#[inline(never)]
pub(crate) fn double(p: &Point) -> Point {
    let abcd = square(&limbs!(v of p => lanes!(v, 0 1 2 1).add(lanes!(v, 0 0 0 0, 0 0 0 1))));
    mul(
        &limbs!(v of abcd => lanes!(v, 0 0 0 0)
            .add(lanes!(v, 1 1 1 1, 1 -1 -1 1))
            .add(lanes!(v, 3 3 2 3, -1 0 2 -1))),
        &limbs!(v of abcd => lanes!(v, 0 0 0 0)
            .add(lanes!(v, 1 1 1 1, -1 1 -1 1))
            .add(lanes!(v, 2 2 2 2, 2 0 0 0))),
    )
}

/// -p.
pub(crate) fn negated(p: &Point) -> Point {
    limbs!(v of p => lanes!(v, 0 1 2 3, -1 1 1 -1))
}

/// z^(2^252 - 3) = z^((p - 5) / 8), in lane 0, or in lanes 0 and 1.
#[inline(always)]
fn power<const LANES: usize>(z: &Quad) -> Quad {
    // z^(2^n - 1), with n going through the leading binary digits of 250.
    let mut x = *z;
    let mut n = 1;
    for digit in [1, 1, 1, 1, 0, 1, 0] {
        x = mul(&square_times::<LANES>(&x, n), &x);
        n *= 2;
        if digit == 1 {
            x = mul(&square(&x), z);
            n += 1;
        }
    }
    mul(&square_times::<LANES>(&x, 2), z)
}

/// 1/z, and 0 for 0, in lane 0: z^(p - 2), p - 2 = 8 (p - 5) / 8 + 3.
#[inline(never)]
fn invert(z: &Quad) -> Quad {
    let cube = mul(&square(z), z);
    mul(&square_times::<1>(&power::<1>(z), 3), &cube)
}

/// The encoding of a point with Z = 1.
#[inline(never)]
pub(crate) fn encode_affine(p: &Quad) -> [u8; 32] {
    let mut bytes = field::to_bytes(p, 1);
    bytes[31] |= field::to_bytes(p, 0)[0] << 7;
    bytes
}

pub(crate) fn encode(p: &Point) -> [u8; 32] {
    let inverse = invert(&order::<2, 2, 2, 2>(p));
    encode_affine(&mul(p, &order::<0, 0, 0, 0>(&inverse)))
}

/// The encodings of two points, for one inversion.
pub(crate) fn encode_both([p, q]: [&Point; 2]) -> [[u8; 32]; 2] {
    let (z, w) = (order::<2, 2, 2, 2>(p), order::<2, 2, 2, 2>(q));
    let inverse = order::<0, 0, 0, 0>(&invert(&mul(&z, &w)));
    [
        encode_affine(&mul(p, &mul(&inverse, &w))),
        encode_affine(&mul(q, &mul(&inverse, &z))),
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
    let u = add(&yy, &const { field::small([-1; 4]) });
    let v = add(&mul(&yy, &DD), &const { field::small([1; 4]) });
    // x = u v^3 (u v^7)^((p - 5) / 8), RFC 8032 section 5.1.3.
    let v3 = mul(&square(&v), &v);
    let uv3 = mul(&u, &v3);
    let uv7 = mul(&uv3, &mul(&v3, &v));
    let x = mul(&uv3, &power::<2>(&uv7));
    let vxx = mul(&v, &square(&x));
    let difference = add(&vxx, &negate(&u));
    let sum = add(&vxx, &u);
    let xi = mul(&x, &II);
    let mut points = [IDENTITY; 2];
    for (lane, point) in points.iter_mut().enumerate() {
        let mut root = x;
        if !is_zero(&difference, lane) {
            if !is_zero(&sum, lane) {
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

/// Whether 8p is the identity, that is whether 2p is one of the four points with xy = 0. Not in
/// constant time.
pub(crate) fn vartime_is_small_order(p: &Point) -> bool {
    is_zero(&double(p), 3)
}

/// Not in constant time.
pub(crate) fn vartime_is_identity(p: &Point) -> bool {
    let difference = limbs!(v of p => lanes!(v, 0 1 2 3).add(lanes!(v, 0 2 2 3, 0 -1 0 0)));
    is_zero(&difference, 0) && is_zero(&difference, 1)
}
