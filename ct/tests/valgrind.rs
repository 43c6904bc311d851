//! Builds the program in several ways and runs it under valgrind: the checks must be without a
//! finding, the controls must be reported.
//!
//! It is built here, and not by the test run, because it needs a build with optimisation and without
//! debug assertions whatever the profile of the tests is. Those builds take minutes:
//! `cargo test -p lanner-ct -- --include-ignored`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The exit status that valgrind is told to use when it has reported something.
const REPORTED: i32 = 99;

/// A way to build.
struct Variant {
    name: &'static str,
    flags: &'static str,
    target: Option<&'static str>,
    tables: bool,
}

const PLAIN: Variant = Variant {
    name: "plain",
    flags: "",
    target: None,
    tables: true,
};

/// With the features that valgrind emulates but does not report taken for granted.
const ADX: Variant = Variant {
    name: "adx",
    flags: "-C target-feature=+adx,+bmi2",
    ..PLAIN
};

const WITHOUT_TABLES: Variant = Variant {
    name: "without-tables",
    tables: false,
    ..PLAIN
};

/// Linked statically, so that valgrind needs no debug symbols of a 32-bit loader. It reports the
/// start of such a program, whose allocator it does not know; the program's own count begins later.
const X86_32: Variant = Variant {
    name: "x86-32",
    flags: "-C target-feature=+crt-static",
    target: Some("i686-unknown-linux-gnu"),
    ..PLAIN
};

impl Variant {
    /// Builds the program; panics with the compiler's words where that fails.
    fn build(&self) -> PathBuf {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.name);
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["build", "--quiet", "--release", "--manifest-path"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&dir)
            .env("RUSTFLAGS", self.flags)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            // Reports name lines.
            .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
        if !self.tables {
            command.arg("--no-default-features");
        }
        if let Some(target) = self.target {
            command.args(["--target", target]);
        }
        let output = command.output().expect("cargo starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}:\n{errors}");
        let dir = self.target.map_or(dir.clone(), |target| dir.join(target));
        dir.join("release").join("lanner-ct")
    }
}

/// Whether a program runs at all.
fn works(program: &str, args: &[&str]) -> bool {
    let output = Command::new(program).args(args).output();
    output.is_ok_and(|output| output.status.success())
}

/// Says so and returns false where there is no valgrind.
fn valgrind_works() -> bool {
    let works = cfg!(target_os = "linux") && works("valgrind", &["--version"]);
    if !works {
        println!("SKIPPED: constant time is not checked: no valgrind here");
    }
    works
}

/// Runs the program under valgrind: the exit status, and everything that both said. The status is
/// [`REPORTED`] where valgrind reported anything, also before the first check.
fn under_valgrind(program: &Path, args: &[&str]) -> (i32, String) {
    under_valgrind_with(&[&format!("--error-exitcode={REPORTED}")], program, args)
}

/// The same, with the exit status that the program chose.
fn own_status(program: &Path, args: &[&str]) -> (i32, String) {
    under_valgrind_with(&[], program, args)
}

fn under_valgrind_with(options: &[&str], program: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-limit=no"])
        .args(options)
        .arg(program)
        .args(args)
        .output()
        .expect("valgrind starts");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

/// The backends that ran, by the program's own lines.
fn backends(text: &str) -> Vec<&str> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("backend "));
    lines
        .filter_map(|line| Some(line.split_once(':')?.0))
        .collect()
}

/// Runs all checks of a variant, which must be without a finding and run on these backends at least.
fn is_clean(variant: &Variant, at_least: &[&str]) {
    let program = variant.build();
    let (status, text) = match variant.target {
        None => under_valgrind(&program, &["check"]),
        Some(_) => own_status(&program, &["check"]),
    };
    assert_eq!(status, 0, "{}:\n{text}", variant.name);
    let ran = backends(&text);
    println!("{}: ran on {}", variant.name, ran.join(", "));
    for name in at_least {
        assert!(ran.contains(name), "{} did not run:\n{text}", name);
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer() {
    if valgrind_works() {
        is_clean(&PLAIN, &["portable64", "portable32", "fiat64", "fiat32"]);
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_with_adx() {
    if valgrind_works() {
        is_clean(&ADX, &["adx"]);
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_without_tables() {
    if valgrind_works() {
        is_clean(&WITHOUT_TABLES, &["portable64", "portable32"]);
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn secrets_do_not_steer_on_32_bit_x86() {
    if !valgrind_works() {
        return;
    }
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").expect("the directory is ours");
    let (from, to) = (source.display().to_string(), source.with_extension("out"));
    let links = works("cc", &["-m32", &from, "-o", &to.display().to_string()]);
    let target = X86_32.target.expect("it has one");
    // Adding a target that is there changes nothing.
    let has_target = works("rustup", &["target", "add", target]);
    if links && has_target {
        is_clean(&X86_32, &["sse2", "portable32", "fiat32"]);
        let (status, text) = own_status(&X86_32.build(), &["control", "vartime-multiplication"]);
        assert_eq!(status, 1, "{text}");
        assert!(text.contains("uses of a secret reported"), "{text}");
    } else {
        println!(
            "SKIPPED: constant time on 32-bit x86: no compiler that links for it (gcc-multilib)"
        );
    }
}

#[test]
#[ignore = "builds the program anew; --include-ignored"]
#[cfg(target_arch = "x86_64")]
fn every_leak_is_reported() {
    if !valgrind_works() {
        return;
    }
    let mut reported = 0;
    for variant in [PLAIN, ADX] {
        let program = variant.build();
        let (_, text) = under_valgrind(&program, &["list"]);
        let names = |kind: &str| -> Vec<String> {
            let line = text.lines().find_map(|line| line.strip_prefix(kind));
            let names = line.expect("list names them").split_whitespace();
            names.map(String::from).collect()
        };
        for control in names("controls:") {
            for backend in names("backends:") {
                let args = ["control", &control, "--backend", &backend];
                let (status, text) = under_valgrind(&program, &args);
                assert_eq!(status, REPORTED, "{control} on {backend}:\n{text}");
                assert!(text.contains("uninitialised"), "{text}");
                assert!(text.contains("uses of a secret reported"), "{text}");
                reported += 1;
            }
        }
    }
    assert!(reported >= 4 * 4, "only {reported} controls");
}

#[test]
fn without_valgrind_it_says_that_it_proves_nothing() {
    let program = env!("CARGO_BIN_EXE_lanner-ct");
    let output = Command::new(program).arg("check").output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("proves nothing"), "{errors}");
    let listed = Command::new(program).arg("list").output();
    assert!(listed.expect("it starts").status.success());
}
