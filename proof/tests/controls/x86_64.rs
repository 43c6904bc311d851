//! Of x86-64.

use std::arch::{asm, naked_asm};

use super::{p, run_on};
use lanner_proof::{Number, Run};
use num_bigint::BigInt;

extern "C" fn carried_twice(a: &u64, b: &u64, out: &mut u64) {
    // What is left after an overflow leaves room for 38: no second one is added. In assembly, because compilers make of it a
    // choice between two sums.
    // SAFETY: touches only the registers declared.
    unsafe {
        asm!(
            "add {a}, {b}",
            "sbb {t}, {t}",
            "and {t}, 38",
            "add {a}, {t}",
            a = inout(reg) *a => *out,
            b = in(reg) *b,
            t = out(reg) _,
        );
    }
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

extern "C" fn difference_mod(a: &u64, b: &u64, out: &mut u64) {
    // SAFETY: touches only the registers declared.
    unsafe {
        asm!(
            "sub {a}, {b}",
            "sbb {t}, {t}",
            "and {t}, 1000",
            "add {a}, {t}",
            a = inout(reg) *a => *out,
            b = in(reg) *b,
            t = out(reg) _,
        );
    }
}

#[test]
fn what_holds_with_a_borrow_and_without() {
    // The carry of the sum is there exactly if the borrow is.
    let (mut run, [a, b], result) = run_on(difference_mod, [999, 999]);
    let difference = &result - &(&a - &b);
    assert!(run.is_zero(&difference, &125.into()));
    assert!(!run.is_zero(&difference, &7.into()));
    assert!(run.is_within(&result, 0, 999));
    assert!(!run.is_within(&result, 0, 998));
    assert!(!run.is_within(&result, 1, 999));
    // A difference that is too negative stays so, mod 2^64.
    let (mut run, [a, b], result) = run_on(difference_mod, [999, 1001]);
    assert!(!run.is_within(&result, 0, 999));
    assert!(!run.is_zero(&(&result - &(&a - &b)), &125.into()));
}

extern "C" fn is_at_most_500(a: &u64, _: &u64, out: &mut u64) {
    // SAFETY: touches only the registers declared.
    unsafe {
        asm!(
            "cmp {a}, 500",
            "setb {below}",
            "sete {equal}",
            "or {below}, {equal}",
            "movzx {out:e}, {below}",
            a = in(reg) *a,
            below = out(reg_byte) _,
            equal = out(reg_byte) _,
            out = lateout(reg) *out,
        );
    }
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

/// What does nothing.
pub(super) const NOP: [u8; 1] = [0x90];

/// The numbers of the registers that have the operands.
pub(super) const OPERANDS: [usize; 2] = [0, 1];

/// A function that is these instructions, with two operands in rax and rcx, of which rax is the result.
macro_rules! assembly {
    ($($(#[$meta:meta])* fn $name:ident: $($line:literal),+;)*) => {$(
        $(#[$meta])*
        #[unsafe(naked)]
        pub(super) extern "C" fn $name(a: &u64, b: &u64, out: &mut u64) {
            naked_asm!(
                "mov rax, [rdi]",
                "mov rcx, [rsi]",
                $($line,)+
                "mov [rdx], rax",
                "ret",
            );
        }
    )*};
}

assembly! {
    fn either: "xor rax, rcx";
    fn other: "xor rax, 1";
    fn below_and_above: "shl rax, 32", "xor rax, rcx";
    fn rotated_left: "add rcx, rcx", "rol rcx, 5", "adc rax, 0";
    fn rotated_right: "add rcx, rcx", "ror rcx, 5", "adc rax, 0";
    fn shifted: "add rcx, rcx", "shr rcx, 5", "adc rax, 0";
    fn lowest_bits: "add rcx, rcx", "mov r8d, 5", "bzhi rcx, rcx, r8", "adc rax, 0";
    fn no_bits: "mov r8d, 64", "bzhi rcx, rcx, r8", "mov eax, 0", "adc rax, 0";
    fn in_some_lanes: "vpxor xmm0, xmm0, xmm0", "vpaddq zmm0{{k1}}, zmm0, zmm0";
    fn in_a_segment: "mov rax, fs:[0]";
    fn short_address: "mov rax, [edi]";
    fn short_sum: "lea rax, [eax + ecx]";
    fn upper_lanes_of_a_move: "vpcmpeqd ymm0, ymm0, ymm0", "vmovq xmm0, rax", "vmovdqu [rsp - 32], ymm0",
        "mov rax, [rsp - 16]";
    fn zeroed_upper_lanes: "vpcmpeqd ymm0, ymm0, ymm0", "vzeroupper", "vmovdqu [rsp - 32], ymm0", "mov rax, [rsp - 16]",
        "add rax, [rsp - 24]";
    fn short_word_by_much: "shl ax, 16", "movzx eax, ax";
    fn kept: "mov rbx, rax";
    fn other_stack: "pop r8", "add rsp, 8", "push r8", "mov [rdx], rax", "ret";
    fn not_given: "mov rax, r11";
    fn vector_not_given: "movq rax, xmm3";
    fn stack_not_given: "mov rax, [rsp - 8]";
    fn stack_written: "mov [rsp - 8], rax";
    fn in_common: "and rax, rcx";
    fn all_ones: "and rax, rcx", "cmp rax, -1", "sete al", "movzx eax, al";
    fn all_ones_but_one: "and rax, rcx", "cmp rax, -2", "sete al", "movzx eax, al";
    fn forgotten: "add rax, rcx", "nop";
    fn forgotten_before_one_more: "add rax, rcx", "nop", "add rax, 1";
    fn forgotten_with_copies: "add rax, rcx", "mov r8, rax", "push rax", "movq xmm0, rax", "nop", "pop r9",
        "movq r10, xmm0", "sub rax, r8", "sub r9, r10", "add rax, r9";
    fn forgotten_constant: "mov eax, 7", "nop";
}

#[test]
fn either_of_two_bits_but_not_both() {
    let (mut run, [a, b], result) = run_on(either, [1, 1]);
    let (sum, product) = (&a + &b, &a * &b);
    assert!(run.is_zero(&(&result - &(&sum - &(&product << 1))), &p()));
    assert!(!run.is_zero(&(&result - &(&sum - &product)), &p()));
    assert!(run.is_within(&result, 0, 1));
    let (mut run, [a, _], result) = run_on(other, [1, 0]);
    assert!(run.is_zero(&(&result - &(&Number::from(1) - &a)), &p()));
    assert!(!run.is_zero(&(&result - &Number::from(1)), &p()));
    // With no bit in common.
    let (mut run, [a, b], result) = run_on(below_and_above, [7, 1 << 31]);
    assert!(run.is_zero(&(&result - &(&(&a << 32) + &b)), &p()));
}

#[test]
#[should_panic(expected = "bits that are not known to be apart")]
fn other_bits_are_not_joined() {
    run_on(either, [2, 1]);
}

#[test]
#[should_panic(expected = "bits that are not known to be apart")]
fn nor_are_those_of_one_place() {
    run_on(below_and_above, [7, 1 << 32]);
}

#[test]
#[should_panic(expected = "takes a carry that is not known")]
fn the_carry_of_a_rotation_to_the_left() {
    run_on(rotated_left, [5, 5]);
}

#[test]
#[should_panic(expected = "takes a carry that is not known")]
fn the_carry_of_a_rotation_to_the_right() {
    run_on(rotated_right, [5, 5]);
}

#[test]
#[should_panic(expected = "takes a carry that is not known")]
fn the_carry_of_a_shift() {
    run_on(shifted, [5, 5]);
}

#[test]
fn the_carry_of_lowest_bits() {
    // Before it there may be one.
    let (mut run, [a, _], result) = run_on(lowest_bits, [5, u64::MAX]);
    assert!(run.is_zero(&(&result - &a), &p()));
    let (mut run, _, result) = run_on(no_bits, [5, u64::MAX]);
    assert!(run.is_zero(&(&result - &Number::from(1)), &p()));
}

#[test]
#[should_panic(expected = "does some lanes only")]
fn some_lanes() {
    run_on(in_some_lanes, [1, 1]);
}

#[test]
#[should_panic(expected = "has an address in a segment")]
fn segments() {
    run_on(in_a_segment, [1, 1]);
}

#[test]
#[should_panic(expected = "has a short address")]
fn short_addresses() {
    run_on(short_address, [1, 1]);
}

#[test]
#[should_panic(expected = "has a short address")]
fn sums_of_short_addresses() {
    run_on(short_sum, [u64::MAX, u64::MAX]);
}

#[test]
fn lanes_that_instructions_clear() {
    let (mut run, _, result) = run_on(upper_lanes_of_a_move, [1, 1]);
    assert!(run.is_within(&result, 0, 0));
    // The word below is all ones.
    let (mut run, _, result) = run_on(zeroed_upper_lanes, [1, 1]);
    assert!(run.is_within(&result, u64::MAX, u64::MAX));
}

#[test]
fn a_short_word_is_shifted_by_more_than_it_has() {
    let (mut run, _, result) = run_on(short_word_by_much, [u64::MAX, 1]);
    assert!(run.is_within(&result, 0, 0));
}

#[test]
#[should_panic(expected = "does not give back RBX")]
fn a_register_that_is_not_given_back() {
    run_on(kept, [1, 1]);
}

/// The representative in [0, p) of any four words, if `NEAR` is 19: the value is p or more exactly if 19 more reach bit 255.
extern "C" fn reduced<const NEAR: u64>(words: &[u64; 4], out: &mut [u64; 4]) {
    const LOW: u64 = u64::MAX >> 1;
    let plus = |[a, b, c, d]: [u64; 4], small: u64| {
        let (a, carry) = a.overflowing_add(small);
        let (b, carry) = b.overflowing_add(u64::from(carry));
        let (c, carry) = c.overflowing_add(u64::from(carry));
        [a, b, c, d.wrapping_add(u64::from(carry))]
    };
    let [a, b, c, d] = *words;
    let folded = plus([a, b, c, d & LOW], 19 * (d >> 63));
    let is_over = plus(folded, NEAR)[3] >> 63;
    let [a, b, c, d] = plus(folded, 19 * is_over);
    *out = [a, b, c, d & LOW];
}

/// Whether the result is shown to be below p, and of the class of the words.
fn is_reduced(function: extern "C" fn(&[u64; 4], &mut [u64; 4])) -> [bool; 2] {
    let mut run = Run::new();
    let value = run.unknown(0, (BigInt::from(1) << 256) - 1);
    let words = run.digits(&value, 64, 4);
    let (at, out) = (run.place(&words, 8), run.room(32));
    run.call(function as *const (), &[at, out]);
    run.try_cases(10);
    let words = [0, 1, 2, 3].map(|i| &run.read(out + 8 * i, 8) << (64 * i));
    let none = Number::from(0);
    let result = words.iter().fold(none, |sum, word| &sum + word);
    [
        run.is_within(&result, 0, p() - 1),
        run.is_zero(&(&result - &value), &p()),
    ]
}

#[test]
fn what_is_compared_in_several_words() {
    assert_eq!(is_reduced(reduced::<19>), [true, true]);
    // p - 1 + 20 reaches bit 255 as well, and p + 18 does not.
    assert_eq!(is_reduced(reduced::<18>), [false, true]);
    assert_eq!(is_reduced(reduced::<20>), [false, false]);
}
