//! What the sources themselves must keep: no_std, the places of unsafe, modules in layers.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::comparison;
use super::law::{INSTRUCTIONS, LIBRARIES, MASKED, MODULES, UNSAFE};
use super::tokens::{is, words};
use super::workspace::Member;
use crate::process::root;

/// A source file, read into tokens and reduced to what the law speaks about.
#[derive(Debug)]
pub(super) struct Source {
    /// Its path from the root.
    pub(super) path: PathBuf,
    pub(super) facts: Facts,
}

impl Source {
    /// A file with this text.
    ///
    /// # Errors
    ///
    /// It is not Rust.
    pub(super) fn of(path: &Path, text: &str) -> Result<Self, String> {
        let facts = facts(text, &module_of(path))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Source {
            path: path.to_path_buf(),
            facts,
        })
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Lines with the keyword `unsafe`, or with an attribute that lets it in.
    unsafe_lines: Vec<usize>,
    /// `#![no_std]` stands at the top.
    no_std: bool,
    /// Paths into the same crate, outside tests: their line and their names from the root on.
    pub(super) paths: Vec<(usize, Vec<String>)>,
    /// What `use` brings in, outside tests: its name, and its names from the root on, which for another crate's
    /// are those of nothing.
    pub(super) imports: Vec<(String, Vec<String>)>,
    /// `use` of everything in a module of the same crate, outside tests.
    globs: Vec<usize>,
    /// Lines that look as if a mask were built there, outside tests: a shift by all bits of a word but one, or
    /// a wrapping negation.
    masks: Vec<usize>,
    /// Lines with instructions of a processor: assembly, or a path into `core::arch`.
    instructions: Vec<usize>,
    /// Comparisons that may end early where `ct_eq` is law, outside tests.
    comparisons: Vec<(usize, String)>,
}

/// Reads all Rust sources of the members, those of the workspaces apart among them.
///
/// # Errors
///
/// A file cannot be read, or is not Rust.
pub(super) fn read_all(members: &[Member], apart: &[Member]) -> Result<Vec<Source>, String> {
    let mut paths = Vec::new();
    for member in members.iter().chain(apart) {
        collect(&root().join(&member.dir), &mut paths)?;
    }
    paths.sort();
    paths.dedup();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            Source::of(path.strip_prefix(root()).unwrap_or(&path), &text)
        })
        .collect()
}

fn collect(dir: &Path, into: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                collect(&path, into)?;
            }
        } else if name.ends_with(".rs") {
            into.push(path);
        }
    }
    Ok(())
}

/// The module path of a file within its crate, for files under `src`.
pub(super) fn module_of(path: &Path) -> Vec<String> {
    let names: Vec<String> = path
        .with_extension("")
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let Some(src) = names.iter().position(|name| name == "src") else {
        return Vec::new();
    };
    let mut module = names[src + 1..].to_vec();
    if module
        .last()
        .is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main"))
    {
        module.pop();
    }
    module
}

/// Reads a file's tokens.
fn facts(text: &str, module: &[String]) -> Result<Facts, String> {
    let tokens = TokenStream::from_str(text).map_err(|error| error.to_string())?;
    let mut facts = Facts::default();
    let tests = module.iter().any(|name| is_test_module(name));
    if !tests {
        facts.comparisons = comparison::otherwise(tokens.clone());
    }
    facts.read(tokens, module, tests);
    Ok(facts)
}

fn is_test_module(name: &str) -> bool {
    name == "tests"
}

