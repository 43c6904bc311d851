//! Ed25519, X25519 and the curve.

use std::convert::Infallible;

use lanner_curve::edwards::CompressedEdwardsY;
#[cfg(feature = "tables")]
use lanner_curve::edwards::EdwardsBasepointTableRadix256;
#[cfg(feature = "tables")]
use lanner_curve::traits::BasepointTable;
use lanner_curve::traits::MultiscalarMul;
use lanner_curve::{EdwardsPoint, MontgomeryPoint, RistrettoPoint, Scalar, constants};
use lanner_ed25519::ed25519::signature::digest::common::{Generate, TryKeyInit};
use lanner_ed25519::ed25519::signature::{MultipartSigner, RandomizedSigner};
use lanner_ed25519::hazmat::{self, ExpandedSecretKey};
use lanner_ed25519::pkcs8::{DecodePrivateKey, EncodePrivateKey, KeypairBytes};
use lanner_ed25519::xeddsa;
use lanner_ed25519::{Digest, DigestSigner, Sha512, Signature, Signer, SigningKey, VerifyingKey};
use lanner_x25519::{
    PublicKey, ReusableSecret, StaticSecret, x25519, x25519_base_each, x25519_checked, x25519_each,
};

use super::{Operation, operation};
use crate::random::Fixed;
use crate::secrets::Secrets;

fn key(s: &Secrets) -> SigningKey {
    SigningKey::from_bytes(&s.seed)
}

/// PKCS#8, in place: pointers into the heap are not what is compared.
fn document(key: &impl EncodePrivateKey) -> [u8; 48] {
    let der = key.to_pkcs8_der().expect("a key can be written");
    der.as_bytes().try_into().expect("version 1 has 48 bytes")
}

/// The same in PEM.
fn pem(key: &impl EncodePrivateKey) -> [u8; 119] {
    let text = key
        .to_pkcs8_pem(Default::default())
        .expect("a key can be written");
    text.as_bytes().try_into().expect("its length")
}

