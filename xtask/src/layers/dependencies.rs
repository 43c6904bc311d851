//! Every dependency has its row in `docs/dependencies.md`, with a reason and who keeps it, and every row its dependency.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata};

use super::law::{LIBRARIES, PUBLISHED};
use super::workspace;
use crate::pages::{committed, read};

const PAGE: &str = "docs/dependencies.md";

/// What reaches users beside what is published: as a library in C.
const AND: &str = "lanner-c";

/// Foreign crates by name: those that what is shipped is built of, and those that only tests take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Taken {
    built_of: BTreeSet<String>,
    for_tests: BTreeSet<String>,
}

impl Taken {
    /// What packages of a workspace name, of which those with these names are shipped.
    fn of(metadata: &Metadata, ships: impl Fn(&str) -> bool) -> Self {
        let mut taken = Self::default();
        for package in &metadata.packages {
            for dependency in package.dependencies.iter().filter(|d| d.path.is_none()) {
                let is_built = dependency.kind != DependencyKind::Development;
                let set = if is_built && ships(package.name.as_str()) {
                    &mut taken.built_of
                } else {
                    &mut taken.for_tests
                };
                set.insert(dependency.name.clone());
            }
        }
        let Self {
            built_of,
            for_tests,
        } = &mut taken;
        for_tests.retain(|name| !built_of.contains(name));
        taken
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.built_of.iter().chain(&self.for_tests)
    }
}

/// What is missing on the page, and what stands there in vain.
///
/// # Errors
///
/// Cargo failed, or the page cannot be read.
pub(super) fn gaps() -> Result<Vec<String>, String> {
    let page = read(PAGE)?;
    let mut gaps = differences(&page, &here()?, &apart(&page)?);
    gaps.extend(differences_elsewhere(&page, &elsewhere()?));
    Ok(gaps)
}

/// The files that name packages of other registries for builds and tests: npm's manifests, of which the first is the package's,
/// lists for pip, and modules of Go.
const MANIFESTS_OF_NPM: [&str; 2] = ["js/package.json", "js/tools/package.json"];
const LISTS_OF_PIP: [&str; 4] = [
    "c/recipes/requirements.txt",
    "cli/tests/peers/requirements.txt",
    "integrations/engines/requirements.txt",
    "python/tests/requirements.txt",
];
const MODULES_OF_GO: [&str; 3] = [
    "bench/runners/voi/go.mod",
    "c/examples/cgo/go.mod",
    "cli/tests/peers/note/go.mod",
];

/// What those files name, by registry.
fn elsewhere() -> Result<BTreeMap<&'static str, BTreeSet<String>>, String> {
    let mut named: BTreeMap<_, BTreeSet<String>> = ["npm", "PyPI", "Go"]
        .map(|from| (from, BTreeSet::new()))
        .into();
    for name in MANIFESTS_OF_NPM {
        let manifest: serde_json::Value =
            serde_json::from_str(&read(name)?).map_err(|error| format!("{name}: {error}"))?;
        if !manifest["dependencies"].is_null() {
            return Err(format!("{name}: the package depends on nothing"));
        }
        let packages = manifest["devDependencies"].as_object().into_iter();
        let packages = packages.flat_map(|all| all.keys().cloned());
        named.entry("npm").or_default().extend(packages);
    }
    for list in LISTS_OF_PIP {
        let text = read(list)?;
        let packages = text.lines().filter_map(|line| line.split_once("=="));
        let names = packages.map(|(name, _)| name.split('[').next().unwrap_or(name).to_owned());
        named.entry("PyPI").or_default().extend(names);
    }
    for module in MODULES_OF_GO {
        let text = read(module)?;
        let required = text.lines().filter(|line| !line.contains("// indirect"));
        let names = required.filter_map(|line| {
            let (name, version) = line.trim().trim_start_matches("require ").split_once(' ')?;
            version.starts_with('v').then(|| name.to_owned())
        });
        named.entry("Go").or_default().extend(names);
    }
    Ok(named)
}

/// Rows of what is not taken, and without a row what is. A list for pip names also what others ask for, which needs none.
fn differences_elsewhere(page: &str, named: &BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
    let [.., table] = tables(page);
    let mut findings = Vec::new();
    let mut told: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows(table) {
        match *row {
            [name, from, what, who] if !what.is_empty() && !who.is_empty() => {
                told.entry(from).or_default().insert(name);
                if !named.get(from).is_some_and(|names| names.contains(name)) {
                    findings.push(format!("{PAGE}, {from}: {name} is none"));
                }
            }
            _ => findings.push(format!("{PAGE}: the row of {} has no 4 cells", row[0])),
        }
    }
    for (from, names) in named.iter().filter(|(from, _)| **from != "PyPI") {
        let missing = names.iter().filter(|name| {
            !told
                .get(from)
                .is_some_and(|told| told.contains(name.as_str()))
        });
        findings.extend(missing.map(|name| format!("{PAGE}, {from}: no row for {name}")));
    }
    findings
}

/// The main workspace.
fn here() -> Result<Taken, String> {
    let ships = |name: &str| LIBRARIES.contains(&name) || PUBLISHED.contains(&name) || name == AND;
    Ok(Taken::of(&workspace::metadata(&[])?, ships))
}

