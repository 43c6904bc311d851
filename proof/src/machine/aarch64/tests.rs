//! Each instruction of AArch64 as it is modelled here, and as the processor does it.

use std::arch::naked_asm;

use super::Instruction;
use crate::machine::Run;
use crate::machine::tests::{Snippet, State, compare_all, compare_some};
use crate::word::Word;

/// x1 to x4, with the bits that were written.
pub(in crate::machine) fn general_registers(run: &Run) -> [(u64, Word); 4] {
    [1, 2, 3, 4].map(|number| run.processor.registers[number].clone())
}

/// Where a vector register lies.
pub(in crate::machine) fn vector(run: &Run, number: usize) -> u64 {
    run.vector(number)
}

/// The bits of carry, zero, sign and overflow.
pub(in crate::machine) fn split_flags() -> [u32; 4] {
    [29, 30, 31, 28]
}

/// Whether the instructions are done.
pub(in crate::machine) fn is_end(run: &Run) -> bool {
    run.code() == 0xd503_201f_u32.to_le_bytes()
}

macro_rules! snippets {
    ($($($line:literal)+;)+) => {
        &[$({
            #[unsafe(naked)]
            extern "C" fn snippet(state: &mut State) {
                naked_asm!(
                    "ldp x1, x2, [x0]",
                    "ldp x3, x4, [x0, #16]",
                    "ldr x9, [x0, #288]",
                    "ldr q0, [x0, #96]",
                    "ldr q1, [x0, #160]",
                    "ldr q2, [x0, #224]",
                    "cmp x9, #1",
                    $($line,)+
                    "nop",
                    "mrs x9, nzcv",
                    "stp x1, x2, [x0]",
                    "stp x3, x4, [x0, #16]",
                    "str x9, [x0, #288]",
                    "str q0, [x0, #96]",
                    "str q1, [x0, #160]",
                    "str q2, [x0, #224]",
                    "ret",
                );
            }
            let function: extern "C" fn(&mut State) = snippet;
            (concat!($($line, "; "),+), function)
        }),+]
    };
}

#[test]
fn fields() {
    let i = Instruction {
        code: 0xffff_fc1e,
        at: 0,
    };
    assert_eq!((i.d(), i.n(), i.m()), (30, 0, 31));
    assert_eq!((i.bits(31, 0), i.signed(11, 5)), (0xffff_fc1e, -32));
    assert!(i.is_set(1) && !i.is_set(0));
}

#[test]
fn moves() {
    compare_all(
        snippets! {
            "mov x1, x2";
            "mov w1, w2";
            "mov x1, xzr";
            "mov x1, #0x1234";
            "mov x1, #-2";
            "mov w1, #-2";
            "movz x1, #0xffff, lsl #48";
            "movn x1, #0x1234, lsl #16";
            "movn w1, #0x1234, lsl #16";
            "movk x1, #0x1234";
            "movk x1, #0x1234, lsl #48";
            "movk w1, #0x1234, lsl #16";
            "mov x1, #0x5555555555555555";
            "mov x1, #0xff00ff00ff00ff00";
            "mov w1, #0xc0000003";
            "mov x1, sp" "sub x1, x1, x1";
            "adr x1, 2f" "2: sub x1, x1, x1";
            "adrp x1, 2f" "2: sub x1, x1, x1";
            "adr x1, 2f" "adr x2, 2f" "2: sub x1, x1, x2" "mov x2, #0";
            "mvn x1, x2";
            "mvn w1, w2, lsl #3";
        },
        2,
    );
}

