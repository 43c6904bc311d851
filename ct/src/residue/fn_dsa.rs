//! FN-DSA and Falcon.

use lanner_fn_dsa::falcon::{self, Encoding, det1024, max_signature_size};
use lanner_fn_dsa::key_forms::{BouncyCastle, Padded};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::variant::P4;
use lanner_fn_dsa::{
    DOMAIN_NONE, DecodingSpace, HASH_ID_RAW, KeyPairGenerator, KeyPairGenerator512,
    KeyPairGenerator1024, PreparedSigningKey512, PreparedSigningKey1024, PreparedSigningKeyOf,
    SigningKey512, SigningKey1024, SigningKeyStandard, SigningSpace, SigningSpaceEach, draft2026,
    shake256x4,
};
use lanner_x25519::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};

use super::{Operation, operation};
use crate::random::Fixed;
use crate::secrets::Secrets;

/// Random bytes that are secret, and different for each secret.
fn rng(s: &Secrets) -> SeededRng {
    SeededRng::new(&s.other)
}

fn key_512(s: &Secrets) -> SigningKey512 {
    SigningKey512::from_bytes(&s.fn_dsa.main_512).expect("a key")
}

fn key_1024(s: &Secrets) -> SigningKey1024 {
    SigningKey1024::from_bytes(&s.fn_dsa.main_1024).expect("a key")
}

fn draft_512(s: &Secrets) -> draft2026::SigningKey512 {
    draft2026::SigningKey512::from_bytes(&s.fn_dsa.draft_512).expect("a key")
}

fn falcon_512(s: &Secrets) -> falcon::SigningKey512 {
    falcon::SigningKey512::from_bytes(&s.fn_dsa.main_512).expect("a key")
}

fn falcon_1024(s: &Secrets) -> falcon::SigningKey1024 {
    falcon::SigningKey1024::from_bytes(&s.fn_dsa.main_1024).expect("a key")
}

