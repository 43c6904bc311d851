//! Instructions for one `f64` whose spelling `core` does not have.
#![allow(unsafe_code)] // Intrinsics and one line of assembly, for instructions that the target has.

use crate::Mask;

/// The square root of a normal value above 0, or of 0: one instruction where the target has it.
#[inline(always)]
pub(crate) fn square_root(x: f64) -> f64 {
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ))]
    {
        #[cfg(target_arch = "x86")]
        use core::arch::x86::{_mm_cvtsd_f64, _mm_set_sd, _mm_setzero_pd, _mm_sqrt_sd};
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::{_mm_cvtsd_f64, _mm_set_sd, _mm_setzero_pd, _mm_sqrt_sd};
        // SAFETY: the target has SSE2.
        unsafe { _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x))) }
    }

    #[cfg(all(
        any(target_arch = "aarch64", target_arch = "arm64ec"),
        target_feature = "neon"
    ))]
    {
        use core::arch::aarch64::{vdup_n_f64, vget_lane_f64, vsqrt_f64};
        // SAFETY: the target has NEON.
        unsafe { vget_lane_f64::<0>(vsqrt_f64(vdup_n_f64(x))) }
    }

    // As `fpr` of lanner-fn-dsa has it: stable compilers do not tell of the extension D, and these systems demand it.
    #[cfg(all(
        target_arch = "riscv64",
        any(
            target_feature = "d",
            target_os = "linux",
            target_os = "android",
            target_os = "freebsd",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "fuchsia",
        )
    ))]
    {
        let root: f64;
        // SAFETY: the target has doubles; the instruction reads and writes registers alone. The rounding mode is
        // in the instruction.
        unsafe {
            core::arch::asm!(
                "fsqrt.d {root}, {x}, rne",
                root = lateout(freg) root,
                x = in(freg) x,
                options(pure, nomem, nostack)
            );
        }
        root
    }

    #[cfg(all(
        target_family = "wasm",
        any(feature = "simd128", target_feature = "simd128")
    ))]
    {
        #[cfg(target_arch = "wasm32")]
        use core::arch::wasm32::{f64x2_extract_lane, f64x2_splat, f64x2_sqrt};
        #[cfg(target_arch = "wasm64")]
        use core::arch::wasm64::{f64x2_extract_lane, f64x2_splat, f64x2_sqrt};
        f64x2_extract_lane::<0>(f64x2_sqrt(f64x2_splat(x)))
    }

    #[cfg(not(any(
        all(
            any(target_arch = "x86", target_arch = "x86_64"),
            target_feature = "sse2"
        ),
        all(
            any(target_arch = "aarch64", target_arch = "arm64ec"),
            target_feature = "neon"
        ),
        all(
            target_arch = "riscv64",
            any(
                target_feature = "d",
                target_os = "linux",
                target_os = "android",
                target_os = "freebsd",
                target_os = "netbsd",
                target_os = "openbsd",
                target_os = "fuchsia",
            )
        ),
        all(
            target_family = "wasm",
            any(feature = "simd128", target_feature = "simd128")
        ),
    )))]
    newton(x)
}

/// floor(x) for 0 <= x <= 2^63.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
#[must_use]
pub fn floor_to_u64(x: f64) -> u64 {
    use core::arch::x86_64::{_mm_cvttsd_si64, _mm_set_sd};
    // Below 2^63 the value fits a signed integer, and truncation is the floor; beyond, and so at 2^63, the
    // instruction answers 2^63.
    // SAFETY: the target has SSE2.
    unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) as u64 }
}

/// The correctly rounded square root of a normal x > 0, or of 0, from multiplications; anything else gives some number.
///
/// Newton's iteration gives the root to within a few units of the last place; the residue, computed
/// exactly in integers modulo 2^64, then corrects it. No branch and no table depends on the value.
#[inline]
#[allow(dead_code)] // Compiled everywhere, so that every machine tests it.
fn newton(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    // x = m * 2^(2 e - 52) with an integer m in [2^52, 2^54).
    let odd = (exponent & 1) ^ 1;
    let m = ((1 << 52) | fraction) << odd;
    let a = f64::from_bits(((1023 + odd) << 52) | fraction);
    // 1 / sqrt(a), for a in [1, 4): a linear guess on the logarithm, 3.5 % off; four steps square that
    // error each, down to the rounding.
    let mut inverse = f64::from_bits(0x5fe6_eb50_c7b5_37a9 - (a.to_bits() >> 1));
    for _ in 0..4 {
        inverse = inverse * (1.5 - 0.5 * a * inverse * inverse);
    }
    // q is to be floor(sqrt(m * 2^54)), in [2^53, 2^54). The estimate is off by less than 2^6, so that
    // the residue is below 2^62 and right modulo 2^64.
    let estimate = a * inverse;
    let mut q = (estimate * 9_007_199_254_740_992.0) as i64;
    let residue = |q: i64| ((m << 54) as i64).wrapping_sub(q.wrapping_mul(q));
    let correction = residue(q) as f64 * (inverse * (1.0 / 18_014_398_509_481_984.0));
    q = q.wrapping_add(correction as i64);
    // Now off by one at most.
    q = q.wrapping_add(Mask::of_sign(residue(q)).word());
    q = q.wrapping_add(1 + Mask::of_sign(residue(q + 1)).word());
    // No root lies halfway between two doubles: its square would be odd, and m * 2^54 is not.
    let rounded = ((q + 1) >> 1) as u64;
    let biased = (exponent + 1023 - odd) >> 1;
    let root = ((biased - 1) << 52) + rounded;
    let zero = Mask::of_zero(exponent);
    f64::from_bits(zero.select(root, bits & (1 << 63)))
}

#[cfg(test)]
mod tests {
    extern crate std;

    // (On x86 without SSE2 the hardware rounds otherwise.)
    #[cfg(not(all(target_arch = "x86", not(target_feature = "sse2"))))]
    #[test]
    fn roots_are_rounded_correctly() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let check = |x: f64| {
            assert_eq!(super::square_root(x).to_bits(), x.sqrt().to_bits(), "{x:e}");
            assert_eq!(super::newton(x).to_bits(), x.sqrt().to_bits(), "{x:e}");
        };
        for zero in [0.0, -0.0] {
            check(zero);
        }
        for i in 0..200_000_u64 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Long runs of equal bits, few bits, and anything; exponents from 2^-400 to 2^400.
            let fraction = match i % 6 {
                0 => 0,
                1 => u64::MAX >> 12,
                2 => (u64::MAX >> 12) - ((1 << (state % 52)) - 1),
                3 => 1 << (state % 52),
                _ => state >> 12,
            };
            check(f64::from_bits((623 + state % 801) << 52 | fraction));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn floors() {
        for (x, floor) in [
            (0.0, 0),
            (0.99, 0),
            (1.0, 1),
            (4_503_599_627_370_495.5, 4_503_599_627_370_495),
            (9_223_372_036_854_774_784.0, 9_223_372_036_854_774_784),
            (9_223_372_036_854_775_808.0, 1 << 63),
        ] {
            assert_eq!(super::floor_to_u64(x), floor);
        }
    }
}
