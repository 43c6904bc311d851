//! The Python package: its steps in the test run.
//!
//! `python/tests` does the work, so that whoever knows pytest finds the usual commands; here they are only strung
//! together. Nothing is installed outside `target/python`.

use std::path::{Path, PathBuf};

use crate::c::dist::{checksum, dist_dir};
use crate::files::{copy, fresh, make, text};
use crate::needs::{self, Need};
use crate::process::{Cmd, root, target_dir};
use crate::steps::{Action, Step};
use crate::targets::host;
use crate::{linked, nowhere};

/// Where the environment of the tests is, beneath the target directory.
pub(crate) const HOME: &str = "python/environment";

/// The oldest Python that the package is for.
pub(crate) const PYTHON: Need = Need::debian(
    "Python 3.11 or later with venv",
    "python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))'",
    &["python3-venv"],
);

/// What builds the package, and what it is held against, in exactly the listed versions.
pub(crate) const PACKAGES: Need = Need::Python {
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
    command
        .env("CARGO_TARGET_DIR", &directory("python/build"))
        // pip runs maturin by its name.
        .env("PATH", &path_with(home))
        // The interpreter that PyO3 asks about the system.
        .env("PYO3_PYTHON", &needs::python(home))
}

/// The programs of that environment, and then the others.
pub(crate) fn path_with(home: &str) -> String {
    let programs = target_dir().join(home).join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(programs).chain(std::env::split_paths(&path));
    let path =
        std::env::join_paths(path).expect("a directory of cargo has no separator in its name");
    path.to_string_lossy().into_owned()
}

/// Sees to what a release takes.
///
/// # Errors
///
/// Something is missing.
pub(crate) fn can_release(install: bool) -> Result<(), String> {
    [PYTHON, PACKAGES]
        .iter()
        .try_for_each(|need| need.meet(install))
        .map_err(|error| format!("the Python package: {error}"))
}

/// What it is built by, as it says itself.
///
/// # Errors
///
/// There is none.
pub(crate) fn builder() -> Result<String, String> {
    let said = apart(Cmd::new("maturin").args(["--version"])).capture()?;
    Ok(said.trim().to_owned())
}

/// `cargo xtask dist --wheel`: the wheel for this machine and the archive of sources, and their lines in `SHA256SUMS`. The
/// same sources give the same files, wherever they lie.
///
/// # Errors
///
/// There is no maturin, or it fails, or the wheel names where it was built.
pub(crate) fn dist() -> Result<(), String> {
    let out = target_dir().join("python/wheels");
    fresh(&out)?;
    let maturin = |verb: &str| {
        Cmd::new("maturin")
            .args([verb, "--manifest-path", MANIFEST, "--out", &text(&out)])
            .env("PATH", &path_with(HOME))
    };
    maturin("sdist").run()?;
    let build = maturin("build").args(["--release", "--locked", "--interpreter", "python3"]);
    nowhere::build(build, &host()?, &[])?
        .env(
            "CARGO_TARGET_DIR",
            &text(&target_dir().join("python/build")),
        )
        // The crates lie beside their workspace, and cargo names what does by where that is.
        .env("RUSTC_WRAPPER", &text(&root().join("js/scripts/rustc.sh")))
        .run()?;
    make(&dist_dir())?;
    let entries = std::fs::read_dir(&out).map_err(|error| format!("{}: {error}", text(&out)))?;
    for entry in entries {
        let file = entry.map_err(|error| error.to_string())?.path();
        if file.extension().is_some_and(|end| end == "whl") {
            nowhere::check(&unpacked(&file)?)?;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        copy(&file, &dist_dir().join(&*name))?;
        checksum(&name)?;
        println!("{}", dist_dir().join(&*name).display());
    }
    Ok(())
}

/// The files in a wheel.
fn unpacked(wheel: &Path) -> Result<Vec<PathBuf>, String> {
    let dir = target_dir().join("python/unpacked");
    fresh(&dir)?;
    Cmd::new("python3")
        .args(["-m", "zipfile", "-e", &text(wheel), &text(&dir)])
        .env("PATH", &path_with(HOME))
        .run()?;
    let mut files = Vec::new();
    let mut dirs = vec![dir];
    while let Some(dir) = dirs.pop() {
        let entries = std::fs::read_dir(&dir).map_err(|error| error.to_string())?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                dirs.push(path);
            } else {
                files.push(path);
            }
        }
    }
    Ok(files)
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

/// The step that installs in the environment what the others test.
const PACKAGE: &str = "Python: the package, built by pip";

/// The steps, in order.
pub(crate) fn steps() -> Vec<Step> {
    let cargo =
        |args: &[&str]| apart(Cmd::cargo(args.iter().copied()).args(["--manifest-path", MANIFEST]));
    let sources = target_dir().join("python/theirs").display().to_string();
    let oldest = target_dir().join("python/oldest").display().to_string();
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
            PACKAGE,
            &[PYTHON, PACKAGES],
            Action::Run(vec![install(HOME)]),
        ),
        Step::new(
            "Python: the package's own tests",
            &[PYTHON, PACKAGES],
            Action::Tests(vec![python(&["-m", "pytest", "python/tests"])]),
        )
        .after(PACKAGE),
        Step::new(
            "Python: PyNaCl's and cryptography's own tests, imports changed",
            &[PYTHON, PACKAGES],
            Action::Tests(vec![python(&["python/tests/theirs.py", &sources])]),
        )
        .after(PACKAGE),
        Step::new(
            "Python: beside the oldest cryptography and pandas",
            &[PYTHON, PACKAGES],
            Action::Tests(vec![python(&["python/tests/oldest.py", &oldest])]),
        )
        .after(PACKAGE),
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
