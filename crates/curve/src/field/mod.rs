//! Elements of the field of integers mod p = 2^255 - 19.
//!
//! Values at rest are [`Packed`]: four 64-bit words. Arithmetic happens in a
//! *representation*, a type that implements [`Field`]:
//!
//! | type | limbs | machine |
//! |---|---|---|
//! | `Field51` | 5 × 51 bits in `u64` | portable, 64-bit; on x86-64 with the products of `products51` |
//! | `Field25` | 10 × 25.5 bits in `u32` | portable, 32-bit; on 32-bit x86 with those of `products25` |
//! | `Field29` | 9 × 29 bits in `i64` | WebAssembly |
//! | `FiatField51`, `FiatField25` | the same limbs, formally verified | feature `fiat`, or a setting of the compiler |
//! | `FieldAdx` | 4 × 64 bits, saturated | x86-64 with BMI2 and ADX |
//! | `FieldBmi` | the same | x86-64 with BMI2 |
//! | `FieldArm` | the same | AArch64 |
//!
//! Every formula above this module is written once, generic over `Field`.

#[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
pub(crate) mod blocks;
pub(crate) mod chains;
pub(crate) mod formulas;
pub(crate) mod packed;

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
pub(crate) mod adx;
#[cfg(all(target_arch = "aarch64", target_pointer_width = "64", not(miri)))]
pub(crate) mod arm;
// The settings that ask for it: see `lanner_simd::backend`.
#[cfg(any(
    feature = "fiat",
    lanner_backend = "fiat",
    lanner_backend = "fiat64",
    lanner_backend = "fiat32",
    curve25519_dalek_backend = "fiat"
))]
pub(crate) mod fiat;
/// Never at work without the other.
#[cfg(not(any(
    feature = "fiat",
    lanner_backend = "fiat",
    lanner_backend = "fiat64",
    lanner_backend = "fiat32",
    curve25519_dalek_backend = "fiat"
)))]
pub(crate) mod fiat {
    pub(crate) use super::radix25::Field25 as FiatField25;
    #[cfg(target_pointer_width = "64")]
    pub(crate) use super::radix51::Field51 as FiatField51;
}
#[cfg(all(
    test,
    lanner_proof,
    not(debug_assertions),
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_os = "linux",
    not(miri)
))]
mod expected;
pub(crate) mod lanes;
#[cfg(all(target_arch = "x86", not(miri)))]
mod products25;
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
mod products51;
// As it ships: debug assertions look at limbs.
#[cfg(all(
    test,
    lanner_proof,
    not(debug_assertions),
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "x86"),
    target_os = "linux",
    not(miri)
))]
mod proven;
pub(crate) mod radix25;
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) mod radix29;
#[cfg_attr(not(target_pointer_width = "64"), allow(dead_code))]
pub(crate) mod radix51;
#[cfg(test)]
mod tests;

use crate::ct::Mask;
use crate::safegcd;
use core::ops::{BitOr, BitXor};
pub(crate) use packed::Packed;
use subtle::Choice;

// What computes with single elements beside lanes.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
pub(crate) use adx::FieldAdx as Beside;
#[cfg(not(any(
    all(target_arch = "x86_64", target_pointer_width = "64", not(miri)),
    target_family = "wasm"
)))]
pub(crate) use radix25::Field25 as Beside;
#[cfg(target_family = "wasm")]
pub(crate) use radix29::Field29 as Beside;

// The same beside lanes that ask for no more than vectors.
#[cfg(not(target_pointer_width = "64"))]
pub(crate) use radix25::Field25 as BesideDoubles;
#[cfg(target_pointer_width = "64")]
pub(crate) use radix51::Field51 as BesideDoubles;

// The same beside lanes of NEON.
#[cfg(all(target_arch = "aarch64", target_pointer_width = "64", not(miri)))]
pub(crate) use arm::FieldArm as BesideNeon;
#[cfg(not(all(target_arch = "aarch64", target_pointer_width = "64", not(miri))))]
pub(crate) use radix25::Field25 as BesideNeon;

/// Something a multiplication accepts: a carried element or a loose sum.
pub(crate) trait Operand<F: Arithmetic>: Copy {
    /// Whether it is a sum that a representation cannot multiply by another sum.
    const LOOSE: bool = false;

    /// The limbs, within the bounds that `F` states for factors.
    fn limbs(&self) -> &F::Limbs;
}

