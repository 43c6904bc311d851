//! Multiples of the base point B, from the generated tables.

use super::in_frame::{self, InFrame};
use super::niels::{AffineNiels, PackedNiels};
use crate::backend::{InLanes, Kind};
use crate::ct::Mask;
use crate::edwards::EdwardsPoint;
use crate::edwards::models::{Cached, Completed, Extended};
use crate::field::blocks::PointFrame;
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads, order};
use crate::field::{Field, Packed};
use crate::tables::BASE_RADIX_16;
use lanner_simd::stack::Overwrite;

/// \[n]B for n = sum of digits\[i] 16^i, with digits in -8..=8. Constant time.
#[inline]
pub(super) fn mul_base<F: Field>(digits: &[i8; 64]) -> Extended<F> {
    mul_table(BASE_RADIX_16, digits)
}

/// The same for the point P of which window i holds the multiples 1 to 8 of 16^i P.
#[inline(always)]
pub(super) fn mul_table<F: Field>(
    windows: &[[PackedNiels; 8]; 64],
    digits: &[i8; 64],
) -> Extended<F> {
    if F::BLOCKS.is_some() {
        let mut frame = in_frame::identity();
        let mut sum = InFrame::<F>::new(&mut frame);
        for (window, &digit) in windows.iter().zip(digits) {
            sum.add_affine(&select_signed::<F>(window, digit));
        }
        return sum.to_point();
    }
    let mut sum = Extended::IDENTITY;
    for (window, &digit) in windows.iter().zip(digits) {
        let (entry, negative) = select::<F>(window, digit);
        let mut point = AffineNiels::from_packed(&entry);
        point.conditional_negate(Mask::eq(negative.into(), 1));
        sum = sum.add_affine(&point).to_extended();
    }
    sum
}

/// [`mul_base`] in lanes: each adds up its share of the windows.
pub(super) struct MulBase<'a>(pub(super) &'a [i8; 64]);

impl InLanes for MulBase<'_> {
    type Output = EdwardsPoint;
    const FIELD_BESIDE_DOUBLES: bool = true;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.shares
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> EdwardsPoint {
        mul_table_in_lanes::<E>(BASE_RADIX_16, self.0)
    }

    #[inline(always)]
    fn overwrite_stack(kind: Kind, with: impl Overwrite) {
        overwrite_product(kind, with);
    }
}

/// [`mul_table`] in lanes.
pub(super) struct MulTable<'a> {
    pub(super) windows: &'a [[PackedNiels; 8]; 64],
    pub(super) digits: &'a [i8; 64],
}

impl InLanes for MulTable<'_> {
    type Output = EdwardsPoint;
    const FIELD_BESIDE_DOUBLES: bool = true;

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.shares
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> EdwardsPoint {
        mul_table_in_lanes::<E>(self.windows, self.digits)
    }

    #[inline(always)]
    fn overwrite_stack(kind: Kind, with: impl Overwrite) {
        overwrite_product(kind, with);
    }
}

#[inline(always)]
fn mul_table_in_lanes<E: Engine>(
    windows: &[[PackedNiels; 8]; 64],
    digits: &[i8; 64],
) -> EdwardsPoint {
    let lanes = E::Many::LANES;
    let mut sum = first::<E>(windows, digits);
    let groups = windows[2 * lanes..].chunks_exact(lanes);
    for (windows, digits) in groups.zip(digits[2 * lanes..].chunks_exact(lanes)) {
        sum = sum.add_affine_in_lanes(&entries::<E>(windows, digits));
    }
    sum.sum_lanes::<E::Field>().pack()
}

/// Overwrites the stack that [`mul_table_in_lanes`] used.
#[inline(always)]
fn overwrite_product(kind: Kind, with: impl Overwrite) {
    if kind.wide {
        with.overwrite::<7168>();
    } else if cfg!(target_family = "wasm") {
        with.overwrite::<6144>();
    } else {
        with.overwrite::<14336>();
    }
}

/// [`MulBase`] for two sets of digits in one pass. The two sums do not depend on each other, so the
/// additions of one run while those of the other wait for their operands.
pub(super) struct MulBasePair<'a>(pub(super) &'a [[i8; 64]; 2]);

impl InLanes for MulBasePair<'_> {
    type Output = [EdwardsPoint; 2];

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.shares
    }

    #[inline(always)]
    fn run<E: Engine>(self) -> [EdwardsPoint; 2] {
        let [a, b] = self.0;
        let lanes = E::Many::LANES;
        let mut sum_a = first::<E>(BASE_RADIX_16, a);
        let mut sum_b = first::<E>(BASE_RADIX_16, b);
        let (rest_a, rest_b) = (&a[2 * lanes..], &b[2 * lanes..]);
        let digits = rest_a.chunks_exact(lanes).zip(rest_b.chunks_exact(lanes));
        let groups = BASE_RADIX_16[2 * lanes..].chunks_exact(lanes);
        for (windows, (a, b)) in groups.zip(digits) {
            let point_a = entries::<E>(windows, a);
            let point_b = entries::<E>(windows, b);
            sum_a = sum_a.add_affine_in_lanes(&point_a);
            sum_b = sum_b.add_affine_in_lanes(&point_b);
        }
        [
            sum_a.sum_lanes::<E::Field>().pack(),
            sum_b.sum_lanes::<E::Field>().pack(),
        ]
    }

    #[inline(always)]
    fn overwrite_stack(kind: Kind, with: impl Overwrite) {
        if kind.wide {
            with.overwrite::<10112>();
        } else {
            with.overwrite::<15424>();
        }
    }
}

