//! The table.

use super::outcome::Outcome;
use super::programs::PROGRAMS;

/// A table of outcomes, in Markdown.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    let mut table = String::from(
        "| package | its tests: without | with | the operation | without | with | times as fast |\n\
         |---|---:|---:|---|---:|---:|---:|\n",
    );
    for outcome in outcomes {
        let operation = PROGRAMS
            .iter()
            .find(|program| program.name == outcome.name)
            .and_then(|program| program.operation.as_ref());
        let speed = match (operation, outcome.nanoseconds, outcome.factor()) {
            (Some(operation), Some([before, after]), Some(factor)) => format!(
                "{} | {} | {} | {factor:.2}",
                operation.what,
                time(before),
                time(after)
            ),
            _ => String::from("– | – | – | –"),
        };
        table.push_str(&format!(
            "| {} {} | {} | {} | {speed} |\n",
            outcome.name,
            outcome.version,
            count(&outcome.before.passed, &outcome.before.failed),
            count(&outcome.after.passed, &outcome.after.failed),
        ));
    }
    table
}

/// How many passed, and how many not.
fn count<T>(
    passed: &std::collections::BTreeSet<T>,
    failed: &std::collections::BTreeSet<T>,
) -> String {
    match failed.len() {
        0 => passed.len().to_string(),
        failed => format!("{} ({failed} fail)", passed.len()),
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

/// The page `docs/patched.md`.
pub(super) fn page(outcomes: &[Outcome]) -> String {
    format!(
        "# Real programs on Lanner

Published packages that use the dalek libraries, built from the registry twice: as they are, and with Lanner patched in
for the whole family by the stanza of [migration.md](migration.md). Nothing of them was changed. Their own tests, those that
the packages bring, were run both ways; an operation that matters to their users was timed both ways, in turns, and
the faster of the runs counts.

The table is written by `cargo xtask patched --report`, which reproduces it; `cargo xtask patched NAME` runs one of them. Times are those of the machine that wrote the page, where other work may have run
beside; both ways were timed under the same conditions.

{}
Tests that fail without the patch are not Lanner's; where a number with the patch is the same, the same tests pass and the same
ones fail.
",
        table(outcomes)
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::table;
    use crate::patched::outcome::{Outcome, Tests};

    #[test]
    fn lost_tests_and_factors_are_told() {
        let tests = |names: &[&str]| Tests {
            passed: names.iter().map(|name| String::from(*name)).collect(),
            failed: BTreeSet::new(),
        };
        let outcome = Outcome {
            name: String::from("age"),
            version: String::from("1.0.0"),
            before: tests(&["a", "b"]),
            after: tests(&["b", "c"]),
            nanoseconds: Some([3_000_000, 1500]),
        };
        assert_eq!(outcome.lost().collect::<Vec<_>>(), ["a"]);
        let row = table(&[outcome]);
        assert!(row.contains("| 3.00 ms | 1.5 µs | 2000.00 |"), "{row}");
    }
}
