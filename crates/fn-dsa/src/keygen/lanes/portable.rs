//! One lane, in ordinary registers, without branches on data.

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

/// All ones where the top bit of x is set.
#[inline(always)]
const fn sign_mask(x: u32) -> u32 {
    ((x as i32) >> 31) as u32
}

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
        self.wrapping_add(p & sign_mask(self))
    }
    #[inline(always)]
    fn centred(self, p: Self) -> Self {
        // Above (p - 1)/2, p is subtracted.
        self.wrapping_sub(p & sign_mask((p >> 1).wrapping_sub(self)))
    }
}

/// a + b mod p.
#[inline(always)]
pub(crate) const fn add_mod(a: u32, b: u32, p: u32) -> u32 {
    let d = a.wrapping_add(b).wrapping_sub(p);
    d.wrapping_add(p & sign_mask(d))
}

/// a - b mod p.
#[inline(always)]
pub(crate) const fn sub_mod(a: u32, b: u32, p: u32) -> u32 {
    let d = a.wrapping_sub(b);
    d.wrapping_add(p & sign_mask(d))
}

/// a * b / 2^32 mod p (Montgomery 1985), with the inverse of p modulo 2^32: the high half of ab and of
/// the multiple of p that has the same low half differ by the result or by that minus p.
#[inline(always)]
pub(crate) const fn mont_mul(a: u32, b: u32, p: u32, inverse: u32) -> u32 {
    let product = a as u64 * b as u64;
    let multiple = (product as u32).wrapping_mul(inverse) as u64 * p as u64;
    let d = ((product >> 32) as u32).wrapping_sub((multiple >> 32) as u32);
    d.wrapping_add(p & sign_mask(d))
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
        let (sign_n, sign_d) = (self >> 63, other >> 63);
        let x = (self ^ sign_n).wrapping_sub(sign_n) as u64;
        let y = (other ^ sign_d).wrapping_sub(sign_d) as u64;
        // Long division of x 2^32 by y, a bit at a time; each step compares as signed numbers, and
        // what overflows wraps, so that results are defined even where the quotient is not.
        let mut quotient = 0u64;
        let mut rest = x >> 31;
        let mut next = x << 33;
        for _ in 0..64 {
            let difference = rest.wrapping_sub(y);
            let keep = ((difference as i64) >> 63) as u64;
            quotient = (quotient << 1).wrapping_add(keep.wrapping_add(1));
            rest = difference.wrapping_add(y & keep) << 1 | next >> 63;
            next <<= 1;
        }
        // Round by the bit that would follow.
        let keep = ((rest.wrapping_sub(y) as i64) >> 63) as u64;
        let quotient = quotient.wrapping_add(keep.wrapping_add(1)) as i64;
        let sign = sign_n ^ sign_d;
        (quotient ^ sign).wrapping_sub(sign)
    }
    #[inline(always)]
    fn shift_left(self, bits: u32) -> Self {
        self << bits
    }
    #[inline(always)]
    fn neg(self) -> Self {
        self.wrapping_neg()
    }
}
