//! The columns of the report, and who fills them.
//!
//! A further library that needs no flags and no other language is a file here that implements
//! [`Library`], and a line in [`here`]; any other is a runner process, see `runners.rs`.

mod aws_lc;
mod dalek;
mod fn_dsa;
mod fn_dsa_04;
mod graviola;
mod lanner;
mod ml_dsa;
mod pqclean;
mod ring;
mod schemes;
mod zebra;

use std::cell::RefCell;
use std::path::Path;

use lanner_bench_kit::{Library, Pool, Task, judge, serve};

use crate::machine;
use crate::process::Process;
use crate::rows::{Platform, Row};

pub(crate) use lanner::Lanner;

/// The column that all others are held against.
pub(crate) const FIRST: &str = "lanner";

/// Runs a task once, and then so many times, which took the nanoseconds it returns.
pub(crate) type Timer<'p> = Box<dyn FnMut(usize) -> Result<f64, String> + 'p>;

/// Fills cells of a column. Several may fill one column, on different platforms.
pub(crate) struct Provider {
    pub(crate) column: String,
    /// Package and version.
    pub(crate) version: String,
    pub(crate) platform: Platform,
    library: Kind,
}

enum Kind {
    Here(Box<dyn Library>),
    Process(RefCell<Process>),
}

impl Provider {
    /// A library in a process of its own.
    pub(crate) fn process(
        column: &str,
        version: &str,
        platform: Platform,
        process: Process,
    ) -> Self {
        Self {
            column: column.to_owned(),
            version: version.to_owned(),
            platform,
            library: Kind::Process(RefCell::new(process)),
        }
    }

    /// The timer of a row, or nothing where the library does not offer it.
    pub(crate) fn timer<'p>(
        &'p self,
        row: Row,
        pool: &'p Pool,
    ) -> Result<Option<Timer<'p>>, String> {
        if row.platform != self.platform {
            return Ok(None);
        }
        match &self.library {
            Kind::Here(library) => Ok(library.operation(row.task, pool).map(|mut operation| {
                let timer: Timer<'p> =
                    Box::new(move |times| Ok(serve::time(&mut operation, times)));
                timer
            })),
            Kind::Process(process) => {
                if !process.borrow_mut().has(row.task)? {
                    return Ok(None);
                }
                let task: Task = row.task;
                Ok(Some(Box::new(move |times| {
                    process.borrow_mut().run(task, times)
                })))
            }
        }
    }
}

impl Provider {
    /// The verdicts on the cases of a pool, which is in a file as well; nothing where the library does not offer the task.
    pub(crate) fn judge(
        &self,
        task: Task,
        pool: &Pool,
        file: &Path,
    ) -> Result<Option<Vec<bool>>, String> {
        match &self.library {
            Kind::Here(library) => Ok(judge::judge(library.as_ref(), task, pool)),
            Kind::Process(process) => {
                let mut process = process.borrow_mut();
                if !process.has(task)? {
                    return Ok(None);
                }
                process.judge(task, file).map(Some)
            }
        }
    }
}

/// The libraries in this process, Lanner first.
pub(crate) fn here() -> Vec<Provider> {
    let provider = |column: &str, package: &str, library| Provider {
        column: column.to_owned(),
        version: machine::version(package),
        platform: Platform::Native,
        library: Kind::Here(library),
    };
    vec![
        provider(FIRST, "lanner-ed25519", Box::new(Lanner)),
        provider("dalek", "ed25519-dalek", Box::new(dalek::Dalek)),
        provider("aws-lc", "aws-lc-rs", Box::new(aws_lc::AwsLc)),
        provider("graviola", "graviola", Box::new(graviola::Graviola)),
        provider("ring", "ring", Box::new(ring::Ring)),
        provider("zebra", "ed25519-zebra", Box::new(zebra::Zebra)),
        provider("fn-dsa", "fn-dsa@0.3", Box::new(fn_dsa::FnDsa03)),
        provider("fn-dsa-0.4", "fn-dsa@0.4", Box::new(fn_dsa_04::FnDsa04)),
        provider("pqclean", "pqcrypto-falcon", Box::new(pqclean::PqClean)),
        provider("ml-dsa", "ml-dsa", Box::new(ml_dsa::MlDsa)),
    ]
}

#[cfg(test)]
pub(crate) fn of_library(column: &str, library: Box<dyn Library>) -> Provider {
    Provider {
        column: column.to_owned(),
        version: String::new(),
        platform: Platform::Native,
        library: Kind::Here(library),
    }
}

#[cfg(test)]
mod tests {
    use super::here;
    use crate::pool;
    use crate::rows::Row;
    use lanner_bench_kit::Task;

    /// Every operation checks its own results while it runs.
    #[test]
    fn every_row_of_every_library_gives_the_right_result() {
        let pool = pool::new(1024, 45, 1);
        for provider in here() {
            let mut rows = 0;
            for task in Task::all() {
                let timer = provider.timer(Row::native(task), &pool).expect("no runner");
                if let Some(mut timer) = timer {
                    timer(if task.units() == 1 { 130 } else { 2 }).expect("no runner");
                    rows += 1;
                }
            }
            assert!(rows >= 4, "{} measures too little", provider.column);
        }
    }

    #[test]
    fn a_wrong_input_is_noticed() {
        let mut pool = pool::new(128, 45, 1);
        pool.signatures[0][5] ^= 1;
        pool.shared[0][5] ^= 1;
        let tasks = [
            Task::Sign,
            Task::Verify,
            Task::VerifyPrepared,
            Task::Batch(8),
            Task::BatchZip215(8),
            Task::Each(64),
            Task::SignMany,
            Task::VerifyPreparedMany,
            Task::X25519Many,
        ];
        for provider in here() {
            for task in tasks {
                let timer = provider.timer(Row::native(task), &pool).expect("no runner");
                let Some(mut timer) = timer else {
                    continue;
                };
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| timer(1)));
                assert!(result.is_err(), "{} {task}", provider.column);
            }
        }
    }
}
