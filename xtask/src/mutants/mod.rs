//! `cargo xtask mutants`: the sources with one thing wrong at a time, by `cargo mutants`, in a clone without outside test
//! data: the project's own tests must notice. Survivors are explained on a page, or the run fails.

mod explained;
mod parts;
mod runner;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::{fresh, make, read, text, write};
use crate::needs::{self, Need};
use crate::process::{Cmd, target_dir};
use explained::{Explained, PAGE};
use parts::{PARTS, Part};

/// What `cargo xtask mutants --help` says.
pub(crate) const HELP: &str = "\
  mutants [PART]... [--again] [--list] [--install]
                  the sources of a part with one thing wrong at a time, of the commit: whether its tests notice. What is
                  known from an earlier run is kept, piece by piece, so that a run goes on where one was stopped
                    --again      forget what is known
                    --list       print the parts and what is known of them
                    --install    fetch cargo-mutants
";

const TOOL: Need = Need::Crate {
    name: "cargo-mutants",
    version: "27.1.0",
    program: "cargo-mutants",
};

/// What came of a piece.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Outcome {
    /// The commit whose sources were mutated.
    commit: String,
    /// How many mutants a test noticed, or ended by running for too long.
    caught: usize,
    /// How many do not compile.
    unviable: usize,
    /// Those that no test noticed.
    missed: Vec<String>,
}

/// Runs the command.
///
/// # Errors
///
/// An option or a part is unknown, the tool is missing or fails, or a mutant survives without an explanation.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    if let [word, rest @ ..] = args
        && word == runner::FIRST_FAILURE
    {
        return runner::run(rest);
    }
    let (mut again, mut list, mut install, mut chosen) = (false, false, false, Vec::new());
    for arg in args {
        match arg.as_str() {
            "--again" => again = true,
            "--list" => list = true,
            "--install" => install = true,
            option if option.starts_with('-') => {
                return Err(format!("mutants: unknown option '{option}'"));
            }
            name => chosen.push(find(name)?),
        }
    }
    if chosen.is_empty() {
        chosen.extend(PARTS);
    }
    if !list {
        TOOL.meet(install)?;
        let commit = clone()?;
        // A copy, because this program may be built anew while it runs for hours.
        let this = std::env::current_exe().map_err(|error| error.to_string())?;
        std::fs::copy(this, runner()).map_err(|error| error.to_string())?;
        for part in &chosen {
            let unknown = (0..part.shards).filter(|&piece| again || known(part, piece).is_none());
            let mut slow_tests_pass = false;
            for piece in unknown {
                measure(part, piece, &commit, &mut slow_tests_pass)?;
            }
        }
    }
    let explained = explained::read_page()?;
    let mut failures = Vec::new();
    for part in chosen {
        let outcomes: Vec<Outcome> = (0..part.shards).filter_map(|i| known(part, i)).collect();
        println!("{}", summary(part, &outcomes));
        let whole = outcomes.len() == part.shards;
        failures.extend(judge(part, &outcomes, &explained, whole));
    }
    if failures.is_empty() || list {
        Ok(())
    } else {
        Err(failures.join("\n"))
    }
}

fn find(name: &str) -> Result<&'static Part, String> {
    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
    let found = PARTS.iter().find(|part| part.name == name);
    found.ok_or_else(|| format!("mutants: no part '{name}': {}", names.join(", ")))
}

fn directory() -> PathBuf {
    target_dir().join("mutants")
}

/// Where the sources are that are mutated.
fn tree() -> PathBuf {
    directory().join("tree/lanner")
}

/// The program that runs the tests.
fn runner() -> PathBuf {
    directory().join("runner")
}

