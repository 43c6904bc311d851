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
