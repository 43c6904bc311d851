//! Lanner's FN-DSA as a runner process.
//!
//! `--backend NAME` before the pool forces a backend; `--make-pool ENTRIES` writes a pool instead of reading it, with what
//! FN-DSA takes from one: the messages. The rest is zeros.

use std::process::ExitCode;

use lanner_bench_kit::{Library, Operation, Pool, Task, fn_dsa_shaped, serve};
use lanner_fn_dsa::backend;

struct Lanner;

fn_dsa_shaped!(tasks, lanner_fn_dsa, rand_core_010);

impl Library for Lanner {
    fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
        tasks(task, pool)
    }
}

/// Short messages that differ.
fn make_pool(entries: usize) -> Pool {
    Pool {
        messages: (0..entries as u64)
            .map(|i| i.to_le_bytes().repeat(4))
            .collect(),
        seeds: vec![[0; 32]; entries],
        publics: vec![[0; 32]; entries],
        signatures: vec![[0; 64]; entries],
        peers: vec![[0; 32]; entries],
        shared: vec![[0; 32]; entries],
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let pool = match args[..] {
        ["--make-pool", entries, pool] => {
            let entries = entries.parse().map_err(|_| String::from("no number"))?;
            let file = make_pool(entries).to_file();
            return std::fs::write(pool, file).map_err(|error| error.to_string());
        }
        [pool] => pool,
        ["--backend", name, pool] => {
            let found = backend::list().find(|backend| backend.name() == name);
            let found = found.ok_or_else(|| format!("no backend '{name}' here"))?;
            backend::force(found).map_err(|error| error.to_string())?;
            pool
        }
        _ => {
            return Err(String::from(
                "usage: runner-lanner-fn-dsa [--backend NAME] POOL",
            ));
        }
    };
    serve::serve_standard(&Lanner, pool.as_ref())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-lanner-fn-dsa: {message}");
            ExitCode::FAILURE
        }
    }
}
