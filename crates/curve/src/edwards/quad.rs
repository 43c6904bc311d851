//! Points whose four coordinates lie side by side in lanes.
//!
//! The formulas are those of `models`, each as two multiplications of four lanes
//! (Hisil, Wong, Carter and Dawson 2008, section 4; Faz-Hernández, López and Dahab
//! 2019). With eight lanes there are two points, and both are treated alike.

use super::models::Extended;
use super::niels::PackedNiels;
use crate::field::lanes::{MAX_LANES, Quads, order};
use crate::field::{Field, packed};

/// (X, Y, Z, T): extended coordinates.
#[derive(Clone, Copy)]
pub(super) struct QuadPoint<Q>(Q);

/// (Y - X, Y + X, 2Z, 2dT): the second operand of additions.
#[derive(Clone, Copy)]
pub(super) struct QuadCached<Q>(Q);

/// Four coordinates in each group of lanes.
#[inline(always)]
fn groups<Q: Quads>(first: [[u64; 4]; 4], second: [[u64; 4]; 4]) -> Q {
    let mut rows = [[0; 4]; MAX_LANES];
    rows[..4].copy_from_slice(&first);
    rows[4..].copy_from_slice(&second);
    Q::from_lanes(&rows)
}

/// (1, 1, 2, 2d).
#[inline(always)]
fn to_cached_factors<Q: Quads>() -> Q {
    let one_two = Q::blend::<0b0100>(&Q::ONE, &Q::TWO);
    Q::blend::<0b1000>(&one_two, &Q::D2)
}

impl<Q: Quads> QuadPoint<Q> {
    /// The neutral element, in each group.
    #[inline(always)]
    pub(super) fn identity() -> Self {
        Self(Q::blend::<0b0110>(&Q::ZERO, &Q::ONE))
    }

    /// The first point in the first group, and the second in the second if there is
    /// one.
    #[inline(always)]
    pub(super) fn new<F: Field>(first: &Extended<F>, second: &Extended<F>) -> Self {
        let rows = |point: &Extended<F>| {
            [point.x, point.y, point.z, point.t].map(|coordinate| coordinate.to_packed().0)
        };
        Self(groups(rows(first), rows(second)))
    }

    /// The point of the first group.
    #[inline(always)]
    pub(super) fn first<F: Field>(&self) -> Extended<F> {
        let lanes = self.0.to_lanes();
        let [x, y, z, t] = core::array::from_fn(|i| F::from_packed(&lanes[i]));
        Extended { x, y, z, t }
    }

    /// (Y - X, Y + X, Z, T).
    #[inline(always)]
    fn to_factors(self) -> Q {
        const X: i32 = order(0, 0, 0, 0);
        const Y: i32 = order(1, 1, 2, 3);
        let x = Q::blend::<0b0011>(&Q::ZERO, &self.0.permute::<X>());
        self.0.permute::<Y>().sum_or_difference::<0b0001>(&x)
    }

    #[inline(always)]
    pub(super) fn to_cached(self) -> QuadCached<Q> {
        QuadCached(Q::mul(&self.to_factors(), &to_cached_factors::<Q>()))
    }

    /// dbl-2008-hwcd with E = 2XY, and all of E, F, G, H with the sign that makes a
    /// sum of it: the squares X^2, Y^2, Z^2 and the product XY, and then
    /// (EF, GH, FG, EH).
    #[inline(always)]
    pub(super) fn double(self) -> Self {
        const LEFT: i32 = order(0, 1, 2, 0);
        const RIGHT: i32 = order(0, 1, 2, 1);
        let products = self
            .0
            .permute::<LEFT>()
            .mul_wide(&self.0.permute::<RIGHT>());
        // (X^2, Y^2, 2Z^2, 2XY).
        let plus = Q::wide_add::<0b1100>(products, products);
        let minus = Q::wide_neg(plus);
        let minus_xx = Q::wide_permute::<{ order(0, 0, 0, 0) }>(minus);
        let minus_zz2 = Q::wide_permute::<{ order(2, 2, 2, 2) }>(minus);
        // (E, G, F, E) = (2XY, Y^2 - X^2, Y^2 - X^2 - 2Z^2, 2XY).
        let left = Q::wide_permute::<{ order(3, 1, 1, 3) }>(plus);
        let left = Q::wide_add::<0b0110>(left, minus_xx);
        let left = Q::wide_add::<0b0100>(left, minus_zz2);
        // (F, H, G, H) = (Y^2 - X^2 - 2Z^2, -Y^2 - X^2, Y^2 - X^2, -Y^2 - X^2).
        let right = Q::wide_blend::<0b1010>(
            Q::wide_permute::<{ order(1, 1, 1, 1) }>(plus),
            Q::wide_permute::<{ order(1, 1, 1, 1) }>(minus),
        );
        let right = Q::wide_add::<0b1111>(right, minus_xx);
        let right = Q::wide_add::<0b0001>(right, minus_zz2);
        Self(Q::mul(&Q::narrow(left), &Q::narrow(right)))
    }

