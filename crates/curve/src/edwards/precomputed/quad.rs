//! Points whose four coordinates lie side by side in lanes.
//!
//! The formulas are those of `models`, each as two multiplications of four lanes
//! (Hisil, Wong, Carter and Dawson 2008, section 4; Faz-Hernández, López and Dahab
//! 2019). With eight lanes there are two points, and both are treated alike.

#[cfg(all(test, debug_assertions, feature = "precomputed-tables", not(miri)))]
mod bounds;

use super::niels::PackedNiels;
use crate::edwards::EdwardsPoint;
use crate::edwards::models::Extended;
use crate::edwards::straus::{Accumulator, AddedTo, Doubling, OddMultiples, PointAccumulator};
use crate::field::lanes::{MAX_LANES, Quads, order};
use crate::field::{Field, packed};
use crate::scalar::recode::digit_masks;
use lanner_simd::Task;

/// (X, Y, Z, T): extended coordinates.
#[derive(Clone, Copy)]
pub(super) struct QuadPoint<Q>(Q);

/// (Y - X, Y + X, 2Z, 2dT): the second operand of additions.
#[derive(Clone, Copy)]
pub(super) struct QuadCached<Q>(Q);

/// Four coordinates, in each group of lanes.
#[inline(always)]
fn groups<Q: Quads>(coordinates: [[u64; 4]; 4]) -> Q {
    let mut rows = [[0; 4]; MAX_LANES];
    rows[..4].copy_from_slice(&coordinates);
    rows[4..].copy_from_slice(&coordinates);
    Q::from_lanes(&rows)
}

/// (1, 1, 2, 2d).
#[inline(always)]
fn to_cached_factors<Q: Quads>() -> Q {
    let one_two = Q::blend::<0b0100>(&Q::ONE, &Q::TWO);
    Q::blend::<0b1000>(&one_two, &Q::D2)
}

impl<Q: Quads> QuadPoint<Q> {
    /// A point, in each group.
    #[inline(always)]
    pub(super) fn new(point: &EdwardsPoint) -> Self {
        Self(groups([point.x.0, point.y.0, point.z.0, point.t.0]))
    }

    /// The point of the first group.
    #[inline(always)]
    pub(super) fn pack(&self) -> EdwardsPoint {
        let [x, y, z, t, ..] = self.0.to_lanes();
        EdwardsPoint { x, y, z, t }
    }

    #[inline(always)]
    pub(super) fn neg(self) -> Self {
        Self(Q::blend::<0b1001>(&self.0, &self.0.neg()))
    }

    /// (Y - X, Y + X, Z, T) times another quad.
    #[inline(always)]
    fn times(self, rhs: &Q) -> Q::Wide {
        const X: i32 = order(0, 0, 0, 0);
        const Y: i32 = order(1, 1, 2, 3);
        let x = Q::blend::<0b0011>(&Q::ZERO, &self.0.permute::<X>());
        self.0
            .permute::<Y>()
            .mul_sum_or_difference::<0b0001>(&x, rhs)
    }

    #[inline(always)]
    pub(super) fn to_cached(self) -> QuadCached<Q> {
        QuadCached(Q::narrow(self.times(&to_cached_factors::<Q>())))
    }

    /// add-2008-hwcd-3.
    #[inline(always)]
    pub(super) fn add(self, rhs: &QuadCached<Q>) -> Self {
        // (A, B, D, C) of `models`.
        let plus = self.times(&rhs.0);
        let minus = Q::wide_neg(plus);
        // (E, H, F, E) = (B - A, B + A, D - C, B - A).
        let left = Q::wide_add::<0b1111>(
            Q::wide_permute::<{ order(1, 1, 2, 1) }>(plus),
            Q::wide_blend::<0b0010>(
                Q::wide_permute::<{ order(0, 0, 3, 0) }>(minus),
                Q::wide_permute::<{ order(0, 0, 3, 0) }>(plus),
            ),
        );
        // (F, G, G, H) = (D - C, D + C, D + C, B + A).
        let right = Q::wide_add::<0b1111>(
            Q::wide_permute::<{ order(2, 2, 2, 1) }>(plus),
            Q::wide_blend::<0b0001>(
                Q::wide_permute::<{ order(3, 3, 3, 0) }>(plus),
                Q::wide_permute::<{ order(3, 3, 3, 0) }>(minus),
            ),
        );
        Self(Q::mul_sums::<2>(left, right))
    }

