//! Integers that stand for all integers within bounds.
//!
//! A number is a polynomial in unknowns, of degree 2 at most, and has bounds: the tighter ones of those that its
//! operation gives, those of the polynomial's terms, and those that are written down for the polynomial. So what cancels, as in
//! Karatsuba's products, cancels.
//!
//! What is cut in two, as by a shift or a mask, is x = low + 2^k high with two new unknowns, the same whenever x is cut there
//! again; what is rounded is x = rest + 2^k multiple, with half of 2^k as the bound of the rest. That `low` is x - 2^k high is
//! its definition: it is put in when the classes of two numbers are compared, where what is over must vanish whatever it is.

use super::polynomial::{
    Big, Monomial, ONE, Polynomial, Unknown, add_to, big, big_product, constant_of, degree,
    divisible, is_constant, product, sum, without_constant,
};
use num_bigint::BigInt;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::thread_local;
use std::vec::Vec;

/// A number, as vectors hold it. A vector is plain data, and so cannot own more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Known(i128),
    /// One that is written down.
    Of(u32),
}

/// What is known of a number.
#[derive(Clone)]
struct Value {
    polynomial: Rc<Polynomial>,
    /// Both included.
    low: i128,
    high: i128,
}

struct Bounds {
    low: i128,
    high: i128,
    /// What the unknown is, in terms of those before it.
    definition: Option<Rc<Polynomial>>,
}

#[derive(Default)]
struct All {
    values: Vec<Value>,
    /// Of unknown i + 1.
    unknowns: Vec<Bounds>,
    /// Low and high parts of what was cut, by where.
    cuts: BTreeMap<(Rc<Polynomial>, u32), (Number, Number)>,
    /// The multiples to which numbers were rounded.
    rounded: BTreeMap<(Rc<Polynomial>, u32), Number>,
    names: BTreeMap<Rc<Polynomial>, Number>,
    /// Bounds of polynomials without their constant.
    written: BTreeMap<Polynomial, (i128, i128)>,
}

thread_local! {
    static ALL: RefCell<All> = RefCell::default();
}

/// Forgets all numbers.
pub(crate) fn forget() {
    ALL.with_borrow_mut(|all| *all = All::default());
}

