//! ed25519-zebra, whose one rule is ZIP 215.

use ed25519_zebra::{Signature, VerificationKey, VerificationKeyBytes, batch};
use getrandom::SysRng;
use rand_core::UnwrapErr;

use lanner_bench_kit::{Library, Operation, Pool, Task, each, runs};

/// The column zebra.
pub(crate) struct Zebra;

impl Library for Zebra {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let key = |i: usize| VerificationKey::try_from(pool.publics[i]).expect("it is a point");
        let is_valid = |key: &VerificationKey, i: usize| {
            let signature = Signature::from_bytes(&pool.signatures[i]);
            key.verify(&signature, &pool.messages[i]).is_ok()
        };
        Some(match task {
            Task::Verify => each(move |i| assert!(is_valid(&key(i), i))),
            Task::VerifyDecoded => {
                let keys: Vec<_> = (0..pool.publics.len()).map(key).collect();
                each(move |i| assert!(is_valid(&keys[i], i)))
            }
            Task::BatchZip215(size) => runs(size, pool, move |run| {
                let mut batch = batch::Verifier::new();
                for i in run {
                    let key = VerificationKeyBytes::from(pool.publics[i]);
                    let signature = Signature::from_bytes(&pool.signatures[i]);
                    batch.queue((key, signature, &pool.messages[i]));
                }
                assert!(batch.verify(UnwrapErr(SysRng)).is_ok());
            }),
            _ => return None,
        })
    }
}