    /// The difference: A and B trade places, and so do F and G.
    #[inline(always)]
    fn sub(self, rhs: &QuadCached<Q>) -> Self {
        let swapped = rhs.0.permute::<{ order(1, 0, 2, 3) }>();
        let plus = self.times(&swapped);
        let minus = Q::wide_neg(plus);
        // (E, H, F, E) = (B - A, B + A, D + C, B - A).
        let left = Q::wide_add::<0b1111>(
            Q::wide_permute::<{ order(1, 1, 2, 1) }>(plus),
            Q::wide_blend::<0b0110>(
                Q::wide_permute::<{ order(0, 0, 3, 0) }>(minus),
                Q::wide_permute::<{ order(0, 0, 3, 0) }>(plus),
            ),
        );
        // (F, G, G, H) = (D + C, D - C, D - C, B + A).
        let right = Q::wide_add::<0b1111>(
            Q::wide_permute::<{ order(2, 2, 2, 1) }>(plus),
            Q::wide_blend::<0b0110>(
                Q::wide_permute::<{ order(3, 3, 3, 0) }>(plus),
                Q::wide_permute::<{ order(3, 3, 3, 0) }>(minus),
            ),
        );
        Self(Q::mul_sums::<2>(left, right))
    }

    /// dbl-2008-hwcd, with all coordinates negated: the squares A = X^2, B = Y^2, C = Z^2, D = (X + Y)^2, and then
    /// (EF, GH, FG, EH).
    #[inline(always)]
    fn double_by_squares(self) -> Self {
        let y = self.0.permute::<{ order(1, 1, 1, 1) }>();
        let y = Q::blend::<0b1000>(&Q::ZERO, &y);
        let squares = self.0.permute::<{ order(0, 1, 2, 0) }>().square_sum(&y);
        let a = Q::wide_permute::<{ order(0, 0, 0, 0) }>(squares);
        let b = Q::wide_permute::<{ order(1, 1, 1, 1) }>(squares);
        let minus_b = Q::wide_neg(b);
        // 2C, and -D in lanes 0 and 3.
        let cc = Q::wide_permute::<{ order(2, 2, 2, 2) }>(Q::wide_add::<0b1111>(squares, squares));
        let minus_d = Q::wide_permute::<{ order(3, 3, 3, 3) }>(Q::wide_neg(squares));
        // (E, G, F, E) = (A + B - D, A - B, A - B + 2C, A + B - D).
        let left = Q::wide_add::<0b1111>(a, Q::wide_blend::<0b0110>(b, minus_b));
        let left = Q::wide_add::<0b1101>(left, Q::wide_blend::<0b0100>(minus_d, cc));
        // (F, H, G, H) = (A - B + 2C, A + B, A - B, A + B).
        let right = Q::wide_add::<0b1111>(a, Q::wide_blend::<0b0101>(b, minus_b));
        let right = Q::wide_add::<0b0001>(right, cc);
        Self(Q::mul_sums::<4>(left, right))
    }
}

impl<Q: Quads> QuadCached<Q> {
    /// \[digit]P for digit in -8..=8, of the multiples 1 to 8 of P: reads all of them, in constant time.
    #[inline(always)]
    pub(super) fn select(window: &[Self; 8], digit: i8) -> Self {
        // The same in all lanes.
        let (masks, negative) = digit_masks(u64::from(digit as u8) * 0x0101_0101_0101_0101);
        // The neutral element.
        let mut entry = Q::blend::<0b0100>(&Q::ONE, &Q::TWO);
        entry = Q::blend::<0b1000>(&entry, &Q::ZERO);
        for (multiple, mask) in window.iter().zip(masks) {
            entry = Q::select(&entry, &multiple.0, Q::mask(mask));
        }
        // Of the negative, Y - X and Y + X trade places, and 2dT is negated.
        let minus = Q::blend::<0b1000>(&entry.permute::<{ order(1, 0, 2, 3) }>(), &entry.neg());
        Self(Q::select(&entry, &minus, Q::mask(negative)))
    }

