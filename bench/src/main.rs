//! Lanner against its peers, in one interleaved run. The method stands in `bench/README.md`.

mod goals;
mod instructions;
mod machine;
mod measure;
mod peers;
mod pool;
mod process;
mod report;
mod rows;
mod runners;
mod size;
mod stats;
mod verdicts;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use lanner_bench_kit::{SINGLES, serve};
use lanner_curve::backend;

use goals::Goal;
use measure::Plan;
use peers::FIRST;
use report::Report;
use rows::{Platform, Row};
use runners::{Runners, Wanted};

/// Measure Lanner and its peers side by side
#[derive(Debug, Parser)]
#[command(name = "lanner-bench", args_override_self = true)]
struct Options {
    /// Rows to measure, separated by commas: whole names, or parts of names
    #[arg(long, value_name = "LIST", conflicts_with = "goals")]
    rows: Option<String>,

    /// Measure the rows that the table of goals needs, no others
    #[arg(long)]
    goals: bool,

    /// Peers to measure, separated by commas
    #[arg(long, value_name = "LIST")]
    peers: Option<String>,

    /// Build and start no runner processes: only what is in this program
    #[arg(long)]
    no_runners: bool,

    /// A further column for each backend of Lanner
    #[arg(long)]
    backends: bool,

    /// Measure the size build, too
    #[arg(long)]
    size: bool,

    /// Count instructions under valgrind in place of measuring time
    #[arg(long, conflicts_with_all = ["rows", "goals", "peers", "rounds", "backends", "size", "json", "quick", "submit"])]
    instructions: bool,

    /// Rounds; each runs every cell once [default: 51]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,

    /// How long a cell runs in each round, in microseconds [default: 2000]
    #[arg(long, value_name = "µS")]
    slice: Option<u64>,

    /// 7 rounds of 400 µs, unless told otherwise, and a mark in what is submitted
    #[arg(long)]
    quick: bool,

    /// Length of the messages in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 32)]
    message: usize,

    /// Seed of the inputs and of the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// CPU to stay on [default: the last one]
    #[arg(long, value_name = "N")]
    cpu: Option<usize>,

    /// Backend of Lanner [default: the one it chooses itself]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,

    /// Print JSON in place of the tables
    #[arg(long)]
    json: bool,

    /// Write a Markdown report as well [default file: docs/benchmarks.md; of instructions docs/instructions.md]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    markdown: Option<Option<PathBuf>>,

    /// Write the file that a page collects as well: machine, versions, rows
    #[arg(long, value_name = "FILE")]
    submit: Option<PathBuf>,

    /// Ask every library for its verdicts on odd signatures as well, for that file
    #[arg(long, requires = "submit")]
    verdicts: bool,

    /// What js/bench/verdicts.mjs or python/bench/verdicts.py printed, to stand beside these verdicts
    #[arg(long, value_name = "FILE", requires = "verdicts")]
    verdicts_of: Vec<PathBuf>,

    /// List rows and columns, measure nothing
    #[arg(long)]
    list: bool,

    /// Be a runner process of Lanner itself, with the pool of this file
    #[arg(long, value_name = "FILE", hide = true)]
    serve: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("lanner-bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    if let Some(name) = &options.backend {
        force(name)?;
    }
    if let Some(pool) = &options.serve {
        return serve::serve_standard(&peers::Lanner, pool);
    }
    if options.instructions {
        let text = instructions::report(options.message, options.seed)?;
        print!("{text}");
        if let Some(file) = &options.markdown {
            let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/instructions.md");
            write_report(file.as_deref().unwrap_or(&default), &text)?;
        }
        return Ok(());
    }
    let rows = match &options.rows {
        Some(list) => Row::select(list)?,
        None if options.goals => Goal::rows(),
        None => Row::all(),
    };
    let columns = Columns::choose(options.peers.as_deref())?;
    if options.list {
        for provider in peers::here() {
            println!("{} ({})", provider.column, provider.version);
        }
        println!("{} (runner processes)", RUNNERS.join(", "));
        for row in rows {
            println!("{row}");
        }
        return Ok(());
    }
    if cfg!(debug_assertions) {
        eprintln!("lanner-bench: built without optimisation; use --release");
    }

    // Before this program makes some itself.
    let load = machine::load();

    // Everything is built while all CPUs may work on it.
    let mut platforms: Vec<Platform> = rows.iter().map(|row| row.platform).collect();
    platforms.dedup();
    let runners = if options.no_runners {
        Runners::default()
    } else {
        Runners::build(&Wanted {
            column: &|name| columns.has(name),
            platforms: &platforms,
            backends: options.backends,
        })
    };
    let mut missing = runners.missing.clone();
    let mut sizes = Vec::new();
    if options.size {
        let (measured, unmeasured) = size::measure();
        sizes = measured;
        missing.extend(unmeasured);
    }

    let (rounds, slice) = if options.quick { (7, 400) } else { (51, 2000) };
    let plan = Plan {
        rounds: options.rounds.unwrap_or(rounds) as usize,
        slice: Duration::from_micros(options.slice.unwrap_or(slice).max(1)),
        seed: options.seed,
    };
    let largest = rows.iter().map(|row| row.units()).max().unwrap_or(1);
    let pool = pool::new(largest.max(SINGLES), options.message, options.seed);
    let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    file.write_all(&pool.to_file())
        .map_err(|error| error.to_string())?;

