//! Many group equations side by side, each with a verdict of its own, in variable time.

use super::half_size::vartime_halves;
use super::models::{Cached, Extended, Projective};
use super::niels::{AffineNiels, PackedNiels};
use super::{EdwardsPoint, GroupEquation};
use crate::backend::{InLanes, Kind};
use crate::bytes::words_from_bytes;
use crate::field::lanes::{Engine, Lanes, MAX_LANES, Quads};
use crate::scalar::recode::{signed_radix, vartime_odd_digits};
use crate::tables::{BASE_2_POW_128_ODD, BASE_ODD};

/// Digits of four bits of u and v, below 2^160.
const DIGITS: usize = 41;
/// Odd digits of seven bits, for tables of 64 odd multiples, of integers below 2^128.
const BASE_BITS: usize = 7;
const BASE_DIGITS: usize = 19;

/// The scalars of the equation of `half_size`, recoded.
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
        let half = vartime_halves(&equation.k)?;
        let bytes =
            |words: [u64; 3]| crate::bytes::bytes_from_words(&[words[0], words[1], words[2], 0]);
        let scalar = half.v_scalar() * equation.s;
        let (low, high) = odd_halves(&words_from_bytes(scalar.as_bytes()));
        let longest = [0, 1, 2].map(|i| half.u[i] | half.v[i]);
        let bits = match longest {
            [low, 0, 0] => 64 - low.leading_zeros(),
            [_, middle, 0] => 128 - middle.leading_zeros(),
            [_, _, high] => 192 - high.leading_zeros(),
        };
        let mut u = [0; DIGITS];
        let mut v = [0; DIGITS];
        signed_radix::<4, DIGITS>(&bytes(half.u), &mut u);
        signed_radix::<4, DIGITS>(&bytes(half.v), &mut v);
        Some(Self {
            u,
            v,
            low: vartime_odd_digits::<BASE_BITS, BASE_DIGITS>(low),
            high: vartime_odd_digits::<BASE_BITS, BASE_DIGITS>(high),
            v_is_negative: half.v_is_negative,
            // The top digit must be below 8, or a carry makes one digit more.
            len: (bits as usize + 1) / 4 + 1,
        })
    }
}

/// Odd numbers, the first perhaps negative, with low + 2^128 high = n modulo L, for n below
/// L: as (magnitude, whether negative).
#[inline]
fn odd_halves(n: &[u64; 4]) -> ((u128, bool), (u128, bool)) {
    let halves = |n: &[u64; 4]| {
        (
            u128::from(n[0]) | u128::from(n[1]) << 64,
            u128::from(n[2]) | u128::from(n[3]) << 64,
        )
    };
    let (mut low, mut high) = halves(n);
    if low & 1 == 0 {
        // L is odd, and so is n + L.
        (low, high) = halves(&crate::scalar::plus_order(n));
    }
    if high & 1 == 0 {
        // low - 2^128, which is odd too, and not 0.
        ((low.wrapping_neg(), true), (high + 1, false))
    } else {
        ((low, false), (high, false))
    }
}

/// The multiples 0 to 8 of a point in each lane.
struct Window<L>([Cached<L>; 9]);

impl<L: Lanes> Window<L> {
    #[inline(always)]
    fn new(point: &Extended<L>) -> Self {
        let first = point.to_cached();
        let mut multiples = [Cached::IDENTITY; 9];
        multiples[1] = first;
        let mut multiple = *point;
        for entry in &mut multiples[2..] {
            multiple = multiple.add_inline(&first).to_extended_inline();
            *entry = multiple.to_cached();
        }
        Self(multiples)
    }

