//! Sums \[a]A + \[b]B for many points A with tables, one in each lane, in variable time.
//!
//! Scalars are cut in two at bit 128, as for a single sum, and the chain of doublings is that of `each`, with fixed
//! windows of odd digits:
//!
//! ```text
//! position                    … 20 19 18 17 16 15 14 13 12 …  6 …  0
//! a modulo 2^128, a / 2^128             x                 x     x     x    every 6th: 32 odd multiples of A
//! b likewise                                     x                    x    every 7th: 64 odd multiples of B
//! ```
//!
//! What is odd has odd digits. For B, both halves are made odd with the help of L. For A that would be wrong, because
//! L times a component of small order is not 0: an even half is taken as one more, and the point, or 2^128 times the
//! point, is subtracted in the end.

use super::each::{BASE_BITS, BASE_DIGITS, BaseWindows, Row, Sums, negative, odd_halves};
use super::fixed_base_each::to_affine;
use super::niels::{AffineNiels, PackedNiels};
use super::prepared::{ODD_MULTIPLES, VartimePreparedPoint};
use crate::backend::{InLanes, Kind, in_lanes, with_field};
use crate::bytes::words_from_bytes;
use crate::edwards::base_each::{ENOUGH, GROUP, groups};
use crate::edwards::models::Projective;
use crate::edwards::straus::{Term, vartime_straus};
use crate::edwards::{CompressedEdwardsY, EdwardsPoint, decode};
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads};
use crate::scalar::Scalar;
use crate::scalar::recode::vartime_odd_digits;
use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD};

/// Bits of a digit of a: all digits are odd, for tables of 32 odd multiples.
const BITS: usize = 6;
/// Digits of a half of a, below 2^128.
const DIGITS: usize = 128_usize.div_ceil(BITS);

impl VartimePreparedPoint {
    /// \[a]A + \[b]B for each prepared point A and two scalars, with the encoding of 32 bytes: `sums[i]` becomes what
    /// [`vartime_double_scalar_mul_basepoint`](Self::vartime_double_scalar_mul_basepoint) makes of `points[i]`, `a[i]`
    /// and `b[i]`, and `encodings[i]` its encoding. In variable time, without allocation. Exact for all points.
    ///
    /// Where the processor has vectors of eight lanes (AVX-512 IFMA), sums are computed side by side, each in a third
    /// of the time of one alone.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint, VartimePreparedPoint};
    /// use lanner_curve::scalar::Scalar;
    ///
    /// let [two, three, four] = [2u64, 3, 4].map(Scalar::from);
    /// let prepared = VartimePreparedPoint::new(&EdwardsPoint::mul_base(&two));
    /// let mut sums = [EdwardsPoint::default(); 2];
    /// let mut encodings = [CompressedEdwardsY::default(); 2];
    /// VartimePreparedPoint::vartime_double_scalar_mul_basepoint_each(
    ///     &[&prepared; 2],
    ///     &[three, four],
    ///     &[four, three],
    ///     &mut sums,
    ///     &mut encodings,
    /// );
    /// assert_eq!(sums[0], EdwardsPoint::mul_base(&Scalar::from(10u64)));
    /// assert_eq!(encodings[1], EdwardsPoint::mul_base(&Scalar::from(11u64)).compress());
    /// ```
    pub fn vartime_double_scalar_mul_basepoint_each(
        points: &[&Self],
        a: &[Scalar],
        b: &[Scalar],
        sums: &mut [EdwardsPoint],
        encodings: &mut [CompressedEdwardsY],
    ) {
        let lengths = [a.len(), b.len(), sums.len(), encodings.len()];
        assert_eq!(lengths, [points.len(); 4]);
        for range in groups(points.len()) {
            let group = VartimeMulEach {
                points: &points[range.clone()],
                a: &a[range.clone()],
                b: &b[range.clone()],
                sums: &mut sums[range.clone()],
                encodings: &mut encodings[range],
            };
            let group = if group.points.len() < ENOUGH {
                group
            } else {
                match in_lanes(group) {
                    Ok(()) => continue,
                    Err(group) => group,
                }
            };
            for (i, sum) in group.sums.iter_mut().enumerate() {
                *sum =
                    group.points[i].vartime_double_scalar_mul_basepoint(&group.a[i], &group.b[i]);
            }
            with_field!(F => decode::encode_batch::<F>(group.sums, group.encodings));
        }
    }
}

/// At most `GROUP` sums, and as many places for them.
struct VartimeMulEach<'a> {
    points: &'a [&'a VartimePreparedPoint],
    a: &'a [Scalar],
    b: &'a [Scalar],
    sums: &'a mut [EdwardsPoint],
    encodings: &'a mut [CompressedEdwardsY],
}

impl InLanes for VartimeMulEach<'_> {
    type Output = ();

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        kind.wide
    }

    #[inline(always)]
    fn run<E: Engine>(self) {
        let lanes = E::Many::LANES;
        let mut sums = [Projective::<E::Many>::IDENTITY; GROUP / 4];
        for (i, sum) in sums[..self.points.len().div_ceil(lanes)]
            .iter_mut()
            .enumerate()
        {
            let range = i * lanes..self.points.len().min((i + 1) * lanes);
            let mut lanes = Recoded::new(self.points[range.start]);
            for (lane, i) in range.enumerate() {
                lanes.put(lane, self.points[i], &self.a[i], &self.b[i]);
            }
            *sum = lanes.vartime_sums();
        }
        to_affine::<E>(&sums, self.sums, self.encodings);
    }
}

