//! The crates fn-dsa, versions 0.3.0 and 0.4.0: keys and signatures from known randomness.
#![cfg(feature = "sign")]

use std::convert::Infallible;

use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{
    DomainContext, Error, HASH_ID_RAW, HashIdentifier, SHA3_256, SHA3_384, SHA3_512, SHAKE128,
    SHAKE256, SigningKey, SigningKeyStandard, SigningKeyWeak, VerifyingKey, VerifyingKeyStandard,
    VerifyingKeyWeak, draft2026,
};
use lanner_vectors::fndsa::{Case, Random};
use lanner_vectors::outside;

/// Gives bytes that are known, and panics when they end.
struct Replay<'a>(&'a [u8]);

impl TryRng for Replay<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("bytes alone are asked for")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("bytes alone are asked for")
    }

    fn try_fill_bytes(&mut self, output: &mut [u8]) -> Result<(), Infallible> {
        let (now, rest) = self.0.split_at(output.len());
        output.copy_from_slice(now);
        self.0 = rest;
        Ok(())
    }
}

impl TryCryptoRng for Replay<'_> {}

fn check_hash(case: &Case, sk: &[u8], vk: &[u8], sig: &[u8]) {
    let mut hash = SHA3_256::new();
    hash.update(sk);
    hash.update(vk);
    hash.update(sig);
    assert_eq!(hash.digest(), case.sha3_256);
}

/// What is signed is the message or its hash.
fn check_prehash(case: &Case) {
    let xof128 = |length| {
        let mut shake = SHAKE128::new();
        shake.inject(&case.msg);
        shake.flip();
        let mut output = vec![0; length];
        shake.extract(&mut output);
        output
    };
    let xof256 = |length| {
        let mut shake = SHAKE256::new();
        shake.inject(&case.msg);
        shake.flip();
        let mut output = vec![0; length];
        shake.extract(&mut output);
        output
    };
    macro_rules! sha3 {
        ($name:ident) => {{
            let mut hash = $name::new();
            hash.update(&case.msg);
            hash.digest().to_vec()
        }};
    }
    let expected = match case.prehash.as_deref() {
        None => {
            assert_eq!(HashIdentifier(&case.hash_id), HASH_ID_RAW);
            case.msg.clone()
        }
        Some("SHA3-256") => sha3!(SHA3_256),
        Some("SHA3-384") => sha3!(SHA3_384),
        Some("SHA3-512") => sha3!(SHA3_512),
        Some("SHAKE128") => xof128(case.hv.len()),
        Some("SHAKE256") => xof256(case.hv.len()),
        Some(other) => panic!("a hash function that this test does not know: {other}"),
    };
    assert_eq!(case.hv, expected);
}

fn check_0_3<S: SigningKey + Compat, K: VerifyingKey>(case: &Case) {
    check_prehash(case);
    let Random::V3 {
        sign_random_bytes, ..
    } = &case.random
    else {
        panic!("another version");
    };
    let ctx = DomainContext(&case.ctx);
    let id = HashIdentifier(&case.hash_id);

    let mut key = S::decode(&case.sk).unwrap();
    assert_eq!(key.get_logn(), case.logn);
    let mut vk = vec![0; case.vk.len()];
    key.to_verifying_key(&mut vk);
    assert_eq!(vk, case.vk);

    let mut sig = vec![0; case.sig.len()];
    let mut rng = Replay(sign_random_bytes);
    key.compat(&mut rng, &ctx, &id, &case.hv, &mut sig).unwrap();
    assert_eq!(sig, case.sig);
    assert!(rng.0.is_empty(), "all random bytes are used");
    check_hash(case, &case.sk, &vk, &sig);

    let public = K::decode(&case.vk).unwrap();
    assert!(public.verify(&case.sig, &ctx, &id, &case.hv));
    assert!(!public.verify(&case.sig, &DomainContext(b"other"), &id, &case.hv));
    assert!(!public.verify(&case.sig, &ctx, &HashIdentifier(&[1]), &case.hv));
    assert!(!public.verify(&case.sig, &ctx, &id, b"other"));

    // What the crate signs by default is another, and valid.
    let rng = &mut SeededRng::new(b"free");
    key.sign(rng, &ctx, &id, &case.hv, &mut sig);
    assert_ne!(sig, case.sig);
    assert!(public.verify(&sig, &ctx, &id, &case.hv));
}

