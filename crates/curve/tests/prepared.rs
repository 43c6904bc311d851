//! Points with tables of their multiples, on every backend.
#![cfg(feature = "precomputed-tables")]

mod common;

use common::{cases, on_every_backend, points, scalars};
use lanner_curve::constants::ED25519_BASEPOINT_POINT;
use lanner_curve::edwards::VartimePreparedPoint;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn prepared_points_multiply_alike(a in scalars(), b in scalars(), p in points()) {
        on_every_backend(|_| {
            let prepared = VartimePreparedPoint::new(&p);
            let expected = p * a + ED25519_BASEPOINT_POINT * b;
            assert_eq!(prepared.vartime_double_scalar_mul_basepoint(&a, &b), expected);
            assert_eq!(
                prepared.vartime_double_scalar_mul_basepoint_compress(&a, &b),
                expected.compress()
            );
        });
    }
}