#[test]
fn loads_and_stores() {
    compare_all(
        snippets! {
            "ldr x1, [x0, #40]";
            "ldr w1, [x0, #44]";
            "ldur x1, [x0, #43]";
            "ldur w1, [x0, #43]";
            "ldrb w1, [x0, #45]";
            "ldrh w1, [x0, #46]";
            "ldrsb x1, [x0, #45]";
            "ldrsb w1, [x0, #45]";
            "ldrsh x1, [x0, #46]";
            "ldrsh w1, [x0, #46]";
            "ldrsw x1, [x0, #44]";
            "str x1, [x0, #40]";
            "str w1, [x0, #44]";
            "stur x1, [x0, #43]";
            "strb w1, [x0, #45]";
            "strh w1, [x0, #46]";
            "ldp x1, x2, [x0, #40]";
            "ldp w1, w2, [x0, #44]";
            "ldpsw x1, x2, [x0, #44]";
            "stp x1, x2, [x0, #48]";
            "stp w1, w2, [x0, #44]";
            "stp x1, xzr, [x0, #48]";
            "add x9, x0, #40" "ldr x1, [x9], #8" "ldr x2, [x9]";
            "add x9, x0, #40" "ldr x1, [x9, #8]!" "ldr x2, [x9]";
            "add x9, x0, #40" "str x1, [x9], #-8" "str x2, [x9]";
            "add x9, x0, #40" "ldp x1, x2, [x9], #16" "ldr x3, [x9]";
            "add x9, x0, #72" "stp x1, x2, [x9, #-16]!" "ldr x3, [x9]";
            "stp x1, x2, [sp, #-32]!" "str x3, [sp, #16]" "ldp x3, x1, [sp, #8]" "add sp, sp, #32" "mov x2, #0"
                "mov x1, #0";
            "mov x9, #5" "ldr x1, [x0, x9, lsl #3]";
            "mov x9, #44" "ldr w1, [x0, x9]";
            "mov w9, #-1" "add x10, x0, #44" "ldr w1, [x10, w9, sxtw #2]";
            "mov w9, #11" "str w1, [x0, w9, uxtw #2]";
            "ldr x1, 2f" "b 3f" "2: .quad 0x8123456789abcdef" "3:";
            "ldrsw x1, 2f" "b 3f" "2: .quad 0x8123456789abcdef" "3:";
            "ldr q0, 2f" "b 3f" "2: .quad 0x8123456789abcdef, 7" "3:";
            "ldr q0, [x0, #48]";
            "ldur q0, [x0, #43]";
            "ldr d0, [x0, #48]";
            "ldr s0, [x0, #44]";
            "str q0, [x0, #48]";
            "stur q0, [x0, #43]";
            "str d0, [x0, #48]";
            "str s0, [x0, #44]";
            "ldp q0, q1, [x0, #48]";
            "ldp d0, d1, [x0, #48]";
            "stp q0, q1, [x0, #48]";
            "stp d0, d1, [x0, #48]";
        },
        2,
    );
}

#[test]
fn sums() {
    compare_all(
        snippets! {
            "add x1, x2, x3";
            "add w1, w2, w3";
            "add x1, x2, x3, lsl #5";
            "add w1, w2, w3, lsr #26";
            "add x1, x2, x3, asr #63";
            "add x1, x2, #5";
            "add x1, x2, #5, lsl #12";
            "add x1, x2, w3, uxtw";
            "add x1, x2, w3, sxtw #2";
            "add x1, x2, w3, uxtb #1";
            "add w1, w2, w3, sxth";
            "add x1, x2, x3, sxtx #3";
            "sub x1, x2, x3";
            "sub w1, w2, w3";
            "sub x1, x2, x3, lsr #3";
            "sub x1, x2, #5";
            "sub x1, x2, x2";
            "neg x1, x2";
            "neg w1, w2, lsl #2";
            "adds x1, x2, x3";
            "adds w1, w2, w3";
            "adds x1, x2, #0xfff";
            "subs x1, x2, x3";
            "subs w1, w2, w3";
            "subs x1, x2, w3, uxtb";
            "subs x1, x2, x2";
            "cmp x1, x2";
            "cmp x1, #0";
            "cmp w1, #7";
            "cmn x1, x2";
            "negs x1, x2";
            "adc x1, x2, x3";
            "adc w1, w2, w3";
            "adcs x1, x2, x3";
            "adcs w1, w2, w3";
            "adcs x1, x2, xzr";
            "sbc x1, x2, x3";
            "sbcs x1, x2, x3";
            "sbcs w1, w2, w3";
            "sbcs x1, x2, xzr";
            "ngc x1, x2";
            "adds x1, x2, x3" "adc x3, x4, xzr";
            "adds w1, w2, w3" "adc w3, w4, wzr";
            "adds x1, x1, x2" "adcs x2, x3, x4" "adc x3, x3, xzr";
            "subs x1, x1, x2" "sbcs x2, x3, x4" "sbc x3, x3, xzr";
            "subs x1, x1, x2" "csel x3, x4, xzr, cc" "sub x1, x1, x3";
            "adds x1, x1, x2" "mrs x9, nzcv" "adds x2, x2, x3" "msr nzcv, x9" "adcs x3, x3, x4";
            "adds x1, x1, x2" "adc x3, x3, xzr" "add x3, x3, #1" "adcs xzr, x3, x4";
        },
        2,
    );
}

