//! `lanner-generated TRIPLE ARCHIVE...`: reads the machine code that the compiler made of the libraries, and
//! holds it against what the source promises. [`law`] says what that is; ct/README.md says why.

mod flow;
mod law;
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

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(triple), archives) = (arguments.next(), arguments.collect::<Vec<_>>()) else {
        eprintln!("usage: lanner-generated TRIPLE ARCHIVE...");
        return ExitCode::from(2);
    };
    match check(&triple, &archives) {
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
