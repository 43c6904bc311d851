//! The table.

use super::outcome::{Outcome, Tests};
use super::programs::{Missing, PROGRAMS, Program};

/// A table of outcomes, in Markdown.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    with_head(outcomes.iter().map(row))
}

fn with_head(rows: impl Iterator<Item = String>) -> String {
    let head = "| package | its tests: without | with | the operation | without | with | times as fast |\n\
                |---|---:|---:|---|---:|---:|---:|\n";
    core::iter::once(head.to_owned()).chain(rows).collect()
}

fn row(outcome: &Outcome) -> String {
    let program = PROGRAMS.iter().find(|program| program.name == outcome.name);
    let operation = program.and_then(|program| program.operation.as_ref());
    let why = match program.and_then(|program| program.missing.as_ref()) {
        Some(Missing::Fork(name)) => format!("need a fork of {name}"),
        Some(Missing::File(_)) | None => String::from("not in its package"),
    };
    let speed = match (operation, outcome.nanoseconds, outcome.factor()) {
        (Some(operation), Some([before, after]), Some(factor)) => format!(
            "{} | {} | {} | {factor:.2}",
            operation.what,
            time(before),
            time(after)
        ),
        _ => String::from("– | – | – | –"),
    };
    let [before, after] = match &outcome.tests {
        Some(runs) => runs.each_ref().map(count),
        None => [why, String::from("–")],
    };
    format!(
        "| {} {} | {} | {} | {speed} |\n",
        outcome.name, outcome.version, before, after,
    )
}

/// One row for each program, in their order: of what is known, else the row that the page has of this version.
fn rows(programs: &[Program], outcomes: &[Outcome], page: &str) -> Vec<String> {
    programs
        .iter()
        .filter_map(|program| {
            let known = outcomes
                .iter()
                .find(|known| known.name == program.name && known.version == program.version);
            let start = format!("| {} {} |", program.name, program.version);
            let kept = || page.lines().find(|line| line.starts_with(&start));
            known.map(row).or_else(|| Some(format!("{}\n", kept()?)))
        })
        .collect()
}

/// How many passed, and how many not.
fn count(tests: &Tests) -> String {
    match (tests.passed.len(), tests.failed.len()) {
        (passed, 0) => passed.to_string(),
        (passed, failed) => format!("{passed} ({failed} fail)"),
    }
}

/// A time, in microseconds or milliseconds.
fn time(nanoseconds: u64) -> String {
    let microseconds = nanoseconds as f64 / 1e3;
    if microseconds < 1000.0 {
        format!("{microseconds:.1} µs")
    } else {
        format!("{:.2} ms", microseconds / 1e3)
    }
}

/// The page `docs/patched.md`, with what is known, and what the page as it stands has of other programs.
pub(super) fn page(outcomes: &[Outcome], before: &str) -> String {
    format!(
        "# Real programs on Lanner

Published packages that use the dalek libraries, built from the registry twice: as they are, and with Lanner patched in
for the whole family by the stanza of [migration.md](migration.md). Nothing of their code was changed. Their own tests, those that
the packages bring, were run both ways; an operation that matters to their users was timed both ways, in turns, and
the fastest counts.

`cargo xtask patched` runs them all, `cargo xtask patched NAME` one of them, and `--report` writes the table; a row
that was not measured anew stays. Other work ran on the machine beside, so that only the last column means anything: both
ways were timed under the same conditions. Rows are of several days and machines.

{}
Tests that fail without the patch are not Lanner's; where a number with the patch is the same, the same tests pass and the same
ones fail. A test that a package does not bring along, or that needs the network, was not run. opaque-ke's package comes without
the module that its unit tests need (`src/tests`); vodozemac's need a revision of olm-rs that is not on the registry.
boringtun's tests of a device need docker; cargo leaves them out unless they are asked for. One of russh's wants OpenSSH's server.

The gain is that of the whole operation, of which arithmetic on the curve is a part. Where it is most of it (handshakes,
signatures, proofs), the gain is that of the arithmetic; hashes, ciphers, parsers and what else a program does stay what they
were. schnorrkel's verification is one sum of two multiples, which has no lanes to fill, beside a transcript of Keccak;
Frost's rounds are hashes, encodings and decodings beside few multiples.

Many of these take the dalek libraries without default features, and so without tables; there Lanner's packages have them
nevertheless ([why](migration.md#the-whole-tree-at-once)). ssh-key is the example: without tables the same operation was 1.06 times
as fast, with them 4.0 times (`compat/programs/ssh-key.rs`, three builds in turns, five runs each: 107.0, 101.9 and 26.7 µs).
",
        with_head(rows(PROGRAMS, outcomes, before).into_iter())
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{rows, table};
    use crate::patched::outcome::{Outcome, Tests};
    use crate::patched::programs::PROGRAMS;

    fn outcome(name: &str, version: &str) -> Outcome {
        let tests = |names: &[&str]| Tests {
            passed: names.iter().map(|name| String::from(*name)).collect(),
            failed: BTreeSet::new(),
        };
        Outcome {
            name: String::from(name),
            version: String::from(version),
            tests: Some([tests(&["a", "b"]), tests(&["b", "c"])]),
            nanoseconds: Some([3_000_000, 1500]),
        }
    }

    #[test]
    fn lost_tests_and_factors_are_told() {
        let outcome = outcome("age", "1.0.0");
        assert_eq!(outcome.lost().collect::<Vec<_>>(), ["a"]);
        let row = table(&[outcome]);
        assert!(row.contains("| 3.00 ms | 1.5 µs | 2000.00 |"), "{row}");
    }

    #[test]
    fn tests_that_cannot_be_built_are_told_and_the_time_is_there() {
        for (name, told) in [
            (
                "opaque-ke",
                "not in its package | – | a login, both sides | 3.00 ms |",
            ),
            (
                "vodozemac",
                "need a fork of olm-rs | – | a session of Olm and its first message | 3.00 ms |",
            ),
        ] {
            let mut outcome = outcome(name, "1.0.0");
            outcome.tests = None;
            assert_eq!(outcome.lost().count(), 0);
            let row = table(&[outcome]);
            assert!(row.contains(&format!("| {name} 1.0.0 | {told}")), "{row}");
        }
    }

    #[test]
    fn rows_that_were_not_measured_anew_stay() {
        let [first, second, third, ..] = PROGRAMS else {
            panic!("three programs");
        };
        let old = |name: &str, version: &str| format!("| {name} {version} | 1 | 1 | old |\n");
        let page = [
            old(first.name, first.version),
            old(second.name, second.version),
            old(third.name, "0.0.0"),
        ]
        .concat();
        let known = [outcome(first.name, first.version)];
        let rows = rows(&PROGRAMS[..3], &known, &page);
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("3.00 ms"), "{rows:?}");
        assert_eq!(rows[1], old(second.name, second.version));
    }
}
