//! Polynomials over unknowns, with coefficients whose denominators are powers of two.

use std::collections::BTreeMap;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// The number of an unknown.
pub(crate) type Unknown = u32;

/// A product of unknowns, in ascending order; none is 1.
pub(crate) type Monomial = Vec<Unknown>;

/// The sum of the terms, over 2^`shift`. One polynomial is written in one way: no coefficient is 0, and if `shift` is not 0,
/// some coefficient is odd.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Polynomial {
    terms: BTreeMap<Monomial, BigInt>,
    shift: u64,
}

impl Polynomial {
    pub(crate) fn constant(value: impl Into<BigInt>) -> Self {
        Self::term(Vec::new(), value.into())
    }

    pub(crate) fn unknown(unknown: Unknown) -> Self {
        Self::term(vec![unknown], BigInt::one())
    }

    fn term(monomial: Monomial, coefficient: BigInt) -> Self {
        Self::of(BTreeMap::from([(monomial, coefficient)]), 0)
    }

    fn of(mut terms: BTreeMap<Monomial, BigInt>, mut shift: u64) -> Self {
        terms.retain(|_, coefficient| !coefficient.is_zero());
        let twos = |coefficient: &BigInt| coefficient.trailing_zeros().unwrap_or(0);
        let common = terms.values().map(twos).min().unwrap_or(shift).min(shift);
        if common > 0 {
            for coefficient in terms.values_mut() {
                *coefficient >>= common;
            }
            shift -= common;
        }
        Self { terms, shift }
    }

    /// The terms, and the power of two under all of them.
    pub(crate) fn terms(&self) -> (impl Iterator<Item = (&Monomial, &BigInt)>, u64) {
        (self.terms.iter(), self.shift)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value of a polynomial without unknowns.
    pub(crate) fn as_constant(&self) -> Option<BigInt> {
        match self.terms.iter().next() {
            None => Some(BigInt::zero()),
            Some((monomial, value)) if self.terms.len() == 1 && monomial.is_empty() => {
                (self.shift == 0).then(|| value.clone())
            }
            Some(_) => None,
        }
    }

    /// Times 2^`bits`.
    pub(crate) fn raised(&self, bits: u64) -> Self {
        let raise = bits.saturating_sub(self.shift);
        let terms = self.terms.iter();
        let terms = terms.map(|(monomial, coefficient)| (monomial.clone(), coefficient << raise));
        Self::of(terms.collect(), self.shift.saturating_sub(bits))
    }

    /// Over 2^`bits`.
    pub(crate) fn lowered(&self, bits: u64) -> Self {
        Self::of(self.terms.clone(), self.shift + bits)
    }

    /// Two polynomials whose sum this is: what 2^`bits` divides, whatever integers the unknowns are, and the rest.
    pub(crate) fn divisible(&self, bits: u64) -> (Self, Self) {
        if self.shift > 0 {
            return (Self::default(), self.clone());
        }
        let power = BigInt::one() << bits;
        let half = &power >> 1u8;
        let (mut divisible, mut rest) = (BTreeMap::new(), BTreeMap::new());
        for (monomial, coefficient) in &self.terms {
            // Of the two, the remainder that is nearer to 0.
            let mut below = coefficient.mod_floor(&power);
            if below > half {
                below -= &power;
            }
            divisible.insert(monomial.clone(), coefficient - &below);
            rest.insert(monomial.clone(), below);
        }
        (Self::of(divisible, 0), Self::of(rest, 0))
    }

    /// The greatest power of two that divides it, whatever integers the unknowns are.
    pub(crate) fn twos(&self) -> u64 {
        let twos = |coefficient: &BigInt| coefficient.trailing_zeros().unwrap_or(0);
        match self.shift {
            0 => self.terms.values().map(twos).min().unwrap_or(0),
            _ => 0,
        }
    }

    /// The unknowns, in ascending order.
    pub(crate) fn unknowns(&self) -> Vec<Unknown> {
        let mut unknowns: Vec<Unknown> = self.terms.keys().flatten().copied().collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        unknowns
    }

    /// The greatest unknown for which `which` holds.
    pub(crate) fn last(&self, which: impl Fn(Unknown) -> bool) -> Option<Unknown> {
        let unknowns = self.terms.keys().flatten().copied();
        unknowns.filter(|&unknown| which(unknown)).max()
    }

    /// Another polynomial in place of an unknown.
    pub(crate) fn substituted(&self, unknown: Unknown, value: &Self) -> Self {
        let mut sum = Self::default();
        let mut rest = BTreeMap::new();
        for (monomial, coefficient) in &self.terms {
            let times = monomial.iter().filter(|&&factor| factor == unknown).count();
            if times == 0 {
                rest.insert(monomial.clone(), coefficient.clone());
                continue;
            }
            let others = monomial.iter().copied();
            let others = others.filter(|&factor| factor != unknown).collect();
            let mut term = Self::of(BTreeMap::from([(others, coefficient.clone())]), self.shift);
            for _ in 0..times {
                term = &term * value;
            }
            sum = &sum + &term;
        }
        &sum + &Self::of(rest, self.shift)
    }

    /// The same where factors of products have the values that some unknowns have; `None` if there are none.
    pub(crate) fn with_factors<'a>(
        &self,
        value: impl Fn(Unknown) -> Option<&'a BigInt>,
    ) -> Option<Self> {
        let is_product = |monomial: &&Monomial| monomial.len() > 1;
        let mut factors = self.terms.keys().filter(is_product).flatten();
        factors.find(|&&unknown| value(unknown).is_some())?;
        let mut terms = BTreeMap::new();
        for (monomial, coefficient) in &self.terms {
            let mut coefficient = coefficient.clone();
            let mut others = monomial.clone();
            if is_product(&monomial) {
                others.retain(|&unknown| {
                    let value = value(unknown);
                    coefficient *= value.unwrap_or(&BigInt::one());
                    value.is_none()
                });
            }
            *terms.entry(others).or_default() += coefficient;
        }
        Some(Self::of(terms, self.shift))
    }

