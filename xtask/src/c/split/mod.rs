//! Parts the object with all code into members of an archive, so that a linker takes what a program calls, and no more,
//! without being asked to throw anything away (`-Wl,--gc-sections`).
//!
//! The compiler puts each function into a section of its own, and optimises all of them together. What is parted is its
//! result: no instruction changes. Sections that the same declared functions need are one member:
//!
//! ```text
//!    declared            sections                     members
//!
//!    lanner_x25519 ────> its code ──┐                 what it alone needs
//!                                   ├─> field, memory  what both need: one copy, so that there is one random source,
//!    lanner_ed25519_… ─> its code ──┘                    and one choice of a backend
//! ```
//!
//! Names that cross from one member to another are global, since a linker knows no others, but hidden from other
//! libraries, and end in [`INNER`] and a number: no compiler makes such a name, and no program in C can.

mod constants;
mod elf;
mod frames;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use constants::Constants;
use elf::{GLOBAL, HIDDEN, MERGE, Object, Place, Relocation, STRINGS, Section, Symbol, WRITE};
use frames::Frames;

/// Ends the names that members have among themselves, before a number.
pub(super) const INNER: &str = ".lanner";

/// Whether a symbol of the archive is one that members have among themselves.
pub(super) fn is_inner(name: &str) -> bool {
    name.rsplit_once(INNER).is_some_and(|(_, number)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Writes the members of an object into `dir`, and says which they are.
///
/// # Errors
///
/// The object has what cannot be parted.
pub(super) fn split(object: &Path, dir: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |path: &Path, error: String| format!("{}: {error}", path.display());
    let file = std::fs::read(object).map_err(|error| failed(object, error.to_string()))?;
    let members = elf::parse(&file)
        .and_then(|object| members(&object))
        .map_err(|error| failed(object, error))?;
    let mut paths = Vec::new();
    for (name, member) in members {
        let path = dir.join(format!("{name}.o"));
        if paths.contains(&path) {
            return Err(format!("two members are called {name}"));
        }
        let file = elf::write(&member).map_err(|error| failed(&path, error))?;
        std::fs::write(&path, file).map_err(|e| failed(&path, e.to_string()))?;
        paths.push(path);
    }
    Ok(paths)
}

/// Notes for the linker, which are about every part of the file that has them.
fn is_note(section: &Section) -> bool {
    [".note", ".riscv.attributes", ".ARM.attributes"]
        .iter()
        .any(|start| section.name.starts_with(start))
}

/// An object, and what its sections have to do with each other.
struct Parting<'a> {
    object: &'a Object,
    frames: Frames,
    constants: Constants,
}

impl Parting<'_> {
    /// Of what a section refers to, the symbols, and the sections that they are in. Constants go wherever they are used.
    fn references(&self, section: usize) -> impl Iterator<Item = (usize, usize)> {
        let own = self.object.sections[section].relocations.iter();
        own.chain(self.frames.relocations(section))
            .filter_map(
                |relocation| match self.object.symbols[relocation.symbol].place {
                    Place::Section(to) if !self.constants.has(to) => Some((relocation.symbol, to)),
                    _ => None,
                },
            )
    }
}

/// The members, with their names.
fn members(object: &Object) -> Result<Vec<(String, Object)>, String> {
    let parting = Parting {
        object,
        frames: Frames::of(object)?,
        constants: Constants::of(object),
    };
    let needed_by = needed_by(&parting)?;
    // Which sections have the same ones that need them, in the order of the file.
    let mut groups: BTreeMap<&BTreeSet<usize>, Vec<usize>> = BTreeMap::new();
    for (section, by) in needed_by.iter().enumerate() {
        if !by.is_empty() {
            groups.entry(by).or_default().push(section);
        }
    }
    let mut group_of = vec![usize::MAX; object.sections.len()];
    for (number, sections) in groups.values().enumerate() {
        for &section in sections {
            group_of[section] = number;
        }
    }
    let crossing = crossing(&parting, &group_of);
    Ok(groups
        .iter()
        .enumerate()
        .map(|(number, (by, sections))| {
            let first = by.first().expect("not empty");
            let name = match by.len() {
                1 => object.symbols[*first].name.clone(),
                _ => format!("shared_{number}"),
            };
            (name, member(&parting, sections, &crossing))
        })
        .collect())
}

