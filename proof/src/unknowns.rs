//! What is known of unknowns: bounds, and equations between them.
//!
//! An instruction that cuts a number x in two, as an addition does that wraps around or a shift, gives a remainder r and a
//! quotient q with x = 2^k q + r. The remainder is new: nothing is known of it but that it is in [0, 2^k). The quotient is
//! (x - r) / 2^k, and where a sum of words is put together again, remainders cancel. So a chain of carries
//! is an identity of polynomials, and needs no cases.
//!
//! Bounds of a polynomial are those of its terms; but quotients that were carried on and came back must be replaced by
//! what they are, the latest first, and each of these forms has bounds, of which the tightest count. Where a carry must be
//! shown not to be, and no such form does it, its being there is assumed and bounds are tightened along all equations until
//! some unknown has no value left. And where a carry may be or not, but what is to be shown holds either way, as after a
//! modulus that is added to what is negative, each of its values is assumed in turn.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

use crate::polynomial::{Polynomial, Unknown};

/// Rounds of tightening after which a contradiction is no longer looked for.
const ROUNDS: usize = 40;

/// Carries of which either value is assumed in turn, one within the other, to show one statement.
const CASES: u32 = 6;

/// All integers from `low` to `high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: BigInt,
    pub(crate) high: BigInt,
}

impl Interval {
    pub(crate) fn new(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Self {
        let (low, high) = (low.into(), high.into());
        Self { low, high }
    }

    /// What `bits` bits hold.
    pub(crate) fn of_bits(bits: u64) -> Self {
        Self::new(0, (BigInt::one() << bits) - 1)
    }

    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.low >= other.low && self.high <= other.high
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low > self.high
    }

    fn meet(&mut self, other: Self) {
        self.low = (&self.low).max(&other.low).clone();
        self.high = (&self.high).min(&other.high).clone();
    }

    fn times(&self, other: &Self) -> Self {
        let products = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let least = products.iter().min().cloned().unwrap_or_default();
        let most = products.iter().max().cloned().unwrap_or_default();
        Self::new(least, most)
    }

    fn scaled(&self, factor: &BigInt) -> Self {
        let (a, b) = (&self.low * factor, &self.high * factor);
        if factor.is_negative() {
            Self::new(b, a)
        } else {
            Self::new(a, b)
        }
    }
}

/// A number that a program computed: as a polynomial, and between what bounds it is.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) polynomial: Polynomial,
    pub(crate) within: Interval,
}

impl Value {
    pub(crate) fn constant(value: impl Into<BigInt>) -> Self {
        let value = value.into();
        Self {
            polynomial: Polynomial::constant(value.clone()),
            within: Interval::new(value.clone(), value),
        }
    }

    pub(crate) fn as_constant(&self) -> Option<&BigInt> {
        (self.within.low == self.within.high).then_some(&self.within.low)
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self {
            polynomial: &self.polynomial + &other.polynomial,
            within: Interval::new(
                &self.within.low + &other.within.low,
                &self.within.high + &other.within.high,
            ),
        }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self {
            polynomial: &self.polynomial - &other.polynomial,
            within: Interval::new(
                &self.within.low - &other.within.high,
                &self.within.high - &other.within.low,
            ),
        }
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        Self {
            polynomial: &self.polynomial * &other.polynomial,
            within: self.within.times(&other.within),
        }
    }

    pub(crate) fn raised(&self, bits: u64) -> Self {
        Self {
            polynomial: self.polynomial.raised(bits),
            within: Interval::new(&self.within.low << bits, &self.within.high << bits),
        }
    }
}

/// Where a remainder comes from: what was cut, the quotient, and how many bits the remainder has.
#[derive(Clone, Debug)]
struct Cut {
    number: Polynomial,
    quotient: Unknown,
    bits: u64,
}

#[derive(Clone, Debug)]
struct Known {
    within: Interval,
    /// What the unknown is in terms of earlier ones and of remainders.
    definition: Option<Polynomial>,
    cut: Option<Cut>,
}

/// A polynomial that is 0, and its unknowns.
#[derive(Clone, Debug)]
struct Equation {
    zero: Polynomial,
    unknowns: Vec<Unknown>,
}