    /// From the entry of a table, in each group.
    #[inline(always)]
    fn from_niels(entry: &PackedNiels) -> Self {
        Self(groups([entry[1], entry[0], packed::TWO, entry[2]]))
    }
}

impl<Q: Quads> Accumulator for QuadPoint<Q> {
    /// The neutral element, in each group.
    #[inline(always)]
    fn identity() -> Self {
        Self(Q::blend::<0b0110>(&Q::ZERO, &Q::ONE))
    }

    /// dbl-2008-hwcd with E = 2XY = 2ZT, and F and H negated, which negates all
    /// coordinates: the squares X^2, Y^2, Z^2 and the product ZT, and then (FE, GH, FG, HE).
    #[inline(always)]
    fn double(self) -> Self {
        if Q::SQUARES_PAY {
            return self.double_by_squares();
        }
        let plus = self.0.mul_wide(&self.0.permute::<{ order(0, 1, 2, 2) }>());
        let minus = Q::wide_neg(plus);
        // (F, G, F, H) = (2Z^2 + X^2 - Y^2, Y^2 - X^2, 2Z^2 + X^2 - Y^2, X^2 + Y^2).
        let left = Q::wide_add::<0b1111>(
            Q::wide_permute::<{ order(0, 1, 0, 0) }>(plus),
            Q::wide_blend::<0b1000>(
                Q::wide_permute::<{ order(1, 0, 1, 1) }>(minus),
                Q::wide_permute::<{ order(1, 0, 1, 1) }>(plus),
            ),
        );
        let zz2 = Q::wide_permute::<{ order(2, 2, 2, 2) }>(Q::wide_add::<0b1111>(plus, plus));
        let left = Q::wide_add::<0b0101>(left, zz2);
        // (E, H, G, E) = (2ZT, Y^2 + X^2, Y^2 - X^2, 2ZT).
        let right = Q::wide_add::<0b1111>(
            Q::wide_permute::<{ order(3, 1, 1, 3) }>(plus),
            Q::wide_blend::<0b0100>(
                Q::wide_permute::<{ order(3, 0, 0, 3) }>(plus),
                Q::wide_permute::<{ order(3, 0, 0, 3) }>(minus),
            ),
        );
        Self(Q::mul_sums::<4>(left, right))
    }
}

impl<F: Field, Q: Quads> PointAccumulator<F> for QuadPoint<Q> {
    /// The point of the first group.
    #[inline(always)]
    fn to_point(&self) -> Extended<F> {
        self.pack().unpack()
    }
}

/// How many odd multiples of a point.
const ODD_MULTIPLES: usize = 8;

/// The odd multiples 1, 3, 5, … of a point.
pub(super) struct QuadMultiples<Q>([QuadCached<Q>; ODD_MULTIPLES]);

impl<Q: Quads> QuadMultiples<Q> {
    #[inline(always)]
    pub(super) fn new(point: QuadPoint<Q>) -> Self {
        let twice = point.double().to_cached();
        let mut multiples = [point.to_cached(); ODD_MULTIPLES];
        let mut multiple = point;
        for entry in &mut multiples[1..] {
            multiple = multiple.add(&twice);
            *entry = multiple.to_cached();
        }
        Self(multiples)
    }

    /// Those of two points: each waits for its own sums, which leaves time for those of the other.
    #[inline(always)]
    pub(super) fn of_both([a, b]: [QuadPoint<Q>; 2]) -> [Self; 2] {
        let (mut multiple_a, mut multiple_b) = (a, b);
        let (mut added_a, mut added_b) = (a.to_cached(), b.to_cached());
        let (mut twice_a, mut twice_b) = (added_a, added_b);
        let mut multiples = [[added_a; ODD_MULTIPLES], [added_b; ODD_MULTIPLES]];
        // By one formula, which doubles as well: it stands here once. Not an iterator, whose closures may not be inlined.
        #[allow(clippy::needless_range_loop)]
        for i in 0..ODD_MULTIPLES {
            multiple_a = multiple_a.add(&added_a);
            multiple_b = multiple_b.add(&added_b);
            let (cached_a, cached_b) = (multiple_a.to_cached(), multiple_b.to_cached());
            if i == 0 {
                (twice_a, twice_b) = (cached_a, cached_b);
            } else {
                (multiples[0][i], multiples[1][i]) = (cached_a, cached_b);
                (added_a, added_b) = (twice_a, twice_b);
            }
        }
        let [a, b] = multiples;
        [Self(a), Self(b)]
    }
}

