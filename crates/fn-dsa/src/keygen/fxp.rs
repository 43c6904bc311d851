//! The Fourier transform in fixed point: 32 integral and 32 fractional bits.
//!
//! Which keys are rejected depends on every rounding in here, so each operation follows one fixed
//! sequence: products round down, halves round up, a complex product takes three real ones, and the
//! inverse transform halves at every step.
//!
//! A polynomial of degree n with real coefficients is n/2 complex numbers: real parts first, then
//! imaginary parts. The coefficients i and i + n/2 of the polynomial are the parts of the number i
//! before the transform, whose first step is therefore free.

use lanner_simd::Isa;

use super::lanes::{Fixed, operation};
use super::twiddles::{TWIDDLES_IM, TWIDDLES_RE};

/// An integer as a fixed-point number.
#[inline(always)]
pub(crate) const fn from_integer(x: i32) -> i64 {
    (x as i64) << 32
}

/// The nearest integer, halves up. What does not fit wraps.
#[inline(always)]
pub(crate) const fn round(x: i64) -> i32 {
    (x.wrapping_add(1 << 31) >> 32) as i32
}

/// (a + ib)(c + id) = (ac - bd) + i((a + b)(c + d) - (ac + bd)).
#[inline(always)]
pub(crate) fn complex_mul<X: Fixed>(a: X, b: X, c: X, d: X) -> (X, X) {
    let ac = a.mul(c);
    let bd = b.mul(d);
    let sums = a.add(b).mul(c.add(d));
    (ac.sub(bd), sums.sub(ac.add(bd)))
}

/// A vector of complex numbers in memory: real parts and imaginary parts.
struct Complex<'a> {
    re: &'a mut [i64],
    im: &'a mut [i64],
}

