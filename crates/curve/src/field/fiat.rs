//! The formally verified arithmetic of the crate `fiat-crypto`, both widths.
//!
//! Its types of tight and loose elements are the bounds of its proofs, and it
//! has one loose level: `add_loose` and `sub_loose` carry their operands first.

use super::{Arithmetic, Field, Operand, Packed, of_one_element};
use crate::ct::Mask;
use fiat_crypto::curve25519_32;
#[cfg(any(target_pointer_width = "64", test))]
use fiat_crypto::curve25519_64;

macro_rules! fiat_field {
    ($name:ident, $loose:ident, $fiat:ident, [$word:ty; $n:literal], $portable:ty, $select:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name([$word; $n]);

        /// Loose in the sense of fiat-crypto.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $loose([$word; $n]);

        impl Operand<$name> for $name {
            #[inline(always)]
            fn limbs(&self) -> &[$word; $n] {
                &self.0
            }
        }

        impl Operand<$name> for $loose {
            #[inline(always)]
            fn limbs(&self) -> &[$word; $n] {
                &self.0
            }
        }

        impl $name {
            /// The limbs of the representative in [0, p), all within the tight
            /// bounds.
            const fn split(value: Packed) -> Self {
                Self(<$portable>::from_words(value.freeze().0).to_limbs())
            }

            #[cfg(all(test, feature = "fiat"))]
            pub(super) const fn from_limbs(limbs: [$word; $n]) -> Self {
                Self(limbs)
            }

            #[cfg(all(test, feature = "fiat"))]
            pub(super) const fn loose_from_limbs(limbs: [$word; $n]) -> $loose {
                $loose(limbs)
            }

            #[inline(always)]
            fn tight(&self) -> $fiat::fiat_25519_tight_field_element {
                $fiat::fiat_25519_tight_field_element(self.0)
            }

            /// Tight bounds are within the loose ones, so every operand is loose.
            #[inline(always)]
            fn loose(operand: &impl Operand<Self>) -> $fiat::fiat_25519_loose_field_element {
                $fiat::fiat_25519_loose_field_element(*operand.limbs())
            }

            /// Not inlined, for the size of the code.
            #[inline(never)]
            fn carry_mul(
                lhs: &$fiat::fiat_25519_loose_field_element,
                rhs: &$fiat::fiat_25519_loose_field_element,
            ) -> Self {
                Self::run(|out| $fiat::fiat_25519_carry_mul(out, lhs, rhs))
            }

            /// Not inlined, for the size of the code.
            #[inline(never)]
            fn carry_square(value: &$fiat::fiat_25519_loose_field_element) -> Self {
                Self::run(|out| $fiat::fiat_25519_carry_square(out, value))
            }

            #[inline(always)]
            fn run(f: impl FnOnce(&mut $fiat::fiat_25519_tight_field_element)) -> Self {
                let mut out = $fiat::fiat_25519_tight_field_element([0; $n]);
                f(&mut out);
                Self(out.0)
            }
        }

        impl Arithmetic for $name {
            type Limbs = [$word; $n];
            type Loose = $loose;
            type Mask = Mask;

            const ZERO: Self = Self([0; $n]);
            const ONE: Self = Self::split(Packed::ONE);
            const TWO: Self = Self::split(Packed([2, 0, 0, 0]));
            const D: Self = Self::split(Packed(super::packed::D));
            const D2: Self = Self::split(Packed(super::packed::D2));
            const SQRT_M1: Self = Self::split(Packed(super::packed::SQRT_M1));

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn add(&self, rhs: &Self) -> $loose {
                let mut out = $fiat::fiat_25519_loose_field_element([0; $n]);
                $fiat::fiat_25519_add(&mut out, &self.tight(), &rhs.tight());
                $loose(out.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn sub(&self, rhs: &Self) -> $loose {
                let mut out = $fiat::fiat_25519_loose_field_element([0; $n]);
                $fiat::fiat_25519_sub(&mut out, &self.tight(), &rhs.tight());
                $loose(out.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> $loose {
                Self::carry(lhs).add(&Self::carry(rhs))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> $loose {
                Self::carry(lhs).sub(&Self::carry(rhs))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn carry(value: &impl Operand<Self>) -> Self {
                Self::run(|out| $fiat::fiat_25519_carry(out, &Self::loose(value)))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
                Self::carry_mul(&Self::loose(lhs), &Self::loose(rhs))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn square(value: &impl Operand<Self>) -> Self {
                Self::carry_square(&Self::loose(value))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mul_121666(value: &impl Operand<Self>) -> Self {
                Self::run(|out| $fiat::fiat_25519_carry_scmul_121666(out, &Self::loose(value)))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn select(a: &Self, b: &Self, mask: Mask) -> Self {
                Self(core::array::from_fn(|i| mask.$select(a.0[i], b.0[i])))
            }

            of_one_element!();
        }

        impl Field for $name {
            #[inline(always)]
            fn from_packed(value: &Packed) -> Self {
                Self::split(*value)
            }

            #[inline(always)]
            fn to_packed(&self) -> Packed {
                let mut bytes = [0; 32];
                $fiat::fiat_25519_to_bytes(&mut bytes, &self.tight());
                Packed(crate::bytes::words_from_bytes(&bytes))
            }
        }
    };
}

#[cfg(any(target_pointer_width = "64", test))]
fiat_field!(
    FiatField51,
    FiatLoose51,
    curve25519_64,
    [u64; 5],
    super::radix51::Field51,
    select,
    "Five limbs of 51 bits."
);
fiat_field!(
    FiatField25,
    FiatLoose25,
    curve25519_32,
    [u32; 10],
    super::radix25::Field25,
    select_u32,
    "Ten limbs of 25.5 bits."
);
