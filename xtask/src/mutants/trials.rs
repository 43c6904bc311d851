//! Mutants and tests: which test reaches which mutant is found once, and then each mutant is shown to those that reach it,
//! the quickest first, until one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::build::Program;
use super::directory;
use crate::files::{make, read};

/// The switch reads which mutant there is to be, and
const CHOSEN: &str = "LANNER_MUTANT";
/// where to write which were reached.
const REACHED: &str = "LANNER_MUTANTS_REACHED";

/// A test that runs by default.
pub(super) struct Test<'a> {
    program: &'a Program,
    pub(super) name: String,
    /// How long it takes without a mutant.
    takes: Duration,
    reaches: BTreeSet<usize>,
}

/// What becomes of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// A test fails, or does not end.
    Caught,
    /// Tests reach it, and pass.
    Missed,
    /// No test reaches it.
    Unreached,
}

/// What came of running a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    TimedOut,
}

impl Program {
    /// The names that it lists.
    fn list(&self, more: &[&str]) -> Result<BTreeSet<String>, String> {
        let output = Command::new(&self.file)
            .args(["--list", "--format", "terse"])
            .args(more)
            .current_dir(&self.home)
            .output()
            .map_err(|error| format!("{}: {error}", self.file.display()))?;
        let names = String::from_utf8_lossy(&output.stdout);
        let names = names.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
    }

    fn run(&self, test: &str, setting: (&str, &str), limit: Duration) -> Result<End, String> {
        let failed = |error| format!("{}: {error}", self.file.display());
        let mut child = Command::new(&self.file)
            .args(["--exact", test, "--test-threads", "1"])
            .current_dir(&self.home)
            .env("CARGO_MANIFEST_DIR", &self.home)
            .env(setting.0, setting.1)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let begun = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok(if status.success() {
                    End::Passed
                } else {
                    End::Failed
                });
            }
            if begun.elapsed() > limit {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                return Ok(End::TimedOut);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// Runs `work` on each number below `count`, on all processors; the first error ends it.
fn on_all_processors(
    count: usize,
    work: impl Fn(usize) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || failure.lock().is_ok_and(|it| it.is_some()) {
                        return;
                    }
                    if let Err(error) = work(number)
                        && let Ok(mut failure) = failure.lock()
                    {
                        *failure = Some(error);
                    }
                }
            });
        }
    });
    match failure.into_inner() {
        Ok(None) => Ok(()),
        Ok(Some(error)) => Err(error),
        Err(_) => Err(String::from("a thread panicked")),
    }
}

/// Runs every test alone, without a mutant, and looks what it reaches.
///
/// # Errors
///
/// A test fails.
pub(super) fn survey(programs: &[Program]) -> Result<Vec<Test<'_>>, String> {
    let mut names = Vec::new();
    for program in programs {
        let ignored = program.list(&["--ignored"])?;
        let listed = program.list(&[])?;
        names.extend(
            listed
                .difference(&ignored)
                .map(|name| (program, name.clone())),
        );
    }
    let reached = directory().join("reached");
    make(&reached)?;
    let tests = Mutex::new(Vec::new());
    on_all_processors(names.len(), |number| {
        let (program, name) = &names[number];
        let file = reached.join(number.to_string());
        let _ = std::fs::remove_file(&file);
        let begun = Instant::now();
        let limit = Duration::from_secs(1800);
        let end = program.run(name, (REACHED, &file.display().to_string()), limit)?;
        if end != End::Passed {
            return Err(format!("without a mutant, {name} fails"));
        }
        let test = Test {
            program,
            name: name.clone(),
            takes: begun.elapsed(),
            reaches: numbers(&file),
        };
        tests.lock().expect("no panic").push(test);
        Ok(())
    })?;
    let mut tests = tests.into_inner().expect("no panic");
    tests.sort_by_key(|test| test.takes);
    Ok(tests)
}

fn numbers(file: &Path) -> BTreeSet<usize> {
    let text = read(file).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Shows mutants to the tests.
///
/// # Errors
///
/// A test cannot be run.
pub(super) fn show(
    tests: &[Test<'_>],
    mutants: &[usize],
    mut became: impl FnMut(usize, Fate, &str) + Send,
) -> Result<(), String> {
    // Tests that caught one lately, by their places in the list: they may catch the next one, too.
    let lately: Mutex<Vec<usize>> = Mutex::default();
    let became = Mutex::new(&mut became);
    on_all_processors(mutants.len(), |at| {
        let number = mutants[at];
        let reaching = |place: &usize| tests[*place].reaches.contains(&number);
        let first: Vec<usize> = lately.lock().expect("no panic").clone();
        let quick = |place: &usize| tests[*place].takes < Duration::from_secs(1);
        let order = first
            .iter()
            .copied()
            .rev()
            .filter(quick)
            .take(4)
            .chain(0..tests.len());
        let mut tried = BTreeSet::new();
        let mut fate = (Fate::Unreached, "");
        for place in order.filter(reaching) {
            if !tried.insert(place) {
                continue;
            }
            let test = &tests[place];
            let limit = Duration::from_secs(20) + 10 * test.takes;
            let end = test
                .program
                .run(&test.name, (CHOSEN, &number.to_string()), limit)?;
            if end != End::Passed {
                let mut lately = lately.lock().expect("no panic");
                lately.retain(|other| *other != place);
                lately.push(place);
                fate = (Fate::Caught, &test.name);
                break;
            }
            fate = (Fate::Missed, "");
        }
        let mut became = became.lock().expect("no panic");
        (*became)(number, fate.0, fate.1);
        Ok(())
    })
}

/// How many tests there are, and how long they take one after the other.
pub(super) fn describe(tests: &[Test<'_>]) -> String {
    let whole: Duration = tests.iter().map(|test| test.takes).sum();
    let mut slow: BTreeMap<Duration, &str> = BTreeMap::new();
    for test in tests {
        slow.insert(test.takes, &test.name);
    }
    let slowest = slow.last_key_value().map_or("", |(_, name)| name);
    format!(
        "{} tests of {whole:.0?} together, the longest {slowest}",
        tests.len()
    )
}