/// All of them.
pub(super) const ALL: &[Operation] = &[
    operation!("fn-dsa-from-bytes-512", |s| bytes_512(s), |x| {
        SigningKey512::from_bytes(x).unwrap()
    }),
    operation!("fn-dsa-from-bytes-1024", |s| bytes_1024(s), |x| {
        SigningKey1024::from_bytes(x).unwrap()
    }),
    operation!("fn-dsa-from-bytes-either", |s| bytes_512(s), |x| {
        SigningKeyStandard::from_bytes(x).unwrap()
    }),
    operation!(
        "fn-dsa-from-false-bytes",
        |s| {
            let mut bytes = bytes_512(s);
            bytes[1000] ^= 1;
            bytes
        },
        |x| SigningKey512::from_bytes(x).is_err()
    ),
    operation!("fn-dsa-from-bytes-draft", |s| draft_bytes_512(s), |x| {
        draft2026::SigningKey512::from_bytes(x).unwrap()
    }),
    operation!(
        "fn-dsa-from-bytes-in",
        |s| (bytes_512(s), Box::new(DecodingSpace::new())),
        |x| SigningKey512::from_bytes_in(&mut x.1, &x.0).unwrap()
    ),
    operation!("falcon-from-fn-dsa", |s| key_512(s), |x| {
        falcon::SigningKey512::dangerous_from_fn_dsa(x)
    }),
    operation!("falcon-to-fn-dsa", |s| falcon_512(s), |x| x
        .dangerous_to_fn_dsa()),
    operation!("falcon-from-bytes-512", |s| bytes_512(s), |x| {
        falcon::SigningKey512::from_bytes(x).unwrap()
    }),
    operation!("fn-dsa-from-seed-512", |s| s.seed, |x| {
        SigningKey512::from_seed(x).unwrap()
    }),
    operation!("fn-dsa-from-seed-1024", |s| s.seed, |x| {
        SigningKey1024::from_seed(x).unwrap()
    }),
    operation!("fn-dsa-from-seed-draft", |s| s.seed, |x| {
        draft2026::SigningKey512::from_seed(x).unwrap()
    }),
    operation!("fn-dsa-generate", |s| Fixed(s.seed), |x| {
        SigningKey512::generate(x).unwrap()
    }),
    operation!(
        "fn-dsa-generator-512",
        |s| (KeyPairGenerator512::new(), s.seed, [0; 1281], [0; 897]),
        |x| x.0.keygen_from_seed(9, &x.1, &mut x.2, &mut x.3).unwrap()
    ),
    operation!(
        "fn-dsa-generator-1024",
        |s| (KeyPairGenerator1024::new(), s.seed, [0; 2305], [0; 1793]),
        |x| x.0.keygen_from_seed(10, &x.1, &mut x.2, &mut x.3).unwrap()
    ),
    operation!("fn-dsa-from-seed-shake256x4", |s| s.seed, |x| {
        SigningKey512::from_seed_shake256x4(x).unwrap()
    }),
    operation!(
        "fn-dsa-generator-shake256x4",
        |s| (
            shake256x4::KeyPairGenerator512::new(),
            s.seed,
            [0; 1281],
            [0; 897]
        ),
        |x| x.0.keygen_from_seed(9, &x.1, &mut x.2, &mut x.3).unwrap()
    ),
    operation!(
        "fn-dsa-sign-shake256x4",
        |s| (key_512(s), rng(s), s.message, [0; 666]),
        |x| x
            .0
            .sign_bytes_compat_shake256x4(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
            .unwrap()
    ),
    operation!("fn-dsa-clone", |s| key_512(s), |x| x.clone()),
    operation!("fn-dsa-drop", |s| Some(key_512(s)), |x| drop(x.take())),
    operation!("fn-dsa-compare", |s| (key_512(s), key_512(s)), |x| x.0
        == x.1),
    operation!(
        "fn-dsa-sign-in",
        |s| (
            key_1024(s),
            Box::new(SigningSpace::new()),
            rng(s),
            s.message,
            [0; 1280]
        ),
        |x| {
            x.0.sign_bytes_in(
                &mut x.1,
                &mut x.2,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                x.3,
                &mut x.4,
            )
            .unwrap()
        }
    ),
    operation!(
        "fn-dsa-prepare",
        |s| (key_512(s), Box::new(PreparedSigningKey512::new())),
        |x| x.1.prepare(&x.0)
    ),
    operation!(
        "fn-dsa-prepare-1024",
        |s| (key_1024(s), Box::new(PreparedSigningKey1024::new())),
        |x| x.1.prepare(&x.0)
    ),
    operation!(
        "fn-dsa-sign-prepared",
        |s| {
            let mut prepared = Box::new(PreparedSigningKey512::new());
            prepared.prepare(&key_512(s));
            (prepared, rng(s), s.message, [0; 666])
        },
        |x| {
            x.0.sign_bytes(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
                .unwrap()
        }
    ),
    operation!(
        "fn-dsa-sign-prepared-draft",
        |s| {
            let mut prepared = Box::new(PreparedSigningKeyOf::<P4, 9, 512>::new());
            prepared.prepare(&draft_512(s));
            (prepared, rng(s), s.message, [0; 666])
        },
        |x| {
            x.0.sign_bytes(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
                .unwrap()
        }
    ),
    operation!(
        "fn-dsa-sign-each",
        |s| {
            let mut prepared = Box::new(PreparedSigningKey512::new());
            prepared.prepare(&key_512(s));
            let space = Box::new(SigningSpaceEach::new());
            (prepared, space, rng(s), s.message, [0; 8 * 666])
        },
        |x| {
            x.0.sign_each(
                &mut x.1,
                &mut x.2,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                &[x.3; 8],
                &mut x.4,
            )
            .unwrap();
            x.4
        },
        |y| y.to_vec()
    ),
    operation!(
        "fn-dsa-sign-each-1024",
        |s| {
            let mut prepared = Box::new(PreparedSigningKey1024::new());
            prepared.prepare(&key_1024(s));
            let space = Box::new(SigningSpaceEach::new());
            (prepared, space, rng(s), s.message, [0; 8 * 1280])
        },
        |x| {
            x.0.sign_each(
                &mut x.1,
                &mut x.2,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                &[x.3; 8],
                &mut x.4,
            )
            .unwrap();
            x.4
        },
        |y| y.to_vec()
    ),
    operation!(
        "fn-dsa-sign-stream-fails",
        |s| (key_512(s), rng(s), [0; 666]),
        |x| {
            let fails = |_: &mut lanner_fn_dsa::MessageSink<'_>| Err(());
            assert!(
                x.0.sign_stream(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, &mut x.2, fails)
                    .is_err()
            );
        }
    ),
    operation!(
        "falcon-seal",
        |s| (
            falcon_1024(s),
            rng(s),
            s.message,
            [0; falcon::max_sealed_size(10, 64)]
        ),
        |x| { falcon::seal(&x.0, &mut x.1, x.2, &mut x.3).unwrap() }
    ),
    operation!("fn-dsa-to-bytes", |s| (key_512(s), [0; 1281]), |x| x
        .0
        .write_bytes(&mut x.1)
        .unwrap()),
    operation!(
        "fn-dsa-sign-checked-512",
        |s| (key_512(s), rng(s), s.message, [0; 666]),
        |x| x
            .0
            .sign_bytes_checked(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
            .unwrap()
    ),
    operation!(
        "fn-dsa-sign-checked-1024",
        |s| (key_1024(s), rng(s), s.message, [0; 1280]),
        |x| x
            .0
            .sign_bytes_checked(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
            .unwrap()
    ),
    operation!(
        "fn-dsa-sign-512",
        |s| (key_512(s), rng(s), s.message, [0; 666]),
        |x| x
            .0
            .sign_bytes(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
            .unwrap()
    ),
    operation!(
        "fn-dsa-sign-1024",
        |s| (key_1024(s), rng(s), s.message, [0; 1280]),
        |x| x
            .0
            .sign_bytes(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
            .unwrap()
    ),
    operation!(
        "fn-dsa-sign-stream",
        |s| (key_512(s), rng(s), s.message, [0; 666]),
        |x| {
            let feed = |sink: &mut lanner_fn_dsa::MessageSink<'_>| {
                sink.update(x.2);
                Ok::<(), ()>(())
            };
            assert!(
                x.0.sign_stream(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, &mut x.3, feed)
                    .is_ok()
            );
        }
    ),
    operation!(
        "fn-dsa-sign-compat",
        |s| (key_512(s), rng(s), s.message, [0; 666]),
        |x| x
            .0
            .sign_bytes_compat(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
            .unwrap()
    ),
    operation!(
        "fn-dsa-sign-draft",
        |s| (draft_512(s), rng(s), s.message, [0; 666]),
        |x| x
            .0
            .sign_bytes(&mut x.1, &DOMAIN_NONE, &HASH_ID_RAW, x.2, &mut x.3)
            .unwrap()
    ),
    operation!(
        "falcon-sign-512",
        |s| (falcon_512(s), rng(s), s.message, [0; 666]),
        |x| falcon::sign(&x.0, &mut x.1, x.2, Encoding::Padded, &mut x.3).unwrap()
    ),
    operation!(
        "falcon-sign-reference",
        |s| (falcon_512(s), rng(s), s.message, [0; 666]),
        |x| falcon::sign_reference(&x.0, &mut x.1, x.2, Encoding::Padded, &mut x.3).unwrap()
    ),
    operation!(
        "fn-dsa-sign-checked-in",
        |s| (
            key_512(s),
            Box::new(SigningSpace::new()),
            rng(s),
            s.message,
            [0; 666]
        ),
        |x| {
            x.0.sign_bytes_checked_in(
                &mut x.1,
                &mut x.2,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                x.3,
                &mut x.4,
            )
            .unwrap()
        }
    ),
    operation!(
        "falcon-stream-signer",
        |s| (falcon_512(s), rng(s), s.message, [0; 666]),
        |x| {
            let mut signer = falcon::stream_signer(&x.0, &mut x.1).unwrap();
            signer.update(x.2);
            signer.finish_as(Encoding::Padded, &mut x.3).unwrap();
            x.3
        },
        // The nonce is in the signer, which moves.
        |y| y.to_vec()
    ),
    operation!(
        "falcon-sign-in",
        |s| (
            falcon_512(s),
            Box::new(SigningSpace::new()),
            rng(s),
            s.message,
            [0; 666]
        ),
        |x| falcon::sign_in(&x.0, &mut x.1, &mut x.2, x.3, Encoding::Padded, &mut x.4).unwrap()
    ),
    operation!(
        "falcon-seal-reference",
        |s| (
            falcon_1024(s),
            rng(s),
            s.message,
            [0; falcon::max_sealed_size(10, 64)]
        ),
        |x| falcon::seal_reference(&x.0, &mut x.1, x.2, &mut x.3).unwrap()
    ),
    operation!(
        "falcon-det1024",
        |s| (falcon_1024(s), s.message, [0; det1024::MAX_COMPRESSED_SIZE]),
        |x| det1024::sign(&x.0, x.1, &mut x.2).unwrap()
    ),
    operation!(
        "falcon-det1024-checked",
        |s| (falcon_1024(s), s.message, [0; det1024::MAX_COMPRESSED_SIZE]),
        |x| det1024::sign_checked(&x.0, x.1, &mut x.2).unwrap()
    ),
    operation!(
        "falcon-sign-checked-512",
        |s| (falcon_512(s), rng(s), s.message, [0; 666]),
        |x| falcon::sign_checked(&x.0, &mut x.1, x.2, Encoding::Padded, &mut x.3).unwrap()
    ),
    operation!(
        "falcon-sign-checked-in",
        |s| (
            falcon_1024(s),
            Box::new(SigningSpace::new()),
            rng(s),
            s.message,
            [0; max_signature_size(Encoding::ConstantTime, 10)]
        ),
        |x| falcon::sign_checked_in(
            &x.0,
            &mut x.1,
            &mut x.2,
            x.3,
            Encoding::ConstantTime,
            &mut x.4
        )
        .unwrap()
    ),
    operation!(
        "fn-dsa-read-der",
        |s| s.files.fn_dsa_der.bytes().to_vec(),
        |x| SigningKey512::from_pkcs8_der(x).unwrap()
    ),
    operation!(
        "fn-dsa-read-pem",
        |s| s.files.fn_dsa_pem.text().to_owned(),
        |x| SigningKey512::from_pkcs8_pem(x).unwrap()
    ),
    operation!("fn-dsa-write-der", |s| key_512(s), |x| x
        .to_pkcs8_der()
        .unwrap()),
    operation!("fn-dsa-write-pem", |s| key_512(s), |x| x
        .to_pkcs8_pem(LineEnding::LF)
        .unwrap()),
    operation!("falcon-write-pem-padded", |s| falcon_512(s), |x| {
        Padded(&*x).to_pkcs8_pem(LineEnding::LF).unwrap()
    }),
    operation!("falcon-write-pem-bouncy-castle", |s| falcon_1024(s), |x| {
        BouncyCastle(&*x).to_pkcs8_pem(LineEnding::LF).unwrap()
    }),
];

fn bytes_512(s: &Secrets) -> [u8; 1281] {
    s.fn_dsa.main_512[..].try_into().expect("its size")
}

fn bytes_1024(s: &Secrets) -> [u8; 2305] {
    s.fn_dsa.main_1024[..].try_into().expect("its size")
}

fn draft_bytes_512(s: &Secrets) -> [u8; 1345] {
    s.fn_dsa.draft_512[..].try_into().expect("its size")
}
