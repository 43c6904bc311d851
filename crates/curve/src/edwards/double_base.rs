//! \[a]A + \[b]B for the base point B, in variable time.

use super::base::base_multiples;
use super::models::Extended;
use super::multiples::{CachedMultiples, vartime_straus_in_memory};
use super::straus::Sliding;
use crate::field::Field;
use crate::scalar::Scalar;

/// \[a]A + \[b]B, with a and b as the integers that their bytes are.
#[inline]
pub(super) fn vartime_mul<F: Field>(a: &Scalar, point: &Extended<F>, b: &Scalar) -> Extended<F> {
    let multiples = CachedMultiples::new(point);
    let a = Sliding::vartime_from_scalar(a, &multiples);
    let b = Sliding::vartime_from_scalar(b, base_multiples::<F>());
    vartime_straus_in_memory::<F>(&(a, b))
}
