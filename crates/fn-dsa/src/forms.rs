//! Polynomials in the inputs of a computation, modulo a prime below 2^31: what proofs of bounds know of a residue, for
//! tests.
//!
//! Two forms are equal if and only if the polynomials are. So where a result has the form that it should, it is the right
//! residue for all inputs.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// An input; 0 is none.
pub(crate) type Unknown = u16;

/// A product of powers of at most two inputs, in ascending order; (0, 0) comes first and is no factor.
type Monomial = [(Unknown, u16); 2];

const ONE: Monomial = [(0, 0); 2];

/// A sum of terms in the order of their monomials, with coefficients in [1, p).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form(Vec<(Monomial, u32)>);

fn residue(x: i64, p: u32) -> u32 {
    x.rem_euclid(p.into()) as u32
}

fn times(a: u32, b: u32, p: u32) -> u32 {
    (u64::from(a) * u64::from(b) % u64::from(p)) as u32
}

/// Panics where a product has more than two inputs.
fn product(a: Monomial, b: Monomial) -> Monomial {
    let mut powers: Vec<(Unknown, u16)> = Vec::new();
    for (unknown, power) in a.into_iter().chain(b) {
        match powers.iter_mut().find(|(other, _)| *other == unknown) {
            Some((_, sum)) => *sum += power,
            None => powers.push((unknown, power)),
        }
    }
    powers.retain(|&(unknown, _)| unknown != 0);
    powers.resize(2, (0, 0));
    powers.sort_unstable();
    powers.try_into().expect("two inputs at most")
}

impl Form {
    pub(crate) fn constant(x: i64, p: u32) -> Self {
        Self::of(ONE, residue(x, p))
    }

    pub(crate) fn unknown(unknown: Unknown) -> Self {
        Self::power(unknown, 1)
    }

    pub(crate) fn power(unknown: Unknown, power: u16) -> Self {
        assert!(unknown != 0 && power != 0);
        Self::of([(0, 0), (unknown, power)], 1)
    }

    fn of(monomial: Monomial, coefficient: u32) -> Self {
        let mut terms = Vec::new();
        if coefficient != 0 {
            terms.push((monomial, coefficient));
        }
        Self(terms)
    }

    /// The sum of inputs times coefficients, the inputs in ascending order.
    pub(crate) fn linear(terms: impl Iterator<Item = (Unknown, u32)>) -> Self {
        Self(
            terms
                .filter(|&(_, coefficient)| coefficient != 0)
                .map(|(unknown, coefficient)| ([(0, 0), (unknown, 1)], coefficient))
                .collect(),
        )
    }

    pub(crate) fn scaled(&self, factor: i64, p: u32) -> Self {
        let factor = residue(factor, p);
        let terms = self.0.iter();
        Self(
            terms
                .map(|&(monomial, x)| (monomial, times(x, factor, p)))
                .filter(|&(_, x)| x != 0)
                .collect(),
        )
    }

    pub(crate) fn plus(&self, other: &Self, p: u32) -> Self {
        let (mut a, mut b) = (self.0.as_slice(), other.0.as_slice());
        let mut sum = Vec::with_capacity(a.len() + b.len());
        while let ([x, rest_of_a @ ..], [y, rest_of_b @ ..]) = (a, b) {
            match x.0.cmp(&y.0) {
                Ordering::Less => {
                    sum.push(*x);
                    a = rest_of_a;
                }
                Ordering::Greater => {
                    sum.push(*y);
                    b = rest_of_b;
                }
                Ordering::Equal => {
                    let coefficient = residue(i64::from(x.1) + i64::from(y.1), p);
                    if coefficient != 0 {
                        sum.push((x.0, coefficient));
                    }
                    (a, b) = (rest_of_a, rest_of_b);
                }
            }
        }
        sum.extend_from_slice(a);
        sum.extend_from_slice(b);
        Self(sum)
    }

    pub(crate) fn minus(&self, other: &Self, p: u32) -> Self {
        self.plus(&other.scaled(-1, p), p)
    }

    /// The product, of two forms that have one term, or where one is a constant.
    pub(crate) fn times(&self, other: &Self, p: u32) -> Self {
        match (self.0.as_slice(), other.0.as_slice()) {
            ([], _) | (_, []) => Self(Vec::new()),
            (&[(ONE, factor)], _) => other.scaled(factor.into(), p),
            (_, &[(ONE, factor)]) => self.scaled(factor.into(), p),
            (&[(a, x)], &[(b, y)]) => Self::of(product(a, b), times(x, y, p)),
            _ => panic!("a product of sums is not known here"),
        }
    }
}

/// x^e mod p.
pub(crate) fn power(x: u32, e: u64, p: u32) -> u32 {
    (0..64).rev().fold(1, |result, bit| {
        let square = times(result, result, p);
        if e >> bit & 1 == 1 {
            times(square, x, p)
        } else {
            square
        }
    })
}
