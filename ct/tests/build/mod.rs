//! Builds of the program, and of the C library.
//!
//! They are made here, and not by the test run, because they need optimisation and no debug assertions
//! whatever the profile of the tests is.
#![allow(dead_code, unreachable_pub, missing_docs)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to build.
pub struct Variant {
    pub name: &'static str,
    flags: &'static str,
    pub target: Option<&'static str>,
    tables: bool,
    united: bool,
    /// The optimisation, where it is not what is shipped.
    level: Option<&'static str>,
}

pub const PLAIN: Variant = Variant {
    name: "plain",
    flags: "",
    target: None,
    tables: true,
    united: false,
    level: None,
};

/// With the features that valgrind emulates but does not report taken for granted.
pub const ADX: Variant = Variant {
    name: "adx",
    flags: "-C target-feature=+adx,+bmi2",
    ..PLAIN
};

/// Without tables, and FN-DSA without vectors of four.
pub const WITHOUT_TABLES: Variant = Variant {
    name: "without-tables",
    tables: false,
    ..PLAIN
};

/// Linked statically, so that valgrind needs no debug symbols of a 32-bit loader. It reports the
/// start of such a program, whose allocator it does not know; the program's own count begins later.
pub const X86_32: Variant = Variant {
    name: "x86-32",
    flags: "-C target-feature=+crt-static",
    target: Some("i686-unknown-linux-gnu"),
    ..PLAIN
};

/// Optimised as one unit of code, as many programs are that ship: other functions are inlined then, and frames are larger.
pub const UNITED: Variant = Variant {
    name: "united",
    united: true,
    ..PLAIN
};

/// Optimised for size, as programs for small devices and for the web are: what is inlined elsewhere is called, and a compiler
/// that counts bytes takes a branch for a mask sooner.
pub const FOR_SIZE: Variant = Variant {
    name: "for-size",
    level: Some("z"),
    ..PLAIN
};

/// The same without tables, as small devices have it.
pub const SMALLEST: Variant = Variant {
    name: "smallest",
    tables: false,
    ..FOR_SIZE
};

/// For size, but not at any price.
pub const RATHER_FOR_SIZE: Variant = Variant {
    name: "rather-for-size",
    level: Some("s"),
    ..PLAIN
};

/// Without the margin below what operations use of the stack.
pub const SHALLOW: Variant = Variant {
    name: "shallow",
    flags: "--cfg lanner_stack=\"shallow\"",
    ..PLAIN
};

impl Variant {
    /// Builds the program; panics with the compiler's words where that fails.
    pub fn build(&self) -> PathBuf {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.name);
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["build", "--quiet", "--release", "--manifest-path"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&dir)
            .env("RUSTFLAGS", self.flags)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            // Checks for overflow, with which long tests run, would branch on secrets.
            .env_remove("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS")
            // Reports name lines.
            .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
        if self.united {
            command
                .env("CARGO_PROFILE_RELEASE_LTO", "fat")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
                .env("CARGO_PROFILE_RELEASE_PANIC", "abort");
        }
        if let Some(level) = self.level {
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
        }
        if !self.tables {
            command.args(["--no-default-features", "--features", "no_avx2"]);
        }
        if let Some(target) = self.target {
            command.args(["--target", target]);
        }
        let output = command.output().expect("cargo starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}:\n{errors}");
        let dir = self.target.map_or(dir.clone(), |target| dir.join(target));
        dir.join("release").join("lanner-ct")
    }
}

/// The C library: the one that `LANNER_C_LIBRARY` names, or else one that is built as what is shipped is, of one unit of
/// code.
pub fn c_library() -> PathBuf {
    if let Some(library) = std::env::var_os("LANNER_C_LIBRARY") {
        return library.into();
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c");
    let mut command = Command::new(env!("CARGO"));
    command
        .args([
            "build",
            "--quiet",
            "--profile",
            "liblanner",
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../c/Cargo.toml"))
        .arg("--target-dir")
        .arg(&dir)
        .env("RUSTFLAGS", "")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS")
        .env("CARGO_PROFILE_LIBLANNER_DEBUG", "line-tables-only");
    let output = command.output().expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{errors}");
    dir.join("liblanner/liblanner_c.so")
}

/// Says that something is left out, so that it is read even when the test passes.
pub fn skip(reason: &str) {
    // Not println!, which the test runner swallows.
    let line = format!("\nSKIPPED: {reason}\n");
    let _ = std::io::stdout().write_all(line.as_bytes());
}

/// Whether the long tests were asked for; where they were not, their output says how that is done.
pub fn is_long() -> bool {
    let is_long = std::env::var_os("LANNER_CT_LONG").is_some();
    if !is_long {
        println!("not asked for: LANNER_CT_LONG=1");
    }
    is_long
}

/// Runs a test of this binary in a process that finds no program. It must pass, and say what it left out.
pub fn skips_without_programs(test: &str, reason: &str) {
    let output = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--include-ignored", "--exact", test])
        .env("PATH", "")
        .output()
        .expect("the test starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "no test {test}: {said}");
    assert!(said.contains(&format!("SKIPPED: {reason}")), "{said}");
}

/// Whether a program runs at all.
pub fn works(program: &str, args: &[&str]) -> bool {
    let output = Command::new(program).args(args).output();
    output.is_ok_and(|output| output.status.success())
}

/// Whether programs for 32-bit x86 can be built here.
pub fn links_for_32_bits() -> bool {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").expect("the directory is ours");
    let (from, to) = (source.display().to_string(), source.with_extension("out"));
    let target = X86_32.target.expect("it has one");
    // Adding a target that is there changes nothing.
    works("cc", &["-m32", &from, "-o", &to.display().to_string()])
        && works("rustup", &["target", "add", target])
}
