//! ed25519-dalek, x25519-dalek and curve25519-dalek, in their default build.

use lanner_bench_kit::{
    Library, Operation, Pool, Task, dalek_shaped, dalek_shaped_batch, ristretto_shaped,
};

/// The column dalek.
pub(crate) struct Dalek;

dalek_shaped!(single, ed25519_dalek, x25519_dalek);
dalek_shaped_batch!(batch, ed25519_dalek);
ristretto_shaped!(ristretto, curve25519_dalek);

impl Library for Dalek {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        single(task, pool)
            .or_else(|| batch(task, pool))
            .or_else(|| ristretto(task, pool))
    }
}
