//! What the arithmetic of the curve offers in constant time.

use lanner_curve::edwards::CompressedEdwardsY;
use lanner_curve::scalar::{clamp_in_place, clamp_integer};
use lanner_curve::traits::MultiscalarMul;
use lanner_curve::{EdwardsPoint, MontgomeryPoint, RistrettoPoint, Scalar, constants};
use lanner_ed25519::{Digest, Sha512};
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::Check;
use crate::output::Output;
use crate::random::Fixed;

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
    ("scalar-inversions", |s| {
        let mut scalars = [s.seed, s.other, s.peer].map(Scalar::from_bytes_mod_order);
        let mut again = scalars;
        let product = Scalar::invert_batch(&mut scalars);
        Scalar::invert_batch_alloc(&mut again);
        let mut out = Output::from(product.to_bytes());
        for scalar in scalars.iter().chain(&again) {
            out.extend(scalar.as_bytes());
        }
        out
    }),
    ("scalar-forms", |s| {
        let a = Scalar::from_bytes_mod_order(s.seed);
        let mut clamped = s.other;
        clamp_in_place(&mut clamped);
        let mut out = Output::default();
        for scalar in [
            a.div_by_2(),
            Scalar::from_bits(clamped),
            Scalar::hash_from_bytes::<Sha512>(&s.seed),
            Scalar::from_hash(Sha512::new_with_prefix(s.seed)),
            Scalar::hash_to_scalar::<Sha512>(&[&s.seed, &s.other], &[b"tag"]),
            Scalar::random(&mut Fixed(s.other)),
        ] {
            out.extend(scalar.as_bytes());
        }
        // One that is canonical, and one that is not in most inputs.
        for bytes in [a.to_bytes(), s.other] {
            let decoded = Scalar::from_canonical_bytes(bytes);
            out.extend([decoded.is_some().unwrap_u8()]);
            out.extend(decoded.unwrap_or(Scalar::ZERO).as_bytes());
        }
        out
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
    ("edwards-batches", |s| {
        let [a, b] = [s.seed, s.other].map(Scalar::from_bytes_mod_order);
        let [first, second] = EdwardsPoint::mul_base_pair(&a, &b);
        let points = [first, second, first.mul_by_cofactor()];
        let mut out = Output::default();
        let encodings = EdwardsPoint::compress_batch(&points);
        for encoding in encodings
            .into_iter()
            .chain(EdwardsPoint::compress_batch_alloc(&points))
        {
            out.extend(encoding.to_bytes());
        }
        for point in EdwardsPoint::to_montgomery_batch(&points) {
            out.extend(point.to_bytes());
        }
        out
    }),
    ("montgomery-bits", |s| {
        let bits = s
            .seed
            .iter()
            .rev()
            .flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1));
        MontgomeryPoint(s.peer).mul_bits_be(bits).to_bytes().into()
    }),
    ("montgomery-each", |s| {
        let secrets: [[u8; 32]; 11] =
            core::array::from_fn(|i| if i % 2 == 0 { s.seed } else { s.other });
        let mut products = [MontgomeryPoint::default(); 11];
        MontgomeryPoint::mul_base_clamped_each(&secrets, &mut products);
        let mut again = [MontgomeryPoint::default(); 11];
        MontgomeryPoint::mul_clamped_each(&secrets, &products, &mut again);
        let mut out = Output::default();
        for point in products.iter().chain(&again) {
            out.extend(point.to_bytes());
        }
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
    ("edwards-sum", |s| {
        // More than a vector of any backend, and a rest.
        let scalars: [Scalar; 11] = core::array::from_fn(|i| {
            Scalar::from_bytes_mod_order(if i % 2 == 0 { s.seed } else { s.other })
        });
        let points = core::array::from_fn::<_, 11, _>(|i| constants::EIGHT_TORSION[i % 8]);
        let points = points.map(|small| small + constants::ED25519_BASEPOINT_POINT);
        let sum = EdwardsPoint::multiscalar_mul(&scalars, &points);
        let one = EdwardsPoint::multiscalar_mul(&scalars[..1], &points[..1]);
        let mut out = Output::from(sum.compress().to_bytes());
        out.extend(one.compress().to_bytes());
        out
    }),
    #[cfg(feature = "tables")]
    ("edwards-tables", |s| {
        use lanner_curve::edwards::{EdwardsBasepointTable, EdwardsBasepointTableRadix64};
        use lanner_curve::traits::BasepointTable;
        let scalar = Scalar::from_bytes_mod_order(s.seed);
        let point = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(s.other));
        let table = EdwardsBasepointTable::create(&point);
        let wide = EdwardsBasepointTableRadix64::create(&point);
        let mut out = Output::default();
        for point in [
            &scalar * constants::ED25519_BASEPOINT_TABLE,
            table.mul_base(&scalar),
            table.mul_base_clamped(s.seed),
            wide.mul_base(&scalar),
        ] {
            out.extend(point.compress().to_bytes());
        }
        out
    }),
    ("ristretto", |s| {
        let scalar = Scalar::from_bytes_mod_order(s.seed);
        let a = RistrettoPoint::from_uniform_bytes(&s.wide);
        let b = RistrettoPoint::map_to_curve(s.other) * scalar;
        let choice = subtle::Choice::from(s.seed[0] & 1);
        let chosen = RistrettoPoint::conditional_select(&a, &b, choice);
        let mut out = Output::default();
        for point in [a + b, a - b, -a, chosen, RistrettoPoint::mul_base(&scalar)] {
            out.extend(point.compress().to_bytes());
        }
        out.extend([a.ct_eq(&b).unwrap_u8()]);
        let many: [RistrettoPoint; 11] = core::array::from_fn(|i| if i % 2 == 0 { a } else { b });
        for encoding in RistrettoPoint::double_and_compress_batch(&many) {
            out.extend(encoding.to_bytes());
        }
        out
    }),
    ("hash-to-curve", |s| {
        let (message, tag) = ([&s.seed[..], &s.other], [&b"tag"[..]]);
        let mut out = Output::default();
        for point in [
            EdwardsPoint::hash_to_curve::<Sha512>(&message, &tag),
            EdwardsPoint::encode_to_curve::<Sha512>(&message, &tag),
        ] {
            out.extend(point.compress().to_bytes());
        }
        for point in [
            MontgomeryPoint::hash_to_curve::<Sha512>(&message, &tag),
            MontgomeryPoint::encode_to_curve::<Sha512>(&message, &tag),
            MontgomeryPoint::map_to_point_unbounded(&s.seed),
        ] {
            out.extend(point.to_bytes());
        }
        let mut even = s.seed;
        even[0] &= 0xfe;
        even[31] &= 0x3f;
        for element in [
            RistrettoPoint::hash_to_curve::<Sha512>(&message, &tag),
            RistrettoPoint::hash_from_bytes::<Sha512>(&s.seed),
            RistrettoPoint::from_hash(Sha512::new_with_prefix(s.seed)),
            RistrettoPoint::random(&mut Fixed(s.other)),
            RistrettoPoint::map_to_curve_restricted(even),
        ] {
            out.extend(element.compress().to_bytes());
        }
        out
    }),
    ("ristretto-inverse-map", |s| {
        let point = RistrettoPoint::map_to_curve(s.seed);
        let mut out = Output::default();
        for bytes in point.map_to_curve_inverse() {
            out.extend([bytes.is_some().unwrap_u8()]);
            out.extend(bytes.unwrap_or([0; 32]));
        }
        out
    }),
    ("elligator", |s| {
        let mut out = Output::from(MontgomeryPoint::map_to_point(&s.seed).to_bytes());
        let dirty = MontgomeryPoint::mul_base_clamped_dirty(s.other, s.seed[0]);
        out.extend(dirty.to_bytes());
        let representative = dirty.to_representative(s.seed[1]);
        out.extend([representative.is_some().unwrap_u8()]);
        out.extend(representative.unwrap_or([0; 32]));
        out
    }),
];

/// That which ends in an answer which is public by its nature.
pub(super) const ANSWERS: &[Check] = &[
    ("ristretto-decode", |s| {
        let element = RistrettoPoint::from_uniform_bytes(&s.wide).compress();
        let point = element.decompress().expect("the bytes encode an element");
        // No encoding is odd.
        let mut refused = element;
        refused.0[0] |= 1;
        let mut out = Output::from((point + point).compress().to_bytes());
        out.extend([u8::from(refused.decompress().is_none())]);
        out
    }),
    ("montgomery-to-edwards", |s| {
        let point = MontgomeryPoint::mul_base_clamped(s.seed);
        let point = point.to_edwards(0).expect("it is on the curve");
        point.compress().to_bytes().into()
    }),
];
