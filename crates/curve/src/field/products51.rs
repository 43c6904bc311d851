//! Products of five limbs of 51 bits in assembly, of instructions that every x86-64 processor has.
//!
//! A multiplication there gives its product in `rdx:rax`, and adding it to a column right away takes two instructions.
//! Compilers compute the products of a column first and add them then, so that each is moved to other registers, and
//! some to the stack: 222 instructions where there are 134 here, and 140 for a square where there are 87.
//!
//! The limbs that come out are those of the twins in `radix51`, bit for bit, and so are the bounds.
//!
//! A column is summed in two registers, the carry of the one before first. At its end
//!
//! ```text
//! shld hi, lo, 13     hi = column >> 51, which begins the next column, as its lower word
//! and  lo, mask       lo = the limb
//! ```
//!
//! and the registers of the next column are `hi`, and one whose value is no longer needed.
#![allow(unsafe_code)]

use super::radix51::Limbs;
use core::arch::asm;
use core::mem::MaybeUninit;

const MASK: u64 = (1 << 51) - 1;

/// The first product of the lowest column.
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

/// The first product of a column whose lower word has the carry.
macro_rules! first {
    ($lo:literal, $hi:literal; $load:literal, $by:literal) => {
        concat!(
            $load,
            "\n mul ",
            $by,
            "\n add ",
            $lo,
            ", rax\n adc rdx, 0\n mov ",
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

/// The product of factors whose limbs are below 2^54: carried.
#[inline(always)]
pub(super) fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    let mut product = MaybeUninit::<Limbs>::uninit();
    // SAFETY: reads the limbs of `a` and `b`, writes all five of `product`, and touches no other memory; the
    // registers are declared. Every x86-64 processor has the instructions.
    unsafe {
        asm!(
            "imul {r1}, [{b} + 8], 19",
            "imul {r2}, [{b} + 16], 19",
            "imul {r3}, [{b} + 24], 19",
            "imul {r4}, [{b} + 32], 19",
            begin!("{s}", "{t}"; "mov rax, [{a}]", "qword ptr [{b}]"),
            next!("{s}", "{t}"; "mov rax, [{a} + 8]", "{r4}"),
            next!("{s}", "{t}"; "mov rax, [{a} + 16]", "{r3}"),
            next!("{s}", "{t}"; "mov rax, [{a} + 24]", "{r2}"),
            next!("{s}", "{t}"; "mov rax, [{a} + 32]", "{r1}"),
            split!("{s}", "{t}"),
            "mov [{product}], {s}",
            first!("{t}", "{s}"; "mov rax, [{a} + 16]", "{r4}"),
            next!("{t}", "{s}"; "mov rax, [{a} + 24]", "{r3}"),
            next!("{t}", "{s}"; "mov rax, [{a} + 32]", "{r2}"),
            next!("{t}", "{s}"; "mov rax, [{a}]", "qword ptr [{b} + 8]"),
            next!("{t}", "{s}"; "mov rax, [{a} + 8]", "qword ptr [{b}]"),
            split!("{t}", "{s}"),
            // r1 and r2 are no longer needed; r1 keeps limb 1.
            "mov {r1}, {t}",
            first!("{s}", "{t}"; "mov rax, [{a} + 24]", "{r4}"),
            next!("{s}", "{t}"; "mov rax, [{a} + 32]", "{r3}"),
            next!("{s}", "{t}"; "mov rax, [{a}]", "qword ptr [{b} + 16]"),
            next!("{s}", "{t}"; "mov rax, [{a} + 8]", "qword ptr [{b} + 8]"),
            next!("{s}", "{t}"; "mov rax, [{a} + 16]", "qword ptr [{b}]"),
            split!("{s}", "{t}"),
            "mov [{product} + 16], {s}",
            first!("{t}", "{s}"; "mov rax, [{a} + 32]", "{r4}"),
            next!("{t}", "{s}"; "mov rax, [{a}]", "qword ptr [{b} + 24]"),
            next!("{t}", "{s}"; "mov rax, [{a} + 8]", "qword ptr [{b} + 16]"),
            next!("{t}", "{s}"; "mov rax, [{a} + 16]", "qword ptr [{b} + 8]"),
            next!("{t}", "{s}"; "mov rax, [{a} + 24]", "qword ptr [{b}]"),
            split!("{t}", "{s}"),
            "mov [{product} + 24], {t}",
            first!("{s}", "{t}"; "mov rax, [{a}]", "qword ptr [{b} + 32]"),
            next!("{s}", "{t}"; "mov rax, [{a} + 8]", "qword ptr [{b} + 24]"),
            next!("{s}", "{t}"; "mov rax, [{a} + 16]", "qword ptr [{b} + 16]"),
            next!("{s}", "{t}"; "mov rax, [{a} + 24]", "qword ptr [{b} + 8]"),
            next!("{s}", "{t}"; "mov rax, [{a} + 32]", "qword ptr [{b}]"),
            split!("{s}", "{t}"),
            "mov [{product} + 32], {s}",
            // The carry of the top returns times 19.
            "imul {t}, {t}, 19",
            "add {t}, [{product}]",
            "and {mask}, {t}",
            "shr {t}, 51",
            "add {t}, {r1}",
            "mov [{product}], {mask}",
            "mov [{product} + 8], {t}",
            a = in(reg) a.as_ptr(),
            b = in(reg) b.as_ptr(),
            product = in(reg) product.as_mut_ptr().cast::<u64>(),
            mask = inout(reg) MASK => _,
            r1 = out(reg) _,
            r2 = out(reg) _,
            r3 = out(reg) _,
            r4 = out(reg) _,
            s = out(reg) _,
            t = out(reg) _,
            out("rax") _,
            out("rdx") _,
            options(nostack),
        );
        product.assume_init()
    }
}

/// The limbs of a square in the place of those of a factor, `a0` to `a4`.
macro_rules! square {
    () => {
        concat!(
            "imul {r3}, {a3}, 19\n",
            "imul {r4}, {a4}, 19\n",
            begin!("{s}", "{t}"; "mov rax, {a0}", "rax"),
            next!("{s}", "{t}"; "lea rax, [{a1} + {a1}]", "{r4}"),
            next!("{s}", "{t}"; "lea rax, [{a2} + {a2}]", "{r3}"),
            split!("{s}", "{t}"),
            first!("{t}", "{u}"; "mov rax, {a3}", "{r3}"),
            next!("{t}", "{u}"; "lea rax, [{a0} + {a0}]", "{a1}"),
            next!("{t}", "{u}"; "lea rax, [{a2} + {a2}]", "{r4}"),
            split!("{t}", "{u}"),
            first!("{u}", "{r3}"; "lea rax, [{a3} + {a3}]", "{r4}"),
            next!("{u}", "{r3}"; "lea rax, [{a0} + {a0}]", "{a2}"),
            next!("{u}", "{r3}"; "mov rax, {a1}", "rax"),
            split!("{u}", "{r3}"),
            first!("{r3}", "{r4}"; "mov rax, {a4}", "{r4}"),
            next!("{r3}", "{r4}"; "lea rax, [{a0} + {a0}]", "{a3}"),
            next!("{r3}", "{r4}"; "lea rax, [{a1} + {a1}]", "{a2}"),
            split!("{r3}", "{r4}"),
            first!("{r4}", "{a4}"; "lea rax, [{a0} + {a0}]", "{a4}"),
            next!("{r4}", "{a4}"; "lea rax, [{a1} + {a1}]", "{a3}"),
            next!("{r4}", "{a4}"; "mov rax, {a2}", "rax"),
            split!("{r4}", "{a4}"),
            // The limbs are in s, t, u, r3 and r4; the carry of the top returns times 19.
            "imul {a4}, {a4}, 19\n",
            "add {s}, {a4}\n",
            "mov {a0}, {s}\n",
            "and {a0}, {mask}\n",
            "shr {s}, 51\n",
            "lea {a1}, [{t} + {s}]\n",
            "mov {a2}, {u}\n",
            "mov {a3}, {r3}\n",
            "mov {a4}, {r4}\n",
        )
    };
}

/// A factor to the power 2^n, n > 0: carried. All the way in registers.
#[inline(always)]
pub(super) fn square_times(a: &Limbs, n: u32) -> Limbs {
    debug_assert!(n > 0);
    let [mut a0, mut a1, mut a2, mut a3, mut a4] = *a;
    // SAFETY: touches the registers that are declared, and eight bytes of the stack that it takes and gives
    // back. The loop ends, because n is not 0. Every x86-64 processor has the instructions.
    unsafe {
        asm!(
            "push rax",
            "2:",
            square!(),
            "dec qword ptr [rsp]",
            "jnz 2b",
            "pop rax",
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            a4 = inout(reg) a4,
            mask = in(reg) MASK,
            r3 = out(reg) _,
            r4 = out(reg) _,
            s = out(reg) _,
            t = out(reg) _,
            u = out(reg) _,
            inout("rax") u64::from(n) => _,
            out("rdx") _,
        );
    }
    [a0, a1, a2, a3, a4]
}

/// The square of a factor: carried.
#[inline(always)]
pub(super) fn square(a: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3, mut a4] = *a;
    // SAFETY: touches the registers that are declared, and no memory. Every x86-64 processor has the instructions.
    unsafe {
        asm!(
            square!(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            a4 = inout(reg) a4,
            mask = in(reg) MASK,
            r3 = out(reg) _,
            r4 = out(reg) _,
            s = out(reg) _,
            t = out(reg) _,
            u = out(reg) _,
            out("rax") _,
            out("rdx") _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3, a4]
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
