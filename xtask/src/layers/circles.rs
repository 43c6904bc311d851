//! Circles between the modules of a crate.
//!
//! Modules that need each other cannot be read one after the other. A module and its own parts may know
//! each other, so the question is put to the parts of one module: of two neighbours, with all that lies
//! below them, only one may use the other, be it directly or by way of further neighbours. A name that
//! the common parent passes on counts for the neighbour in which it stands.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::law::CIRCLES;
use super::source::{Source, module_of};
use super::workspace::Member;

/// The name of a module from the root of its crate on.
type Module = Vec<String>;

/// Who among the parts of one module uses whom, and where that is said for the first time.
type Neighbours = BTreeMap<String, BTreeMap<String, String>>;

/// Holds the modules of every member against the law.
pub(super) fn check(members: &[Member], files: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut listed = vec![false; CIRCLES.len()];
    for member in members {
        for (parent, neighbours) in uses(&member.dir.join("src"), files) {
            let parent = parent.join("::");
            for circle in circles(&neighbours) {
                let known = CIRCLES.iter().position(|(name, of, modules)| {
                    *name == member.name
                        && *of == parent
                        && circle.iter().all(|part| modules.contains(&part.as_str()))
                });
                match known {
                    Some(index) => listed[index] = true,
                    None => findings.push(describe(&member.name, &parent, &circle, &neighbours)),
                }
            }
        }
    }
    for ((name, parent, modules), listed) in CIRCLES.iter().zip(listed) {
        if !listed && members.iter().any(|member| member.name == *name) {
            findings.push(format!(
                "{name}: {} of {} are listed as a circle, but are none",
                modules.join(", "),
                place(parent)
            ));
        }
    }
    findings
}

/// The uses among neighbours, by their parent, in the crate whose sources are in `src`.
fn uses(src: &Path, files: &[Source]) -> BTreeMap<Module, Neighbours> {
    let files: Vec<(Module, &Source)> = files
        .iter()
        .filter(|file| file.path.starts_with(src))
        .map(|file| (module_of(&file.path), file))
        .collect();
    let known: BTreeSet<&[String]> = files.iter().map(|(module, _)| module.as_slice()).collect();
    let mut passed_on: BTreeMap<&[String], BTreeMap<&str, &[String]>> = BTreeMap::new();
    for (module, file) in &files {
        for (name, path) in &file.facts.imports {
            let names = passed_on.entry(module).or_default();
            names.insert(name, path);
        }
    }
    let mut uses: BTreeMap<Module, Neighbours> = BTreeMap::new();
    for (from, file) in &files {
        for (line, path) in &file.facts.paths {
            // A name of a module above stands there, or where that module has it from.
            let mut to = module_with(&known, path);
            let mut path = path.as_slice();
            let mut passed = Vec::new();
            while from.starts_with(to) && !passed.contains(&to) {
                passed.push(to);
                let name = path.get(to.len());
                let names = passed_on.get(to);
                if let Some(origin) = names.zip(name).and_then(|(n, name)| n.get(name.as_str())) {
                    path = origin;
                    to = module_with(&known, path);
                }
            }
            let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            if let (Some(user), Some(used)) = (from.get(common), to.get(common)) {
                let neighbours = uses.entry(from[..common].to_vec()).or_default();
                let of_user = neighbours.entry(user.clone()).or_default();
                of_user
                    .entry(used.clone())
                    .or_insert_with(|| format!("{}:{line}", file.path.display()));
            }
        }
    }
    uses
}

/// The module that a path leads into.
fn module_with<'p>(known: &BTreeSet<&[String]>, path: &'p [String]) -> &'p [String] {
    let longest = (0..=path.len())
        .rev()
        .find(|length| known.contains(&path[..*length]));
    &path[..longest.unwrap_or(0)]
}

