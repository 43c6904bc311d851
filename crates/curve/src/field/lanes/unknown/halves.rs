//! Words of 32 bits that are pairs of halves.

use super::super::{Constants, pairs13};
use super::words::{constants, source};
use super::{Number, fitting, is_at_rest, load, store};
use core::array::from_fn;
use lanner_simd::{Pairs, Task};

/// What is in one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    /// These bits.
    Bits(u32),
    /// A word as an integer, with a sign or without one.
    Word(Number),
    /// Two halves with signs.
    Halves(Number, Number),
    /// Where two halves of one and of another differ: a step of a selection.
    Difference([Number; 2], [Number; 2]),
}

fn half(what: &str, number: Number) -> Number {
    fitting(what, number, -1 << 15, (1 << 15) - 1)
}

fn word(what: &str, number: Number) -> Pair {
    Pair::Word(fitting(what, number, -1 << 31, (1 << 31) - 1))
}

impl Pair {
    /// An integer that is the word modulo 2^32.
    fn modular(self) -> Number {
        match self {
            Self::Bits(bits) => Number::Known((bits as i32).into()),
            Self::Word(number) => number,
            Self::Halves(low, high) => {
                // The low half has no sign within a word.
                let low = fitting("a low half without a sign", low, 0, (1 << 15) - 1);
                low.plus(high.shifted(16))
            }
            Self::Difference(..) => panic!("a difference is no word"),
        }
    }

    /// The word in two's complement.
    fn signed(self) -> Number {
        fitting(
            "a word with a sign",
            self.modular(),
            -1 << 31,
            (1 << 31) - 1,
        )
    }

    /// The word without a sign.
    fn unsigned(self) -> Number {
        match self {
            Self::Bits(bits) => Number::Known(bits.into()),
            _ => fitting("a word without a sign", self.modular(), 0, (1 << 32) - 1),
        }
    }

    fn low(self) -> Number {
        match self {
            Self::Bits(bits) => Number::Known((bits as i16).into()),
            Self::Word(number) => half("a low half", number),
            Self::Halves(low, _) => low,
            Self::Difference(..) => panic!("a difference has no halves"),
        }
    }

    fn high(self) -> Number {
        match self {
            Self::Bits(bits) => Number::Known(((bits >> 16) as i16).into()),
            Self::Word(_) => self.signed().cut(16).1,
            Self::Halves(_, high) => high,
            Self::Difference(..) => panic!("a difference has no halves"),
        }
    }

    pub(crate) fn halves(self) -> [Number; 2] {
        [self.low(), self.high()]
    }

    fn map_halves(self, f: impl Fn(Number) -> Number) -> Self {
        Self::Halves(f(self.low()), f(self.high()))
    }

    fn and(self, mask: u32) -> Self {
        let bits = |mask: u32| {
            let bits = (!mask).trailing_zeros();
            assert_eq!(mask.checked_shr(bits).unwrap_or(0), 0, "a mask of low bits");
            bits
        };
        let (low, high) = (mask & 0xffff, mask >> 16);
        match self {
            // Half by half.
            Self::Halves(..) if high != 0 => {
                assert!(low < 1 << 15 && high < 1 << 15, "nothing with a sign");
                Self::Halves(self.low().cut(bits(low)).0, self.high().cut(bits(high)).0)
            }
            _ => Self::Word(self.modular().cut(bits(mask)).0),
        }
    }

    fn shl(self, bits: u32) -> Self {
        match self {
            Self::Halves(low, _) if bits == 16 => Self::Halves(Number::Known(0), low),
            Self::Word(number) if bits == 16 && number.is_within(-1 << 15, (1 << 15) - 1) => {
                Self::Halves(Number::Known(0), number)
            }
            _ if is_at_rest() => Self::Word(self.unsigned().cut(32 - bits).0.shifted(bits)),
            _ => word("a shift to the left", self.signed().shifted(bits)),
        }
    }
}

/// Four pairs of halves.
#[derive(Clone, Copy)]
pub(crate) struct Halves(pub(crate) [Pair; 4]);

impl Halves {
    fn zip(self, other: Self, f: impl Fn(Pair, Pair) -> Pair) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn map(self, f: impl Fn(Pair) -> Pair) -> Self {
        Self(self.0.map(f))
    }
}