/// The multiples that the digits ask for, one of each window in each lane.
#[inline(always)]
fn entries<E: Engine>(windows: &[[PackedNiels; 8]], digits: &[i8]) -> AffineNiels<E::Many> {
    let mut numbers = [0; MAX_LANES];
    let mut signs = 0;
    for lane in 0..E::Many::LANES {
        let (magnitude, negative) = magnitude(digits[lane]);
        numbers[lane] = magnitude;
        signs |= negative << lane;
    }
    let coordinates = E::Many::choose_entries(windows, &numbers, &NEUTRAL);
    let mut point = AffineNiels::from_coordinates(coordinates);
    point.conditional_negate(E::Many::mask(signs));
    point
}

/// The sum of the multiples that the first two digits of each lane ask for.
#[inline(always)]
fn first<E: Engine>(windows: &[[PackedNiels; 8]; 64], digits: &[i8; 64]) -> Completed<E::Many> {
    let lanes = E::Many::LANES;
    let point = entries::<E>(&windows[..lanes], &digits[..lanes]);
    let next = entries::<E>(&windows[lanes..2 * lanes], &digits[lanes..2 * lanes]);
    point.to_extended_inline().add_affine_inline(&next)
}

/// The neutral element: y + x = y - x = 1, xy = 0.
pub(super) const NEUTRAL: [u64; 3] = [1, 1, 0];

/// |digit|, and 1 if the digit is negative, else 0.
#[inline(always)]
pub(super) fn magnitude(digit: i8) -> (u8, u8) {
    let negative = (digit >> 7) as u8 & 1;
    let magnitude = ((digit ^ (digit >> 7)) as u8).wrapping_add(negative);
    (magnitude, negative)
}

/// The words of \[|digit|] of a window, for digit in -8..=8, and 1 if the digit is
/// negative, else 0: reads all eight entries.
#[inline(always)]
fn select<F: Field>(window: &[PackedNiels; 8], digit: i8) -> (PackedNiels, u8) {
    let (magnitude, negative) = magnitude(digit);
    (F::choose_entry(window, magnitude, &NEUTRAL), negative)
}

/// The words of \[digit] of a window, for digit in -8..=8.
#[inline(always)]
fn select_signed<F: Field>(window: &[PackedNiels; 8], digit: i8) -> PackedNiels {
    let (entry, negative) = select::<F>(window, digit);
    let mask = Mask::eq(negative.into(), 1);
    let [mut y_plus_x, mut y_minus_x, xy2d] = entry.map(Packed);
    y_plus_x.conditional_assign(&Packed(entry[1]), mask);
    y_minus_x.conditional_assign(&Packed(entry[0]), mask);
    let mut signed = xy2d;
    signed.conditional_assign(&xy2d.neg(), mask);
    [y_plus_x.0, y_minus_x.0, signed.0]
}

impl<L: Quads> Completed<L> {
    /// The sum of the points in all lanes.
    #[inline(always)]
    fn sum_lanes<F: Field>(self) -> Extended<F> {
        const HALVES: i32 = order(2, 3, 0, 1);
        const PAIRS: i32 = order(1, 0, 3, 2);
        if F::BLOCKS.is_some() && L::LANES == 4 {
            return self.to_extended_inline().sum_four();
        }
        // (Not a closure: see `each` in `field::lanes`.)
        macro_rules! with_others {
            ($sum:expr, $($exchange:tt)*) => {{
                let sum = $sum.to_augend();
                let cached = sum.to_cached();
                sum.add(&Cached {
                    y_plus_x: cached.y_plus_x.$($exchange)*,
                    y_minus_x: cached.y_minus_x.$($exchange)*,
                    z2: cached.z2.$($exchange)*,
                    t2d: cached.t2d.$($exchange)*,
                })
            }};
        }
        let mut sum = self;
        if L::LANES == 8 {
            sum = with_others!(sum, swap_groups());
        }
        sum = with_others!(sum, permute::<HALVES>());
        sum = with_others!(sum, permute::<PAIRS>());
        sum.to_extended_inline().lane()
    }
}

impl<L: Lanes> Extended<L> {
    /// The sum of the points in four lanes, added up one by one.
    #[inline(always)]
    fn sum_four<F: Field>(self) -> Extended<F> {
        let cached = self.to_cached();
        let [y_plus_x, y_minus_x, z2, t2d] = cached.coordinates();
        // One by one: in a closure the lanes' instructions would become calls.
        let (y_plus_x, y_minus_x) = (y_plus_x.to_lanes(), y_minus_x.to_lanes());
        let (z2, t2d) = (z2.to_lanes(), t2d.to_lanes());
        let (a, b) = (F::from_packed(&y_plus_x[0]), F::from_packed(&y_minus_x[0]));
        // Everything twice.
        let (x, y) = (F::carry(&a.sub(&b)), F::carry(&a.add(&b)));
        let (x, y, z) = (x.to_packed().0, y.to_packed().0, z2[0].0);
        let mut frame = PointFrame::new(&[x, y, z, z]);
        let mut sum = InFrame::<F>::new(&mut frame);
        for lane in 1..L::LANES {
            let point = [y_plus_x[lane].0, y_minus_x[lane].0, z2[lane].0, t2d[lane].0];
            sum.add(&point);
        }
        sum.to_point()
    }

    /// The point in lane 0.
    #[inline(always)]
    fn lane<F: Field>(&self) -> Extended<F> {
        Extended {
            x: F::from_packed(&self.x.to_lanes()[0]),
            y: F::from_packed(&self.y.to_lanes()[0]),
            z: F::from_packed(&self.z.to_lanes()[0]),
            t: F::from_packed(&self.t.to_lanes()[0]),
        }
    }
}
