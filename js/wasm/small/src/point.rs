//! The arithmetic of points: each formula is two or three linear maps and two products, and one piece of
//! code does them all.

use crate::field::{self, Map, linear, map, mul, mul2, negative, square2};
use lanner_wasm_curve::edwards::{self, IDENTITY, Point, Summand, TWICE_D, vartime_is_zero};
use lanner_wasm_curve::field::{Field, Quad, ZERO, power, small};
use lanner_wasm_curve::vector::Four;
#[cfg(feature = "sign")]
use lanner_wasm_curve::{each, edwards::encode_affine};

/// Where points are computed.
pub struct Work {
    pub(crate) field: field::Work,
    t: Quad,
    u: Quad,
    /// 1, 1, 1, 2d.
    factor: Quad,
}

impl Work {
    #[inline(never)]
    pub(crate) fn new() -> Self {
        let mut work = Self {
            field: field::Work::NEW,
            t: ZERO,
            u: ZERO,
            factor: small([1; 4]),
        };
        field::load(&mut work.factor, 3, &TWICE_D);
        work
    }
}

impl Field for Work {
    fn to_bytes(a: &Quad, lane: usize) -> [u8; 32] {
        field::to_bytes(a, lane)
    }

    #[inline(never)]
    fn square_mul(&mut self, x: &mut Quad, count: usize, y: &Quad) {
        square2(&mut self.field, x, count);
        mul2(&mut self.field, x, y);
    }
}

const FACTORS: Map = map(edwards::FACTORS);

