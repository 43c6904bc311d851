//! `cargo xtask dist --twice`: what is released, made twice from the commit: in other directories, with another home, and
//! as another user where the system lets us be one; and compared, byte for byte. A compiler need not give the same twice.

use std::path::Path;

use crate::command::STATIC;
use crate::files::{fresh, make, read, text};
use crate::js::{self, NODE, WASM};
use crate::needs::Need;
use crate::process::{Cmd, Tally, root, target_dir};
use crate::python::{self, PACKAGES, PYTHON};

/// Makes all of it twice that this machine has the tools for.
///
/// # Errors
///
/// As those of each.
pub(crate) fn check_all() -> Result<(), String> {
    type Check = fn() -> Result<Tally, String>;
    let checks: [(&str, &[Need], Check); 3] = [
        (
            "the library and the command",
            &STATIC.map(Need::Target),
            check,
        ),
        ("what PyPI has", &[PYTHON, PACKAGES], check_wheel),
        ("what npm has", &[WASM, NODE], check_npm),
    ];
    for (what, needs, check) in checks {
        match needs.iter().find(|need| !need.is_met()) {
            Some(need) => println!("SKIPPED: {what}: {} is missing", need.describe()),
            None => drop(check()?),
        }
    }
    Ok(())
}

/// The archives of the library for this machine, and those of the command.
///
/// # Errors
///
/// They cannot be made, or one of them is not the same.
pub(crate) fn check() -> Result<Tally, String> {
    let command = STATIC.map(|triple| format!("cargo xtask dist --command --target {triple}"));
    compared(
        "library",
        &format!("cargo xtask dist && {}", command.join(" && ")),
    )
}

/// The Python wheel for this machine and the archive of its sources, by the maturin of the tests.
///
/// # Errors
///
/// As above.
pub(crate) fn check_wheel() -> Result<Tally, String> {
    let path = python::path_with(python::HOME);
    compared(
        "python",
        &format!("PATH=\"{path}\" cargo xtask dist --wheel"),
    )
}

/// The archive of npm, with the tools that lie in `js/node_modules`. By whichever compiler there is: that of releases is
/// `js/scripts/release.mjs`'s to ask for.
///
/// # Errors
///
/// As above.
pub(crate) fn check_npm() -> Result<Tally, String> {
    js::tools()?;
    let tools = root().join("js/node_modules");
    let script = format!(
        "ln -s \"{}\" js/node_modules && mkdir -p target/dist && cd js && node scripts/build.mjs && \
         node scripts/pack.mjs ../target/dist && cd ../target/dist && sha256sum *.tgz > SHA256SUMS",
        text(&tools)
    );
    compared("npm", &script)
}

/// Makes something in two directories, in the second as somebody else, and compares what came of it.
fn compared(name: &str, what: &str) -> Result<Tally, String> {
    let dir = target_dir().join("twice").join(name);
    fresh(&dir)?;
    // One commit for both, whatever is committed meanwhile.
    let commit = Cmd::new("git").args(["rev-parse", "HEAD"]).capture()?;
    let commit = commit.trim();
    let first = made(commit, &dir.join("first"), "", what)?;
    let home = dir.join("home");
    make(&home.join("cargo"))?;
    // The compiler is that of this user's rustup.
    let mut other = format!(
        "export RUSTUP_HOME=\"${{RUSTUP_HOME:-$HOME/.rustup}}\" HOME='{0}' CARGO_HOME='{0}/cargo'; ",
        text(&home)
    );
    let mut tally = Tally::default();
    let someone_else = "unshare --user --map-user=1000 --map-group=1000";
    if Cmd::new("sh")
        .args(["-c", &format!("{someone_else} true")])
        .capture()
        .is_ok()
    {
        other += someone_else;
    } else {
        let skip = "by another user: the system has no namespace for one";
        println!("SKIPPED: {skip}");
        tally.skips.push(skip.to_owned());
    }
    let second = made(commit, &dir.join("another/place"), &other, what)?;
    let differing = differing(&first, &second);
    if !differing.is_empty() {
        return Err(format!(
            "not the same twice: {}; compare {} and {}",
            differing.join(", "),
            text(&dir.join("first/target/dist")),
            text(&dir.join("another/place/target/dist"))
        ));
    }
    print!("the same twice:\n{first}");
    tally.passed = first.lines().count() as u64;
    Ok(tally)
}

/// Makes the files from a commit in a directory, in an environment, and gives their checksums.
fn made(commit: &str, place: &Path, environment: &str, what: &str) -> Result<String, String> {
    make(place)?;
    let script = format!(
        "set -e; git archive {commit} | tar -x -C '{place}'; unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS SOURCE_DATE_EPOCH; export CARGO_TARGET_DIR='{place}/target'; cd '{place}'
         {environment} sh -c '{what}'",
        place = text(place)
    );
    Cmd::new("sh").args(["-c", &script]).run()?;
    read(&place.join("target/dist/SHA256SUMS"))
}

/// The names of the files that are not in both lists with the same checksum.
fn differing(first: &str, second: &str) -> Vec<String> {
    let only = |one: &str, other: &str| -> Vec<String> {
        one.lines()
            .filter(|line| other.lines().all(|there| there != *line))
            .filter_map(|line| Some(line.split_once("  ")?.1.to_owned()))
            .collect()
    };
    let mut names = only(first, second);
    names.extend(only(second, first));
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::{compared, differing};
    use crate::process::{Cmd, kept};

    #[test]
    fn what_differs_is_named_once() {
        let first = "aa  one.tar.gz\nbb  two.tar.gz\n";
        assert!(differing(first, first).is_empty());
        assert_eq!(
            differing(first, "aa  one.tar.gz\ncc  two.tar.gz\n"),
            ["two.tar.gz"]
        );
        assert_eq!(differing(first, "aa  one.tar.gz\n"), ["two.tar.gz"]);
        assert_eq!(differing("", first), ["one.tar.gz", "two.tar.gz"]);
    }

    #[test]
    fn what_says_where_or_in_whose_home_it_was_made_is_found() {
        if Cmd::new("git")
            .args(["rev-parse", "HEAD"])
            .capture()
            .is_err()
        {
            println!("SKIPPED: no commit, of which something could be made");
            return;
        }
        let script = "mkdir -p target/dist && cp Cargo.lock target/dist && cd target/dist && pwd > place && \
                      echo $HOME > home && sha256sum * > SHA256SUMS";
        let error = kept(|| compared("test", script)).0.expect_err("two differ");
        assert!(
            error.starts_with("not the same twice: home, place;"),
            "{error}"
        );
    }
}
