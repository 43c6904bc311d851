//! Instructions for each operation, counted by valgrind: the same on every machine, and so a measure for processors that are
//! not at hand.
//!
//! A runner process does an operation some times and, in another process, some more times; the difference is what the
//! operations took, without the start of the process. Valgrind shows programs a processor with AVX2 and BMI2, without ADX and AVX-512.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lanner_bench_kit::{SINGLES, Task};

use crate::process::Process;
use crate::rows::{Platform, Row};
use crate::runners::{Runner, Runners, Wanted};
use crate::{machine, pool};

/// What is counted.
const TASKS: [Task; 7] = [
    Task::Keygen,
    Task::Sign,
    Task::Verify,
    Task::VerifyStrict,
    Task::Batch(64),
    Task::X25519Base,
    Task::X25519,
];

/// Columns of Lanner that valgrind can run: it shows 32-bit programs no AVX2.
const OWN: [(&str, Platform); 4] = [
    ("lanner/portable64", Platform::Native),
    ("lanner/avx2", Platform::Native),
    ("lanner/portable32", Platform::I686),
    ("lanner/sse2", Platform::I686),
];

/// Floodyberry's ed25519-donna and curve25519-donna, compiled by gcc 12 with -O3, which are in no registry: counted once, as here.
/// In thousands: a signature with the public key at hand, a verification, one of a batch of 64, a shared secret.
const PUBLISHED: [(&str, Platform, [u32; 4]); 3] = [
    ("donna -m64", Platform::Native, [165, 527, 236, 432]),
    ("donna -m32", Platform::I686, [605, 1755, 715, 1378]),
    ("donna -m32, SSE2", Platform::I686, [313, 1000, 438, 815]),
];

/// The rows of [`PUBLISHED`], and how many times its count ours may be at most.
const LIMITS: [(Task, f64); 4] = [
    (Task::Sign, 1.1),
    (Task::Verify, 1.0),
    (Task::Batch(64), 1.0),
    (Task::X25519, 1.0),
];

/// Which of our columns stands beside which of those.
const BESIDE: [(&str, &str); 3] = [
    ("lanner/portable64", "donna -m64"),
    ("lanner/portable32", "donna -m32"),
    ("lanner/sse2", "donna -m32, SSE2"),
];

/// A column on one platform.
struct Column {
    name: String,
    version: String,
    platform: Platform,
    /// Thousands of instructions; nothing where the library lacks the operation.
    counts: Vec<Option<f64>>,
}

/// Builds the runners, counts, and returns the report as Markdown.
///
/// # Errors
///
/// There is no valgrind, or a runner fails under it.
pub(crate) fn report(message: usize, seed: u64) -> Result<String, String> {
    let valgrind = machine::tool("valgrind", "--version");
    if !valgrind.starts_with("valgrind") {
        return Err(String::from("counting needs valgrind (Debian: valgrind)"));
    }
    let peers = ["dalek", "dalek/serial", "dalek/u64"];
    let runners = Runners::build(&Wanted {
        column: &|name| peers.contains(&name),
        platforms: &[Platform::Native, Platform::I686],
        backends: true,
    });
    let pool = pool::new(SINGLES.max(64), message, seed);
    let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    file.write_all(&pool.to_file())
        .map_err(|error| error.to_string())?;

    let mut columns = Vec::new();
    for runner in runners.iter() {
        let column = runner.column.as_str();
        if !peers.contains(&column) && !OWN.contains(&(column, runner.platform)) {
            continue;
        }
        eprintln!("counting {} on {:?}", runner.column, runner.platform);
        columns.push(Column {
            name: runner.column.clone(),
            version: runner.version.clone(),
            platform: runner.platform,
            counts: TASKS
                .into_iter()
                .map(|task| count(runner, task, file.path()))
                .collect::<Result<_, _>>()?,
        });
    }
    let mut text = format!(
        "# Instructions, counted\n\nThousands of instructions for each operation, messages of {message} bytes, by {valgrind} and {}: \
         `cargo run --release -p lanner-bench -- --instructions`. Counts are the same on every machine, and tell of code, \
         not of time. A column in italics is published: those libraries are in no registry.\n",
        machine::tool("rustc", "--version"),
    );
    for (platform, title) in [(Platform::Native, "x86-64"), (Platform::I686, "32-bit x86")] {
        table(&mut text, title, platform, &columns);
    }
    goals(&mut text, &columns);
    for missing in &runners.missing {
        let _ = writeln!(text, "\nNot counted: {}: {}", missing.what, missing.reason);
    }
    Ok(text)
}

/// Thousands of instructions of a task.
fn count(runner: &Runner, task: Task, pool: &Path) -> Result<Option<f64>, String> {
    let mut command = Command::new(&runner.command[0]);
    command.args(&runner.command[1..]).arg(pool);
    if !Process::start(&runner.column, command)?.has(task)? {
        return Ok(None);
    }
    // Enough for a mean over inputs; those of the first number are among those of the second.
    let (few, many) = if task.units() == 1 { (1, 65) } else { (1, 4) };
    let instructions = instructions(&runner.command, pool, task, many)?
        - instructions(&runner.command, pool, task, few)?;
    Ok(Some(
        instructions / (many - few) as f64 / task.units() as f64 / 1000.0,
    ))
}