impl Equation {
    fn new(zero: Polynomial) -> Self {
        let unknowns = zero.unknowns();
        Self { zero, unknowns }
    }
}

/// What an unknown is of other numbers, for comparisons with numbers.
#[cfg(test)]
#[derive(Clone, Debug)]
pub(crate) enum Computed {
    Same(Polynomial),
    IsZero(Polynomial),
    Common(Polynomial, Polynomial),
}

/// All unknowns of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unknowns {
    all: Vec<Known>,
    equations: Vec<Equation>,
    /// The parts of numbers that were cut, by where.
    cuts: BTreeMap<Polynomial, BTreeMap<u64, (Value, Value)>>,
    /// Remainders by what they are the remainders of, without what was cut off it before, and by their bits.
    remainders: BTreeMap<(Polynomial, u64), Value>,
    /// Numbers below 0, or not, of which words without a sign are the two's complement of so many bits; and their sign.
    signed: BTreeMap<Polynomial, (Value, u64, Value)>,
    /// Numbers of which quotients are the parts above a place.
    origins: BTreeMap<Polynomial, (Value, u64)>,
    /// Where it is not only what a statement is about that cases are made of: how many are, one within the other.
    pub(crate) cases_of_any: Option<u32>,
    /// What unknowns are of which equations alone say it.
    #[cfg(test)]
    computed: BTreeMap<Unknown, Computed>,
}

impl Unknowns {
    /// An unknown of which only bounds are known.
    pub(crate) fn fresh(&mut self, within: Interval) -> Value {
        let unknown = self.add(within.clone(), None);
        Value {
            polynomial: Polynomial::unknown(unknown),
            within,
        }
    }

    /// A polynomial of which narrower bounds are known than those of its terms.
    pub(crate) fn named(&mut self, polynomial: Polynomial, within: Interval) -> Value {
        let unknown = self.add(within.clone(), Some(polynomial));
        Value {
            polynomial: Polynomial::unknown(unknown),
            within,
        }
    }

    fn add(&mut self, within: Interval, definition: Option<Polynomial>) -> Unknown {
        assert!(!within.is_empty(), "an unknown has a value");
        self.all.push(Known {
            within,
            definition,
            cut: None,
        });
        Unknown::try_from(self.all.len() - 1).expect("there are not so many")
    }

    fn known(&self, unknown: Unknown) -> &Known {
        &self.all[unknown as usize]
    }

