//! Products of five limbs of 51 bits in assembly, of instructions that every x86-64 processor has.
//!
//! A multiplication there gives its product in `rdx:rax`, and adding it to a column right away takes two instructions.
//! Compilers compute the products of a column first and add them then, so that each is moved to other registers, and
//! some to the stack: 222 instructions where there are about 140 here, and 140 for a square where there are 96.
//!
//! The limbs that come out are those of the twins in `radix51`, bit for bit, and so are the bounds.
//!
//! A column is summed in two registers, and the carry of the one before is added last, so that processors sum columns
//! side by side; a product that waits for the lowest limbs, which an operation before has made last, comes late as well.
//! Then
//!
//! ```text
//! shld hi, lo, 13     hi = column >> 51, the carry
//! and  lo, mask       lo = the limb
//! ```
//!
//! and the limb stays where it is until the end: each column's registers are such as hold nothing that is needed any more.
//! Products leave in registers, because words that are stored one by one and loaded by two make a processor wait.
#![allow(unsafe_code)]

use core::arch::asm;

type Limbs = [u64; 5];

const MASK: u64 = (1 << 51) - 1;

/// The first product of a column.
macro_rules! begin {
    ($lo:literal, $hi:literal; $load:literal, $by:literal) => {
        concat!(
            $load,
            "\n mul ",
            $by,
            "\n mov ",
            $lo,
            ", rax\n mov ",
            $hi,
            ", rdx\n"
        )
    };
}

/// Another product.
macro_rules! next {
    ($lo:literal, $hi:literal; $load:literal, $by:literal) => {
        concat!(
            $load,
            "\n mul ",
            $by,
            "\n add ",
            $lo,
            ", rax\n adc ",
            $hi,
            ", rdx\n"
        )
    };
}

/// The limb to `lo`, the carry to `hi`.
macro_rules! split {
    ($lo:literal, $hi:literal) => {
        concat!("shld ", $hi, ", ", $lo, ", 13\n and ", $lo, ", {mask}\n")
    };
}

/// The same with the mask in rax, where it stays: all other registers are in use.
macro_rules! split_by_rax {
    ($lo:literal, $hi:literal) => {
        concat!(
            "shld ",
            $hi,
            ", ",
            $lo,
            ", 13\n movabs rax, {mask}\n and ",
            $lo,
            ", rax\n"
        )
    };
}

/// Adds the carry of the column before, last: columns are summed side by side.
macro_rules! carry {
    ($c:literal, $lo:literal, $hi:literal) => {
        concat!("add ", $lo, ", ", $c, "\n adc ", $hi, ", 0\n")
    };
}

