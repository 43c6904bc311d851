//! Lanner, on the backend that is active.

use lanner_bench_kit::{
    Library, MANY, Operation, Pool, Task, dalek_shaped, dalek_shaped_batch, each, fn_dsa_shaped,
    runs,
};
use lanner_ed25519::batch::{Batch, PreparedBatch, verify_batch};
use lanner_ed25519::profile::{Dalek, Profile, ProfileName, Strict, Zip215};
use lanner_ed25519::{PreparedVerifyingKey, Signature, SigningKey, Verifier, VerifyingKey};
use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_base_each, x25519_each};

/// The column lanner.
pub(crate) struct Lanner;

dalek_shaped!(single, lanner_ed25519, lanner_x25519);
dalek_shaped_batch!(batch, lanner_ed25519);
fn_dsa_shaped!(fn_dsa, lanner_fn_dsa, rand_core_010);

impl Library for Lanner {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        own(task, pool)
            .or_else(|| single(task, pool))
            .or_else(|| batch(task, pool))
            .or_else(|| fn_dsa(task, pool))
    }
}

fn decode(bytes: &[u8; 32]) -> VerifyingKey {
    VerifyingKey::from_bytes(bytes).expect("a public key")
}

/// What the dalek libraries do not have, or not in the best way that this one has.
fn own(task: Task, pool: &Pool) -> Option<Operation<'_>> {
    Some(match task {
        Task::Verify => verify_from_bytes(pool, Dalek.into()),
        Task::VerifyStrict => verify_from_bytes(pool, Strict.into()),
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
        _ => return None,
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