/// The sets of neighbours that reach each other, in alphabetical order.
fn circles(neighbours: &Neighbours) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = neighbours
        .keys()
        .map(|start| {
            let mut reached = BTreeSet::new();
            let mut next = vec![start];
            while let Some(module) = next.pop() {
                for used in neighbours.get(module).into_iter().flat_map(BTreeMap::keys) {
                    if reached.insert(used) {
                        next.push(used);
                    }
                }
            }
            (start, reached)
        })
        .collect();
    let circles: BTreeSet<BTreeSet<String>> = reached
        .iter()
        .filter(|(start, reach)| reach.contains(*start))
        .map(|(start, reach)| {
            let back = |module: &&&String| reached.get(**module).is_some_and(|r| r.contains(start));
            reach.iter().filter(back).map(|m| (*m).clone()).collect()
        })
        .collect();
    circles.into_iter().collect()
}

fn describe(
    member: &str,
    parent: &str,
    circle: &BTreeSet<String>,
    neighbours: &Neighbours,
) -> String {
    let mut steps = Vec::new();
    for (user, used) in neighbours {
        for (used, at) in used {
            if circle.contains(user) && circle.contains(used) {
                steps.push(format!("{user} -> {used} at {at}"));
            }
        }
    }
    format!(
        "{member}: a circle of modules in {}: {}",
        place(parent),
        steps.join(", ")
    )
}

fn place(parent: &str) -> &str {
    if parent.is_empty() {
        "the root"
    } else {
        parent
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Source, circles, uses};

    /// The circles of a crate with these files, each as `parent: modules`.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source::of(&Path::new("a/src").join(path), text).expect("is Rust"))
            .collect();
        let mut found = Vec::new();
        for (parent, neighbours) in uses(Path::new("a/src"), &files) {
            for circle in circles(&neighbours) {
                let circle: Vec<String> = circle.into_iter().collect();
                found.push(format!("{}: {}", parent.join("::"), circle.join(" ")));
            }
        }
        found
    }

    #[test]
    fn two_that_import_each_other() {
        let b = ("b.rs", "fn f() { crate::a::g() }");
        assert_eq!(
            found(&[("lib.rs", ""), ("a.rs", "use crate::b::X;"), b]),
            [": a b"]
        );
        assert_eq!(found(&[("lib.rs", ""), ("a.rs", ""), b]), [""; 0]);
        assert_eq!(
            found(&[("a.rs", "mod tests { use crate::b::X; }"), b]),
            [""; 0]
        );
        // A module of that name is part of the program.
        let test = ("test.rs", "use crate::a::A;");
        assert_eq!(
            found(&[("a.rs", "use crate::test::T;"), test]),
            [": a test"]
        );
    }

    #[test]
    fn a_longer_way_round_and_one_on_its_edge() {
        let files = [
            ("m/mod.rs", "use a::A;"),
            ("m/a.rs", "use super::b::B;"),
            ("m/b.rs", "use crate::m::c::C;"),
            ("m/c/mod.rs", ""),
            ("m/c/deep.rs", "use super::super::a::A;"),
            ("m/edge.rs", "use super::a::A;"),
        ];
        assert_eq!(found(&files), ["m: a b c"]);
        assert_eq!(found(&files[..4]), [""; 0]);
    }

    #[test]
    fn a_module_and_its_parts_are_no_circle() {
        let files = [
            ("m/mod.rs", "mod a; pub use a::A; struct S;"),
            ("m/a.rs", "use super::S;"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }

    #[test]
    fn what_the_parent_passes_on_counts_for_its_origin() {
        let a = ("m/a.rs", "use super::{B as Other};");
        let b = ("m/b.rs", "use super::a::A;");
        for parent in [
            "pub use b::B; pub use outside::{self, Name};",
            "pub use self::b::{C, B};",
            "use crate::m::b::Inner as B;",
        ] {
            assert_eq!(found(&[("m/mod.rs", parent), a, b]), ["m: a b"], "{parent}");
        }
        assert_eq!(
            found(&[("m/mod.rs", "pub use b::C; struct B;"), a, b]),
            [""; 0]
        );
        // What is another crate's, or its own.
        let a = ("m/a.rs", "use super::{B, outside, outside::Name};");
        let parent = "use outside::{self, B};";
        assert_eq!(found(&[("m/mod.rs", parent), a, b]), [""; 0]);
    }
}
