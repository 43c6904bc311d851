//! The traits of `ff`.

use super::Scalar;
use super::arith::Limbs;
use group::ff::{Field, FromUniformBytes, PrimeField, helpers};
use rand_core::TryRng;
use subtle::{Choice, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

/// L - 1 = 4 t with t odd; (t - 1)/2.
const HALF_OF_T_MINUS_ONE: Limbs = [
    0xcb024c634b9eba7d,
    0x029bdf3bd45ef39a,
    0x0000000000000000,
    0x0200000000000000,
];

impl Scalar {
    const fn from_words(words: &Limbs) -> Self {
        let mut bytes = [0; 32];
        let mut i = 0;
        while i < 32 {
            bytes[i] = (words[i / 8] >> (8 * (i % 8))) as u8;
            i += 1;
        }
        Self { bytes }
    }
}

/// Constant time, unless a name ends in `_vartime`.
impl Field for Scalar {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;

    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut bytes = [0; 64];
        rng.try_fill_bytes(&mut bytes)?;
        let scalar = Self::from_bytes_mod_order_wide(&bytes);
        bytes.zeroize();
        Ok(scalar)
    }

    fn square(&self) -> Self {
        self * self
    }

    fn double(&self) -> Self {
        self + self
    }

    fn invert(&self) -> CtOption<Self> {
        let inverse = Self::invert(self);
        CtOption::new(inverse, !inverse.ct_eq(&Self::ZERO))
    }

    fn sqrt_ratio(num: &Self, div: &Self) -> (Choice, Self) {
        helpers::sqrt_ratio_generic(num, div)
    }

    fn sqrt(&self) -> CtOption<Self> {
        helpers::sqrt_tonelli_shanks(self, HALF_OF_T_MINUS_ONE)
    }
}

/// Encodings are 32 little-endian bytes, below L.
impl PrimeField for Scalar {
    type Repr = [u8; 32];

    fn from_repr(repr: [u8; 32]) -> CtOption<Self> {
        Self::from_canonical_bytes(repr)
    }

    fn from_repr_vartime(repr: [u8; 32]) -> Option<Self> {
        Self::vartime_is_canonical(&repr).then_some(Self { bytes: repr })
    }

    fn to_repr(&self) -> [u8; 32] {
        self.to_bytes()
    }

    fn is_odd(&self) -> Choice {
        Choice::from(self.bytes[0] & 1)
    }

    const MODULUS: &'static str =
        "0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed";
    const NUM_BITS: u32 = 253;
    const CAPACITY: u32 = 252;
    const TWO_INV: Self = Self::from_words(&[
        0x2c09318d2e7ae9f7,
        0x0a6f7cef517bce6b,
        0x0000000000000000,
        0x0800000000000000,
    ]);
    const MULTIPLICATIVE_GENERATOR: Self = Self::from_words(&[2, 0, 0, 0]);
    const S: u32 = 2;
    const ROOT_OF_UNITY: Self = Self::from_words(&ROOT_OF_UNITY);
    const ROOT_OF_UNITY_INV: Self = Self::from_words(&ROOT_OF_UNITY_INV);
    const DELTA: Self = Self::from_words(&[16, 0, 0, 0]);
}

/// 2^t.
const ROOT_OF_UNITY: Limbs = [
    0xbe8775dfebbe07d4,
    0x0ef0565342ce83fe,
    0x7d3d6d60abc1c27a,
    0x094a7310e07981e7,
];

/// Its inverse, which is its opposite.
const ROOT_OF_UNITY_INV: Limbs = [
    0x998aed3a7137cc19,
    0x05eea38b602918d7,
    0x82c2929f543e3d86,
    0x06b58cef1f867e18,
];

impl FromUniformBytes<64> for Scalar {
    fn from_uniform_bytes(bytes: &[u8; 64]) -> Self {
        Self::from_bytes_mod_order_wide(bytes)
    }
}
