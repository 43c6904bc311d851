//! Of 32-bit x86.

use std::arch::naked_asm;

use lanner_proof::{Number, Run};

/// A function that is these instructions, with two operands in eax and ecx, of which eax is the result.
macro_rules! assembly {
    ($(fn $name:ident: $($line:literal),+;)*) => {$(
        #[unsafe(naked)]
        extern "C" fn $name(a: &u32, b: &u32, out: &mut u32) {
            naked_asm!(
                "mov edx, [esp + 4]",
                "mov eax, [edx]",
                "mov edx, [esp + 8]",
                "mov ecx, [edx]",
                "mov edx, [esp + 12]",
                $($line,)+
                "mov [edx], eax",
                "ret",
            );
        }
    )*};
}

assembly! {
    fn sum: "add eax, ecx";
    fn over: "add eax, ecx", "sbb eax, eax", "and eax, 1";
    fn high: "push edx", "mul ecx", "mov eax, edx", "pop edx";
    fn in_a_segment: "mov eax, gs:[0]";
    fn short_address: "mov eax, [bx]";
    fn kept: "mov ebx, eax";
    fn kept_too: "mov esi, eax";
    fn other_stack: "pop ecx", "add esp, 4", "push ecx";
    fn callee_cleans: "mov [edx], eax", "ret 12";
    fn beside_the_arguments: "mov eax, [esp + 16]";
}

fn run_on(
    function: extern "C" fn(&u32, &u32, &mut u32),
    most: [u32; 2],
) -> (Run, [Number; 2], Number) {
    let mut run = Run::new();
    let words = most.map(|most| run.unknown(0, most));
    let places = [0, 1].map(|i| run.place(&words[i..=i], 4));
    let out = run.room(4);
    run.call(function as *const (), &[places[0], places[1], out]);
    let result = run.read(out, 4);
    (run, words, result)
}

#[test]
fn a_lost_carry_is_seen() {
    let (mut run, [a, b], result) = run_on(sum, [1 << 31, (1 << 31) - 1]);
    assert!(run.is_zero(&(&result - &(&a + &b)), &7.into()));
    let (mut run, [a, b], result) = run_on(sum, [1 << 31, 1 << 31]);
    assert!(!run.is_zero(&(&result - &(&a + &b)), &7.into()));
    let (mut run, [a, b], over) = run_on(over, [u32::MAX; 2]);
    let sum = &(&a + &b) - &(&over << 32);
    assert!(run.is_within(&sum, 0, u32::MAX));
    assert!(!run.is_within(&over, 0, 0));
}

#[test]
fn high_words() {
    let (mut run, [a, b], high) = run_on(high, [u32::MAX; 2]);
    let low = &(&a * &b) - &(&high << 32);
    assert!(run.is_within(&low, 0, u32::MAX));
    assert!(!run.is_within(&low, 0, u32::MAX - 1));
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
#[should_panic(expected = "does not give back EBX")]
fn a_register_that_is_not_given_back() {
    run_on(kept, [1, 1]);
}

#[test]
#[should_panic(expected = "does not give back ESI")]
fn another() {
    run_on(kept_too, [1, 1]);
}

#[test]
#[should_panic(expected = "returns with another stack")]
fn a_stack_that_is_not_given_back() {
    run_on(other_stack, [1, 1]);
}

#[test]
#[should_panic(expected = "returns with another stack")]
fn arguments_that_the_function_takes_off_the_stack() {
    run_on(callee_cleans, [1, 1]);
}

#[test]
#[should_panic(expected = "was not written")]
fn what_lies_beside_the_arguments() {
    run_on(beside_the_arguments, [1, 1]);
}
