//! C programs: compiled against a library, and run.

use std::path::{Path, PathBuf};

use super::layout::{Library, c_dir, include_dir};
use crate::files::{make, text};
use crate::process::{Cmd, Tally};

/// How a program is compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compile {
    /// The compiler in the place of the target's own, as `clang -m32`; empty: the target's own.
    pub(super) compiler: &'static [&'static str],
    pub(super) standard: &'static str,
    /// More flags.
    pub(super) flags: &'static [&'static str],
    pub(super) shared: bool,
}

/// Plain C89, with nothing left to the compiler's goodwill.
pub(super) const PLAIN: Compile = Compile {
    compiler: &[],
    standard: "-std=c89",
    flags: &[],
    shared: false,
};

/// Warnings that are errors in every program here.
const STRICT: &[&str] = &[
    "-Wall",
    "-Wextra",
    "-Werror",
    "-pedantic",
    "-Wshadow",
    "-Wwrite-strings",
    "-Wundef",
];
/// Those that C++ does not have.
const STRICT_C: &[&str] = &["-Wstrict-prototypes", "-Wmissing-prototypes"];

impl Compile {
    fn is_cpp(&self) -> bool {
        self.standard.contains("++")
    }

    /// The command of the compiler with its warnings and the headers' place.
    pub(super) fn command(&self, library: &Library) -> Cmd {
        let own = library.target.cc;
        let mut cc: Vec<&str> = if self.compiler.is_empty() {
            own.to_vec()
        } else {
            let mut cc = self.compiler.to_vec();
            cc.extend(&own[1..]);
            cc
        };
        if self.is_cpp() {
            cc[0] = match cc[0] {
                "cc" => "c++",
                "clang" => "clang++",
                _ => "g++",
            };
        }
        let mut command = Cmd::new(cc[0])
            .args(cc[1..].iter().copied())
            .args([self.standard, "-O2", "-g"])
            .args(STRICT.iter().copied());
        if self.is_cpp() {
            command = command.args(["-x", "c++"]);
        } else {
            command = command.args(STRICT_C.iter().copied());
        }
        command
            .args(self.flags.iter().copied())
            .args(["-I", &text(&include_dir())])
            .args(["-I", &text(&c_dir().join("tests"))])
    }
}

/// Compiles sources into a program of this name in `dir`.
///
/// # Errors
///
/// They do not compile.
pub(super) fn compile(
    library: &Library,
    how: &Compile,
    sources: &[PathBuf],
    dir: &Path,
    name: &str,
    libraries: &[&str],
) -> Result<PathBuf, String> {
    make(dir)?;
    let program = dir.join(name);
    let mut command = how
        .command(library)
        .args(sources.iter().map(|source| text(source)))
        // What follows is no source.
        .args(["-x", "none", "-o", &text(&program)]);
    if how.shared {
        command = command
            .args(["-L", &text(&library.dir), "-llanner"])
            .args([format!("-Wl,-rpath,{}", text(&library.dir))]);
    } else {
        command = command.args([text(&library.dir.join("liblanner.a"))]);
    }
    command
        .args(libraries.iter().copied())
        .args(["-lpthread", "-ldl", "-lm"])
        .run()?;
    Ok(program)
}

/// Compiles without linking.
///
/// # Errors
///
/// They do not compile.
pub(super) fn compile_only(library: &Library, how: &Compile, source: &Path) -> Result<(), String> {
    how.command(library)
        .args(["-fsyntax-only", &text(source)])
        .run()
        .map(drop)
}

/// Runs a test program of the library's target, which must report at least one test.
///
/// # Errors
///
/// It fails, or tests nothing.
pub(super) fn run(library: &Library, program: &Path, args: &[String]) -> Result<Tally, String> {
    run_under(library, &[], program, args)
}

/// As [`run`], as the argument of another program.
///
/// # Errors
///
/// It fails, or tests nothing.
pub(super) fn run_under(
    library: &Library,
    under: &[&str],
    program: &Path,
    args: &[String],
) -> Result<Tally, String> {
    let command = match under {
        [] => library.target.program(&text(program)),
        [first, rest @ ..] => Cmd::new(first)
            .args(rest.iter().copied())
            .args([text(program)]),
    };
    let tally = command.args(args.iter().cloned()).run()?;
    if tally.passed == 0 {
        return Err(format!("{} tested nothing", program.display()));
    }
    Ok(tally)
}

/// A source in `c/`.
pub(super) fn source(name: &str) -> PathBuf {
    c_dir().join(name)
}
