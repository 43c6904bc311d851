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

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction,
    InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, RflagsBits,
};

use crate::objects::{Function, Id, Program, Target};

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Secret,
    Public,
    /// A constant of the program.
    Number(i64),
    /// The address of static data, or of a table of the linker.
    Static,
    /// The address of a function.
    Code(Id),
    /// An address on the stack: so many bytes above a base. Base 0 is the stack pointer at the entry;
    /// aligning the pointer makes a new base, named after the instruction; and an argument that is an
    /// address of the caller's frame is a base, see [`argument`].
    Frame(usize, i64),
    /// An address on the stack, at least so many bytes above a base.
    Within(usize, i64),
    /// Secret, but for the case that it is such an address.
    Perhaps(usize, i64),
}

impl Value {
    fn is_public(self) -> bool {
        !matches!(self, Self::Secret | Self::Perhaps(..))
    }

    fn meet(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let public = self.is_public() && other.is_public();
        let of = |base, low| {
            if public {
                Self::Within(base, low)
            } else {
                Self::Perhaps(base, low)
            }
        };
        match (self.on_stack(), other.on_stack()) {
            (Some((base, low)), Some((same, at))) if base == same => match self {
                // An address that moves downwards may get anywhere.
                Self::Within(..) | Self::Perhaps(..) if at < low => of(base, i64::MIN),
                _ => of(base, low.min(at)),
            },
            (Some((base, low)), _) | (None, Some((base, low))) if !public => of(base, low),
            _ if public => Self::Public,
            _ => Self::Secret,
        }
    }

    /// Those of two that are addresses, when what both come to is no longer one of the same base.
    fn lost(self, other: Self) -> impl Iterator<Item = Self> {
        let base = |value: Self| value.on_stack().map(|it| it.0);
        let kept = base(self.meet(other));
        let both = [self, other].into_iter();
        both.filter(move |value| base(*value).is_some() && base(*value) != kept)
    }

    /// The base of an address on the stack, and how far above it that is at least.
    fn on_stack(self) -> Option<(usize, i64)> {
        match self {
            Self::Frame(base, low) | Self::Within(base, low) | Self::Perhaps(base, low) => {
                Some((base, low))
            }
            _ => None,
        }
    }

    /// What it is when so much is added.
    fn moved(self, by: i64) -> Self {
        match self {
            Self::Frame(base, at) => Self::Frame(base, at.wrapping_add(by)),
            Self::Within(base, low) => Self::Within(base, further(low, by)),
            Self::Perhaps(base, low) => Self::Perhaps(base, further(low, by)),
            Self::Number(_) => Self::Public,
            other => other,
        }
    }

    /// What it is when it is overwritten with something public, or is not.
    fn blurred(self) -> Self {
        self.meet(Self::Public)
    }
}

/// A lower bound moved; the least stays what it is.
fn further(low: i64, by: i64) -> i64 {
    if low == i64::MIN {
        low
    } else {
        low.saturating_add(by)
    }
}

/// How far behind an address in its frame a caller's slots are told to a function that it calls, and how long an
/// array of addresses is.
const TOLD: i64 = 256;

/// Copies and fills of more bytes are not followed byte by byte.
const MOVED: i64 = 1 << 16;

/// The base that an address of the caller's frame is, given in a register.
fn argument(register: usize) -> usize {
    usize::MAX - register
}

fn is_argument(base: usize) -> bool {
    base > argument(REGISTERS)
}

/// Public bytes, by base and offset: what they hold, and how many they are, eight at most.
type Slots = BTreeMap<(usize, i64), (Value, i64)>;

/// Ranges behind arguments, from the lowest to behind the highest byte, by base.
type Ranges = BTreeMap<usize, (i64, i64)>;

fn add_range(ranges: &mut Ranges, base: usize, (low, high): (i64, i64)) {
    let range = ranges.entry(base).or_insert((low, high));
    *range = (range.0.min(low), range.1.max(high));
}

/// Takes the lower of two offsets for each base.
fn lower(mine: &mut BTreeMap<usize, i64>, theirs: &BTreeMap<usize, i64>) {
    for (base, low) in theirs {
        let known = mine.entry(*base).or_insert(*low);
        *known = (*known).min(*low);
    }
}

/// What a function does to memory that it did not make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Effects {
    /// The bases whose addresses lie somewhere in memory, or in what is not followed, from which offset on.
    escaped: BTreeMap<usize, i64>,
    /// Where behind its arguments it looks for what may be an address.
    fetched: Ranges,
    /// Where behind its arguments it stores something secret.
    spoiled: Ranges,
    /// Where behind its arguments it stores anything.
    touched: Ranges,
    /// Whether it stores anything, and anything secret, where it is not known.
    touches_elsewhere: bool,
    spoils_elsewhere: bool,
}

impl Effects {
    fn meet(&mut self, other: &Self) {
        lower(&mut self.escaped, &other.escaped);
        for (base, range) in &other.fetched {
            add_range(&mut self.fetched, *base, *range);
        }
        for (base, range) in &other.spoiled {
            add_range(&mut self.spoiled, *base, *range);
        }
        for (base, range) in &other.touched {
            add_range(&mut self.touched, *base, *range);
        }
        self.touches_elsewhere |= other.touches_elsewhere;
        self.spoils_elsewhere |= other.spoils_elsewhere;
    }

