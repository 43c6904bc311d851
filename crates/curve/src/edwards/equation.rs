//! What one verification asks.

use super::EdwardsPoint;
use crate::scalar::Scalar;

/// The numbers and points of one equation \[S]B = R + \[k]A.
#[derive(Clone, Copy, Debug)]
pub struct GroupEquation {
    /// S.
    pub s: Scalar,
    /// R.
    pub r: EdwardsPoint,
    /// k, as the integer that its bytes are.
    pub k: Scalar,
    /// A.
    pub a: EdwardsPoint,
}
