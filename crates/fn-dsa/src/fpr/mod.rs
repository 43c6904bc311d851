//! The floating-point contract of signing.
//!
//! Signing computes with IEEE-754 binary64: addition, subtraction, multiplication, division and
//! square root, each rounded to nearest with ties to even, and no two of them contracted into one.
//! `docs/floating-point.md` says why that suffices, what is secret, and whose timing is relied on.
//!
//! [`Real`] is one such value: the processor's own `f64` where the target keeps the contract, and
//! `Emulated`, the same operations in integers, elsewhere. [`Lanes`] is one or several values side
//! by side, a vector of `lanner-simd` or one value; the formulas of the transform and of the sampler are written once,
//! generic over it, and give the same bits whatever the width. [`Floating`] says which lanes an instruction set has.

use lanner_simd::mask::shift_right;
use lanner_simd::{F64, Isa, Mask, Task};

// Compiled everywhere, so that every machine checks and tests it.
#[allow(dead_code)]
pub(crate) mod emulated;

#[cfg(any(test, all(target_arch = "wasm32", not(target_feature = "atomics"))))]
mod computed;
#[cfg_attr(
    all(target_arch = "wasm32", not(target_feature = "atomics")),
    allow(dead_code)
)]
pub(crate) mod roots;

// The one place that says where `f64` keeps the contract; elsewhere it is the file `target.rs`. Stable compilers do not tell
// of RISC-V's extension D. These systems demand it (their targets are RV64GC or more); without a system there are
// targets that have it and others, and which one it is nothing tells. `isa/scalar.rs` of lanner-simd, whose square root this
// uses, has the same line for RISC-V.
#[cfg_attr(
    any(
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
            ),
            not(any(feature = "div_emu", feature = "sqrt_emu"))
        ),
        target_arch = "wasm32",
    ),
    path = "native.rs"
)]
#[cfg_attr(
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
        ),
        any(feature = "div_emu", feature = "sqrt_emu")
    ),
    path = "careful.rs"
)]
mod target;
pub(crate) use target::Fpr;

#[cfg(test)]
pub(crate) mod tests;

/// 1.5 * 2^52: added to a value below 2^51 in magnitude it leaves the nearest integer (ties to even)
/// in the low bits of the sum, because the sum lies where doubles are 1 apart.
pub(crate) const ROUNDER: u64 = 0x4338_0000_0000_0000;

/// One value of IEEE-754 binary64.
///
/// The arguments of the conversions stay within the stated bounds for every key that comes out of
/// key generation; outside of them the results are some integers, and never undefined behaviour.
pub(crate) trait Real: F64<Real = Self, Pack = Self> {
    /// Real and imaginary parts of the roots of the transform (`fpr::roots`).
    #[cfg_attr(
        all(target_arch = "wasm32", not(target_feature = "atomics")),
        allow(dead_code)
    )]
    const ROOTS: Roots<Self>;

    /// 0.
    const ZERO: Self;

    /// The value with this encoding.
    fn from_bits(bits: u64) -> Self;

    /// The encoding of the value.
    fn to_bits(self) -> u64;

    /// The value of an integer: exact.
    fn from_i32(value: i32) -> Self;

    /// The integer nearest to a value, ties to even; for |x| < 2^31.
    #[inline(always)]
    fn round(self) -> i32 {
        (self + Self::from_bits(ROUNDER)).to_bits() as u32 as i32
    }

    /// The largest integer not above a value, and the value less that integer, in [0, 1) (or 1, where
    /// the difference of a tiny negative value from -1 rounds to it); for |x| < 2^31.
    #[inline(always)]
    fn floor_and_rest(self) -> (i32, Self) {
        let rounded = self + Self::from_bits(ROUNDER);
        let nearest = rounded - Self::from_bits(ROUNDER);
        // Exact, in [-1/2, 1/2], and above zero where the nearest integer is above the value. It is never
        // -0, so that the sign of the negated encoding tells.
        let excess = nearest - self;
        let above = Mask::of_sign(0_u64.wrapping_sub(excess.to_bits()));
        let floor = (rounded.to_bits() as u32).wrapping_add(above.narrow().word()) as i32;
        let one_if_above = Self::from_bits(above.keep(1023 << 52));
        (floor, one_if_above - excess)
    }

    /// The largest integer not above x; for |x| < 2^31.
    #[inline(always)]
    fn floor(self) -> i32 {
        self.floor_and_rest().0
    }

    /// floor(x * 2^63), for 0 <= x <= 1.
    #[inline(always)]
    fn to_fixed63(self) -> u64 {
        let bits = self.to_bits();
        let exponent = (bits >> 52) as u32 & 0x7ff;
        let significand = (1 << 63) | (bits << 11);
        // x = significand * 2^(exponent - 1086); below 2^-63 the answer is 0.
        let shift = 1023_u32.wrapping_sub(exponent);
        let in_range = Mask::of_less(u64::from(shift), 64);
        in_range.keep(shift_right(significand, shift & 63))
    }
}

