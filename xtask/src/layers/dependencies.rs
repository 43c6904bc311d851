//! Every dependency has its row in `docs/dependencies.md`, and every row its dependency.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Metadata};

use super::law::{LIBRARIES, PUBLISHED};
use super::workspace;
use crate::process::root;

const PAGE: &str = "docs/dependencies.md";

/// What reaches users beside what is published: as a library in C.
const AND: &str = "lanner-c";

/// What is missing on the page, and what stands there in vain.
///
/// # Errors
///
/// Cargo failed, or the page cannot be read.
pub(super) fn gaps() -> Result<Vec<String>, String> {
    let page = std::fs::read_to_string(root().join(PAGE)).map_err(|e| format!("{PAGE}: {e}"))?;
    Ok(differences(&page, &workspace::metadata(&[])?))
}

fn differences(page: &str, metadata: &Metadata) -> Vec<String> {
    let (mut users, mut all) = (BTreeSet::new(), BTreeSet::new());
    for package in &metadata.packages {
        let name = package.name.as_str();
        let reaches = LIBRARIES.contains(&name) || PUBLISHED.contains(&name) || name == AND;
        for dependency in package.dependencies.iter().filter(|d| d.path.is_none()) {
            all.insert(dependency.name.as_str());
            if reaches && dependency.kind != DependencyKind::Development {
                users.insert(dependency.name.as_str());
            }
        }
    }
    let (first, second) = page.split_once("## What only").unwrap_or((page, ""));
    let rows = |text| -> BTreeSet<&str> { str::lines(text).filter_map(name_of_row).collect() };
    let others: BTreeSet<&str> = all.difference(&users).copied().collect();
    [
        ("users", users, rows(first)),
        ("tests", others, rows(second)),
    ]
    .iter()
    .flat_map(|(table, real, told)| {
        let missing = real.difference(told);
        let missing = missing.map(move |name| format!("{PAGE}, {table}: no row for {name}"));
        let in_vain = told.difference(real);
        missing.chain(in_vain.map(move |name| format!("{PAGE}, {table}: {name} is none")))
    })
    .collect()
}

/// The crate of a row that begins with one.
fn name_of_row(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split('`').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_held_against_the_manifests() {
        let metadata = workspace::metadata(&[]).expect("cargo tells");
        let page = std::fs::read_to_string(root().join(PAGE)).expect("it is there");
        assert_eq!(differences(&page, &metadata), Vec::<String>::new());
        let moved = page.replace("| `subtle` |", "| `sublte` |");
        assert_eq!(differences(&moved, &metadata).len(), 2);
        let shorter = page.replace("| `ring` | a peer |\n", "");
        let missing = ["docs/dependencies.md, tests: no row for ring"];
        assert_eq!(differences(&shorter, &metadata), missing);
    }
}
