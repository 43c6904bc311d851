//! Products of four elements side by side, and linear maps of them: one piece of code for each, which
//! reads what it does from memory.
//!
//! A second factor and a number to be squared are anything that words hold: they are carried before they
//! are multiplied.

use lanner_wasm_curve::each;
use lanner_wasm_curve::edwards::Matrix;
use lanner_wasm_curve::field::{
    EVEN, Quad, Ring, canonical, carried, combined, ring_mul, ring_square,
};
use lanner_wasm_curve::limbs;
use lanner_wasm_curve::vector::{Four, Two};

const NO_FOUR: Four = Four::new([0; 4]);
const NO_TWO: Two = Two::new([0; 2]);
/// Where products are computed: once for many of them, because zeroing and copying arrays is what
/// engines do by calls, which cost as much as a product.
pub(crate) struct Work {
    /// The even limbs, the odd ones, and their sums: of the first factor, of the second, and of the
    /// second 19 times.
    parts: [[Ring; 3]; 3],
    /// The products of the parts.
    sums: [[Two; 5]; 3],
    /// Of lanes 0 and 1, and of the others.
    halves: [[Two; 10]; 2],
}

impl Work {
    pub(crate) const NEW: Self = Self {
        parts: [[[NO_FOUR; 5]; 3]; 3],
        sums: [[NO_TWO; 5]; 3],
        halves: [[NO_TWO; 10]; 2],
    };
}

/// Puts a number of at most 255 bits to a lane.
#[inline(never)]
pub(crate) fn load(quad: &mut Quad, lane: usize, bytes: &[u8; 32]) {
    let limbs = limbs::load(bytes, 51);
    for i in 0..5 {
        quad[i].set(lane, (limbs[i] & EVEN) as i32);
        quad[5 + i].set(lane, (limbs[i] >> 26) as i32);
    }
}

/// A linear map, two bits for each number: octet i says what goes to lane i, from the highest bits on of lanes i, i + 1,
/// i + 2 and i + 3 modulo 4.
pub(crate) type Map = i32;

/// A linear map, of numbers from -2 to 1; row i says what of each lane goes to lane i.
pub(crate) const fn map(rows: Matrix) -> Map {
    let mut map = 0;
    let mut i = 0;
    while i < 16 {
        let (row, turn) = (i / 4, i % 4);
        let number = rows[row][(row + turn) % 4];
        assert!(-2 <= number && number <= 1);
        map |= (number & 3) << (8 * row + 6 - 2 * turn);
        i += 1;
    }
    map
}

/// The map of which all signs are changed: the numbers of the matrix go from -1 to 2.
pub(crate) const fn negative(mut rows: Matrix) -> Map {
    let mut i = 0;
    while i < 16 {
        rows[i / 4][i % 4] *= -1;
        i += 1;
    }
    map(rows)
}

/// A linear map of a.
#[inline(never)]
pub(crate) fn linear(c: &mut Quad, a: &Quad, map: Map) {
    let map = Four::new([map << 24, map << 16, map << 8, map]);
    let (m0, m1) = (map.shr::<30>(), map.shl::<2>().shr::<30>());
    let (m2, m3) = (map.shl::<4>().shr::<30>(), map.shl::<6>().shr::<30>());
    let turned = |v: Four| v.order::<1, 2, 3, 0>();
    for i in 0..10 {
        let v0 = a[i];
        let v1 = turned(v0);
        let v2 = turned(v1);
        let v3 = turned(v2);
        c[i] = v0.mul(m0).add(v1.mul(m1)).add(v2.mul(m2)).add(v3.mul(m3));
    }
}

/// Lanes 0 and 1 of a polynomial, or the others.
#[inline(always)]
fn read(a: &Ring, half: usize) -> Ring {
    each!(5, I => Four::half(&a[I], half))
}

/// x y, or without y the square of x; in all lanes, or with `halves` 1 in the first two, and those
/// again in the others. It reads and writes memory between its steps: what V8 computes in one
/// block it mixes, and then has too few registers.
#[inline(never)]
pub(crate) fn product(work: &mut Work, x: &mut Quad, y: Option<&Quad>, halves: usize) {
    let factor = y.unwrap_or(x);
    let mut over = factor[9].shr::<25>().mul(Four::splat(19));
    for i in 0..5 {
        let [b0, b1] = carried(factor[i], factor[5 + i], over);
        over = factor[5 + i].shr::<25>();
        let mut part = |k: usize, b: Four| {
            work.parts[k][1][i] = b;
            work.parts[k][2][i] = b.mul(Four::splat(19));
        };
        part(0, b0);
        part(1, b1);
        part(2, b0.add(b1));
        if y.is_some() {
            work.parts[0][0][i] = x[i];
            work.parts[1][0][i] = x[5 + i];
            work.parts[2][0][i] = x[i].add(x[5 + i]);
        }
    }
    for half in 0..halves.min(2) {
        for k in 0..3 {
            let [a, b, r] = &work.parts[k];
            work.sums[k] = if y.is_none() {
                ring_square(read(b, half), read(r, half))
            } else {
                ring_mul(read(a, half), read(b, half), read(r, half))
            };
        }
        let [even, odd, both] = &work.sums;
        work.halves[half] = combined(|i| even[i], |i| odd[i], |i| both[i]);
    }
    for i in 0..10 {
        x[i] = Four::pack(
            work.halves[0][i],
            work.halves[halves.wrapping_sub(1) % 2][i],
        );
    }
}

/// x y.
pub(crate) fn mul(work: &mut Work, x: &mut Quad, y: &Quad) {
    product(work, x, Some(y), 2);
}

/// In lanes 0 and 1, and the same in the others.
pub(crate) fn mul2(work: &mut Work, x: &mut Quad, y: &Quad) {
    product(work, x, Some(y), 1);
}

/// In lanes 0 and 1, and the same in the others; `count` times.
#[inline(never)]
pub(crate) fn square2(work: &mut Work, x: &mut Quad, count: usize) {
    for _ in 0..count {
        product(work, x, None, 1);
    }
}

/// The canonical encoding of a lane.
#[inline(never)]
pub(crate) fn to_bytes(quad: &Quad, lane: usize) -> [u8; 32] {
    limbs::store(&canonical(quad, lane), 51)
}
