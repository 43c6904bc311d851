//! What is wrong is not shown, and what depends on inputs ends a run.
#![cfg(all(
    any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64"),
    target_os = "linux"
))]
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
#[path = "controls/aarch64.rs"]
mod aarch64;
#[cfg(target_pointer_width = "64")]
#[path = "controls/words.rs"]
mod words;
#[cfg(target_arch = "x86")]
#[path = "controls/x86.rs"]
mod x86;
#[cfg(target_arch = "x86_64")]
#[path = "controls/x86_64.rs"]
mod x86_64;

use lanner_proof::{Number, Run};
use num_bigint::BigInt;

fn p() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

/// Runs a function on two words within bounds: the run, the words, and the result.
fn run_on(
    function: extern "C" fn(&u64, &u64, &mut u64),
    most: [u64; 2],
) -> (Run, [Number; 2], Number) {
    let mut run = Run::new();
    let words = most.map(|most| run.unknown(0, most));
    let places = [0, 1].map(|i| run.place(&words[i..=i], 8));
    let out = run.room(8);
    run.call(function as *const (), &[places[0], places[1], out]);
    let result = run.read(out, 8);
    (run, words, result)
}

extern "C" fn sum(a: &u64, b: &u64, out: &mut u64) {
    *out = a.wrapping_add(*b);
}

#[test]
fn a_lost_carry_is_seen() {
    let half = u64::MAX >> 1;
    let (mut run, [a, b], result) = run_on(sum, [half, half]);
    assert!(run.is_zero(&(&result - &(&a + &b)), &p()));
    let (mut run, [a, b], result) = run_on(sum, [half, half + 2]);
    assert!(!run.is_zero(&(&result - &(&a + &b)), &p()));
    // It is right as far as a word goes, of which only odd moduli are asked: 2^64 - 1 sees the carry, 1 does not.
    assert!(run.is_zero(&(&result - &(&a + &b)), &1.into()));
}

extern "C" fn nineteen_times_the_top(a: &u64, b: &u64, out: &mut u64) {
    *out = (*a & ((1 << 51) - 1)) + 19 * (*a >> 51) + b;
}

#[test]
fn the_modulus_and_the_bounds_matter() {
    // 2^51 = 19 mod 2^51 - 19.
    let modulus = (BigInt::from(1) << 51) - 19;
    let (mut run, [a, b], result) = run_on(nineteen_times_the_top, [(1 << 60) - 1, 5]);
    let difference = &result - &(&a + &b);
    assert!(run.is_zero(&difference, &modulus));
    assert!(!run.is_zero(&difference, &(&modulus - 2)));
    let most: BigInt = (BigInt::from(1) << 51) - 1 + 19 * ((1u32 << 9) - 1) + 5u8;
    assert!(run.is_within(&result, 0u8, most.clone()));
    assert!(!run.is_within(&result, 0u8, most - 1u8));
    assert!(!run.is_within(&result, 1u8, u64::MAX));
}

extern "C" fn signs(a: &u64, b: &u64, out: &mut u64) {
    let difference = a.wrapping_sub(*b).cast_signed();
    *out = ((difference >> 7) * 128 + (difference & 127)).cast_unsigned();
}

#[test]
fn twos_complement() {
    let mut run = Run::new();
    let words = [run.unknown(0, 1u64 << 40), run.unknown(0, 1u64 << 50)];
    let places = [0, 1].map(|i| run.place(&words[i..=i], 8));
    let out = run.room(8);
    run.call(signs as *const (), &[places[0], places[1], out]);
    let result = run.read_signed(out, 8);
    assert!(run.is_zero(&(&result - &(&words[0] - &words[1])), &p()));
    assert!(run.is_within(&result, -(1i64 << 50), 1i64 << 40));
    assert!(!run.is_within(&result, -(1i64 << 50) + 1, 1i64 << 40));
}

/// A function that is called, so that compilers make no choice of the branch to it.
#[inline(never)]
extern "C" fn elsewhere(b: u64) -> u64 {
    std::hint::black_box(b) / 3
}

extern "C" fn branch(a: &u64, b: &u64, out: &mut u64) {
    *out = if *a > 1000 { elsewhere(*b) } else { *b };
}

#[test]
#[should_panic(expected = "inputs")]
fn a_branch_that_depends_on_inputs_ends_the_run() {
    run_on(branch, [1001, 5]);
}

#[test]
fn a_branch_that_does_not_is_followed() {
    let (mut run, [_, b], result) = run_on(branch, [1000, 5]);
    assert!(run.is_zero(&(&result - &b), &p()));
}

extern "C" fn look_up(a: &u64, _: &u64, out: &mut u64) {
    static TABLE: [u64; 4] = [3, 1, 4, 1];
    *out = TABLE[(*a & 3) as usize];
}

#[test]
#[should_panic(expected = "depends on inputs")]
fn an_address_that_depends_on_inputs_ends_the_run() {
    run_on(look_up, [3, 0]);
}

#[test]
#[should_panic(expected = "leaves out steps")]
fn a_step_that_is_left_out() {
    let mut run = Run::new();
    let (at, out) = (run.place(&[Number::from(1)], 8), run.room(16));
    run.call_in_steps(
        sum as *const (),
        &[at, at, out],
        &[out + 8, out + 16],
        |_, _| (),
    );
}
