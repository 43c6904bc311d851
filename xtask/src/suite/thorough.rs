//! What the tier `--all` has beside the others: what takes too long for every change.

use super::full::{MSRV, X86_32, first};
use crate::around::packages;
use crate::needs::{self, Need};
use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};
use crate::{command, debian, js, published, python, sanitized, twice};

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

fn deny(options: &[&str], manifest: &str, checks: &[&str]) -> Cmd {
    Cmd::new(&needs::tool("cargo-deny"))
        .args(options.iter().copied())
        .args(["--locked", "--config", "deny.toml"])
        .args(["--manifest-path", manifest, "check"])
        .args(checks.iter().copied())
}

/// Looks a workspace's dependencies up in the database that is here, which must not be older than 90 days. Offline, which keeps
/// cargo-deny from fetching another; so cargo fetches first what the workspace is built of.
fn advisories(manifest: &str) -> [Cmd; 2] {
    [
        Cmd::cargo(["fetch", "--quiet", "--locked", "--manifest-path", manifest]),
        deny(&["--offline"], manifest, &["advisories"]),
    ]
}

/// Makes the release profile check for overflow, where what is tested is arithmetic and not what is released.
const WITH_OVERFLOW_CHECKS: (&str, &str) = ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true");

/// What takes too long for every change.
pub(super) fn thorough() -> Vec<Step> {
    vec![
        Step::new(
            "oldest supported compiler: the C library, the command and what verifies columns",
            &[Need::Toolchain(MSRV, &[])],
            Action::Run(vec![packages(
                Cmd::cargo_of(MSRV, ["check", "--locked"]),
                &["lanner-c", "lanner-cli", "lanner-arrow"],
            )]),
        ),
        Step::new(
            "licences, bans and sources of all dependencies",
            &[CARGO_DENY],
            Action::Run(
                SHIPPED
                    .map(|manifest| deny(&[], manifest, &["licenses", "bans", "sources"]))
                    .into(),
            ),
        ),
        Step::new(
            "advisories of all dependencies, from a database that is here",
            &[CARGO_DENY, Need::Advisories],
            Action::Run(SHIPPED.into_iter().flat_map(advisories).collect()),
        ),
        Step::new(
            "Miri: the portable arithmetic, here, on s390x and on 32-bit x86",
            &[Need::Toolchain("nightly", &["miri", "rust-src"])],
            Action::Tests(miri()),
        ),
        sanitized::addresses(),
        sanitized::threads(),
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
            "the command: its release archives, static",
            &[
                Need::Target(command::STATIC[0]),
                Need::Target(command::STATIC[1]),
                Need::program(command::EMULATOR, &["qemu-user"]),
            ],
            Action::Call(Box::new(command::check)),
        )
        // What is packed is gathered in one directory, and taken from where the steps of C have built it.
        .beside("C"),
        Step::new(
            "Debian packages: made twice, read by lintian, installed in a clean system",
            &[
                Need::program("dpkg-shlibdeps", &["dpkg-dev"]),
                Need::program("lintian", &["lintian"]),
                Need::program("mmdebstrap", &["mmdebstrap"]),
                Need::debian("an administrator", "test $(id -u) = 0", &[]),
            ],
            Action::Call(Box::new(debian::check)),
        )
        .beside("C"),
        Step::new(
            "what is released, made twice and compared",
            &command::STATIC.map(Need::Target),
            Action::Call(Box::new(twice::check)),
        ),
        Step::new(
            "what is released on PyPI, made twice and compared",
            &[python::PYTHON, python::PACKAGES],
            Action::Call(Box::new(twice::check_wheel)),
        ),
        Step::new(
            "what is released on npm, made twice and compared",
            &[js::WASM, js::NODE],
            Action::Call(Box::new(twice::check_npm)),
        )
        // With the packages that the steps before install.
        .beside("JavaScript"),
        Step::new(
            "packages as they would be published, with their tests",
            &[],
            Action::Call(Box::new(published::check)),
        ),
        Step::new(
            "interop: fn-dsa 0.3 with shake256x4, 1,000 seeds of every degree",
            &[],
            Action::Tests(vec![
                Cmd::cargo(["test", "--release", "--locked", "--manifest-path"])
                    .args(["interop/shake256x4/Cargo.toml", "--", "--include-ignored"])
                    .env(WITH_OVERFLOW_CHECKS.0, WITH_OVERFLOW_CHECKS.1)
                    .env(
                        "CARGO_TARGET_DIR",
                        &target_dir().join("shake256x4").display().to_string(),
                    ),
            ]),
        ),
        Step::new(
            "Rust: long tests",
            &[],
            Action::Tests(vec![
                Cmd::cargo(["test", "--release", "--workspace", "--", "--ignored"])
                    .env(WITH_OVERFLOW_CHECKS.0, WITH_OVERFLOW_CHECKS.1),
            ]),
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
