//! Lanner, on the backend that is active.

use lanner_bench_kit::{
    FN_DSA_KEYS, FN_DSA_MANY, FixedBytes, FnDsa, Library, MANY, Operation, Pool, SINGLES, Scheme,
    Task, dalek_shaped, dalek_shaped_batch, each, fn_dsa_shaped, ristretto_shaped, runs,
};
use lanner_ed25519::batch::{Batch, PreparedBatch, verify_batch};
use lanner_ed25519::profile::{Dalek, Profile, ProfileName, Strict, Zip215};
use lanner_ed25519::{PreparedVerifyingKey, Signature, SigningKey, Verifier, VerifyingKey};
use lanner_fn_dsa::variant::{FnDsa as Variant, P3, P4};
use lanner_fn_dsa::{
    DOMAIN_NONE, HASH_ID_RAW, PreparedSigningKeyOf, SigningKeyOf, SigningSpace, SigningSpaceEach,
    VerifyingKeyOf, signature_size, vrfy_key_size,
};
use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_base_each, x25519_each};

use super::schemes;

/// The column lanner.
pub(crate) struct Lanner;

dalek_shaped!(single, lanner_ed25519, lanner_x25519);
dalek_shaped_batch!(batch, lanner_ed25519);
ristretto_shaped!(ristretto, lanner_curve);
fn_dsa_shaped!(fn_dsa, lanner_fn_dsa, rand_core_010);

impl Library for Lanner {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        own(task, pool)
            .or_else(|| single(task, pool))
            .or_else(|| batch(task, pool))
            .or_else(|| ristretto(task, pool))
            .or_else(|| fn_dsa(task, pool))
    }
}

fn decode(bytes: &[u8; 32]) -> VerifyingKey {
    VerifyingKey::from_bytes(bytes).expect("a public key")
}

/// What the dalek libraries do not have, or not in the best way that this one has.
fn own(task: Task, pool: &Pool) -> Option<Operation<'_>> {
    Some(match task {
        Task::SchemeSign(Scheme::Hybrid512) => schemes::hybrid::<9, 512>(true, pool),
        Task::SchemeVerify(Scheme::Hybrid512) => schemes::hybrid::<9, 512>(false, pool),
        Task::SchemeSign(Scheme::Hybrid1024) => schemes::hybrid::<10, 1024>(true, pool),
        Task::SchemeVerify(Scheme::Hybrid1024) => schemes::hybrid::<10, 1024>(false, pool),
        Task::Verify => verify_from_bytes(pool, Dalek.into()),
        Task::VerifyStrict => verify_from_bytes(pool, Strict.into()),
        Task::VerifyTwoCalls => each(move |i| {
            let signature = Signature::from_bytes(&pool.signatures[i]);
            let key = decode(&pool.publics[i]).under(Dalek);
            assert!(key.verify(&pool.messages[i], &signature).is_ok());
        }),
        Task::VerifyPrepared => {
            let prepare = |bytes| PreparedVerifyingKey::new(&decode(bytes));
            let keys: Vec<_> = pool.publics.iter().map(prepare).collect();
            each(move |i| {
                let signature = Signature::from_bytes(&pool.signatures[i]);
                assert!(keys[i].verify(&pool.messages[i], &signature).is_ok());
            })
        }
        Task::Batch(size) => from_bytes(size, pool, |messages, signatures, keys| {
            verify_batch(messages, signatures, keys).is_ok()
        }),
        Task::BatchZip215(size) => from_bytes(size, pool, |messages, signatures, keys| {
            zip215(messages, signatures, keys)
        }),
        Task::BatchZip215Decoded(size) => {
            let messages = pool.slices();
            let keys: Vec<_> = pool.publics.iter().map(decode).collect();
            runs(size, pool, move |run| {
                let signatures = signatures(&pool.signatures[run.clone()]);
                let (messages, keys) = (&messages[run.clone()], &keys[run]);
                assert!(zip215(messages, &signatures, keys));
            })
        }
        Task::Each(size) => from_bytes(size, pool, one_verdict_each::<Dalek>),
        Task::EachStrict(size) => from_bytes(size, pool, one_verdict_each::<Strict>),
        Task::KeygenMany => runs(MANY, pool, move |run| {
            let mut keys = vec![None; run.len()];
            VerifyingKey::from_secret_keys_each(&pool.seeds[run.clone()], &mut keys);
            let keys: Vec<_> = keys.iter().flatten().map(VerifyingKey::to_bytes).collect();
            assert_eq!(keys, pool.publics[run]);
        }),
        Task::SignMany => {
            let keys: Vec<_> = pool.seeds.iter().map(SigningKey::from_bytes).collect();
            let messages = pool.slices();
            runs(MANY, pool, move |run| {
                let keys: Vec<_> = keys[run.clone()].iter().collect();
                let mut signatures = vec![Signature::from_bytes(&[0; 64]); run.len()];
                SigningKey::sign_each_by(&keys, &messages[run.clone()], &mut signatures);
                for (signature, expected) in signatures.iter().zip(&pool.signatures[run]) {
                    assert_eq!(signature.to_bytes(), *expected);
                }
            })
        }
        Task::VerifyPreparedMany => {
            let prepare = |bytes| PreparedVerifyingKey::new(&decode(bytes));
            let keys: Vec<_> = pool.publics.iter().map(prepare).collect();
            let messages = pool.slices();
            runs(MANY, pool, move |run| {
                let keys: Vec<_> = keys[run.clone()].iter().collect();
                let signatures = signatures(&pool.signatures[run.clone()]);
                let mut verdicts = vec![false; run.len()];
                PreparedBatch::new(Dalek, &messages[run], &signatures, &keys)
                    .and_then(|batch| batch.verify_each_into(&mut verdicts))
                    .expect("the slices have one length");
                assert!(verdicts.iter().all(|valid| *valid));
            })
        }
        Task::X25519BaseMany => {
            let publics = pool
                .seeds
                .iter()
                .map(|seed| x25519(*seed, X25519_BASEPOINT_BYTES));
            let publics: Vec<_> = publics.collect();
            runs(MANY, pool, move |run| {
                let mut keys = vec![[0; 32]; run.len()];
                x25519_base_each(&pool.seeds[run.clone()], &mut keys);
                assert_eq!(keys, publics[run]);
            })
        }
        Task::X25519Many => runs(MANY, pool, move |run| {
            let mut shared = vec![[0; 32]; run.len()];
            x25519_each(
                &pool.seeds[run.clone()],
                &pool.peers[run.clone()],
                &mut shared,
            );
            assert_eq!(shared, pool.shared[run]);
        }),
        Task::FnDsa(FnDsa::SignDraft, 9) => sign_draft::<9, 512>(pool),
        Task::FnDsa(FnDsa::SignDraft, 10) => sign_draft::<10, 1024>(pool),
        Task::FnDsa(FnDsa::SignPrepared, 9) => sign_prepared::<9, 512>(pool),
        Task::FnDsa(FnDsa::SignPrepared, 10) => sign_prepared::<10, 1024>(pool),
        Task::FnDsa(FnDsa::SignMany, 9) => sign_many::<9, 512>(pool),
        Task::FnDsa(FnDsa::SignMany, 10) => sign_many::<10, 1024>(pool),
        Task::FnDsa(FnDsa::VerifyMany, 9) => verify_many::<9, 512>(pool),
        Task::FnDsa(FnDsa::VerifyMany, 10) => verify_many::<10, 1024>(pool),
        _ => return None,
    })
}

