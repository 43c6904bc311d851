//! The traits of `group`.

use super::{CompressedRistretto, RistrettoPoint};
use crate::constants::RISTRETTO_BASEPOINT_POINT;
use crate::scalar::Scalar;
use crate::traits::Identity;
use group::cofactor::CofactorGroup;
use group::prime::PrimeGroup;
use group::{Group, GroupEncoding};
use rand_core::TryRng;
use subtle::{Choice, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

impl Group for RistrettoPoint {
    type Scalar = Scalar;

    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = [0; 64];
        loop {
            rng.try_fill_bytes(&mut bytes)?;
            let point = Self::from_uniform_bytes(&bytes);
            // As good as always.
            if !bool::from(Group::is_identity(&point)) {
                bytes.zeroize();
                return Ok(point);
            }
        }
    }

    fn identity() -> Self {
        Identity::identity()
    }

    fn generator() -> Self {
        RISTRETTO_BASEPOINT_POINT
    }

    fn is_identity(&self) -> Choice {
        self.ct_eq(&Identity::identity())
    }

    fn double(&self) -> Self {
        Self(self.0.double())
    }

    fn mul_by_generator(scalar: &Scalar) -> Self {
        Self::mul_base(scalar)
    }
}

impl GroupEncoding for RistrettoPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<Self> {
        let (valid, point) = CompressedRistretto(*bytes).decode();
        CtOption::new(point, valid)
    }

    /// The same: the checks come with the decoding.
    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<Self> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.compress().0
    }
}

impl PrimeGroup for RistrettoPoint {}

/// Its cofactor is 1.
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
