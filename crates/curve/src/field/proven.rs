//! What the machine code of the arithmetic computes, for all limbs within the bounds: the operations of each representation,
//! as the compiler made them, run on unknown limbs (see `lanner-proof`). Only with `--cfg lanner_proof`, as
//! `cargo xtask test --full --only "run on unknowns"` has it on x86-64, and with `--all` on AArch64 and 32-bit x86: the
//! package that this needs is published nowhere.
//!
//! Shown of sums, differences, products, squares, two squares in a row, multiples by 121666 and carries: no sum, difference or
//! product of words overflows, but where the number that a carry stands for is put
//! where it belongs; the result is the sum, difference or product mod p; and its limbs are within the bounds
//! that the representation promises. Of the four words of `adx` and `arm` the same of elements that come from rest or go there, and
//! of the blocks of assembly of `adx`, which are whole formulas (`adx::proven`); and of the step of the ladder of `arm`, which the
//! compiler puts together of assembly (`arm::proven`). On x86-64 the bytes of any four words at rest: those of the representative in
//! [0, p).
//!
//! Not here, and compared with big integers and other representations: on the way to and from rest, the limbs of
//! the other representations; representatives on other processors than x86-64, for which the compiler compares words in ways that
//! this does not follow; equality and signs; inversion, and the powers and ladders that operations and blocks are put together to; choices.
//! On 32-bit x86 not limbs in words of 64 bits, which are not at work there.
//!
//! Nor `radix29`, whose operations are shifts of numbers with signs, which this compiler makes of vectors of halves on
//! x86-64; it is for WebAssembly. Nor lanes. The arithmetic of both is run on all integers within bounds, by its source
//! (`radix29::bounds`, `lanes::bounds`).
#![allow(unsafe_code)]

#[cfg(target_pointer_width = "64")]
use super::Packed;
use super::{Arithmetic, Field};
use core::mem::size_of;
use lanner_proof::{Number, Run};
use num_bigint::BigInt;
use std::vec::Vec;

fn p() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

/// The bounds of a kind of operand.
#[derive(Clone, Copy)]
enum Bounds {
    /// Of each limb, both included.
    Limbs(fn(usize) -> (i64, i64)),
    /// Of the value of four words: from 0 to 2^n + m, m included.
    #[cfg_attr(target_arch = "x86", allow(dead_code))]
    Value(u64, i64),
}

/// How a representation writes elements.
struct Layout {
    limbs: usize,
    /// Bytes of a limb.
    size: u64,
    /// The power of two that limb i counts.
    weight: fn(usize) -> u64,
    carried: Bounds,
    /// Of a sum or a difference.
    sum: Bounds,
    /// Of a sum or a difference of such.
    loose: Bounds,
}

impl Layout {
    /// An operand: its address, and its value.
    fn operand(&self, run: &mut Run, bounds: Bounds) -> (u64, Number) {
        let limbs: Vec<Number> = match bounds {
            Bounds::Limbs(bounds) => (0..self.limbs)
                .map(bounds)
                .map(|(low, high)| run.unknown(low, high))
                .collect(),
            Bounds::Value(bits, more) => {
                let value = run.unknown(0, (BigInt::from(1) << bits) + more);
                run.digits(&value, 64, 4)
            }
        };
        let value = self.value(&limbs);
        (run.place(&limbs, self.size), value)
    }

    fn value(&self, limbs: &[Number]) -> Number {
        let zero = Number::from(0);
        (0..self.limbs).fold(zero, |sum, i| &sum + &(&limbs[i] << (self.weight)(i)))
    }

    /// The value of a result, whose bounds are checked.
    fn result(&self, run: &mut Run, at: u64, bounds: Bounds, name: &str) -> Number {
        let limbs: Vec<Number> = (0..self.limbs as u64)
            .map(|i| run.read(at + self.size * i, self.size))
            .collect();
        let value = self.value(&limbs);
        match bounds {
            Bounds::Limbs(bounds) => {
                for (i, limb) in limbs.iter().enumerate() {
                    let (low, high) = bounds(i);
                    assert!(
                        run.is_within(limb, low, high),
                        "{name}: limb {i} is not within its bounds"
                    );
                }
            }
            Bounds::Value(bits, more) => {
                let high = (BigInt::from(1) << bits) + more;
                assert!(
                    run.is_within(&value, 0, high),
                    "{name}: the value is not within its bounds"
                );
            }
        }
        value
    }
}

extern "C" fn mul<F: Arithmetic>(a: &F::Loose, b: &F::Loose, out: &mut F) {
    *out = F::mul(a, b);
}

extern "C" fn square<F: Arithmetic>(a: &F::Loose, out: &mut F) {
    *out = F::square(a);
}