/// Of each variable that something writes which runs by itself, what that is: the two belong to each other, whoever
/// needs the variable. (On AArch64 the compiler's own functions for atomics learn so what the processor has.)
fn written_at_start(parting: &Parting<'_>) -> Vec<(usize, usize)> {
    let sections = &parting.object.sections;
    let starts = (0..sections.len()).filter(|&i| sections[i].runs_by_itself());
    starts
        .flat_map(|start| {
            let mut found = BTreeSet::new();
            let mut open = vec![start];
            while let Some(section) = open.pop() {
                if found.insert(section) {
                    open.extend(parting.references(section).map(|(_, to)| to));
                }
            }
            let is_variable = move |&i: &usize| sections[i].flags & WRITE != 0 && i != start;
            let variables = found.into_iter().filter(is_variable);
            variables.map(move |variable| (variable, start))
        })
        .collect()
}

/// Of each section, which of the declared functions need it.
fn needed_by(parting: &Parting<'_>) -> Result<Vec<BTreeSet<usize>>, String> {
    let object = parting.object;
    let mut needed_by = vec![BTreeSet::new(); object.sections.len()];
    let at_start = written_at_start(parting);
    for (root, symbol) in object.symbols.iter().enumerate() {
        let Place::Section(first) = symbol.place else {
            continue;
        };
        if symbol.is_local() {
            continue;
        }
        let mut open = vec![first];
        while let Some(section) = open.pop() {
            if needed_by[section].insert(root) {
                open.extend(parting.references(section).map(|(_, to)| to));
                let beside = at_start.iter().filter(|(variable, _)| *variable == section);
                open.extend(beside.map(|(_, start)| start));
            }
        }
    }
    // What nobody needs is left out. But what runs by itself may do something that nobody here can see.
    for (i, section) in object.sections.iter().enumerate() {
        if section.runs_by_itself() && !at_start.iter().any(|&(_, start)| start == i) {
            return Err(format!("nobody names {}", section.name));
        }
    }
    Ok(needed_by)
}

/// The symbols that a member has of another one, which are to be global.
fn crossing(parting: &Parting<'_>, group_of: &[usize]) -> BTreeSet<usize> {
    let parted = group_of.iter().enumerate();
    parted
        .filter(|&(_, &group)| group != usize::MAX)
        .flat_map(|(section, &group)| {
            let others = move |&(_, to): &(usize, usize)| group_of[to] != group;
            parting.references(section).filter(others)
        })
        .map(|(symbol, _)| symbol)
        .collect()
}

/// How a symbol is called between members.
fn inner(object: &Object, index: usize) -> Symbol {
    let symbol = &object.symbols[index];
    let name = match symbol.place {
        Place::Section(section) if symbol.is_section() => &object.sections[section].name,
        _ => &symbol.name,
    };
    Symbol {
        name: format!("{}{INNER}{index}", name.trim_start_matches('.')),
        // What stands for a section becomes a symbol without a type at its start.
        info: GLOBAL << 4
            | if symbol.is_section() {
                0
            } else {
                symbol.info & 15
            },
        other: HIDDEN,
        ..symbol.clone()
    }
}

/// The object with these sections.
fn member(parting: &Parting<'_>, sections: &[usize], crossing: &BTreeSet<usize>) -> Object {
    let object = parting.object;
    let mut made = Object {
        sections: vec![object.sections[0].clone()],
        symbols: Vec::new(),
        ..object.clone()
    };
    let mut place_of = BTreeMap::new();
    for &section in sections {
        place_of.insert(section, made.sections.len());
        let mut section = object.sections[section].clone();
        // A name in another member is no offset into what a linker merges.
        section.flags &= !(MERGE | STRINGS);
        made.sections.push(section);
    }
    made.sections.extend(parting.frames.part(object, sections));
    let notes = object.sections.iter().filter(|section| is_note(section));
    made.sections.extend(notes.cloned());
    let relocations = made
        .sections
        .iter()
        .flat_map(|section| &section.relocations);
    let used: BTreeSet<usize> = relocations.map(|relocation| relocation.symbol).collect();
    let mut values = BTreeMap::new();
    for section in parting.constants.all() {
        if let Some(part) = parting.constants.part(object, section, &used) {
            place_of.insert(section, made.sections.len());
            made.sections.push(part.section);
            values.extend(part.values);
        }
    }

    let mut symbols = Vec::new();
    for (index, symbol) in object.symbols.iter().enumerate().skip(1) {
        let is_used = used.contains(&index);
        let is_crossing = symbol.is_local() && crossing.contains(&index);
        let place = match symbol.place {
            Place::Section(section) => place_of.get(&section).copied().map(Place::Section),
            place => Some(place),
        };
        let is_kept = is_used
            || place.is_some()
                && matches!(symbol.place, Place::Section(section)
                if is_crossing || !symbol.is_section() && !parting.constants.has(section));
        if !is_kept {
            continue;
        }
        let mut symbol = if is_crossing {
            inner(object, index)
        } else {
            symbol.clone()
        };
        symbol.value = values.get(&index).copied().unwrap_or(symbol.value);
        symbol.place = place.unwrap_or_else(|| {
            // Elsewhere: nothing but the name.
            symbol.info = GLOBAL << 4;
            (symbol.value, symbol.size) = (0, 0);
            Place::Undefined
        });
        symbols.push((index, symbol));
    }
    // The format wants the local ones first.
    symbols.sort_by_key(|(_, symbol)| !symbol.is_local());
    symbols.insert(0, (0, object.symbols[0].clone()));
    let mut number_of = BTreeMap::new();
    for (index, symbol) in symbols {
        number_of.insert(index, made.symbols.len());
        made.symbols.push(symbol);
    }
    let relocations = made.sections.iter_mut().flat_map(|s| &mut s.relocations);
    for Relocation { symbol, .. } in relocations {
        *symbol = number_of[symbol];
    }
    made
}