/// Clones the commit, without what lies beside this checkout; gives its name. An earlier clone is brought to it, so that what
/// has not changed need not be built again.
fn clone() -> Result<String, String> {
    let tree = tree();
    let (here, there) = (text(crate::process::root()), text(&tree));
    let git = |args: &[&str]| {
        Cmd::new("git")
            .args(["-C", &there])
            .args(args.iter().copied())
    };
    if !tree.join(".git").exists() {
        fresh(tree.parent().ok_or("a tree lies in a directory")?)?;
        let args = ["clone", "--quiet", "--no-hardlinks", &here, &there];
        Cmd::new("git").args(args).run()?;
    }
    git(&["fetch", "--quiet", &here, "HEAD"]).run()?;
    git(&["checkout", "--quiet", "--force", "--detach", "FETCH_HEAD"]).run()?;
    git(&["clean", "--quiet", "-d", "--force", "-x"]).run()?;
    let commit = git(&["rev-parse", "--short", "HEAD"]).capture()?;
    Ok(commit.trim().to_owned())
}

fn file(part: &Part, piece: usize) -> PathBuf {
    let name = format!("{}-{piece}-of-{}.json", part.name, part.shards);
    directory().join("outcomes").join(name)
}

fn known(part: &Part, piece: usize) -> Option<Outcome> {
    serde_json::from_str(&read(&file(part, piece)).ok()?).ok()
}

/// Mutates a piece of a part, and keeps what comes of it.
fn measure(
    part: &Part,
    piece: usize,
    commit: &str,
    slow_tests_pass: &mut bool,
) -> Result<(), String> {
    let shard = format!("{piece}/{}", part.shards);
    let quick = part.slow.iter().flat_map(|name| ["--skip", name]);
    // That they pass without a mutant takes little, and how long they take says when a mutant never ends.
    let mut outcome = mutated(
        part,
        part.files,
        &["--shard", &shard, "--minimum-test-timeout", "60"],
        &["--exact"].into_iter().chain(quick).collect::<Vec<_>>(),
    )?;
    if !outcome.missed.is_empty() && !part.slow.is_empty() {
        let these: Vec<String> = outcome.missed.iter().map(|name| exactly(name)).collect();
        let mut options: Vec<&str> = these.iter().flat_map(|name| ["--re", name]).collect();
        if *slow_tests_pass {
            options.extend(["--baseline", "skip"]);
        }
        options.extend(["--timeout", "1200"]);
        let names = ["--exact"].into_iter().chain(part.slow.iter().copied());
        // The tool lets mutants of some kinds through its filter, so only these files.
        let file = |name: &String| name.split(':').next().unwrap_or_default().to_owned();
        let files: BTreeSet<String> = outcome.missed.iter().map(file).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let slow = mutated(part, &files, &options, &names.collect::<Vec<_>>())?;
        *slow_tests_pass = true;
        let missed = outcome.missed.len();
        outcome.missed.retain(|name| slow.missed.contains(name));
        outcome.caught += missed - outcome.missed.len();
    }
    commit.clone_into(&mut outcome.commit);
    let names = outcome.missed.iter().map(|name| without_place(name));
    outcome.missed = names.collect();
    outcome.missed.sort();
    make(&directory().join("outcomes"))?;
    let text = serde_json::to_string_pretty(&outcome).map_err(|error| error.to_string())?;
    write(&file(part, piece), text)
}

