//! Integers modulo p = 2^255 - 19, four side by side.
//!
//! An element has ten signed limbs of 26 and 25 bits in turn; limb i of all four is one vector. The
//! even limbs come first, then the odd ones: a number is E + 2^26 O, where both are polynomials
//! in x = 2^51 with x^5 = 19, and a product of such numbers takes three products of polynomials
//! (Karatsuba and Ofman 1962).
//!
//! # Bounds
//!
//! In units of 2^26 for even limbs and of 2^25 for odd ones, in absolute value:
//!
//! * a product: below 1 + 1/128, and not negative;
//! * a first factor: up to 4.1, which sums and differences of four products are;
//! * a second factor and a number to be squared: the same; they are carried before they are
//!   multiplied.

use lanner_wasm_vector::{Four, Two};

pub(crate) use crate::chain::square_times;
pub(crate) use crate::product::{mul, square};

/// An element in each of four lanes.
pub(crate) type Quad = [Four; 10];

/// Coefficients of polynomials in x = 2^51.
pub(crate) type Ring = [Four; 5];

pub(crate) const ZERO: Quad = [Four::new([0; 4]); 10];

pub(crate) const EVEN: i64 = (1 << 26) - 1;
pub(crate) const ODD: i64 = (1 << 25) - 1;

/// An array of five or ten expressions; written out, because engines keep what is in arrays that
/// are looped over in memory.
macro_rules! each {
    (5, $i:ident => $value:expr) => {
        each!($i, $value, 0, 1, 2, 3, 4)
    };
    (10, $i:ident => $value:expr) => {
        each!($i, $value, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    };
    ($i:ident, $value:expr, $($n:literal),*) => {
        [$({
            const $i: usize = $n;
            $value
        }),*]
    };
}
pub(crate) use each;

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

/// Small numbers.
pub(crate) const fn small(numbers: [i32; 4]) -> Quad {
    let mut quad = ZERO;
    quad[0] = Four::new(numbers);
    quad
}

/// The encoding of a small number.
pub(crate) const fn number(n: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = n;
    bytes
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
    const EVENS: Four = Four::new([EVEN as i32; 4]);
    const ODDS: Four = Four::new([ODD as i32; 4]);
    each!(10, I => match I {
        0 => a[0].and(EVENS).add(a[9].shr::<25>().mul(const { Four::new([19; 4]) })),
        1..5 => a[I].and(EVENS).add(a[(4 + I) % 10].shr::<25>()),
        _ => a[I].and(ODDS).add(a[(I + 5) % 10].shr::<26>()),
    })
}

#[inline(always)]
pub(crate) fn times_19(a: Two) -> Two {
    a.add(a.shl::<1>()).add(a.shl::<4>())
}

/// The canonical encoding of a lane.
#[inline(never)]
pub(crate) fn to_bytes(quad: &Quad, lane: usize) -> [u8; 32] {
    let word = |i: usize| i64::from(quad[i].words()[lane % 4]);
    let mut a: [i64; 5] = each!(5, I => word(I) + (word(5 + I) << 26));
    // Below 2^255 + 2^16 in absolute value, and then from 0 to 2^255 - 1.
    carry_51(&mut a);
    carry_51(&mut a);
    a[0] += 19;
    carry_51(&mut a);
    // Bits from 255 on came down as 19 each: what was at least p is now itself minus p plus 19.
    a[0] -= 19;
    carry_51(&mut a);
    let [a, b, c, d, e] = a.map(|limb| limb as u64);
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

/// One pass of carries from below; what is above 2^255 comes down, times 19.
#[inline(always)]
fn carry_51(a: &mut [i64; 5]) {
    let mut over = 0;
    for limb in &mut *a {
        *limb += over;
        over = *limb >> 51;
        *limb &= (1 << 51) - 1;
    }
    a[0] += 19 * over;
}

#[inline(never)]
pub(crate) fn is_zero(a: &Quad, lane: usize) -> bool {
    to_bytes(a, lane) == [0; 32]
}
