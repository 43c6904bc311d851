//! What is the same for all processors with words of 64 bits; the functions are theirs.

use lanner_proof::{Number, Run};

#[cfg(target_arch = "aarch64")]
use super::aarch64::{
    NOP, OPERANDS, all_ones, all_ones_but_one, forgotten, forgotten_before_one_more,
    forgotten_constant, forgotten_with_copies, in_common, not_given, other_stack, stack_not_given,
    stack_written, vector_not_given,
};
#[cfg(target_arch = "x86_64")]
use super::x86_64::{
    NOP, OPERANDS, all_ones, all_ones_but_one, forgotten, forgotten_before_one_more,
    forgotten_constant, forgotten_with_copies, in_common, not_given, other_stack, stack_not_given,
    stack_written, vector_not_given,
};
use super::{p, run_on};
use num_bigint::BigInt;

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

type Function = extern "C" fn(&u64, &u64, &mut u64);

/// Runs a function on two words within bounds, and has a look where it does nothing: the run, the words, and the result.
fn run_with_a_look(
    function: Function,
    most: [u64; 2],
    look: impl FnOnce(&mut Run),
) -> (Run, [Number; 2], Number) {
    let mut run = Run::new();
    let words = most.map(|most| run.unknown(0, most));
    let places = [0, 1].map(|i| run.place(&words[i..=i], 8));
    let out = run.room(8);
    let mut look = Some(look);
    let arguments = [places[0], places[1], out];
    run.call_watched(function as *const (), &arguments, |run| {
        if run.last() == NOP {
            look.take().expect("there is one place")(run);
        }
    });
    assert!(look.is_none(), "there is a place");
    let result = run.read(out, 8);
    (run, words, result)
}

/// The same, forgetting how the result came to be: the new word too, if these bounds hold.
fn forget(
    function: Function,
    most: [u64; 2],
    bound: u64,
) -> (Run, [Number; 2], Number, Option<Number>) {
    let mut new = None;
    let (run, words, result) = run_with_a_look(function, most, |run| {
        let word = run.register(OPERANDS[0]);
        let words = run.forget(&[word], bound);
        new = words.map(|words| words[0].clone());
    });
    (run, words, result, new)
}

#[test]
fn of_what_is_forgotten_bounds_are_left() {
    let (mut run, [a, b], result, new) = forget(forgotten, [1000, 1000], 2000);
    assert!(run.is_within(&(&result - &new.expect("the bounds hold")), 0, 0));
    assert!(run.is_within(&result, 0, 2000));
    assert!(!run.is_within(&result, 0, 1999));
    assert!(!run.is_within(&result, 1, 2000));
    assert!(!run.is_zero(&(&result - &(&a + &b)), &p()));
    // Wider bounds than those that hold are what is left, too.
    let (mut run, _, result, _) = forget(forgotten, [1000, 1000], 3000);
    assert!(run.is_within(&result, 0, 3000));
    assert!(!run.is_within(&result, 0, 2999));
}

#[test]
fn bounds_that_do_not_hold_are_not_taken() {
    let (mut run, [a, b], result, new) = forget(forgotten, [1000, 1000], 1999);
    assert!(new.is_none());
    // And nothing is forgotten.
    assert!(run.is_zero(&(&result - &(&a + &b)), &p()));
    assert!(!run.is_within(&result, 0, 1999));
}

#[test]
fn what_is_forgotten_is_no_other_word() {
    let (mut run, _, result, new) = forget(forgotten_before_one_more, [1000, 1000], 2000);
    let difference = &result - &new.expect("the bounds hold");
    assert!(run.is_within(&difference, 1, 1));
    assert!(!run.is_within(&difference, 0, 0));
}

#[test]
fn copies_are_forgotten_with_it() {
    // Each less another one, in registers, a vector and on the stack.
    let (mut run, _, result, new) = forget(forgotten_with_copies, [1000, 1000], 2000);
    assert!(new.is_some());
    assert!(run.is_within(&result, 0, 0));
}

#[test]
fn words_have_their_order() {
    let most: BigInt = (BigInt::from(6) << 64) - 1;
    run_with_a_look(forgotten, [u64::MAX, 5], |run| {
        // The sum was written to the first of them.
        let sum = run.register(OPERANDS[0]);
        let small = run.register(OPERANDS[1]);
        let swapped = [small.clone(), sum.clone()];
        assert!(run.forget(&swapped, most.clone()).is_none());
        assert!(run.forget(&[sum, small], most).is_some());
    });
}

#[test]
#[should_panic(expected = "a digit is an unknown")]
fn constants_are_not_forgotten() {
    forget(forgotten_constant, [1, 1], 7);
}

#[test]
#[should_panic(expected = "the number has as many digits")]
fn more_than_the_words_have() {
    run_with_a_look(forgotten, [1, 1], |run| {
        let word = run.register(OPERANDS[0]);
        run.forget(&[word], BigInt::from(1) << 64);
    });
}

#[test]
#[should_panic(expected = "a digit is a word")]
fn sums_are_not_forgotten() {
    run_with_a_look(forgotten, [u64::MAX; 2], |run| {
        let words = OPERANDS.map(|number| run.register(number));
        run.forget(&[&words[0] + &words[1]], u64::MAX);
    });
}

#[test]
fn what_words_have_in_common() {
    let (mut run, [a, b], both) = run_on(in_common, [1000, 7]);
    assert!(run.is_within(&both, 0, 7));
    assert!(!run.is_within(&both, 0, 6));
    assert!(!run.is_within(&both, 1, 7));
    for word in [&a, &b] {
        assert!(!run.is_zero(&(&both - word), &p()));
    }
}

#[test]
fn whether_words_are_all_ones() {
    let ones = &Number::from(1) << 64;
    let ones = &ones - &Number::from(1);
    // What is left of each word, if both are all ones, and else the word.
    let holds = |function: Function, most: u64| {
        let (mut run, words, bit) = run_on(function, [u64::MAX; 2]);
        run.try_cases(4);
        assert!(run.is_within(&bit, 0, 1));
        assert!(!run.is_within(&bit, 0, 0));
        let rests = words.map(|word| &word - &(&bit * &ones));
        rests.map(|rest| run.is_within(&rest, 0, most))
    };
    assert_eq!(holds(all_ones, u64::MAX), [true; 2]);
    assert_eq!(holds(all_ones, u64::MAX - 1), [false; 2]);
    assert_eq!(holds(all_ones_but_one, u64::MAX), [false; 2]);
}