/// The least and the greatest of the products of ends.
fn times((a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    let products = [
        a.checked_mul(c)?,
        a.checked_mul(d)?,
        b.checked_mul(c)?,
        b.checked_mul(d)?,
    ];
    Some((*products.iter().min()?, *products.iter().max()?))
}

impl All {
    fn of_unknown(&self, unknown: Unknown) -> (i128, i128) {
        match unknown {
            0 => (1, 1),
            _ => {
                let bounds = &self.unknowns[unknown as usize - 1];
                (bounds.low, bounds.high)
            }
        }
    }

    /// The bounds of the sum of terms, unless they have no room.
    fn of_terms(&self, polynomial: &Polynomial) -> Option<(i128, i128)> {
        let mut sum = (0i128, 0i128);
        for (&[x, y], &coefficient) in polynomial {
            let (a, b) = (self.of_unknown(x), self.of_unknown(y));
            let mut term = times(a, b)?;
            if x == y && a.0 < 0 && a.1 > 0 {
                // A square.
                term.0 = 0;
            }
            let term = times(term, (coefficient, coefficient))?;
            sum = (sum.0.checked_add(term.0)?, sum.1.checked_add(term.1)?);
        }
        Some(sum)
    }

    /// Bounds of a polynomial that hold whatever else is known of it.
    fn bounds(&self, polynomial: &Polynomial) -> Option<(i128, i128)> {
        let terms = self.of_terms(polynomial);
        let constant = constant_of(polynomial);
        let written = self.written.get(&without_constant(polynomial));
        let written = written.map(|(low, high)| (low + constant, high + constant));
        match (terms, written) {
            (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.min(b.1))),
            (one, other) => one.or(other),
        }
    }

    fn unknown(&mut self, low: i128, high: i128, definition: Option<Rc<Polynomial>>) -> Number {
        assert!(low <= high, "an unknown has a value");
        self.unknowns.push(Bounds {
            low,
            high,
            definition,
        });
        let unknown = Unknown::try_from(self.unknowns.len()).expect("there are not so many");
        let polynomial = Rc::new(Polynomial::from([([0, unknown], 1)]));
        self.add(polynomial, low, high)
    }

    fn add(&mut self, polynomial: Rc<Polynomial>, low: i128, high: i128) -> Number {
        self.values.push(Value {
            polynomial,
            low,
            high,
        });
        Number::Of(u32::try_from(self.values.len() - 1).expect("there are not so many"))
    }

    /// A number of which these bounds are known.
    fn number(&mut self, polynomial: Polynomial, (low, high): (i128, i128)) -> Number {
        if is_constant(&polynomial) {
            return Number::Known(constant_of(&polynomial));
        }
        let (mut low, mut high) = (low, high);
        if let Some(bounds) = self.bounds(&polynomial) {
            (low, high) = (low.max(bounds.0), high.min(bounds.1));
        }
        assert!(low <= high, "a number has a value");
        self.add(Rc::new(polynomial), low, high)
    }

    fn value(&self, number: Number) -> Value {
        match number {
            Number::Known(constant) => Value {
                polynomial: Rc::new(match constant {
                    0 => Polynomial::new(),
                    _ => Polynomial::from([(ONE, constant)]),
                }),
                low: constant,
                high: constant,
            },
            Number::Of(index) => self.values[index as usize].clone(),
        }
    }

    /// The number as an unknown of its own.
    fn named(&mut self, number: Number) -> Number {
        let Value {
            polynomial,
            low,
            high,
        } = self.value(number);
        if let Some(&name) = self.names.get(&polynomial) {
            return name;
        }
        let name = self.unknown(low, high, Some(polynomial.clone()));
        self.names.insert(polynomial, name);
        name
    }

    /// The number, as an unknown of its own if its degree is more than 1.
    fn factor(&mut self, number: Number) -> Value {
        let value = self.value(number);
        if degree(&value.polynomial) > 1 {
            let name = self.named(number);
            return self.value(name);
        }
        value
    }

    fn cut(&mut self, number: Number, bits: u32) -> (Number, Number) {
        let Value {
            polynomial,
            low,
            high,
        } = self.value(number);
        let mask = (1i128 << bits) - 1;
        if low >> bits == high >> bits {
            let above = low >> bits;
            let constant = Polynomial::from([(ONE, above << bits)]);
            let below = sum(&polynomial, &constant, -1);
            let below = self.number(below, (low & mask, high & mask));
            return (below, Number::Known(above));
        }
        let (divided, rest) = divisible(&polynomial, bits);
        if let Some(bounds) = self.bounds(&rest)
            && bounds.0 >= 0
            && bounds.1 <= mask
        {
            let above = self.number(divided, (low >> bits, high >> bits));
            return (self.number(rest, bounds), above);
        }
        let key = (polynomial.clone(), bits);
        if let Some(&parts) = self.cuts.get(&key) {
            return parts;
        }
        let above = self.unknown(low >> bits, high >> bits, None);
        let definition = sum(&polynomial, &self.value(above).polynomial, -(1 << bits));
        let constant = constant_of(&definition);
        self.written
            .insert(without_constant(&definition), (-constant, mask - constant));
        let below = self.unknown(0, mask, Some(Rc::new(definition)));
        self.cuts.insert(key, (below, above));
        (below, above)
    }

    fn rounded(&mut self, number: Number, bits: u32) -> Number {
        let Value {
            polynomial,
            low,
            high,
        } = self.value(number);
        let key = (polynomial.clone(), bits);
        if let Some(&multiple) = self.rounded.get(&key) {
            return multiple;
        }
        let half = 1i128 << (bits - 1);
        // Halfway either may be the nearest.
        let multiple = self.unknown(-((half - low) >> bits), (high + half) >> bits, None);
        let rest = sum(&polynomial, &self.value(multiple).polynomial, -(1 << bits));
        let constant = constant_of(&rest);
        self.written
            .insert(without_constant(&rest), (-half - constant, half - constant));
        self.rounded.insert(key, multiple);
        multiple
    }

    /// Definitions put in, the latest first.
    fn expanded(&self, mut polynomial: Big) -> Big {
        let last = |polynomial: &Big| {
            let unknowns = polynomial.keys().flatten().copied();
            unknowns
                .filter(|&unknown| self.unknowns[unknown as usize - 1].definition.is_some())
                .max()
        };
        while let Some(unknown) = last(&polynomial) {
            let definition = self.unknowns[unknown as usize - 1].definition.as_ref();
            let definition = big(definition.expect("it has one"));
            let mut next = Big::new();
            for (monomial, coefficient) in polynomial {
                let count = monomial.iter().filter(|&&factor| factor == unknown).count();
                let others = monomial.into_iter().filter(|&factor| factor != unknown);
                let mut term = Big::from([(others.collect(), coefficient)]);
                for _ in 0..count {
                    term = big_product(&term, &definition);
                }
                add_to(&mut next, term);
            }
            polynomial = next;
        }
        polynomial
    }
}

/// A number of any size: what limbs stand for.
#[derive(Clone, Default)]
pub(crate) struct Integer(Big);

impl Integer {
    /// The sum of numbers, each with its weight, a power of two.
    pub(crate) fn sum(terms: impl IntoIterator<Item = (Number, u32)>) -> Self {
        let mut sum = Big::new();
        for (number, weight) in terms {
            let mut term = ALL.with_borrow(|all| big(&all.value(number).polynomial));
            for coefficient in term.values_mut() {
                *coefficient <<= weight;
            }
            add_to(&mut sum, term);
        }
        Self(sum)
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.0.clone();
        add_to(&mut sum, other.0.clone());
        Self(sum)
    }

