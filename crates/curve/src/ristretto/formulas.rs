//! The formulas of the group: encoding, decoding, equality and the one-way map (RFC 9496, sections 4.3.1 to 4.3.4;
//! Hamburg, "Decaf: Eliminating cofactors through point compression", 2015).
//!
//! Written once for one element and for several in lanes. The even one of two opposite elements is the one that RFC 9496
//! calls nonnegative.

use crate::edwards::models::Extended;
use crate::field::chains::{even, inverse_sqrt_each, sqrt_ratio_each, sqrt_ratio_or_twisted_each};
#[cfg(feature = "alloc")]
use crate::field::lanes::{Lanes, MAX_LANES};
use crate::field::{Arithmetic, Field, Packed};

/// 1/sqrt(a - d) for a = -1 (RFC 9496, section 4.1), the even root.
pub(super) const INVSQRT_A_MINUS_D: Packed = Packed([
    0x99c8fdaa805d40ea,
    0x9d2f16175a4172be,
    0x16c27b91fe01d840,
    0x786c8905cfaffca2,
]);

/// sqrt(ad - 1), the root that RFC 9496, section 4.1, has.
const SQRT_AD_MINUS_ONE: Packed = Packed([
    0x7e97f6a0497b2e1b,
    0xaf9d8e0c1b7854bd,
    0x0f3cfcc931f5d1fd,
    0x376931bf2b8348ac,
]);

/// 1 - d^2.
const ONE_MINUS_D_SQUARED: Packed = Packed([
    0xe27c09c1945fc176,
    0x2c81a138cd5e350f,
    0x9994abddbe70dfe4,
    0x029072a8b2b3e0d7,
]);

/// (d - 1)^2.
const D_MINUS_ONE_SQUARED: Packed = Packed([
    0x31ad5aaa44ed4d20,
    0xd29e4a2cb01e1999,
    0x4cdcd32f529b4eeb,
    0x5968b37af66c2241,
]);

/// The constant 1/sqrt(a - d) in a representation.
#[inline(always)]
pub(super) fn invsqrt_a_minus_d<F: Field>() -> F {
    F::from_frozen(&INVSQRT_A_MINUS_D)
}

/// The same in every lane.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn invsqrt_a_minus_d_in_lanes<L: Lanes>() -> L {
    L::from_lanes(&[INVSQRT_A_MINUS_D.0; MAX_LANES])
}

/// The points of elements, and what decides whether each encodes its point.
///
/// That an element is given below p and is even is for the caller to check.
#[inline(always)]
pub(super) fn decode_each<F: Arithmetic, const N: usize>(s: &[F; N]) -> [Decoded<F>; N] {
    let mut u1 = [F::ZERO; N];
    let mut u2 = [F::ZERO; N];
    let mut v = [F::ZERO; N];
    let mut ratios = [(F::ONE, F::ONE); N];
    for i in 0..N {
        let ss = F::square(&s[i]);
        u1[i] = F::carry(&F::ONE.sub(&ss));
        u2[i] = F::carry(&F::ONE.add(&ss));
        let u2_squared = F::square(&u2[i]);
        // v = -(d u1^2) - u2^2.
        v[i] = F::carry(&F::mul(&F::D, &F::square(&u1[i])).add(&u2_squared)).neg();
        ratios[i].1 = F::mul(&v[i], &u2_squared);
    }
    let roots = sqrt_ratio_each(&ratios);
    let mut decoded = [Decoded {
        exists: roots[0].0,
        t_is_negative: roots[0].0,
        point: Extended::IDENTITY,
    }; N];
    for (i, (exists, root)) in roots.iter().enumerate() {
        let den_x = F::mul(root, &u2[i]);
        let den_y = F::mul(&F::mul(root, &den_x), &v[i]);
        let x = even(&F::mul(&s[i].add(&s[i]), &den_x));
        let y = F::mul(&u1[i], &den_y);
        let t = F::mul(&x, &y);
        decoded[i] = Decoded {
            exists: *exists,
            t_is_negative: t.is_negative(),
            point: Extended { x, y, z: F::ONE, t },
        };
    }
    decoded
}

