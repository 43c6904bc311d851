//! The vectors of the crate, with lanes that hold all integers within bounds. What has no room in its lane ends the run.

use super::{Number, fitting};

/// Four signed words of 32 bits.
#[derive(Clone, Copy)]
pub struct Four(pub(crate) [Number; 4]);

/// Two words of 64 bits.
#[derive(Clone, Copy)]
pub struct Two([Number; 2]);

fn word(what: &str, number: Number) -> Number {
    fitting(what, number, i32::MIN.into(), i32::MAX.into())
}

fn wide(what: &str, number: Number) -> Number {
    fitting(what, number, i64::MIN.into(), i64::MAX.into())
}

/// The low bits that a mask leaves, where it leaves those alone.
fn low(number: Number, mask: Number) -> Number {
    let Number::Known(mask) = mask else {
        panic!("a mask that is not known");
    };
    match mask {
        -1 => number,
        _ => {
            let bits = mask.trailing_ones();
            assert_eq!(mask >> bits, 0, "a mask of low bits");
            number.cut(bits).0
        }
    }
}

fn each<const N: usize>(
    a: [Number; N],
    b: [Number; N],
    f: impl Fn(Number, Number) -> Number,
) -> [Number; N] {
    core::array::from_fn(|i| f(a[i], b[i]))
}

impl Four {
    pub const fn new([a, b, c, d]: [i32; 4]) -> Self {
        Self([
            Number::Known(a as i128),
            Number::Known(b as i128),
            Number::Known(c as i128),
            Number::Known(d as i128),
        ])
    }

    pub fn splat(word: i32) -> Self {
        Self::new([word; 4])
    }

    /// Of lanes that are known.
    pub fn words(&self) -> [i32; 4] {
        self.0.map(|lane| match lane {
            Number::Known(word) => word as i32,
            Number::Of(_) => panic!("a word that is not known"),
        })
    }

    pub fn set(&mut self, i: usize, word: i32) {
        self.0[i] = Number::Known(word.into());
    }

    pub fn add(self, rhs: Self) -> Self {
        Self(each(self.0, rhs.0, |a, b| word("a sum", a.plus(b))))
    }

    pub fn sub(self, rhs: Self) -> Self {
        Self(each(self.0, rhs.0, |a, b| word("a difference", a.minus(b))))
    }

    pub fn mul(self, rhs: Self) -> Self {
        Self(each(self.0, rhs.0, |a, b| word("a product", a.times(b))))
    }

    pub fn and(self, rhs: Self) -> Self {
        Self(each(self.0, rhs.0, low))
    }

    /// Of words that are known.
    fn bits(self, rhs: Self, f: impl Fn(i32, i32) -> i32) -> Self {
        let (a, b) = (self.words(), rhs.words());
        Self::new(core::array::from_fn(|i| f(a[i], b[i])))
    }

    pub fn equal(self, rhs: Self) -> Self {
        self.bits(rhs, |a, b| -i32::from(a == b))
    }

    pub fn or(self, rhs: Self) -> Self {
        self.bits(rhs, |a, b| a | b)
    }

    /// Of words that are known, whose bits may be lost.
    pub fn shl<const N: u32>(self) -> Self {
        Self::new(self.words().map(|word| word << N))
    }

    /// The sign is kept.
    pub fn shr<const N: u32>(self) -> Self {
        Self(self.0.map(|lane| match lane {
            Number::Known(word) => Number::Known(word >> N),
            lane => lane.cut(N).1,
        }))
    }

    pub fn order<const A: usize, const B: usize, const C: usize, const D: usize>(self) -> Self {
        Self([A, B, C, D].map(|i| self.0[i]))
    }

    /// The low halves of four words, which must have nothing above.
    pub fn pack(first: Two, last: Two) -> Self {
        let ([a, b], [c, d]) = (first.0, last.0);
        Self([a, b, c, d].map(|lane| word("the low half of a word", lane)))
    }

    pub fn products(self, rhs: Self) -> Two {
        let (a, b) = (self.0, rhs.0);
        Two([0, 1].map(|i| wide("a product", a[i].times(b[i]))))
    }

    pub fn last_products(self, rhs: Self) -> Two {
        let (a, b) = (self.0, rhs.0);
        Two([2, 3].map(|i| wide("a product", a[i].times(b[i]))))
    }

    /// Words 0 and 1 (`half` 0) or 2 and 3 of a vector, as words 0 and 1.
    pub fn half(this: &Self, half: usize) -> Self {
        let i = half % 2 * 2;
        Self([this.0[i], this.0[i + 1], Number::Known(0), Number::Known(0)])
    }
}

impl Two {
    pub const fn new([a, b]: [i64; 2]) -> Self {
        Self([Number::Known(a as i128), Number::Known(b as i128)])
    }

    pub fn splat(word: i64) -> Self {
        Self::new([word; 2])
    }

    pub fn add(self, rhs: Self) -> Self {
        Self(each(self.0, rhs.0, |a, b| wide("a sum", a.plus(b))))
    }

    pub fn sub(self, rhs: Self) -> Self {
        Self(each(self.0, rhs.0, |a, b| wide("a difference", a.minus(b))))
    }

    pub fn and(self, rhs: Self) -> Self {
        Self(each(self.0, rhs.0, low))
    }

    pub fn shl<const N: u32>(self) -> Self {
        Self(
            self.0
                .map(|lane| wide("a shift to the left", lane.shifted(N))),
        )
    }

    /// Without regard to a sign: there must be none.
    pub fn shr<const N: u32>(self) -> Self {
        Self(self.0.map(|lane| {
            fitting("a shift of bits", lane, 0, i64::MAX.into())
                .cut(N)
                .1
        }))
    }
}
