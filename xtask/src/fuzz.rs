//! `cargo xtask fuzz`: the fuzz targets with coverage as a guide, by cargo-fuzz, and how often each has run so far. One
//! of them is a program of Node, which has its own guide.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::files::{fresh, make, read, text, write};
use crate::js;
use crate::needs::{self, Need};
use crate::process::{Cmd, root, target_dir, value};
use crate::targets::host;

/// What `cargo xtask fuzz --help` says.
pub(crate) const HELP: &str = "\
  fuzz [TARGET]... [--executions N | --seconds N] [--keep] [--list] [--record]
                  [--install]
                  run the fuzz targets on a nightly compiler, led by coverage, on one processor: each begins with what
                  fuzz/corpus has of it. Executions are counted in target/fuzz, commit by commit
                    --executions N  of each target (default: 1000000)
                    --seconds N     of each target, however many these are
                    --keep          instead, take the smallest inputs that reach what the runs reached into fuzz/corpus
                    --list          print the targets, how often each has run, and what is missing to the aim
                    --record        put how often each has run into fuzz/executions.json and fuzz/README.md
                    --install       fetch cargo-fuzz and the compiler
";

const TOOL: Need = Need::Crate {
    name: "cargo-fuzz",
    version: "0.13.2",
    program: "cargo-fuzz",
};

const NIGHTLY: Need = Need::Toolchain("nightly", &[]);

/// How many executions there are to be before a release, of all targets together, and
const AIM: u64 = 1_000_000_000;
/// of each target that compares all backends with each other: as many comparisons of each pair;
const AIM_OF_PAIRS: u64 = 10_000_000;
/// and of each other, so that the fast ones do not make up for those that are slow.
const AIM_OF_EACH: u64 = 1_000_000;

/// How long a search may go on before it is counted: what is lost when somebody stops the command.
const PIECE: u64 = 300;

/// A target, as `lanner_fuzz_targets::TARGETS` has it.
struct Target {
    name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All backends against each other: compiled as for a release, because an execution is long.
    Backends,
    /// The same verdicts in two ways, in code that has no unsafe part of its own; and decoders. With debug assertions and
    /// checks of overflow.
    Checked,
    /// The same, and a sanitizer looks at every address: what takes pointers.
    Addresses,
    /// A program of Node, which starts from its own good inputs and keeps none.
    Node,
}

/// The program of [`Kind::Node`], in `js/test`.
const NODE_TARGET: &str = "npm_decoders";

const fn target(name: &'static str, kind: Kind) -> Target {
    Target { name, kind }
}

const TARGETS: &[Target] = &[
    target("arrow", Kind::Checked),
    target("backends", Kind::Backends),
    target("batch", Kind::Checked),
    target("c_face", Kind::Addresses),
    target("command", Kind::Checked),
    target("curve", Kind::Checked),
    target("ed25519", Kind::Checked),
    target("falcon_signatures", Kind::Checked),
    target("fn_dsa_backends", Kind::Backends),
    target("fn_dsa_files", Kind::Checked),
    target("fn_dsa_keys", Kind::Checked),
    target("fn_dsa_signatures", Kind::Checked),
    target("hybrid", Kind::Checked),
    target(NODE_TARGET, Kind::Node),
    target("npm_modules", Kind::Checked),
    target("x25519", Kind::Checked),
];

/// How often a target has run, commit by commit.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Ledger(BTreeMap<String, BTreeMap<String, u64>>);

/// When a target has run enough.
#[derive(Clone, Copy)]
enum Until {
    Executions(u64),
    Seconds(u64),
}

