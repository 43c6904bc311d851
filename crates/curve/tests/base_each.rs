//! Many multiples of the base point are what they are one by one, on every backend and for every number of them.

mod common;

use common::{cases, on_every_backend, scalars};
use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::scalar::Scalar;
use proptest::prelude::*;

/// From none to one more than two groups.
const LENGTHS: core::ops::RangeInclusive<usize> = if cfg!(miri) { 2..=3 } else { 0..=33 };

fn check_edwards(scalars: &[Scalar]) {
    let mut points = vec![EdwardsPoint::default(); scalars.len()];
    let mut encodings = vec![CompressedEdwardsY([0xff; 32]); scalars.len()];
    EdwardsPoint::mul_base_each(scalars, &mut points, &mut encodings);
    for ((scalar, point), encoding) in scalars.iter().zip(&points).zip(&encodings) {
        let expected = EdwardsPoint::mul_base(scalar);
        assert_eq!(*point, expected);
        assert_eq!(*encoding, expected.compress());
        // T = XY/Z holds too, or a sum would be wrong.
        assert_eq!(point + point, expected + expected);
    }
}

fn check_montgomery(bytes: &[[u8; 32]]) {
    let mut products = vec![MontgomeryPoint([0xff; 32]); bytes.len()];
    MontgomeryPoint::mul_base_clamped_each(bytes, &mut products);
    for (bytes, product) in bytes.iter().zip(&products) {
        // The bytes, not only their class modulo p.
        assert_eq!(product.0, MontgomeryPoint::mul_base_clamped(*bytes).0);
    }
}

#[test]
fn every_number_of_multiples() {
    on_every_backend(|_| {
        for count in LENGTHS {
            let bytes = (0..count).map(|i| core::array::from_fn(|k| (i * 89 + k * 7 + 1) as u8));
            let bytes: Vec<[u8; 32]> = bytes.collect();
            check_montgomery(&bytes);
            let scalars: Vec<_> = bytes
                .into_iter()
                .map(Scalar::from_bytes_mod_order)
                .collect();
            check_edwards(&scalars);
        }
    });
}

#[test]
fn every_digit_in_every_lane() {
    // All windows of a scalar have the same digit, another one in each lane.
    if cfg!(miri) {
        return;
    }
    on_every_backend(|_| {
        for turn in 0..16 {
            let bytes =
                core::array::from_fn::<_, 16, _>(|lane| [((lane + turn) % 16 * 0x11) as u8; 32]);
            check_montgomery(&bytes);
            check_edwards(&bytes.map(Scalar::from_bytes_mod_order));
        }
    });
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn many_multiples_are_the_single_ones(
        scalars in proptest::collection::vec(scalars(), 0..34),
        bytes in proptest::collection::vec(any::<[u8; 32]>(), 0..34),
    ) {
        on_every_backend(|_| {
            check_edwards(&scalars);
            check_montgomery(&bytes);
        });
    }
}

#[test]
#[should_panic(expected = "assertion")]
fn as_many_places_as_scalars() {
    MontgomeryPoint::mul_base_clamped_each(&[[1; 32]; 2], &mut [MontgomeryPoint::default()]);
}
