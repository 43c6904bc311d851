//! Integers modulo p = 2^255 - 19, four side by side.
//!
//! An element has ten signed limbs of 26 and 25 bits in turn; limb i of all four is one vector. The
//! even limbs come first, then the odd ones: a number is E + 2^26 O, where both are polynomials
//! in x = 2^51 with x^5 = 19, and a product of such numbers takes three products of polynomials
//! (Karatsuba and Ofman 1962), one piece of code for all of them.
//!
//! # Bounds
//!
//! In units of 2^26 for even limbs and of 2^25 for odd ones, in absolute value:
//!
//! * a product: below 1 + 1/128, and not negative;
//! * a first factor: up to 4;
//! * a second factor and a number to be squared: anything that words hold; they are carried before
//!   they are multiplied.

use crate::limbs::{self, Limbs};
use lanner_wasm_vector::{Four, Two};

/// An element in each of four lanes.
pub(crate) type Quad = [Four; 10];

/// Coefficients of polynomials in x = 2^51.
type Ring = [Four; 5];

const NO_FOUR: Four = Four::new([0; 4]);
const NO_TWO: Two = Two::new([0; 2]);
pub(crate) const ZERO: Quad = [NO_FOUR; 10];

const EVEN: i64 = (1 << 26) - 1;
const ODD: i64 = (1 << 25) - 1;

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

/// The octets of a hexadecimal number of 64 digits.
pub(crate) const fn constant(hex: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 64 {
        let digit = match hex.as_bytes()[i] {
            c @ b'0'..=b'9' => c - b'0',
            c => c - b'a' + 10,
        };
        bytes[31 - i / 2] |= digit << (4 * (1 - i % 2));
        i += 1;
    }
    bytes
}

/// A small number in each lane.
pub(crate) const fn small(numbers: [i32; 4]) -> Quad {
    let mut quad = ZERO;
    quad[0] = Four::new(numbers);
    quad
}

/// What a linear map makes of each lane.
pub(crate) type Map = [Four; 4];

/// A linear map; row i says what of each lane goes to lane i.
pub(crate) const fn map(rows: [[i32; 4]; 4]) -> Map {
    let [a, b, c, d] = rows;
    [
        Four::new([a[0], b[0], c[0], d[0]]),
        Four::new([a[1], b[1], c[1], d[1]]),
        Four::new([a[2], b[2], c[2], d[2]]),
        Four::new([a[3], b[3], c[3], d[3]]),
    ]
}

/// A linear map of a, with an absolute sum of rows below 32.
#[inline(never)]
pub(crate) fn linear(c: &mut Quad, a: &Quad, map: &Map) {
    let [m0, m1, m2, m3] = *map;
    for i in 0..10 {
        let v = a[i];
        c[i] = v
            .order::<0, 0, 0, 0>()
            .mul(m0)
            .add(v.order::<1, 1, 1, 1>().mul(m1))
            .add(v.order::<2, 2, 2, 2>().mul(m2))
            .add(v.order::<3, 3, 3, 3>().mul(m3));
    }
}

#[inline(always)]
fn times_19(a: Two) -> Two {
    a.add(a.shl::<1>()).add(a.shl::<4>())
}

#[inline(always)]
fn read(a: &Ring, half: usize) -> Ring {
    [
        Four::half(&a[0], half),
        Four::half(&a[1], half),
        Four::half(&a[2], half),
        Four::half(&a[3], half),
        Four::half(&a[4], half),
    ]
}

macro_rules! sum {
    ($a:ident $b:ident $(, $as:ident $bs:ident)*) => {
        $a.products($b)$(.add($as.products($bs)))*
    };
}

/// The product of polynomials in lanes 0 and 1; r is 19 b.
#[inline(always)]
fn ring_mul(a: &Ring, b: &Ring, r: &Ring, half: usize) -> [Two; 5] {
    let [a0, a1, a2, a3, a4] = read(a, half);
    let [b0, b1, b2, b3, b4] = read(b, half);
    let [_, r1, r2, r3, r4] = read(r, half);
    [
        sum!(a0 b0, a1 r4, a2 r3, a3 r2, a4 r1),
        sum!(a0 b1, a1 b0, a2 r4, a3 r3, a4 r2),
        sum!(a0 b2, a1 b1, a2 b0, a3 r4, a4 r3),
        sum!(a0 b3, a1 b2, a2 b1, a3 b0, a4 r4),
        sum!(a0 b4, a1 b3, a2 b2, a3 b1, a4 b0),
    ]
}

