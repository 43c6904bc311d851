//! ed25519-zebra, for its batches.

use ed25519_zebra::{Signature, VerificationKeyBytes, batch};
use getrandom::SysRng;
use rand_core::UnwrapErr;

use lanner_bench_kit::{Library, Operation, Pool, Task, runs};

/// The column zebra.
pub(crate) struct Zebra;

impl Library for Zebra {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let Task::BatchZip215(size) = task else {
            return None;
        };
        Some(runs(size, pool, move |run| {
            let mut batch = batch::Verifier::new();
            for i in run {
                let key = VerificationKeyBytes::from(pool.publics[i]);
                let signature = Signature::from_bytes(&pool.signatures[i]);
                batch.queue((key, signature, &pool.messages[i]));
            }
            assert!(batch.verify(UnwrapErr(SysRng)).is_ok());
        }))
    }
}
