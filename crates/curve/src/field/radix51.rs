//! Five limbs of 51 bits: the portable representation for 64-bit machines.
//!
//! An element is l0 + 2^51 l1 + 2^102 l2 + 2^153 l3 + 2^204 l4. Bounds:
//!
//! * carried: every limb below 2^51 + 2^15;
//! * from `add` or `sub`: below 2^52.6;
//! * from `add_loose` or `sub_loose`, and the most a factor may have: below 2^54.

#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
use super::products51;
use super::{Arithmetic, Field, Operand, Packed, of_one_element};
use crate::ct::Mask;
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
use lanner_simd::backend::HAS_PRODUCTS;

type Limbs = [u64; 5];

const MASK: u64 = (1 << 51) - 1;

/// A carried element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field51(Limbs);

/// A sum or difference, good as a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loose51(Limbs);

impl Operand<Field51> for Field51 {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(self.0.iter().all(|&limb| limb < (1 << 51) + (1 << 15)));
        &self.0
    }
}

impl Operand<Field51> for Loose51 {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(self.0.iter().all(|&limb| limb < 1 << 54));
        &self.0
    }
}

/// The limbs of an operand of `add_loose` or `sub_loose`.
#[inline(always)]
fn summand(operand: &impl Operand<Field51>) -> &Limbs {
    let limbs = operand.limbs();
    // 6.06 * 2^50 is 2^52.6.
    debug_assert!(limbs.iter().all(|&limb| limb < 6_823_000_000_000_000));
    limbs
}