    /// `value` = 2^`bits` q + r: q, and r in [0, 2^`bits`).
    pub(crate) fn cut(&mut self, value: &Value, bits: u64) -> (Value, Value) {
        let all = Interval::of_bits(bits);
        if bits == 0 {
            return (value.clone(), Value::constant(0));
        }
        if value.within.is_within(&all) {
            return (Value::constant(0), value.clone());
        }
        if let Some(constant) = value.as_constant() {
            let (q, r) = constant.div_mod_floor(&(BigInt::one() << bits));
            return (Value::constant(q), Value::constant(r));
        }
        if value.within.is_within(&Interval::new(-1, 0)) {
            // Either nothing or all ones: no new unknown is needed to say so.
            let mut ones = value.minus(&value.raised(bits));
            ones.within = all;
            return (value.clone(), ones);
        }
        let top = (&value.within.low + 1u8).div_mod_floor(&(BigInt::one() << bits));
        if &value.within.high - &value.within.low == BigInt::one() && top.1 == BigInt::ZERO {
            // One before a multiple of the power or that itself: the quotient goes with the number.
            let mut q = value.minus(&Value::constant(&value.within.high - &top.0));
            q.within = Interval::new(&top.0 - 1u8, top.0);
            let mut r = value.minus(&q.raised(bits));
            r.within = all;
            return (q, r);
        }
        let Interval { low, high } = &value.within;
        let room = high.bits().max((-low - 1u8).bits());
        if low.is_negative() && room < bits {
            // All bits from there on are the sign.
            let (sign, rest) = self.cut(value, room);
            let mut r = rest.plus(&sign.raised(room)).minus(&sign.raised(bits));
            r.within = all;
            let same = Value::clone(value);
            self.signed
                .insert(r.polynomial.clone(), (same, bits, sign.clone()));
            return (sign, r);
        }
        if let Some((number, width, sign)) = self.signed.get(&value.polynomial).cloned()
            && bits < width
        {
            let (q, r) = self.cut(&number, bits);
            let mut q = q.minus(&sign.raised(width - bits));
            q.within = Interval::of_bits(width - bits);
            return (q, r);
        }
        // What is divided by the power anyway does not take part.
        let (divisible, rest) = value.polynomial.divisible(bits);
        let quotient = Interval::new(&value.within.low >> bits, &value.within.high >> bits);
        if !divisible.is_zero() {
            let within = self.bounds_of_terms(&rest);
            let (above, r) = self.cut(
                &Value {
                    polynomial: rest,
                    within,
                },
                bits,
            );
            let mut q = above.plus(&Value {
                within: self.bounds_of_terms(&divisible.lowered(bits)),
                polynomial: divisible.lowered(bits),
            });
            q.within.meet(quotient);
            return (q, r);
        }
        // A remainder of an even number is even.
        let twos = value.polynomial.twos();
        if twos > 0 {
            let half = Value {
                polynomial: value.polynomial.lowered(twos),
                within: Interval::new(&value.within.low >> twos, &value.within.high >> twos),
            };
            let (q, r) = self.cut(&half, bits - twos);
            return (q, r.raised(twos));
        }
        if let Some(r) = self.constant_digits(&value.polynomial, bits) {
            let rest = value.minus(&Value::constant(r.clone()));
            let mut q = rest;
            q.polynomial = q.polynomial.lowered(bits);
            q.within = quotient;
            return (q, Value::constant(r));
        }
        let Some((number, below)) = self.origins.get(&value.polynomial).cloned() else {
            return self.cut_number(&value.polynomial, &value.within, bits);
        };
        // A quotient of another number: that one's digits.
        let digits = self.cut(&number, below + bits);
        let lowest = self.cut(&number, below).1;
        let mut r = digits.1.minus(&lowest);
        r.polynomial = r.polynomial.lowered(below);
        r.within = all;
        (digits.0, r)
    }

    /// The lowest bits of a remainder, where they are the same for all inputs: those of what was cut.
    fn constant_digits(&self, remainder: &Polynomial, bits: u64) -> Option<BigInt> {
        let unknown = remainder.last(|_| true)?;
        let cut = self.known(unknown).cut.as_ref()?;
        let (_, rest) = cut.number.divisible(bits);
        let alone = *remainder == Polynomial::unknown(unknown) && bits <= cut.bits;
        let digits = rest.as_constant().filter(|_| alone)?;
        Some(digits.mod_floor(&(BigInt::one() << bits)))
    }

    /// Cuts a number so that wherever it is cut, the parts are made of the same digits.
    fn cut_number(&mut self, number: &Polynomial, within: &Interval, bits: u64) -> (Value, Value) {
        let known = self.cuts.entry(number.clone()).or_default();
        if let Some(known) = known.get(&bits) {
            return known.clone();
        }
        let above = known
            .range(bits..)
            .next()
            .map(|(&at, cut)| (at, cut.clone()));
        let below = known
            .range(..bits)
            .next_back()
            .map(|(&at, cut)| (at, cut.clone()));
        let quotient = Interval::new(&within.low >> bits, &within.high >> bits);
        let result = if let Some((at, (q, r))) = above {
            let (middle, r) = self.cut(&r, bits);
            let mut q = q.raised(at - bits).plus(&middle);
            q.within.meet(quotient);
            (q, r)
        } else if let Some((at, (q, r))) = below {
            let (q, middle) = self.cut_anew(&q.polynomial, quotient, bits - at);
            (q, middle.raised(at).plus(&r))
        } else if quotient.low == quotient.high {
            let q = Value::constant(quotient.low);
            let mut r = Value {
                polynomial: number - &q.polynomial.raised(bits),
                within: Interval::of_bits(bits),
            };
            r.within.meet(self.bounds_of_terms(&r.polynomial));
            (q, r)
        } else {
            self.cut_anew(number, quotient, bits)
        };
        let origin = Value {
            polynomial: number.clone(),
            within: within.clone(),
        };
        self.origins
            .entry(result.0.polynomial.clone())
            .or_insert((origin, bits));
        let known = self.cuts.entry(number.clone()).or_default();
        known.insert(bits, result.clone());
        result
    }

