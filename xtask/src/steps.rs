//! Steps as data: a name, what the step needs, what it runs; and the one runner with its summary.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::needs::Need;
use crate::process::{Cmd, Tally, kept};

/// What is said where every step was skipped, and the exit code of xtask then.
pub(crate) const NO_STEP_RAN: (&str, u8) = ("no step ran", 3);

/// What a step does.
pub(crate) enum Action {
    /// Commands in order; the first failure ends the step.
    Run(Vec<Cmd>),
    /// Commands in order that run tests, or build what is tested: a test runner that runs none at all is a failure.
    Tests(Vec<Cmd>),
    /// A function of xtask.
    Call(Box<dyn Fn() -> Result<Tally, String> + Send + Sync>),
}

/// One step of a suite.
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) needs: Vec<Need>,
    pub(crate) action: Action,
    /// The names of the steps that make what it takes; they stand before it.
    pub(crate) after: Vec<String>,
    /// The chain that it is part of, if it runs beside those that are in none, and after those before it in the chain.
    chain: Option<&'static str>,
}

/// Which steps are run, and how: the options that every suite takes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Fetch what is missing.
    install: bool,
    /// A step for which something is missing has failed, unless nothing could fetch that.
    no_skips: bool,
    /// Print the steps and run nothing.
    list: bool,
    /// Steps whose names contain one of these texts, and those that make what these take; all where there are none.
    only: Vec<String>,
    /// Leave out what stands before the first step whose name contains this, but for what makes what others take.
    from: Option<String>,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

struct Record {
    name: String,
    outcome: Outcome,
    tally: Tally,
    time: Duration,
    /// Of all processors together, where the system tells.
    processor: Option<Duration>,
}

impl Action {
    /// A function that counts no tests.
    pub(crate) fn call(function: impl Fn() -> Result<(), String> + Send + Sync + 'static) -> Self {
        Self::Call(Box::new(move || function().map(|()| Tally::default())))
    }
}

impl Step {
    pub(crate) fn new(name: impl Into<String>, needs: &[Need], action: Action) -> Self {
        Self {
            name: name.into(),
            needs: needs.to_vec(),
            action,
            after: Vec::new(),
            chain: None,
        }
    }

    /// The same, which takes what the step of that name makes. Whoever chooses it gets that one as well, and where that has not
    /// passed it is not run.
    pub(crate) fn after(mut self, name: impl Into<String>) -> Self {
        self.after.push(name.into());
        self
    }

    /// The same, in a chain of that name beside what is in none and beside other chains. For steps that build into a directory
    /// of their own: much of what they do leaves processors idle, and so does the rest.
    pub(crate) fn beside(self, chain: &'static str) -> Self {
        Self {
            chain: Some(chain),
            ..self
        }
    }

    /// Whether the one that stands first has ended when the other begins.
    #[cfg(test)]
    pub(crate) fn is_in_the_chain_of(&self, other: &Self) -> bool {
        self.chain == other.chain
    }

