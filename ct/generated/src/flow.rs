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
//! One thing is taken on trust from the compiler: what it keeps in a slot of the stack that no address leads
//! to, a store through a pointer does not change.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register, RflagsBits,
};

use crate::objects::{Function, Id, Program, Target};

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Secret,
    Public,
    /// The address of static data, or of a table of the linker.
    Static,
    /// The address of a function.
    Code(Id),
    /// An address on the stack: so many bytes above a base. Base 0 is the stack pointer at the entry;
    /// aligning the pointer makes a new base, named after the instruction; and an argument that is an
    /// address of the caller's frame is a base, see [`argument`].
    Frame(usize, i64),
}

impl Value {
    fn is_public(self) -> bool {
        self != Self::Secret
    }

    fn meet(self, other: Self) -> Self {
        if self == other {
            self
        } else if self.is_public() && other.is_public() {
            Self::Public
        } else {
            Self::Secret
        }
    }
}

/// How far behind an address in its frame a caller's slots are told to a function that it calls.
const TOLD: i64 = 256;

/// The base that an address of the caller's frame is, given in a register.
fn argument(register: usize) -> usize {
    usize::MAX - register
}

/// Slots of the caller's frame, by register of the argument and offset.
type Told = BTreeMap<(usize, i64), Value>;

/// What a function gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    registers: [Value; 2],
    /// What its caller's slots hold afterwards, of those that it was told; `None` while unknown, which is all.
    slots: Option<Told>,
}

impl Given {
    const UNKNOWN: Self = Self {
        registers: [Value::Public; 2],
        slots: None,
    };

    fn meet(&mut self, other: Self) {
        self.registers = [0, 1].map(|i| self.registers[i].meet(other.registers[i]));
        self.slots = match (self.slots.take(), other.slots) {
            (Some(mine), Some(theirs)) => Some(
                mine.into_iter()
                    .filter(|(place, _)| theirs.contains_key(place))
                    .collect(),
            ),
            (mine, theirs) => mine.or(theirs),
        };
    }
}

/// The general registers, in the order in which the processor numbers them.
const REGISTERS: usize = 16;
const STACK_POINTER: usize = 4;

/// The words of 64 bits in a vector, as far as they are followed.
const WORDS: usize = 8;

const STATUS: u32 = RflagsBits::OF
    | RflagsBits::SF
    | RflagsBits::ZF
    | RflagsBits::AF
    | RflagsBits::CF
    | RflagsBits::PF;

/// What is known at a place of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    registers: [Value; REGISTERS],
    /// Vector registers, word by word, as far as they move such words or hold zeros.
    vectors: [[Value; WORDS]; REGISTERS],
    /// The flags that are public, as bits.
    flags: u32,
    /// Slots of the frame that hold something public. Other slots are secret.
    slots: BTreeMap<(usize, i64), Value>,
}

impl State {
    fn meet(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (mine, theirs) in self.registers.iter_mut().zip(other.registers) {
            *mine = mine.meet(theirs);
        }
        for (mine, theirs) in self.vectors.iter_mut().zip(other.vectors) {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = mine.meet(theirs);
            }
        }
        self.flags &= other.flags;
        self.slots.retain(|place, value| {
            let theirs = other.slots.get(place).copied().unwrap_or(Value::Secret);
            *value = value.meet(theirs);
            value.is_public()
        });
        *self != before
    }

    fn store(&mut self, base: usize, offset: i64, size: i64, value: Value) {
        let overlapping: Vec<_> = self
            .slots
            .range((base, offset - 7)..(base, offset + size.max(1)))
            .map(|(place, _)| *place)
            .collect();
        for place in overlapping {
            self.slots.remove(&place);
        }
        if value.is_public() && size <= 8 {
            self.slots.insert((base, offset), value);
        }
    }

    fn load(&self, base: usize, offset: i64) -> Value {
        let slot = self.slots.get(&(base, offset));
        slot.copied().unwrap_or(Value::Secret)
    }
}

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
    given: Given,
    callers: HashSet<Id>,
    suspects: Vec<Suspect>,
}

