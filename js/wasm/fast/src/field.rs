//! Four elements side by side: sums, encodings, and what the shared parts compute with.

use lanner_wasm_curve::each;
use lanner_wasm_curve::field::{EVEN, Field, Quad, ZERO, canonical, carried};
use lanner_wasm_curve::vector::Four;

pub(crate) use crate::chain::square_times;
pub(crate) use crate::product::{mul, square};

/// Five limbs of 51 bits; bit 255 is not the element's.
const fn load(bytes: &[u8; 32]) -> [i64; 5] {
    let mut words = [0_u64; 4];
    let mut i = 0;
    while i < 32 {
        words[i / 8] |= (bytes[i] as u64) << (8 * (i % 8));
        i += 1;
    }
    let [a, b, c, d] = words;
    let limbs = [
        a,
        a >> 51 | b << 13,
        b >> 38 | c << 26,
        c >> 25 | d << 39,
        d >> 12,
    ];
    let mut masked = [0; 5];
    let mut i = 0;
    while i < 5 {
        masked[i] = (limbs[i] & ((1 << 51) - 1)) as i64;
        i += 1;
    }
    masked
}

/// The elements of four encodings, canonical or not.
pub(crate) const fn quad(encodings: [&[u8; 32]; 4]) -> Quad {
    let [a, b, c, d] = [
        load(encodings[0]),
        load(encodings[1]),
        load(encodings[2]),
        load(encodings[3]),
    ];
    let mut quad = ZERO;
    let mut i = 0;
    while i < 5 {
        let (a, b, c, d) = (a[i], b[i], c[i], d[i]);
        quad[i] = Four::new([
            (a & EVEN) as i32,
            (b & EVEN) as i32,
            (c & EVEN) as i32,
            (d & EVEN) as i32,
        ]);
        quad[5 + i] = Four::new([
            (a >> 26) as i32,
            (b >> 26) as i32,
            (c >> 26) as i32,
            (d >> 26) as i32,
        ]);
        i += 1;
    }
    quad
}

/// The encoding of a small number.
pub(crate) const fn number(n: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = n;
    bytes
}

#[inline(always)]
pub(crate) fn add(a: &Quad, b: &Quad) -> Quad {
    each!(10, I => a[I].add(b[I]))
}

#[inline(always)]
pub(crate) fn negate(a: &Quad) -> Quad {
    each!(10, I => a[I].mul(const { Four::new([-1; 4]) }))
}

/// Lane i is lane A, B, C, D.
#[inline(always)]
pub(crate) fn order<const A: usize, const B: usize, const C: usize, const D: usize>(
    a: &Quad,
) -> Quad {
    each!(10, I => a[I].order::<A, B, C, D>())
}

/// Limbs of at most 1 + 2^-16 units.
#[inline(always)]
pub(crate) fn carry(a: &Quad) -> Quad {
    let pairs = each!(5, I => {
        let over = a[(I + 4) % 5 + 5].shr::<25>();
        let over = if I == 0 { over.mul(const { Four::new([19; 4]) }) } else { over };
        carried(a[I], a[5 + I], over)
    });
    each!(10, I => pairs[I % 5][I / 5])
}

/// The canonical encoding of a lane.
#[inline(never)]
pub(crate) fn to_bytes(quad: &Quad, lane: usize) -> [u8; 32] {
    let [a, b, c, d, e] = canonical(quad, lane).map(|limb: i64| limb as u64);
    let words = [
        a | b << 51,
        b >> 13 | c << 38,
        c >> 26 | d << 25,
        d >> 39 | e << 12,
    ];
    let mut bytes = [0; 32];
    for (octets, word) in bytes.chunks_exact_mut(8).zip(words) {
        octets.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The first lanes of elements, as many as it says.
pub struct Lanes(pub(crate) usize);

impl Field for Lanes {
    fn to_bytes(a: &Quad, lane: usize) -> [u8; 32] {
        to_bytes(a, lane)
    }

    #[inline(always)]
    fn square_mul(&mut self, x: &mut Quad, count: usize, y: &Quad) {
        *x = if count == 1 {
            mul(&square(x), y)
        } else {
            mul(&square_times(x, count, self.0), y)
        };
    }
}
