//! `cargo xtask c-bench`: liblanner against its peers from C, and against itself from Rust.

use super::build::{Variant, build};
use super::programs::{Compile, PLAIN, compile, source};
use super::targets::{find, host};
use super::text;
use crate::process::{Cmd, target_dir};

/// The operations of `c/bench/calls.c`.
const OPERATIONS: [&str; 4] = ["public", "sign", "verify", "x25519"];

/// `cargo xtask c-bench`.
///
/// # Errors
///
/// An option is unknown, a peer is not installed, or a program fails.
pub(super) fn run(args: &[String]) -> Result<(), String> {
    let mut instructions = false;
    let mut rounds = String::from("101");
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--instructions" => instructions = true,
            "--rounds" => super::value(arg, &mut args)?.clone_into(&mut rounds),
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
    Cmd::new(&text(&program)).args([rounds]).run().map(drop)
}

/// Instructions of one call through the C face, and of the same call in Rust.
fn count(from_c: &str) -> Result<(), String> {
    Cmd::cargo(["build", "-p", "lanner-c", "--example", "calls"])
        .args(["--profile", "liblanner"])
        .run()?;
    let from_rust = text(&target_dir().join("liblanner/examples/calls"));
    println!("\n| instructions a call | C | Rust | C adds |\n|---|---:|---:|---:|");
    for operation in OPERATIONS {
        let c = per_call(from_c, operation)?;
        let rust = per_call(&from_rust, operation)?;
        let added = (c - rust) / rust * 100.0;
        println!("| {operation} | {c:.0} | {rust:.0} | {added:+.2} % |");
    }
    Ok(())
}

/// The difference of two runs, so that what comes before the calls does not count.
fn per_call(program: &str, operation: &str) -> Result<f64, String> {
    let (few, many) = (
        instructions(program, operation, 10)?,
        instructions(program, operation, 60)?,
    );
    Ok((many - few) / 50.0)
}

fn instructions(program: &str, operation: &str, count: u32) -> Result<f64, String> {
    let script = format!(
        "valgrind --tool=callgrind --callgrind-out-file=/dev/null '{program}' {operation} {count} 2>&1"
    );
    let output = Cmd::new("sh").args(["-c", &script]).capture()?;
    output
        .lines()
        .find_map(|line| line.split_once("Collected : "))
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| format!("callgrind said nothing of {program}:\n{output}"))
}
