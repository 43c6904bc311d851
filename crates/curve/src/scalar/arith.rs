//! Integers modulo L on four 64-bit limbs, least significant first.
//!
//! L = 2^252 + C with C about 2^124.4, so 2^252 ≡ −C (mod L). A wide integer is
//! reduced by folding what lies above bit 252 back with that rule, twice, and
//! finishing with a quotient of a few bits:
//!
//! ```text
//! x = x1·2^252 + x0                            x1 < 2^260
//!   ≡ x0 − y,   y = C·x1 = y1·2^252 + y0       y1 < 2^133
//!   ≡ x0 − y0 + z,   z = C·y1                  z  < 2^258
//! ```
//!
//! Every function here takes any input of its width, reduced or not, and returns
//! the representative in [0, L). All of them run in constant time, assuming that
//! the machine multiplies 64-bit words in constant time.

use core::hint::black_box;

/// A 256-bit integer, least significant limb first.
pub(crate) type Limbs = [u64; 4];

/// The order L = 2^252 + 27742317777372353535851937790883648493 of the
/// prime-order subgroup (RFC 8032, section 5.1).
pub(crate) const L: Limbs = [
    0x5812_631a_5cf5_d3ed,
    0x14de_f9de_a2f7_9cd6,
    0,
    0x1000_0000_0000_0000,
];

/// C = L − 2^252, which is below 2^125.
const C: [u64; 2] = [L[0], L[1]];

/// 2^bits·L, for fewer than 64 bits, of which there are more than none.
pub(super) const fn shifted_l(bits: u32) -> [u64; 5] {
    let mut shifted = [0; 5];
    let mut below = 0;
    let mut i = 0;
    while i < 4 {
        shifted[i] = L[i] << bits | below;
        below = L[i] >> (64 - bits);
        i += 1;
    }
    shifted[4] = below;
    shifted
}

/// 16·L, the least multiple of L by a power of two above 2^256.
const L16: [u64; 5] = shifted_l(4);

/// The bits of limb 3 that lie below bit 252 of the integer.
const LOW_60: u64 = (1 << 60) - 1;