/// The code of one width, analysed from some roots on.
pub(crate) struct Flow<'a> {
    program: &'a Program,
    bits: u32,
    known: HashMap<Id, Known>,
    queue: VecDeque<Id>,
    decoded: HashMap<Id, Vec<Instruction>>,
    law: Law<'a>,
}

/// What functions are by their names.
#[derive(Clone, Copy)]
pub(crate) struct Law<'a> {
    /// What they do and give is public; they are not followed.
    pub(crate) open: &'a dyn Fn(&str) -> bool,
    /// They may not be called with secrets; they are not followed.
    pub(crate) closed: &'a dyn Fn(&str) -> bool,
}

/// The registers that carry arguments, on either width: di, si, dx, cx, r8, r9.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];

/// The registers of results, and those that a call leaves as they were, by number.
const RESULTS: [usize; 2] = [0, 2];
fn kept_by_calls(bits: u32) -> &'static [usize] {
    if bits == 64 {
        &[3, 4, 5, 12, 13, 14, 15]
    } else {
        &[3, 4, 5, 6, 7]
    }
}

/// The number of a general register, whole or in part.
fn number(register: Register) -> Option<usize> {
    register.is_gpr().then(|| register.full_register().number())
}

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
        let mut suspects: Vec<_> = self
            .known
            .into_values()
            .flat_map(|known| known.suspects)
            .collect();
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
            slots: BTreeMap::new(),
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
        }
        state.registers[STACK_POINTER] = Value::Frame(0, 0);
        state
    }

    /// Notes that a function is entered with this state.
    fn enter(&mut self, function: Id, entry: &State, caller: Option<Id>) -> Given {
        match self.known.get_mut(&function) {
            Some(known) => {
                known.callers.extend(caller);
                if known.entry.meet(entry) && !self.queue.contains(&function) {
                    self.queue.push_back(function);
                }
                known.given.clone()
            }
            None => {
                self.known.insert(
                    function,
                    Known {
                        entry: entry.clone(),
                        // Until it is known better: the analysis only ever makes secrets of public values.
                        given: Given::UNKNOWN,
                        callers: caller.into_iter().collect(),
                        suspects: Vec::new(),
                    },
                );
                self.queue.push_back(function);
                Given::UNKNOWN
            }
        }
    }

    /// Analyses one function for its present entry.
    fn follow(&mut self, id: Id) {
        let function = &self.program.functions[id];
        let bits = self.bits;
        let instructions = self
            .decoded
            .entry(id)
            .or_insert_with(|| decode(function, bits))
            .clone();
        let index: HashMap<usize, usize> = instructions
            .iter()
            .enumerate()
            .map(|(i, instruction)| (instruction.ip() as usize, i))
            .collect();
        let mut leaders: HashSet<usize> = function.landings.iter().copied().collect();
        for instruction in &instructions {
            if is_near_jump(instruction) && reference(function, instruction).is_none() {
                leaders.insert(instruction.near_branch_target() as usize);
            }
        }
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
                let changed = match states.get_mut(&place) {
                    Some(known) => known.meet(state),
                    None => {
                        states.insert(place, state.clone());
                        true
                    }
                };
                if changed && !work.contains(&place) {
                    work.push_back(place);
                }
            };
            for instruction in &instructions[first..] {
                let at = instruction.ip() as usize;
                if at != begin && leaders.contains(&at) {
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
                                if self.is_closed(target) {
                                    suspect(Kind::Call);
                                }
                                let given = self.call(id, target, &mut state, true);
                                merge(&mut result, given, &state);
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
                                let given = self.call(id, target, &mut state, true);
                                merge(&mut result, given, &state);
                            }
                            _ => {
                                let to = operand(instruction, target, &state);
                                if let Value::Code(callee) = to {
                                    let callee = Target::Function(callee);
                                    let given = self.call(id, &callee, &mut state, true);
                                    merge(&mut result, given, &state);
                                    break;
                                }
                                if !to.is_public() {
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
                        if self.is_closed(&callee) {
                            suspect(Kind::Call);
                        }
                        let given = self.call(id, &callee, &mut state, false);
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
        let mut met = known.given.clone();
        if let Some(result) = result {
            met.meet(result);
        }
        if met != known.given {
            known.given = met;
            for caller in known.callers.clone() {
                if !self.queue.contains(&caller) {
                    self.queue.push_back(caller);
                }
            }
        }
    }

    fn name(&self, target: &Target) -> &'a str {
        match target {
            Target::Function(callee) => &self.program.functions[*callee].name,
            Target::Data => "",
        }
    }

    /// Whether a function may not be called where there are secrets, or cannot be followed.
    fn is_closed(&self, target: &Target) -> bool {
        let name = self.name(target);
        let elsewhere = match target {
            Target::Function(callee) => self.program.functions[*callee].code.is_empty(),
            Target::Data => false,
        };
        (self.law.closed)(name) || (elsewhere && !(self.law.open)(name))
    }

    /// Notes a call, or a jump to another function at the end, and returns what comes back.
    fn call(&mut self, caller: Id, target: &Target, state: &mut State, at_end: bool) -> [Value; 2] {
        let name = self.name(target);
        if (self.law.open)(name) {
            return [Value::Public; 2];
        }
        if (self.law.closed)(name) {
            return [Value::Secret; 2];
        }
        let frames: Vec<(usize, usize, i64)> = (0..REGISTERS)
            .filter(|i| *i != STACK_POINTER && ARGUMENTS.contains(i))
            .filter_map(|i| match state.registers[i] {
                Value::Frame(base, offset) => Some((i, base, offset)),
                _ => None,
            })
            .collect();
        let callee = match target {
            Target::Function(callee) => Some(*callee),
            Target::Data => None,
        };
        let known = callee.filter(|callee| !self.program.functions[*callee].code.is_empty());
        let Some(callee) = known else {
            for (_, base, offset) in frames {
                state
                    .slots
                    .retain(|(of, at), _| *of != base || !(offset..offset + TOLD).contains(at));
            }
            return [Value::Secret; 2];
        };
        let mut entry = state.clone();
        entry.registers = entry.registers.map(outside);
        entry.vectors = [[Value::Secret; WORDS]; REGISTERS];
        entry.flags = 0;
        entry.slots.clear();
        for (register, base, offset) in &frames {
            entry.registers[*register] = Value::Frame(argument(*register), 0);
            for ((_, at), value) in state.slots.range((*base, *offset)..(*base, offset + TOLD)) {
                let place = (argument(*register), at - offset);
                entry.slots.insert(place, outside(*value));
            }
        }
        if let Value::Frame(base, top) = state.registers[STACK_POINTER] {
            // What was pushed for the callee.
            let word = i64::from(self.bits / 8);
            let returned = if at_end { 0 } else { word };
            for ((of, offset), value) in &state.slots {
                if *of == base && (0..16 * word).contains(&(offset - top)) {
                    entry.store(0, offset - top + returned, word, outside(*value));
                }
            }
        }
        entry.registers[STACK_POINTER] = Value::Frame(0, 0);
        let given = self.enter(callee, &entry, Some(caller));
        if let Some(slots) = given.slots {
            for (register, base, offset) in frames {
                state.slots.retain(|(of, at), _| {
                    *of != base
                        || !(offset..offset + TOLD).contains(at)
                        || slots.contains_key(&(argument(register), at - offset))
                });
            }
        }
        given.registers
    }
}