    fn run(&self, how: &Selection) -> (Outcome, Tally) {
        for need in &self.needs {
            if let Err(reason) = need.meet(how.install) {
                let outcome = if how.no_skips && need.can_be_fetched() {
                    Outcome::Failed(reason)
                } else {
                    Outcome::Skipped(reason)
                };
                return (outcome, Tally::default());
            }
        }
        let mut tally = Tally::default();
        let result = match &self.action {
            Action::Call(function) => function().map(|found| tally.add(found)),
            Action::Run(commands) => commands
                .iter()
                .try_for_each(|command| command.run().map(|part| tally.add(part))),
            Action::Tests(commands) => commands.iter().try_for_each(|command| {
                let part = command.run()?;
                // Where filters name tests that are called something else by now. Others build what is tested.
                let ran_none = part.counted && part.passed == 0;
                tally.add(part);
                if ran_none {
                    return Err(format!("ran no test at all: {}", command.display()));
                }
                Ok(())
            }),
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

    /// The step as `--list` shows it.
    fn describe(&self) -> String {
        let mut text = format!("{}\n", self.name);
        if !self.needs.is_empty() {
            let needs: Vec<String> = self.needs.iter().map(Need::describe).collect();
            text.push_str(&format!("    needs {}\n", needs.join("; ")));
        }
        for name in &self.after {
            text.push_str(&format!("    after {name}\n"));
        }
        if let Action::Run(commands) | Action::Tests(commands) = &self.action {
            for command in commands {
                text.push_str(&format!("    $ {}\n", command.display()));
            }
        }
        text
    }
}

impl Selection {
    /// Reads an option; false where it is none of these.
    ///
    /// # Errors
    ///
    /// Its value is missing.
    pub(crate) fn take<'a>(
        &mut self,
        option: &str,
        rest: &mut impl Iterator<Item = &'a String>,
    ) -> Result<bool, String> {
        let mut value = || rest.next().ok_or(format!("{option} needs a text"));
        match option {
            "--install" => self.install = true,
            "--no-skips" => self.no_skips = true,
            "--list" => self.list = true,
            "--only" => self.only = value()?.split('|').map(str::to_owned).collect(),
            "--from" => self.from = Some(value()?.clone()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether the steps are run, and not only listed.
    pub(crate) fn runs(&self) -> bool {
        !self.list
    }

    /// Whether steps were named, one way or the other.
    pub(crate) fn names_some(&self) -> bool {
        !self.only.is_empty() || self.from.is_some()
    }

    /// The steps that are meant, and those that make what they take.
    pub(crate) fn choose(&self, steps: Vec<Step>) -> Vec<Step> {
        let from = self.from.as_ref().map_or(0, |text| {
            let first = steps.iter().position(|step| step.name.contains(text));
            first.unwrap_or(steps.len())
        });
        let named = |step: &Step| self.only.iter().any(|text| step.name.contains(text));
        let mut taken: Vec<&String> = Vec::new();
        let mut chosen = vec![false; steps.len()];
        // From the last on, since what a step takes is made before it.
        for (index, step) in steps.iter().enumerate().rev() {
            let is_meant = index >= from && (self.only.is_empty() || named(step));
            if is_meant || taken.contains(&&step.name) {
                chosen[index] = true;
                taken.extend(&step.after);
            }
        }
        let mut chosen = chosen.into_iter();
        let is_chosen = |_: &Step| chosen.next().unwrap_or_default();
        steps.into_iter().filter(is_chosen).collect()
    }

    /// Runs the steps, or lists them. `after` are lines for the end of the summary.
    ///
    /// # Errors
    ///
    /// No step is left, or one failed.
    pub(crate) fn run(
        &self,
        steps: &[Step],
        after: impl Fn() -> Vec<String>,
    ) -> Result<(), String> {
        if steps.is_empty() {
            return Err(String::from("no step has such a name; --list shows them"));
        }
        if self.list {
            steps.iter().for_each(|step| print!("{}", step.describe()));
            return Ok(());
        }
        run_all(steps, self, after)
    }
}

/// A step with its place in the list.
type Numbered<'a> = (usize, &'a Step);

/// The steps of each chain, in the order in which these begin.
fn chains(beside: Vec<Numbered<'_>>) -> VecDeque<Vec<Numbered<'_>>> {
    let mut chains: VecDeque<Vec<Numbered<'_>>> = VecDeque::new();
    for (index, step) in beside {
        let chain = chains
            .iter_mut()
            .find(|chain| chain[0].1.chain == step.chain);
        match chain {
            Some(chain) => chain.push((index, step)),
            None => chains.push_back(vec![(index, step)]),
        }
    }
    chains
}

/// Runs the steps in order, all of them also after a failure, and prints the summary. Chains run on a thread of their own,
/// one after the other, and when the steps that are in none have ended, on two. What the first of these prints comes when a step
/// has ended.
fn run_all<'steps>(
    steps: &'steps [Step],
    how: &Selection,
    after: impl Fn() -> Vec<String>,
) -> Result<(), String> {
    let (begin, before) = (Instant::now(), processor_time());
    let numbered = steps.iter().enumerate();
    let (beside, main): (Vec<_>, Vec<_>) = numbered.partition(|(_, step)| step.chain.is_some());
    let title = |index: usize| {
        let name = &steps[index].name;
        format!("\n=== [{}/{}] {name}\n", index + 1, steps.len())
    };
    // Two at once share what the system says of them.
    let alone = beside.is_empty() || main.is_empty();
    let not_passed: Mutex<Vec<&str>> = Mutex::default();
    let record = |step: &'steps Step| {
        let (start, before) = (Instant::now(), processor_time());
        let lacks = |name: &&String| {
            let not_passed = not_passed.lock().expect("steps do not panic");
            not_passed.contains(&name.as_str())
        };
        let (outcome, tally) = match step.after.iter().find(lacks) {
            Some(name) => {
                let reason = format!("it takes what the step '{name}' makes, which has not passed");
                (Outcome::Skipped(reason), Tally::default())
            }
            None => step.run(how),
        };
        if outcome != Outcome::Passed {
            let mut not_passed = not_passed.lock().expect("steps do not panic");
            not_passed.push(&step.name);
        }
        Record {
            name: step.name.clone(),
            outcome,
            tally,
            time: start.elapsed(),
            processor: before.filter(|_| alone).and_then(since),
        }
    };
    let in_view = |&(index, step): &Numbered<'steps>| {
        print!("{}", title(index));
        let record = record(step);
        println!("{}", record.last_line());
        (index, record)
    };
    let mut records: Vec<(usize, Record)> = if alone {
        main.iter().chain(&beside).map(in_view).collect()
    } else {
        let chains = Mutex::new(chains(beside));
        let next = || chains.lock().ok()?.pop_front();
        std::thread::scope(|scope| {
            let beside = scope.spawn(|| {
                let run = |(index, step): Numbered<'steps>| {
                    let (record, text) = kept(|| record(step));
                    println!("{}{text}{}", title(index), record.last_line());
                    (index, record)
                };
                std::iter::from_fn(next)
                    .flatten()
                    .map(run)
                    .collect::<Vec<_>>()
            });
            let mut records: Vec<_> = main.iter().map(in_view).collect();
            let rest = std::iter::from_fn(next).flatten();
            records.extend(rest.map(|step| in_view(&step)));
            records.extend(beside.join().expect("steps do not panic"));
            records
        })
    };
    records.sort_by_key(|(index, _)| *index);
    let records: Vec<Record> = records.into_iter().map(|(_, record)| record).collect();
    let spent = before.and_then(since);
    let (text, failed) = summary(&records, begin.elapsed(), spent, &after());
    println!("{text}");
    if failed > 0 {
        // The summary has said it all, and its last line stays the last.
        Err(String::new())
    } else if records.iter().all(|r| r.outcome != Outcome::Passed) {
        Err(String::from(NO_STEP_RAN.0))
    } else {
        Ok(())
    }
}

