//! Inversion modulo an odd prime below 2^256, by division steps.
//!
//! The algorithm is safegcd: Bernstein and Yang, "Fast constant-time gcd
//! computation and modular inversion", TCHES 2019 (eprint 2019/266), in Wuille's
//! variant that starts from δ = 1/2. From f = M and g = x a division step is
//!
//! ```text
//! (δ, f, g) → (1 − δ, g, (g − f)/2)   if δ > 0 and g is odd
//!             (1 + δ, f, (g + f)/2)   if δ ≤ 0 and g is odd
//!             (1 + δ, f, g/2)         if g is even
//! ```
//!
//! f stays odd, and g becomes 0 when f has become ± gcd(M, x). For every odd M and
//! every 0 ≤ x ≤ M below 2^256, 590 steps are enough: Wuille's convex-hull
//! computation (github.com/sipa/safegcd-bounds), which was checked in Coq there.
//! Steps that come after g = 0 leave f and g as they are.
//!
//! What n steps do depends on the low n bits of f and g only. So 59 steps at a
//! time run on one machine word and give a matrix, which is then applied to the
//! full f and g, and modulo M to d and e, which hold f ≡ d·x and g ≡ e·x. Ten
//! batches of 59 steps are exactly the bound.
//!
//! Long integers are five limbs in base 2^59. A limb is balanced, in [−2^58, 2^58),
//! and sits in the high 59 bits of its word. So a product of words splits into a limb
//! and a carry without shifts of double words, which some machines are slow at.

use core::hint::black_box;

/// Steps in a batch, and bits in a limb.
const BITS: u32 = 59;
const MASK: i64 = (1 << BITS) - 1;

/// Zero bits below a limb in its word.
const ALIGN: u32 = 64 - BITS;

/// Batches: 10·59 is the bound on the number of steps.
const BATCHES: usize = 10;

/// An integer Σ limb\[i\]·2^(59 i) with every limb shifted left by [`ALIGN`].
///
/// Balanced limbs make the sign of a number that of its last limb that is not zero.
type Signed = [i64; 5];

/// An odd prime modulus below 2^256.
pub(crate) struct Modulus {
    limbs: Signed,
    /// The inverse of the modulus modulo 2^59 or more.
    inverse: i64,
}

impl Modulus {
    /// The modulus with these limbs, aligned to the right and in [−2^58, 2^58).
    const fn new(limbs: [i64; 5]) -> Self {
        // Newton's iteration: the inverse of an odd m modulo 8 is m itself, and
        // each round doubles the number of correct bits.
        let m = limbs[0];
        let mut inverse = m;
        let mut correct_bits = 3;
        while correct_bits < BITS {
            inverse = inverse.wrapping_mul(2i64.wrapping_sub(m.wrapping_mul(inverse)));
            correct_bits *= 2;
        }
        Self {
            limbs: [
                limbs[0] << ALIGN,
                limbs[1] << ALIGN,
                limbs[2] << ALIGN,
                limbs[3] << ALIGN,
                limbs[4] << ALIGN,
            ],
            inverse,
        }
    }
}

/// The field prime 2^255 − 19.
pub(crate) const P: Modulus = Modulus::new([-19, 0, 0, 0, 1 << (255 - 4 * BITS)]);

/// The group order 2^252 + 27742317777372353535851937790883648493.
pub(crate) const L: Modulus = Modulus::new([
    0x0012_631a_5cf5_d3ed,
    0x03df_3bd4_5ef3_9acb,
    0x53,
    0,
    1 << (252 - 4 * BITS),
]);

/// What a batch of n steps does, times 2^n: (f, g) → ((u f + v g), (q f + r g)).
///
/// |u| + |v| ≤ 2^n and |q| + |r| ≤ 2^n.
#[derive(Clone, Copy)]
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Matrix {
    /// The matrix that does what `first` does and then what `self` does.
    #[inline(always)]
    fn after(&self, first: &Self) -> Self {
        Self {
            u: self.u * first.u + self.v * first.q,
            v: self.u * first.v + self.v * first.r,
            q: self.q * first.u + self.r * first.q,
            r: self.q * first.v + self.r * first.r,
        }
    }
}

