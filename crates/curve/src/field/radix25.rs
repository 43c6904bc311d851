//! Ten limbs of 26 and 25 bits in turn: the portable representation for 32-bit
//! machines and WebAssembly, where one multiplication gives 64 bits.
//!
//! Limb i has weight 2^ceil(25.5 i). Bounds, in units of 2^26 for even limbs and
//! 2^25 for odd ones:
//!
//! * carried: below 1 + 1/64;
//! * from `add` or `sub`: below 3.02, which is the most a factor may have (3.36
//!   keeps 19 times an even limb below 2^32);
//! * `add_loose` and `sub_loose` carry.

use super::{Arithmetic, Field, Operand, Packed, of_one_element};
use crate::ct::Mask;

type Limbs = [u32; 10];

/// A carried element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field25(Limbs);

/// A sum or difference, good as a factor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loose25(Limbs);

/// The number of bits of limb `i`.
pub(super) const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}

const fn mask(i: usize) -> u32 {
    (1 << bits(i)) - 1
}

/// Whether each limb is below `sixty_fourths / 64` units.
fn within(limbs: &Limbs, sixty_fourths: u64) -> bool {
    let below = |(i, &limb): (usize, &u32)| u64::from(limb) < sixty_fourths << (bits(i) - 6);
    limbs.iter().enumerate().all(below)
}

impl Operand<Field25> for Field25 {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(within(&self.0, 65));
        &self.0
    }
}

impl Operand<Field25> for Loose25 {
    #[inline(always)]
    fn limbs(&self) -> &Limbs {
        debug_assert!(within(&self.0, 194));
        &self.0
    }
}

#[inline(always)]
fn wide(a: u32, b: u32) -> u64 {
    u64::from(a) * u64::from(b)
}

/// The limbs of k p: for k = 2 above every carried element, for k = 4 above
/// every factor.
#[inline(always)]
fn multiple_of_p(k: u32, i: usize) -> u32 {
    k * (mask(i) - if i == 0 { 18 } else { 0 })
}

/// Carries limbs below 8 units.
#[cfg_attr(feature = "precomputed-tables", inline(always))]
#[cfg_attr(not(feature = "precomputed-tables"), inline(never))]
fn carry_narrow(mut l: Limbs) -> Field25 {
    for i in 0..9 {
        l[i + 1] += l[i] >> bits(i);
        l[i] &= mask(i);
    }
    l[0] += 19 * (l[9] >> bits(9));
    l[9] &= mask(9);
    Field25(l)
}

/// Carries the ten sums of a product, each below 2^63.2.
///
/// Two chains, from 0 to 4 and from 4 to 9, so that they run side by side.
#[inline(always)]
fn carry_wide(mut t: [u64; 10]) -> Field25 {
    macro_rules! carry {
        ($from:literal -> $to:literal) => {
            t[$to] += t[$from] >> bits($from);
            t[$from] &= u64::from(mask($from));
        };
    }
    carry!(0 -> 1);
    carry!(4 -> 5);
    carry!(1 -> 2);
    carry!(5 -> 6);
    carry!(2 -> 3);
    carry!(6 -> 7);
    carry!(3 -> 4);
    carry!(7 -> 8);
    carry!(4 -> 5);
    carry!(8 -> 9);
    // The top carry is below 2^39, so 19 times it is below 2^44 and the last
    // carry into limb 1 below 2^18.
    t[0] += 19 * (t[9] >> bits(9));
    t[9] &= u64::from(mask(9));
    carry!(0 -> 1);
    Field25(t.map(|limb| limb as u32))
}

// A call costs little beside a hundred products, and inlined into formulas they
// spill registers: `mul` and `square` stay functions.

#[inline(never)]
fn mul(a: &Limbs, b: &Limbs) -> Field25 {
    #[cfg(all(target_arch = "x86", not(miri)))]
    if lanner_simd::backend::HAS_PRODUCTS {
        return Field25(super::products25::mul(a, b));
    }
    carry_wide(schoolbook(a, b))
}

