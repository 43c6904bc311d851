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

/// x - t L 2^(28 o), where t has at most 31 bits; carries go up to limb o + 8.
fn subtract(x: &mut Wide, o: usize, t: i64) {
    for i in 0..5 {
        x[(o + i) % 32] -= t * C[i];
    }
    x[(o + 8) % 32] -= t << WIDTH;
    carry(x, o, 8);
}

/// Carries from limb o on, `count` times.
#[inline(never)]
fn carry(x: &mut Wide, o: usize, count: usize) {
    for i in o..o + count {
        x[(i + 1) % 32] += x[i % 32] >> WIDTH;
        x[i % 32] &= MASK;
    }
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
    carry(&mut x, 0, 19);
    // Limb o + 9 and above hold what is at least 2^(28 (o + 9)); it comes down one limb at a time.
    for o in (0..11).rev() {
        x[o + 8] += x[o + 9] << WIDTH;
        let t = x[o + 8] >> WIDTH;
        subtract(&mut x, o, t);
    }
    // Between -c and 2^252 + c: less L, it is negative or below c.
    let mut t = 1;
    for _ in 0..3 {
        subtract(&mut x, 0, t);
        t = x[8] >> 63;
    }
    let mut low = [0; 10];
    for i in 0..9 {
        low[i] = x[i];
    }
    limbs::store(&low, WIDTH)
}

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

/// Whether an integer is below L: then it is itself, times 1. Not in constant time.
#[inline(never)]
#[must_use]
pub fn is_reduced(n: &[u8; 32]) -> bool {
    const ONE: [u8; 32] = {
        let mut one = [0; 32];
        one[0] = 1;
        one
    };
    same(&multiply_add(n, &ONE, &[0; 32]), n)
}
