//! Inverses of large integers by division steps (Bernstein and Yang, "Fast constant-time gcd
//! computation and modular inversion", 2019), 62 at a time, in the variant that starts at delta = 1/2.

use lanner_simd::Mask;

use super::zint62::{MASK, is_zero, product};

/// Steps in one batch: a limb.
const BATCH: u32 = 62;

/// How many batches make the second number zero, for numbers below 2^bits. The number of steps,
/// floor((45907 bits + 26313) / 19929), is Wuille's bound for delta = 1/2; nothing depends on it
/// but that time is constant, because [`negative_inverse`] goes on until it is done.
const fn batches(bits: usize) -> usize {
    ((45907 * bits + 26313) / 19929).div_ceil(BATCH as usize)
}

/// The product of 62 matrices of division steps, times 2^62: (f, g) becomes
/// (u f + v g, q f + r g) / 2^62. |u| + |v| and |q| + |r| are at most 2^62.
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

/// 62 division steps on the lowest limbs. `zeta` is -(delta + 1/2). Constant time.
#[inline(always)]
fn division_steps(zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let (mut u, mut v, mut q, mut r) = (1i64, 0i64, 0i64, 1i64);
    let (mut f, mut g, mut zeta) = (f, g, zeta);
    for _ in 0..BATCH {
        // Where g is odd: g becomes g - f if delta > 0, else g + f; and where both, f becomes g and
        // delta its negative.
        let negative = Mask::of_sign(zeta);
        let odd = Mask::of_bit(g);
        // f, u, v with the sign with which they are added.
        g = g.wrapping_add(odd.keep(negative.negate(f)));
        q = q.wrapping_add(odd.keep(negative.negate(u)));
        r = r.wrapping_add(odd.keep(negative.negate(v)));
        // delta > 0 is zeta < 0.
        let swap = negative & odd;
        zeta = (zeta ^ swap.word()).wrapping_sub(1);
        f = f.wrapping_add(swap.keep(g));
        u = u.wrapping_add(swap.keep(q));
        v = v.wrapping_add(swap.keep(r));
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    (zeta, Matrix { u, v, q, r })
}

/// (f, g) <- (u f + v g, q f + r g) / 2^62, exactly.
#[inline]
fn update(f: &mut [i64], g: &mut [i64], m: &Matrix) {
    let Matrix { u, v, q, r } = *m;
    let mut carry_f = (product(u, f[0]) + product(v, g[0])) >> BATCH;
    let mut carry_g = (product(q, f[0]) + product(r, g[0])) >> BATCH;
    let last = f.len() - 1;
    for i in 1..=last {
        let (x, y) = (f[i], g[i]);
        carry_f += product(u, x) + product(v, y);
        carry_g += product(q, x) + product(r, y);
        f[i - 1] = carry_f as i64 & MASK;
        g[i - 1] = carry_g as i64 & MASK;
        carry_f >>= BATCH;
        carry_g >>= BATCH;
    }
    f[last] = carry_f as i64;
    g[last] = carry_g as i64;
}

/// (d, e) <- (u d + v e, q d + r e) / 2^62 modulo x, for d and e in (-2x, x), and again there.
/// `inverse` is 1/x modulo 2^62.
#[inline]
fn update_modulo(d: &mut [i64], e: &mut [i64], x: &[i64], inverse: i64, m: &Matrix) {
    let last = x.len() - 1;
    let Matrix { u, v, q, r } = *m;
    // Adding x once to each negative one leaves both in (-x, x).
    let (negative_d, negative_e) = (Mask::of_sign(d[last]), Mask::of_sign(e[last]));
    let mut times_d = negative_d.keep(u) + negative_e.keep(v);
    let mut times_e = negative_d.keep(q) + negative_e.keep(r);
    let mut carry_d = product(u, d[0]) + product(v, e[0]);
    let mut carry_e = product(q, d[0]) + product(r, e[0]);
    // Then the multiple of x, in (-2^62, 0], that makes the lowest limb vanish.
    times_d -= (inverse.wrapping_mul(carry_d as i64).wrapping_add(times_d)) & MASK;
    times_e -= (inverse.wrapping_mul(carry_e as i64).wrapping_add(times_e)) & MASK;
    carry_d = (carry_d + product(x[0], times_d)) >> BATCH;
    carry_e = (carry_e + product(x[0], times_e)) >> BATCH;
    for i in 1..=last {
        let (a, b, c) = (d[i], e[i], x[i]);
        carry_d += product(u, a) + product(v, b) + product(c, times_d);
        carry_e += product(q, a) + product(r, b) + product(c, times_e);
        d[i - 1] = carry_d as i64 & MASK;
        e[i - 1] = carry_e as i64 & MASK;
        carry_d >>= BATCH;
        carry_e >>= BATCH;
    }
    d[last] = carry_d as i64;
    e[last] = carry_e as i64;
}

/// 1/x modulo 2^62, for odd x.
pub(crate) const fn inverse_62(x: i64) -> i64 {
    let x = x as u64;
    let mut y = x;
    let mut i = 0;
    while i < 5 {
        y = y.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(y)));
        i += 1;
    }
    y as i64 & MASK
}