impl Record {
    fn last_line(&self) -> String {
        let time = seconds(self.time);
        match &self.outcome {
            Outcome::Passed => format!("--- passed in {time}"),
            Outcome::Failed(reason) => format!("--- FAILED after {time}: {reason}"),
            Outcome::Skipped(reason) => format!("--- SKIPPED: {reason}"),
        }
    }
}

/// What the processors have spent since then.
fn since(before: Duration) -> Option<Duration> {
    processor_time().map(|now| now.saturating_sub(before))
}

/// What the processors have spent on the programs that were started and have ended.
fn processor_time() -> Option<Duration> {
    let line = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The fields behind the name, which may have spaces; proc(5) counts the name as the second.
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    // In hundredths of a second, on every Linux.
    Some(Duration::from_millis(10 * (ticks(16)? + ticks(17)?)))
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// The table of all steps, what tests left out, and the closing line.
fn summary(
    records: &[Record],
    total: Duration,
    spent: Option<Duration>,
    after: &[String],
) -> (String, usize) {
    let width = records.iter().map(|r| r.name.len()).max().unwrap_or(0);
    let mut text = format!("\n=== summary, {}", seconds(total));
    if let Some(spent) = spent {
        text.push_str(&format!(", {} of processors", seconds(spent)));
    }
    if records.iter().any(|record| record.processor.is_some()) {
        text.push_str(" (the second column)");
    }
    text.push('\n');
    let mut all = Tally::default();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for record in records {
        let first = |reason: &str| reason.lines().next().unwrap_or_default().to_owned();
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
                ("FAILED", first(reason))
            }
            Outcome::Skipped(reason) => {
                skipped += 1;
                ("SKIPPED", first(reason))
            }
        };
        let line = format!(
            "{word:<8} {:<width$} {:>9} {:>9}  {note}",
            record.name,
            seconds(record.time),
            record.processor.map(seconds).unwrap_or_default()
        );
        text.push_str(line.trim_end());
        text.push('\n');
        all.add(record.tally.clone());
    }
    for skip in &all.skips {
        text.push_str(&format!("within the tests, {skip}\n"));
    }
    for line in after {
        text.push_str(&format!("{line}\n"));
    }
    text.push_str(&format!(
        "{passed} passed, {failed} failed, {skipped} skipped"
    ));
    (text, failed)
}

