//! Positive controls: functions that leak on purpose, and that memcheck must report.

use std::hint::black_box;
use std::num::NonZeroU32;

use lanner_curve::{EdwardsPoint, Scalar, constants};
use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, VerifyingKeyWeak, signature_size, vrfy_key_size};

use crate::checks::Check;
use crate::output::Output;
use crate::secrets::Secrets;

/// All of them.
pub(crate) const ALL: &[Check] = &[
    ("branch", branch),
    ("index", index),
    ("early-exit", early_exit),
    ("vartime-multiplication", vartime_multiplication),
    ("vartime-verification", vartime_verification),
];

/// That which stepping alone reports: memcheck takes no notice of how long a division takes.
pub(crate) const STEPPED: &[Check] = &[("division", division)];

/// Branches on one bit of the secret.
fn branch(s: &Secrets) -> Output {
    let mut out = [0];
    if black_box(s.seed[8]) & 1 == 1 {
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

/// Compares with a secret and stops at the first difference. The guess begins as one of the secrets does.
fn early_exit(s: &Secrets) -> Output {
    let guess = black_box([0xd1_u8; 32]);
    let equal = s.seed.iter().zip(&guess).all(|(a, b)| a == b);
    [u8::from(equal)].into()
}

/// Divides by a secret that lies in memory: neither a branch nor an address shows it.
fn division(s: &Secrets) -> Output {
    let bytes = s.seed[..4].try_into().expect("four bytes");
    let divisor = NonZeroU32::new(u32::from_le_bytes(bytes) | 1).expect("it is odd");
    // Who knows the function may pass it the divisor in a register.
    let divided: fn(u32, &NonZeroU32) -> u32 = black_box(divided);
    divided(u32::MAX, &divisor).to_le_bytes().into()
}

/// Reads the divisor where it is used.
fn divided(number: u32, divisor: &NonZeroU32) -> u32 {
    number / *divisor
}

/// Verification with FN-DSA, where the signature is secret: its decoding follows the bits.
fn vartime_verification(s: &Secrets) -> Output {
    const LOGN: u32 = 8;
    let mut key = [0; vrfy_key_size(LOGN)];
    key[0] = LOGN as u8;
    let key = VerifyingKeyWeak::from_bytes(&key).expect("h may be 0");
    let mut signature = [0; signature_size(LOGN)];
    for (byte, secret) in signature.iter_mut().zip(s.seed.iter().cycle()) {
        *byte = *secret;
    }
    signature[0] = 0x30 + LOGN as u8;
    let verdict = key.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, s.message);
    [u8::from(verdict.is_ok())].into()
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
