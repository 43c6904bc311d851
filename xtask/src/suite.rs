//! `cargo xtask test`: the steps in three tiers; `quick`, the loop of work; `c-test`, the steps of C alone.
//!
//! A new language face or a new backend adds its steps to the tier where they belong, nowhere else.

use std::path::PathBuf;

use crate::around::{self, packages};
use crate::layers::{self, law::LIBRARIES};
use crate::needs::{self, Need};
use crate::process::{Cmd, root, target_dir};
use crate::steps::{Action, Selection, Step};
use crate::{
    book, c, codegen, command, compat, debian, embedded, emulated, engines, features, js, no_alloc,
    pages, patched, predict, python, tables, twice,
};

/// What `cargo xtask test --help` says.
pub(crate) const TEST_HELP: &str = "\
  test [--full | --all] [--install] [--list] [--only TEXT] [--from TEXT]
                  the libraries, the facade and the command on this machine, the curve's with all features,
                  the others with those that they have by default; the laws of the house; the generated
                  tables
                    --full       instead, what a change must pass beyond that: all features and none, the
                                 oldest compiler, no_std, other libraries, C, Node, constant time, and
                                 a quick look at each other processor
                    --all        everything, with Miri, sanitizers, browsers, emulators and long runs
                    --install    fetch what is missing: toolchains by rustup (targets always are), packages
                                 by apt-get
                    --list       print the steps and what they need, run nothing
                    --only TEXT  the steps whose names contain TEXT, or one of several: A|B; of the first
                                 tier that has any, unless one is named
                    --from TEXT  the steps from the first on whose name contains TEXT
";

/// What `cargo xtask quick --help` says.
pub(crate) const QUICK_HELP: &str = "\
  quick [CRATE]...
                  the loop of work: format, layers, and of these crates (curve, ed25519, …; all libraries if
                  none is named) clippy and the tests, without the examples of the documentation
";

/// What `cargo xtask c-test --help` says.
pub(crate) const C_TEST_HELP: &str = "\
  c-test [--long] [--install] [--list] [--only TEXT] [--from TEXT]
                  test the C library alone: its steps of all tiers
                    --long       all vectors under emulators, more random input, the released build
                                 on every target; as in test --all
                    the other options as for test
";

/// The oldest compiler that builds the library crates: `rust-version` in the root manifest.
const MSRV: &str = "1.89";

/// Targets on which the libraries must build without std.
const EMBEDDED: &str = "thumbv7em-none-eabi";
const WASM: &str = "wasm32-unknown-unknown";
const X86_32: &str = "i686-unknown-linux-gnu";

/// The backends, by the names that `lanner_simd::backend` gives them; the differential tests
/// run on each that this machine has.
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

/// Which steps are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tier {
    /// What a newcomer runs.
    Native,
    /// What a change must pass beside that.
    Full,
    /// What is run every night and before a release: everything.
    All,
}

/// Runs the suite.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (tier, selection) = parse(args)?;
    let tiers = match tier {
        Some(tier) => vec![tier],
        None if selection.names_some() => vec![Tier::Native, Tier::Full, Tier::All],
        None => vec![Tier::Native],
    };
    let chosen = tiers
        .iter()
        .map(|tier| (*tier, selection.choose(steps(*tier))))
        .find(|(_, steps)| !steps.is_empty());
    let (tier, steps) = chosen.unwrap_or((Tier::Native, Vec::new()));
    if selection.runs() && !steps.is_empty() {
        outside_vectors();
    }
    selection.run(&steps, || match tier {
        Tier::Native if !selection.names_some() => missing_for_the_rest(),
        _ => Vec::new(),
    })
}

/// `cargo xtask c-test`.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run_c(args: &[String]) -> Result<(), String> {
    let (mut long, mut selection) = (false, Selection::default());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--long" {
            long = true;
        } else if !selection.take(arg, &mut args)? {
            return Err(format!("c-test: unknown option '{arg}'"));
        }
    }
    selection.run(&selection.choose(c_steps(long)), Vec::new)
}

/// `cargo xtask quick`.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run_quick(args: &[String]) -> Result<(), String> {
    let packages = quick_packages(args)?;
    Selection::default().run(&quick(&packages), Vec::new)
}

