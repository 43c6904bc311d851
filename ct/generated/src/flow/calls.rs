//! What a call tells a function, and what of its work the caller sees.

use std::collections::BTreeMap;

use super::registers::{ARGUMENTS, REGISTERS, RESULTS, STACK_POINTER, WORDS, kept_by_calls};
use super::state::{Effects, Given, State, add_range, load};
use super::value::{Value, argument, further, is_argument};
use super::{Flow, TOLD};
use crate::objects::{Id, Target};

/// Copies and fills of more bytes are not followed byte by byte.
pub(super) const MOVED: i64 = 1 << 16;

/// Functions of the library of C that move bytes and compare them, by their names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    Copy,
    Fill,
    Compare,
}

pub(super) fn memory(name: &str) -> Option<Memory> {
    match name {
        "memcpy" | "memmove" => Some(Memory::Copy),
        "memset" => Some(Memory::Fill),
        "memcmp" | "bcmp" => Some(Memory::Compare),
        _ => None,
    }
}

impl<'a> Flow<'a> {
    pub(super) fn name(&self, target: &Target) -> &'a str {
        match target {
            Target::Function(callee) => &self.program.functions[*callee].name,
            Target::Data => "",
        }
    }

    /// Whether a function may not be called where there are secrets, or cannot be followed.
    pub(super) fn is_closed(&self, target: &Target, state: &State) -> bool {
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
    pub(super) fn three_arguments(&self, state: &State) -> [Value; 3] {
        if self.bits == 64 {
            [0, 1, 2].map(|i| state.registers[ARGUMENTS[i]])
        } else {
            [Value::Public; 3]
        }
    }

    /// What a call does of a function that moves bytes or compares them.
    pub(super) fn call_memory(&self, memory: Memory, state: &mut State) -> [Value; 2] {
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
    pub(super) fn call(
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

    /// A call at the end of a function. Returns whether it is one that may not be.
    pub(super) fn leave(
        &mut self,
        caller: Id,
        target: &Target,
        state: &mut State,
        result: &mut Option<Given>,
    ) -> bool {
        let closed = self.is_closed(target, state);
        if let Some(given) = self.call(caller, target, state, true) {
            merge(result, given, state);
        }
        closed
    }

    /// How many bytes a call pushes by itself.
    pub(super) fn returned(&self, at_end: bool) -> i64 {
        if at_end { 0 } else { i64::from(self.bits / 8) }
    }

    /// What a function knows that is called so.
    pub(super) fn entry_of_call(
        &self,
        state: &mut State,
        arguments: &[(usize, Value)],
        at_end: bool,
    ) -> State {
        let mut entry = state.clone();
        entry.registers = entry.registers.map(Value::outside);
        for (register, value) in arguments {
            entry.registers[*register] = value.outside();
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
                entry.slots.insert(place, (value.outside(), *size));
            }
        }
        if let Value::Frame(base, top) = state.registers[STACK_POINTER] {
            // What was pushed for the callee.
            let word = i64::from(self.bits / 8);
            let returned = self.returned(at_end);
            for ((of, offset), (value, size)) in &state.slots {
                if *of == base && value.is_public() && (0..16 * word).contains(&(offset - top)) {
                    entry.store(0, offset - top + returned, *size, value.outside());
                }
            }
        }
        entry.registers[STACK_POINTER] = Value::Frame(0, 0);
        entry
    }

    /// What a call leaves of its caller's slots.
    pub(super) fn take_effects(
        &self,
        state: &mut State,
        arguments: &[(usize, Value)],
        given: &Given,
    ) {
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

pub(super) fn after_call(state: &mut State, bits: u32, given: [Value; 2]) {
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

/// The register through which a slot of the caller is told to a function, and where that leads: the nearest
/// below it.
pub(super) fn owner(arguments: &[(usize, Value)], base: usize, at: i64) -> Option<(usize, i64)> {
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

/// Adds what a function gives at one of its ends.
pub(super) fn merge(result: &mut Option<Given>, registers: [Value; 2], state: &State) {
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
            _ => value.outside(),
        }),
        slots,
        effects,
    };
    match result {
        Some(result) => result.meet(&given),
        None => *result = Some(given),
    }
}
