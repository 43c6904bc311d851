//! The traits of `group`, and the points of the subgroup of prime order.

use super::{CompressedEdwardsY, EdwardsPoint, decode, torsion};
use crate::backend::with_field;
use crate::constants::ED25519_BASEPOINT_POINT;
use crate::operators::{assigning, by_value};
use crate::scalar::Scalar;
use crate::traits::Identity;
use core::borrow::Borrow;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use group::cofactor::CofactorGroup;
use group::ff::Field as _;
use group::prime::PrimeGroup;
use group::{Group, GroupEncoding};
use rand_core::TryRng;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

impl Group for EdwardsPoint {
    type Scalar = Scalar;

    /// A point of the whole curve, as [`random`](EdwardsPoint::random).
    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut encoding = CompressedEdwardsY([0; 32]);
        loop {
            rng.try_fill_bytes(&mut encoding.0)?;
            if let Some(point) = encoding.decompress()
                && !bool::from(point.is_neutral())
            {
                return Ok(point);
            }
        }
    }

    fn identity() -> Self {
        Identity::identity()
    }

    fn generator() -> Self {
        ED25519_BASEPOINT_POINT
    }

    fn is_identity(&self) -> Choice {
        self.is_neutral()
    }

    fn double(&self) -> Self {
        EdwardsPoint::double(self)
    }

    fn mul_by_generator(scalar: &Scalar) -> Self {
        Self::mul_base(scalar)
    }
}

/// What [`CompressedEdwardsY::decompress`] accepts, in constant time.
impl GroupEncoding for EdwardsPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<Self> {
        with_field!(F => {
            let (exists, point) = decode::decode::<F>(bytes);
            CtOption::new(point.pack(), exists)
        })
    }

    /// The same: the checks come with the decoding.
    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<Self> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.compress().0
    }
}

impl CofactorGroup for EdwardsPoint {
    type Subgroup = SubgroupPoint;

    fn clear_cofactor(&self) -> SubgroupPoint {
        SubgroupPoint(self.mul_by_cofactor())
    }

    fn into_subgroup(self) -> CtOption<SubgroupPoint> {
        CtOption::new(SubgroupPoint(self), CofactorGroup::is_torsion_free(&self))
    }

    fn is_torsion_free(&self) -> Choice {
        with_field!(F => torsion::mul_by_order::<F>(&self.unpack()).is_identity())
    }
}

/// A point of the subgroup of order L.
///
/// Equality compares points, in constant time.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubgroupPoint(EdwardsPoint);

impl From<SubgroupPoint> for EdwardsPoint {
    fn from(point: SubgroupPoint) -> Self {
        point.0
    }
}

impl Neg for &SubgroupPoint {
    type Output = SubgroupPoint;

    fn neg(self) -> SubgroupPoint {
        SubgroupPoint(-self.0)
    }
}

impl Neg for SubgroupPoint {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<&SubgroupPoint> for &SubgroupPoint {
    type Output = SubgroupPoint;

    fn add(self, rhs: &SubgroupPoint) -> SubgroupPoint {
        SubgroupPoint(self.0 + rhs.0)
    }
}

impl Sub<&SubgroupPoint> for &SubgroupPoint {
    type Output = SubgroupPoint;

    fn sub(self, rhs: &SubgroupPoint) -> SubgroupPoint {
        SubgroupPoint(self.0 - rhs.0)
    }
}

impl Add<&SubgroupPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn add(self, rhs: &SubgroupPoint) -> EdwardsPoint {
        self + rhs.0
    }
}

impl Sub<&SubgroupPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;

    fn sub(self, rhs: &SubgroupPoint) -> EdwardsPoint {
        self - rhs.0
    }
}

/// Constant time.
impl Mul<&Scalar> for &SubgroupPoint {
    type Output = SubgroupPoint;

    fn mul(self, scalar: &Scalar) -> SubgroupPoint {
        SubgroupPoint(self.0 * scalar)
    }
}

/// Constant time.
impl Mul<&SubgroupPoint> for &Scalar {
    type Output = SubgroupPoint;

    fn mul(self, point: &SubgroupPoint) -> SubgroupPoint {
        point * self
    }
}

by_value! {
    SubgroupPoint:
    Add::add: SubgroupPoint, SubgroupPoint;
    Sub::sub: SubgroupPoint, SubgroupPoint;
    Mul::mul: SubgroupPoint, Scalar;
    Mul::mul: Scalar, SubgroupPoint;
}

by_value! {
    EdwardsPoint:
    Add::add: EdwardsPoint, SubgroupPoint;
    Sub::sub: EdwardsPoint, SubgroupPoint;
}

assigning! {
    SubgroupPoint:
    AddAssign::add_assign: SubgroupPoint, +;
    SubAssign::sub_assign: SubgroupPoint, -;
    MulAssign::mul_assign: Scalar, *;
}

assigning! {
    EdwardsPoint:
    AddAssign::add_assign: SubgroupPoint, +;
    SubAssign::sub_assign: SubgroupPoint, -;
}

impl<P: Borrow<SubgroupPoint>> Sum<P> for SubgroupPoint {
    fn sum<I: Iterator<Item = P>>(points: I) -> Self {
        points.fold(Self::default(), |sum, point| sum + point.borrow())
    }
}

impl ConstantTimeEq for SubgroupPoint {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for SubgroupPoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for SubgroupPoint {}

impl ConditionallySelectable for SubgroupPoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self(EdwardsPoint::conditional_select(&a.0, &b.0, choice))
    }
}

impl Zeroize for SubgroupPoint {
    /// Becomes the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Group for SubgroupPoint {
    type Scalar = Scalar;

    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        loop {
            let mut scalar = Scalar::try_random(rng)?;
            let point = Self::mul_by_generator(&scalar);
            scalar.zeroize();
            // As good as always.
            if !bool::from(point.is_identity()) {
                return Ok(point);
            }
        }
    }

    fn identity() -> Self {
        Self::default()
    }

    fn generator() -> Self {
        Self(ED25519_BASEPOINT_POINT)
    }

    fn is_identity(&self) -> Choice {
        self.0.is_neutral()
    }

    fn double(&self) -> Self {
        Self(self.0.double())
    }

    fn mul_by_generator(scalar: &Scalar) -> Self {
        Self(EdwardsPoint::mul_base(scalar))
    }
}

/// Encodings of points of the subgroup of order L alone.
impl GroupEncoding for SubgroupPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<Self> {
        EdwardsPoint::from_bytes(bytes).and_then(CofactorGroup::into_subgroup)
    }

    /// The same: nothing is left out.
    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<Self> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.0.compress().0
    }
}

impl PrimeGroup for SubgroupPoint {}