impl Facts {
    fn read(&mut self, tokens: TokenStream, module: &[String], tests: bool) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut inner: Option<String> = None;
        for (index, tree) in trees.iter().enumerate() {
            let before = |back: usize| index.checked_sub(back).and_then(|i| trees.get(i));
            match tree {
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    let line = ident.span().start().line;
                    match word.as_str() {
                        "unsafe" => self.unsafe_lines.push(line),
                        "asm" | "global_asm" | "naked_asm" if is(trees.get(index + 1), "!") => {
                            self.instructions.push(line);
                        }
                        "arch"
                            if is(before(1), ":")
                                && (is(before(3), "core") || is(before(3), "std")) =>
                        {
                            self.instructions.push(line);
                        }
                        "wrapping_neg" if !tests => self.masks.push(line),
                        "use" if !tests => {
                            let rest = &trees[index + 1..];
                            let end = rest.iter().position(|tree| is(Some(tree), ";"));
                            self.import(module, &rest[..end.unwrap_or(0)]);
                        }
                        "mod" => {
                            inner = match trees.get(index + 1) {
                                Some(TokenTree::Ident(name)) => Some(name.to_string()),
                                _ => None,
                            };
                        }
                        "crate" | "super" | "self"
                            if !tests && !is(before(1), ":") && is(trees.get(index + 1), ":") =>
                        {
                            self.path(module, &trees[index..], line);
                        }
                        _ => {}
                    }
                }
                TokenTree::Group(group) => {
                    // An attribute: `#[…]` or `#![…]`.
                    if is(before(1), "#") || (is(before(1), "!") && is(before(2), "#")) {
                        self.attribute(group.stream(), group.span_open().start().line);
                    } else if let Some(name) = inner.take() {
                        let mut deeper = module.to_vec();
                        let tests = tests || is_test_module(&name);
                        deeper.push(name);
                        self.read(group.stream(), &deeper, tests);
                    } else {
                        self.read(group.stream(), module, tests);
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => inner = None,
                TokenTree::Literal(literal)
                    if !tests
                        && is(before(1), ">")
                        && is(before(2), ">")
                        && matches!(literal.to_string().as_str(), "31" | "63") =>
                {
                    self.masks.push(literal.span().start().line);
                }
                _ => {}
            }
        }
    }

    fn attribute(&mut self, tokens: TokenStream, line: usize) {
        let words = words(tokens);
        let opens = matches!(
            words.first().map(String::as_str),
            Some("allow" | "expect" | "warn")
        ) || (words.first().is_some_and(|w| w == "cfg_attr")
            && words.iter().any(|w| w == "allow" || w == "expect"));
        if opens && words.iter().any(|w| w == "unsafe_code") || words.iter().any(|w| w == "unsafe")
        {
            self.unsafe_lines.push(line);
        }
        if words.first().is_some_and(|w| w == "no_std") {
            self.no_std = true;
        }
    }

    /// Reads a path that starts with `crate`, `self` or `super`.
    fn path(&mut self, module: &[String], trees: &[TokenTree], line: usize) {
        for leaf in leaves(module, trees) {
            if leaf.name == "*" {
                self.globs.push(line);
            }
            self.paths.push((line, leaf.path));
        }
    }

    /// Reads what stands behind `use`.
    fn import(&mut self, module: &[String], trees: &[TokenTree]) {
        // Otherwise it is a path into another crate, or what a type captures.
        if matches!(trees.first(), Some(TokenTree::Ident(_))) {
            let named = leaves(module, trees).into_iter();
            self.imports
                .extend(named.map(|leaf| (leaf.name, leaf.path)));
        }
    }
}

/// One path of a tree of paths: its names from the root on, and the name that it has where it is used, `*` for
/// everything.
struct Leaf {
    path: Vec<String>,
    name: String,
}

/// The paths of a tree, groups in braces included. What does not start with `crate`, `self` or `super` starts
/// in the module.
fn leaves(module: &[String], trees: &[TokenTree]) -> Vec<Leaf> {
    let mut base = module.to_vec();
    let mut rest = trees;
    while let Some(TokenTree::Ident(ident)) = rest.first() {
        match ident.to_string().as_str() {
            "crate" => base.clear(),
            "super" => {
                base.pop();
            }
            "self" => {}
            name => base.push(name.to_owned()),
        }
        if is(rest.get(1), ":") && is(rest.get(2), ":") {
            rest = &rest[3..];
        } else {
            rest = &rest[1..];
            break;
        }
    }
    let name = match rest {
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
            let trees: Vec<TokenTree> = group.stream().into_iter().collect();
            let items = trees.split(|tree| is(Some(tree), ","));
            return items
                .filter(|item| !item.is_empty())
                .flat_map(|item| leaves(&base, item))
                .collect();
        }
        [TokenTree::Punct(punct), ..] if punct.as_char() == '*' => String::from("*"),
        [TokenTree::Ident(word), TokenTree::Ident(name), ..] if *word == "as" => name.to_string(),
        _ => base.last().cloned().unwrap_or_default(),
    };
    vec![Leaf { path: base, name }]
}