#[test]
fn bits() {
    compare_all(
        snippets! {
            "and x1, x2, #0x7ffffffffffff";
            "and w1, w2, #0x3ffffff";
            "and x1, x2, #0xff0";
            "and x1, x2, x3";
            "and w1, w2, w3";
            "and x1, x2, x3, asr #63";
            "mov w4, #19" "and x1, x4, x3, asr #63";
            "ands x1, x2, #0xfffffffffffffff";
            "ands w1, w2, #1";
            "tst x1, x1";
            "bic x1, x2, x3";
            "bics x1, x2, x2";
            "orr x1, x2, x3";
            "orr x1, x2, x2";
            "orn x1, x2, x2";
            "lsl x2, x2, #32" "mov w3, w3" "orr x1, x2, x3";
            "mov w3, w3" "orr x1, x3, x2, lsl #32";
            "lsl x2, x2, #4" "orr x1, x2, #1";
            "eor x1, x2, x3";
            "eor x1, x2, x2";
            "eon x1, x2, x2";
            "eor x1, x2, #1";
            "mov w3, w3" "eor x1, x3, x2, lsl #32";
            "csetm x1, cs" "and x1, x1, x2";
            "sbfx x1, x2, #0, #1" "and x1, x1, x3" "and x2, x2, #0xf0";
        },
        2,
    );
}

#[test]
fn shifts() {
    compare_all(
        snippets! {
            "lsl x1, x2, #5";
            "lsl w1, w2, #5";
            "lsr x1, x2, #51";
            "lsr w1, w2, #26";
            "asr x1, x2, #25";
            "asr w1, w2, #31";
            "ror x1, x2, #13";
            "ror w1, w2, #13";
            "extr x1, x2, x3, #51";
            "extr w1, w2, w3, #5";
            "extr x1, x2, x3, #0";
            "mov x9, #13" "lsl x1, x2, x9";
            "mov x9, #77" "lsl x1, x2, x9";
            "mov x9, #45" "lsr w1, w2, w9";
            "mov x9, #61" "asr x1, x2, x9";
            "mov x9, #61" "ror x1, x2, x9";
            "ubfx x1, x2, #5, #20";
            "ubfx w1, w2, #5, #20";
            "ubfiz x1, x2, #5, #20";
            "ubfiz w1, w2, #5, #20";
            "sbfx x1, x2, #5, #20";
            "sbfx w1, w2, #5, #20";
            "sbfiz x1, x2, #5, #20";
            "bfi x1, x2, #5, #20";
            "bfi w1, w2, #5, #20";
            "bfxil x1, x2, #5, #20";
            "bfxil x1, x2, #0, #63";
            "sxtw x1, w2";
            "sxtb w1, w2";
            "uxtb w1, w2";
            "uxth w1, w2";
        },
        2,
    );
}

#[test]
fn products() {
    compare_all(
        snippets! {
            "mul x1, x2, x3";
            "mul w1, w2, w3";
            "madd x1, x2, x3, x4";
            "madd w1, w2, w3, w4";
            "msub x1, x2, x3, x4";
            "mneg x1, x2, x3";
            "umulh x1, x2, x3";
            "umull x1, w2, w3";
            "umaddl x1, w2, w3, x4";
            "umsubl x1, w2, w3, x4";
            "smull x1, w2, w3";
            "smaddl x1, w2, w3, x4";
            "mul x1, x2, x3" "umulh x2, x2, x3" "adds x1, x1, x4" "adc x2, x2, xzr";
        },
        2,
    );
}

