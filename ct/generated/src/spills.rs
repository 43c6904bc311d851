//! Vectors that did not fit into the registers.
//!
//! A vector that is stored to the stack and read again costs what the vectors were to save. How many such
//! stores a loop has cannot be derived, so a table holds the numbers; they may fall, and grow only by decision.

use iced_x86::{Instruction, OpKind, Register};

use crate::flow::decode;
use crate::law;
use crate::objects::Program;

/// Whether an instruction stores a whole vector at a fixed place of the stack.
fn spills(instruction: &Instruction) -> bool {
    let from = instruction.op1_register();
    instruction.op0_kind() == OpKind::Memory
        && instruction.op_count() == 2
        && instruction.op1_kind() == OpKind::Register
        && (from.is_ymm() || from.is_zmm())
        && matches!(instruction.memory_base(), Register::RSP | Register::RBP)
        && instruction.memory_index() == Register::None
}

/// The findings: functions of the table that spill more than they may, and entries without a function.
pub(crate) fn check(program: &Program) -> Vec<String> {
    let mut findings = Vec::new();
    for entry in law::SPILLS {
        let mut found = false;
        for function in &program.functions {
            if !law::matches(entry.function, &function.name) {
                continue;
            }
            found = true;
            let count = decode(function, 64).iter().filter(|i| spills(i)).count();
            println!("spills: {count} of {} in {}", entry.at_most, entry.what);
            if count > entry.at_most {
                findings.push(format!(
                    "{} stores {count} vectors to the stack, more than {}: {}",
                    entry.what, entry.at_most, function.name
                ));
            }
        }
        if !found {
            findings.push(format!("no function is {} (spills)", entry.function));
        }
    }
    findings
}