/// Holds the sources against the law.
pub(super) fn check(members: &[Member], files: &[Source]) -> Vec<String> {
    let mut findings = check_unsafe(files, UNSAFE);
    for file in files {
        let path = file.path.to_string_lossy();
        if path.starts_with("crates/") && !INSTRUCTIONS.iter().any(|place| path.starts_with(place))
        {
            for line in &file.facts.instructions {
                findings.push(format!(
                    "{path}:{line}: instructions of a processor stand in lanner-simd, and in the files that the law names"
                ));
            }
        }
        for (line, what) in &file.facts.comparisons {
            findings.push(format!("{path}:{line}: {what}, so that it may end early"));
        }
        if MASKED.iter().any(|place| path.starts_with(place)) {
            for line in &file.facts.masks {
                findings.push(format!(
                    "{path}:{line}: looks like a mask that is built by hand; lanner_simd::Mask has the barrier"
                ));
            }
        }
    }
    for member in members
        .iter()
        .filter(|m| LIBRARIES.contains(&m.name.as_str()))
    {
        let src = member.dir.join("src");
        let top = src.join("lib.rs");
        if !files
            .iter()
            .any(|file| file.path == top && file.facts.no_std)
        {
            findings.push(format!("{}: lacks #![no_std]", top.display()));
        }
        for file in files.iter().filter(|file| file.path.starts_with(&src)) {
            for line in &file.facts.globs {
                findings.push(format!(
                    "{}:{line}: a glob import between modules; name what is used",
                    file.path.display()
                ));
            }
        }
    }
    for (library, module, forbidden) in MODULES {
        let src = Path::new("crates").join(library).join("src");
        for file in files.iter().filter(|file| file.path.starts_with(&src)) {
            if module_of(&file.path)
                .first()
                .is_none_or(|first| first != module)
            {
                continue;
            }
            for (line, path) in &file.facts.paths {
                if path
                    .first()
                    .is_some_and(|first| forbidden.contains(&first.as_str()))
                {
                    findings.push(format!(
                        "{}:{line}: {module} may not use {}",
                        file.path.display(),
                        path.join("::")
                    ));
                }
            }
        }
    }
    findings
}