/// The point of an element, and what is asked of it.
#[derive(Clone, Copy)]
pub(super) struct Decoded<F: Arithmetic> {
    /// Must be set.
    pub(super) exists: F::Mask,
    /// Must not be set.
    pub(super) t_is_negative: F::Mask,
    /// Its Y must not be 0.
    pub(super) point: Extended<F>,
}

/// The elements that encode points.
#[inline(always)]
pub(super) fn encode_each<F: Arithmetic, const N: usize>(
    points: &[Extended<F>; N],
    invsqrt_a_minus_d: &F,
) -> [F; N] {
    let mut u1 = [F::ZERO; N];
    let mut u2 = [F::ZERO; N];
    let mut squares = [F::ZERO; N];
    for (i, point) in points.iter().enumerate() {
        u1[i] = F::mul(&point.z.add(&point.y), &point.z.sub(&point.y));
        u2[i] = F::mul(&point.x, &point.y);
        // A square for every point of the group.
        squares[i] = F::mul(&u1[i], &F::square(&u2[i]));
    }
    // The sign of the root has no effect: it comes squared into the inverse of Z, and as a factor into s, of which
    // the even one is taken.
    let roots = inverse_sqrt_each(&squares);
    let mut s = [F::ZERO; N];
    for (i, point) in points.iter().enumerate() {
        let den1 = F::mul(&roots[i], &u1[i]);
        let den2 = F::mul(&roots[i], &u2[i]);
        let z_inverse = F::mul(&F::mul(&den1, &den2), &point.t);
        let rotate = F::mul(&point.t, &z_inverse).is_negative();
        let x = F::select(&point.x, &F::mul(&point.y, &F::SQRT_M1), rotate);
        let y = F::select(&point.y, &F::mul(&point.x, &F::SQRT_M1), rotate);
        let den = F::select(&den2, &F::mul(&den1, invsqrt_a_minus_d), rotate);
        let y = F::select(&y, &y.neg(), F::mul(&x, &z_inverse).is_negative());
        s[i] = even(&F::mul(&den, &point.z.sub(&y)));
    }
    s
}

/// Whether two points are the same in the group.
#[inline(always)]
pub(super) fn equal<F: Arithmetic>(a: &Extended<F>, b: &Extended<F>) -> F::Mask {
    F::mul(&a.x, &b.y).equal(&F::mul(&a.y, &b.x)) | F::mul(&a.y, &b.y).equal(&F::mul(&a.x, &b.x))
}

/// What the one-way map needs beside the constants of [`Arithmetic`].
#[derive(Clone, Copy)]
pub(super) struct MapConstants<F> {
    one_minus_d_squared: F,
    d_minus_one_squared: F,
    sqrt_ad_minus_one: F,
}

impl<F: Field> MapConstants<F> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            one_minus_d_squared: F::from_frozen(&ONE_MINUS_D_SQUARED),
            d_minus_one_squared: F::from_frozen(&D_MINUS_ONE_SQUARED),
            sqrt_ad_minus_one: F::from_frozen(&SQRT_AD_MINUS_ONE),
        }
    }
}

