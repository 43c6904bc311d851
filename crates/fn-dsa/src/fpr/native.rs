//! The processor's own `f64`.
//!
//! Rust compiles `+`, `-`, `*` and `/` on `f64` to single IEEE operations, rounds to nearest, and never
//! contracts. What `core` lacks is the square root: on x86-64, AArch64 and RISC-V it is one instruction.
#![allow(unsafe_code)] // Intrinsics and one line of assembly, for instructions that the target has.

#[cfg(all(
    target_arch = "riscv64",
    any(feature = "div_emu", feature = "sqrt_emu")
))]
use super::{Lanes, emulated::Emulated};
use super::{Real, one_lane, values};
use crate::fft::twiddles;

/// The values of this target.
pub(crate) type Fpr = f64;

/// The two operations whose spelling depends on the target or on the type.
trait Instructions {
    fn quotient(self, divisor: Self) -> Self;
    fn square_root(self) -> Self;
}

impl Instructions for f64 {
    #[cfg(not(all(target_arch = "riscv64", feature = "div_emu")))]
    #[inline(always)]
    fn quotient(self, divisor: Self) -> Self {
        self / divisor
    }

    #[cfg(all(target_arch = "riscv64", feature = "div_emu"))]
    fn quotient(self, divisor: Self) -> Self {
        let of = |x: f64| Emulated::from_bits(x.to_bits());
        f64::from_bits(of(self).div(of(divisor)).to_bits())
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn square_root(self) -> Self {
        use core::arch::x86_64::{_mm_cvtsd_f64, _mm_set_sd, _mm_setzero_pd, _mm_sqrt_sd};
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(self))) }
    }

    #[cfg(target_arch = "x86")]
    #[inline(always)]
    fn square_root(self) -> Self {
        use core::arch::x86::{_mm_cvtsd_f64, _mm_set_sd, _mm_setzero_pd, _mm_sqrt_sd};
        // SAFETY: this module is compiled for 32-bit x86 only where the target has SSE2.
        unsafe { _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(self))) }
    }

    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    fn square_root(self) -> Self {
        use core::arch::aarch64::{vdup_n_f64, vget_lane_f64, vsqrt_f64};
        // SAFETY: this module is compiled for AArch64 only where the target has NEON.
        unsafe { vget_lane_f64::<0>(vsqrt_f64(vdup_n_f64(self))) }
    }

    #[cfg(all(target_arch = "riscv64", feature = "sqrt_emu"))]
    fn square_root(self) -> Self {
        f64::from_bits(Emulated::from_bits(self.to_bits()).sqrt().to_bits())
    }

    #[cfg(all(target_arch = "riscv64", not(feature = "sqrt_emu")))]
    #[inline(always)]
    fn square_root(self) -> Self {
        let root: f64;
        // SAFETY: this module is compiled for RISC-V only where the target has doubles; the instruction
        // reads and writes registers alone. The rounding mode is in the instruction.
        unsafe {
            core::arch::asm!(
                "fsqrt.d {root}, {x}, rne",
                root = lateout(freg) root,
                x = in(freg) self,
                options(pure, nomem, nostack)
            );
        }
        root
    }

    #[cfg(all(
        target_arch = "wasm32",
        any(target_feature = "simd128", feature = "simd128")
    ))]
    #[inline(always)]
    fn square_root(self) -> Self {
        use core::arch::wasm32::{f64x2_extract_lane, f64x2_splat, f64x2_sqrt};
        f64x2_extract_lane::<0>(f64x2_sqrt(f64x2_splat(self)))
    }

    // The instruction f64.sqrt has no stable spelling without SIMD.
    #[cfg(all(
        target_arch = "wasm32",
        not(any(target_feature = "simd128", feature = "simd128"))
    ))]
    #[inline(always)]
    fn square_root(self) -> Self {
        super::root::square_root(self)
    }
}

one_lane!(f64);

/// A static and not a constant: a constant may be in the program several times.
static ROOTS: ([f64; 512], [f64; 512]) = (
    values!(twiddles::RE, f64::from_bits),
    values!(twiddles::IM, f64::from_bits),
);

impl Real for f64 {
    const ROOTS: &'static ([Self; 512], [Self; 512]) = &ROOTS;
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
        use core::arch::x86_64::{_mm_cvttsd_si64, _mm_set_sd};
        // Below 1 the product fits a signed integer, and truncation is the floor; beyond, and so at 1, the
        // instruction answers 2^63.
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cvttsd_si64(_mm_set_sd(self * 9_223_372_036_854_775_808.0)) as u64 }
    }
}