/// A point to a summand, where the last is still to be multiplied by 2d; of all four the sign is changed, and so it is
/// of all four products, and of what is made of them.
const SUMMAND: Map = negative([[-1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]);

const SUM: [Map; 2] = [map(edwards::SUM[0]), map(edwards::SUM[1])];
const SQUARED: Map = map(edwards::SQUARED);
/// With the signs that the paper has.
const DOUBLE: [Map; 2] = [negative(edwards::DOUBLE[0]), negative(edwards::DOUBLE[1])];

/// A formula: products (without a factor squares) of a map of p, and of two maps of those
/// X = EF, Y = GH, Z = FG, T = EH.
#[inline(never)]
fn formula(work: &mut Work, p: &mut Point, map: Map, factor: Option<&Quad>, maps: [Map; 2]) {
    let Work { field, t, u, .. } = work;
    linear(t, p, map);
    field::product(field, t, factor, 2);
    linear(p, t, maps[0]);
    linear(u, t, maps[1]);
    mul(field, p, u);
}

/// Adds a point. The formulas are complete: any two points, in constant time.
#[inline(never)]
pub(crate) fn add(work: &mut Work, p: &mut Point, q: &Summand) {
    formula(work, p, FACTORS, Some(q), SUM);
}

/// Doubles `count` times.
#[inline(never)]
pub(crate) fn double(work: &mut Work, p: &mut Point, count: usize) {
    for _ in 0..count {
        formula(work, p, SQUARED, None, DOUBLE);
    }
}

#[inline(never)]
pub(crate) fn summand(work: &mut Work, q: &mut Summand, p: &Point) {
    linear(q, p, SUMMAND);
    mul(&mut work.field, q, &work.factor);
}

/// -p.
pub(crate) fn negate(p: &mut Point) {
    let q = *p;
    linear(p, &q, const { map(edwards::NEGATIVE) });
}

/// 1/z, and 0 for 0, in lanes 0 and 1: z^(p - 2), p - 2 = 8 (p - 5) / 8 + 3.
#[cfg(feature = "sign")]
pub(crate) fn invert(work: &mut Work, x: &mut Quad) {
    let z = *x;
    raise(work, x);
    // Twice times z is once times its square, and z.
    work.square_mul(x, 3, &z);
    mul2(&mut work.field, x, &z);
    mul2(&mut work.field, x, &z);
}

/// The encodings of two points, for the price of one: they are inverted side by side.
#[cfg(feature = "sign")]
#[inline(never)]
pub(crate) fn encode(work: &mut Work, points: &[Point; 2]) -> [[u8; 32]; 2] {
    const SPLAT: [Map; 2] = [map([[1, 0, 0, 0]; 4]), map([[0, 1, 0, 0]; 4])];
    let mut z = ZERO;
    for i in 0..10 {
        z[i].set(0, points[0][i].words()[2]);
        z[i].set(1, points[1][i].words()[2]);
    }
    invert(work, &mut z);
    let mut bytes = [[0; 32]; 2];
    for i in 0..2 {
        linear(&mut work.t, &z, SPLAT[i]);
        mul2(&mut work.field, &mut work.t, &points[i]);
        bytes[i] = encode_affine::<Work>(&work.t);
    }
    bytes
}

/// [`power`], in lanes 0 and 1; one copy.
#[inline(never)]
fn raise(work: &mut Work, x: &mut Quad) {
    power(work, x);
}

/// The points of two encodings, canonical or not (y up to 2^255 - 1, a sign bit where x = 0); not
/// in constant time.
#[inline(never)]
pub(crate) fn vartime_decode(
    work: &mut Work,
    points: &mut [Point; 2],
    bytes: [&[u8; 32]; 2],
) -> bool {
    let mut y = ZERO;
    let mut v = ZERO;
    for lane in 0..2 {
        field::load(&mut y, lane, bytes[lane]);
        field::load(&mut v, lane, &TWICE_D);
    }
    let one = Four::splat(1);
    let mut u = y;
    square2(&mut work.field, &mut u, 1);
    mul2(&mut work.field, &mut v, &u);
    v[0] = v[0].add(one).add(one);
    u[0] = u[0].sub(one);
    // v x^2 = 2u, where v is the double of the RFC's (Atkin 1992, without a division): if there is an x, and u is not 0,
    // w = uv is no square, so that with b = w^((p - 5) / 8) the square of i = w b^2 is -1, and x = u b (i - 1). If there
    // is none, that square is 1.
    let mut w = u;
    mul2(&mut work.field, &mut w, &v);
    let mut b = w;
    raise(work, &mut b);
    let mut x = u;
    mul2(&mut work.field, &mut x, &b);
    square2(&mut work.field, &mut b, 1);
    mul2(&mut work.field, &mut b, &w);
    let mut none = b;
    square2(&mut work.field, &mut none, 1);
    none[0] = none[0].add(one);
    mul2(&mut work.field, &mut none, &u);
    b[0] = b[0].sub(one);
    mul2(&mut work.field, &mut x, &b);
    let mut t = x;
    mul2(&mut work.field, &mut t, &y);
    for lane in 0..2 {
        if !vartime_is_zero::<Work>(&none, lane) {
            return false;
        }
        let sign = if field::to_bytes(&x, lane)[0] & 1 == bytes[lane][31] >> 7 {
            1
        } else {
            -1
        };
        let point = &mut points[lane];
        *point = IDENTITY;
        for i in 0..10 {
            point[i].set(0, sign * x[i].words()[lane]);
            point[i].set(1, y[i].words()[lane]);
            point[i].set(3, sign * t[i].words()[lane]);
        }
    }
    true
}

/// Combs (Lim and Lee 1994) of four teeth, 64 bits apart: the sums of 2^0, 2^64, 2^128 and 2^192
/// times a point in the first one, of 2^16 times as much in the next.
#[cfg(feature = "sign")]
pub(crate) type Combs = [[Summand; 16]; 4];

#[cfg(feature = "sign")]
#[inline(never)]
pub(crate) fn combs(work: &mut Work, combs: &mut Combs, p: &Point) {
    let mut tooth = *p;
    let mut t = ZERO;
    for half in [1, 2, 4, 8] {
        for comb in &mut *combs {
            comb[0] = IDENTITY;
            summand(work, &mut t, &tooth);
            for i in 0..half {
                comb[(half + i) % 16] = comb[i % 16];
                add(work, &mut comb[(half + i) % 16], &t);
            }
            double(work, &mut tooth, 16);
        }
    }
    for sum in combs.as_flattened_mut() {
        t = *sum;
        summand(work, sum, &t);
    }
}

/// The summand at an index, in constant time.
#[cfg(feature = "sign")]
#[inline(never)]
fn select(summand: &mut Summand, comb: &[Summand; 16], index: usize) {
    let index = Four::splat(core::hint::black_box(index as i32));
    let mut i = Four::splat(0);
    let mut chosen = ZERO;
    for entry in comb {
        let mask = i.equal(index);
        i = i.add(Four::splat(1));
        chosen = each!(10, I => chosen[I].or(entry[I].and(mask)));
    }
    *summand = chosen;
}

/// A scalar times the point of the combs, in constant time.
#[cfg(feature = "sign")]
#[inline(never)]
pub(crate) fn multiply(work: &mut Work, p: &mut Point, scalar: &[u8; 32], combs: &Combs) {
    let mut chosen = ZERO;
    *p = IDENTITY;
    for row in (0..16).rev() {
        double(work, p, 1);
        for (i, comb) in combs.iter().enumerate() {
            let bit = row + 16 * i;
            let mut index = 0;
            for tooth in 0..4 {
                index |= usize::from(scalar[(bit / 8 + 8 * tooth) % 32] >> (bit % 8) & 1) << tooth;
            }
            select(&mut chosen, comb, index);
            add(work, p, &chosen);
        }
    }
}

/// The odd multiples of a point, from the first.
#[inline(never)]
pub(crate) fn odd_multiples(work: &mut Work, multiples: &mut [Summand], p: &Point) {
    let mut twice = *p;
    double(work, &mut twice, 1);
    let mut step = ZERO;
    summand(work, &mut step, &twice);
    let mut sum = *p;
    for multiple in multiples {
        summand(work, multiple, &sum);
        add(work, &mut sum, &step);
    }
}

/// The sum of scalars below 2^253 times the points whose odd multiples are given, a power of two of
/// them, at most 128; not in constant time.
#[inline(never)]
pub(crate) fn vartime_multiply(
    work: &mut Work,
    p: &mut Point,
    terms: &[(&[u8; 32], &[Summand]); 2],
) {
    // Windows that begin and end with a one, each at its lowest bit: which odd multiple, from 1.
    let mut digits = [[0; 256]; 2];
    for (digits, (scalar, multiples)) in digits.iter_mut().zip(terms) {
        let mask = 2 * multiples.len() - 1;
        let mut bit = 0;
        while bit < 253 {
            let next = scalar.get(bit / 8 + 1).copied().unwrap_or(0);
            let word = usize::from(scalar[bit / 8]) | usize::from(next) << 8;
            let digit = word >> (bit % 8) & mask;
            if digit % 2 == 1 {
                digits[bit] = (digit / 2 + 1) as u8;
                bit += mask.count_ones() as usize;
            } else {
                bit += 1;
            }
        }
    }
    *p = IDENTITY;
    for bit in (0..253).rev() {
        double(work, p, 1);
        for (digits, (_, multiples)) in digits.iter().zip(terms) {
            let number = usize::from(digits[bit]);
            if let Some(multiple) = multiples.get(number.wrapping_sub(1)) {
                add(work, p, multiple);
            }
        }
    }
}
