//! Many squarings in a row. Each waits for the one before, so that lanes would be idle most of the
//! time: word by word, one element after the other, they take half as long.

use core::ops::{Add, BitAnd, Mul, Shr};

use lanner_wasm_curve::each;
use lanner_wasm_curve::field::Quad;
use lanner_wasm_curve::vector::Four;

/// Ten signed limbs of 26 and 25 bits in turn.
type Limbs = [i64; 10];

/// `count` squarings of the first lanes; what is in the others then is of no use.
#[inline(never)]
pub(crate) fn square_times(a: &Quad, count: usize, lanes: usize) -> Quad {
    let mut squared = [[0; 10]; 4];
    for (lane, limbs) in squared.iter_mut().enumerate().take(lanes) {
        *limbs = square_lane(a, lane, count);
    }
    each!(10, I => {
        let i = if I < 5 { 2 * I } else { 2 * I - 9 };
        Four::new(squared.map(|limbs| limbs[i] as i32))
    })
}

#[inline(never)]
fn square_lane(a: &Quad, lane: usize, count: usize) -> Limbs {
    let limb = |i: usize| i64::from(a[i % 2 * 5 + i / 2].words()[lane % 4]);
    let mut limbs: Limbs = each!(10, I => limb(I));
    for _ in 0..count {
        limbs = square(&limbs);
    }
    limbs
}

/// The square of limbs up to 1.5 units, carried: of words, and in tests of all words within bounds.
#[inline(always)]
pub(crate) fn square<T>(a: &[T; 10]) -> [T; 10]
where
    T: Copy + Add<Output = T> + BitAnd<i64, Output = T> + Shr<i32, Output = T>,
    T: Mul<Output = T> + Mul<i64, Output = T>,
{
    // 2^255 = 19, and two odd limbs meet half a bit above their column: they count twice.
    let d = a.map(|limb| limb * 2);
    let q = a.map(|limb| limb * 4);
    let r = a.map(|limb| limb * 19);
    let mut t = [
        a[0] * a[0] + d[5] * r[5] + q[1] * r[9] + d[2] * r[8] + q[3] * r[7] + d[4] * r[6],
        d[0] * a[1] + d[2] * r[9] + d[3] * r[8] + d[4] * r[7] + d[5] * r[6],
        d[0] * a[2] + d[1] * a[1] + a[6] * r[6] + q[3] * r[9] + d[4] * r[8] + q[5] * r[7],
        d[0] * a[3] + d[1] * a[2] + d[4] * r[9] + d[5] * r[8] + d[6] * r[7],
        d[0] * a[4] + q[1] * a[3] + a[2] * a[2] + d[7] * r[7] + q[5] * r[9] + d[6] * r[8],
        d[0] * a[5] + d[1] * a[4] + d[2] * a[3] + d[6] * r[9] + d[7] * r[8],
        d[0] * a[6] + q[1] * a[5] + d[2] * a[4] + d[3] * a[3] + a[8] * r[8] + q[7] * r[9],
        d[0] * a[7] + d[1] * a[6] + d[2] * a[5] + d[3] * a[4] + d[8] * r[9],
        d[0] * a[8] + q[1] * a[7] + d[2] * a[6] + q[3] * a[5] + a[4] * a[4] + d[9] * r[9],
        d[0] * a[9] + d[1] * a[8] + d[2] * a[7] + d[3] * a[6] + d[4] * a[5],
    ];
    macro_rules! carry {
        ($($from:literal -> $to:literal),*) => {$(
            t[$to] = t[$to] + (t[$from] >> (26 - $from % 2));
            t[$from] = t[$from] & ((1 << (26 - $from % 2)) - 1);
        )*};
    }
    carry!(0 -> 1, 4 -> 5, 1 -> 2, 5 -> 6, 2 -> 3, 6 -> 7, 3 -> 4, 7 -> 8, 4 -> 5, 8 -> 9);
    t[0] = t[0] + (t[9] >> 25) * 19;
    t[9] = t[9] & ((1 << 25) - 1);
    carry!(0 -> 1);
    t
}
