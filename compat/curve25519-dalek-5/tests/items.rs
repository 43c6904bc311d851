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
