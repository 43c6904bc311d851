//! The Python package: its steps in the test run.
//!
//! `python/tests` does the work, so that whoever knows pytest finds the usual commands; here they are only strung
//! together. Nothing is installed outside `target/python`.

use crate::needs::{self, Need};
use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};

/// Where the environment of the tests is, beneath the target directory.
const HOME: &str = "python/environment";

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

/// The workspace of the extension module.
const MANIFEST: &str = "python/Cargo.toml";

/// A command with the builds of the package in a directory of their own: another profile, and other features than the
/// workspace gives the crates.
fn apart(command: Cmd) -> Cmd {
    let directory = |name: &str| target_dir().join(name).display().to_string();
    let programs = target_dir().join(HOME).join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(programs).chain(std::env::split_paths(&path));
    let path =
        std::env::join_paths(path).expect("a directory of cargo has no separator in its name");
    command
        .env("CARGO_TARGET_DIR", &directory("python/build"))
        // pip runs maturin by its name.
        .env("PATH", &path.to_string_lossy())
        // The interpreter that PyO3 asks about the system.
        .env("PYO3_PYTHON", &needs::python(HOME))
}

/// Python in the environment.
fn python(args: &[&str]) -> Cmd {
    apart(Cmd::new(&needs::python(HOME)).args(args.iter().copied()))
}

/// The steps, in order: the later ones use what the second has installed.
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
            "Python: the package, built by pip and tested",
            &[PYTHON, PACKAGES],
            Action::Tests(vec![
                python(&[
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--no-build-isolation",
                    "--no-deps",
                    "--force-reinstall",
                    "./python",
                ]),
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
