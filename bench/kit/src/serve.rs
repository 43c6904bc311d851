//! The protocol between the benchmark and a runner process.
//!
//! A runner is started with the name of a pool file as its last argument. It reads one request a
//! line from its standard input and answers with one line:
//!
//! | request | answer |
//! |---|---|
//! | `has TASK` | `yes` or `no` |
//! | `run TASK TIMES` | the nanoseconds that TIMES runs took, after one run that is not counted |
//! | `judge TASK FILE` | a `1` for each run over the entries of another pool that is right, and a `0` for each other |
//!
//! At the end of its input it ends. A request that it does not understand or a wrong result ends
//! it with an error on its standard error. The benchmark waits while a runner works, and both are on
//! one CPU, so that processes can take turns as finely as operations within one process do.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

use crate::{Library, Operation, Pool, Task, judge};

/// Runs an operation once, and then so many times; the nanoseconds of the latter.
pub fn time(operation: &mut Operation<'_>, times: usize) -> f64 {
    // Fills the caches with what this operation needs.
    operation(1);
    let begin = Instant::now();
    mark(0);
    operation(times);
    mark(1);
    begin.elapsed().as_nanos() as f64
}

/// What is measured begins with one call of this function and ends with another: `cargo xtask predict` follows the
/// program from outside, and knows the function by its name.
#[inline(never)]
fn mark(place: u8) {
    std::hint::black_box(place);
}

/// Serves a library to the benchmark, with the pool of a file, until the input ends.
///
/// # Errors
///
/// The pool cannot be read, or a request is not understood.
pub fn serve(
    library: &dyn Library,
    pool: &Path,
    requests: impl BufRead,
    mut answers: impl Write,
) -> Result<(), String> {
    let file = std::fs::read(pool).map_err(|error| format!("{}: {error}", pool.display()))?;
    let pool = Pool::from_file(&file)?;
    let mut operations: HashMap<Task, Option<Operation<'_>>> = HashMap::new();
    for line in requests.lines() {
        let line = line.map_err(|error| error.to_string())?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["judge", task, file] = words[..] {
            let file = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
            let cases = Pool::from_file(&file)?;
            let verdicts = judge::judge(library, task.parse()?, &cases);
            let verdicts = verdicts.ok_or_else(|| format!("cannot judge '{task}'"))?;
            writeln!(answers, "{}", judge::to_text(&verdicts))
                .and_then(|()| answers.flush())
                .map_err(|error| error.to_string())?;
            continue;
        }
        let (verb, task, times) = match words[..] {
            ["has", task] => ("has", task, None),
            ["run", task, times] => ("run", task, Some(times)),
            _ => return Err(format!("cannot understand '{line}'")),
        };
        let operation = match task.parse::<Task>() {
            Ok(task) if task.units() <= pool.seeds.len() => operations
                .entry(task)
                .or_insert_with(|| library.operation(task, &pool))
                .as_mut(),
            _ => None,
        };
        let answer = match (operation, times) {
            (Some(operation), Some(times)) => {
                let times = times.parse().map_err(|_| format!("no number: '{line}'"))?;
                format!("{}", time(operation, times))
            }
            (None, Some(_)) => return Err(format!("cannot {verb} '{task}'")),
            (Some(_), None) => String::from("yes"),
            (None, None) => String::from("no"),
        };
        writeln!(answers, "{answer}")
            .and_then(|()| answers.flush())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// [`serve`] on the standard streams.
///
/// # Errors
///
/// As `serve`.
pub fn serve_standard(library: &dyn Library, pool: &Path) -> Result<(), String> {
    serve(library, pool, std::io::stdin().lock(), std::io::stdout())
}

#[cfg(test)]
mod tests {
    use super::serve;
    use crate::{Library, Operation, Pool, SINGLES, Task, each};

    struct OnlySigns;

    impl Library for OnlySigns {
        fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
            (task == Task::Sign).then(|| each(move |i| assert_eq!(pool.seeds[i], [7; 32])))
        }
    }

    fn answers(requests: &str) -> Result<String, String> {
        let pool = Pool {
            seeds: vec![[7; 32]; SINGLES],
            publics: vec![[0; 32]; SINGLES],
            messages: vec![vec![]; SINGLES],
            signatures: vec![[0; 64]; SINGLES],
            peers: vec![[0; 32]; SINGLES],
            shared: vec![[0; 32]; SINGLES],
        };
        let path = std::env::temp_dir().join(format!("lanner-kit-{}", std::process::id()));
        std::fs::write(&path, pool.to_file()).map_err(|error| error.to_string())?;
        let mut output = Vec::new();
        serve(&OnlySigns, &path, requests.as_bytes(), &mut output)?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    #[test]
    fn requests_are_answered_or_refused() {
        let text = answers("has sign\nhas verify\nhas dance\nrun sign 3\n").expect("all are known");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["yes", "no", "no"]);
        assert!(lines[3].parse::<f64>().expect("a number") > 0.0);
        for wrong in ["run verify 3\n", "run sign many\n", "sign\n"] {
            assert!(answers(wrong).is_err(), "{wrong}");
        }
    }
}
