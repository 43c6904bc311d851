//! DataFusion and Ballista: the workspaces `integrations/datafusion` and `integrations/ballista` in the test run.

use crate::process::{Cmd, target_dir};
use crate::steps::{Action, Step};

/// Cargo in one of these workspaces. Engines take long to compile: each has one target directory for all of its steps.
fn cargo(engine: &str, verb: &str, more: &[&str]) -> Cmd {
    Cmd::cargo([verb, "--locked", "--manifest-path", &manifest(engine)])
        .args(more.iter().copied())
        .env(
            "CARGO_TARGET_DIR",
            &target_dir().join(engine).display().to_string(),
        )
}

fn manifest(engine: &str) -> String {
    format!("integrations/{engine}/Cargo.toml")
}

/// Format and clippy of one of these workspaces.
fn style(name: &str, engine: &str) -> Step {
    let clippy = ["--quiet", "--all-targets", "--", "-D", "warnings"];
    Step::new(
        format!("{name}: format and clippy"),
        &[],
        Action::Run(vec![
            Cmd::cargo(["fmt", "--check", "--manifest-path", &manifest(engine)]),
            cargo(engine, "clippy", &clippy),
        ]),
    )
}

/// The steps, in order.
pub(crate) fn steps() -> Vec<Step> {
    vec![
        Step::new(
            "DataFusion: the functions in SQL, over a folder of Parquet",
            &[],
            Action::Tests(vec![
                cargo("datafusion", "test", &["--lib", "--test", "sql"]),
                cargo("datafusion", "test", &["--doc"]),
            ]),
        ),
        style("DataFusion", "datafusion"),
        Step::new(
            "Ballista: a scheduler and two executors verify a data set",
            &[],
            Action::Tests(vec![
                cargo("ballista", "test", &["--test", "cluster"]),
                cargo("ballista", "test", &["--doc"]),
            ]),
        ),
        style("Ballista", "ballista"),
    ]
}
