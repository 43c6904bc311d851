//! What is known at a place of a function, and what a function does to memory that it did not make.

use std::collections::BTreeMap;

use super::registers::{REGISTERS, WORDS};
use super::value::{Value, is_argument};

/// Public bytes, by base and offset: what they hold, and how many they are, eight at most.
pub(super) type Slots = BTreeMap<(usize, i64), (Value, i64)>;

/// Ranges behind arguments, from the lowest to behind the highest byte, by base.
pub(super) type Ranges = BTreeMap<usize, (i64, i64)>;

pub(super) fn add_range(ranges: &mut Ranges, base: usize, (low, high): (i64, i64)) {
    let range = ranges.entry(base).or_insert((low, high));
    *range = (range.0.min(low), range.1.max(high));
}

/// Takes the lower of two offsets for each base.
pub(super) fn lower(mine: &mut BTreeMap<usize, i64>, theirs: &BTreeMap<usize, i64>) {
    for (base, low) in theirs {
        let known = mine.entry(*base).or_insert(*low);
        *known = (*known).min(*low);
    }
}

/// What a function does to memory that it did not make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// The bases whose addresses lie somewhere in memory, or in what is not followed, from which offset on.
    pub(super) escaped: BTreeMap<usize, i64>,
    /// Where behind its arguments it looks for what may be an address.
    pub(super) fetched: Ranges,
    /// Where behind its arguments it stores something secret.
    pub(super) spoiled: Ranges,
    /// Where behind its arguments it stores anything.
    pub(super) touched: Ranges,
    /// Whether it stores anything, and anything secret, where it is not known.
    pub(super) touches_elsewhere: bool,
    pub(super) spoils_elsewhere: bool,
}

impl Effects {
    pub(super) fn meet(&mut self, other: &Self) {
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

    pub(super) fn escape(&mut self, address: Value) {
        if let Some((base, low)) = address.on_stack() {
            let known = self.escaped.entry(base).or_insert(low);
            *known = (*known).min(low);
        }
    }

    /// Ranges that grow with each turn of a recursion grow without end.
    pub(super) fn widen(&mut self) {
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
pub(super) struct Given {
    /// Addresses behind its arguments count from these.
    pub(super) registers: [Value; 2],
    /// What is public behind its arguments afterwards.
    pub(super) slots: Slots,
    pub(super) effects: Effects,
}

impl Given {
    pub(super) fn meet(&mut self, other: &Self) {
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

/// What is known at a place of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) registers: [Value; REGISTERS],
    /// Vector registers, word by word, as far as they move such words or hold zeros.
    pub(super) vectors: [[Value; WORDS]; REGISTERS],
    /// The flags that are public, as bits.
    pub(super) flags: u32,
    /// Where memory on the stack is public. Elsewhere it is secret.
    pub(super) slots: Slots,
    pub(super) effects: Effects,
    /// The arguments whose addresses had escaped before, from which offset on.
    pub(super) exposed: BTreeMap<usize, i64>,
}

/// What a number of bytes holds. Only where they were stored as one are they an address.
pub(super) fn load(slots: &Slots, base: usize, offset: i64, size: i64) -> Value {
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
    pub(super) fn meet(&mut self, other: &Self) -> bool {
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
    pub(super) fn escape(&mut self, address: Value) {
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

    pub(super) fn addresses_in(&self, base: usize, low: i64, high: i64) -> Vec<Value> {
        let slots = self
            .slots
            .range((base, low)..=(base, high.saturating_sub(1).max(low)));
        slots.map(|(_, (value, _))| *value).collect()
    }

    /// Notes for callers that so many bytes are read behind an argument, in which an address may be.
    pub(super) fn fetch(&mut self, address: Value, size: Option<i64>) {
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
    pub(super) fn within_reach(&self) -> BTreeMap<usize, i64> {
        let mut all = self.effects.escaped.clone();
        lower(&mut all, &self.exposed);
        all
    }

    /// A store to a known place.
    pub(super) fn store(&mut self, base: usize, offset: i64, size: i64, value: Value) {
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
    pub(super) fn note(&mut self, base: usize, range: (i64, i64), value: Value) {
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
    pub(super) fn overwrite(&mut self, base: usize, low: i64, high: i64, value: Value) {
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
    pub(super) fn store_within(&mut self, base: usize, low: i64, value: Value) {
        self.escape(value);
        self.overwrite(base, low, i64::MAX, value);
        self.note(base, (low, i64::MAX), value);
    }

    /// A store to what is not known: wherever an address leads that has escaped.
    pub(super) fn store_elsewhere(&mut self, value: Value) {
        self.escape(value);
        self.effects.touches_elsewhere = true;
        self.effects.spoils_elsewhere |= !value.is_public();
        for (base, low) in self.within_reach() {
            self.overwrite(base, low, i64::MAX, value);
        }
    }

    /// A store of a number of bytes, if that is known, from an address on.
    pub(super) fn store_at(&mut self, address: Value, size: Option<i64>, value: Value) {
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

    pub(super) fn load(&self, base: usize, offset: i64, size: i64) -> Value {
        load(&self.slots, base, offset, size)
    }

    /// What so many bytes behind an address are, as a whole.
    pub(super) fn contents(&self, address: Value, size: Value) -> Value {
        match (address, size) {
            (Value::Static | Value::Code(_), _) | (_, Value::Number(0)) => Value::Public,
            (Value::Frame(base, at), Value::Number(size)) => self.load(base, at, size).blurred(),
            _ => Value::Secret,
        }
    }
}
