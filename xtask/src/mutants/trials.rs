//! Mutants and tests: which test reaches which mutant is found once, and then each mutant is shown to those that reach it, the
//! most promising first, until one fails.

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
    /// What it takes of a processor without a mutant.
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

    /// Whether the test passes, and what it took of a processor. One that takes more than the limit does not.
    fn passes(
        &self,
        test: &str,
        setting: (&str, &str),
        limit: Duration,
    ) -> Result<(bool, Duration), String> {
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
        let mut taken = Duration::ZERO;
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok((status.success(), taken));
            }
            let elapsed = begun.elapsed();
            // On a machine that does other things as well, only this says how much there was to do.
            taken = on_processor(child.id()).unwrap_or(elapsed);
            if taken > limit || elapsed > 10 * limit {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                return Ok((false, taken));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// The time that a process has had on processors, where the system tells: in hundredths of a second (proc_pid_stat(5)).
fn on_processor(id: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    ticks(&text).map(|ticks| Duration::from_millis(10 * ticks))
}

/// The 14th and 15th field. The second one is a name in brackets, which may have anything in it.
fn ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
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
        let limit = Duration::from_secs(1800);
        let (passes, takes) =
            program.passes(name, (REACHED, &file.display().to_string()), limit)?;
        if !passes {
            return Err(format!("without a mutant, {name} fails"));
        }
        let test = Test {
            program,
            name: name.clone(),
            takes,
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

/// How often a test was shown mutants of a file, and how often it failed.
#[derive(Clone, Copy, Default)]
struct Record {
    shown: u32,
    caught: u32,
}

impl Record {
    /// How many mutants a second of such a test may catch. One that was shown few is given the benefit of the doubt.
    fn promise(self, takes: Duration) -> f64 {
        let chance = (f64::from(self.caught) + 0.1) / (f64::from(self.shown) + 1.0);
        chance / (takes.as_secs_f64() + 0.001)
    }
}

/// Shows mutants, each with its file, to the tests that reach it: first to those that promise most, by what they caught in the
/// same file and how long they take, until one fails.
///
/// # Errors
///
/// A test cannot be run.
pub(super) fn show(
    tests: &[Test<'_>],
    mutants: &[(usize, &str)],
    mut became: impl FnMut(usize, Fate, &str) + Send,
) -> Result<(), String> {
    let records: Mutex<BTreeMap<(&str, usize), Record>> = Mutex::default();
    let became = Mutex::new(&mut became);
    on_all_processors(mutants.len(), |at| {
        let (number, file) = mutants[at];
        let reaching = (0..tests.len()).filter(|place| tests[*place].reaches.contains(&number));
        let mut order: Vec<(f64, usize)> = {
            let records = records.lock().expect("no panic");
            let record = |place| records.get(&(file, place)).copied().unwrap_or_default();
            reaching
                .map(|place| (record(place).promise(tests[place].takes), place))
                .collect()
        };
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut fate = (Fate::Unreached, "");
        for (_, place) in order {
            let test = &tests[place];
            let limit = Duration::from_secs(20) + 10 * test.takes;
            let setting = (CHOSEN, &*number.to_string());
            let (passes, _) = test.program.passes(&test.name, setting, limit)?;
            let is_caught = !passes;
            let mut records = records.lock().expect("no panic");
            let record = records.entry((file, place)).or_default();
            record.shown += 1;
            record.caught += u32::from(is_caught);
            if is_caught {
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
    let longest = tests.last().map_or("", |test| &test.name);
    let number = tests.len();
    format!("{number} tests of {whole:.0?} together, the longest {longest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_tests_and_those_that_caught_promise_most() {
        let promise =
            |shown, caught, seconds| Record { shown, caught }.promise(Duration::from_secs(seconds));
        assert!(promise(0, 0, 1) > promise(0, 0, 9));
        assert!(promise(9, 9, 1) > promise(9, 1, 1));
        assert!(promise(9, 9, 5) > promise(9, 0, 1));
        assert!(promise(0, 0, 1) > promise(9, 0, 1));
    }

    #[test]
    fn the_time_of_a_process_is_read() {
        let stat = "7 (a) b (c) R 1 7 7 0 -1 4194304 88 0 0 0 123 45 0 0 20 0 1 0 9 9 9";
        assert_eq!(ticks(stat), Some(168));
        assert_eq!(ticks("7 (a) R 1"), None);
        if cfg!(target_os = "linux") {
            assert!(on_processor(std::process::id()).is_some());
        }
    }

    #[test]
    fn all_is_done_or_the_error_is_told() {
        let done = Mutex::new(BTreeSet::new());
        let work = |number| {
            done.lock().expect("no panic").insert(number);
            Ok(())
        };
        assert_eq!(on_all_processors(9, work), Ok(()));
        assert_eq!(done.into_inner().expect("no panic"), (0..9).collect());
        let fails = |number| {
            if number == 3 {
                Err(String::from("three"))
            } else {
                Ok(())
            }
        };
        assert_eq!(on_all_processors(9, fails), Err(String::from("three")));
    }
}