#[cfg(test)]
mod tests {
    use super::{
        Action, Numbered, Outcome, Record, Selection, Step, chains, processor_time, run_all,
        summary,
    };
    use crate::needs::Need;
    use crate::process::{Cmd, Tally};
    use std::time::Duration;

    fn step(name: &str, action: Action) -> Step {
        Step::new(name, &[], action)
    }

    fn runs(program: &str) -> Step {
        step(program, Action::Run(vec![Cmd::new(program)]))
    }

    #[test]
    fn a_failure_does_not_hide_what_follows_and_fails_the_run() {
        let run = |steps: &[Step]| run_all(steps, &Selection::default(), Vec::new);
        assert!(run(&[runs("false"), runs("true")]).is_err());
        assert!(run(&[runs("true")]).is_ok());
        assert!(run(&[]).is_err());
        let call = |fails: bool| {
            let function = move || if fails { Err(String::new()) } else { Ok(()) };
            step("call", Action::call(function))
        };
        assert!(run(&[call(false)]).is_ok());
        assert!(run(&[call(false), call(true)]).is_err());
    }

    #[test]
    fn steps_run_beside_others() {
        // Each waits for what the other makes.
        let file = |name: &str| {
            std::env::temp_dir().join(format!("lanner-xtask-{}-{name}", std::process::id()))
        };
        let meet = |own: &str, other: &str| {
            let [own, other] = [own, other].map(file);
            let line = format!(
                "touch '{}'; n=0; while [ ! -e '{}' ]; do n=$((n+1)); [ $n -lt 300 ] || exit 1; sleep 0.1; done",
                own.display(),
                other.display()
            );
            step("x", Action::Run(vec![Cmd::new("sh").args(["-c", &line])]))
        };
        let run = |steps: &[Step]| run_all(steps, &Selection::default(), Vec::new);
        assert!(run(&[meet("a", "b"), meet("b", "a").beside("one")]).is_ok());
        for name in ["a", "b"] {
            std::fs::remove_file(file(name)).expect("it was made");
        }
        assert!(run(&[runs("true"), runs("false").beside("one")]).is_err());
        assert!(run(&[runs("false"), runs("true").beside("one")]).is_err());
        assert!(run(&[runs("true").beside("one")]).is_ok());
    }

