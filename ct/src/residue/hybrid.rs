//! Hybrid keys and signatures.

use lanner_fn_dsa::shake::SeededRng;
use lanner_hybrid::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use lanner_hybrid::{SigningKey512, SigningKey1024, SigningSpace, VerifyingKeyOf};
use lanner_x25519::pkcs8::LineEnding;

use super::{Operation, operation};
use crate::secrets::Secrets;

fn key_512(s: &Secrets) -> Box<SigningKey512> {
    Box::new(SigningKey512::from_seed(&s.seed).expect("the degree is its own"))
}

fn key_1024(s: &Secrets) -> Box<SigningKey1024> {
    Box::new(SigningKey1024::from_seed(&s.seed).expect("the degree is its own"))
}

/// Random bytes that are secret, and different for each secret.
fn rng(s: &Secrets) -> SeededRng {
    SeededRng::new(&s.other)
}

/// What everybody may know of a key: it is in what the halves sign.
fn public<const MIN: u32, const N: usize>(key: &VerifyingKeyOf<MIN, N>) -> Vec<u8> {
    let mut bytes = vec![0; lanner_hybrid::verifying_key_size(key.logn())];
    key.write_bytes(&mut bytes).expect("its size");
    bytes.extend_from_slice(key.hash());
    bytes
}

/// That in which a key stands in what its halves sign.
fn hash<const MIN: u32, const N: usize>(key: &VerifyingKeyOf<MIN, N>) -> [u8; 64] {
    *key.hash()
}

/// All of them.
pub(super) const ALL: &[Operation] = &[
    operation!(
        "hybrid-from-seed-512",
        |s| s.seed,
        |x| SigningKey512::from_seed(x).unwrap(),
        |y| public(&y.verifying_key())
    ),
    operation!(
        "hybrid-from-seed-1024",
        |s| s.seed,
        |x| SigningKey1024::from_seed(x).unwrap(),
        |y| public(&y.verifying_key())
    ),
    operation!(
        "hybrid-clone",
        |s| key_512(s),
        |x| SigningKey512::clone(x),
        |y| public(&y.verifying_key())
    ),
    operation!(
        "hybrid-clone-1024",
        |s| key_1024(s),
        |x| SigningKey1024::clone(x),
        |y| public(&y.verifying_key())
    ),
    operation!(
        "hybrid-sign-512",
        |s| (
            key_512(s),
            rng(s),
            s.message,
            [0; 730],
            hash(&key_512(s).verifying_key())
        ),
        |x| {
            x.0.sign_bytes(&mut x.1, b"", x.2, &mut x.3).unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-sign-checked",
        |s| (
            key_512(s),
            rng(s),
            s.message,
            [0; 730],
            hash(&key_512(s).verifying_key())
        ),
        |x| {
            x.0.sign_bytes_checked(&mut x.1, b"", x.2, &mut x.3)
                .unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-sign-digest-checked",
        |s| (
            key_512(s),
            rng(s),
            [7; 64],
            [0; 730],
            hash(&key_512(s).verifying_key())
        ),
        |x| {
            x.0.sign_digest_checked(&mut x.1, b"", &x.2, &mut x.3)
                .unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-sign-1024",
        |s| (
            key_1024(s),
            rng(s),
            s.message,
            [0; 1344],
            hash(&key_1024(s).verifying_key())
        ),
        |x| {
            x.0.sign_bytes(&mut x.1, b"", x.2, &mut x.3).unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-sign-in",
        |s| (
            key_1024(s),
            rng(s),
            s.message,
            [0; 1344],
            hash(&key_1024(s).verifying_key()),
            Box::new(SigningSpace::new())
        ),
        |x| {
            x.0.sign_bytes_in(&mut x.5, &mut x.1, b"", x.2, &mut x.3)
                .unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-sign-digest-in",
        |s| (
            key_512(s),
            rng(s),
            [7; 64],
            [0; 730],
            hash(&key_512(s).verifying_key()),
            Box::new(SigningSpace::new())
        ),
        |x| {
            x.0.sign_digest_in(&mut x.5, &mut x.1, b"", &x.2, &mut x.3)
                .unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-sign-checked-in",
        |s| (
            key_512(s),
            rng(s),
            s.message,
            [0; 730],
            hash(&key_512(s).verifying_key()),
            Box::new(SigningSpace::new())
        ),
        |x| {
            x.0.sign_bytes_checked_in(&mut x.5, &mut x.1, b"", x.2, &mut x.3)
                .unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-sign-digest-checked-in",
        |s| (
            key_1024(s),
            rng(s),
            [7; 64],
            [0; 1344],
            hash(&key_1024(s).verifying_key()),
            Box::new(SigningSpace::new())
        ),
        |x| {
            x.0.sign_digest_checked_in(&mut x.5, &mut x.1, b"", &x.2, &mut x.3)
                .unwrap();
            (x.3, x.4)
        },
        |y| [&y.0[..], &y.1].concat()
    ),
    operation!(
        "hybrid-read-der",
        |s| key_512(s).to_pkcs8_der().unwrap().as_bytes().to_vec(),
        |x| SigningKey512::from_pkcs8_der(x).unwrap(),
        |y| public(&y.verifying_key())
    ),
    operation!("hybrid-write-pem", |s| key_512(s), |x| x
        .to_pkcs8_pem(LineEnding::LF)
        .unwrap()),
];
