//! The programs of docs/migration.md, compiled as they are written, manifests included: each in a package of its own, with
//! the features and the dependencies that the page gives it and no others. `cargo xtask test --full` checks them, and
//! the long tests run them.
#![cfg(feature = "getrandom")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// The crates whose releases the page names.
const CRATES: [&str; 7] = [
    "simd", "hash", "curve", "ed25519", "x25519", "fn-dsa", "lanner",
];

/// A manifest and a program that goes with it.
struct Program {
    manifest: String,
    source: String,
    /// Of the program's first line on the page.
    line: usize,
}

/// Every program of the page, each with the last manifest above it.
fn programs(page: &str) -> Vec<Program> {
    let mut programs = Vec::new();
    let mut manifest = None;
    let mut block: Option<(&str, String, usize)> = None;
    for (number, line) in page.lines().enumerate() {
        match (&mut block, line.strip_prefix("```")) {
            (None, Some(language)) => block = Some((language, String::new(), number + 2)),
            (None, None) => {}
            (Some((_, text, _)), None) => {
                writeln!(text, "{line}").unwrap();
            }
            (Some(_), Some(_)) => match block.take().unwrap() {
                ("toml", text, _) => manifest = Some(text),
                ("rust", source, line) => programs.push(Program {
                    manifest: manifest.clone().expect("a manifest above each program"),
                    source,
                    line,
                }),
                (language, _, line) => panic!("line {line}: what is a block of {language:?}?"),
            },
        }
    }
    assert!(block.is_none(), "a block without an end");
    programs
}

/// A workspace with a package for each program, and this repository in the place of the released crates.
fn write_workspace(root: &Path, repository: &Path, programs: &[Program]) {
    let mut manifest = String::from("[workspace]\nresolver = \"3\"\nmembers = [");
    for (i, program) in programs.iter().enumerate() {
        let directory = root.join(format!("program-{i}"));
        std::fs::create_dir_all(directory.join("src")).unwrap();
        let package = format!(
            "[package]\nname = \"program-{i}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{}",
            program.manifest
        );
        std::fs::write(directory.join("Cargo.toml"), package).unwrap();
        std::fs::write(directory.join("src/main.rs"), &program.source).unwrap();
        write!(manifest, "\"program-{i}\", ").unwrap();
    }
    manifest.push_str("]\n\n[profile.dev]\nopt-level = 0\ndebug = false\n\n[patch.crates-io]\n");
    for name in CRATES {
        let prefix = if name == "lanner" { "" } else { "lanner-" };
        let path = repository.join("crates").join(name);
        writeln!(manifest, "{prefix}{name} = {{ path = {path:?} }}").unwrap();
    }
    std::fs::write(root.join("Cargo.toml"), manifest).unwrap();
    // The versions that everything else is tested with, as far as they are the same crates.
    std::fs::copy(repository.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
}

#[test]
#[ignore = "a minute: checks the crates for each manifest"]
fn the_programs_of_the_page_compile() {
    with_each_program("check");
}

#[test]
#[ignore = "minutes: builds the crates for each manifest"]
fn the_programs_of_the_page_run() {
    with_each_program("run");
}

/// Lets cargo do its work (`check`, `run`) on every program of the page; warnings count as errors.
fn with_each_program(verb: &str) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let repository = crates.parent().unwrap();
    let page = std::fs::read_to_string(repository.join("docs/migration.md")).unwrap();
    let programs = programs(&page);
    assert!(programs.len() >= 10, "{} programs", programs.len());

    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("migration-{verb}"));
    let root = place.join("workspace");
    if root.exists() {
        std::fs::remove_dir_all(&root).unwrap();
    }
    std::fs::create_dir_all(&root).unwrap();
    write_workspace(&root, repository, &programs);
    let cargo = |args: &[&str]| {
        Command::new(env!("CARGO"))
            .args(args)
            .current_dir(&root)
            // Kept between runs, and not the directory that this test is built in, which is locked.
            .env("CARGO_TARGET_DIR", place.join("target"))
            .env_remove("RUSTFLAGS")
            .output()
            .unwrap()
    };
    let fetched = cargo(&["fetch"]);
    if !fetched.status.success() {
        let why = String::from_utf8_lossy(&fetched.stderr);
        assert!(
            why.contains("download") || why.contains("network") || why.contains("registry"),
            "{why}"
        );
        // Past the capture of the test harness.
        let _ = writeln!(
            std::io::stderr(),
            "\nSKIPPED: the programs of docs/migration.md: {why}"
        );
        return;
    }
    for (i, program) in programs.iter().enumerate() {
        // One package at a time: together, each would have the features of all.
        let output = cargo(&[verb, "--quiet", "-p", &format!("program-{i}")]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && !said.contains("warning"),
            "the program in line {} of docs/migration.md, with\n{}\n{said}",
            program.line,
            program.manifest
        );
    }
}
