//! Elligator 2: field elements to points and back (Bernstein, Hamburg, Krasnova and Lange 2013, section 5; RFC 9380,
//! section 6.7.1).
//!
//! With Z = 2, which is no square, an element r gives the two coordinates w = -A/(1 + 2r^2) and -w - A, of which exactly
//! one belongs to the curve and the other to its twist; or both are the same. The point is the one of the curve. Back,
//! a coordinate u comes from r with r^2 = -(u + A)/(2u), where u is w, or from r with r^2 = -u/(2(u + A)), where it is the
//! other: both are squares or none is.

use super::MontgomeryPoint;
use crate::backend::with_field;
use crate::constants::EIGHT_TORSION;
use crate::ct::Mask;
use crate::edwards::EdwardsPoint;
use crate::edwards::models::Extended;
use crate::field::chains::{invert, sqrt_ratio_or_twisted_each};
use crate::field::{Arithmetic, Field, Packed};
use lanner_simd::stack::cleared;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

/// A of v^2 = u^3 + A u^2 + u.
const A: Packed = Packed([486662, 0, 0, 0]);

/// 1 - sqrt(-1), whose square is -2 sqrt(-1).
const ONE_MINUS_I: Packed = Packed([
    0x3b11e4d8b5f15f3e,
    0xd0bce7f952d01b87,
    0xd4b2ff66c2042858,
    0x547cdb7fb03e20f4,
]);

/// sqrt(-(A + 2)), the even root: what takes a point of the Montgomery curve to the Edwards curve (RFC 9380, section
/// D.1).
#[cfg_attr(not(feature = "digest"), allow(dead_code))] // Hashing needs it.
const SQRT_MINUS_A_PLUS_2: Packed = Packed([
    0xcc6e04aaff457e06,
    0xc5a1d3d14b7d1a82,
    0xd27b08dc03fc4f7e,
    0x0f26edf460a006bb,
]);

/// How deep on the stack a multiple and its conversion go, but for what the multiplication overwrites itself; in a
/// build without tables, where other functions are inlined, deeper.
const DIRTY_DEPTH: usize = if cfg!(not(feature = "precomputed-tables")) {
    4096
} else {
    3072
};

/// (u_n / u_d, v): a point of the Montgomery curve.
#[derive(Clone, Copy)]
pub(crate) struct Mapped<F> {
    u_numerator: F,
    u_denominator: F,
    #[cfg_attr(not(feature = "digest"), allow(dead_code))] // Hashing needs it.
    v: F,
}

/// The points of elements. v is odd where u is w, and else even.
#[inline(always)]
pub(crate) fn map_each<F: Field, const N: usize>(r: &[F; N]) -> [Mapped<F>; N] {
    let a = F::from_frozen(&A);
    let minus_a = a.neg();
    let mut twice_squares = [F::ZERO; N];
    let mut denominators = [F::ZERO; N];
    let mut ratios = [(F::ONE, F::ONE); N];
    for i in 0..N {
        let rr = F::square(&r[i]);
        let rr2 = F::carry(&rr.add(&rr));
        let d = F::carry(&rr2.add(&F::ONE));
        // With w = -A/d: w^3 + A w^2 + w = -A (A^2 - A^2 d + d^2)/d^3 = -A (d^2 - A^2 2r^2)/d^3.
        let dd = F::square(&d);
        let inner = F::carry(&dd.sub(&F::mul(&F::square(&a), &rr2)));
        ratios[i] = (F::mul(&minus_a, &inner), F::mul(&dd, &d));
        (twice_squares[i], denominators[i]) = (rr2, d);
    }
    let roots = sqrt_ratio_or_twisted_each(&ratios);
    let mut points = [Mapped {
        u_numerator: F::ZERO,
        u_denominator: F::ONE,
        v: F::ZERO,
    }; N];
    for (i, (is_square, root)) in roots.iter().enumerate() {
        // The other value is 2r^2 times this one. Where this one is not a square, `root` is a root of sqrt(-1) times it.
        let other = F::mul(&F::mul(root, &r[i]), &F::from_frozen(&ONE_MINUS_I));
        let v = F::select(&other, root, *is_square);
        // Odd exactly if it is w's.
        let v = F::select(&v, &v.neg(), v.is_negative() ^ *is_square);
        let other = F::mul(&minus_a, &twice_squares[i]);
        points[i] = Mapped {
            u_numerator: F::select(&other, &minus_a, *is_square),
            u_denominator: denominators[i],
            v,
        };
    }
    points
}

