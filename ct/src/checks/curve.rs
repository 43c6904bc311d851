//! What the arithmetic of the curve offers in constant time.

use lanner_curve::edwards::CompressedEdwardsY;
use lanner_curve::scalar::clamp_integer;
use lanner_curve::{EdwardsPoint, MontgomeryPoint, Scalar, constants};
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::Check;
use crate::output::Output;

/// All of them.
pub(super) const ALL: &[Check] = &[
    ("scalar-arithmetic", |s| {
        let a = Scalar::from_bytes_mod_order(s.seed);
        let b = Scalar::from_bytes_mod_order(clamp_integer(s.other));
        let c = Scalar::from_bytes_mod_order_wide(&s.wide);
        let choice = subtle::Choice::from(s.seed[0] & 1);
        let chosen = Scalar::conditional_select(&a, &b, choice);
        let mut out = Output::default();
        for scalar in [a + b, a - b, a * b, -a, Scalar::mul_add(&a, &b, &c), chosen] {
            out.extend(scalar.as_bytes());
        }
        out.extend([a.ct_eq(&b).unwrap_u8()]);
        out
    }),
    ("scalar-inversion", |s| {
        let a = Scalar::from_bytes_mod_order(s.seed);
        a.invert().to_bytes().into()
    }),
    ("edwards-base", |s| {
        let point = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(s.seed));
        point.compress().to_bytes().into()
    }),
    ("edwards-base-each", |s| {
        // More than one group of any backend, and a rest.
        let scalars: [Scalar; 19] = core::array::from_fn(|i| {
            Scalar::from_bytes_mod_order(if i % 2 == 0 { s.seed } else { s.other })
        });
        let mut points = [EdwardsPoint::default(); 19];
        let mut encodings = [CompressedEdwardsY::default(); 19];
        EdwardsPoint::mul_base_each(&scalars, &mut points, &mut encodings);
        encodings.map(|encoding| encoding.0).as_flattened().into()
    }),
    ("edwards-clamped", |s| {
        let point = constants::ED25519_BASEPOINT_POINT.mul_clamped(s.seed);
        let base = EdwardsPoint::mul_base_clamped(s.other);
        let mut out = Output::from(point.compress().to_bytes());
        out.extend(base.compress().to_bytes());
        out
    }),
    ("edwards-arithmetic", |s| {
        let a = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(s.seed));
        let b = a * Scalar::from_bytes_mod_order(s.other);
        let choice = subtle::Choice::from(s.seed[0] & 1);
        let chosen = EdwardsPoint::conditional_select(&a, &b, choice);
        let mut out = Output::default();
        for point in [a + b, a - b, -a, chosen] {
            out.extend(point.compress().to_bytes());
        }
        out.extend(a.to_montgomery().to_bytes());
        out.extend([a.ct_eq(&b).unwrap_u8()]);
        out
    }),
    ("montgomery", |s| {
        let scalar = Scalar::from_bytes_mod_order(s.seed);
        let point = MontgomeryPoint(s.peer);
        let mut out = Output::from((point * scalar).to_bytes());
        out.extend(MontgomeryPoint::mul_base(&scalar).to_bytes());
        out.extend(point.mul_clamped(s.other).to_bytes());
        out
    }),
];
