//! A table of multiples of an element.

use super::RistrettoPoint;
use crate::edwards::EdwardsBasepointTable;
use crate::scalar::Scalar;
use crate::traits::BasepointTable;
use core::fmt;
use core::ops::Mul;

/// Multiples of an element, for many multiplications by secret or public scalars; 48 kilobytes:
/// [`EdwardsBasepointTable`] for Ristretto255.
///
/// That of the base point is [`RISTRETTO_BASEPOINT_TABLE`](crate::constants::RISTRETTO_BASEPOINT_TABLE).
///
/// ```
/// use lanner_curve::constants::RISTRETTO_BASEPOINT_TABLE;
/// use lanner_curve::{RistrettoPoint, Scalar};
///
/// let a = Scalar::from(87329482u64);
/// assert_eq!(&a * RISTRETTO_BASEPOINT_TABLE, RistrettoPoint::mul_base(&a));
/// ```
#[derive(Clone)]
pub struct RistrettoBasepointTable(pub(crate) EdwardsBasepointTable);

impl RistrettoBasepointTable {
    /// The table of an element.
    #[must_use]
    pub fn create(basepoint: &RistrettoPoint) -> Self {
        Self(EdwardsBasepointTable::create(&basepoint.0))
    }

    /// The element of which the table has multiples.
    #[must_use]
    pub fn basepoint(&self) -> RistrettoPoint {
        RistrettoPoint(self.0.basepoint())
    }
}

/// Constant time.
impl Mul<&Scalar> for &RistrettoBasepointTable {
    type Output = RistrettoPoint;

    fn mul(self, scalar: &Scalar) -> RistrettoPoint {
        RistrettoPoint(self.0.mul_base(scalar))
    }
}

/// Constant time.
impl Mul<&RistrettoBasepointTable> for &Scalar {
    type Output = RistrettoPoint;

    fn mul(self, table: &RistrettoBasepointTable) -> RistrettoPoint {
        table * self
    }
}

impl fmt::Debug for RistrettoBasepointTable {
    /// Shows the element.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RistrettoBasepointTable({:?})", self.basepoint())
    }
}