/// x <- x, or -x where `negated`, plus y where `added`; carried, both of the same length.
fn negate_and_add(x: &mut [i64], negated: Mask<i64>, y: &[i64], added: Mask<i64>) {
    let last = x.len() - 1;
    let mut carry = 0;
    for (i, (x, &y)) in x.iter_mut().zip(y).enumerate() {
        let sum = negated.negate(*x) + added.keep(y) + carry;
        if i == last {
            *x = sum;
        } else {
            *x = sum & MASK;
            carry = sum >> 62;
        }
    }
}

/// Scratch of [`negative_inverse`]: three numbers as long as the modulus.
pub(crate) struct Scratch<'a> {
    pub(crate) f: &'a mut [i64],
    pub(crate) g: &'a mut [i64],
    pub(crate) e: &'a mut [i64],
}

/// `inverse` <- -1/y modulo x in [0, x), for odd x > 0 and odd y > 0 of `bits` bits at most.
///
/// Returns whether gcd(x, y) = 1; if not, what is in `inverse` means nothing. Constant time in the
/// values: the number of steps depends on `bits`.
pub(crate) fn negative_inverse(
    inverse: &mut [i64],
    x: &[i64],
    y: &[i64],
    bits: usize,
    scratch: &mut Scratch<'_>,
) -> bool {
    let d = inverse;
    let e = &mut *scratch.e;
    d.fill(0);
    e.fill(0);
    e[0] = 1;
    scratch.f.copy_from_slice(x);
    scratch.g.copy_from_slice(y);
    let x_inverse = inverse_62(x[0]);
    // Invariants: d y = f and e y = g modulo x.
    let mut zeta = -1;
    let mut left = batches(bits);
    loop {
        let (next, matrix) = division_steps(zeta, scratch.f[0], scratch.g[0]);
        zeta = next;
        update(scratch.f, scratch.g, &matrix);
        update_modulo(d, e, x, x_inverse, &matrix);
        left = left.saturating_sub(1);
        if left == 0 && scratch.g.iter().fold(0, |any, limb| any | limb) == 0 {
            break;
        }
    }
    // f is the gcd or its negative, and d in (-2x, x) its multiple of 1/y.
    let negative = Mask::of_sign(scratch.f[scratch.f.len() - 1]);
    let never = negative & !negative;
    negate_and_add(d, never, x, Mask::of_sign(d[d.len() - 1]));
    // -d if f > 0, d if f < 0; in (-x, x) either way.
    negate_and_add(d, !negative, x, never);
    negate_and_add(d, never, x, Mask::of_sign(d[d.len() - 1]));
    let rest = scratch.f[1..]
        .iter()
        .fold(0, |any, limb| any | (limb ^ negative.keep(MASK)));
    let one = ((scratch.f[0] ^ negative.word()) & MASK) + negative.keep(1);
    is_zero(((rest & MASK) | (one ^ 1)) as u64).declassify()
}

/// quotient <- (1 + v y) / x, exactly, modulo 2^(62 limbs), for odd x.
pub(crate) fn exact_quotient(
    quotient: &mut [i64],
    v: &[i64],
    y: &[i64],
    x: &[i64],
    columns: &mut [i128],
) {
    let length = quotient.len();
    let inverse = inverse_62(x[0]);
    columns[..length].fill(0);
    columns[0] = 1;
    // The low half of v y, then limb by limb the quotient from below.
    for (i, &v) in v.iter().enumerate() {
        let mut carry = 0i128;
        for (column, &y) in columns[i..length].iter_mut().zip(y) {
            carry += *column + product(v, y);
            *column = carry & i128::from(MASK);
            carry >>= 62;
        }
    }
    for i in 0..length {
        let limb = (columns[i] as i64).wrapping_mul(inverse) & MASK;
        quotient[i] = limb;
        let mut carry = 0i128;
        for (column, &x) in columns[i..length].iter_mut().zip(x) {
            carry += *column - product(limb, x);
            *column = carry & i128::from(MASK);
            carry >>= 62;
        }
    }
    columns[..length].fill(0);
}
