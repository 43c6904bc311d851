//! Traits of the groups.

use crate::scalar::{Scalar, clamp_in_place};
use core::borrow::Borrow;
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

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

/// A table of multiples of a point, for many multiplications.
pub trait BasepointTable {
    /// The type of the point.
    type Point;

    /// The table of a point.
    fn create(basepoint: &Self::Point) -> Self;

    /// The point of which the table has multiples.
    fn basepoint(&self) -> Self::Point;

    /// \[a]P for the point P of the table. Constant time.
    fn mul_base(&self, scalar: &Scalar) -> Self::Point;

    /// \[n]P for the point P of the table, where n is the integer that `bytes` clamp to (RFC 7748, section 5);
    /// it is not reduced. Constant time.
    ///
    /// Unless a table has a way of its own, this is [`mul_base`](Self::mul_base) of a scalar that is not reduced, which is
    /// constant time where that is.
    fn mul_base_clamped(&self, mut bytes: [u8; 32]) -> Self::Point {
        clamp_in_place(&mut bytes);
        let mut scalar = Scalar::unreduced(&bytes);
        let product = self.mul_base(&scalar);
        scalar.zeroize();
        bytes.zeroize();
        product
    }
}

/// Sums of multiples, in constant time.
pub trait MultiscalarMul {
    /// The type of the points.
    type Point;

    /// The sum of scalar times point over the pairs.
    ///
    /// # Panics
    ///
    /// If there are not as many points as scalars.
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
    /// `None`. Runs in variable time.
    ///
    /// # Panics
    ///
    /// If there are not as many points as scalars.
    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<Self::Point>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<Self::Point>>;

    /// The sum of scalar times point over the pairs. Runs in variable time.
    ///
    /// # Panics
    ///
    /// If there are not as many points as scalars.
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

/// Sums of multiples in which some points, the *static* ones, take part many times, in variable time.
pub trait VartimePrecomputedMultiscalarMul: Sized {
    /// The type of the points.
    type Point: Clone;

    /// Prepares the static points.
    fn new<I>(static_points: I) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<Self::Point>;

    /// How many static points there are.
    fn len(&self) -> usize;

    /// Whether there is no static point.
    fn is_empty(&self) -> bool;

    /// The sum of static scalar times static point. There may be fewer scalars than points: the other points do
    /// not count. Runs in variable time.
    ///
    /// # Panics
    ///
    /// If there are more scalars than points.
    fn vartime_multiscalar_mul<I>(&self, static_scalars: I) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
    {
        let none: [Scalar; 0] = [];
        let no_points: [Self::Point; 0] = [];
        self.vartime_mixed_multiscalar_mul(static_scalars, none, no_points)
    }

    /// The same, and the sum of dynamic scalar times dynamic point. Runs in variable time.
    ///
    /// # Panics
    ///
    /// If there are more static scalars than static points, or not as many dynamic points as dynamic scalars.
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
        let points = dynamic_points.into_iter();
        let points = points.map(|point| Some(point.borrow().clone()));
        self.optional_mixed_multiscalar_mul(static_scalars, dynamic_scalars, points)
            .expect("every point is there")
    }

    /// The same, or `None` if a dynamic point is `None`. Runs in variable time.
    ///
    /// # Panics
    ///
    /// If there are more static scalars than static points, or not as many dynamic points as dynamic scalars.
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
