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
//! What n steps do depends on the low n bits of f and g only. So a batch of steps
//! runs on one machine word and gives a matrix, which is then applied to the
//! full f and g, and modulo M to d and e, which hold f ≡ d·x and g ≡ e·x. A batch
//! has 59 steps on 64-bit machines, and 30 on others, where products of 64-bit words
//! are slow.
//!
//! Long integers are limbs of as many bits as a batch has steps. A limb is balanced, in
//! [−2^(BITS − 1), 2^(BITS − 1)), and sits in the high bits of its word. So a product of
//! words splits into a limb and a carry without shifts of double words, which some
//! machines are slow at:
//!
//! ```text
//!                                 ┌──────── 59 ────────┬─ 5 ─┐
//! a limb in its word              │ −2^58 ≤ limb < 2^58│  0  │
//!                                 └────────────────────┴─────┘
//!           ┌───────── 64 ────────┬──────── 59 ────────┬─ 5 ─┐
//! · factor  │        carry        │     next limb      │  0  │   a double word
//!           └─────────────────────┴────────────────────┴─────┘
//! ```
//!
//! (On machines of 32 bits 30 bits and two zeros.) One batch takes f, g, d and e from column to
//! column with a carry each, from limb 0, whose sum is a multiple of 2^BITS and falls away, to
//! the last:
//!
//! | number | range | why |
//! |---|---|---|
//! | f, g | [−M, M] | a step takes means of f and g |
//! | d, e | (−2M, M) | `update_de` |
//! | entries of the matrix | a row's magnitudes sum to at most 2^BITS | each step doubles at most |

use core::hint::black_box;
use word::{BITS, FIELD, LIMBS, PackedWord, UnsignedWord, Wide, Word};

#[cfg(target_pointer_width = "64")]
mod word {
    pub(super) type Word = i64;
    pub(super) type UnsignedWord = u64;
    pub(super) type Wide = i128;
    pub(super) const BITS: u32 = 59;
    pub(super) const LIMBS: usize = 5;
    pub(crate) type PackedWord = i64;
    pub(super) const FIELD: u32 = 21;
}

#[cfg(not(target_pointer_width = "64"))]
mod word {
    pub(super) type Word = i32;
    pub(super) type UnsignedWord = u32;
    pub(super) type Wide = i64;
    pub(super) const BITS: u32 = 30;
    pub(super) const LIMBS: usize = 9;
    /// WebAssembly multiplies words of 32 bits best, and shifts those of 64 bits as fast.
    #[cfg(target_family = "wasm")]
    pub(crate) type PackedWord = i64;
    #[cfg(target_family = "wasm")]
    pub(super) const FIELD: u32 = 21;
    #[cfg(not(target_family = "wasm"))]
    pub(crate) type PackedWord = i32;
    #[cfg(not(target_family = "wasm"))]
    pub(super) const FIELD: u32 = 10;
}

const MASK: Word = (1 << BITS) - 1;

/// Zero bits below a limb in its word.
const ALIGN: u32 = Word::BITS - BITS;

/// Batches: the bound on the number of steps is 590.
const BATCHES: usize = 590_usize.div_ceil(BITS as usize);

/// An integer Σ limb\[i\]·2^(BITS i) with every limb shifted left by [`ALIGN`].
///
/// Balanced limbs make the sign of a number that of its last limb that is not zero.
type Signed = [Word; LIMBS];

const ZERO: Signed = [0; LIMBS];
const ONE: Signed = from_words(&[1, 0, 0, 0]);

/// An odd prime modulus below 2^256.
pub(crate) struct Modulus {
    limbs: Signed,
    /// The inverse of the modulus modulo 2^BITS or more.
    inverse: Word,
}

impl Modulus {
    pub(crate) const fn new(words: &[u64; 4]) -> Self {
        // Newton's iteration: the inverse of an odd m modulo 8 is m itself, and
        // each round doubles the number of correct bits.
        let m = words[0] as Word;
        let mut inverse = m;
        let mut correct_bits = 3;
        while correct_bits < BITS {
            let two: Word = 2;
            inverse = inverse.wrapping_mul(two.wrapping_sub(m.wrapping_mul(inverse)));
            correct_bits *= 2;
        }
        Self {
            limbs: from_words(words),
            inverse,
        }
    }
}

