//! `cargo xtask c-bench`: liblanner against its peers from C, and against itself from Rust.

use super::build::{Variant, build};
use super::programs::{Compile, PLAIN, compile, source};
use crate::files::text;
use crate::process::{Cmd, target_dir, value};
use crate::targets::{find, host};

/// The operations of `c/bench/calls.c`.
const OPERATIONS: [&str; 7] = [
    "public",
    "sign",
    "sign-seed",
    "verify",
    "x25519",
    "fn-dsa-sign",
    "fn-dsa-verify",
];

/// Backends that valgrind may know the instructions of; one that it does not know is left out.
const BACKENDS: [&str; 3] = ["avx2", "adx", "portable64"];

/// `cargo xtask c-bench`.
///
/// # Errors
///
/// An option is unknown, a peer is not installed, or a program fails.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut instructions = false;
    let mut rounds = String::from("101");
    let mut backend = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--instructions" => instructions = true,
            "--rounds" => value(arg, &mut args)?.clone_into(&mut rounds),
            "--backend" => backend = Some(value(arg, &mut args)?.to_owned()),
            other => return Err(format!("c-bench: unknown option '{other}'")),
        }
    }
    let library = build(&find(&host()?)?, Variant::default())?;
    let dir = target_dir().join("c-bench");
    let how = Compile {
        standard: "-std=c99",
        ..PLAIN
    };
    if instructions {
        let program = compile(
            &library,
            &how,
            &[source("bench/calls.c")],
            &dir,
            "calls",
            &[],
        )?;
        return count(&text(&program));
    }
    let libraries = ["-lsodium", "-lcrypto"];
    let program = compile(
        &library,
        &how,
        &[source("bench/bench.c")],
        &dir,
        "bench",
        &libraries,
    )?;
    Cmd::new(&text(&program))
        .args([rounds])
        .args(backend)
        .run()
        .map(drop)
}

/// Instructions of one call through the C face, and of the same call in Rust.
fn count(from_c: &str) -> Result<(), String> {
    Cmd::cargo(["build", "-p", "lanner-c", "--example", "calls"])
        .args(["--profile", "liblanner"])
        .run()?;
    let from_rust = text(&target_dir().join("liblanner/examples/calls"));
    println!("\n| instructions a call | C | Rust | C adds |\n|---|---:|---:|---:|");
    for operation in OPERATIONS {
        let c = per_call(from_c, operation, None)?;
        let rust = per_call(&from_rust, operation, None)?;
        let added = (c - rust) / rust * 100.0;
        println!("| {operation} | {c:.0} | {rust:.0} | {added:+.2} % |");
    }
    println!(
        "\n| instructions a call | public key | sign, key at hand | ed25519_sign | more |\n\
         |---|---:|---:|---:|---:|"
    );
    for backend in BACKENDS {
        let count = |operation| per_call(from_c, operation, Some(backend));
        if let (Ok(public), Ok(sign), Ok(seed)) =
            (count("public"), count("sign"), count("sign-seed"))
        {
            let more = (seed / sign - 1.0) * 100.0;
            println!("| {backend} | {public:.0} | {sign:.0} | {seed:.0} | {more:+.0} % |");
        }
    }
    Ok(())
}

/// The difference of two runs, so that what comes before the calls does not count.
fn per_call(program: &str, operation: &str, backend: Option<&str>) -> Result<f64, String> {
    let run = |count| instructions(program, operation, count, backend.unwrap_or_default());
    Ok((run(60)? - run(10)?) / 50.0)
}

fn instructions(program: &str, operation: &str, count: u32, backend: &str) -> Result<f64, String> {
    let script = format!(
        "valgrind --tool=callgrind --callgrind-out-file=/dev/null \
         '{program}' {operation} {count} {backend} 2>&1"
    );
    let output = Cmd::new("sh").args(["-c", &script]).capture()?;
    output
        .lines()
        .find_map(|line| line.split_once("Collected : "))
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| format!("callgrind said nothing of {program}:\n{output}"))
}
