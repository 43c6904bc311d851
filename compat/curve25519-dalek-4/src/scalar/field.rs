//! The traits of ff 0.13.

use group::ff::{Field, FromUniformBytes, PrimeField, helpers};
#[cfg(feature = "group-bits")]
use group::ff::{FieldBits, PrimeFieldBits};
use rand_core::RngCore;
use subtle::{Choice, CtOption};
use zeroize::Zeroizing;

use super::Scalar;

impl Field for Scalar {
    const ZERO: Self = Scalar::ZERO;
    const ONE: Self = Scalar::ONE;

    fn random(mut rng: impl RngCore) -> Self {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        Scalar::from_bytes_mod_order_wide(&bytes)
    }

    fn square(&self) -> Self {
        self * self
    }

    fn double(&self) -> Self {
        self + self
    }

    fn invert(&self) -> CtOption<Self> {
        CtOption::new(Scalar::invert(self), !self.is_zero())
    }

    fn sqrt_ratio(num: &Self, div: &Self) -> (Choice, Self) {
        helpers::sqrt_ratio_generic(num, div)
    }

    fn sqrt(&self) -> CtOption<Self> {
        // L - 1 = 4 t: the words of (t - 1)/2.
        helpers::sqrt_tonelli_shanks(
            self,
            [
                0xcb02_4c63_4b9e_ba7d,
                0x029b_df3b_d45e_f39a,
                0,
                0x0200_0000_0000_0000,
            ],
        )
    }
}

impl PrimeField for Scalar {
    type Repr = [u8; 32];

    const MODULUS: &'static str =
        "0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed";
    const NUM_BITS: u32 = 253;
    const CAPACITY: u32 = 252;
    /// (L + 1)/2.
    const TWO_INV: Self = Scalar::integer([
        0xf7, 0xe9, 0x7a, 0x2e, 0x8d, 0x31, 0x09, 0x2c, 0x6b, 0xce, 0x7b, 0x51, 0xef, 0x7c, 0x6f,
        0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08,
    ]);
    const MULTIPLICATIVE_GENERATOR: Self = small(2);
    const S: u32 = 2;
    /// 2^((L - 1)/4), a square root of -1.
    const ROOT_OF_UNITY: Self = Scalar::integer([
        0xd4, 0x07, 0xbe, 0xeb, 0xdf, 0x75, 0x87, 0xbe, 0xfe, 0x83, 0xce, 0x42, 0x53, 0x56, 0xf0,
        0x0e, 0x7a, 0xc2, 0xc1, 0xab, 0x60, 0x6d, 0x3d, 0x7d, 0xe7, 0x81, 0x79, 0xe0, 0x10, 0x73,
        0x4a, 0x09,
    ]);
    const ROOT_OF_UNITY_INV: Self = Scalar::integer([
        0x19, 0xcc, 0x37, 0x71, 0x3a, 0xed, 0x8a, 0x99, 0xd7, 0x18, 0x29, 0x60, 0x8b, 0xa3, 0xee,
        0x05, 0x86, 0x3d, 0x3e, 0x54, 0x9f, 0x92, 0xc2, 0x82, 0x18, 0x7e, 0x86, 0x1f, 0xef, 0x8c,
        0xb5, 0x06,
    ]);
    /// 2^4.
    const DELTA: Self = small(16);

    fn from_repr(repr: [u8; 32]) -> CtOption<Self> {
        Scalar::from_canonical_bytes(repr)
    }

    fn from_repr_vartime(repr: [u8; 32]) -> Option<Self> {
        Scalar::from_canonical_bytes(repr).into()
    }

    fn to_repr(&self) -> [u8; 32] {
        self.to_bytes()
    }

    fn is_odd(&self) -> Choice {
        Choice::from(self.as_bytes()[0] & 1)
    }
}

/// A number of one byte.
const fn small(n: u8) -> Scalar {
    let mut bytes = [0; 32];
    bytes[0] = n;
    Scalar::integer(bytes)
}

#[cfg(feature = "group-bits")]
impl PrimeFieldBits for Scalar {
    type ReprBits = [u8; 32];

    fn to_le_bits(&self) -> FieldBits<[u8; 32]> {
        self.to_bytes().into()
    }

    fn char_le_bits() -> FieldBits<[u8; 32]> {
        #[allow(deprecated)]
        crate::constants::BASEPOINT_ORDER.to_bytes().into()
    }
}

impl FromUniformBytes<64> for Scalar {
    fn from_uniform_bytes(bytes: &[u8; 64]) -> Self {
        Scalar::from_bytes_mod_order_wide(bytes)
    }
}
