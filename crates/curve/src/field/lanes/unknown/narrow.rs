//! Words of 32 bits.

use super::super::{Constants, narrow25, radix25};
use super::words::{constants, source};
use super::{Lane, Number, Words, fitting, is_at_rest, load, store};
use core::array::from_fn;
use lanner_simd::{Task, U32x4};

const MOST: i128 = u32::MAX as i128;

/// Four words of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct Narrow(pub(crate) [Number; 4]);

impl Narrow {
    fn zip(self, other: Self, f: impl Fn(Number, Number) -> Number) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn fitting(self, what: &str) -> Self {
        Self(self.0.map(|number| fitting(what, number, 0, MOST)))
    }

    fn products(self, other: Self, from: usize) -> Words<2> {
        Words(from_fn(|i| {
            Lane::of(self.0[from + i].times(other.0[from + i]))
        }))
    }
}

/// A mask of two, which may be either.
fn mask(a: Number, b: Number) -> Number {
    let is_mask = |number| matches!(number, Number::Known(0 | MOST));
    assert!(is_mask(a) && is_mask(b), "only of masks is that known");
    a
}

impl U32x4 for Narrow {
    type Double = Words<2>;

    fn new(words: [u32; 4]) -> Self {
        if is_at_rest() {
            return Self(words.map(|word| load(word.into(), 32)));
        }
        Self(words.map(|word| Number::Known(word.into())))
    }

    fn words(self) -> [u32; 4] {
        self.0.map(|number| store(number) as u32)
    }

    fn splat(word: u32) -> Self {
        Self([Number::Known(word.into()); 4])
    }

    fn add(self, other: Self) -> Self {
        self.zip(other, Number::plus).fitting("a sum")
    }

    fn sub(self, other: Self) -> Self {
        self.zip(other, Number::minus_named).fitting("a difference")
    }

    fn mul(self, other: Self) -> Self {
        self.zip(other, Number::times).fitting("a product")
    }

    fn mul_first(self, other: Self) -> Words<2> {
        self.products(other, 0)
    }

    fn mul_last(self, other: Self) -> Words<2> {
        self.products(other, 2)
    }

    fn pack(first: Words<2>, last: Words<2>) -> Self {
        let ([a, b], [c, d]) = (first.0, last.0);
        Self([a, b, c, d].map(Lane::integer)).fitting("a limb")
    }

    fn and(self, mask: Self) -> Self {
        self.zip(mask, |number, mask| {
            let Number::Known(mask) = mask else {
                panic!("a mask is a constant");
            };
            let bits = (!mask).trailing_zeros();
            assert_eq!(mask >> bits, 0, "a mask of low bits");
            number.cut(bits).0
        })
    }

    fn or(self, other: Self) -> Self {
        self.zip(other, mask)
    }

    fn xor(self, other: Self) -> Self {
        self.zip(other, mask)
    }

    fn shr<const BITS: i32>(self) -> Self {
        Self(self.0.map(|number| number.cut(BITS as u32).1))
    }

    fn permute(self, order: i32) -> Self {
        Self(from_fn(|i| self.0[source(order, i)]))
    }

    fn blend<const LANES: u8>(a: Self, b: Self) -> Self {
        Self(from_fn(|i| [a, b][usize::from(LANES >> i & 1)].0[i]))
    }

    fn select(a: Self, b: Self, _: Self) -> Self {
        a.zip(b, Number::either)
    }

    fn outline<T: Task>(task: T) -> T::Output {
        task.run()
    }
}

impl narrow25::Vector for Narrow {
    const CONSTANTS: Constants<Self, 10> = constants!(radix25::CONSTANTS, |word| Narrow(
        [Number::Known(word as i128); 4]
    ));

    fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        self.0.iter().all(|number| {
            let (low, high) = number.bounds();
            holds(low as u64) && holds(high as u64)
        })
    }
}