#[inline(always)]
fn wide(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

#[inline(always)]
fn zip(a: &Limbs, b: &Limbs, f: impl Fn(u64, u64) -> u64) -> Limbs {
    core::array::from_fn(|i| f(a[i], b[i]))
}

/// a + k p - b without a limb below zero: k p has the limbs `first`, `rest`, ….
#[inline(always)]
fn difference(a: &Limbs, b: &Limbs, k: u64) -> Limbs {
    let (first, rest) = (k * (MASK - 18), k * MASK);
    core::array::from_fn(|i| a[i] + if i == 0 { first } else { rest } - b[i])
}

/// Carries the five sums of a product, each below 2^115.
#[inline(always)]
fn carry_wide(mut t: [u128; 5]) -> Field51 {
    let mut l = [0u64; 5];
    for i in 0..4 {
        t[i + 1] += u128::from((t[i] >> 51) as u64);
        l[i] = t[i] as u64 & MASK;
    }
    l[4] = t[4] as u64 & MASK;
    // t4 has no term times 19, so t4 < 5 * 2^108 + 2^64 and its carry is below 2^59.4.
    l[0] += 19 * (t[4] >> 51) as u64;
    // 19 * 2^59.4 + 2^51 < 2^63.7; the second carry is below 2^13.
    l[1] += l[0] >> 51;
    l[0] &= MASK;
    Field51(l)
}

/// The product of factors.
#[cfg_attr(not(lanner_size = "small"), inline(always))]
#[cfg_attr(lanner_size = "small", inline(never))]
pub(super) fn mul(a: &Limbs, b: &Limbs) -> Field51 {
    // 2^255 = 19: a column that overflows the top returns times 19. With
    // factors below 2^54 a sum is below (1 + 4 * 19) 2^108 < 2^115, and
    // 19 b_i below 2^59.
    let [_, b1, b2, b3, b4] = b.map(|limb| 19 * limb);
    carry_wide([
        wide(a[0], b[0]) + wide(a[1], b4) + wide(a[2], b3) + wide(a[3], b2) + wide(a[4], b1),
        wide(a[0], b[1]) + wide(a[1], b[0]) + wide(a[2], b4) + wide(a[3], b3) + wide(a[4], b2),
        wide(a[0], b[2]) + wide(a[1], b[1]) + wide(a[2], b[0]) + wide(a[3], b4) + wide(a[4], b3),
        wide(a[0], b[3]) + wide(a[1], b[2]) + wide(a[2], b[1]) + wide(a[3], b[0]) + wide(a[4], b4),
        wide(a[0], b[4])
            + wide(a[1], b[3])
            + wide(a[2], b[2])
            + wide(a[3], b[1])
            + wide(a[4], b[0]),
    ])
}

/// The square of a factor.
#[cfg_attr(not(lanner_size = "small"), inline(always))]
#[cfg_attr(lanner_size = "small", inline(never))]
pub(super) fn square(a: &Limbs) -> Field51 {
    let (d0, d1, d2, d3) = (2 * a[0], 2 * a[1], 2 * a[2], 2 * a[3]);
    let (a3, a4) = (19 * a[3], 19 * a[4]);
    carry_wide([
        wide(a[0], a[0]) + wide(d1, a4) + wide(d2, a3),
        wide(d0, a[1]) + wide(d2, a4) + wide(a[3], a3),
        wide(d0, a[2]) + wide(a[1], a[1]) + wide(d3, a4),
        wide(d0, a[3]) + wide(d1, a[2]) + wide(a[4], a4),
        wide(d0, a[4]) + wide(d1, a[3]) + wide(a[2], a[2]),
    ])
}

impl Field51 {
    #[cfg(test)]
    pub(super) const fn from_limbs(limbs: Limbs) -> Self {
        Self(limbs)
    }

    #[cfg(test)]
    pub(super) const fn loose_from_limbs(limbs: Limbs) -> Loose51 {
        Loose51(limbs)
    }

    pub(super) const fn to_limbs(self) -> Limbs {
        self.0
    }

    pub(crate) const fn from_words(w: [u64; 4]) -> Self {
        Self([
            // The top bit is worth 19: the limb stays below 2^51 + 19.
            (w[0] & MASK) + 19 * (w[3] >> 63),
            ((w[0] >> 51) | (w[1] << 13)) & MASK,
            ((w[1] >> 38) | (w[2] << 26)) & MASK,
            ((w[2] >> 25) | (w[3] << 39)) & MASK,
            (w[3] >> 12) & MASK,
        ])
    }
}

impl Arithmetic for Field51 {
    type Limbs = Limbs;
    type Loose = Loose51;
    type Mask = Mask;

    const ZERO: Self = Self([0; 5]);
    const ONE: Self = Self([1, 0, 0, 0, 0]);
    const TWO: Self = Self([2, 0, 0, 0, 0]);
    const D: Self = Self::from_words(super::packed::D);
    const D2: Self = Self::from_words(super::packed::D2);
    const SQRT_M1: Self = Self::from_words(super::packed::SQRT_M1);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&self, rhs: &Self) -> Loose51 {
        Loose51(zip(self.limbs(), rhs.limbs(), |a, b| a + b))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(&self, rhs: &Self) -> Loose51 {
        Loose51(difference(self.limbs(), rhs.limbs(), 2))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose51 {
        Loose51(zip(summand(lhs), summand(rhs), |a, b| a + b))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose51 {
        Loose51(difference(summand(lhs), summand(rhs), 4))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn carry(value: &impl Operand<Self>) -> Self {
        let l = value.limbs();
        let high = l.map(|limb| limb >> 51);
        // Carries are below 2^3: limbs end below 2^51 + 19 * 2^3.
        Self([
            (l[0] & MASK) + 19 * high[4],
            (l[1] & MASK) + high[0],
            (l[2] & MASK) + high[1],
            (l[3] & MASK) + high[2],
            (l[4] & MASK) + high[3],
        ])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
        if HAS_PRODUCTS {
            return Self(products51::mul(a, b));
        }
        mul(a, b)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square(value: &impl Operand<Self>) -> Self {
        #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
        if HAS_PRODUCTS {
            return Self(products51::square(value.limbs()));
        }
        square(value.limbs())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
        if HAS_PRODUCTS {
            return Self(products51::square_times(value.limbs(), n));
        }
        let mut r = square(value.limbs());
        for _ in 1..n {
            r = square(&r.0);
        }
        r
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        carry_wide(value.limbs().map(|limb| wide(limb, 121_666)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn select(a: &Self, b: &Self, mask: Mask) -> Self {
        Self(core::array::from_fn(|i| mask.select(a.0[i], b.0[i])))
    }

    of_one_element!();
}

impl Field for Field51 {
    #[inline(always)]
    fn from_packed(value: &Packed) -> Self {
        Self::from_words(value.0)
    }

    #[inline(always)]
    fn to_packed(&self) -> Packed {
        let mut l = *self.limbs();
        // One full pass leaves l1 to l4 below 2^51 and l0 below 2^51 + 19.
        for i in 0..4 {
            l[i + 1] += l[i] >> 51;
            l[i] &= MASK;
        }
        l[0] += 19 * (l[4] >> 51);
        l[4] &= MASK;
        // So only l0 can overlap its neighbour, and the value is below 2^255 + 19.
        let words = [
            l[1] << 51,
            (l[1] >> 13) | (l[2] << 38),
            (l[2] >> 26) | (l[3] << 25),
            (l[3] >> 39) | (l[4] << 12),
        ];
        Packed::from_words_plus(words, l[0])
    }
}
