//! Coordinates on the Montgomery curve, on every backend.

mod common;

use common::{cases, on_every_backend, points, scalars};
use lanner_curve::constants::X25519_BASEPOINT;
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::traits::Identity;
use proptest::prelude::*;
use std::collections::HashSet;

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn the_two_curves_agree(s in scalars(), p in points(), bytes: [u8; 32]) {
        on_every_backend(|_| {
            let u = p.to_montgomery();
            assert_eq!(u * s, (p * s).to_montgomery());
            assert_eq!(s * u, u * s);
            assert_eq!(u.mul_clamped(bytes), p.mul_clamped(bytes).to_montgomery());
            assert_eq!(MontgomeryPoint::mul_base(&s), X25519_BASEPOINT * s);
            let base = X25519_BASEPOINT.mul_clamped(bytes);
            assert_eq!(MontgomeryPoint::mul_base_clamped(bytes), base);
            let bits = (0..256).rev().map(|i| s[i / 8] >> (i % 8) & 1 == 1);
            assert_eq!(u.mul_bits_be(bits), u * s);
        });
    }

    #[test]
    fn pairs_side_by_side_agree_with_single_ones(
        pairs in proptest::collection::vec((any::<[u8; 32]>(), any::<[u8; 32]>()), 0..20),
        small in 0u8..3,
    ) {
        let (scalars, mut us): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        if let Some(u) = us.get_mut(1) {
            // A point of small order, whose multiples have u = 0.
            *u = [0; 32];
            u[0] = small;
        }
        let points: Vec<_> = us.into_iter().map(MontgomeryPoint).collect();
        on_every_backend(|_| {
            let mut products = vec![X25519_BASEPOINT; points.len()];
            MontgomeryPoint::mul_clamped_each(&scalars, &points, &mut products);
            for ((scalar, point), product) in scalars.iter().zip(&points).zip(&products) {
                assert_eq!(product.to_bytes(), point.mul_clamped(*scalar).to_bytes());
            }
        });
    }

    #[test]
    fn points_come_back_with_their_sign(p in points()) {
        on_every_backend(|_| {
            let encoding = p.compress();
            let sign = encoding.as_bytes()[31] >> 7;
            let back = p.to_montgomery().to_edwards(sign);
            // The neutral element has no u of its own: u = 0 is the point (0, 0)
            // of order 2, (0, -1) here.
            if p == EdwardsPoint::identity() {
                assert_eq!(back.map(|point| point + point), Some(p));
            } else {
                assert_eq!(back, Some(p));
            }
        });
    }

    #[test]
    fn any_coordinate_is_on_the_curve_or_the_twist(bytes: [u8; 32]) {
        on_every_backend(|_| {
            let u = MontgomeryPoint(bytes);
            if let Some(point) = u.to_edwards(0) {
                assert_eq!(point.to_montgomery(), u);
                assert_eq!(u.to_edwards(1).map(|other| other + point), Some(EdwardsPoint::identity()));
            }
        });
    }
}

#[test]
fn coordinates_are_classes() {
    let mut other = [0xff; 32];
    other[0] = 0xed + 9;
    let set: HashSet<MontgomeryPoint> = [X25519_BASEPOINT, MontgomeryPoint(other)].into();
    assert_eq!(set.len(), 1);
    assert_ne!(X25519_BASEPOINT, MontgomeryPoint([8; 32]));
}

/// u = -1 is on the twist, and the only u that y = (u - 1)/(u + 1) leaves out.
#[test]
fn minus_one_is_on_the_twist() {
    let mut bytes = [0xff; 32];
    bytes[0] = 0xec;
    bytes[31] = 0x7f;
    on_every_backend(|_| assert_eq!(MontgomeryPoint(bytes).to_edwards(0), None));
}
