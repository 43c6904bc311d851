//! The crate fn-dsa 0.4, in its default build: another scheme, and other keys.

use lanner_bench_kit::{Library, Operation, Pool, Task, fn_dsa_shaped};

/// The column fn-dsa-0.4.
pub(crate) struct FnDsa04;

fn_dsa_shaped!(tasks, fn_dsa_04, rand_core_06);

impl Library for FnDsa04 {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        tasks(task, pool)
    }
}
