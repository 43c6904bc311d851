//! Sections of constants of which a linker keeps one of each kind. Names inside of one another do not do there, so that
//! each member gets those that it uses, as its own, and the linker of the program throws out what it has twice.

use std::collections::{BTreeMap, BTreeSet};

use super::elf::{ALLOC, MERGE, Object, Place, STRINGS, Section, WRITE};

/// Which sections are such, of an object.
#[derive(Debug)]
pub(super) struct Constants(BTreeSet<usize>);

/// Those of them that one member uses, and where their symbols are now.
pub(super) struct Part {
    pub(super) section: Section,
    pub(super) values: BTreeMap<usize, u64>,
}

impl Constants {
    /// All in which everything that is used has a symbol of its own. (An offset into the section does not say by itself
    /// which constant is meant.)
    pub(super) fn of(object: &Object) -> Self {
        let is_one = |section: &Section| {
            section.flags & (MERGE | ALLOC | WRITE) == MERGE | ALLOC
                && section.relocations.is_empty()
                && section.entry > 0
                && (section.data.len() as u64).is_multiple_of(section.entry)
        };
        let mut found: BTreeSet<usize> = (0..object.sections.len())
            .filter(|&i| is_one(&object.sections[i]))
            .collect();
        for relocation in object.sections.iter().flat_map(|s| &s.relocations) {
            let symbol = &object.symbols[relocation.symbol];
            if let Place::Section(section) = symbol.place
                && (symbol.is_section() || !symbol.is_local())
            {
                found.remove(&section);
            }
        }
        Self(found)
    }

    pub(super) fn has(&self, section: usize) -> bool {
        self.0.contains(&section)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }

    /// What some symbols of the object need of a section.
    pub(super) fn part(
        &self,
        object: &Object,
        section: usize,
        used: &BTreeSet<usize>,
    ) -> Option<Part> {
        let whole = &object.sections[section];
        let entry = usize::try_from(whole.entry).ok()?;
        let mut data = Vec::new();
        let mut starts = BTreeMap::new();
        let mut values = BTreeMap::new();
        for &index in used {
            let symbol = &object.symbols[index];
            if symbol.place != Place::Section(section) {
                continue;
            }
            let value = usize::try_from(symbol.value).ok()?;
            let start = value - value % entry;
            let rest = whole.data.get(start..)?;
            let count = match whole.flags & STRINGS {
                0 => 1,
                // With the zero that ends it.
                _ => 1 + rest.chunks(entry).position(|c| c.iter().all(|&b| b == 0))?,
            };
            let at = *starts.entry(start).or_insert_with(|| {
                let at = data.len();
                data.extend(&rest[..count * entry]);
                at
            });
            values.insert(index, (at + value % entry) as u64);
        }
        (!values.is_empty()).then(|| Part {
            section: whole.with(data, Vec::new()),
            values,
        })
    }
}
