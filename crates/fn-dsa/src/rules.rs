//! The rules of a variant as a value, which the code within takes in place of the variant.
//!
//! On most targets that value has no size: it is the variant's type, and everything is compiled for each variant by itself,
//! its rules being constants. A module for WebAssembly has all variants and is loaded from afar. There the value is a byte,
//! so that the code of the codec, of the hashes, of signing and of verification is there once.

use core::marker::PhantomData;

use crate::params::{BitOrder, HPK_LENGTH, KeygenRule, SamplerTables, Variant, sign_key_size};
#[cfg(any(target_arch = "wasm32", test))]
use crate::params::{P3, P4};

/// What differs between the variants, and only that: see the constants of [`Variant`].
#[cfg_attr(not(all(feature = "keygen", feature = "sign")), allow(dead_code))]
pub(crate) trait Rules: Copy + Default + Send + Sync + 'static {
    /// [`Variant::BIT_ORDER`].
    fn bit_order(self) -> BitOrder;
    /// [`Variant::NTT_KEYS`].
    fn ntt_keys(self) -> bool;
    /// [`Variant::COMPRESSED_BOUND`].
    fn compressed_bound(self) -> u16;
    /// [`Variant::COEFFICIENT_BOUND`].
    fn coefficient_bound(self) -> u16;
    /// [`Variant::KEY_HOLDS_HPK`].
    fn key_holds_hpk(self) -> bool;
    /// [`Variant::HASHES_MU`].
    fn hashes_mu(self) -> bool;
    /// [`Variant::BINDS_KEY`].
    fn binds_key(self) -> bool;
    /// [`Variant::KEYGEN`].
    fn keygen(self) -> KeygenRule;
    /// [`Variant::SAMPLER`].
    fn sampler(self) -> SamplerTables;

    /// Carries out what is fast where rules are constants, and is one for the main variant and Falcon: whether the hash of the
    /// key enters that of a message has been decided before.
    fn specialise<T: Specialised>(self, task: T) -> T::Output;

    /// Bytes of a signing key of degree 2^`logn`.
    #[inline(always)]
    fn sign_key_size(self, logn: u32) -> usize {
        sign_key_size(logn) + if self.key_holds_hpk() { HPK_LENGTH } else { 0 }
    }
}

/// What [`Rules::specialise`] carries out.
pub(crate) trait Specialised {
    /// Its result.
    type Output;

    /// Does it, by constant rules.
    fn run(self, rules: impl Rules) -> Self::Output;
}

/// The value of each variant.
pub(crate) trait Ruled {
    /// Its type.
    type Rules: Rules;
    /// The value.
    const RULES: Self::Rules;
}

#[cfg(not(target_arch = "wasm32"))]
impl<V: Variant> Ruled for V {
    type Rules = Constant<V>;
    const RULES: Constant<V> = Constant::NEW;
}

#[cfg(target_arch = "wasm32")]
impl<V: Variant> Ruled for V {
    type Rules = Told;
    const RULES: Told = Told::of::<V>();
}

/// The rules of the variant `V` as constants.
pub(crate) struct Constant<V>(PhantomData<V>);

impl<V> Constant<V> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<V> Clone for Constant<V> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Constant<V> {}

impl<V> Default for Constant<V> {
    #[inline(always)]
    fn default() -> Self {
        Self::NEW
    }
}

impl<V: Variant> Rules for Constant<V> {
    #[inline(always)]
    fn specialise<T: Specialised>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline(always)]
    fn bit_order(self) -> BitOrder {
        V::BIT_ORDER
    }

    #[inline(always)]
    fn ntt_keys(self) -> bool {
        V::NTT_KEYS
    }

    #[inline(always)]
    fn compressed_bound(self) -> u16 {
        V::COMPRESSED_BOUND
    }

    #[inline(always)]
    fn coefficient_bound(self) -> u16 {
        V::COEFFICIENT_BOUND
    }

    #[inline(always)]
    fn key_holds_hpk(self) -> bool {
        V::KEY_HOLDS_HPK
    }

    #[inline(always)]
    fn hashes_mu(self) -> bool {
        V::HASHES_MU
    }

    #[inline(always)]
    fn binds_key(self) -> bool {
        V::BINDS_KEY
    }

    #[inline(always)]
    fn keygen(self) -> KeygenRule {
        V::KEYGEN
    }

    #[inline(always)]
    fn sampler(self) -> SamplerTables {
        V::SAMPLER
    }
}