    #[test]
    fn a_test_step_without_tests_fails() {
        let run = |commands| step("x", Action::Tests(commands)).run(&Selection::default());
        let one = || Cmd::new("echo").args(["test result: ok. 1 passed; 0 failed;"]);
        assert_eq!(run(vec![one(), one()]).0, Outcome::Passed);
        let none = || Cmd::new("echo").args(["test result: ok. 0 passed; 0 failed;"]);
        for commands in [
            vec![Cmd::new("true")],
            vec![one(), none()],
            vec![none(), one()],
        ] {
            let (outcome, _) = run(commands);
            assert!(matches!(outcome, Outcome::Failed(why) if why.contains("no test at all")));
        }
        assert_eq!(run(vec![Cmd::new("true"), one()]).0, Outcome::Passed);
    }

    #[test]
    fn chains_keep_their_order() {
        let steps = [
            runs("true").beside("b"),
            runs("true").beside("a"),
            runs("true").beside("b"),
        ];
        let of = |chain: Vec<Numbered<'_>>| chain.into_iter().map(|(index, _)| index).collect();
        let chains = chains(steps.iter().enumerate().collect());
        let chains: Vec<Vec<usize>> = chains.into_iter().map(of).collect();
        assert_eq!(chains, [vec![0, 2], vec![1]]);
    }

    #[test]
    fn every_step_runs_once() {
        let file = std::env::temp_dir().join(format!("lanner-steps-{}", std::process::id()));
        let name = file.display().to_string();
        let writes = |word: &str| {
            let command = Cmd::new("sh").args(["-c", &format!("echo {word} >> '{name}'")]);
            step(word, Action::Run(vec![command]))
        };
        let steps = [
            writes("main"),
            writes("a1").beside("a"),
            writes("b1").beside("b"),
            writes("a2").beside("a"),
            step("fails", Action::Run(vec![Cmd::new("false")])).beside("b"),
        ];
        assert!(run_all(&steps, &Selection::default(), Vec::new).is_err());
        let said = std::fs::read_to_string(&file).expect("they wrote it");
        std::fs::remove_file(&file).expect("it is ours");
        let mut words: Vec<&str> = said.lines().collect();
        let place = |word: &str| words.iter().position(|other| *other == word);
        assert!(place("a1") < place("a2"), "{said}");
        words.sort_unstable();
        assert_eq!(words, ["a1", "a2", "b1", "main"]);
    }

    #[test]
    fn a_missing_need_is_a_skip_with_its_reason() {
        let mut missing = runs("true");
        missing.needs = vec![Need::Toolchain("no-such-toolchain", &[])];
        let mut how = Selection::default();
        let (outcome, _) = missing.run(&how);
        assert!(
            matches!(outcome, Outcome::Skipped(reason) if reason.contains("no-such-toolchain"))
        );
        how.no_skips = true;
        assert!(matches!(missing.run(&how).0, Outcome::Failed(_)));
        // What a machine is, nothing fetches.
        for need in [
            Need::Backend("no-such-backend"),
            Need::debian("an administrator", "false", &[]),
        ] {
            missing.needs = vec![need];
            assert!(matches!(missing.run(&how).0, Outcome::Skipped(_)));
        }
    }

    #[test]
    fn steps_are_chosen_by_parts_of_their_names() {
        let chosen = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(String::from).collect();
            let (mut selection, mut rest) = (Selection::default(), words.iter());
            while let Some(word) = rest.next() {
                assert!(selection.take(word, &mut rest).expect("its value is there"));
            }
            let steps = ["one", "two", "three"].map(runs).into();
            let names = selection.choose(steps).into_iter().map(|step| step.name);
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(chosen("--install --no-skips --list"), "one two three");
        assert_eq!(chosen("--only o"), "one two");
        assert_eq!(chosen("--only one|three"), "one three");
        assert_eq!(chosen("--from two"), "two three");
        assert_eq!(chosen("--from two --only e"), "three");
        assert_eq!(chosen("--from four"), "");
        assert_eq!(chosen("--only four"), "");
        let mut selection = Selection::default();
        assert!(selection.take("--only", &mut [].iter()).is_err());
        assert_eq!(selection.take("--fast", &mut [].iter()), Ok(false));
        assert!(selection.run(&[], Vec::new).is_err());
    }

