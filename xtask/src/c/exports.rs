//! What the headers declare against what the libraries export: nothing missing, nothing extra.

use std::collections::BTreeSet;

use super::glibc;
use super::layout::{CORE, HEADERS, INSIDE, Library, SHARED, c_dir, include_dir};
use super::split;
use crate::files::{read, text};
use crate::process::Cmd;

/// Macros and headers that decide what is declared.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    pub(super) macros: &'static [&'static str],
    pub(super) headers: &'static [&'static str],
}

/// The headers as a program of an operating system sees them.
pub(super) fn configuration(headers: &'static [&'static str]) -> Configuration {
    Configuration {
        macros: &[],
        headers,
    }
}

/// The names in the version script, `c/liblanner.map`. Which version they get, each library says.
///
/// # Errors
///
/// It is not there, or not of the expected form.
pub(super) fn map() -> Result<Vec<String>, String> {
    let file = read(&c_dir().join("liblanner.map"))?;
    let code: String = strip_comments(&file);
    let (version, rest) = code.split_once('{').ok_or("liblanner.map: no brace")?;
    if !version.trim().is_empty() {
        return Err(format!(
            "liblanner.map: a version, '{}', which is not of every library",
            version.trim()
        ));
    }
    let (_, rest) = rest
        .split_once("global:")
        .ok_or("liblanner.map: no global")?;
    let (names, _) = rest.split_once("local:").ok_or("liblanner.map: no local")?;
    Ok(names
        .split(';')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect())
}

fn strip_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code + rest
}

/// The functions that the headers declare, in alphabetical order, by the preprocessor's word.
///
/// # Errors
///
/// There is no C compiler, or it does not understand the headers.
pub(super) fn declared(configuration: &Configuration) -> Result<Vec<String>, String> {
    let mut names = BTreeSet::new();
    for header in configuration.headers {
        let path = include_dir().join(header);
        let output = Cmd::new("cc")
            .args(["-E", "-x", "c"])
            .args(configuration.macros.iter().map(|name| format!("-D{name}")))
            .args([text(&path)])
            .capture()?;
        names.extend(functions(&output, &text(&include_dir())));
    }
    Ok(names.into_iter().collect())
}

/// The names of the functions in preprocessed text that come from files below `dir`.
fn functions(preprocessed: &str, dir: &str) -> Vec<String> {
    let mut own = false;
    let mut code = String::new();
    for line in preprocessed.lines() {
        if line.starts_with('#') {
            own = line.contains(dir);
        } else if own {
            code.push_str(line);
            code.push(' ');
        }
    }
    // `{` and `}` end the braces of enums and structs, whose contents are no declarations.
    let mut depth = 0;
    let mut flat = String::new();
    for c in code.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth == 0 => flat.push(c),
            _ => {}
        }
    }
    flat.split(';')
        .map(str::trim)
        .filter(|declaration| !declaration.starts_with("typedef"))
        .filter_map(|declaration| {
            let (before, _) = declaration.split_once('(')?;
            let name = before.trim().rsplit([' ', '*']).next()?;
            (!name.is_empty()).then(|| name.to_owned())
        })
        .collect()
}

/// The names that `nm` lists.
fn symbols(listing: &str) -> BTreeSet<String> {
    listing
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                // The version itself is an absolute symbol.
                // An archive lists its members.
                [_, "A", _] | [_] | [] => None,
                [_, _, name] => Some(name.split('@').next().unwrap_or(name).to_owned()),
                _ => None,
            }
        })
        .collect()
}

/// Compares the version of each symbol that `nm -D` lists with the one that the library's are to have.
fn versions(what: &str, node: &str, listing: &str) -> Result<(), String> {
    let has = |name: &&str| name.split_once("@@").is_some_and(|(_, has)| has == node);
    let names = listing.lines().filter_map(|line| line.rsplit(' ').next());
    // The version itself stands among them.
    let others: Vec<&str> = names
        .filter(|name| !has(name) && *name != node && !name.is_empty())
        .collect();
    match others[..] {
        [] => Ok(()),
        _ => Err(format!("{what}: symbols without {node}: {others:?}")),
    }
}

