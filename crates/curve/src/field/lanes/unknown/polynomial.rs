//! Polynomials over unknowns: of degree 2 at most, with coefficients that words are made of, and of any.

use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::vec::Vec;

/// The number of an unknown; 0 is none.
pub(super) type Unknown = u32;

/// A product of at most two unknowns, in ascending order.
pub(super) type Monomial = [Unknown; 2];

pub(super) const ONE: Monomial = [0, 0];

/// The coefficients of monomials; none is 0.
pub(super) type Polynomial = BTreeMap<Monomial, i128>;

pub(super) fn constant_of(polynomial: &Polynomial) -> i128 {
    polynomial.get(&ONE).copied().unwrap_or(0)
}

pub(super) fn is_constant(polynomial: &Polynomial) -> bool {
    polynomial.keys().all(|monomial| *monomial == ONE)
}

pub(super) fn without_constant(polynomial: &Polynomial) -> Polynomial {
    let mut rest = polynomial.clone();
    rest.remove(&ONE);
    rest
}

pub(super) fn degree(polynomial: &Polynomial) -> usize {
    let degree = |monomial: &Monomial| monomial.iter().filter(|&&unknown| unknown != 0).count();
    polynomial.keys().map(degree).max().unwrap_or(0)
}

/// a + factor b.
pub(super) fn sum(a: &Polynomial, b: &Polynomial, factor: i128) -> Polynomial {
    let mut sum = a.clone();
    for (monomial, coefficient) in b {
        let term = coefficient.checked_mul(factor).expect("128 bits");
        let place = sum.entry(*monomial).or_insert(0);
        *place = place.checked_add(term).expect("128 bits");
    }
    sum.retain(|_, coefficient| *coefficient != 0);
    sum
}

pub(super) fn product(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut product = Polynomial::new();
    for (&[x, y], of_a) in a {
        for (&[z, w], of_b) in b {
            let mut factors = [x, y, z, w];
            factors.sort_unstable();
            let [0, 0, first, second] = factors else {
                panic!("a product of more than two unknowns");
            };
            let term = of_a.checked_mul(*of_b).expect("128 bits");
            let place = product.entry([first, second]).or_insert(0);
            *place = place.checked_add(term).expect("128 bits");
        }
    }
    product.retain(|_, coefficient| *coefficient != 0);
    product
}

/// Terms that 2^`bits` divides, divided, and the others.
pub(super) fn divisible(polynomial: &Polynomial, bits: u32) -> (Polynomial, Polynomial) {
    let (mut divided, mut rest) = (Polynomial::new(), Polynomial::new());
    for (&monomial, &coefficient) in polynomial {
        let below = match monomial {
            ONE => coefficient & ((1 << bits) - 1),
            _ if coefficient.trailing_zeros() >= bits => 0,
            _ => coefficient,
        };
        let above = (coefficient - below) >> bits;
        for (polynomial, part) in [(&mut divided, above), (&mut rest, below)] {
            if part != 0 {
                polynomial.insert(monomial, part);
            }
        }
    }
    (divided, rest)
}

/// A polynomial of any degree.
pub(super) type Big = BTreeMap<Vec<Unknown>, BigInt>;

pub(super) fn big(polynomial: &Polynomial) -> Big {
    let term = |(monomial, &coefficient): (&Monomial, &i128)| {
        let factors = monomial.iter().copied().filter(|&unknown| unknown != 0);
        (factors.collect(), BigInt::from(coefficient))
    };
    polynomial.iter().map(term).collect()
}

pub(super) fn add_to(sum: &mut Big, terms: Big) {
    for (monomial, coefficient) in terms {
        *sum.entry(monomial).or_default() += coefficient;
    }
    sum.retain(|_, coefficient| *coefficient != BigInt::ZERO);
}

pub(super) fn big_product(a: &Big, b: &Big) -> Big {
    let mut product = Big::new();
    for (x, of_a) in a {
        for (y, of_b) in b {
            let mut monomial = [x.as_slice(), y].concat();
            monomial.sort_unstable();
            *product.entry(monomial).or_default() += of_a * of_b;
        }
    }
    product
}
