//! `cargo xtask test`: the steps in three tiers; `quick`, the loop of work; `c-test`, the steps of C alone.
//!
//! A new language face or a new backend adds its steps to the tier where they belong, nowhere else.

mod full;
mod thorough;

use std::path::PathBuf;

use crate::around::packages;
use crate::layers::{self, law::LIBRARIES};
use crate::needs::Need;
use crate::process::{Cmd, root};
use crate::steps::{Action, Selection, Step};
use crate::{book, c, engines, pages, tables};
use full::{first, full};
use thorough::thorough;

/// What `cargo xtask test --help` says.
pub(crate) const TEST_HELP: &str = "\
  test [--full | --all] [--install] [--no-skips] [--list] [--only TEXT] [--from TEXT]
                  the libraries, the facade and the command on this machine, the curve's with all features,
                  the others with those that they have by default; the laws of the house; the generated
                  tables
                    --full       instead, what a change must pass beyond that: all features and none, the
                                 oldest compiler, no_std, other libraries, C, Node, constant time, and
                                 a quick look at some other processors
                    --all        everything, with Miri, sanitizers, browsers, emulators and long runs
                    --install    fetch what is missing: toolchains by rustup (targets always are), packages
                                 by apt-get
                    --no-skips   a step for which something is missing that could be fetched has failed
                    --list       print the steps and what they need, run nothing
                    --only TEXT  the steps whose names contain TEXT, or one of several: A|B; of the first
                                 tier that has any, unless one is named
                    --from TEXT  the steps from the first on whose name contains TEXT
                                 (with both: and the steps that make what those take)
";

/// What `cargo xtask quick --help` says.
pub(crate) const QUICK_HELP: &str = "\
  quick [CRATE]...
                  the loop of work: format, layers, and of these crates (curve, ed25519, …; all libraries if
                  none is named) clippy and the tests, without the examples of the documentation
";

/// What `cargo xtask c-test --help` says.
pub(crate) const C_TEST_HELP: &str = "\
  c-test [--long] [--install] [--no-skips] [--list] [--only TEXT] [--from TEXT]
                  test the C library alone: its steps of all tiers
                    --long       all vectors under emulators, more random input, the released build
                                 on every target; as in test --all
                    the other options as for test
";

/// Which steps are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tier {
    /// What a newcomer runs.
    Native,
    /// What a change must pass beside that.
    Full,
    /// What is run before a release, and for changes to what it reaches: everything.
    All,
}

/// Runs the suite.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (tier, selection) = parse(args)?;
    let tiers = match tier {
        Some(tier) => vec![tier],
        None if selection.names_some() => vec![Tier::Native, Tier::Full, Tier::All],
        None => vec![Tier::Native],
    };
    let chosen = tiers
        .iter()
        .map(|tier| (*tier, selection.choose(steps(*tier))))
        .find(|(_, steps)| !steps.is_empty());
    let (tier, steps) = chosen.unwrap_or((Tier::Native, Vec::new()));
    if selection.runs() && !steps.is_empty() {
        outside_vectors();
    }
    selection.run(&steps, || match tier {
        Tier::Native if !selection.names_some() => missing_for_the_rest(),
        _ => Vec::new(),
    })
}

/// `cargo xtask c-test`.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run_c(args: &[String]) -> Result<(), String> {
    let (mut long, mut selection) = (false, Selection::default());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--long" {
            long = true;
        } else if !selection.take(arg, &mut args)? {
            return Err(format!("c-test: unknown option '{arg}'"));
        }
    }
    selection.run(&selection.choose(c_steps(long)), Vec::new)
}

/// `cargo xtask quick`.
///
/// # Errors
///
/// An option is unknown, or a step failed.
pub(crate) fn run_quick(args: &[String]) -> Result<(), String> {
    let packages = quick_packages(args)?;
    Selection::default().run(&quick(&packages), Vec::new)
}

fn parse(args: &[String]) -> Result<(Option<Tier>, Selection), String> {
    let (mut tier, mut selection) = (None, Selection::default());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let named = match arg.as_str() {
            "--full" => Some(Tier::Full),
            "--all" => Some(Tier::All),
            _ => None,
        };
        if named.is_some() {
            if tier.is_some() {
                return Err(String::from("test: one tier at a time"));
            }
            tier = named;
        } else if !selection.take(arg, &mut args)? {
            return Err(format!("test: unknown option '{arg}'"));
        }
    }
    Ok((tier, selection))
}

