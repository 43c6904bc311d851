//! One version: whatever names it, in manifests, lock files, other faces' packages and pages, names that of the workspace.

use std::collections::BTreeSet;

use crate::pages::{committed, read};
use crate::process::Tally;

/// Where else it stands: the file, and the text around it.
const PLACES: &[(&str, &str, &str)] = &[
    ("c/README.md", "-I lanner-", "-…/include"),
    ("c/README.md", "-L lanner-", "-…/lib"),
    ("c/include/lanner.h", "#define LANNER_VERSION \"", "\""),
    ("c/recipes/conan/conandata.yml", "\n  \"", "\":\n"),
    ("c/recipes/conan/conandata.yml", "commit: \"v", "\""),
    ("c/recipes/conan/conanfile.py", "    version = \"", "\""),
    ("c/recipes/meson/lanner.wrap", "revision = v", "\n"),
    (
        "c/recipes/meson/packagefiles/lanner/meson.build",
        "project('lanner', 'c', version: '",
        "'",
    ),
    (
        "c/recipes/vcpkg/lanner/portfile.cmake",
        "The commit of v",
        ".\n",
    ),
    ("c/recipes/vcpkg/lanner/vcpkg.json", "\"version\": \"", "\""),
    ("cli/README.md", "OWNER/lanner@v", "\n"),
    ("cli/tests/cmd/version.toml", "\nlanner ", "\n"),
    (
        "integrations/duckdb/tests/test_extension.py",
        "\"v1.2.0\", \"v",
        "\"",
    ),
    ("js/jsr.json", "\"version\": \"", "\""),
    ("js/package.json", "\"version\": \"", "\""),
    (
        "js/package-lock.json",
        "{\n  \"name\": \"lanner\",\n  \"version\": \"",
        "\"",
    ),
    (
        "js/package-lock.json",
        "\n      \"name\": \"lanner\",\n      \"version\": \"",
        "\"",
    ),
];

/// Where a number of it stands alone, to the end of the line: the file, the text before it, and which number it is.
const NUMBERS: &[(&str, &str, usize)] = &[
    ("c/include/lanner.h", "#define LANNER_VERSION_MAJOR ", 0),
    ("c/include/lanner.h", "#define LANNER_VERSION_MINOR ", 1),
    ("c/include/lanner.h", "#define LANNER_VERSION_PATCH ", 2),
];

/// What names another version. Where git does not say which files there are, that is said.
///
/// # Errors
///
/// A file cannot be read.
pub(super) fn gaps(tally: &mut Tally) -> Result<Vec<String>, String> {
    gaps_of(committed(), tally)
}

fn gaps_of(
    files: Result<BTreeSet<String>, String>,
    tally: &mut Tally,
) -> Result<Vec<String>, String> {
    match files {
        Ok(files) => differences(&files, read),
        Err(reason) => {
            let skip = format!("SKIPPED: versions: {reason}");
            println!("{skip}");
            tally.read(&skip);
            Ok(Vec::new())
        }
    }
}

