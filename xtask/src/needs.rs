//! What must be on the machine before a step can run, and what fetches it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use lanner_simd::backend;

use crate::process::{Cmd, root, target_dir};

/// Something that must be on the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// A compilation target of the default toolchain.
    Target(&'static str),
    /// A toolchain, with components.
    Toolchain(&'static str, &'static [&'static str]),
    /// A processor that has a backend, by the name that `lanner_simd::backend` gives it.
    Backend(&'static str),
    /// Something of Debian's: what it is, a shell command that succeeds where it is there, and the
    /// packages that bring it.
    Debian {
        what: Cow<'static, str>,
        probe: Cow<'static, str>,
        packages: &'static [&'static str],
    },
    /// A program of a registry's crate, built in the target directory: the crate, its version, and the program.
    Crate {
        name: &'static str,
        version: &'static str,
        program: &'static str,
    },
    /// Packages of Python, in an environment of their own: where that is, beneath the target directory; a list of them
    /// in the repository; and a program that runs where they are there.
    Python {
        home: &'static str,
        list: &'static str,
        probe: &'static str,
    },
    /// A database of advisories, where cargo-deny looks for one.
    Advisories,
}

/// Where cargo-deny keeps databases, below which each has a directory: as it does by default.
fn advisories() -> Option<PathBuf> {
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    Some(cargo.join("advisory-dbs"))
}

/// Whether there is a database in the directory.
fn has_database(dir: &Path) -> bool {
    let mut entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.any(|entry| entry.path().join("crates").is_dir())
}

/// The Python that has the packages of a `Need::Python`.
pub(crate) fn python(home: &str) -> String {
    let python = target_dir().join(home).join("bin/python");
    python.display().to_string()
}

/// The program of a `Need::Crate`.
pub(crate) fn tool(program: &str) -> String {
    let program = target_dir().join("tools/bin").join(program);
    program.display().to_string()
}

/// Programs of which a part does, and builds in a fraction of the time.
const LEAN: &[(&str, &[&str])] = &[("mdbook", &["--no-default-features", "--features", "search"])];

/// Held while a need is met: rustup and pip do not expect themselves.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Whether the lists of packages were fetched in this run.
static LISTS_ARE_FRESH: AtomicBool = AtomicBool::new(false);

impl Need {
    /// Something of Debian's, found by a shell command.
    pub(crate) const fn debian(
        what: &'static str,
        probe: &'static str,
        packages: &'static [&'static str],
    ) -> Self {
        Self::Debian {
            what: Cow::Borrowed(what),
            probe: Cow::Borrowed(probe),
            packages,
        }
    }

    /// A program, and the packages that bring it.
    pub(crate) fn program(name: &'static str, packages: &'static [&'static str]) -> Self {
        Self::Debian {
            what: Cow::Borrowed(name),
            probe: Cow::Owned(format!("command -v '{name}'")),
            packages,
        }
    }

    /// Valgrind, whose memcheck does not start without the symbols of the C library.
    pub(crate) fn valgrind() -> Self {
        Self::program("valgrind", &["valgrind", "libc6-dbg"])
    }

    /// A header of a library, and the packages that bring it.
    pub(crate) fn header(name: &'static str, packages: &'static [&'static str]) -> Self {
        Self::Debian {
            what: Cow::Owned(format!("<{name}>")),
            probe: Cow::Owned(format!("printf '#include <{name}>\\n' | cc -E -x c -")),
            packages,
        }
    }

    /// The sanitizers of a C compiler, and the packages that bring them.
    pub(crate) fn sanitizers(cc: &'static str, packages: &'static [&'static str]) -> Self {
        let link = format!("{cc} -fsanitize=address,undefined -x c -o /dev/null -");
        Self::Debian {
            what: Cow::Owned(format!("the sanitizers of {cc}")),
            probe: Cow::Owned(format!("echo 'int main(void){{return 0;}}' | {link}")),
            packages,
        }
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Target(name) => format!("target {name}"),
            Self::Toolchain(name, []) => format!("toolchain {name}"),
            Self::Toolchain(name, components) => {
                format!("toolchain {name} with {}", components.join(", "))
            }
            Self::Debian { what, packages, .. } => {
                format!("{what} (Debian: {})", packages.join(", "))
            }
            Self::Backend(name) => format!("a processor for the backend {name}"),
            Self::Crate { name, version, .. } => format!("{name} {version}"),
            Self::Python { list, .. } => format!("what {list} names (Python)"),
            Self::Advisories => {
                let dir = advisories().unwrap_or_default();
                format!("a database of advisories in {}", dir.display())
            }
        }
    }

    /// Sees to the need, or says why it cannot be met.
    pub(crate) fn meet(&self, install: bool) -> Result<(), String> {
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_met() {
            return Ok(());
        }
        let missing = format!("{} is missing", self.describe());
        if matches!(self, Self::Backend(_)) {
            return Err(missing);
        }
        // Targets are small and rustup is part of the set-up; all else waits for the word.
        if !install && !matches!(self, Self::Target(_)) {
            return Err(format!("{missing}; --install fetches it"));
        }
        self.fetch()
            .map_err(|error| format!("{missing}, and installing it failed: {error}"))?;
        if self.is_met() {
            Ok(())
        } else {
            Err(format!("{missing} even after installing it"))
        }
    }

    /// Whether anything could bring it: not another processor, nor another user, and a database of advisories comes from where
    /// a machine may not reach.
    pub(crate) fn can_be_fetched(&self) -> bool {
        match self {
            Self::Backend(_) | Self::Advisories => false,
            Self::Debian { packages, .. } => !packages.is_empty(),
            Self::Target(_) | Self::Toolchain(..) | Self::Crate { .. } | Self::Python { .. } => {
                true
            }
        }
    }

    fn fetch(&self) -> Result<(), String> {
        let fetch = match self {
            Self::Python { home, list, .. } => {
                let home = target_dir().join(home);
                let make = Cmd::new("python3").args(["-m", "venv", "--clear"]);
                make.args([home.display().to_string()]).run()?;
                let list = root().join(list).display().to_string();
                Cmd::new(&home.join("bin/pip").display().to_string()).args([
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "-r",
                    &list,
                ])
            }
            Self::Crate { name, version, .. } => {
                let tools = target_dir().join("tools").display().to_string();
                let lean = LEAN.iter().filter(|(lean, _)| lean == name);
                Cmd::cargo(["install", "--quiet", "--locked", "--root", &tools])
                    .args([name, "--version", version])
                    .args(lean.flat_map(|(_, options)| options.iter().copied()))
            }
            Self::Backend(_) => unreachable!("nothing fetches a processor"),
            Self::Advisories => Cmd::new(&tool("cargo-deny")).args(["fetch", "db"]),
            Self::Target(name) => Cmd::new("rustup").args(["target", "add", name]),
            Self::Toolchain(name, components) => {
                let install = ["toolchain", "install", name, "--profile", "minimal"];
                let components = components.iter().flat_map(|name| ["--component", name]);
                Cmd::new("rustup")
                    .args(install)
                    .args(["--no-self-update"])
                    .args(components)
            }
            Self::Debian { packages, .. } => {
                if !LISTS_ARE_FRESH.swap(true, Ordering::Relaxed) {
                    Cmd::new("apt-get").args(["update", "-qq"]).run()?;
                }
                Cmd::new("apt-get")
                    .args(["-o", "DPkg::Lock::Timeout=600", "install", "-y", "-qq"])
                    .args(["--no-install-recommends"])
                    .args(packages.iter().copied())
                    .env("DEBIAN_FRONTEND", "noninteractive")
            }
        };
        fetch.run().map(drop)
    }

    pub(crate) fn is_met(&self) -> bool {
        match self {
            Self::Backend(name) => backend::list().any(|backend| backend.name() == *name),
            Self::Target(name) => {
                // Without rustup the compiler itself knows whether it has the target's library.
                let listed = Cmd::new("rustup")
                    .args(["target", "list", "--installed"])
                    .capture();
                match listed {
                    Ok(list) => list.lines().any(|line| line.trim() == *name),
                    Err(_) => Cmd::new("rustc")
                        .args(["--print", "target-libdir", "--target", name])
                        .capture()
                        .is_ok_and(|dir| Path::new(dir.trim()).is_dir()),
                }
            }
            Self::Toolchain(name, components) => {
                let works = Cmd::new("rustup").args(["run", name, "cargo", "--version"]);
                let list = ["component", "list", "--installed", "--toolchain", name];
                let list = Cmd::new("rustup").args(list);
                works.capture().is_ok()
                    && (components.is_empty()
                        || list.capture().is_ok_and(|list| {
                            components.iter().all(|component| {
                                list.lines().any(|line| line.starts_with(component))
                            })
                        }))
            }
            Self::Crate {
                version, program, ..
            } => Cmd::new(&tool(program))
                // Cargo names its plugin to it.
                .args(program.strip_prefix("cargo-"))
                .args(["--version"])
                .capture()
                .is_ok_and(|line| {
                    let mut words = line.split_whitespace();
                    words.any(|word| word.trim_start_matches('v') == *version)
                }),
            Self::Python { home, probe, .. } => Cmd::new(&python(home))
                .args(["-c", probe])
                .capture()
                .is_ok(),
            Self::Debian { probe, .. } => Cmd::new("sh").args(["-c", probe]).capture().is_ok(),
            Self::Advisories => advisories().is_some_and(|dir| has_database(&dir)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Need, has_database};

    #[test]
    fn a_database_is_one_that_has_crates() {
        let dir = std::env::temp_dir().join(format!("lanner-advisories-{}", std::process::id()));
        assert!(!has_database(&dir));
        std::fs::create_dir_all(dir.join("advisory-db-0/.git")).unwrap();
        assert!(!has_database(&dir), "one that was not fetched to the end");
        std::fs::create_dir(dir.join("advisory-db-0/crates")).unwrap();
        assert!(has_database(&dir));
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(Need::Advisories.describe().contains("advisory-dbs"));
    }

    #[test]
    fn what_is_there_is_met_and_what_is_not_says_so() {
        assert!(Need::program("sh", &["dash"]).meet(false).is_ok());
        let missing = Need::program("no-such-program-here", &["no-such-package"]);
        let reason = missing.meet(false).expect_err("it is nowhere");
        assert!(reason.contains("no-such-package") && reason.contains("--install"));
        let missing = Need::header("no/such/header.h", &["no-such-package"]);
        assert!(!missing.is_met());
    }
}
