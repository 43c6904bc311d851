//! Inverses of large integers.

use std::vec;
use std::vec::Vec;

use num_bigint::BigInt;

use super::{Random, limbs_of, value};
use crate::keygen::gcd::{Scratch, exact_quotient, negative_inverse};

/// gcd, and the inverse of y modulo x if it is one, by Euclid.
fn euclid(x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
    let (mut a, mut b) = (x.clone(), y.clone());
    let (mut u, mut v) = (BigInt::ZERO, BigInt::from(1));
    while b != BigInt::ZERO {
        let quotient = &a / &b;
        (a, b) = (b.clone(), a - &quotient * &b);
        (u, v) = (v.clone(), u - quotient * &v);
    }
    (a, ((u % x) + x) % x)
}

/// Checks one pair of odd positive numbers of up to 31 `words` bits; whether they were coprime.
fn check(x: &BigInt, y: &BigInt, words: usize) -> bool {
    let limbs = words.div_ceil(2);
    let (a, b) = (limbs_of(x, limbs), limbs_of(y, limbs));
    let mut inverse = vec![0; limbs];
    let (mut f, mut g, mut e) = (vec![0; limbs], vec![0; limbs], vec![0; limbs]);
    let mut scratch = Scratch {
        f: &mut f,
        g: &mut g,
        e: &mut e,
    };
    let coprime = negative_inverse(&mut inverse, &a, &b, 31 * words, &mut scratch);
    let (gcd, expected) = euclid(x, y);
    assert_eq!(coprime, gcd == BigInt::from(1), "{x} {y}");
    if coprime {
        let v = value(&inverse);
        assert_eq!(v, (x - expected) % x, "{x} {y}");
        let mut quotient = vec![0; limbs];
        let mut columns = vec![0; limbs];
        exact_quotient(&mut quotient, &inverse, &b, &a, &mut columns);
        // x u - y v = 1.
        assert_eq!(x * value(&quotient) - y * &v, BigInt::from(1));
    }
    coprime
}

#[test]
fn inverses_of_adversarial_numbers() {
    let mut random = Random::new("gcd");
    let one = BigInt::from(1);
    for words in [1, 2, 3, 4, 5, 8, 14, 27, 53] {
        let bits = 31 * words;
        let largest: BigInt = (&one << (bits - 1)) - 1;
        let mut edges: Vec<BigInt> = [1, 3, 5, 12289, 3 * 12289].map(BigInt::from).to_vec();
        edges.extend([largest.clone(), &largest - 2]);
        for shift in [1, 7, 30, 31, 61, 62, 63, bits / 2, bits - 2] {
            if (2..bits - 1).contains(&shift) {
                edges.extend([(&one << shift) - 1, (&one << shift) + 1]);
            }
        }
        // Neighbours in the sequence that makes Euclid slow.
        let (mut a, mut b) = (one.clone(), one.clone());
        while b < largest {
            (a, b) = (b.clone(), a + b);
        }
        edges.push(&a | &one);
        edges.push((b - &a) | &one);
        edges.retain(|x| *x <= largest);
        let (mut yes, mut no) = (0, 0);
        for x in &edges {
            for y in &edges {
                if check(x, y, words) {
                    yes += 1
                } else {
                    no += 1
                }
            }
        }
        for _ in 0..60 {
            let mut odd = || {
                value(&random.number(words.div_ceil(2), bits as u32))
                    .magnitude()
                    .clone()
            };
            let (x, y) = (
                BigInt::from(odd() | one.magnitude()),
                BigInt::from(odd() | one.magnitude()),
            );
            let (x, y) = (x.min(largest.clone()), y.min(largest.clone()));
            if check(&x, &y, words) {
                yes += 1
            } else {
                no += 1
            }
        }
        assert!(yes > 10 && no > 5);
    }
}
