//! Peers of the benchmark's own process, by the same sources, as runner processes: `runner-peers NAME POOL`.

#[path = "../../../src/peers/dalek.rs"]
mod dalek;
#[path = "../../../src/peers/fn_dsa.rs"]
mod fn_dsa;
#[path = "../../../src/peers/fn_dsa_04.rs"]
mod fn_dsa_04;
#[path = "../../../src/peers/graviola.rs"]
mod graviola;
#[path = "../../../src/peers/ml_dsa.rs"]
mod ml_dsa;
#[path = "../../../src/peers/pqclean.rs"]
mod pqclean;
#[path = "../../../src/peers/zebra.rs"]
mod zebra;

use std::process::ExitCode;

use lanner_bench_kit::{Library, serve};

/// By the name that the column begins with.
fn library(name: &str) -> Option<&'static dyn Library> {
    Some(match name {
        "dalek" => &dalek::Dalek,
        "fn-dsa" => &fn_dsa::FnDsa03,
        "fn-dsa-0.4" => &fn_dsa_04::FnDsa04,
        "graviola" => &graviola::Graviola,
        "ml-dsa" => &ml_dsa::MlDsa,
        "pqclean" => &pqclean::PqClean,
        "zebra" => &zebra::Zebra,
        _ => return None,
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let chosen = arguments.get(1).and_then(|name| library(name));
    let (Some(library), Some(pool)) = (chosen, arguments.get(2)) else {
        eprintln!("usage: runner-peers NAME POOL");
        return ExitCode::FAILURE;
    };
    match serve::serve_standard(library, pool.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("runner-peers: {message}");
            ExitCode::FAILURE
        }
    }
}