    fn escape(&mut self, address: Value) {
        if let Some((base, low)) = address.on_stack() {
            let known = self.escaped.entry(base).or_insert(low);
            *known = (*known).min(low);
        }
    }

    /// Ranges that grow with each turn of a recursion grow without end.
    fn widen(&mut self) {
        for low in self.escaped.values_mut() {
            *low = i64::MIN;
        }
        for ranges in [&mut self.fetched, &mut self.spoiled, &mut self.touched] {
            for range in ranges.values_mut() {
                *range = (i64::MIN, i64::MAX);
            }
        }
    }
}

/// What a function gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    /// Addresses behind its arguments count from these.
    registers: [Value; 2],
    /// What is public behind its arguments afterwards.
    slots: Slots,
    effects: Effects,
}

impl Given {
    fn meet(&mut self, other: &Self) {
        for (mine, theirs) in self.registers.iter_mut().zip(other.registers) {
            for address in mine.lost(theirs) {
                self.effects.escape(address);
            }
            let met = mine.meet(theirs);
            if let Value::Perhaps(..) = met {
                self.effects.escape(met);
            }
            *mine = if met.is_public() { met } else { Value::Secret };
        }
        let theirs = &other.slots;
        self.slots.retain(|(base, at), (value, size)| {
            *value = value.meet(load(theirs, *base, *at, *size));
            value.is_public()
        });
        self.effects.meet(&other.effects);
    }
}

/// After so many changes of what a function gives, it is made coarser.
const CHANGES: usize = 40;

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
    /// Where memory on the stack is public. Elsewhere it is secret.
    slots: Slots,
    effects: Effects,
    /// The arguments whose addresses had escaped before, from which offset on.
    exposed: BTreeMap<usize, i64>,
}

/// What a number of bytes holds. Only where they were stored as one are they an address.
fn load(slots: &Slots, base: usize, offset: i64, size: i64) -> Value {
    if let Some((value, of)) = slots.get(&(base, offset))
        && *of == size
    {
        return *value;
    }
    let end = offset.saturating_add(size);
    let mut covered = offset;
    for ((_, at), (value, size)) in slots.range((base, offset.saturating_sub(7))..(base, end)) {
        if *at > covered || !value.is_public() {
            break;
        }
        covered = covered.max(at + size);
    }
    if covered >= end && size > 0 {
        Value::Public
    } else {
        Value::Secret
    }
}

impl State {
    fn meet(&mut self, other: &Self) -> bool {
        let before = self.clone();
        // Addresses of which one no longer knows that they are such.
        let mut lost = Vec::new();
        let mine = self
            .registers
            .iter_mut()
            .chain(self.vectors.as_flattened_mut());
        let theirs = other.registers.iter().chain(other.vectors.as_flattened());
        for (mine, theirs) in mine.zip(theirs) {
            lost.extend(mine.lost(*theirs));
            *mine = mine.meet(*theirs);
        }
        self.flags &= other.flags;
        self.slots.retain(|(base, at), (value, size)| {
            let theirs = load(&other.slots, *base, *at, *size);
            lost.extend(value.lost(theirs));
            *value = value.meet(theirs);
            *value != Value::Secret
        });
        for ((base, at), (theirs, size)) in &other.slots {
            let Some((of, low)) = theirs.on_stack() else {
                continue;
            };
            let mut mine = self.slots.range((*base, at - 7)..(*base, at + size));
            match mine.find(|((_, mine), (_, size))| mine + size > *at) {
                None => {
                    let perhaps = Value::Perhaps(of, low);
                    self.slots.insert((*base, *at), (perhaps, *size));
                }
                // These two have met above.
                Some(((_, mine), (_, of))) if mine == at && of == size => {}
                Some(_) => lost.push(*theirs),
            }
        }
        self.effects.meet(&other.effects);
        lower(&mut self.exposed, &other.exposed);
        for address in lost {
            self.escape(address);
        }
        *self != before
    }

    /// An address goes where it is not followed, and with it those that one finds behind it.
    fn escape(&mut self, address: Value) {
        let mut addresses = vec![address];
        while let Some(address) = addresses.pop() {
            let Some((base, low)) = address.on_stack() else {
                continue;
            };
            let known = self.effects.escaped.get(&base);
            if known.is_some_and(|known| *known <= low) {
                continue;
            }
            self.effects.escaped.insert(base, low);
            addresses.extend(self.addresses_in(base, low, i64::MAX));
        }
    }

    fn addresses_in(&self, base: usize, low: i64, high: i64) -> Vec<Value> {
        let slots = self
            .slots
            .range((base, low)..=(base, high.saturating_sub(1).max(low)));
        slots.map(|(_, (value, _))| *value).collect()
    }

    /// Notes for callers that so many bytes are read behind an argument, in which an address may be.
    fn fetch(&mut self, address: Value, size: Option<i64>) {
        let range = match (address, size) {
            (Value::Frame(base, at), Some(size)) => Some((base, at, at.saturating_add(size))),
            _ => address.on_stack().map(|(base, low)| (base, low, i64::MAX)),
        };
        // Arguments may lie on the stack as well, above the return address.
        let from_caller = |base, low| is_argument(base) || base == 0 && low > 0;
        if let Some((base, low, high)) = range.filter(|(base, low, _)| from_caller(*base, *low)) {
            add_range(&mut self.effects.fetched, base, (low, high));
        }
    }

