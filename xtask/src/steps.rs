//! Steps as data: a name, what the step needs, what it runs; and the runner with its summary.

use std::time::{Duration, Instant};

use crate::process::{Cmd, Tally};

/// Something that must be on the machine before a step can run.
#[derive(Clone, Debug)]
pub(crate) enum Need {
    /// A compilation target of the default toolchain.
    Target(&'static str),
    /// A toolchain, with components.
    Toolchain(&'static str, &'static [&'static str]),
    /// Something of Debian's: what it is, a shell command that succeeds where it is there, and the
    /// packages that bring it.
    Debian {
        what: &'static str,
        probe: &'static str,
        packages: &'static [&'static str],
    },
}

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Commands in order; the first failure ends the step.
    Run(Vec<Cmd>),
    /// Commands in order that run tests: running none at all is a failure.
    Tests(Vec<Cmd>),
    /// A function of xtask.
    Call(fn() -> Result<(), String>),
}

/// One step of a suite.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) needs: Vec<Need>,
    pub(crate) action: Action,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

struct Record {
    name: String,
    outcome: Outcome,
    tally: Tally,
    time: Duration,
}

impl Need {
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Target(name) => format!("target {name}"),
            Self::Toolchain(name, []) => {
                format!("toolchain {name}")
            }
            Self::Toolchain(name, components) => {
                format!("toolchain {name} with {}", components.join(", "))
            }
            Self::Debian { what, packages, .. } => {
                format!("{what} (Debian: {})", packages.join(", "))
            }
        }
    }

    /// Sees to the need, or says why it cannot be met.
    fn meet(&self, install: bool) -> Result<(), String> {
        if self.is_met() {
            return Ok(());
        }
        let missing = format!("{} is missing", self.describe());
        let fetch = match self {
            Self::Target(name) => Cmd::new("rustup").args(["target", "add", name]),
            Self::Toolchain(name, components) => {
                let mut install = Cmd::new("rustup").args([
                    "toolchain",
                    "install",
                    name,
                    "--profile",
                    "minimal",
                    "--no-self-update",
                ]);
                for component in *components {
                    install = install.args(["--component", component]);
                }
                install
            }
            Self::Debian { packages, .. } => {
                let packages = packages.join(" ");
                let script = format!(
                    "apt-get update -qq && apt-get install -y -qq --no-install-recommends {packages}"
                );
                Cmd::new("sh")
                    .args(["-c", &script])
                    .env("DEBIAN_FRONTEND", "noninteractive")
            }
        };
        // Targets are small and rustup is part of the set-up; whole toolchains wait
        // for the word.
        if !install && !matches!(self, Self::Target(_)) {
            return Err(format!(
                "{missing}; 'cargo xtask test --install' fetches it"
            ));
        }
        fetch
            .run()
            .map_err(|error| format!("{missing}, and installing it failed: {error}"))?;
        if self.is_met() {
            Ok(())
        } else {
            Err(format!("{missing} even after installing it"))
        }
    }

    fn is_met(&self) -> bool {
        match self {
            Self::Target(name) => {
                // Without rustup the compiler itself knows whether it has the target's library.
                let listed = Cmd::new("rustup")
                    .args(["target", "list", "--installed"])
                    .capture();
                match listed {
                    Ok(list) => list.lines().any(|line| line.trim() == *name),
                    Err(_) => Cmd::new("rustc")
                        .args(["--print", "target-libdir", "--target", name])
                        .capture()
                        .is_ok_and(|dir| std::path::Path::new(dir.trim()).is_dir()),
                }
            }
            Self::Debian { probe, .. } => Cmd::new("sh").args(["-c", probe]).capture().is_ok(),
            Self::Toolchain(name, components) => {
                let works = Cmd::new("rustup").args(["run", name, "cargo", "--version"]);
                let list = Cmd::new("rustup").args([
                    "component",
                    "list",
                    "--installed",
                    "--toolchain",
                    name,
                ]);
                works.capture().is_ok()
                    && (components.is_empty()
                        || list.capture().is_ok_and(|list| {
                            components.iter().all(|component| {
                                list.lines().any(|line| line.starts_with(component))
                            })
                        }))
            }
        }
    }
}

impl Step {
    fn run(&self, install: bool) -> (Outcome, Tally) {
        for need in &self.needs {
            if let Err(reason) = need.meet(install) {
                return (Outcome::Skipped(reason), Tally::default());
            }
        }
        let mut tally = Tally::default();
        let result = match &self.action {
            Action::Call(function) => function(),
            Action::Run(commands) | Action::Tests(commands) => commands
                .iter()
                .try_for_each(|command| command.run().map(|part| tally.add(part))),
        };
        let outcome = match (result, &self.action) {
            (Err(reason), _) => Outcome::Failed(reason),
            (Ok(()), Action::Tests(_)) if tally.passed == 0 => {
                Outcome::Failed(String::from("ran no test at all"))
            }
            (Ok(()), _) => Outcome::Passed,
        };
        (outcome, tally)
    }
}

