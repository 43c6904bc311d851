//! Powers by addition chains: inversion and square roots.

use super::{Arithmetic, Field, Packed, packed};
use crate::safegcd::Modulus;

/// p, for inversion.
pub(crate) const PRIME: Modulus = Modulus::new(&packed::P);

// What follows is for N elements, most often one. Of two each waits for its own products, and the
// processor fills the time with those of the other.

/// The products of the elements at the same place.
#[inline(always)]
fn mul_each<F: Arithmetic, const N: usize>(a: &[F; N], b: &[F; N]) -> [F; N] {
    let mut products = *a;
    for (product, b) in products.iter_mut().zip(b) {
        *product = F::mul(product, b);
    }
    products
}

#[inline(always)]
fn square_each<F: Arithmetic, const N: usize>(x: &[F; N]) -> [F; N] {
    let mut squares = *x;
    for square in &mut squares {
        *square = F::square(square);
    }
    squares
}

/// Raises each to the power 2^n by n squarings, n > 0.
#[inline(always)]
pub(super) fn square_times_each<F: Arithmetic, const N: usize>(x: &[F; N], n: u32) -> [F; N] {
    let mut powers = *x;
    if let [x] = &mut powers[..] {
        *x = F::square_times(x, n);
        return powers;
    }
    for _ in 0..n {
        powers = square_each(&powers);
    }
    powers
}

/// x^(2^n) y, n > 0: a run of ones joined with one that has n. Into a place, because words that were just stored are slow to
/// copy in vectors.
#[inline(always)]
pub(super) fn join_runs<F: Arithmetic, const N: usize>(
    x: &[F; N],
    n: u32,
    y: &[F; N],
    place: &mut [F; N],
) {
    if let ([place], [x], [y]) = (&mut place[..], &x[..], &y[..]) {
        *place = F::mul(&F::square_times(x, n), y);
        return;
    }
    let powers = F::square_times_each(x, n);
    for i in 0..N {
        place[i] = F::mul(&powers[i], &y[i]);
    }
}

/// How many ones the exponents have that [`pow_250_ones`] goes through.
const LENGTHS: [u32; 8] = [5, 10, 20, 40, 50, 100, 200, 250];

/// Which of those before each is joined with the last one, to make it: it is as long as what is missing.
const JOINED: [usize; 8] = [0, 0, 1, 2, 1, 4, 5, 4];

/// x^(2^250 - 1) and x^11.
///
/// The chain of Bernstein's original Curve25519 software: 2^5 - 1, then doubling
/// the run of ones.
#[inline(always)]
pub(super) fn pow_250_ones<F: Arithmetic, const N: usize>(x: &[F; N]) -> ([F; N], [F; N]) {
    let x2 = square_each(x);
    let x9 = mul_each(x, &F::square_times_each(&x2, 2));
    let x11 = mul_each(&x2, &x9);
    // One loop, so that a build has its body once: each run of ones is the last one, and behind it one that fills what is missing.
    let mut runs = [mul_each(&x9, &square_each(&x11)); LENGTHS.len()];
    for i in 1..LENGTHS.len() {
        let (before, run) = runs.split_at_mut(i);
        let n = LENGTHS[i] - LENGTHS[i - 1];
        F::join_runs(&before[i - 1], n, &before[JOINED[i]], &mut run[0]);
    }
    (runs[LENGTHS.len() - 1], x11)
}

/// x^((p - 5) / 8) = x^(2^252 - 3).
#[inline(always)]
pub(crate) fn pow_p58<F: Arithmetic, const N: usize>(x: &[F; N]) -> [F; N] {
    let (ones250, _) = F::pow_250_ones(x);
    mul_each(&F::square_times_each(&ones250, 2), x)
}

/// 1/x, and 0 for 0. Constant time.
#[inline]
pub(crate) fn invert<F: Field>(x: &F) -> F {
    // A build without tables wants to be small, and the chain is there for square roots anyway.
    if cfg!(feature = "precomputed-tables") {
        F::from_packed(&Packed(F::invert_words(&x.to_packed().freeze().0)))
    } else {
        // By Fermat, x^(p - 2) = x^(2^255 - 21).
        let ([ones250], [x11]) = F::pow_250_ones(&[*x]);
        F::mul(&F::square_times(&ones250, 5), &x11)
    }
}

/// 1/x, and 0 for 0, in variable time.
#[cfg(feature = "precomputed-tables")]
#[inline]
pub(crate) fn vartime_invert<F: Field>(x: &F) -> F {
    let x = x.to_packed().freeze();
    F::from_packed(&Packed(crate::safegcd::vartime_invert(&x.0, &PRIME)))
}

