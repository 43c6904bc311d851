//! Points of edwards25519, -x^2 + y^2 = 1 + d x^2 y^2, in extended coordinates (Hisil, Wong,
//! Carter, Dawson 2008): X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z.

use crate::field::{self, Fe, ONE, ZERO, add, mul, square, sub};
use crate::limbs::same;

pub(crate) type Point = [Fe; 4];

/// A point as a summand: Y - X, Y + X, 2dT, 2Z.
pub(crate) type Summand = [Fe; 4];

/// d = -121665/121666.
const D: Fe = field::constant("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3");

/// A square root of -1.
const I: Fe = field::constant("2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0");

pub(crate) const IDENTITY: Point = [ZERO, ONE, ONE, ZERO];

/// The base point's encoding, y = 4/5.
pub(crate) const BASE: [u8; 32] = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    bytes
};

#[inline(never)]
fn mul4(a: &[Fe; 4], b: &[Fe; 4]) -> [Fe; 4] {
    let mut c = [ZERO; 4];
    for i in 0..4 {
        c[i] = mul(&a[i], &b[i]);
    }
    c
}

/// The common end of addition and doubling: X = EF, Y = GH, Z = FG, T = EH.
#[inline(never)]
fn complete(e: &Fe, f: &Fe, g: &Fe, h: &Fe) -> Point {
    mul4(&[*e, *g, *f, *e], &[*f, *h, *g, *h])
}

#[inline(never)]
pub(crate) fn summand(p: &Point) -> Summand {
    let t = mul(&p[3], &D);
    [
        sub(&p[1], &p[0]),
        add(&p[1], &p[0]),
        add(&t, &t),
        add(&p[2], &p[2]),
    ]
}

/// p + q. The formulas are complete: any two points, in constant time.
#[inline(never)]
pub(crate) fn sum(p: &Point, q: &Summand) -> Point {
    let [a, b, c, d] = mul4(&[sub(&p[1], &p[0]), add(&p[1], &p[0]), p[3], p[2]], q);
    complete(&sub(&b, &a), &sub(&d, &c), &add(&d, &c), &add(&b, &a))
}

/// 2p.
#[inline(never)]
pub(crate) fn double(p: &Point) -> Point {
    let xy = add(&p[0], &p[1]);
    let [a, b, c, s] = [square(&p[0]), square(&p[1]), square(&p[2]), square(&xy)];
    // All four change their sign against the paper, which the products do not show.
    let h = add(&a, &b);
    let g = sub(&a, &b);
    complete(&sub(&h, &s), &add(&add(&c, &c), &g), &g, &h)
}

/// -p.
pub(crate) fn negate(p: &Point) -> Point {
    [sub(&ZERO, &p[0]), p[1], p[2], sub(&ZERO, &p[3])]
}

/// z^(2^252 - 3) = z^((p - 5) / 8).
#[inline(never)]
fn power(z: &Fe) -> Fe {
    // z^(2^n - 1), with n going through the leading binary digits of 250.
    let mut x = *z;
    let mut n = 1;
    for digit in [1, 1, 1, 1, 0, 1, 0] {
        let y = x;
        for _ in 0..n {
            x = square(&x);
        }
        x = mul(&x, &y);
        n *= 2;
        if digit == 1 {
            x = mul(&square(&x), z);
            n += 1;
        }
    }
    mul(&square(&square(&x)), z)
}

/// 1/z, and 0 for 0: z^(p - 2), p - 2 = 8 (p - 5) / 8 + 3.
pub(crate) fn invert(z: &Fe) -> Fe {
    let cube = mul(&square(z), z);
    let mut x = power(z);
    for _ in 0..3 {
        x = square(&x);
    }
    mul(&x, &cube)
}

pub(crate) fn encode(p: &Point) -> [u8; 32] {
    let z = invert(&p[2]);
    let mut bytes = field::to_bytes(&mul(&p[1], &z));
    bytes[31] |= field::to_bytes(&mul(&p[0], &z))[0] << 7;
    bytes
}

#[inline(never)]
fn is_zero(a: &Fe) -> bool {
    same(&field::to_bytes(a), &[0; 32])
}

/// The point of an encoding, canonical or not (y up to 2^255 - 1, a sign bit where x = 0); not in
/// constant time.
#[inline(never)]
pub(crate) fn vartime_decode(bytes: &[u8; 32]) -> Option<Point> {
    let y = field::from_bytes(bytes);
    let yy = square(&y);
    let u = sub(&yy, &ONE);
    let v = add(&mul(&yy, &D), &ONE);
    // x = u v^3 (u v^7)^((p - 5) / 8), RFC 8032 section 5.1.3.
    let v3 = mul(&square(&v), &v);
    let uv3 = mul(&u, &v3);
    let uv7 = mul(&uv3, &mul(&v3, &v));
    let mut x = mul(&uv3, &power(&uv7));
    let vxx = mul(&v, &square(&x));
    if !is_zero(&sub(&vxx, &u)) {
        if !is_zero(&add(&vxx, &u)) {
            return None;
        }
        x = mul(&x, &I);
    }
    if field::to_bytes(&x)[0] & 1 != bytes[31] >> 7 {
        x = sub(&ZERO, &x);
    }
    Some([x, y, ONE, mul(&x, &y)])
}

/// Whether 8p is the identity; not in constant time.
pub(crate) fn vartime_is_small_order(p: &Point) -> bool {
    let p = double(&double(&double(p)));
    is_zero(&p[0]) && is_zero(&sub(&p[1], &p[2]))
}

/// The sums of 2^0, 2^64, 2^128 and 2^192 times a point: the comb's teeth (Lim and Lee 1994).
pub(crate) type Comb = [Summand; 16];

pub(crate) const EMPTY: Comb = [[ZERO; 4]; 16];

#[inline(never)]
pub(crate) fn comb(comb: &mut Comb, p: &Point) {
    let mut tooth = *p;
    let mut sums = [IDENTITY; 16];
    for half in [1, 2, 4, 8] {
        let next = summand(&tooth);
        for i in 0..half {
            sums[(half + i) % 16] = sum(&sums[i % 16], &next);
        }
        if half < 8 {
            for _ in 0..64 {
                tooth = double(&tooth);
            }
        }
    }
    for i in 0..16 {
        comb[i] = summand(&sums[i]);
    }
}

/// The summand at an index, in constant time; where nothing is secret, it is just taken.
#[inline(never)]
fn select(comb: &Comb, index: usize, secret: bool) -> Summand {
    if !secret {
        return comb[index % 16];
    }
    let mut chosen = [ZERO; 4];
    for (i, entry) in comb.iter().enumerate() {
        let mask = core::hint::black_box(-i64::from(i == index));
        for j in 0..4 {
            for k in 0..10 {
                chosen[j][k] |= entry[j][k] & mask;
            }
        }
    }
    chosen
}

/// The sum of scalars times the points of combs, in constant time if the scalars are secret.
#[inline(never)]
pub(crate) fn multiply(terms: &[(&[u8; 32], &Comb)], secret: bool) -> Point {
    let mut p = IDENTITY;
    for bit in (0..64_usize).rev() {
        p = double(&p);
        for (scalar, comb) in terms {
            let mut index = 0;
            for tooth in 0..4 {
                index |= usize::from(scalar[bit / 8 + 8 * tooth] >> (bit % 8) & 1) << tooth;
            }
            p = sum(&p, &select(comb, index, secret));
        }
    }
    p
}