    /// \[digit] in each lane, for digits in -8..=8.
    #[inline(always)]
    fn vartime_select(&self, digits: &[i8; MAX_LANES]) -> Cached<L> {
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

/// Bit i is set if digit i is negative.
#[inline(always)]
fn negative(digits: &[i8; MAX_LANES]) -> u8 {
    let mut bits = 0;
    for (lane, digit) in digits.iter().enumerate() {
        bits |= (*digit as u8 >> 7) << lane;
    }
    bits
}

/// \[digit] of the point whose odd multiples the table has, in each lane.
#[inline(always)]
fn vartime_odd_multiple<L: Lanes>(
    table: &[PackedNiels],
    digits: &[i8; MAX_LANES],
) -> AffineNiels<L> {
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

/// A point in each lane, and the neutral element in those that are left.
#[inline(always)]
fn gather<L: Lanes>(points: &[EdwardsPoint]) -> Extended<L> {
    let neutral = EdwardsPoint::default();
    let mut rows = [[[0; 4]; MAX_LANES]; 4];
    for lane in 0..L::LANES {
        let point = points.get(lane).unwrap_or(&neutral);
        for (rows, coordinate) in rows.iter_mut().zip([point.x, point.y, point.z, point.t]) {
            rows[lane] = coordinate.0;
        }
    }
    Extended {
        x: L::from_lanes(&rows[0]),
        y: L::from_lanes(&rows[1]),
        z: L::from_lanes(&rows[2]),
        t: L::from_lanes(&rows[3]),
    }
}

/// Verdicts on equations, in lanes.
pub(super) struct VartimeEach<'a> {
    pub(super) equations: &'a [GroupEquation],
    pub(super) cofactored: bool,
    pub(super) verdicts: &'a mut [bool],
}

impl InLanes for VartimeEach<'_> {
    type Output = ();

    #[inline(always)]
    fn pays(kind: Kind) -> bool {
        // Four lanes of AVX2 are level with the single equation.
        kind.lanes == 8
    }

    #[inline(always)]
    fn run<E: Engine>(self) {
        let lanes = <E::Many as Lanes>::LANES;
        for (equations, verdicts) in self
            .equations
            .chunks(lanes)
            .zip(self.verdicts.chunks_mut(lanes))
        {
            let bits = vartime_group::<E::Many>(equations, self.cofactored);
            for (lane, verdict) in verdicts.iter_mut().enumerate() {
                *verdict = bits >> lane & 1 == 1;
            }
        }
    }
}

/// The verdicts on at most as many equations as there are lanes.
#[inline(always)]
fn vartime_group<L: Quads>(equations: &[GroupEquation], cofactored: bool) -> u8 {
    let mut u = [[0i8; MAX_LANES]; DIGITS];
    let mut v = u;
    // Lanes without an equation keep digits that are odd.
    let mut low = [[1i8; MAX_LANES]; BASE_DIGITS];
    let mut high = low;
    let (mut a, mut r) = (
        [EdwardsPoint::default(); MAX_LANES],
        [EdwardsPoint::default(); MAX_LANES],
    );
    let mut len = 0;
    let mut singly = 0u8;
    let mut verdicts = 0u8;
    for (lane, equation) in equations.iter().enumerate() {
        let Some(recoded) = Recoded::vartime_new(equation) else {
            let GroupEquation { s, r, k, a } = equation;
            singly |= 1 << lane;
            let valid = if cofactored {
                EdwardsPoint::vartime_group_equation_cofactored(s, r, k, a)
            } else {
                EdwardsPoint::vartime_group_equation(s, r, k, a)
            };
            verdicts |= u8::from(valid) << lane;
            continue;
        };
        for i in 0..DIGITS {
            u[i][lane] = -recoded.u[i];
            v[i][lane] = if recoded.v_is_negative {
                recoded.v[i]
            } else {
                -recoded.v[i]
            };
        }
        for i in 0..BASE_DIGITS {
            low[i][lane] = recoded.low[i];
            high[i][lane] = recoded.high[i];
        }
        a[lane] = equation.a;
        r[lane] = equation.r;
        len = len.max(recoded.len);
    }

    let (a, r) = (Window::<L>::new(&gather(&a)), Window::<L>::new(&gather(&r)));
    let top = (4 * (len.max(1) - 1)).max(BASE_BITS * (BASE_DIGITS - 1));
    let mut sum = Extended::<L>::IDENTITY;
    for position in (0..=top).rev() {
        let doubled = Projective {
            x: sum.x,
            y: sum.y,
            z: sum.z,
        }
        .double_inline();
        let window = position % 4 == 0 && position / 4 < len;
        let base = position % BASE_BITS == 0 && position / BASE_BITS < BASE_DIGITS;
        if !window && !base {
            // The next step is a doubling, which does not need T.
            let Projective { x, y, z } = doubled.to_projective_inline();
            sum = Extended { x, y, z, t: sum.t };
            continue;
        }
        sum = doubled.to_extended_inline();
        if window {
            let point = a.vartime_select(&u[position / 4]);
            sum = sum.add_inline(&point).to_extended_inline();
            let point = r.vartime_select(&v[position / 4]);
            sum = sum.add_inline(&point).to_extended_inline();
        }
        if base {
            let point = vartime_odd_multiple(&BASE_ODD, &low[position / BASE_BITS]);
            sum = sum.add_affine_inline(&point).to_extended_inline();
            let point = vartime_odd_multiple(&BASE_2_POW_128_ODD, &high[position / BASE_BITS]);
            sum = sum.add_affine_inline(&point).to_extended_inline();
        }
    }
    if cofactored {
        for _ in 0..3 {
            sum = sum.double_inline().to_extended_inline();
        }
    }
    let neutral = sum.x.equal(&L::ZERO);
    let neutral = L::vartime_mask_bits(neutral) & L::vartime_mask_bits(sum.y.equal(&sum.z));
    verdicts | neutral & !singly & u8::MAX.unbounded_shr(8 - equations.len() as u32)
}
