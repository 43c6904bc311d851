//! The list of who may import whom in ARCHITECTURE.md is the law's.

use std::collections::{BTreeMap, BTreeSet};

use super::law::{APART, LIBRARIES, MEMBERS, MODULES_OF_NPM, PUBLISHED};
use crate::files::read;
use crate::process::root;

const PAGE: &str = "ARCHITECTURE.md";

/// Members beside the libraries and what is published that the page has an arrow for.
const AND: &[&str] = &["lanner-c", "lanner-vectors"];

/// What the modules of the npm package are called together.
const MODULES: &str = "js";

type Edges<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Where the page and the law differ.
///
/// # Errors
///
/// The page cannot be read.
pub(super) fn gaps() -> Result<Vec<String>, String> {
    let page = read(&root().join(PAGE))?;
    Ok(differences(&page))
}

fn differences(page: &str) -> Vec<String> {
    let told = told(page);
    let mut findings = Vec::new();
    for (name, allowed) in law() {
        match told.get(name) {
            None => findings.push(format!("{PAGE}: no arrow for {name}")),
            Some(told) if *told != allowed => findings.push(format!(
                "{PAGE}: {name} -> {told:?}, and the law says {allowed:?}"
            )),
            Some(_) => {}
        }
    }
    findings
}

/// What the law says of those that the page has an arrow for.
fn law() -> Edges<'static> {
    let mut edges = Edges::new();
    let on_the_page = |name: &str| {
        [LIBRARIES, PUBLISHED, AND]
            .iter()
            .any(|l| l.contains(&name))
    };
    let members = MEMBERS.iter().filter(|(name, _)| on_the_page(name));
    let apart = APART
        .iter()
        .filter(|a| a.directory != MODULES_OF_NPM.directory);
    for (name, allowed) in members.chain(apart.flat_map(|a| a.crates)) {
        edges.insert(*name, allowed.iter().map(|name| short(name)).collect());
    }
    let of_npm = MODULES_OF_NPM.crates;
    let below = of_npm.iter().flat_map(|(_, allowed)| allowed.iter());
    let outside = below.filter(|name| !of_npm.iter().any(|(own, _)| own == *name));
    edges.insert(MODULES, outside.map(|name| short(name)).collect());
    edges
}

/// What the arrows of the page say, by crate: of the entry in which one stands, up to the end of its line.
fn told(page: &str) -> Edges<'_> {
    let mut edges = Edges::new();
    let mut entry = None;
    let list = page.split("```text\n").nth(1).unwrap_or_default();
    for line in list.split("```").next().unwrap_or_default().lines() {
        let mut words = line.split_whitespace();
        if let (Some(directory), Some(name)) = (words.next(), words.next())
            && directory.ends_with('/')
            && !line.starts_with("   ")
        {
            entry = match name {
                "npm" => Some(MODULES),
                _ => (name == "lanner" || name.starts_with("lanner-")).then_some(name),
            };
        }
        if let (Some(name), Some((_, names))) = (entry, line.split_once("-> ")) {
            let names = names.split(", ").map(str::trim);
            edges.insert(name, names.filter(|name| *name != "nothing").collect());
        }
    }
    edges
}

/// The name of a crate as the page has it.
fn short(name: &str) -> &str {
    name.strip_prefix("lanner-").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_held_against_the_law() {
        let page = read(&root().join(PAGE)).expect("it is there");
        assert_eq!(differences(&page), [""; 0]);
        for (right, wrong) in [
            ("XEdDSA -> simd, curve, hash\n", "XEdDSA -> curve, hash\n"),
            (
                "-> curve, hash, x25519, fn-dsa\n",
                "-> hash, x25519, fn-dsa\n",
            ),
            ("  x25519/   lanner-x25519 ", "  x25519/   lanner-x "),
            ("system's generator -> nothing\n", "system's generator\n"),
        ] {
            assert!(page.contains(right), "{right}");
            assert_eq!(differences(&page.replace(right, wrong)).len(), 1, "{wrong}");
        }
    }
}