extern "C" fn square_twice<F: Arithmetic>(a: &F::Loose, out: &mut F) {
    *out = F::square_times(a, 2);
}

extern "C" fn mul_121666<F: Arithmetic>(a: &F::Loose, out: &mut F) {
    *out = F::mul_121666(a);
}

extern "C" fn carry<F: Arithmetic>(a: &F::Loose, out: &mut F) {
    *out = F::carry(a);
}

extern "C" fn add<F: Arithmetic>(a: &F, b: &F, out: &mut F::Loose) {
    *out = a.add(b);
}

extern "C" fn sub<F: Arithmetic>(a: &F, b: &F, out: &mut F::Loose) {
    *out = a.sub(b);
}

extern "C" fn add_loose<F: Arithmetic>(a: &F::Loose, b: &F::Loose, out: &mut F::Loose) {
    *out = F::add_loose(a, b);
}

extern "C" fn sub_loose<F: Arithmetic>(a: &F::Loose, b: &F::Loose, out: &mut F::Loose) {
    *out = F::sub_loose(a, b);
}

#[cfg(target_pointer_width = "64")]
extern "C" fn to_packed<F: Field>(a: &F, out: &mut Packed) {
    *out = a.to_packed();
}

#[cfg(target_pointer_width = "64")]
extern "C" fn from_packed<F: Field>(a: &Packed, out: &mut F) {
    *out = F::from_packed(a);
}

#[cfg(target_pointer_width = "64")]
extern "C" fn from_frozen<F: Field>(a: &Packed, out: &mut F) {
    *out = F::from_frozen(a);
}

#[cfg(target_arch = "x86_64")]
extern "C" fn to_bytes(a: &Packed, out: &mut [u8; 32]) {
    *out = a.to_bytes();
}

/// Runs a function on operands within bounds, and compares its value with what it should be.
fn check(
    layout: &Layout,
    name: &str,
    function: *const (),
    operands: &[Bounds],
    result: Bounds,
    expected: impl Fn(&[Number]) -> Number,
) {
    let mut run = Run::new();
    let operands: Vec<(u64, Number)> = operands
        .iter()
        .map(|&bounds| layout.operand(&mut run, bounds))
        .collect();
    let out = run.room(layout.size * layout.limbs as u64);
    let addresses: Vec<u64> = operands.iter().map(|&(at, _)| at).chain([out]).collect();
    run.call(function, &addresses);
    let value = layout.result(&mut run, out, result, name);
    let values: Vec<Number> = operands.into_iter().map(|(_, value)| value).collect();
    let difference = &value - &expected(&values);
    assert!(
        run.is_zero(&difference, &p()),
        "{name}: the value is another one"
    );
}

fn check_all<F: Field>(layout: &Layout) {
    assert_eq!(size_of::<F>() as u64, layout.size * layout.limbs as u64);
    assert_eq!(size_of::<F::Loose>(), size_of::<F>());
    let &Layout {
        carried,
        sum,
        loose,
        ..
    } = layout;
    let check = |name, function, operands: &[Bounds], result, expected: fn(&[Number]) -> Number| {
        check(layout, name, function, operands, result, expected);
    };
    let function = add::<F> as *const ();
    check("add", function, &[carried; 2], sum, |x| &x[0] + &x[1]);
    let function = sub::<F> as *const ();
    check("sub", function, &[carried; 2], sum, |x| &x[0] - &x[1]);
    let function = add_loose::<F> as *const ();
    check("add_loose", function, &[sum; 2], loose, |x| &x[0] + &x[1]);
    let function = sub_loose::<F> as *const ();
    check("sub_loose", function, &[sum; 2], loose, |x| &x[0] - &x[1]);
    let function = carry::<F> as *const ();
    check("carry", function, &[loose], carried, |x| x[0].clone());
    let function = mul::<F> as *const ();
    check("mul", function, &[loose; 2], carried, |x| &x[0] * &x[1]);
    let function = square::<F> as *const ();
    check("square", function, &[loose], carried, |x| &x[0] * &x[0]);
    let function = square_twice::<F> as *const ();
    check("square_times", function, &[loose], carried, |x| {
        let square = &x[0] * &x[0];
        &square * &square
    });
    let function = mul_121666::<F> as *const ();
    check("mul_121666", function, &[loose], carried, |x| {
        &x[0] * &Number::from(121_666)
    });
}

/// What an element is at rest: any value of four words, or one below p.
#[cfg(target_pointer_width = "64")]
fn check_packed<F: Field>(layout: &Layout) {
    let same: fn(&[Number]) -> Number = |x| x[0].clone();
    let (packed, frozen) = (layout.loose, Bounds::Value(255, -20));
    let check = |name, function, operand, result| {
        check(layout, name, function, &[operand], result, same);
    };
    let function = to_packed::<F> as *const ();
    check("to_packed", function, layout.carried, packed);
    let function = from_packed::<F> as *const ();
    check("from_packed", function, packed, layout.carried);
    let function = from_frozen::<F> as *const ();
    check("from_frozen", function, frozen, layout.carried);
}

