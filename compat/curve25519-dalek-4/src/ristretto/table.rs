//! Tables of multiples of an element.

use core::fmt;
use core::ops::Mul;

use lanner_curve::ristretto as inner;

use super::RistrettoPoint;
use crate::constants::RISTRETTO_BASEPOINT_POINT;
use crate::room::Room;
use crate::scalar::Scalar;

/// Multiples of one element: what multiplies it by many scalars.
#[derive(Clone)]
pub struct RistrettoBasepointTable(Table);

#[derive(Clone)]
#[cfg_attr(
    not(feature = "alloc"),
    expect(clippy::large_enum_variant, reason = "there is nowhere else")
)]
enum Table {
    /// That of the base point, which is part of the program.
    Ristretto,
    Of(Room<inner::RistrettoBasepointTable>),
}

impl RistrettoBasepointTable {
    /// That of the base point.
    pub(crate) const RISTRETTO: Self = RistrettoBasepointTable(Table::Ristretto);

    /// The table of `basepoint`.
    pub fn create(basepoint: &RistrettoPoint) -> RistrettoBasepointTable {
        let table = inner::RistrettoBasepointTable::create(&basepoint.0);
        RistrettoBasepointTable(Table::Of(Room::new(table)))
    }

    /// The element that the table is of.
    pub fn basepoint(&self) -> RistrettoPoint {
        match &self.0 {
            Table::Ristretto => RISTRETTO_BASEPOINT_POINT,
            Table::Of(table) => RistrettoPoint(table.basepoint()),
        }
    }
}

impl Mul<&Scalar> for &RistrettoBasepointTable {
    type Output = RistrettoPoint;

    fn mul(self, scalar: &Scalar) -> RistrettoPoint {
        match &self.0 {
            Table::Ristretto => RistrettoPoint::mul_base(scalar),
            Table::Of(table) => RistrettoPoint(&**table * &scalar.0),
        }
    }
}

impl Mul<&RistrettoBasepointTable> for &Scalar {
    type Output = RistrettoPoint;

    fn mul(self, table: &RistrettoBasepointTable) -> RistrettoPoint {
        table * self
    }
}

impl fmt::Debug for RistrettoBasepointTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RistrettoBasepointTable")
            .field(&self.basepoint())
            .finish()
    }
}
