//! Writes the manual pages and the completions of the command: `cargo run -p lanner-cli --example pages -- DIR`.
//!
//! `cargo xtask dist` puts them into the archives of the command.

mod generate;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1) else {
        eprintln!("name the directory to write to");
        return ExitCode::from(2);
    };
    match generate::all(Path::new(&directory)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", directory.display());
            ExitCode::FAILURE
        }
    }
}