/// The point of one element.
#[inline(never)]
pub(crate) fn map_one<F: Field>(r: &F) -> Mapped<F> {
    let [point] = map_each(&[*r]);
    point
}

impl<F: Field> Mapped<F> {
    /// The corresponding point of the Edwards curve, x = sqrt(-(A + 2)) u/v and y = (u - 1)/(u + 1); the neutral element
    /// where that is not defined (RFC 9380, section D.1).
    #[cfg_attr(not(feature = "digest"), allow(dead_code))] // Hashing needs it.
    #[inline(always)]
    pub(crate) fn to_edwards(self) -> Extended<F> {
        let x_n = F::mul(&self.u_numerator, &F::from_frozen(&SQRT_MINUS_A_PLUS_2));
        let x_d = F::mul(&self.u_denominator, &self.v);
        let y_n = F::carry(&self.u_numerator.sub(&self.u_denominator));
        let y_d = F::carry(&self.u_numerator.add(&self.u_denominator));
        let undefined = F::mul(&x_d, &y_d).equal(&F::ZERO);
        let x_n = F::select(&x_n, &F::ZERO, undefined);
        let [x_d, y_n, y_d] = [x_d, y_n, y_d].map(|value| F::select(&value, &F::ONE, undefined));
        Extended {
            x: F::mul(&x_n, &y_d),
            y: F::mul(&x_d, &y_n),
            z: F::mul(&x_d, &y_d),
            t: F::mul(&x_n, &y_n),
        }
    }

    #[inline(always)]
    fn u(&self) -> MontgomeryPoint {
        let u = F::mul(&self.u_numerator, &invert(&self.u_denominator));
        MontgomeryPoint(u.to_packed().to_bytes())
    }
}

impl MontgomeryPoint {
    /// The point of a *representative*: Elligator 2 for the low 254 bits of 32 little-endian bytes, as Tor's obfs4 and
    /// ntor use it. The top two bits are ignored. Constant time.
    ///
    /// For uniform bytes the point is one of about half of all points of the curve, those of small order included; each
    /// is as likely as its negative. [`to_representative`](Self::to_representative) is the way back.
    ///
    /// ```
    /// use lanner_curve::montgomery::MontgomeryPoint;
    ///
    /// let representative = [0x42; 32];
    /// let point = MontgomeryPoint::map_to_point(&representative);
    /// let [a, b] = [0, 1].map(|tweak| point.to_representative(tweak).unwrap());
    /// assert_eq!(MontgomeryPoint::map_to_point(&a), point);
    /// assert_eq!(MontgomeryPoint::map_to_point(&b), point);
    /// ```
    #[must_use]
    pub fn map_to_point(representative: &[u8; 32]) -> Self {
        let mut r = *representative;
        r[31] &= 0x3f;
        Self::map_to_point_unbounded(&r)
    }

    /// Elligator 2 for the low 255 bits of 32 little-endian bytes, modulo p: the u-coordinate that
    /// map_to_curve_elligator2_curve25519 of RFC 9380, section G.2.1, gives. The top bit is ignored. Constant time.
    #[must_use]
    pub fn map_to_point_unbounded(bytes: &[u8; 32]) -> Self {
        let r = Packed::from_bytes(bytes);
        with_field!(F => map_one(&F::from_packed(&r)).u())
    }

