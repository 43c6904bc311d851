//! Traits of the groups.

use crate::scalar::Scalar;
use core::borrow::Borrow;
use subtle::ConstantTimeEq;

/// A group's neutral element.
pub trait Identity {
    /// The neutral element.
    fn identity() -> Self;
}

/// The test for the neutral element.
pub trait IsIdentity {
    /// Whether this is the neutral element. Constant time.
    fn is_identity(&self) -> bool;
}

impl<T: ConstantTimeEq + Identity> IsIdentity for T {
    fn is_identity(&self) -> bool {
        self.ct_eq(&T::identity()).into()
    }
}

/// Sums of multiples, in constant time.
pub trait MultiscalarMul {
    /// The type of the points.
    type Point;

    /// The sum of scalar times point over the pairs; the longer iterator is cut.
    fn multiscalar_mul<I, J>(scalars: I, points: J) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Self::Point>;
}

/// Sums of multiples, in variable time.
pub trait VartimeMultiscalarMul {
    /// The type of the points.
    type Point;

    /// The sum of scalar times point over the pairs, or `None` if a point is
    /// `None`; the longer iterator is cut. Runs in variable time.
    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<Self::Point>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<Self::Point>>;

    /// The sum of scalar times point over the pairs; the longer iterator is cut.
    /// Runs in variable time.
    fn vartime_multiscalar_mul<I, J>(scalars: I, points: J) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Self::Point>,
        Self::Point: Clone,
    {
        let points = points.into_iter().map(|point| Some(point.borrow().clone()));
        Self::optional_multiscalar_mul(scalars, points).expect("every point is there")
    }
}
