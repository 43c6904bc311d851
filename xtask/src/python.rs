//! The Python package: its steps in the test run.
//!
//! `python/tests` does the work, so that whoever knows pytest finds the usual commands; here they are only strung
//! together. Nothing is installed outside `target/python`.

use crate::linked;
use crate::needs::{self, Need};
use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};

/// Where the environment of the tests is, beneath the target directory.
pub(crate) const HOME: &str = "python/environment";

/// The oldest Python that the package is for.
const PYTHON: Need = Need::debian(
    "Python 3.11 or later with venv",
    "python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))'",
    &["python3-venv"],
);

/// What builds the package, and what it is held against, in exactly the listed versions.
const PACKAGES: Need = Need::Python {
    home: HOME,
    list: "python/tests/requirements.txt",
    probe: "
import importlib.metadata
for line in open('python/tests/requirements.txt'):
    name, _, version = line.partition('#')[0].strip().partition('==')
    assert not name or importlib.metadata.version(name) == version, name
",
};

/// Where the environment of the engines is, which are large: the package in it is the one that was built for the tests.
const ENGINES_HOME: &str = "python/engines";

/// The engines, in exactly the listed versions.
const ENGINES: Need = Need::Python {
    home: ENGINES_HOME,
    list: "integrations/engines/requirements.txt",
    probe: "
import importlib.metadata
for line in open('integrations/engines/requirements.txt'):
    name, _, version = line.partition('#')[0].strip().partition('==')
    assert not name or importlib.metadata.version(name) == version, name
",
};

/// What Spark runs on.
const JAVA: Need = Need::debian(
    "Java 17 or later",
    "java -version 2>&1 | grep -Eq 'version \"(1[7-9]|[2-9][0-9])'",
    &["openjdk-17-jre-headless"],
);

/// The workspace of the extension module.
const MANIFEST: &str = "python/Cargo.toml";

/// A command with the builds of the package in a directory of their own: another profile, and other features than the
/// workspace gives the crates.
fn apart(command: Cmd) -> Cmd {
    within(HOME, command)
}

/// The same, with the programs of that environment first.
fn within(home: &str, command: Cmd) -> Cmd {
    let directory = |name: &str| target_dir().join(name).display().to_string();
    let programs = target_dir().join(home).join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(programs).chain(std::env::split_paths(&path));
    let path =
        std::env::join_paths(path).expect("a directory of cargo has no separator in its name");
    command
        .env("CARGO_TARGET_DIR", &directory("python/build"))
        // pip runs maturin by its name.
        .env("PATH", &path.to_string_lossy())
        // The interpreter that PyO3 asks about the system.
        .env("PYO3_PYTHON", &needs::python(home))
}

/// Python in the environment.
fn python(args: &[&str]) -> Cmd {
    apart(Cmd::new(&needs::python(HOME)).args(args.iter().copied()))
}

/// Installs the package in an environment. What cargo has built is used again.
fn install(home: &str) -> Cmd {
    install_from(home, "./python")
}

/// The same of a package in that directory.
fn install_from(home: &str, directory: &str) -> Cmd {
    within(home, Cmd::new(&needs::python(home))).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-build-isolation",
        "--no-deps",
        "--force-reinstall",
        directory,
    ])
}

/// The tests of one engine, which start it.
fn engine(name: &str, needs: &[Need]) -> Step {
    let file = format!("integrations/engines/tests/test_{}.py", name.to_lowercase());
    let tests = within(ENGINES_HOME, Cmd::new(&needs::python(ENGINES_HOME)));
    Step::new(
        format!("Python: {name}, with columns of signatures"),
        &[&[PYTHON, ENGINES], needs].concat(),
        Action::Tests(vec![
            install(ENGINES_HOME),
            tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", &file]),
        ]),
    )
}

/// Python in the environment of the engines.
fn in_engines(args: &[&str]) -> Cmd {
    within(ENGINES_HOME, Cmd::new(&needs::python(ENGINES_HOME))).args(args.iter().copied())
}

