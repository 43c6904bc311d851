//! The C library: `cargo xtask c`, `c-install`, `dist`, `c-test` and `c-bench`.
//!
//! Cargo makes a static library with a name of its own and thousands of symbols. What a C program
//! wants is gathered from it here: one object with nothing global but the declared functions, and one
//! for each name of ed25519-donna and curve25519-donna, as `liblanner.a`; the same, linked with soname and
//! version script, as `liblanner.so`, and without those names as `liblanner-core.so`; and the files by
//! which pkg-config and CMake find them. (cargo-c does not serve: it neither localises symbols nor
//! links with a version script, and writes no CMake files.)

mod bare_metal;
mod bench;
mod beside;
mod build;
mod checks;
mod data;
mod dist;
mod exports;
mod install;
mod programs;
mod targets;
mod test;

use std::path::Path;

use crate::process::Cmd;

/// The lines of `cargo xtask help`.
pub(crate) const HELP: &str = "\
  c [--target T] [--legacy]
                  build liblanner.a, liblanner.so, and liblanner-core.so, which has the names of
                  lanner.h alone, into target/liblanner/T
                    --legacy     with the feature legacy_compatibility
  c-install [--target T] [--prefix P] [--destdir D]
                  build, and install below D/P (default prefix: /usr/local)
  dist [--target T]...
                  write a release archive for each target (default: this machine's), with checksums,
                  into target/dist
  c-test [--install] [--long] [--list] [--only TEXT]
                  test the C library: with gcc and clang, 32-bit, sanitizers, valgrind, emulation, …
                    --install    fetch missing Debian packages and Rust targets
                    --only TEXT  the checks whose name contains TEXT, or one of several: A|B
                    --long       all vectors under emulators, more random input, the released build
                                 on every target
  c-bench [--rounds N] [--backend B] [--instructions]
                  liblanner against libsodium and OpenSSL, from C
                    --instructions  instead, count what the C face adds to a call
";

/// Runs one of the commands.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run(command: &str, args: &[String]) -> Result<(), String> {
    match command {
        "c" => build::run(args),
        "c-install" => install::run(args),
        "dist" => dist::run(args),
        "c-test" => test::run(args),
        "c-bench" => bench::run(args),
        other => Err(format!("unknown command '{other}'")),
    }
}

/// Where `c-test` leaves the C side of the interop tests.
pub(crate) fn interop_program() -> String {
    text(&test::work_dir().join("interop/interop"))
}

/// The value that follows an option.
fn value<'a>(option: &str, args: &mut impl Iterator<Item = &'a String>) -> Result<&'a str, String> {
    args.next()
        .map(String::as_str)
        .ok_or_else(|| format!("{option} needs a value"))
}

/// A path as the text of an argument.
fn text(path: &Path) -> String {
    path.display().to_string()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), String> {
    std::fs::write(path, contents).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// Makes a directory that is empty.
fn fresh(dir: &Path) -> Result<(), String> {
    if dir.exists() {
        std::fs::remove_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    }
    make(dir)
}

fn make(dir: &Path) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))
}

/// Whether a program can be started at all.
fn has_program(name: &str) -> bool {
    Cmd::new("sh")
        .args(["-c", &format!("command -v '{name}' >/dev/null")])
        .capture()
        .is_ok()
}
