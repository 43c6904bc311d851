//! The libraries' own tests, compiled with the address sanitizer, which the nightly compiler has: in vectors, in assembly's
//! callers and between threads nothing is read or written outside what there is.

use crate::around::packages;
use crate::files::{make, text, write};
use crate::layers::law::LIBRARIES;
use crate::needs::Need;
use crate::process::{Cmd, Tally, target_dir};
use crate::steps::{Action, Step};
use crate::targets::host;

const FLAG: &str = "-Zsanitizer=address";

/// Reads one byte behind its memory; the optimiser knows nothing of its length.
const CONTROL: &str = "\
fn main() {
    let bytes = vec![1_u8; std::hint::black_box(32)];
    // What is wrong here on purpose is found, or the sanitizer looks at nothing.
    let byte = unsafe { std::hint::black_box(bytes.as_ptr()).add(32).read() };
    std::process::exit(i32::from(byte) & 1);
}
";

/// What has vectors and threads; not all features, because one of them leaves FN-DSA's vectors out. The others are the
/// defaults.
const FEATURES: &str = "lanner-ed25519/rayon,lanner-ed25519/hazmat,lanner-ed25519/xeddsa";

/// The step, for the tier `--all`.
pub(crate) fn step() -> Step {
    Step::new(
        "Rust: address sanitizer on the libraries' own tests",
        &[Need::Toolchain("nightly", &[])],
        Action::Call(Box::new(check)),
    )
}

fn check() -> Result<Tally, String> {
    control()?;
    let dir = target_dir().join("sanitized");
    let tests = Cmd::cargo_of("nightly", ["test", "--no-fail-fast", "--lib", "--tests"])
        .args(["--features", FEATURES, "--target", &host()?])
        .env("CARGO_TARGET_DIR", &text(&dir))
        .env("RUSTFLAGS", FLAG)
        // What stands between variables makes the stack several times as large.
        .env("RUST_MIN_STACK", "33554432");
    // Not the one that measures how much of it is taken.
    let tests = packages(tests, LIBRARIES).args(["--", "--exact", "--skip", "memory"]);
    let found = tests.run()?;
    if found.passed == 0 {
        return Err(String::from("ran no test at all"));
    }
    Ok(found)
}

/// A program that must not pass.
fn control() -> Result<(), String> {
    let dir = target_dir().join("sanitized");
    make(&dir)?;
    let [source, program] = ["control.rs", "control"].map(|name| dir.join(name));
    write(&source, CONTROL)?;
    Cmd::new("rustup")
        .args(["run", "nightly", "rustc", "--edition", "2024", FLAG])
        .args(["-o", &text(&program), &text(&source)])
        .run()?;
    let [_, said] = Cmd::new(&text(&program)).output()?;
    if said.contains("heap-buffer-overflow") {
        Ok(())
    } else {
        Err(format!("the control was not found: {said}"))
    }
}