fn parse(args: &[String]) -> Result<(Option<Tier>, Selection), String> {
    let (mut tier, mut selection) = (None, Selection::default());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let named = match arg.as_str() {
            "--full" => Some(Tier::Full),
            "--all" => Some(Tier::All),
            _ => None,
        };
        if named.is_some() {
            if tier.is_some() {
                return Err(String::from("test: one tier at a time"));
            }
            tier = named;
        } else if !selection.take(arg, &mut args)? {
            return Err(format!("test: unknown option '{arg}'"));
        }
    }
    Ok((tier, selection))
}

/// The packages that `quick` is about.
fn quick_packages(args: &[String]) -> Result<Vec<String>, String> {
    if args.is_empty() {
        let all = LIBRARIES.iter().chain(&["lanner-cli"]);
        return Ok(all.map(|name| String::from(*name)).collect());
    }
    args.iter()
        .map(|arg| match arg.as_str() {
            option if option.starts_with('-') => Err(format!("quick: unknown option '{option}'")),
            "lanner" | "xtask" => Ok(arg.clone()),
            name if name.starts_with("lanner-") => Ok(arg.clone()),
            name => Ok(format!("lanner-{name}")),
        })
        .collect()
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

/// What the other tiers need and this machine has not.
fn missing_for_the_rest() -> Vec<String> {
    let mut lines = vec![String::from(
        "not run: the other tiers, `cargo xtask test --full` and `--all`",
    )];
    let mut before: Vec<Need> = Vec::new();
    for (tier, option) in [(Tier::Full, "--full"), (Tier::All, "--all")] {
        let mut missing = Vec::new();
        for need in steps(tier).into_iter().flat_map(|step| step.needs) {
            // Targets are fetched when they are wanted, and processors never.
            let counts = !matches!(need, Need::Target(_) | Need::Backend(_));
            if counts && !before.contains(&need) && !need.is_met() {
                missing.push(need.describe());
            }
            before.push(need);
        }
        if missing.is_empty() {
            lines.push(format!("nothing is missing here for {option}"));
        } else {
            let missing = missing.join("; ");
            lines.push(format!(
                "missing for {option} (--install fetches it): {missing}"
            ));
        }
    }
    lines
}

/// `cargo <verb> -p <library>... <more>`, over all library crates.
fn libraries(verb: &str, more: &[&str]) -> Cmd {
    packages(Cmd::cargo([verb]), LIBRARIES).args(more.iter().copied())
}

/// Every step of a tier, in order. The quickest to fail stand first where that costs nothing.
fn steps(tier: Tier) -> Vec<Step> {
    match tier {
        Tier::Native => native(),
        Tier::Full => full(false),
        Tier::All => {
            let mut steps = native();
            steps.extend(full(true));
            steps.extend(thorough());
            steps.extend(engines::steps());
            // The demo of the npm package is built by a step before.
            steps.push(book::step());
            steps
        }
    }
}

fn native() -> Vec<Step> {
    vec![
        Step::new("layers", &[], Action::call(|| layers::run(&[]))),
        Step::new(
            "links of the pages",
            &[],
            Action::Call(Box::new(pages::check)),
        ),
        Step::new(
            "generated tables are what the slow model derives",
            &[],
            Action::call(|| tables::run(&[String::from("--check")])),
        ),
        Step::new(
            "Rust: libraries, facade and command",
            &[],
            Action::Tests(vec![first(&["test", "--no-fail-fast"])]),
        ),
    ]
}

/// Every feature of the curve and of what is made of it alone. They only add, so that one build tests them with what there
/// is by default, and the steps with all features need not build and run these three once more.
const WHOLE: &[(&str, &[&str])] = &[
    (
        "lanner-curve",
        &[
            "alloc",
            "default",
            "digest",
            "fiat",
            "group",
            "legacy_compatibility",
            "lizard",
            "precomputed-tables",
            "rand_core",
            "serde",
            "simd128",
            "zeroize",
        ],
    ),
    (
        "lanner-ed25519",
        &[
            "alloc",
            "asm",
            "batch",
            "batch_deterministic",
            "default",
            "digest",
            "fast",
            "fiat",
            "getrandom",
            "hazmat",
            "legacy_compatibility",
            "nightly",
            "pem",
            "pkcs8",
            "rand_core",
            "rayon",
            "serde",
            "simd128",
            "std",
            "unstable-profiles",
            "xeddsa",
            "zeroize",
        ],
    ),
    (
        "lanner-x25519",
        &[
            "alloc",
            "default",
            "fiat",
            "getrandom",
            "pem",
            "pkcs8",
            "precomputed-tables",
            "reusable_secrets",
            "serde",
            "simd128",
            "static_secrets",
            "std",
            "zeroize",
        ],
    ),
];

/// Cargo on the packages of the first tier.
fn first(arguments: &[&str]) -> Cmd {
    let libraries = packages(Cmd::cargo(arguments.iter().copied()), LIBRARIES);
    let all = packages(libraries, &["lanner-cli", "lanner-vectors"]);
    let features = WHOLE.iter().flat_map(|(package, features)| {
        features
            .iter()
            .map(move |feature| format!("{package}/{feature}"))
    });
    all.args(["--features", &features.collect::<Vec<_>>().join(",")])
}

/// Some tests of the command, named or chosen as libtest does it. The packages are those of the first tier, although they
/// have no such tests: without them what they share has fewer features, and is compiled once more.
fn of_the_command(arguments: &[&str]) -> Action {
    let tests = first(&["test", "--test", "cli"]);
    Action::Tests(vec![tests.args(["--"]).args(arguments.iter().copied())])
}

/// `whole`: as long and on as many targets as there are.
fn full(whole: bool) -> Vec<Step> {
    let mut c = c::Steps::new(whole);
    let c_library = c.shared_library();
    let mut steps = feature_sets();
    steps.extend([
        Step::new(
            "no_std: embedded ARM, linked without an allocator",
            &[Need::Target(EMBEDDED)],
            Action::call(|| no_alloc::link_without_allocator(EMBEDDED)),
        ),
        Step::new(
            "no_std: WebAssembly",
            &[Need::Target(WASM)],
            Action::Run(vec![
                libraries("check", &["--target", WASM, "--no-default-features"]),
                libraries("check", &["--target", WASM]),
            ]),
        ),
        Step::new(
            "32-bit x86",
            &[Need::Target(X86_32)],
            Action::Run(vec![
                libraries("check", &["--target", X86_32, "--no-default-features"]),
                libraries("check", &["--target", X86_32, "--all-features"]),
            ]),
        ),
        Step::new(
            "oldest supported compiler",
            &[Need::Toolchain(MSRV, &[])],
            Action::Run(
                ["--all-features", "--no-default-features"]
                    .map(|features| {
                        packages(Cmd::cargo_of(MSRV, ["check"]), LIBRARIES).args([features])
                    })
                    .into(),
            ),
        ),
        Step::new(
            "Rust: other libraries, drop-in programs, decoders, xtask",
            &[],
            // FN-DSA has nothing of the curve: this is its one run against others. The curve's are below.
            Action::Tests(vec![around::tests(&["--no-fail-fast"])]),
        ),
        Step::new(
            "the command: beside OpenSSH, minisign, signify, OpenSSL, git, in-toto and Go",
            &command_peers(),
            // The names of the modules of its tests that run these programs.
            of_the_command(&[
                "attest",
                "formats",
                "notes",
                "signatures",
                "signers",
                "git",
                "openssl",
                "residue",
                "trees",
                "policies",
            ]),
        ),
        Step::new(
            "hybrid signatures: their vectors, computed by Python",
            &python_peers(),
            Action::Run(vec![
                Cmd::new(&needs::python(PEERS)).args(["vectors/hybrid.py"]),
            ]),
        ),
        Step::new(
            "the command: each system call failing or interrupted, in every way",
            &[Need::program("strace", &["strace"])],
            // Those that are run with every other test try one way for each call. The longest is left to the long tests.
            of_the_command(&["--ignored", "interrupted", "--skip", "tours"]),
        ),
        Step::new(
            "the command: manual pages and completions, to those who read them",
            &[
                Need::program("bash", &["bash"]),
                Need::program("zsh", &["zsh"]),
                Need::program("fish", &["fish"]),
                Need::program("groff", &["groff"]),
            ],
            of_the_command(&["pages"]),
        ),
        Step::new(
            "FN-DSA: memory and stack, as they are released",
            &[],
            // Builds that check for overflow have larger frames, and are allowed more.
            Action::Tests(vec![Cmd::cargo([
                "test",
                "--release",
                "-p",
                "lanner-fn-dsa",
                "--test",
                "memory",
            ])]),
        )
        .beside("release"),
        // Beside the tests above, whose builds are others: this one is as the libraries ship.
        Step::new(
            "the curve's machine code, run on unknowns",
            &[],
            Action::Tests(vec![
                Cmd::cargo(["test", "-p", "lanner-proof"]),
                Cmd::cargo(["test", "--release", "-p", "lanner-curve"]).args([
                    "--features",
                    "fiat",
                    "--lib",
                    "proven::",
                ]),
            ]),
        )
        .beside("release"),
        Step::new(
            "constant time and residues: secrets marked under valgrind, and step by step",
            &[],
            Action::Call(Box::new(move || {
                let tests = constant_time(whole);
                tests.env("LANNER_C_LIBRARY", &c_library()?).run()
            })),
        ),
    ]);
    // What builds into directories of its own; the longest first, so that nothing is left alone at the end.
    let mut beside = |chain: &'static str, list: Vec<Step>| {
        steps.extend(list.into_iter().map(|step| step.beside(chain)));
    };
    c.here();
    c.elsewhere();
    if whole {
        c.thorough();
    }
    let mut of_c = c.into_list();
    // They need what a step of C has made.
    of_c.extend(BACKENDS.iter().map(|name| on_backend(name)));
    beside("C", of_c);
    beside("JavaScript", js::steps(whole));
    let mut of_python = python::steps();
    if whole {
        of_python.extend(python::engines());
        of_python.extend(python::loaded());
    }
    beside("Python", of_python);
    beside("compat", compat::steps(MSRV, whole));
    let mut generated = vec![codegen::step(), codegen::lean()];
    if whole {
        beside("patched", patched::steps());
        generated.push(codegen::other_lean());
        generated.push(codegen::other_targets());
        generated.push(predict::step());
        generated.push(embedded::step());
    }
    beside("generated code", generated);
    beside("settings", vec![settings(whole)]);
    beside("emulated", emulated::steps(whole));
    steps
}

