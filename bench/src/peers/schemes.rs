//! Signatures of other schemes, for what a signature weighs and what its verification costs: RSA, ECDSA and ML-DSA of
//! AWS-LC, and Lanner's hybrid.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, ML_DSA_44,
    ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING, PqdsaKeyPair, PqdsaSigningAlgorithm,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey,
    VerificationAlgorithm,
};
use lanner_bench_kit::pairs::{Pair, rows};
use lanner_bench_kit::{Operation, Pool, Scheme};
use lanner_hybrid::{SigningKeyOf, VerifyingKeyOf};

/// The schemes of AWS-LC.
pub(super) fn aws_lc(scheme: Scheme, signs: bool, pool: &Pool) -> Option<Operation<'_>> {
    fn by<'p>(
        signs: bool,
        pool: &'p Pool,
        pair: impl Fn(usize) -> Pair,
        algorithm: &'static dyn VerificationAlgorithm,
    ) -> Operation<'p> {
        rows(signs, pool, pair, move |public, message, signature| {
            let key = UnparsedPublicKey::new(algorithm, public);
            key.verify(message, signature).is_ok()
        })
    }
    let rsa = |size: KeySize| {
        let pair = move |_| {
            let key = RsaKeyPair::generate(size).expect("a key");
            Pair {
                public: key.public_key().as_ref().to_vec(),
                sign: Box::new(move |message| {
                    let mut signature = vec![0; key.public_modulus_len()];
                    key.sign(
                        &RSA_PKCS1_SHA256,
                        &SystemRandom::new(),
                        message,
                        &mut signature,
                    )
                    .expect("it signs");
                    signature
                }),
            }
        };
        by(signs, pool, pair, &RSA_PKCS1_2048_8192_SHA256)
    };
    let ml_dsa = |signing: &'static PqdsaSigningAlgorithm, algorithm| {
        let pair = move |_| {
            let key = PqdsaKeyPair::generate(signing).expect("a key");
            Pair {
                public: key.public_key().as_ref().to_vec(),
                sign: Box::new(move |message| {
                    let mut signature = vec![0; signing.signature_len()];
                    key.sign(message, &mut signature).expect("it signs");
                    signature
                }),
            }
        };
        by(signs, pool, pair, algorithm)
    };
    Some(match scheme {
        Scheme::Rsa2048 => rsa(KeySize::Rsa2048),
        Scheme::Rsa3072 => rsa(KeySize::Rsa3072),
        Scheme::MlDsa44 => ml_dsa(&ML_DSA_44_SIGNING, &ML_DSA_44),
        Scheme::MlDsa65 => ml_dsa(&ML_DSA_65_SIGNING, &ML_DSA_65),
        Scheme::EcdsaP256 => {
            let pair = |_| {
                let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
                Pair {
                    public: key.public_key().as_ref().to_vec(),
                    sign: Box::new(move |message| {
                        let signature = key.sign(&SystemRandom::new(), message);
                        signature.expect("it signs").as_ref().to_vec()
                    }),
                }
            };
            by(signs, pool, pair, &ECDSA_P256_SHA256_FIXED)
        }
        Scheme::Hybrid512 | Scheme::Hybrid1024 => return None,
    })
}

/// The hybrid of Ed25519 and FN-DSA.
pub(super) fn hybrid<const LOGN: u32, const N: usize>(signs: bool, pool: &Pool) -> Operation<'_> {
    let pair = |i: usize| {
        let key = SigningKeyOf::<LOGN, N>::from_seed(&pool.seeds[i]).expect("a seed");
        let verifying = key.verifying_key();
        let mut public = vec![0; lanner_hybrid::verifying_key_size(LOGN)];
        verifying.write_bytes(&mut public).expect("it fits");
        Pair {
            public,
            sign: Box::new(move |message| {
                let mut signature = vec![0; lanner_hybrid::signature_size(LOGN)];
                let mut rng = rand_core::UnwrapErr(getrandom::SysRng);
                key.sign_bytes(&mut rng, b"", message, &mut signature)
                    .expect("it signs");
                signature
            }),
        }
    };
    rows(signs, pool, pair, |public, message, signature| {
        VerifyingKeyOf::<LOGN, N>::from_bytes(public)
            .and_then(|key| key.verify(signature, b"", message))
            .is_ok()
    })
}
