//! `cargo xtask mutants`: the sources with one thing wrong at a time, as `cargo mutants` lists them, in a clone without outside
//! test data: the project's own tests must notice. Survivors are explained on a page, or the run fails.

mod build;
mod explained;
mod parts;
mod placed;
mod trials;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::files::{fresh, make, read, text, write};
use crate::needs::{self, Need};
use crate::process::{Cmd, target_dir};
use explained::{Explained, PAGE};
use parts::{PARTS, Part};
use placed::Mutant;
use trials::Fate;

/// What `cargo xtask mutants --help` says.
pub(crate) const HELP: &str = "\
  mutants [PART]... [--again] [--list] [--install]
                  the sources of a part with one thing wrong at a time, of the commit: whether its tests notice. All of
                  them are built into the tests at once, and each is shown to the tests that reach it, until one fails.
                  A run goes on where one on the same commit was stopped
                    --again      forget what is known
                    --list       print the parts and what is known of them
                    --install    fetch cargo-mutants
";

const TOOL: Need = Need::Crate {
    name: "cargo-mutants",
    version: "27.1.0",
    program: "cargo-mutants",
};

/// What came of a part.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Outcome {
    /// The commit whose sources were mutated.
    commit: String,
    /// How many mutants there are.
    number: usize,
    /// What a test noticed, which may be that it runs for too long: mutant and test.
    caught: BTreeMap<String, String>,
    /// What tests reach, and none notices.
    missed: BTreeSet<String>,
    /// What no test reaches.
    unreached: BTreeSet<String>,
    /// What does not compile.
    unviable: BTreeSet<String>,
    /// What is computed when a program is compiled, and was not run.
    constant: BTreeSet<String>,
}

/// Runs the command.
///
/// # Errors
///
/// An option or a part is unknown, the tool is missing or fails, or a mutant survives without an explanation.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
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
        for part in &chosen {
            measure(part, again)?;
        }
    }
    let explained = explained::read_page()?;
    let mut failures = Vec::new();
    for part in chosen {
        let Some(outcome) = known(part) else {
            println!("{}: nothing is known", part.name);
            continue;
        };
        println!("{}: {}", part.name, outcome.summary());
        failures.extend(judge(part, &outcome, &explained));
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

fn file(part: &Part) -> PathBuf {
    let name = format!("{}.json", part.name);
    directory().join("outcomes").join(name)
}

fn known(part: &Part) -> Option<Outcome> {
    serde_json::from_str(&read(&file(part)).ok()?).ok()
}

/// The mutants of a part, as the tool makes them.
fn mutants(part: &Part) -> Result<Vec<Mutant>, String> {
    let listed = Cmd::new(&needs::tool("cargo-mutants"))
        .args(["mutants", "--list", "--json", "--dir", &text(&tree())])
        .args(["--package", part.package])
        .args(part.files.iter().flat_map(|glob| ["--file", glob]))
        .args(part.without.iter().flat_map(|glob| ["--exclude", glob]))
        .capture()?;
    let mut mutants: Vec<Mutant> =
        serde_json::from_str(&listed).map_err(|error| format!("cargo mutants: {error}"))?;
    // It knows the modules of tests that nothing but `test` lets in.
    mutants.retain(|mutant| !mutant.name.contains(" tests::"));
    Ok(mutants)
}

/// Mutates a part, and keeps what comes of it.
fn measure(part: &Part, again: bool) -> Result<(), String> {
    let commit = clone()?;
    let mutants = mutants(part)?;
    let built = build::build(part, &mutants)?;
    let tests = trials::survey(&built.programs)?;
    println!("{}: {}", part.name, trials::describe(&tests));
    let mut outcome = known(part)
        .filter(|outcome| !again && outcome.commit == commit)
        .unwrap_or_default();
    let names = |numbers: &BTreeSet<usize>| {
        let names = numbers.iter().map(|number| mutants[*number].name.clone());
        names.collect::<BTreeSet<String>>()
    };
    outcome.commit = commit;
    outcome.number = mutants.len();
    outcome.unviable = names(&built.unviable);
    outcome.constant = names(&built.left);
    let open: Vec<(usize, &str)> = mutants
        .iter()
        .enumerate()
        .filter(|(_, mutant)| !outcome.is_decided(&mutant.name))
        .map(|(number, mutant)| (number, mutant.file.as_str()))
        .collect();
    let mut failure = Ok(());
    trials::show(&tests, &open, |number, fate, test| {
        let name = mutants[number].name.clone();
        match fate {
            Fate::Caught => drop(outcome.caught.insert(name, test.to_owned())),
            Fate::Missed => {
                println!("missed: {name}");
                outcome.missed.insert(name);
            }
            Fate::Unreached => {
                println!("not reached: {name}");
                outcome.unreached.insert(name);
            }
        }
        if outcome.decided().is_multiple_of(50) {
            println!("{}: {} of {}", part.name, outcome.decided(), outcome.number);
            failure = std::mem::replace(&mut failure, Ok(())).and_then(|()| outcome.store(part));
        }
    })?;
    failure?;
    outcome.store(part)
}

impl Outcome {
    /// All that is not caught.
    fn sets(&self) -> [&BTreeSet<String>; 4] {
        [
            &self.missed,
            &self.unreached,
            &self.unviable,
            &self.constant,
        ]
    }

    fn is_decided(&self, name: &str) -> bool {
        self.caught.contains_key(name) || self.sets().iter().any(|set| set.contains(name))
    }

    fn decided(&self) -> usize {
        self.caught.len() + self.sets().iter().map(|set| set.len()).sum::<usize>()
    }

    fn store(&self, part: &Part) -> Result<(), String> {
        make(&directory().join("outcomes"))?;
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        write(&file(part), text)
    }

    /// How often each mutant survives, by its name without line and column.
    fn survivors(&self) -> BTreeMap<String, usize> {
        let mut survivors = BTreeMap::new();
        for name in self.missed.iter().chain(&self.unreached) {
            *survivors.entry(without_place(name)).or_default() += 1;
        }
        survivors
    }

    fn summary(&self) -> String {
        let rest = match self.number - self.decided() {
            0 => String::new(),
            rest => format!(", {rest} to go"),
        };
        format!(
            "{} mutants of {}: {} caught, {} missed, {} not reached, {} do not compile, {} in constants{rest}",
            self.number,
            self.commit,
            self.caught.len(),
            self.missed.len(),
            self.unreached.len(),
            self.unviable.len(),
            self.constant.len(),
        )
    }
}

/// The name of a mutant without line and column, which move: `FILE:LINE:COLUMN: what`.
fn without_place(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(_), Some(_), Some(what)) => format!("{file}:{what}"),
        _ => name.to_owned(),
    }
}