fn feature_sets() -> Vec<Step> {
    // Those that the first tier tests by default alone: some features of FN-DSA change what it signs.
    let rest = |more: &[&str]| {
        let others = LIBRARIES
            .iter()
            .filter(|name| WHOLE.iter().all(|(whole, _)| whole != *name));
        let test = packages(Cmd::cargo(["test"]), &others.collect::<Vec<_>>());
        Action::Tests(vec![test.args(more.iter().copied())])
    };
    vec![
        Step::new(
            "Rust: FN-DSA, hybrid signatures and what all share, all features",
            &[],
            rest(&["--all-features", "--no-fail-fast"]),
        ),
        Step::new(
            "Rust: the programs of the migration guide",
            &[],
            // The test itself is built already, by the step before.
            rest(&[
                "--all-features",
                "--test",
                "migration",
                "--",
                "--ignored",
                "--exact",
                "the_programs_of_the_page_compile",
            ]),
        ),
        Step::new(
            "Rust: libraries, no default features",
            &[],
            Action::Tests(vec![libraries(
                "test",
                &["--no-default-features", "--no-fail-fast"],
            )]),
        ),
        Step::new(
            "Rust: each feature of each library alone",
            &[],
            Action::call(features::check_each_alone),
        ),
    ]
}

/// The curve and what is above it, in builds that have one backend alone (`lanner_simd::backend` has the settings).
fn settings(whole: bool) -> Step {
    const EACH: [&str; 6] = [
        "--cfg curve25519_dalek_backend=\"fiat\" --cfg curve25519_dalek_bits=\"32\"",
        "--cfg lanner_backend=\"fiat\"",
        "--cfg lanner_backend=\"portable\"",
        "--cfg lanner_backend=\"portable32\"",
        "--cfg curve25519_dalek_backend=\"serial\"",
        "--cfg lanner_without=\"avx512\" --cfg lanner_without=\"adx\"",
    ];
    let directory = target_dir().join("settings").display().to_string();
    let more: &[&str] = if whole {
        &["lanner-curve", "lanner-ed25519", "lanner-fn-dsa"]
    } else {
        &[]
    };
    let tests = |flags: &str| {
        packages(
            Cmd::cargo(["test", "--no-fail-fast"]),
            &["lanner-simd", "lanner-x25519"],
        )
        .args(more.iter().flat_map(|name| ["-p", name]))
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", &directory)
    };
    let number = if whole { EACH.len() } else { 1 };
    Step::new(
        "builds with one backend alone, by settings of the compiler",
        &[],
        Action::Tests(EACH[..number].iter().map(|flags| tests(flags)).collect()),
    )
}

