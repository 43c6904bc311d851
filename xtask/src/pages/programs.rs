//! Who compiles or runs the programs of the pages, so that none of them rots.

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// What becomes of the blocks of one language on a page.
#[derive(Clone, Copy)]
enum By {
    /// A test compiles or runs them: a file that names the page.
    Test(&'static str),
    /// Cargo does, as examples of the documentation of the crate whose source this is.
    Doc(&'static str),
    /// Nobody, for this reason.
    Nobody(&'static str),
}

use By::{Doc, Nobody, Test};

const COMMANDS: &str = "commands of this repository, which the tests of xtask look up";
const TOOL: &str = "how a tool is installed and called; a step of the tests calls it likewise";

/// Page, language, and who.
const PROGRAMS: &[(&str, &str, By)] = &[
    ("README.md", "rust", Doc("interop/src/lib.rs")),
    (
        "README.md",
        "python",
        Test("python/tests/test_documents.py"),
    ),
    ("README.md", "sh", Test("cli/tests/cli/documents.rs")),
    (
        "ARCHITECTURE.md",
        "mermaid",
        Nobody("pictures; the book draws them"),
    ),
    ("CONTRIBUTING.md", "sh", Nobody(COMMANDS)),
    ("RELEASING.md", "sh", Test("cli/tests/cli/documents.rs")),
    ("bench/README.md", "sh", Nobody(COMMANDS)),
    ("bench/report/README.md", "sh", Nobody(COMMANDS)),
    ("c/README.md", "c", Test("xtask/src/c/documents.rs")),
    ("c/README.md", "cmake", Test("xtask/src/c/packages.rs")),
    ("c/README.md", "sh", Nobody(COMMANDS)),
    ("cli/README.md", "sh", Test("cli/tests/cli/documents.rs")),
    ("cli/README.md", "toml", Test("cli/tests/cli/documents.rs")),
    (
        "cli/README.md",
        "yaml",
        Nobody("a job of GitHub; cli/tests/cli/action.rs runs what it runs"),
    ),
    (
        "crates/curve/README.md",
        "rust",
        Doc("crates/curve/src/lib.rs"),
    ),
    (
        "crates/ed25519/README.md",
        "rust",
        Doc("crates/ed25519/src/lib.rs"),
    ),
    (
        "crates/fn-dsa/README.md",
        "rust",
        Doc("crates/fn-dsa/src/lib.rs"),
    ),
    (
        "crates/hash/README.md",
        "rust",
        Doc("crates/hash/src/lib.rs"),
    ),
    (
        "crates/hybrid/README.md",
        "rust",
        Doc("crates/hybrid/src/lib.rs"),
    ),
    (
        "crates/lanner/README.md",
        "rust",
        Doc("crates/lanner/src/lib.rs"),
    ),
    (
        "crates/simd/README.md",
        "rust",
        Doc("crates/simd/src/lib.rs"),
    ),
    (
        "crates/x25519/README.md",
        "rust",
        Doc("crates/x25519/src/lib.rs"),
    ),
    ("ct/README.md", "sh", Nobody(COMMANDS)),
    ("docs/benchmarks-js.md", "sh", Nobody(COMMANDS)),
    (
        "docs/migration-js.md",
        "js",
        Test("js/test/migration.test.mjs"),
    ),
    ("docs/migration-c.md", "c", Test("xtask/src/c/documents.rs")),
    (
        "docs/migration-command.md",
        "sh",
        Test("cli/tests/cli/documents.rs"),
    ),
    (
        "docs/migration-python.md",
        "python",
        Test("python/tests/test_migration.py"),
    ),
    (
        "docs/migration.md",
        "rust",
        Test("crates/lanner/tests/migration.rs"),
    ),
    (
        "docs/migration.md",
        "toml",
        Test("crates/lanner/tests/migration.rs"),
    ),
    ("docs/validation.md", "rust", Doc("interop/src/lib.rs")),
    ("docs/validation.md", "sh", Nobody(COMMANDS)),
    (
        "fuzz/README.md",
        "sh",
        Nobody("needs a nightly compiler, and goes on until it is stopped"),
    ),
    (
        "integrations/arrow/README.md",
        "rust",
        Doc("integrations/arrow/src/lib.rs"),
    ),
    ("integrations/arrow/README.md", "sh", Nobody(COMMANDS)),
    ("integrations/ballista/README.md", "sh", Nobody(TOOL)),
    (
        "integrations/datafusion/README.md",
        "rust",
        Doc("integrations/datafusion/src/lib.rs"),
    ),
    ("integrations/datafusion/README.md", "sh", Nobody(COMMANDS)),
    (
        "integrations/datafusion/README.md",
        "sql",
        Nobody("a pattern; integrations/datafusion/tests/sql.rs runs one of this form"),
    ),
    (
        "integrations/duckdb/README.md",
        "python",
        Test("integrations/duckdb/tests/test_extension.py"),
    ),
    ("integrations/duckdb/README.md", "sh", Nobody(TOOL)),
    ("integrations/engines/README.md", "sh", Nobody(TOOL)),
    (
        "integrations/polars/README.md",
        "python",
        Test("integrations/polars/tests/test_expressions.py"),
    ),
    ("integrations/polars/README.md", "sh", Nobody(TOOL)),
    ("js/FN-DSA.md", "js", Test("js/test/readme.test.mjs")),
    ("js/LOADING.md", "js", Test("js/test/readme.test.mjs")),
    ("js/README.md", "js", Test("js/test/readme.test.mjs")),
    ("js/RISTRETTO.md", "js", Test("js/test/readme.test.mjs")),
    (
        "python/README.md",
        "python",
        Test("python/tests/test_documents.py"),
    ),
    ("python/README.md", "sh", Nobody(TOOL)),
];

/// Manifests beside a program: one line that names a version, which the releases hold true.
const LINES: &[&str] = &["crates/"];

/// The languages of a page's blocks; empty where a block does not say.
fn languages(text: &str) -> BTreeSet<String> {
    Parser::new(text)
        .filter_map(|event| match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                let name = language.split([' ', ',']).next().unwrap_or_default();
                Some(name.to_owned())
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => Some(String::new()),
            _ => None,
        })
        .collect()
}

/// Pages with programs that nobody runs, and rows of the table that hold no longer.
pub(super) fn forgotten(
    files: &BTreeSet<String>,
    read: impl Fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, String> {
    let mut findings = Vec::new();
    let mut there = BTreeSet::new();
    for page in super::of_markdown(files) {
        for language in languages(&read(page)?) {
            let manifest = language == "toml" && LINES.iter().any(|dir| page.starts_with(dir));
            match language.as_str() {
                "" => findings.push(format!(
                    "{page}: a block does not say what it is; if nothing, `text`"
                )),
                "text" => {}
                _ if manifest => {}
                _ => drop(there.insert((page.clone(), language))),
            }
        }
    }
    for (page, language) in &there {
        if !PROGRAMS.iter().any(|(p, l, _)| p == page && l == language) {
            findings.push(format!(
                "{page}: who runs its blocks of {language}? xtask/src/pages/programs.rs does not say"
            ));
        }
    }
    for (page, language, by) in PROGRAMS {
        if !there.contains(&((*page).to_owned(), (*language).to_owned())) {
            findings.push(format!("{page} has no block of {language}"));
        }
        let test = match by {
            Test(test) | Doc(test) => test,
            Nobody(reason) if reason.len() > 20 => continue,
            Nobody(_) => {
                findings.push(format!(
                    "{page}: why does nobody run its blocks of {language}?"
                ));
                continue;
            }
        };
        let name = page.rsplit('/').next().unwrap_or(page);
        if !files.contains(*test) || !read(test)?.contains(name) {
            findings.push(format!("{test} does not run {page}"));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told() {
        let text = "```rust,ignore\n```\n\n```sh\nx\n```\n\n```\n```\n\n    indented\n";
        let told: Vec<String> = languages(text).into_iter().collect();
        assert_eq!(told, ["", "rust", "sh"]);
    }

    #[test]
    fn what_nobody_runs_is_found() {
        let files = crate::pages::committed().expect("git lists them");
        assert_eq!(forgotten(&files, crate::pages::read), Ok(Vec::new()));
        let more = |name: &str| {
            let text = crate::pages::read(name)?;
            Ok(match name {
                "GOVERNANCE.md" => text + "\n```c\nint x;\n```\n\n```\nwhat?\n```\n",
                "fuzz/README.md" => text.replace("```sh", "```text"),
                "python/tests/test_documents.py" => text.replace("README.md", "PAGE"),
                _ => text,
            })
        };
        let found = forgotten(&files, more).expect("all can be read");
        let words = [
            "GOVERNANCE.md: a block does not say",
            "GOVERNANCE.md: who runs its blocks of c?",
            "fuzz/README.md has no block of sh",
            "test_documents.py does not run README.md",
            "test_documents.py does not run python/README.md",
        ];
        for word in words {
            let is_there = found.iter().any(|finding| finding.contains(word));
            assert!(is_there, "{word}: {found:?}");
        }
        assert_eq!(found.len(), words.len(), "{found:?}");
    }

    /// Every command that the pages name is one of xtask's.
    #[test]
    fn commands_of_the_pages_are_there() {
        let mut number = 0;
        for page in crate::pages::of_markdown(&crate::pages::committed().expect("git lists them")) {
            let text = crate::pages::read(page).expect("it is there");
            for (at, start) in text.match_indices("cargo xtask ") {
                let rest = &text[at + start.len()..];
                let name = rest
                    .split(|c: char| !c.is_alphanumeric() && c != '-')
                    .next();
                let name = name.unwrap_or_default();
                // In prose a line may end behind it, or a sign stand for any command.
                if name.is_empty() {
                    continue;
                }
                let known = crate::COMMANDS.iter().any(|command| command.name == name);
                assert!(known || name == "help", "{page}: cargo xtask {name}");
                number += 1;
            }
        }
        assert!(number > 150, "{number} commands");
    }
}