fn differences(
    files: &BTreeSet<String>,
    read: impl Fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, String> {
    let manifest = read("Cargo.toml")?;
    let (_, package) = manifest
        .split_once("[workspace.package]\nversion = \"")
        .ok_or("Cargo.toml: no version")?;
    let version = package.split('"').next().unwrap_or_default();
    let mut findings = Vec::new();
    let mut hold = |place: &str, found: &str, right: &str| {
        if found != right {
            findings.push(format!("{place}: '{found}' for the version {right}"));
        }
    };
    for file in files {
        let is_page =
            file.ends_with(".md") || (file.starts_with("crates/") && file.ends_with("/lib.rs"));
        if is_page {
            for (line, found) in in_page(&read(file)?) {
                hold(&format!("{file}:{line}"), found, asked_for(version));
            }
        } else if file.ends_with("Cargo.toml") {
            for (line, found) in in_manifest(&read(file)?) {
                hold(&format!("{file}:{line}"), found, version);
            }
        } else if file.ends_with("Cargo.lock") {
            for found in in_lock_file(&read(file)?) {
                hold(file, found, version);
            }
        }
    }
    for (file, before, after) in PLACES {
        let text = read(file)?;
        let mut found = text
            .split(before)
            .skip(1)
            .filter_map(|rest| rest.split(after).next());
        hold(file, found.next().unwrap_or_default(), version);
    }
    for (file, before, place) in NUMBERS {
        let text = read(file)?;
        let found = text
            .split_once(before)
            .and_then(|(_, rest)| rest.lines().next());
        let right = version.split('.').nth(*place);
        hold(file, found.unwrap_or_default(), right.unwrap_or_default());
    }
    findings.extend(oldest_compilers(version, &read)?);
    Ok(findings)
}

/// The page that says which compilers a version is for, and the manifests that say so to cargo, in the order of its columns.
const COMPILERS: &str = "GOVERNANCE.md";
const ASKING: [&str; 2] = ["Cargo.toml", "integrations/datafusion/Cargo.toml"];

/// Where the row of the version names other compilers than the manifests, or is missing.
fn oldest_compilers(
    version: &str,
    read: impl Fn(&str) -> Result<String, String>,
) -> Result<Option<String>, String> {
    let asked = ASKING.map(|manifest| {
        let text = read(manifest)?;
        let asked = text
            .lines()
            .find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
        asked
            .map(String::from)
            .ok_or_else(|| format!("{manifest}: no rust-version"))
    });
    let [first, second] = asked;
    let minor: Vec<_> = version.split('.').take(2).collect();
    let row = format!("| {} | {} | {} |", minor.join("."), first?, second?);
    let page = read(COMPILERS)?;
    let is_there = page.lines().any(|line| line == row);
    Ok((!is_there).then(|| format!("{COMPILERS}: no row '{row}'")))
}

/// What a program asks for: the numbers that a compatible version begins with.
fn asked_for(version: &str) -> &str {
    let end = if version.starts_with("0.") { 2 } else { 1 };
    let dots = version.match_indices('.').map(|(at, _)| at);
    &version[..dots.take(end).last().unwrap_or(version.len())]
}

/// The versions in a manifest, by line: of a package of the house, and of crates of the house that it depends on.
fn in_manifest(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut of_package = false;
    text.lines().zip(1..).filter_map(move |(line, number)| {
        if line.starts_with('[') {
            of_package = line == "[package]" || line == "[workspace.package]";
        }
        let of_house = line.starts_with("lanner") && line.contains("path = \"");
        let rest = if of_package {
            line.strip_prefix("version = \"")?
        } else if of_house {
            line.split_once(" version = \"")?.1
        } else {
            return None;
        };
        let found = rest.split('"').next()?;
        // Packages in others' names have others' versions, and what cargo-fuzz asks for has none.
        (!found.ends_with("+lanner") && found != "0.0.0").then_some((number, found))
    })
}

/// The versions that a page tells to ask for, by line.
fn in_page(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let line = line.trim_start_matches("//! ");
        if let Some(rest) = line.strip_prefix("find_package(lanner ") {
            let asked = rest.split([' ', ')']).next()?;
            return asked
                .starts_with(|c: char| c.is_ascii_digit())
                .then_some((number, asked));
        }
        let (name, value) = line.split_once(" = ")?;
        let of_house = name == "lanner" || (name.starts_with("lanner-") && !name.contains(' '));
        let rest = match value.strip_prefix('"') {
            Some(rest) if of_house => rest,
            _ if of_house || value.contains("package = \"lanner-") => {
                value.split_once("version = \"")?.1
            }
            _ => return None,
        };
        Some((number, rest.split('"').next()?))
    })
}