/// Everything against the other libraries on one backend.
fn on_backend(name: &'static str) -> Step {
    let of_interop = ["drop_in", "ed25519", "key_files", "openssl", "x25519"];
    let tests = around::tests(&["--no-fail-fast"])
        .args(of_interop.iter().flat_map(|test| ["--test", test]))
        .env("LANNER_TEST_BACKEND", name);
    // The C side, which a step of C has made, stays on its own backend.
    let c_face = around::tests(&["--test", "c_face", "--", "--ignored"])
        .env("LANNER_TEST_BACKEND", name)
        .env("LANNER_C_INTEROP", &c::interop_program());
    Step::new(
        format!("interop: everything on backend {name}"),
        &[Need::Backend(name)],
        Action::Tests(vec![tests, c_face]),
    )
}

/// Secrets observed, in the builds that people use; the whole also without tables, on 32 bits and with
/// what valgrind emulates but does not report, and follows more of the steps.
fn constant_time(whole: bool) -> Cmd {
    if whole {
        return Cmd::cargo(["test", "-p", "lanner-ct"])
            .args(["--", "--include-ignored"])
            .env("LANNER_CT_LONG", "1");
    }
    let plain = [
        "nothing_is_left",
        "secrets_do_not_steer",
        "secrets_do_not_steer_on_avx512",
        "every_leak_differs",
        "no_fault_lets_another_signature_out",
    ];
    around::tests(&[
        "--test", "residue", "--test", "valgrind", "--test", "stepping", "--test", "faults",
    ])
    .args(["--", "--include-ignored", "--exact"])
    .args(plain)
}