/// Survivors without an explanation, and where all mutants are decided, explanations without a survivor.
fn judge(part: &Part, outcome: &Outcome, explained: &[Explained]) -> Vec<String> {
    let survivors = outcome.survivors();
    let rows: Vec<&Explained> = explained
        .iter()
        .filter(|row| row.part == part.name)
        .collect();
    let mut failures = Vec::new();
    for (name, count) in &survivors {
        match rows.iter().find(|row| row.mutant == *name) {
            Some(row) if *count <= row.times => {}
            Some(row) => failures.push(format!(
                "{}: survives {count} times, and {} are explained: {name}",
                part.name, row.times
            )),
            None => failures.push(format!("{}: survives: {name}", part.name)),
        }
    }
    if outcome.decided() == outcome.number {
        let gone = rows
            .iter()
            .filter(|row| !survivors.contains_key(&row.mutant));
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

    const PART: Part = Part {
        name: "one",
        package: "",
        files: &[],
        without: &[],
        features: None,
        unchecked: &[],
        tests: &[],
    };

    #[test]
    fn survivors_are_explained_or_named() {
        let of = |places: &[&str]| Outcome {
            number: places.len(),
            missed: places
                .iter()
                .map(|place| format!("a/b.rs:{place}: replace < with <= in g"))
                .collect(),
            ..Outcome::default()
        };
        let once = of(&["3:4"]);
        assert_eq!(once.decided(), 1);
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
        assert!(judge(&PART, &once, std::slice::from_ref(&right)).is_empty());
        assert_eq!(judge(&PART, &once, &wrong).len(), 2);
        let unfinished = Outcome {
            number: 9,
            ..of(&["3:4"])
        };
        assert_eq!(judge(&PART, &unfinished, &wrong).len(), 1);
        assert_eq!(judge(&PART, &of(&["3:4", "5:6"]), &[right]).len(), 1);
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
