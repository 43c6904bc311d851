//! \[a]A + \[b]B for the base point B, in variable time.

use super::base::base_multiples;
use super::models::{Completed, Extended};
use super::straus::{PointAccumulator, Sliding, vartime_straus};
use crate::field::Field;
use crate::scalar::Scalar;

/// \[a]A + \[b]B, with a and b as the integers that their bytes are.
#[inline]
pub(super) fn vartime_mul<F: Field>(a: &Scalar, point: &Extended<F>, b: &Scalar) -> Extended<F> {
    let multiples = Completed::odd_multiples(point);
    let a = Sliding::vartime_from_scalar(a, &multiples);
    let b = Sliding::vartime_from_scalar(b, base_multiples::<F>());
    vartime_straus::<Completed<F>>(&(a, b)).to_point()
}