/// Real and imaginary parts of the roots of the transform, [`roots`](mod@roots).
#[cfg_attr(
    all(target_arch = "wasm32", not(target_feature = "atomics")),
    allow(dead_code)
)]
pub(crate) struct Roots<T: 'static> {
    pub(crate) re: &'static [T; 512],
    pub(crate) im: &'static [T; 512],
}

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
pub(crate) use computed::prepare;

/// Comes before the first [`root`], where the roots are not in the program.
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "atomics"))))]
#[inline(always)]
pub(crate) fn prepare() {}

/// Root j of the table.
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "atomics"))))]
#[inline(always)]
pub(crate) fn root<R: Real>(j: usize) -> (R, R) {
    (R::ROOTS.re[j], R::ROOTS.im[j])
}

/// The roots j, j + 1, … of the table, each `D` times.
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "atomics"))))]
#[inline(always)]
pub(crate) fn roots<L: Lanes, const D: usize>(j: usize) -> (L, L) {
    let Roots { re, im } = L::Real::ROOTS;
    (
        L::load_repeated::<D>(&re[j..]),
        L::load_repeated::<D>(&im[j..]),
    )
}

/// Root j of the table, as [`prepare`] has computed it.
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
#[inline(always)]
pub(crate) fn root<R: Real>(j: usize) -> (R, R) {
    let (re, im) = computed::root(j);
    (R::from_bits(re.to_bits()), R::from_bits(im.to_bits()))
}

/// The roots j, j + 1, … of the table. Vectors have two lanes at most, and `j` is even for two.
#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
#[inline(always)]
pub(crate) fn roots<L: Lanes, const D: usize>(j: usize) -> (L, L) {
    if L::LANES == 1 {
        let (re, im) = root::<L::Real>(j);
        return (L::splat(re), L::splat(im));
    }
    debug_assert!(L::LANES == 2 && j.is_multiple_of(2));
    let (re, im) = computed::pair(j);
    let load = |x: [f64; 2]| L::load_repeated::<1>(&x.map(|x| L::Real::from_bits(x.to_bits())));
    (load(re), load(im))
}

/// One or several values side by side.
///
/// The operators round as the contract says, in each lane by itself.
pub(crate) trait Lanes: F64<Real: Real> {
    /// Runs a task from code that was entered already: in a function of its own on WebAssembly, whose engines translate
    /// functions one by one and optimise those that are used much first, so that small ones help; else in place.
    #[inline(always)]
    fn part<T: Task>(task: T) -> T::Output {
        if cfg!(target_family = "wasm") && Self::LANES > 1 {
            Self::outline(task)
        } else {
            task.run()
        }
    }

    /// Half of each value.
    #[inline(always)]
    fn half(self) -> Self {
        self * Self::splat(Self::Real::from_bits(1022 << 52))
    }
}

impl<V: F64<Real: Real>> Lanes for V {}

/// An instruction set, and the lanes that compute with the values of the target.
pub(crate) trait Floating: Isa {
    /// The lanes.
    type Lanes: Lanes<Real = Fpr>;
}

/// Implements `F64` for a type of one value that is not `f64`.
macro_rules! one_lane {
    ($name:ty) => {
        impl lanner_simd::F64 for $name {
            type Real = Self;
            type Pack = Self;
            type Half = Self;
            type Words = <f64 as lanner_simd::F64>::Words;

            const LANES: usize = 1;

            #[inline(always)]
            fn outline<T: lanner_simd::Task>(task: T) -> T::Output {
                <f64 as lanner_simd::F64>::outline(task)
            }

            #[inline(always)]
            fn packs(values: &[Self]) -> &[Self] {
                values
            }

            #[inline(always)]
            fn packs_mut(values: &mut [Self]) -> &mut [Self] {
                values
            }

            #[inline(always)]
            fn load(pack: &Self) -> Self {
                *pack
            }

            #[inline(always)]
            fn store(self, pack: &mut Self) {
                *pack = self;
            }

            #[inline(always)]
            fn splat(value: Self) -> Self {
                value
            }

            #[inline(always)]
            fn div(self, divisor: Self) -> Self {
                self.quotient(divisor)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                self.square_root()
            }

            #[inline(always)]
            fn unzip<const D: usize>(a: Self, b: Self) -> (Self, Self) {
                (a, b)
            }

            #[inline(always)]
            fn zip<const D: usize>(even: Self, odd: Self) -> (Self, Self) {
                (even, odd)
            }

            #[inline(always)]
            fn load_repeated<const D: usize>(values: &[Self]) -> Self {
                values[0]
            }

            #[inline(always)]
            fn alternate(values: [Self; 2], first: usize) -> Self {
                values[first & 1]
            }

            #[inline(always)]
            fn to_words(self) -> Self::Words {
                lanner_simd::U64::splat(self.to_bits())
            }

            #[inline(always)]
            fn from_words(words: Self::Words) -> Self {
                let mut bits = [0];
                lanner_simd::U64::store(words, &mut bits);
                Self::from_bits(bits[0])
            }
        }
    };
}
use one_lane;

/// Turns bit patterns into values.
macro_rules! values {
    ($bits:expr, $from_bits:path) => {{
        let mut values = [$from_bits(0); 512];
        let mut j = 0;
        while j < 512 {
            values[j] = $from_bits($bits[j]);
            j += 1;
        }
        values
    }};
}
use values;
