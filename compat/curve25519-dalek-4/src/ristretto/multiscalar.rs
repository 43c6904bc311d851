//! Sums of multiples.

use core::borrow::Borrow;

use lanner_curve::ristretto as inner;
use lanner_curve::traits as inner_traits;

use super::RistrettoPoint;
use crate::operators::{Held, same_length};
use crate::scalar::Scalar;
use crate::traits::{MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};

sums! {
    RistrettoPoint, VartimeRistrettoPrecomputation,
    inner::RistrettoPoint, inner::VartimeRistrettoPrecomputation
}
