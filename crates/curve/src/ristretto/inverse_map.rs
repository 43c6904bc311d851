//! The inverse of the map of RFC 9496, section 4.3.4: which elements of the field a point may come from.
//!
//! The map goes by a point (s, t) of the Jacobi quartic that belongs to the Edwards
//! curve (Hamburg, "Decaf", 2015, sections 3 and 4; Westerbaan's Lizard). An element of the group is four Edwards
//! points, each comes from two points of the quartic, and each of these eight from two opposite elements of the
//! field or from none.

use super::RistrettoPoint;
use super::formulas::INVSQRT_A_MINUS_D;
use crate::backend::with_field;
use crate::edwards::models::Extended;
use crate::field::chains::{even, sqrt_ratio_or_twisted_each};
use crate::field::{Arithmetic, Field, Packed};
use subtle::{Choice, CtOption};

/// sqrt(i d), the even root, for i = sqrt(-1).
const SQRT_I_D: Packed = Packed([
    0x75302acb4a5c1ba8,
    0xcdbca92d0eea6daa,
    0x7534549973eb6e15,
    0x05b35558f47beb97,
]);

/// (d + 1) / (d - 1).
const D_PLUS_ONE_OVER_D_MINUS_ONE: Packed = Packed([
    0x277fac5f9b81bb2c,
    0x489ae7f1cd241dc8,
    0xaef8d95f999f1824,
    0x0e67c830a7e8d89d,
]);

/// 1/sqrt(1 + d), the even root.
const INVSQRT_ONE_PLUS_D: Packed = Packed([
    0x0b2edb8831bbddec,
    0x4e52f71c6bdab64e,
    0x1ef02c429405ac88,
    0x0a0d85b4032b1ea8,
]);

/// A point of the Jacobi quartic.
#[derive(Clone, Copy)]
struct QuarticPoint<F> {
    s: F,
    t: F,
}

impl<F: Field> QuarticPoint<F> {
    fn neg(&self) -> Self {
        Self {
            s: self.s.neg(),
            t: self.t.neg(),
        }
    }

    /// (set, the even element that the map takes to this point), or (not set, anything) if there is none. The
    /// odd one is its opposite.
    fn preimage(&self) -> (F::Mask, F) {
        // With a = (t + 1) (d + 1)/(d - 1) it is (a + sign(s) s^2) / sqrt(i (s^4 - a^2)).
        let a = F::mul(
            &self.t.add(&F::ONE),
            &F::from_frozen(&D_PLUS_ONE_OVER_D_MINUS_ONE),
        );
        let ss = F::square(&self.s);
        let radicand = F::carry(&F::square(&ss).sub(&F::square(&a)));
        let radicand = F::mul(&radicand, &F::SQRT_M1);
        let [(is_square, root)] = sqrt_ratio_or_twisted_each(&[(F::ONE, radicand)]);
        let signed = F::select(&ss, &ss.neg(), self.s.is_negative());
        let general = even(&F::mul(&a.add(&signed), &root));
        // s = 0 has t = 1 or t = -1: sqrt(i d), or 0.
        let s_is_zero = self.s.equal(&F::ZERO);
        let t_is_one = self.t.equal(&F::ONE);
        let special = F::select(&F::ZERO, &F::from_frozen(&SQRT_I_D), t_is_one);
        (
            is_square | s_is_zero,
            F::select(&general, &special, s_is_zero),
        )
    }
}

