//! fn-dsa 0.4 as a runner process.

use std::process::ExitCode;

use lanner_bench_kit::{Library, Operation, Pool, Task, fn_dsa_shaped, serve};

struct FnDsa04;

fn_dsa_shaped!(tasks, fn_dsa, rand_core_06);

impl Library for FnDsa04 {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        tasks(task, pool)
    }
}

fn main() -> ExitCode {
    let Some(pool) = std::env::args_os().nth(1) else {
        eprintln!("usage: runner-fn-dsa-04 POOL");
        return ExitCode::FAILURE;
    };
    match serve::serve_standard(&FnDsa04, pool.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-fn-dsa-04: {message}");
            ExitCode::FAILURE
        }
    }
}
