//! ed25519-dalek and x25519-dalek as a runner process.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(pool) = std::env::args_os().nth(1) else {
        eprintln!("usage: runner-dalek POOL");
        return ExitCode::FAILURE;
    };
    match lanner_bench_kit::serve::serve_standard(&runner_dalek::Dalek, pool.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-dalek: {message}");
            ExitCode::FAILURE
        }
    }
}
