//! What the transforms and the residue number system compute, for all inputs: their code run on lanes that hold unknowns
//! instead of words.
//!
//! A lane has bounds, and what it is modulo a prime as a polynomial in the inputs ([`Form`]). An operation whose operands may be
//! outside of what the trait `U32` asks for ends the run, and so does a sum that may wrap. What the trait promises is what
//! lanes get: that an instruction set keeps the promise is tested in lanner-simd, with words near the ends of the ranges.
//!
//! Shown, for each prime, every degree and every number of lanes that an instruction set has (1 and 8): no word wraps, all residues are canonical after every
//! layer, and the results are the values, coefficients and digits that they should be.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use std::cell::RefCell;
use std::thread_local;

use lanner_simd::{Portable, U32};

use super::{backward, forward};
use crate::forms::{Form, Unknown, power};
use crate::keygen::mp31::{PRIME_COUNT, PRIME_Q, PRIMES, Prime, fill_table, mixed_radix};

thread_local! {
    /// The values that lanes name: vectors and memory hold words.
    static VALUES: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
}

/// Words from here on name values. No constant of a prime is among them.
const FIRST: u32 = 0xff00_0000;

/// What is known of a word, or of a number in two's complement.
#[derive(Clone)]
struct Value {
    /// Both included.
    low: i64,
    high: i64,
    /// What it is modulo which prime.
    form: Option<(u32, Rc<Form>)>,
    /// What stands for it modulo other primes: an input, since it was first asked for.
    input: Option<Unknown>,
}

fn named(low: i64, high: i64, form: Option<(u32, Rc<Form>)>) -> u32 {
    VALUES.with_borrow_mut(|values| {
        let input = None;
        values.push(Value {
            low,
            high,
            form,
            input,
        });
        let word = FIRST + (values.len() - 1) as u32;
        assert!(word >= FIRST, "there are not so many");
        word
    })
}

fn value(word: u32) -> Value {
    if word < FIRST {
        let (low, high) = (word.into(), word.into());
        return Value {
            low,
            high,
            form: None,
            input: None,
        };
    }
    VALUES.with_borrow(|values| values[(word - FIRST) as usize].clone())
}

fn constant(word: u32) -> u32 {
    assert!(word < FIRST, "a constant");
    word
}

/// What a word is modulo p.
fn form(word: u32, p: u32) -> Rc<Form> {
    if word < FIRST {
        return Rc::new(Form::constant(word.into(), p));
    }
    VALUES.with_borrow_mut(|values| {
        let at = (word - FIRST) as usize;
        match &values[at].form {
            Some((modulus, form)) if *modulus == p => Rc::clone(form),
            _ => {
                let last = values.iter().filter_map(|value| value.input).max();
                let new = last.unwrap_or(FIRST_OF_OTHERS) + 1;
                Rc::new(Form::unknown(*values[at].input.get_or_insert(new)))
            }
        }
    })
}

/// Inputs above are numbers modulo other primes.
const FIRST_OF_OTHERS: Unknown = 30_000;

/// A sum or a difference, modulo the prime that either is known of.
fn combined(a: u32, b: u32, low: i64, high: i64, f: impl Fn(&Form, &Form, u32) -> Form) -> u32 {
    let modulus = |word| value(word).form.map(|(p, _)| p);
    let known = modulus(a).or(modulus(b));
    let form = known.map(|p| (p, Rc::new(f(&form(a, p), &form(b, p), p))));
    named(low, high, form)
}

/// `N` unknowns side by side.
#[derive(Clone, Copy)]
struct Lanes<const N: usize>([u32; N]);

impl<const N: usize> Lanes<N> {
    fn zip(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    /// Each with new bounds, where its own are within some.
    fn within(
        self,
        p: Self,
        range: impl Fn(i64) -> (i64, i64),
        new: impl Fn(i64) -> (i64, i64),
    ) -> Self {
        self.zip(p, |word, p| {
            let old = value(word);
            let p = i64::from(constant(p));
            let (least, most) = range(p);
            assert!(
                least <= old.low && old.high <= most,
                "{} to {} is not within {least} to {most}",
                old.low,
                old.high
            );
            let (low, high) = new(p);
            named(low, high, Some((p as u32, form(word, p as u32))))
        })
    }
}

impl<const N: usize> U32 for Lanes<N> {
    const LANES: usize = N;

