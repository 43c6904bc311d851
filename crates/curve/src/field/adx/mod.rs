//! Four saturated 64-bit limbs, multiplied with `mulx` (x86-64 with BMI2), and where there is ADX with the two
//! carry chains of `adcx` and `adox`.
//!
//! An element is a 256-bit value, and 2^256 = 38 folds every overflow back.
//! Bounds:
//!
//! * carried: below 2^255 + 2^11, as multiplication leaves it;
//! * loose, and so a factor: any value.
//!
//! The portable twins under test are the other representations; whole formulas are compared with those of
//! `formulas`.
//!
//! # Soundness
//!
//! The assembly of [`FieldAdx`] may run only on a processor with BMI2 and ADX. Outside its tests
//! this type is reached in two ways:
//!
//! * `with_field!` in [`crate::backend`] names it, in the arm of backends that are
//!   active only after [`lanner_simd::Adx`] was detected;
//! * as [`Beside`](super::Beside) it does the single elements of an operation in
//!   lanes. `in_lanes`, in the same module, starts those of AVX-512 with the witness
//!   [`lanner_simd::Avx512Ifma`], which includes ADX and BMI2, and those of doubles after [`lanner_simd::Adx`] was
//!   detected.
//!
//! That of [`FieldBmi`] needs BMI2 alone, which the witness [`lanner_simd::Bmi`] includes: `with_field!` asks for it.
#![allow(unsafe_code)]

mod blocks;
mod divsteps;
mod instructions;
#[cfg(all(test, lanner_proof, not(debug_assertions), target_os = "linux"))]
mod proven;
#[cfg(test)]
mod tests;

use super::blocks::Blocks;
use super::chains::PRIME;
use super::{Arithmetic, Field, Operand, Packed, of_one_element};
use crate::ct::Mask;
use blocks::Ladder;
use core::arch::asm;
use core::fmt::Debug;
use core::marker::PhantomData;
pub(crate) use divsteps::invert;
use subtle::Choice;

type Limbs = [u64; 4];

/// What differs between processors.
pub(crate) trait Assembly: Copy + Debug + 'static {
    /// The formulas on points.
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    const BLOCKS: Blocks;
    /// The product of any two values: carried.
    fn mul(a: &Limbs, b: &Limbs) -> Limbs;
    /// The square of any value: carried.
    fn square(a: &Limbs) -> Limbs;
    /// One step of a ladder, with the points exchanged before it if `swap` is not 0.
    fn ladder_step(ladder: &mut Ladder, swap: u64);
}

/// Two carry chains: BMI2 and ADX.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithAdx;

/// One carry chain: BMI2 alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithBmi;

/// A carried element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saturated<A>(Limbs, PhantomData<A>);

/// Any 256-bit value, good as a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loose<A>(Limbs, PhantomData<A>);

/// The representation for BMI2 and ADX.
pub(crate) type FieldAdx = Saturated<WithAdx>;

/// The representation for BMI2 without ADX: Intel's Haswell, and virtual machines of that kind.
pub(crate) type FieldBmi = Saturated<WithBmi>;

impl<A: Assembly> Operand<Self> for Saturated<A> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(self.0[3] >> 63 == 0 || (self.0[1..3] == [0; 2] && self.0[0] < 1 << 11));
        &self.0
    }
}

impl<A: Assembly> Operand<Saturated<A>> for Loose<A> {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        &self.0
    }
}