/// The workspaces beside it, by their directories: those that git knows, or else those that the page does, because which files
/// an archive has is not known.
fn apart(page: &str) -> Result<BTreeMap<String, Taken>, String> {
    let directories: Vec<String> = match committed() {
        Ok(files) => {
            let manifests = files
                .iter()
                .filter_map(|file| Some((file, file.strip_suffix("/Cargo.toml")?)));
            let mut found = Vec::new();
            for (file, directory) in manifests {
                if read(file)?.lines().any(|line| line == "[workspace]") {
                    found.push(directory.to_owned());
                }
            }
            found
        }
        Err(_) => rows(tables(page)[2]).map(|row| row[0].to_owned()).collect(),
    };
    directories
        .into_iter()
        .map(|directory| {
            let metadata = workspace::metadata_in(&directory, &[])?;
            Ok((directory, Taken::of(&metadata, |_| true)))
        })
        .collect()
}

fn differences(page: &str, here: &Taken, apart: &BTreeMap<String, Taken>) -> Vec<String> {
    let [users, tests, workspaces, beside, _] = tables(page);
    let mut findings = Vec::new();
    let mut hold = |table: &str, real: BTreeSet<&str>, told: BTreeSet<&str>| {
        let missing = real.difference(&told);
        findings.extend(missing.map(|name| format!("{PAGE}, {table}: no row for {name}")));
        let in_vain = told.difference(&real);
        findings.extend(in_vain.map(|name| format!("{PAGE}, {table}: {name} is none")));
    };
    let names = |text| -> BTreeSet<&str> { rows(text).map(|row| row[0]).collect() };
    let above: BTreeSet<&String> = here.all().collect();
    let named: BTreeSet<&String> = apart.values().flat_map(Taken::all).collect();
    let others = named.difference(&above).map(|name| name.as_str()).collect();
    hold("users", borrowed(&here.built_of), names(users));
    hold("tests", borrowed(&here.for_tests), names(tests));
    hold("beside", others, names(beside));
    let directories = apart.keys().map(String::as_str).collect();
    hold("workspaces", directories, names(workspaces));
    for row in rows(workspaces) {
        if let ([directory, built_of, for_tests], Some(taken)) = (&*row, apart.get(row[0])) {
            hold(directory, borrowed(&taken.built_of), quoted(built_of));
            let table = format!("{directory}, for tests");
            hold(&table, borrowed(&taken.for_tests), quoted(for_tests));
        }
    }
    for (text, columns) in [(users, 4), (tests, 3), (workspaces, 3), (beside, 3)] {
        for row in rows(text) {
            if row.len() != columns || row.iter().any(|cell| cell.is_empty()) {
                let name = row[0];
                findings.push(format!("{PAGE}: the row of {name} has no {columns} cells"));
            }
        }
    }
    findings
}

/// The parts of the page, each with its table: what reaches users, what else the main workspace takes, what each workspace
/// beside it does, the crates that these have beside those of the main one, and what other registries have.
fn tables(page: &str) -> [&str; 5] {
    let (users, rest) = page.split_once("\n## What only").unwrap_or((page, ""));
    let (tests, rest) = rest.split_once("\n## The workspaces").unwrap_or((rest, ""));
    let (workspaces, rest) = rest.split_once("\nOf these,").unwrap_or((rest, ""));
    let (beside, elsewhere) = rest
        .split_once("\n## From other registries")
        .unwrap_or((rest, ""));
    [users, tests, workspaces, beside, elsewhere]
}

/// The cells of each row that begins with a name between backquotes, which it has without them.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` |")?;
        let cells = rest.trim_end().strip_suffix('|')?.split(" | ");
        Some([name].into_iter().chain(cells.map(str::trim)).collect())
    })
}

/// What stands between backquotes.
fn quoted(cell: &str) -> BTreeSet<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn borrowed(names: &BTreeSet<String>) -> BTreeSet<&str> {
    names.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_held_against_the_manifests() {
        let page = read(PAGE).expect("it is there");
        let here = here().expect("cargo tells");
        let apart = apart(&page).expect("cargo tells");
        assert_eq!(differences(&page, &here, &apart), [""; 0]);
        assert!(apart.len() > 15 && apart.contains_key("python"));
        for (right, wrong, findings) in [
            ("| `subtle` |", "| `sublte` |", 2),
            ("| `ring` | a peer | B. Smith |\n", "", 1),
            // A row without a reason, or without who keeps it.
            (
                "| `ring` | a peer | B. Smith |",
                "| `ring` |  | B. Smith |",
                1,
            ),
            ("| `ring` | a peer | B. Smith |", "| `ring` | a peer |", 1),
            ("| `pyo3` |", "| `py03` |", 2),
            ("| `python` | `arrow-array`, ", "| `python` | ", 1),
            (
                "| `bench/embedded` | `fn-dsa` |",
                "| `bench/embedded` | none |",
                1,
            ),
            ("| `bench/embedded` | `fn-dsa` | none |\n", "", 1),
            ("`fastrand`, `fn-dsa` |", "`fastrand`, `fn-dsa`, `hex` |", 1),
        ] {
            assert!(page.contains(right), "{right}");
            let found = differences(&page.replacen(right, wrong, 1), &here, &apart);
            assert_eq!(found.len(), findings, "{wrong}: {found:?}");
        }
    }

    #[test]
    fn rows_are_held_against_other_registries() {
        let page = read(PAGE).expect("it is there");
        let named = elsewhere().expect("the files are read");
        assert_eq!(differences_elsewhere(&page, &named), [""; 0]);
        for (right, wrong, findings) in [
            ("| `vite` |", "| `vita` |", 2),
            ("| `ray` |", "| `rye` |", 1),
            (
                "| `golang.org/x/mod` | Go |",
                "| `golang.org/x/mod` | npm |",
                2,
            ),
            ("| `ray` | PyPI | an engine |", "| `ray` | PyPI |", 1),
        ] {
            assert!(page.contains(right), "{right}");
            let found = differences_elsewhere(&page.replacen(right, wrong, 1), &named);
            assert_eq!(found.len(), findings, "{wrong}: {found:?}");
        }
    }
}
