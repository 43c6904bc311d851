//! What version 4 promises, and what holds beyond it. The rest is told by the program of `compat/tests`.

use curve25519_dalek::constants::{
    ED25519_BASEPOINT_COMPRESSED, ED25519_BASEPOINT_POINT, EIGHT_TORSION,
    RISTRETTO_BASEPOINT_COMPRESSED, RISTRETTO_BASEPOINT_POINT, X25519_BASEPOINT,
};
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{Identity, IsIdentity};
use subtle::ConditionallySelectable;
use zeroize::Zeroize;

#[test]
fn constants_belong_together() {
    assert_eq!(
        ED25519_BASEPOINT_POINT.compress(),
        ED25519_BASEPOINT_COMPRESSED
    );
    assert_eq!(ED25519_BASEPOINT_POINT.to_montgomery(), X25519_BASEPOINT);
    assert_eq!(
        RISTRETTO_BASEPOINT_POINT.compress(),
        RISTRETTO_BASEPOINT_COMPRESSED
    );
    for (i, point) in EIGHT_TORSION.iter().enumerate() {
        assert_eq!(*point, EIGHT_TORSION[1] * Scalar::from(i as u64));
        assert!(point.is_small_order());
    }
    #[expect(deprecated, reason = "it is there")]
    let order = curve25519_dalek::constants::BASEPOINT_ORDER;
    assert!((ED25519_BASEPOINT_POINT * order).is_identity());
    assert!(bool::from(
        Scalar::from_canonical_bytes(order.to_bytes()).is_none()
    ));
    let identity = CompressedEdwardsY::identity().decompress();
    assert!(identity.is_some_and(|point| point == EdwardsPoint::identity()));
    let identity = CompressedRistretto::identity().decompress();
    assert!(identity.is_some_and(|point| point == RistrettoPoint::identity()));
}

#[test]
fn scalars_show_nothing() {
    let shown = format!("{:?}", Scalar::from(0x1234_5678_u32));
    assert!(!shown.contains("78") && !shown.contains("120"), "{shown}");
}

#[test]
fn conversions_keep_the_value() {
    let scalar = Scalar::from(77_u8);
    let inner = lanner_curve::Scalar::from(scalar);
    assert_eq!(inner, lanner_curve::Scalar::from(77_u8));
    assert_eq!(Scalar::from(inner), scalar);
    let point = EdwardsPoint::mul_base(&scalar);
    let inner = lanner_curve::EdwardsPoint::from(point);
    assert_eq!(inner.compress().0, point.compress().0);
    assert_eq!(EdwardsPoint::from(inner), point);
}

#[test]
fn choices_and_wiping() {
    let [a, b] = [Scalar::ONE, Scalar::from(2_u8)];
    let [p, q] = [a, b].map(|scalar| EdwardsPoint::mul_base(&scalar));
    for choice in [0, 1] {
        let chosen = Scalar::conditional_select(&a, &b, choice.into());
        assert_eq!(chosen, if choice == 0 { a } else { b });
        let chosen = EdwardsPoint::conditional_select(&p, &q, choice.into());
        assert!(chosen == if choice == 0 { p } else { q });
    }
    let (mut a, mut p, mut encoded) = (a, p, q.compress());
    a.zeroize();
    p.zeroize();
    encoded.zeroize();
    assert_eq!(a, Scalar::ZERO);
    assert!(p.is_identity());
    assert_eq!(encoded, CompressedEdwardsY::identity());
}

#[test]
#[cfg(feature = "alloc")]
#[cfg_attr(debug_assertions, should_panic = "zero has no inverse")]
fn a_zero_spoils_a_batch_of_inverses() {
    let mut scalars = [Scalar::from(3_u8), Scalar::ZERO, Scalar::from(5_u8)];
    assert_eq!(Scalar::batch_invert(&mut scalars), Scalar::ZERO);
    assert_eq!(scalars, [Scalar::ZERO; 3]);
}