/// Runs the command.
///
/// # Errors
///
/// An option or a target is unknown, the tool is missing, a target does not compile, or an input makes one fail.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (mut list, mut record, mut keep, mut install) = (false, false, false, false);
    let mut chosen = Vec::new();
    let mut until = Until::Executions(1_000_000);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut number = || {
            let text = value(arg, &mut args)?;
            let wrong = |_| format!("fuzz: {arg} takes a number, and not '{text}'");
            text.parse().map_err(wrong)
        };
        match arg.as_str() {
            "--executions" => until = Until::Executions(number()?),
            "--seconds" => until = Until::Seconds(number()?),
            "--keep" => keep = true,
            "--list" => list = true,
            "--record" => record = true,
            "--install" => install = true,
            option if option.starts_with('-') => {
                return Err(format!("fuzz: unknown option '{option}'"));
            }
            name => chosen.push(find(name)?),
        }
    }
    if chosen.is_empty() {
        let keeps = |target: &&Target| !keep || target.kind != Kind::Node;
        chosen.extend(TARGETS.iter().filter(keeps));
    }
    // What cannot be read is to be said before the search, and not after it.
    Ledger::load(&Ledger::file())?;
    if !list && !record {
        let commit = commit()?;
        for target in chosen {
            meet(target, install)?;
            build(target)?;
            if keep {
                if target.kind == Kind::Node {
                    return Err(format!("fuzz: {} keeps no inputs", target.name));
                }
                unpack(target)?;
                minimise(target)?;
            } else {
                if target.kind != Kind::Node {
                    unpack(target)?;
                }
                search(target, until, &commit)?;
            }
        }
    }
    let mut ledger = Ledger::load(&Ledger::recorded())?;
    ledger.merge(Ledger::load(&Ledger::file())?);
    if record {
        ledger.save(&Ledger::recorded())?;
        let page = root().join("fuzz/README.md");
        let new = with_rows(&read(&page)?, &rows(&ledger))?;
        write(&page, new)?;
    }
    print!("{}", table(&ledger));
    Ok(())
}

fn meet(target: &Target, install: bool) -> Result<(), String> {
    if target.kind == Kind::Node {
        js::NODE.meet(install)?;
        let built = root().join("js/dist/keys.js");
        return match built.exists() {
            true => Ok(()),
            false => Err(String::from(
                "fuzz: the npm package is not built: cargo xtask js",
            )),
        };
    }
    TOOL.meet(install)?;
    NIGHTLY.meet(install)
}

fn find(name: &str) -> Result<&'static Target, String> {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    let found = TARGETS.iter().find(|target| target.name == name);
    found.ok_or_else(|| format!("fuzz: no target '{name}': {}", names.join(", ")))
}

fn directory() -> PathBuf {
    target_dir().join("fuzz")
}

/// What is searched, with a mark if it is not the commit alone.
fn commit() -> Result<String, String> {
    let git = |args: &[&str]| Cmd::new("git").args(args.iter().copied()).capture();
    let name = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let mark = if changed.is_empty() { "" } else { "+" };
    Ok(format!("{}{mark}", name.trim()))
}

/// Where targets of a kind are built.
fn built(kind: Kind) -> PathBuf {
    directory().join(match kind {
        Kind::Backends => "release",
        Kind::Checked => "checked",
        Kind::Addresses => "addresses",
        Kind::Node => "node",
    })
}

fn program(target: &Target) -> Result<PathBuf, String> {
    let path = format!("{}/release/{}", host()?, target.name);
    Ok(built(target.kind).join(path))
}

fn build(target: &Target) -> Result<(), String> {
    let sanitizer = match target.kind {
        Kind::Addresses => "address",
        // It would look for what safe code cannot do, at half the speed.
        Kind::Backends | Kind::Checked => "none",
        // It builds what it needs itself.
        Kind::Node => return Ok(()),
    };
    let mut command = Cmd::new("rustup")
        .args(["run", "nightly", &needs::tool("cargo-fuzz"), "build"])
        .args(["--fuzz-dir", "fuzz/libfuzzer", "--sanitizer", sanitizer])
        .args(["--target-dir", &text(&built(target.kind))]);
    if target.kind == Kind::Backends {
        command = command.args(["--release"]);
    }
    command.args([target.name]).run().map(drop)
}

/// Where the inputs of a target are while it runs; they stay there from one run to the next.
fn inputs(target: &Target) -> PathBuf {
    directory().join("corpus").join(target.name)
}

/// The package that knows how inputs are kept; in the profile that its tests are built in as well.
fn corpus(what: &str, target: &Target, directory: &Path) -> Result<(), String> {
    Cmd::cargo([
        "run",
        "--quiet",
        "--profile",
        "test",
        "-p",
        "lanner-fuzz-targets",
    ])
    .args(["--example", "corpus", "--", what, target.name])
    .args([text(directory)])
    .run()
    .map(drop)
}

