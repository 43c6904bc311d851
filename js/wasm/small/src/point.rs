//! Points of edwards25519, -x^2 + y^2 = 1 + d x^2 y^2, in extended coordinates (Hisil, Wong,
//! Carter, Dawson 2008): X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z, side by side in four lanes.

use crate::field::{self, Map, Quad, ZERO, linear, map, mul, mul2, small, square, square2};
use crate::limbs::same;
use lanner_wasm_vector::Four;

pub(crate) type Point = Quad;

/// A point as a summand: Y - X, Y + X, 2Z, 2dT.
pub(crate) type Summand = Quad;

/// d = -121665/121666.
static D: [u8; 32] =
    field::constant("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3");

/// A square root of -1.
static I: [u8; 32] =
    field::constant("2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0");

const IDENTITY: Point = small([0, 1, 1, 0]);

/// The base point's encoding, y = 4/5.
pub(crate) const BASE: [u8; 32] = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    bytes
};

/// Where points are computed.
pub(crate) struct Work {
    pub(crate) field: field::Work,
    t: Quad,
    u: Quad,
    /// 1, 1, 1, d.
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
        field::load(&mut work.factor, 3, &D);
        work
    }
}

/// X, Y, Z, T to the first factors of a sum, Y - X, Y + X, Z, T.
static FACTORS: Map = map([[-1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);

/// And to the second, where the last is still to be multiplied by d.
static SUMMAND: Map = map([[-1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]]);

/// From the products A, B, C, D to E, G, F, E and F, H, G, H: A = (Y1 - X1)(Y2 - X2),
/// B = (Y1 + X1)(Y2 + X2), C = 2 Z1 Z2, D = 2 d T1 T2, and E = B - A, F = C - D, G = C + D,
/// H = B + A.
static SUM: [Map; 2] = [
    map([[-1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, -1], [-1, 1, 0, 0]]),
    map([[0, 0, 1, -1], [1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]]),
];

/// What is squared in a doubling: X, Y, Z, X + Y.
static SQUARED: Map = map([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0]]);

/// From the squares A, B, C, D. All four change their sign against the paper, which the products do
/// not show: E = A + B - D, F = 2C + G, G = A - B, H = A + B.
static DOUBLE: [Map; 2] = [
    map([[1, 1, 0, -1], [1, -1, 0, 0], [1, -1, 2, 0], [1, 1, 0, -1]]),
    map([[1, -1, 2, 0], [1, 1, 0, 0], [1, -1, 0, 0], [1, 1, 0, 0]]),
];

/// A formula: products (without a factor squares) of a map of p, and of two maps of those
/// X = EF, Y = GH, Z = FG, T = EH.
#[inline(never)]
fn formula(work: &mut Work, p: &mut Point, map: &Map, factor: Option<&Quad>, maps: &[Map; 2]) {
    let Work { field, t, u, .. } = work;
    linear(t, p, map);
    field::product(field, t, factor, 2);
    linear(p, t, &maps[0]);
    linear(u, t, &maps[1]);
    mul(field, p, u);
}

/// Adds a point. The formulas are complete: any two points, in constant time.
#[inline(never)]
pub(crate) fn add(work: &mut Work, p: &mut Point, q: &Summand) {
    formula(work, p, &FACTORS, Some(q), &SUM);
}

/// Doubles `count` times.
#[inline(never)]
pub(crate) fn double(work: &mut Work, p: &mut Point, count: usize) {
    for _ in 0..count {
        formula(work, p, &SQUARED, None, &DOUBLE);
    }
}

#[inline(never)]
pub(crate) fn summand(work: &mut Work, q: &mut Summand, p: &Point) {
    linear(q, p, &SUMMAND);
    mul(&mut work.field, q, &work.factor);
}

/// -p.
pub(crate) fn negate(p: &mut Point) {
    static NEGATIVE: Map = map([[-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, -1]]);
    let q = *p;
    linear(p, &q, &NEGATIVE);
}

/// z^(2^252 - 3) = z^((p - 5) / 8), in lanes 0 and 1.
#[inline(never)]
fn power(work: &mut field::Work, x: &mut Quad) {
    // z^(2^n - 1), with n going through the leading binary digits of 250.
    let z = *x;
    let mut n = 1;
    for digit in [1, 1, 1, 1, 0, 1, 0] {
        let y = *x;
        square2(work, x, n);
        mul2(work, x, &y);
        n *= 2;
        if digit == 1 {
            square2(work, x, 1);
            mul2(work, x, &z);
            n += 1;
        }
    }
    square2(work, x, 2);
    mul2(work, x, &z);
}

/// 1/z, and 0 for 0, in lanes 0 and 1: z^(p - 2), p - 2 = 8 (p - 5) / 8 + 3.
#[cfg(feature = "sign")]
pub(crate) fn invert(work: &mut Work, x: &mut Quad) {
    let work = &mut work.field;
    let z = *x;
    power(work, x);
    square2(work, x, 3);
    // Twice times z is once times its square, and z.
    mul2(work, x, &z);
    mul2(work, x, &z);
    mul2(work, x, &z);
}

/// The encoding of a point with Z = 1.
#[inline(never)]
pub(crate) fn encode_affine(p: &Quad) -> [u8; 32] {
    let mut bytes = field::to_bytes(p, 1);
    bytes[31] |= field::to_bytes(p, 0)[0] << 7;
    bytes
}

/// The encodings of two points, for the price of one: they are inverted side by side.
#[cfg(feature = "sign")]
#[inline(never)]
pub(crate) fn encode(work: &mut Work, points: &[Point; 2]) -> [[u8; 32]; 2] {
    static SPLAT: [Map; 2] = [map([[1, 0, 0, 0]; 4]), map([[0, 1, 0, 0]; 4])];
    let mut z = ZERO;
    for i in 0..10 {
        z[i].set(0, points[0][i].words()[2]);
        z[i].set(1, points[1][i].words()[2]);
    }
    invert(work, &mut z);
    let mut bytes = [[0; 32]; 2];
    for i in 0..2 {
        linear(&mut work.t, &z, &SPLAT[i]);
        mul2(&mut work.field, &mut work.t, &points[i]);
        bytes[i] = encode_affine(&work.t);
    }
    bytes
}

#[inline(never)]
fn is_zero(a: &Quad, lane: usize) -> bool {
    same(&field::to_bytes(a, lane), &[0; 32])
}

/// The points of two encodings, canonical or not (y up to 2^255 - 1, a sign bit where x = 0); not
/// in constant time.
#[inline(never)]
pub(crate) fn vartime_decode(
    work: &mut Work,
    points: &mut [Point; 2],
    bytes: [&[u8; 32]; 2],
) -> bool {
    let work = &mut work.field;
    // Both numbers twice.
    let mut y = ZERO;
    let mut d = ZERO;
    let mut i = small([1; 4]);
    for lane in 0..4 {
        field::load(&mut y, lane, bytes[lane % 2]);
        field::load(&mut d, lane, &D);
        if lane > 1 {
            field::load(&mut i, lane, &I);
        }
    }
    let one = Four::splat(1);
    let mut u = y;
    square(work, &mut u);
    mul(work, &mut d, &u);
    d[0] = d[0].add(one);
    u[0] = u[0].sub(one);
    // x = u (u v)^((p - 5) / 8), that or times a root of -1: then v x^2 = u (u v)^((p - 1) / 4).
    let mut x = u;
    mul(work, &mut x, &d);
    power(work, &mut x);
    mul(work, &mut x, &u);
    mul(work, &mut x, &i);
    let mut difference = x;
    square(work, &mut difference);
    mul(work, &mut difference, &d);
    for i in 0..10 {
        difference[i] = difference[i].sub(u[i]);
    }
    let mut t = x;
    mul(work, &mut t, &y);
    for lane in 0..2 {
        let mut root = lane;
        while !is_zero(&difference, root) {
            root += 2;
            if root > 3 {
                return false;
            }
        }
        let sign = if field::to_bytes(&x, root)[0] & 1 == bytes[lane][31] >> 7 {
            1
        } else {
            -1
        };
        let point = &mut points[lane];
        *point = IDENTITY;
        for i in 0..10 {
            point[i].set(0, sign * x[i].words()[root % 4]);
            point[i].set(1, y[i].words()[root % 4]);
            point[i].set(3, sign * t[i].words()[root % 4]);
        }
    }
    true
}

/// Whether 8p is the identity; not in constant time.
pub(crate) fn vartime_is_small_order(work: &mut Work, p: &Point) -> bool {
    let mut p = *p;
    double(work, &mut p, 3);
    vartime_is_identity(&p)
}

/// Not in constant time.
#[inline(never)]
pub(crate) fn vartime_is_identity(p: &Point) -> bool {
    static Y_Z: Map = map([[1, 0, 0, 0], [0, 1, -1, 0], [0; 4], [0; 4]]);
    let mut q = ZERO;
    linear(&mut q, p, &Y_Z);
    is_zero(&q, 0) && is_zero(&q, 1)
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
        chosen = ten!(I => chosen[I].or(entry[I].and(mask)));
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
    // Windows that begin and end with a one, each at its lowest bit.
    let mut digits = [[0; 256]; 2];
    for (digits, (scalar, multiples)) in digits.iter_mut().zip(terms) {
        let mask = 2 * multiples.len() - 1;
        let mut bit = 0;
        while bit < 253 {
            let next = scalar.get(bit / 8 + 1).copied().unwrap_or(0);
            let word = usize::from(scalar[bit / 8]) | usize::from(next) << 8;
            let digit = word >> (bit % 8) & mask;
            if digit % 2 == 1 {
                digits[bit] = digit as u8;
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
            let digit = usize::from(digits[bit]);
            if digit > 0 {
                add(work, p, &multiples[digit / 2 % multiples.len()]);
            }
        }
    }
}