    /// Alone, and after a failure, a step would else fail for what is not there.
    #[test]
    fn what_makes_what_a_step_takes_is_chosen_with_it() {
        let steps = || {
            vec![
                runs("cuts"),
                runs("builds").after("cuts"),
                runs("other"),
                runs("packs").after("builds"),
                runs("tests").after("builds").after("other"),
            ]
        };
        let chosen = |only: &str, from: Option<&str>| {
            let selection = Selection {
                only: only.split_whitespace().map(String::from).collect(),
                from: from.map(String::from),
                ..Selection::default()
            };
            let names = selection.choose(steps()).into_iter().map(|step| step.name);
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(chosen("packs", None), "cuts builds packs");
        assert_eq!(chosen("tests", None), "cuts builds other tests");
        assert_eq!(chosen("builds", None), "cuts builds");
        assert_eq!(chosen("other", None), "other");
        assert_eq!(chosen("", Some("tests")), "cuts builds other tests");
        assert_eq!(chosen("packs", Some("other")), "cuts builds packs");
        assert_eq!(chosen("", None), "cuts builds other packs tests");
        assert!(
            steps()[1]
                .describe()
                .starts_with("builds\n    after cuts\n")
        );
    }

    #[test]
    fn what_takes_what_was_not_made_is_not_run() {
        let file = std::env::temp_dir().join(format!("lanner-taken-{}", std::process::id()));
        let marks = |name: &str| {
            let command = Cmd::new("touch").args([file.display().to_string()]);
            step(name, Action::Run(vec![command])).after("first")
        };
        let fails = |name: &str| step(name, Action::Run(vec![Cmd::new("false")]));
        let passes = |name: &str| step(name, Action::Run(vec![Cmd::new("true")]));
        let mut lacks = passes("first");
        lacks.needs = vec![Need::Toolchain("no-such-toolchain", &[])];
        let run = |steps: &[Step]| run_all(steps, &Selection::default(), Vec::new);
        // What is skipped for that reason makes nothing, either.
        for first in [fails("first"), lacks] {
            let last = marks("last").after("second");
            assert!(run(&[first, marks("second"), last]).is_err());
            assert!(!file.exists());
        }
        assert!(run(&[fails("first").beside("a"), marks("second").beside("a")]).is_err());
        assert!(!file.exists());
        assert!(run(&[passes("first"), marks("second")]).is_ok());
        std::fs::remove_file(&file).expect("it was made");
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
            processor: Some(Duration::from_secs(2)),
        };
        let (text, failed) = summary(
            &[
                record(Outcome::Passed, &["SKIPPED: no data"]),
                record(Outcome::Failed("f".into()), &[]),
                record(Outcome::Skipped("s".into()), &[]),
            ],
            Duration::ZERO,
            Some(Duration::from_secs(6)),
            &[String::from("and another thing")],
        );
        assert_eq!(failed, 1);
        assert!(text.contains("SKIPPED: no data") && text.contains(" 6.0 s of processors"));
        assert!(text.ends_with("and another thing\n1 passed, 1 failed, 1 skipped"));
    }

    #[test]
    fn work_of_programs_is_counted() {
        let Some(before) = processor_time() else {
            return;
        };
        let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        Cmd::new("sh").args(["-c", work]).run().expect("sh runs");
        assert!(processor_time().expect("as before") > before);
    }
}
