//! The command `lanner`: signs and verifies files, makes keys, agrees on secrets.

mod algorithm;
mod args;
mod commands;
mod error;
mod input;
mod keyfile;
mod keys;
mod output;
mod progress;
mod report;
mod schemes;
mod sigfile;
mod signals;
mod smallfile;
mod text;

use args::{Cli, Command};
use clap::Parser;
use error::{EXIT_IO, EXIT_USAGE, Error};
use report::Report;
use std::process::ExitCode;

/// Bytes of stack that a command uses at most: making a key of FN-DSA goes deepest, below 180 kB. They
/// are overwritten, since moving a key from function to function leaves copies there.
const STACK: usize = 256 * 1024;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return parse_failure(&error),
    };
    let mut warnings = Vec::new();
    // What comes back is public: keys live and end below.
    let outcome = lanner_simd::stack::cleared::<STACK, _>(|| run(&cli, &mut warnings));
    finish(Some(cli.command.name()), &outcome, &warnings, cli.json)
}

fn run(cli: &Cli, warnings: &mut Vec<String>) -> Result<Report, Error> {
    match &cli.command {
        Command::Quickstart(args) => commands::quickstart::run(args),
        Command::Keygen(args) => commands::keygen::run(args),
        Command::Public(args) => commands::public::run(args, cli.json, warnings),
        Command::Sign(args) => commands::sign::run(args, cli.json, warnings),
        Command::Verify(args) => commands::verify::run(args),
        Command::Exchange(args) => commands::exchange::run(args, cli.json, warnings),
    }
}

fn finish(
    command: Option<&str>,
    outcome: &Result<Report, Error>,
    warnings: &[String],
    json: bool,
) -> ExitCode {
    match report::print(command, outcome, warnings, json) {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            // The reader of a pipe that has gone away does not want to hear about it.
            if e.kind() != std::io::ErrorKind::BrokenPipe {
                eprintln!("lanner: error: {}", output::stdout_error(&e));
            }
            ExitCode::from(EXIT_IO)
        }
    }
}

/// `--help` and `--version` end here too, with exit code 0.
fn parse_failure(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os()
        .skip(1)
        .take_while(|arg| arg != "--")
        .any(|arg| arg == "--json");
    if error.use_stderr() && wants_json {
        return finish(None, &Err(report::usage_error(error)), &[], true);
    }
    match error.print() {
        Ok(()) if error.use_stderr() => ExitCode::from(EXIT_USAGE),
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(EXIT_IO),
    }
}
