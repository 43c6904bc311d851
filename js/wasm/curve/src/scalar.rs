//! Integers modulo L = 2^252 + c, in signed limbs of 28 bits: 252 = 9 * 28.

use crate::edwards::same;
use crate::field::constant;
use crate::limbs;

const WIDTH: u32 = 28;
const MASK: i64 = (1 << WIDTH) - 1;

/// The lower part c of L, which has 125 bits.
const C: [i64; 5] = {
    let c: u128 = 27742317777372353535851937790883648493;
    let mut limbs = [0; 5];
    let mut i = 0;
    while i < 5 {
        limbs[i] = (c >> (28 * i)) as i64 & MASK;
        i += 1;
    }
    limbs
};

/// More limbs than are used: indices are taken modulo the length, which needs no check.
type Wide = [i64; 32];

/// Carries from the lowest limb on, `count` times.
#[inline(never)]
fn carry(x: &mut Wide, count: usize) {
    let mut over = 0;
    for i in 0..count {
        let limb = x[i % 32] + over;
        x[i % 32] = limb & MASK;
        over = limb >> WIDTH;
    }
    x[count % 32] += over;
}

/// a b + c modulo L, canonical; a, b and c are any 32 octets, read as 256 bits.
#[inline(never)]
#[must_use]
pub fn multiply_add(a: &[u8; 32], b: &[u8; 32], c: &[u8; 32]) -> [u8; 32] {
    let (a, b, c) = (
        limbs::load(a, WIDTH),
        limbs::load(b, WIDTH),
        limbs::load(c, WIDTH),
    );
    let mut x = [0; 32];
    for i in 0..10 {
        x[i] += c[i];
        for j in 0..10 {
            x[i + j] += a[i] * b[j];
        }
    }
    carry(&mut x, 18);
    // From limb 9 on there are multiples of 2^252, which is -c modulo L. Of the sum, that leaves something between -2^386
    // and 2^252, then between 0 and 2^258, then between -2^132 and 2^252; and what is negative L more.
    for (limbs, carries) in [(10, 14), (6, 9), (1, 9), (1, 9)] {
        for i in 0..limbs {
            let high = x[(9 + i) % 32];
            x[(9 + i) % 32] = 0;
            for j in 0..5 {
                x[(i + j) % 32] -= high * C[j];
            }
        }
        carry(&mut x, carries);
    }
    limbs::store(x.first_chunk().unwrap_or(&[0; 10]), WIDTH)
}

/// 64 octets as twice 32.
#[inline(always)]
#[must_use]
pub fn halves(bytes: &[u8; 64]) -> [[u8; 32]; 2] {
    let mut halves = [[0; 32]; 2];
    halves[0].copy_from_slice(&bytes[..32]);
    halves[1].copy_from_slice(&bytes[32..]);
    halves
}

/// 64 octets modulo L: the halves apart, the upper one times 2^256.
#[inline(never)]
#[must_use]
pub fn reduce_wide(digest: &[u8; 64]) -> [u8; 32] {
    /// 2^256 modulo L.
    const SHIFT: [u8; 32] =
        constant("0ffffffffffffffffffffffffffffffec6ef5bf4737dcf70d6ec31748d98951d");
    let [low, high] = digest.as_chunks().0 else {
        return [0; 32];
    };
    multiply_add(high, &SHIFT, low)
}

/// Whether an integer is below L: nearly always it is below 2^252 as well, and else it is itself, times 1. Not in
/// constant time.
#[inline(never)]
#[must_use]
pub fn is_reduced(n: &[u8; 32]) -> bool {
    const ONE: [u8; 32] = {
        let mut one = [0; 32];
        one[0] = 1;
        one
    };
    n[31] < 16 || same(&multiply_add(n, &ONE, &[0; 32]), n)
}
