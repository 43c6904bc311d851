//! Words: what a register or a place in memory holds, and the instructions' arithmetic on them.

use num_bigint::BigInt;
use num_traits::{One, Signed};

#[cfg(test)]
use crate::unknowns::Computed;
use crate::unknowns::{Interval, Unknowns, Value};

/// A number modulo a power of two, which the place that holds it gives.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// Not negative, and below the power.
    unsigned: Value,
    /// In two's complement; as the other one where that is below half the power, and nobody asked.
    signed: Option<Value>,
}

/// A word, and what went over: 1 or 0, for a carry or a borrow.
pub(crate) struct Sum {
    pub(crate) word: Word,
    pub(crate) over: Value,
    /// Whether it is right in two's complement for all inputs.
    pub(crate) fits_signed: bool,
}

fn signed_range(bits: u64) -> Interval {
    let half = BigInt::one() << (bits - 1);
    Interval::new(-&half, half - 1)
}

impl Word {
    pub(crate) fn constant(value: impl Into<BigInt>) -> Self {
        Self {
            unsigned: Value::constant(value),
            signed: None,
        }
    }

    /// The word of a number that it has room for, in two's complement if that is negative.
    pub(crate) fn of(value: Value, bits: u64, all: &mut Unknowns) -> Self {
        if value.within.is_within(&Interval::of_bits(bits)) {
            return Self {
                unsigned: value,
                signed: None,
            };
        }
        let (_, unsigned) = all.cut(&value, bits);
        Self::of_both(unsigned, Some(value), bits)
    }

    pub(crate) fn unsigned(&self) -> &Value {
        &self.unsigned
    }

    /// The number that sums are made of: with its sign, where it has one.
    pub(crate) fn number(&self) -> &Value {
        self.signed.as_ref().unwrap_or(&self.unsigned)
    }

    pub(crate) fn as_constant(&self) -> Option<&BigInt> {
        self.unsigned.as_constant()
    }

    /// The number in two's complement, if there is one without cutting.
    fn as_signed(&self, bits: u64) -> Option<Value> {
        let range = signed_range(bits);
        if let Some(constant) = self.as_constant()
            && *constant > range.high
        {
            return Some(Value::constant(constant - (BigInt::one() << bits)));
        }
        let plain = self.unsigned.within.is_within(&range);
        let signed = self.signed.as_ref().or(plain.then_some(&self.unsigned));
        signed.cloned()
    }

    pub(crate) fn signed(&self, bits: u64, all: &mut Unknowns) -> Value {
        if let Some(value) = self.as_signed(bits) {
            return value;
        }
        let (negative, rest) = all.cut(&self.unsigned, bits - 1);
        let mut value = rest.minus(&negative.raised(bits - 1));
        value.within = signed_range(bits);
        value
    }

    /// A bit that says in which of two ways all other bits are.
    fn as_mask(&self) -> Option<Value> {
        let value = self.signed.as_ref()?;
        let mask = value.within.is_within(&Interval::new(-1, 0));
        mask.then(|| Value::constant(0).minus(value))
    }

    /// The product of two that are one bit each.
    fn and_bit(&self, other: &Self) -> Option<Self> {
        let bit = Interval::of_bits(1);
        let bits = [self, other].map(|word| word.unsigned.within.is_within(&bit));
        (bits == [true; 2]).then(|| Self {
            unsigned: self.unsigned.times(&other.unsigned),
            signed: None,
        })
    }

    /// The lowest bits, with the sign if they have room for it.
    pub(crate) fn narrowed(&self, from: u64, bits: u64, all: &mut Unknowns) -> Self {
        let signed = self.as_signed(from);
        let signed = signed.filter(|value| value.within.is_within(&signed_range(bits)));
        Self {
            unsigned: all.cut(&self.unsigned, bits).1,
            signed,
        }
    }

    fn of_both(unsigned: Value, signed: Option<Value>, bits: u64) -> Self {
        match signed.filter(|value| value.within.is_within(&signed_range(bits))) {
            // It is the same, and more is known of it.
            Some(value) if !value.within.low.is_negative() => Self {
                unsigned: value,
                signed: None,
            },
            signed => Self { unsigned, signed },
        }
    }
}

/// a + b + carry.
pub(crate) fn add(a: &Word, b: &Word, carry: &Value, bits: u64, all: &mut Unknowns) -> Sum {
    let unsigned = a.unsigned.plus(&b.unsigned).plus(carry);
    let (over, unsigned) = all.cut(&unsigned, bits);
    let signed = a.as_signed(bits).zip(b.as_signed(bits));
    finish(
        unsigned,
        signed.map(|(a, b)| all.tightened(a.plus(&b).plus(carry))),
        over,
        bits,
    )
}

