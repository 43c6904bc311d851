//! commonware-cryptography-curve25519 as a runner process.
//!
//! It signs messages under a name space, never bare ones, so the signatures here are its own: the name space is
//! empty, and the message that is hashed is the pool's and one byte before it.

use std::process::ExitCode;

use commonware_codec::{Copying, DecodeExt};
use commonware_cryptography::{BatchEntry, BatchVerifier};
use commonware_cryptography_curve25519::signing::{Signature, SigningKey, VerifyingKey};
use commonware_parallel::Sequential;
use getrandom::SysRng;
use lanner_bench_kit::{Library, Operation, Pool, Task, each, runs, serve};
use rand_core::UnwrapErr;

const NAMESPACE: &[u8] = b"";

struct Commonware;

fn key(seed: &[u8; 32]) -> SigningKey {
    SigningKey::decode(Copying(seed)).expect("a seed")
}

/// The signatures of the pool's keys on its messages.
fn signatures(pool: &Pool) -> Vec<[u8; 64]> {
    let keys = pool.seeds.iter().map(key);
    keys.zip(&pool.messages)
        .map(|(key, message)| {
            let signature = key.sign(NAMESPACE, message);
            let bytes: &[u8] = signature.as_ref();
            bytes.try_into().expect("64 bytes")
        })
        .collect()
}

impl Library for Commonware {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let public = |i: usize| VerifyingKey::decode(Copying(&pool.publics[i])).expect("32 bytes");
        let signature = |bytes: &[u8; 64]| Signature::decode(Copying(bytes)).expect("64 bytes");
        Some(match task {
            Task::Keygen => each(move |i| {
                assert_eq!(
                    key(&pool.seeds[i]).verifying_key().as_ref(),
                    pool.publics[i]
                );
            }),
            Task::Sign => {
                let keys: Vec<_> = pool.seeds.iter().map(key).collect();
                let expected = signatures(pool);
                each(move |i| {
                    let signature = keys[i].sign(NAMESPACE, &pool.messages[i]);
                    assert_eq!(signature.as_ref(), expected[i]);
                })
            }
            Task::Verify => {
                let signatures = signatures(pool);
                each(move |i| {
                    let signature = signature(&signatures[i]);
                    assert!(public(i).verify(NAMESPACE, &pool.messages[i], &signature));
                })
            }
            Task::VerifyDecoded => {
                let signatures = signatures(pool);
                // Keys that come from secret ones hold their point.
                let keys: Vec<_> = pool.seeds.iter().map(|s| key(s).verifying_key()).collect();
                each(move |i| {
                    let signature = signature(&signatures[i]);
                    assert!(keys[i].verify(NAMESPACE, &pool.messages[i], &signature));
                })
            }
            Task::BatchZip215(size) => {
                let signatures = signatures(pool);
                runs(size, pool, move |run| {
                    let items: Vec<_> = run
                        .map(|i| (public(i), signature(&signatures[i]), &pool.messages[i]))
                        .collect();
                    let are_valid = VerifyingKey::verify_batch(
                        &mut UnwrapErr(SysRng),
                        &items,
                        |_, (public_key, signature, message)| BatchEntry {
                            namespace: NAMESPACE,
                            message,
                            public_key,
                            signature,
                        },
                        &Sequential,
                    );
                    assert!(are_valid);
                })
            }
            _ => return None,
        })
    }
}

fn main() -> ExitCode {
    let Some(pool) = std::env::args_os().nth(1) else {
        eprintln!("usage: runner-commonware POOL");
        return ExitCode::FAILURE;
    };
    match serve::serve_standard(&Commonware, pool.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-commonware: {message}");
            ExitCode::FAILURE
        }
    }
}
