//! The command `lanner`: signs and verifies files, makes keys, agrees on secrets; and `lanner-git`, which does the same
//! for git in the place of `ssh-keygen`.
//!
//! This is a library only so that two programs can share it, and fuzzers its decoders. It promises nothing to others.

mod agent;
mod algorithm;
mod args;
mod attestation;
mod base64;
mod batch;
mod commands;
#[doc(hidden)]
pub mod decoders;
mod descriptor;
mod error;
mod formats;
mod git;
mod input;
mod json;
mod keyfile;
mod keys;
#[cfg(test)]
mod mutations;
mod output;
mod password;
mod paths;
mod policy;
mod progress;
mod report;
mod schemes;
mod signals;
mod signatures;
mod signers;
mod smallfile;
mod text;
mod time;
mod tree;
mod wire;

use args::{Cli, Command};
use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use error::{EXIT_IO, EXIT_USAGE, Error};
use report::{Report, Style};
use std::process::ExitCode;
use zeroizing_alloc::ZeroAlloc;

/// What is freed is wiped first, in the libraries too that read, decrypt and ask for secrets.
#[global_allocator]
static HEAP: ZeroAlloc<std::alloc::System> = ZeroAlloc(std::alloc::System);

/// Bytes of stack that a command uses at most: making a key of FN-DSA goes deepest, below 180 kB. They
/// are overwritten, since moving a key from function to function leaves copies there.
const STACK: usize = 256 * 1024;

/// The command `lanner`.
pub fn main() -> ExitCode {
    signals::take_limits_as_errors();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            advise(&mut error);
            report::quote(&mut error);
            return parse_failure(&error);
        }
    };
    if cli.quiet {
        progress::silence();
    }
    let mut warnings = Vec::new();
    // What comes back is public: keys live and end below.
    let outcome = lanner_simd::stack::cleared::<STACK, _>(|| run(&cli, &mut warnings));
    let style = match (cli.json, cli.quiet) {
        (true, _) => Style::Json,
        (_, true) => Style::Quiet,
        _ => Style::Text,
    };
    finish(Some(cli.command.name()), &outcome, &warnings, style)
}

/// The options of `lanner`, from which its manual pages and completions are made.
#[doc(hidden)]
#[must_use]
pub fn command_line() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

/// The same of `lanner-git`.
#[doc(hidden)]
#[must_use]
pub fn git_command_line() -> clap::Command {
    git::command_line()
}

/// The command `lanner-git`.
pub fn git_main() -> ExitCode {
    signals::take_limits_as_errors();
    // What comes back is public: keys live and end below.
    lanner_simd::stack::cleared::<STACK, _>(git::run)
}

fn run(cli: &Cli, warnings: &mut Vec<String>) -> Result<Report, Error> {
    match &cli.command {
        Command::Quickstart(args) => commands::quickstart::run(args),
        Command::Keygen(args) => commands::keygen::run(args),
        Command::Public(args) => commands::public::run(args, cli.json, warnings),
        Command::Inspect(args) => commands::inspect::run(args),
        Command::Convert(args) => commands::convert::run(args, cli.json, warnings),
        Command::Sign(args) => commands::sign::run(args, cli.json, warnings),
        Command::Verify(args) => commands::verify::run(args),
        Command::SignTree(args) => commands::sign_tree::run(args, warnings),
        Command::VerifyTree(args) => commands::verify_tree::run(args),
        Command::Attest(args) => commands::attest::run(args, cli.json, warnings),
        Command::VerifyAttestation(args) => commands::verify_attestation::run(args, cli.json),
        Command::SignNote(args) => commands::sign_note::run(args, cli.json, warnings),
        Command::VerifyNote(args) => commands::verify_note::run(args, cli.json),
        Command::VerifyBatch(args) => commands::verify_batch::run(args, cli.json),
        Command::Exchange(args) => commands::exchange::run(args, cli.json, warnings),
        Command::Bench(args) => commands::bench::run(args),
        Command::Doctor(_) => commands::doctor::run(),
    }
}

fn finish(
    command: Option<&str>,
    outcome: &Result<Report, Error>,
    warnings: &[String],
    style: Style,
) -> ExitCode {
    match report::print(command, outcome, warnings, style) {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            // The reader of a pipe that has gone away does not want to hear about it.
            if e.kind() != std::io::ErrorKind::BrokenPipe {
                let written = outcome.as_ref().ok().and_then(Report::about_written);
                let error = output::stdout_error(&e);
                let error = written.into_iter().fold(error, Error::with_more);
                report::say(format_args!("lanner: error: {error}"));
            }
            ExitCode::from(EXIT_IO)
        }
    }
}

/// Who put this program where git calls ssh-keygen is told which one belongs there.
fn advise(error: &mut clap::Error) {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == "-Y")
    {
        let tip = "lanner-git is what stands for ssh-keygen: git config gpg.ssh.program lanner-git";
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
}

/// `--help` and `--version` end here too, with exit code 0.
fn parse_failure(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os()
        .skip(1)
        .take_while(|arg| arg != "--")
        .any(|arg| arg == "--json");
    if error.use_stderr() && wants_json {
        return finish(None, &Err(report::usage_error(error)), &[], Style::Json);
    }
    match error.print() {
        _ if error.use_stderr() => ExitCode::from(EXIT_USAGE),
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(EXIT_IO),
    }
}