/// Puts what is kept of a target beside what earlier runs found.
fn unpack(target: &Target) -> Result<(), String> {
    corpus("unpack", target, &inputs(target))
}

/// Keeps the smallest inputs that reach everything.
fn minimise(target: &Target) -> Result<(), String> {
    let merged = directory().join("merged").join(target.name);
    fresh(&merged)?;
    let [_, said] = Cmd::new(&text(&program(target)?))
        .args(["-merge=1", &text(&merged), &text(&inputs(target))])
        .output()?;
    if !said.contains("MERGE-OUTER: ") {
        return Err(failure(target, &said));
    }
    corpus("pack", target, &merged)
}

/// Runs a target, and counts.
fn search(target: &Target, until: Until, commit: &str) -> Result<(), String> {
    let artifacts = directory().join("artifacts");
    make(&artifacts)?;
    let begun = Instant::now();
    let mut done = 0;
    loop {
        let spent = begun.elapsed();
        let (runs, seconds) = match until {
            Until::Executions(all) if done < all => (Some(all - done), PIECE),
            Until::Seconds(all) if spent < Duration::from_secs(all) => {
                (None, PIECE.min(all - spent.as_secs()))
            }
            _ => return Ok(()),
        };
        let command = match target.kind {
            Kind::Node => by_node(runs, seconds),
            _ => by_libfuzzer(target, &artifacts, runs, seconds)?,
        };
        let said = command.output()?.concat();
        let number = executions(&said).filter(|_| said.contains("\nDone "));
        let number = number.ok_or_else(|| failure(target, &said))?;
        done += number;
        println!("{}: {} executions more", target.name, grouped(number));
        Ledger::count(&Ledger::file(), target.name, commit, number)?;
    }
}

fn by_libfuzzer(
    target: &Target,
    artifacts: &Path,
    runs: Option<u64>,
    seconds: u64,
) -> Result<Cmd, String> {
    let command = Cmd::new(&text(&program(target)?)).args([
        "-print_final_stats=1",
        "-max_len=4096",
        "-timeout=60",
        "-rss_limit_mb=4096",
        // What is fast is tried more often.
        "-entropic_scale_per_exec_time=1",
        &format!("-max_total_time={seconds}"),
        &format!("-artifact_prefix={}/{}-", text(artifacts), target.name),
    ]);
    let command = command.args(runs.map(|runs| format!("-runs={runs}")));
    Ok(command.args([text(&inputs(target))]))
}

/// Each piece begins with another seed, which the program names.
fn by_node(runs: Option<u64>, seconds: u64) -> Cmd {
    let command = Cmd::new("node").args(["js/test/decoders.mjs", "--seconds"]);
    let command = command.args([seconds.to_string()]);
    let runs = runs.map(|runs| [String::from("--executions"), runs.to_string()]);
    command.args(runs.into_iter().flatten())
}

/// The number among the last words of libFuzzer, or of a program that says it as that does.
fn executions(said: &str) -> Option<u64> {
    said.lines()
        .filter_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .find_map(|number| number.trim().parse().ok())
}

/// What a target said that failed: the end of it, in which the input is named.
fn failure(target: &Target, said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    let end = lines[lines.len().saturating_sub(60)..].join("\n");
    format!("{}: it failed\n{end}", target.name)
}

impl Ledger {
    fn file() -> PathBuf {
        directory().join("executions.json")
    }

    /// What is committed: of each count the largest that any machine has recorded.
    fn recorded() -> PathBuf {
        root().join("fuzz/executions.json")
    }

    fn load(file: &Path) -> Result<Self, String> {
        if !file.exists() {
            return Ok(Self::default());
        }
        let damaged = |error| {
            format!(
                "{}: the counts are damaged ({error}); nothing is added to them: mend the file, or move it away",
                file.display()
            )
        };
        serde_json::from_str(&read(file)?).map_err(damaged)
    }