/// Mutates what the options choose of files of a part, and runs the tests that the words choose.
fn mutated(
    part: &Part,
    files: &[&str],
    options: &[&str],
    tests: &[&str],
) -> Result<Outcome, String> {
    let output = directory().join("output");
    fresh(&output)?;
    // Words of a list in TOML, in quotes that need no escapes.
    let runner = format!(
        "target.'cfg(all())'.runner = ['{}', 'mutants', '{}']",
        text(&runner()),
        runner::FIRST_FAILURE
    );
    let tree = text(&tree());
    // These are not mutated: they do as they do for users.
    let unchecked = part.unchecked.iter().flat_map(|name| {
        ["debug-assertions = false", "overflow-checks = false"]
            .map(|setting| format!("profile.test.package.{name}.{setting}"))
    });
    let settings = unchecked.chain([runner]);
    let command = Cmd::new(&needs::tool("cargo-mutants"))
        .args(["mutants", "--dir", &tree, "--output", &text(&output)])
        .args(["--in-place", "--package", part.package, "--all-features"])
        .args(["--test-package", &part.tests.join(",")])
        .args(["--colors", "never", "--no-times"])
        .args(settings.map(|setting| format!("--cargo-arg=--config={setting}")))
        .args(files.iter().flat_map(|glob| ["--file", glob]))
        .args(part.without.iter().flat_map(|glob| ["--exclude", glob]))
        .args(options.iter().copied())
        .env("CARGO_TARGET_DIR", &text(&directory().join("build")))
        .env("CARGO_PROFILE_TEST_DEBUG", "none")
        // Not the examples of the documentation: each is compiled anew, and what they alone hold is worth a test.
        .args(["--", "--lib", "--tests", "--"])
        .args(tests.iter().copied());
    // It fails where a mutant survives: what it writes counts.
    let ended = command.run();
    let outcomes = output.join("mutants.out/outcomes.json");
    let said = read(&outcomes).map_err(|error| format!("{:?}: {error}", ended.err()))?;
    outcome(&said)
}

/// What the tool wrote.
fn outcome(json: &str) -> Result<Outcome, String> {
    let all: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let list = all["outcomes"]
        .as_array()
        .ok_or("cargo-mutants wrote no outcomes")?;
    let mut outcome = Outcome::default();
    for one in list {
        let mutant = &one["scenario"]["Mutant"];
        match (mutant.is_null(), one["summary"].as_str()) {
            (true, Some("Success")) => {}
            (true, _) => return Err(String::from("the tests fail without a mutant")),
            (false, Some("CaughtMutant" | "Timeout")) => outcome.caught += 1,
            (false, Some("Unviable")) => outcome.unviable += 1,
            (false, Some("MissedMutant")) => {
                let name = mutant["name"].as_str().ok_or("a mutant without a name")?;
                outcome.missed.push(name.to_owned());
            }
            (false, other) => return Err(format!("cargo-mutants says {other:?}")),
        }
    }
    Ok(outcome)
}

/// A regular expression that this name alone matches.
fn exactly(name: &str) -> String {
    let mut expression = String::from("^");
    for character in name.chars() {
        if r"\.+*?()|[]{}^$&-~#".contains(character) {
            expression.push('\\');
        }
        expression.push(character);
    }
    expression + "$"
}

/// The name of a mutant without line and column, which move: `FILE:LINE:COLUMN: what`.
fn without_place(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(_), Some(_), Some(what)) => format!("{file}:{what}"),
        _ => name.to_owned(),
    }
}

fn summary(part: &Part, outcomes: &[Outcome]) -> String {
    let sum = |count: fn(&Outcome) -> usize| outcomes.iter().map(count).sum::<usize>();
    let mut commits: Vec<&str> = outcomes.iter().map(|it| it.commit.as_str()).collect();
    commits.sort_unstable();
    commits.dedup();
    format!(
        "{}: {} of {} pieces known ({}): {} mutants caught, {} missed, {} do not compile",
        part.name,
        outcomes.len(),
        part.shards,
        commits.join(", "),
        sum(|outcome| outcome.caught),
        sum(|outcome| outcome.missed.len()),
        sum(|outcome| outcome.unviable),
    )
}

