//! The npm package: `cargo xtask js`, and its steps in the test run.
//!
//! `js/scripts/` does the work, so that whoever knows npm finds the usual commands; here they are only
//! strung together.

use crate::around::{AROUND, packages};
use crate::c::dist::{VERSION, checksum, dist_dir};
use crate::files::{copy, make, read, text};
use crate::needs::Need;
use crate::process::{Cmd, root, target_dir};
use crate::steps::{Action, Step};

/// The lines of `cargo xtask help`.
pub(crate) const HELP: &str = "\
  js [--install]  build the npm package, into js/dist (needs Node 20.19 or later, and npm), with the packages alone
                  that build it; in js/, `npm ci` installs those of the tests and the benchmark as well
                    --install    fetch these, by apt-get
";

pub(crate) const WASM: Need = Need::Target("wasm32-unknown-unknown");

pub(crate) const NODE: Need = Need::debian(
    "Node 20.19 or later with npm",
    "node -e 'const [a, b] = process.versions.node.split(\".\"); process.exit(+(a < 20 || a == 20 && b < 19))' && npm --version",
    &["nodejs", "npm"],
);

const CHROMIUM: Need = Need::debian("Chromium", "command -v chromium", &["chromium"]);

const FIREFOX: Need = Need::debian("Firefox", "command -v firefox-esr", &["firefox-esr"]);

const CHECKER: Need = Need::debian(
    "valgrind, wasm2c of wabt and a C compiler",
    "command -v valgrind && command -v wasm2c && command -v cc",
    &["valgrind", "wabt", "gcc", "libc6-dev"],
);

/// The workspace of the modules.
const MODULES: &str = "js/wasm/Cargo.toml";

/// Those that have an arithmetic of their own, and tests of it on this machine.
const OWN_ARITHMETIC: &[&str] = &["lanner-wasm-curve", "lanner-wasm-small", "lanner-wasm-fast"];

/// Format and clippy of the modules, which are a workspace apart: as they are built for the package,
/// each with the features that it is built with, and once more without vectors where it has both.
fn lint() -> Vec<Cmd> {
    let clippy = |args: &[&str]| {
        Cmd::cargo(["clippy", "--quiet", "--locked", "--manifest-path", MODULES])
            .args(args.iter().copied())
    };
    let denying = |command: Cmd| command.args(["--", "-D", "warnings"]);
    let wasm = |args: &[&str], simd: bool| {
        let command = clippy(args).args(["--target", "wasm32-unknown-unknown"]);
        // The flag of this target only, as the build gives it: the host's tools keep their own.
        let flags = if simd {
            "-Ctarget-feature=+simd128"
        } else {
            ""
        };
        denying(command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags))
    };
    let small = ["-p", "lanner-wasm-small"];
    let none = [&small[..], &["--no-default-features"]].concat();
    let all = [&small[..], &["--all-features"]].concat();
    vec![
        Cmd::cargo(["fmt", "--all", "--check", "--manifest-path", MODULES]),
        denying(
            clippy(&["--all-features", "--all-targets"])
                .args(OWN_ARITHMETIC.iter().flat_map(|name| ["-p", name])),
        ),
        wasm(&none, false),
        wasm(&all, false),
        wasm(&none, true),
        // The others have no allocator, and the arithmetic of none of them may ask for one.
        wasm(
            &[
                "--workspace",
                "--all-features",
                "--exclude",
                "lanner-wasm-ristretto",
            ],
            true,
        ),
        wasm(&["-p", "lanner-wasm-ristretto"], false),
        wasm(
            &[
                "-p",
                "lanner-wasm-fn-dsa",
                "--no-default-features",
                "--features",
                "simd",
            ],
            true,
        ),
        wasm(
            &[
                "-p",
                "lanner-wasm-fn-dsa",
                "--no-default-features",
                "--features",
                "sign",
            ],
            false,
        ),
    ]
}

/// A command of cargo on the modules that have an arithmetic of their own.
pub(crate) fn own_arithmetic(command: &[&str]) -> Cmd {
    Cmd::cargo(command.iter().copied())
        .args(["--manifest-path", MODULES])
        .args(OWN_ARITHMETIC.iter().flat_map(|name| ["-p", name]))
        .args(["--all-features"])
}

/// `npm` in `js/`.
pub(crate) fn npm(args: &[&str]) -> Cmd {
    Cmd::new("npm")
        .args(["--prefix", "js"])
        .args(args.iter().copied())
}

/// What builds, compresses and packs, in `js/node_modules`.
///
/// # Errors
///
/// It is not there, and cannot be fetched.
pub(crate) fn tools() -> Result<(), String> {
    if root().join("js/node_modules").exists() {
        return Ok(());
    }
    install_tools()
}

/// The same anew, of the versions that are locked, whatever is there.
fn install_tools() -> Result<(), String> {
    builders().args(["--ignore-scripts"]).run().map(drop)
}

/// Installs what builds, and not what only tests and measures, which is most: `js/tools/package.json` has that.
fn builders() -> Cmd {
    npm(&["ci", "--no-audit", "--workspaces=false"])
}

/// The script that builds the archive of a release.
fn release(args: &[&str]) -> Cmd {
    Cmd::new("node")
        .args(["js/scripts/release.mjs"])
        .args(args.iter().copied())
}