/// Format and clippy of a workspace whose target directory is that of the package.
fn looked_at(manifest: &str) -> Vec<Cmd> {
    let cargo = |args: &[&str]| {
        within(ENGINES_HOME, Cmd::cargo(args.iter().copied())).args(["--manifest-path", manifest])
    };
    vec![
        cargo(&["fmt", "--check"]),
        cargo(&["clippy", "--quiet", "--locked"]).args(["--", "-D", "warnings"]),
    ]
}

/// What engines load: the plugin of Polars and the extension of DuckDB, whose tests hold them against the package.
pub(crate) fn loaded() -> Vec<Step> {
    const POLARS: &str = "integrations/polars";
    const DUCKDB: &str = "integrations/duckdb/Cargo.toml";
    let target = |name: &str| target_dir().join(name).display().to_string();
    let extension = target("duckdb/lanner.duckdb_extension");
    let library = format!(
        "python/build/release/{}lanner_duckdb{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    vec![
        Step::new(
            "Polars: the plugin, lazily and streaming, over a folder of Parquet",
            &[PYTHON, ENGINES],
            Action::Tests(vec![
                install(ENGINES_HOME),
                install_from(ENGINES_HOME, &format!("./{POLARS}")),
                in_engines(&["-m", "pytest", "integrations/polars/tests"]),
            ]),
        ),
        Step::new(
            "DuckDB: the extension, over a folder of Parquet",
            &[PYTHON, ENGINES],
            Action::Tests(vec![
                install(ENGINES_HOME),
                within(ENGINES_HOME, Cmd::cargo(["build", "--release", "--locked"]))
                    .args(["--manifest-path", DUCKDB]),
                in_engines(&["integrations/duckdb/pack.py", &target(&library), &extension]),
                in_engines(&["-m", "pytest", "integrations/duckdb/tests"])
                    .env("LANNER_DUCKDB_EXTENSION", &extension),
            ]),
        ),
        Step::new(
            "Polars and DuckDB: format and clippy",
            &[PYTHON, ENGINES],
            Action::Run(
                [
                    looked_at(&format!("{POLARS}/Cargo.toml")),
                    looked_at(DUCKDB),
                ]
                .concat(),
            ),
        ),
    ]
}

/// The engines that the package serves, each for itself.
pub(crate) fn engines() -> Vec<Step> {
    vec![
        engine("Polars", &[]),
        engine("DuckDB", &[]),
        engine("Spark", &[JAVA]),
        engine("Ray", &[]),
        engine("Dask", &[]),
    ]
}

/// The steps, in order: the later ones use what the third has installed.
pub(crate) fn steps() -> Vec<Step> {
    let cargo =
        |args: &[&str]| apart(Cmd::cargo(args.iter().copied()).args(["--manifest-path", MANIFEST]));
    let sources = target_dir().join("python/theirs").display().to_string();
    vec![
        Step::new(
            "Python: format and clippy of the extension module",
            &[PYTHON, PACKAGES],
            Action::Run(vec![
                cargo(&["fmt", "--check"]),
                cargo(&["clippy", "--quiet", "--locked"]).args(["--", "-D", "warnings"]),
            ]),
        ),
        Step::new(
            "Python: what goes along with it, Polars and DuckDB names what is linked",
            &[],
            Action::Call(Box::new(linked::check_committed)),
        ),
        Step::new(
            "Python: the package, built by pip and tested",
            &[PYTHON, PACKAGES],
            Action::Tests(vec![
                install(HOME),
                python(&["-m", "pytest", "python/tests"]),
            ]),
        ),
        Step::new(
            "Python: PyNaCl's and cryptography's own tests, imports changed",
            &[PYTHON, PACKAGES],
            Action::Tests(vec![python(&["python/tests/theirs.py", &sources])]),
        ),
        Step::new(
            "Python: without the global lock",
            &[PYTHON],
            Action::Run(vec![apart(
                Cmd::new("python3").args([
                    "python/tests/free_threaded.py",
                    &target_dir()
                        .join("python/free-threaded")
                        .display()
                        .to_string(),
                ]),
            )]),
        ),
    ]
}
