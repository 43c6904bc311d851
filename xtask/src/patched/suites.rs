//! The tests that a package brings, without the patch and with it.

use std::path::Path;

use super::outcome::Tests;
use super::programs::{Missing, Program};
use super::{configuration, directory, sources};
use crate::files;
use crate::process::Cmd;

/// Both runs; `None` where they cannot be built from the registry.
///
/// # Errors
///
/// Cargo cannot build the tests, the patch does not reach all of the family, no test passes without it, or what should be
/// missing is there.
pub(super) fn both(program: &Program, source: &Path) -> Result<Option<[Tests; 2]>, String> {
    if !are_there(program.missing.as_ref(), source)? {
        return Ok(None);
    }
    let before = run(program, source, None)?;
    if before.passed.is_empty() {
        return Err(String::from("without the patch no test passes"));
    }
    // A lock file holds to what it has.
    let lock = source.join("Cargo.lock");
    std::fs::remove_file(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let after = run(program, source, Some(configuration()?))?;
    sources::is_patched(&lock)?;
    Ok(Some([before, after]))
}

/// Whether the registry has what a program's tests need. That it has not is looked at, so that a version that has it again does
/// not go untested.
fn are_there(missing: Option<&Missing>, source: &Path) -> Result<bool, String> {
    match missing {
        None => Ok(true),
        Some(Missing::File(file)) if source.join(file).exists() => {
            Err(format!("'{file}' is in its package: its tests can be run"))
        }
        Some(Missing::Fork(name)) => {
            // The manifest as its authors wrote it; the other one has no patches.
            let manifest = files::read(&source.join("Cargo.toml.orig"))?;
            let patches = manifest.split("[patch.crates-io]").nth(1).unwrap_or("");
            let fork = format!("{name} = {{ git");
            if patches.lines().any(|line| line.starts_with(&fork)) {
                Ok(false)
            } else {
                Err(format!("it has no fork of '{name}': its tests can be run"))
            }
        }
        Some(Missing::File(_)) => Ok(false),
    }
}

fn run(program: &Program, source: &Path, config: Option<String>) -> Result<Tests, String> {
    let manifest = files::text(&source.join("Cargo.toml"));
    let command = |more: &[&str]| {
        let command = Cmd::cargo(["test", "--release", "--manifest-path", &manifest])
            .args(config.iter().flat_map(|config| ["--config", config]))
            .args(program.options.iter().copied())
            .args(more.iter().copied())
            // As the programs that are timed are built, so that what both need is built once.
            .env("CARGO_TARGET_DIR", &files::text(&directory().join("build")))
            .env("CARGO_TERM_COLOR", "never");
        println!("$ {}", command.display());
        command
    };
    command(&["--no-run", "--tests"]).capture()?;
    let skips = program.without.iter().flat_map(|name| ["--skip", name]);
    let output = command(&["--tests", "--no-fail-fast", "--"])
        .args(skips)
        .output()?;
    Ok(read(&output))
}

/// The verdicts in what `cargo test` printed on both streams: `test NAME ... ok`, below the name of the binary.
fn read(output: &[String; 2]) -> Tests {
    let [verdicts, progress] = output;
    // Cargo names the binaries on the other stream, in the order in which each prints its "running".
    let mut binaries = progress.lines().filter_map(|line| {
        let name = line.trim_start().strip_prefix("Running ")?;
        Some(name.split(" (").next().unwrap_or(name).to_owned())
    });
    let (mut tests, mut binary) = (Tests::default(), String::new());
    for line in verdicts.lines() {
        if line.starts_with("running ") && line.contains(" test") {
            binary = binaries.next().unwrap_or_default();
        }
        let Some((name, verdict)) = line
            .strip_prefix("test ")
            .and_then(|line| line.rsplit_once(" ... "))
        else {
            continue;
        };
        let name = format!("{binary}: {}", name.trim_end_matches(" - should panic"));
        if verdict.starts_with("ok") {
            tests.passed.insert(name);
        } else if verdict.starts_with("FAILED") {
            tests.failed.insert(name);
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::{are_there, read};
    use crate::files;
    use crate::patched::programs::Missing;
    use crate::process::target_dir;

    #[test]
    fn what_is_said_to_be_missing_is_looked_for() {
        let dir = target_dir().join("patched-test-missing");
        files::fresh(&dir).expect("a directory");
        let manifest =
            "[dev-dependencies]\nb = { git = \"x\" }\n\n[patch.crates-io]\na = { git = \"x\" }\n";
        files::write(&dir.join("Cargo.toml.orig"), manifest).expect("a file");
        let known = |missing| are_there(Some(&missing), &dir);
        assert_eq!(are_there(None, &dir), Ok(true));
        assert_eq!(known(Missing::File("src/none.rs")), Ok(false));
        assert!(known(Missing::File("Cargo.toml.orig")).is_err());
        assert_eq!(known(Missing::Fork("a")), Ok(false));
        assert!(known(Missing::Fork("b")).is_err());
    }

    #[test]
    fn verdicts_are_read_by_binary() {
        let verdicts = "\nrunning 2 tests\ntest a ... ok\ntest b ... FAILED\n\nrunning 1 test\n\
                        test a - should panic ... ok\ntest c ... ignored\n";
        let progress = "   Compiling x\n     Running unittests src/lib.rs (target/x-1)\n     \
                        Running tests/t.rs (target/t-1)\n";
        let tests = read(&[verdicts.to_owned(), progress.to_owned()]);
        let passed: Vec<_> = tests.passed.iter().map(String::as_str).collect();
        assert_eq!(passed, ["tests/t.rs: a", "unittests src/lib.rs: a"]);
        assert_eq!(tests.failed.len(), 1);
    }
}
