//! One lane, in ordinary registers, without branches on data.

use lanner_simd::Mask;
use lanner_simd::mask::{shift_left, top_bit};

use super::{Fixed, Machine, Modulus, Shuffle, Words};

/// The machine that is everywhere.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Machine for Portable {
    type Words = u32;
    type Fixed = i64;

    #[inline(always)]
    fn run<R>(self, task: impl FnOnce() -> R) -> R {
        task()
    }
}

macro_rules! single {
    ($element:ty) => {
        impl Shuffle for $element {
            type Element = $element;
            const N: usize = 1;

            #[inline(always)]
            fn splat(x: $element) -> Self {
                x
            }
            #[inline(always)]
            fn load(from: &[$element]) -> Self {
                from[0]
            }
            #[inline(always)]
            fn store(self, to: &mut [$element]) {
                to[0] = self;
            }
            #[inline(always)]
            fn unzip(a: Self, b: Self, _t: usize) -> (Self, Self) {
                (a, b)
            }
            #[inline(always)]
            fn zip(first: Self, second: Self, _t: usize) -> (Self, Self) {
                (first, second)
            }
            #[inline(always)]
            fn spread(from: &[$element], _t: usize) -> Self {
                from[0]
            }
        }
    };
}

single!(u32);
single!(i64);

impl Words for u32 {
    #[inline(always)]
    fn add_mod(self, other: Self, p: Self) -> Self {
        add_mod(self, other, p)
    }
    #[inline(always)]
    fn sub_mod(self, other: Self, p: Self) -> Self {
        sub_mod(self, other, p)
    }
    #[inline(always)]
    fn mont_mul(self, other: Self, modulus: &Modulus<Self>) -> Self {
        mont_mul(self, other, modulus.p, modulus.inverse)
    }
    #[inline(always)]
    fn residue(self, p: Self) -> Self {
        self.wrapping_add(Mask::of_sign_in_lanes(self).keep(p))
    }
    #[inline(always)]
    fn centred(self, p: Self) -> Self {
        // Above (p - 1)/2, p is subtracted.
        self.wrapping_sub(Mask::of_sign_in_lanes((p >> 1).wrapping_sub(self)).keep(p))
    }
}

/// a + b mod p.
#[inline(always)]
pub(crate) fn add_mod(a: u32, b: u32, p: u32) -> u32 {
    a.wrapping_add(b).wrapping_sub(p).residue(p)
}

/// a - b mod p.
#[inline(always)]
pub(crate) fn sub_mod(a: u32, b: u32, p: u32) -> u32 {
    a.wrapping_sub(b).residue(p)
}

/// a * b / 2^32 mod p (Montgomery 1985), with the inverse of p modulo 2^32: the high half of ab and of
/// the multiple of p that has the same low half differ by the result or by that minus p.
#[inline(always)]
pub(crate) fn mont_mul(a: u32, b: u32, p: u32, inverse: u32) -> u32 {
    difference_of_halves(a, b, p, inverse).residue(p)
}

/// What [`mont_mul`] corrects: the result, or that minus p.
#[inline(always)]
pub(crate) const fn difference_of_halves(a: u32, b: u32, p: u32, inverse: u32) -> u32 {
    let product = a as u64 * b as u64;
    let multiple = (product as u32).wrapping_mul(inverse) as u64 * p as u64;
    ((product >> 32) as u32).wrapping_sub((multiple >> 32) as u32)
}

/// The fixed-point product for machines without a product of 64 bits: a = a1 2^32 + a0 with a1 signed,
/// and the parts of the products that reach the result.
#[cfg(any(test, not(target_pointer_width = "64")))]
#[inline(always)]
pub(crate) const fn mul_in_halves(a: i64, b: i64) -> i64 {
    let (a0, a1) = (a as u32 as u64, a >> 32);
    let (b0, b1) = (b as u32 as u64, b >> 32);
    let low = (a0.wrapping_mul(b0) >> 32) as i64;
    low.wrapping_add((a0 as i64).wrapping_mul(b1))
        .wrapping_add(a1.wrapping_mul(b0 as i64))
        .wrapping_add(a1.wrapping_mul(b1) << 32)
}

/// Fractional bits of a fixed-point number.
const FRACTION_BITS: u32 = 32;

impl Fixed for i64 {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        #[cfg(target_pointer_width = "64")]
        {
            ((i128::from(self) * i128::from(other)) >> 32) as i64
        }
        #[cfg(not(target_pointer_width = "64"))]
        {
            mul_in_halves(self, other)
        }
    }
    #[inline(always)]
    fn half(self) -> Self {
        self.wrapping_add(1) >> 1
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let (negative_n, negative_d) = (Mask::of_sign(self), Mask::of_sign(other));
        let x = negative_n.negate(self) as u64;
        let y = negative_d.negate(other) as u64;
        // Long division of x 2^32 by y, a bit at a time; each step compares as signed numbers, and
        // what overflows wraps, so that results are defined even where the quotient is not.
        let mut quotient = 0u64;
        let mut rest = x >> (FRACTION_BITS - 1);
        let mut next = x << (FRACTION_BITS + 1);
        for _ in 0..64 {
            let difference = rest.wrapping_sub(y);
            let kept = Mask::of_sign(difference);
            quotient = (quotient << 1).wrapping_add(kept.word().wrapping_add(1));
            rest = difference.wrapping_add(kept.keep(y)) << 1 | top_bit(next);
            next <<= 1;
        }
        // Round by the bit that would follow.
        let kept = Mask::of_sign(rest.wrapping_sub(y)).word();
        let quotient = quotient.wrapping_add(kept.wrapping_add(1)) as i64;
        (negative_n ^ negative_d).negate(quotient)
    }
    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        shift_left(self as u64, bits) as i64
    }
    #[inline(always)]
    fn neg(self) -> Self {
        0_i64.wrapping_sub(self)
    }
}