#[test]
#[cfg(feature = "alloc")]
fn inverses_by_the_batch() {
    assert_eq!(Scalar::batch_invert(&mut []), Scalar::ONE);
    let mut scalars = [3_u8, 5, 7].map(Scalar::from);
    let product = Scalar::batch_invert(&mut scalars);
    assert_eq!(product, Scalar::from(105_u8).invert());
    assert_eq!(scalars, [3_u8, 5, 7].map(|n| Scalar::from(n).invert()));
}

#[test]
#[cfg(feature = "alloc")]
#[should_panic = "not as many points as scalars"]
fn sums_want_as_many_points_as_scalars() {
    use curve25519_dalek::traits::VartimeMultiscalarMul;

    let _ = RistrettoPoint::vartime_multiscalar_mul([Scalar::ONE], [RISTRETTO_BASEPOINT_POINT; 2]);
}

#[test]
#[cfg(feature = "alloc")]
#[should_panic = "not as many static scalars as points"]
fn every_static_point_wants_a_scalar() {
    use curve25519_dalek::edwards::VartimeEdwardsPrecomputation;
    use curve25519_dalek::traits::VartimePrecomputedMultiscalarMul;

    let known = VartimeEdwardsPrecomputation::new([ED25519_BASEPOINT_POINT; 2]);
    let _ = known.vartime_multiscalar_mul([Scalar::ONE]);
}

#[test]
#[cfg(feature = "legacy_compatibility")]
fn integers_that_are_not_reduced_multiply_as_integers() {
    #[expect(deprecated, reason = "it is there")]
    let integer = Scalar::from_bits([0xff; 32]);
    assert_eq!(integer.to_bytes()[31], 0x7f);
    let reduced = integer * Scalar::ONE;
    assert_ne!(integer, reduced);
    let point = ED25519_BASEPOINT_POINT + EIGHT_TORSION[1];
    assert_ne!(point * integer, point * reduced);
    assert_eq!(
        EdwardsPoint::mul_base(&integer),
        EdwardsPoint::mul_base(&reduced)
    );
}

#[test]
#[cfg(feature = "serde")]
fn serde_writes_tuples() {
    let scalar = Scalar::from(77_u8);
    let written = postcard::to_allocvec(&scalar).expect("serialises");
    assert_eq!(written, scalar.to_bytes());
    assert_eq!(postcard::from_bytes::<Scalar>(&written).ok(), Some(scalar));
    assert!(postcard::from_bytes::<Scalar>(&[0xff; 32]).is_err());
    let point = EdwardsPoint::mul_base(&scalar).to_montgomery();
    let written = postcard::to_allocvec(&point).expect("serialises");
    assert_eq!(written, point.to_bytes());
}

#[test]
#[cfg(feature = "digest")]
fn elligator_of_old() {
    use sha2::Sha512;

    #[expect(deprecated, reason = "it is there")]
    let point = EdwardsPoint::nonspec_map_to_curve::<Sha512>(b"message");
    assert!(point.is_torsion_free());
    #[expect(deprecated, reason = "it is there")]
    let other = EdwardsPoint::nonspec_map_to_curve::<Sha512>(b"passage");
    assert_ne!(point, other);
}

/// Trees count on the macros that the original brings along.
#[test]
#[cfg(feature = "serde")]
fn serde_comes_with_its_macros() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Record(Scalar);

    fn both<T: serde::Serialize + for<'de> serde::Deserialize<'de>>() {}
    both::<Record>();
}

/// They stand for tables that are part of the program anyway, and have no empty room for another.
#[test]
#[cfg(all(feature = "alloc", feature = "precomputed-tables"))]
fn the_tables_of_the_base_points_are_small() {
    use curve25519_dalek::constants::{ED25519_BASEPOINT_TABLE, RISTRETTO_BASEPOINT_TABLE};

    assert!(size_of_val(ED25519_BASEPOINT_TABLE) <= 16);
    assert!(size_of_val(RISTRETTO_BASEPOINT_TABLE) <= 16);
}
