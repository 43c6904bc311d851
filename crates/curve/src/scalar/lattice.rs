//! Half-size scalars for the verification of signatures (Antipa, Brown, Gallant,
//! Lambert, Struik, Vanstone 2005; Pornin, eprint 2020/454; ElSheikh et al.,
//! TCHES 2025).
//!
//! The equation S·B = R + k·A holds exactly if S·v·B − u·A − v·R = 0 for u ≡ v·k,
//! provided that the multiplication by v loses nothing. A and R may have components
//! of order 8, so the congruence is taken modulo 8·L, the exponent of the group, and
//! v must be prime to 8·L: odd, and not a multiple of L.
//!
//! The pairs (u, v) with u ≡ v·k (mod 8·L) are a lattice of determinant 8·L, about
//! 2^255. Euclid's algorithm on (8·L, k), stopped half-way, finds one with both
//! numbers below 2^127.5. Its v is even for one k in three. Then the next lattice
//! vector is taken as well, and combined with the first.

use super::arith::Limbs;
use super::{Scalar, arith};
use crate::bytes::words_from_bytes;

/// 8·L, the modulus.
const MODULUS: Limbs = {
    let [m0, m1, m2, m3, _] = arith::shifted_l(3);
    [m0, m1, m2, m3]
};

/// ⌈√(8·L)⌉, between 2^127 and 2^128.
const ROOT: u128 = 0xb504_f333_f9de_6484_597d_89b3_754a_bea0;

/// A pair with u ≡ v·k (mod 8·L), v odd, u and |v| below 2^[`HalfSize::MAX_BITS`].
///
/// Two k in three have both below 2^127.5. For the others the longer is above 2^128
/// for one k in 9 of all, above 2^129 for one in 36, above 2^130 for one in 150, and
/// so on by powers of 4.
#[derive(Clone, Copy, Debug)]
pub struct HalfSize {
    /// u, never negative, in little-endian words.
    pub u: [u64; 3],
    /// The absolute value of v, which is odd, and so not 0, in little-endian words.
    pub v: [u64; 3],
    /// Whether v is negative.
    pub v_is_negative: bool,
}

impl HalfSize {
    /// u and |v| are below 2^160.
    pub const MAX_BITS: u32 = 160;

    /// v modulo L.
    #[must_use]
    pub fn v_scalar(&self) -> Scalar {
        let v = [self.v[0], self.v[1], self.v[2], 0];
        Scalar::from_limbs(&if self.v_is_negative {
            arith::sub(&[0; 4], &v)
        } else {
            v
        })
    }
}

