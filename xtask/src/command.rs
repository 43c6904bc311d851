//! `cargo xtask dist --command`: archives of the command `lanner`, with its manual pages and completions.

use std::path::{Path, PathBuf};

use crate::c::dist::{VERSION, dist_dir, pack};
use crate::files::{copy, fresh, make, read, text, write};
use crate::linked::{self, Product};
use crate::nowhere;
use crate::pages;
use crate::process::{Cmd, Tally, root, target_dir};
use crate::targets::host;

/// Targets on which Rust's own linker makes programs that need nothing of the system but its kernel. The first is for
/// this machine, as long as releases are made on x86-64.
pub(crate) const STATIC: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

/// What runs the programs of the second one here.
pub(crate) const EMULATOR: &str = "qemu-aarch64";

/// The programs.
pub(crate) const PROGRAMS: [&str; 2] = ["lanner", "lanner-git"];

/// Builds the command for each target, and writes an archive for each: by default for Linux on x86-64 without a C
/// library, or for this machine if it is another one. For Linux without a C library on other processors nothing is needed but
/// Rust's target.
///
/// # Errors
///
/// A build fails, or a program that should be static is not.
pub(crate) fn dist(triples: &[String]) -> Result<(), String> {
    let here = host()?;
    let default = if here == "x86_64-unknown-linux-gnu" {
        STATIC[0].to_owned()
    } else {
        here
    };
    let defaults = [default];
    let triples = if triples.is_empty() {
        &defaults[..]
    } else {
        triples
    };
    let staging = target_dir().join("dist-staging");
    for triple in triples {
        fresh(&staging)?;
        let stem = format!("lanner-command-{VERSION}-{triple}");
        fill(triple, &staging.join(&stem))?;
        println!("{}", pack(&staging, &stem)?.display());
    }
    Ok(())
}

/// Builds the programs for a target, and says where they lie.
///
/// # Errors
///
/// They do not build, or one that should be static is not.
pub(crate) fn programs(triple: &str) -> Result<PathBuf, String> {
    let build = [
        "build",
        "--release",
        "--locked",
        "-p",
        "lanner-cli",
        "--bins",
    ];
    nowhere::build(Cmd::cargo(build), triple, linker(triple, &host()?))?.run()?;
    let built = target_dir().join(triple).join("release");
    let programs = PROGRAMS.map(|name| built.join(name));
    nowhere::check(&programs)?;
    if triple.contains("-musl") {
        programs
            .iter()
            .try_for_each(|program| check_static(program))?;
    }
    Ok(built)
}

/// The linker for programs without a C library of the system's, where this machine's own is for another processor.
fn linker(triple: &str, host: &str) -> &'static [&'static str] {
    let processor = |triple: &str| triple.split('-').next().map(str::to_owned);
    if triple.contains("-musl") && processor(triple) != processor(host) {
        &["-Clinker=rust-lld"]
    } else {
        &[]
    }
}

/// Writes the manual pages and completions, and says where they lie.
///
/// # Errors
///
/// What writes them does not build or run.
pub(crate) fn manuals(triple: &str) -> Result<PathBuf, String> {
    let pages = target_dir().join("command-pages");
    fresh(&pages)?;
    let mut example = Cmd::cargo(["run", "--release", "--locked", "-p", "lanner-cli"]);
    // What was just built serves the pages as well, where it runs here.
    if runs_here(triple, &host()?) {
        example = nowhere::build(example, triple, &[])?;
    }
    let example = example.args(["--example", "pages", "--", &text(&pages)]);
    example.run()?;
    Ok(pages)
}

fn fill(triple: &str, tree: &Path) -> Result<(), String> {
    let built = programs(triple)?;
    make(&tree.join("bin"))?;
    for name in PROGRAMS {
        copy(&built.join(name), &tree.join("bin").join(name))?;
    }
    let pages = manuals(triple)?;
    let share = tree.join("share");
    for (from, to) in [
        (
            "completions/lanner.bash",
            "bash-completion/completions/lanner",
        ),
        ("completions/_lanner", "zsh/site-functions/_lanner"),
        (
            "completions/lanner.fish",
            "fish/vendor_completions.d/lanner.fish",
        ),
    ] {
        place(&pages.join(from), &share.join(to))?;
    }
    let manuals = std::fs::read_dir(pages.join("man/man1")).map_err(|error| error.to_string())?;
    for entry in manuals {
        let entry = entry.map_err(|error| error.to_string())?;
        place(
            &entry.path(),
            &share.join("man/man1").join(entry.file_name()),
        )?;
    }
    let docs = share.join("doc/lanner");
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        place(&root().join(name), &docs.join(name))?;
    }
    documents(triple, &docs)
}

/// The pages that go along, and their names there.
const PAGES: &[(&str, &str)] = &[
    ("cli/README.md", "README.md"),
    ("SECURITY.md", "SECURITY.md"),
];

/// Writes the pages as they stand beside each other alone, and what is linked into the command for a target.
///
/// # Errors
///
/// A file cannot be written.
pub(crate) fn documents(triple: &str, to: &Path) -> Result<(), String> {
    make(to)?;
    for (page, name) in PAGES {
        let text = read(&root().join(page))?;
        write(&to.join(name), pages::elsewhere(page, &text, PAGES))?;
    }
    let product = Product {
        workspace: "",
        package: "lanner-cli",
        targets: &[triple],
    };
    linked::write_both(&product, to)
}