#[cfg(test)]
mod tests {
    use super::{is_inner, split};
    use crate::files::{fresh, text, write};
    use crate::process::Cmd;

    /// Two functions that have a counter in common, beside one for itself.
    const SOURCE: &str = "\
static int count = 1;
static const char *const texts[] = {\"one\", \"two\"};
static __attribute__((noinline)) int next(void) { return count++; }
int first(void) { return next(); }
int second(void) { return 10 * next() + texts[count & 1][0]; }
double alone(double x) { return 7.5 * x; }
";

    #[test]
    fn a_program_gets_what_it_calls() {
        let dir = std::env::temp_dir().join(format!("lanner-xtask-{}-split", std::process::id()));
        let members = dir.join("members");
        fresh(&members).expect("made");
        let file = |name: &str| text(&dir.join(name));
        let cc = |args: &[&str]| Cmd::new("cc").args(args.iter().copied()).capture();
        write(&dir.join("a.c"), SOURCE).expect("written");
        let sections = ["-O1", "-fPIC", "-ffunction-sections", "-fdata-sections"];
        let made = ["-c", "-o", &file("a.o"), &file("a.c")];
        cc(&[&sections[..], &made].concat()).expect("it compiles");

        let paths = split(&dir.join("a.o"), &members).expect("it can be parted");
        let names: Vec<String> = paths.iter().map(|path| text(path)).collect();
        let named = |end: &str| names.iter().filter(|name| name.ends_with(end)).count();
        for own in ["/first.o", "/second.o", "/alone.o"] {
            assert_eq!(named(own), 1, "{names:?}");
        }
        let [alone] = &names
            .iter()
            .filter(|n| n.ends_with("/alone.o"))
            .collect::<Vec<_>>()[..]
        else {
            panic!("{names:?}");
        };
        for (main, objects) in [
            // The counter is one, whoever counts.
            (
                "int first(void), second(void); int main(void) { return first() != 1 || second() != 20 + 't'; }",
                &names[..],
            ),
            (
                "double alone(double); int main(void) { return alone(2) != 15; }",
                std::slice::from_ref(*alone),
            ),
        ] {
            write(&dir.join("main.c"), main).expect("written");
            let mut args = vec!["-o".to_owned(), file("main"), file("main.c")];
            args.extend_from_slice(objects);
            Cmd::new("cc").args(args).capture().expect("it links");
            Cmd::new(&file("main")).capture().expect("it counts");
        }
        std::fs::remove_dir_all(&dir).expect("it was made");
    }

    /// It would not run, because no linker would take it.
    #[test]
    fn what_runs_by_itself_is_refused() {
        let dir = std::env::temp_dir().join(format!("lanner-xtask-{}-runs", std::process::id()));
        fresh(&dir).expect("made");
        let file = |name: &str| text(&dir.join(name));
        let source =
            "static __attribute__((constructor)) void first(void) {}\nint f(void) { return 1; }\n";
        write(&dir.join("a.c"), source).expect("written");
        let args = ["-c", "-o", &file("a.o"), &file("a.c")];
        Cmd::new("cc").args(args).capture().expect("it compiles");
        let error = split(&dir.join("a.o"), &dir).expect_err("a constructor");
        assert!(error.contains("nobody names .init_array"), "{error}");
        std::fs::remove_dir_all(&dir).expect("it was made");
    }

    #[test]
    fn inner_names_are_known() {
        assert!(is_inner("_ZN4core9panicking5panic17h0E.lanner12"));
        for name in ["lanner_x25519", "f.lanner", "f.lanner1a", "f.lannerx"] {
            assert!(!is_inner(name), "{name}");
        }
    }
}
