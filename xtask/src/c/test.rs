//! `cargo xtask c-test`: what must hold for the C library.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::build::{Library, Variant, build};
use super::targets::{TESTED, Target, find, host};
use super::{checks, data, has_program, value};
use crate::process::{Cmd, Tally, target_dir};

/// Something that must be on the machine.
#[derive(Clone, Debug)]
pub(super) enum Need {
    /// A program, and the Debian packages that bring it.
    Program(&'static str, &'static [&'static str]),
    /// A header of a library, and the Debian package that brings it.
    Header(&'static str, &'static str),
    /// The sanitizers of a compiler, and the Debian packages that bring them.
    Sanitizers(&'static str, &'static [&'static str]),
    /// A target, with its C toolchain.
    Target(&'static str),
    /// A target for Rust alone.
    RustTarget(&'static str),
}

/// One check.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) needs: Vec<Need>,
    pub(super) run: fn(&Context) -> Result<Tally, String>,
}

/// Whether the lists of packages were fetched in this run.
static LISTS_ARE_FRESH: AtomicBool = AtomicBool::new(false);

/// What the checks share: libraries are built once.
pub(super) struct Context {
    built: RefCell<HashMap<String, Library>>,
    /// More rounds.
    pub(super) long: bool,
}

impl Context {
    /// The library of a target.
    ///
    /// # Errors
    ///
    /// It does not build.
    pub(super) fn library(&self, triple: &str, variant: Variant) -> Result<Library, String> {
        let key = format!("{triple} {variant:?}");
        if let Some(library) = self.built.borrow().get(&key) {
            return Ok(library.clone());
        }
        let library = build(&find(triple)?, variant)?;
        self.built.borrow_mut().insert(key, library.clone());
        Ok(library)
    }

    /// The library of this machine.
    ///
    /// # Errors
    ///
    /// It does not build.
    pub(super) fn own(&self) -> Result<Library, String> {
        self.library(&host()?, Variant::default())
    }

    /// The directory with the test data as text.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(super) fn data(&self) -> Result<PathBuf, String> {
        let dir = work_dir().join("data");
        if !dir.exists() {
            data::write_all(&dir)?;
        }
        Ok(dir)
    }
}

/// Where the programs of the tests are made.
pub(super) fn work_dir() -> PathBuf {
    target_dir().join("c-test")
}

impl Need {
    fn describe(&self) -> String {
        match self {
            Self::Program(name, _) => (*name).to_owned(),
            Self::Header(name, _) => format!("<{name}>"),
            Self::Sanitizers(cc, _) => format!("the sanitizers of {cc}"),
            Self::Target(name) => format!("C and Rust for {name}"),
            Self::RustTarget(name) => format!("Rust for {name}"),
        }
    }

    fn missing(&self) -> Option<String> {
        match self {
            Self::Program(name, _) => (!has_program(name)).then(|| (*name).to_owned()),
            Self::Header(name, _) => {
                let script = format!("printf '#include <{name}>\\n' | cc -E -x c - >/dev/null");
                let found = Cmd::new("sh").args(["-c", &script]).capture();
                found.is_err().then(|| self.describe())
            }
            Self::Sanitizers(cc, _) => {
                let script = format!(
                    "echo 'int main(void){{return 0;}}' | {cc} -fsanitize=address,undefined -x c -o /dev/null -"
                );
                let found = Cmd::new("sh").args(["-c", &script]).capture();
                found.is_err().then(|| self.describe())
            }
            Self::RustTarget(name) => (!has_rust_target(name)).then(|| self.describe()),
            Self::Target(name) => {
                let missing = find(name).map_or_else(|e| vec![e], |target| target.missing());
                match (missing.is_empty(), has_rust_target(name)) {
                    (true, true) => None,
                    (true, false) => Some(format!("Rust for {name}")),
                    (false, _) => Some(missing.join(", ")),
                }
            }
        }
    }

    fn install(&self) -> Result<(), String> {
        let (packages, target): (&[&str], _) = match self {
            Self::Program(_, packages) | Self::Sanitizers(_, packages) => (packages, None),
            Self::Header(_, package) => (std::slice::from_ref(package), None),
            Self::RustTarget(name) => (&[], Some(name)),
            Self::Target(name) => (
                table(name).map_or(&[], |target| target.packages),
                Some(name),
            ),
        };
        if let Some(name) = target
            && !has_rust_target(name)
        {
            Cmd::new("rustup").args(["target", "add", name]).run()?;
        }
        if self.missing().is_some() && !packages.is_empty() {
            if !LISTS_ARE_FRESH.swap(true, Ordering::Relaxed) {
                Cmd::new("apt-get").args(["update", "-qq"]).run()?;
            }
            Cmd::new("apt-get")
                .args(["-o", "DPkg::Lock::Timeout=600", "install", "-y", "-qq"])
                .args(["--no-install-recommends"])
                .args(packages.iter().copied())
                .env("DEBIAN_FRONTEND", "noninteractive")
                .run()?;
        }
        Ok(())
    }

    /// Sees to the need, or says why it is not met.
    fn meet(&self, install: bool) -> Result<(), String> {
        let Some(missing) = self.missing() else {
            return Ok(());
        };
        if !install {
            return Err(format!("no {missing}; --install fetches it"));
        }
        self.install()
            .map_err(|error| format!("no {missing}, and installing it failed: {error}"))?;
        match self.missing() {
            None => Ok(()),
            Some(missing) => Err(format!("no {missing}, even after installing")),
        }
    }
}

fn table(triple: &str) -> Option<&'static Target> {
    TESTED.iter().find(|target| target.triple == triple)
}

fn has_rust_target(name: &str) -> bool {
    Cmd::new("rustc")
        .args(["--print", "target-libdir", "--target", name])
        .capture()
        .is_ok_and(|dir| std::path::Path::new(dir.trim()).is_dir())
}

/// A tally of one, for a check that counts nothing itself.
pub(super) fn one() -> Tally {
    Tally {
        passed: 1,
        ..Tally::default()
    }
}

/// Runs the checks.
///
/// # Errors
///
/// An option is unknown, or a check failed, or none ran.
pub(super) fn run(args: &[String]) -> Result<(), String> {
    let (mut install, mut long, mut list, mut only) = (false, false, false, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--install" => install = true,
            "--long" => long = true,
            "--list" => list = true,
            "--only" => only = Some(value(arg, &mut args)?.to_owned()),
            other => return Err(format!("c-test: unknown option '{other}'")),
        }
    }
    let mut checks = checks::all();
    if let Some(text) = &only {
        let names: Vec<&str> = text.split('|').collect();
        checks.retain(|check| names.iter().any(|name| check.name.contains(name)));
    }
    if list {
        for check in &checks {
            let needs: Vec<String> = check.needs.iter().map(Need::describe).collect();
            println!("{}  [{}]", check.name, needs.join(", "));
        }
        return Ok(());
    }
    if work_dir().exists() {
        std::fs::remove_dir_all(work_dir()).map_err(|error| error.to_string())?;
    }
    let context = Context {
        built: RefCell::default(),
        long,
    };
    let mut lines = Vec::new();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for check in &checks {
        println!("\n=== C: {}", check.name);
        let unmet = check.needs.iter().find_map(|need| need.meet(install).err());
        let start = Instant::now();
        let line = match unmet {
            Some(reason) => {
                skipped += 1;
                println!("SKIPPED: C: {}: {reason}", check.name);
                format!("SKIPPED  {}: {reason}", check.name)
            }
            None => match (check.run)(&context) {
                Ok(tally) => {
                    passed += 1;
                    let seconds = start.elapsed().as_secs_f64();
                    format!(
                        "passed   {} ({} checks, {seconds:.1} s)",
                        check.name, tally.passed
                    )
                }
                Err(reason) => {
                    failed += 1;
                    println!("--- FAILED: {reason}");
                    format!("FAILED   {}: {reason}", check.name)
                }
            },
        };
        lines.push(line);
    }
    println!("\n=== C library\n{}", lines.join("\n"));
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "test result: {verdict}. {passed} passed; {failed} failed; 0 ignored; {skipped} skipped"
    );
    if failed > 0 || passed == 0 {
        return Err(format!("c-test: {failed} failed, {passed} passed"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::c::checks;

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<&str> = checks::all().iter().map(|check| check.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