    /// add-2008-hwcd-3.
    #[inline(always)]
    pub(super) fn add(self, rhs: &QuadCached<Q>) -> Self {
        // (A, B, D, C) of `models`.
        let plus = self.to_factors().mul_wide(&rhs.0);
        let minus = Q::wide_neg(plus);
        // (E, G, F, E) = (B - A, D + C, D - C, B - A).
        let left = Q::wide_blend::<0b0010>(
            Q::wide_permute::<{ order(0, 3, 3, 0) }>(minus),
            Q::wide_permute::<{ order(0, 3, 3, 0) }>(plus),
        );
        let left = Q::wide_add::<0b1111>(left, Q::wide_permute::<{ order(1, 2, 2, 1) }>(plus));
        // (F, H, G, H) = (D - C, B + A, D + C, B + A).
        let right = Q::wide_blend::<0b0001>(
            Q::wide_permute::<{ order(3, 0, 3, 0) }>(plus),
            Q::wide_permute::<{ order(3, 0, 3, 0) }>(minus),
        );
        let right = Q::wide_add::<0b1111>(right, Q::wide_permute::<{ order(2, 1, 2, 1) }>(plus));
        Self(Q::mul(&Q::narrow(left), &Q::narrow(right)))
    }

    /// The difference: A and B trade places, and so do F and G.
    #[inline(always)]
    pub(super) fn sub(self, rhs: &QuadCached<Q>) -> Self {
        let swapped = rhs.0.permute::<{ order(1, 0, 2, 3) }>();
        let plus = self.to_factors().mul_wide(&swapped);
        let minus = Q::wide_neg(plus);
        let left = Q::wide_blend::<0b0100>(
            Q::wide_permute::<{ order(0, 3, 3, 0) }>(minus),
            Q::wide_permute::<{ order(0, 3, 3, 0) }>(plus),
        );
        let left = Q::wide_add::<0b1111>(left, Q::wide_permute::<{ order(1, 2, 2, 1) }>(plus));
        let right = Q::wide_blend::<0b0100>(
            Q::wide_permute::<{ order(3, 0, 3, 0) }>(plus),
            Q::wide_permute::<{ order(3, 0, 3, 0) }>(minus),
        );
        let right = Q::wide_add::<0b1111>(right, Q::wide_permute::<{ order(2, 1, 2, 1) }>(plus));
        Self(Q::mul(&Q::narrow(left), &Q::narrow(right)))
    }
}

impl<Q: Quads> QuadCached<Q> {
    /// From the entry of a table, in each group.
    #[inline(always)]
    pub(super) fn from_niels(entry: &PackedNiels) -> Self {
        let rows = [entry[1], entry[0], packed::TWO, entry[2]];
        Self(groups(rows, rows))
    }
}

/// A table of odd multiples 1, 3, 5, … of a point, as many as a power of two.
pub(super) struct QuadOddMultiples<Q, const N: usize>([QuadCached<Q>; N]);

impl<Q: Quads, const N: usize> QuadOddMultiples<Q, N> {
    /// The width of the non-adjacent forms that the multiples serve.
    pub(super) const WIDTH: u32 = N.trailing_zeros() + 2;

    #[inline(always)]
    pub(super) fn new(point: QuadPoint<Q>) -> Self {
        let twice = point.double().to_cached();
        let mut multiples = [point.to_cached(); N];
        let mut multiple = point;
        for entry in &mut multiples[1..] {
            multiple = multiple.add(&twice);
            *entry = multiple.to_cached();
        }
        Self(multiples)
    }

    /// sum + \[digit]P for a digit of a non-adjacent form of that width.
    #[inline(always)]
    pub(super) fn vartime_add(&self, sum: QuadPoint<Q>, digit: i8) -> QuadPoint<Q> {
        let multiple = &self.0[usize::from(digit.unsigned_abs() / 2)];
        match digit {
            0 => sum,
            1.. => sum.add(multiple),
            _ => sum.sub(multiple),
        }
    }
}

/// sum + \[digit]P, given the odd multiples \[2 i + 1]P.
#[inline(always)]
pub(super) fn vartime_add_niels<Q: Quads>(
    sum: QuadPoint<Q>,
    digit: i8,
    multiples: &[PackedNiels],
) -> QuadPoint<Q> {
    let multiple = &multiples[usize::from(digit.unsigned_abs() / 2)];
    match digit {
        0 => sum,
        1.. => sum.add(&QuadCached::from_niels(multiple)),
        _ => sum.sub(&QuadCached::from_niels(multiple)),
    }
}
