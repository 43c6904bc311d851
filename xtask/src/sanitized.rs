//! The libraries' own tests, compiled with a sanitizer, which the nightly compiler has: in vectors, in assembly's callers and
//! between threads nothing is read or written outside what there is, and nothing is written while another thread looks at it.

use std::path::Path;

use crate::around::packages;
use crate::files::{make, text, write};
use crate::layers::law::LIBRARIES;
use crate::needs::Need;
use crate::process::{Cmd, Tally, target_dir};
use crate::steps::{Action, Step};
use crate::targets::host;

/// One of the compiler's sanitizers.
struct Sanitizer {
    /// As the compiler calls it.
    name: &'static str,
    /// What a control must be found with: a program, and what is said of it.
    control: (&'static str, &'static str),
    /// Of which packages the tests run.
    packages: &'static [&'static str],
    /// For cargo, besides.
    options: &'static [&'static str],
    /// For the tests.
    selection: &'static [&'static str],
}

/// Reads one byte behind its memory; the optimiser knows nothing of its length.
const OVERREAD: &str = "\
fn main() {
    let bytes = vec![1_u8; std::hint::black_box(32)];
    // What is wrong here on purpose is found, or the sanitizer looks at nothing.
    let byte = unsafe { std::hint::black_box(bytes.as_ptr()).add(32).read() };
    std::process::exit(i32::from(byte) & 1);
}
";

/// Writes and reads a byte in two threads.
const RACE: &str = "\
static mut BYTE: u8 = 0;
fn main() {
    // What is wrong here on purpose is found, or the sanitizer looks at nothing.
    let other = std::thread::spawn(|| unsafe { (&raw mut BYTE).write(std::hint::black_box(1)) });
    let byte = unsafe { (&raw const BYTE).read() };
    other.join().unwrap();
    std::process::exit(i32::from(byte) & 1);
}
";

const ADDRESSES: Sanitizer = Sanitizer {
    name: "address",
    control: (OVERREAD, "heap-buffer-overflow"),
    packages: LIBRARIES,
    options: &[],
    // Not the one that measures how much of the stack is taken: what stands between variables makes it several times as large.
    selection: &["--exact", "--skip", "memory"],
};

/// Of the package that has threads.
const THREADS: Sanitizer = Sanitizer {
    name: "thread",
    control: (RACE, "data race"),
    packages: &["lanner-ed25519"],
    // The standard library as well: what its locks order is not seen otherwise.
    options: &["-Zbuild-std"],
    selection: &["batch"],
};

/// What has vectors and threads; not all features, because one of them leaves FN-DSA's vectors out. The others are the
/// defaults.
const FEATURES: &str = "lanner-ed25519/rayon,lanner-ed25519/hazmat,lanner-ed25519/xeddsa";

/// For the tier `--all`.
pub(crate) fn addresses() -> Step {
    Step::new(
        "Rust: address sanitizer on the libraries' own tests",
        &[Need::Toolchain("nightly", &[])],
        Action::Call(Box::new(|| ADDRESSES.check())),
    )
}

/// The same.
pub(crate) fn threads() -> Step {
    Step::new(
        "Rust: thread sanitizer on batches over several threads",
        &[Need::Toolchain("nightly", &["rust-src"])],
        Action::Call(Box::new(|| THREADS.check())),
    )
}

impl Sanitizer {
    fn flag(&self) -> String {
        format!("-Zsanitizer={}", self.name)
    }

    fn check(&self) -> Result<Tally, String> {
        let dir = target_dir().join(format!("sanitized-{}", self.name));
        self.control(&dir)?;
        let tests = Cmd::cargo_of("nightly", ["test", "--no-fail-fast", "--lib", "--tests"])
            .args(self.options.iter().copied())
            .args(["--features", FEATURES, "--target", &host()?])
            .env("CARGO_TARGET_DIR", &text(&dir))
            .env("RUSTFLAGS", &self.flag())
            .env("RUST_MIN_STACK", "33554432");
        let selection = ["--"].iter().chain(self.selection).copied();
        let found = packages(tests, self.packages).args(selection).run()?;
        if found.passed == 0 {
            return Err(String::from("ran no test at all"));
        }
        Ok(found)
    }

    /// A program that must not pass.
    fn control(&self, dir: &Path) -> Result<(), String> {
        make(dir)?;
        let [source, program] = ["control.rs", "control"].map(|name| dir.join(name));
        let (control, expected) = self.control;
        write(&source, control)?;
        Cmd::new("rustup")
            .args(["run", "nightly", "rustc", "--edition", "2024"])
            .args([&self.flag(), "-Cunsafe-allow-abi-mismatch=sanitizer"])
            .args(["-o", &text(&program), &text(&source)])
            .run()?;
        let [_, said] = Cmd::new(&text(&program)).output()?;
        if said.contains(expected) {
            Ok(())
        } else {
            Err(format!("the control was not found: {said}"))
        }
    }
}
