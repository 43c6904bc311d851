//! The traits of group 0.13.

use group::cofactor::CofactorGroup;
use group::prime::PrimeGroup;
use group::{Group, GroupEncoding};
use lanner_curve::ristretto as inner;
use rand_core::RngCore;
use subtle::{Choice, ConstantTimeEq, CtOption};
use zeroize::Zeroizing;

use super::RistrettoPoint;
use crate::constants;
use crate::scalar::Scalar;
use crate::traits::Identity;

impl Group for RistrettoPoint {
    type Scalar = Scalar;

    fn random(mut rng: impl RngCore) -> Self {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        RistrettoPoint::from_uniform_bytes(&bytes)
    }

    fn identity() -> Self {
        Identity::identity()
    }

    fn generator() -> Self {
        constants::RISTRETTO_BASEPOINT_POINT
    }

    fn is_identity(&self) -> Choice {
        self.ct_eq(&Identity::identity())
    }

    fn double(&self) -> Self {
        RistrettoPoint(lanner_group::Group::double(&self.0))
    }
}

impl GroupEncoding for RistrettoPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<Self> {
        <inner::RistrettoPoint as lanner_group::GroupEncoding>::from_bytes(bytes)
            .map(RistrettoPoint)
    }

    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<Self> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.compress().to_bytes()
    }
}

impl PrimeGroup for RistrettoPoint {}

impl CofactorGroup for RistrettoPoint {
    type Subgroup = Self;

    fn clear_cofactor(&self) -> Self {
        *self
    }

    fn into_subgroup(self) -> CtOption<Self> {
        CtOption::new(self, Choice::from(1))
    }

    fn is_torsion_free(&self) -> Choice {
        Choice::from(1)
    }
}