/// Runs the steps in order, all of them also after a failure, and prints the summary.
///
/// # Errors
///
/// At least one step failed, or none ran.
pub(crate) fn run_all(steps: &[Step], install: bool) -> Result<(), String> {
    let begin = Instant::now();
    let mut records = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("\n=== [{}/{}] {}", index + 1, steps.len(), step.name);
        let start = Instant::now();
        let (outcome, tally) = step.run(install);
        let time = start.elapsed();
        match &outcome {
            Outcome::Passed => println!("--- passed in {}", seconds(time)),
            Outcome::Failed(reason) => println!("--- FAILED after {}: {reason}", seconds(time)),
            Outcome::Skipped(reason) => println!("--- SKIPPED: {reason}"),
        }
        records.push(Record {
            name: step.name.clone(),
            outcome,
            tally,
            time,
        });
    }
    let (text, failed) = summary(&records, begin.elapsed());
    println!("{text}");
    if failed > 0 {
        // The summary has said it all, and its last line stays the last.
        Err(String::new())
    } else if records.iter().all(|r| r.outcome != Outcome::Passed) {
        Err(String::from("no step ran"))
    } else {
        Ok(())
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// The table of all steps, what tests left out, and the closing line.
fn summary(records: &[Record], total: Duration) -> (String, usize) {
    let width = records.iter().map(|r| r.name.len()).max().unwrap_or(0);
    let mut text = format!("\n=== summary, {}\n", seconds(total));
    let mut all = Tally::default();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for record in records {
        let (word, note) = match &record.outcome {
            Outcome::Passed => {
                passed += 1;
                let tests = match &record.tally {
                    tally if tally.passed == 0 => String::new(),
                    tally if tally.ignored == 0 => format!("{} tests", tally.passed),
                    tally => format!("{} tests, {} ignored", tally.passed, tally.ignored),
                };
                ("passed", tests)
            }
            Outcome::Failed(reason) => {
                failed += 1;
                (
                    "FAILED",
                    reason.lines().next().unwrap_or_default().to_owned(),
                )
            }
            Outcome::Skipped(reason) => {
                skipped += 1;
                (
                    "SKIPPED",
                    reason.lines().next().unwrap_or_default().to_owned(),
                )
            }
        };
        let line = format!(
            "{word:<8} {:<width$} {:>9}  {note}",
            record.name,
            seconds(record.time)
        );
        text.push_str(line.trim_end());
        text.push('\n');
        all.add(record.tally.clone());
    }
    for skip in &all.skips {
        text.push_str(&format!("within the tests, {skip}\n"));
    }
    text.push_str(&format!(
        "{passed} passed, {failed} failed, {skipped} skipped"
    ));
    (text, failed)
}

#[cfg(test)]
mod tests {
    use super::{Action, Need, Outcome, Record, Step, Tally, run_all, summary};
    use crate::process::Cmd;
    use std::time::Duration;

    fn step(name: &str, action: Action) -> Step {
        Step {
            name: name.to_owned(),
            needs: Vec::new(),
            action,
        }
    }

    #[test]
    fn a_failure_does_not_hide_what_follows_and_fails_the_run() {
        let bad = step("bad", Action::Run(vec![Cmd::new("false")]));
        let good = step("good", Action::Run(vec![Cmd::new("true")]));
        assert!(run_all(&[bad, good.clone()], false).is_err());
        assert!(run_all(&[good], false).is_ok());
        assert!(run_all(&[], false).is_err());
    }

    #[test]
    fn a_test_step_without_tests_fails() {
        let (outcome, _) = step("none", Action::Tests(vec![Cmd::new("true")])).run(false);
        assert!(matches!(outcome, Outcome::Failed(_)));
        let one = Cmd::new("echo").args(["test result: ok. 1 passed; 0 failed;"]);
        let (outcome, _) = step("one", Action::Tests(vec![one])).run(false);
        assert_eq!(outcome, Outcome::Passed);
    }

    #[test]
    fn a_missing_need_is_a_skip_with_its_reason() {
        let mut missing = step("missing", Action::Run(vec![Cmd::new("true")]));
        missing.needs = vec![Need::Toolchain("no-such-toolchain", &[])];
        let (outcome, _) = missing.run(false);
        assert!(
            matches!(outcome, Outcome::Skipped(reason) if reason.contains("no-such-toolchain"))
        );
    }

    #[test]
    fn the_summary_counts_and_repeats_skips() {
        let record = |outcome, skips: &[&str]| Record {
            name: String::from("x"),
            outcome,
            tally: Tally {
                skips: skips.iter().map(|s| String::from(*s)).collect(),
                ..Tally::default()
            },
            time: Duration::ZERO,
        };
        let (text, failed) = summary(
            &[
                record(Outcome::Passed, &["SKIPPED: no data"]),
                record(Outcome::Failed("f".into()), &[]),
                record(Outcome::Skipped("s".into()), &[]),
            ],
            Duration::ZERO,
        );
        assert_eq!(failed, 1);
        assert!(text.contains("SKIPPED: no data"));
        assert!(text.ends_with("1 passed, 1 failed, 1 skipped"));
    }
}