impl Pairs for Halves {
    fn new(words: [u32; 4]) -> Self {
        if is_at_rest() {
            return Self(words.map(|word| Pair::Word(load(word.into(), 32))));
        }
        Self(words.map(Pair::Bits))
    }

    fn words(self) -> [u32; 4] {
        self.0.map(|pair| store(pair.unsigned()) as u32)
    }

    fn splat(word: u32) -> Self {
        Self([Pair::Bits(word); 4])
    }

    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| word("a sum", a.signed().plus(b.signed())))
    }

    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            word("a product", a.signed().times(b.signed()))
        })
    }

    fn add_halves(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let sum = |a: Number, b: Number| half("a sum of halves", a.plus(b));
            Pair::Halves(sum(a.low(), b.low()), sum(a.high(), b.high()))
        })
    }

    fn sub_halves(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let difference = |a: Number, b: Number| half("a difference of halves", a.minus(b));
            Pair::Halves(difference(a.low(), b.low()), difference(a.high(), b.high()))
        })
    }

    fn dot(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let (low, high) = (a.low().times(b.low()), a.high().times(b.high()));
            word("a sum of two products", low.plus(high))
        })
    }

    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            // A mask of a selection, which may be either.
            (difference @ Pair::Difference(..), _) | (_, difference @ Pair::Difference(..)) => {
                difference
            }
            (pair, Pair::Bits(mask)) | (Pair::Bits(mask), pair) => pair.and(mask),
            _ => panic!("a mask is a constant"),
        })
    }

    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            (Pair::Bits(a), Pair::Bits(b)) => Pair::Bits(a | b),
            _ => {
                let (a, b) = (a.unsigned(), b.unsigned());
                let lies_below = |a: Number, b: Number| a.bounds().1 >> b.twos() == 0;
                assert!(
                    lies_below(a, b) || lies_below(b, a),
                    "the bits of one lie below those of the other"
                );
                Pair::Word(a.plus(b))
            }
        })
    }

    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            // With bit 15 turned over, the low half less 2^15 has a sign.
            (Pair::Word(_), Pair::Bits(0x8000)) => {
                let (low, high) = a.signed().cut(16);
                Pair::Halves(low.minus(Number::Known(1 << 15)), high)
            }
            (Pair::Bits(a), Pair::Bits(0x8000)) => Pair::Bits(a ^ 0x8000),
            (_, Pair::Bits(0x8000)) => panic!("only of a word is that known"),
            (a, Pair::Difference(first, second)) if a.halves() == first => {
                let either = |i: usize| first[i].either(second[i]);
                Pair::Halves(either(0), either(1))
            }
            _ => Pair::Difference(a.halves(), b.halves()),
        })
    }

    fn shl<const BITS: i32>(self) -> Self {
        self.map(|pair| pair.shl(BITS as u32))
    }

    fn shr<const BITS: i32>(self) -> Self {
        self.map(|pair| Pair::Word(pair.unsigned().cut(BITS as u32).1))
    }

    fn shr_signed<const BITS: i32>(self) -> Self {
        self.map(|pair| match pair {
            Pair::Halves(_, high) if BITS == 16 => Pair::Word(high),
            _ => Pair::Word(pair.signed().cut(BITS as u32).1),
        })
    }

    fn shr_halves<const BITS: i32>(self) -> Self {
        self.map(|pair| pair.map_halves(|half| half.cut(BITS as u32).1))
    }

    fn swap_halves(self) -> Self {
        self.map(|pair| Pair::Halves(pair.high(), pair.low()))
    }

    fn halves(low: Self, high: Self) -> Self {
        low.zip(high, |low, high| Pair::Halves(low.low(), high.high()))
    }

    fn permute(self, order: i32) -> Self {
        Self(from_fn(|i| self.0[source(order, i)]))
    }

    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| [a, b][usize::from(LANES >> i & 1)].0[i]))
    }

    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

impl pairs13::Vector for Halves {
    const CONSTANTS: Constants<Self, 10> = constants!(pairs13::CONSTANTS, |word| Halves(
        [Pair::Bits(word as u32); 4]
    ));

    fn all(self, holds: impl Fn(i16) -> bool) -> bool {
        self.0.iter().flat_map(|pair| pair.halves()).all(|half| {
            let (low, high) = half.bounds();
            holds(low as i16) && holds(high as i16)
        })
    }
}
