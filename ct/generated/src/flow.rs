//! What the flow of control may depend on, in the machine code of x86.
//!
//! Every value is public or secret. Public are constants, addresses, what static data holds (no secret is ever
//! static), the arguments that a root is declared to take in public, and what is computed from these alone.
//! Everything else is secret; above all what is read from memory behind a pointer. A value that may be one or
//! the other, because two ways meet, is secret. A function is followed into those that it calls, with what its
//! callers know of the arguments.
//!
//! A branch on a public value is a loop with a public number of turns, a check of a length, or the choice of a
//! backend. Any other is a *suspect*: it may be harmless, but that the machine cannot tell.
//!
//! Memory on the stack is followed by its bytes, through copies and into the functions that are called. An
//! address of it that goes where it is not followed, to memory or into something computed, has *escaped*: a
//! store to an unknown place may be a store to all that lies there and above.
//!
//! Taken on trust are these: indices count upwards, and nothing below an address is reached through it. Two
//! arguments that are addresses in the frame of one caller lead to different objects. An address is computed as
//! a whole, not from its parts, and where a function reads its own addresses with an index, they stand in
//! [`TOLD`] bytes. A function that aligns its stack has different slots behind the two bases that
//! this makes. And a function that the law does not follow stores nothing secret in the frame of its caller.

mod calls;
mod decoded;
mod instructions;
mod registers;
mod state;
#[cfg(test)]
mod tests;
mod value;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use iced_x86::{FlowControl, InstructionInfoFactory, Mnemonic, OpKind};

use calls::{after_call, merge};
use decoded::Decoded;
pub(crate) use decoded::{decode, reference};
use instructions::{fetches, operand, push, step};
use registers::{ARGUMENTS, REGISTERS, RESULTS, STACK_POINTER, STATUS, WORDS};
use state::{Effects, Given, Slots, State};
use value::{Value, argument};

use crate::objects::{Id, Program, Target};

/// How far behind an address in its frame a caller's slots are told to a function that it calls, and how long an
/// array of addresses is.
const TOLD: i64 = 256;

/// After so many changes of what a function gives, it is made coarser.
const CHANGES: usize = 40;

/// What is secret at the entry of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// Pointers, lengths and other public numbers.
    Public,
    /// Three addresses, and a secret choice in the fourth register.
    Choice,
    /// Addresses of what a closure holds: public numbers and addresses, in so many bytes as a caller tells.
    Held,
}

/// Why a place is a suspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A conditional jump, or a jump or call to an address that is not public.
    Branch,
    /// A division, whose time depends on its operands.
    Division,
    /// A call of a function that is not here, or that has a name of variable time.
    Call,
}

/// A place that depends, or may depend, on a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Suspect {
    pub(crate) function: Id,
    pub(crate) offset: usize,
    pub(crate) kind: Kind,
}

/// What is known of a function so far.
struct Known {
    entry: State,
    /// Nothing as long as it is not known to come back.
    given: Option<Given>,
    changes: usize,
    callers: HashSet<Id>,
    suspects: Vec<Suspect>,
}

/// The code of one width, analysed from some roots on.
pub(crate) struct Flow<'a> {
    program: &'a Program,
    bits: u32,
    known: HashMap<Id, Known>,
    queue: VecDeque<Id>,
    decoded: HashMap<Id, Rc<Decoded>>,
    law: Law<'a>,
}