    /// A *representative* of this point: 32 bytes that [`map_to_point`](Self::map_to_point) takes to it. About half of
    /// the points of the curve have one; of the others, and of points of the twist, there is none. Constant time.
    ///
    /// A point that has a representative has two, apart from the top two bits, which do not count. The lowest bit of
    /// `tweak` says which one is taken, and its top two bits become those of the representative. For a uniform
    /// `tweak` and a uniform point *of the whole curve*, of those that have one, the bytes are uniform. Multiples of
    /// the base point are not such points: see [`mul_base_clamped_dirty`](Self::mul_base_clamped_dirty).
    ///
    /// Bernstein, Hamburg, Krasnova and Lange 2013, section 5.
    #[must_use]
    pub fn to_representative(&self, tweak: u8) -> CtOption<[u8; 32]> {
        let u = Packed::from_bytes(&self.0);
        let which = Mask::from(Choice::from(tweak & 1));
        let (exists, r) = with_field!(F => {
            let u = F::from_packed(&u);
            let a = F::from_frozen(&A);
            let u_plus_a = F::carry(&u.add(&a));
            let numerator = F::select(&u_plus_a, &u, which);
            let denominator = F::select(&u, &u_plus_a, which);
            let twice = F::carry(&denominator.add(&denominator));
            let [(is_square, root)] = sqrt_ratio_or_twisted_each(&[(numerator.neg(), twice)]);
            // On the curve, not on the twist: u^3 + A u^2 + u is a square. And u = -A comes from nothing.
            let v2 = F::mul(&F::carry(&F::mul(&u, &u_plus_a).add(&F::ONE)), &u);
            let [(on_curve, _)] = sqrt_ratio_or_twisted_each(&[(v2, F::ONE)]);
            let exists = Choice::from(is_square)
                & Choice::from(on_curve)
                & !u_plus_a.to_packed().is_zero();
            // The smaller one of r and -r is below 2^254: the one whose double has no carry, and so is even mod p.
            let doubled = F::carry(&root.add(&root));
            let r = F::select(&root, &root.neg(), doubled.is_negative());
            (exists, r.to_packed())
        });
        // u = 0 comes from 0 alone, which is what a quotient by 0 gives as well.
        let exists = exists | u.is_zero();
        let mut bytes = r.to_bytes();
        bytes[31] |= tweak & 0xc0;
        CtOption::new(bytes, exists)
    }

    /// \[n]B + T for the base point B, the integer n that `bytes` clamp to, and a point T of small order, by the low
    /// three bits of `low_order`: a public key that is not in the subgroup of order L. Constant time.
    ///
    /// Key agreement with it gives what it gives with \[n]B, because the other party's clamped integer is a multiple of 8.
    /// With `low_order` uniform and secret the point is uniform among the points of the curve that n allows: only such
    /// keys have representatives ([`to_representative`](Self::to_representative)) that cannot be told from random
    /// bytes, since whoever sees a representative can tell whether its point is in the subgroup.
    ///
    /// ```
    /// use lanner_curve::montgomery::MontgomeryPoint;
    ///
    /// let (alice, bob) = ([3; 32], [5; 32]);
    /// let dirty = MontgomeryPoint::mul_base_clamped_dirty(alice, 5);
    /// let clean = MontgomeryPoint::mul_base_clamped(alice);
    /// assert_ne!(dirty, clean);
    /// assert_eq!(dirty.mul_clamped(bob), clean.mul_clamped(bob));
    /// ```
    #[must_use]
    pub fn mul_base_clamped_dirty(mut bytes: [u8; 32], mut low_order: u8) -> Self {
        let point = cleared::<DIRTY_DEPTH, _>(|| dirty(&bytes, &low_order));
        bytes.zeroize();
        low_order.zeroize();
        point
    }
}

/// By reference, so that no frame above what is overwritten holds a copy.
#[inline(always)]
fn dirty(bytes: &[u8; 32], low_order: &u8) -> MontgomeryPoint {
    let mut torsion = EdwardsPoint::default();
    for (i, point) in (0u8..).zip(&EIGHT_TORSION) {
        torsion.conditional_assign(point, i.ct_eq(&(low_order & 7)));
    }
    (EdwardsPoint::mul_base_clamped(*bytes) + torsion).to_montgomery()
}