    pub(crate) fn scaled(&self, factor: i32) -> Self {
        let mut scaled = self.0.clone();
        for coefficient in scaled.values_mut() {
            *coefficient *= factor;
        }
        Self(scaled)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.scaled(-1))
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        Self(big_product(&self.0, &other.0))
    }

    /// Whether it is 0 modulo 2^255 - 19, whatever the unknowns are.
    pub(crate) fn vanishes(&self) -> bool {
        let p: BigInt = (BigInt::from(1) << 255u32) - 19;
        let expanded = ALL.with_borrow(|all| all.expanded(self.0.clone()));
        expanded
            .values()
            .all(|coefficient| coefficient % &p == BigInt::ZERO)
    }
}

impl Number {
    /// Any integer within bounds, both included.
    pub(crate) fn unknown(low: i128, high: i128) -> Self {
        ALL.with_borrow_mut(|all| all.unknown(low, high, None))
    }

    /// The bounds, both included.
    pub(crate) fn bounds(self) -> (i128, i128) {
        ALL.with_borrow(|all| {
            let value = all.value(self);
            (value.low, value.high)
        })
    }

    pub(crate) fn is_within(self, low: i128, high: i128) -> bool {
        let bounds = self.bounds();
        low <= bounds.0 && bounds.1 <= high
    }

    /// Writes down that a polynomial is at most that: what is asked of several inputs together.
    pub(crate) fn is_at_most(self, high: i128) {
        ALL.with_borrow_mut(|all| {
            let value = all.value(self);
            let constant = constant_of(&value.polynomial);
            let bounds = (value.low - constant, high - constant);
            all.written
                .insert(without_constant(&value.polynomial), bounds);
        });
    }

    fn combined(self, other: Self, factor: i128) -> Self {
        ALL.with_borrow_mut(|all| {
            let (a, b) = (all.value(self), all.value(other));
            let ends = times((b.low, b.high), (factor, factor)).expect("128 bits");
            let polynomial = sum(&a.polynomial, &b.polynomial, factor);
            all.number(polynomial, (a.low + ends.0, a.high + ends.1))
        })
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        self.combined(other, 1)
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        self.combined(other, -1)
    }

    /// A difference of limbs has a name of its own, so that a product with it has one term, whose bounds are tight.
    pub(crate) fn minus_named(self, other: Self) -> Self {
        let difference = self.minus(other);
        ALL.with_borrow_mut(|all| {
            let polynomial = all.value(difference).polynomial;
            let negative =
                |(monomial, coefficient): (&Monomial, &i128)| *monomial != ONE && *coefficient < 0;
            if degree(&polynomial) == 1 && polynomial.iter().any(negative) {
                all.named(difference)
            } else {
                difference
            }
        })
    }

    pub(crate) fn times(self, other: Self) -> Self {
        ALL.with_borrow_mut(|all| {
            let (mut a, mut b) = (all.value(self), all.value(other));
            if degree(&a.polynomial) + degree(&b.polynomial) > 2 {
                (a, b) = (all.factor(self), all.factor(other));
            }
            let bounds = times((a.low, a.high), (b.low, b.high)).expect("128 bits");
            all.number(product(&a.polynomial, &b.polynomial), bounds)
        })
    }

    /// Times 2^`bits`.
    pub(crate) fn shifted(self, bits: u32) -> Self {
        Number::Known(0).combined(self, 1 << bits)
    }

    /// The number modulo 2^`bits`, and what it is divided by that, rounded down.
    pub(crate) fn cut(self, bits: u32) -> (Self, Self) {
        ALL.with_borrow_mut(|all| all.cut(self, bits))
    }

    /// The nearest multiple of 2^`bits`, divided by that.
    pub(crate) fn rounded(self, bits: u32) -> Self {
        ALL.with_borrow_mut(|all| all.rounded(self, bits))
    }

    /// One of two.
    pub(crate) fn either(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let (a, b) = (self.bounds(), other.bounds());
        Self::unknown(a.0.min(b.0), a.1.max(b.1))
    }

    /// The greatest power of two that divides it, whatever the unknowns are; 127 of 0.
    pub(crate) fn twos(self) -> u32 {
        ALL.with_borrow(|all| {
            let polynomial = all.value(self).polynomial;
            let twos = polynomial
                .values()
                .map(|coefficient| coefficient.trailing_zeros());
            twos.min().unwrap_or(127)
        })
    }

    /// Divided by 2^`bits`, which divides it.
    pub(crate) fn divided(self, bits: u32) -> Self {
        assert!(self.twos() >= bits, "it is no multiple");
        ALL.with_borrow_mut(|all| {
            let value = all.value(self);
            let (divided, _) = divisible(&value.polynomial, bits);
            all.number(divided, (value.low >> bits, value.high >> bits))
        })
    }
}

/// Panics where a number has no room.
pub(crate) fn fitting(what: &str, number: Number, low: i128, high: i128) -> Number {
    let bounds = number.bounds();
    assert!(
        low <= bounds.0 && bounds.1 <= high,
        "{what} has no room: {} to {}",
        bounds.0,
        bounds.1
    );
    number
}