/// The product of factors whose limbs are below 2^54: carried.
#[inline(always)]
pub(super) fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    let (l0, l1, l2, l3, l4): (u64, u64, u64, u64, u64);
    // SAFETY: reads the limbs of `a` and `b` and touches no other memory; the registers are declared. Every x86-64
    // processor has the instructions.
    unsafe {
        asm!(
            "imul {r4}, [{b} + 32], 19",
            "imul {r3}, [{b} + 24], 19",
            "imul {r2}, [{b} + 16], 19",
            "imul {r1}, [{b} + 8], 19",
            begin!("{s}", "{t}"; "mov rax, [{a} + 32]", "{r1}"),
            next!("{s}", "{t}"; "mov rax, [{a} + 24]", "{r2}"),
            next!("{s}", "{t}"; "mov rax, [{a} + 16]", "{r3}"),
            next!("{s}", "{t}"; "mov rax, [{a} + 8]", "{r4}"),
            next!("{s}", "{t}"; "mov rax, [{a}]", "qword ptr [{b}]"),
            split!("{s}", "{t}"),
            begin!("{r1}", "{u}"; "mov rax, [{a} + 32]", "{r2}"),
            next!("{r1}", "{u}"; "mov rax, [{a} + 24]", "{r3}"),
            next!("{r1}", "{u}"; "mov rax, [{a} + 16]", "{r4}"),
            next!("{r1}", "{u}"; "mov rax, [{a} + 8]", "qword ptr [{b}]"),
            next!("{r1}", "{u}"; "mov rax, [{a}]", "qword ptr [{b} + 8]"),
            carry!("{t}", "{r1}", "{u}"),
            split!("{r1}", "{u}"),
            begin!("{r2}", "{t}"; "mov rax, [{a} + 32]", "{r3}"),
            next!("{r2}", "{t}"; "mov rax, [{a} + 24]", "{r4}"),
            next!("{r2}", "{t}"; "mov rax, [{a} + 16]", "qword ptr [{b}]"),
            next!("{r2}", "{t}"; "mov rax, [{a} + 8]", "qword ptr [{b} + 8]"),
            next!("{r2}", "{t}"; "mov rax, [{a}]", "qword ptr [{b} + 16]"),
            carry!("{u}", "{r2}", "{t}"),
            split!("{r2}", "{t}"),
            begin!("{r3}", "{u}"; "mov rax, [{a} + 32]", "{r4}"),
            next!("{r3}", "{u}"; "mov rax, [{a} + 24]", "qword ptr [{b}]"),
            next!("{r3}", "{u}"; "mov rax, [{a} + 16]", "qword ptr [{b} + 8]"),
            next!("{r3}", "{u}"; "mov rax, [{a} + 8]", "qword ptr [{b} + 16]"),
            next!("{r3}", "{u}"; "mov rax, [{a}]", "qword ptr [{b} + 24]"),
            carry!("{t}", "{r3}", "{u}"),
            split!("{r3}", "{u}"),
            begin!("{r4}", "{t}"; "mov rax, [{a} + 32]", "qword ptr [{b}]"),
            next!("{r4}", "{t}"; "mov rax, [{a} + 24]", "qword ptr [{b} + 8]"),
            next!("{r4}", "{t}"; "mov rax, [{a} + 16]", "qword ptr [{b} + 16]"),
            next!("{r4}", "{t}"; "mov rax, [{a} + 8]", "qword ptr [{b} + 24]"),
            next!("{r4}", "{t}"; "mov rax, [{a}]", "qword ptr [{b} + 32]"),
            carry!("{u}", "{r4}", "{t}"),
            split!("{r4}", "{t}"),
            "imul {t}, {t}, 19",
            "add {s}, {t}",
            "mov {t}, {s}",
            "and {s}, {mask}",
            "shr {t}, 51",
            "add {r1}, {t}",
            a = in(reg) a.as_ptr(),
            b = in(reg) b.as_ptr(),
            mask = in(reg) MASK,
            s = out(reg) l0,
            r1 = out(reg) l1,
            r2 = out(reg) l2,
            r3 = out(reg) l3,
            r4 = out(reg) l4,
            t = out(reg) _,
            u = out(reg) _,
            out("rax") _,
            out("rdx") _,
            options(pure, readonly, nostack),
        );
    }
    [l0, l1, l2, l3, l4]
}
/// The limbs of a square from those of a factor, `a0` to `a4`: in `s`, `u`, `t`, `v` and `r3`, of which the carry of limb 0
/// into limb 1 is still to be done.
macro_rules! square {
    () => {
        concat!(
            "imul {r3}, {a3}, 19\n",
            "imul {r4}, {a4}, 19\n",
            begin!("{s}", "{t}"; "lea rax, [{a2} + {a2}]", "{r3}"),
            next!("{s}", "{t}"; "lea rax, [{a1} + {a1}]", "{r4}"),
            next!("{s}", "{t}"; "mov rax, {a0}", "rax"),
            split_by_rax!("{s}", "{t}"),
            begin!("{u}", "{v}"; "mov rax, {a3}", "{r3}"),
            next!("{u}", "{v}"; "lea rax, [{a2} + {a2}]", "{r4}"),
            next!("{u}", "{v}"; "lea rax, [{a0} + {a0}]", "{a1}"),
            carry!("{t}", "{u}", "{v}"),
            split_by_rax!("{u}", "{v}"),
            begin!("{t}", "{r3}"; "lea rax, [{a3} + {a3}]", "{r4}"),
            next!("{t}", "{r3}"; "mov rax, {a1}", "rax"),
            next!("{t}", "{r3}"; "lea rax, [{a0} + {a0}]", "{a2}"),
            carry!("{v}", "{t}", "{r3}"),
            split_by_rax!("{t}", "{r3}"),
            begin!("{v}", "{r4}"; "mov rax, {a4}", "{r4}"),
            next!("{v}", "{r4}"; "lea rax, [{a1} + {a1}]", "{a2}"),
            next!("{v}", "{r4}"; "lea rax, [{a0} + {a0}]", "{a3}"),
            carry!("{r3}", "{v}", "{r4}"),
            split_by_rax!("{v}", "{r4}"),
            begin!("{r3}", "{a4}"; "lea rax, [{a0} + {a0}]", "{a4}"),
            next!("{r3}", "{a4}"; "mov rax, {a2}", "rax"),
            next!("{r3}", "{a4}"; "lea rax, [{a1} + {a1}]", "{a3}"),
            carry!("{r4}", "{r3}", "{a4}"),
            split_by_rax!("{r3}", "{a4}"),
            "imul {a4}, {a4}, 19\n",
            "add {s}, {a4}\n",
        )
    };
}

