//! Four saturated 64-bit limbs, multiplied with `mulx` and the two carry chains
//! of `adcx` and `adox` (x86-64 with BMI2 and ADX).
//!
//! An element is a 256-bit value, and 2^256 = 38 folds every overflow back.
//! Bounds:
//!
//! * carried: below 2^255 + 2^11, as multiplication leaves it;
//! * loose, and so a factor: any value.
//!
//! The portable twins under test are the other representations.
//!
//! # Soundness
//!
//! The assembly may run only on a processor with BMI2 and ADX. Outside its tests
//! this type is reached in two ways:
//!
//! * `with_field!` in [`crate::backend`] names it, in the arm of backends that are
//!   active only after [`lanner_simd::Adx`] was detected;
//! * as [`Beside`](super::Beside) it does the single elements of an operation in
//!   lanes. `in_lanes`, in the same module, starts those while `avx2` or `avx512`
//!   is active: for the one ADX was detected too, and the witness of the other,
//!   [`lanner_simd::Avx512Ifma`], includes ADX and BMI2.
#![allow(unsafe_code)]

use super::{Arithmetic, Field, Operand, Packed, decide_packed};
use crate::ct::Mask;
use core::arch::asm;

type Limbs = [u64; 4];

/// A carried element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldAdx(Limbs);

/// Any 256-bit value, good as a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LooseAdx(Limbs);

impl Operand<Self> for FieldAdx {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(self.0[3] >> 63 == 0 || (self.0[1..3] == [0; 2] && self.0[0] < 1 << 11));
        &self.0
    }
}

impl Operand<FieldAdx> for LooseAdx {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        &self.0
    }
}