/// A key of FN-DSA.
fn key<V: Variant, const LOGN: u32, const N: usize>(number: usize) -> SigningKeyOf<V, LOGN, N> {
    let rng = &mut Fixed(FixedBytes::new(number));
    SigningKeyOf::generate(rng).expect("the generator does not fail")
}

/// The draft guess, whose keys and signatures are those of fn-dsa 0.4.
fn sign_draft<const LOGN: u32, const N: usize>(pool: &Pool) -> Operation<'_> {
    let keys: Vec<_> = (0..FN_DSA_KEYS).map(key::<P4, LOGN, N>).collect();
    let sign = move |i: usize| {
        let mut signature = vec![0; signature_size(LOGN)];
        let rng = &mut Fixed(FixedBytes::new(i));
        let message = &pool.messages[i];
        keys[i % FN_DSA_KEYS]
            .sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, &mut signature)
            .expect("a key signs");
        signature
    };
    let expected: Vec<_> = (0..SINGLES).map(&sign).collect();
    each(move |i| assert!(sign(i) == expected[i]))
}

/// A key of FN-DSA, and its prepared form.
fn prepared<const LOGN: u32, const N: usize>(
    number: usize,
) -> (
    SigningKeyOf<P3, LOGN, N>,
    Box<PreparedSigningKeyOf<P3, LOGN, N>>,
) {
    let rng = &mut Fixed(FixedBytes::new(number));
    let key = SigningKeyOf::generate(rng).expect("the generator does not fail");
    let mut prepared = Box::new(PreparedSigningKeyOf::new());
    prepared.prepare(&key);
    (key, prepared)
}

fn sign_prepared<const LOGN: u32, const N: usize>(pool: &Pool) -> Operation<'_> {
    let keys: Vec<_> = (0..FN_DSA_KEYS).map(prepared::<LOGN, N>).collect();
    let mut space = Box::new(SigningSpace::new());
    let size = signature_size(LOGN);
    let expected: Vec<_> = (0..SINGLES)
        .map(|i| {
            let mut signature = vec![0; size];
            let rng = &mut Fixed(FixedBytes::new(i));
            keys[i % FN_DSA_KEYS]
                .0
                .sign_bytes(
                    rng,
                    &DOMAIN_NONE,
                    &HASH_ID_RAW,
                    &pool.messages[i],
                    &mut signature,
                )
                .expect("a key signs");
            signature
        })
        .collect();
    each(move |i| {
        let mut signature = vec![0; size];
        let rng = &mut Fixed(FixedBytes::new(i));
        let (message, key) = (&pool.messages[i], &keys[i % FN_DSA_KEYS].1);
        key.sign_bytes_in(
            &mut space,
            rng,
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            message,
            &mut signature,
        )
        .expect("a key signs");
        assert!(signature == expected[i]);
    })
}

