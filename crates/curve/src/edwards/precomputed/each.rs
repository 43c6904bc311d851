//! Many group equations side by side, each with a verdict of its own, in variable time.
//!
//! Each lane computes the equation of `half_size` for a signature of its own:
//!
//! ```text
//! [low]B + [high](2^128 B) - [v]R - [u]A      low + 2^128 high = v S mod L, |v| and u < 2^160
//! ```
//!
//! All lanes do the same at the same time, so the digits have fixed places, where those of a single
//! equation slide; what differs between lanes is the multiple that a digit selects.
//!
//! ```text
//! position   … 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 …  4  3  2  1  0
//! u, v          x           x           x           x          x           x    every 4th
//! low, high     x                    x                    x                x    every 7th
//! ```
//!
//! | scalar | range | digits | multiples |
//! |---|---|---|---|
//! | u, v | [0, 2^160) | 41, in -8..=8, of four bits | 0 to 8 times the point, made for each lane |
//! | low, high | odd, magnitude at most 2^128 - 1 | 19, odd, magnitude below 2^7 | 64 odd ones, one table for all lanes |
//!
//! Windows beyond the longest u or v of the group are skipped; that is most often after 33 digits.
//! The digits of low and high are never 0, so that no lane needs a neutral element from the
//! table: that is why both are made odd, with the help of L, which is odd.
//!
//! Steps for a group of as many equations as there are lanes: [`Recoded`] and [`Group`] write the
//! digits of lane after lane, `vartime_straus` computes the sums, and [`Sums::neutral`] tells
//! which are the neutral element. An equation whose k has no pair of half-size numbers is decided
//! alone, and its lane computes with digits that are 0 or 1.

use super::half_size::vartime_halves;
use super::niels::{AffineNiels, PackedNiels};
use crate::backend::{InLanes, Kind};
use crate::bytes::bytes_from_words;
use crate::edwards::models::{Cached, Completed, Extended, Projective};
use crate::edwards::straus::{Accumulator, Term, vartime_straus};
use crate::edwards::torsion::is_small_order;
use crate::edwards::{EdwardsPoint, GroupEquation};
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads};
use crate::scalar::lattice::HalfSize;
use crate::scalar::recode::{signed_radix, vartime_odd_digits};
use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD};

/// Bits of a digit of u or v.
const BITS: usize = 4;
/// Digits of u and v, below 2^160.
const DIGITS: usize = HalfSize::MAX_BITS as usize / BITS + 1;
/// Bits of a digit of low or high: all digits are odd, for tables of 64 odd multiples.
pub(super) const BASE_BITS: usize = 7;
/// Digits of low and high, below 2^128.
pub(super) const BASE_DIGITS: usize = 128_usize.div_ceil(BASE_BITS);

/// The digits at one place, one for each lane.
pub(super) type Row = [i8; MAX_LANES];

/// The scalars of one equation, recoded.
struct Recoded {
    u: [i8; DIGITS],
    v: [i8; DIGITS],
    low: [i8; BASE_DIGITS],
    high: [i8; BASE_DIGITS],
    v_is_negative: bool,
    /// All digits of u and v from here on are 0.
    len: usize,
}

impl Recoded {
    #[inline]
    fn vartime_new(equation: &GroupEquation) -> Option<Self> {
        let (half, base) = vartime_halves(equation)?;
        let bytes = |n: [u64; 3]| bytes_from_words(&[n[0], n[1], n[2], 0]);
        let mut u = [0; DIGITS];
        let mut v = [0; DIGITS];
        signed_radix::<{ BITS as u32 }, DIGITS>(&bytes(half.u), &mut u);
        signed_radix::<{ BITS as u32 }, DIGITS>(&bytes(half.v), &mut v);
        let (low, high) = odd_halves(&base);
        let bits = match [0, 1, 2].map(|i| half.u[i] | half.v[i]) {
            [low, 0, 0] => 64 - low.leading_zeros(),
            [_, middle, 0] => 128 - middle.leading_zeros(),
            [_, _, high] => 192 - high.leading_zeros(),
        };
        Some(Self {
            u,
            v,
            low: vartime_odd_digits::<BASE_BITS, BASE_DIGITS>(low),
            high: vartime_odd_digits::<BASE_BITS, BASE_DIGITS>(high),
            v_is_negative: half.v_is_negative,
            // The top digit must be below 8, or a carry makes one digit more.
            len: (bits as usize + 1) / BITS + 1,
        })
    }
}

