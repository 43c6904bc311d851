//! What version 5 promises: the items are Lanner's own, whose tests stand beside them.

use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, RISTRETTO_BASEPOINT_POINT};
use curve25519_dalek::{EdwardsPoint, RistrettoPoint, Scalar};

#[test]
fn it_is_lanner() {
    let scalar: lanner_curve::Scalar = Scalar::from(7_u8);
    let point: lanner_curve::EdwardsPoint = EdwardsPoint::mul_base(&scalar);
    assert_eq!(point, ED25519_BASEPOINT_POINT * scalar);
    let element: lanner_curve::RistrettoPoint = RistrettoPoint::mul_base(&scalar);
    assert_eq!(element, RISTRETTO_BASEPOINT_POINT * scalar);
}

#[test]
#[cfg(feature = "alloc")]
#[should_panic = "not as many points as scalars"]
fn sums_want_as_many_points_as_scalars() {
    use curve25519_dalek::traits::MultiscalarMul;

    let _ = RistrettoPoint::multiscalar_mul([Scalar::ONE; 2], [RISTRETTO_BASEPOINT_POINT]);
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

/// The crate of the hashes takes generators where this package does.
#[test]
#[cfg(feature = "rand_core")]
fn keys_of_hashes_are_generated() {
    fn is_generated<T: curve25519_dalek::digest::common::Generate>() {}
    is_generated::<[u8; 32]>();
}