/// An address of a frame, for other functions.
fn outside(value: Value) -> Value {
    match value {
        Value::Frame(..) => Value::Public,
        other => other,
    }
}

/// Adds what a function gives at one of its ends.
fn merge(result: &mut Option<Given>, registers: [Value; 2], state: &State) {
    let mut slots = state.slots.clone();
    slots.retain(|(base, _), _| *base > argument(REGISTERS));
    let given = Given {
        registers: registers.map(outside),
        slots: Some(slots),
    };
    match result {
        Some(result) => result.meet(given),
        None => *result = Some(given),
    }
}

fn is_near_jump(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow_control(),
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
    )
}

fn after_call(state: &mut State, bits: u32, given: [Value; 2]) {
    let kept = kept_by_calls(bits);
    for (i, register) in state.registers.iter_mut().enumerate() {
        if !kept.contains(&i) {
            *register = Value::Secret;
        }
    }
    state.vectors = [[Value::Secret; WORDS]; REGISTERS];
    for (i, value) in RESULTS.into_iter().zip(given) {
        state.registers[i] = value;
    }
    state.flags = 0;
}

fn push(state: &mut State, bits: u32, value: Value) {
    let word = i64::from(bits / 8);
    if let Value::Frame(base, top) = state.registers[STACK_POINTER] {
        state.registers[STACK_POINTER] = Value::Frame(base, top - word);
        state.store(base, top - word, word, value);
    }
}