/// A factor to the power 2^n, n > 0: carried. All the way in registers.
#[inline(always)]
pub(super) fn square_times(a: &Limbs, n: u32) -> Limbs {
    debug_assert!(n > 0);
    let [mut a0, mut a1, mut a2, mut a3, mut a4] = *a;
    // SAFETY: touches only the registers declared, and no memory. The loop ends, because n is not 0. Every x86-64
    // processor has the instructions.
    unsafe {
        asm!(
            "2:",
            square!(),
            "mov {a0}, {s}",
            "and {a0}, rax",
            "shr {s}, 51",
            "lea {a1}, [{u} + {s}]",
            "mov {a2}, {t}",
            "mov {a3}, {v}",
            "mov {a4}, {r3}",
            "dec {n}",
            "jnz 2b",
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            a4 = inout(reg) a4,
            mask = const MASK,
            r3 = out(reg) _,
            r4 = out(reg) _,
            s = out(reg) _,
            t = out(reg) _,
            u = out(reg) _,
            v = out(reg) _,
            n = inout(reg) u64::from(n) => _,
            out("rax") _,
            out("rdx") _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3, a4]
}

/// The square of a factor: carried.
#[inline(always)]
pub(super) fn square(a: &Limbs) -> Limbs {
    let (l0, l1, l2, l3, l4): (u64, u64, u64, u64, u64);
    // SAFETY: touches only the registers declared, and no memory. Every x86-64 processor has the instructions.
    unsafe {
        asm!(
            square!(),
            "mov {a4}, {s}",
            "and {s}, rax",
            "shr {a4}, 51",
            "add {u}, {a4}",
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            a4 = inout(reg) a[4] => _,
            mask = const MASK,
            s = out(reg) l0,
            u = out(reg) l1,
            t = out(reg) l2,
            v = out(reg) l3,
            r3 = out(reg) l4,
            r4 = out(reg) _,
            out("rax") _,
            out("rdx") _,
            options(pure, nomem, nostack),
        );
    }
    [l0, l1, l2, l3, l4]
}

#[cfg(test)]
mod tests {
    use super::super::radix51;
    use super::{Limbs, MASK};
    use proptest::prelude::*;

    /// Factors have limbs below 2^54.
    const FACTOR: u64 = (1 << 54) - 1;

    fn check(a: &Limbs, b: &Limbs) {
        assert_eq!(
            super::mul(a, b),
            radix51::mul(a, b).to_limbs(),
            "{a:x?} {b:x?}"
        );
        let mut power = *a;
        assert_eq!(super::square(a), radix51::square(a).to_limbs(), "{a:x?}");
        for n in 1..4 {
            power = radix51::square(&power).to_limbs();
            assert_eq!(super::square_times(a, n), power, "{a:x?} {n}");
        }
    }

    #[test]
    fn limbs_are_those_of_portable_code_at_the_edges() {
        let edges = [0, 1, 18, 19, MASK - 18, MASK, MASK + 1, FACTOR - 1, FACTOR];
        for others in edges {
            for i in 0..5 {
                for a in edges {
                    for j in 0..5 {
                        for b in edges {
                            let (mut x, mut y) = ([others; 5], [MASK; 5]);
                            (x[i], y[j]) = (a, b);
                            check(&x, &y);
                        }
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn limbs_are_those_of_portable_code(a: [u64; 5], b: [u64; 5]) {
            check(&a.map(|limb| limb & FACTOR), &b.map(|limb| limb & FACTOR));
        }
    }
}