    let pinned = machine::pin(options.cpu);
    if let (Some(wanted), None) = (options.cpu, pinned) {
        return Err(format!("cannot run on CPU {wanted}"));
    }
    let mut providers = peers::here();
    providers.retain(|provider| columns.has(&provider.column));
    providers.extend(runners.start(file.path())?);
    let judged = if options.verdicts {
        eprintln!("verdicts on odd signatures");
        verdicts::judge(&providers, &options.verdicts_of)?
    } else {
        Vec::new()
    };
    let bar = progress(plan.rounds);
    let table = measure::measure(&rows, &providers, &pool, plan, |round| {
        bar.set_position(round as u64);
        if bar.is_hidden() && round % 10 == 0 {
            eprintln!("round {} of {}", round + 1, plan.rounds);
        }
    })?;
    bar.finish_and_clear();
    let report = Report {
        table: &table,
        providers: &providers,
        missing: &missing,
        sizes: &sizes,
        plan,
        message: options.message,
        pinned,
        ticks: measure::ticks_per_nanosecond(),
        options: measuring(std::env::args().skip(1)),
    };
    if let Some(file) = &options.submit {
        let results = report.submit(options.quick, load, judged);
        write_report(file, &results.write())?;
    }
    if options.json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.text());
    }
    if let Some(file) = &options.markdown {
        let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks.md");
        write_report(file.as_deref().unwrap_or(&default), &report.markdown())?;
    }
    Ok(())
}

/// A line of progress on a terminal; elsewhere nothing.
fn progress(rounds: usize) -> ProgressBar {
    const LINE: &str = "{wide_bar} round {pos} of {len}, {eta} left";
    let style = ProgressStyle::with_template(LINE).expect("the line is sound");
    ProgressBar::new(rounds as u64).with_style(style)
}

/// Writes a report, and says where.
fn write_report(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    eprintln!("wrote {}", file.display());
    Ok(())
}

/// Makes one backend do all the work of this process.
fn force(name: &str) -> Result<(), String> {
    let names = || -> Vec<&str> { backend::list().map(|backend| backend.name()).collect() };
    let found = backend::list()
        .find(|backend| backend.name() == name)
        .ok_or_else(|| format!("no backend '{name}' here, but {}", names().join(", ")))?;
    backend::force(found).map_err(|error| error.to_string())
}

/// Columns that only runner processes fill.
const RUNNERS: [&str; 5] = ["crrl", "commonware", "voi", "libsodium", "openssl"];

/// Which columns to measure.
struct Columns(Option<Vec<String>>);

impl Columns {
    /// The first, and those that a list names; all without one.
    fn choose(list: Option<&str>) -> Result<Self, String> {
        let Some(list) = list else {
            return Ok(Self(None));
        };
        let here = peers::here().into_iter().map(|provider| provider.column);
        let known: Vec<String> = here.chain(RUNNERS.map(String::from)).collect();
        let names = list.split(',').map(str::trim);
        let names: Vec<String> = names.filter(|n| !n.is_empty()).map(String::from).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            let known = known.join(", ");
            return Err(format!("no library '{name}'; there are {known}"));
        }
        Ok(Self(Some(names)))
    }

    /// Whether a column is wanted; `lanner/adx` and the like go with the library's own.
    fn has(&self, column: &str) -> bool {
        let library = column.split('/').next().unwrap_or(column);
        match &self.0 {
            None => true,
            Some(names) => library == FIRST || names.iter().any(|name| name == library),
        }
    }
}

/// The command line without `--submit FILE` and what goes into that file alone: they say nothing of what is reported, but where
/// this machine keeps it.
fn measuring(args: impl Iterator<Item = String>) -> String {
    let mut words = Vec::new();
    let mut args = args;
    while let Some(word) = args.next() {
        match word.split('=').next().unwrap_or_default() {
            "--verdicts" => {}
            "--submit" | "--verdicts-of" => {
                if !word.contains('=') {
                    args.next();
                }
            }
            _ => words.push(word),
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Columns, Options};
    use clap::CommandFactory;

    #[test]
    fn the_report_names_no_file_of_the_machine() {
        let of = |line: &str| super::measuring(line.split(' ').map(String::from));
        assert_eq!(
            of("--submit /a/b.json --verdicts --verdicts-of /c/d.json --rows sign"),
            "--rows sign"
        );
        assert_eq!(
            of("--rows sign --submit=/a/b.json --verdicts-of=/c/d.json"),
            "--rows sign"
        );
        assert_eq!(of("--quick"), "--quick");
    }

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
    }

    #[test]
    fn lanner_is_always_measured() {
        let chosen = Columns::choose(Some("ring, crrl")).expect("both exist");
        assert!(chosen.has("lanner") && chosen.has("lanner/adx"));
        assert!(chosen.has("ring") && chosen.has("crrl"));
        assert!(!chosen.has("dalek") && !chosen.has("dalek/u64"));
        assert!(Columns::choose(None).expect("all").has("dalek"));
        assert!(Columns::choose(Some("nobody")).is_err());
    }
}