/// The method of signing keys that reproduces 0.3.0, whatever their degree.
trait Compat {
    fn compat(
        &self,
        rng: &mut Replay<'_>,
        ctx: &DomainContext<'_>,
        id: &HashIdentifier<'_>,
        hv: &[u8],
        sig: &mut [u8],
    ) -> Result<(), Error>;
}

macro_rules! compat {
    ($($key:ident)+) => {$(
        impl Compat for $key {
            fn compat(
                &self,
                rng: &mut Replay<'_>,
                ctx: &DomainContext<'_>,
                id: &HashIdentifier<'_>,
                hv: &[u8],
                sig: &mut [u8],
            ) -> Result<(), Error> {
                self.sign_bytes_compat(rng, ctx, id, hv, sig)
            }
        }
    )+};
}

compat!(SigningKeyStandard SigningKeyWeak);

#[test]
fn version_0_3_0() {
    let Some(outside) = outside("fn-dsa 0.3.0") else {
        return;
    };
    let cases = outside.fndsa_0_3();
    assert_eq!(cases.len(), 45);
    for case in &cases {
        if case.logn < 9 {
            check_0_3::<SigningKeyWeak, VerifyingKeyWeak>(case);
        } else {
            check_0_3::<SigningKeyStandard, VerifyingKeyStandard>(case);
        }
    }
}

fn check_0_4<S: draft2026::SigningKey, K: VerifyingKey>(case: &Case) {
    check_prehash(case);
    let Random::V4 {
        seed_kgen,
        seed_sign,
    } = &case.random
    else {
        panic!("another version");
    };
    // The procedure of the known answers: both seeds from logn and j.
    let [j0, j1, j2, j3] = case.j.to_le_bytes();
    let mut shake = SHAKE256::new();
    shake.inject(&[case.logn as u8, j0, j1, j2, j3]);
    shake.flip();
    let mut seeds = [0; 72];
    shake.extract(&mut seeds);
    assert_eq!(seeds[..32], seed_kgen[..]);
    assert_eq!(seeds[32..], seed_sign[..]);

    let ctx = DomainContext(&case.ctx);
    let id = HashIdentifier(&case.hash_id);
    assert_eq!(case.sk.len(), draft2026::sign_key_size(case.logn));
    let mut key = S::decode(&case.sk).unwrap();
    let mut vk = vec![0; case.vk.len()];
    key.to_verifying_key(&mut vk);
    assert_eq!(vk, case.vk);
    let mut sig = vec![0; case.sig.len()];
    let mut rng = Replay(seed_sign);
    key.sign(&mut rng, &ctx, &id, &case.hv, &mut sig).unwrap();
    assert_eq!(sig, case.sig, "logn {}, {}", case.logn, case.j);
    check_hash(case, &case.sk, &vk, &sig);

    let public = K::decode(&case.vk).unwrap();
    assert!(public.verify(&case.sig, &ctx, &id, &case.hv));
    assert!(!public.verify(&case.sig, &DomainContext(b"other"), &id, &case.hv));
    assert!(!public.verify(&case.sig, &ctx, &id, b"other"));
}

#[test]
fn version_0_4_0() {
    let Some(outside) = outside("fn-dsa 0.4.0") else {
        return;
    };
    let cases = outside.fndsa_0_4();
    assert_eq!(cases.len(), 45);
    for case in &cases {
        if case.logn < 9 {
            check_0_4::<draft2026::SigningKeyWeak, draft2026::VerifyingKeyWeak>(case);
        } else {
            check_0_4::<draft2026::SigningKeyStandard, draft2026::VerifyingKeyStandard>(case);
        }
    }
}

