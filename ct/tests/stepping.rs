//! Follows the program instruction by instruction on a backend that valgrind cannot run: nothing may depend
//! on the secret, and the controls must.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod build;

use std::path::Path;
use std::process::Command;

use build::{PLAIN, c_library, is_long, skip};

/// What is followed in each run of the tests: each path through the arithmetic once.
const SHORT: &str =
    "keygen,sign,keypair-bytes,x25519,x25519-base,x25519-each,scalar-inversion,edwards-clamped";

/// Whether nothing differs, and what the program said.
fn step(program: &Path, args: &[&str]) -> (bool, String) {
    let output = Command::new(program).arg("step").args(args).output();
    let output = output.expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => (true, text),
        Some(1) => (false, text),
        _ => panic!("{args:?}: {}\n{text}{errors}", output.status),
    }
}

/// The options for the backend that valgrind does not have, where the processor has it.
fn avx512(program: &Path) -> Option<[&'static str; 2]> {
    let output = Command::new(program).arg("list").output();
    let output = output.expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let backends = text.lines().find_map(|line| line.strip_prefix("backends:"));
    let backends = backends.expect("list names them");
    let has = backends.split_whitespace().any(|name| name == "avx512");
    if !has {
        skip("constant time on avx512: this processor does not have it");
    }
    has.then_some(["--backend", "avx512"])
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn every_leak_differs() {
    let program = PLAIN.build();
    let Some(backend) = avx512(&program) else {
        return;
    };
    for control in ["branch", "index", "early-exit", "vartime-multiplication"] {
        let (same, text) = step(&program, &[&backend[..], &["--check", control]].concat());
        assert!(!same && text.contains("DIFFERS"), "{control}:\n{text}");
        assert!(text.contains("lanner_"), "no symbol:\n{text}");
    }
    // The divisor lies in memory, and nothing but its value differs.
    let (same, text) = step(&program, &[&backend[..], &["--check", "division"]].concat());
    assert!(!same && text.contains("here  div dword ["), "{text}");
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn secrets_do_not_steer_on_avx512() {
    let program = PLAIN.build();
    let Some(backend) = avx512(&program) else {
        return;
    };
    let (same, text) = step(&program, &[&backend[..], &["--check", SHORT]].concat());
    assert!(same, "{text}");
    let steps = text
        .lines()
        .filter(|line| line.contains("the same 2 times"));
    assert_eq!(steps.count(), SHORT.split(',').count(), "{text}");
    print!("{text}");
}

/// Takes minutes, and a quarter of an hour on a virtual processor that steps slowly.
#[test]
#[ignore = "long; LANNER_CT_LONG=1 and --include-ignored"]
fn secrets_do_not_steer_on_avx512_long() {
    if !is_long() {
        return;
    }
    let (program, library) = (PLAIN.build(), c_library());
    let Some(backend) = avx512(&program) else {
        return;
    };
    let library = ["--c-library", library.to_str().expect("a path in UTF-8")];
    for options in [
        // All of the curve, on three secrets; the C library; and where FN-DSA makes no attempts.
        &[&library[..], &["--inputs", "3"]].concat()[..],
        &["--group", "fn-dsa-keys"],
        &["--group", "key-files"],
    ] {
        let (same, text) = step(&program, &[&backend[..], options].concat());
        assert!(same, "{text}");
        print!("{text}");
    }
}