    fn splat(word: u32) -> Self {
        Self([word; N])
    }

    fn load(words: &[u32]) -> Self {
        Self(from_fn(|i| words[i]))
    }

    fn store(self, words: &mut [u32]) {
        words[..N].copy_from_slice(&self.0);
    }

    fn unzip(a: Self, b: Self, t: usize) -> (Self, Self) {
        let words = [a.0, b.0];
        let words = words.as_flattened();
        let place = |i: usize, half: usize| i / t * 2 * t + half * t + i % t;
        let half = |half| Self(from_fn(|i| words[place(i, half)]));
        (half(0), half(1))
    }

    fn zip(first: Self, second: Self, t: usize) -> (Self, Self) {
        let halves = [first.0, second.0];
        let word = |i: usize| halves[i / t % 2][i / (2 * t) * t + i % t];
        (Self(from_fn(word)), Self(from_fn(|i| word(N + i))))
    }

    fn spread(words: &[u32], t: usize) -> Self {
        Self(from_fn(|i| words[i / t]))
    }

    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let (x, y) = (value(a), value(b));
            let (low, high) = (x.low + y.low, x.high + y.high);
            assert!(0 <= low && high < 1 << 32, "a sum wraps: {low} to {high}");
            combined(a, b, low, high, Form::plus)
        })
    }

    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let (x, y) = (value(a), value(b));
            let (low, high) = (x.low - y.high, x.high - y.low);
            let fits = i32::try_from(low).is_ok() && i32::try_from(high).is_ok();
            assert!(fits, "a difference wraps: {low} to {high}");
            combined(a, b, low, high, Form::minus)
        })
    }

    fn subtract_once(self, p: Self) -> Self {
        self.within(p, |p| (0, 2 * p - 1), |p| (0, p - 1))
    }

    fn add_to_negative(self, p: Self) -> Self {
        self.within(p, |p| (1 - p, p - 1), |p| (0, p - 1))
    }

    fn subtract_from_upper_half(self, p: Self) -> Self {
        self.within(p, |p| (0, p - 1), |p| (p / 2 + 1 - p, p / 2))
    }

    fn difference_of_halves(self, other: Self, p: Self, inverse: Self) -> Self {
        Self(from_fn(|i| {
            let (a, b, p) = (self.0[i], other.0[i], constant(p.0[i]));
            let inverse = constant(inverse.0[i]);
            assert_eq!(
                p.wrapping_mul(inverse),
                1,
                "the low halves are not the same"
            );
            let (x, y) = (value(a), value(b));
            assert!(x.low >= 0 && y.low >= 0, "a factor may be negative");
            let most = i128::from(x.high) * i128::from(y.high);
            assert!(most < i128::from(p) << 32, "a product is too large");
            let down = power(((1_u64 << 32) % u64::from(p)) as u32, u64::from(p) - 2, p);
            let product = form(a, p).times(&form(b, p), p).scaled(down.into(), p);
            let p = i64::from(p);
            named(1 - p, p - 1, Some((p as u32, Rc::new(product))))
        }))
    }
}

/// n residues modulo p, numbered from `first`.
fn unknowns(n: usize, first: usize, p: u32) -> Vec<u32> {
    let form = |i| Rc::new(Form::unknown((first + i) as Unknown));
    let unknown = |i| named(0, i64::from(p) - 1, Some((p, form(i))));
    (0..n).map(unknown).collect()
}

/// Residues modulo p are canonical and have these forms; then all are forgotten.
fn expect(words: &[u32], p: u32, expected: impl Fn(usize) -> Form) {
    for (i, &word) in words.iter().enumerate() {
        let value = value(word);
        let canonical = 0 <= value.low && value.high < p.into();
        assert!(canonical, "slot {i}: {} to {}", value.low, value.high);
        assert!(*form(word, p) == expected(i), "slot {i} is another number");
    }
    VALUES.with_borrow_mut(Vec::clear);
}