/// The ten sums of a product.
#[inline(always)]
pub(super) fn schoolbook(a: &Limbs, b: &Limbs) -> [u64; 10] {
    // 2^255 = 19, so a column that overflows the top returns times 19; and
    // two odd limbs meet half a bit above their column, so times 2. With
    // factors below 3.04 units a sum is below
    // 3.04^2 (1 + 19 * 6.5) 2^52 < 2^62.2.
    let r = b.map(|limb| 19 * limb);
    // Odd limbs of `a` doubled, for columns that are even.
    let d: Limbs = core::array::from_fn(|i| a[i] << (i & 1));
    macro_rules! column {
        ($x0:ident $y0:ident $j0:literal, $x1:ident $y1:ident $j1:literal, $x2:ident $y2:ident $j2:literal,
         $x3:ident $y3:ident $j3:literal, $x4:ident $y4:ident $j4:literal, $x5:ident $y5:ident $j5:literal,
         $x6:ident $y6:ident $j6:literal, $x7:ident $y7:ident $j7:literal, $x8:ident $y8:ident $j8:literal,
         $x9:ident $y9:ident $j9:literal) => {
            wide($x0[0], $y0[$j0])
                + wide($x1[1], $y1[$j1])
                + wide($x2[2], $y2[$j2])
                + wide($x3[3], $y3[$j3])
                + wide($x4[4], $y4[$j4])
                + wide($x5[5], $y5[$j5])
                + wide($x6[6], $y6[$j6])
                + wide($x7[7], $y7[$j7])
                + wide($x8[8], $y8[$j8])
                + wide($x9[9], $y9[$j9])
        };
    }
    [
        column!(d b 0, d r 9, d r 8, d r 7, d r 6, d r 5, d r 4, d r 3, d r 2, d r 1),
        column!(a b 1, a b 0, a r 9, a r 8, a r 7, a r 6, a r 5, a r 4, a r 3, a r 2),
        column!(d b 2, d b 1, d b 0, d r 9, d r 8, d r 7, d r 6, d r 5, d r 4, d r 3),
        column!(a b 3, a b 2, a b 1, a b 0, a r 9, a r 8, a r 7, a r 6, a r 5, a r 4),
        column!(d b 4, d b 3, d b 2, d b 1, d b 0, d r 9, d r 8, d r 7, d r 6, d r 5),
        column!(a b 5, a b 4, a b 3, a b 2, a b 1, a b 0, a r 9, a r 8, a r 7, a r 6),
        column!(d b 6, d b 5, d b 4, d b 3, d b 2, d b 1, d b 0, d r 9, d r 8, d r 7),
        column!(a b 7, a b 6, a b 5, a b 4, a b 3, a b 2, a b 1, a b 0, a r 9, a r 8),
        column!(d b 8, d b 7, d b 6, d b 5, d b 4, d b 3, d b 2, d b 1, d b 0, d r 9),
        column!(a b 9, a b 8, a b 7, a b 6, a b 5, a b 4, a b 3, a b 2, a b 1, a b 0),
    ]
}

/// `n` squarings.
#[inline(never)]
fn square_times(a: &Limbs, n: u32) -> Field25 {
    let mut r = Field25(*a);
    for _ in 0..n {
        r = square(&r.0);
    }
    r
}

#[inline(never)]
fn square(a: &Limbs) -> Field25 {
    #[cfg(all(target_arch = "x86", not(miri)))]
    if lanner_simd::backend::HAS_PRODUCTS {
        return Field25(super::products25::square(a));
    }
    // As in `mul`, with equal terms taken once and doubled: `d` is 2 a. An
    // odd limb times an odd one counts twice more, so `q` is 4 a for those.
    let d = a.map(|limb| 2 * limb);
    let q = a.map(|limb| 4 * limb);
    let r = a.map(|limb| 19 * limb);
    carry_wide([
        wide(a[0], a[0])
            + wide(d[5], r[5])
            + wide(q[1], r[9])
            + wide(d[2], r[8])
            + wide(q[3], r[7])
            + wide(d[4], r[6]),
        wide(d[0], a[1])
            + wide(d[2], r[9])
            + wide(d[3], r[8])
            + wide(d[4], r[7])
            + wide(d[5], r[6]),
        wide(d[0], a[2])
            + wide(d[1], a[1])
            + wide(a[6], r[6])
            + wide(q[3], r[9])
            + wide(d[4], r[8])
            + wide(q[5], r[7]),
        wide(d[0], a[3])
            + wide(d[1], a[2])
            + wide(d[4], r[9])
            + wide(d[5], r[8])
            + wide(d[6], r[7]),
        wide(d[0], a[4])
            + wide(q[1], a[3])
            + wide(a[2], a[2])
            + wide(d[7], r[7])
            + wide(q[5], r[9])
            + wide(d[6], r[8]),
        wide(d[0], a[5])
            + wide(d[1], a[4])
            + wide(d[2], a[3])
            + wide(d[6], r[9])
            + wide(d[7], r[8]),
        wide(d[0], a[6])
            + wide(q[1], a[5])
            + wide(d[2], a[4])
            + wide(d[3], a[3])
            + wide(a[8], r[8])
            + wide(q[7], r[9]),
        wide(d[0], a[7])
            + wide(d[1], a[6])
            + wide(d[2], a[5])
            + wide(d[3], a[4])
            + wide(d[8], r[9]),
        wide(d[0], a[8])
            + wide(q[1], a[7])
            + wide(d[2], a[6])
            + wide(q[3], a[5])
            + wide(a[4], a[4])
            + wide(d[9], r[9]),
        wide(d[0], a[9])
            + wide(d[1], a[8])
            + wide(d[2], a[7])
            + wide(d[3], a[6])
            + wide(d[4], a[5]),
    ])
}

