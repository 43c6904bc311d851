//! The tier `--full`: what a change must pass.

use super::libraries;
use crate::around::{self, packages};
use crate::emulated::{PROOF, PROVEN};
use crate::layers::law::LIBRARIES;
use crate::needs::{self, Need};
use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};
use crate::{
    c, codegen, compat, embedded, emulated, features, js, no_alloc, patched, predict, python,
};

/// The oldest compiler that builds the library crates: `rust-version` in the root manifest.
pub(super) const MSRV: &str = "1.89";

/// Targets on which the libraries must build without std.
const EMBEDDED: &str = "thumbv7em-none-eabi";
/// Processors that load and store, and have no other atomic operation.
const WITHOUT_ATOMICS: [&str; 2] = ["thumbv6m-none-eabi", "riscv32imc-unknown-none-elf"];
/// x86-64 without registers of vectors: kernels and boot loaders.
const KERNEL: &str = "x86_64-unknown-none";
const WASM: &str = "wasm32-unknown-unknown";
const WASI: &str = "wasm32-wasip1";
pub(super) const X86_32: &str = "i686-unknown-linux-gnu";

/// The backends, by the names that `lanner_simd::backend` gives them; the differential tests
/// run on each that this machine has.
pub(super) const BACKENDS: &[&str] = &[
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

/// Every feature of the curve and of what is made of it alone. They only add, so that one build tests them with what there
/// is by default, and the steps with all features need not build and run these three once more.
pub(super) const WHOLE: &[(&str, &[&str])] = &[
    (
        "lanner-curve",
        &[
            "alloc",
            "default",
            "digest",
            "ff",
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
pub(super) fn first(arguments: &[&str]) -> Cmd {
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
pub(super) fn full(whole: bool) -> Vec<Step> {
    let c = c::Steps::new(whole);
    let c_library = c.shared_library();
    let mut steps = feature_sets();
    steps.extend(compiled());
    steps.extend(beside_others());
    steps.extend(as_released());
    steps.push(observed(whole, c_library));
    if whole {
        steps.push(interrupted());
    }
    steps.extend(chains(whole, c));
    steps
}

/// What is compiled, or linked, and not run: for other targets, and by the oldest compiler.
fn compiled() -> Vec<Step> {
    vec![
        Step::new(
            "no_std: embedded ARM, linked without an allocator",
            &[Need::Target(EMBEDDED)],
            Action::call(|| no_alloc::link_without_allocator(EMBEDDED)),
        ),
        Step::new(
            "no_std: Cortex-M0 and RISC-V without atomics",
            &WITHOUT_ATOMICS.map(Need::Target),
            Action::Run(
                WITHOUT_ATOMICS
                    .map(|target| {
                        let all = "lanner-fn-dsa/keygen,lanner-fn-dsa/sign,lanner-hybrid/sign";
                        let plain = ["--target", target, "--no-default-features"];
                        libraries("check", &plain).args(["--features", all])
                    })
                    .into(),
            ),
        ),
        Step::new(
            "no_std: x86-64 without vectors, as it is released",
            &[Need::Target(KERNEL)],
            Action::Run(vec![
                // What a compiler cannot make there, it finds when it makes code.
                libraries(
                    "build",
                    &["--release", "--target", KERNEL, "--no-default-features"],
                )
                .args([
                    "--features",
                    "lanner-fn-dsa/keygen,lanner-fn-dsa/sign,lanner-hybrid/sign",
                ]),
            ]),
        ),
        Step::new(
            "WebAssembly with WASI, which has randomness",
            &[Need::Target(WASI)],
            Action::Run(vec![
                Cmd::cargo(["check", "-p", "lanner", "--features", "hybrid"]).args([
                    "--test",
                    "system_randomness",
                    "--target",
                    WASI,
                ]),
            ]),
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
    ]
}

/// The libraries and the command beside those of others.
fn beside_others() -> Vec<Step> {
    vec![
        Step::new(
            "Rust: other libraries, drop-in programs, decoders, xtask",
            &[],
            // FN-DSA has nothing of the curve: this is its one run against others. The curve's are below.
            Action::Tests(vec![around::tests(&["--no-fail-fast"])]),
        ),
        of_version_1(),
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
            "the command: manual pages and completions, to those who read them",
            &[
                Need::program("bash", &["bash"]),
                Need::program("zsh", &["zsh"]),
                Need::program("fish", &["fish"]),
                Need::program("groff", &["groff"]),
            ],
            of_the_command(&["pages"]),
        ),
    ]
}

/// FN-DSA and the curve, as they are released.
fn as_released() -> Vec<Step> {
    vec![
        Step::new(
            "FN-DSA: memory and stack, as they are released",
            &[],
            // Builds that check for overflow have larger frames, and are allowed more. The flag, which nothing here reads, is that
            // of the next step: what both are built of is built once.
            Action::Tests(vec![
                Cmd::cargo([
                    "test",
                    "--release",
                    "-p",
                    "lanner-fn-dsa",
                    "--test",
                    "memory",
                ])
                .env("RUSTFLAGS", PROOF),
            ]),
        )
        .beside("release"),
        // Beside the tests above, whose builds are others: this one is as the libraries ship.
        Step::new(
            PROVEN,
            &[],
            Action::Tests(vec![
                Cmd::cargo(["test", "-p", "lanner-proof"]),
                Cmd::cargo(["test", "--release", "-p", "lanner-curve"])
                    .args(["--features", "fiat", "--lib", "proven::"])
                    .env("RUSTFLAGS", PROOF),
            ]),
        )
        .beside("release"),
    ]
}

/// What is done with secrets, with the C library that it is given.
fn observed(
    whole: bool,
    c_library: impl Fn() -> Result<String, String> + Send + Sync + 'static,
) -> Step {
    Step::new(
        "constant time and residues: secrets marked under valgrind, and step by step",
        &[Need::valgrind()],
        Action::Call(Box::new(move || {
            let tests = constant_time(whole);
            tests.env("LANNER_C_LIBRARY", &c_library()?).run()
        })),
    )
}

/// The command, whichever system call does not do what it should.
fn interrupted() -> Step {
    Step::new(
        "the command: each system call failing or interrupted, in every way",
        &[Need::program("strace", &["strace"])],
        // Those that are run with every other test try one way for each call. The longest is left to the long tests.
        of_the_command(&["--ignored", "interrupted", "--skip", "tours"]),
    )
}

/// What builds into directories of its own; the longest first, so that nothing is left alone at the end.
fn chains(whole: bool, mut c: c::Steps) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut beside = |chain: &'static str, list: Vec<Step>| {
        steps.extend(list.into_iter().map(|step| step.beside(chain)));
    };
    c.here();
    c.elsewhere();
    if whole {
        c.thorough();
    }
    let mut of_c = c.into_list();
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
    let mut generated = vec![codegen::step()];
    if whole {
        beside("patched", patched::steps());
        generated.push(codegen::lean());
        generated.push(codegen::other_targets());
        generated.push(predict::step());
        generated.push(embedded::step());
    }
    beside("generated code", generated);
    beside("settings", vec![settings(whole)]);
    beside("emulated", emulated::steps(whole));
    if whole {
        beside("as released", emulated::million());
        beside("as released", emulated::proven());
    }
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
            "Rust: the stack of builds without optimisation",
            &[],
            Action::Tests(vec![
                Cmd::cargo(["test", "--profile", "dev", "-p", "lanner"]).args([
                    "--features",
                    "batch,pem",
                    "--test",
                    "small_stack",
                ]),
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

/// The dalek libraries of version 1, which are in a workspace of their own, by both rules of S.
fn of_version_1() -> Step {
    let cargo = |verb: &str| {
        Cmd::cargo([verb, "--manifest-path", "interop/dalek1/Cargo.toml"]).env(
            "CARGO_TARGET_DIR",
            &target_dir().join("dalek1").display().to_string(),
        )
    };
    let other_rule = ["--features", "legacy_compatibility"];
    Step::new(
        "interop: ed25519-dalek 1 and x25519-dalek 1",
        &[],
        Action::Tests(vec![
            cargo("fmt").args(["--check"]),
            cargo("clippy").args(["--locked", "--all-targets", "--", "-D", "warnings"]),
            cargo("test").args(["--locked"]),
            cargo("test").args(["--locked"]).args(other_rule),
        ]),
    )
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
    // The C side stays on its own backend.
    let c_face = around::tests(&["--test", "c_face", "--", "--ignored"])
        .env("LANNER_TEST_BACKEND", name)
        .env("LANNER_C_INTEROP", &c::interop_program());
    Step::new(
        format!("interop: everything on backend {name}"),
        &[Need::Backend(name)],
        Action::Tests(vec![tests, c_face]),
    )
    .after(c::interop_step())
}

/// Secrets observed, in the builds that people use; the whole also without tables, on 32 bits and with
/// what valgrind emulates but does not report, and follows more of the steps.
pub(super) fn constant_time(whole: bool) -> Cmd {
    if whole {
        return Cmd::cargo(["test", "-p", "lanner-ct"])
            .args(["--", "--include-ignored"])
            .env("LANNER_CT_LONG", "1");
    }
    let plain = [
        "nothing_is_left",
        "nothing_is_left_in_builds_for_size",
        "secrets_do_not_steer",
        "secrets_do_not_steer_in_builds_for_size",
        "secrets_do_not_steer_on_avx512",
        "every_leak_differs",
        "no_fault_lets_another_signature_out",
        "no_fault_signs_another_hash",
        "no_fault_signs_another_message",
    ];
    around::tests(&[
        "--test", "residue", "--test", "valgrind", "--test", "stepping", "--test", "faults",
    ])
    .args(["--", "--include-ignored", "--exact"])
    .args(plain)
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
