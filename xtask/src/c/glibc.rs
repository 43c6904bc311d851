//! The oldest GNU C library that the shared libraries run with. A linker binds each function to its newest version in
//! the library that it finds; here those that had an older one, and did the same, are bound to that.

use super::layout::{Library, SHARED};
use crate::files::text;
use crate::targets::Target;

/// What is promised of the shared libraries: the version of Debian 10 and Red Hat 8.
const OLDEST: Version = Version(2, 28);

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

/// What `objcopy --redefine-syms` is told of the functions of the C library that `object` calls, and the libraries that they
/// were in before they were all in one, which the linker is told to name.
///
/// # Errors
///
/// There is no C library, or no `nm`.
pub(super) fn pins(
    target: &Target,
    object: &std::path::Path,
) -> Result<(String, Vec<String>), String> {
    if !is_glibc(target) {
        return Ok(Default::default());
    }
    let library = place(target, "libc.so.6")?;
    let nm = |args: &[&str]| target.tool("nm").args(args.iter().copied()).capture();
    let offered = nm(&["-D", "--with-symbol-versions", "--defined-only", &library])?;
    let wanted = nm(&["-u", &text(object)])?;
    let pins = choose(&wanted, &offered);
    let lines = pins
        .iter()
        .map(|(name, version)| format!("{name} {name}@{version}\n"))
        .collect();
    let mut needed = Vec::new();
    for (prefix, library) in [("pthread_", "libpthread.so.0"), ("dl", "libdl.so.2")] {
        if pins.iter().any(|(name, _)| name.starts_with(prefix)) {
            needed.push(place(target, library)?);
        }
    }
    Ok((lines, needed))
}

fn place(target: &Target, library: &str) -> Result<String, String> {
    let asked = format!("-print-file-name={library}");
    let place = target.compiler().args([asked]).capture()?;
    Ok(place.trim().to_owned())
}

/// The wanted functions whose newest version is too new, each with the newest that is not.
fn choose<'a>(wanted: &'a str, offered: &'a str) -> Vec<(&'a str, &'a str)> {
    let offers: Vec<(&str, &str, bool)> = offered
        .lines()
        .filter_map(|line| line.split_whitespace().last()?.split_once('@'))
        .map(|(name, version)| match version.strip_prefix('@') {
            Some(newest) => (name, newest, true),
            None => (name, version, false),
        })
        .collect();
    let of = |wanted: &str| -> Option<(&str, &str)> {
        let known = || offers.iter().filter(|(name, ..)| *name == wanted);
        let (_, newest, _) = known().find(|(.., is_newest)| *is_newest)?;
        if version(newest)? <= OLDEST {
            return None;
        }
        let old = known().filter_map(|&(name, text, _)| Some((version(text)?, name, text)));
        let old = old.filter(|(version, ..)| *version <= OLDEST);
        old.max().map(|(_, name, text)| (name, text))
    };
    wanted
        .lines()
        .filter_map(|line| of(line.split_whitespace().last()?))
        .collect()
}

/// Says which version the libraries ask for.
///
/// # Errors
///
/// It is newer than [`OLDEST`], or one cannot be read, or calls nothing.
pub(super) fn check(library: &Library) -> Result<(), String> {
    if !is_glibc(&library.target) {
        return Ok(());
    }
    for shared in &SHARED {
        let file = text(&library.dir.join(shared.file()));
        let listing = library
            .target
            .tool("objdump")
            .args(["-T", &file])
            .capture()?;
        let (newest, name) =
            newest(&listing).ok_or(format!("{file} calls nothing of the C library"))?;
        if newest > OLDEST {
            return Err(format!(
                "{}: {name} asks for glibc {newest}, and {OLDEST} was promised",
                shared.link_name()
            ));
        }
        println!("{}: glibc {newest} or later", shared.link_name());
    }
    Ok(())
}

/// Whether the programs of a target run with the GNU C library.
fn is_glibc(target: &Target) -> bool {
    target.triple.contains("-linux-gnu")
}

/// The newest version that functions of the C library are asked for in, and one of those that ask for it.
fn newest(listing: &str) -> Option<(Version, &str)> {
    listing
        .lines()
        .filter(|line| line.contains("*UND*"))
        .filter_map(|line| {
            let words = line.split_whitespace();
            let asked = words.filter_map(|word| version(word.trim_matches(['(', ')'])));
            Some((asked.max()?, line.split_whitespace().last()?))
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::{Version, choose, newest, version};

    #[test]
    fn older_versions_are_chosen_where_there_are_some() {
        let offered = "\
0001 T dlsym@GLIBC_2.2.5
0001 T dlsym@@GLIBC_2.34
0001 T memcpy@GLIBC_2.2.5
0001 T memcpy@@GLIBC_2.14
0001 W stat64@@GLIBC_2.33
0001 T two@GLIBC_2.4
0001 T two@GLIBC_2.27
0001 T two@@GLIBC_2.30
";
        let wanted = "                 U dlsym\n U memcpy\n w stat64\n U two\n U other\n";
        let chosen = choose(wanted, offered);
        assert_eq!(chosen, [("dlsym", "GLIBC_2.2.5"), ("two", "GLIBC_2.27")]);
    }

    #[test]
    fn the_newest_is_found() {
        let listing = "\
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) memcmp
0000000000000000  w   D  *UND*\t0000000000000000  Base        __gmon_start__
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.14) memcpy
0000000000002000 g    DF .text\t0000000000000005  GLIBC_9.9   own
";
        assert_eq!(newest(listing), Some((Version(2, 14), "memcpy")));
        assert_eq!(version("GLIBC_PRIVATE"), None);
        assert!(version("GLIBC_2.2.5") < version("GLIBC_2.14"));
    }
}
