//! Masks for selection in constant time.

use core::ops::{BitOr, BitXor};
use subtle::Choice;

/// All ones or all zeros.
///
/// The optimiser is kept from learning that a mask has only two values, or it
/// may turn the selection into a branch (RUSTSEC-2024-0344).
#[derive(Clone, Copy)]
pub(crate) struct Mask(u64);

impl Mask {
    /// Set exactly if `a == b`.
    #[inline(always)]
    pub(crate) fn eq(a: u64, b: u64) -> Self {
        Self(lanner_simd::Mask::of_equal(a, b).word())
    }

    /// `new` where set, `old` elsewhere.
    #[inline(always)]
    pub(crate) fn select(self, old: u64, new: u64) -> u64 {
        old ^ (self.0 & (old ^ new))
    }

    /// `new` where set, `old` elsewhere, for half a word.
    #[inline(always)]
    pub(crate) fn select_u32(self, old: u32, new: u32) -> u32 {
        old ^ (self.0 as u32 & (old ^ new))
    }

    /// `value` where set, 0 elsewhere.
    #[cfg_attr(not(feature = "precomputed-tables"), allow(dead_code))]
    #[inline(always)]
    pub(crate) fn keep(self, value: u64) -> u64 {
        self.0 & value
    }
}

impl From<Choice> for Mask {
    #[inline(always)]
    fn from(choice: Choice) -> Self {
        Self(lanner_simd::Mask::of_bit(u64::from(choice.unwrap_u8())).word())
    }
}

impl From<Mask> for Choice {
    #[inline(always)]
    fn from(mask: Mask) -> Self {
        Self::from((mask.0 & 1) as u8)
    }
}

impl BitOr for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self(self.0 | rhs.0)
    }
}

impl BitXor for Mask {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        Self(self.0 ^ rhs.0)
    }
}
