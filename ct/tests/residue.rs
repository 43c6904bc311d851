//! Scans the stack after each public operation on secrets, in the builds that people use: nothing may be left that
//! depends on a secret, and what the controls leave must be found.
#![cfg(all(target_os = "linux", any(target_arch = "x86", target_arch = "x86_64")))]

mod build;

use std::path::Path;
use std::process::Command;

use build::{
    FOR_SIZE, PLAIN, RATHER_FOR_SIZE, SHALLOW, SMALLEST, UNITED, Variant, WITHOUT_TABLES, X86_32,
    is_long, links_for_32_bits, skip, skips_without_programs,
};

const WITHOUT_32_BITS: &str =
    "the stack on 32-bit x86: no compiler that links for it (gcc-multilib)";

/// The backends that are ways of their own in FN-DSA.
const OF_FN_DSA: &[&str] = &["avx512", "avx2", "sse2", "portable32"];

/// What a program says.
fn said(program: &Path, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output();
    let output = output.expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    let name = program.display();
    assert!(
        output.status.success(),
        "{name} {argument}:\n{text}{errors}"
    );
    text
}

/// Nothing is left in this build, on these backends at least, and in each way of FN-DSA that the processor has.
fn leaves_nothing(variant: &Variant, at_least: &[&str]) {
    let program = variant.build();
    let text = said(&program, "residue");
    for backend in at_least {
        let line = format!("backend {backend}: 0 of ");
        assert!(text.contains(&line), "no control on {backend}:\n{text}");
    }
    let list = said(&program, "list");
    let here = list.lines().find_map(|line| line.strip_prefix("backends:"));
    let here: Vec<_> = here.expect("list names them").split_whitespace().collect();
    for way in OF_FN_DSA {
        if here.contains(way) {
            for kind in ["FN-DSA", "hybrid"] {
                let line = format!("{kind}, backend {way}: ");
                assert!(text.contains(&line), "no {line}\n{text}");
            }
        } else if variant.target.is_none() && cfg!(target_arch = "x86_64") {
            let name = variant.name;
            skip(&format!(
                "the stack on {way} ({name}): this processor does not have it"
            ));
        }
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn nothing_is_left() {
    leaves_nothing(&PLAIN, &["portable64", "portable32", "fiat64", "fiat32"]);
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn nothing_is_left_in_one_unit_of_code() {
    leaves_nothing(&UNITED, &["portable64", "portable32", "fiat64", "fiat32"]);
}

/// What is inlined nowhere is deeper on the stack, and results are copied on their way.
#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn nothing_is_left_in_builds_for_size() {
    leaves_nothing(&FOR_SIZE, &["portable64", "portable32", "fiat64", "fiat32"]);
    leaves_nothing(&SMALLEST, &["portable64", "portable32"]);
}

#[test]
#[ignore = "long; LANNER_CT_LONG=1 and --include-ignored"]
fn nothing_is_left_in_builds_rather_for_size_long() {
    if !is_long() {
        return;
    }
    leaves_nothing(
        &RATHER_FOR_SIZE,
        &["portable64", "portable32", "fiat64", "fiat32"],
    );
}

/// The margin is one: nothing needs it here.
#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn nothing_is_left_without_the_margin() {
    leaves_nothing(&SHALLOW, &["portable64", "portable32", "fiat64", "fiat32"]);
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn nothing_is_left_without_tables() {
    leaves_nothing(&WITHOUT_TABLES, &["portable64", "portable32"]);
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
fn nothing_is_left_on_32_bit_x86() {
    if links_for_32_bits() {
        leaves_nothing(&X86_32, &["sse2", "portable32", "fiat32"]);
    } else {
        skip(WITHOUT_32_BITS);
    }
}

/// The test runner holds back what a passing test prints: what is left out must be seen all the same.
#[test]
fn without_a_compiler_the_test_says_so() {
    skips_without_programs("nothing_is_left_on_32_bit_x86", WITHOUT_32_BITS);
}
