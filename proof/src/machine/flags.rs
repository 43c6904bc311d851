//! What the last instruction that sets flags says, and the questions that conditions ask.

use num_bigint::BigInt;

use super::Run;
use crate::unknowns::Value;
use crate::word::Word;

/// Each of these is known or not. What a processor calls a carry after a difference is its own affair.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    pub(super) carry: Option<Value>,
    pub(super) overflow: Option<Value>,
    /// The result that decides about zero and sign, and its bits.
    pub(super) result: Option<(Word, u64)>,
    /// What was compared by subtraction.
    pub(super) compared: Option<(Word, Word, u64)>,
}

impl Flags {
    /// What an operation on bits leaves: neither carry nor overflow.
    pub(super) fn of_bits(word: &Word, bits: u64) -> Self {
        Self {
            carry: Some(Value::constant(0)),
            overflow: Some(Value::constant(0)),
            result: Some((word.clone(), bits)),
            compared: Some((word.clone(), Word::constant(0), bits)),
        }
    }
}

/// Whether one of two holds, each of which may not be known.
pub(super) fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// Each says whether something holds, if it does or does not for all inputs.
impl Run {
    pub(super) fn is_carry_set(&mut self) -> Option<bool> {
        let carry = self.flags.carry.clone()?;
        self.decided(&carry).map(|carry| carry != BigInt::ZERO)
    }

    pub(super) fn is_overflow_set(&mut self) -> Option<bool> {
        let overflow = self.flags.overflow.clone()?;
        self.decided(&overflow)
            .map(|overflow| overflow != BigInt::ZERO)
    }

    /// The result is 0.
    pub(super) fn is_result_zero(&mut self) -> Option<bool> {
        let (word, _) = self.flags.result.clone()?;
        let bounds = self.all.bounds(&word.unsigned().polynomial);
        let low = (&word.unsigned().within.low).max(&bounds.low).clone();
        let high = (&word.unsigned().within.high).min(&bounds.high).clone();
        if low > BigInt::ZERO {
            Some(false)
        } else {
            (high == BigInt::ZERO).then_some(true)
        }
    }

    /// The result has a sign.
    pub(super) fn is_result_negative(&mut self) -> Option<bool> {
        let (word, bits) = self.flags.result.clone()?;
        let value = word.signed(bits, &mut self.all).within;
        if value.high < BigInt::ZERO {
            Some(true)
        } else {
            (value.low >= BigInt::ZERO).then_some(false)
        }
    }

    /// What was compared is less, in two's complement: there is a sign or an overflow, but not both.
    pub(super) fn is_less(&mut self) -> Option<bool> {
        let Some((a, b, bits)) = self.flags.compared.clone() else {
            return Some(self.is_result_negative()? != self.is_overflow_set()?);
        };
        let difference = a
            .signed(bits, &mut self.all)
            .minus(&b.signed(bits, &mut self.all));
        let bounds = self.all.bounds(&difference.polynomial);
        if bounds.high < BigInt::ZERO || difference.within.high < BigInt::ZERO {
            Some(true)
        } else {
            let not = bounds.low >= BigInt::ZERO || difference.within.low >= BigInt::ZERO;
            not.then_some(false)
        }
    }
}