/// The place of an operand in memory, as a value.
fn address(instruction: &Instruction, target: Option<&Target>, state: &State) -> Value {
    let of = |register| number(register).map(|i| state.registers[i]);
    let displacement = instruction.memory_displacement64() as i64;
    let (base, index) = (
        of(instruction.memory_base()),
        of(instruction.memory_index()),
    );
    let all_public = [base, index].into_iter().flatten().all(Value::is_public);
    match (base, index) {
        _ if !all_public => Value::Secret,
        _ if target.is_some() || instruction.is_ip_rel_memory_operand() => Value::Static,
        (None, None) => Value::Static,
        (Some(Value::Frame(base, offset)), None) => {
            Value::Frame(base, offset.wrapping_add(displacement))
        }
        (Some(Value::Frame(..)), _) | (_, Some(Value::Frame(..))) => Value::Public,
        (Some(Value::Static | Value::Code(_)), _) | (_, Some(Value::Static)) => Value::Static,
        _ => Value::Public,
    }
}

/// What is read at an address.
fn read(at: Value, state: &State) -> Value {
    match at {
        Value::Frame(base, offset) => state.load(base, offset),
        // What another library names may be a function or static data.
        Value::Static | Value::Code(_) => Value::Public,
        Value::Public | Value::Secret => Value::Secret,
    }
}

/// The value of the first operand.
fn operand(instruction: &Instruction, target: Option<&Target>, state: &State) -> Value {
    match instruction.op0_kind() {
        OpKind::Register => {
            number(instruction.op0_register()).map_or(Value::Secret, |i| state.registers[i])
        }
        OpKind::Memory => read(address(instruction, target, state), state),
        _ => Value::Public,
    }
}

