//! The project's own commands, run as `cargo xtask <command>`.

mod c;
mod codegen;
mod emulated;
mod features;
mod fetch;
mod fn_dsa_tables;
mod js;
mod keygen_tables;
mod layers;
mod model;
mod no_alloc;
mod process;
mod steps;
mod suite;
mod tables;
mod vectors;

use std::process::ExitCode;

const USAGE: &str = "\
The project's own commands.

Usage: cargo xtask <command> [options]

  test [--install] [--long] [--list] [--only TEXT]
                  run everything that must pass before a change lands
                    --install    fetch missing toolchains and components by rustup, too (targets always are),
                                 and what the C library's tests need by apt-get
                    --long       run the long (ignored) tests as well
                    --list       print the steps and what they need, run nothing
                    --only TEXT  run the steps whose name contains TEXT
  layers          check the dependency law, no_std, and where unsafe stands
  tables [--check]
                  derive the generated tables again (by the slow model, and in big integers)
                    --check      write nothing; fail where the file would change
  bench-report    measure against the peers and write docs/benchmarks.md
                    (further options are handed to lanner-bench)
  help            this text
";

fn help() -> String {
    format!(
        "{USAGE}  {}{}{}{}",
        vectors::HELP.trim_start(),
        codegen::HELP,
        c::HELP,
        js::HELP
    )
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_else(|| String::from("help"));
    let rest: Vec<String> = args.collect();
    let outcome = match command.as_str() {
        "test" => suite::run(&rest),
        "layers" => layers::run(&rest),
        "tables" => tables::run(&rest),
        "vectors" => vectors::run(&rest),
        "c" | "c-install" | "c-test" | "c-bench" | "dist" => c::run(&command, &rest),
        "js" => js::run(&rest),
        "codegen" => codegen::run(&rest),
        "bench-report" => bench_report(&rest),
        "help" | "--help" | "-h" => {
            print!("{}", help());
            Ok(())
        }
        other => Err(format!("unknown command '{other}'\n\n{}", help())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                eprintln!("xtask: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Measures in release mode and writes the report that is kept in the repository.
fn bench_report(rest: &[String]) -> Result<(), String> {
    process::Cmd::cargo(["run", "--release", "-p", "lanner-bench", "--"])
        .args(["--markdown", "--backends", "--size", "--rounds", "25"])
        .args(rest)
        .run()
        .map(drop)
}
