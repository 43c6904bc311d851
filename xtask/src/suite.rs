//! `cargo xtask test`: the list of steps that must pass before a change lands.
//!
//! A new language face or a new backend adds its steps to [`steps`], nowhere else.

use std::path::PathBuf;

use crate::layers::law::LIBRARIES;
use crate::process::{Cmd, root, target_dir};
use crate::steps::{Action, Need, Step, run_all};
use crate::{c, emulated, features, js, no_alloc, tables};

/// The oldest compiler that builds the library crates: `rust-version` in the root manifest.
const MSRV: &str = "1.89";

/// Targets on which the libraries must build without std.
const EMBEDDED: &str = "thumbv7em-none-eabi";
const WASM: &str = "wasm32-unknown-unknown";
const X86_32: &str = "i686-unknown-linux-gnu";

/// The backends, by the names that `lanner_simd::backend` gives them; the differential tests
/// run on each. One that this machine lacks is reported by the tests themselves.
const BACKENDS: &[&str] = &[
    "avx512",
    "avx2",
    "adx",
    "neon",
    "portable64",
    "sse2",
    "portable32",
    "fiat64",
    "fiat32",
];

/// Options of `cargo xtask test`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    install: bool,
    long: bool,
    list: bool,
    only: Option<String>,
}

/// Runs the suite.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let options = Options::parse(args)?;
    let mut steps = steps(&options);
    if let Some(text) = &options.only {
        steps.retain(|step| step.name.contains(text.as_str()));
        if steps.is_empty() {
            return Err(format!("no step's name contains '{text}'"));
        }
    }
    if options.list {
        for step in &steps {
            let needs: Vec<String> = step.needs.iter().map(Need::describe).collect();
            println!("{}", step.name);
            if !needs.is_empty() {
                println!("    needs {}", needs.join("; "));
            }
            if let Action::Run(commands) | Action::Tests(commands) = &step.action {
                for command in commands {
                    println!("    $ {}", command.display());
                }
            }
        }
        return Ok(());
    }
    outside_vectors();
    run_all(&steps, options.install)
}

impl Options {
    fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--install" => options.install = true,
                "--long" => options.long = true,
                "--list" => options.list = true,
                "--only" => {
                    options.only = Some(args.next().ok_or("--only needs a text")?.clone());
                }
                other => return Err(format!("test: unknown option '{other}'")),
            }
        }
        Ok(options)
    }
}

/// Says whether the outside test data is here; each suite that wants it says so again.
fn outside_vectors() {
    let dir = std::env::var_os("LANNER_SHARED_VECTORS")
        .map_or_else(|| root().join("../shared/vectors"), PathBuf::from);
    if dir.is_dir() {
        println!("outside test data: {}", dir.display());
    } else {
        println!(
            "outside test data: NOT FOUND at {} (set LANNER_SHARED_VECTORS); the project's own vectors are used alone",
            dir.display()
        );
    }
}

/// `cargo <verb> -p <library>... <more>`, over all library crates.
fn libraries(verb: &str, more: &[&str]) -> Cmd {
    over_libraries(Cmd::cargo([verb]), more)
}

fn over_libraries(command: Cmd, more: &[&str]) -> Cmd {
    let packages = LIBRARIES.iter().flat_map(|name| ["-p", name]);
    command.args(packages).args(more.iter().copied())
}

fn step(name: &str, needs: &[Need], action: Action) -> Step {
    Step {
        name: name.to_owned(),
        needs: needs.to_vec(),
        action,
    }
}

/// A reduced set, since Miri is some thousand times slower: per representation and per recoding
/// one random test with few cases, and the examples of the documentation, which multiply points.
fn miri() -> Vec<Cmd> {
    const QUICK: &[&str] = &[
        "has_the_constants",
        "packed_values_freeze",
        "portable32::agrees_on_random_elements",
        "portable64::agrees_on_random_elements",
        "digits_make_the_integer",
        "half_size_is_congruent",
        "half_size_is_found_near_fractions",
        "inverses_are_right",
    ];
    let curve = |what: &str| {
        Cmd::cargo_of("nightly", ["miri", "test", "-p", "lanner-curve"])
            .args(["--no-default-features", what])
            // Property tests look for the file of earlier failures.
            .env("MIRIFLAGS", "-Zmiri-disable-isolation")
            .env("PROPTEST_CASES", "2")
    };
    vec![
        curve("--lib").args(["--"]).args(QUICK.iter().copied()),
        curve("--doc"),
    ]
}

/// The command's own tour, on a real file, in a directory that is new each time.
fn quickstart() -> Result<(), String> {
    let dir = target_dir().join("quickstart");
    if dir.exists() {
        std::fs::remove_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    }
    Cmd::cargo(["run", "--release", "-p", "lanner-cli", "--"])
        .args(["quickstart", "README.md", "--dir"])
        .args([dir.display().to_string()])
        .run()
        .map(drop)
}

/// Secrets observed; the long run follows more of the steps.
fn constant_time(options: &Options) -> Cmd {
    let test = Cmd::cargo(["test", "-p", "lanner-ct"]).args(["--", "--include-ignored"]);
    if options.long {
        test.env("LANNER_CT_LONG", "1")
    } else {
        test
    }
}