    /// What may be written by a store through an address of which nothing is known.
    fn within_reach(&self) -> BTreeMap<usize, i64> {
        let mut all = self.effects.escaped.clone();
        lower(&mut all, &self.exposed);
        all
    }

    /// A store to a known place.
    fn store(&mut self, base: usize, offset: i64, size: i64, value: Value) {
        let escaped = self.effects.escaped.get(&base);
        if is_argument(base) || escaped.is_some_and(|low| *low <= offset) {
            self.escape(value);
        }
        let end = offset + size.max(1);
        let overlapping: Vec<_> = self
            .slots
            .range((base, offset - 7)..(base, end))
            .filter(|((_, at), (_, size))| at + size > offset)
            .map(|((_, at), (value, size))| (*at, *at + size, value.is_public()))
            .collect();
        for (from, to, public) in overlapping {
            self.slots.remove(&(base, from));
            // What is left of it is as it was, and no address.
            for (from, to) in [(from, offset), (end, to)] {
                if public && from < to {
                    self.slots.insert((base, from), (Value::Public, to - from));
                }
            }
        }
        if value.is_public() || value.on_stack().is_some() && size <= 8 {
            for at in (offset..end).step_by(8) {
                let of_word = if size <= 8 { value } else { value.blurred() };
                self.slots.insert((base, at), (of_word, (end - at).min(8)));
            }
        }
        self.note(base, (offset, end), value);
    }

    /// Notes for callers what was stored behind an argument, and what is lost by it behind others: they may
    /// lead to the same place, if their addresses had escaped.
    fn note(&mut self, base: usize, range: (i64, i64), value: Value) {
        if !is_argument(base) {
            return;
        }
        add_range(&mut self.effects.touched, base, range);
        if !value.is_public() {
            add_range(&mut self.effects.spoiled, base, range);
        }
        for (other, low) in self.within_reach() {
            if other != base && is_argument(other) {
                self.overwrite(other, low, i64::MAX, value);
            }
        }
    }

    /// Something is, or is not, stored somewhere in a range.
    fn overwrite(&mut self, base: usize, low: i64, high: i64, value: Value) {
        let range = (base, low.saturating_sub(7))..=(base, high.saturating_sub(1));
        let places: Vec<_> = self
            .slots
            .range(range)
            .filter(|((_, at), (_, size))| at + size > low)
            .map(|(place, (value, _))| (*place, *value))
            .collect();
        for (place, was) in places {
            // It may be left as it was.
            let other = if value.is_public() {
                Value::Public
            } else {
                Value::Secret
            };
            for address in was.lost(other) {
                self.escape(address);
            }
            match (was.meet(other), self.slots.get_mut(&place)) {
                (Value::Secret, _) => {
                    self.slots.remove(&place);
                }
                (met, Some((slot, _))) => *slot = met,
                _ => {}
            }
        }
    }

    /// A store from a place on, nobody knows how far.
    fn store_within(&mut self, base: usize, low: i64, value: Value) {
        self.escape(value);
        self.overwrite(base, low, i64::MAX, value);
        self.note(base, (low, i64::MAX), value);
    }

    /// A store to what is not known: wherever an address leads that has escaped.
    fn store_elsewhere(&mut self, value: Value) {
        self.escape(value);
        self.effects.touches_elsewhere = true;
        self.effects.spoils_elsewhere |= !value.is_public();
        for (base, low) in self.within_reach() {
            self.overwrite(base, low, i64::MAX, value);
        }
    }

    /// A store of a number of bytes, if that is known, from an address on.
    fn store_at(&mut self, address: Value, size: Option<i64>, value: Value) {
        match (address, size) {
            (Value::Frame(base, at), Some(size)) => {
                if size > 0 {
                    self.store(base, at, size, value);
                }
            }
            (Value::Frame(base, low) | Value::Within(base, low), _) => {
                self.store_within(base, low, value);
            }
            (Value::Perhaps(base, low), _) => {
                self.store_within(base, low, value);
                self.store_elsewhere(value);
            }
            (Value::Static | Value::Code(_), _) => self.escape(value),
            (Value::Public | Value::Secret | Value::Number(_), _) => self.store_elsewhere(value),
        }
    }

    fn load(&self, base: usize, offset: i64, size: i64) -> Value {
        load(&self.slots, base, offset, size)
    }

    /// What so many bytes behind an address are, as a whole.
    fn contents(&self, address: Value, size: Value) -> Value {
        match (address, size) {
            (Value::Static | Value::Code(_), _) | (_, Value::Number(0)) => Value::Public,
            (Value::Frame(base, at), Value::Number(size)) => self.load(base, at, size).blurred(),
            _ => Value::Secret,
        }
    }
}

/// Functions of the library of C that move bytes and compare them, by their names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Copy,
    Fill,
    Compare,
}