/// One of the two points of the quartic for each of the four Edwards points of an element; the other is its opposite.
fn quartic_points<F: Field>(point: &Extended<F>) -> [QuarticPoint<F>; 4] {
    let Extended { x, y, z, .. } = point;
    let (xx, yy, zz) = (F::square(x), F::square(y), F::square(z));
    let zz_minus_yy = F::carry(&zz.sub(&yy));
    // 1/sqrt(Y^4 X^2 (Z^2 - Y^2)).
    let radicand = F::mul(&F::mul(&F::square(&yy), &xx), &zz_minus_yy);
    let [(_, gamma)] = sqrt_ratio_or_twisted_each(&[(F::ONE, radicand)]);

    let minus_twice = {
        let root = F::from_frozen(&INVSQRT_A_MINUS_D);
        F::carry(&root.add(&root)).neg()
    };
    let minus_twice_i = F::mul(&minus_twice, &F::SQRT_M1);
    let iz = F::mul(z, &F::SQRT_M1);

    // (X, Y), and with its opposite; then (iY, iX), for which X, Y and Z are Y, X and iZ.
    let den = F::mul(&gamma, &yy);
    let first = F::mul(&den, &z.sub(y));
    let second = F::mul(&den, &z.add(y));
    let twisted = F::mul(
        &F::mul(&zz_minus_yy, &F::from_frozen(&INVSQRT_ONE_PLUS_D)),
        &gamma,
    );
    let third = F::mul(&twisted, &iz.sub(x));
    let fourth = F::mul(&twisted, &iz.add(x));
    let (scale, scale_i) = (F::mul(&minus_twice, z), F::mul(&minus_twice, &iz));

    let mut points = [
        QuarticPoint {
            s: F::mul(&first, x),
            t: F::mul(&scale, &first),
        },
        QuarticPoint {
            s: F::mul(&second, x).neg(),
            t: F::mul(&scale, &second),
        },
        QuarticPoint {
            s: F::mul(&third, y),
            t: F::mul(&scale_i, &third),
        },
        QuarticPoint {
            s: F::mul(&fourth, y).neg(),
            t: F::mul(&scale_i, &fourth),
        },
    ];
    // Where X or Y is 0, so are all s and t; the points are then (0, 1), twice, and (1, t), (-1, t) with
    // t = -2i/sqrt(a - d).
    let special = [
        (F::ZERO, F::ONE),
        (F::ZERO, F::ONE),
        (F::ONE, minus_twice_i),
        (F::ONE.neg(), minus_twice_i),
    ];
    let is_special = x.equal(&F::ZERO) | y.equal(&F::ZERO);
    for (point, (s, t)) in points.iter_mut().zip(&special) {
        point.s = F::select(&point.s, s, is_special);
        point.t = F::select(&point.t, t, is_special);
    }
    points
}

impl RistrettoPoint {
    /// The 32-byte strings, below p as integers, that [`map_to_curve`](Self::map_to_curve) takes to this element: up to
    /// 16. The even ones come first, and the opposite of the i-th is the one eight places on. Constant time.
    #[must_use]
    pub fn map_to_curve_inverse(&self) -> [CtOption<[u8; 32]>; 16] {
        let mut found = [(Choice::from(0), [0; 32]); 16];
        with_field!(F => {
            let points = quartic_points::<F>(&self.0.unpack());
            for (i, point) in points.iter().enumerate() {
                for (j, point) in [*point, point.neg()].iter().enumerate() {
                    let (exists, element) = point.preimage();
                    let exists = Choice::from(exists);
                    let place = 2 * i + j;
                    found[place] = (exists, element.to_packed().to_bytes());
                    found[place + 8] = (exists, element.neg().to_packed().to_bytes());
                }
            }
        });
        found.map(|(exists, bytes)| CtOption::new(bytes, exists))
    }

    /// [`map_to_curve`](Self::map_to_curve) for even integers below 2^254 alone:
    /// [`map_to_curve_inverse`](Self::map_to_curve_inverse) finds the bytes again, among its first eight. Constant time.
    ///
    /// # Panics
    ///
    /// If the lowest bit or one of the two highest is set.
    #[must_use]
    pub fn map_to_curve_restricted(bytes: [u8; 32]) -> Self {
        assert_eq!(bytes[0] & 1, 0, "the integer must be even");
        assert_eq!(bytes[31] & 0xc0, 0, "the integer must be below 2^254");
        Self::map_to_curve(bytes)
    }
}
