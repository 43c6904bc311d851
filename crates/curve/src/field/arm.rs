//! Four saturated 64-bit limbs, multiplied with `mul` and `umulh` of AArch64.
//!
//! An element is a 256-bit value, and 2^256 = 38 folds every overflow back. A product takes 32 multiplications of
//! words and a fold of eight, where five limbs of 51 bits take 50; and carries are single instructions, because two
//! operands, a product and what is between them have a register each. Bounds:
//!
//! * carried: below 2^255 + 2^23, as multiplication leaves it;
//! * loose, and so a factor: any value.
//!
//! The portable twins under test are the other representations.
//!
//! # Soundness
//!
//! Every AArch64 processor has the instructions; no block touches memory.
#![allow(unsafe_code)] // Assembly.

use super::formulas::Line;
use super::lanes::{Constants, Single};
use super::{Arithmetic, Field, Operand, Packed, of_one_element};
use crate::ct::Mask;
use core::arch::asm;
use lanner_simd::{Isa, Operation, U64};
use subtle::Choice;

#[cfg(all(
    test,
    lanner_proof,
    not(debug_assertions),
    target_os = "linux",
    not(miri)
))]
mod proven;

type Limbs = [u64; 4];

/// A carried element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldArm(Limbs);

/// Any 256-bit value, good as a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LooseArm(Limbs);

impl Operand<Self> for FieldArm {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(
            self.0[3] >> 63 == 0 || (self.0[1..] == [0, 0, 1 << 63] && self.0[0] < 1 << 23)
        );
        &self.0
    }
}

impl Operand<FieldArm> for LooseArm {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        &self.0
    }
}

/// One further row of the schoolbook product: adds `$a` times b to the accumulator `$s0` to `$s3`; `$s4` is new. It
/// cannot overflow, because a word times b plus four words fits in five.
macro_rules! row {
    ($a:literal, $s0:literal $s1:literal $s2:literal $s3:literal $s4:literal) => {
        concat!(
            "mul {t}, {",
            $a,
            "}, {b0}\n",
            "adds {",
            $s0,
            "}, {",
            $s0,
            "}, {t}\n",
            "mul {t}, {",
            $a,
            "}, {b1}\n",
            "adcs {",
            $s1,
            "}, {",
            $s1,
            "}, {t}\n",
            "mul {t}, {",
            $a,
            "}, {b2}\n",
            "adcs {",
            $s2,
            "}, {",
            $s2,
            "}, {t}\n",
            "mul {t}, {",
            $a,
            "}, {b3}\n",
            "adcs {",
            $s3,
            "}, {",
            $s3,
            "}, {t}\n",
            "umulh {",
            $s4,
            "}, {",
            $a,
            "}, {b3}\n",
            "adc {",
            $s4,
            "}, {",
            $s4,
            "}, xzr\n",
            "umulh {t}, {",
            $a,
            "}, {b0}\n",
            "adds {",
            $s1,
            "}, {",
            $s1,
            "}, {t}\n",
            "umulh {t}, {",
            $a,
            "}, {b1}\n",
            "adcs {",
            $s2,
            "}, {",
            $s2,
            "}, {t}\n",
            "umulh {t}, {",
            $a,
            "}, {b2}\n",
            "adcs {",
            $s3,
            "}, {",
            $s3,
            "}, {t}\n",
            "adc {",
            $s4,
            "}, {",
            $s4,
            "}, xzr\n",
        )
    };
}

/// r0 to r7 = the product of a0 to a3 and b0 to b3.
macro_rules! product {
    () => {
        concat!(
            "mul {r0}, {a0}, {b0}
             umulh {r1}, {a0}, {b0}
             mul {t}, {a0}, {b1}
             umulh {r2}, {a0}, {b1}
             adds {r1}, {r1}, {t}
             mul {t}, {a0}, {b2}
             umulh {r3}, {a0}, {b2}
             adcs {r2}, {r2}, {t}
             mul {t}, {a0}, {b3}
             umulh {r4}, {a0}, {b3}
             adcs {r3}, {r3}, {t}
             adc {r4}, {r4}, xzr\n",
            row!("a1", "r1" "r2" "r3" "r4" "r5"),
            row!("a2", "r2" "r3" "r4" "r5" "r6"),
            row!("a3", "r3" "r4" "r5" "r6" "r7"),
        )
    };
}