/// All of them.
pub(super) const ALL: &[Operation] = &[
    operation!(
        "ed25519-keygen",
        |s| s.seed,
        |x| SigningKey::from_bytes(x),
        |y| y.verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-generate",
        |s| Fixed(s.seed),
        |x| SigningKey::generate(x),
        |y| y.verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-from-slice",
        |s| s.seed,
        |x| SigningKey::try_from(&x[..]),
        |y| y.as_ref().unwrap().verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-from-key",
        |s| s.seed,
        |x| <SigningKey as TryKeyInit>::new((&*x).into()).unwrap(),
        |y| y.verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-generate-fallibly",
        |s| Fixed(s.seed),
        |x| SigningKey::try_generate_from_rng(x).unwrap(),
        |y| y.verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-from-key-file",
        |s| KeypairBytes::from(&key(s)),
        |x| SigningKey::try_from(&*x).unwrap(),
        |y| y.verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-from-pair",
        |s| key(s).to_keypair_bytes(),
        |x| SigningKey::from_keypair_bytes(x),
        |y| y.as_ref().unwrap().verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-from-false-pair",
        |s| {
            let mut pair = key(s).to_keypair_bytes();
            pair[40] ^= 1;
            pair
        },
        |x| SigningKey::from_keypair_bytes(x).is_err()
    ),
    operation!("ed25519-clone", |s| key(s), |x| x.clone(), |y| y
        .verifying_key()
        .to_bytes()
        .to_vec()),
    operation!("ed25519-drop", |s| Some(key(s)), |x| drop(x.take())),
    operation!("ed25519-compare", |s| (key(s), key(s)), |x| x.0 == x.1),
    operation!("ed25519-to-scalar-bytes", |s| key(s), |x| x
        .to_scalar_bytes()),
    operation!("ed25519-to-scalar", |s| key(s), |x| x.to_scalar()),
    operation!("ed25519-to-x25519", |s| key(s), |x| x
        .to_x25519_secret_bytes()),
    // More than a group, and a rest that is less than a vector.
    operation!(
        "ed25519-keygen-each",
        |s| ([s.seed; 19], [const { None }; 19]),
        |x| SigningKey::from_bytes_each(&x.0, &mut x.1),
        |_y| key(&Secrets::new(0, true))
            .verifying_key()
            .to_bytes()
            .to_vec()
    ),
    operation!("ed25519-public-each", |s| ([s.seed; 19], [None; 19]), |x| {
        VerifyingKey::from_secret_keys_each(&x.0, &mut x.1)
    }),
    operation!(
        "ed25519-sign-each",
        |s| (
            key(s),
            [s.message; 19],
            [Signature::from_bytes(&[0; 64]); 19]
        ),
        |x| x.0.sign_each(&x.1, &mut x.2)
    ),
    operation!(
        "ed25519-sign-each-single",
        |s| (key(s), [s.message], [Signature::from_bytes(&[0; 64])]),
        |x| {
            x.0.sign_each(&x.1, &mut x.2);
            x.2[0]
        },
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-each-by",
        |s| (
            [key(s), SigningKey::from_bytes(&s.other)],
            [Signature::from_bytes(&[0; 64]); 11]
        ),
        |x| {
            let keys = core::array::from_fn::<_, 11, _>(|i| &x.0[i % 2]);
            SigningKey::sign_each_by(&keys, &[&b"message"[..]; 11], &mut x.1);
        }
    ),
    operation!(
        "ed25519-sign",
        |s| (key(s), s.message),
        |x| x.0.sign(x.1),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-checked",
        |s| (key(s), s.message),
        |x| x.0.sign_checked(x.1).unwrap(),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-ctx-checked",
        |s| (key(s), s.message),
        |x| x.0.sign_ctx_checked(b"context", x.1).unwrap(),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-prehashed-checked",
        |s| (key(s), Sha512::new_with_prefix(s.message)),
        |x| x.0.sign_prehashed_checked(x.1.clone(), None).unwrap(),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-parts",
        |s| (key(s), s.message),
        |x| x.0.multipart_sign(&[x.1, x.1]),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-ctx",
        |s| (key(s), s.message),
        |x| x.0.sign_ctx(b"context", x.1).unwrap(),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-prehashed",
        |s| (key(s), Sha512::new_with_prefix(s.message)),
        |x| x.0.sign_prehashed(x.1.clone(), None).unwrap(),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-digest",
        |s| (key(s), s.message),
        |x| x.0.sign_digest(|hash: &mut Sha512| hash.update(x.1)),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-hedged",
        |s| (key(s), s.message, Fixed(s.other)),
        |x| x.0.try_sign_with_rng(&mut x.2, x.1).unwrap(),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "xeddsa-key",
        |s| s.seed,
        |x| xeddsa::SecretKey::from_x25519(x),
        |y| y.x25519_public_bytes().to_vec()
    ),
    operation!(
        "xeddsa-sign",
        |s| (
            xeddsa::SecretKey::from_x25519(&s.seed),
            s.message,
            [s.other; 2]
        ),
        |x| x.0.sign(x.1, x.2.as_flattened().try_into().unwrap()),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-stream",
        |s| (key(s), s.message),
        |x| {
            let signature = x.0.sign_stream(|sink| {
                sink.update(x.1);
                Ok::<(), Infallible>(())
            });
            signature.unwrap()
        },
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-stream-ctx",
        |s| (key(s), s.message),
        |x| {
            let signature = x.0.sign_stream_ctx(b"context", |sink| {
                sink.update(x.1);
                Ok::<(), Infallible>(())
            });
            signature.unwrap()
        },
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "ed25519-sign-stream-fails",
        |s| (key(s), s.message, 0),
        |x| {
            let signature = x.0.sign_stream(|sink| {
                sink.update(x.1);
                x.2 += 1;
                if x.2 == 2 { Err(()) } else { Ok(()) }
            });
            assert!(signature.is_err());
        },
        |_y| Vec::new()
    ),
    operation!("hazmat-expand", |s| s.seed, |x| ExpandedSecretKey::from(
        &*x
    )),
    operation!("hazmat-expanded-from-bytes", |s| s.wide, |x| {
        ExpandedSecretKey::from_bytes(x)
    }),
    operation!("hazmat-expand-bytes", |s| s.seed, |x| {
        hazmat::expand_secret_key(x)
    }),
    operation!(
        "hazmat-public",
        |s| ExpandedSecretKey::from(&s.seed),
        |x| VerifyingKey::from(&*x),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "hazmat-sign",
        |s| (
            ExpandedSecretKey::from(&s.seed),
            key(s).verifying_key(),
            s.message
        ),
        |x| hazmat::raw_sign::<Sha512>(&x.0, x.2, &x.1),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "hazmat-sign-deriving",
        |s| (ExpandedSecretKey::from(&s.seed), s.message),
        |x| x.0.sign(x.1),
        |y| [&y.to_bytes()[..]].concat()
    ),
    operation!(
        "hazmat-raw-sign-deriving",
        |s| (ExpandedSecretKey::from(&s.seed), s.message),
        |x| hazmat::raw_sign_deriving::<Sha512>(&x.0, x.1),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "hazmat-sign-by-update",
        |s| (
            ExpandedSecretKey::from(&s.seed),
            key(s).verifying_key(),
            s.message
        ),
        |x| {
            let update = |hash: &mut Sha512| {
                hash.update(x.2);
                Ok(())
            };
            hazmat::raw_sign_byupdate(&x.0, update, &x.1).unwrap()
        },
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "hazmat-sign-prehashed",
        |s| (
            ExpandedSecretKey::from(&s.seed),
            key(s).verifying_key(),
            Sha512::new_with_prefix(s.message)
        ),
        |x| hazmat::raw_sign_prehashed::<Sha512, _>(&x.0, x.2.clone(), &x.1, None).unwrap(),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "hazmat-blinding",
        |s| ExpandedSecretKey::from(&s.seed),
        |x| hazmat::blind_secret_key(x, &[5; 32])
    ),
    operation!("ed25519-to-pkcs8", |s| key(s), |x| x
        .to_pkcs8_der()
        .unwrap()),
    operation!("ed25519-to-pkcs8-v2", |s| key(s), |x| x
        .to_pkcs8_v2_der()
        .unwrap()),
    operation!("ed25519-to-pem-v2", |s| key(s), |x| x
        .to_pkcs8_v2_pem(Default::default())
        .unwrap()),
    operation!("ed25519-to-pem", |s| key(s), |x| x
        .to_pkcs8_pem(Default::default())
        .unwrap()),
    operation!(
        "ed25519-from-pkcs8",
        |s| document(&key(s)),
        |x| SigningKey::from_pkcs8_der(x).unwrap(),
        |y| y.verifying_key().to_bytes().to_vec()
    ),
    operation!(
        "ed25519-from-false-pkcs8",
        |s| {
            let der = key(s).to_pkcs8_v2_der().unwrap();
            let mut der = <[u8; 83]>::try_from(der.as_bytes()).unwrap();
            der[82] ^= 1;
            der
        },
        |x| SigningKey::from_pkcs8_der(x).is_err()
    ),
    operation!(
        "ed25519-from-pem",
        |s| pem(&key(s)),
        |x| SigningKey::from_pkcs8_pem(str::from_utf8(x).unwrap()).unwrap(),
        |y| y.verifying_key().to_bytes().to_vec()
    ),
    operation!("x25519-generate", |s| Fixed(s.seed), |x| {
        ReusableSecret::random_from_rng(x)
    }),
    operation!("x25519-load", |s| s.seed, |x| StaticSecret::from(*x)),
    operation!(
        "x25519-public",
        |s| StaticSecret::from(s.seed),
        |x| PublicKey::from(&*x),
        |y| y.to_bytes().to_vec()
    ),
    operation!(
        "x25519",
        |s| (StaticSecret::from(s.seed), PublicKey::from(s.somebody)),
        |x| x.0.diffie_hellman(&x.1)
    ),
    operation!(
        "x25519-checked",
        |s| (StaticSecret::from(s.seed), PublicKey::from(s.somebody)),
        |x| x.0.diffie_hellman_checked(&x.1)
    ),
    operation!("x25519-refused", |s| StaticSecret::from(s.seed), |x| x
        .diffie_hellman_checked(&PublicKey::from([0; 32]))
        .is_err()),
    operation!("x25519-function", |s| (s.seed, s.somebody), |x| x25519(
        x.0, x.1
    )),
    operation!("x25519-function-checked", |s| (s.seed, s.somebody), |x| {
        x25519_checked(x.0, x.1)
    }),
    operation!("x25519-base-each", |s| ([s.seed; 19], [[0; 32]; 19]), |x| {
        x25519_base_each(&x.0, &mut x.1)
    }),
    operation!(
        "x25519-public-each",
        |s| (
            [s.seed; 19].map(StaticSecret::from),
            [PublicKey::from([0; 32]); 19]
        ),
        |x| StaticSecret::public_keys_each(&x.0, &mut x.1)
    ),
    operation!(
        "x25519-each",
        |s| ([s.seed, s.other, s.seed], [s.somebody; 3], [[0; 32]; 3]),
        |x| x25519_each(&x.0, &x.1, &mut x.2)
    ),
    operation!(
        "x25519-each-two-vectors",
        |s| ([s.seed; 19], [s.somebody; 19], [[0; 32]; 19]),
        |x| x25519_each(&x.0, &x.1, &mut x.2)
    ),
    operation!(
        "x25519-each-single",
        |s| ([s.seed], [s.somebody], [[0; 32]]),
        |x| x25519_each(&x.0, &x.1, &mut x.2)
    ),
    operation!(
        "x25519-each-many",
        |s| ([s.seed; 17], [s.somebody; 17], [[0; 32]; 17]),
        |x| x25519_each(&x.0, &x.1, &mut x.2)
    ),
    operation!("x25519-to-pkcs8", |s| StaticSecret::from(s.seed), |x| x
        .to_pkcs8_der()
        .unwrap()),
    operation!("x25519-to-pem", |s| StaticSecret::from(s.seed), |x| x
        .to_pkcs8_pem(Default::default())
        .unwrap()),
    operation!(
        "x25519-from-pkcs8",
        |s| document(&StaticSecret::from(s.seed)),
        |x| StaticSecret::from_pkcs8_der(x).unwrap()
    ),
    operation!(
        "x25519-from-pem",
        |s| pem(&StaticSecret::from(s.seed)),
        |x| StaticSecret::from_pkcs8_pem(str::from_utf8(x).unwrap()).unwrap()
    ),
    operation!(
        "edwards-base",
        |s| Scalar::from_bytes_mod_order(s.seed),
        |x| EdwardsPoint::mul_base(x)
    ),
    operation!(
        "edwards-base-pair",
        |s| [s.seed, s.other].map(Scalar::from_bytes_mod_order),
        |x| EdwardsPoint::mul_base_pair(&x[0], &x[1])
    ),
    operation!(
        "edwards-base-each",
        |s| (
            [s.seed; 19].map(Scalar::from_bytes_mod_order),
            [EdwardsPoint::default(); 19],
            [CompressedEdwardsY::default(); 19]
        ),
        |x| EdwardsPoint::mul_base_each(&x.0, &mut x.1, &mut x.2)
    ),
    operation!(
        "montgomery-base-each",
        |s| ([s.seed; 19], [MontgomeryPoint::default(); 19]),
        |x| MontgomeryPoint::mul_base_clamped_each(&x.0, &mut x.1)
    ),
    operation!("edwards-base-clamped", |s| s.seed, |x| {
        EdwardsPoint::mul_base_clamped(*x)
    }),
    operation!("edwards-clamped", |s| s.seed, |x| {
        constants::ED25519_BASEPOINT_POINT.mul_clamped(*x)
    }),
    operation!("edwards", |s| Scalar::from_bytes_mod_order(s.seed), |x| {
        constants::ED25519_BASEPOINT_POINT * *x
    }),
    operation!(
        "montgomery",
        |s| (
            Scalar::from_bytes_mod_order(s.seed),
            MontgomeryPoint(s.somebody)
        ),
        |x| x.0 * x.1
    ),
    operation!(
        "montgomery-clamped-each",
        |s| (
            [s.seed; 19],
            [MontgomeryPoint(s.somebody); 19],
            [MontgomeryPoint([0; 32]); 19]
        ),
        |x| MontgomeryPoint::mul_clamped_each(&x.0, &x.1, &mut x.2)
    ),
    operation!(
        "montgomery-clamped-each-single",
        |s| (
            [s.seed],
            [MontgomeryPoint(s.somebody)],
            [MontgomeryPoint([0; 32])]
        ),
        |x| MontgomeryPoint::mul_clamped_each(&x.0, &x.1, &mut x.2)
    ),
    operation!(
        "montgomery-clamped",
        |s| (s.seed, MontgomeryPoint(s.somebody)),
        |x| x.1.mul_clamped(x.0)
    ),
    operation!(
        "montgomery-base",
        |s| Scalar::from_bytes_mod_order(s.seed),
        |x| MontgomeryPoint::mul_base(x)
    ),
    operation!(
        "montgomery-bits",
        |s| (s.seed, MontgomeryPoint(s.somebody)),
        |x| {
            let (bytes, point) = x;
            let bits = bytes
                .iter()
                .rev()
                .flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1));
            point.mul_bits_be(bits)
        }
    ),
    operation!("montgomery-base-clamped", |s| s.seed, |x| {
        MontgomeryPoint::mul_base_clamped(*x)
    }),
    operation!("montgomery-base-dirty", |s| (s.seed, s.other[0]), |x| {
        MontgomeryPoint::mul_base_clamped_dirty(x.0, x.1)
    }),
    operation!("ristretto", |s| Scalar::from_bytes_mod_order(s.seed), |x| {
        constants::RISTRETTO_BASEPOINT_POINT * *x
    }),
    operation!(
        "ristretto-base",
        |s| Scalar::from_bytes_mod_order(s.seed),
        |x| RistrettoPoint::mul_base(x)
    ),
    // More than a vector of any backend, and a rest; and one alone.
    operation!(
        "edwards-sum",
        |s| (
            [s.seed, s.other].map(Scalar::from_bytes_mod_order),
            [constants::ED25519_BASEPOINT_POINT; 11]
        ),
        |x| EdwardsPoint::multiscalar_mul(x.0.iter().cycle().take(11), &x.1)
    ),
    operation!(
        "edwards-sum-of-one",
        |s| [Scalar::from_bytes_mod_order(s.seed)],
        |x| EdwardsPoint::multiscalar_mul(x.iter(), [constants::ED25519_BASEPOINT_POINT])
    ),
    #[cfg(feature = "tables")]
    operation!(
        "edwards-table",
        |s| Scalar::from_bytes_mod_order(s.seed),
        |x| &*x * constants::ED25519_BASEPOINT_TABLE
    ),
    #[cfg(feature = "tables")]
    operation!("edwards-table-clamped", |s| s.seed, |x| {
        constants::ED25519_BASEPOINT_TABLE.mul_base_clamped(*x)
    }),
    #[cfg(feature = "tables")]
    operation!(
        "edwards-table-radix-256",
        |s| (
            Scalar::from_bytes_mod_order(s.seed),
            Box::new(EdwardsBasepointTableRadix256::from(
                constants::ED25519_BASEPOINT_TABLE
            ))
        ),
        |x| x.1.mul_base(&x.0)
    ),
];