#[test]
fn conditions() {
    macro_rules! after_each {
        ($($condition:literal)+) => {
            [
                snippets! { $("cmp x1, x2" $condition;)+ },
                snippets! { $("cmp w1, w2" $condition;)+ },
                snippets! { $("adds x1, x1, x2" $condition;)+ },
                snippets! { $("ands x1, x1, #0xff" $condition;)+ },
                snippets! { $("tst w1, w1" $condition;)+ },
                snippets! { $("adcs x1, x1, x2" $condition;)+ },
                snippets! { $("sbcs x1, x1, x2" $condition;)+ },
            ]
        };
    }
    let snippets: [&[Snippet]; 7] = after_each! {
        "cset x3, eq" "cset x3, ne" "cset x3, cs" "cset x3, cc" "cset x3, mi" "cset x3, pl" "cset x3, vs" "cset x3, vc"
        "cset x3, hi" "cset x3, ls" "cset x3, ge" "cset x3, lt" "cset x3, gt" "cset x3, le"
        "csel x3, x4, x2, eq" "csel x3, x4, x2, cs" "csel w3, w4, w2, cc" "csel x3, x4, xzr, ne"
        "csinc x3, x4, x2, cs" "csinc w3, w4, wzr, cs" "csinv x3, x4, x2, cc" "csneg x3, x4, x2, cs"
        "cinc x3, x4, cs" "cinc w3, w4, cc" "cinv x3, x4, cs" "cneg x3, x4, cs" "csetm x3, cc" "csetm w3, cs"
        "b.eq 2f; mov x3, #5; 2:" "b.ne 2f; mov x3, #5; 2:" "b.cs 2f; mov x3, #5; 2:" "b.cc 2f; mov x3, #5; 2:"
        "b.mi 2f; mov x3, #5; 2:" "b.pl 2f; mov x3, #5; 2:" "b.vs 2f; mov x3, #5; 2:" "b.vc 2f; mov x3, #5; 2:"
        "b.hi 2f; mov x3, #5; 2:" "b.ls 2f; mov x3, #5; 2:" "b.ge 2f; mov x3, #5; 2:" "b.lt 2f; mov x3, #5; 2:"
        "b.gt 2f; mov x3, #5; 2:" "b.le 2f; mov x3, #5; 2:"
    };
    for snippets in snippets {
        compare_some(snippets, 2);
    }
    // Either of two carries of a sum is a sum.
    compare_all(
        snippets! {
            "subs x1, x1, x2" "cset w3, cc" "subs x1, x1, x4" "csinc w3, w3, wzr, cs";
            "subs x1, x1, x2" "cset w3, cc" "subs x1, x1, #1" "csinc w3, w3, wzr, cs";
            "ands x1, x1, #1" "csel x2, xzr, x3, ne";
        },
        2,
    );
}

#[test]
fn branches() {
    compare_some(
        snippets! {
            "b 2f" "mov x1, #5" "2:";
            "mov x9, x30" "bl 2f" "b 3f" "2: add x1, x1, #1" "ret" "3: mov x30, x9";
            "adr x9, 2f" "br x9" "mov x1, #5" "2:";
            "mov x10, x30" "adr x9, 2f" "blr x9" "b 3f" "2: add x1, x1, #1" "ret" "3: mov x30, x10";
            "cbz x1, 2f" "mov x2, #5" "2:";
            "cbnz w1, 2f" "mov x2, #5" "2:";
            "tbz x1, #33, 2f" "mov x2, #5" "2:";
            "tbnz w1, #0, 2f" "mov x2, #5" "2:";
            "mov w1, #3" "mov x2, #0" "2: add x2, x2, x3" "subs w1, w1, #1" "b.ne 2b";
            "bti c" "add x1, x1, #1";
        },
        2,
    );
}