    /// Puts the file there as a whole, or leaves what was there.
    fn save(&self, file: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        let new = file.with_extension("new");
        write(&new, text + "\n")?;
        std::fs::rename(&new, file).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Takes over what the other one has more of: counts of a commit that both have may be the same runs.
    fn merge(&mut self, other: Self) {
        for (target, commits) in other.0 {
            let own = self.0.entry(target).or_default();
            for (commit, number) in commits {
                let count = own.entry(commit).or_default();
                *count = number.max(*count);
            }
        }
    }

    /// Adds to what a file says. Commands may run side by side: one at a time does this, and one that is stopped in the
    /// midst of it leaves the file as it was.
    fn count(file: &Path, target: &str, commit: &str, number: u64) -> Result<(), String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", file.display());
        let lock = File::create(file.with_extension("lock")).map_err(wrong)?;
        lock.lock().map_err(wrong)?;
        let mut ledger = Self::load(file)?;
        ledger.add(target, commit, number);
        ledger.save(file)
    }

    fn add(&mut self, target: &str, commit: &str, number: u64) {
        let commits = self.0.entry(target.to_owned()).or_default();
        *commits.entry(commit.to_owned()).or_default() += number;
    }

    fn of(&self, target: &str) -> u64 {
        self.0
            .get(target)
            .map_or(0, |commits| commits.values().sum())
    }
}

/// How often each target has run, and what is missing.
fn table(ledger: &Ledger) -> String {
    let mut table = String::new();
    let mut row = |name: &str, number: u64, aim: u64, commits: &str| {
        let missing = match aim.saturating_sub(number) {
            0 => String::from("enough"),
            missing => format!("{} to go", grouped(missing)),
        };
        let row = format!("{name:<18}{:>14}  {missing:<22}{commits}", grouped(number));
        let _ = writeln!(table, "{}", row.trim_end());
    };
    for target in TARGETS {
        let aim = match target.kind {
            Kind::Backends => AIM_OF_PAIRS,
            _ => AIM_OF_EACH,
        };
        let commits = ledger.0.get(target.name);
        let commits: Vec<&str> = commits
            .into_iter()
            .flatten()
            .map(|(name, _)| &**name)
            .collect();
        row(target.name, ledger.of(target.name), aim, &commits.join(" "));
    }
    let all = TARGETS.iter().map(|target| ledger.of(target.name)).sum();
    row("all", all, AIM, "");
    table
}

/// What the table of `fuzz/README.md` begins with.
const ROWS: &str = "| target | executions recorded |\n|---|---:|\n";

/// The table of `fuzz/README.md`.
fn rows(ledger: &Ledger) -> String {
    let row = |name: &str, number| format!("| {name} | {} |\n", grouped(number));
    let all = TARGETS.iter().map(|target| ledger.of(target.name)).sum();
    let targets = TARGETS
        .iter()
        .map(|target| row(&format!("`{}`", target.name), ledger.of(target.name)));
    let rows: String = targets.chain([row("all", all)]).collect();
    format!("{ROWS}{rows}")
}

