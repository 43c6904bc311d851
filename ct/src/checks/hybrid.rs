//! Hybrid keys and signatures: the keys of both halves from one seed, and both halves of a signature.

use lanner_fn_dsa::shake::SeededRng;
use lanner_hybrid::{
    SigningKey512, SigningKey1024, SigningKeyOf, SigningSpace, signature_size, verifying_key_size,
};
use subtle::ConstantTimeEq;

use super::Check;
use crate::output::Output;
use crate::secrets::Secrets;

/// All of them.
pub(super) const ALL: &[Check] = &[
    ("hybrid-512", |s| {
        made_and_signs(
            s,
            &SigningKey512::from_seed(&s.seed).expect("the degree is its own"),
        )
    }),
    ("hybrid-1024", |s| {
        made_and_signs(
            s,
            &SigningKey1024::from_seed(&s.seed).expect("the degree is its own"),
        )
    }),
    ("hybrid-equal", |s| {
        let key = SigningKey512::from_seed(&s.seed).expect("the degree is its own");
        [key.ct_eq(&key.clone()).unwrap_u8()].into()
    }),
];

/// The public key, and a signature.
fn made_and_signs<const MIN: u32, const N: usize>(
    s: &Secrets,
    key: &SigningKeyOf<MIN, N>,
) -> Output {
    let mut out = Output::default();
    out.write(verifying_key_size(key.logn()), |bytes| {
        key.verifying_key().write_bytes(bytes).expect("its size")
    });
    let rng = &mut SeededRng::new(&s.other);
    out.write(signature_size(key.logn()), |bytes| {
        key.sign_bytes(rng, b"context", s.message, bytes)
            .expect("the lengths are right")
    });
    out.write(signature_size(key.logn()), |bytes| {
        let space = &mut Box::new(SigningSpace::new());
        key.sign_digest_in(space, rng, b"context", &[7; 64], bytes)
            .expect("the lengths are right")
    });
    out
}
