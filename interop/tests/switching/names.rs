//! The tables of the libraries whose names are served: what a row names has to occur in the programs that are compiled on the old
//! library and on Lanner, and must tell the same of both.

use std::collections::BTreeSet;
use std::path::Path;

use crate::page::{PAGE, code, raw_rows, resolved};

/// Names in rows that are no part of those libraries' interfaces, or of which no program can have two versions.
const EXCUSED: &[&str] = &[
    // Features of manifests.
    "getrandom",
    "small_context",
    "no_avx2",
    "div_emu",
    "sqrt_emu",
    // A generator of another crate; the programs have one with a seed.
    "OsRng",
    // The second half of a name.
    "_pem",
    "SHA3_",
    // What Lanner does not have, as these rows say.
    "PRNG",
    "SHAKE256_PRNG",
    "SHAKE256x4",
    "new",
    // Of the standard library.
    "Copy",
    "Option",
    "TryFrom",
];

/// The words of all sources in directories, without what is commented.
fn words(directories: &[&str]) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut words = BTreeSet::new();
    for directory in directories {
        let entries = std::fs::read_dir(root.join(directory)).expect("a directory");
        for entry in entries {
            let path = entry.expect("an entry").path();
            // This file has names in its lists.
            if path.extension().is_none_or(|extension| extension != "rs")
                || path.ends_with("names.rs")
            {
                continue;
            }
            let text = std::fs::read_to_string(path).expect("text");
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            for line in lines {
                let of_line = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.extend(of_line.map(String::from));
            }
        }
    }
    words
}

/// The names of functions, types and modules in a cell's code.
fn names(cell: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for span in code(cell) {
        let mut rest = span;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
            if name.is_empty() {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let called = after.starts_with('(') || after.starts_with("::");
            let of_type = name.len() > 1 && name.starts_with(|c: char| c.is_ascii_uppercase());
            if called || of_type || name.len() == span.len() {
                names.insert(name.to_owned());
            }
            rest = after;
        }
    }
    names
}

/// Asserts that each name in a column, counted from the last one, is a word of the programs.
fn has(heading: &str, from_the_last: usize, directories: &[&str]) {
    let words = words(directories);
    let mut number = 0;
    let mut missing = Vec::new();
    for cells in raw_rows(PAGE, heading).into_iter().map(resolved) {
        let cell = &cells[cells.len() - 1 - from_the_last];
        for name in names(cell) {
            if !words.contains(&name) && !EXCUSED.contains(&&*name) {
                missing.push((name, cell.clone()));
            }
            number += 1;
        }
    }
    assert!(
        missing.is_empty(),
        "{heading}, {directories:?}: {missing:#?}"
    );
    assert!(number > 10, "{heading}: only {number} names");
}

const DROP_IN: &str = "interop/drop-in/program";

#[test]
fn the_programs_have_what_rows_name() {
    let of_two = [
        DROP_IN,
        "compat/tests/program",
        "compat/tests/program/version_2",
    ];
    let of_three = [DROP_IN, "compat/tests/program"];
    for heading in ["## ed25519-dalek, call by call", "## x25519-dalek"] {
        has(heading, 2, &of_two[1..]);
        has(heading, 1, &of_three);
        // Lanner's own as well: its tests have those.
        let own = [
            DROP_IN,
            "interop/tests",
            "interop/tests/switching",
            "crates/ed25519/tests",
            "crates/ed25519/tests/all",
            "crates/x25519/tests",
        ];
        has(heading, 0, &own);
    }
    let of_fn_dsa = [DROP_IN, "interop/tests/fn_dsa"];
    has("## fn-dsa", 1, &of_fn_dsa);
    has(
        "## fn-dsa",
        0,
        &[
            DROP_IN,
            "interop/drop-in/lanner",
            "interop/tests/fn_dsa",
            "crates/fn-dsa/tests",
        ],
    );
}

#[test]
fn names_are_told() {
    let told = names(
        "`SigningKey::from(x)?`, feature `f`, f `sign_each`, `key.to_y(a, b)`, `[u8; 32]`, `M`",
    );
    assert!(
        told.iter()
            .eq(["M", "SigningKey", "from", "sign_each", "to_y"]),
        "{told:?}"
    );
}