/// Without a database of advisories, which is on a network that tests do not need.
const CARGO_DENY: Need = Need::Crate {
    name: "cargo-deny",
    version: "0.20.2",
    program: "cargo-deny",
};

/// The workspaces of which something reaches users.
const SHIPPED: [&str; 12] = [
    "Cargo.toml",
    "js/wasm/Cargo.toml",
    "python/Cargo.toml",
    "integrations/datafusion/Cargo.toml",
    "integrations/polars/Cargo.toml",
    "integrations/duckdb/Cargo.toml",
    "compat/curve25519-dalek-4/Cargo.toml",
    "compat/curve25519-dalek-5/Cargo.toml",
    "compat/ed25519-dalek-2/Cargo.toml",
    "compat/ed25519-dalek-3/Cargo.toml",
    "compat/x25519-dalek-2/Cargo.toml",
    "compat/x25519-dalek-3/Cargo.toml",
];

fn deny(manifest: &str) -> Cmd {
    Cmd::new(&needs::tool("cargo-deny"))
        .args(["--locked", "--config", "deny.toml"])
        .args(["--manifest-path", manifest])
        .args(["check", "licenses", "bans", "sources"])
}

/// What takes too long for every change.
fn thorough() -> Vec<Step> {
    vec![
        Step::new(
            "licences, bans and sources of all dependencies",
            &[CARGO_DENY],
            Action::Run(SHIPPED.map(deny).into()),
        ),
        Step::new(
            "Miri: the portable arithmetic, here, on s390x and on 32-bit x86",
            &[Need::Toolchain("nightly", &["miri", "rust-src"])],
            Action::Tests(miri()),
        ),
        Step::new(
            "Rust: the reports of bench, and its peers",
            &[],
            Action::Tests(vec![packages(
                Cmd::cargo(["test"]),
                &["lanner-bench", "lanner-bench-kit"],
            )]),
        ),
        Step::new(
            "the command: tables in Parquet and Arrow",
            &[],
            Action::Tests(vec![
                first(&["test", "--features", "lanner-cli/arrow", "--test", "cli"]).args([
                    "--",
                    "columns::",
                    "batch::",
                ]),
            ]),
        ),
        Step::new(
            "the command: quickstart on the README, as it is released",
            &[],
            Action::call(quickstart),
        ),
        Step::new(
            "the command: its release archive, static",
            &[Need::Target(command::STATIC)],
            Action::Call(Box::new(command::check)),
        ),
        Step::new(
            "Debian packages: made twice, read by lintian, installed in a clean system",
            &[
                Need::program("dpkg-shlibdeps", &["dpkg-dev"]),
                Need::program("lintian", &["lintian"]),
                Need::program("mmdebstrap", &["mmdebstrap"]),
                Need::debian("an administrator", "test $(id -u) = 0", &[]),
            ],
            Action::Call(Box::new(debian::check)),
        ),
        Step::new(
            "what is released, made twice and compared",
            &[Need::Target(command::STATIC)],
            Action::Call(Box::new(twice::check)),
        ),
        Step::new(
            "packages as they would be published",
            &[],
            Action::Run(vec![Cmd::cargo([
                "publish",
                "--workspace",
                "--dry-run",
                "--allow-dirty",
            ])]),
        ),
        Step::new(
            "interop: fn-dsa 0.3 with shake256x4, 1,000 seeds of every degree",
            &[],
            Action::Tests(vec![
                Cmd::cargo(["test", "--release", "--locked", "--manifest-path"])
                    .args(["interop/shake256x4/Cargo.toml", "--", "--include-ignored"])
                    .env(
                        "CARGO_TARGET_DIR",
                        &target_dir().join("shake256x4").display().to_string(),
                    ),
            ]),
        ),
        Step::new(
            "Rust: long tests",
            &[],
            Action::Tests(vec![Cmd::cargo([
                "test",
                "--release",
                "--workspace",
                "--",
                "--ignored",
            ])]),
        ),
    ]
}