/// The inverse of `x` modulo `m`, and 0 for 0. `x` must be below `m`.
///
/// Constant time in `x`, not in `m`.
pub(crate) fn invert(x: &[u64; 4], m: &Modulus) -> [u64; 4] {
    let mut f = m.limbs;
    let mut g = from_words(x);
    let mut d = [0; 5];
    let mut e = [1 << ALIGN, 0, 0, 0, 0];
    let mut zeta = -1;

    for _ in 0..BATCHES {
        let matrix = divsteps_59(&mut zeta, f[0] as u64 >> ALIGN, g[0] as u64 >> ALIGN);
        update_fg(&mut f, &mut g, &matrix);
        update_de(&mut d, &mut e, &matrix, m);
    }
    debug_assert_eq!(g, [0; 5]);

    // f = ±1 ≡ d·x, or d = 0 when x = 0.
    normalize(&d, f[0] >> 63, m)
}

/// Runs `STEPS` division steps, at most 20, on the low 20 bits of `f` and `g`.
///
/// Each of the words `p` and `s` packs three numbers, so that one operation does
/// the work of three: the low part of f or g as a signed number, plus its
/// coefficients for the f and g of the start at bits 21 and 42. A step halves: so
/// the coefficients begin as −2^STEPS instead of 1, and every halving is exact.
/// Negative, because −2^20 ≤ coefficient < 2^20 then holds throughout: only the
/// initial words have one of magnitude 2^STEPS, every later one is the mean of two
/// of which at most one is extreme. So the fields fit 21, 21 and 22 bits.
#[inline(always)]
fn divsteps_packed<const STEPS: u32>(zeta: &mut i64, f: u64, g: u64, one: i64) -> Matrix {
    const { assert!(STEPS <= 20) };
    const LOW_20: u64 = (1 << 20) - 1;

    let mut p = (f & LOW_20) as i64 - (1 << (21 + STEPS));
    let mut s = (g & LOW_20) as i64 - (1 << (42 + STEPS));
    let mut z = *zeta;
    for _ in 0..STEPS {
        // zeta = −(δ + 1/2) is negative exactly if δ > 0.
        let positive = z >> 63;
        let odd = -(s & one);
        let swap = positive & odd;
        // ∓p, with the sign that the step asks for.
        let addend = (p ^ positive) - positive;
        let sum = s + (addend & odd);
        p ^= (p ^ s) & swap;
        s = sum >> 1;
        z = (z ^ swap) - 1;
    }
    *zeta = z;

    // The fields are signed: adding half of a field's range before the shift
    // undoes the borrow from below.
    let field_1 = |w: i64| ((w + (1 << 20)) << 22) >> 43;
    let field_2 = |w: i64| (w + (1 << 20) + (1 << 41)) >> 42;
    Matrix {
        u: -field_1(p),
        v: -field_2(p),
        q: -field_1(s),
        r: -field_2(s),
    }
}

/// Runs 59 division steps on the low 59 bits of `f` and `g`.
#[inline(always)]
fn divsteps_59(zeta: &mut i64, mut f: u64, mut g: u64) -> Matrix {
    // The optimiser must not see that the masks made with it have two values only,
    // or it may branch on them.
    let one = black_box(1);

    // f and g keep 59, then 39, then 19 valid low bits.
    let advance = |m: &Matrix, f: &mut u64, g: &mut u64| {
        let row = |a: i64, b: i64| {
            (a as u64)
                .wrapping_mul(*f)
                .wrapping_add((b as u64).wrapping_mul(*g))
                >> 20
        };
        (*f, *g) = (row(m.u, m.v), row(m.q, m.r));
    };
    let first = divsteps_packed::<20>(zeta, f, g, one);
    advance(&first, &mut f, &mut g);
    let second = divsteps_packed::<20>(zeta, f, g, one);
    advance(&second, &mut f, &mut g);
    let third = divsteps_packed::<19>(zeta, f, g, one);
    third.after(&second.after(&first))
}

