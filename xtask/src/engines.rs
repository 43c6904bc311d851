//! DataFusion: the workspace `integrations/datafusion` in the test run.

use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};

const MANIFEST: &str = "integrations/datafusion/Cargo.toml";

/// Cargo in that workspace, whose engine takes long to compile and so has one target directory for all steps.
fn cargo(verb: &str, more: &[&str]) -> Cmd {
    Cmd::cargo([verb, "--locked", "--manifest-path", MANIFEST])
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
            Action::Tests(vec![
                cargo("test", &["--lib", "--test", "sql"]),
                cargo("test", &["--doc"]),
            ]),
        ),
        Step::new(
            "DataFusion: format and clippy",
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
