//! Multiples of the base point B without tables, for small binaries.

use super::double_base::OddMultiples;
use super::models::Extended;
use crate::constants::ED25519_BASEPOINT_POINT;
use crate::field::Field;

/// \[n]B for n = sum of digits\[i] 16^i, with digits in -8..=8. Constant time.
#[inline]
pub(super) fn mul_base<F: Field>(digits: &[i8; 64]) -> Extended<F> {
    super::variable_base::mul(&ED25519_BASEPOINT_POINT.unpack(), digits)
}

/// The odd multiples of B.
#[inline]
pub(super) fn base_multiples<F: Field>() -> OddMultiples<F> {
    OddMultiples::new(&ED25519_BASEPOINT_POINT.unpack())
}