/// What any element at rest is as bytes, read as words: the representative in [0, p).
#[cfg(target_arch = "x86_64")]
#[test]
fn representatives() {
    /// Cases that are one within the other: of each carry, and of what is compared in place of some.
    const CASES: u32 = 10;
    assert_eq!(size_of::<Packed>(), 32);
    let mut run = Run::new();
    let (at, value) = SATURATED.operand(&mut run, SATURATED.loose);
    let out = run.room(32);
    run.call(to_bytes as *const (), &[at, out]);
    run.try_cases(CASES);
    let words = [0, 8, 16, 24].map(|i| run.read(out + i, 8));
    let result = SATURATED.value(&words);
    assert!(run.is_within(&result, 0, p() - 1), "it is not below p");
    assert!(
        run.is_zero(&(&result - &value), &p()),
        "it is of another class"
    );
    // What does not hold is not shown.
    assert!(!run.is_within(&result, 0, p() - 2));
    assert!(!run.is_within(&result, 1, p() - 1));
    let one_more = &value + &Number::from(1);
    assert!(!run.is_zero(&(&result - &one_more), &p()));
}

#[cfg(target_pointer_width = "64")]
#[test]
fn five_limbs() {
    check_all::<super::radix51::Field51>(&Layout {
        limbs: 5,
        size: 8,
        weight: |i| 51 * i as u64,
        carried: Bounds::Limbs(|_| (0, (1 << 51) + (1 << 15) - 1)),
        sum: Bounds::Limbs(|_| (0, 6_822_999_999_999_999)),
        loose: Bounds::Limbs(|_| (0, (1 << 54) - 1)),
    });
}

#[cfg(target_arch = "x86_64")]
#[test]
fn four_words_with_two_carry_chains() {
    check_all::<super::adx::FieldAdx>(&SATURATED);
    check_packed::<super::adx::FieldAdx>(&SATURATED);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn four_words_with_one_carry_chain() {
    check_all::<super::adx::FieldBmi>(&SATURATED);
    check_packed::<super::adx::FieldBmi>(&SATURATED);
}

#[cfg(target_arch = "aarch64")]
#[test]
fn four_words_of_arm() {
    let layout = Layout {
        carried: Bounds::Value(255, (1 << 23) - 1),
        ..SATURATED
    };
    check_all::<super::arm::FieldArm>(&layout);
    check_packed::<super::arm::FieldArm>(&layout);
}

/// Of one whose words are full, as x86-64 has it.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const SATURATED: Layout = Layout {
    limbs: 4,
    size: 8,
    weight: |i| 64 * i as u64,
    carried: Bounds::Value(255, (1 << 11) - 1),
    sum: Bounds::Value(256, -1),
    loose: Bounds::Value(256, -1),
};

#[test]
fn ten_limbs() {
    /// Sixty-fourths of a unit, as `radix25` counts them.
    const fn below<const SIXTY_FOURTHS: i64>(i: usize) -> (i64, i64) {
        (0, (SIXTY_FOURTHS << (20 - (i & 1))) - 1)
    }
    check_all::<super::radix25::Field25>(&Layout {
        limbs: 10,
        size: 4,
        weight: |i| (51 * i as u64).div_ceil(2),
        carried: Bounds::Limbs(below::<65>),
        sum: Bounds::Limbs(below::<194>),
        loose: Bounds::Limbs(below::<194>),
    });
}

#[cfg(all(feature = "fiat", target_pointer_width = "64"))]
#[test]
fn five_limbs_of_fiat() {
    check_all::<super::fiat::FiatField51>(&Layout {
        limbs: 5,
        size: 8,
        weight: |i| 51 * i as u64,
        carried: Bounds::Limbs(|_| (0, 1 << 51)),
        sum: Bounds::Limbs(|_| (0, 3 << 51)),
        loose: Bounds::Limbs(|_| (0, 3 << 51)),
    });
}

#[cfg(feature = "fiat")]
#[test]
fn ten_limbs_of_fiat() {
    check_all::<super::fiat::FiatField25>(&Layout {
        limbs: 10,
        size: 4,
        weight: |i| (51 * i as u64).div_ceil(2),
        carried: Bounds::Limbs(|i| (0, 1 << (26 - (i & 1)))),
        sum: Bounds::Limbs(|i| (0, 3 << (26 - (i & 1)))),
        loose: Bounds::Limbs(|i| (0, 3 << (26 - (i & 1)))),
    });
}
