//! `cargo xtask dist --twice`: what is released, made twice from the commit: in other directories, with another home, and
//! as another user where the system lets us be one; and compared, byte for byte. A compiler need not give the same twice.

use std::path::Path;

use crate::files::{fresh, make, read, text};
use crate::process::{Cmd, Tally, target_dir};

/// What is made in either place.
const MADE: &str = "cargo xtask dist && cargo xtask dist --command";

/// Makes the archives of the library and of the command for this machine twice.
///
/// # Errors
///
/// They cannot be made, or one of them is not the same.
pub(crate) fn check() -> Result<Tally, String> {
    let dir = target_dir().join("twice");
    fresh(&dir)?;
    let first = made(&dir.join("first"), "", MADE)?;
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
    let second = made(&dir.join("another/place"), &other, MADE)?;
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

/// Makes the files from the commit in a directory, in an environment, and gives their checksums.
fn made(place: &Path, environment: &str, what: &str) -> Result<String, String> {
    make(place)?;
    let script = format!(
        "set -e; git archive HEAD | tar -x -C '{place}'; unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS; export CARGO_TARGET_DIR='{place}/target'; cd '{place}'
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
    use super::differing;

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
}