/// The C library's own suite: compilers, sanitizers, emulated targets, peers.
fn c_tests(options: &Options) -> Cmd {
    let flags = [("--install", options.install), ("--long", options.long)];
    let flags = flags.iter().filter(|(_, is)| *is).map(|(flag, _)| *flag);
    Cmd::cargo(["xtask", "c-test"]).args(flags)
}

/// Every step, in order. The quickest to fail stand first where that costs nothing.
fn steps(options: &Options) -> Vec<Step> {
    let mut steps = vec![
        step(
            "Rust: whole workspace, default features",
            &[],
            Action::Tests(vec![Cmd::cargo(["test", "--workspace", "--no-fail-fast"])]),
        ),
        step(
            "Rust: libraries, all features",
            &[],
            Action::Tests(vec![libraries(
                "test",
                &["--all-features", "--no-fail-fast"],
            )]),
        ),
        step(
            "Rust: libraries, no default features",
            &[],
            Action::Tests(vec![libraries(
                "test",
                &["--no-default-features", "--no-fail-fast"],
            )]),
        ),
        step(
            "Rust: each feature of each library alone",
            &[],
            Action::Call(features::check_each_alone),
        ),
        step(
            "no_std: embedded ARM, linked without an allocator",
            &[Need::Target(EMBEDDED)],
            Action::Call(|| no_alloc::link_without_allocator(EMBEDDED)),
        ),
        step(
            "no_std: WebAssembly",
            &[Need::Target(WASM)],
            Action::Run(vec![
                libraries("build", &["--target", WASM, "--no-default-features"]),
                libraries("build", &["--target", WASM]),
            ]),
        ),
        step(
            "32-bit x86",
            &[Need::Target(X86_32)],
            Action::Run(vec![
                libraries("check", &["--target", X86_32, "--no-default-features"]),
                libraries("check", &["--target", X86_32, "--all-features"]),
            ]),
        ),
        step(
            "oldest supported compiler",
            &[Need::Toolchain(MSRV, &[])],
            Action::Run(vec![
                over_libraries(Cmd::cargo_of(MSRV, ["check"]), &["--all-features"]),
                over_libraries(Cmd::cargo_of(MSRV, ["check"]), &["--no-default-features"]),
            ]),
        ),
        step(
            "generated tables are what the slow model derives",
            &[],
            Action::Call(|| tables::run(&[String::from("--check")])),
        ),
        step(
            "Miri: the portable arithmetic",
            &[Need::Toolchain("nightly", &["miri", "rust-src"])],
            Action::Tests(miri()),
        ),
        step(
            "constant time: secrets marked under valgrind, and step by step",
            &[],
            Action::Tests(vec![constant_time(options)]),
        ),
        step("the C library", &[], Action::Tests(vec![c_tests(options)])),
        step(
            "the command: quickstart on the README",
            &[],
            Action::Call(quickstart),
        ),
    ];
    steps.extend(emulated::steps(options.long));
    steps.extend(BACKENDS.iter().map(|name| {
        let test = Cmd::cargo(["test", "-p", "lanner-interop", "--no-fail-fast"])
            .env("LANNER_TEST_BACKEND", name);
        // The C side, which the C library's step has made, stays on its own backend.
        let c_face = Cmd::cargo(["test", "-p", "lanner-interop", "--test", "c_face"])
            .args(["--", "--ignored"])
            .env("LANNER_TEST_BACKEND", name)
            .env("LANNER_C_INTEROP", &c::interop_program());
        step(
            &format!("interop: everything on backend {name}"),
            &[],
            Action::Tests(vec![test, c_face]),
        )
    }));
    steps.extend(js::steps());
    if options.long {
        steps.push(step(
            "Rust: long tests",
            &[],
            Action::Tests(vec![Cmd::cargo([
                "test",
                "--release",
                "--workspace",
                "--",
                "--ignored",
            ])]),
        ));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::{MSRV, Options, steps};
    use crate::process::root;

    #[test]
    fn options_are_read_or_refused() {
        let parse = |line: &str| {
            Options::parse(
                &line
                    .split_whitespace()
                    .map(String::from)
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(parse(""), Ok(Options::default()));
        let all = parse("--install --long --list --only no_std").expect("all are known");
        assert!(all.install && all.long && all.list);
        assert_eq!(all.only.as_deref(), Some("no_std"));
        assert!(parse("--only").is_err());
        assert!(parse("--fast").is_err());
    }

    #[test]
    fn step_names_are_distinct_and_long_adds() {
        let long = Options {
            long: true,
            ..Options::default()
        };
        let names: Vec<String> = steps(&long).into_iter().map(|step| step.name).collect();
        let mut unique = names.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
        assert!(names.len() > steps(&Options::default()).len());
    }

    #[test]
    fn the_oldest_compiler_is_the_one_that_the_manifest_names() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("root manifest");
        assert!(manifest.contains(&format!("rust-version = \"{MSRV}\"")));
    }
}
