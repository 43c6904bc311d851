//! The oldest GNU C library that the shared libraries run with. A linker binds each function to its newest version in
//! the library that it finds, so what is built on an older system runs on more of them.

use super::layout::{Library, SHARED};
use crate::files::text;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// Reads the version behind `GLIBC_`. Patch levels, which early versions had, do not count.
fn version(text: &str) -> Option<Version> {
    let mut numbers = text.strip_prefix("GLIBC_")?.split('.');
    let mut number = || numbers.next()?.parse().ok();
    Some(Version(number()?, number()?))
}

/// Says which version the libraries ask for: that of the newest function that the standard library of Rust calls.
///
/// # Errors
///
/// One cannot be read, or calls nothing.
pub(super) fn report(library: &Library) -> Result<(), String> {
    if !library.target.triple.ends_with("-gnu") {
        return Ok(());
    }
    for shared in &SHARED {
        let file = text(&library.dir.join(shared.file()));
        let listing = library
            .target
            .tool("objdump")
            .args(["-T", &file])
            .capture()?;
        let newest = newest(&listing).ok_or(format!("{file} calls nothing of the C library"))?;
        println!("{}: glibc {newest} or later", shared.link_name());
    }
    Ok(())
}

/// The newest version that functions of the C library are asked for in.
fn newest(listing: &str) -> Option<Version> {
    listing
        .lines()
        .filter(|line| line.contains("*UND*"))
        .filter_map(|line| {
            let words = line.split_whitespace();
            words
                .filter_map(|word| version(word.trim_matches(['(', ')'])))
                .max()
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::{Version, newest, version};

    #[test]
    fn the_newest_is_found() {
        let listing = "\
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) memcmp
0000000000000000  w   D  *UND*\t0000000000000000  Base        __gmon_start__
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.14) memcpy
0000000000002000 g    DF .text\t0000000000000005  GLIBC_9.9   own
";
        assert_eq!(newest(listing), Some(Version(2, 14)));
        assert_eq!(version("GLIBC_PRIVATE"), None);
        assert!(version("GLIBC_2.2.5") < version("GLIBC_2.14"));
    }
}