/// One instruction that goes on to the next. Returns whether all that it read was public.
fn step(
    state: &mut State,
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    target: Option<&Target>,
    bits: u32,
) -> bool {
    use Mnemonic::{Add, And, Cpuid, Lea, Mov, Pop, Push, Sbb, Sub, Xgetbv, Xor};
    let mnemonic = instruction.mnemonic();
    let whole = |i: u32| {
        let register = instruction.op_register(i);
        (instruction.op_kind(i) == OpKind::Register && register.size() * 8 == bits as usize)
            .then(|| number(register))
            .flatten()
    };
    let immediate = (instruction.op_count() == 2)
        .then(|| instruction.try_immediate(1).ok())
        .flatten()
        .map(|value| value as i64);
    // What becomes of addresses, exactly.
    match (mnemonic, whole(0)) {
        (Push, _) => {
            let value = operand(instruction, target, state);
            push(state, bits, value);
            return true;
        }
        (Pop, Some(to)) => {
            if let Value::Frame(base, top) = state.registers[STACK_POINTER] {
                state.registers[to] = state.load(base, top);
                state.registers[STACK_POINTER] = Value::Frame(base, top + i64::from(bits / 8));
            }
            return true;
        }
        (Lea | Mov, Some(to)) if matches!(target, Some(Target::Function(_))) => {
            if let Some(Target::Function(callee)) = target {
                state.registers[to] = Value::Code(*callee);
            }
            return true;
        }
        (Lea, Some(to)) => {
            state.registers[to] = address(instruction, target, state);
            return true;
        }
        (Mov, Some(to)) => {
            let value = match instruction.op1_kind() {
                OpKind::Register => whole(1).map(|from| state.registers[from]),
                OpKind::Memory => match address(instruction, target, state) {
                    // Addresses in static data, the linker's table of them above all, lead to static data.
                    Value::Static => Some(Value::Static),
                    at => Some(read(at, state)),
                },
                _ if target.is_some() => Some(Value::Static),
                _ => Some(Value::Public),
            };
            if let Some(value) = value {
                state.registers[to] = value;
                return true;
            }
        }
        (Add | Sub, Some(to)) if target.is_none() => {
            if let (Value::Frame(base, offset), Some(by)) = (state.registers[to], immediate) {
                let by = if mnemonic == Add { by } else { -by };
                state.registers[to] = Value::Frame(base, offset + by);
                state.flags = STATUS;
                return true;
            }
        }
        (And, Some(STACK_POINTER)) => {
            state.registers[STACK_POINTER] = Value::Frame(instruction.next_ip() as usize, 0);
            state.flags = STATUS;
            return true;
        }
        (Cpuid | Xgetbv, _) => {
            for register in [0, 1, 2, 3] {
                state.registers[register] = Value::Public;
            }
            return true;
        }
        _ => {}
    }
    let same = instruction.op_count() == 2
        && instruction.op0_kind() == OpKind::Register
        && instruction.op1_kind() == OpKind::Register
        && instruction.op0_register() == instruction.op1_register();
    let zeroes = same && matches!(mnemonic, Xor | Sub);
    if moves_words(state, instruction, target) {
        return true;
    }
    let info = factory.info(instruction);
    let reads = |access| {
        matches!(
            access,
            OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        )
    };
    let writes = |access| {
        matches!(
            access,
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        )
    };
    let mut public = true;
    let mut is_static = false;
    if !zeroes {
        let flags = instruction.rflags_read() & STATUS;
        public &= flags & !state.flags == 0;
        for used in info.used_registers() {
            // The registers of an address count with the memory.
            let of_address = used.register() == instruction.memory_base()
                || used.register() == instruction.memory_index();
            if !reads(used.access()) || (of_address && !is_operand(instruction, used.register())) {
                continue;
            }
            match number(used.register()) {
                Some(_) if same && mnemonic == Sbb => {}
                Some(i) => {
                    public &= state.registers[i].is_public();
                    is_static |= state.registers[i] == Value::Static;
                }
                // Vector and mask registers are not followed.
                None if used.register().is_segment_register()
                    || used.register() == Register::EIP
                    || used.register() == Register::RIP => {}
                None => public = false,
            }
        }
        for used in info.used_memory() {
            if reads(used.access()) && mnemonic != Mnemonic::Prefetcht0 {
                let at = address(instruction, target, state);
                public &= read(at, state).is_public();
            }
        }
    }
    let value = match (public, is_static && mnemonic == Add || target.is_some()) {
        (false, _) => Value::Secret,
        (true, true) => Value::Static,
        (true, false) => Value::Public,
    };
    let written: Vec<Register> = info
        .used_registers()
        .iter()
        .filter(|used| writes(used.access()))
        .map(|used| used.register())
        .collect();
    let stores = info.used_memory().iter().any(|used| writes(used.access()));
    if stores {
        store(state, instruction, target, value);
    }
    for register in written {
        if let Some(i) = vector_number(register) {
            state.vectors[i] = [Value::Secret; WORDS];
        }
        let Some(i) = number(register) else { continue };
        let conditional = info
            .used_registers()
            .iter()
            .any(|used| used.register() == register && used.access() == OpAccess::CondWrite);
        if i == STACK_POINTER {
            state.registers[i] = Value::Secret;
        } else if register.size() < 4 || conditional {
            state.registers[i] = state.registers[i].meet(value);
        } else {
            state.registers[i] = value;
        }
    }
    let modified = instruction.rflags_modified() & STATUS;
    state.flags = if public {
        state.flags | modified
    } else {
        state.flags & !modified
    };
    public
}

