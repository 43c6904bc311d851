//! Lanner against its peers, in one interleaved run. The method stands in `bench/README.md`.

mod machine;
mod measure;
mod peers;
mod pool;
mod report;
mod rows;
mod stats;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use lanner_curve::backend;

use measure::Plan;
use peers::Implementation;
use pool::Pool;
use report::Report;
use rows::Row;

/// Measure Lanner and its peers side by side
#[derive(Debug, Parser)]
#[command(name = "lanner-bench")]
struct Options {
    /// Rows to measure, separated by commas: whole names, or parts of names
    #[arg(long, value_name = "LIST")]
    rows: Option<String>,

    /// Peers to measure, separated by commas
    #[arg(long, value_name = "LIST")]
    peers: Option<String>,

    /// Rounds; each runs every cell once
    #[arg(long, value_name = "N", default_value_t = 51, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// How long a cell runs in each round, in microseconds
    #[arg(long, value_name = "µS", default_value_t = 2000)]
    slice: u64,

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

    /// Print JSON in place of the table
    #[arg(long)]
    json: bool,

    /// Write a Markdown report as well [default file: bench/REPORT.md]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    markdown: Option<Option<PathBuf>>,

    /// List rows and implementations, measure nothing
    #[arg(long)]
    list: bool,
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
    let rows = match &options.rows {
        Some(list) => Row::select(list)?,
        None => Row::all(),
    };
    let implementations = choose(peers::all(), options.peers.as_deref())?;
    if options.list {
        for implementation in &implementations {
            let package = implementation.package();
            println!(
                "{} ({package} {})",
                implementation.name(),
                machine::version(package)
            );
        }
        for row in rows {
            println!("{row}");
        }
        return Ok(());
    }
    if cfg!(debug_assertions) {
        eprintln!("lanner-bench: built without optimisation; use --release");
    }
    if let Some(name) = &options.backend {
        let found = backend::list().find(|backend| backend.name() == name);
        let known = || {
            backend::list()
                .map(|b| b.name())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let found = found.ok_or_else(|| format!("no backend '{name}' here, but {}", known()))?;
        backend::force(found).map_err(|error| error.to_string())?;
    }
    let pinned = machine::pin(options.cpu);
    if let (Some(wanted), None) = (options.cpu, pinned) {
        return Err(format!("cannot run on CPU {wanted}"));
    }
    let plan = Plan {
        rounds: options.rounds as usize,
        slice: Duration::from_micros(options.slice.max(1)),
        seed: options.seed,
    };
    let largest = rows.iter().map(|row| row.units()).max().unwrap_or(1);
    let pool = Pool::new(largest.max(pool::SINGLES), options.message, options.seed);
    let table = measure::measure(&rows, &implementations, &pool, plan, |round| {
        if round % 10 == 0 {
            eprintln!("round {} of {}", round + 1, plan.rounds);
        }
    });
    let report = Report {
        table: &table,
        implementations: &implementations,
        plan,
        message: options.message,
        pinned,
        ticks: measure::ticks_per_nanosecond(),
        options: std::env::args().skip(1).collect::<Vec<_>>().join(" "),
    };
    if options.json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.text());
    }
    if let Some(file) = &options.markdown {
        let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("REPORT.md");
        let file = file.as_ref().unwrap_or(&default);
        std::fs::write(file, report.markdown())
            .map_err(|error| format!("{}: {error}", file.display()))?;
        eprintln!("wrote {}", file.display());
    }
    Ok(())
}

/// The first implementation, and those of the others that a list names.
fn choose(
    all: Vec<Box<dyn Implementation>>,
    list: Option<&str>,
) -> Result<Vec<Box<dyn Implementation>>, String> {
    let Some(list) = list else { return Ok(all) };
    let names: Vec<&str> = list
        .split(',')
        .map(str::trim)
        .filter(|n| !n.is_empty())
        .collect();
    if let Some(name) = names
        .iter()
        .find(|name| !all.iter().any(|i| i.name() == **name))
    {
        let known: Vec<&str> = all.iter().map(|i| i.name()).collect();
        return Err(format!(
            "no implementation '{name}'; there are {}",
            known.join(", ")
        ));
    }
    let mut index = 0;
    Ok(all
        .into_iter()
        .filter(|implementation| {
            index += 1;
            index == 1 || names.contains(&implementation.name())
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{Options, choose, peers};
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
    }

    #[test]
    fn lanner_is_always_measured_and_comes_first() {
        let chosen = choose(peers::all(), Some("ring, dalek")).expect("both exist");
        let names: Vec<&str> = chosen.iter().map(|i| i.name()).collect();
        assert_eq!(names, ["lanner", "dalek", "ring"]);
        assert!(choose(peers::all(), Some("nobody")).is_err());
    }
}
