//! Words that encode doubles.

use super::super::{Constants, double51};
use super::lane::aligned;
use super::words::constants;
use super::{Lane, Number, Words};
use core::array::from_fn;
use lanner_simd::MulAddF64;

/// a b + c, where nothing is rounded.
fn exact(a: Lane, b: Lane, c: Lane) -> Lane {
    let ((a, of_a), (b, of_b)) = (a.as_double(), b.as_double());
    let (product, c, exponent) = aligned((a.times(b), of_a + of_b), c.as_double());
    Lane::double(product.plus(c), exponent)
}

/// anchor + a b, rounded: an integer, in units of the anchor's last place.
fn near_anchor(a: Lane, b: Lane, anchor: Lane) -> Lane {
    let Lane::Bits(anchor) = anchor else {
        panic!("an anchor is a constant");
    };
    assert!(
        anchor << 12 == 1 << 63,
        "an anchor is 1.5 times a power of two"
    );
    let unit = (anchor >> 52) as i32 - 1023 - 52;
    let ((a, of_a), (b, of_b)) = (a.as_double(), b.as_double());
    let product = a.times(b);
    let bits = unit - (of_a + of_b);
    let multiple = if bits > 0 {
        let (low, high) = product.bounds();
        // Half of the power of two.
        let most = 1i128.checked_shl(51 + bits as u32).expect("128 bits");
        assert!(
            -most <= low && high <= most,
            "the sum stays near the anchor: {low} to {high}"
        );
        product.rounded(bits as u32)
    } else {
        let multiple = product.shifted(bits.unsigned_abs());
        assert!(
            multiple.is_within(-1 << 51, 1 << 51),
            "the sum stays near the anchor"
        );
        multiple
    };
    Lane::double(multiple.plus(Number::Known(3 << 51)), unit)
}

impl<const WHOLE: bool> MulAddF64 for Words<4, WHOLE> {
    fn mul_add_anchor(a: Self, b: Self, anchor: Self) -> Self {
        Self(from_fn(|i| near_anchor(a.0[i], b.0[i], anchor.0[i])))
    }

    fn mul_add_exact(a: Self, b: Self, c: Self) -> Self {
        Self(from_fn(|i| exact(a.0[i], b.0[i], c.0[i])))
    }

    fn add_exact(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let (a, b, exponent) = aligned(a.as_double(), b.as_double());
            Lane::double(a.plus(b), exponent)
        })
    }

    fn sub_exact(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let (a, b, exponent) = aligned(a.as_double(), b.as_double());
            Lane::double(a.minus(b), exponent)
        })
    }

    fn add_encodings(self, other: Self) -> Self {
        self.zip(other, |a, b| Lane::Modular(a.modular().plus(b.modular())))
    }

    fn sub_encodings(self, other: Self) -> Self {
        self.zip(other, |a, b| Lane::Modular(a.modular().minus(b.modular())))
    }
}

impl double51::Vector for Words<4> {
    const CONSTANTS: Constants<Self, 5> =
        constants!(double51::CONSTANTS, |word| Words([Lane::Bits(word); 4]));

    fn all(self, holds: impl Fn(u64) -> bool) -> bool {
        Words::all(self, holds)
    }
}