/// Says how two lists differ.
///
/// # Errors
///
/// They do.
pub(super) fn compare(
    what: &str,
    expected: &[String],
    found: &BTreeSet<String>,
) -> Result<(), String> {
    let expected: BTreeSet<String> = expected.iter().cloned().collect();
    let missing: Vec<&String> = expected.difference(found).collect();
    let extra: Vec<&String> = found.difference(&expected).collect();
    if missing.is_empty() && extra.is_empty() {
        println!("{what}: {} names, as declared", expected.len());
        return Ok(());
    }
    Err(format!(
        "{what} and the headers differ: missing {missing:?}, extra {extra:?}"
    ))
}

/// Compares the headers with the version script and with all libraries.
///
/// # Errors
///
/// They differ.
pub(super) fn check(library: &Library) -> Result<(), String> {
    let names = declared(&configuration(HEADERS))?;
    compare("liblanner.map", &names, &map()?.into_iter().collect())?;
    let nm = || library.target.tool("nm").args(["--defined-only"]);
    let archive = nm()
        .args(["-g", &text(&library.dir.join("liblanner.a"))])
        .capture()?;
    // Donna's names a second time, as the members with the code have them.
    let core = declared(&configuration(CORE))?;
    let donna = names.iter().filter(|name| !core.contains(name));
    let inside: Vec<String> = donna.map(|name| format!("{INSIDE}{name}")).collect();
    let in_archive = [&names[..], &inside].concat();
    let mut found = symbols(&archive);
    found.retain(|name| !split::is_inner(name));
    compare("liblanner.a", &in_archive, &found)?;
    for shared in &SHARED {
        let listing = nm()
            .args(["-D", &text(&library.dir.join(shared.file()))])
            .capture()?;
        let names = declared(&configuration(shared.headers))?;
        compare(&shared.link_name(), &names, &symbols(&listing))?;
        versions(&shared.link_name(), &shared.node(), &listing)?;
    }
    glibc::check(library)
}

/// The functions with names of C that an archive as cargo makes it defines.
///
/// # Errors
///
/// There is no `nm` that reads it.
pub(super) fn in_archive(nm: &str, archive: &str) -> Result<BTreeSet<String>, String> {
    // Members of bitcode, of a newer compiler than the tool knows, make it complain; what is wanted
    // is in the others.
    let script = format!("{nm} -g --defined-only '{archive}' 2>/dev/null || true");
    let listing = Cmd::new("sh").args(["-c", &script]).capture()?;
    Ok(symbols(&listing)
        .into_iter()
        // A target may put an underscore before every name.
        .map(|name| name.strip_prefix('_').unwrap_or(&name).to_owned())
        .filter(|name| {
            ["lanner_", "ed25519_", "curved25519_", "curve25519_"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{functions, map, symbols, versions};
    use crate::c::layout::{ABI, SHARED};

    #[test]
    fn declarations_are_read() {
        let text = "\
# 1 \"/usr/include/stdlib.h\"
void abort(void);
# 1 \"/x/include/a.h\"
typedef int (*callback)(void *p);
struct s { int (*member)(int); };
enum e { A = -1 };
const char *name_of(int
 x);
int plain(const unsigned char *m, unsigned long (*f)(void));
# 9 \"/usr/include/string.h\"
int memcmp(const void *, const void *, int);
";
        assert_eq!(functions(text, "/x/include"), ["name_of", "plain"]);
    }

    #[test]
    fn listings_are_read() {
        let listing = "liblanner.o:\n0000 T one\n0000 A LANNER_0\n0000 T two@@LANNER_0\n";
        let names: Vec<String> = symbols(listing).into_iter().collect();
        assert_eq!(names, ["one", "two"]);
    }

    /// A library of another name, or of another interface, has other versions.
    #[test]
    fn each_library_has_versions_of_its_own() {
        let nodes = SHARED.map(|shared| shared.node());
        assert_eq!(
            nodes,
            [format!("LANNER_{ABI}"), format!("LANNER_CORE_{ABI}")]
        );
        let listing = "0000 A LANNER_0\n0000 T one@@LANNER_0\n0000 T two@@LANNER_0\n";
        assert!(versions("it", "LANNER_0", listing).is_ok());
        for wrong in ["LANNER_CORE_0", "LANNER_1", ""] {
            assert!(versions("it", wrong, listing).is_err(), "{wrong}");
        }
        assert!(versions("it", "LANNER_0", "0000 T one\n").is_err());
    }

    #[test]
    fn the_version_script_is_sorted() {
        let names = map().expect("it is there");
        let mut sorted = names.clone();
        sorted.sort();
        assert_eq!(names, sorted);
    }
}