/// All instructions of a process that runs a task so many times.
fn instructions(runner: &[PathBuf], pool: &Path, task: Task, times: usize) -> Result<f64, String> {
    let log = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(format!("--log-file={}", log.path().display()))
        .args(runner)
        .arg(pool)
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    let shown = format!("{command:?}");
    let failed = |error: &dyn std::fmt::Display| format!("{shown}: {error}");
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let mut requests = child.stdin.take().expect("it is piped");
    writeln!(requests, "run {task} {times}").map_err(|error| failed(&error))?;
    drop(requests);
    let status = child.wait().map_err(|error| failed(&error))?;
    let text = std::fs::read_to_string(log.path()).map_err(|error| failed(&error))?;
    if !status.success() {
        return Err(failed(&format!("{status}\n{text}")));
    }
    refs(&text).ok_or_else(|| failed(&format!("no count in\n{text}")))
}

/// The number in the line of cachegrind's summary that has it.
fn refs(log: &str) -> Option<f64> {
    let is_total = |text: &str| text.split_whitespace().last() == Some("I");
    let (_, rest) = log
        .lines()
        .filter_map(|line| line.split_once("refs:"))
        .find(|(before, _)| is_total(before))?;
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn cell(count: Option<f64>) -> String {
    count.map_or_else(String::new, |count| format!("{count:.1}"))
}

fn published(name: &str, task: Task) -> Option<f64> {
    let (_, _, counts) = PUBLISHED.iter().find(|(column, _, _)| *column == name)?;
    let row = LIMITS.iter().position(|(row, _)| *row == task)?;
    Some(f64::from(counts[row]))
}

/// The table of one platform.
fn table(text: &mut String, title: &str, platform: Platform, columns: &[Column]) {
    let columns: Vec<&Column> = columns.iter().filter(|c| c.platform == platform).collect();
    let donna: Vec<&str> = PUBLISHED
        .iter()
        .filter(|(_, on, _)| *on == platform)
        .map(|(name, _, _)| *name)
        .collect();
    let _ = write!(text, "\n## {title}\n\n|  |");
    for column in &columns {
        let _ = write!(text, " {} |", column.name);
    }
    for name in &donna {
        let _ = write!(text, " *{name}* |");
    }
    let _ = writeln!(
        text,
        "\n|---|{}",
        "---:|".repeat(columns.len() + donna.len())
    );
    for (row, task) in TASKS.into_iter().enumerate() {
        let _ = write!(text, "| {} |", Row::native(task));
        for column in &columns {
            let _ = write!(text, " {} |", cell(column.counts[row]));
        }
        for name in &donna {
            let _ = write!(text, " {} |", cell(published(name, task)));
        }
        text.push('\n');
    }
    let mut versions: Vec<&str> = columns.iter().map(|c| c.version.as_str()).collect();
    versions.dedup();
    let _ = writeln!(text, "\n{}.", versions.join("; "));
}

/// What plain processors should need at most, beside the libraries in C that people come from.
fn goals(text: &mut String, columns: &[Column]) {
    text.push_str(
        "\n## Goals\n\n| ours | row | count | theirs, published | times theirs | at most | |\n|---|---|---:|---:|---:|---:|---|\n",
    );
    for (ours, theirs) in BESIDE {
        let platform = PUBLISHED.iter().find(|(name, _, _)| *name == theirs);
        let Some((_, platform, _)) = platform else {
            continue;
        };
        let Some(column) = columns
            .iter()
            .find(|c| c.name == ours && c.platform == *platform)
        else {
            continue;
        };
        for (task, at_most) in LIMITS {
            let row = TASKS
                .iter()
                .position(|t| *t == task)
                .expect("it is counted");
            let (Some(count), Some(peer)) = (column.counts[row], published(theirs, task)) else {
                continue;
            };
            let ratio = count / peer;
            let _ = writeln!(
                text,
                "| {ours} | {} | {count:.1} | {peer:.0} ({theirs}) | {ratio:.2} | {at_most:.2} | {} |",
                Row::native(task),
                if ratio <= at_most { "met" } else { "missed" },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BESIDE, OWN, PUBLISHED, goals, refs, table};
    use super::{Column, TASKS};
    use crate::rows::Platform;

    #[test]
    fn counts_are_found_in_the_summaries_of_valgrind() {
        let log = "==7== \n==7== LLi refs:      1\n==7== I   refs:        12,345,678\n";
        assert_eq!(refs(log), Some(12_345_678.0));
        assert_eq!(refs("==7== I refs:  9\n"), Some(9.0));
        assert_eq!(refs("==7== nothing\n"), None);
    }

    #[test]
    fn what_stands_beside_each_other_exists() {
        for (ours, theirs) in BESIDE {
            let (_, platform, _) = PUBLISHED
                .iter()
                .find(|(name, _, _)| *name == theirs)
                .expect("it is published");
            assert!(OWN.contains(&(ours, *platform)));
        }
    }

    #[test]
    fn goals_tell_what_is_met() {
        let columns = [Column {
            name: String::from("lanner/portable64"),
            version: String::from("lanner 0"),
            platform: Platform::Native,
            counts: TASKS.iter().map(|_| Some(240.0)).collect(),
        }];
        let mut text = String::new();
        table(&mut text, "x86-64", Platform::Native, &columns);
        assert!(text.contains("| batch-64 | 240.0 | 236.0 |"), "{text}");
        assert!(text.contains("| keygen | 240.0 |  |"), "{text}");
        goals(&mut text, &columns);
        assert!(
            text.contains("| batch-64 | 240.0 | 236 (donna -m64) | 1.02 | 1.00 | missed |"),
            "{text}"
        );
        assert!(
            text.contains("| verify | 240.0 | 527 (donna -m64) | 0.46 | 1.00 | met |"),
            "{text}"
        );
    }
}