/// Survivors without an explanation, and where all pieces are known, explanations without a survivor.
fn judge(part: &Part, outcomes: &[Outcome], explained: &[Explained], whole: bool) -> Vec<String> {
    let mut survivors: BTreeMap<&str, usize> = BTreeMap::new();
    for name in outcomes.iter().flat_map(|outcome| &outcome.missed) {
        *survivors.entry(name).or_default() += 1;
    }
    let of_part = |row: &&Explained| row.part == part.name;
    let mut failures = Vec::new();
    for (name, count) in &survivors {
        let allowed = explained
            .iter()
            .filter(of_part)
            .find(|row| row.mutant == *name);
        match allowed {
            Some(row) if *count <= row.times => {}
            Some(row) => failures.push(format!(
                "{}: survives {count} times, and {} are explained: {name}",
                part.name, row.times
            )),
            None => failures.push(format!("{}: survives: {name}", part.name)),
        }
    }
    if whole {
        let gone = explained
            .iter()
            .filter(of_part)
            .filter(|row| !survivors.contains_key(row.mutant.as_str()));
        failures.extend(gone.map(|row| {
            format!(
                "{PAGE} explains what does not survive in {}: {}",
                part.name, row.mutant
            )
        }));
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    const SAID: &str = r#"{"outcomes": [
        {"scenario": "Baseline", "summary": "Success"},
        {"scenario": {"Mutant": {"name": "a/b.rs:1:2: replace f -> u8 with 0"}}, "summary": "CaughtMutant"},
        {"scenario": {"Mutant": {"name": "a/b.rs:3:4: replace < with <= in g"}}, "summary": "MissedMutant"},
        {"scenario": {"Mutant": {"name": "a/b.rs:5:6: replace h with ()"}}, "summary": "Timeout"},
        {"scenario": {"Mutant": {"name": "a/b.rs:7:8: replace i with ()"}}, "summary": "Unviable"}]}"#;

    const PART: Part = Part {
        name: "one",
        package: "",
        files: &[],
        without: &[],
        unchecked: &[],
        tests: &[],
        slow: &[],
        shards: 1,
    };

    #[test]
    fn outcomes_are_read() {
        let outcome = outcome(SAID).expect("it is well formed");
        assert_eq!((outcome.caught, outcome.unviable), (2, 1));
        assert_eq!(outcome.missed, ["a/b.rs:3:4: replace < with <= in g"]);
        assert_eq!(
            without_place(&outcome.missed[0]),
            "a/b.rs: replace < with <= in g"
        );
        assert_eq!(exactly("a.rs:1: f -> b"), r"^a\.rs:1: f \-> b$");
        let broken = SAID.replace(r#""Success""#, r#""Failure""#);
        assert!(super::outcome(&broken).is_err());
    }

    #[test]
    fn survivors_are_explained_or_named() {
        let survives = || Outcome {
            missed: vec![String::from("a/b.rs: replace < with <= in g")],
            ..Outcome::default()
        };
        let outcomes = [survives()];
        let row = |part: &str, mutant: &str| Explained {
            part: part.into(),
            mutant: mutant.into(),
            times: 1,
        };
        let right = row("one", "a/b.rs: replace < with <= in g");
        let wrong = [
            row("two", "a/b.rs: replace < with <= in g"),
            row("one", "a/b.rs: replace > with >= in g"),
        ];
        let judged = |rows: &[Explained], whole| judge(&PART, &outcomes, rows, whole);
        assert!(judged(std::slice::from_ref(&right), true).is_empty());
        assert_eq!(judged(&wrong, false).len(), 1);
        assert_eq!(judged(&wrong, true).len(), 2);
        let twice = [survives(), survives()];
        assert_eq!(judge(&PART, &twice, &[right], true).len(), 1);
    }

    /// The page speaks of files that are there, and of parts that are known.
    #[test]
    fn the_page_is_about_this_code() {
        for row in explained::read_page().expect("the page is read") {
            assert!(find(&row.part).is_ok(), "{}", row.part);
            let file = row.mutant.split(':').next().unwrap_or_default();
            assert!(root().join(file).is_file(), "{}", row.mutant);
        }
        for part in PARTS {
            for glob in part.files {
                let start = glob.split('*').next().unwrap_or_default();
                assert!(root().join(start).exists(), "{glob}");
            }
        }
    }
}