#[test]
fn vectors() {
    compare_all(
        snippets! {
            "add v0.2d, v1.2d, v2.2d";
            "add v0.4s, v1.4s, v2.4s";
            "add v0.2s, v1.2s, v2.2s";
            "add d0, d1, d2";
            "sub v0.2d, v1.2d, v2.2d";
            "sub v0.4s, v1.4s, v2.4s";
            "sub v0.2s, v1.2s, v2.2s";
            "sub d0, d1, d2";
            "mul v0.4s, v1.4s, v2.4s";
            "mla v0.4s, v1.4s, v2.4s";
            "mls v0.2s, v1.2s, v2.2s";
            "and v0.16b, v1.16b, v2.16b";
            "mov x9, #0x7ffffffffffff" "dup v2.2d, x9" "and v0.16b, v1.16b, v2.16b";
            "movi v2.4s, #0xff" "and v0.16b, v1.16b, v2.16b";
            "movi v2.4s, #0xff" "bic v0.16b, v1.16b, v2.16b";
            "shl v1.2d, v1.2d, #32" "ushr v2.2d, v2.2d, #32" "orr v0.16b, v1.16b, v2.16b";
            "shl v1.2d, v1.2d, #32" "ushr v2.2d, v2.2d, #32" "eor v0.16b, v1.16b, v2.16b";
            "mov v0.16b, v1.16b";
            "mov v0.8b, v1.8b";
            "eor v0.16b, v1.16b, v1.16b";
            "umull v0.2d, v1.2s, v2.2s";
            "umull2 v0.2d, v1.4s, v2.4s";
            "umlal v0.2d, v1.2s, v2.2s";
            "umlal2 v0.2d, v1.4s, v2.4s";
            "umlsl v0.2d, v1.2s, v2.2s";
            "smull v0.2d, v1.2s, v2.2s";
            "smlal2 v0.2d, v1.4s, v2.4s";
            "umull v0.2d, v1.2s, v2.s[3]";
            "umull2 v0.2d, v1.4s, v2.s[1]";
            "umlal v0.2d, v1.2s, v2.s[2]";
            "smlsl v0.2d, v1.2s, v2.s[0]";
            "mul v0.4s, v1.4s, v2.s[1]";
            "mla v0.2s, v1.2s, v2.s[3]";
            "uaddl v0.2d, v1.2s, v2.2s";
            "uaddw v0.2d, v1.2d, v2.2s";
            "uaddw2 v0.2d, v1.2d, v2.4s";
            "saddl v0.2d, v1.2s, v2.2s";
            "usubl v0.2d, v1.2s, v2.2s";
            "usubw v0.2d, v1.2d, v2.2s";
            "xtn v0.2s, v1.2d";
            "xtn2 v0.4s, v1.2d";
            "rev64 v0.4s, v1.4s";
            "shrn v0.2s, v1.2d, #26";
            "shrn2 v0.4s, v1.2d, #26";
            "ushll v0.2d, v1.2s, #3";
            "ushll2 v0.2d, v1.4s, #0";
            "sshll v0.2d, v1.2s, #5";
            "ushr v0.2d, v1.2d, #51";
            "ushr v0.4s, v1.4s, #26";
            "ushr v0.2d, v1.2d, #64";
            "ushr d0, d1, #51";
            "sshr v0.2d, v1.2d, #51";
            "sshr v0.2s, v1.2s, #31";
            "shl v0.2d, v1.2d, #13";
            "shl v0.4s, v1.4s, #31";
            "shl d0, d1, #3";
            "usra v0.2d, v1.2d, #51";
            "ssra v0.4s, v1.4s, #5";
            "usra d0, d1, #51";
            "sli v0.2d, v1.2d, #13";
            "sri v0.2d, v1.2d, #13";
            "dup v0.2d, x1";
            "dup v0.4s, w1";
            "dup v0.2s, w1";
            "dup v0.4s, v1.s[2]";
            "dup v0.2d, v1.d[1]";
            "mov d0, v1.d[1]";
            "mov s0, v1.s[3]";
            "mov v0.d[1], x1";
            "mov v0.s[2], w1";
            "mov v0.d[1], v1.d[0]";
            "mov v0.s[3], v1.s[1]";
            "mov x1, v1.d[1]";
            "mov w1, v1.s[3]";
            "umov w1, v1.h[3]";
            "smov x1, v1.s[1]";
            "fmov x1, d1";
            "fmov w1, s1";
            "fmov d0, x1";
            "fmov s0, w1";
            "fmov d0, d1";
            "movi v0.2d, #0";
            "movi v0.2d, #0xff00ff00ff00ff00";
            "movi d0, #0xffffffff";
            "movi v0.4s, #0x13";
            "movi v0.4s, #0x3, lsl #24";
            "mvni v0.4s, #0xfc, lsl #24";
            "mvni v0.2s, #0x13, lsl #8";
            "movi v0.16b, #0x5";
            "zip1 v0.2d, v1.2d, v2.2d";
            "zip2 v0.4s, v1.4s, v2.4s";
            "zip1 v0.2s, v1.2s, v2.2s";
            "uzp1 v0.4s, v1.4s, v2.4s";
            "uzp2 v0.4s, v1.4s, v2.4s";
            "trn1 v0.4s, v1.4s, v2.4s";
            "trn2 v0.4s, v1.4s, v2.4s";
            "trn1 v0.2d, v1.2d, v2.2d";
            "ext v0.16b, v1.16b, v2.16b, #8";
            "ext v0.16b, v1.16b, v2.16b, #4";
            "ext v0.8b, v1.8b, v2.8b, #4";
        },
        2,
    );
}