#[test]
fn external_mu() {
    use draft2026::{HASH_ID_EXTMU, SigningKey};
    let Some(outside) = outside("fn-dsa 0.4.0, external mu") else {
        return;
    };
    let none = &DomainContext(b"");
    for case in outside.fndsa_external_mu() {
        let public = draft2026::VerifyingKey512::decode(&case.vk).unwrap();
        assert!(public.verify(&case.sig, none, &HASH_ID_EXTMU, &case.mu));
        // The context is ignored, even one that is too long for any other identifier.
        let contexts = [b"x", &[0; 256][..]].map(DomainContext);
        for context in &contexts {
            assert!(public.verify(&case.sig, context, &HASH_ID_EXTMU, &case.mu));
            let verdict = public.try_verify(&case.sig, context, &HASH_ID_EXTMU, &case.mu);
            assert_eq!(verdict, Ok(()));
            let (keys, mut verdicts) = ([&public; 2], [false; 2]);
            let (signatures, mus) = ([&case.sig[..]; 2], [&case.mu[..]; 2]);
            draft2026::VerifyingKey512::verify_each(
                &keys,
                &signatures,
                context,
                &HASH_ID_EXTMU,
                &mus,
                &mut verdicts,
            )
            .unwrap();
            assert_eq!(verdicts, [true; 2]);
        }
        assert!(!public.verify(&case.sig, none, &HASH_ID_RAW, &case.mu));
        assert!(!public.verify(&case.sig, none, &HASH_ID_EXTMU, &case.mu[1..]));

        let sk = &case.sign_sk;
        // The example's key comes without the hash of the verifying key.
        let hashed = draft2026::hashed_vrfykey_from_vrfykey(&case.sign_vk);
        let key = if sk.len() == draft2026::sign_key_size(9) {
            draft2026::SigningKey512::decode(sk)
        } else {
            draft2026::SigningKey512::decode(&[&sk[..], &hashed[..]].concat())
        };
        let mut key = key.expect("a signing key");
        let mut sig = vec![0; 666];
        let mut rng = Replay(&case.sign_sign_seed);
        key.sign(&mut rng, none, &HASH_ID_EXTMU, &case.sign_mu, &mut sig)
            .unwrap();
        assert_eq!(sig, case.sign_sig);
        sig.fill(0);
        let mut rng = Replay(&case.sign_sign_seed);
        key.sign(
            &mut rng,
            &contexts[1],
            &HASH_ID_EXTMU,
            &case.sign_mu,
            &mut sig,
        )
        .unwrap();
        assert_eq!(sig, case.sign_sig);
        let rng = &mut Replay(&case.sign_sign_seed);
        let short = key.sign_bytes(rng, none, &HASH_ID_EXTMU, &[0; 63], &mut sig);
        assert_eq!(short, Err(Error::Length));
    }
}

#[cfg(feature = "keygen")]
mod keygen {
    use super::*;
    use lanner_fn_dsa::{KeyPairGenerator, KeyPairGeneratorStandard, KeyPairGeneratorWeak};

    fn check<G: KeyPairGenerator>(case: &Case) {
        let mut sk = vec![0; case.sk.len()];
        let mut vk = vec![0; case.vk.len()];
        let mut generator = G::default();
        match &case.random {
            Random::V3 {
                keygen_rng_seed, ..
            } => {
                let rng = &mut SeededRng::new(keygen_rng_seed);
                generator.keygen(case.logn, rng, &mut sk, &mut vk);
            }
            Random::V4 { seed_kgen, .. } => {
                generator.keygen(case.logn, &mut Replay(seed_kgen), &mut sk, &mut vk);
            }
        }
        assert_eq!(sk, case.sk, "logn {}, {}", case.logn, case.j);
        assert_eq!(vk, case.vk);
    }

    #[test]
    fn keys_of_0_3_0() {
        let Some(outside) = outside("fn-dsa 0.3.0, keys") else {
            return;
        };
        for case in outside.fndsa_0_3() {
            if case.logn < 9 {
                check::<KeyPairGeneratorWeak>(&case);
            } else {
                check::<KeyPairGeneratorStandard>(&case);
            }
        }
    }

    #[test]
    fn keys_of_0_4_0() {
        let Some(outside) = outside("fn-dsa 0.4.0, keys") else {
            return;
        };
        for case in outside.fndsa_0_4() {
            if case.logn < 9 {
                check::<draft2026::KeyPairGeneratorWeak>(&case);
            } else {
                check::<draft2026::KeyPairGeneratorStandard>(&case);
            }
        }
    }
}
