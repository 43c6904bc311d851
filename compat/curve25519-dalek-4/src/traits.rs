//! What points of all kinds have in common.

use core::borrow::Borrow;
use core::iter::empty;

use subtle::ConstantTimeEq;

use crate::scalar::{Scalar, clamp_integer};

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

/// A table of multiples of one point.
pub trait BasepointTable {
    /// The type of the point.
    type Point;

    /// The table of `basepoint`.
    fn create(basepoint: &Self::Point) -> Self;

    /// The point that the table is of.
    fn basepoint(&self) -> Self::Point;

    /// \[scalar] times the point. Constant time.
    fn mul_base(&self, scalar: &Scalar) -> Self::Point;

    /// \[n] times the point, where n is the integer that `bytes` clamp to (RFC 7748, section 5), not reduced. Constant
    /// time.
    fn mul_base_clamped(&self, bytes: [u8; 32]) -> Self::Point {
        self.mul_base(&Scalar::integer(clamp_integer(bytes)))
    }
}

/// Sums of multiples, in constant time.
pub trait MultiscalarMul {
    /// The type of the points.
    type Point;

    /// The sum of scalar times point over the pairs. Constant time in all but their number.
    ///
    /// # Panics
    ///
    /// If the iterators do not say that they have the same length.
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

    /// The sum of scalar times point over the pairs, or `None` if a point is `None`. Variable time.
    ///
    /// # Panics
    ///
    /// If the iterators do not say that they have the same length.
    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<Self::Point>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<Self::Point>>;

    /// The sum of scalar times point over the pairs. Variable time.
    ///
    /// # Panics
    ///
    /// If the iterators do not say that they have the same length.
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

/// Sums of multiples of points, of which some are known in advance, in variable time.
pub trait VartimePrecomputedMultiscalarMul: Sized {
    /// The type of the points.
    type Point: Clone;

    /// Tables of these points.
    fn new<I>(static_points: I) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<Self::Point>;

    /// The sum of scalar times point over the points known in advance. Variable time.
    ///
    /// # Panics
    ///
    /// If there are not as many scalars as points.
    fn vartime_multiscalar_mul<I>(&self, static_scalars: I) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
    {
        let (scalars, points) = (empty::<Scalar>(), empty::<Self::Point>());
        self.vartime_mixed_multiscalar_mul(static_scalars, scalars, points)
    }

    /// The same with further pairs. Variable time.
    ///
    /// # Panics
    ///
    /// If there are not as many scalars as points of either kind.
    fn vartime_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator,
        K::Item: Borrow<Self::Point>,
    {
        let points = dynamic_points
            .into_iter()
            .map(|point| Some(point.borrow().clone()));
        self.optional_mixed_multiscalar_mul(static_scalars, dynamic_scalars, points)
            .expect("every point is there")
    }

    /// The same, or `None` if a further point is `None`. Variable time.
    ///
    /// # Panics
    ///
    /// If there are not as many scalars as points of either kind.
    fn optional_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Option<Self::Point>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator<Item = Option<Self::Point>>;
}