impl<Q> OddMultiples for QuadMultiples<Q> {
    #[inline(always)]
    fn count(&self) -> usize {
        ODD_MULTIPLES
    }
}

impl<Q: Quads> AddedTo<QuadPoint<Q>> for QuadMultiples<Q> {
    #[inline(always)]
    fn add(&self, sum: QuadPoint<Q>, entry: usize) -> QuadPoint<Q> {
        sum.add(&self.0[entry])
    }

    #[inline(always)]
    fn sub(&self, sum: QuadPoint<Q>, entry: usize) -> QuadPoint<Q> {
        sum.sub(&self.0[entry])
    }
}

impl<Q: Quads> AddedTo<QuadPoint<Q>> for [PackedNiels] {
    #[inline(always)]
    fn add(&self, sum: QuadPoint<Q>, entry: usize) -> QuadPoint<Q> {
        sum.add(&QuadCached::from_niels(&self[entry]))
    }

    #[inline(always)]
    fn sub(&self, sum: QuadPoint<Q>, entry: usize) -> QuadPoint<Q> {
        sum.sub(&QuadCached::from_niels(&self[entry]))
    }
}

/// A point that stays where it is in memory, with a function for each formula: for [`Quads::IN_PLACE`].
pub(super) struct InPlace<'p, Q>(&'p mut QuadPoint<Q>);

impl<'p, Q: Quads> InPlace<'p, Q> {
    /// From a point that is the neutral element.
    #[inline(always)]
    pub(super) fn new(point: &'p mut QuadPoint<Q>) -> Self {
        Self(point)
    }
}

struct DoubleInPlace<'p, Q>(&'p mut QuadPoint<Q>);

impl<Q: Quads> Task for DoubleInPlace<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        *self.0 = self.0.double();
    }
}

struct AddInPlace<'p, Q, const MINUS: bool>(&'p mut QuadPoint<Q>, &'p QuadCached<Q>);

impl<Q: Quads, const MINUS: bool> Task for AddInPlace<'_, Q, MINUS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        *self.0 = if MINUS {
            self.0.sub(self.1)
        } else {
            self.0.add(self.1)
        };
    }
}

struct AddNielsInPlace<'p, Q, const MINUS: bool>(&'p mut QuadPoint<Q>, &'p PackedNiels);

impl<Q: Quads, const MINUS: bool> Task for AddNielsInPlace<'_, Q, MINUS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let entry = QuadCached::from_niels(self.1);
        Q::outline(AddInPlace::<Q, MINUS>(self.0, &entry));
    }
}

impl<Q: Quads> Doubling for InPlace<'_, Q> {
    #[inline(always)]
    fn twice(self) -> Self {
        Q::outline(DoubleInPlace(&mut *self.0));
        self
    }
}

impl<'p, Q: Quads> AddedTo<InPlace<'p, Q>> for QuadMultiples<Q> {
    #[inline(always)]
    fn add(&self, sum: InPlace<'p, Q>, entry: usize) -> InPlace<'p, Q> {
        Q::outline(AddInPlace::<Q, false>(&mut *sum.0, &self.0[entry]));
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InPlace<'p, Q>, entry: usize) -> InPlace<'p, Q> {
        Q::outline(AddInPlace::<Q, true>(&mut *sum.0, &self.0[entry]));
        sum
    }
}

impl<'p, Q: Quads> AddedTo<InPlace<'p, Q>> for [PackedNiels] {
    #[inline(always)]
    fn add(&self, sum: InPlace<'p, Q>, entry: usize) -> InPlace<'p, Q> {
        Q::outline(AddNielsInPlace::<Q, false>(&mut *sum.0, &self[entry]));
        sum
    }

    #[inline(always)]
    fn sub(&self, sum: InPlace<'p, Q>, entry: usize) -> InPlace<'p, Q> {
        Q::outline(AddNielsInPlace::<Q, true>(&mut *sum.0, &self[entry]));
        sum
    }
}