/// A column sum of the updates below: 2^5 times a number n, as a limb and a carry.
///
/// The low word is the balanced residue of n modulo 2^59, aligned as a limb is, and
/// n − residue is a multiple of 2^59: the high word, plus 1 if the residue is
/// negative.
#[inline(always)]
fn split(sum: i128) -> (i64, i64) {
    let limb = sum as i64;
    let carry = (sum >> 64) as i64 + (limb as u64 >> 63) as i64;
    (limb, carry)
}

/// 2^5·carry, a carry's part in the next column sum.
#[inline(always)]
fn carried(carry: i64) -> i128 {
    // Two shifts of one word each, not one of two words.
    i128::from(carry >> BITS) << 64 | i128::from((carry << ALIGN) as u64)
}

/// The product of two words.
#[inline(always)]
fn wide(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// `(f, g) ← matrix·(f, g) / 2^59`, an exact division.
///
/// |f| and |g| never grow: each new value is at most the larger old one.
#[inline(always)]
fn update_fg(f: &mut Signed, g: &mut Signed, matrix: &Matrix) {
    let Matrix { u, v, q, r } = *matrix;
    let (low, mut cf) = split(wide(u, f[0]) + wide(v, g[0]));
    debug_assert_eq!(low, 0);
    let (low, mut cg) = split(wide(q, f[0]) + wide(r, g[0]));
    debug_assert_eq!(low, 0);
    for i in 1..5 {
        let sum_f = wide(u, f[i]) + wide(v, g[i]);
        let sum_g = wide(q, f[i]) + wide(r, g[i]);
        (f[i - 1], cf) = split(sum_f + carried(cf));
        (g[i - 1], cg) = split(sum_g + carried(cg));
    }
    f[4] = cf << ALIGN;
    g[4] = cg << ALIGN;
}

/// `(d, e) ← matrix·(d, e) / 2^59 mod m`, with d and e in (−2m, m) before and after.
///
/// With m added to those whose last limb is negative, d and e lie in (−m, m): where
/// the last limb is 0 or more, they are above −2^236. A row of the matrix takes them
/// to (−2^59 m, 2^59 m). Subtracting k·m for the k in [0, 2^59) that clears the low
/// 59 bits gives (−2^60 m, 2^59 m).
#[inline(always)]
fn update_de(d: &mut Signed, e: &mut Signed, matrix: &Matrix, m: &Modulus) {
    let Matrix { u, v, q, r } = *matrix;
    let (d_negative, e_negative) = (d[4] >> 63, e[4] >> 63);
    let sum_d = wide(u, d[0]) + wide(v, e[0]);
    let sum_e = wide(q, d[0]) + wide(r, e[0]);

    // Multiples of m: first what the signs ask for, then −k on top.
    let clear = |multiple: i64, low: i64| {
        let k = m.inverse.wrapping_mul(low).wrapping_add(multiple << ALIGN) as u64 >> ALIGN;
        multiple - k as i64
    };
    let md = clear((u & d_negative) + (v & e_negative), sum_d as i64);
    let me = clear((q & d_negative) + (r & e_negative), sum_e as i64);

    let (low, mut cd) = split(sum_d + wide(m.limbs[0], md));
    debug_assert_eq!(low, 0);
    let (low, mut ce) = split(sum_e + wide(m.limbs[0], me));
    debug_assert_eq!(low, 0);
    for i in 1..5 {
        let sum_d = wide(u, d[i]) + wide(v, e[i]) + wide(m.limbs[i], md);
        let sum_e = wide(q, d[i]) + wide(r, e[i]) + wide(m.limbs[i], me);
        (d[i - 1], cd) = split(sum_d + carried(cd));
        (e[i - 1], ce) = split(sum_e + carried(ce));
    }
    d[4] = cd << ALIGN;
    e[4] = ce << ALIGN;
}

/// `d` or, if `negate` is −1, `−d`, reduced from (−2m, 2m) to [0, m).
#[inline(always)]
fn normalize(d: &Signed, negate: i64, m: &Modulus) -> [u64; 4] {
    let negate = black_box(negate);
    let m = m.limbs.map(|limb| limb >> ALIGN);
    let mut r = unsigned_limbs(&d.map(|limb| ((limb >> ALIGN) ^ negate) - negate));
    // Two additions of m to what is negative lead from (−2m, 2m) to [0, 2m), and
    // one subtraction to [0, m).
    for _ in 0..2 {
        let negative = black_box(r[4] >> 63);
        r = unsigned_limbs(&core::array::from_fn(|i| r[i] + (m[i] & negative)));
    }
    let less_m = unsigned_limbs(&core::array::from_fn(|i| r[i] - m[i]));
    let negative = black_box(less_m[4] >> 63);
    let r: [u64; 5] =
        core::array::from_fn(|i| (less_m[i] ^ ((less_m[i] ^ r[i]) & negative)) as u64);

    [
        r[0] | r[1] << 59,
        r[1] >> 5 | r[2] << 54,
        r[2] >> 10 | r[3] << 49,
        r[3] >> 15 | r[4] << 44,
    ]
}

/// Brings limbs 0 to 3, aligned to the right, into [0, 2^59).
#[inline(always)]
fn unsigned_limbs(limbs: &Signed) -> Signed {
    let mut r = *limbs;
    for i in 0..4 {
        r[i + 1] += r[i] >> BITS;
        r[i] &= MASK;
    }
    r
}

#[inline(always)]
fn from_words(x: &[u64; 4]) -> Signed {
    let limbs = [
        x[0],
        x[0] >> 59 | x[1] << 5,
        x[1] >> 54 | x[2] << 10,
        x[2] >> 49 | x[3] << 15,
        x[3] >> 44,
    ];
    let mut carry = 0;
    limbs.map(|limb| {
        let balanced;
        (balanced, carry) = split(i128::from((limb as i64 & MASK) + carry) << ALIGN);
        balanced
    })
}

/// [`invert`] in variable time, for public values.
///
/// It starts from δ = 1, which takes fewer steps on average, stops when g = 0 and
/// takes several steps at once where g has trailing zeros.
pub(crate) fn vartime_invert(x: &[u64; 4], m: &Modulus) -> [u64; 4] {
    let mut f = m.limbs;
    let mut g = from_words(x);
    let mut d = [0; 5];
    let mut e = [1 << ALIGN, 0, 0, 0, 0];
    let mut eta = -1;

    while g != [0; 5] {
        let matrix = vartime_divsteps_59(&mut eta, f[0] as u64 >> ALIGN, g[0] as u64 >> ALIGN);
        update_fg(&mut f, &mut g, &matrix);
        update_de(&mut d, &mut e, &matrix, m);
    }
    normalize(&d, f[0] >> 63, m)
}

/// Runs 59 division steps on the low 59 bits of `f` and `g`; `eta` is −δ.
#[inline(always)]
fn vartime_divsteps_59(eta: &mut i64, mut f: u64, mut g: u64) -> Matrix {
    // The rows are scaled by 2^(steps done): halving g is doubling f's row.
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    let mut left = BITS;
    loop {
        // A run of steps with g even.
        let zeros = (g | u64::MAX << left).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        *eta -= i64::from(zeros);
        left -= zeros;
        if left == 0 {
            break;
        }

        // g is odd. A swap if δ > 0, with the sign that g − f = g + (−f) asks for.
        if *eta < 0 {
            *eta = -*eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
        }

        // While δ ≤ 0 there is no swap for eta + 1 steps. In these steps multiples
        // of f are added to g: all at once, the one that clears as many low bits.
        // The formula for −1/f is right modulo 2^6.
        let steps = (*eta + 1).min(i64::from(left)).min(6) as u32;
        let f_inverse_negated = f.wrapping_mul(f.wrapping_mul(f).wrapping_sub(2));
        let w = g.wrapping_mul(f_inverse_negated) & (u64::MAX >> (64 - steps));
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
    Matrix {
        u: u as i64,
        v: v as i64,
        q: q as i64,
        r: r as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::tests::oracle::{
        around_powers_of_two, field_prime, integer, order, to_big, to_limbs,
    };
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn check(x: &BigUint) {
        for (prime, modulus) in [(field_prime(), &P), (order(), &L)] {
            let x = x % &prime;
            let expected = x.modinv(&prime).unwrap_or_default();
            let words = to_limbs(&x);
            assert_eq!(to_big(&invert(&words, modulus)), expected, "x = {x}");
            assert_eq!(
                to_big(&vartime_invert(&words, modulus)),
                expected,
                "x = {x}"
            );
        }
    }

    #[test]
    fn moduli_are_what_they_should_be() {
        for (prime, modulus) in [(field_prime(), &P), (order(), &L)] {
            let limbs = unsigned_limbs(&modulus.limbs.map(|l| l >> ALIGN)).map(|limb| limb as u64);
            let value = (0..5)
                .map(|i| BigUint::from(limbs[i]) << (59 * i))
                .sum::<BigUint>();
            assert_eq!(value, prime);
            assert_eq!(
                (limbs[0].wrapping_mul(modulus.inverse as u64) & MASK as u64),
                1
            );
        }
    }

    #[test]
    fn inverses_of_edge_cases() {
        for x in around_powers_of_two(256) {
            check(&x);
        }
        for offset in 0u8..=100 {
            check(&BigUint::from(offset));
            check(&(field_prime() - 1u8 - offset));
            check(&(order() - 1u8 - offset));
            check(&(field_prime() / (offset + 1)));
            check(&(order() / (offset + 1)));
        }
    }

    /// The number of steps that (f, g) takes until g = 0.
    fn steps(m: &BigUint, x: &BigUint) -> u32 {
        use num_bigint::BigInt;
        let (mut f, mut g) = (BigInt::from(m.clone()), BigInt::from(x.clone()));
        let (mut twice_delta, mut count) = (1, 0);
        while g != BigInt::ZERO {
            if g.bit(0) && twice_delta > 0 {
                (f, g) = (g.clone(), (g - f) >> 1);
                twice_delta = 2 - twice_delta;
            } else {
                g = if g.bit(0) { (g + &f) >> 1 } else { g >> 1 };
                twice_delta += 2;
            }
            count += 1;
        }
        count
    }

    #[test]
    fn inputs_that_take_many_steps() {
        // A search found these. The mean is 508 to 513 steps, and nearly every input
        // is done after nine batches, 531 steps.
        let p_input = [
            0xfd62_241f_082f_7746,
            0xb5b3_a084_a35a_3828,
            0x252c_05a9_3727_8658,
            0x06c4_a9cd_e2cb_5f54,
        ];
        let l_input = [
            0x7cb1_2407_3314_432d,
            0x1b43_41ef_71d1_00eb,
            0xd68d_a455_0b3b_f82a,
            0x04b3_2a95_9a62_c55a,
        ];
        assert_eq!(steps(&field_prime(), &to_big(&p_input)), 535);
        assert_eq!(steps(&order(), &to_big(&l_input)), 530);
        check(&to_big(&p_input));
        check(&to_big(&l_input));
        for x in around_powers_of_two(256) {
            for m in [field_prime(), order()] {
                assert!(steps(&m, &(&x % &m)) <= BITS * BATCHES as u32);
            }
        }
    }

    proptest! {
        #[test]
        fn inverses_are_right(x in integer::<4>()) {
            check(&to_big(&x));
        }
    }
}