fn transforms<const N: usize>(prime: &Prime, table: &[u32]) {
    let p = prime.p;
    let plain = |x: u32| prime.mul(x, 1);
    for logn in 0..=10_u32 {
        let n = 1_usize << logn;
        if N > 1 && n / 2 < N {
            continue;
        }
        // w^((2 rev(slot) + 1) j), for w with w^n = -1.
        let w = power(plain(table[512]), 1024 >> logn, p);
        let powers: Vec<u32> = (0..2 * n).map(|e| power(w, e as u64, p)).collect();
        let exponent = |slot: usize, j: usize| {
            let reversed = if n == 1 {
                0
            } else {
                slot.reverse_bits() >> (usize::BITS - logn)
            };
            (2 * reversed + 1) * j % (2 * n)
        };

        let mut a = unknowns(n, 1, p);
        forward::<Lanes<N>>(&mut a, table, prime);
        expect(&a, p, |slot| {
            Form::linear((0..n).map(|j| ((j + 1) as Unknown, powers[exponent(slot, j)])))
        });

        let mut a = unknowns(n, 1, p);
        backward::<Lanes<N>>(&mut a, table, prime);
        expect(&a, p, |j| {
            let inverse = |slot| powers[(2 * n - exponent(slot, j)) % (2 * n)];
            Form::linear((0..n).map(|slot| ((slot + 1) as Unknown, inverse(slot))))
        });
    }
}

#[test]
fn transforms_of_all_residues() {
    for prime in PRIMES.iter().chain([&PRIME_Q]) {
        assert!(prime.inverse < FIRST);
        let mut table = [0; 1024];
        fill_table::<Portable>(prime, &mut table);
        transforms::<1>(prime, &table);
        transforms::<8>(prime, &table);
    }
}

fn digits<const N: usize>() {
    let mut lines = Vec::new();
    for (j, prime) in PRIMES.iter().enumerate() {
        lines.extend(unknowns(N, 1 + j * N, prime.p));
    }
    mixed_radix::<Lanes<N>>(&mut lines, N, PRIME_COUNT);
    for lane in 0..N {
        for (j, prime) in PRIMES.iter().enumerate() {
            // d_0 + p_0 (d_1 + p_1 (…)) is the residue, modulo each prime.
            let p = prime.p;
            let mut sum = Form::constant(0, p);
            let mut weight = 1;
            for (digit, of) in lines[lane..].iter().step_by(N).zip(&PRIMES[..=j]) {
                let known = value(*digit);
                assert!(0 <= known.low && known.high < of.p.into());
                sum = sum.plus(&form(*digit, p).scaled(weight, p), p);
                weight = weight * i64::from(of.p) % i64::from(p);
            }
            assert!(sum == Form::unknown((1 + j * N + lane) as Unknown));
        }
    }
    VALUES.with_borrow_mut(Vec::clear);
}

#[test]
fn digits_of_all_residues() {
    digits::<1>();
    digits::<8>();
}

fn two(low: i64, high: i64) -> [Lanes<1>; 2] {
    [(); 2].map(|()| Lanes([named(low, high, None)]))
}

#[test]
#[should_panic(expected = "a sum wraps")]
fn a_sum_that_may_wrap_is_seen() {
    let [a, b] = two(0, 1 << 31);
    let _ = a.add(b);
}

#[test]
#[should_panic(expected = "is not within")]
fn a_residue_that_may_stay_too_large_is_seen() {
    let [a, _] = two(0, 2 * 12289);
    let _ = a.subtract_once(U32::splat(12289));
}

#[test]
#[should_panic(expected = "a product is too large")]
fn a_product_that_may_be_too_large_is_seen() {
    let [a, b] = two(0, (1 << 32) - 1);
    let p = U32::splat(PRIMES[0].p);
    let _ = a.difference_of_halves(b, p, U32::splat(PRIMES[0].inverse));
}

#[test]
#[should_panic(expected = "slot 0 is another number")]
fn another_number_is_seen() {
    let words = vec![named(0, 5, Some((7, Rc::new(Form::unknown(1)))))];
    expect(&words, 7, |_| Form::unknown(2));
}
