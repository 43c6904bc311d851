//! `lanner-generated TRIPLE [--without SETS] ARCHIVE...`: reads the machine code that the compiler made of the
//! libraries, and holds it against what the source promises. [`law`] says what that is; ct/README.md says why.
//!
//! With `--without`, the libraries were built without some instruction sets (names with commas between them), and that alone
//! is checked.

mod flow;
mod law;
mod left_out;
mod objects;
mod outlined;
mod secrets;
mod spills;

use std::process::ExitCode;

use objects::Program;

/// The width of the processors whose code is followed, by the beginning of the target's name.
fn bits_of_x86(triple: &str) -> Option<u32> {
    match triple.split('-').next() {
        Some("x86_64") => Some(64),
        Some("i586" | "i686") => Some(32),
        _ => None,
    }
}

fn check(triple: &str, archives: &[String]) -> Result<Vec<String>, String> {
    if triple.starts_with("wasm32") {
        return outlined::in_modules(archives);
    }
    let program = Program::read(archives)?;
    println!("{triple}: {} functions", program.functions.len());
    let mut findings = outlined::in_program(&program);
    // The tables name what is in a build with every backend, which only this target has.
    if bits_of_x86(triple) == Some(64) {
        findings.extend(spills::check(&program));
        findings.extend(secrets::check(&program));
    }
    Ok(findings)
}

/// The check of a build without some instruction sets.
fn check_left_out(triple: &str, sets: &str, archives: &[String]) -> Result<Vec<String>, String> {
    let bits = bits_of_x86(triple).ok_or("--without is for x86")?;
    let program = Program::read(archives)?;
    println!(
        "{triple}: {} functions without {sets}",
        program.functions.len()
    );
    Ok(left_out::check(
        &program,
        bits,
        &sets.split(',').collect::<Vec<_>>(),
    ))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (triple, outcome) = match &arguments[..] {
        [triple, option, sets, archives @ ..] if option == "--without" => {
            (triple, check_left_out(triple, sets, archives))
        }
        [triple, archives @ ..] => (triple, check(triple, archives)),
        [] => {
            eprintln!("usage: lanner-generated TRIPLE [--without SETS] ARCHIVE...");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(findings) if findings.is_empty() => ExitCode::SUCCESS,
        Ok(findings) => {
            for finding in &findings {
                eprintln!("{triple}: {finding}");
            }
            eprintln!("{triple}: {} findings", findings.len());
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