/// Adds or subtracts b word by word, and folds the overflow by doing the same with
/// 38, as `$fold` says. (`t` is cleared first, because Intel's processors wait for the register from which `sbb`
/// subtracts itself.)
macro_rules! combine {
    ($add:literal, $adc:literal, $a:expr, $b:expr, $($fold:literal,)*) => {{
        let (a, b): (&Limbs, &Limbs) = ($a, $b);
        let [mut r0, mut r1, mut r2, mut r3] = *a;
        // SAFETY: touches only the registers declared, and no memory.
        unsafe {
            asm!(
                "xor {t:e}, {t:e}",
                concat!($add, " {r0}, {b0}"),
                concat!($adc, " {r1}, {b1}"),
                concat!($adc, " {r2}, {b2}"),
                concat!($adc, " {r3}, {b3}"),
                "sbb {t}, {t}",
                "and {t}, 38",
                $($fold,)*
                r0 = inout(reg) r0,
                r1 = inout(reg) r1,
                r2 = inout(reg) r2,
                r3 = inout(reg) r3,
                b0 = in(reg) b[0],
                b1 = in(reg) b[1],
                b2 = in(reg) b[2],
                b3 = in(reg) b[3],
                t = out(reg) _,
                options(pure, nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }};
}

/// a + b for two carried values.
#[inline(always)]
fn add(a: &Limbs, b: &Limbs) -> Limbs {
    // Less the 2^256 of the overflow the sum is below 2^12, so that 38 goes to its lowest word alone.
    combine!("add", "adc", a, b, "add {r0}, {t}",)
}

/// a - b for two carried values.
#[inline(always)]
fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    // With the 2^256 of the borrow, the difference is above 2^254.
    combine!(
        "sub",
        "sbb",
        a,
        b,
        "sub {r0}, {t}",
        "sbb {r1}, 0",
        "sbb {r2}, 0",
        "sbb {r3}, 0",
    )
}

/// a + b.
#[inline(always)]
fn add_any(a: &Limbs, b: &Limbs) -> Limbs {
    // A second overflow leaves a value below 38.
    combine!(
        "add",
        "adc",
        a,
        b,
        "add {r0}, {t}",
        "adc {r1}, 0",
        "adc {r2}, 0",
        "adc {r3}, 0",
        "sbb {t}, {t}",
        "and {t}, 38",
        "add {r0}, {t}",
    )
}

/// a - b.
#[inline(always)]
fn sub_any(a: &Limbs, b: &Limbs) -> Limbs {
    // A second borrow leaves a value of at least 2^256 - 38.
    combine!(
        "sub",
        "sbb",
        a,
        b,
        "sub {r0}, {t}",
        "sbb {r1}, 0",
        "sbb {r2}, 0",
        "sbb {r3}, 0",
        "sbb {t}, {t}",
        "and {t}, 38",
        "sub {r0}, {t}",
    )
}

/// What is above bit 255 returns times 19: a carried value.
#[inline(always)]
fn carry(a: &Limbs) -> Limbs {
    let (r0, over) = a[0].overflowing_add(19 * (a[3] >> 63));
    let (r1, over) = a[1].overflowing_add(u64::from(over));
    let (r2, over) = a[2].overflowing_add(u64::from(over));
    [r0, r1, r2, (a[3] & (u64::MAX >> 1)) + u64::from(over)]
}

/// `a` times a factor below 2^32.
#[inline(always)]
fn mul_small(a: &Limbs, factor: u64) -> Limbs {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: as for `mul`. The top limb is below 2^32; if adding 38 times it
    // overflows, the value left is below 2^38, and one 38 more does not.
    let product = unsafe {
        asm!(
            "mulx {r1}, {r0}, [{a}]",
            "mulx {r2}, {t}, [{a} + 8]",
            "add {r1}, {t}",
            "mulx {r3}, {t}, [{a} + 16]",
            "adc {r2}, {t}",
            "mulx {hi}, {t}, [{a} + 24]",
            "adc {r3}, {t}",
            "adc {hi}, 0",
            "imul {hi}, {hi}, 38",
            "add {r0}, {hi}",
            "adc {r1}, 0",
            "adc {r2}, 0",
            "adc {r3}, 0",
            "sbb {t}, {t}",
            "and {t}, 38",
            "add {r0}, {t}",
            a = in(reg) a,
            r0 = out(reg) r0,
            r1 = out(reg) r1,
            r2 = out(reg) r2,
            r3 = out(reg) r3,
            hi = out(reg) _,
            t = out(reg) _,
            in("rdx") factor,
            options(pure, readonly, nostack),
        );
        [r0, r1, r2, r3]
    };
    carry(&product)
}

impl<A: Assembly> Saturated<A> {
    #[inline(always)]
    const fn new(limbs: Limbs) -> Self {
        Self(limbs, PhantomData)
    }

    #[inline(always)]
    const fn loose(limbs: Limbs) -> Loose<A> {
        Loose(limbs, PhantomData)
    }
}

#[cfg(test)]
impl<A: Assembly> Saturated<A> {
    pub(super) const fn from_limbs(limbs: Limbs) -> Self {
        Self::new(limbs)
    }

    pub(super) const fn loose_from_limbs(limbs: Limbs) -> Loose<A> {
        Self::loose(limbs)
    }
}

impl<A: Assembly> Arithmetic for Saturated<A> {
    type Limbs = Limbs;
    type Loose = Loose<A>;
    type Mask = Mask;

    const ZERO: Self = Self::new([0; 4]);
    const ONE: Self = Self::new([1, 0, 0, 0]);
    const TWO: Self = Self::new([2, 0, 0, 0]);
    const D: Self = Self::new(super::packed::D);
    const D2: Self = Self::new(super::packed::D2);
    const SQRT_M1: Self = Self::new(super::packed::SQRT_M1);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&self, rhs: &Self) -> Loose<A> {
        Self::loose(add(self.limbs(), rhs.limbs()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(&self, rhs: &Self) -> Loose<A> {
        Self::loose(sub(self.limbs(), rhs.limbs()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose<A> {
        Self::loose(add_any(lhs.limbs(), rhs.limbs()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose<A> {
        Self::loose(sub_any(lhs.limbs(), rhs.limbs()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self::new(carry(value.limbs()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self::new(A::mul(lhs.limbs(), rhs.limbs()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square(value: &impl Operand<Self>) -> Self {
        Self::new(A::square(value.limbs()))
    }

    #[inline]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        Self::new(blocks::square_times::<A>(value.limbs(), n))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        Self::new(mul_small(value.limbs(), 121_666))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn select(a: &Self, b: &Self, mask: Mask) -> Self {
        Self::new(core::array::from_fn(|i| mask.select(a.0[i], b.0[i])))
    }

    of_one_element!();
}

impl<A: Assembly> Field for Saturated<A> {
    const BLOCKS: Option<&'static Blocks> = Some(&A::BLOCKS);
    const PAIRS: bool = true;

    #[inline(always)]
    fn invert_words(x: &[u64; 4]) -> [u64; 4] {
        invert(x, &PRIME)
    }

    #[inline(always)]
    fn from_packed(value: &Packed) -> Self {
        Self::new(carry(&value.0))
    }

    #[inline(always)]
    fn from_frozen(value: &Packed) -> Self {
        Self::new(value.0)
    }

    #[inline(always)]
    fn to_packed(&self) -> Packed {
        Packed(self.0)
    }

    #[inline(always)]
    fn ladder(u: &Self, bits: impl Iterator<Item = Choice>) -> (Self, Self) {
        let (one, zero) = (Self::ONE.0, Self::ZERO.0);
        let mut ladder = Ladder::new([one, zero, u.0, one], u.0);
        // Not by way of `Choice`, whose barrier costs a call: the assembly is one.
        let mut swapped = 0;
        for bit in bits {
            let bit = bit.unwrap_u8();
            A::ladder_step(&mut ladder, u64::from(swapped ^ bit));
            swapped = bit;
        }
        let [u2, w2, u3, w3] = ladder.points().map(Self::new);
        let mask = Choice::from(swapped).into();
        (Self::select(&u2, &u3, mask), Self::select(&w2, &w3, mask))
    }
}