/// A reduced set, since Miri is some thousand times slower: per representation and per recoding
/// one random test with few cases, and the examples of the documentation, which multiply points. Here, and what is
/// portable also with the other order of bytes and with pointers of 32 bits.
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
    let quick = |target: &[&str]| {
        curve("--lib")
            .args(target.iter().copied())
            .args(["--"])
            .args(QUICK.iter().copied())
    };
    vec![
        quick(&[]),
        quick(&["--target", "s390x-unknown-linux-gnu"]),
        quick(&["--target", X86_32]),
        curve("--doc"),
    ]
}

/// The programs whose files the command reads and writes, and what its tests hold them with.
fn command_peers() -> Vec<Need> {
    let programs = [
        Need::program("ssh-keygen", &["openssh-client"]),
        Need::program("minisign", &["minisign"]),
        Need::program("signify-openbsd", &["signify-openbsd"]),
        Need::program("openssl", &["openssl"]),
        Need::program("git", &["git"]),
        Need::program("script", &["bsdutils"]),
        Need::program("strace", &["strace"]),
        Need::program("go", &["golang-go"]),
    ];
    programs.into_iter().chain(python_peers()).collect()
}

/// Where the packages of Python are that the tests of the command use, which look for them there.
const PEERS: &str = "peers";

/// Python with the packages that the tests of the command name.
fn python_peers() -> [Need; 2] {
    [
        Need::debian(
            "Python's venv",
            "python3 -c 'import ensurepip, venv'",
            &["python3-venv"],
        ),
        Need::Python {
            home: PEERS,
            list: "cli/tests/peers/requirements.txt",
            probe: "import securesystemslib.dsse, in_toto_attestation.v1.statement, cryptography",
        },
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

/// The steps of C, of all tiers.
fn c_steps(long: bool) -> Vec<Step> {
    let mut c = c::Steps::new(long);
    c.here();
    c.elsewhere();
    c.thorough();
    c.into_list()
}

/// The loop of work, on some packages.
fn quick(names: &[String]) -> Vec<Step> {
    let cargo =
        |verb: &str, more: &[&str]| packages(Cmd::cargo([verb]), names).args(more.iter().copied());
    vec![
        Step::new(
            "format",
            &[],
            Action::Run(vec![Cmd::cargo(["fmt", "--all", "--check"])]),
        ),
        Step::new("layers", &[], Action::call(|| layers::run(&[]))),
        Step::new(
            "clippy",
            &[],
            Action::Run(vec![cargo("clippy", &["--", "-D", "warnings"])]),
        ),
        Step::new(
            "tests",
            &[],
            Action::Tests(vec![cargo("test", &["--lib", "--bins", "--tests"])]),
        ),
    ]
}

#[cfg(test)]
mod tests;
