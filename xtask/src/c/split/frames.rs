//! The section that says how each function's frame is undone, for debuggers and for exceptions that pass: one record a
//! function, each of which refers to one that several have in common.

use std::collections::BTreeMap;

use super::elf::{Object, Place, Relocation, Section};

const NAME: &str = ".eh_frame";

/// The records of a file, by what they are about.
#[derive(Debug, Default)]
pub(super) struct Frames {
    section: Option<usize>,
    records: Vec<Record>,
    /// Which of them are about code in a section.
    about: BTreeMap<usize, Vec<usize>>,
}

#[derive(Debug)]
struct Record {
    start: usize,
    end: usize,
    /// The number of the record that this one has in common with others; itself, where it is such a one.
    common: usize,
    relocations: Vec<Relocation>,
}

impl Frames {
    /// Reads the records.
    ///
    /// # Errors
    ///
    /// They have another form.
    pub(super) fn of(object: &Object) -> Result<Self, String> {
        let mut sections = object.sections.iter();
        let Some(index) = sections.position(|section| section.name == NAME) else {
            return Ok(Self::default());
        };
        read(object, index).ok_or(format!("{NAME} has an unknown form"))
    }

    /// What the records about the code in a section refer to.
    pub(super) fn relocations(&self, section: usize) -> impl Iterator<Item = &Relocation> {
        let about = self.about.get(&section).into_iter().flatten();
        about.flat_map(|&record| {
            let own = &self.records[record];
            let common = &self.records[own.common];
            own.relocations.iter().chain(&common.relocations)
        })
    }

    /// The records about the code in some sections, as a section.
    pub(super) fn part(&self, object: &Object, sections: &[usize]) -> Option<Section> {
        let whole = &object.sections[self.section?];
        let mut data = Vec::new();
        let mut relocations = Vec::new();
        let mut starts = BTreeMap::new();
        let mut add = |record: &Record, common: Option<usize>| {
            let start = data.len();
            data.extend(&whole.data[record.start..record.end]);
            if let Some(common) = common {
                let distance = u32::try_from(start + 4 - common).expect("read from 32 bits");
                data[start + 4..start + 8].copy_from_slice(&object.bytes(distance));
            }
            relocations.extend(record.relocations.iter().map(|relocation| Relocation {
                offset: relocation.offset - record.start as u64 + start as u64,
                ..relocation.clone()
            }));
            start
        };
        let about = sections
            .iter()
            .filter_map(|section| self.about.get(section));
        for &record in about.flatten() {
            let record = &self.records[record];
            let common = *starts
                .entry(record.common)
                .or_insert_with(|| add(&self.records[record.common], None));
            add(record, Some(common));
        }
        (!data.is_empty()).then(|| whole.with(data, relocations))
    }
}

fn read(object: &Object, index: usize) -> Option<Frames> {
    let section = &object.sections[index];
    let word = |at| {
        let value = object.word(&section.data, at)?;
        usize::try_from(value).ok()
    };
    let mut frames = Frames {
        section: Some(index),
        ..Frames::default()
    };
    let mut numbers = BTreeMap::new();
    let mut start = 0;
    while start < section.data.len() {
        // A length of zero ends the list; the last one stands for one of 64 bits, which nothing here has.
        let length = match word(start)? {
            0 => break,
            0xffff_ffff => return None,
            length => length,
        };
        let end = start + 4 + length;
        let number = frames.records.len();
        let common = match word(start + 4)? {
            0 => number,
            distance => *numbers.get(&(start + 4).checked_sub(distance)?)?,
        };
        numbers.insert(start, number);
        let range = start as u64..end as u64;
        let inside = |relocation: &&Relocation| range.contains(&relocation.offset);
        let relocations: Vec<Relocation> =
            section.relocations.iter().filter(inside).cloned().collect();
        if common != number {
            let begin = relocations
                .iter()
                .find(|relocation| relocation.offset == start as u64 + 8)?;
            let Place::Section(code) = object.symbols[begin.symbol].place else {
                return None;
            };
            frames.about.entry(code).or_default().push(number);
        }
        frames.records.push(Record {
            start,
            end,
            common,
            relocations,
        });
        start = end;
    }
    (start <= section.data.len()).then_some(frames)
}
