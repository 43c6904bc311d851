//! Who compiles or runs the programs of the pages, so that none of them rots. Lines of shell that build or measure are not run: what
//! they name is looked up.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// What becomes of the blocks of one language on a page.
#[derive(Clone, Copy)]
enum By {
    /// A test compiles or runs them: a file, and the words with which it reads the page.
    Test(&'static str, &'static str),
    /// Cargo does, as examples of the documentation of the crate whose source this is and which includes the page.
    Doc(&'static str),
    /// Nobody, but what they call of this repository is there ([`Named`]).
    LookedUp,
    /// Nobody, for this reason.
    Nobody(&'static str),
}

use By::{Doc, LookedUp, Nobody, Test};

/// Page, language, and who.
const PROGRAMS: &[(&str, &str, By)] = &[
    ("README.md", "rust", Doc("interop/src/lib.rs")),
    (
        "README.md",
        "python",
        Test(
            "python/tests/test_documents.py",
            r#"(folder / "README.md").read_text() for folder in (ROOT, ROOT / "python")"#,
        ),
    ),
    (
        "README.md",
        "sh",
        Test("cli/tests/cli/documents.rs", r#"page("README.md")"#),
    ),
    (
        "ARCHITECTURE.md",
        "mermaid",
        Nobody("pictures; the book draws them"),
    ),
    ("CONTRIBUTING.md", "sh", LookedUp),
    (
        "RELEASING.md",
        "sh",
        Test("cli/tests/cli/documents.rs", r#"page("RELEASING.md")"#),
    ),
    ("bench/README.md", "sh", LookedUp),
    ("bench/report/README.md", "sh", LookedUp),
    (
        "c/README.md",
        "c",
        Test("xtask/src/c/documents.rs", r#""c/README.md""#),
    ),
    (
        "c/README.md",
        "cmake",
        Test("xtask/src/c/packages.rs", r#"documents::cmake()"#),
    ),
    // Those that compile with what is installed, and those that copy and remove it.
    (
        "c/README.md",
        "sh",
        Test("xtask/src/c/packages.rs", "documents::shell("),
    ),
    ("c/README.md", "sh", LookedUp),
    (
        "cli/README.md",
        "sh",
        Test("cli/tests/cli/documents.rs", r#"page("cli/README.md")"#),
    ),
    (
        "cli/README.md",
        "toml",
        Test("cli/tests/cli/documents.rs", r#"page("cli/README.md")"#),
    ),
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
    ("ct/README.md", "sh", LookedUp),
    ("docs/benchmarks-js.md", "sh", LookedUp),
    (
        "docs/migration-js.md",
        "js",
        Test("js/test/migration.test.mjs", r#"'docs', 'migration-js.md'"#),
    ),
    (
        "docs/migration-c.md",
        "c",
        Test("xtask/src/c/documents.rs", r#""docs/migration-c.md""#),
    ),
    (
        "docs/migration-command.md",
        "sh",
        Test(
            "cli/tests/cli/documents.rs",
            r#"page("docs/migration-command.md")"#,
        ),
    ),
    (
        "docs/migration-python.md",
        "python",
        Test(
            "python/tests/test_migration.py",
            r#""docs" / "migration-python.md""#,
        ),
    ),
    (
        "docs/migration.md",
        "rust",
        Test("crates/lanner/tests/migration.rs", r#""docs/migration.md""#),
    ),
    (
        "docs/migration.md",
        "toml",
        Test("crates/lanner/tests/migration.rs", r#""docs/migration.md""#),
    ),
    ("docs/validation.md", "rust", Doc("interop/src/lib.rs")),
    ("docs/validation.md", "sh", LookedUp),
    ("fuzz/README.md", "sh", LookedUp),
    (
        "integrations/arrow/README.md",
        "rust",
        Doc("integrations/arrow/src/lib.rs"),
    ),
    ("integrations/arrow/README.md", "sh", LookedUp),
    ("integrations/ballista/README.md", "sh", LookedUp),
    (
        "integrations/datafusion/README.md",
        "rust",
        Doc("integrations/datafusion/src/lib.rs"),
    ),
    ("integrations/datafusion/README.md", "sh", LookedUp),
    (
        "integrations/datafusion/README.md",
        "sql",
        Nobody("a pattern; integrations/datafusion/tests/sql.rs runs one of this form"),
    ),
    (
        "integrations/duckdb/README.md",
        "python",
        Test(
            "integrations/duckdb/tests/test_extension.py",
            r#"(FOLDER / "README.md").read_text()"#,
        ),
    ),
    ("integrations/duckdb/README.md", "sh", LookedUp),
    ("integrations/engines/README.md", "sh", LookedUp),
    (
        "integrations/polars/README.md",
        "python",
        Test(
            "integrations/polars/tests/test_expressions.py",
            r#"(FOLDER / "README.md").read_text()"#,
        ),
    ),
    ("integrations/polars/README.md", "sh", LookedUp),
    (
        "js/FN-DSA.md",
        "js",
        Test(
            "js/test/readme.test.mjs",
            r#"const pages = ['README.md', 'FN-DSA.md', 'LOADING.md', 'RISTRETTO.md']"#,
        ),
    ),
    (
        "js/LOADING.md",
        "js",
        Test(
            "js/test/readme.test.mjs",
            r#"const pages = ['README.md', 'FN-DSA.md', 'LOADING.md', 'RISTRETTO.md']"#,
        ),
    ),
    (
        "js/README.md",
        "js",
        Test(
            "js/test/readme.test.mjs",
            r#"const pages = ['README.md', 'FN-DSA.md', 'LOADING.md', 'RISTRETTO.md']"#,
        ),
    ),
    (
        "js/RISTRETTO.md",
        "js",
        Test(
            "js/test/readme.test.mjs",
            r#"const pages = ['README.md', 'FN-DSA.md', 'LOADING.md', 'RISTRETTO.md']"#,
        ),
    ),
    (
        "python/README.md",
        "python",
        Test(
            "python/tests/test_documents.py",
            r#"(folder / "README.md").read_text() for folder in (ROOT, ROOT / "python")"#,
        ),
    ),
    ("python/README.md", "sh", LookedUp),
];

/// Manifests beside a program: one line that names a version, which the releases hold true.
const LINES: &[&str] = &["crates/"];

/// The languages of a page's blocks, with what is in them; empty where a block does not say.
fn blocks(text: &str) -> BTreeMap<String, String> {
    let mut blocks = BTreeMap::<String, String>::new();
    let mut inside = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let name = match &kind {
                    CodeBlockKind::Fenced(language) => language.split([' ', ',']).next(),
                    CodeBlockKind::Indented => None,
                };
                inside = Some(name.unwrap_or_default().to_owned());
                let block = blocks.entry(name.unwrap_or_default().to_owned());
                block.or_default().push('\n');
            }
            Event::Text(part) => {
                if let Some(block) = inside.as_ref().and_then(|name| blocks.get_mut(name)) {
                    block.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => inside = None,
            _ => {}
        }
    }
    blocks
}

/// What lines of shell can name: the files of the repository, and the manifests of its packages by their names.
struct Named<'a> {
    files: &'a BTreeSet<String>,
    manifests: BTreeMap<String, (String, String)>,
    scripts: String,
}

impl<'a> Named<'a> {
    fn of(
        files: &'a BTreeSet<String>,
        read: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Self, String> {
        let mut manifests = BTreeMap::new();
        for file in files.iter().filter(|file| file.ends_with("/Cargo.toml")) {
            let text = read(file)?;
            let lines = text.lines();
            let name = lines
                .filter_map(|line| line.strip_prefix("name = \""))
                .next();
            if let (Some(name), Some(dir)) = (name, file.strip_suffix("/Cargo.toml")) {
                let name = name.trim_end_matches('"').to_owned();
                manifests.insert(name, (dir.to_owned(), text));
            }
        }
        let scripts = read("js/package.json")?;
        Ok(Self {
            files,
            manifests,
            scripts,
        })
    }

    fn has(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./").trim_end_matches('/');
        let below = format!("{path}/");
        let next = self.files.range(path.to_owned()..).next();
        let inside = self.files.range(below.clone()..).next();
        next.is_some_and(|file| file == path) || inside.is_some_and(|file| file.starts_with(&below))
    }

    /// What the lines of a block name and is not there: commands of xtask and their options, packages with their features, tests and
    /// examples, scripts of npm, and paths below what lies in the root.
    fn missing(&self, block: &str) -> Vec<String> {
        let block = block.replace("\\\n", " ");
        let lines = block.lines().map(|line| {
            let comment = if line.starts_with('#') {
                Some(0)
            } else {
                line.find(" #")
            };
            &line[..comment.unwrap_or(line.len())]
        });
        lines
            .flat_map(|line| line.split(" && "))
            .flat_map(|command| self.missing_in(command))
            .collect()
    }

    fn missing_in(&self, command: &str) -> Vec<String> {
        let words: Vec<&str> = command
            .split_whitespace()
            .map(|word| word.trim_matches(['[', ']', '\'']))
            .collect();
        let mut missing = Vec::new();
        let mut look = |is_there: bool, what: &str| {
            if !is_there {
                missing.push(format!("{what}, in `{}`", command.trim()));
            }
        };
        if let ["cargo", "xtask", name, options @ ..] = &words[..] {
            let known = crate::COMMANDS.iter().find(|command| command.name == *name);
            look(known.is_some(), name);
            let help = known.map_or("", |command| command.help);
            let in_help: Vec<&str> = help
                .split(|c: char| c != '-' && !c.is_alphanumeric())
                .collect();
            for option in options.iter().filter(|word| word.starts_with("--")) {
                look(in_help.contains(option), option);
            }
        }
        let after = |option: &str| {
            let at = words.iter().position(|word| *word == option)?;
            words.get(at + 1).copied()
        };
        let of_cargo = words.contains(&"cargo");
        if let Some(package) = after("-p").filter(|_| of_cargo) {
            let manifest = self.manifests.get(package);
            look(manifest.is_some(), package);
            if let Some((dir, text)) = manifest {
                for feature in after("--features")
                    .unwrap_or_default()
                    .split_terminator(',')
                {
                    look(text.contains(&format!("\n{feature} = [")), feature);
                }
                for (option, below) in [("--test", "tests"), ("--example", "examples")] {
                    if let Some(name) = after(option) {
                        let file = format!("{dir}/{below}/{name}");
                        let is_there = self.has(&format!("{file}.rs")) || self.has(&file);
                        look(is_there, name);
                    }
                }
            }
        }
        if let ["npm", "run", name, ..] = &words[..] {
            look(self.scripts.contains(&format!("\"{name}\": \"")), name);
        }
        for word in &words {
            let (first, _) = word
                .trim_start_matches("./")
                .split_once('/')
                .unwrap_or((word.strip_prefix("./").unwrap_or_default(), ""));
            let begins_here = !first.is_empty() && self.has(first);
            look(!begins_here || self.has(word), word);
        }
        missing
    }
}

/// Pages with programs that nobody runs, and rows of the table that hold no longer.
pub(super) fn forgotten(
    files: &BTreeSet<String>,
    read: impl Fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, String> {
    let named = Named::of(files, &read)?;
    let mut findings = Vec::new();
    let mut there = BTreeMap::new();
    for page in super::of_markdown(files) {
        for (language, block) in blocks(&read(page)?) {
            let manifest = language == "toml" && LINES.iter().any(|dir| page.starts_with(dir));
            match language.as_str() {
                "" => findings.push(format!(
                    "{page}: a block does not say what it is; if nothing, `text`"
                )),
                "text" => {}
                _ if manifest => {}
                _ => drop(there.insert((page.clone(), language), block)),
            }
        }
    }
    for (page, language) in there.keys() {
        if !PROGRAMS.iter().any(|(p, l, _)| p == page && l == language) {
            findings.push(format!(
                "{page}: who runs its blocks of {language}? xtask/src/pages/programs.rs does not say"
            ));
        }
    }
    for (page, language, by) in PROGRAMS {
        let Some(block) = there.get(&((*page).to_owned(), (*language).to_owned())) else {
            findings.push(format!("{page} has no block of {language}"));
            continue;
        };
        let (file, reads) = match by {
            Test(file, reads) => (file, read(file)?.contains(reads)),
            Doc(file) => (file, includes(file, &read(file)?, page)),
            LookedUp => {
                let missing = named.missing(block).into_iter();
                findings.extend(missing.map(|what| format!("{page}: there is no {what}")));
                continue;
            }
            Nobody(reason) if reason.len() > 20 => continue,
            Nobody(_) => {
                findings.push(format!(
                    "{page}: why does nobody run its blocks of {language}?"
                ));
                continue;
            }
        };
        if !files.contains(*file) || !reads {
            findings.push(format!("{file} does not run {page}"));
        }
    }
    Ok(findings)
}

/// Whether a source takes a page into its documentation.
fn includes(file: &str, source: &str, page: &str) -> bool {
    let names = source.split("#[doc = include_str!(\"").skip(1);
    names
        .filter_map(|rest| super::resolve(file, rest.split('"').next()?))
        .any(|(path, _)| path == page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told() {
        let text = "```rust,ignore\n```\n\n```sh\nx\n```\n\n```\n```\n\n    indented\n";
        let told = blocks(text);
        assert!(told.keys().eq(["", "rust", "sh"]), "{told:?}");
        assert_eq!(told["sh"].trim(), "x");
    }

    #[test]
    fn what_lines_name_is_looked_up() {
        let files = crate::pages::committed().expect("git lists them");
        let named = Named::of(&files, crate::pages::read).expect("all can be read");
        let right = "# nonsense/here\nX=1 cargo test -p lanner-ed25519 --features batch --test all a   # -p nothing\n\
                     cargo xtask test --only Miri && cargo xtask c\ncargo run -p lanner-arrow \\\n  --example ledger -- --out target/x\n\
                     npm run bench -- --markdown\npip install ./python -r integrations/engines/requirements.txt\n.ci/run\n";
        assert_eq!(named.missing(right), [""; 0]);
        for (line, word) in [
            ("cargo xtask tset", "tset"),
            ("cargo xtask c --smal", "--smal"),
            ("cargo test -p lanner-ed25518", "lanner-ed25518"),
            ("cargo test -p lanner-ed25519 --features bath", "bath"),
            ("cargo test -p lanner-ed25519 --test every", "every"),
            ("cargo run -p lanner-arrow --example ledgers", "ledgers"),
            ("npm run benches", "benches"),
            (
                "python integrations/engines/nobody.py",
                "integrations/engines/nobody.py",
            ),
            (".ci/runs", ".ci/runs"),
            (
                "a && cargo build --manifest-path fuzz/Cargo.lock",
                "fuzz/Cargo.lock",
            ),
        ] {
            assert_eq!(named.missing(line).len(), 1, "{line}");
            assert!(
                named.missing(line)[0].starts_with(&format!("{word}, ")),
                "{line}"
            );
        }
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
                "python/tests/test_documents.py" => text.replace("ROOT", "PLACE"),
                "ct/README.md" => text.replace("-p lanner-ct", "-p lanner-tc"),
                "crates/hash/src/lib.rs" => text.replace("../README.md", "../READ.md"),
                _ => text,
            })
        };
        let found = forgotten(&files, more).expect("all can be read");
        let words = [
            "GOVERNANCE.md: a block does not say",
            "GOVERNANCE.md: who runs its blocks of c?",
            "fuzz/README.md has no block of sh",
            "ct/README.md: there is no lanner-tc, in `cargo test",
            "ct/README.md: there is no lanner-tc, in `LANNER_CT_LONG=1 cargo test",
            "ct/README.md: there is no lanner-tc, in `cargo build",
            "crates/hash/src/lib.rs does not run crates/hash/README.md",
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