    /// The same number but for multiples of 2^`bits`, whatever was cut off on the way to it: in place of remainders, what was cut.
    fn unwrapped(&self, number: &Polynomial, bits: u64) -> Polynomial {
        let is_whole = |number: &Polynomial| number.terms().1 == 0;
        let mut number = number.clone();
        while is_whole(&number) {
            let last = number.last(|unknown| {
                let cut = self.known(unknown).cut.as_ref();
                cut.is_some_and(|cut| cut.bits >= bits) && number.linear_in(unknown).is_some()
            });
            let cut = last.and_then(|unknown| self.known(unknown).cut.as_ref());
            let Some((remainder, cut)) = last.zip(cut) else {
                break;
            };
            number = number.substituted(remainder, &cut.number);
        }
        number.divisible(bits).1
    }

    fn cut_anew(&mut self, number: &Polynomial, quotient: Interval, bits: u64) -> (Value, Value) {
        // A sum that was made in another order, and cut in between, has the same remainder.
        let key = (self.unwrapped(number, bits), bits);
        if let Some(r) = self.remainders.get(&key).cloned() {
            let definition = (number - &r.polynomial).lowered(bits);
            let q = self.named(definition, quotient);
            let zero = &(&q.polynomial.raised(bits) + &r.polynomial) - number;
            self.equations.push(Equation::new(zero));
            return (q, r);
        }
        let (q, r) = self.cut_into_new(number, quotient, bits);
        self.remainders.insert(key, r.clone());
        (q, r)
    }

    fn cut_into_new(
        &mut self,
        number: &Polynomial,
        quotient: Interval,
        bits: u64,
    ) -> (Value, Value) {
        let r = self.fresh(Interval::of_bits(bits));
        let definition = (number - &r.polynomial).lowered(bits);
        let q = self.add(quotient.clone(), Some(definition));
        let remainder = self.all.len() - 2;
        self.all[remainder].cut = Some(Cut {
            number: number.clone(),
            quotient: q,
            bits,
        });
        let q = Value {
            polynomial: Polynomial::unknown(q),
            within: quotient,
        };
        let rest = &q.polynomial.raised(bits) + &r.polynomial;
        self.equations.push(Equation::new(&rest - number));
        let expanded = &rest - &self.expanded(number);
        self.equations.push(Equation::new(expanded));
        (q, r)
    }

    /// Without unknowns that have a definition.
    pub(crate) fn expanded(&self, polynomial: &Polynomial) -> Polynomial {
        self.forms(polynomial).last().unwrap_or_default()
    }

    /// The polynomial, and what it becomes as definitions are put in, the latest first.
    fn forms(&self, polynomial: &Polynomial) -> impl Iterator<Item = Polynomial> {
        std::iter::successors(Some(polynomial.clone()), |form| {
            let defined = |unknown| self.known(unknown).definition.is_some();
            let last = form.last(defined)?;
            let definition = self.known(last).definition.as_ref()?;
            Some(form.substituted(last, definition))
        })
    }

    /// The tightest bounds of an integer that any form gives.
    pub(crate) fn bounds(&self, polynomial: &Polynomial) -> Interval {
        let mut forms = self.forms(polynomial);
        let first = forms.next().unwrap_or_default();
        let mut bounds = self.bounds_of_terms(&first);
        for form in forms {
            bounds.meet(self.bounds_of_terms(&form));
        }
        bounds
    }

    /// A value that may be below 0, with the tightest bounds that are known.
    pub(crate) fn tightened(&self, mut value: Value) -> Value {
        if value.within.low.is_negative() {
            value.within.meet(self.bounds(&value.polynomial));
        }
        value
    }

    fn bounds_of_terms(&self, polynomial: &Polynomial) -> Interval {
        let bounds = numerators(polynomial, |unknown| self.known(unknown).within.clone());
        let (_, shift) = polynomial.terms();
        // An integer between these.
        Interval::new(-(-bounds.low >> shift), bounds.high >> shift)
    }

    /// Whether the polynomial is 0 mod `modulus`, an odd number, whatever the unknowns are within their bounds.
    pub(crate) fn vanishes(&mut self, polynomial: &Polynomial, modulus: &BigInt) -> bool {
        let cases = self.cases_of_any.unwrap_or(CASES);
        self.holds(polynomial, cases, &|_, form| form.is_multiple_of(modulus))
    }

