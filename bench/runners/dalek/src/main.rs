//! ed25519-dalek and x25519-dalek as a runner process.

use std::process::ExitCode;

use lanner_bench_kit::{Library, Operation, Pool, Task, ristretto_shaped};

/// The libraries, with what processes alone are asked for.
struct Whole;

ristretto_shaped!(ristretto, curve25519_dalek);

impl Library for Whole {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        let rest = || runner_dalek::Dalek.operation(task, pool);
        ristretto(task, pool).or_else(rest)
    }
}

fn main() -> ExitCode {
    let Some(pool) = std::env::args_os().nth(1) else {
        eprintln!("usage: runner-dalek POOL");
        return ExitCode::FAILURE;
    };
    match lanner_bench_kit::serve::serve_standard(&Whole, pool.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-dalek: {message}");
            ExitCode::FAILURE
        }
    }
}