/// What a batch of n steps does, times 2^n: (f, g) → ((u f + v g), (q f + r g)).
///
/// |u| + |v| ≤ 2^n and |q| + |r| ≤ 2^n.
#[derive(Clone, Copy)]
struct Matrix {
    u: Word,
    v: Word,
    q: Word,
    r: Word,
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

/// Division steps on words that pack several numbers: see [`divsteps_packed`].
pub(crate) trait Steps {
    /// Does `STEPS` steps, 19 or 20 (where words have 32 bits, 15, or 7 and 8): the words of f and g.
    fn steps<const STEPS: u32>(
        zeta: &mut PackedWord,
        f: PackedWord,
        g: PackedWord,
    ) -> (PackedWord, PackedWord);
}

/// The steps in portable code.
pub(crate) struct Portable;

impl Steps for Portable {
    #[inline(always)]
    fn steps<const STEPS: u32>(
        zeta: &mut PackedWord,
        f: PackedWord,
        g: PackedWord,
    ) -> (PackedWord, PackedWord) {
        // The optimiser must not see that the masks made with it have two values only,
        // or it may branch on them.
        let one = black_box(1);
        let (mut p, mut s, mut z) = (f, g, *zeta);
        for _ in 0..STEPS {
            // zeta = −(δ + 1/2) is negative exactly if δ > 0.
            let positive = z >> (PackedWord::BITS - 1);
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
        (p, s)
    }
}

/// The inverse of `x` modulo `m`, and 0 for 0. `x` must be below `m`.
///
/// Constant time in `x`, not in `m`.
pub(crate) fn invert(x: &[u64; 4], m: &Modulus) -> [u64; 4] {
    invert_with::<Portable>(x, m)
}

/// [`invert`] with the processor's own way of doing division steps.
#[inline(always)]
pub(crate) fn invert_with<S: Steps>(x: &[u64; 4], m: &Modulus) -> [u64; 4] {
    let mut f = m.limbs;
    let mut g = from_words(x);
    let mut d = ZERO;
    let mut e = ONE;
    let mut zeta = -1;

    for _ in 0..BATCHES {
        let matrix = divsteps::<S>(&mut zeta, lowest(&f), lowest(&g));
        update_fg(&mut f, &mut g, &matrix);
        update_de(&mut d, &mut e, &matrix, m);
    }
    debug_assert_eq!(g, ZERO);

    // f = ±1 ≡ d·x, or d = 0 when x = 0.
    normalize(&d, f[0] >> (Word::BITS - 1), m)
}

/// Runs `STEPS` division steps, fewer than a field has bits, on as many low bits of `f` and `g`.
///
/// Each of the words `p` and `s` packs three numbers, so that one operation does
/// the work of three: the low part of f or g as a signed number, plus its
/// coefficients for the f and g of the start in the second and the third field. A step halves: so
/// the coefficients begin as −2^STEPS instead of 1, and every halving is exact.
/// Negative, because −2^STEPS ≤ coefficient < 2^STEPS then holds throughout: only the
/// initial words have one of magnitude 2^STEPS, every later one is the mean of two
/// of which at most one is extreme. So the fields fit 21, 21 and 22 bits for 20 steps, or 10, 10 and 12 for 9.
#[inline(always)]
fn divsteps_packed<S: Steps, const STEPS: u32>(
    zeta: &mut PackedWord,
    f: UnsignedWord,
    g: UnsignedWord,
) -> Matrix {
    const { assert!(STEPS < FIELD) };
    const LOW: UnsignedWord = (1 << (FIELD - 1)) - 1;
    const BORROW_1: PackedWord = 1 << (FIELD - 1);
    const BORROW_2: PackedWord = 1 << (2 * FIELD - 1);

    let p = (f & LOW) as PackedWord - (1 << (FIELD + STEPS));
    let s = (g & LOW) as PackedWord - (1 << (2 * FIELD + STEPS));
    let (p, s) = S::steps::<STEPS>(zeta, p, s);

    // The fields are signed: adding half of a field's range before the shift
    // undoes the borrow from below.
    let field_1 = |w: PackedWord| {
        ((w + BORROW_1) << (PackedWord::BITS - 2 * FIELD)) >> (PackedWord::BITS - FIELD)
    };
    let field_2 = |w: PackedWord| (w + BORROW_1 + BORROW_2) >> (2 * FIELD);
    Matrix {
        u: -field_1(p) as Word,
        v: -field_2(p) as Word,
        q: -field_1(s) as Word,
        r: -field_2(s) as Word,
    }
}

/// Runs a batch of division steps on the low BITS bits of `f` and `g`.
#[inline(always)]
fn divsteps<S: Steps>(zeta: &mut PackedWord, mut f: UnsignedWord, mut g: UnsignedWord) -> Matrix {
    // f and g lose as many valid low bits as there were steps.
    let advance = |m: &Matrix, steps: u32, f: &mut UnsignedWord, g: &mut UnsignedWord| {
        let row = |a: Word, b: Word| {
            (a as UnsignedWord)
                .wrapping_mul(*f)
                .wrapping_add((b as UnsignedWord).wrapping_mul(*g))
                >> steps
        };
        (*f, *g) = (row(m.u, m.v), row(m.q, m.r));
    };
    #[cfg(target_pointer_width = "64")]
    {
        let first = divsteps_packed::<S, 20>(zeta, f, g);
        advance(&first, 20, &mut f, &mut g);
        let second = divsteps_packed::<S, 20>(zeta, f, g);
        advance(&second, 20, &mut f, &mut g);
        let third = divsteps_packed::<S, 19>(zeta, f, g);
        third.after(&second.after(&first))
    }
    #[cfg(all(not(target_pointer_width = "64"), target_family = "wasm"))]
    {
        let first = divsteps_packed::<S, 15>(zeta, f, g);
        advance(&first, 15, &mut f, &mut g);
        let second = divsteps_packed::<S, 15>(zeta, f, g);
        second.after(&first)
    }
    #[cfg(all(not(target_pointer_width = "64"), not(target_family = "wasm")))]
    {
        let first = divsteps_packed::<S, 8>(zeta, f, g);
        advance(&first, 8, &mut f, &mut g);
        let second = divsteps_packed::<S, 8>(zeta, f, g);
        advance(&second, 8, &mut f, &mut g);
        let half = second.after(&first);
        let third = divsteps_packed::<S, 7>(zeta, f, g);
        advance(&third, 7, &mut f, &mut g);
        let fourth = divsteps_packed::<S, 7>(zeta, f, g);
        fourth.after(&third).after(&half)
    }
}

/// The lowest limb, aligned to the right.
#[inline(always)]
fn lowest(a: &Signed) -> UnsignedWord {
    a[0] as UnsignedWord >> ALIGN
}

/// A column sum of the updates below: 2^ALIGN times a number n, as a limb and a carry.
///
/// The low word is the balanced residue of n modulo 2^BITS, aligned as a limb is, and
/// n − residue is a multiple of 2^BITS: the high word, plus 1 if the residue is
/// negative.
#[inline(always)]
fn split(sum: Wide) -> (Word, Word) {
    let limb = sum as Word;
    let carry = (sum >> Word::BITS) as Word + (limb as UnsignedWord >> (Word::BITS - 1)) as Word;
    (limb, carry)
}

/// 2^ALIGN·carry, a carry's part in the next column sum.
#[inline(always)]
fn carried(carry: Word) -> Wide {
    // Two shifts of one word each, not one of two words.
    Wide::from(carry >> BITS) << Word::BITS | Wide::from((carry << ALIGN) as UnsignedWord)
}

/// The product of two words.
#[inline(always)]
fn wide(a: Word, b: Word) -> Wide {
    Wide::from(a) * Wide::from(b)
}

/// `(f, g) ← matrix·(f, g) / 2^BITS`, an exact division.
///
/// |f| and |g| never grow: each new value is at most the larger old one.
#[inline(always)]
fn update_fg(f: &mut Signed, g: &mut Signed, matrix: &Matrix) {
    let Matrix { u, v, q, r } = *matrix;
    let (low, mut cf) = split(wide(u, f[0]) + wide(v, g[0]));
    debug_assert_eq!(low, 0);
    let (low, mut cg) = split(wide(q, f[0]) + wide(r, g[0]));
    debug_assert_eq!(low, 0);
    for i in 1..LIMBS {
        let sum_f = wide(u, f[i]) + wide(v, g[i]);
        let sum_g = wide(q, f[i]) + wide(r, g[i]);
        (f[i - 1], cf) = split(sum_f + carried(cf));
        (g[i - 1], cg) = split(sum_g + carried(cg));
    }
    f[LIMBS - 1] = cf << ALIGN;
    g[LIMBS - 1] = cg << ALIGN;
}

/// `(d, e) ← matrix·(d, e) / 2^BITS mod m`, with d and e in (−2m, m) before and after.
///
/// With m added to those whose last limb is negative, d and e lie in (−m, m): where
/// the last limb is 0 or more, they are above −2^240. A row of the matrix takes them
/// to (−2^BITS m, 2^BITS m). Subtracting k·m for the k in [0, 2^BITS) that clears the
/// low bits gives (−2^(BITS + 1) m, 2^BITS m).
#[inline(always)]
fn update_de(d: &mut Signed, e: &mut Signed, matrix: &Matrix, m: &Modulus) {
    let Matrix { u, v, q, r } = *matrix;
    let sign = |a: &Signed| a[LIMBS - 1] >> (Word::BITS - 1);
    let (d_negative, e_negative) = (sign(d), sign(e));
    let sum_d = wide(u, d[0]) + wide(v, e[0]);
    let sum_e = wide(q, d[0]) + wide(r, e[0]);

    // Multiples of m: first what the signs ask for, then −k on top.
    let clear = |multiple: Word, low: Word| {
        let k = m.inverse.wrapping_mul(low).wrapping_add(multiple << ALIGN);
        multiple - (k as UnsignedWord >> ALIGN) as Word
    };
    let md = clear((u & d_negative) + (v & e_negative), sum_d as Word);
    let me = clear((q & d_negative) + (r & e_negative), sum_e as Word);

    let (low, mut cd) = split(sum_d + wide(m.limbs[0], md));
    debug_assert_eq!(low, 0);
    let (low, mut ce) = split(sum_e + wide(m.limbs[0], me));
    debug_assert_eq!(low, 0);
    for i in 1..LIMBS {
        let sum_d = wide(u, d[i]) + wide(v, e[i]) + wide(m.limbs[i], md);
        let sum_e = wide(q, d[i]) + wide(r, e[i]) + wide(m.limbs[i], me);
        (d[i - 1], cd) = split(sum_d + carried(cd));
        (e[i - 1], ce) = split(sum_e + carried(ce));
    }
    d[LIMBS - 1] = cd << ALIGN;
    e[LIMBS - 1] = ce << ALIGN;
}

/// `d` or, if `negate` is −1, `−d`, reduced from (−2m, 2m) to [0, m).
#[inline(always)]
fn normalize(d: &Signed, negate: Word, m: &Modulus) -> [u64; 4] {
    let negate = black_box(negate);
    let sign = |a: &Signed| black_box(a[LIMBS - 1] >> (Word::BITS - 1));
    let m = m.limbs.map(|limb| limb >> ALIGN);
    let mut r = unsigned_limbs(&d.map(|limb| ((limb >> ALIGN) ^ negate) - negate));
    // Two additions of m to what is negative lead from (−2m, 2m) to [0, 2m), and
    // one subtraction to [0, m).
    for _ in 0..2 {
        let negative = sign(&r);
        r = unsigned_limbs(&core::array::from_fn(|i| r[i] + (m[i] & negative)));
    }
    let less_m = unsigned_limbs(&core::array::from_fn(|i| r[i] - m[i]));
    let negative = sign(&less_m);

    let mut words = [0; 4];
    for i in 0..LIMBS {
        let limb = (less_m[i] ^ ((less_m[i] ^ r[i]) & negative)) as u64;
        let (word, shift) = position(i);
        words[word] |= limb << shift;
        if shift + BITS > 64 && word < 3 {
            words[word + 1] |= limb >> (64 - shift);
        }
    }
    words
}

/// Brings all limbs but the last, aligned to the right, into [0, 2^BITS).
#[inline(always)]
fn unsigned_limbs(limbs: &Signed) -> Signed {
    let mut r = *limbs;
    for i in 0..LIMBS - 1 {
        r[i + 1] += r[i] >> BITS;
        r[i] &= MASK;
    }
    r
}

/// The word that limb i begins in, and the bit.
const fn position(i: usize) -> (usize, u32) {
    (i * BITS as usize / 64, i as u32 * BITS % 64)
}

#[inline(always)]
const fn from_words(x: &[u64; 4]) -> Signed {
    let mut limbs = ZERO;
    let mut carry = 0;
    let mut i = 0;
    while i < LIMBS {
        let (word, shift) = position(i);
        let mut bits = x[word] >> shift;
        if shift + BITS > 64 && word < 3 {
            bits |= x[word + 1] << (64 - shift);
        }
        let limb = (bits as Word & MASK) + carry;
        carry = (limb + (1 << (BITS - 1))) >> BITS;
        limbs[i] = limb << ALIGN;
        i += 1;
    }
    limbs
}

/// [`invert`] in variable time, for public values.
///
/// It starts from δ = 1, which takes fewer steps on average, stops when g = 0 and
/// takes several steps at once where g has trailing zeros.
pub(crate) fn vartime_invert(x: &[u64; 4], m: &Modulus) -> [u64; 4] {
    let mut f = m.limbs;
    let mut g = from_words(x);
    let mut d = ZERO;
    let mut e = ONE;
    let mut eta = -1;

    while g != ZERO {
        let matrix = vartime_divsteps(&mut eta, lowest(&f), lowest(&g));
        update_fg(&mut f, &mut g, &matrix);
        update_de(&mut d, &mut e, &matrix, m);
    }
    normalize(&d, f[0] >> (Word::BITS - 1), m)
}

/// Runs a batch of division steps on the low BITS bits of `f` and `g`; `eta` is −δ.
#[inline(always)]
fn vartime_divsteps(eta: &mut i32, mut f: UnsignedWord, mut g: UnsignedWord) -> Matrix {
    // The rows are scaled by 2^(steps done): halving g is doubling f's row.
    let [mut u, mut v, mut q, mut r]: [UnsignedWord; 4] = [1, 0, 0, 1];
    let mut left = BITS;
    loop {
        // A run of steps with g even.
        let zeros = (g | UnsignedWord::MAX << left).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        *eta -= zeros as i32;
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
        let steps = (*eta + 1).min(left as i32).min(6) as u32;
        let f_inverse_negated = f.wrapping_mul(f.wrapping_mul(f).wrapping_sub(2));
        let w = g.wrapping_mul(f_inverse_negated) & (UnsignedWord::MAX >> (Word::BITS - steps));
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
    Matrix {
        u: u as Word,
        v: v as Word,
        q: q as Word,
        r: r as Word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::chains::PRIME;
    use crate::scalar::invert::ORDER;
    use crate::scalar::tests::oracle::{
        around_powers_of_two, field_prime, integer, order, to_big, to_limbs,
    };
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn check(x: &BigUint) {
        for (prime, modulus) in [(field_prime(), &PRIME), (order(), &ORDER)] {
            let x = x % &prime;
            let expected = x.modinv(&prime).unwrap_or_default();
            let words = to_limbs(&x);
            assert_eq!(to_big(&invert(&words, modulus)), expected, "x = {x}");
            #[cfg(all(target_arch = "x86_64", target_pointer_width = "64", not(miri)))]
            {
                let inverse = crate::field::adx::invert(&words, modulus);
                assert_eq!(to_big(&inverse), expected, "in assembly, x = {x}");
            }
            assert_eq!(
                to_big(&vartime_invert(&words, modulus)),
                expected,
                "x = {x}"
            );
        }
    }

    #[test]
    fn moduli_are_what_they_should_be() {
        for (prime, modulus) in [(field_prime(), &PRIME), (order(), &ORDER)] {
            let limbs = unsigned_limbs(&modulus.limbs.map(|l| l >> ALIGN)).map(|limb| limb as u64);
            let value = (0..LIMBS)
                .map(|i| BigUint::from(limbs[i]) << (BITS as usize * i))
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
