//! Sums of many multiples: those of Edwards points.

use super::RistrettoPoint;
use crate::edwards::{EdwardsPoint, VartimeEdwardsPrecomputation};
use crate::scalar::Scalar;
use crate::traits::{MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};
use core::borrow::Borrow;
use core::fmt;

impl MultiscalarMul for RistrettoPoint {
    type Point = Self;

    fn multiscalar_mul<I, J>(scalars: I, points: J) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Self>,
    {
        let points = points.into_iter().map(|point| point.borrow().0);
        Self(EdwardsPoint::multiscalar_mul(scalars, points))
    }
}

impl VartimeMultiscalarMul for RistrettoPoint {
    type Point = Self;

    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<Self>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<Self>>,
    {
        let points = points.into_iter().map(|point| point.map(|point| point.0));
        EdwardsPoint::optional_multiscalar_mul(scalars, points).map(Self)
    }
}

/// Tables of multiples of points that take part in many sums: [`VartimeEdwardsPrecomputation`] for Ristretto255.
#[derive(Clone)]
pub struct VartimeRistrettoPrecomputation(VartimeEdwardsPrecomputation);

impl VartimePrecomputedMultiscalarMul for VartimeRistrettoPrecomputation {
    type Point = RistrettoPoint;

    fn new<I>(static_points: I) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<RistrettoPoint>,
    {
        let points = static_points.into_iter().map(|point| point.borrow().0);
        Self(VartimeEdwardsPrecomputation::new(points))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn optional_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Option<RistrettoPoint>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator<Item = Option<RistrettoPoint>>,
    {
        let dynamic_points = dynamic_points
            .into_iter()
            .map(|point| point.map(|point| point.0));
        self.0
            .optional_mixed_multiscalar_mul(static_scalars, dynamic_scalars, dynamic_points)
            .map(RistrettoPoint)
    }
}

impl fmt::Debug for VartimeRistrettoPrecomputation {
    /// Shows how many points there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VartimeRistrettoPrecomputation({} points)", self.len())
    }
}
