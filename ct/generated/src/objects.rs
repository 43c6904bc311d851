//! The functions in archives of object files, as the compiler left them: code, and what it refers to.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{
    File, Object, ObjectSection, ObjectSymbol, Relocation, RelocationKind, RelocationTarget,
    SectionIndex, SymbolKind,
};

/// The number of a function in [`Program::functions`].
pub(crate) type Id = usize;

/// What the linker will put into an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Function(Id),
    /// Constants or static data.
    Data,
}

/// A function of an object.
#[derive(Debug, Default)]
pub(crate) struct Function {
    /// Its name in Rust, with the types that it was made for.
    pub(crate) name: String,
    /// Empty for what the archives only name: functions of other libraries.
    pub(crate) code: Vec<u8>,
    /// What the linker fills in, by the offset in the code.
    pub(crate) references: HashMap<usize, Target>,
    /// Where tables of jumps lead.
    pub(crate) landings: BTreeSet<usize>,
}

/// All functions of some archives.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) functions: Vec<Function>,
    /// Functions that other objects can name.
    global: HashMap<String, Id>,
    /// References by name, until all archives are read.
    open: Vec<(Id, usize, String)>,
    /// Functions that are another name of the code of an earlier one: the compiler merges what is equal.
    aliases: Vec<(Id, Id)>,
}

/// The extent of a function in its section.
#[derive(Clone, Copy)]
struct Extent {
    begin: u64,
    end: u64,
    function: Id,
}

type Extents = HashMap<SectionIndex, Vec<Extent>>;

/// The function at an offset of a section, and the offset in it.
fn locate(extents: &Extents, section: SectionIndex, offset: u64) -> Option<(Id, usize)> {
    let inside = |extent: &&Extent| (extent.begin..extent.end).contains(&offset);
    let extent = extents.get(&section)?.iter().find(inside)?;
    Some((extent.function, (offset - extent.begin) as usize))
}

/// The objects of an archive, with names for messages.
///
/// # Errors
///
/// The file cannot be read, or is no archive.
pub(crate) fn members(path: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(|error| told(&error))?;
    let archive = ArchiveFile::parse(bytes.as_slice()).map_err(|error| told(&error))?;
    let mut objects = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|error| told(&error))?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        // Beside the objects lies the compiler's own description of the library.
        if name.ends_with(".o") {
            let data = member
                .data(bytes.as_slice())
                .map_err(|error| told(&error))?;
            objects.push((name, data.to_vec()));
        }
    }
    Ok(objects)
}

/// The name in Rust, without the hash.
pub(crate) fn demangled(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

/// What a relocation adds to its symbol, counted from the symbol. `last` are the four bytes in place.
fn addend(relocation: &Relocation, in_place: Option<&[u8]>) -> i64 {
    let stored = in_place
        .filter(|_| relocation.has_implicit_addend())
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, |bytes| i64::from(i32::from_le_bytes(bytes)));
    relocation.addend() + stored
}

/// Whether what is stored counts from the place where it stands.
fn relative(relocation: &Relocation) -> bool {
    matches!(
        relocation.kind(),
        RelocationKind::Relative | RelocationKind::PltRelative | RelocationKind::GotRelative
    )
}

impl Program {
    /// Reads archives of ELF objects.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is not what it should be.
    pub(crate) fn read(paths: &[impl AsRef<Path>]) -> Result<Self, String> {
        let mut program = Self::default();
        for path in paths {
            for (name, data) in members(path.as_ref())? {
                let file =
                    File::parse(data.as_slice()).map_err(|error| format!("{name}: {error}"))?;
                program.take(&file);
            }
        }
        for (function, offset, name) in std::mem::take(&mut program.open) {
            let callee = match program.global.get(&name) {
                Some(callee) => *callee,
                None => {
                    let callee = program.functions.len();
                    program.functions.push(Function {
                        name: demangled(&name),
                        ..Function::default()
                    });
                    program.global.insert(name, callee);
                    callee
                }
            };
            let references = &mut program.functions[function].references;
            references.insert(offset, Target::Function(callee));
        }
        for (alias, of) in std::mem::take(&mut program.aliases) {
            let Function {
                references,
                landings,
                ..
            } = &program.functions[of];
            let (references, landings) = (references.clone(), landings.clone());
            let alias = &mut program.functions[alias];
            (alias.references, alias.landings) = (references, landings);
        }
        Ok(program)
    }

