//! Powers by addition chains: inversion and square roots.

use super::{Arithmetic, Field, Operand, Packed, packed};
use crate::safegcd::{self, Modulus};

/// p, for inversion.
pub(crate) const PRIME: Modulus = Modulus::new(&packed::P);

/// x^(2^250 - 1) and x^11.
///
/// The chain of Bernstein's original Curve25519 software: 2^5 - 1, then doubling
/// the run of ones.
#[inline(always)]
fn pow_250_ones<F: Arithmetic>(x: &impl Operand<F>) -> (F, F) {
    let x2 = F::square(x);
    let x9 = F::mul(x, &F::square_times(&x2, 2));
    let x11 = F::mul(&x2, &x9);
    let ones5 = F::mul(&x9, &F::square(&x11));
    let ones10 = F::mul(&F::square_times(&ones5, 5), &ones5);
    let ones20 = F::mul(&F::square_times(&ones10, 10), &ones10);
    let ones40 = F::mul(&F::square_times(&ones20, 20), &ones20);
    let ones50 = F::mul(&F::square_times(&ones40, 10), &ones10);
    let ones100 = F::mul(&F::square_times(&ones50, 50), &ones50);
    let ones200 = F::mul(&F::square_times(&ones100, 100), &ones100);
    let ones250 = F::mul(&F::square_times(&ones200, 50), &ones50);
    (ones250, x11)
}

/// x^((p - 5) / 8) = x^(2^252 - 3).
#[inline(always)]
fn pow_p58<F: Arithmetic>(x: &impl Operand<F>) -> F {
    let (ones250, _) = pow_250_ones(x);
    F::mul(&F::square_times(&ones250, 2), x)
}

/// 1/x, and 0 for 0. Constant time.
#[inline]
pub(crate) fn invert<F: Field>(x: &F) -> F {
    // A build without tables wants to be small, and the chain is there for square roots anyway.
    if cfg!(feature = "precomputed-tables") {
        F::from_packed(&Packed(safegcd::invert(&x.to_packed().freeze().0, &PRIME)))
    } else {
        // By Fermat, x^(p - 2) = x^(2^255 - 21).
        let (ones250, x11) = pow_250_ones(x);
        F::mul(&F::square_times(&ones250, 5), &x11)
    }
}

/// 1/x, and 0 for 0, in variable time.
#[cfg(feature = "precomputed-tables")]
#[inline]
pub(crate) fn vartime_invert<F: Field>(x: &F) -> F {
    let x = x.to_packed().freeze();
    F::from_packed(&Packed(safegcd::vartime_invert(&x.0, &PRIME)))
}

/// A square root of u/v, if there is one: (set, r) with v r^2 = u, else (not set, any).
///
/// u must not be 0 together with v. (0, v) gives (set, 0). The sign of the root is
/// not specified. RFC 8032, section 5.1.3, in constant time.
#[inline(always)]
pub(crate) fn sqrt_ratio<F: Arithmetic>(u: &F, v: &F) -> (F::Mask, F) {
    let v3 = F::mul(&F::square(v), v);
    let v7 = F::mul(&F::square(&v3), v);
    let power = pow_p58::<F>(&F::mul(u, &v7));
    let mut root = F::mul(&F::mul(u, &v3), &power);

    // v root^2 is u times a fourth root of unity: u, -u, or u times a root of -1,
    // and only in the first two cases is u/v a square.
    let check = F::mul(v, &F::square(&root));
    let correct = check.equal(u);
    let flipped = check.equal(&u.neg());
    root = F::select(&root, &F::mul(&root, &F::SQRT_M1), flipped);
    (correct | flipped, root)
}

/// x^((p - 1) / 4) = x^(2^253 - 5): which of the four fourth roots of unity it is says whether x is
/// a fourth power.
#[inline(always)]
pub(crate) fn quartic_symbol<F: Arithmetic>(x: &F) -> F {
    // 8 (2^250 - 1) + 3.
    let (ones250, _) = pow_250_ones::<F>(x);
    let x3 = F::mul(x, &F::square(x));
    F::mul(&F::square_times(&ones250, 3), &x3)
}
