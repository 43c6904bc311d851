//! Ristretto255 (RFC 9496).

use std::sync::LazyLock;

use num_bigint::BigUint;

use super::edwards::Point;
use super::field::{self, D, P, SQRT_M1, add, int, invert, mul, neg, sub};

/// The non-negative square root of a square, where "negative" is odd (RFC 9496 section 4.2).
fn root(square: &BigUint) -> Option<BigUint> {
    let mut root = square.modpow(&((&*P + 3u8) / 8u8), &P);
    if mul(&root, &root) != *square {
        root = mul(&root, &SQRT_M1);
    }
    (mul(&root, &root) == *square).then(|| absolute(&root))
}

/// CT_ABS of RFC 9496 section 4.2.
fn absolute(a: &BigUint) -> BigUint {
    if a.bit(0) { neg(a) } else { a.clone() }
}

/// 1/sqrt(a - d) with a = -1 (RFC 9496 section 4.1).
static INVSQRT_A_MINUS_D: LazyLock<BigUint> = LazyLock::new(|| {
    let a_minus_d = sub(&neg(&int(1)), &D);
    root(&invert(&a_minus_d)).expect("a square")
});

/// sqrt(a d - 1), the root that RFC 9496 section 4.1 prints, which is odd.
static SQRT_AD_MINUS_ONE: LazyLock<BigUint> = LazyLock::new(|| {
    let ad_minus_one = sub(&neg(&D), &int(1));
    neg(&root(&ad_minus_one).expect("a square"))
});

/// Decoding (RFC 9496 section 4.3.1): a point that stands for the element.
pub(crate) fn decode(bytes: &[u8; 32]) -> Option<Point> {
    let s = field::from_bytes(bytes);
    if s >= *P || s.bit(0) {
        return None;
    }
    let ss = mul(&s, &s);
    let (u1, u2) = (sub(&int(1), &ss), add(&int(1), &ss));
    let u2_square = mul(&u2, &u2);
    // v = -(d u1^2) - u2^2.
    let v = sub(&neg(&mul(&D, &mul(&u1, &u1))), &u2_square);
    // 1/sqrt(v u2^2); the inverse of 0 is 0.
    let inverse_root = root(&invert(&mul(&v, &u2_square)))?;
    let den_x = mul(&inverse_root, &u2);
    let den_y = mul(&mul(&inverse_root, &den_x), &v);
    let x = absolute(&mul(&mul(&int(2), &s), &den_x));
    let y = mul(&u1, &den_y);
    if mul(&x, &y).bit(0) || y == int(0) {
        return None;
    }
    Some(Point::from_affine(&x, &y))
}

/// Encoding (RFC 9496 section 4.3.2), with Z = 1.
pub(crate) fn encode(point: &Point) -> [u8; 32] {
    let (x0, y0) = point.to_affine();
    let t0 = mul(&x0, &y0);
    let u1 = mul(&add(&int(1), &y0), &sub(&int(1), &y0));
    let u2 = t0.clone();
    let inverse_root = root(&invert(&mul(&u1, &mul(&u2, &u2)))).expect("a square");
    let den1 = mul(&inverse_root, &u1);
    let den2 = mul(&inverse_root, &u2);
    let z_inverse = mul(&mul(&den1, &den2), &t0);
    let (mut x, mut y, mut den_inverse) = (x0.clone(), y0.clone(), den2);
    if mul(&t0, &z_inverse).bit(0) {
        (x, y) = (mul(&y0, &SQRT_M1), mul(&x0, &SQRT_M1));
        den_inverse = mul(&den1, &INVSQRT_A_MINUS_D);
    }
    if mul(&x, &z_inverse).bit(0) {
        y = neg(&y);
    }
    let s = absolute(&mul(&den_inverse, &sub(&int(1), &y)));
    field::to_bytes(&s)
}

/// MAP (RFC 9496 section 4.3.4): the point of an element of the field.
fn map(t: &BigUint) -> Point {
    let one = int(1);
    let r = mul(&SQRT_M1, &mul(t, t));
    let one_minus_d_square = sub(&one, &mul(&D, &D));
    let u = mul(&add(&r, &one), &one_minus_d_square);
    let minus_one = neg(&one);
    let v = mul(&sub(&minus_one, &mul(&r, &D)), &add(&r, &D));
    // The root of u/v, or else of i u/v.
    let ratio = mul(&u, &invert(&v));
    let (s, c) = match root(&ratio) {
        Some(s) => (s, minus_one),
        None => {
            let s = root(&mul(&SQRT_M1, &ratio)).expect("one of the two is a square");
            (neg(&absolute(&mul(&s, t))), r.clone())
        }
    };
    let d_minus_one_square = mul(&sub(&D, &one), &sub(&D, &one));
    let n = sub(&mul(&mul(&c, &sub(&r, &one)), &d_minus_one_square), &v);
    let w0 = mul(&mul(&int(2), &s), &v);
    let w1 = mul(&n, &SQRT_AD_MINUS_ONE);
    let ss = mul(&s, &s);
    let (w2, w3) = (sub(&one, &ss), add(&one, &ss));
    // (w0 w3 : w2 w1 : w1 w3).
    Point::from_affine(&mul(&w0, &invert(&w1)), &mul(&w2, &invert(&w3)))
}

/// The element of 64 uniform bytes (RFC 9496 section 4.3.4).
pub(crate) fn from_uniform(bytes: &[u8; 64]) -> Point {
    let half = |from: usize| {
        let mut number = field::from_bytes(&bytes[from..from + 32]);
        number.set_bit(255, false);
        map(&(number % &*P))
    };
    half(0).add(&half(32))
}