/// Odd numbers, the first perhaps negative, with low + 2^128 high = n modulo L, for n below
/// L: as (magnitude, whether negative).
#[inline]
pub(super) fn odd_halves(n: &[u64; 4]) -> ((u128, bool), (u128, bool)) {
    let halves = |n: &[u64; 4]| {
        (
            u128::from(n[0]) | u128::from(n[1]) << 64,
            u128::from(n[2]) | u128::from(n[3]) << 64,
        )
    };
    let (mut low, mut high) = halves(n);
    if low & 1 == 0 {
        // L is odd, and so is n + L.
        let (l_low, l_high) = halves(&crate::scalar::L);
        let (sum, carry) = low.overflowing_add(l_low);
        (low, high) = (sum, high + l_high + u128::from(carry));
    }
    if high & 1 == 0 {
        // low - 2^128, which is odd too, and not 0.
        ((low.wrapping_neg(), true), (high + 1, false))
    } else {
        ((low, false), (high, false))
    }
}

/// The digits and points of as many equations as there are lanes, or fewer.
struct Group {
    u: [Row; DIGITS],
    v: [Row; DIGITS],
    low: [Row; BASE_DIGITS],
    high: [Row; BASE_DIGITS],
    a: [EdwardsPoint; MAX_LANES],
    r: [EdwardsPoint; MAX_LANES],
    /// All digits of u and v from here on are 0.
    len: usize,
}

impl Group {
    /// Without equations. The digits of low and high must be odd in these lanes too.
    #[inline(always)]
    fn new() -> Self {
        Self {
            u: [[0; MAX_LANES]; DIGITS],
            v: [[0; MAX_LANES]; DIGITS],
            low: [[1; MAX_LANES]; BASE_DIGITS],
            high: [[1; MAX_LANES]; BASE_DIGITS],
            a: [EdwardsPoint::default(); MAX_LANES],
            r: [EdwardsPoint::default(); MAX_LANES],
            len: 1,
        }
    }

    /// Puts an equation into a lane. u and v are subtracted, so their digits change sign.
    #[inline(always)]
    fn put(&mut self, lane: usize, equation: &GroupEquation, recoded: &Recoded) {
        for i in 0..DIGITS {
            self.u[i][lane] = -recoded.u[i];
            self.v[i][lane] = if recoded.v_is_negative {
                recoded.v[i]
            } else {
                -recoded.v[i]
            };
        }
        for i in 0..BASE_DIGITS {
            self.low[i][lane] = recoded.low[i];
            self.high[i][lane] = recoded.high[i];
        }
        self.a[lane] = equation.a;
        self.r[lane] = equation.r;
        self.len = self.len.max(recoded.len);
    }

    /// The left side minus the right, or a multiple by an invertible number, in each lane.
    #[inline(always)]
    fn vartime_defects<L: Quads>(&self) -> Sums<L> {
        let (a, r) = (
            Window::<L>::new(&Extended::gather(&self.a)),
            Window::<L>::new(&Extended::gather(&self.r)),
        );
        let (u, v) = (
            Windows {
                digits: &self.u[..self.len],
                multiples: &a,
            },
            Windows {
                digits: &self.v[..self.len],
                multiples: &r,
            },
        );
        let (low, high) = (
            BaseWindows {
                digits: &self.low,
                table: &BASE_ODD,
            },
            BaseWindows {
                digits: &self.high,
                table: &BASE_2_POW_128_ODD,
            },
        );
        vartime_straus(&((u, v), (low, high)))
    }
}

/// A sum in each lane, as the last formula left it.
pub(super) struct Sums<L: Quads>(pub(super) Completed<L>);

impl<L: Quads> Accumulator for Sums<L> {
    #[inline(always)]
    fn identity() -> Self {
        Self(Projective::IDENTITY.double_inline())
    }

    #[inline(always)]
    fn double(self) -> Self {
        Self(self.0.double_in_lanes())
    }
}

impl<L: Quads> Sums<L> {
    /// Bit i is set if sum i is the neutral element, X = 0 and Y = Z, or with `cofactored` if 8
    /// times the sum is.
    #[inline(always)]
    fn neutral(self, cofactored: bool) -> u8 {
        if cofactored {
            return L::vartime_mask_bits(is_small_order(&self.0.to_extended_inline()));
        }
        let sum = self.0.to_projective_inline();
        L::vartime_mask_bits(sum.x.equal(&L::ZERO)) & L::vartime_mask_bits(sum.y.equal(&sum.z))
    }
}

/// A multiple of a point in each lane, by digits of four bits.
struct Windows<'a, L> {
    digits: &'a [Row],
    multiples: &'a Window<L>,
}

impl<L: Quads> Term<Sums<L>> for Windows<'_, L> {
    #[inline(always)]
    fn top(&self) -> usize {
        BITS * (self.digits.len() - 1)
    }

    #[inline(always)]
    fn vartime_add(&self, sum: Sums<L>, position: usize) -> Sums<L> {
        if !position.is_multiple_of(BITS) || position / BITS >= self.digits.len() {
            return sum;
        }
        let multiple = self.multiples.vartime_select(&self.digits[position / BITS]);
        Sums(sum.0.add_in_lanes(&multiple))
    }
}

