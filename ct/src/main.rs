//! Runs everything that handles secrets under valgrind, with the secrets marked: see README.md.

mod checks;
mod controls;
mod memcheck;
mod output;
mod random;
mod secrets;

use std::process::ExitCode;

use lanner_curve::backend::{self, Backend};

use checks::Check;
use secrets::Secrets;

const USAGE: &str = "\
usage: valgrind lanner-ct check [--backend NAME]     run all checks; every backend, or one
       valgrind lanner-ct control NAME [--backend NAME]   run a leak that must be reported
       lanner-ct list                                checks, controls, and backends of this machine";

/// So many different inputs for each check.
const INPUTS: u64 = 2;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("lanner-ct: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing was reported and every result was right.
fn run(args: &[&str]) -> Result<bool, String> {
    let (checks, backends): (Vec<&Check>, Vec<Backend>) = match *args {
        ["list"] => {
            list();
            return Ok(true);
        }
        ["check"] => (checks::all().collect(), backend::list().collect()),
        ["check", "--backend", name] => (checks::all().collect(), vec![named(name)?]),
        ["control", control] => (vec![one(control)?], backend::list().take(1).collect()),
        ["control", control, "--backend", name] => (vec![one(control)?], vec![named(name)?]),
        _ => return Err(String::from(USAGE)),
    };
    if !memcheck::is_present() {
        return Err(format!("this proves nothing without valgrind\n{USAGE}"));
    }
    if cfg!(debug_assertions) {
        return Err(String::from(
            "built with debug assertions, which branch on secrets; use --release",
        ));
    }
    let mut clean = true;
    for backend in backends {
        backend::force(backend).map_err(|error| error.to_string())?;
        let results = checks.iter().map(|check| examine(check, backend));
        let leaks = results.filter(|clean| !clean).count();
        println!(
            "backend {backend}: {} of {} without a finding",
            checks.len() - leaks,
            checks.len()
        );
        clean &= leaks == 0;
    }
    Ok(clean)
}

/// Runs a check on plain and on marked input. Says what is wrong; true if nothing is.
fn examine(check: &Check, backend: Backend) -> bool {
    let (name, operation) = check;
    let mut clean = true;
    for i in 0..INPUTS {
        let plain = Secrets::new(i);
        let expected = operation(&plain);
        let marked = plain.marked();
        let before = memcheck::errors();
        let mut output = operation(&marked);
        let errors = memcheck::errors() - before;
        output.declassify();
        if errors > 0 {
            println!("{backend} {name}: {errors} uses of a secret reported");
            clean = false;
        }
        if output != expected {
            println!("{backend} {name}: another result under marks");
            clean = false;
        }
    }
    clean
}

fn named(name: &str) -> Result<Backend, String> {
    backend::list()
        .find(|backend| backend.name() == name)
        .ok_or_else(|| format!("no backend '{name}' on the processor that valgrind presents"))
}

fn one(name: &str) -> Result<&'static Check, String> {
    let mut all = controls::ALL.iter();
    all.find(|(known, _)| *known == name)
        .ok_or_else(|| format!("no control '{name}'"))
}

fn list() {
    fn names(checks: impl Iterator<Item = &'static Check>) -> String {
        let names: Vec<&str> = checks.map(|(name, _)| *name).collect();
        names.join(" ")
    }
    let backends: Vec<&str> = backend::list().map(|backend| backend.name()).collect();
    println!("checks: {}", names(checks::all()));
    println!("controls: {}", names(controls::ALL.iter()));
    println!("backends: {}", backends.join(" "));
}
