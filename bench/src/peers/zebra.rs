//! ed25519-zebra, for its batches.

use ed25519_zebra::{Signature, VerificationKeyBytes, batch};
use getrandom::SysRng;
use rand_core::UnwrapErr;

use super::{Implementation, Operation, runs};
use crate::pool::Pool;
use crate::rows::Row;

/// The column zebra.
pub(crate) struct Zebra;

impl Implementation for Zebra {
    fn name(&self) -> &'static str {
        "zebra"
    }

    fn package(&self) -> &'static str {
        "ed25519-zebra"
    }

    fn operation<'p>(&self, row: Row, pool: &'p Pool) -> Option<Operation<'p>> {
        let Row::BatchZip215(size) = row else {
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