/// The multiples 0 to 8 of a point in each lane.
struct Window<L>([Cached<L>; 9]);

impl<L: Quads> Window<L> {
    #[inline(always)]
    fn new(point: &Extended<L>) -> Self {
        let first = point.to_cached();
        let mut multiples = [Cached::IDENTITY; 9];
        multiples[1] = first;
        let mut multiple = point.to_augend();
        for entry in &mut multiples[2..] {
            multiple = multiple.add(&first).to_augend();
            *entry = multiple.to_cached();
        }
        Self(multiples)
    }

    /// \[digit] in each lane, for digits in -8..=8.
    #[inline(always)]
    fn vartime_select(&self, digits: &Row) -> Cached<L> {
        // Which lanes have each magnitude.
        let mut lanes = [0u8; 9];
        for (lane, digit) in digits.iter().enumerate() {
            lanes[usize::from(digit.unsigned_abs())] |= 1 << lane;
        }
        let mut point = self.0[0];
        // Not an iterator, whose closures may not be inlined.
        #[allow(clippy::needless_range_loop)]
        for i in 1..9 {
            point = Cached::select(&point, &self.0[i], L::mask(lanes[i]));
        }
        point.conditional_negate(L::mask(negative(digits)));
        point
    }
}

/// A multiple of the point whose odd multiples the table has, by odd digits of seven bits.
pub(super) struct BaseWindows<'a> {
    pub(super) digits: &'a [Row; BASE_DIGITS],
    pub(super) table: &'a [PackedNiels],
}

impl<L: Quads> Term<Sums<L>> for BaseWindows<'_> {
    #[inline(always)]
    fn top(&self) -> usize {
        BASE_BITS * (BASE_DIGITS - 1)
    }

    #[inline(always)]
    fn vartime_add(&self, sum: Sums<L>, position: usize) -> Sums<L> {
        if !position.is_multiple_of(BASE_BITS) || position / BASE_BITS >= BASE_DIGITS {
            return sum;
        }
        let multiple = vartime_odd_multiple(self.table, &self.digits[position / BASE_BITS]);
        Sums(sum.0.add_affine_in_lanes(&multiple))
    }
}

/// \[digit] of the point whose odd multiples the table has, in each lane.
#[inline(always)]
fn vartime_odd_multiple<L: Lanes>(table: &[PackedNiels], digits: &Row) -> AffineNiels<L> {
    let mut rows = [[[0; 4]; MAX_LANES]; 3];
    for lane in 0..L::LANES {
        let entry = &table[usize::from(digits[lane].unsigned_abs() / 2)];
        for (rows, coordinate) in rows.iter_mut().zip(entry) {
            rows[lane] = *coordinate;
        }
    }
    let mut point = AffineNiels::from_lanes(&rows);
    point.conditional_negate(L::mask(negative(digits)));
    point
}

/// Bit i is set if digit i is negative.
#[inline(always)]
pub(super) fn negative(digits: &Row) -> u8 {
    let mut bits = 0;
    for (lane, digit) in digits.iter().enumerate() {
        bits |= (*digit as u8 >> 7) << lane;
    }
    bits
}

/// Verdicts on equations, in lanes.
pub(super) struct VartimeEach<'a> {
    pub(super) equations: &'a [GroupEquation],
    pub(super) cofactored: bool,
    /// Decides an equation whose k has no pair of half-size numbers.
    pub(super) otherwise: fn(&GroupEquation, bool) -> bool,
    pub(super) verdicts: &'a mut [bool],
}

impl InLanes for VartimeEach<'_> {
    type Output = ();

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        // Four lanes of AVX2 are level with the single equation.
        kind.wide
    }

    #[inline(always)]
    fn run<E: Engine>(self) {
        let lanes = E::Many::LANES;
        let groups = self.equations.chunks(lanes);
        for (equations, verdicts) in groups.zip(self.verdicts.chunks_mut(lanes)) {
            let mut group = Group::new();
            let mut alone = 0u8;
            for (lane, equation) in equations.iter().enumerate() {
                match Recoded::vartime_new(equation) {
                    Some(recoded) => group.put(lane, equation, &recoded),
                    None => alone |= 1 << lane,
                }
            }
            let neutral = group.vartime_defects::<E::Many>().neutral(self.cofactored);
            for (lane, equation) in equations.iter().enumerate() {
                verdicts[lane] = if alone >> lane & 1 == 1 {
                    (self.otherwise)(equation, self.cofactored)
                } else {
                    neutral >> lane & 1 == 1
                };
            }
        }
    }
}