fn check_unsafe(files: &[Source], allowed: &[(&str, &str)]) -> Vec<String> {
    let covers = |entry: &str, path: &Path| {
        let path = path.to_string_lossy();
        if entry.ends_with('/') {
            path.starts_with(entry)
        } else {
            path == entry
        }
    };
    let mut findings = Vec::new();
    let mut used = vec![false; allowed.len()];
    for file in files
        .iter()
        .filter(|file| !file.facts.unsafe_lines.is_empty())
    {
        let mut covered = false;
        for (index, (entry, _)) in allowed.iter().enumerate() {
            if covers(entry, &file.path) {
                used[index] = true;
                covered = true;
            }
        }
        if !covered {
            let lines: Vec<String> = file
                .facts
                .unsafe_lines
                .iter()
                .map(usize::to_string)
                .collect();
            findings.push(format!(
                "{}: unsafe outside the files that may have it (line {})",
                file.path.display(),
                lines.join(", ")
            ));
        }
    }
    for ((entry, _), used) in allowed.iter().zip(used) {
        if !used {
            findings.push(format!("{entry}: listed for unsafe, but has none"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{Source, check, check_unsafe, facts, module_of};
    use crate::layers::workspace::Member;
    use std::path::Path;

    fn source(path: &str, text: &str) -> Source {
        Source::of(Path::new(path), text).expect("is Rust")
    }

    #[test]
    fn modules_follow_files() {
        assert_eq!(
            module_of(Path::new("crates/curve/src/field/mod.rs")),
            ["field"]
        );
        assert_eq!(module_of(Path::new("crates/curve/src/lib.rs")), [""; 0]);
        assert_eq!(module_of(Path::new("a/src/b/c.rs")), ["b", "c"]);
        assert_eq!(module_of(Path::new("a/tests/c.rs")), [""; 0]);
    }

    #[test]
    fn unsafe_is_found_as_a_keyword_only() {
        let calm =
            "// unsafe\n/* unsafe */ fn f() { let _ = \"unsafe\"; }\n#![forbid(unsafe_code)]";
        assert_eq!(check_unsafe(&[source("a/src/lib.rs", calm)], &[]), [""; 0]);
        for wild in [
            "fn f() { unsafe { g() } }",
            "mod a { unsafe fn f() {} }",
            "#[allow(unsafe_code)] fn f() {}",
            "#[cfg_attr(a, allow(unsafe_code))] fn f() {}",
            "#[unsafe(no_mangle)] fn f() {}",
        ] {
            let file = [source("a/src/lib.rs", wild)];
            assert_eq!(check_unsafe(&file, &[]).len(), 1, "{wild}");
            assert_eq!(check_unsafe(&file, &[("a/src/lib.rs", "")]), [""; 0]);
            assert_eq!(check_unsafe(&file, &[("a/src/", "")]), [""; 0]);
        }
        let idle = check_unsafe(&[source("a/src/lib.rs", calm)], &[("a/src/lib.rs", "")]);
        assert_eq!(idle, ["a/src/lib.rs: listed for unsafe, but has none"]);
    }

    #[test]
    fn instructions_have_their_places() {
        let found = |path: &str, text: &str| {
            let file = source(path, text);
            (check(&[], &[file]).iter())
                .filter(|finding| finding.contains("instructions of a processor"))
                .count()
        };
        let elsewhere = "crates/hash/src/keccak/mod.rs";
        assert_eq!(found(elsewhere, "use core::arch::x86_64::*;"), 1);
        assert_eq!(found(elsewhere, "use core::arch::x86_64 as arch;"), 1);
        assert_eq!(found(elsewhere, "fn f() { std::arch::asm!(\"nop\") }"), 2);
        assert_eq!(
            found(elsewhere, "#[cfg(target_arch = \"x86\")] fn arch() {}"),
            0
        );
        assert_eq!(
            found("crates/simd/src/isa/avx2.rs", "use core::arch::x86_64::*;"),
            0
        );
        assert_eq!(found("ct/src/memcheck.rs", "use core::arch::asm;"), 0);
    }

    #[test]
    fn masks_come_from_their_type_where_that_is_law() {
        let found = |path, text| {
            let findings = check(&[], &[source(path, text)]);
            findings
                .iter()
                .filter(|found| found.contains("looks like a mask"))
                .count()
        };
        let law = "crates/fn-dsa/src/keygen/gcd.rs";
        assert_eq!(found(law, "fn f(x: i64) -> i64 { x >> 62 }"), 0);
        assert_eq!(found(law, "fn f(x: i64) -> i64 { x >> 63 }"), 1);
        assert_eq!(found(law, "fn f(x: u32) { x.wrapping_neg(); x >> 31; }"), 2);
        assert_eq!(
            found(law, "mod tests { fn f(x: i64) -> i64 { x >> 63 } }"),
            0
        );
        assert_eq!(
            found("crates/simd/src/mask.rs", "fn f(x: i64) { x >> 63; }"),
            0
        );
    }

    #[test]
    fn no_std_is_required_of_libraries() {
        let member = Member {
            name: "lanner-curve".into(),
            dir: "crates/curve".into(),
            ..Member::default()
        };
        let has = |text| {
            let findings = check(
                std::slice::from_ref(&member),
                &[source("crates/curve/src/lib.rs", text)],
            );
            !findings.iter().any(|finding| finding.contains("no_std"))
        };
        assert!(has("//! Text.\n#![no_std]"));
        assert!(!has("// #![no_std]"));
    }

    #[test]
    fn a_lower_module_may_not_name_a_higher_one() {
        let wrong = |text: &str| {
            let files = [source("crates/curve/src/field/inner.rs", text)];
            let findings = check(&[], &files);
            findings
                .iter()
                .filter(|f| f.contains("may not use"))
                .count()
        };
        assert_eq!(
            wrong("use crate::field::A; use super::B; use self::c::D;"),
            0
        );
        assert_eq!(wrong("use crate::edwards::Point;"), 1);
        assert_eq!(wrong("use crate::{bytes, edwards::{A, B}};"), 2);
        assert_eq!(wrong("use super::super::scalar::Scalar;"), 1);
        assert_eq!(wrong("fn f() { crate::tables::lookup() }"), 1);
        assert_eq!(
            wrong("mod deep { use super::super::super::scalar::Scalar; }"),
            1
        );
        assert_eq!(wrong("mod tests { use crate::edwards::Point; }"), 0);
    }

    #[test]
    fn globs_between_modules_are_found() {
        let globs = |text| facts(text, &["field".into()]).expect("is Rust").globs.len();
        assert_eq!(globs("use super::*;"), 1);
        assert_eq!(globs("use crate::{a::B, c::*};"), 1);
        assert_eq!(globs("use core::arch::x86_64::*;"), 0);
        assert_eq!(globs("mod tests { use super::*; }"), 0);
    }
}
