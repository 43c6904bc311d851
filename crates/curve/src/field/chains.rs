//! Powers by addition chains: inversion and square roots.

use super::{Arithmetic, Field, Operand, Packed, packed};
use crate::safegcd::{self, Modulus};
use subtle::ConstantTimeEq;

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

/// (true, sqrt(u/v)) if u/v is a square, else (false, sqrt(K v/u)), where K is no
/// square and `sqrt_k_i` is a root of K sqrt(-1). For u and v other than 0, in
/// variable time; it costs hardly more than one root.
#[inline]
pub(crate) fn vartime_sqrt_ratio_or_inverse<F: Field>(u: &F, v: &F, sqrt_k_i: &F) -> (bool, F) {
    let vv = F::square(v);
    let v3 = F::mul(&vv, v);
    let z = F::mul(u, &F::mul(&F::square(&v3), v));
    let power = pow_p58::<F>(&z);
    let root = F::mul(&F::mul(u, &v3), &power);

    let check = F::mul(v, &F::square(&root)).to_packed();
    if check.ct_eq(&u.to_packed()).into() {
        return (true, root);
    }
    if check.ct_eq(&u.neg().to_packed()).into() {
        return (true, F::mul(&root, &F::SQRT_M1));
    }
    // With e = z^((p-5)/8), e^8 z^4 = 1, and so 1/root = 1/(u v^3 e) = v^4 e^7 z^3.
    let power2 = F::square(&power);
    let power7 = F::mul(&F::mul(&power, &power2), &F::square(&power2));
    let z3 = F::mul(&F::square(&z), &z);
    let inverse = F::mul(&F::mul(&F::square(&vv), &power7), &z3);
    // root^2 = i' u/v for one of the two roots i' of -1, and K v/u = K i' / root^2.
    let other = F::mul(sqrt_k_i, &inverse);
    if check.ct_eq(&F::mul(u, &F::SQRT_M1).to_packed()).into() {
        (false, other)
    } else {
        (false, F::mul(&other, &F::SQRT_M1))
    }
}

/// Whether the value is a square other than 0, by Euler's criterion. The verdict
/// is a `bool` to branch on, so it is for public values.
#[inline]
pub(crate) fn vartime_is_square<F: Field>(x: &F) -> bool {
    // (p - 1) / 2 = 2^254 - 10 = 16 (2^250 - 1) + 6.
    let (ones250, _) = pow_250_ones::<F>(x);
    let x6 = F::square(&F::mul(x, &F::square(x)));
    let power = F::mul(&F::square_times(&ones250, 4), &x6);
    power.to_packed().ct_eq(&Packed::ONE).into()
}
