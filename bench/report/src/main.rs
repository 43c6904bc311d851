//! `lanner-bench-report`: joins what was measured into one file, and makes the page of such files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lanner_bench_report::data::Results;
use lanner_bench_report::{import, page};

/// The page that shows what the benchmarks measured
#[derive(Parser)]
#[command(name = "lanner-bench-report")]
struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// One file of what several programs measured on one machine
    Join {
        /// What is written
        output: PathBuf,
        /// Files of `lanner-bench --submit`; what is said of machine and run is the first one's
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// What `node test/performance.js --json` printed
        #[arg(long)]
        npm: Option<PathBuf>,
        /// What `python bench/compare.py --json` wrote
        #[arg(long)]
        python: Option<PathBuf>,
        /// Something that could not be measured: `what=why`
        #[arg(long, value_name = "WHAT=WHY")]
        missing: Vec<String>,
        /// The command that does all of it again
        #[arg(long)]
        command: Option<String>,
        /// What else one has to know to read the numbers
        #[arg(long)]
        note: Option<String>,
    },
    /// The same of the table that `cargo xtask predict` prints
    Predicted {
        /// What is written
        output: PathBuf,
        /// What was printed
        tables: Vec<PathBuf>,
        /// The core of llvm-mca
        #[arg(long, default_value = "neoverse-v1")]
        core: String,
        /// Its clock
        #[arg(long, default_value_t = 2.6)]
        gigahertz: f64,
        /// The day
        #[arg(long)]
        date: String,
    },
    /// The page with its pictures and data
    Page {
        /// Where to
        directory: PathBuf,
        /// The file that the page is about before all others
        #[arg(long)]
        first: Option<PathBuf>,
        /// The files of machines
        files: Vec<PathBuf>,
    },
    /// The picture of the README
    Picture {
        /// What is written
        output: PathBuf,
        /// The files of machines
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(Options::parse().what) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("lanner-bench-report: {message}");
            ExitCode::FAILURE
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn run(what: What) -> Result<(), String> {
    match what {
        What::Join {
            output,
            parts,
            npm,
            python,
            missing,
            command,
            note,
        } => {
            let mut parts = parts.iter().map(|path| Results::read(path));
            let mut results = parts.next().ok_or("no file")??;
            for part in parts {
                results.join(part?);
            }
            if let Some(path) = npm {
                results.join(import::npm(&read(&path)?)?);
            }
            if let Some(path) = python {
                results.join(import::python(&read(&path)?)?);
            }
            for pair in missing {
                let (what, why) = pair.split_once('=').ok_or("--missing WHAT=WHY")?;
                results.missing.insert(what.into(), why.into());
            }
            if let Some(command) = command {
                results.run.command = command;
            }
            if let Some(note) = note {
                results.run.note = note;
            }
            write(&output, &results.write())
        }
        What::Predicted {
            output,
            tables,
            core,
            gigahertz,
            date,
        } => {
            let text: Result<Vec<String>, String> = tables.iter().map(|path| read(path)).collect();
            let mut results = import::predicted(&text?.join("\n"), &core, gigahertz)?;
            results.run.date = date;
            results.run.command = "cargo xtask predict; cargo xtask predict --fn-dsa".into();
            results.run.note = "a model of the core, no measurement: docs/performance.md".into();
            write(&output, &results.write())
        }
        What::Page {
            directory,
            first,
            files,
        } => {
            let mut all = named(&files)?;
            if let Some(first) = first {
                let mut first = named(&[first])?;
                first[0].1.first = true;
                all.splice(..0, first);
            }
            page::write(&directory, &all)
        }
        What::Picture { output, files } => {
            let files: Vec<Results> = named(&files)?.into_iter().map(|(_, file)| file).collect();
            write(&output, &page::picture(&files)?)
        }
    }
}

/// The files, in the order of their names.
fn named(files: &[PathBuf]) -> Result<Vec<(String, Results)>, String> {
    let mut all = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        all.push((name.into_owned(), Results::read(path)?));
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(all)
}