/// Sees to what a release takes: the compiler of releases is not the script's to fetch.
///
/// # Errors
///
/// Something is missing.
pub(crate) fn can_release(install: bool) -> Result<(), String> {
    NODE.meet(install)?;
    // They decide about the octets of the archive, and git does not know what lies there.
    install_tools()?;
    release(&["--check"])
        .capture()
        .map(drop)
        .map_err(|error| format!("the npm package: {error}"))
}

/// `cargo xtask dist --npm`: the archive of npm of the commit, by the compiler of releases, and its line in `SHA256SUMS`.
///
/// # Errors
///
/// Something is missing, or it does not build.
pub(crate) fn dist() -> Result<(), String> {
    can_release(false)?;
    release(&[]).run()?;
    let name = format!("lanner-{VERSION}.tgz");
    make(&dist_dir())?;
    copy(
        &root().join("js/release").join(&name),
        &dist_dir().join(&name),
    )?;
    checksum(&name)?;
    println!("{}", dist_dir().join(&name).display());
    Ok(())
}

/// The compiler that it is built by, as `rustc -V` begins.
///
/// # Errors
///
/// The file that names it cannot be read.
pub(crate) fn compiler() -> Result<String, String> {
    const FILE: &str = "js/wasm/release-toolchain.toml";
    let text = read(&root().join(FILE))?;
    let channel = text
        .lines()
        .find_map(|line| line.strip_prefix("channel = \"")?.strip_suffix('"'));
    channel
        .map(|channel| format!("rustc {channel} (wasm32-unknown-unknown)"))
        .ok_or_else(|| format!("{FILE} names no channel"))
}

/// What makes `js/dist`, with what was installed.
fn build() -> [Cmd; 2] {
    [npm(&["run", "build"]), npm(&["run", "size"])]
}

/// `cargo xtask js`.
///
/// # Errors
///
/// An option is unknown, or a command failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let install = match args {
        [] => false,
        [option] if option == "--install" => true,
        _ => return Err(format!("js: unknown option '{}'", args.join(" "))),
    };
    // The target as well, which a plain `npm run build` would miss with the compiler's words.
    for need in [WASM, NODE] {
        need.meet(install)?;
    }
    [builders()]
        .iter()
        .chain(&build())
        .try_for_each(|command| command.run().map(drop))
}

/// The step that builds what the others test.
const BUILD: &str = "JavaScript: build, sizes under their caps";

/// The steps of the test run, in order. `whole`: with the other engines, browsers and the packed archive.
pub(crate) fn steps(whole: bool) -> Vec<Step> {
    let mut all = vec![npm(&["ci", "--no-audit"])];
    all.extend(build());
    // With what the step of the other libraries builds, so that it is built once.
    let decoders = [
        "build",
        "--locked",
        "--profile",
        "test",
        "--example",
        "decoders",
    ];
    let decoders =
        packages(Cmd::cargo(decoders), AROUND).args(["--features", "lanner-arrow/rayon"]);
    let program = target_dir().join("debug/examples/decoders");
    let tests = npm(&["test"]).env("LANNER_DECODERS", &text(&program));
    let mut steps = vec![
        Step::new(
            "JavaScript: format and clippy of the modules",
            &[WASM],
            Action::Run(lint()),
        ),
        Step::new(
            "JavaScript: the modules' own arithmetic, on this machine",
            &[],
            Action::Tests(vec![own_arithmetic(&["test", "--locked"])]),
        ),
        Step::new(BUILD, &[WASM, NODE], Action::Run(all)),
        Step::new(
            "JavaScript: tests in Node",
            &[NODE],
            Action::Tests(vec![decoders, tests]),
        )
        .after(BUILD),
    ];
    if whole {
        let script = |name: &str| Action::Tests(vec![npm(&["run", name])]);
        let others = [
            Step::new(
                "JavaScript: constant time of the small modules under valgrind",
                &[WASM, NODE, CHECKER],
                script("test:constant-time"),
            ),
            Step::new(
                "JavaScript: Deno, Bun and workerd",
                &[WASM, NODE],
                script("test:runtimes"),
            ),
            Step::new(
                "JavaScript: the packed archive in fresh projects",
                &[WASM, NODE],
                script("test:packages"),
            ),
            Step::new(
                "JavaScript: Chromium, a worker, a policy, what bundlers make, the demo",
                &[WASM, NODE, CHROMIUM],
                script("test:browser"),
            ),
            Step::new(
                "JavaScript: Firefox, a worker, a policy, what bundlers make",
                &[WASM, NODE, FIREFOX],
                script("test:firefox"),
            ),
            Step::new(
                "JavaScript: a release, dry: built twice and compared, what npm would publish",
                &[WASM, NODE],
                script("test:release"),
            ),
        ];
        steps.extend(others.map(|step| step.after(BUILD)));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::compiler;

    #[test]
    fn the_compiler_of_releases_is_one_version() {
        let named = compiler().expect("the file names it");
        let version = named.split(' ').nth(1).unwrap_or_default();
        assert_eq!(version.split('.').count(), 3, "{named}");
        assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()));
    }
}