/// Coefficients to values, in place: `f` of length n >= 2.
pub(crate) fn fft<I: Isa>(f: &mut [i64]) {
    operation!(Forward(f: &'a mut [i64]) -> (), I64 or i64, f.len() / 4, forward);
    I::enter(Forward(f));
}

/// Values to coefficients, in place: `f` of length n >= 2.
///
/// The last step gives halves and halves times sqrt(2) exp(-i pi/4), so that whatever came in, no
/// coefficient rounds to an integer beyond 1518500250 in absolute value.
pub(crate) fn ifft<I: Isa>(f: &mut [i64]) {
    operation!(Backward(f: &'a mut [i64]) -> (), I64 or i64, f.len() / 4, backward);
    I::enter(Backward(f));
}

/// The twiddle factors from number `blocks` on, as many.
#[cfg(not(all(target_arch = "wasm32", feature = "sign")))]
#[inline(always)]
fn factors(blocks: usize) -> impl Iterator<Item = (i64, i64)> {
    let range = blocks..2 * blocks;
    let pairs = TWIDDLES_RE[range.clone()].iter().zip(&TWIDDLES_IM[range]);
    pairs.map(|(&re, &im)| (re, im))
}

/// The same from the roots that signing has, for they are the same: where each byte of a table is loaded from
/// afar, one table is enough.
#[cfg(all(target_arch = "wasm32", feature = "sign"))]
#[inline(always)]
fn factors(blocks: usize) -> impl Iterator<Item = (i64, i64)> {
    (blocks..2 * blocks).map(from_root)
}

/// Root j of signing times 2^32, rounded to nearest.
#[cfg(all(feature = "sign", any(test, target_arch = "wasm32")))]
#[inline(always)]
fn from_root(j: usize) -> (i64, i64) {
    use crate::fpr::{Fpr, ROUNDER, Real, root};

    const TWO_32: u64 = (1023 + 32) << 52;
    let (re, im) = root(j);
    let round = |x: Fpr| {
        let [two_32, rounder]: [Fpr; 2] = [TWO_32, ROUNDER].map(Real::from_bits);
        let sum = x * two_32 + rounder;
        Real::to_bits(sum).wrapping_sub(ROUNDER) as i64
    };
    (round(re), round(im))
}

#[cfg(all(test, feature = "sign"))]
#[test]
fn roots_of_signing_give_the_twiddle_factors() {
    for j in 1..512 {
        assert_eq!(from_root(j), (TWIDDLES_RE[j], TWIDDLES_IM[j]), "{j}");
    }
}

/// Applies a butterfly with twiddle factors to all pairs of numbers at distance t.
#[inline(always)]
fn step<X: Fixed>(
    f: &mut Complex<'_>,
    t: usize,
    butterfly: impl Fn((X, X), (X, X), (X, X)) -> ((X, X), (X, X)),
) {
    let size = f.re.len();
    // Blocks of 2t, block i with the factor at size/(2t) + i.
    let blocks = size / (2 * t);
    if X::LANES == 1 || t >= X::LANES {
        let im_blocks = f.im.chunks_exact_mut(2 * t);
        let factors = factors(blocks);
        for ((re, im), (s_re, s_im)) in f.re.chunks_exact_mut(2 * t).zip(im_blocks).zip(factors) {
            let s = (X::splat(s_re), X::splat(s_im));
            let (x_re, y_re) = re.split_at_mut(t);
            let (x_im, y_im) = im.split_at_mut(t);
            let x = x_re
                .chunks_exact_mut(X::LANES)
                .zip(x_im.chunks_exact_mut(X::LANES));
            let y = y_re
                .chunks_exact_mut(X::LANES)
                .zip(y_im.chunks_exact_mut(X::LANES));
            for ((x_re, x_im), (y_re, y_im)) in x.zip(y) {
                let (u, v) = butterfly(
                    (X::load(x_re), X::load(x_im)),
                    (X::load(y_re), X::load(y_im)),
                    s,
                );
                u.0.store(x_re);
                u.1.store(x_im);
                v.0.store(y_re);
                v.1.store(y_im);
            }
        }
    } else {
        let (s_re, s_im) = (
            &TWIDDLES_RE[blocks..2 * blocks],
            &TWIDDLES_IM[blocks..2 * blocks],
        );
        let each = X::LANES / t;
        let im_blocks = f.im.chunks_exact_mut(2 * X::LANES);
        let factors = s_re.chunks_exact(each).zip(s_im.chunks_exact(each));
        for ((re, im), (s_re, s_im)) in
            f.re.chunks_exact_mut(2 * X::LANES)
                .zip(im_blocks)
                .zip(factors)
        {
            let s = (X::spread(s_re, t), X::spread(s_im, t));
            let (x_re, y_re) = X::unzip(X::load(re), X::load(&re[X::LANES..]), t);
            let (x_im, y_im) = X::unzip(X::load(im), X::load(&im[X::LANES..]), t);
            let (u, v) = butterfly((x_re, x_im), (y_re, y_im), s);
            let (a, b) = X::zip(u.0, v.0, t);
            a.store(re);
            b.store(&mut re[X::LANES..]);
            let (a, b) = X::zip(u.1, v.1, t);
            a.store(im);
            b.store(&mut im[X::LANES..]);
        }
    }
}

#[inline(always)]
fn forward<X: Fixed>(f: &mut [i64]) {
    let (re, im) = f.split_at_mut(f.len() / 2);
    let f = &mut Complex { re, im };
    let mut t = f.re.len() / 2;
    while t > 0 {
        step::<X>(
            f,
            t,
            #[inline(always)]
            |x, y, s| {
                let z = complex_mul(s.0, s.1, y.0, y.1);
                ((x.0.add(z.0), x.1.add(z.1)), (x.0.sub(z.0), x.1.sub(z.1)))
            },
        );
        t /= 2;
    }
}

#[inline(always)]
fn backward<X: Fixed>(f: &mut [i64]) {
    let (re, im) = f.split_at_mut(f.len() / 2);
    let f = &mut Complex { re, im };
    let mut t = 1;
    while t < f.re.len() {
        step::<X>(
            f,
            t,
            #[inline(always)]
            |x, y, s| {
                let sum = (x.0.add(y.0).half_up(), x.1.add(y.1).half_up());
                let difference = (x.0.sub(y.0).half_up(), x.1.sub(y.1).half_up());
                (sum, complex_mul(s.0, s.1.neg(), difference.0, difference.1))
            },
        );
        t *= 2;
    }
}

/// a <- a b for transformed polynomials.
pub(crate) fn multiply<I: Isa>(a: &mut [i64], b: &[i64]) {
    operation!(
        Multiply(a: &'a mut [i64], b: &'a [i64]) -> (),
        I64 or i64, a.len() / 2, multiply_body
    );
    I::enter(Multiply(a, b));
}

#[inline(always)]
fn multiply_body<X: Fixed>(a: &mut [i64], b: &[i64]) {
    let size = a.len() / 2;
    let (a_re, a_im) = a.split_at_mut(size);
    let (b_re, b_im) = b.split_at(size);
    for i in (0..size).step_by(X::LANES) {
        let (re, im) = complex_mul(
            X::load(&a_re[i..]),
            X::load(&a_im[i..]),
            X::load(&b_re[i..]),
            X::load(&b_im[i..]),
        );
        re.store(&mut a_re[i..]);
        im.store(&mut a_im[i..]);
    }
}

/// a <- a + b.
pub(crate) fn add_assign<I: Isa>(a: &mut [i64], b: &[i64]) {
    operation!(
        Add(a: &'a mut [i64], b: &'a [i64]) -> (),
        I64 or i64, a.len(), add_body
    );
    I::enter(Add(a, b));
}

#[inline(always)]
fn add_body<X: Fixed>(a: &mut [i64], b: &[i64]) {
    for (a, b) in a.chunks_exact_mut(X::LANES).zip(b.chunks_exact(X::LANES)) {
        X::load(a).add(X::load(b)).store(a);
    }
}

/// |z|^2.
#[inline(always)]
fn square_norm<X: Fixed>(re: X, im: X) -> X {
    re.mul(re).add(im.mul(im))
}

/// f <- 2^bits adj(f) / (f adj(f)), the inverse of f with a scale, for a transformed polynomial.
pub(crate) fn invert_scaled<I: Isa>(f: &mut [i64], bits: u32) {
    operation!(
        Invert(f: &'a mut [i64], bits: u32) -> (),
        I64 or i64, f.len() / 2, invert_body
    );
    I::enter(Invert(f, bits));
}

#[inline(always)]
fn invert_body<X: Fixed>(f: &mut [i64], bits: u32) {
    let size = f.len() / 2;
    let (f_re, f_im) = f.split_at_mut(size);
    for i in (0..size).step_by(X::LANES) {
        let (re, im) = (X::load(&f_re[i..]), X::load(&f_im[i..]));
        let norm = square_norm(re, im);
        re.shl_by(bits).div(norm).store(&mut f_re[i..]);
        im.neg().shl_by(bits).div(norm).store(&mut f_im[i..]);
    }
}

/// (f, g) <- 2^bits (adj(f), adj(g)) / (f adj(f) + g adj(g)), for transformed polynomials.
pub(crate) fn invert_pair_scaled<I: Isa>(f: &mut [i64], g: &mut [i64], bits: u32) {
    operation!(
        InvertPair(f: &'a mut [i64], g: &'a mut [i64], bits: u32) -> (),
        I64 or i64, f.len() / 2, invert_pair_body
    );
    I::enter(InvertPair(f, g, bits));
}

#[inline(always)]
fn invert_pair_body<X: Fixed>(f: &mut [i64], g: &mut [i64], bits: u32) {
    let size = f.len() / 2;
    let (f_re, f_im) = f.split_at_mut(size);
    let (g_re, g_im) = g.split_at_mut(size);
    for i in (0..size).step_by(X::LANES) {
        let f = (X::load(&f_re[i..]), X::load(&f_im[i..]));
        let g = (X::load(&g_re[i..]), X::load(&g_im[i..]));
        let norm = square_norm(f.0, f.1).add(square_norm(g.0, g.1));
        // Four divisions: one inversion and four products would lose bits.
        f.0.shl_by(bits).div(norm).store(&mut f_re[i..]);
        f.1.shl_by(bits).neg().div(norm).store(&mut f_im[i..]);
        g.0.shl_by(bits).div(norm).store(&mut g_re[i..]);
        g.1.shl_by(bits).neg().div(norm).store(&mut g_im[i..]);
    }
}

/// a <- a / b, for transformed polynomials, where b is self-adjoint: only its n/2 real parts are given.
pub(crate) fn divide_by_real<I: Isa>(a: &mut [i64], b: &[i64]) {
    operation!(
        Divide(a: &'a mut [i64], b: &'a [i64]) -> (),
        I64 or i64, a.len() / 2, divide_body
    );
    I::enter(Divide(a, b));
}

#[inline(always)]
fn divide_body<X: Fixed>(a: &mut [i64], b: &[i64]) {
    let size = a.len() / 2;
    for part in a.chunks_exact_mut(size) {
        for (a, b) in part
            .chunks_exact_mut(X::LANES)
            .zip(b.chunks_exact(X::LANES))
        {
            X::load(a).div(X::load(b)).store(a);
        }
    }
}

/// (f, g) <- q (adj(f), adj(g)) / (f adj(f) + g adj(g)): the transformed (f, g) become the transformed
/// orthogonalised (F, G).
pub(crate) fn orthogonalise<I: Isa>(f: &mut [i64], g: &mut [i64], q: i64) {
    operation!(
        Orthogonalise(f: &'a mut [i64], g: &'a mut [i64], q: i64) -> (),
        I64 or i64, f.len() / 2, orthogonalise_body
    );
    I::enter(Orthogonalise(f, g, q));
}

#[inline(always)]
fn orthogonalise_body<X: Fixed>(f: &mut [i64], g: &mut [i64], q: i64) {
    let size = f.len() / 2;
    let q = X::splat(q);
    let (f_re, f_im) = f.split_at_mut(size);
    let (g_re, g_im) = g.split_at_mut(size);
    for i in (0..size).step_by(X::LANES) {
        let f = (X::load(&f_re[i..]), X::load(&f_im[i..]));
        let g = (X::load(&g_re[i..]), X::load(&g_im[i..]));
        let norm = square_norm(f.0, f.1).add(square_norm(g.0, g.1));
        let inverse = X::splat(from_integer(1)).div(norm);
        f.0.mul(q).mul(inverse).store(&mut f_re[i..]);
        f.1.neg().mul(q).mul(inverse).store(&mut f_im[i..]);
        g.0.mul(q).mul(inverse).store(&mut g_re[i..]);
        g.1.neg().mul(q).mul(inverse).store(&mut g_im[i..]);
    }
}

/// The sum of the squares of the coefficients.
pub(crate) fn squared_norm<I: Isa>(f: &[i64]) -> i64 {
    operation!(
        SquaredNorm(f: &'a [i64]) -> i64,
        I64 or i64, f.len(), squared_norm_body
    );
    I::enter(SquaredNorm(f))
}

#[inline(always)]
fn squared_norm_body<X: Fixed>(f: &[i64]) -> i64 {
    let mut sum = X::splat(0);
    for part in f.chunks_exact(X::LANES) {
        let x = X::load(part);
        sum = sum.add(x.mul(x));
    }
    let mut lanes = [0; 8];
    sum.store(&mut lanes);
    lanes
        .iter()
        .fold(0, |sum: i64, lane| sum.wrapping_add(*lane))
}