fn memory(name: &str) -> Option<Memory> {
    match name {
        "memcpy" | "memmove" => Some(Memory::Copy),
        "memset" => Some(Memory::Fill),
        "memcmp" | "bcmp" => Some(Memory::Compare),
        _ => None,
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

/// A function's instructions, and the registers that are still read from each place on to which one can jump,
/// and from the first, as bits. What is left in others is nothing that goes anywhere.
struct Decoded {
    instructions: Vec<Instruction>,
    index: HashMap<usize, usize>,
    live: HashMap<usize, u16>,
}

impl Decoded {
    fn of(function: &Function, bits: u32) -> Self {
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
fn registers_of(function: &Function, instruction: &Instruction, bits: u32) -> (u16, u16) {
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
                                if self.is_closed(target, &state) {
                                    suspect(Kind::Call);
                                }
                                if let Some(given) = self.call(id, target, &mut state, true) {
                                    merge(&mut result, given, &state);
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
                                if self.is_closed(target, &state) {
                                    suspect(Kind::Call);
                                }
                                if let Some(given) = self.call(id, target, &mut state, true) {
                                    merge(&mut result, given, &state);
                                }
                            }
                            _ => {
                                let to = operand(instruction, target, &state);
                                if let Value::Code(callee) = to {
                                    let callee = Target::Function(callee);
                                    if self.is_closed(&callee, &state) {
                                        suspect(Kind::Call);
                                    }
                                    if let Some(given) = self.call(id, &callee, &mut state, true) {
                                        merge(&mut result, given, &state);
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

    fn name(&self, target: &Target) -> &'a str {
        match target {
            Target::Function(callee) => &self.program.functions[*callee].name,
            Target::Data => "",
        }
    }

    /// Whether a function may not be called where there are secrets, or cannot be followed.
    fn is_closed(&self, target: &Target, state: &State) -> bool {
        let name = self.name(target);
        if let Some(memory) = memory(name) {
            let [to, from, size] = self.three_arguments(state);
            let compares = memory == Memory::Compare
                && ![to, from]
                    .map(|it| state.contents(it, size))
                    .iter()
                    .all(|it| it.is_public());
            return compares || !size.is_public();
        }
        let elsewhere = match target {
            Target::Function(callee) => self.program.functions[*callee].code.is_empty(),
            Target::Data => false,
        };
        (self.law.closed)(name) || (elsewhere && !(self.law.open)(name) && !(self.law.ends)(name))
    }

    /// The first arguments, as far as they are in registers.
    fn three_arguments(&self, state: &State) -> [Value; 3] {
        if self.bits == 64 {
            [0, 1, 2].map(|i| state.registers[ARGUMENTS[i]])
        } else {
            [Value::Public; 3]
        }
    }

    /// What a call does of a function that moves bytes or compares them.
    fn call_memory(&self, memory: Memory, state: &mut State) -> [Value; 2] {
        if self.bits != 64 {
            // The arguments are on the stack, and not followed.
            state.slots.clear();
            state.store_elsewhere(Value::Secret);
            return [Value::Secret; 2];
        }
        let [to, from, size] = self.three_arguments(state);
        let bytes = match size {
            Value::Number(bytes @ 0..=MOVED) => Some(bytes),
            _ => None,
        };
        match memory {
            Memory::Compare => {
                let public = [to, from].map(|it| state.contents(it, size));
                [public[0].meet(public[1]), Value::Secret]
            }
            Memory::Fill => {
                state.store_at(to, bytes, from.blurred());
                [to, Value::Secret]
            }
            Memory::Copy => {
                state.fetch(from, bytes);
                // Addresses go along as such if they stand at the same multiples of a word.
                match (to, from, bytes) {
                    (Value::Frame(base, at), Value::Frame(of, begin), Some(bytes)) => {
                        let words: Vec<_> = (0..bytes)
                            .step_by(8)
                            .map(|i| {
                                let size = (bytes - i).min(8);
                                let value = state.load(of, begin + i, size);
                                (at + i, size, value)
                            })
                            .collect();
                        for ((_, place), (value, _)) in state.slots.clone() {
                            if (begin..begin + bytes).contains(&place) && (place - begin) % 8 != 0 {
                                state.escape(value);
                            }
                        }
                        for (at, size, value) in words {
                            state.store(base, at, size, value);
                        }
                    }
                    _ => {
                        if let Some((base, low)) = from.on_stack() {
                            for address in state.addresses_in(base, low, i64::MAX) {
                                state.escape(address);
                            }
                        }
                        let value = state.contents(from, size);
                        state.store_at(to, bytes, value);
                    }
                }
                [to, Value::Secret]
            }
        }
    }

    /// Notes a call, or a jump to another function at the end, and returns what comes back, if anything is
    /// known to.
    fn call(
        &mut self,
        caller: Id,
        target: &Target,
        state: &mut State,
        at_end: bool,
    ) -> Option<[Value; 2]> {
        let name = self.name(target);
        if let Some(memory) = memory(name) {
            return Some(self.call_memory(memory, state));
        }
        if (self.law.ends)(name) {
            return None;
        }
        if (self.law.open)(name) {
            return Some([Value::Public; 2]);
        }
        let callee = match target {
            Target::Function(callee) if !(self.law.closed)(name) => Some(*callee),
            _ => None,
        };
        let mut arguments = ARGUMENTS.map(|register| (register, state.registers[register]));
        let known = callee.filter(|callee| !self.program.functions[*callee].code.is_empty());
        let Some(callee) = known else {
            for (_, argument) in arguments {
                state.escape(argument);
            }
            state.store_elsewhere(Value::Secret);
            return Some([Value::Secret; 2]);
        };
        // What is left in other registers is nothing to it.
        let takes = self.decoded(callee).live.get(&0).copied();
        for (register, value) in &mut arguments {
            if takes.is_some_and(|takes| takes & (1 << *register) == 0) {
                *value = Value::Secret;
            }
        }
        let entry = self.entry_of_call(state, &arguments, at_end);
        let (given, as_entered) = self.enter(callee, &entry, Some(caller));
        for (register, value) in arguments {
            if as_entered[register] != Value::Frame(argument(register), 0) {
                state.escape(value);
            }
        }
        let given = given?;
        for (register, value) in arguments {
            let base = argument(register);
            let Some((of, least)) = value.on_stack() else {
                continue;
            };
            if let Some(low) = given.effects.escaped.get(&base) {
                let low = if least == i64::MIN { i64::MIN } else { *low };
                state.escape(value.moved(low));
            }
            if let Some((low, high)) = given.effects.fetched.get(&base).copied() {
                let (low, high) = match value {
                    Value::Frame(..) => (further(low, least), high.saturating_add(least)),
                    _ => (if low < 0 { i64::MIN } else { least }, i64::MAX),
                };
                for address in state.addresses_in(of, low, high) {
                    state.escape(address);
                }
                if is_argument(of) {
                    add_range(&mut state.effects.fetched, of, (low, high));
                }
            }
        }
        if let (Some((low, high)), Value::Frame(base, top)) = (
            given.effects.fetched.get(&0),
            state.registers[STACK_POINTER],
        ) {
            let pushed = top - self.returned(at_end);
            for address in state.addresses_in(base, low + pushed, high.saturating_add(pushed)) {
                state.escape(address);
            }
        }
        // It has to know of what escapes to it.
        let knowing = self.entry_of_call(state, &arguments, at_end);
        if knowing != entry {
            self.enter(callee, &knowing, Some(caller));
        }
        self.take_effects(state, &arguments, &given);
        Some(given.registers.map(|value| match value.on_stack() {
            Some((base, low)) => {
                let register = argument(0) - base;
                let of_caller = state.registers[register];
                match (value, of_caller) {
                    (_, Value::Secret) => Value::Secret,
                    (Value::Frame(..), _) => of_caller.moved(low),
                    (_, Value::Frame(base, at)) => Value::Within(base, further(low, at)),
                    (_, Value::Within(base, least)) if low != i64::MIN => {
                        Value::Within(base, further(least, low))
                    }
                    (_, Value::Within(base, _)) => Value::Within(base, i64::MIN),
                    _ => Value::Public,
                }
            }
            None => value,
        }))
    }

    /// How many bytes a call pushes by itself.
    fn returned(&self, at_end: bool) -> i64 {
        if at_end { 0 } else { i64::from(self.bits / 8) }
    }

    /// What a function knows that is called so.
    fn entry_of_call(
        &self,
        state: &mut State,
        arguments: &[(usize, Value)],
        at_end: bool,
    ) -> State {
        let mut entry = state.clone();
        entry.registers = entry.registers.map(outside);
        for (register, value) in arguments {
            entry.registers[*register] = outside(*value);
        }
        entry.vectors = [[Value::Secret; WORDS]; REGISTERS];
        entry.flags = 0;
        entry.slots.clear();
        entry.effects = Effects::default();
        entry.exposed.clear();
        let reach = state.within_reach();
        for (register, value) in arguments {
            let Some((base, offset)) = value.on_stack().filter(|_| value.is_public()) else {
                continue;
            };
            entry.registers[*register] = Value::Frame(argument(*register), 0);
            if !matches!(value, Value::Frame(..)) {
                continue;
            }
            if let Some(low) = reach.get(&base) {
                let low = low.saturating_sub(offset).max(0);
                entry.exposed.insert(argument(*register), low);
            }
        }
        for ((base, at), (value, size)) in &state.slots {
            if let Some((register, offset)) = owner(arguments, *base, *at)
                && value.is_public()
            {
                let place = (argument(register), at - offset);
                entry.slots.insert(place, (outside(*value), *size));
            }
        }
        if let Value::Frame(base, top) = state.registers[STACK_POINTER] {
            // What was pushed for the callee.
            let word = i64::from(self.bits / 8);
            let returned = self.returned(at_end);
            for ((of, offset), (value, size)) in &state.slots {
                if *of == base && value.is_public() && (0..16 * word).contains(&(offset - top)) {
                    entry.store(0, offset - top + returned, *size, outside(*value));
                }
            }
        }
        entry.registers[STACK_POINTER] = Value::Frame(0, 0);
        entry
    }

    /// What a call leaves of its caller's slots.
    fn take_effects(&self, state: &mut State, arguments: &[(usize, Value)], given: &Given) {
        let effects = &given.effects;
        let reach = state.within_reach();
        for (place, (value, size)) in state.slots.clone() {
            let Some((register, offset)) = owner(arguments, place.0, place.1) else {
                continue;
            };
            let base = argument(register);
            // It may be that only another caller does not know what is there.
            let at = place.1 - offset;
            let spoiled = effects.spoiled.get(&base);
            let stored = spoiled.is_some_and(|(low, high)| *low < at + size && at < *high);
            let exposed = reach.get(&place.0).is_some_and(|low| *low < place.1 + size);
            if (stored || exposed)
                && value.is_public()
                && !load(&given.slots, base, at, size).is_public()
            {
                state.overwrite(place.0, place.1, place.1 + size, Value::Secret);
            }
        }
        for (ranges, stored) in [
            (&effects.spoiled, Value::Secret),
            (&effects.touched, Value::Public),
        ] {
            for (register, value) in arguments {
                let Some((low, high)) = ranges.get(&argument(*register)).copied() else {
                    continue;
                };
                match *value {
                    Value::Frame(base, offset) => {
                        let (low, high) = (further(low, offset), high.saturating_add(offset));
                        // What the callee was told of, it answers for by itself.
                        let mut told = BTreeMap::new();
                        if !stored.is_public() {
                            let slots = state
                                .slots
                                .range((base, low.saturating_sub(7))..(base, high));
                            told.extend(slots.map(|(place, slot)| (*place, *slot)).filter(
                                |((_, at), _)| {
                                    owner(arguments, base, *at).is_some_and(|it| it.0 == *register)
                                },
                            ));
                        }
                        state.overwrite(base, low, high, stored);
                        state.slots.extend(told);
                        state.note(base, (low, high), stored);
                    }
                    Value::Within(base, least) => {
                        let least = if low < 0 { i64::MIN } else { least };
                        state.store_within(base, least, stored);
                    }
                    Value::Perhaps(base, _) => {
                        state.store_within(base, i64::MIN, stored);
                        state.store_elsewhere(stored);
                    }
                    Value::Public | Value::Secret => state.store_elsewhere(stored),
                    Value::Static | Value::Code(_) | Value::Number(_) => {}
                }
            }
        }
        if effects.touches_elsewhere {
            state.store_elsewhere(Value::Public);
        }
        if effects.spoils_elsewhere {
            state.store_elsewhere(Value::Secret);
        }
    }
}

/// The register through which a slot of the caller is told to a function, and where that leads: the nearest
/// below it.
fn owner(arguments: &[(usize, Value)], base: usize, at: i64) -> Option<(usize, i64)> {
    let mut nearest: Option<(usize, i64)> = None;
    for (register, value) in arguments {
        if let Value::Frame(of, offset) = *value
            && of == base
            && (offset..offset.saturating_add(TOLD)).contains(&at)
            && nearest.is_none_or(|(_, before)| offset > before)
        {
            nearest = Some((*register, offset));
        }
    }
    nearest
}

/// An address of a frame, for other functions.
fn outside(value: Value) -> Value {
    match value {
        Value::Frame(..) | Value::Within(..) => Value::Public,
        Value::Perhaps(..) => Value::Secret,
        other => other,
    }
}

/// Adds what a function gives at one of its ends.
fn merge(result: &mut Option<Given>, registers: [Value; 2], state: &State) {
    let mut slots = state.slots.clone();
    slots.retain(|(base, _), (value, _)| is_argument(*base) && value.is_public());
    let mut effects = state.effects.clone();
    for value in registers {
        if !value.is_public() {
            effects.escape(value);
        }
    }
    effects.escaped.retain(|base, _| is_argument(*base));
    let given = Given {
        registers: registers.map(|value| match value.on_stack() {
            Some((base, _)) if is_argument(base) && value.is_public() => value,
            _ => outside(value),
        }),
        slots,
        effects,
    };
    match result {
        Some(result) => result.meet(&given),
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
    let of = |register: Register| match number(register) {
        Some(i) => Some(state.registers[i]),
        // Vectors of indices.
        None if vector_number(register).is_some() || register.is_zmm() => Some(Value::Secret),
        None => None,
    };
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
        (Some(address @ (Value::Frame(..) | Value::Within(..))), None) => {
            address.moved(displacement)
        }
        (None, Some(address @ (Value::Frame(..) | Value::Within(..))))
            if instruction.memory_index_scale() == 1 =>
        {
            address.moved(displacement)
        }
        // Indices count upwards.
        (Some(address), other) | (other, Some(address))
            if address.on_stack().is_some() && other.and_then(Value::on_stack).is_none() =>
        {
            let (base, low) = address.on_stack().unwrap_or_default();
            Value::Within(base, further(low, displacement))
        }
        (Some(Value::Static | Value::Code(_)), _) | (_, Some(Value::Static)) => Value::Static,
        _ => Value::Public,
    }
}

/// Notes what an instruction reads behind arguments, if an address may be in it.
fn fetches(state: &mut State, instruction: &Instruction, target: Option<&Target>, bits: u32) {
    let size = size_in_memory(instruction);
    let has_memory = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
    if !has_memory || size < i64::from(bits / 8) || instruction.mnemonic() == Mnemonic::Lea {
        return;
    }
    let at = address(instruction, target, state);
    state.fetch(at, Some(size));
    let displacement = instruction.memory_displacement64() as i64;
    let registers = [instruction.memory_base(), instruction.memory_index()];
    let unknown = at.on_stack().is_none();
    let with_index = registers.into_iter().filter(|_| unknown).filter_map(number);
    let places: Vec<Value> = with_index
        .map(|i| state.registers[i].moved(displacement))
        .chain([at])
        .collect();
    for place in places {
        if place != at {
            state.fetch(place, None);
        }
        // Addresses that are read as words of their own, or as the words of a vector that is only moved, are
        // followed. Others are lost.
        let addresses = match place {
            Value::Frame(base, low) if place == at => {
                if size == i64::from(bits / 8) || moves_vectors(instruction.mnemonic()) {
                    continue;
                }
                state.addresses_in(base, low, low.saturating_add(size))
            }
            _ => place.on_stack().map_or_else(Vec::new, |(base, low)| {
                // Arrays of addresses are short.
                state.addresses_in(base, low, further(low, TOLD))
            }),
        };
        let writes_only = instruction.op0_kind() == OpKind::Memory
            && (instruction.mnemonic() == Mnemonic::Mov || moves_vectors(instruction.mnemonic()));
        if !writes_only {
            for address in addresses {
                state.escape(address);
            }
        }
    }
}

/// What is read at an address.
fn read(at: Value, size: i64, state: &State) -> Value {
    match at {
        Value::Frame(base, offset) => state.load(base, offset, size),
        // What another library names may be a function or static data.
        Value::Static | Value::Code(_) => Value::Public,
        _ => Value::Secret,
    }
}

/// The size of an operand in memory.
fn size_in_memory(instruction: &Instruction) -> i64 {
    instruction.memory_size().size() as i64
}

/// The value of the first operand.
fn operand(instruction: &Instruction, target: Option<&Target>, state: &State) -> Value {
    match instruction.op0_kind() {
        OpKind::Register => {
            number(instruction.op0_register()).map_or(Value::Secret, |i| state.registers[i])
        }
        OpKind::Memory => read(
            address(instruction, target, state),
            size_in_memory(instruction),
            state,
        ),
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
                let word = i64::from(bits / 8);
                state.registers[to] = state.load(base, top, word);
                state.registers[STACK_POINTER] = Value::Frame(base, top + word);
            }
            return true;
        }
        // As many bits as are constants mostly moved with; what is above them becomes zero.
        (Mov, None)
            if immediate.is_some() && target.is_none() && instruction.op0_register().is_gpr32() =>
        {
            if let Some(to) = number(instruction.op0_register()) {
                let value = instruction.try_immediate(1).unwrap_or_default();
                state.registers[to] = Value::Number(value as u32 as i64);
            }
            return true;
        }
        (Mov, None)
            if instruction.op0_kind() == OpKind::Memory
                && instruction.op1_kind() == OpKind::Register
                && whole(1).is_some() =>
        {
            let value = whole(1).map_or(Value::Secret, |from| state.registers[from]);
            store(state, instruction, target, value);
            return value.is_public();
        }
        (Lea | Mov, Some(to)) if matches!(target, Some(Target::Function(_))) => {
            if let Some(Target::Function(callee)) = target {
                state.registers[to] = Value::Code(*callee);
            }
            return true;
        }
        (Lea, Some(to)) => {
            let value = address(instruction, target, state);
            if value.on_stack().is_none() {
                for register in [instruction.memory_base(), instruction.memory_index()] {
                    let of = number(register).map_or(Value::Public, |i| state.registers[i]);
                    state.escape(of);
                }
            }
            state.registers[to] = value;
            return true;
        }
        (Mov, Some(to)) => {
            let value = match instruction.op1_kind() {
                OpKind::Register => whole(1).map(|from| state.registers[from]),
                OpKind::Memory => match address(instruction, target, state) {
                    // Addresses in static data, the linker's table of them above all, lead to static data.
                    Value::Static => Some(Value::Static),
                    at => Some(read(at, size_in_memory(instruction), state)),
                },
                _ if target.is_some() => Some(Value::Static),
                _ => Some(immediate.map_or(Value::Public, Value::Number)),
            };
            if let Some(value) = value {
                state.registers[to] = value;
                return true;
            }
        }
        (Add | Sub, Some(to)) if target.is_none() => {
            let was = state.registers[to];
            if let (Some(_), Some(by)) = (was.on_stack(), immediate) {
                let by = if mnemonic == Add { by } else { -by };
                state.registers[to] = was.moved(by);
                state.flags = if was.is_public() { STATUS } else { 0 };
                return was.is_public();
            }
            // An index is added.
            let pair = [Some(was), whole(1).map(|from| state.registers[from])];
            if let (Add, [Some(one), Some(other)]) = (mnemonic, pair)
                && let Some((base, low)) = one.on_stack().or(other.on_stack())
                && one.on_stack().is_none() != other.on_stack().is_none()
                && one.is_public()
                && other.is_public()
            {
                state.registers[to] = Value::Within(base, low);
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
    if zeroes
        && instruction.op0_register().size() >= 4
        && let Some(to) = number(instruction.op0_register())
        && to != STACK_POINTER
    {
        state.registers[to] = Value::Number(0);
        state.flags = STATUS;
        return true;
    }
    // One address or the other.
    if instruction.condition_code() != ConditionCode::None
        && instruction.op_count() == 2
        && let (Some(to), Some(from)) = (whole(0), whole(1))
        && instruction.rflags_read() & STATUS & !state.flags == 0
    {
        let (one, other) = (state.registers[to], state.registers[from]);
        for address in one.lost(other) {
            state.escape(address);
        }
        let met = one.meet(other);
        state.registers[to] = met;
        return met.is_public();
    }
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
    // Addresses that go into something of which one no longer knows that it is one.
    let mut lost = Vec::new();
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
                    // A part of an address is none.
                    if used.register().size() * 8 == bits as usize {
                        lost.push(state.registers[i]);
                    }
                }
                // Vector and mask registers are not followed.
                None if used.register().is_segment_register()
                    || used.register() == Register::EIP
                    || used.register() == Register::RIP => {}
                None => {
                    public = false;
                    if let Some(i) = vector_number(used.register()) {
                        lost.extend(state.vectors[i]);
                    }
                }
            }
        }
        for used in info.used_memory() {
            if reads(used.access()) && mnemonic != Mnemonic::Prefetcht0 {
                let at = address(instruction, target, state);
                let found = read(at, size_in_memory(instruction), state);
                public &= found.is_public();
                lost.push(found);
                // Several at once, as strings are moved.
                public &= !instruction.is_string_instruction();
            }
        }
    }
    if !matches!(mnemonic, Mnemonic::Cmp | Mnemonic::Test) {
        for address in lost {
            state.escape(address);
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
    if stores && instruction.is_string_instruction() {
        // What is moved is not followed.
        state.escape(state.registers[ARGUMENTS[1]]);
        state.store_at(state.registers[ARGUMENTS[0]], None, value);
    } else if stores {
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
        } else if register.size() < 4 {
            state.registers[i] = outside(state.registers[i]).meet(value);
        } else if conditional {
            let was = state.registers[i];
            for address in was.lost(value) {
                state.escape(address);
            }
            state.registers[i] = was.meet(value);
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

/// Whether an instruction leaves what is above the vectors of SSE as it was.
fn is_legacy(instruction: &Instruction) -> bool {
    matches!(instruction.encoding(), EncodingKind::Legacy)
}

/// Whether an instruction moves a whole vector.
fn moves_vectors(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{
        Movapd, Movaps, Movdqa, Movdqu, Movupd, Movups, Vmovapd, Vmovaps, Vmovdqa, Vmovdqa32,
        Vmovdqa64, Vmovdqu, Vmovdqu32, Vmovdqu64, Vmovupd, Vmovups,
    };
    matches!(
        mnemonic,
        Movups
            | Movaps
            | Movdqu
            | Movdqa
            | Movupd
            | Movapd
            | Vmovups
            | Vmovaps
            | Vmovdqu
            | Vmovdqa
            | Vmovupd
            | Vmovapd
            | Vmovdqa32
            | Vmovdqa64
            | Vmovdqu32
            | Vmovdqu64
    )
}

/// A move of a whole vector between the stack and a register, or a register of zeros; false for anything else.
fn moves_words(state: &mut State, instruction: &Instruction, target: Option<&Target>) -> bool {
    use Mnemonic::{Pxor, Vpxor, Vxorps, Xorps};
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
            let words = if is_legacy(instruction) { 2 } else { WORDS };
            followed(0).map(|to| state.vectors[to][..words].fill(Value::Public))
        }
        mnemonic if moves_vectors(mnemonic) => {
            let words = match instruction.op0_kind() {
                OpKind::Register => instruction.op0_register().size() / 8,
                _ => instruction.memory_size().size() / 8,
            };
            // What is above a narrower one is not followed.
            let narrowed = |mut vector: [Value; WORDS]| {
                vector[words.min(WORDS)..].fill(Value::Secret);
                vector
            };
            match (followed(0), followed(1)) {
                (Some(to), Some(from)) => {
                    state.vectors[to] = narrowed(state.vectors[from]);
                    Some(())
                }
                (Some(to), None) if instruction.op1_kind() == OpKind::Memory => {
                    let at = address(instruction, target, state);
                    state.vectors[to] = narrowed(core::array::from_fn(|i| match at {
                        Value::Frame(base, offset) => state.load(base, offset + 8 * i as i64, 8),
                        other => read(other, 8, state),
                    }));
                    Some(())
                }
                (None, Some(from)) if instruction.op0_kind() == OpKind::Memory => {
                    let vector = state.vectors[from];
                    if let Value::Frame(base, offset) = address(instruction, target, state) {
                        for (i, value) in vector.into_iter().enumerate().take(words) {
                            state.store(base, offset + 8 * i as i64, 8, value);
                        }
                    } else {
                        let whole = vector[..words.min(WORDS)].iter();
                        let value = whole.fold(Value::Public, |all, word| all.meet(*word));
                        for word in vector {
                            state.escape(word);
                        }
                        store(state, instruction, target, value);
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

/// A store to memory: exactly to a slot, somewhere behind an address of the stack, or elsewhere.
fn store(state: &mut State, instruction: &Instruction, target: Option<&Target>, value: Value) {
    let at = address(instruction, target, state);
    state.store_at(at, Some(size_in_memory(instruction)), value);
    // An address of the stack with an index that is not public, or two of them.
    if at.on_stack().is_none() {
        let displacement = instruction.memory_displacement64() as i64;
        let registers = [instruction.memory_base(), instruction.memory_index()];
        for register in registers.into_iter().filter_map(number) {
            if let Some((base, low)) = state.registers[register].on_stack() {
                state.store_within(base, further(low, displacement), value);
            }
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
