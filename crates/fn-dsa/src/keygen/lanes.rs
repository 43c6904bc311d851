//! Lanes: several residues, or several fixed-point numbers, side by side, and the arithmetic on them.
//!
//! Every transform of key generation is written once, generic over these traits, which every vector of words implements; one
//! lane is the word itself. [`operation`] makes of such a function what an instruction set runs.

use lanner_simd::{I64, Isa, Portable, U32};

/// A modulus p, odd and below 2^31, as lanes want it.
#[derive(Clone, Copy)]
pub(crate) struct Modulus<W> {
    pub(crate) p: W,
    /// 1/p mod 2^32.
    pub(crate) inverse: W,
}

/// Residues modulo p, each in [0, p).
pub(crate) trait Words: U32 {
    /// The sum.
    #[inline(always)]
    fn add_mod(self, other: Self, p: Self) -> Self {
        self.add(other).subtract_once(p)
    }

    /// The difference.
    #[inline(always)]
    fn sub_mod(self, other: Self, p: Self) -> Self {
        self.sub(other).residue(p)
    }

    /// self * other / 2^32 mod p (Montgomery 1985): the high half of the product and of the multiple of p that has the same
    /// low half differ by the result or by that minus p. One of the two factors may be any 32-bit number.
    #[inline(always)]
    fn mont_mul(self, other: Self, modulus: &Modulus<Self>) -> Self {
        self.difference_of_halves(other, modulus.p, modulus.inverse)
            .residue(modulus.p)
    }

    /// A number in (-p, p), in two's complement, to its residue.
    #[inline(always)]
    fn residue(self, p: Self) -> Self {
        self.add_to_negative(p)
    }

    /// A residue to the number in (-p/2, p/2), in two's complement.
    #[inline(always)]
    fn centred(self, p: Self) -> Self {
        self.subtract_from_upper_half(p)
    }
}

impl<V: U32> Words for V {}

/// Fixed-point numbers of 32 integral and 32 fractional bits in two's complement, wrapping.
pub(crate) trait Fixed: I64 {
    /// The product, rounded down.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.mul_fixed32(other)
    }

    /// The negative.
    #[inline(always)]
    fn neg(self) -> Self {
        Self::splat(0).sub(self)
    }

    /// The quotient, rounded to nearest, halves away from zero.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn div(self, other: Self) -> Self {
        let (sign_n, sign_d) = (self.sign(), other.sign());
        let x = self.xor(sign_n).sub(sign_n);
        let y = other.xor(sign_d).sub(sign_d);
        // Long division of x 2^32 by y, a bit at a time; each step compares as signed numbers, and what overflows
        // wraps, so that results are defined even where the quotient is not.
        let mut division = Division {
            divisor: y,
            rest: x.shr::<31>(),
            inverted: Self::splat(0),
        };
        let mut next = x.shl::<33>();
        // The bits of x come in, and then zeros.
        for _ in 0..31 {
            division.step();
            division.rest = division.rest.or(next.shr::<63>());
            next = next.add(next);
        }
        for _ in 0..33 {
            division.step();
        }
        // The bit that would follow rounds; it is 1 minus the sign: quotient = -1 - inverted + 1 - sign.
        let last = division.rest.sub(y).shr::<63>();
        let quotient = division.inverted.neg().sub(last);
        let sign = sign_n.xor(sign_d);
        quotient.xor(sign).sub(sign)
    }
}

impl<V: I64> Fixed for V {}

/// A long division: what is left, and the bits of the quotient, inverted.
struct Division<X> {
    divisor: X,
    rest: X,
    inverted: X,
}

impl<X: I64> Division<X> {
    #[inline(always)]
    fn step(&mut self) {
        let difference = self.rest.sub(self.divisor);
        let inverted = self.inverted.add(self.inverted);
        self.inverted = inverted.add(difference.shr::<63>());
        let rest = difference.choose_by_sign(self.rest, difference);
        self.rest = rest.add(rest);
    }
}

/// Single words.
pub(crate) type Single = <Portable as Isa>::U64;

/// Defines an operation: a function generic over [`Words`] or [`Fixed`] runs on the vectors of an instruction set where `$size`
/// elements fill one, and on single words elsewhere.
macro_rules! operation {
    (
        $name:ident($($field:ident: $type:ty),* $(,)?) -> $output:ty,
        $vector:ident or $single:ty, $size:expr, $body:ident
    ) => {
        struct $name<'a>($($type),*);

        impl lanner_simd::Operation for $name<'_> {
            type Output = $output;

            #[inline(always)]
            fn run<I: lanner_simd::Isa>(self) -> $output {
                let Self($($field),*) = self;
                if $size >= <I::$vector as lanner_simd::$vector>::LANES {
                    $body::<I::$vector>($($field),*)
                } else {
                    $body::<$single>($($field),*)
                }
            }
        }
    };
}
pub(crate) use operation;