/// The arithmetic of one element, or of several side by side.
///
/// An element (`Self`) is *carried*: its limbs are as small as a multiplication
/// leaves them. A sum or a difference of two carried elements is `Loose`: good
/// as a factor or to be carried. `add_loose` and `sub_loose` take values that
/// are carried or come straight from `add` or `sub`, and give factors; they are
/// not for chains of more than that, and check it in debug builds.
///
/// Everything here runs in constant time.
pub(crate) trait Arithmetic: Operand<Self> + 'static {
    /// The limbs of either kind of value.
    type Limbs;
    /// A factor that is not carried.
    type Loose: Operand<Self>;
    /// A decision for each element.
    type Mask: Copy + BitOr<Output = Self::Mask> + BitXor<Output = Self::Mask>;

    const ZERO: Self;
    const ONE: Self;
    const TWO: Self;
    /// The constant d of the Edwards curve.
    const D: Self;
    /// 2d.
    const D2: Self;
    /// The square root of -1 that is even as an integer in [0, p).
    const SQRT_M1: Self;

    fn add(&self, rhs: &Self) -> Self::Loose;
    fn sub(&self, rhs: &Self) -> Self::Loose;
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self::Loose;
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self::Loose;
    fn carry(value: &impl Operand<Self>) -> Self;

    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self;
    fn square(value: &impl Operand<Self>) -> Self;
    /// [`Arithmetic::mul`] for a loop that consists of little else: without a call, where those
    /// cost more than the code does.
    #[inline(always)]
    fn mul_in_place(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self::mul(lhs, rhs)
    }
    /// [`Arithmetic::square`] for such a loop.
    #[inline(always)]
    fn square_in_place(value: &impl Operand<Self>) -> Self {
        Self::square(value)
    }
    /// 121666 times the value: (A + 2) / 4 of the Montgomery curve.
    fn mul_121666(value: &impl Operand<Self>) -> Self;

    /// `b` where the mask is set, `a` elsewhere.
    fn select(a: &Self, b: &Self, mask: Self::Mask) -> Self;
    /// Whether two elements are the same mod p.
    fn equal(&self, other: &Self) -> Self::Mask;
    /// Whether the representative in [0, p) is odd: the sign bit of RFC 8032.
    fn is_negative(&self) -> Self::Mask;

    /// Exchanges two values where the mask is set.
    #[inline(always)]
    fn conditional_swap(a: &mut Self, b: &mut Self, mask: Self::Mask) {
        (*a, *b) = (Self::select(a, b, mask), Self::select(b, a, mask));
    }

    /// The additive inverse.
    #[inline(always)]
    fn neg(&self) -> Self {
        Self::carry(&Self::ZERO.sub(self))
    }

    /// Raises to the power 2^n by n squarings, n > 0.
    #[inline(always)]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        let mut r = Self::square(value);
        for _ in 1..n {
            r = Self::square(&r);
        }
        r
    }
    /// `chains::square_times_each`, a function of its own where it is long.
    #[inline(always)]
    fn square_times_each<const N: usize>(x: &[Self; N], n: u32) -> [Self; N] {
        chains::square_times_each(x, n)
    }
    /// `chains::join_runs`, a function of its own where it is long.
    #[inline(always)]
    fn join_runs<const N: usize>(x: &[Self; N], n: u32, y: &[Self; N], place: &mut [Self; N]) {
        chains::join_runs(x, n, y, place);
    }
    /// x^(2^250 - 1) and x^11 of each: `chains::pow_250_ones`, which most powers begin with. A function of its own where
    /// it is long.
    #[inline(always)]
    fn pow_250_ones<const N: usize>(x: &[Self; N]) -> ([Self; N], [Self; N]) {
        chains::pow_250_ones(x)
    }
}

/// A representation of one element.
pub(crate) trait Field: Arithmetic<Mask = Mask> {
    /// The formulas on points, where the representation has them as blocks.
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    const BLOCKS: Option<&'static blocks::Blocks> = None;

    /// Whether two powers side by side take much less time than one after the other: where a squaring waits longer
    /// for the one before than it takes.
    const PAIRS: bool = false;

    /// Takes any 256-bit value.
    fn from_packed(value: &Packed) -> Self;
    /// Takes a value in [0, p).
    #[inline(always)]
    fn from_frozen(value: &Packed) -> Self {
        Self::from_packed(value)
    }
    /// Some 256-bit value of the same class, not necessarily in [0, p).
    fn to_packed(&self) -> Packed;

    /// The inverse of a value in [0, p), and 0 for 0. Constant time.
    #[inline(always)]
    fn invert_words(x: &[u64; 4]) -> [u64; 4] {
        safegcd::invert(x, &chains::PRIME)
    }

    /// An entry of a window: [`lanes::choose_entry`].
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    #[inline(always)]
    fn choose_entry<const N: usize, const C: usize>(
        window: &[[[u64; 4]; C]; N],
        number: u8,
        neutral: &[u64; C],
    ) -> [[u64; 4]; C] {
        lanes::choose_entry(window, number, neutral)
    }

    /// A Montgomery ladder: [`formulas::ladder`].
    #[inline(always)]
    fn ladder(u: &Self, bits: impl Iterator<Item = Choice>) -> (Self, Self) {
        formulas::ladder(u, bits)
    }
}

/// What representations of one element have in common of [`Arithmetic`]: decisions by way of the packed form, and one
/// copy of the parts of powers, which take so long that a call is nothing beside them.
macro_rules! of_one_element {
    () => {
        #[inline(never)]
        fn square_times_each<const N: usize>(x: &[Self; N], n: u32) -> [Self; N] {
            $crate::field::chains::square_times_each(x, n)
        }

        #[inline(never)]
        fn join_runs<const N: usize>(x: &[Self; N], n: u32, y: &[Self; N], place: &mut [Self; N]) {
            $crate::field::chains::join_runs(x, n, y, place);
        }

        #[inline(never)]
        fn pow_250_ones<const N: usize>(x: &[Self; N]) -> ([Self; N], [Self; N]) {
            $crate::field::chains::pow_250_ones(x)
        }

        #[inline(always)]
        fn equal(&self, other: &Self) -> Mask {
            Mask::from(subtle::ConstantTimeEq::ct_eq(
                &self.to_packed(),
                &other.to_packed(),
            ))
        }

        #[inline(always)]
        fn is_negative(&self) -> Mask {
            self.to_packed().is_negative().into()
        }
    };
}
use of_one_element;