/// `a + b + carry` as low limb and carry, with `carry` at most 1.
#[inline(always)]
const fn adc(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = a as u128 + b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `a − b − borrow` as low limb and borrow, with `borrow` at most 1.
#[inline(always)]
const fn sbb(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let (difference, below) = a.overflowing_sub(b);
    let (difference, below_borrow) = difference.overflowing_sub(borrow);
    (difference, (below | below_borrow) as u64)
}

/// `acc + a·b + carry`, which is below 2^128 for every input.
#[inline(always)]
const fn mac(acc: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = acc as u128 + a as u128 * b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `a·b + c`, at most 2^512 − 2^256.
#[inline(always)]
const fn mul_add_wide(a: &Limbs, b: &Limbs, c: &Limbs) -> [u64; 8] {
    let mut r = [c[0], c[1], c[2], c[3], 0, 0, 0, 0];
    let mut i = 0;
    while i < 4 {
        let mut carry = 0;
        let mut j = 0;
        while j < 4 {
            (r[i + j], carry) = mac(r[i + j], a[i], b[j], carry);
            j += 1;
        }
        r[i + 4] = carry;
        i += 1;
    }
    r
}

/// Adds L when `bit` is 1 and nothing when it is 0.
#[inline(always)]
const fn add_l_if(r: &Limbs, bit: u64) -> [u64; 5] {
    // The optimiser must not learn that the mask has only two values, or it may
    // branch on it (RUSTSEC-2024-0344).
    let mask = black_box(0u64.wrapping_sub(bit));
    let (r0, carry) = adc(r[0], L[0] & mask, 0);
    let (r1, carry) = adc(r[1], L[1] & mask, carry);
    let (r2, carry) = adc(r[2], L[2] & mask, carry);
    let (r3, carry) = adc(r[3], L[3] & mask, carry);
    [r0, r1, r2, r3, carry]
}

/// Reduces a five-limb integer below 2^312.
///
/// With t = v >> 252 below 2^60, v mod 2^252 − t·C lies in (−2^185, 2^252). That
/// is inside (−L, L), so one addition of L to a negative value is enough.
#[inline]
const fn reduce_5(v: &[u64; 5]) -> Limbs {
    let t = v[3] >> 60 | v[4] << 4;
    let (m0, carry) = mac(0, t, C[0], 0);
    let (m1, m2) = mac(0, t, C[1], carry);
    let (r0, borrow) = sbb(v[0], m0, 0);
    let (r1, borrow) = sbb(v[1], m1, borrow);
    let (r2, borrow) = sbb(v[2], m2, borrow);
    let (r3, borrow) = sbb(v[3] & LOW_60, 0, borrow);
    // A negative value is represented modulo 2^256: the carry out is dropped.
    let [r0, r1, r2, r3, _] = add_l_if(&[r0, r1, r2, r3], borrow);
    [r0, r1, r2, r3]
}

/// Reduces a 512-bit integer.
#[cfg_attr(not(feature = "precomputed-tables"), inline(never))]
pub(crate) const fn reduce_wide(x: &[u64; 8]) -> Limbs {
    // x1 = x >> 252, below 2^260.
    let x1 = [
        x[3] >> 60 | x[4] << 4,
        x[4] >> 60 | x[5] << 4,
        x[5] >> 60 | x[6] << 4,
        x[6] >> 60 | x[7] << 4,
        x[7] >> 60,
    ];

    // y = C·x1, below 2^385. Its last row's last carry is zero.
    let mut y = [0u64; 7];
    let mut i = 0;
    while i < 5 {
        let carry;
        (y[i], carry) = mac(y[i], C[0], x1[i], 0);
        (y[i + 1], y[i + 2]) = mac(y[i + 1], C[1], x1[i], carry);
        i += 1;
    }

    // y1 = y >> 252, below 2^133.
    let y1 = [
        y[3] >> 60 | y[4] << 4,
        y[4] >> 60 | y[5] << 4,
        y[5] >> 60 | y[6] << 4,
    ];

    // z = C·y1, below 2^258.
    let mut z = [0u64; 5];
    let mut i = 0;
    while i < 3 {
        let carry;
        (z[i], carry) = mac(z[i], C[0], y1[i], 0);
        (z[i + 1], z[i + 2]) = mac(z[i + 1], C[1], y1[i], carry);
        i += 1;
    }

    // x0 + L − y0, positive and below 2^254, then + z.
    let (v0, carry) = adc(x[0], L[0], 0);
    let (v1, carry) = adc(x[1], L[1], carry);
    let (v2, carry) = adc(x[2], L[2], carry);
    let (v3, _) = adc(x[3] & LOW_60, L[3], carry);

    let (v0, borrow) = sbb(v0, y[0], 0);
    let (v1, borrow) = sbb(v1, y[1], borrow);
    let (v2, borrow) = sbb(v2, y[2], borrow);
    let (v3, _) = sbb(v3, y[3] & LOW_60, borrow);

    let (v0, carry) = adc(v0, z[0], 0);
    let (v1, carry) = adc(v1, z[1], carry);
    let (v2, carry) = adc(v2, z[2], carry);
    let (v3, carry) = adc(v3, z[3], carry);
    let (v4, _) = adc(0, z[4], carry);

    reduce_5(&[v0, v1, v2, v3, v4])
}

/// Reduces a 256-bit integer.
#[inline(always)]
pub(crate) const fn reduce(x: &Limbs) -> Limbs {
    reduce_5(&[x[0], x[1], x[2], x[3], 0])
}

/// `a·b mod L`.
#[inline]
pub(crate) const fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    reduce_wide(&mul_add_wide(a, b, &[0; 4]))
}

/// `a·b + c mod L`.
#[inline]
pub(crate) const fn mul_add(a: &Limbs, b: &Limbs, c: &Limbs) -> Limbs {
    reduce_wide(&mul_add_wide(a, b, c))
}

/// `a + b mod L`.
#[inline]
pub(crate) const fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let (v0, carry) = adc(a[0], b[0], 0);
    let (v1, carry) = adc(a[1], b[1], carry);
    let (v2, carry) = adc(a[2], b[2], carry);
    let (v3, v4) = adc(a[3], b[3], carry);
    reduce_5(&[v0, v1, v2, v3, v4])
}

/// `a − b mod L`.
#[inline(always)]
pub(crate) const fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    // a + 16·L − b is positive because b is below 2^256.
    let (v0, carry) = adc(a[0], L16[0], 0);
    let (v1, carry) = adc(a[1], L16[1], carry);
    let (v2, carry) = adc(a[2], L16[2], carry);
    let (v3, carry) = adc(a[3], L16[3], carry);
    let v4 = L16[4] + carry;

    let (v0, borrow) = sbb(v0, b[0], 0);
    let (v1, borrow) = sbb(v1, b[1], borrow);
    let (v2, borrow) = sbb(v2, b[2], borrow);
    let (v3, borrow) = sbb(v3, b[3], borrow);
    reduce_5(&[v0, v1, v2, v3, v4 - borrow])
}

/// `a / 2 mod L`.
#[inline(always)]
pub(crate) const fn halve(a: &Limbs) -> Limbs {
    // L is odd: adding it to an odd integer makes the shift exact.
    let [v0, v1, v2, v3, v4] = add_l_if(a, a[0] & 1);
    reduce(&[
        v0 >> 1 | v1 << 63,
        v1 >> 1 | v2 << 63,
        v2 >> 1 | v3 << 63,
        v3 >> 1 | v4 << 63,
    ])
}

/// 1 when `a` is below L, otherwise 0.
#[inline(always)]
pub(crate) const fn is_below_l(a: &Limbs) -> u64 {
    let (_, borrow) = sbb(a[0], L[0], 0);
    let (_, borrow) = sbb(a[1], L[1], borrow);
    let (_, borrow) = sbb(a[2], L[2], borrow);
    let (_, borrow) = sbb(a[3], L[3], borrow);
    borrow
}