/// The points that elements are mapped to: MAP of RFC 9496, section 4.3.4.
#[inline(always)]
pub(super) fn map_each<F: Arithmetic, const N: usize>(
    t: &[F; N],
    constants: &MapConstants<F>,
) -> [Extended<F>; N] {
    let mut r = [F::ZERO; N];
    let mut ratios = [(F::ONE, F::ONE); N];
    for i in 0..N {
        r[i] = F::mul(&F::square(&t[i]), &F::SQRT_M1);
        let u = F::mul(&r[i].add(&F::ONE), &constants.one_minus_d_squared);
        // (-1 - d r) (r + d).
        let first = F::carry(&F::mul(&F::D, &r[i]).add(&F::ONE)).neg();
        let v = F::mul(&first, &r[i].add(&F::D));
        ratios[i] = (u, v);
    }
    let roots = sqrt_ratio_or_twisted_each(&ratios);
    let mut points = [Extended::IDENTITY; N];
    for (i, (was_square, root)) in roots.iter().enumerate() {
        let other = even(&F::mul(root, &t[i])).neg();
        let s = F::select(&other, root, *was_square);
        let c = F::select(&r[i], &F::ONE.neg(), *was_square);
        let n = F::mul(&c, &r[i].sub(&F::ONE));
        let n = F::carry(&F::mul(&n, &constants.d_minus_one_squared).sub(&ratios[i].1));
        let ss = F::square(&s);
        let w0 = F::mul(&s.add(&s), &ratios[i].1);
        let w1 = F::mul(&n, &constants.sqrt_ad_minus_one);
        let w2 = F::carry(&F::ONE.sub(&ss));
        let w3 = F::carry(&F::ONE.add(&ss));
        points[i] = Extended {
            x: F::mul(&w0, &w3),
            y: F::mul(&w2, &w1),
            z: F::mul(&w1, &w3),
            t: F::mul(&w0, &w2),
        };
    }
    points
}

/// The double of a point as (E/F, G/H), of which the encoding needs no square root: e = 2XY, f = Z^2 + dT^2,
/// g = Y^2 + X^2, h = Z^2 - dT^2.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
pub(super) struct Doubled<F> {
    e: F,
    f: F,
    g: F,
    h: F,
}

#[cfg(feature = "alloc")]
impl<F: Arithmetic> Doubled<F> {
    #[inline(always)]
    pub(super) fn new(point: &Extended<F>) -> Self {
        let zz = F::square(&point.z);
        let dtt = F::mul(&F::square(&point.t), &F::D);
        Self {
            e: F::mul(&point.x, &point.y.add(&point.y)),
            f: F::carry(&zz.add(&dtt)),
            g: F::carry(&F::square(&point.y).add(&F::square(&point.x))),
            h: F::carry(&zz.sub(&dtt)),
        }
    }

    /// The product of all four: what must be inverted. It is 0 for what doubles to the neutral element.
    #[inline(always)]
    pub(super) fn product(&self) -> F {
        F::mul(&F::mul(&self.e, &self.g), &F::mul(&self.f, &self.h))
    }

    /// The element that encodes the double, from the inverse of the product, or 0 where that is 0.
    ///
    /// From the equation of the curve, f^2 = g^2 - e^2 and h^2 - g^2 = (a - d) e^2: so the square root that an encoding
    /// takes is known up to that of a - d, and all its denominators are products of e, f, g and h.
    #[inline(always)]
    pub(super) fn encode(&self, inverse: &F, invsqrt_a_minus_d: &F) -> F {
        let eg = F::mul(&self.e, &self.g);
        let z_inverse = F::mul(&eg, inverse);
        let t_inverse = F::mul(&F::mul(&self.f, &self.h), inverse);
        let rotate = F::mul(&eg, &z_inverse).is_negative();
        let e = F::select(&self.e, &self.g, rotate);
        let g = F::select(&self.g, &self.e.neg(), rotate);
        let h = F::select(&self.h, &F::mul(&self.f, &F::SQRT_M1), rotate);
        let factor = F::select(invsqrt_a_minus_d, &F::SQRT_M1, rotate);
        let negate = F::mul(&F::mul(&h, &e), &z_inverse).is_negative();
        let g = F::select(&g, &g.neg(), negate);
        let s = F::mul(&F::mul(&factor, &F::mul(&g, &t_inverse)), &h.sub(&g));
        even(&s)
    }
}