/// A page with these rows in the place of its own.
fn with_rows(page: &str, rows: &str) -> Result<String, String> {
    let (before, rest) = page
        .split_once(ROWS)
        .ok_or("fuzz/README.md has no table of executions")?;
    let (_, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
    Ok(format!("{before}{rows}\n{after}"))
}

/// The number with a comma before every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_side_by_side_lose_no_count() {
        let dir = std::env::temp_dir().join(format!("lanner-fuzz-{}", std::process::id()));
        fresh(&dir).expect("it can be made");
        let file = dir.join("executions.json");
        std::thread::scope(|scope| {
            for target in ["backends", "curve", "x25519"] {
                let file = &file;
                scope.spawn(move || {
                    for _ in 0..100 {
                        Ledger::count(file, target, "a", 3).expect("it is counted");
                    }
                });
            }
        });
        let ledger = Ledger::load(&file).expect("it can be read");
        for target in ["backends", "curve", "x25519"] {
            assert_eq!(ledger.of(target), 300, "{target}");
        }
        std::fs::remove_dir_all(&dir).expect("it can be removed");
    }

    #[test]
    fn damaged_counts_are_an_error_and_stay() {
        let dir = std::env::temp_dir().join(format!("lanner-fuzz-damaged-{}", std::process::id()));
        fresh(&dir).expect("it can be made");
        let file = dir.join("executions.json");
        for damaged in [
            "{\n  \"curve\": {\n    \"a\": 3\n  }\n}}",
            "{\"curve\":{\"a\":3",
            "",
            "[]",
            "{\"curve\":3}",
        ] {
            std::fs::write(&file, damaged).expect("it can be written");
            for error in [
                Ledger::load(&file).expect_err("it is damaged"),
                Ledger::count(&file, "curve", "a", 1).expect_err("it is damaged"),
            ] {
                assert!(error.contains("executions.json: the counts are damaged"));
            }
            let left = std::fs::read_to_string(&file).expect("it is there");
            assert_eq!(left, damaged);
        }
        // What a write left that was broken off is of no account.
        std::fs::write(&file, "{}").expect("it can be written");
        std::fs::write(file.with_extension("new"), "{\"cur").expect("it can be written");
        Ledger::count(&file, "curve", "a", 4).expect("it is counted");
        let ledger = Ledger::load(&file).expect("it can be read");
        assert_eq!(ledger.of("curve"), 4);
        std::fs::remove_dir_all(&dir).expect("it can be removed");
    }

    #[test]
    fn the_page_has_what_is_recorded() {
        let ledger = Ledger::load(&Ledger::recorded()).expect("it can be read");
        for name in ledger.0.keys() {
            assert!(find(name).is_ok(), "{name}");
        }
        let page = crate::pages::read("fuzz/README.md").expect("it is there");
        let rows = rows(&ledger);
        assert!(
            page.contains(&rows),
            "fuzz/README.md: cargo xtask fuzz --record"
        );
        assert_eq!(with_rows(&page, &rows).as_ref(), Ok(&page));
        let other = with_rows(&page, "| a |\n").expect("the page has the table");
        assert_eq!(page.replace(&rows, "| a |\n"), other);
    }

    #[test]
    fn ledgers_are_merged() {
        let mut ledger = Ledger::default();
        ledger.add("curve", "a", 5);
        ledger.add("curve", "b", 1);
        let mut other = Ledger::default();
        other.add("curve", "a", 3);
        other.add("curve", "b", 2);
        other.add("x25519", "a", 7);
        ledger.merge(other);
        assert_eq!((ledger.of("curve"), ledger.of("x25519")), (7, 7));
    }

    #[test]
    fn targets_are_those_of_the_package() {
        let directory = root().join("fuzz/libfuzzer/fuzz_targets");
        let entries = std::fs::read_dir(directory).expect("it is there");
        let mut files: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string())
            .map(|name| name.expect("a name in UTF-8").replace(".rs", ""))
            .collect();
        files.push(NODE_TARGET.to_owned());
        files.sort();
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        assert_eq!(names, files);
        assert!(root().join("js/test/decoders.mjs").exists());
        let readme = crate::pages::read("fuzz/README.md").expect("it is there");
        for name in names {
            assert!(readme.contains(&format!("\n| `{name}` |")), "{name}");
        }
    }

    #[test]
    fn executions_are_read() {
        let said = "Done 5 runs in 1 second(s)\nstat::number_of_executed_units: 5\nstat::x: 9\n";
        assert_eq!(executions(said), Some(5));
        assert_eq!(executions("==1== ERROR: libFuzzer: deadly signal"), None);
    }

    #[test]
    fn executions_add_up() {
        let mut ledger = Ledger::default();
        ledger.add("backends", "a", AIM_OF_PAIRS - 1234);
        ledger.add("curve", "a", 1_000);
        ledger.add("curve", "b", 234);
        let table = table(&ledger);
        let line = |start: &str| table.lines().find(|line| line.starts_with(start));
        assert!(
            line("backends").is_some_and(|it| it.contains("1,234 to go")),
            "{table}"
        );
        assert!(
            line("curve")
                .is_some_and(|it| it.ends_with("a b") && it.contains(" 1,234  998,766 to go "))
        );
        assert!(
            line("all").is_some_and(|it| it.contains("990,000,000 to go")),
            "{table}"
        );
        let again: Ledger = serde_json::from_str(&serde_json::to_string(&ledger).expect("JSON"))
            .expect("our own form");
        assert_eq!(again, ledger);
        ledger.add("backends", "b", 1234);
        assert!(super::table(&ledger).contains("10,000,000  enough"));
    }
}