/// r0 to r7 = the square of a0 to a3. The six products of different limbs go to r1 to r6; then they are doubled, and
/// the squares of the limbs are added.
macro_rules! square_product {
    () => {
        "mul {r1}, {a0}, {a1}
         umulh {r2}, {a0}, {a1}
         mul {t}, {a0}, {a2}
         umulh {r3}, {a0}, {a2}
         adds {r2}, {r2}, {t}
         mul {t}, {a0}, {a3}
         umulh {r4}, {a0}, {a3}
         adcs {r3}, {r3}, {t}
         mul {t}, {a1}, {a3}
         umulh {r5}, {a1}, {a3}
         adcs {r4}, {r4}, {t}
         umulh {r6}, {a2}, {a3}
         adc {r5}, {r5}, xzr
         mul {t}, {a1}, {a2}
         adds {r3}, {r3}, {t}
         umulh {t}, {a1}, {a2}
         adcs {r4}, {r4}, {t}
         mul {t}, {a2}, {a3}
         adcs {r5}, {r5}, {t}
         mul {r0}, {a0}, {a0}
         adc {r6}, {r6}, xzr
         adds {r1}, {r1}, {r1}
         adcs {r2}, {r2}, {r2}
         adcs {r3}, {r3}, {r3}
         adcs {r4}, {r4}, {r4}
         adcs {r5}, {r5}, {r5}
         adcs {r6}, {r6}, {r6}
         umulh {r7}, {a3}, {a3}
         adc {r7}, {r7}, xzr
         umulh {t}, {a0}, {a0}
         adds {r1}, {r1}, {t}
         mul {t}, {a1}, {a1}
         adcs {r2}, {r2}, {t}
         umulh {t}, {a1}, {a1}
         adcs {r3}, {r3}, {t}
         mul {t}, {a2}, {a2}
         adcs {r4}, {r4}, {t}
         umulh {t}, {a2}, {a2}
         adcs {r5}, {r5}, {t}
         mul {t}, {a3}, {a3}
         adcs {r6}, {r6}, {t}
         adc {r7}, {r7}, xzr\n"
    };
}

/// Folds a product of 512 bits in r0 to r7 and leaves a carried value in `$d0` to `$d3`: the high half returns times 38,
/// and then what is above bit 255 times 19. `{c}` holds 38.
macro_rules! fold {
    ($d0:literal $d1:literal $d2:literal $d3:literal) => {
        concat!(
            "mul {t}, {r4}, {c}
             adds {r0}, {r0}, {t}
             mul {t}, {r5}, {c}
             adcs {r1}, {r1}, {t}
             mul {t}, {r6}, {c}
             adcs {r2}, {r2}, {t}
             mul {t}, {r7}, {c}
             adcs {r3}, {r3}, {t}
             umulh {r7}, {r7}, {c}
             adc {r7}, {r7}, xzr
             umulh {t}, {r4}, {c}
             adds {r1}, {r1}, {t}
             umulh {t}, {r5}, {c}
             adcs {r2}, {r2}, {t}
             umulh {t}, {r6}, {c}
             adcs {r3}, {r3}, {t}
             adc {r4}, {r7}, xzr\n",
            fold_top!($d0 $d1 $d2 $d3),
        )
    };
}

/// `$d0` to `$d3` = the value of r0 to r4 for an r4 below 2^17: what is above bit 255 returns times 19, at most 2^18 * 19,
/// which is below 2^23. (After a product r4 is at most 38.)
macro_rules! fold_top {
    ($d0:literal $d1:literal $d2:literal $d3:literal) => {
        concat!(
            "lsr {t}, {r3}, #63
             add {r4}, {t}, {r4}, lsl #1
             and {r3}, {r3}, #0x7fffffffffffffff
             add {t}, {r4}, {r4}, lsl #3
             add {r4}, {r4}, {t}, lsl #1\n",
            "adds {",
            $d0,
            "}, {r0}, {r4}\n",
            "adcs {",
            $d1,
            "}, {r1}, xzr\n",
            "adcs {",
            $d2,
            "}, {r2}, xzr\n",
            "adc {",
            $d3,
            "}, {r3}, xzr\n",
        )
    };
}