/// The versions of the house's packages in a lock file, but those that a manifest may have.
fn in_lock_file(text: &str) -> impl Iterator<Item = &str> {
    let packages = text.split("[[package]]\n").skip(1);
    packages.filter_map(|package| {
        let field = |name| {
            package
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_suffix('"'))
        };
        let version = field("version = \"")?;
        let of_house = field("name = \"")?.starts_with("lanner") && field("source = \"").is_none();
        (of_house && version != "0.0.0").then_some(version)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::dist::VERSION;

    #[test]
    fn every_place_names_one_version() {
        let Ok(files) = committed() else {
            println!("SKIPPED: versions: git does not say which files there are");
            return;
        };
        assert_eq!(differences(&files, read), Ok(Vec::new()));
        // One file as it was, and all others of the next version that is asked for otherwise.
        let numbers: Vec<u32> = VERSION
            .split('.')
            .map(|number| number.parse().expect("it is one"))
            .collect();
        let raised = if numbers[0] == 0 {
            format!("0.{}.0", numbers[1] + 1)
        } else {
            format!("{}.0.0", numbers[0] + 1)
        };
        let (raised, raised_asked, asked) = (&*raised, asked_for(&raised), asked_for(VERSION));
        let next = |name: &str| -> Result<String, String> {
            let text = read(name)?;
            let places = PLACES.iter().filter(|(file, ..)| *file == name);
            let text = places.fold(text, |text, (_, before, after)| {
                text.replace(
                    &format!("{before}{VERSION}{after}"),
                    &format!("{before}{raised}{after}"),
                )
            });
            let places = NUMBERS.iter().filter(|(file, ..)| *file == name);
            let text = places.fold(text, |text, (_, before, place)| {
                let number = raised.split('.').nth(*place).expect("it has three");
                text.replace(
                    &format!("{before}{}\n", numbers[*place]),
                    &format!("{before}{number}\n"),
                )
            });
            let text = [
                ("version = \"", "\""),
                ("lanner = \"", "\""),
                ("find_package(lanner ", " "),
                ("\n| ", " | "),
            ]
            .iter()
            .fold(text, |text, (before, after)| {
                text.replace(
                    &format!("{before}{asked}{after}"),
                    &format!("{before}{raised_asked}{after}"),
                )
            });
            Ok(text.replace(
                &format!("version = \"{VERSION}\""),
                &format!("version = \"{raised}\""),
            ))
        };
        let older = [
            "compat/x25519-dalek-3/Cargo.toml",
            "integrations/polars/Cargo.toml",
            "python/Cargo.lock",
            "GOVERNANCE.md",
            "crates/lanner/README.md",
            "cli/tests/cmd/version.toml",
            "js/package.json",
        ];
        for forgotten in older {
            let found = differences(&files, |name| {
                if name == forgotten {
                    read(name)
                } else {
                    next(name)
                }
            });
            let found = found.expect("all can be read");
            assert!(
                found.iter().all(|finding| finding.starts_with(forgotten)),
                "{found:?}"
            );
            assert!(!found.is_empty(), "{forgotten}");
        }
        assert_eq!(differences(&files, next), Ok(Vec::new()));
        // A single line of a file that was raised.
        let lines = [
            ("c/include/lanner.h", "#define LANNER_VERSION_MAJOR "),
            ("c/include/lanner.h", "#define LANNER_VERSION_MINOR "),
            ("c/include/lanner.h", "#define LANNER_VERSION_PATCH "),
            ("c/README.md", "find_package(lanner "),
        ];
        for (forgotten, line) in lines {
            let found = differences(&files, |name| {
                let text = next(name)?;
                Ok(if name == forgotten {
                    text.replace(line, &format!("{line}7"))
                } else {
                    text
                })
            });
            let found = found.expect("all can be read");
            assert!(
                found.len() == 1 && found[0].starts_with(forgotten),
                "{line}: {found:?}"
            );
        }
    }

    #[test]
    fn oldest_compilers_are_those_of_the_manifests() {
        for forgotten in ASKING {
            let raised = |name: &str| -> Result<String, String> {
                let text = read(name)?;
                let newer = text.replace("rust-version = \"1.", "rust-version = \"1.1");
                Ok(if name == forgotten { newer } else { text })
            };
            let found = oldest_compilers(VERSION, raised).expect("all can be read");
            assert!(
                found.is_some_and(|found| found.starts_with(COMPILERS)),
                "{forgotten}"
            );
        }
        assert_eq!(oldest_compilers(VERSION, read), Ok(None));
    }

    #[test]
    fn what_is_not_checked_is_said() {
        let mut tally = Tally::default();
        let found = gaps_of(Err(String::from("no git here")), &mut tally);
        assert_eq!(found, Ok(Vec::new()));
        assert_eq!(tally.skips, ["SKIPPED: versions: no git here"]);
    }

    #[test]
    fn versions_are_read_where_they_stand() {
        let manifest = "[package]\nversion = \"0.1.0\"\n[dependencies]\n\
                        lanner-x = { path = \"../x\", version = \"1.2.3\" }\n\
                        sha2 = { version = \"0.11\" }\n[dependencies.group]\nversion = \"0.14\"\n";
        let found: Vec<_> = in_manifest(manifest).collect();
        assert_eq!(found, [(2, "0.1.0"), (4, "1.2.3")]);
        assert_eq!(
            in_manifest("[package]\nversion = \"4.1.3+lanner\"").count(),
            0
        );
        let page = "//! lanner-x = \"0.1\"\nx = { package = \"lanner-x\", version = \"0.2\" }\n\
                    curve25519-dalek = { version = \"4\" }\nlanner = { path = \"…\" }\n\
                    find_package(lanner 0.3)\nfind_package(lanner CONFIG REQUIRED)";
        let found: Vec<_> = in_page(page).collect();
        assert_eq!(found, [(1, "0.1"), (2, "0.2"), (5, "0.3")]);
        let lock = "[[package]]\nname = \"lanner\"\nversion = \"2.0.0\"\n\n\
                    [[package]]\nname = \"lanner-z\"\nversion = \"1.0.0\"\nsource = \"r\"\n";
        assert_eq!(in_lock_file(lock).collect::<Vec<_>>(), ["2.0.0"]);
        let asked: Vec<_> = ["0.1.0", "0.12.3", "1.2.3"].map(asked_for).into();
        assert_eq!(asked, ["0.1", "0.12", "1"]);
    }
}
