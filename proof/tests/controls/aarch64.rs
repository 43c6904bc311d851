//! Of AArch64.

use std::arch::naked_asm;

use super::{p, run_on};
use lanner_proof::Number;
use num_bigint::BigInt;

/// What does nothing.
pub(super) const NOP: [u8; 4] = 0xd503_201f_u32.to_le_bytes();

/// The numbers of the registers that have the operands.
pub(super) const OPERANDS: [usize; 2] = [3, 4];

/// A function that is these instructions, with two operands in x3 and x4, of which x3 is the result.
macro_rules! assembly {
    ($($(#[$meta:meta])* fn $name:ident: $($line:literal),+;)*) => {$(
        $(#[$meta])*
        #[unsafe(naked)]
        pub(super) extern "C" fn $name(a: &u64, b: &u64, out: &mut u64) {
            naked_asm!(
                "ldr x3, [x0]",
                "ldr x4, [x1]",
                $($line,)+
                "str x3, [x2]",
                "ret",
            );
        }
    )*};
}

assembly! {
    // What is left after an overflow leaves room for 38: no second one is added.
    fn carried_twice: "adds x3, x3, x4", "mov x5, #38", "csel x5, x5, xzr, cs", "add x3, x3, x5";
    fn difference_mod: "subs x3, x3, x4", "mov x5, #1000", "csel x5, x5, xzr, cc", "add x3, x3, x5";
    fn wrong_condition: "subs x3, x3, x4", "mov x5, #1000", "csel x5, x5, xzr, cs", "add x3, x3, x5";
    fn is_at_most_500: "cmp x3, #500", "cset x5, cc", "cset x6, eq", "orr x3, x5, x6";
    fn carry_or_carry: "adds x3, x3, x4", "cset x5, cs", "adds x3, x3, #1", "csinc x5, x5, xzr, cc", "mov x3, x5";
    fn either: "eor x3, x3, x4";
    fn carry_of_bits: "tst x3, x3", "adc x3, x3, x4";
    fn flags_of_old: "adds x5, x3, x4", "mrs x6, nzcv", "adds x5, x5, #7", "msr nzcv, x6", "adc x3, xzr, xzr";
    fn flags_of_new: "mov x6, #0x20000000", "msr nzcv, x6", "adc x3, xzr, xzr";
    fn more_than_a_word: "adds x3, x3, x4", "adc x3, xzr, xzr";
    fn not_known: "udiv x3, x3, x4";
    fn exclusive: "ldxr x3, [x0]";
    fn carry_not_given: "adc x3, x3, x4";
    fn kept: "mov x19, x3";
    fn kept_vector: "fmov d8, x3";
    fn other_stack: "add sp, sp, #16";
    fn not_given: "mov x3, x9";
    fn vector_not_given: "fmov x3, d3";
    fn stack_not_given: "ldur x3, [sp, #-8]";
    fn stack_written: "stur x3, [sp, #-8]";
    fn in_common: "and x3, x3, x4";
    fn all_ones: "and x3, x3, x4", "cmn x3, #1", "cset x3, eq";
    fn all_ones_but_one: "and x3, x3, x4", "cmn x3, #2", "cset x3, eq";
    fn forgotten: "add x3, x3, x4", "nop";
    fn forgotten_before_one_more: "add x3, x3, x4", "nop", "add x3, x3, #1";
    fn forgotten_with_copies: "add x3, x3, x4", "mov x5, x3", "str x3, [sp, #-16]!", "fmov d0, x3", "nop",
        "ldr x6, [sp], #16", "fmov x7, d0", "sub x3, x3, x5", "sub x6, x6, x7", "add x3, x3, x6";
    fn forgotten_constant: "mov x3, #7", "nop";
    // `ldr x5, [x5], #8`, which assemblers refuse.
    fn base_that_is_loaded: "mov x5, x0", ".inst 0xf84084a5";
    fn upper_lane_of_a_load: "movi v0.2d, #0xff", "ldr d0, [x0]", "mov x3, v0.d[1]";
}

#[test]
fn a_carry_that_cannot_be_is_found_by_contradiction() {
    // 2^64 = 38 mod 2^63 - 19.
    let modulus: BigInt = (BigInt::from(1) << 63) - 19;
    let most = u64::MAX - 38;
    let (mut run, [a, b], result) = run_on(carried_twice, [u64::MAX, most]);
    assert!(run.is_zero(&(&result - &(&a + &b)), &modulus));
    let (mut run, [a, b], result) = run_on(carried_twice, [u64::MAX, u64::MAX]);
    assert!(!run.is_zero(&(&result - &(&a + &b)), &modulus));
}

#[test]
fn what_holds_with_a_borrow_and_without() {
    let (mut run, [a, b], result) = run_on(difference_mod, [999, 999]);
    let difference = &result - &(&a - &b);
    assert!(run.is_zero(&difference, &125.into()));
    assert!(!run.is_zero(&difference, &7.into()));
    assert!(run.is_within(&result, 0, 999));
    assert!(!run.is_within(&result, 0, 998));
    // A carry after a difference is no borrow.
    let (mut run, _, result) = run_on(wrong_condition, [999, 999]);
    assert!(!run.is_within(&result, 0, 999));
}

#[test]
fn comparisons_are_bits() {
    let (mut run, [a, _], result) = run_on(is_at_most_500, [1000, 0]);
    assert!(run.is_within(&result, 0, 1));
    // a - 501 is not negative, or is with 1000 more, as the bit says; and that does not hold of a - 500 or a - 502.
    let mut holds = |least: i64| {
        let difference = &a - &Number::from(least);
        let raised = &difference + &(&result * &Number::from(1000));
        run.is_within(&raised, 0, 999)
    };
    assert!(holds(501));
    assert!(!holds(500));
    assert!(!holds(502));
}

#[test]
fn of_two_carries_there_is_one() {
    let (mut run, [a, b], over) = run_on(carry_or_carry, [u64::MAX; 2]);
    assert!(run.is_within(&over, 0, 1));
    let sum = &(&(&a + &b) + &Number::from(1)) - &(&over << 64);
    assert!(run.is_within(&sum, 0, u64::MAX));
    assert!(!run.is_within(&sum, 0, u64::MAX - 1));
}

#[test]
fn a_carry_that_was_put_by() {
    let (mut run, [a, b], over) = run_on(flags_of_old, [u64::MAX; 2]);
    let sum = &(&a + &b) - &(&over << 64);
    assert!(run.is_within(&sum, 0, u64::MAX));
    assert!(!run.is_within(&over, 0, 0));
}

#[test]
#[should_panic(expected = "writes flags that were not read")]
fn flags_from_elsewhere() {
    run_on(flags_of_new, [1, 1]);
}

#[test]
fn a_carry_is_not_lost() {
    let (mut run, _, over) = run_on(more_than_a_word, [u64::MAX, 1]);
    assert!(!run.is_within(&over, 0, 0));
    let (mut run, _, over) = run_on(more_than_a_word, [u64::MAX - 1, 1]);
    assert!(run.is_within(&over, 0, 0));
}

#[test]
fn the_carry_of_an_operation_on_bits() {
    let (mut run, [a, b], result) = run_on(carry_of_bits, [5, 5]);
    assert!(run.is_zero(&(&result - &(&a + &b)), &p()));
}

#[test]
#[should_panic(expected = "bits that are not known to be apart")]
fn other_bits_are_not_joined() {
    run_on(either, [2, 1]);
}

#[test]
#[should_panic(expected = "is not known here")]
fn an_instruction_that_is_not_known() {
    run_on(not_known, [1, 1]);
}

#[test]
#[should_panic(expected = "is not known here")]
fn a_load_of_another_kind() {
    run_on(exclusive, [1, 1]);
}

#[test]
#[should_panic(expected = "is not known here")]
fn a_base_that_is_also_loaded() {
    run_on(base_that_is_loaded, [1, 1]);
}

#[test]
#[should_panic(expected = "takes a carry that is not known")]
fn a_carry_that_was_not_given() {
    run_on(carry_not_given, [1, 1]);
}

#[test]
#[should_panic(expected = "does not give back x19")]
fn a_register_that_is_not_given_back() {
    run_on(kept, [1, 1]);
}

#[test]
#[should_panic(expected = "does not give back d8")]
fn a_vector_that_is_not_given_back() {
    run_on(kept_vector, [1, 1]);
}

#[test]
fn lanes_that_loads_clear() {
    let (mut run, _, result) = run_on(upper_lane_of_a_load, [1, 1]);
    assert!(run.is_within(&result, 0, 0));
}
