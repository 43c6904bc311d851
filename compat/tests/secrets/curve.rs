//! curve25519-dalek 4. Version 5 is Lanner's own crate by another name, which `lanner-ct` observes.

use curve25519_dalek_4::constants::{
    ED25519_BASEPOINT_POINT, ED25519_BASEPOINT_TABLE, RISTRETTO_BASEPOINT_POINT,
    RISTRETTO_BASEPOINT_TABLE,
};
use curve25519_dalek_4::edwards::{EdwardsBasepointTableRadix64, EdwardsPoint};
use curve25519_dalek_4::montgomery::MontgomeryPoint;
use curve25519_dalek_4::ristretto::RistrettoPoint;
use curve25519_dalek_4::scalar::Scalar;
use curve25519_dalek_4::traits::{BasepointTable, MultiscalarMul};
use group::ff::Field;
use group::{Group, GroupEncoding};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::{Check, Secrets};

pub(crate) const ALL: &[Check] = &[
    ("curve 4: scalars", |s| {
        let (a, b) = scalars(s);
        let mut out = Vec::new();
        let choice = Choice::from(s.seed[0] & 1);
        let chosen = Scalar::conditional_select(&a, &b, choice);
        let mut c = a;
        c += b;
        c *= a;
        c -= b;
        let sum: Scalar = [a, b, c].iter().sum();
        let product: Scalar = [a, b, c].iter().product();
        for scalar in [a + b, a - b, a * b, -a, chosen, c, sum, product] {
            out.extend(scalar.to_bytes());
        }
        out.extend([a.ct_eq(&b).unwrap_u8(), u8::from(a == b)]);
        let canonical = Scalar::from_canonical_bytes(s.seed);
        out.push(canonical.is_some().unwrap_u8());
        out.extend(canonical.unwrap_or(Scalar::ZERO).to_bytes());
        out
    }),
    ("curve 4: inversion", |s| {
        let (a, b) = scalars(s);
        let mut many = [a, b, a * b];
        let product = Scalar::batch_invert(&mut many);
        let mut out = a.invert().to_bytes().to_vec();
        for scalar in many.iter().chain([&product]) {
            out.extend(scalar.to_bytes());
        }
        let inverse = Field::invert(&a);
        out.push(inverse.is_some().unwrap_u8());
        out.extend(inverse.unwrap_or(Scalar::ZERO).to_bytes());
        out
    }),
    // Scalars that are not reduced.
    ("curve 4: from_bits", |s| {
        #[expect(deprecated, reason = "what is tested")]
        let scalar = Scalar::from_bits(s.seed);
        let mut out = (scalar + Scalar::ONE).to_bytes().to_vec();
        out.extend((ED25519_BASEPOINT_POINT * scalar).compress().to_bytes());
        out.extend(EdwardsPoint::mul_base(&scalar).compress().to_bytes());
        out
    }),
    ("curve 4: points", |s| {
        let (a, b) = scalars(s);
        let p = EdwardsPoint::mul_base(&a);
        let q = p * b;
        let choice = Choice::from(s.seed[0] & 1);
        let chosen = EdwardsPoint::conditional_select(&p, &q, choice);
        let table = EdwardsBasepointTableRadix64::create(&p);
        let sum = EdwardsPoint::multiscalar_mul([a, b, a], [p, q, ED25519_BASEPOINT_POINT]);
        let mut out = Vec::new();
        for point in [
            p + q,
            p - q,
            -p,
            chosen,
            sum,
            Group::double(&p),
            ED25519_BASEPOINT_TABLE * &a,
            &table * &b,
            q.mul_clamped(s.other),
            q.mul_by_cofactor(),
        ] {
            out.extend(point.compress().to_bytes());
        }
        out.extend(p.to_montgomery().to_bytes());
        out.extend([p.ct_eq(&q).unwrap_u8(), u8::from(p == q)]);
        out
    }),
    ("curve 4: decoding", |s| {
        let point = <EdwardsPoint as GroupEncoding>::from_bytes(&s.seed);
        let element = <RistrettoPoint as GroupEncoding>::from_bytes(&s.other);
        let mut out = vec![point.is_some().unwrap_u8(), element.is_some().unwrap_u8()];
        let (point, element) = (
            point.unwrap_or(ED25519_BASEPOINT_POINT),
            element.unwrap_or(RISTRETTO_BASEPOINT_POINT),
        );
        out.extend(point.compress().to_bytes());
        out.extend(element.compress().to_bytes());
        out
    }),
    ("curve 4: u coordinates", |s| {
        let (a, _) = scalars(s);
        let u = MontgomeryPoint(s.other);
        let mut out = (u * a).to_bytes().to_vec();
        out.extend(u.mul_clamped(s.seed).to_bytes());
        out.extend(MontgomeryPoint::mul_base(&a).to_bytes());
        out.push(u.ct_eq(&MontgomeryPoint(s.seed)).unwrap_u8());
        out
    }),
    ("curve 4: Ristretto", |s| {
        let (a, b) = scalars(s);
        let p = RistrettoPoint::from_uniform_bytes(&s.wide);
        let q = p * b;
        let choice = Choice::from(s.seed[0] & 1);
        let chosen = RistrettoPoint::conditional_select(&p, &q, choice);
        let sum = RistrettoPoint::multiscalar_mul([a, b], [p, q]);
        let mut out = Vec::new();
        for point in [
            p + q,
            p - q,
            -p,
            chosen,
            sum,
            RISTRETTO_BASEPOINT_TABLE * &a,
        ] {
            out.extend(point.compress().to_bytes());
        }
        for encoding in RistrettoPoint::double_and_compress_batch(&[p, q, p + q]) {
            out.extend(encoding.to_bytes());
        }
        out.push(p.ct_eq(&q).unwrap_u8());
        out
    }),
];

fn scalars(s: &Secrets) -> (Scalar, Scalar) {
    (
        Scalar::from_bytes_mod_order(s.seed),
        Scalar::from_bytes_mod_order_wide(&s.wide),
    )
}