/// The same of b and b.
#[inline(always)]
fn ring_square(b: &Ring, r: &Ring, half: usize) -> [Two; 5] {
    let [b0, b1, b2, b3, b4] = read(b, half);
    let [_, _, _, r3, r4] = read(r, half);
    let (d0, d1, d2, d3) = (b0.add(b0), b1.add(b1), b2.add(b2), b3.add(b3));
    [
        sum!(b0 b0, d1 r4, d2 r3),
        sum!(d0 b1, d2 r4, b3 r3),
        sum!(d0 b2, b1 b1, d3 r4),
        sum!(d0 b3, d1 b2, b4 r4),
        sum!(d0 b4, d1 b3, b2 b2),
    ]
}

/// What is added to the columns of a product so that they are not negative (there is no shift that keeps
/// the sign of 64 bits): `MULTIPLE` times p, which is 2^62 less `MULTIPLE` in even limbs and 2^61 less it
/// in odd ones, and another 18 times less in the lowest. Columns are below 2^61 in even limbs, and below
/// 2^60.6 in odd ones.
const MULTIPLE: i64 = 1 << 36;

/// The sums of a product from the products of its parts, carried.
#[inline(always)]
fn combine([even, odd, both]: &[[Two; 5]; 3]) -> [Two; 10] {
    let mut t = ten!(I => if I < 5 {
        let twice = odd[(I + 4) % 5].add(odd[(I + 4) % 5]);
        even[I % 5]
            .add(if I == 0 { times_19(twice).sub(Two::splat(18 * MULTIPLE)) } else { twice })
            .add(Two::splat((1 << 62) - MULTIPLE))
    } else {
        both[I % 5].sub(even[I % 5]).sub(odd[I % 5]).add(Two::splat((1 << 61) - MULTIPLE))
    });
    macro_rules! carry {
        ($($from:literal $to:literal),*) => {$(
            let over = if $from < 5 {
                t[$from].shr::<26>()
            } else {
                t[$from].shr::<25>()
            };
            t[$from] = t[$from].and(Two::splat(if $from < 5 { EVEN } else { ODD }));
            t[$to] = t[$to].add(if $from == 9 { times_19(over) } else { over });
        )*};
    }
    // In turn from limb 0 and from limb 5, so that neither waits for the other. `over` is below
    // 2^38, and so the lowest limb below 2^43 when it is carried again.
    carry!(0 5, 7 3, 5 1, 3 8, 1 6, 8 4, 6 2, 4 9, 2 7, 9 0, 7 3, 0 5);
    t
}

/// x y, or without y the square of x; in all lanes, or with `halves` 1 in the first two, and those
/// again in the others. It reads and writes memory between its steps: what V8 computes in one
/// block it mixes, and then has too few registers.
#[inline(never)]
pub(crate) fn product(work: &mut Work, x: &mut Quad, y: Option<&Quad>, halves: usize) {
    let factor = y.unwrap_or(x);
    let mut over = factor[9].shr::<25>().mul(Four::splat(19));
    for i in 0..5 {
        let (even, odd) = (factor[i], factor[5 + i]);
        let b0 = even.and(Four::splat(EVEN as i32)).add(over);
        let b1 = odd.and(Four::splat(ODD as i32)).add(even.shr::<26>());
        over = odd.shr::<25>();
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
                ring_square(b, r, half)
            } else {
                ring_mul(a, b, r, half)
            };
        }
        work.halves[half] = combine(&work.sums);
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

pub(crate) fn square(work: &mut Work, x: &mut Quad) {
    product(work, x, None, 2);
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
    let mut a = [0; 10];
    for i in 0..5 {
        let word = |j: usize| i64::from(quad[j].words()[lane % 4]);
        a[i] = word(i) + (word(5 + i) << 26);
    }
    // Below 2^255 + 2^16 in absolute value, and then from 0 to 2^255 - 1.
    carry51(&mut a);
    carry51(&mut a);
    a[0] += 19;
    carry51(&mut a);
    // Bits from 255 on came down as 19 each: what was at least p is now itself minus p plus 19.
    a[0] -= 19;
    carry51(&mut a);
    limbs::store(&a, 51)
}

/// One pass of carries from below; what is above 2^255 comes down, times 19.
fn carry51(a: &mut Limbs) {
    let mut over = 0;
    for limb in &mut a[..5] {
        *limb += over;
        over = *limb >> 51;
        *limb &= (1 << 51) - 1;
    }
    a[0] += 19 * over;
}
