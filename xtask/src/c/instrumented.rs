//! The test programs and the library's own code, all of it compiled with a sanitizer: the nightly compiler has them, and
//! the runtime that its code needs. The compiler of C links that one in the place of its own, which may be older.

use std::path::{Path, PathBuf};

use super::checks::{PROGRAMS, WATCHED, arguments};
use super::context::{Context, work_dir};
use super::layout::Library;
use super::programs::{PLAIN, source};
use super::turn::Turn;
use crate::files::{fresh, text, write};
use crate::needs::Need;
use crate::process::{Cmd, Tally, target_dir};
use crate::targets::{find, host};

/// What compiles the library's code.
pub(super) const NIGHTLY: Need = Need::Toolchain("nightly", &[]);

/// A sanitizer, as the compilers name it.
pub(super) struct Sanitizer {
    /// For both compilers, without the dashes before it.
    name: &'static str,
    /// The runtime's file, after the channel.
    runtime: &'static str,
    /// More flags of the Rust compiler.
    flags: &'static [&'static str],
    /// What is run.
    programs: &'static [&'static str],
    /// A program that has what is looked for, with what is printed then.
    control: (&'static str, &'static str),
    /// The variable with the runtime's options, and what is meant to be seen in [`Self::programs`].
    options: Option<(&'static str, &'static str)>,
}

/// Nothing is read or written outside what the caller gave and what the library keeps; nothing leaks.
pub(super) const ADDRESSES: Sanitizer = Sanitizer {
    name: "address",
    runtime: "asan",
    flags: &[],
    programs: PROGRAMS,
    control: ("overread", "heap-buffer-overflow"),
    options: None,
};

/// Nothing that threads share is written while another reads or writes it. One test's thread does just that with the memory that it
/// gives the library, which copies it first.
pub(super) const THREADS: Sanitizer = Sanitizer {
    name: "thread",
    runtime: "tsan",
    // `core` comes without, and has nothing that threads share.
    flags: &["-Cunsafe-allow-abi-mismatch=sanitizer"],
    programs: &["threads"],
    control: ("threads", "data race"),
    options: Some(("TSAN_OPTIONS", "race:write_all_the_time\n")),
};

impl Sanitizer {
    /// The library as cargo makes it, with overflow checks.
    fn library(&self) -> Result<PathBuf, String> {
        let (triple, dir) = (
            host()?,
            target_dir().join(format!("instrumented-{}", self.name)),
        );
        let sanitizer = format!("-Zsanitizer={}", self.name);
        let flags: Vec<&str> = self.flags.iter().copied().chain([&*sanitizer]).collect();
        Cmd::cargo_of("nightly", ["rustc", "-p", "lanner-c", "--lib"])
            .args(["--profile", "c-test", "--crate-type", "staticlib"])
            .args(["--target", &triple, "--target-dir", &text(&dir)])
            .env("RUSTFLAGS", &flags.join(" "))
            .run()?;
        Ok(dir.join(triple).join("c-test/liblanner_c.a"))
    }

    fn compile(&self, name: &str, archive: &Path, dir: &Path) -> Result<PathBuf, String> {
        let library = Library {
            target: find(&host()?)?,
            dir: dir.to_owned(),
            _turn: Turn::take()?,
        };
        let sanitizer = format!("-fsanitize={}", self.name);
        let [object, program] = [format!("{name}.o"), name.to_owned()].map(|file| dir.join(file));
        PLAIN
            .command(&library)
            .args([&*sanitizer, "-fno-omit-frame-pointer", "-c"])
            .args([
                "-o",
                &text(&object),
                &text(&source(&format!("tests/{name}.c"))),
            ])
            .run()?;
        library
            .target
            .compiler()
            .args(["-o", &text(&program), &text(&object), &text(archive)])
            // The runtime stands in for functions of the system that nobody here calls by its names.
            .args([
                "-Wl,--whole-archive",
                &self.runtime()?,
                "-Wl,--no-whole-archive",
            ])
            .args(["-lpthread", "-ldl", "-lm", "-lrt"])
            .run()?;
        Ok(program)
    }

    fn runtime(&self) -> Result<String, String> {
        let sysroot = Cmd::new("rustup").args(["run", "nightly", "rustc", "--print", "sysroot"]);
        let file = format!("librustc-nightly_rt.{}.a", self.runtime);
        let path = Path::new(sysroot.capture()?.trim())
            .join("lib/rustlib")
            .join(host()?)
            .join("lib")
            .join(file);
        Ok(text(&path))
    }

    /// Runs the programs; and one that must not pass.
    ///
    /// # Errors
    ///
    /// Something does not build, or is seen; or nothing is where something is.
    pub(super) fn check(&self, context: &Context) -> Result<Tally, String> {
        let dir = work_dir().join(format!("instrumented-{}", self.name));
        fresh(&dir)?;
        let archive = self.library()?;
        let expected = dir.join("expected");
        let quiet = |command: Cmd| match self.options {
            Some((variable, _)) => {
                command.env(variable, &format!("suppressions={}", text(&expected)))
            }
            None => command,
        };
        if let Some((_, lines)) = self.options {
            write(&expected, lines)?;
        }
        let mut tally = Tally::default();
        for program in self.programs {
            let path = self.compile(program, &archive, &dir)?;
            let args = arguments(program, context, WATCHED)?;
            let found = quiet(Cmd::new(&text(&path)).args(args)).run()?;
            if found.passed == 0 {
                return Err(format!("{program} ran no test"));
            }
            tally.add(found);
        }
        let (control, seen) = self.control;
        let path = self.compile(control, &archive, &dir)?;
        let [_, errors] = Cmd::new(&text(&path)).output()?;
        // The report has the place, which must be the library's.
        if !errors.contains(seen) || !errors.contains("lanner_") {
            return Err(format!(
                "{control} has a {seen}, and nobody sees it:\n{errors}"
            ));
        }
        tally.passed += 1;
        Ok(tally)
    }
}
