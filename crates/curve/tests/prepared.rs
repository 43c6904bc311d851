//! Points with tables of their multiples, on every backend.
#![cfg(feature = "precomputed-tables")]

mod common;

use common::{cases, on_every_backend, points, scalars};
use lanner_curve::constants::{ED25519_BASEPOINT_POINT, ED25519_BASEPOINT_TABLE, EIGHT_TORSION};
use lanner_curve::edwards::{
    EdwardsBasepointTable, EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix64,
    EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256, EdwardsPoint,
    VartimePreparedPoint,
};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::BasepointTable;
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

/// Multiples by a table, of scalars at the edges of the recodings and of clamped integers.
fn check_table<T: BasepointTable<Point = EdwardsPoint>>(point: &EdwardsPoint) {
    let mut scalars: Vec<Scalar> = vec![Scalar::ZERO, Scalar::ONE, -Scalar::ONE];
    for byte in [0x07, 0x08, 0x0f, 0x77, 0x7f, 0x80, 0x88, 0xff] {
        scalars.push(Scalar::from_bytes_mod_order([byte; 32]));
    }
    on_every_backend(|backend| {
        let table = T::create(point);
        assert_eq!(table.basepoint(), *point);
        for scalar in &scalars {
            assert_eq!(table.mul_base(scalar), point * scalar, "{backend}");
        }
        for byte in [0x00, 0x55, 0x7f, 0x80, 0xff] {
            let clamped = point.mul_clamped([byte; 32]);
            assert_eq!(table.mul_base_clamped([byte; 32]), clamped, "{backend}");
        }
    });
}

#[test]
fn tables_in_every_radix() {
    for point in [ED25519_BASEPOINT_POINT, EIGHT_TORSION[3], EIGHT_TORSION[0]] {
        check_table::<EdwardsBasepointTable>(&point);
        check_table::<EdwardsBasepointTableRadix32>(&point);
        check_table::<EdwardsBasepointTableRadix64>(&point);
        check_table::<EdwardsBasepointTableRadix128>(&point);
        check_table::<EdwardsBasepointTableRadix256>(&point);
    }
}

#[test]
fn tables_from_tables() {
    let scalar = -Scalar::from(0x1234_5678u64);
    let expected = EdwardsPoint::mul_base(&scalar);
    assert_eq!(&scalar * ED25519_BASEPOINT_TABLE, expected);
    assert_eq!(ED25519_BASEPOINT_TABLE.basepoint(), ED25519_BASEPOINT_POINT);
    let wide = EdwardsBasepointTableRadix256::from(ED25519_BASEPOINT_TABLE);
    assert_eq!(&wide * &scalar, expected);
    let narrow = EdwardsBasepointTableRadix32::from(&wide);
    assert_eq!(&scalar * &narrow, expected);
    let back = EdwardsBasepointTable::from(&narrow);
    assert_eq!(&back * &scalar, expected);
}