/// The digits of the sums in the lanes of one vector, and the tables of their points.
struct Recoded<'a> {
    a: [Row; DIGITS],
    a_high: [Row; DIGITS],
    b: [Row; BASE_DIGITS],
    b_high: [Row; BASE_DIGITS],
    points: [&'a VartimePreparedPoint; MAX_LANES],
    /// The lanes in which a half of a is one more than it should be.
    more: [u8; 2],
}

impl<'a> Recoded<'a> {
    /// Lanes without a sum compute with this point and with digits that are 1.
    #[inline(always)]
    fn new(point: &'a VartimePreparedPoint) -> Self {
        Self {
            a: [[1; MAX_LANES]; DIGITS],
            a_high: [[1; MAX_LANES]; DIGITS],
            b: [[1; MAX_LANES]; BASE_DIGITS],
            b_high: [[1; MAX_LANES]; BASE_DIGITS],
            points: [point; MAX_LANES],
            more: [0; 2],
        }
    }

    /// Puts a sum into a lane.
    #[inline(always)]
    fn put(&mut self, lane: usize, point: &'a VartimePreparedPoint, a: &Scalar, b: &Scalar) {
        self.points[lane] = point;
        let [a0, a1, a2, a3] = words_from_bytes(a.as_bytes()).map(u128::from);
        let halves = [a0 | a1 << 64, a2 | a3 << 64];
        for (i, digits) in [&mut self.a, &mut self.a_high].into_iter().enumerate() {
            self.more[i] |= u8::from(halves[i] & 1 == 0) << lane;
            let odd = vartime_odd_digits::<BITS, DIGITS>((halves[i] | 1, false));
            for (row, digit) in digits.iter_mut().zip(odd) {
                row[lane] = digit;
            }
        }
        let (low, high) = odd_halves(&words_from_bytes(b.as_bytes()));
        for (digits, half) in [(&mut self.b, low), (&mut self.b_high, high)] {
            let odd = vartime_odd_digits::<BASE_BITS, BASE_DIGITS>(half);
            for (row, digit) in digits.iter_mut().zip(odd) {
                row[lane] = digit;
            }
        }
    }

    #[inline(always)]
    fn vartime_sums<L: Quads>(&self) -> Projective<L> {
        // Not `map`: see `each` in `field::lanes`.
        let mut low = [&self.points[0].odd; MAX_LANES];
        let mut high = low;
        for lane in 0..MAX_LANES {
            low[lane] = &self.points[lane].odd;
            high[lane] = &self.points[lane].shifted_odd;
        }
        let (a, a_high) = (
            Windows {
                digits: &self.a,
                tables: &low,
            },
            Windows {
                digits: &self.a_high,
                tables: &high,
            },
        );
        let (b, b_high) = (
            BaseWindows {
                digits: &self.b,
                table: &BASE_ODD,
            },
            BaseWindows {
                digits: &self.b_high,
                table: &BASE_2_POW_128_ODD,
            },
        );
        let mut sum: Sums<L> = vartime_straus(&((a, a_high), (b, b_high)));
        for (tables, more) in [(&low, self.more[0]), (&high, self.more[1])] {
            let points = vartime_points(tables, more);
            sum = Sums(sum.0.to_extended_inline().sub_affine_inline(&points));
        }
        sum.0.to_projective_inline()
    }
}

/// The odd multiples of a point for each lane.
type Tables<'a> = [&'a [PackedNiels; ODD_MULTIPLES]; MAX_LANES];

/// A multiple of a point of its own in each lane, by odd digits of six bits.
struct Windows<'a> {
    digits: &'a [Row; DIGITS],
    tables: &'a Tables<'a>,
}

impl<L: Quads> Term<Sums<L>> for Windows<'_> {
    #[inline(always)]
    fn top(&self) -> usize {
        BITS * (DIGITS - 1)
    }

    #[inline(always)]
    fn vartime_add(&self, sum: Sums<L>, position: usize) -> Sums<L> {
        if !position.is_multiple_of(BITS) || position / BITS >= DIGITS {
            return sum;
        }
        let digits = &self.digits[position / BITS];
        let mut rows = [[[0; 4]; MAX_LANES]; 3];
        for lane in 0..L::LANES {
            let entry = &self.tables[lane][usize::from(digits[lane].unsigned_abs() / 2)];
            for (rows, coordinate) in rows.iter_mut().zip(entry) {
                rows[lane] = *coordinate;
            }
        }
        let mut multiple = AffineNiels::from_lanes(&rows);
        multiple.conditional_negate(L::mask(negative(digits)));
        Sums(sum.0.add_affine_in_lanes(&multiple))
    }
}

/// The points themselves in these lanes, the neutral element in the others.
#[inline(always)]
fn vartime_points<L: Lanes>(tables: &Tables<'_>, lanes: u8) -> AffineNiels<L> {
    // y + x = y - x = 1 and 2dxy = 0.
    let one = [[1, 0, 0, 0]; MAX_LANES];
    let mut rows = [one, one, [[0; 4]; MAX_LANES]];
    for lane in 0..L::LANES {
        if lanes >> lane & 1 == 1 {
            for (rows, coordinate) in rows.iter_mut().zip(&tables[lane][0]) {
                rows[lane] = *coordinate;
            }
        }
    }
    AffineNiels::from_lanes(&rows)
}