    /// Takes one object.
    fn take(&mut self, file: &File<'_>) {
        let extents = self.take_functions(file);
        // Where in the data the code looks, which is where tables begin.
        let mut looked_at: HashMap<SectionIndex, BTreeSet<i64>> = HashMap::new();
        for section in file.sections() {
            for (offset, relocation) in section.relocations() {
                let Some((function, at)) = locate(&extents, section.index(), offset) else {
                    continue;
                };
                let RelocationTarget::Symbol(index) = relocation.target() else {
                    continue;
                };
                let Ok(symbol) = file.symbol_by_index(index) else {
                    continue;
                };
                let in_place = section.data_range(offset, 4).ok().flatten();
                // A jump or an address counts from the end of its four bytes.
                let end = if relative(&relocation) { 4 } else { 0 };
                let place = symbol.address() as i64 + addend(&relocation, in_place) + end;
                let target = match symbol.section_index() {
                    Some(of) if extents.contains_key(&of) => {
                        let place = u64::try_from(place).ok();
                        place
                            .and_then(|place| locate(&extents, of, place))
                            .map(|(callee, _)| Target::Function(callee))
                    }
                    Some(of) => {
                        looked_at.entry(of).or_default().insert(place);
                        Some(Target::Data)
                    }
                    None => {
                        let name = symbol.name().unwrap_or_default().to_owned();
                        self.open.push((function, at, name));
                        None
                    }
                };
                if let Some(target) = target {
                    self.functions[function].references.insert(at, target);
                }
            }
        }
        self.take_tables(file, &extents, &looked_at);
    }

    fn take_functions(&mut self, file: &File<'_>) -> Extents {
        let mut extents = Extents::new();
        for symbol in file.symbols() {
            let (SymbolKind::Text, Some(index)) = (symbol.kind(), symbol.section_index()) else {
                continue;
            };
            let (Ok(name), Ok(section)) = (symbol.name(), file.section_by_index(index)) else {
                continue;
            };
            let Ok(Some(code)) = section.data_range(symbol.address(), symbol.size()) else {
                continue;
            };
            if code.is_empty() {
                continue;
            }
            let function = self.functions.len();
            self.functions.push(Function {
                name: demangled(name),
                code: code.to_vec(),
                ..Function::default()
            });
            if symbol.is_global() {
                self.global.insert(name.to_owned(), function);
            }
            let (begin, end) = (symbol.address(), symbol.address() + symbol.size());
            let of_section = extents.entry(index).or_default();
            match of_section
                .iter()
                .find(|it| (it.begin, it.end) == (begin, end))
            {
                Some(first) => self.aliases.push((function, first.function)),
                None => of_section.push(Extent {
                    begin,
                    end,
                    function,
                }),
            }
        }
        extents
    }

    /// Finds where tables of jumps lead. An entry counts from the beginning of its table, so that what the
    /// relocation adds holds the entry's own distance from there, too.
    fn take_tables(
        &mut self,
        file: &File<'_>,
        extents: &Extents,
        looked_at: &HashMap<SectionIndex, BTreeSet<i64>>,
    ) {
        for section in file.sections() {
            let Some(beginnings) = looked_at.get(&section.index()) else {
                continue;
            };
            for (offset, relocation) in section.relocations() {
                let RelocationTarget::Symbol(index) = relocation.target() else {
                    continue;
                };
                let Ok(symbol) = file.symbol_by_index(index) else {
                    continue;
                };
                let in_place = section.data_range(offset, 4).ok().flatten();
                let mut place = symbol.address() as i64 + addend(&relocation, in_place);
                if relative(&relocation) {
                    let table = beginnings.range(..=offset as i64).next_back();
                    place -= offset as i64 - table.copied().unwrap_or_default();
                }
                let landing = symbol
                    .section_index()
                    .zip(u64::try_from(place).ok())
                    .and_then(|(of, place)| locate(extents, of, place));
                if let Some((function, at)) = landing
                    && at != 0
                {
                    self.functions[function].landings.insert(at);
                }
            }
        }
    }
}