/// The packages that `quick` is about.
fn quick_packages(args: &[String]) -> Result<Vec<String>, String> {
    if args.is_empty() {
        let all = LIBRARIES.iter().chain(&["lanner-cli"]);
        return Ok(all.map(|name| String::from(*name)).collect());
    }
    args.iter()
        .map(|arg| match arg.as_str() {
            option if option.starts_with('-') => Err(format!("quick: unknown option '{option}'")),
            "lanner" | "xtask" => Ok(arg.clone()),
            name if name.starts_with("lanner-") => Ok(arg.clone()),
            name => Ok(format!("lanner-{name}")),
        })
        .collect()
}

/// Says whether the outside test data is here; each suite that wants it says so again.
fn outside_vectors() {
    let dir = std::env::var_os("LANNER_SHARED_VECTORS")
        .map_or_else(|| root().join("../shared/vectors"), PathBuf::from);
    if dir.is_dir() {
        println!("outside test data: {}", dir.display());
    } else {
        println!(
            "outside test data: NOT FOUND at {} (set LANNER_SHARED_VECTORS); the project's own vectors are used alone",
            dir.display()
        );
    }
}

/// What the other tiers need and this machine has not.
fn missing_for_the_rest() -> Vec<String> {
    let mut lines = vec![String::from(
        "not run: the other tiers, `cargo xtask test --full` and `--all`",
    )];
    let mut before: Vec<Need> = Vec::new();
    for (tier, option) in [(Tier::Full, "--full"), (Tier::All, "--all")] {
        let mut missing = Vec::new();
        for need in steps(tier).into_iter().flat_map(|step| step.needs) {
            // Targets are fetched when they are wanted, and processors never.
            let counts = !matches!(need, Need::Target(_) | Need::Backend(_));
            if counts && !before.contains(&need) && !need.is_met() {
                missing.push(need.describe());
            }
            before.push(need);
        }
        if missing.is_empty() {
            lines.push(format!("nothing is missing here for {option}"));
        } else {
            let missing = missing.join("; ");
            lines.push(format!(
                "missing for {option} (--install fetches it): {missing}"
            ));
        }
    }
    lines
}

/// `cargo <verb> -p <library>... <more>`, over all library crates.
fn libraries(verb: &str, more: &[&str]) -> Cmd {
    packages(Cmd::cargo([verb]), LIBRARIES).args(more.iter().copied())
}

/// Every step of a tier, in order. The quickest to fail stand first where that costs nothing.
fn steps(tier: Tier) -> Vec<Step> {
    match tier {
        Tier::Native => native(),
        Tier::Full => full(false),
        Tier::All => {
            let mut steps = native();
            steps.extend(full(true));
            steps.extend(thorough());
            steps.extend(engines::steps());
            // The demo of the npm package is built by a step of that chain.
            steps.push(book::step().beside("JavaScript"));
            steps
        }
    }
}

fn native() -> Vec<Step> {
    vec![
        Step::new("layers", &[], Action::Call(Box::new(layers::check))),
        Step::new(
            "links of the pages",
            &[],
            Action::Call(Box::new(pages::check)),
        ),
        Step::new(
            "generated tables are what the slow model derives",
            &[],
            Action::call(|| tables::run(&[String::from("--check")])),
        ),
        Step::new(
            "Rust: libraries, facade and command",
            &[],
            Action::Tests(vec![first(&["test", "--no-fail-fast"])]),
        ),
    ]
}

/// The steps of C, of all tiers.
fn c_steps(long: bool) -> Vec<Step> {
    let mut c = c::Steps::new(long);
    c.here();
    c.elsewhere();
    c.thorough();
    c.into_list()
}

/// The loop of work, on some packages.
fn quick(names: &[String]) -> Vec<Step> {
    let cargo =
        |verb: &str, more: &[&str]| packages(Cmd::cargo([verb]), names).args(more.iter().copied());
    vec![
        Step::new(
            "format",
            &[],
            Action::Run(vec![Cmd::cargo(["fmt", "--all", "--check"])]),
        ),
        Step::new("layers", &[], Action::Call(Box::new(layers::check))),
        Step::new(
            "clippy",
            &[],
            Action::Run(vec![cargo("clippy", &["--", "-D", "warnings"])]),
        ),
        Step::new(
            "tests",
            &[],
            Action::Tests(vec![cargo("test", &["--lib", "--bins", "--tests"])]),
        ),
    ]
}

#[cfg(test)]
mod tests;
