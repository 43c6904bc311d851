//! The instructions of a function, and which registers are still read from where on.

use std::collections::HashMap;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess,
};

use super::registers::{ARGUMENTS, RESULTS, STACK_POINTER, kept_by_calls, number};
use crate::objects::{Function, Target};

/// The instructions of a function.
pub(crate) fn decode(function: &Function, bits: u32) -> Vec<Instruction> {
    Decoder::with_ip(bits, &function.code, 0, DecoderOptions::NONE)
        .into_iter()
        .collect()
}

/// What the linker puts into an instruction.
pub(crate) fn reference<'a>(
    function: &'a Function,
    instruction: &Instruction,
) -> Option<&'a Target> {
    let begin = instruction.ip() as usize;
    let offsets = begin..begin + instruction.len();
    offsets
        .into_iter()
        .find_map(|offset| function.references.get(&offset))
}

/// A function's instructions, and the registers that are still read from each place on to which one can jump,
/// and from the first, as bits. What is left in others is nothing that goes anywhere.
pub(super) struct Decoded {
    pub(super) instructions: Vec<Instruction>,
    pub(super) index: HashMap<usize, usize>,
    pub(super) live: HashMap<usize, u16>,
}

impl Decoded {
    pub(super) fn of(function: &Function, bits: u32) -> Self {
        let instructions = decode(function, bits);
        let places = instructions.iter().enumerate();
        let index = places.map(|(i, it)| (it.ip() as usize, i)).collect();
        let mut live: HashMap<usize, u16> = HashMap::from([(0, 0)]);
        live.extend(function.landings.iter().map(|landing| (*landing, 0)));
        for instruction in &instructions {
            if is_near_jump(instruction) && reference(function, instruction).is_none() {
                live.insert(instruction.near_branch_target() as usize, 0);
            }
        }
        let steps: Vec<_> = instructions
            .iter()
            .map(|instruction| registers_of(function, instruction, bits))
            .collect();
        loop {
            let mut changed = false;
            let mut after: u16 = 0;
            for (instruction, (reads, writes)) in instructions.iter().zip(&steps).rev() {
                let at = |place: u64| live.get(&(place as usize)).copied().unwrap_or(u16::MAX);
                let elsewhere = reference(function, instruction).is_some();
                match instruction.flow_control() {
                    FlowControl::UnconditionalBranch if !elsewhere => {
                        after = at(instruction.near_branch_target());
                    }
                    FlowControl::ConditionalBranch if !elsewhere => {
                        after |= at(instruction.near_branch_target());
                    }
                    FlowControl::IndirectBranch => {
                        let landings = function.landings.iter();
                        after = landings.fold(0, |all, landing| all | at(*landing as u64));
                    }
                    FlowControl::Return
                    | FlowControl::Exception
                    | FlowControl::UnconditionalBranch => after = 0,
                    _ => {}
                }
                after = after & !writes | reads;
                if let Some(known) = live.get_mut(&(instruction.ip() as usize)) {
                    changed |= *known != after;
                    *known = after;
                }
            }
            if !changed {
                break;
            }
        }
        Self {
            instructions,
            index,
            live,
        }
    }
}

/// The general registers that an instruction reads, and those that it writes whole, as bits.
pub(super) fn registers_of(
    function: &Function,
    instruction: &Instruction,
    bits: u32,
) -> (u16, u16) {
    let all = |registers: &[usize]| registers.iter().fold(0, |all, i| all | 1_u16 << i);
    let (mut reads, mut writes) = (0, 0);
    let mut factory = InstructionInfoFactory::new();
    for used in factory.info(instruction).used_registers() {
        let Some(i) = number(used.register()) else {
            continue;
        };
        if used.access() == OpAccess::Write && used.register().size() >= 4 {
            writes |= 1 << i;
        } else {
            reads |= 1 << i;
        }
    }
    let leaves = reference(function, instruction).is_some();
    match instruction.flow_control() {
        FlowControl::Call | FlowControl::IndirectCall => {
            reads |= all(&ARGUMENTS);
            writes |= !all(kept_by_calls(bits)) & !all(&[STACK_POINTER]);
        }
        FlowControl::Return => reads |= all(&RESULTS) | all(kept_by_calls(bits)),
        FlowControl::UnconditionalBranch if !leaves => {}
        FlowControl::UnconditionalBranch | FlowControl::IndirectBranch => {
            reads |= all(&ARGUMENTS) | all(kept_by_calls(bits));
        }
        _ => {}
    }
    (reads | all(&[STACK_POINTER]), writes)
}

pub(super) fn is_near_jump(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
    )
}
