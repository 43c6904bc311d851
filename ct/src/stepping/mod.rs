//! Checks without marks: a check runs on several secrets, one instruction after the other, and the
//! addresses of the instructions and of what they read and write must be the same.
//!
//! This is for what valgrind does not emulate. It sees what a run does and not what another might do,
//! so that it needs secrets which differ in all that matters; random ones do.

mod operands;
mod symbols;

use std::process::Stdio;

use crate::checks::Check;
use crate::followed::{Halted, Process};
use operands::Operands;

/// What one instruction shows: where it is, and a digest of where its operands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    address: u64,
    operands: u64,
}

/// What a comparison found.
pub(crate) enum Comparison {
    /// The same steps, so many.
    Same(usize),
    /// The first difference, in words.
    Differs(String),
}

/// Runs a check on so many inputs, and compares.
///
/// # Errors
///
/// The process cannot be followed, or fails.
pub(crate) fn compare(
    check: &Check,
    arguments: &[&str],
    inputs: usize,
) -> Result<Comparison, String> {
    let mut reference = Vec::new();
    run(check, arguments, 0, |_, step| {
        reference.push(step);
        None
    })?;
    for input in 1..inputs {
        let mut at = 0;
        let difference = run(check, arguments, input, |process, step| {
            let expected = reference.get(at).copied();
            at += 1;
            let difference = match expected {
                Some(expected) if expected == step => return None,
                Some(expected) if expected.address == step.address => "an operand elsewhere",
                Some(_) => "another instruction",
                None => "more instructions",
            };
            let before = at.checked_sub(2).map_or(step, |at| reference[at]);
            Some(format!(
                "step {at}: {difference}\n    after {}\n    here  {}{}",
                symbols::describe(process, before.address),
                symbols::describe(process, step.address),
                expected.map_or_else(String::new, |expected| {
                    format!(
                        "\n    with input 0 {}",
                        symbols::describe(process, expected.address)
                    )
                }),
            ))
        })?;
        if let Some(difference) = difference {
            return Ok(Comparison::Differs(difference));
        }
        if at != reference.len() {
            return Ok(Comparison::Differs(format!(
                "{at} instructions, and {} with input 0",
                reference.len()
            )));
        }
    }
    Ok(Comparison::Same(reference.len()))
}

/// Follows one run; stops where `observe` says something.
fn run(
    (name, _): &Check,
    arguments: &[&str],
    input: usize,
    mut observe: impl FnMut(&Process, Step) -> Option<String>,
) -> Result<Option<String>, String> {
    let input = input.to_string();
    let arguments = [&["stepped", name, &input], arguments].concat();
    let mut process = Process::start(&arguments, Stdio::inherit())?;
    let mut operands = Operands::default();
    loop {
        match process.step()? {
            Halted::At(registers) => {
                let step = Step {
                    address: registers.rip,
                    operands: operands.digest(&process, &registers)?,
                };
                if let Some(difference) = observe(&process, step) {
                    return Ok(Some(difference));
                }
            }
            Halted::AtTheEnd => return Ok(None),
        }
    }
}
