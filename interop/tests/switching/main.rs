//! `docs/migration.md`: every row of its tables of calls of the libraries that have no drop-in names here, both sides of it, beside
//! the old library: the same bytes, and the same verdicts, on what is bad as well.

mod curve;
mod falcon;
mod graviola;
mod names;
mod odd;
mod page;
mod replay;
mod ring;
mod zebra;

/// The tables of the page that are not rows of calls run here, and what holds them.
const ELSEWHERE: &[(&str, &str)] = &[
    // Features: the manifests of `crates/`, and of `compat/` beside the originals; of version 1, `interop/dalek1`.
    (
        "### Features of `lanner-ed25519`",
        "| feature | 1.x | 2.x | 3.x | Lanner |",
    ),
    // Measured by the benchmark.
    (
        "### Builds for size",
        "| `opt-level` | sign | `verify_strict` | X25519 | FN-DSA-512: sign | verify |",
    ),
    // `compat/tests`, one program on the originals and on the packages in their names.
    ("## The whole tree at once", "| | the original | here |"),
    // From version 2 on, the names are the incumbents' own: `interop/drop-in` and `compat/tests` are programs that both sides
    // compile, and the module `names` sees that they have what these rows name. `interop/dalek1` runs the column of version 1.
    (
        "## ed25519-dalek, call by call",
        "| 1.x | 2.x | 3.x | Lanner |",
    ),
    ("## From 1.x and 2.x", "| | 1.x | 2.x | 3.x and Lanner |"),
    ("## x25519-dalek", "| 1.x | 2.x | 3.x | Lanner |"),
    // The module `curve`.
    ("## curve25519-dalek", "| curve25519-dalek 5 | Lanner |"),
    // `interop/tests/fn_dsa`; the names of the second table are looked up as well.
    ("## fn-dsa", "| bytes of | in Lanner |"),
    ("## fn-dsa", "| fn-dsa 0.3 | Lanner |"),
];

/// The tables whose rows are run, each by the test of its library.
const RUN: &[(&str, &str)] = &[
    (
        "### pqcrypto-falcon and liboqs",
        "| pqcrypto-falcon | Lanner, module `falcon` |",
    ),
    ("## ed25519-zebra", "| ed25519-zebra | Lanner |"),
    ("## ring and aws-lc-rs", "| ring, aws-lc-rs | Lanner |"),
    ("## graviola", "| graviola | Lanner |"),
];

/// A table that comes to the page comes to a test as well, or says here why not.
#[test]
fn every_table_has_somebody() {
    let mut known: Vec<_> = RUN.iter().chain(ELSEWHERE).copied().collect();
    let mut there = page::tables(page::PAGE);
    known.sort_unstable();
    there.sort_unstable();
    assert_eq!(there, known);
}

/// The libraries that the first page lists lead to sections that are known here.
#[test]
fn every_library_has_its_section() {
    let page = include_str!("../../../docs/switching.md");
    let (_, rust) = page.split_once("| **Rust** | | |\n").expect("Rust");
    let (rust, _) = rust.split_once("| **").expect("other languages");
    let sections = || RUN.iter().chain(ELSEWHERE).map(|(heading, _)| *heading);
    for row in rust.lines() {
        let (_, link) = row.rsplit_once("| [").expect("a link");
        let (_, anchor) = link.split_once("(migration.md#").expect("the page");
        let anchor = anchor.split(')').next().expect("an end");
        let mut anchors = sections().map(|heading| {
            let words = heading.trim_start_matches('#').trim().to_lowercase();
            words.replace(' ', "-").replace([',', '`'], "")
        });
        assert!(anchors.any(|known| known == anchor), "{row}: {anchor}");
    }
    assert!(rust.lines().count() >= 14);
}

/// That what the tests ask of the page can fail.
#[test]
fn tables_are_read_as_they_are() {
    let page = "\n## a\n\n| x | y |\n|---|---|\n| `f(m)?` and | `g( m,)?`, `h` |\n\n### b\n\n| x | y |\n|---|---|\n| `i` | |\n\n### c\n\n| x | y | z |\n|---|---|---|\n| no | `j` | `\"` |\n| no; soon | `j` | `\"` |\n| `k`, feature `l` | `\"`; also `m` | `\"`: `n` |\n";
    let of = |heading| format!("{:?}", page::rows(page, heading));
    assert_eq!(
        of("## a"),
        r#"[Row { old: ["f(m)?"], new: ["g(m)?", "h"] }]"#
    );
    assert_eq!(of("### b"), r#"[Row { old: ["i"], new: [] }]"#);
    assert_eq!(of("### c"), r#"[Row { old: ["k"], new: ["k", "m", "n"] }]"#);
    assert_eq!(
        page::tables(page),
        [
            ("## a", "| x | y |"),
            ("### b", "| x | y |"),
            ("### c", "| x | y | z |")
        ]
    );
}

#[test]
#[should_panic(expected = "rows of the page that nothing runs")]
fn a_row_that_nothing_runs_is_found() {
    page::Rows::default().are_those_of("## ed25519-zebra");
}