/// Adds or subtracts b word by word, and folds the overflow by doing the same with
/// 38. A sum may overflow again if `$last` does not follow.
macro_rules! combine {
    ($add:literal, $adc:literal, $a:expr, $b:expr, $($last:literal,)*) => {{
        let (a, b): (&Limbs, &Limbs) = ($a, $b);
        let [mut r0, mut r1, mut r2, mut r3] = *a;
        // SAFETY: touches only the registers declared, and no memory.
        unsafe {
            asm!(
                concat!($add, " {r0}, {b0}"),
                concat!($adc, " {r1}, {b1}"),
                concat!($adc, " {r2}, {b2}"),
                concat!($adc, " {r3}, {b3}"),
                "sbb {t}, {t}",
                "and {t}, 38",
                concat!($add, " {r0}, {t}"),
                concat!($adc, " {r1}, 0"),
                concat!($adc, " {r2}, 0"),
                concat!($adc, " {r3}, 0"),
                $($last,)*
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
    // Less the 2^256 of the overflow, the sum is below 2^12.
    combine!("add", "adc", a, b,)
}

/// a - b for two carried values.
#[inline(always)]
fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    // With the 2^256 of the borrow, the difference is above 2^254.
    combine!("sub", "sbb", a, b,)
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
        "sbb {t}, {t}",
        "and {t}, 38",
        "sub {r0}, {t}",
    )
}

/// Folds the 512-bit product in r0 to r7 and leaves a carried result in r0 to r3:
/// the high half returns times 38, and then what is above bit 255 times 19.
/// Clobbers rdx, `hi` and `lo`.
macro_rules! fold {
    () => {
        "mov edx, 38
         xor {lo:e}, {lo:e}
         mulx {hi}, {lo}, {r4}
         adcx {r0}, {lo}
         adox {r1}, {hi}
         mulx {hi}, {lo}, {r5}
         adcx {r1}, {lo}
         adox {r2}, {hi}
         mulx {hi}, {lo}, {r6}
         adcx {r2}, {lo}
         adox {r3}, {hi}
         mulx {r4}, {lo}, {r7}
         mov {r5:e}, 0
         adcx {r3}, {lo}
         adox {r4}, {r5}
         adcx {r4}, {r5}
         mov {lo}, {r3}
         shr {lo}, 63
         btr {r3}, 63
         lea {r4}, [{lo} + 2 * {r4}]
         lea {lo}, [{r4} + 8 * {r4}]
         lea {r4}, [{r4} + 2 * {lo}]
         add {r0}, {r4}
         adc {r1}, 0
         adc {r2}, 0
         adc {r3}, 0"
    };
}

/// One further row of the schoolbook product: adds a\[i] * b to the accumulator
/// that starts at `$s0`; `$s4` is new.
macro_rules! row {
    ($offset:literal, $s0:literal, $s1:literal, $s2:literal, $s3:literal, $s4:literal) => {
        concat!(
            "mov rdx, [{a} + ",
            $offset,
            "]\n",
            "xor {lo:e}, {lo:e}\n",
            "mulx {hi}, {lo}, [{b}]\n",
            "adcx {",
            $s0,
            "}, {lo}\n",
            "adox {",
            $s1,
            "}, {hi}\n",
            "mulx {hi}, {lo}, [{b} + 8]\n",
            "adcx {",
            $s1,
            "}, {lo}\n",
            "adox {",
            $s2,
            "}, {hi}\n",
            "mulx {hi}, {lo}, [{b} + 16]\n",
            "adcx {",
            $s2,
            "}, {lo}\n",
            "adox {",
            $s3,
            "}, {hi}\n",
            "mulx {",
            $s4,
            "}, {lo}, [{b} + 24]\n",
            "mov {hi:e}, 0\n",
            "adcx {",
            $s3,
            "}, {lo}\n",
            "adox {",
            $s4,
            "}, {hi}\n",
            "adcx {",
            $s4,
            "}, {hi}\n",
        )
    };
}

#[inline(always)]
fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: reads the two arrays and touches only the registers declared; ADX
    // and BMI2 are present (see the module). A row's top limb cannot overflow,
    // because a[i] * b + accumulator fits in five limbs. In the fold the top limb
    // is at most 38, so at most 77 * 19 < 2^11 is added to a value below 2^255.
    unsafe {
        asm!(
            "mov rdx, [{a}]",
            "mulx {r1}, {r0}, [{b}]",
            "mulx {r2}, {lo}, [{b} + 8]",
            "add {r1}, {lo}",
            "mulx {r3}, {lo}, [{b} + 16]",
            "adc {r2}, {lo}",
            "mulx {r4}, {lo}, [{b} + 24]",
            "adc {r3}, {lo}",
            "adc {r4}, 0",
            row!("8", "r1", "r2", "r3", "r4", "r5"),
            row!("16", "r2", "r3", "r4", "r5", "r6"),
            row!("24", "r3", "r4", "r5", "r6", "r7"),
            fold!(),
            a = in(reg) a,
            b = in(reg) b,
            r0 = out(reg) r0,
            r1 = out(reg) r1,
            r2 = out(reg) r2,
            r3 = out(reg) r3,
            r4 = out(reg) _,
            r5 = out(reg) _,
            r6 = out(reg) _,
            r7 = out(reg) _,
            hi = out(reg) _,
            lo = out(reg) _,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
}

#[inline(always)]
fn square(a: &Limbs) -> Limbs {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: as for `mul`. The six products of different limbs go to r1 to r6;
    // doubling them (adcx) and adding the squares (adox) run side by side.
    unsafe {
        asm!(
            "mov rdx, [{a}]",
            "xor {r7:e}, {r7:e}",
            "mulx {r2}, {r1}, [{a} + 8]",
            "mulx {r3}, {lo}, [{a} + 16]",
            "adcx {r2}, {lo}",
            "mulx {r4}, {lo}, [{a} + 24]",
            "adcx {r3}, {lo}",
            "mov rdx, [{a} + 8]",
            "mulx {hi}, {lo}, [{a} + 16]",
            "adox {r3}, {lo}",
            "adcx {r4}, {hi}",
            "mov rdx, [{a} + 24]",
            "mulx {r5}, {lo}, [{a} + 8]",
            "adox {r4}, {lo}",
            "adcx {r5}, {r7}",
            "mulx {r6}, {lo}, [{a} + 16]",
            "adox {r5}, {lo}",
            "adox {r6}, {r7}",
            "mov rdx, [{a}]",
            "xor {r7:e}, {r7:e}",
            "mulx {hi}, {r0}, rdx",
            "adcx {r1}, {r1}",
            "adox {r1}, {hi}",
            "mov rdx, [{a} + 8]",
            "mulx {hi}, {lo}, rdx",
            "adcx {r2}, {r2}",
            "adox {r2}, {lo}",
            "adcx {r3}, {r3}",
            "adox {r3}, {hi}",
            "mov rdx, [{a} + 16]",
            "mulx {hi}, {lo}, rdx",
            "adcx {r4}, {r4}",
            "adox {r4}, {lo}",
            "adcx {r5}, {r5}",
            "adox {r5}, {hi}",
            "mov rdx, [{a} + 24]",
            "mulx {hi}, {lo}, rdx",
            "adcx {r6}, {r6}",
            "adox {r6}, {lo}",
            "adcx {r7}, {r7}",
            "adox {r7}, {hi}",
            fold!(),
            a = in(reg) a,
            r0 = out(reg) r0,
            r1 = out(reg) r1,
            r2 = out(reg) r2,
            r3 = out(reg) r3,
            r4 = out(reg) _,
            r5 = out(reg) _,
            r6 = out(reg) _,
            r7 = out(reg) _,
            hi = out(reg) _,
            lo = out(reg) _,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [r0, r1, r2, r3]
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

#[cfg(test)]
impl FieldAdx {
    pub(super) const fn from_limbs(limbs: Limbs) -> Self {
        Self(limbs)
    }
}

impl Arithmetic for FieldAdx {
    type Limbs = Limbs;
    type Loose = LooseAdx;
    type Mask = Mask;

    const ZERO: Self = Self([0; 4]);
    const ONE: Self = Self([1, 0, 0, 0]);
    const TWO: Self = Self([2, 0, 0, 0]);
    const D: Self = Self(super::packed::D);
    const D2: Self = Self(super::packed::D2);
    const SQRT_M1: Self = Self(super::packed::SQRT_M1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> LooseAdx {
        LooseAdx(add(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> LooseAdx {
        LooseAdx(sub(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> LooseAdx {
        LooseAdx(add_any(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> LooseAdx {
        LooseAdx(sub_any(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(carry(value.limbs()))
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(mul(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(square(value.limbs()))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        Self(mul_small(value.limbs(), 121_666))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: Mask) -> Self {
        Self(core::array::from_fn(|i| mask.select(a.0[i], b.0[i])))
    }

    decide_packed!();
}

impl Field for FieldAdx {
    #[inline(always)]
    fn from_packed(value: &Packed) -> Self {
        Self(carry(&value.0))
    }

    #[inline(always)]
    fn from_frozen(value: &Packed) -> Self {
        Self(value.0)
    }

    #[inline(always)]
    fn to_packed(&self) -> Packed {
        Packed(self.0)
    }
}
