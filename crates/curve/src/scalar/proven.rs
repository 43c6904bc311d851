//! What the machine code of the arithmetic modulo L computes, for all inputs: as the compiler made it, run on unknown words
//! (see `lanner-proof`). Only with `--cfg lanner_proof`, as
//! `cargo xtask test --full --only "run on unknowns"` has it on x86-64, and with `--all` on AArch64: the package that this
//! needs is published nowhere.
//!
//! Shown of each function of `arith`, for words that need not be reduced: the result is the sum, difference, product or half
//! mod L, and in [0, L); the comparison with L is right; no carry is lost but where the number that it stands for is put
//! where it belongs; and nothing branches.
//!
//! Not here: inversion and the half-size pairs, whose words depend on each other in ways that this does not follow, and the
//! recodings. They are compared with big integers (`tests`, `safegcd`). Nor targets of 32 bits and others, whose compilers see
//! the same source.

use super::arith::{self, L, Limbs};
use lanner_proof::{Number, Run};
use num_bigint::BigInt;
use std::vec::Vec;

fn order() -> BigInt {
    L.iter()
        .rev()
        .fold(BigInt::ZERO, |sum, &word| (sum << 64) + word)
}

/// Constants of more than a word are sums of digits.
fn number(x: &BigInt) -> Number {
    let digits = x.iter_u64_digits();
    value(&digits.map(from_word).collect::<Vec<_>>())
}

fn from_word(word: u64) -> Number {
    let [low, high] = [word & 0xffff_ffff, word >> 32].map(|half| Number::from(half as i64));
    &low + &(&high << 32)
}

fn value(words: &[Number]) -> Number {
    let zero = Number::from(0);
    words
        .iter()
        .enumerate()
        .fold(zero, |sum, (i, word)| &sum + &(word << (64 * i as u64)))
}

extern "C" fn reduce(x: &Limbs, out: &mut Limbs) {
    *out = arith::reduce(x);
}

extern "C" fn reduce_wide(x: &[u64; 8], out: &mut Limbs) {
    *out = arith::reduce_wide(x);
}

extern "C" fn mul(a: &Limbs, b: &Limbs, out: &mut Limbs) {
    *out = arith::mul(a, b);
}

extern "C" fn mul_add(a: &Limbs, b: &Limbs, c: &Limbs, out: &mut Limbs) {
    *out = arith::mul_add(a, b, c);
}

extern "C" fn add(a: &Limbs, b: &Limbs, out: &mut Limbs) {
    *out = arith::add(a, b);
}

extern "C" fn sub(a: &Limbs, b: &Limbs, out: &mut Limbs) {
    *out = arith::sub(a, b);
}

extern "C" fn halve(a: &Limbs, out: &mut Limbs) {
    *out = arith::halve(a);
}

/// The words of an operand.
type Operand = fn(&mut Run) -> Vec<Number>;

/// Any integer of `N` words.
fn any<const N: usize>(run: &mut Run) -> Vec<Number> {
    (0..N).map(|_| run.unknown(0, u64::MAX)).collect()
}

/// Four words that need not be reduced.
const SCALAR: Operand = any::<4>;

/// Any even integer of four words, or any odd one.
fn with_lowest_bit<const BIT: i64>(run: &mut Run) -> Vec<Number> {
    let half = run.unknown(0, u64::MAX >> 1);
    let mut words = any::<4>(run);
    words[0] = &(&half << 1) + &Number::from(BIT);
    words
}

/// Runs a function on operands, and compares what it makes of them, times `factor`, with what it should be.
fn check(
    name: &str,
    function: *const (),
    operands: &[Operand],
    factor: i64,
    expected: impl Fn(&[Number]) -> Number,
) {
    let mut run = Run::new();
    let mut addresses = Vec::new();
    let mut values = Vec::new();
    for operand in operands {
        let words = operand(&mut run);
        addresses.push(run.place(&words, 8));
        values.push(value(&words));
    }
    let out = run.room(32);
    addresses.push(out);
    run.call(function, &addresses);
    let result: Vec<Number> = (0..4).map(|i| run.read(out + 8 * i, 8)).collect();
    let result = value(&result);
    let difference = &(&result * &Number::from(factor)) - &expected(&values);
    assert!(
        run.is_zero(&difference, &order()),
        "{name}: the value is another one"
    );
    assert!(
        run.is_within(&result, 0, order() - 1),
        "{name}: the value is not below L"
    );
}

#[test]
fn reductions() {
    check("reduce", reduce as *const (), &[SCALAR], 1, |x| {
        x[0].clone()
    });
    check(
        "reduce_wide",
        reduce_wide as *const (),
        &[any::<8>],
        1,
        |x| x[0].clone(),
    );
}

#[test]
fn products() {
    check("mul", mul as *const (), &[SCALAR; 2], 1, |x| &x[0] * &x[1]);
    check("mul_add", mul_add as *const (), &[SCALAR; 3], 1, |x| {
        &(&x[0] * &x[1]) + &x[2]
    });
}

#[test]
fn sums() {
    check("add", add as *const (), &[SCALAR; 2], 1, |x| &x[0] + &x[1]);
    check("sub", sub as *const (), &[SCALAR; 2], 1, |x| &x[0] - &x[1]);
}

#[test]
fn halves() {
    for operand in [with_lowest_bit::<0>, with_lowest_bit::<1>] {
        check("halve", halve as *const (), &[operand], 2, |x| x[0].clone());
    }
}

extern "C" fn is_below_l(a: &Limbs, out: &mut u64) {
    *out = arith::is_below_l(a);
}

#[test]
fn comparison() {
    let mut run = Run::new();
    let words = any::<4>(&mut run);
    let (at, out) = (run.place(&words, 8), run.room(8));
    run.call(is_below_l as *const (), &[at, out]);
    let below = run.read(out, 8);
    // With 2^256 where it borrows, a - L is what four words hold: so it borrows exactly if a < L.
    assert!(run.is_within(&below, 0, 1));
    let difference = &value(&words) - &number(&order());
    let in_words = &difference + &(&below << 256);
    assert!(run.is_within(&in_words, 0, (BigInt::from(1) << 256) - 1));
}
