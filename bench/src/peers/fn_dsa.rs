//! The crate fn-dsa 0.3, in its default build.

use lanner_bench_kit::{Library, Operation, Pool, Task, fn_dsa_shaped};

/// The column fn-dsa.
pub(crate) struct FnDsa03;

fn_dsa_shaped!(tasks, fn_dsa, rand_core_06);

impl Library for FnDsa03 {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        tasks(task, pool)
    }
}
