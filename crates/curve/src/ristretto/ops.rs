//! The operators of elements.

use super::RistrettoPoint;
use crate::operators::{assigning, by_value};
use crate::scalar::Scalar;
use crate::traits::Identity;
use core::borrow::Borrow;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

impl Add<&RistrettoPoint> for &RistrettoPoint {
    type Output = RistrettoPoint;

    fn add(self, rhs: &RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(self.0 + rhs.0)
    }
}

impl Sub<&RistrettoPoint> for &RistrettoPoint {
    type Output = RistrettoPoint;

    fn sub(self, rhs: &RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(self.0 - rhs.0)
    }
}

impl Neg for &RistrettoPoint {
    type Output = RistrettoPoint;

    fn neg(self) -> RistrettoPoint {
        RistrettoPoint(-&self.0)
    }
}

impl Neg for RistrettoPoint {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

/// Constant time.
impl Mul<&Scalar> for &RistrettoPoint {
    type Output = RistrettoPoint;

    fn mul(self, scalar: &Scalar) -> RistrettoPoint {
        RistrettoPoint(self.0.mul_scalar(scalar))
    }
}

/// Constant time.
impl Mul<&RistrettoPoint> for &Scalar {
    type Output = RistrettoPoint;

    fn mul(self, point: &RistrettoPoint) -> RistrettoPoint {
        point * self
    }
}

by_value! {
    RistrettoPoint:
    Add::add: RistrettoPoint, RistrettoPoint;
    Sub::sub: RistrettoPoint, RistrettoPoint;
    Mul::mul: RistrettoPoint, Scalar;
    Mul::mul: Scalar, RistrettoPoint;
}

assigning! {
    RistrettoPoint:
    AddAssign::add_assign: RistrettoPoint, +;
    SubAssign::sub_assign: RistrettoPoint, -;
    MulAssign::mul_assign: Scalar, *;
}

impl<P: Borrow<RistrettoPoint>> Sum<P> for RistrettoPoint {
    fn sum<I: Iterator<Item = P>>(points: I) -> Self {
        points.fold(Self::identity(), |sum, point| sum + point.borrow())
    }
}
