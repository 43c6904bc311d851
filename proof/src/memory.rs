//! Memory that holds words of a run. Vector registers are memory, too.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::polynomial::Polynomial;
use crate::unknowns::{Unknowns, Value};
use crate::word::Word;

/// Words by their addresses, with their lengths in bytes; none overlaps another.
#[derive(Debug, Default)]
pub(crate) struct Memory(BTreeMap<u64, (u64, Word)>);

impl Memory {
    pub(crate) fn store(&mut self, address: u64, size: u64, word: Word, all: &mut Unknowns) {
        self.part(address, all);
        self.part(address + size, all);
        let inside: Vec<u64> = self
            .0
            .range(address..address + size)
            .map(|(&at, _)| at)
            .collect();
        for at in inside {
            self.0.remove(&at);
        }
        self.0.insert(address, (size, word));
    }

    /// What lies there, if every byte was stored before.
    pub(crate) fn load(&self, address: u64, size: u64, all: &mut Unknowns) -> Option<Word> {
        if let Some((length, word)) = self.0.get(&address)
            && *length == size
        {
            return Some(word.clone());
        }
        let end = address + size;
        let before = self.0.range(..=address).next_back().map(|(&at, _)| at);
        let mut value = Value::constant(0);
        let mut next = address;
        // Words that reach over an end are parted for this only: what was one number stays one.
        for (&at, (length, word)) in self.0.range(before.unwrap_or(address)..end) {
            let (from, to) = (at.max(address), (at + length).min(end));
            if from >= to {
                continue;
            }
            if from != next {
                return None;
            }
            next = to;
            let (above, _) = all.cut(word.number(), 8 * (from - at));
            // The sign is that of the highest part.
            let part = if to == end && at + length == end {
                above
            } else if to < at + length {
                all.cut(&above, 8 * (to - from)).1
            } else {
                all.cut(word.unsigned(), 8 * (from - at)).0
            };
            value = value.plus(&part.raised(8 * (from - address)));
        }
        (next == end).then(|| Word::of(value, 8 * size, all))
    }

    /// Another word in the place of each of so many bytes that is this number.
    pub(crate) fn replace(&mut self, size: u64, old: &Polynomial, new: &Word) {
        for (length, word) in self.0.values_mut() {
            if *length == size && word.unsigned().polynomial == *old {
                *word = new.clone();
            }
        }
    }

    /// As if nothing had been stored there.
    pub(crate) fn forget(&mut self, range: Range<u64>) {
        self.0.retain(|at, _| !range.contains(at));
    }

    /// Parts the word that reaches over an address.
    fn part(&mut self, address: u64, all: &mut Unknowns) {
        let Some((&at, (length, word))) = self.0.range(..address).next_back() else {
            return;
        };
        if at + length <= address {
            return;
        }
        let (below, above) = (address - at, at + length - address);
        let (high, low) = all.cut(word.number(), 8 * below);
        let (low, high) = (
            Word::of(low, 8 * below, all),
            Word::of(high, 8 * above, all),
        );
        self.0.insert(at, (below, low));
        self.0.insert(address, (above, high));
    }
}