/// The product of any two values: carried.
macro_rules! multiplied {
    ($a:expr, $b:expr $(, $pure:ident)?) => {{
        let (a, b): (&Limbs, &Limbs) = ($a, $b);
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        // SAFETY: touches only the registers declared, and no memory.
        unsafe {
            asm!(
                product!(),
                fold!("r0" "r1" "r2" "r3"),
                a0 = in(reg) a[0],
                a1 = in(reg) a[1],
                a2 = in(reg) a[2],
                a3 = in(reg) a[3],
                b0 = in(reg) b[0],
                b1 = in(reg) b[1],
                b2 = in(reg) b[2],
                b3 = in(reg) b[3],
                c = in(reg) 38_u64,
                r0 = out(reg) r0,
                r1 = out(reg) r1,
                r2 = out(reg) r2,
                r3 = out(reg) r3,
                r4 = out(reg) _,
                r5 = out(reg) _,
                r6 = out(reg) _,
                r7 = out(reg) _,
                t = out(reg) _,
                options($($pure,)? nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }};
}

/// The square of any value: carried.
macro_rules! squared {
    ($a:expr $(, $pure:ident)?) => {{
        let a: &Limbs = $a;
        let (r0, r1, r2, r3): (u64, u64, u64, u64);
        // SAFETY: touches only the registers declared, and no memory.
        unsafe {
            asm!(
                square_product!(),
                fold!("r0" "r1" "r2" "r3"),
                a0 = in(reg) a[0],
                a1 = in(reg) a[1],
                a2 = in(reg) a[2],
                a3 = in(reg) a[3],
                c = in(reg) 38_u64,
                r0 = out(reg) r0,
                r1 = out(reg) r1,
                r2 = out(reg) r2,
                r3 = out(reg) r3,
                r4 = out(reg) _,
                r5 = out(reg) _,
                r6 = out(reg) _,
                r7 = out(reg) _,
                t = out(reg) _,
                options($($pure,)? nomem, nostack),
            );
        }
        [r0, r1, r2, r3]
    }};
}

/// `n` squarings, n > 0, of any value: carried.
#[inline(always)]
fn square_times(a: &Limbs, n: u32) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: touches only the registers declared, and no memory; the loop ends, because n is not 0.
    unsafe {
        asm!(
            "2:",
            square_product!(),
            fold!("a0" "a1" "a2" "a3"),
            "subs {n:w}, {n:w}, #1",
            "b.ne 2b",
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            n = inout(reg) n => _,
            c = in(reg) 38_u64,
            r0 = out(reg) _,
            r1 = out(reg) _,
            r2 = out(reg) _,
            r3 = out(reg) _,
            r4 = out(reg) _,
            r5 = out(reg) _,
            r6 = out(reg) _,
            r7 = out(reg) _,
            t = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `a` times 121666, whose top word is below 2^17: carried.
#[inline(always)]
fn mul_121666(a: &Limbs) -> Limbs {
    let (r0, r1, r2, r3): (u64, u64, u64, u64);
    // SAFETY: touches only the registers declared, and no memory.
    unsafe {
        asm!(
            "mul {r0}, {a0}, {c}
             umulh {r1}, {a0}, {c}
             mul {t}, {a1}, {c}
             umulh {r2}, {a1}, {c}
             adds {r1}, {r1}, {t}
             mul {t}, {a2}, {c}
             umulh {r3}, {a2}, {c}
             adcs {r2}, {r2}, {t}
             mul {t}, {a3}, {c}
             umulh {r4}, {a3}, {c}
             adcs {r3}, {r3}, {t}
             adc {r4}, {r4}, xzr",
            fold_top!("r0" "r1" "r2" "r3"),
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            c = in(reg) 121_666_u64,
            r0 = out(reg) r0,
            r1 = out(reg) r1,
            r2 = out(reg) r2,
            r3 = out(reg) r3,
            r4 = out(reg) _,
            t = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [r0, r1, r2, r3]
}

/// Adds or subtracts b word by word, and folds the overflow by doing the same with 38, where `$over` says that there
/// was one, as `$fold` says.
macro_rules! combine {
    ($first:literal, $next:literal, $over:literal, $a:expr, $b:expr, $($fold:literal,)*) => {{
        let (a, b): (&Limbs, &Limbs) = ($a, $b);
        let [mut r0, mut r1, mut r2, mut r3] = *a;
        // SAFETY: touches only the registers declared, and no memory.
        unsafe {
            asm!(
                concat!($first, " {r0}, {r0}, {b0}"),
                concat!($next, " {r1}, {r1}, {b1}"),
                concat!($next, " {r2}, {r2}, {b2}"),
                concat!($next, " {r3}, {r3}, {b3}"),
                concat!("csel {t}, {c}, xzr, ", $over),
                $($fold,)*
                r0 = inout(reg) r0,
                r1 = inout(reg) r1,
                r2 = inout(reg) r2,
                r3 = inout(reg) r3,
                b0 = in(reg) b[0],
                b1 = in(reg) b[1],
                b2 = in(reg) b[2],
                b3 = in(reg) b[3],
                c = in(reg) 38_u64,
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
    // Less the 2^256 of the overflow the sum is below 2^24, so that 38 goes to its lowest word alone.
    combine!("adds", "adcs", "cs", a, b, "add {r0}, {r0}, {t}",)
}

/// a - b for two carried values.
#[inline(always)]
fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    // With the 2^256 of the borrow, the difference is above 2^254.
    combine!(
        "subs",
        "sbcs",
        "cc",
        a,
        b,
        "subs {r0}, {r0}, {t}",
        "sbcs {r1}, {r1}, xzr",
        "sbcs {r2}, {r2}, xzr",
        "sbc {r3}, {r3}, xzr",
    )
}

/// a + b.
#[inline(always)]
fn add_any(a: &Limbs, b: &Limbs) -> Limbs {
    // A second overflow leaves a value below 38.
    combine!(
        "adds",
        "adcs",
        "cs",
        a,
        b,
        "adds {r0}, {r0}, {t}",
        "adcs {r1}, {r1}, xzr",
        "adcs {r2}, {r2}, xzr",
        "adcs {r3}, {r3}, xzr",
        "csel {t}, {c}, xzr, cs",
        "add {r0}, {r0}, {t}",
    )
}

/// a - b.
#[inline(always)]
fn sub_any(a: &Limbs, b: &Limbs) -> Limbs {
    // A second borrow leaves a value of at least 2^256 - 38.
    combine!(
        "subs",
        "sbcs",
        "cc",
        a,
        b,
        "subs {r0}, {r0}, {t}",
        "sbcs {r1}, {r1}, xzr",
        "sbcs {r2}, {r2}, xzr",
        "sbcs {r3}, {r3}, xzr",
        "csel {t}, {c}, xzr, cc",
        "sub {r0}, {r0}, {t}",
    )
}

/// `b` if `other` is not 0, else `a`; in constant time.
#[inline(always)]
fn select(a: &Limbs, b: &Limbs, other: u64) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: touches only the registers declared, and no memory.
    unsafe {
        asm!(
            "cmp {other}, #0",
            "csel {a0}, {a0}, {b0}, eq",
            "csel {a1}, {a1}, {b1}, eq",
            "csel {a2}, {a2}, {b2}, eq",
            "csel {a3}, {a3}, {b3}, eq",
            other = in(reg) other,
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = in(reg) b[0],
            b1 = in(reg) b[1],
            b2 = in(reg) b[2],
            b3 = in(reg) b[3],
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// The second pair of values if `swap` is not 0, else the first; in constant time.
#[inline(always)]
fn choose([a, b]: [&Limbs; 2], [c, d]: [&Limbs; 2], swap: u64) -> [Limbs; 2] {
    let ([mut a0, mut a1, mut a2, mut a3], [mut b0, mut b1, mut b2, mut b3]) = (*a, *b);
    // SAFETY: touches only the registers declared, and no memory.
    unsafe {
        asm!(
            "cmp {swap}, #0",
            "csel {a0}, {a0}, {c0}, eq",
            "csel {a1}, {a1}, {c1}, eq",
            "csel {a2}, {a2}, {c2}, eq",
            "csel {a3}, {a3}, {c3}, eq",
            "csel {b0}, {b0}, {d0}, eq",
            "csel {b1}, {b1}, {d1}, eq",
            "csel {b2}, {b2}, {d2}, eq",
            "csel {b3}, {b3}, {d3}, eq",
            swap = in(reg) swap,
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = inout(reg) b0,
            b1 = inout(reg) b1,
            b2 = inout(reg) b2,
            b3 = inout(reg) b3,
            c0 = in(reg) c[0],
            c1 = in(reg) c[1],
            c2 = in(reg) c[2],
            c3 = in(reg) c[3],
            d0 = in(reg) d[0],
            d1 = in(reg) d[1],
            d2 = in(reg) d[2],
            d3 = in(reg) d[3],
            options(pure, nomem, nostack),
        );
    }
    [[a0, a1, a2, a3], [b0, b1, b2, b3]]
}

/// [`step`](super::formulas::step), with the points exchanged before it if `swap` is not 0.
#[inline(always)]
fn step(p: &mut Line<FieldArm>, q: &mut Line<FieldArm>, difference: &FieldArm, swap: u64) {
    let (a, b) = (p.u.add(&p.w), p.u.sub(&p.w));
    let (c, d) = (q.u.add(&q.w), q.u.sub(&q.w));
    // Exchanging the points exchanges (A, B) with (C, D), and so DA with CB: that changes the sign of DA - CB alone,
    // which is squared. What remains is to choose the point that is doubled.
    let doubled = choose([&a.0, &b.0], [&c.0, &d.0], swap).map(LooseArm);
    let (da, cb) = (FieldArm::mul(&d, &a), FieldArm::mul(&c, &b));
    let [aa, bb] = doubled.map(|sum| FieldArm::square(&sum));
    let e = aa.sub(&bb);
    q.w = FieldArm::mul(difference, &FieldArm::square(&da.sub(&cb)));
    q.u = FieldArm::square(&da.add(&cb));
    p.u = FieldArm::mul(&aa, &bb);
    p.w = FieldArm::mul(&e, &bb.add(&FieldArm::mul_121666(&e)));
}

/// [`choose_entry`](super::lanes::choose_entry) in vectors, which single elements leave idle.
struct ChooseEntry<'a, const N: usize, const C: usize> {
    window: &'a [[[u64; 4]; C]; N],
    number: u8,
    neutral: &'a [u64; C],
}

impl<const N: usize, const C: usize> Operation for ChooseEntry<'_, N, C> {
    type Output = [[u64; 4]; C];

    #[inline(always)]
    fn run<I: Isa>(self) -> [[u64; 4]; C] {
        let lanes = I::U64::LANES;
        let mut sums = [[I::U64::splat(0); 4]; C];
        for (entry, place) in self.window.iter().zip(1u64..) {
            let mask = I::U64::splat(Mask::eq(self.number.into(), place).keep(u64::MAX));
            for (sums, value) in sums.iter_mut().zip(entry) {
                for (sum, words) in sums.iter_mut().zip(value.chunks_exact(lanes)) {
                    *sum = mask.choose(I::U64::load(words), *sum);
                }
            }
        }
        let none = Mask::eq(self.number.into(), 0);
        let mut chosen = [[0; 4]; C];
        for ((value, sums), &neutral) in chosen.iter_mut().zip(sums).zip(self.neutral) {
            for (words, sum) in value.chunks_exact_mut(lanes).zip(sums) {
                sum.store(words);
            }
            value[0] |= none.keep(neutral);
        }
        chosen
    }
}

/// What is above bit 255 returns times 19: a carried value.
#[inline(always)]
fn carry(a: &Limbs) -> Limbs {
    let (r0, over) = a[0].overflowing_add(19 * (a[3] >> 63));
    let (r1, over) = a[1].overflowing_add(u64::from(over));
    let (r2, over) = a[2].overflowing_add(u64::from(over));
    [r0, r1, r2, (a[3] & (u64::MAX >> 1)) + u64::from(over)]
}

#[cfg(test)]
impl FieldArm {
    pub(super) const fn from_limbs(limbs: Limbs) -> Self {
        Self(limbs)
    }

    pub(super) const fn loose_from_limbs(limbs: Limbs) -> LooseArm {
        LooseArm(limbs)
    }
}

impl Arithmetic for FieldArm {
    type Limbs = Limbs;
    type Loose = LooseArm;
    type Mask = Mask;

    const ZERO: Self = Self([0; 4]);
    const ONE: Self = Self([1, 0, 0, 0]);
    const TWO: Self = Self([2, 0, 0, 0]);
    const D: Self = Self(super::packed::D);
    const D2: Self = Self(super::packed::D2);
    const SQRT_M1: Self = Self(super::packed::SQRT_M1);

    #[inline(always)]
    fn add(&self, rhs: &Self) -> LooseArm {
        LooseArm(add(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn sub(&self, rhs: &Self) -> LooseArm {
        LooseArm(sub(self.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> LooseArm {
        LooseArm(add_any(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> LooseArm {
        LooseArm(sub_any(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn carry(value: &impl Operand<Self>) -> Self {
        Self(carry(value.limbs()))
    }

    #[inline(always)]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(multiplied!(lhs.limbs(), rhs.limbs(), pure))
    }

    #[inline(always)]
    fn square(value: &impl Operand<Self>) -> Self {
        Self(squared!(value.limbs(), pure))
    }

    #[inline(always)]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        Self(square_times(value.limbs(), n))
    }

    #[inline(always)]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        Self(mul_121666(value.limbs()))
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, mask: Mask) -> Self {
        Self(select(&a.0, &b.0, mask.keep(1)))
    }

    #[inline(always)]
    fn conditional_swap(a: &mut Self, b: &mut Self, mask: Mask) {
        let [first, second] = choose([&a.0, &b.0], [&b.0, &a.0], mask.keep(1));
        (a.0, b.0) = (first, second);
    }

    of_one_element!();
}

impl Field for FieldArm {
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

    #[inline(always)]
    fn choose_entry<const N: usize, const C: usize>(
        window: &[[[u64; 4]; C]; N],
        number: u8,
        neutral: &[u64; C],
    ) -> [[u64; 4]; C] {
        lanner_simd::baseline(ChooseEntry {
            window,
            number,
            neutral,
        })
    }

    #[inline(always)]
    fn ladder(u: &Self, bits: impl Iterator<Item = Choice>) -> (Self, Self) {
        let line = |u: Self, w: Self| Line { u, w };
        let (mut p, mut q) = (line(Self::ONE, Self::ZERO), line(*u, Self::ONE));
        // Not by way of `Choice`, whose barrier costs a call: the assembly is one.
        let mut swapped = 0;
        for bit in bits {
            let bit = bit.unwrap_u8();
            step(&mut p, &mut q, u, u64::from(swapped ^ bit));
            swapped = bit;
        }
        let mask = Choice::from(swapped).into();
        (
            Self::select(&p.u, &q.u, mask),
            Self::select(&p.w, &q.w, mask),
        )
    }
}

impl Single for FieldArm {
    const CONSTANTS: Constants<Limbs, 1> = Constants {
        zero: [Self::ZERO.0],
        one: [Self::ONE.0],
        two: [Self::TWO.0],
        d: [Self::D.0],
        d2: [Self::D2.0],
        sqrt_m1: [Self::SQRT_M1.0],
    };

    #[inline(always)]
    fn from_limbs(limbs: Limbs) -> Self {
        Self(limbs)
    }

    // What may have an effect keeps its place.
    #[inline(always)]
    fn mul_in_order(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        Self(multiplied!(lhs.limbs(), rhs.limbs()))
    }

    #[inline(always)]
    fn square_in_order(value: &impl Operand<Self>) -> Self {
        Self(squared!(value.limbs()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::radix51::Field51;
    use super::{Field, FieldArm, Packed};
    use crate::field::formulas;
    use subtle::Choice;

    /// Ladders of random bits from coordinates at the edges and random ones; the final exchange included.
    #[test]
    fn ladders_agree_with_the_formulas() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut word = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..200 {
            let u = match round % 8 {
                0 => [round, 0, 0, 0],
                1 => [u64::MAX - round, u64::MAX, u64::MAX, u64::MAX >> 1],
                2 => [u64::MAX - round, u64::MAX, u64::MAX, u64::MAX],
                3 => [0, 0, 0, 1 << (round % 64)],
                _ => [word(), word(), word(), word()],
            };
            let u = Packed(u);
            let bits = [word(), word(), word(), word()];
            let bits = || (0..255).map(move |i| Choice::from((bits[i / 64] >> (i % 64) & 1) as u8));
            let (a, b) = FieldArm::ladder(&FieldArm::from_packed(&u), bits());
            let (c, d) = formulas::ladder(&Field51::from_packed(&u), bits());
            for (ours, expected) in [(a, c), (b, d)] {
                let (ours, expected) = (ours.to_packed(), expected.to_packed());
                assert_eq!(ours.freeze().0, expected.freeze().0, "{u:x?}");
            }
        }
    }
}

#[cfg(test)]
mod long {
    use super::super::tests::long::{LONG, carried, step as expected_step};
    use super::super::tests::{class, p, value};
    use super::{
        FieldArm, Limbs, Line, LooseArm, Packed, Single, choose, select, square_times, step,
    };
    use crate::adversary::Adversary;

    fn any(source: &mut Adversary) -> Limbs {
        source.begin();
        core::array::from_fn(|_| source.limb(u64::MAX))
    }

    /// The step of a ladder on any points, which may be the same or none.
    fn steps(count: u32, source: &mut Adversary) {
        for _ in 0..count {
            let [pu, pw, qu, qw, u] = [(); 5].map(|()| carried::<FieldArm>(source));
            let mut expected = [Line { u: pu.1, w: pw.1 }, Line { u: qu.1, w: qw.1 }];
            let mut p = Line { u: pu.0, w: pw.0 };
            let mut q = Line { u: qu.0, w: qw.0 };
            let swap = source.below(2);
            if swap == 1 {
                expected.reverse();
            }
            expected_step(&mut expected, &u.1);
            step(&mut p, &mut q, &u.0, swap);
            for (line, expected) in [p, q].iter().zip(&expected) {
                for (coordinate, expected) in [(line.u, &expected.u), (line.w, &expected.w)] {
                    assert_eq!(
                        class(&coordinate),
                        *expected,
                        "{:x?}",
                        [pu.0, pw.0, qu.0, qw.0, u.0]
                    );
                }
            }
        }
    }

    /// What copies words, and products that keep their place among others.
    fn words(count: u32, source: &mut Adversary) {
        for _ in 0..count {
            let [a, b, c, d] = [(); 4].map(|()| any(source));
            let other = match source.below(4) {
                0 => 0,
                1 => 1,
                2 => 1 << 63,
                _ => source.word(),
            };
            assert_eq!(select(&a, &b, other), if other == 0 { a } else { b });
            let pairs = [[a, b], [c, d]];
            let chosen = choose([&a, &b], [&c, &d], other);
            assert_eq!(chosen, pairs[usize::from(other != 0)]);
            let class_of = |limbs: Limbs| value(Packed(limbs));
            let product = FieldArm::mul_in_order(&LooseArm(a), &LooseArm(b));
            assert_eq!(
                class(&product),
                class_of(a) * class_of(b) % p(),
                "{a:x?} {b:x?}"
            );
            let square = FieldArm::square_in_order(&LooseArm(c));
            assert_eq!(class(&square), class_of(c) * class_of(c) % p(), "{c:x?}");
            // Chains are as many squares.
            let twice = square_times(&square_times(&d, 1), 1);
            assert_eq!(square_times(&d, 2), twice, "{d:x?}");
        }
    }

    #[test]
    fn steps_and_words() {
        steps(1_000, &mut Adversary::new(5));
        words(1_000, &mut Adversary::new(6));
    }

    #[test]
    #[ignore = "long: a million inputs"]
    fn steps_long() {
        steps(LONG, &mut Adversary::new(7));
    }

    #[test]
    #[ignore = "long: a million inputs"]
    fn words_long() {
        words(LONG, &mut Adversary::new(8));
    }
}