    /// Whether an integer is within bounds, whatever the unknowns are.
    pub(crate) fn is_within(&mut self, polynomial: &Polynomial, bounds: &Interval) -> bool {
        let cases = self.cases_of_any.unwrap_or(CASES);
        self.holds(polynomial, cases, &|all, _| {
            all.bounds(polynomial).is_within(bounds)
        })
    }

    /// Whether a statement about a polynomial, told its form without definitions, is shown: as things are, or when quotients
    /// that can be one number only are written down, or for each value of some that can be one of two.
    fn holds(
        &mut self,
        polynomial: &Polynomial,
        cases: u32,
        statement: &dyn Fn(&Self, &Polynomial) -> bool,
    ) -> bool {
        let form = loop {
            let form = self.expanded(polynomial);
            if statement(self, &form) {
                return true;
            }
            if !self.settle_one_of(&form) {
                break form;
            }
        };
        let Some(unknown) = self.undecided(&form).filter(|_| cases > 0) else {
            return false;
        };
        let Interval { low, high } = self.known(unknown).within.clone();
        [low, high].iter().all(|value| {
            // A value that cannot be is no case.
            self.assuming(unknown, value)
                .is_none_or(|mut case| case.holds(polynomial, cases - 1, statement))
        })
    }

    /// The last unknown of a polynomial that has two values, or is the remainder of a number whose quotient has two: the one
    /// that has them. If there is none, and that is allowed, the first of all.
    fn undecided(&self, polynomial: &Polynomial) -> Option<Unknown> {
        let is_one = |unknown: &Unknown| {
            let Interval { low, high } = &self.known(*unknown).within;
            high - low == BigInt::one()
        };
        let of = |unknown| {
            let cut = self.known(unknown).cut.as_ref();
            let itself = Some(unknown).filter(is_one);
            itself.or(cut.map(|cut| cut.quotient).filter(is_one))
        };
        if let Some(unknown) = polynomial.last(|unknown| of(unknown).is_some()) {
            return of(unknown);
        }
        self.cases_of_any?;
        (0..self.all.len() as Unknown).find(is_one)
    }

    /// Writes down that a number has these bounds, for who knows it.
    pub(crate) fn note(&mut self, number: &Polynomial, within: Interval) {
        let same = self.fresh(within).polynomial;
        #[cfg(test)]
        self.is(&same, Computed::Same(number.clone()));
        let expanded = self.expanded(number);
        self.equations.push(Equation::new(number - &same));
        self.equations.push(Equation::new(&expanded - &same));
    }

    /// A bit that is 1 where a number, which is not negative, is 0.
    pub(crate) fn is_zero_bit(&mut self, value: &Value) -> Value {
        let bit = self.fresh(Interval::new(0, 1));
        #[cfg(test)]
        self.is(&bit.polynomial, Computed::IsZero(value.polynomial.clone()));
        let most = value.within.high.clone();
        // number + bit >= 1, and number <= most (1 - bit).
        let sum = &value.polynomial + &bit.polynomial;
        let one_or_more = self.fresh(Interval::new(1, &most + 1u8)).polynomial;
        let weighted = &bit.polynomial * &Polynomial::constant(most.clone());
        let most_or_less = self.fresh(Interval::new(0, most)).polynomial;
        self.equations.push(Equation::new(&sum - &one_or_more));
        let number_or_most = &(&value.polynomial + &weighted) - &most_or_less;
        self.equations.push(Equation::new(number_or_most));
        bit
    }

    /// Finds a remainder in the polynomial that is all that was cut, because the quotient can be one number only, and writes that
    /// down. Whether there was one.
    fn settle_one_of(&mut self, polynomial: &Polynomial) -> bool {
        polynomial
            .unknowns()
            .into_iter()
            .rev()
            .any(|remainder| self.settle(remainder))
    }

    fn settle(&mut self, remainder: Unknown) -> bool {
        let Some(cut) = self.known(remainder).cut.clone() else {
            return false;
        };
        let Some(only) = self.only_value(cut.quotient) else {
            return false;
        };
        let known = &mut self.all[remainder as usize];
        known.definition = Some(&cut.number - &Polynomial::constant(only).raised(cut.bits));
        known.cut = None;
        true
    }