/// The half-size pair for the integer `k`, 32 bytes, little-endian, in variable time.
///
/// `None` means that k is not below L, or that no vector that the search considers is below the
/// bound. That takes a lattice vector with even v and u + |v| below about 2^95, which less
/// than one k in 2^60 has. The caller then works with k itself.
///
/// ```
/// use lanner_curve::Scalar;
/// use lanner_curve::hazmat::vartime_half_size;
///
/// let k = Scalar::from_bytes_mod_order([7; 32]);
/// let half = vartime_half_size(k.as_bytes()).unwrap();
/// // u = v k holds modulo L as well.
/// let mut u = [0; 32];
/// for (bytes, word) in u.chunks_exact_mut(8).zip(half.u) {
///     bytes.copy_from_slice(&word.to_le_bytes());
/// }
/// assert_eq!(Scalar::from_bytes_mod_order(u), half.v_scalar() * k);
/// ```
#[must_use]
pub fn vartime_half_size(k: &[u8; 32]) -> Option<HalfSize> {
    // (a, −s·ta) and (b, s·tb) are consecutive lattice vectors, s the sign of the
    // latter. Invariants: a > b ≥ 0, ta ≤ tb, a·tb + b·ta = 8·L.
    let mut a = MODULUS;
    let mut b: Limbs = words_from_bytes(k);
    if arith::is_below_l(&b) != 1 {
        return None;
    }
    let (mut ta, mut tb) = (0u128, 1u128);
    let mut tb_is_negative = false;

    // While b ≥ √(8·L), tb ≤ 8·L/a < √(8·L), and so is the next: 128 bits suffice.
    while at_least_root(&b) {
        let step = simulate(&a, &b);
        if step.is_identity() {
            // The leading words cannot tell the quotient: divide.
            let (r, t) = descend((&a, &widen(ta)), (&b, &widen(tb)), |_, _| true);
            (a, b) = (b, r);
            (ta, tb) = (tb, narrow(&t));
            tb_is_negative = !tb_is_negative;
        } else {
            (a, b) = step.apply(&a, &b);
            (ta, tb) = (
                u128::from(step.x0) * ta + u128::from(step.y0) * tb,
                u128::from(step.x1) * ta + u128::from(step.y1) * tb,
            );
            tb_is_negative ^= step.odd;
        }
    }

    // Now b < √(8·L) ≤ a, and tb ≤ 8·L/a ≤ √(8·L).
    if tb & 1 == 1 {
        return Some(HalfSize {
            u: [b[0], b[1], 0],
            v: [tb as u64, (tb >> 64) as u64, 0],
            v_is_negative: tb_is_negative,
        });
    }

    // Consecutive ta and tb are coprime, so ta is odd, and so is every
    // v = ±(ta + m·tb), which goes with u = a − m·b. While m grows u falls and v
    // grows: the least of their maxima is where they cross, or one step further.
    let tb = widen(tb);
    let (u, v) = descend((&a, &widen(ta)), (&b, &tb), |u, v| !less(u, v));
    // After the crossing v is the larger. A negative u there is never the better one:
    // u < b and v + tb < u would give b·v + u·tb < b·u < 8·L, but it equals 8·L.
    let (next_u, negative) = sub(&u, &b);
    let next_v = add(&v, &tb);
    let (u, v) = if !negative && less(&next_v, &u) {
        (next_u, next_v)
    } else {
        (u, v)
    };
    if bit_length(&u) > HalfSize::MAX_BITS || bit_length(&v) > HalfSize::MAX_BITS {
        return None;
    }
    Some(HalfSize {
        u: [u[0], u[1], u[2]],
        v: [v[0], v[1], v[2]],
        v_is_negative: !tb_is_negative,
    })
}

/// Several steps of Euclid's algorithm as a matrix of magnitudes: after an even
/// number of steps a' = x0·a − y0·b and b' = y1·b − x1·a, after an odd number the
/// negatives of these; and ta' = x0·ta + y0·tb, tb' = x1·ta + y1·tb.
struct Steps {
    x0: u64,
    y0: u64,
    x1: u64,
    y1: u64,
    odd: bool,
}

impl Steps {
    #[inline(always)]
    fn is_identity(&self) -> bool {
        self.x1 == 0
    }

    #[inline(always)]
    fn apply(&self, a: &Limbs, b: &Limbs) -> (Limbs, Limbs) {
        // All coefficients are below 2^32, so that the sums stay far below 2^127.
        let combine = |x: &Limbs, p: u64, y: &Limbs, q: u64| {
            let mut r = [0; 4];
            let mut carry = 0i128;
            for i in 0..4 {
                carry += (u128::from(x[i]) * u128::from(p)) as i128
                    - (u128::from(y[i]) * u128::from(q)) as i128;
                r[i] = carry as u64;
                carry >>= 64;
            }
            debug_assert_eq!(carry, 0);
            r
        };
        if self.odd {
            (
                combine(b, self.y0, a, self.x0),
                combine(a, self.x1, b, self.y1),
            )
        } else {
            (
                combine(a, self.x0, b, self.y0),
                combine(b, self.y1, a, self.x1),
            )
        }
    }
}