/// The number of a vector register, if it is one of those that are followed.
fn vector_number(register: Register) -> Option<usize> {
    let is = register.is_xmm() || register.is_ymm() || register.is_zmm();
    (is && register.number() < REGISTERS).then(|| register.number())
}

/// A move of a whole vector between the stack and a register, or a register of zeros; false for anything else.
fn moves_words(state: &mut State, instruction: &Instruction, target: Option<&Target>) -> bool {
    use Mnemonic::{
        Movapd, Movaps, Movdqa, Movdqu, Movupd, Movups, Pxor, Vmovapd, Vmovaps, Vmovdqa, Vmovdqa32,
        Vmovdqa64, Vmovdqu, Vmovdqu32, Vmovdqu64, Vmovupd, Vmovups, Vpxor, Vxorps, Xorps,
    };
    let followed = |i: u32| {
        let register = instruction.op_register(i);
        let is = instruction.op_kind(i) == OpKind::Register && !instruction.has_op_mask();
        is.then(|| vector_number(register)).flatten()
    };
    let last = instruction.op_count().saturating_sub(1);
    match instruction.mnemonic() {
        Xorps | Pxor | Vxorps | Vpxor
            if instruction.op_register(last) == instruction.op_register(last.saturating_sub(1)) =>
        {
            followed(0).map(|to| state.vectors[to] = [Value::Public; WORDS])
        }
        Movups | Movaps | Movdqu | Movdqa | Movupd | Movapd | Vmovups | Vmovaps | Vmovdqu
        | Vmovdqa | Vmovupd | Vmovapd | Vmovdqa32 | Vmovdqa64 | Vmovdqu32 | Vmovdqu64 => {
            match (followed(0), followed(1)) {
                (Some(to), Some(from)) => {
                    state.vectors[to] = state.vectors[from];
                    Some(())
                }
                (Some(to), None) if instruction.op1_kind() == OpKind::Memory => {
                    let at = address(instruction, target, state);
                    state.vectors[to] = core::array::from_fn(|i| match at {
                        Value::Frame(base, offset) => state.load(base, offset + 8 * i as i64),
                        other => read(other, state),
                    });
                    Some(())
                }
                (None, Some(from)) if instruction.op0_kind() == OpKind::Memory => {
                    let Value::Frame(base, offset) = address(instruction, target, state) else {
                        return false;
                    };
                    let words = instruction.memory_size().size() / 8;
                    for (i, value) in state.vectors[from].into_iter().enumerate().take(words) {
                        state.store(base, offset + 8 * i as i64, 8, value);
                    }
                    Some(())
                }
                _ => None,
            }
        }
        _ => None,
    }
    .is_some()
}

/// A store to memory: exactly to a slot, or somewhere behind an address of the stack.
fn store(state: &mut State, instruction: &Instruction, target: Option<&Target>, value: Value) {
    let size = instruction.memory_size().size() as i64;
    if let Value::Frame(base, offset) = address(instruction, target, state) {
        state.store(base, offset, size, value);
        return;
    }
    let registers = [instruction.memory_base(), instruction.memory_index()];
    for register in registers.into_iter().filter_map(number) {
        if let Value::Frame(base, offset) = state.registers[register] {
            let first = offset.wrapping_add(instruction.memory_displacement64() as i64);
            state
                .slots
                .retain(|(of, at), _| *of != base || !(first..first + TOLD).contains(at));
        }
    }
}

/// Whether a register stands in the instruction by itself, and not only in an address.
fn is_operand(instruction: &Instruction, register: Register) -> bool {
    (0..instruction.op_count()).any(|i| {
        instruction.op_kind(i) == OpKind::Register
            && instruction.op_register(i).full_register() == register.full_register()
    })
}

#[cfg(test)]
mod tests;
