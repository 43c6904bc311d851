//! The operators of points.

use super::EdwardsPoint;
#[cfg(not(feature = "alloc"))]
use super::pairs::Pairs;
use crate::backend::with_field;
use crate::operators::{assigning, by_value};
use crate::scalar::Scalar;
use crate::traits::Identity;
use core::borrow::Borrow;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

impl Add<&EdwardsPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn add(self, rhs: &EdwardsPoint) -> EdwardsPoint {
        with_field!(F => self.unpack::<F>().add(&rhs.unpack().to_cached()).to_extended().pack())
    }
}

impl Sub<&EdwardsPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn sub(self, rhs: &EdwardsPoint) -> EdwardsPoint {
        with_field!(F => self.unpack::<F>().sub(&rhs.unpack().to_cached()).to_extended().pack())
    }
}

impl Neg for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn neg(self) -> EdwardsPoint {
        with_field!(F => self.unpack::<F>().neg().pack())
    }
}

impl Mul<&Scalar> for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn mul(self, scalar: &Scalar) -> EdwardsPoint {
        self.mul_scalar(scalar)
    }
}

impl Mul<&EdwardsPoint> for &Scalar {
    type Output = EdwardsPoint;

    fn mul(self, point: &EdwardsPoint) -> EdwardsPoint {
        point * self
    }
}

impl Neg for EdwardsPoint {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

by_value! {
    EdwardsPoint:
    Add::add: EdwardsPoint, EdwardsPoint;
    Sub::sub: EdwardsPoint, EdwardsPoint;
    Mul::mul: EdwardsPoint, Scalar;
    Mul::mul: Scalar, EdwardsPoint;
}

assigning! {
    EdwardsPoint:
    AddAssign::add_assign: EdwardsPoint, +;
    SubAssign::sub_assign: EdwardsPoint, -;
    MulAssign::mul_assign: Scalar, *;
}

impl<P: Borrow<EdwardsPoint>> Sum<P> for EdwardsPoint {
    fn sum<I: Iterator<Item = P>>(points: I) -> Self {
        points.fold(Self::identity(), |sum, point| sum + point.borrow())
    }
}

impl Identity for EdwardsPoint {
    fn identity() -> Self {
        Self::default()
    }
}

/// In constant time: without an allocator as many multiplications as there are terms.
#[cfg(not(feature = "alloc"))]
impl crate::traits::MultiscalarMul for EdwardsPoint {
    type Point = Self;

    fn multiscalar_mul<I, J>(scalars: I, points: J) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Self>,
    {
        Pairs::new(scalars, points)
            .map(|(scalar, point)| point.borrow() * scalar.borrow())
            .sum()
    }
}
