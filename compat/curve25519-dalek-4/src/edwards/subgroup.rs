//! The subgroup of prime order.

use core::borrow::Borrow;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use group::cofactor::CofactorGroup;
use group::ff::Field;
use group::prime::PrimeGroup;
use group::{Group, GroupEncoding};
use rand_core::RngCore;
use subtle::{Choice, CtOption};

use super::EdwardsPoint;
use crate::scalar::Scalar;

/// A point of the subgroup of order L.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubgroupPoint(pub(super) EdwardsPoint);

negation!(SubgroupPoint);

binary! {
    Add::add: SubgroupPoint, SubgroupPoint => SubgroupPoint;
    Sub::sub: SubgroupPoint, SubgroupPoint => SubgroupPoint;
}

impl Add<&SubgroupPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn add(self, other: &SubgroupPoint) -> EdwardsPoint {
        self + other.0
    }
}

impl Sub<&SubgroupPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn sub(self, other: &SubgroupPoint) -> EdwardsPoint {
        self - other.0
    }
}

impl Mul<&Scalar> for &SubgroupPoint {
    type Output = SubgroupPoint;

    fn mul(self, scalar: &Scalar) -> SubgroupPoint {
        SubgroupPoint(self.0 * scalar)
    }
}

impl Mul<&SubgroupPoint> for &Scalar {
    type Output = SubgroupPoint;

    fn mul(self, point: &SubgroupPoint) -> SubgroupPoint {
        point * self
    }
}

by_value!(Add::add: EdwardsPoint, SubgroupPoint => EdwardsPoint);
by_value!(Sub::sub: EdwardsPoint, SubgroupPoint => EdwardsPoint);
by_value!(Mul::mul: SubgroupPoint, Scalar => SubgroupPoint);
by_value!(Mul::mul: Scalar, SubgroupPoint => SubgroupPoint);

assigning! {
    AddAssign::add_assign: SubgroupPoint, SubgroupPoint, +;
    SubAssign::sub_assign: SubgroupPoint, SubgroupPoint, -;
    AddAssign::add_assign: EdwardsPoint, SubgroupPoint, +;
    SubAssign::sub_assign: EdwardsPoint, SubgroupPoint, -;
    MulAssign::mul_assign: SubgroupPoint, Scalar, *;
}

impl From<SubgroupPoint> for EdwardsPoint {
    fn from(point: SubgroupPoint) -> Self {
        point.0
    }
}

impl<T: Borrow<SubgroupPoint>> Sum<T> for SubgroupPoint {
    fn sum<I: Iterator<Item = T>>(points: I) -> Self {
        points.fold(SubgroupPoint::identity(), |sum, point| sum + point.borrow())
    }
}

impl Group for SubgroupPoint {
    type Scalar = Scalar;

    fn random(mut rng: impl RngCore) -> Self {
        loop {
            let scalar: Scalar = Field::random(&mut rng);
            if !scalar.is_zero_vartime() {
                return Self::generator() * scalar;
            }
        }
    }

    fn identity() -> Self {
        SubgroupPoint(Group::identity())
    }

    fn generator() -> Self {
        SubgroupPoint(EdwardsPoint::generator())
    }

    fn is_identity(&self) -> Choice {
        Group::is_identity(&self.0)
    }

    fn double(&self) -> Self {
        SubgroupPoint(self.0.double())
    }
}

impl GroupEncoding for SubgroupPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<Self> {
        EdwardsPoint::from_bytes(bytes).and_then(CofactorGroup::into_subgroup)
    }

    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<Self> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.0.compress().to_bytes()
    }
}

impl PrimeGroup for SubgroupPoint {}
