//! What is in a lane of 64 bits: an integer or a double.

use super::{Number, fitting, is_at_rest};

/// What is in one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// These bits.
    Bits(u64),
    /// An integer from 0 to 2^64 - 1.
    Integer(Number),
    /// An integer modulo 2^64: where sums wrap, as those of encodings do.
    Modular(Number),
    /// The encoding of this integer times a power of two.
    Double(Number, i32),
    /// One of these bits.
    Either(u64, u64),
}

const MOST: i128 = u64::MAX as i128;

/// The encoding of 1.0, without the exponent's bias.
const BIAS: i32 = 1023;

impl Lane {
    /// An integer that fits.
    pub(crate) fn of(number: Number) -> Self {
        match number {
            Number::Known(word) => Self::Bits(u64::try_from(word).expect("it fits")),
            Number::Of(_) => Self::Integer(number),
        }
    }

    pub(super) fn fitting(what: &str, number: Number) -> Self {
        Self::of(fitting(what, number, 0, MOST))
    }

    /// A double, of an integer times 2^`exponent`.
    pub(super) fn double(number: Number, exponent: i32) -> Self {
        fitting("a double", number, -1 << 53, 1 << 53);
        match number {
            Number::Known(0) => Self::Bits(0),
            _ => {
                let twos = number.twos();
                Self::Double(number.divided(twos), exponent + twos as i32)
            }
        }
    }

    /// The integer that is the word.
    pub(crate) fn integer(self) -> Number {
        match self {
            Self::Bits(word) => Number::Known(word.into()),
            Self::Integer(number) => number,
            Self::Modular(number) => {
                let wraps = number.bounds().0 >> 64;
                let number = number.minus(Number::Known(wraps << 64));
                fitting("a sum of encodings", number, 0, MOST)
            }
            Self::Double(number, exponent) => encoding(number, exponent),
            Self::Either(a, b) => Number::Known(a.into()).either(Number::Known(b.into())),
        }
    }

    /// The integer that is the word in two's complement.
    pub(crate) fn signed(self) -> Number {
        let number = self.modular();
        let wraps = (number.bounds().0 + (1 << 63)) >> 64;
        let number = number.minus(Number::Known(wraps << 64));
        fitting("a number with a sign", number, -1 << 63, (1 << 63) - 1)
    }

    /// An integer that is the word modulo 2^64.
    pub(super) fn modular(self) -> Number {
        match self {
            Self::Modular(number) => number,
            _ => self.integer(),
        }
    }

    /// The value as a double: an integer, and the exponent of its unit.
    pub(crate) fn as_double(self) -> (Number, i32) {
        match self {
            Self::Bits(word) => decoded(word),
            Self::Double(number, exponent) => (number, exponent),
            Self::Integer(_) | Self::Modular(_) => {
                let number = self.integer();
                let (low, high) = number.bounds();
                let biased = low >> 52;
                assert!(
                    0 < biased && biased < 2047 && high <= (biased + 1) << 52,
                    "the encoding of one binade"
                );
                // 2^52 and what is above the encoding of the power of two, in units of the last place.
                let number = number.minus(Number::Known((biased - 1) << 52));
                (number, biased as i32 - BIAS - 52)
            }
            Self::Either(a, b) => {
                let (a, b, exponent) = aligned(decoded(a), decoded(b));
                (a.either(b), exponent)
            }
        }
    }

    fn is_double(self) -> bool {
        matches!(self, Self::Double(..))
    }

    /// This or the other.
    pub(super) fn or_else(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Self::Bits(a), Self::Bits(b)) => Self::Either(a, b),
            _ if self.is_double() || other.is_double() => {
                let (a, b, exponent) = aligned(self.as_double(), other.as_double());
                Self::double(a.either(b), exponent)
            }
            (Self::Modular(_), _) | (_, Self::Modular(_)) => {
                Self::Modular(self.signed().either(other.signed()))
            }
            _ => Self::of(self.integer().either(other.integer())),
        }
    }

    /// Whether a condition holds for all words in the lane, if those for which it does are an interval, of words or of
    /// words in two's complement.
    pub(super) fn all(self, holds: &impl Fn(u64) -> bool) -> bool {
        match self {
            Self::Double(number, exponent) => {
                let (low, high) = number.bounds();
                let encoding = |value: i128| {
                    assert!(value.abs() <= 1 << 53);
                    ((value as f64) * 2f64.powi(exponent)).to_bits()
                };
                holds(encoding(low)) && holds(encoding(high))
            }
            Self::Either(a, b) => holds(a) && holds(b),
            _ => {
                let (low, high) = self.modular().bounds();
                assert!(high - low < 1 << 63, "the lane has an order");
                holds(low as u64) && holds(high as u64)
            }
        }
    }

    pub(super) fn and(self, mask: u64) -> Self {
        let bits = (!mask).trailing_zeros();
        assert!(
            mask.checked_shr(bits).unwrap_or(0) == 0,
            "a mask of low bits"
        );
        Self::of(self.integer().cut(bits).0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        let (a, b) = (self.integer(), other.integer());
        let lies_below = |a: Number, b: Number| b.twos() >= 64 || a.bounds().1 >> b.twos() == 0;
        assert!(
            lies_below(a, b) || lies_below(b, a),
            "the bits of one lie below those of the other"
        );
        Self::of(a.plus(b))
    }

    pub(super) fn shl(self, bits: u32) -> Self {
        if let Self::Modular(number) = self {
            // Modulo 2^64 nothing is lost.
            return Self::Modular(number.shifted(bits));
        }
        let number = self.integer();
        if is_at_rest() {
            return Self::of(number.cut(64 - bits).0.shifted(bits));
        }
        Self::fitting("a shift to the left", number.shifted(bits))
    }
}

/// The value of an encoding: an odd integer or 0, and the exponent of its unit.
fn decoded(word: u64) -> (Number, i32) {
    if word << 1 == 0 {
        return (Number::Known(0), 0);
    }
    let biased = (word >> 52 & 0x7ff) as i32;
    assert!(0 < biased && biased < 2047, "normal or zero");
    let magnitude = i128::from(word & ((1 << 52) - 1) | 1 << 52);
    let twos = magnitude.trailing_zeros();
    let odd = magnitude >> twos;
    let odd = if word >> 63 == 1 { -odd } else { odd };
    (Number::Known(odd), biased - BIAS - 52 + twos as i32)
}

/// The encoding, of values of one binade.
fn encoding(number: Number, exponent: i32) -> Number {
    let (low, high) = number.bounds();
    assert!(low > 0, "encodings of positive values ascend");
    let log = 127 - low.leading_zeros();
    assert!(high <= 1 << (log + 1), "the values are in one binade");
    let above = number.minus(Number::Known(1 << log));
    let above = if log <= 52 {
        above.shifted(52 - log)
    } else {
        above.divided(log - 52)
    };
    let biased = i128::from(BIAS + exponent) + i128::from(log);
    above.plus(Number::Known(biased << 52))
}

/// Two values in the same unit.
pub(super) fn aligned((a, of_a): (Number, i32), (b, of_b): (Number, i32)) -> (Number, Number, i32) {
    match (a, b) {
        (Number::Known(0), _) => (a, b, of_b),
        (_, Number::Known(0)) => (a, b, of_a),
        _ => {
            let exponent = of_a.min(of_b);
            let scaled = |number: Number, of: i32| number.shifted((of - exponent) as u32);
            (scaled(a, of_a), scaled(b, of_b), exponent)
        }
    }
}