fn sign_many<const LOGN: u32, const N: usize>(pool: &Pool) -> Operation<'_> {
    let (key, prepared) = prepared::<LOGN, N>(0);
    let mut space = Box::new(SigningSpaceEach::new());
    let size = signature_size(LOGN);
    let messages = pool.slices();
    let verifying = key.verifying_key();
    let mut checked = vec![false; messages.len()];
    runs(FN_DSA_MANY, pool, move |run| {
        let mut signatures = vec![0; run.len() * size];
        let rng = &mut Fixed(FixedBytes::new(run.start));
        let messages = &messages[run.clone()];
        prepared
            .sign_each(
                &mut space,
                rng,
                &DOMAIN_NONE,
                &HASH_ID_RAW,
                messages,
                &mut signatures,
            )
            .expect("a key signs");
        if !std::mem::replace(&mut checked[run.start], true) {
            for (message, signature) in messages.iter().zip(signatures.chunks_exact(size)) {
                verifying
                    .try_verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message)
                    .expect("a signature");
            }
        }
    })
}

fn verify_many<const LOGN: u32, const N: usize>(pool: &Pool) -> Operation<'_> {
    let messages = pool.slices();
    let signers: Vec<_> = (0..FN_DSA_KEYS).map(|i| prepared::<LOGN, N>(i).0).collect();
    let signed = messages.iter().enumerate().map(|(i, message)| {
        let signer = &signers[i % FN_DSA_KEYS];
        let mut key = vec![0; vrfy_key_size(LOGN)];
        signer
            .verifying_key()
            .write_bytes(&mut key)
            .expect("its length");
        let mut signature = vec![0; signature_size(LOGN)];
        let rng = &mut Fixed(FixedBytes::new(i));
        signer
            .sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, message, &mut signature)
            .expect("a key signs");
        (key, signature)
    });
    let (encoded, signatures): (Vec<_>, Vec<_>) = signed.unzip();
    runs(FN_DSA_MANY, pool, move |run| {
        let encoded: Vec<&[u8]> = encoded[run.clone()].iter().map(Vec::as_slice).collect();
        let signatures: Vec<&[u8]> = signatures[run.clone()].iter().map(Vec::as_slice).collect();
        let mut keys = vec![None; run.len()];
        VerifyingKeyOf::<P3, LOGN, N>::from_bytes_each(&encoded, &mut keys);
        let keys: Vec<_> = keys.iter().flatten().collect();
        let mut verdicts = vec![false; run.len()];
        VerifyingKeyOf::verify_each(
            &keys,
            &signatures,
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            &messages[run],
            &mut verdicts,
        )
        .expect("the slices have one length");
        assert!(verdicts.iter().all(|valid| *valid));
    })
}

/// A key that is used once: it is decoded beside R.
fn verify_from_bytes(pool: &Pool, profile: ProfileName) -> Operation<'_> {
    each(move |i| {
        let signature = Signature::from_bytes(&pool.signatures[i]);
        let (key, message) = (&pool.publics[i], &pool.messages[i]);
        assert!(VerifyingKey::verify_from_bytes(key, profile, message, &signature).is_ok());
    })
}

fn signatures(bytes: &[[u8; 64]]) -> Vec<Signature> {
    bytes.iter().map(Signature::from_bytes).collect()
}

/// An operation on many signatures whose keys are decoded each time.
fn from_bytes<'p>(
    size: usize,
    pool: &'p Pool,
    verify: impl Fn(&[&[u8]], &[Signature], &[VerifyingKey]) -> bool + 'p,
) -> Operation<'p> {
    let messages = pool.slices();
    runs(size, pool, move |run| {
        let mut keys = vec![None; run.len()];
        VerifyingKey::from_bytes_each(&pool.publics[run.clone()], &mut keys);
        let keys: Vec<_> = keys.into_iter().map(|key| key.expect("a key")).collect();
        let signatures = signatures(&pool.signatures[run.clone()]);
        assert!(verify(&messages[run], &signatures, &keys));
    })
}

fn zip215(messages: &[&[u8]], signatures: &[Signature], keys: &[VerifyingKey]) -> bool {
    Batch::new(Zip215, messages, signatures, keys)
        .and_then(|batch| batch.verify())
        .is_ok()
}

fn one_verdict_each<P: Profile>(
    messages: &[&[u8]],
    signatures: &[Signature],
    keys: &[VerifyingKey],
) -> bool {
    Batch::new(P::NAME, messages, signatures, keys)
        .is_ok_and(|batch| batch.verify_each().iter().all(|valid| *valid))
}