/// True if this machine runs programs for the target: its own ones, and on Linux those with another C library.
fn runs_here(triple: &str, host: &str) -> bool {
    let system = |triple: &str| triple.rsplit_once('-').map(|(system, _)| system.to_owned());
    triple == host || host.contains("-linux-") && system(triple) == system(host)
}

fn place(from: &Path, to: &Path) -> Result<(), String> {
    make(to.parent().ok_or("a file lies in a directory")?)?;
    copy(from, to)
}

/// Fails unless a program of ELF names no interpreter, which is what loads shared libraries.
fn check_static(program: &Path) -> Result<(), String> {
    let shown = program.display();
    let bytes = std::fs::read(program).map_err(|error| format!("{shown}: {error}"))?;
    match interpreter(&bytes) {
        Some(false) => Ok(()),
        Some(true) => Err(format!("{shown} is not static: it has an interpreter")),
        None => Err(format!("{shown} is no 64-bit program of ELF")),
    }
}

/// True if a 64-bit little-endian program of ELF has an interpreter.
fn interpreter(bytes: &[u8]) -> Option<bool> {
    const PT_INTERP: u64 = 3;
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let number = |at: usize, length: usize| -> Option<u64> {
        let bytes = bytes.get(at..at + length)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |n, &byte| n << 8 | u64::from(byte)),
        )
    };
    // e_phoff, e_phentsize, e_phnum; the type of a header is its first word.
    let table = usize::try_from(number(32, 8)?).ok()?;
    let (size, count) = (number(54, 2)? as usize, number(56, 2)? as usize);
    let mut found = false;
    for header in 0..count {
        found |= number(table + header * size, 4)? == PT_INTERP;
    }
    Some(found)
}

/// The archives in an empty directory, as somebody has them who has no Rust: the command finds nothing wrong with itself,
/// signs, and verifies.
///
/// # Errors
///
/// Anything of this fails.
pub(crate) fn check() -> Result<Tally, String> {
    let mut tally = Tally::default();
    for triple in STATIC {
        check_of(triple)?;
        tally.passed += 1;
    }
    Ok(tally)
}

fn check_of(triple: &str) -> Result<(), String> {
    dist(&[triple.to_owned()])?;
    let place = target_dir().join("dist-check");
    fresh(&place)?;
    let stem = format!("lanner-command-{VERSION}-{triple}");
    let archive = dist_dir().join(format!("{stem}.tar.gz"));
    Cmd::new("tar")
        .args(["-C", &text(&place), "-xzf", &text(&archive)])
        .run()?;
    let emulator = if runs_here(triple, &host()?) {
        ""
    } else {
        EMULATOR
    };
    let script = format!(
        "set -e; cd '{}'; lanner() {{ {emulator} {stem}/bin/lanner \"$@\"; }}
         lanner doctor; lanner keygen --no-password -o a.pem
         lanner sign-tree -k a.pem {stem}; lanner verify-tree -k a.pub.pem {stem}
         lanner keygen --no-password --algorithm ed25519+fn-dsa-512 -o b.pem; lanner sign -k b.pem a.pub.pem; lanner verify -k b.pub.pem a.pub.pem
         {emulator} {stem}/bin/lanner-git --help
         grep -q BSD-3-Clause {stem}/share/doc/lanner/THIRD-PARTY-LICENSES; grep -q 'Rich Felker' {stem}/share/doc/lanner/THIRD-PARTY-LICENSES
         grep -q pkg:generic/musl {stem}/share/doc/lanner/lanner.cdx.json
         test -s {stem}/share/man/man1/lanner-sign.1; test -s {stem}/share/zsh/site-functions/_lanner
         . {stem}/share/bash-completion/completions/lanner",
        place.display()
    );
    Cmd::new("bash").args(["-c", &script]).run().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_here_is_of_this_system() {
        let gnu = "x86_64-unknown-linux-gnu";
        let [here, elsewhere] = STATIC;
        assert!(runs_here(here, gnu) && runs_here(gnu, gnu));
        assert!(!runs_here(elsewhere, gnu));
        assert!(linker(here, gnu).is_empty() && linker(gnu, gnu).is_empty());
        assert!(!linker(elsewhere, gnu).is_empty());
        assert!(linker(elsewhere, "aarch64-unknown-linux-gnu").is_empty());
        assert!(!runs_here(
            "x86_64-pc-windows-gnu",
            "x86_64-pc-windows-msvc"
        ));
    }

    /// What the packed pages link is packed with them.
    #[test]
    fn packed_pages_link_each_other_alone() {
        let links = pages::links_in(PAGES);
        assert!(links > 1, "{links}");
    }

    #[test]
    fn programs_with_an_interpreter_are_found() {
        let me = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        if cfg!(all(
            target_os = "linux",
            target_env = "gnu",
            target_pointer_width = "64"
        )) {
            assert_eq!(interpreter(&me), Some(true));
        }
        assert_eq!(interpreter(b"#!/bin/sh\n"), None);
        assert_eq!(interpreter(&me[..100.min(me.len())]), None);
    }
}
