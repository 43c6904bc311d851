//! Lanner as a runner process.
//!
//! `--backends` lists the backends of this machine; `--backend NAME` before the pool forces one.

use std::process::ExitCode;

use lanner_bench_kit::serve;
use lanner_curve::backend;

fn run(args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let pool = match args[..] {
        ["--backends"] => {
            for backend in backend::list() {
                println!("{backend}");
            }
            return Ok(());
        }
        [pool] => pool,
        ["--backend", name, pool] => {
            let found = backend::list().find(|backend| backend.name() == name);
            let found = found.ok_or_else(|| format!("no backend '{name}' here"))?;
            backend::force(found).map_err(|error| error.to_string())?;
            pool
        }
        _ => return Err(String::from("usage: runner-lanner [--backend NAME] POOL")),
    };
    serve::serve_standard(&runner_lanner::Lanner, pool.as_ref())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-lanner: {message}");
            ExitCode::FAILURE
        }
    }
}
