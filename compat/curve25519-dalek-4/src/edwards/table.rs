//! Tables of multiples of a point.

use core::fmt;
use core::ops::Mul;

use lanner_curve::edwards as inner;
use lanner_curve::traits::BasepointTable as _;

use super::EdwardsPoint;
use crate::constants::ED25519_BASEPOINT_POINT;
use crate::room::Room;
use crate::scalar::Scalar;
use crate::traits::BasepointTable;

/// Multiples of one point, 16 of them in each row: what multiplies it by many scalars.
#[derive(Clone)]
pub struct EdwardsBasepointTable(Table);

/// The same by another name.
pub type EdwardsBasepointTableRadix16 = EdwardsBasepointTable;

#[derive(Clone)]
#[cfg_attr(
    not(feature = "alloc"),
    expect(clippy::large_enum_variant, reason = "there is nowhere else")
)]
enum Table {
    /// That of the base point, which is part of the program.
    Ed25519,
    Of(Room<inner::EdwardsBasepointTable>),
}

impl EdwardsBasepointTable {
    /// That of the base point of Ed25519.
    pub(crate) const ED25519: Self = EdwardsBasepointTable(Table::Ed25519);
}

impl BasepointTable for EdwardsBasepointTable {
    type Point = EdwardsPoint;

    fn create(basepoint: &EdwardsPoint) -> Self {
        let table = inner::EdwardsBasepointTable::create(&basepoint.0);
        EdwardsBasepointTable(Table::Of(Room::new(table)))
    }

    fn basepoint(&self) -> EdwardsPoint {
        match &self.0 {
            Table::Ed25519 => ED25519_BASEPOINT_POINT,
            Table::Of(table) => EdwardsPoint(table.basepoint()),
        }
    }

    fn mul_base(&self, scalar: &Scalar) -> EdwardsPoint {
        match &self.0 {
            Table::Ed25519 => EdwardsPoint::mul_base(scalar),
            Table::Of(table) => EdwardsPoint(table.mul_base(&scalar.0)),
        }
    }
}

macro_rules! wider {
    ($($Name:ident: $multiples:literal;)*) => {$(
        #[doc = concat!("Multiples of one point, ", $multiples, " of them in each row.")]
        #[derive(Clone)]
        pub struct $Name(inner::$Name);

        impl BasepointTable for $Name {
            type Point = EdwardsPoint;

            fn create(basepoint: &EdwardsPoint) -> Self {
                $Name(inner::$Name::create(&basepoint.0))
            }

            fn basepoint(&self) -> EdwardsPoint {
                EdwardsPoint(self.0.basepoint())
            }

            fn mul_base(&self, scalar: &Scalar) -> EdwardsPoint {
                EdwardsPoint(self.0.mul_base(&scalar.0))
            }
        }
    )*};
}

wider! {
    EdwardsBasepointTableRadix32: "32";
    EdwardsBasepointTableRadix64: "64";
    EdwardsBasepointTableRadix128: "128";
    EdwardsBasepointTableRadix256: "256";
}

macro_rules! multiplying {
    ($($Name:ident)*) => {$(
        impl Mul<&Scalar> for &$Name {
            type Output = EdwardsPoint;

            fn mul(self, scalar: &Scalar) -> EdwardsPoint {
                self.mul_base(scalar)
            }
        }

        impl Mul<&$Name> for &Scalar {
            type Output = EdwardsPoint;

            fn mul(self, table: &$Name) -> EdwardsPoint {
                table * self
            }
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($Name))
                    .field(&self.basepoint())
                    .finish()
            }
        }
    )*};
}

multiplying! {
    EdwardsBasepointTable
    EdwardsBasepointTableRadix32
    EdwardsBasepointTableRadix64
    EdwardsBasepointTableRadix128
    EdwardsBasepointTableRadix256
}

/// Each from each other, by the point that they are of.
macro_rules! converting {
    ($First:ident $($Name:ident)*) => {
        $(
            impl From<&$First> for $Name {
                fn from(table: &$First) -> Self {
                    $Name::create(&table.basepoint())
                }
            }

            impl From<&$Name> for $First {
                fn from(table: &$Name) -> Self {
                    $First::create(&table.basepoint())
                }
            }
        )*
        converting!($($Name)*);
    };
    () => {};
}

converting! {
    EdwardsBasepointTable
    EdwardsBasepointTableRadix32
    EdwardsBasepointTableRadix64
    EdwardsBasepointTableRadix128
    EdwardsBasepointTableRadix256
}