    /// The only value that an unknown can have.
    pub(crate) fn only_value(&mut self, unknown: Unknown) -> Option<BigInt> {
        loop {
            let Interval { low, high } = self.known(unknown).within.clone();
            if low == high {
                return Some(low);
            }
            // Carries and borrows: more values than a few are not worth the search.
            if &high - &low > BigInt::from(3) {
                return None;
            }
            if self.is_impossible(unknown, &high) {
                self.all[unknown as usize].within.high = high - 1;
            } else if self.is_impossible(unknown, &low) {
                self.all[unknown as usize].within.low = low + 1;
            } else {
                return None;
            }
        }
    }

    /// The only value of a polynomial that is an unknown and a constant.
    pub(crate) fn only_value_of(&mut self, polynomial: &Polynomial) -> Option<BigInt> {
        let unknown = polynomial.last(|_| true)?;
        if polynomial.terms().1 > 0 {
            return None;
        }
        let (coefficient, rest) = polynomial.linear_in(unknown)?;
        let constant = rest.as_constant()?;
        Some(coefficient * self.only_value(unknown)? + constant)
    }

    /// Whether an unknown's having this value contradicts the equations.
    fn is_impossible(&self, unknown: Unknown, value: &BigInt) -> bool {
        self.bounds_assuming(unknown, value).is_none()
    }

    /// Whether two bits cannot both be 1, where each is an unknown, or what is left of 1 without one.
    pub(crate) fn are_exclusive(&self, a: &Value, b: &Value) -> bool {
        let set = |value: &Value| {
            let unknown = value.polynomial.last(|_| true)?;
            let (coefficient, rest) = value.polynomial.linear_in(unknown)?;
            let constant = rest.as_constant()?;
            // coefficient * unknown + constant = 1
            let (quotient, remainder) = (BigInt::one() - constant).div_rem(&coefficient);
            let is_whole = value.polynomial.terms().1 == 0 && remainder == BigInt::ZERO;
            is_whole.then_some((unknown, quotient))
        };
        let Some((a, b)) = set(a).zip(set(b)) else {
            return false;
        };
        self.bounds_where(&[a, b]).is_none()
    }

    /// The same unknowns where one has this value, unless that contradicts the equations.
    fn assuming(&self, unknown: Unknown, value: &BigInt) -> Option<Self> {
        let bounds = self.bounds_assuming(unknown, value)?;
        let mut case = self.clone();
        for (known, within) in case.all.iter_mut().zip(bounds) {
            known.within = within;
        }
        let known = &mut case.all[unknown as usize];
        if known.definition.is_none() {
            known.definition = Some(Polynomial::constant(value.clone()));
            known.cut = None;
        }
        Some(case)
    }

    fn bounds_assuming(&self, unknown: Unknown, value: &BigInt) -> Option<Vec<Interval>> {
        self.bounds_where(&[(unknown, value.clone())])
    }

    /// The bounds of all unknowns where some have these values, unless that contradicts the equations.
    fn bounds_where(&self, values: &[(Unknown, BigInt)]) -> Option<Vec<Interval>> {
        let mut bounds: Vec<Interval> = self.all.iter().map(|known| known.within.clone()).collect();
        for (unknown, value) in values {
            bounds[*unknown as usize].meet(Interval::new(value.clone(), value.clone()));
        }
        // When bounds changed, and when an equation was looked at: it says nothing new before one of its unknowns has changed.
        let mut changed = vec![1usize; bounds.len()];
        let mut seen = vec![0usize; self.equations.len()];
        let mut now = 1;
        for _ in 0..ROUNDS {
            let before = now;
            for (equation, seen) in self.equations.iter().zip(&mut seen) {
                let is_new = |&unknown: &Unknown| changed[unknown as usize] > *seen;
                if !equation.unknowns.iter().any(is_new) {
                    continue;
                }
                *seen = now;
                now += 1;
                for unknown in tighten(&equation.zero, &mut bounds)? {
                    changed[unknown as usize] = now;
                }
            }
            if changed.iter().all(|&at| at <= before) {
                break;
            }
        }
        Some(bounds)
    }
}