/// a - b - borrow.
pub(crate) fn sub(a: &Word, b: &Word, borrow: &Value, bits: u64, all: &mut Unknowns) -> Sum {
    let difference = a.unsigned.minus(&b.unsigned).minus(borrow);
    let (over, unsigned) = all.cut(&difference, bits);
    let signed = a.as_signed(bits).zip(b.as_signed(bits));
    let signed = signed.map(|(a, b)| all.tightened(a.minus(&b).minus(borrow)));
    finish(unsigned, signed, Value::constant(0).minus(&over), bits)
}

fn finish(unsigned: Value, signed: Option<Value>, over: Value, bits: u64) -> Sum {
    let fits = |value: &Value| value.within.is_within(&signed_range(bits));
    let fits_signed = signed.as_ref().is_some_and(fits);
    let word = Word::of_both(unsigned, signed, bits);
    Sum {
        fits_signed,
        word,
        over,
    }
}

/// The product of two words without signs: the high word, and the low one.
pub(crate) fn mul_wide(a: &Word, b: &Word, bits: u64, all: &mut Unknowns) -> (Word, Word) {
    let product = a.unsigned.times(&b.unsigned);
    let (high, low) = all.cut(&product, bits);
    let plain = |unsigned| Word {
        unsigned,
        signed: None,
    };
    (plain(high), plain(low))
}

/// The low word of a product, and whether it is right in two's complement.
pub(crate) fn mul_low(a: &Word, b: &Word, bits: u64, all: &mut Unknowns) -> Sum {
    let signed = a.as_signed(bits).zip(b.as_signed(bits));
    let signed = signed.map(|(a, b)| a.times(&b));
    // A product that is right in two's complement is what is cut, so that there are no two remainders of it.
    let exact = signed
        .clone()
        .filter(|value| value.within.is_within(&signed_range(bits)));
    let product = exact.unwrap_or_else(|| a.unsigned.times(&b.unsigned));
    let (over, unsigned) = all.cut(&product, bits);
    finish(unsigned, signed, over, bits)
}

/// One of two words, as a bit says.
pub(crate) fn choose(zero: &Word, one: &Word, bit: &Value) -> Word {
    let (zero, one) = (&zero.unsigned, &one.unsigned);
    let mut chosen = zero.plus(&one.minus(zero).times(bit));
    chosen.within = Interval::new(
        (&zero.within.low).min(&one.within.low).clone(),
        (&zero.within.high).max(&one.within.high).clone(),
    );
    Word {
        unsigned: chosen,
        signed: None,
    }
}

pub(crate) fn shl(a: &Word, by: u64, bits: u64, all: &mut Unknowns) -> Word {
    let (_, unsigned) = all.cut(&a.unsigned.raised(by), bits);
    let signed = a.as_signed(bits).map(|value| value.raised(by));
    Word::of_both(unsigned, signed, bits)
}

pub(crate) fn shr(a: &Word, by: u64, all: &mut Unknowns) -> Word {
    Word {
        unsigned: all.cut(&a.unsigned, by).0,
        signed: None,
    }
}

pub(crate) fn sar(a: &Word, by: u64, bits: u64, all: &mut Unknowns) -> Word {
    let signed = a.signed(bits, all);
    let quotient = all.cut(&signed, by).0;
    Word::of(quotient, bits, all)
}

/// `a`, raised by `by` bits, with the highest ones of `b` below.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
pub(crate) fn shld(a: &Word, b: &Word, by: u64, bits: u64, all: &mut Unknowns) -> Word {
    let (_, kept) = all.cut(&a.unsigned, bits - by);
    let (below, _) = all.cut(&b.unsigned, bits - by);
    Word {
        unsigned: kept.raised(by).plus(&below),
        signed: None,
    }
}

/// `a`, lowered by `by` bits, with the lowest ones of `b` above.
pub(crate) fn shrd(a: &Word, b: &Word, by: u64, bits: u64, all: &mut Unknowns) -> Word {
    let (kept, _) = all.cut(&a.unsigned, by);
    let (_, above) = all.cut(&b.unsigned, by);
    Word {
        unsigned: above.raised(bits - by).plus(&kept),
        signed: None,
    }
}

pub(crate) fn not(a: &Word, bits: u64) -> Word {
    let ones = Value::constant((BigInt::one() << bits) - 1);
    let signed = a.as_signed(bits);
    let signed = signed.map(|value| Value::constant(-1).minus(&value));
    Word::of_both(ones.minus(&a.unsigned), signed, bits)
}

