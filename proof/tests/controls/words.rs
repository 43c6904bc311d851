//! What is the same for all processors with words of 64 bits; the functions are theirs.

use lanner_proof::{Number, Run};

#[cfg(target_arch = "aarch64")]
use super::aarch64::{not_given, other_stack, stack_not_given, stack_written, vector_not_given};
#[cfg(target_arch = "x86_64")]
use super::x86_64::{not_given, other_stack, stack_not_given, stack_written, vector_not_given};
use super::{p, run_on};

#[test]
#[should_panic(expected = "returns with another stack")]
fn a_stack_that_is_not_given_back() {
    run_on(other_stack, [1, 1]);
}

#[test]
fn what_was_not_given_is_anything() {
    let (mut run, _, result) = run_on(not_given, [1, 1]);
    assert!(!run.is_zero(&result, &p()));
    assert!(!run.is_within(&result, 0, u64::MAX - 1));
}

#[test]
#[should_panic(expected = "was not written")]
fn vectors_that_were_not_given() {
    run_on(vector_not_given, [1, 1]);
}

#[test]
#[should_panic(expected = "was not written")]
fn what_another_call_left_on_the_stack() {
    let mut run = Run::new();
    let one = [Number::from(1)];
    let (at, out) = (run.place(&one, 8), run.room(8));
    for function in [stack_written, stack_not_given] {
        run.call(function as *const (), &[at, at, out]);
    }
}
