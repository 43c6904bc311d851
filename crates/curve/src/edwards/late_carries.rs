//! Formulas for a point in each lane, where a value must be carried to be a factor and a carry costs
//! a sixth of a product: sums of products are carried, not products.
//!
//! The formulas of `models` carry every product and every sum of them. Here what a formula leaves,
//! (E, H, G, F) with X = EF, Y = GH, Z = FG and T = EH, is all that is kept between two of them, and
//! the next one takes from the products what it multiplies by:
//!
//! ```text
//!                 factors of the next products                          carries
//! an addition     GH + EF = Y + X, GH - EF = Y - X, FG = Z, EH = T      4 + 4, for 14
//! a doubling      GH + EF = Y + X, GH - EF = Y - X, FG = Z              3 + 4, for 13
//! ```
//!
//! The second number is for E, F, G and H. Representations with cheap sums keep the formulas of `models`: each
//! function here chooses.

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
mod bounds;

use super::models::{Cached, Completed, Extended};
use super::niels::AffineNiels;
use crate::field::lanes::Quads;

/// All lanes of each group.
const ALL: u8 = 0b1111;

/// A point as the first operand of an addition: (Y + X, Y - X, Z, T).
#[derive(Clone, Copy)]
pub(super) struct Augend<L> {
    y_plus_x: L,
    y_minus_x: L,
    z: L,
    t: L,
}

/// a + b and a - b, carried.
#[inline(always)]
fn sum_and_difference<L: Quads>(covering: L::Wide, b: L::Wide) -> (L, L) {
    (
        L::narrow(L::wide_sum_or_difference::<0>(covering, b)),
        L::narrow(L::wide_sum_or_difference::<ALL>(covering, b)),
    )
}

impl<L: Quads> Completed<L> {
    /// E, H, G and F.
    #[inline(always)]
    fn factors(&self) -> [L; 4] {
        [
            L::carry(&self.x),
            L::carry(&self.y),
            L::carry(&self.z),
            L::carry(&self.t),
        ]
    }

    #[inline(always)]
    fn from_factors([e, h, g, f]: &[L; 4]) -> Self {
        Self {
            x: L::to_loose(e),
            y: L::to_loose(h),
            z: L::to_loose(g),
            t: L::to_loose(f),
        }
    }

    /// Y + X, Y - X and Z.
    #[inline(always)]
    fn sums([e, h, g, f]: &[L; 4]) -> (L, L, L) {
        let y = h.mul_wide_over::<ALL>(g);
        let (y_plus_x, y_minus_x) = sum_and_difference::<L>(y, e.mul_wide_over::<0>(f));
        (y_plus_x, y_minus_x, L::narrow(g.mul_wide_over::<0>(f)))
    }

    #[inline(always)]
    pub(super) fn to_augend(&self) -> Augend<L> {
        if !L::SUMS_ARE_CARRIED {
            return self.to_extended_inline().to_augend();
        }
        let factors = self.factors();
        let (y_plus_x, y_minus_x, z) = Self::sums(&factors);
        let [e, h, ..] = factors;
        Augend {
            y_plus_x,
            y_minus_x,
            z,
            t: L::narrow(e.mul_wide_over::<0>(&h)),
        }
    }

    /// Twice the point. From S = Y + X and D = Y - X: 2E = S^2 - D^2, 2H = S^2 + D^2, 2G = 2SD and
    /// 2F = 4Z^2 - 2SD, of the E, F, G and H of `models`.
    #[inline(always)]
    pub(super) fn double_in_lanes(&self) -> Self {
        if !L::SUMS_ARE_CARRIED {
            return self.to_projective_inline().double_inline();
        }
        let (s, d, z) = Self::sums(&self.factors());
        let (h, e) =
            sum_and_difference::<L>(s.square_wide_over::<ALL>(), d.square_wide_over::<0>());
        let zz = z.square_wide_over::<ALL>();
        let product = s.mul_wide_over::<0>(&d);
        let g = L::wide_add::<ALL>(product, product);
        let zz2 = L::wide_add::<ALL>(zz, zz);
        let f = L::wide_sum_or_difference::<ALL>(L::wide_add::<ALL>(zz2, zz2), g);
        Self::from_factors(&[e, h, L::narrow(g), L::narrow(f)])
    }

    /// The sum.
    #[inline(always)]
    pub(super) fn add_in_lanes(&self, rhs: &Cached<L>) -> Self {
        if L::SUMS_ARE_CARRIED {
            self.to_augend().add(rhs)
        } else {
            self.to_extended_inline().add_inline(rhs)
        }
    }

    /// The sum.
    #[inline(always)]
    pub(super) fn add_affine_in_lanes(&self, rhs: &AffineNiels<L>) -> Self {
        if L::SUMS_ARE_CARRIED {
            self.to_augend().add_affine(rhs)
        } else {
            self.to_extended_inline().add_affine_inline(rhs)
        }
    }
}

impl<L: Quads> Augend<L> {
    /// The sum: E = B - A, H = B + A, G = D + C and F = D - C.
    #[inline(always)]
    pub(super) fn add(&self, rhs: &Cached<L>) -> Completed<L> {
        let d = self.z.mul_wide_over::<ALL>(&rhs.z2);
        self.add_with(d, &rhs.y_plus_x, &rhs.y_minus_x, &rhs.t2d)
    }

    /// The sum.
    #[inline(always)]
    pub(super) fn add_affine(&self, rhs: &AffineNiels<L>) -> Completed<L> {
        let [y_plus_x, y_minus_x, xy2d] = &rhs.coordinates();
        self.add_with(self.z.twice_wide_over::<ALL>(), y_plus_x, y_minus_x, xy2d)
    }

    #[inline(always)]
    fn add_with(&self, d: L::Wide, y_plus_x: &L, y_minus_x: &L, t2d: &L) -> Completed<L> {
        let b = self.y_plus_x.mul_wide_over::<ALL>(y_plus_x);
        let a = self.y_minus_x.mul_wide_over::<0>(y_minus_x);
        let c = self.t.mul_wide_over::<0>(t2d);
        let (h, e) = sum_and_difference::<L>(b, a);
        let (g, f) = sum_and_difference::<L>(d, c);
        Completed::from_factors(&[e, h, g, f])
    }

    /// The point as a second operand.
    #[inline(always)]
    pub(super) fn to_cached(self) -> Cached<L> {
        Cached {
            y_plus_x: self.y_plus_x,
            y_minus_x: self.y_minus_x,
            z2: L::carry(&self.z.add(&self.z)),
            t2d: L::mul(&self.t, &L::D2),
        }
    }
}

impl<L: Quads> Extended<L> {
    #[inline(always)]
    pub(super) fn to_augend(self) -> Augend<L> {
        Augend {
            y_plus_x: L::carry(&self.y.add(&self.x)),
            y_minus_x: L::carry(&self.y.sub(&self.x)),
            z: self.z,
            t: self.t,
        }
    }
}