/// What functions are by their names.
#[derive(Clone, Copy)]
pub(crate) struct Law<'a> {
    /// They end the program.
    pub(crate) ends: &'a dyn Fn(&str) -> bool,
    /// What they do and give is public; they are not followed.
    pub(crate) open: &'a dyn Fn(&str) -> bool,
    /// They may not be called with secrets; they are not followed.
    pub(crate) closed: &'a dyn Fn(&str) -> bool,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(program: &'a Program, bits: u32, law: Law<'a>) -> Self {
        Self {
            program,
            bits,
            known: HashMap::new(),
            queue: VecDeque::new(),
            decoded: HashMap::new(),
            law,
        }
    }

    /// Follows the code from the roots on, and returns the suspects, and how many functions
    /// were followed.
    pub(crate) fn run(mut self, roots: &[(Id, Arguments)]) -> (Vec<Suspect>, usize) {
        for (root, arguments) in roots {
            let entry = self.entry(*arguments);
            self.enter(*root, &entry, None);
        }
        while let Some(function) = self.queue.pop_front() {
            self.follow(function);
        }
        let followed = self.known.len();
        // Nobody has seen what comes after a call of what is not known to come back.
        let endless = self.known.iter().filter(|(_, known)| known.given.is_none());
        let mut suspects: Vec<_> = endless
            .map(|(function, _)| Suspect {
                function: *function,
                offset: 0,
                kind: Kind::Branch,
            })
            .collect();
        suspects.extend(self.known.into_values().flat_map(|known| known.suspects));
        suspects.sort();
        suspects.dedup();
        (suspects, followed)
    }

    fn entry(&self, arguments: Arguments) -> State {
        let value = Value::Public;
        let mut state = State {
            registers: [value; REGISTERS],
            vectors: [[Value::Secret; WORDS]; REGISTERS],
            flags: 0,
            slots: Slots::new(),
            effects: Effects::default(),
            exposed: BTreeMap::new(),
        };
        // Further arguments lie above the return address.
        let word = i64::from(self.bits / 8);
        for i in 1..12 {
            state.store(0, word * i, word, value);
        }
        if arguments == Arguments::Choice {
            state.registers[ARGUMENTS[3]] = Value::Secret;
        }
        if arguments == Arguments::Held {
            for register in ARGUMENTS {
                state.registers[register] = Value::Frame(argument(register), 0);
                for i in 0..TOLD / word {
                    state.store(argument(register), word * i, word, Value::Public);
                }
            }
            state.effects = Effects::default();
        }
        state.registers[STACK_POINTER] = Value::Frame(0, 0);
        state
    }

    /// Notes that a function is entered with this state, and returns what it gives back, and what its
    /// arguments are.
    fn enter(
        &mut self,
        function: Id,
        entry: &State,
        caller: Option<Id>,
    ) -> (Option<Given>, [Value; REGISTERS]) {
        if let Some(known) = self.known.get_mut(&function) {
            known.callers.extend(caller);
            let before = known.entry.clone();
            let mut entry = entry.clone();
            for register in ARGUMENTS {
                let base = Value::Frame(argument(register), 0);
                let pair = [known.entry.registers[register], entry.registers[register]];
                // An address that is not of the caller's frame is a base of which nothing is told.
                if pair.contains(&base) && pair.iter().all(|value| value.is_public()) {
                    known.entry.registers[register] = base;
                    entry.registers[register] = base;
                }
            }
            known.entry.meet(&entry);
            if known.entry != before && !self.queue.contains(&function) {
                self.queue.push_back(function);
            }
            return (known.given.clone(), known.entry.registers);
        }
        self.known.insert(
            function,
            Known {
                entry: entry.clone(),
                given: None,
                changes: 0,
                callers: caller.into_iter().collect(),
                suspects: Vec::new(),
            },
        );
        self.queue.push_back(function);
        (None, entry.registers)
    }

    fn decoded(&mut self, id: Id) -> Rc<Decoded> {
        let (program, bits) = (self.program, self.bits);
        let decoded = self.decoded.entry(id);
        Rc::clone(decoded.or_insert_with(|| Rc::new(Decoded::of(&program.functions[id], bits))))
    }

    /// Analyses one function for its present entry.
    fn follow(&mut self, id: Id) {
        let function = &self.program.functions[id];
        let bits = self.bits;
        let decoded = self.decoded(id);
        let Decoded {
            instructions,
            index,
            live,
        } = &*decoded;
        let mut states: HashMap<usize, State> = HashMap::new();
        states.insert(0, self.known[&id].entry.clone());
        let mut suspects = HashSet::new();
        let mut result: Option<Given> = None;
        let mut work = VecDeque::from([0_usize]);
        let mut factory = InstructionInfoFactory::new();
        while let Some(begin) = work.pop_front() {
            let Some(&first) = index.get(&begin) else {
                continue;
            };
            let mut state = states[&begin].clone();
            let mut flow_to = |place: usize, state: &State, work: &mut VecDeque<usize>| {
                let mut state = state.clone();
                let live = live.get(&place).copied().unwrap_or(u16::MAX);
                for (i, register) in state.registers.iter_mut().enumerate() {
                    if live & (1 << i) == 0 {
                        *register = Value::Secret;
                    }
                }
                let changed = match states.get_mut(&place) {
                    Some(known) => known.meet(&state),
                    None => {
                        states.insert(place, state);
                        true
                    }
                };
                if changed && !work.contains(&place) {
                    work.push_back(place);
                }
            };
            for instruction in &instructions[first..] {
                let at = instruction.ip() as usize;
                if at != begin && live.contains_key(&at) {
                    flow_to(at, &state, &mut work);
                    break;
                }
                let target = reference(function, instruction);
                let mut suspect = |kind| {
                    suspects.insert(Suspect {
                        function: id,
                        offset: at,
                        kind,
                    });
                };
                fetches(&mut state, instruction, target, bits);
                match instruction.flow_control() {
                    FlowControl::ConditionalBranch => {
                        if instruction.rflags_read() & STATUS & !state.flags != 0 {
                            suspect(Kind::Branch);
                        }
                        flow_to(instruction.near_branch_target() as usize, &state, &mut work);
                    }
                    FlowControl::UnconditionalBranch => {
                        match target {
                            // A call at the end.
                            Some(target) => {
                                if self.leave(id, target, &mut state, &mut result) {
                                    suspect(Kind::Call);
                                }
                            }
                            None => flow_to(
                                instruction.near_branch_target() as usize,
                                &state,
                                &mut work,
                            ),
                        }
                        break;
                    }
                    FlowControl::IndirectBranch => {
                        match target {
                            Some(target @ Target::Function(_)) => {
                                if self.leave(id, target, &mut state, &mut result) {
                                    suspect(Kind::Call);
                                }
                            }
                            _ => {
                                let to = operand(instruction, target, &state);
                                if let Value::Code(callee) = to {
                                    let callee = Target::Function(callee);
                                    if self.leave(id, &callee, &mut state, &mut result) {
                                        suspect(Kind::Call);
                                    }
                                    break;
                                }
                                // A table of which nothing is known leads anywhere.
                                if !to.is_public() || function.landings.is_empty() {
                                    suspect(Kind::Branch);
                                }
                                for landing in &function.landings {
                                    flow_to(*landing, &state, &mut work);
                                }
                            }
                        }
                        break;
                    }
                    FlowControl::Return => {
                        merge(&mut result, RESULTS.map(|i| state.registers[i]), &state);
                        break;
                    }
                    FlowControl::Call | FlowControl::IndirectCall => {
                        let next = instruction.next_ip();
                        if target.is_none()
                            && instruction.op0_kind() != OpKind::Register
                            && instruction.flow_control() == FlowControl::Call
                            && instruction.near_branch_target() == next
                        {
                            // On 32-bit x86: how a function learns where it stands.
                            push(&mut state, bits, Value::Static);
                            continue;
                        }
                        let callee = match (target, operand(instruction, target, &state)) {
                            (Some(target), _) => *target,
                            (None, Value::Code(callee)) => Target::Function(callee),
                            (None, to) => {
                                suspect(if to.is_public() {
                                    Kind::Call
                                } else {
                                    Kind::Branch
                                });
                                Target::Data
                            }
                        };
                        if self.is_closed(&callee, &state) {
                            suspect(Kind::Call);
                        }
                        let Some(given) = self.call(id, &callee, &mut state, false) else {
                            break;
                        };
                        after_call(&mut state, bits, given);
                    }
                    FlowControl::Exception => break,
                    _ => {
                        let divides =
                            matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv);
                        let public = step(&mut state, &mut factory, instruction, target, bits);
                        if divides && !public {
                            suspect(Kind::Division);
                        }
                    }
                }
            }
        }
        let known = self.known.get_mut(&id).expect("it was entered");
        known.suspects = suspects.into_iter().collect();
        if known.changes > CHANGES
            && let (Some(result), Some(given)) = (&mut result, &known.given)
        {
            result.meet(given);
            result.effects.widen();
        }
        if result.is_some() && result != known.given {
            known.given = result;
            known.changes += 1;
            for caller in known.callers.clone() {
                if !self.queue.contains(&caller) {
                    self.queue.push_back(caller);
                }
            }
        }
    }
}
