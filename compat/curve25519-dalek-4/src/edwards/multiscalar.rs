//! Sums of multiples.

use core::borrow::Borrow;

use lanner_curve::edwards as inner;
use lanner_curve::traits as inner_traits;

use super::EdwardsPoint;
use crate::operators::{Held, same_length};
use crate::scalar::Scalar;
use crate::traits::{MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};

sums! {
    EdwardsPoint, VartimeEdwardsPrecomputation,
    inner::EdwardsPoint, inner::VartimeEdwardsPrecomputation
}
