//! `f64` on riscv64, with division or square root in integers, as the features ask for it.

use core::ops::{Add, Mul, Neg, Sub};

use lanner_simd::{F64, Isa};
use zeroize::DefaultIsZeroes;

use super::emulated::Emulated;
use super::roots;
use super::{Floating, Real, Roots, one_lane, values};

/// The values of this target.
pub(crate) use Careful as Fpr;

impl<I: Isa> Floating for I {
    type Lanes = Careful;
}

/// A value of the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub(crate) struct Careful(f64);

impl DefaultIsZeroes for Careful {}

impl Add for Careful {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Careful {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Careful {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Neg for Careful {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Careful {
    fn emulated(self) -> Emulated {
        Emulated::from_bits(self.to_bits())
    }

    fn quotient(self, divisor: Self) -> Self {
        if cfg!(feature = "div_emu") {
            Self::from_bits(self.emulated().div(divisor.emulated()).to_bits())
        } else {
            Self(self.0 / divisor.0)
        }
    }

    fn square_root(self) -> Self {
        if cfg!(feature = "sqrt_emu") {
            Self::from_bits(self.emulated().sqrt().to_bits())
        } else {
            Self(F64::sqrt(self.0))
        }
    }
}

one_lane!(Careful);

const fn from_bits(bits: u64) -> Careful {
    Careful(f64::from_bits(bits))
}

/// Statics and not constants: a constant may be in the program several times.
static RE: [Careful; 512] = values!(roots::RE, from_bits);
static IM: [Careful; 512] = values!(roots::IM, from_bits);

impl Real for Careful {
    const ROOTS: Roots<Self> = Roots { re: &RE, im: &IM };
    const ZERO: Self = Self(0.0);

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        from_bits(bits)
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    #[inline(always)]
    fn from_i32(value: i32) -> Self {
        Self(f64::from(value))
    }
}
