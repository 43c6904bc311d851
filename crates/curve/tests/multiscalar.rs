//! Sums of many multiples, on every backend.
#![cfg(feature = "alloc")]

mod common;

use common::{cases, on_every_backend, points, scalars};
use lanner_curve::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::{MultiscalarMul, VartimeMultiscalarMul};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn sums_of_few_multiples(terms in prop::collection::vec((scalars(), points()), 0..6)) {
        on_every_backend(|_| {
            let (scalars, points): (Vec<_>, Vec<_>) = terms.iter().copied().unzip();
            let expected: EdwardsPoint = terms.iter().map(|(s, p)| s * p).sum();
            assert_eq!(EdwardsPoint::multiscalar_mul(&scalars, &points), expected);
            assert_eq!(EdwardsPoint::vartime_multiscalar_mul(&scalars, &points), expected);
        });
    }
}

/// Around the size at which buckets take over, and where their windows widen.
#[test]
#[cfg_attr(miri, ignore = "too slow")]
fn sums_of_many_multiples() {
    for n in [188usize, 189, 190, 191, 499, 500, 1199, 1200] {
        let scalars: Vec<Scalar> = (0..n as u64)
            .map(|i| match i % 5 {
                0 => -Scalar::from(i),
                1 => Scalar::from(i),
                2 => Scalar::from_bytes_mod_order([i as u8; 32]),
                _ => Scalar::from_bytes_mod_order_wide(&[(7 * i + 3) as u8; 64]),
            })
            .collect();
        // Points whose multiples of the base are known, with torsion.
        let logs: Vec<Scalar> = (0..n as u64)
            .map(|i| Scalar::from(i % 11) * Scalar::from(u64::MAX))
            .collect();
        let points: Vec<EdwardsPoint> = (0..n)
            .map(|i| EdwardsPoint::mul_base(&logs[i]) + EIGHT_TORSION[i % 8])
            .collect();
        let log: Scalar = scalars.iter().zip(&logs).map(|(a, b)| a * b).sum();
        let torsion: EdwardsPoint = (0..n)
            .map(|i| EIGHT_TORSION[i % 8] * Scalar::from(u64::from(scalars[i][0] & 7)))
            .sum();
        let expected = EdwardsPoint::mul_base(&log) + torsion;
        on_every_backend(|_| {
            assert_eq!(
                EdwardsPoint::vartime_multiscalar_mul(&scalars, &points),
                expected,
                "{n}"
            );
        });
    }
}

#[test]
fn a_missing_point_is_told() {
    let scalars = [Scalar::ONE; 2];
    let points = [Some(ED25519_BASEPOINT_POINT), None];
    assert_eq!(
        EdwardsPoint::optional_multiscalar_mul(scalars, points),
        None
    );
}
