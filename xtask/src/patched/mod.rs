//! `cargo xtask patched`: published programs and libraries, built from their packages with and without Lanner in the
//! place of the dalek libraries: whether the same of their own tests pass, and what it does for their speed.

mod outcome;
mod programs;
mod report;
mod sources;
mod speed;
mod suites;

use crate::files;
use crate::process::{root, target_dir};
use crate::steps::{Action, Step};
use outcome::Outcome;
use programs::{PROGRAMS, Program};

/// What `cargo xtask patched --help` says.
pub(crate) const HELP: &str = "\
  patched [CRATE]... [--again] [--report] [--list]
                  real programs on the dalek libraries, from the registry, with and without Lanner patched in:
                  their own tests, and the time of one operation; what is known from an earlier run is kept
                    --again      measure anew
                    --report     write docs/patched.md from what is known
                    --list       print the names
";

/// Runs the command.
///
/// # Errors
///
/// An option or a name is unknown, or with the patch a test fails that passes without it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (mut again, mut report, mut names) = (false, false, Vec::new());
    for arg in args {
        match arg.as_str() {
            "--again" => again = true,
            "--report" => report = true,
            "--list" => {
                PROGRAMS
                    .iter()
                    .for_each(|program| println!("{}", program.name));
                return Ok(());
            }
            option if option.starts_with('-') => {
                return Err(format!("patched: unknown option '{option}'"));
            }
            name => names.push(find(name)?),
        }
    }
    if report && names.is_empty() {
        return write_report();
    }
    if names.is_empty() {
        names.extend(PROGRAMS);
    }
    let mut outcomes = Vec::new();
    let mut failures = Vec::new();
    for program in names {
        match outcome(program, again) {
            Ok(outcome) => outcomes.push(outcome),
            Err(error) => failures.push(format!("{}: {error}", program.name)),
        }
    }
    print!("{}", report::table(&outcomes));
    for outcome in &outcomes {
        failures.extend(
            outcome
                .lost()
                .map(|test| format!("{}: {test}", outcome.name)),
        );
    }
    if report {
        write_report()?;
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!("with the patch:\n{}", failures.join("\n")))
    }
}

/// One step for each program.
pub(crate) fn steps() -> Vec<Step> {
    PROGRAMS
        .iter()
        .map(|program| {
            Step::new(
                format!("compat: {} {} on Lanner", program.name, program.version),
                &[],
                Action::call(|| run(&[String::from(program.name)])),
            )
        })
        .collect()
}

fn find(name: &str) -> Result<&'static Program, String> {
    PROGRAMS
        .iter()
        .find(|program| program.name == name)
        .ok_or_else(|| format!("patched: no program is called '{name}'; --list shows them"))
}

/// What is known of a program, or found out.
fn outcome(program: &Program, again: bool) -> Result<Outcome, String> {
    let known = Outcome::path(program.name);
    if let (Ok(text), false) = (files::read(&known), again) {
        match serde_json::from_str::<Outcome>(&text) {
            Ok(outcome) if outcome.version == program.version => return Ok(outcome),
            _ => println!("{}: what is known is of another version", program.name),
        }
    }
    let source = sources::fetch(program)?;
    let tests = suites::both(program, &source)?;
    let nanoseconds = speed::both(program)?;
    let outcome = Outcome {
        name: program.name.to_owned(),
        version: program.version.to_owned(),
        tests,
        nanoseconds,
    };
    let text = serde_json::to_string_pretty(&outcome).map_err(|error| error.to_string())?;
    files::make(&directory().join("outcomes"))?;
    files::write(&known, text)?;
    Ok(outcome)
}

fn write_report() -> Result<(), String> {
    let known: Vec<Outcome> = PROGRAMS
        .iter()
        .filter_map(|program| files::read(&Outcome::path(program.name)).ok())
        .filter_map(|text| serde_json::from_str(&text).ok())
        .collect();
    let path = root().join("docs/patched.md");
    let before = files::read(&path)?;
    files::write(&path, report::page(&known, &before))
}

/// Where all of this is built.
fn directory() -> std::path::PathBuf {
    target_dir().join("patched")
}

/// The file that patches the whole family in, for `--config`.
fn configuration() -> Result<String, String> {
    let path = directory().join("patch.toml");
    files::make(&directory())?;
    files::write(&path, crate::compat::stanza())?;
    Ok(files::text(&path))
}
