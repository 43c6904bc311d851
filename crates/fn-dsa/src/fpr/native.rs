//! The processor's own `f64`.
//!
//! Rust compiles `+`, `-`, `*` and `/` on `f64` to single IEEE operations, rounds to nearest, and never
//! contracts.

use lanner_simd::Isa;

use super::roots;
use super::{Floating, Real, Roots, values};

/// The values of this target.
pub(crate) type Fpr = f64;

impl<I: Isa> Floating for I {
    type Lanes = I::F64;
}

/// Statics and not constants: a constant may be in the program several times.
#[cfg_attr(
    all(target_arch = "wasm32", not(target_feature = "atomics")),
    allow(dead_code)
)]
static RE: [f64; 512] = values!(roots::RE, f64::from_bits);
#[cfg_attr(
    all(target_arch = "wasm32", not(target_feature = "atomics")),
    allow(dead_code)
)]
static IM: [f64; 512] = values!(roots::IM, f64::from_bits);

impl Real for f64 {
    const ROOTS: Roots<Self> = Roots { re: &RE, im: &IM };
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        f64::to_bits(self)
    }

    #[inline(always)]
    fn from_i32(value: i32) -> Self {
        f64::from(value)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn to_fixed63(self) -> u64 {
        lanner_simd::floor_to_u64(self * 9_223_372_036_854_775_808.0)
    }
}