impl Field25 {
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) const fn from_limbs(limbs: Limbs) -> Self {
        Self(limbs)
    }

    #[cfg(test)]
    pub(super) const fn loose_from_limbs(limbs: Limbs) -> Loose25 {
        Loose25(limbs)
    }

    pub(super) const fn to_limbs(self) -> Limbs {
        self.0
    }

    pub(crate) const fn from_words(w: [u64; 4]) -> Self {
        let mut limbs = [0; 10];
        let mut i = 0;
        let mut position = 0;
        while i < 10 {
            let (word, shift) = (position / 64, position % 64);
            let mut chunk = w[word] >> shift;
            if shift > 64 - 26 && word < 3 {
                chunk |= w[word + 1] << (64 - shift);
            }
            limbs[i] = chunk as u32 & mask(i);
            position += bits(i) as usize;
            i += 1;
        }
        // The top bit is worth 19.
        limbs[0] += 19 * (w[3] >> 63) as u32;
        Self(limbs)
    }
}

impl Arithmetic for Field25 {
    type Limbs = Limbs;
    type Loose = Loose25;
    type Mask = Mask;

    const ZERO: Self = Self([0; 10]);
    const ONE: Self = Self([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const TWO: Self = Self([2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const D: Self = Self::from_words(super::packed::D);
    const D2: Self = Self::from_words(super::packed::D2);
    const SQRT_M1: Self = Self::from_words(super::packed::SQRT_M1);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&self, rhs: &Self) -> Loose25 {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose25(core::array::from_fn(|i| a[i] + b[i]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(&self, rhs: &Self) -> Loose25 {
        let (a, b) = (self.limbs(), rhs.limbs());
        Loose25(core::array::from_fn(|i| a[i] + multiple_of_p(2, i) - b[i]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25 {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose25(carry_narrow(core::array::from_fn(|i| a[i] + b[i])).0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub_loose(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Loose25 {
        let (a, b) = (lhs.limbs(), rhs.limbs());
        Loose25(carry_narrow(core::array::from_fn(|i| a[i] + multiple_of_p(4, i) - b[i])).0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn carry(value: &impl Operand<Self>) -> Self {
        carry_narrow(*value.limbs())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(lhs: &impl Operand<Self>, rhs: &impl Operand<Self>) -> Self {
        mul(lhs.limbs(), rhs.limbs())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square(value: &impl Operand<Self>) -> Self {
        square(value.limbs())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn square_times(value: &impl Operand<Self>, n: u32) -> Self {
        debug_assert!(n > 0);
        square_times(value.limbs(), n)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul_121666(value: &impl Operand<Self>) -> Self {
        carry_wide(value.limbs().map(|limb| wide(limb, 121_666)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn select(a: &Self, b: &Self, mask: Mask) -> Self {
        Self(core::array::from_fn(|i| mask.select_u32(a.0[i], b.0[i])))
    }

    of_one_element!();
}

impl Field for Field25 {
    #[inline(always)]
    fn from_packed(value: &Packed) -> Self {
        Self::from_words(value.0)
    }

    #[inline(never)]
    fn to_packed(&self) -> Packed {
        // After this pass only limb 0 can exceed its bits, by less than 19 * 2.
        let limbs = carry_narrow(*self.limbs()).0;
        let mut words = [0u64; 4];
        let mut position = 0;
        for (i, &limb) in limbs.iter().enumerate().skip(1) {
            position += bits(i - 1) as usize;
            let (word, shift) = (position / 64, position % 64);
            words[word] |= u64::from(limb) << shift;
            if shift > 64 - 26 && word < 3 {
                words[word + 1] |= u64::from(limb) >> (64 - shift);
            }
        }
        Packed::from_words_plus(words, u64::from(limbs[0]))
    }
}
