//! Positive controls: functions that leak on purpose, and that memcheck must report.

use std::hint::black_box;

use lanner_curve::{EdwardsPoint, Scalar, constants};

use crate::checks::Check;
use crate::output::Output;
use crate::secrets::Secrets;

/// All of them.
pub(crate) const ALL: &[Check] = &[
    ("branch", branch),
    ("index", index),
    ("early-exit", early_exit),
    ("vartime-multiplication", vartime_multiplication),
];

/// Branches on one bit of the secret.
fn branch(s: &Secrets) -> Output {
    let mut out = [0];
    if black_box(s.seed[7]) & 1 == 1 {
        // A call that cannot become a selection.
        out = black_box([1]);
    }
    out.into()
}

/// Looks a byte up at a secret place.
fn index(s: &Secrets) -> Output {
    let table = black_box([7_u8; 256]);
    [table[usize::from(s.seed[9])]].into()
}

/// Compares with a secret and stops at the first difference.
fn early_exit(s: &Secrets) -> Output {
    let guess = black_box([0x55_u8; 32]);
    let equal = s.seed.iter().zip(&guess).all(|(a, b)| a == b);
    [u8::from(equal)].into()
}

/// A multiplication for public scalars, with a secret one: proof that marks come through to the
/// arithmetic of the backend.
fn vartime_multiplication(s: &Secrets) -> Output {
    let (a, b) = (
        Scalar::from_bytes_mod_order(s.seed),
        Scalar::from_bytes_mod_order(s.other),
    );
    let base = constants::ED25519_BASEPOINT_POINT;
    EdwardsPoint::vartime_double_scalar_mul_basepoint(&a, &base, &b)
        .compress()
        .to_bytes()
        .into()
}