#[cfg(test)]
impl Unknowns {
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// Says what an unknown is.
    pub(crate) fn is(&mut self, unknown: &Polynomial, computed: Computed) {
        let unknown = unknown.last(|_| true).expect("it is an unknown");
        self.computed.insert(unknown, computed);
    }

    /// What all unknowns are if the first ones are these, and so many that follow are 0: where that says it.
    pub(crate) fn values(&self, first: &[u64], zeros: usize) -> Vec<Option<BigInt>> {
        let mut values: Vec<Option<BigInt>> = Vec::new();
        let given = first.iter().copied().chain(std::iter::repeat_n(0, zeros));
        values.extend(given.map(|value| Some(BigInt::from(value))));
        for (number, known) in self.all.iter().enumerate().skip(values.len()) {
            let value = match (&known.definition, &known.cut) {
                (Some(definition), _) => definition.at(&values),
                (None, Some(cut)) => cut
                    .number
                    .at(&values)
                    .map(|number| number.mod_floor(&(BigInt::one() << cut.bits))),
                (None, None) => match self.computed.get(&(number as Unknown)) {
                    Some(Computed::Same(other)) => other.at(&values),
                    Some(Computed::IsZero(other)) => {
                        let other = other.at(&values);
                        other.map(|other| BigInt::from(u8::from(other == BigInt::ZERO)))
                    }
                    Some(Computed::Common(a, b)) => {
                        a.at(&values).zip(b.at(&values)).map(|(a, b)| a & b)
                    }
                    None => None,
                },
            };
            values.push(value);
        }
        values
    }

    /// Panics unless all bounds and equations hold of these values.
    pub(crate) fn assert_holds(&self, values: &[Option<BigInt>], what: &str) {
        for (known, value) in self.all.iter().zip(values) {
            let Some(value) = value else { continue };
            let Interval { low, high } = &known.within;
            assert!(low <= value && value <= high, "{what}: bounds do not hold");
        }
        for equation in &self.equations {
            let zero = equation
                .zero
                .at(values)
                .is_none_or(|value| value == BigInt::ZERO);
            assert!(zero, "{what}: an equation does not hold");
        }
    }
}

/// The bounds of the sum of the terms, not divided.
fn numerators(polynomial: &Polynomial, within: impl Fn(Unknown) -> Interval) -> Interval {
    let (terms, _) = polynomial.terms();
    terms.fold(Interval::new(0, 0), |sum, (monomial, coefficient)| {
        let one = Interval::new(1, 1);
        let product = monomial
            .iter()
            .fold(one, |product, &unknown| product.times(&within(unknown)));
        let term = product.scaled(coefficient);
        Interval::new(sum.low + term.low, sum.high + term.high)
    })
}

/// Tightens the bounds of unknowns that stand alone in an equation: of which they became tighter, and `None` if one has no
/// value left.
fn tighten(equation: &Polynomial, bounds: &mut [Interval]) -> Option<Vec<Unknown>> {
    let mut changed = Vec::new();
    // Of a product with a factor that has one value left, the other may stand alone.
    let only = |unknown: Unknown| {
        let Interval { low, high } = &bounds[unknown as usize];
        (low == high).then_some(low)
    };
    let valued = equation.with_factors(only);
    let equation = valued.as_ref().unwrap_or(equation);
    let (terms, _) = equation.terms();
    let alone: Vec<Unknown> = terms
        .filter_map(|(monomial, _)| match monomial.as_slice() {
            [unknown] => Some(*unknown),
            _ => None,
        })
        .collect();
    for unknown in alone {
        let Some((coefficient, rest)) = equation.linear_in(unknown) else {
            continue;
        };
        // coefficient * unknown = -rest
        let rest = numerators(&rest, |unknown| bounds[unknown as usize].clone());
        let (low, high) = if coefficient.is_positive() {
            (-rest.high, -rest.low)
        } else {
            (rest.low, rest.high)
        };
        let coefficient = coefficient.abs();
        let new = Interval::new(low.div_ceil(&coefficient), high.div_floor(&coefficient));
        let old = &mut bounds[unknown as usize];
        if !old.is_within(&new) {
            old.meet(new);
            changed.push(unknown);
            if old.is_empty() {
                return None;
            }
        }
    }
    Some(changed)
}