/// For each (u, v) a square root of u/v, if there is one: (set, r) with v r^2 = u, else (not set, any).
///
/// u must not be 0 together with v. (0, v) gives (set, 0). The sign of the root is
/// not specified. RFC 8032, section 5.1.3, in constant time.
#[inline(always)]
pub(crate) fn sqrt_ratio_each<F: Arithmetic, const N: usize>(
    ratios: &[(F, F); N],
) -> [(F::Mask, F); N] {
    let mut roots = [F::ZERO; N];
    let mut powers = [F::ZERO; N];
    for (i, ratio) in ratios.iter().enumerate() {
        (roots[i], powers[i]) = before_root(ratio);
    }
    let roots = mul_each(&roots, &pow_p58(&powers));

    let mut results = [with_sign(&ratios[0], &roots[0]); N];
    // Not an iterator, whose closures may not be inlined.
    #[allow(clippy::needless_range_loop)]
    for i in 1..N {
        results[i] = with_sign(&ratios[i], &roots[i]);
    }
    results
}

/// u v^3 and u v^7.
#[inline(always)]
pub(crate) fn before_root<F: Arithmetic>((u, v): &(F, F)) -> (F, F) {
    let v3 = F::mul(&F::square(v), v);
    let v7 = F::mul(&F::square(&v3), v);
    (F::mul(u, &v3), F::mul(u, &v7))
}

/// (set, sqrt(u/v)) from u v^3 (u v^7)^((p - 5) / 8), or (not set, any) if there is none.
#[inline(always)]
pub(crate) fn with_sign<F: Arithmetic>((u, v): &(F, F), root: &F) -> (F::Mask, F) {
    // v root^2 is u times a fourth root of unity: u, -u, or u times a root of -1,
    // and only in the first two cases is u/v a square.
    let check = F::mul(v, &F::square(root));
    let correct = check.equal(u);
    let flipped = check.equal(&u.neg());
    let root = F::select(root, &F::mul(root, &F::SQRT_M1), flipped);
    (correct | flipped, root)
}

/// For each (u, v) the root that is even of u/v, if there is one: (set, root), else (not set, the even root of
/// sqrt(-1) u/v).
///
/// (0, v) gives (set, 0), and (u, 0) with u other than 0 (not set, 0). RFC 9496, section 4.2, in constant time.
#[inline(always)]
pub(crate) fn sqrt_ratio_or_twisted_each<F: Arithmetic, const N: usize>(
    ratios: &[(F, F); N],
) -> [(F::Mask, F); N] {
    let mut roots = [F::ZERO; N];
    let mut powers = [F::ZERO; N];
    for (i, ratio) in ratios.iter().enumerate() {
        (roots[i], powers[i]) = before_root(ratio);
    }
    let roots = mul_each(&roots, &pow_p58(&powers));

    let mut results = [even_root(&ratios[0], &roots[0]); N];
    // Not an iterator, whose closures may not be inlined.
    #[allow(clippy::needless_range_loop)]
    for i in 1..N {
        results[i] = even_root(&ratios[i], &roots[i]);
    }
    results
}

#[inline(always)]
fn even_root<F: Arithmetic>((u, v): &(F, F), root: &F) -> (F::Mask, F) {
    // v root^2 is u times a fourth root of unity. Where it is -u or -sqrt(-1) u, the root times sqrt(-1) is one of u
    // or of sqrt(-1) u.
    let check = F::mul(v, &F::square(root));
    let minus_u = u.neg();
    let correct = check.equal(u);
    let flipped = check.equal(&minus_u);
    let twisted = check.equal(&F::mul(&minus_u, &F::SQRT_M1));
    let root = F::select(root, &F::mul(root, &F::SQRT_M1), flipped | twisted);
    (correct | flipped, even(&root))
}

/// The one of x and -x that is even as an integer in [0, p): CT_ABS of RFC 9496, section 4.1.
#[inline(always)]
pub(crate) fn even<F: Arithmetic>(x: &F) -> F {
    F::select(x, &x.neg(), x.is_negative())
}

/// For each x that is a square other than 0 some root of 1/x; for 0 it is 0. Constant time.
#[inline(always)]
pub(crate) fn inverse_sqrt_each<F: Arithmetic, const N: usize>(squares: &[F; N]) -> [F; N] {
    // x^3 (x^7)^((p - 5) / 8), whose square is 1/x or -1/x.
    let x2 = square_each(squares);
    let x3 = mul_each(&x2, squares);
    let x7 = mul_each(&square_each(&x3), squares);
    let mut roots = mul_each(&x3, &pow_p58(&x7));
    for (root, x) in roots.iter_mut().zip(squares) {
        let check = F::mul(x, &F::square(root));
        *root = F::select(&F::mul(root, &F::SQRT_M1), root, check.equal(&F::ONE));
    }
    roots
}

/// x^((p - 1) / 4) = x^(2^253 - 5): which of the four fourth roots of unity it is says whether x is
/// a fourth power. For each.
#[inline(always)]
pub(crate) fn quartic_symbols<F: Arithmetic, const N: usize>(x: &[F; N]) -> [F; N] {
    // 8 (2^250 - 1) + 3.
    let (ones250, _) = F::pow_250_ones(x);
    let x3 = mul_each(x, &square_each(x));
    mul_each(&F::square_times_each(&ones250, 3), &x3)
}
