//! Many multiples of the base point side by side, each in a lane of its own. Constant time.
//!
//! Each lane walks through all windows of the table and adds up its own point:
//!
//! ```text
//!             lane 0      lane 1      …
//! window 0    d_0 B       e_0 B             digits d of one scalar, e of the next, in -8..=8
//! window 1    d_1 16 B    e_1 16 B
//!   …
//! ```
//!
//! The lanes ask for different multiples of the same window. So the window is read once for all of them: each of
//! its entries goes to the lanes whose digit it is. Which lanes those are comes from the digits of a window as one
//! word, by bits that say for all lanes at once whether a magnitude has a 1, a 2, a 4 or an 8.
//!
//! All points of a group share one inversion (Montgomery's trick), first across the vectors, then across the lanes.

use super::niels::AffineNiels;
use crate::backend::{InLanes, Kind};
use crate::edwards::base_each::{GROUP, Multiples};
use crate::edwards::decode::encode_affine;
use crate::edwards::models::{Completed, Projective};
use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::field::chains::invert;
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads, order};
use crate::field::{Arithmetic, Field, Packed};
use crate::scalar::recode::{digit_masks, signed_radix};
use crate::tables::BASE_RADIX_16;
use lanner_simd::stack::Overwrite;
use zeroize::{Zeroize, Zeroizing};

/// The digits of as many integers as a vector has lanes at most, window by window.
type Rows = [[i8; MAX_LANES]; 64];

/// The digits of the integers of a group.
pub(super) struct Digits {
    rows: Zeroizing<[Rows; GROUP / MAX_LANES]>,
    count: usize,
}

impl Digits {
    /// The digits of at most `GROUP` integers below 2^255. What is left over is 1, because 0 has no
    /// coordinate on the Montgomery curve.
    #[inline(always)]
    pub(super) fn new(integers: &[&[u8; 32]]) -> Self {
        let mut rows = Zeroizing::new([[[0; MAX_LANES]; 64]; GROUP / MAX_LANES]);
        for rows in rows.iter_mut() {
            rows[0] = [1; MAX_LANES];
        }
        let mut digits = [0; 64];
        for (i, n) in integers.iter().enumerate() {
            signed_radix::<4, 64>(n, &mut digits);
            for (row, digit) in rows[i / MAX_LANES].iter_mut().zip(&digits) {
                row[i % MAX_LANES] = *digit;
            }
        }
        digits.zeroize();
        Self {
            rows,
            count: integers.len(),
        }
    }
}

/// \[n]B for each integer.
pub(super) struct MulBaseEach<'d, 'm> {
    pub(super) digits: &'d Digits,
    pub(super) multiples: Multiples<'m>,
}

impl InLanes for MulBaseEach<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self) {
        let lanes = E::Many::LANES;
        let count = self.digits.count.div_ceil(lanes);
        let mut sums = [Projective::<E::Many>::IDENTITY; GROUP / 4];
        for (i, sum) in sums[..count].iter_mut().enumerate() {
            let first = i * lanes;
            let rows = &self.digits.rows[first / MAX_LANES];
            *sum = mul_base(rows, first % MAX_LANES);
            if let Multiples::Montgomery(_) = self.multiples {
                // u = (Z + Y)/(Z - Y).
                sum.x = E::Many::carry(&sum.z.add(&sum.y));
                sum.z = E::Many::carry(&sum.z.sub(&sum.y));
            }
        }