/// The rules of a variant that is known when the program runs.
#[cfg(any(target_arch = "wasm32", test))]
#[derive(Clone, Copy, Default)]
pub(crate) struct Told(u8);

#[cfg(any(target_arch = "wasm32", test))]
impl Told {
    /// All that the draft guess has otherwise than Falcon and the main variant.
    const DRAFT: u8 = 1;
    /// The hash of the verifying key enters that of a message.
    const BINDS_KEY: u8 = 2;

    pub(crate) const fn of<V: Variant>() -> Self {
        let draft = if V::HASHES_MU { Self::DRAFT } else { 0 };
        let binds_key = if V::BINDS_KEY { Self::BINDS_KEY } else { 0 };
        Self(draft | binds_key)
    }

    #[inline(always)]
    fn is_draft(self) -> bool {
        self.0 & Self::DRAFT != 0
    }
}

#[cfg(any(target_arch = "wasm32", test))]
impl Rules for Told {
    fn specialise<T: Specialised>(self, task: T) -> T::Output {
        match self.is_draft() {
            false => task.run(Constant::<P3>::NEW),
            true => task.run(Constant::<P4>::NEW),
        }
    }

    #[inline(always)]
    fn bit_order(self) -> BitOrder {
        match self.is_draft() {
            false => P3::BIT_ORDER,
            true => P4::BIT_ORDER,
        }
    }

    #[inline(always)]
    fn ntt_keys(self) -> bool {
        self.is_draft()
    }

    #[inline(always)]
    fn compressed_bound(self) -> u16 {
        match self.is_draft() {
            false => P3::COMPRESSED_BOUND,
            true => P4::COMPRESSED_BOUND,
        }
    }

    #[inline(always)]
    fn coefficient_bound(self) -> u16 {
        match self.is_draft() {
            false => P3::COEFFICIENT_BOUND,
            true => P4::COEFFICIENT_BOUND,
        }
    }

    #[inline(always)]
    fn key_holds_hpk(self) -> bool {
        self.is_draft()
    }

    #[inline(always)]
    fn hashes_mu(self) -> bool {
        self.is_draft()
    }

    #[inline(always)]
    fn binds_key(self) -> bool {
        self.0 & Self::BINDS_KEY != 0
    }

    #[inline(always)]
    fn keygen(self) -> KeygenRule {
        match self.is_draft() {
            false => P3::KEYGEN,
            true => P4::KEYGEN,
        }
    }

    #[inline(always)]
    fn sampler(self) -> SamplerTables {
        match self.is_draft() {
            false => P3::SAMPLER,
            true => P4::SAMPLER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::R3;

    /// What a module for WebAssembly is told is what other targets have as constants.
    #[test]
    fn both_values_say_the_same() {
        fn check<V: Variant>() {
            let (told, own) = (Told::of::<V>(), Constant::<V>::NEW);
            assert_eq!(told.bit_order(), own.bit_order());
            assert_eq!(told.ntt_keys(), own.ntt_keys());
            assert_eq!(told.compressed_bound(), own.compressed_bound());
            assert_eq!(told.coefficient_bound(), own.coefficient_bound());
            assert_eq!(told.key_holds_hpk(), own.key_holds_hpk());
            assert_eq!(told.hashes_mu(), own.hashes_mu());
            assert_eq!(told.binds_key(), own.binds_key());
            assert_eq!(told.keygen(), own.keygen());
            assert_eq!(told.sampler(), own.sampler());
            assert_eq!(told.sign_key_size(9), V::sign_key_size(9));
            assert_eq!(own.sign_key_size(9), V::sign_key_size(9));
        }
        check::<P3>();
        check::<R3>();
        check::<P4>();
    }
}
