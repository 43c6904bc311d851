//! DataFusion and Ballista: the workspace `integrations/datafusion` in the test run.

use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};

const MANIFEST: &str = "integrations/datafusion/Cargo.toml";

/// Cargo in that workspace, whose engine takes long to compile: all steps have one target directory, and all members' features
/// on, so that it is compiled once.
fn cargo(verb: &str, more: &[&str]) -> Cmd {
    Cmd::cargo([verb, "--locked", "--workspace", "--manifest-path", MANIFEST])
        .args(more.iter().copied())
        .env(
            "CARGO_TARGET_DIR",
            &target_dir().join("datafusion").display().to_string(),
        )
}

/// The steps, in order.
pub(crate) fn steps() -> Vec<Step> {
    vec![
        Step::new(
            "DataFusion: the functions in SQL, over a folder of Parquet",
            &[],
            Action::Tests(vec![cargo("test", &["--test", "sql"])]),
        ),
        Step::new(
            "Ballista: a scheduler and two executors verify a data set",
            &[],
            // One after the other, or a port that one test has found free is another's when it is bound.
            Action::Tests(vec![cargo(
                "test",
                &["--test", "cluster", "--", "--test-threads=1"],
            )]),
        ),
        Step::new(
            "DataFusion and Ballista: their units, and what the documents show",
            &[],
            Action::Tests(vec![cargo("test", &["--lib"]), cargo("test", &["--doc"])]),
        ),
        Step::new(
            "DataFusion and Ballista: format and clippy",
            &[],
            Action::Run(vec![
                Cmd::cargo(["fmt", "--all", "--check", "--manifest-path", MANIFEST]),
                cargo(
                    "clippy",
                    &["--quiet", "--all-targets", "--", "-D", "warnings"],
                ),
            ]),
        ),
    ]
}