/// The bits of `a` that are set in `b`: of a constant with its ones in one run, a mask, or where both are one bit, that number.
/// Of two unknowns it is another one, with what is known of it ([`common`]); of other constants nothing.
pub(crate) fn and(a: &Word, b: &Word, bits: u64, all: &mut Unknowns) -> Option<Word> {
    for (a, b) in [(a, b), (b, a)] {
        if let Some(mask) = b.as_constant() {
            return and_constant(a, mask, bits, all);
        }
    }
    for (a, b) in [(a, b), (b, a)] {
        if let Some(bit) = b.as_mask() {
            return Some(Word {
                unsigned: a.unsigned.times(&bit),
                signed: None,
            });
        }
    }
    a.and_bit(b).or_else(|| Some(common(a, b, bits, all)))
}

/// The bits that two words have in common: at most either of the words, and what either of them has is no more than a word
/// holds. So it is all ones where both are, as compilers compare carries that go through several words.
fn common(a: &Word, b: &Word, bits: u64, all: &mut Unknowns) -> Word {
    let (a, b) = (&a.unsigned, &b.unsigned);
    let word = Interval::of_bits(bits);
    for value in [a, b] {
        // Whether it is all ones, for cases.
        let zeros = Value::constant(word.high.clone()).minus(value);
        all.is_zero_bit(&zeros);
    }
    let most = (&a.within.high).min(&b.within.high).clone();
    let both = all.fresh(Interval::new(0, most));
    #[cfg(test)]
    {
        let [a, b] = [a, b].map(|value| value.polynomial.clone());
        all.is(&both.polynomial, Computed::Common(a, b));
    }
    for value in [a, b] {
        all.note(&(&value.polynomial - &both.polynomial), word.clone());
    }
    let either = &(&a.polynomial + &b.polynomial) - &both.polynomial;
    all.note(&either, word);
    Word {
        unsigned: both,
        signed: None,
    }
}

fn and_constant(a: &Word, mask: &BigInt, bits: u64, all: &mut Unknowns) -> Option<Word> {
    if let Some(constant) = a.as_constant() {
        return Some(Word::constant(constant & mask));
    }
    if !mask.is_positive() {
        return Some(Word::constant(0));
    }
    if let Some(bit) = a.as_mask() {
        return Some(Word {
            unsigned: bit.times(&Value::constant(mask.clone())),
            signed: None,
        });
    }
    let low = mask.trailing_zeros().unwrap_or(0);
    let high = mask.bits();
    if (mask >> low) + BigInt::one() != BigInt::one() << (high - low) {
        return None;
    }
    // Either number has these bits; the one that sums are made of is the one that is also shifted.
    let number = a.number();
    let below = if high == bits {
        number.clone()
    } else {
        all.cut(number, high).1
    };
    let (kept, _) = all.cut(&below, low);
    Some(Word::of(kept.raised(low), bits, all))
}

/// The sum of words that have no bit in common, where that is seen: everything in one is above everything in the other.
fn joined(a: &Word, b: &Word) -> Option<Word> {
    for (a, b) in [(a, b), (b, a)] {
        let width = a.unsigned.within.high.bits();
        if b.unsigned.polynomial.divisible(width).1.is_zero() {
            return Some(Word {
                unsigned: a.unsigned.plus(&b.unsigned),
                signed: None,
            });
        }
    }
    None
}

/// The sum of words that have no bit in common, or either of two bits, or both.
pub(crate) fn or(a: &Word, b: &Word, all: &mut Unknowns) -> Option<Word> {
    if let Some((a, b)) = a.as_constant().zip(b.as_constant()) {
        return Some(Word::constant(a | b));
    }
    joined(a, b).or_else(|| either(a, b, all))
}

/// Either of two bits, or both.
pub(crate) fn either(a: &Word, b: &Word, all: &mut Unknowns) -> Option<Word> {
    let both = a.and_bit(b)?;
    let sum = a.unsigned.plus(&b.unsigned);
    // Carries of one sum, that of a word and that of the carry before, are not both there.
    let either = if all.are_exclusive(&a.unsigned, &b.unsigned) {
        sum
    } else {
        sum.minus(&both.unsigned)
    };
    Some(Word {
        unsigned: all.named(either.polynomial, Interval::of_bits(1)),
        signed: None,
    })
}

/// The sum of words that have no bit in common, what is left of all ones, or either of two bits, but not both.
pub(crate) fn xor(a: &Word, b: &Word, bits: u64, all: &mut Unknowns) -> Option<Word> {
    for (a, b) in [(a, b), (b, a)] {
        if let Some(constant) = b.as_constant() {
            if *constant == (BigInt::one() << bits) - 1 {
                return Some(not(a, bits));
            }
            if let Some(other) = a.as_constant() {
                return Some(Word::constant(constant ^ other));
            }
        }
    }
    joined(a, b).or_else(|| {
        let both = a.and_bit(b)?.unsigned.raised(1);
        let either = a.unsigned.plus(&b.unsigned).minus(&both);
        Some(Word {
            unsigned: all.named(either.polynomial, Interval::of_bits(1)),
            signed: None,
        })
    })
}