        match self.multiples {
            Multiples::Edwards { points, encodings } => to_affine::<E>(&sums, points, encodings),
            Multiples::Montgomery(points) => {
                let mut inverses = Inverses::<E>::new(&sums[..count]);
                for (points, sum) in points.chunks_mut(lanes).zip(&sums).rev() {
                    let u = E::Many::mul(&sum.x, &inverses.next(sum)).to_lanes();
                    for (lane, point) in points.iter_mut().enumerate() {
                        point.0 = u[lane].to_bytes();
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn overwrite_stack(kind: Kind, with: impl Overwrite) {
        if kind.wide {
            with.overwrite::<14336>();
        } else if cfg!(target_arch = "aarch64") {
            // Eight elements take 288 bytes; no scan looks there.
            with.overwrite::<32768>();
        } else {
            with.overwrite::<16384>();
        }
    }
}

/// The multiple of the base point in each lane, by the digits from place `first` of each row on.
#[inline(always)]
fn mul_base<L: Quads>(rows: &Rows, first: usize) -> Projective<L> {
    let mut sum: Completed<L> = Projective::IDENTITY.double_inline();
    for (window, row) in BASE_RADIX_16.iter().zip(rows) {
        let (masks, negative) =
            digit_masks(u64::from_le_bytes(row.map(|digit| digit as u8)) >> (8 * first));
        let mut point = AffineNiels::choose(window, &masks);
        point.conditional_negate(L::mask(negative));
        sum = sum.add_affine_in_lanes(&point);
    }
    sum.to_projective_inline()
}

/// The points in the lanes with Z = 1, as many as there are places, and their encodings. In the other lanes Z must
/// not be 0 either.
#[inline(always)]
pub(super) fn to_affine<E: Engine>(
    sums: &[Projective<E::Many>],
    points: &mut [EdwardsPoint],
    encodings: &mut [CompressedEdwardsY],
) {
    let lanes = E::Many::LANES;
    let count = points.len().div_ceil(lanes);
    let mut inverses = Inverses::<E>::new(&sums[..count]);
    let places = points.chunks_mut(lanes).zip(encodings.chunks_mut(lanes));
    for ((points, encodings), sum) in places.zip(&sums[..count]).rev() {
        let inverse = inverses.next(sum);
        let (x, y) = (
            E::Many::mul(&sum.x, &inverse),
            E::Many::mul(&sum.y, &inverse),
        );
        let t = E::Many::mul(&x, &y).to_lanes();
        let (x, y) = (x.to_lanes(), y.to_lanes());
        for (lane, (point, encoding)) in points.iter_mut().zip(encodings).enumerate() {
            encoding.0 = encode_affine(x[lane], y[lane]);
            *point = EdwardsPoint {
                x: x[lane],
                y: y[lane],
                z: Packed::ONE,
                t: t[lane],
            };
        }
    }
}

/// The inverses of Z in each lane of several vectors, from the last vector to the first, with one inversion
/// (Montgomery's trick).
struct Inverses<E: Engine> {
    /// The product of the vectors before each one.
    before: [E::Many; GROUP / 4],
    /// The inverse of the product of those that are left.
    inverse: E::Many,
    left: usize,
}

impl<E: Engine> Inverses<E> {
    #[inline(always)]
    fn new(sums: &[Projective<E::Many>]) -> Self {
        let mut before = [E::Many::ONE; GROUP / 4];
        let mut product = E::Many::ONE;
        for (before, sum) in before.iter_mut().zip(sums) {
            *before = product;
            product = E::Many::mul(&product, &sum.z);
        }
        Self {
            before,
            inverse: invert_lanes::<E>(&product),
            left: sums.len(),
        }
    }

    /// The inverse of Z in the last of the vectors that are left, which is `sum`.
    #[inline(always)]
    fn next(&mut self, sum: &Projective<E::Many>) -> E::Many {
        self.left -= 1;
        let inverse = E::Many::mul(&self.inverse, &self.before[self.left]);
        self.inverse = E::Many::mul(&self.inverse, &sum.z);
        inverse
    }
}

/// The inverses in all lanes of a vector, of which none is 0.
#[inline(always)]
fn invert_lanes<E: Engine>(z: &E::Many) -> E::Many {
    const HALVES: i32 = order(2, 3, 0, 1);
    const PAIRS: i32 = order(1, 0, 3, 2);
    // The product of all lanes, and in each lane the product of the others.
    let mut product = *z;
    let mut others = E::Many::ONE;
    if E::Many::LANES == 8 {
        others = product.swap_groups();
        product = E::Many::mul(&product, &others);
    }
    let half = product.permute::<HALVES>();
    others = E::Many::mul(&others, &half);
    product = E::Many::mul(&product, &half);
    let pair = product.permute::<PAIRS>();
    others = E::Many::mul(&others, &pair);
    product = E::Many::mul(&product, &pair);
    let inverse = invert(&E::Field::from_packed(&product.to_lanes()[0])).to_packed();
    E::Many::mul(&others, &E::Many::from_lanes(&[inverse.0; MAX_LANES]))
}