    /// The coefficient of an unknown that stands alone, and what is left without that term: `None` if it is also a factor
    /// of another. Over the common power of two both.
    pub(crate) fn linear_in(&self, unknown: Unknown) -> Option<(BigInt, Self)> {
        let alone = vec![unknown];
        let coefficient = self.terms.get(&alone)?.clone();
        let mut rest = self.terms.clone();
        rest.remove(&alone);
        let elsewhere = rest.keys().any(|monomial| monomial.contains(&unknown));
        (!elsewhere).then(|| (coefficient, Self::of(rest, 0)))
    }

    /// The value where unknowns have these, if all of those in it have one.
    ///
    /// # Panics
    ///
    /// It is no integer.
    #[cfg(test)]
    pub(crate) fn at(&self, values: &[Option<BigInt>]) -> Option<BigInt> {
        let mut sum = BigInt::zero();
        for (monomial, coefficient) in &self.terms {
            let mut term = coefficient.clone();
            for &unknown in monomial {
                term *= values[unknown as usize].as_ref()?;
            }
            sum += term;
        }
        let (quotient, rest) = sum.div_mod_floor(&(BigInt::one() << self.shift));
        assert!(rest.is_zero(), "a number is an integer");
        Some(quotient)
    }

    /// Whether every coefficient is divided by an odd number.
    pub(crate) fn is_multiple_of(&self, modulus: &BigInt) -> bool {
        self.terms
            .values()
            .all(|coefficient| (coefficient % modulus).is_zero())
    }
}

fn sum(a: &Polynomial, b: &Polynomial, sign: i32) -> Polynomial {
    let shift = a.shift.max(b.shift);
    let mut terms = a.raised_to(shift);
    for (monomial, coefficient) in b.raised_to(shift) {
        *terms.entry(monomial).or_default() += coefficient * sign;
    }
    Polynomial::of(terms, shift)
}

impl Polynomial {
    fn raised_to(&self, shift: u64) -> BTreeMap<Monomial, BigInt> {
        let raise = shift - self.shift;
        let terms = self.terms.iter();
        terms
            .map(|(monomial, coefficient)| (monomial.clone(), coefficient << raise))
            .collect()
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: Self) -> Polynomial {
        sum(self, other, 1)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: Self) -> Polynomial {
        sum(self, other, -1)
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;

    fn neg(self) -> Polynomial {
        sum(&Polynomial::default(), self, -1)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: Self) -> Polynomial {
        let mut terms: BTreeMap<Monomial, BigInt> = BTreeMap::new();
        for (a, of_a) in &self.terms {
            for (b, of_b) in &other.terms {
                let mut monomial = [a.as_slice(), b].concat();
                monomial.sort_unstable();
                *terms.entry(monomial).or_default() += of_a * of_b;
            }
        }
        Polynomial::of(terms, self.shift + other.shift)
    }
}
