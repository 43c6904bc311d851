//! The traits of group 0.13.

use group::cofactor::CofactorGroup;
use group::{Group, GroupEncoding};
use lanner_curve::edwards as inner;
use rand_core::RngCore;
use subtle::{Choice, ConstantTimeEq, CtOption};

use super::{CompressedEdwardsY, EdwardsPoint, SubgroupPoint};
use crate::constants;
use crate::scalar::Scalar;
use crate::traits::{Identity, IsIdentity};

impl Group for EdwardsPoint {
    type Scalar = Scalar;

    fn random(mut rng: impl RngCore) -> Self {
        let mut encoding = CompressedEdwardsY([0; 32]);
        loop {
            rng.fill_bytes(&mut encoding.0);
            match encoding.decompress() {
                Some(point) if !IsIdentity::is_identity(&point) => return point,
                _ => {}
            }
        }
    }

    fn identity() -> Self {
        Identity::identity()
    }

    fn generator() -> Self {
        constants::ED25519_BASEPOINT_POINT
    }

    fn is_identity(&self) -> Choice {
        self.ct_eq(&Identity::identity())
    }

    fn double(&self) -> Self {
        EdwardsPoint(lanner_group::Group::double(&self.0))
    }
}

impl GroupEncoding for EdwardsPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<Self> {
        <inner::EdwardsPoint as lanner_group::GroupEncoding>::from_bytes(bytes).map(EdwardsPoint)
    }

    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<Self> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.compress().to_bytes()
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
        lanner_group::cofactor::CofactorGroup::is_torsion_free(&self.0)
    }
}