/// As many steps on (a, b) as the leading 64 bits of a, and the bits of b at the
/// same place, determine (Lehmer's method), stopping before b becomes less than
/// [`ROOT`].
///
/// With h and l for the leading words, a quotient q = h / l is right for the full
/// numbers too if the remainder r and the new cofactor y satisfy r ≥ y and
/// l − r ≥ y + (the cofactor before) (Collins; see Jebelean 1993). These also keep
/// the cofactors below 2^32.
#[inline(always)]
fn simulate(a: &Limbs, b: &Limbs) -> Steps {
    // a > b ≥ ROOT has at least 128 bits, so the shift is at least 64.
    let shift = bit_length(a) - 64;
    let (mut high, mut low) = (shift_right(a, shift), shift_right(b, shift));
    // A remainder of this or more is ROOT or more in full.
    let limit = if shift < 128 {
        (ROOT >> shift) as u64 + 1
    } else {
        1
    };

    let (mut x0, mut y0, mut x1, mut y1) = (1u64, 0u64, 0u64, 1u64);
    let mut odd = false;
    while low != 0 {
        let quotient = high / low;
        let rest = high - quotient * low;
        // No overflow: y1 < low by the conditions, and quotient·low ≤ high.
        let (x2, y2) = (x0 + quotient * x1, y0 + quotient * y1);
        if rest < y2.saturating_add(limit) || low - rest < y1 + y2 {
            break;
        }
        (high, low) = (low, rest);
        (x0, y0, x1, y1) = (x1, y1, x2, y2);
        odd = !odd;
    }
    Steps {
        x0,
        y0,
        x1,
        y1,
        odd,
    }
}

/// (r, t) ← (r − m·b, t + m·tb) with the largest m for which r − m·b is not
/// negative and `keep` holds, found bit by bit.
///
/// `keep` must hold for m = 0 and, once it fails, fail for every larger m.
#[inline(always)]
fn descend(
    (r, t): (&Limbs, &Limbs),
    (b, tb): (&Limbs, &Limbs),
    keep: impl Fn(&Limbs, &Limbs) -> bool,
) -> (Limbs, Limbs) {
    let (mut r, mut t) = (*r, *t);
    for shift in (0..=bit_length(&r).saturating_sub(bit_length(b))).rev() {
        let (next_r, negative) = sub(&r, &shift_left(b, shift));
        if !negative {
            let next_t = add(&t, &shift_left(tb, shift));
            if keep(&next_r, &next_t) {
                (r, t) = (next_r, next_t);
            }
        }
    }
    (r, t)
}

fn at_least_root(x: &Limbs) -> bool {
    x[2] | x[3] != 0 || narrow(x) >= ROOT
}

fn widen(x: u128) -> Limbs {
    [x as u64, (x >> 64) as u64, 0, 0]
}

/// The low 128 bits.
fn narrow(x: &Limbs) -> u128 {
    u128::from(x[1]) << 64 | u128::from(x[0])
}

fn bit_length(x: &Limbs) -> u32 {
    match x.iter().rposition(|&limb| limb != 0) {
        Some(i) => 64 * i as u32 + 64 - x[i].leading_zeros(),
        None => 0,
    }
}

/// A limb, 0 beyond the last.
fn at(x: &Limbs, i: usize) -> u64 {
    x.get(i).copied().unwrap_or(0)
}

/// The low word of `x >> shift`, for a shift below 256.
fn shift_right(x: &Limbs, shift: u32) -> u64 {
    let (limb, bit) = (shift as usize / 64, shift % 64);
    at(x, limb) >> bit | at(x, limb + 1) << (63 - bit) << 1
}

/// `x << shift` modulo 2^256, for a shift below 256.
fn shift_left(x: &Limbs, shift: u32) -> Limbs {
    let (limbs, bit) = (shift as usize / 64, shift % 64);
    let below = |i: usize, limbs| i.checked_sub(limbs).map_or(0, |i| at(x, i));
    core::array::from_fn(|i| below(i, limbs) << bit | below(i, limbs + 1) >> 1 >> (63 - bit))
}

/// `x + y` modulo 2^256.
fn add(x: &Limbs, y: &Limbs) -> Limbs {
    let mut carry = false;
    core::array::from_fn(|i| {
        let (s, c1) = x[i].overflowing_add(y[i]);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        carry = c1 | c2;
        s
    })
}

/// `x − y` modulo 2^256, and whether it is negative.
fn sub(x: &Limbs, y: &Limbs) -> (Limbs, bool) {
    let mut borrow = false;
    let difference = core::array::from_fn(|i| {
        let (d, b1) = x[i].overflowing_sub(y[i]);
        let (d, b2) = d.overflowing_sub(u64::from(borrow));
        borrow = b1 | b2;
        d
    });
    (difference, borrow)
}

fn less(x: &Limbs, y: &Limbs) -> bool {
    sub(x, y).1
}
