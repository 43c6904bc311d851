//! Relocatable ELF files, of both widths and byte orders: as much of them as it takes to part one.

/// Widths and byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) is_wide: bool,
    pub(super) is_big: bool,
}

/// Kinds of sections.
const NOBITS: u32 = 8;
const SYMTAB: u32 = 2;
const STRTAB: u32 = 3;
const RELA: u32 = 4;
const REL: u32 = 9;
const INIT_ARRAY: u32 = 14;
const PREINIT_ARRAY: u32 = 16;
const GROUP: u32 = 17;
const SYMTAB_SHNDX: u32 = 18;

pub(super) const WRITE: u64 = 1;
pub(super) const ALLOC: u64 = 2;
pub(super) const MERGE: u64 = 0x10;
pub(super) const STRINGS: u64 = 0x20;
const INFO_LINK: u64 = 0x40;
const LINK_ORDER: u64 = 0x80;

pub(super) const GLOBAL: u8 = 1;
/// The type of a symbol that stands for a section.
const SECTION: u8 = 3;
pub(super) const HIDDEN: u8 = 2;

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Undefined,
    Absolute,
    Section(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) value: u64,
    pub(super) size: u64,
    /// Binding in the upper half, type in the lower.
    pub(super) info: u8,
    /// Visibility.
    pub(super) other: u8,
    pub(super) place: Place,
}

impl Symbol {
    pub(super) fn is_local(&self) -> bool {
        self.info >> 4 == 0
    }

    pub(super) fn is_section(&self) -> bool {
        self.info & 15 == SECTION
    }
}

#[derive(Clone, Debug)]
pub(super) struct Relocation {
    pub(super) offset: u64,
    pub(super) symbol: usize,
    pub(super) kind: u64,
    /// Otherwise it is in the place itself.
    pub(super) addend: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) kind: u32,
    pub(super) flags: u64,
    pub(super) size: u64,
    pub(super) align: u64,
    /// The size of what it consists of, if that is all of one size.
    pub(super) entry: u64,
    /// Empty where it takes no room in the file.
    pub(super) data: Vec<u8>,
    pub(super) relocations: Vec<Relocation>,
}

/// A file. The first symbol and the first section are those that stand for nothing.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) format: Format,
    /// The first bytes of the header, the kind of processor, and its flags.
    pub(super) ident: [u8; 16],
    pub(super) machine: u64,
    pub(super) flags: u64,
    pub(super) sections: Vec<Section>,
    pub(super) symbols: Vec<Symbol>,
}

impl Format {
    /// The bytes of an address.
    pub(super) fn word(self) -> usize {
        if self.is_wide { 8 } else { 4 }
    }

    /// An integer of `size` bytes.
    pub(super) fn get(self, bytes: &[u8], at: usize, size: usize) -> Option<u64> {
        let bytes = bytes.get(at..at.checked_add(size)?)?;
        let mut value = 0;
        for i in 0..size {
            let byte = bytes[if self.is_big { i } else { size - 1 - i }];
            value = value << 8 | u64::from(byte);
        }
        Some(value)
    }

    pub(super) fn put(self, out: &mut Vec<u8>, value: u64, size: usize) {
        let start = out.len();
        out.extend(&value.to_le_bytes()[..size]);
        if self.is_big {
            out[start..].reverse();
        }
    }

    fn words(self, out: &mut Vec<u8>, values: &[u64]) {
        for &value in values {
            self.put(out, value, self.word());
        }
    }
}

fn text(strings: &[u8], at: u64) -> Option<String> {
    let rest = strings.get(usize::try_from(at).ok()?..)?;
    let end = rest.iter().position(|&byte| byte == 0)?;
    String::from_utf8(rest[..end].to_vec()).ok()
}

/// A section as its header has it.
struct Header {
    name: u64,
    kind: u32,
    flags: u64,
    offset: u64,
    size: u64,
    link: usize,
    info: usize,
    align: u64,
    entry: u64,
}

/// Reads a file.
///
/// # Errors
///
/// It is none of this kind, or has what a part could not have: groups of sections, say.
pub(super) fn parse(file: &[u8]) -> Result<Object, String> {
    let ident: [u8; 16] = file
        .first_chunk()
        .filter(|ident| ident.starts_with(b"\x7fELF"))
        .copied()
        .ok_or("no ELF file")?;
    let format = Format {
        is_wide: ident[4] == 2,
        is_big: ident[5] == 2,
    };
    read(file, format, ident).ok_or("an ELF file that ends too early")?
}

fn headers(file: &[u8], format: Format, table: usize, count: usize) -> Option<Vec<Header>> {
    let word = format.word();
    let size = 16 + 6 * word;
    (0..count)
        .map(|i| {
            let at = table + i * size;
            let half = |at| format.get(file, at, 4);
            let long = |at| format.get(file, at, word);
            Some(Header {
                name: half(at)?,
                kind: u32::try_from(half(at + 4)?).ok()?,
                flags: long(at + 8)?,
                offset: long(at + 8 + 2 * word)?,
                size: long(at + 8 + 3 * word)?,
                link: usize::try_from(half(at + 8 + 4 * word)?).ok()?,
                info: usize::try_from(half(at + 12 + 4 * word)?).ok()?,
                align: long(at + 16 + 4 * word)?,
                entry: long(at + 16 + 5 * word)?,
            })
        })
        .collect()
}

fn read(file: &[u8], format: Format, ident: [u8; 16]) -> Option<Result<Object, String>> {
    let word = format.word();
    let at = |at, size| format.get(file, at, size);
    // Type and machine, version, entry, the two tables, flags, and sizes and counts.
    let table = usize::try_from(at(24 + 2 * word, word)?).ok()?;
    let count = usize::try_from(at(36 + 3 * word, 2)?).ok()?;
    let headers = headers(file, format, table, count)?;
    let names = headers.get(usize::try_from(at(38 + 3 * word, 2)?).ok()?)?;
    let data = |header: &Header| {
        let start = usize::try_from(header.offset).ok()?;
        let size = usize::try_from(header.size).ok()?;
        file.get(start..start.checked_add(size)?)
    };
    let names = data(names)?;
    let mut object = Object {
        format,
        ident,
        machine: at(18, 2)?,
        flags: at(24 + 3 * word, 4)?,
        sections: Vec::new(),
        symbols: Vec::new(),
    };
    for header in &headers {
        let name = text(names, header.name)?;
        if matches!(header.kind, GROUP | SYMTAB_SHNDX) || header.flags & LINK_ORDER != 0 {
            return Some(Err(format!("a section that cannot be parted: {name}")));
        }
        let in_file = !matches!(header.kind, 0 | NOBITS | SYMTAB | STRTAB | RELA | REL);
        object.sections.push(Section {
            name,
            kind: header.kind,
            flags: header.flags,
            size: header.size,
            align: header.align,
            entry: header.entry,
            data: if in_file {
                data(header)?.to_vec()
            } else {
                Vec::new()
            },
            relocations: Vec::new(),
        });
    }
    let Some(table) = headers.iter().find(|header| header.kind == SYMTAB) else {
        return Some(Err(String::from("an object without symbols")));
    };
    match symbols(data(table)?, data(headers.get(table.link)?)?, format)? {
        Ok(symbols) => object.symbols = symbols,
        Err(error) => return Some(Err(error)),
    }
    for header in headers.iter().filter(|h| matches!(h.kind, RELA | REL)) {
        let found = relocations(data(header)?, header.kind == RELA, format)?;
        object.sections.get_mut(header.info)?.relocations = found;
    }
    Some(Ok(object))
}

fn symbols(table: &[u8], strings: &[u8], format: Format) -> Option<Result<Vec<Symbol>, String>> {
    let mut symbols = Vec::new();
    for entry in table.chunks_exact(if format.is_wide { 24 } else { 16 }) {
        let at = |at, size| format.get(entry, at, size);
        let name = text(strings, at(0, 4)?)?;
        let (value, size, info, other, index) = if format.is_wide {
            (at(8, 8)?, at(16, 8)?, at(4, 1)?, at(5, 1)?, at(6, 2)?)
        } else {
            (at(4, 4)?, at(8, 4)?, at(12, 1)?, at(13, 1)?, at(14, 2)?)
        };
        let place = match index {
            0 => Place::Undefined,
            0xfff1 => Place::Absolute,
            index if index < 0xff00 => Place::Section(usize::try_from(index).ok()?),
            _ => return Some(Err(format!("a symbol that cannot be parted: {name}"))),
        };
        symbols.push(Symbol {
            name,
            value,
            size,
            info: u8::try_from(info).ok()?,
            other: u8::try_from(other).ok()?,
            place,
        });
    }
    Some(Ok(symbols))
}

fn relocations(table: &[u8], has_addends: bool, format: Format) -> Option<Vec<Relocation>> {
    let word = format.word();
    table
        .chunks_exact(word * if has_addends { 3 } else { 2 })
        .map(|entry| {
            let info = format.get(entry, word, word)?;
            let bits = if format.is_wide { 32 } else { 8 };
            Some(Relocation {
                offset: format.get(entry, 0, word)?,
                symbol: usize::try_from(info >> bits).ok()?,
                kind: info & ((1 << bits) - 1),
                addend: if has_addends {
                    Some(format.get(entry, 2 * word, word)?)
                } else {
                    None
                },
            })
        })
        .collect()
}

/// The strings of a table.
#[derive(Default)]
struct Strings(Vec<u8>);

impl Strings {
    fn add(&mut self, text: &str) -> u64 {
        if self.0.is_empty() {
            self.0.push(0);
        }
        if text.is_empty() {
            return 0;
        }
        let at = self.0.len();
        self.0.extend(text.as_bytes());
        self.0.push(0);
        at as u64
    }
}

/// A section as it is written.
struct Written<'a> {
    name: String,
    kind: u32,
    flags: u64,
    size: u64,
    link: u64,
    info: u64,
    align: u64,
    entry: u64,
    data: &'a [u8],
}

/// Writes a file. Its local symbols stand before the others.
pub(super) fn write(object: &Object) -> Vec<u8> {
    let format = object.format;
    let word = format.word();
    let mut strings = Strings::default();
    let mut table = Vec::new();
    for symbol in &object.symbols {
        write_symbol(&mut table, symbol, strings.add(&symbol.name), format);
    }
    let relocations: Vec<Vec<u8>> = object
        .sections
        .iter()
        .map(|section| write_relocations(&section.relocations, format))
        .collect();
    let related = |i: &usize| !relocations[*i].is_empty();
    let related: Vec<usize> = (0..object.sections.len()).filter(related).collect();
    let symbol_table = object.sections.len() + related.len();
    let mut written: Vec<Written<'_>> = object
        .sections
        .iter()
        .map(|section| Written {
            name: section.name.clone(),
            kind: section.kind,
            flags: section.flags,
            size: section.size,
            link: 0,
            info: 0,
            align: section.align,
            entry: section.entry,
            data: &section.data,
        })
        .collect();
    for i in related {
        let has_addends = object.sections[i].relocations[0].addend.is_some();
        let (kind, before) = if has_addends {
            (RELA, ".rela")
        } else {
            (REL, ".rel")
        };
        written.push(Written {
            name: format!("{before}{}", object.sections[i].name),
            kind,
            flags: INFO_LINK,
            size: relocations[i].len() as u64,
            link: symbol_table as u64,
            info: i as u64,
            align: word as u64,
            entry: (word * if has_addends { 3 } else { 2 }) as u64,
            data: &relocations[i],
        });
    }
    let locals = object.symbols.iter().filter(|symbol| symbol.is_local());
    written.push(Written {
        name: String::from(".symtab"),
        kind: SYMTAB,
        flags: 0,
        size: table.len() as u64,
        link: symbol_table as u64 + 1,
        info: locals.count() as u64,
        align: word as u64,
        entry: if format.is_wide { 24 } else { 16 },
        data: &table,
    });
    // The names of the sections are in it as well.
    let named: Vec<u64> = written
        .iter()
        .map(|section| strings.add(&section.name))
        .collect();
    let own = strings.add(".strtab");
    let strings = strings.0;
    written.push(Written {
        name: String::new(),
        kind: STRTAB,
        flags: 0,
        size: strings.len() as u64,
        link: 0,
        info: 0,
        align: 1,
        entry: 0,
        data: &strings,
    });
    assemble(object, &written, &[&named[..], &[own]].concat())
}

fn write_symbol(out: &mut Vec<u8>, symbol: &Symbol, name: u64, format: Format) {
    let index = match symbol.place {
        Place::Undefined => 0,
        Place::Absolute => 0xfff1,
        Place::Section(index) => index as u64,
    };
    format.put(out, name, 4);
    if !format.is_wide {
        format.put(out, symbol.value, 4);
        format.put(out, symbol.size, 4);
    }
    out.extend([symbol.info, symbol.other]);
    format.put(out, index, 2);
    if format.is_wide {
        format.put(out, symbol.value, 8);
        format.put(out, symbol.size, 8);
    }
}

fn write_relocations(relocations: &[Relocation], format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    for relocation in relocations {
        let bits = if format.is_wide { 32 } else { 8 };
        let info = (relocation.symbol as u64) << bits | relocation.kind;
        format.words(&mut out, &[relocation.offset, info]);
        if let Some(addend) = relocation.addend {
            format.words(&mut out, &[addend]);
        }
    }
    out
}

/// Header, contents, and the table of sections at the end.
fn assemble(object: &Object, written: &[Written<'_>], names: &[u64]) -> Vec<u8> {
    let format = object.format;
    let word = format.word();
    let header = 40 + 3 * word;
    let mut contents = vec![0; header];
    let mut table = Vec::new();
    for (section, &name) in written.iter().zip(names) {
        let align = usize::try_from(section.align).unwrap_or(1).max(1);
        contents.resize(contents.len().next_multiple_of(align), 0);
        format.put(&mut table, name, 4);
        format.put(&mut table, u64::from(section.kind), 4);
        format.words(
            &mut table,
            &[section.flags, 0, contents.len() as u64, section.size],
        );
        format.put(&mut table, section.link, 4);
        format.put(&mut table, section.info, 4);
        format.words(&mut table, &[section.align, section.entry]);
        contents.extend(section.data);
    }
    contents.resize(contents.len().next_multiple_of(word), 0);
    let mut head = object.ident.to_vec();
    // A relocatable file, of version 1, with no entry and no segments.
    format.put(&mut head, 1, 2);
    format.put(&mut head, object.machine, 2);
    format.put(&mut head, 1, 4);
    format.words(&mut head, &[0, 0, contents.len() as u64]);
    format.put(&mut head, object.flags, 4);
    for value in [
        header,
        0,
        0,
        16 + 6 * word,
        written.len(),
        written.len() - 1,
    ] {
        format.put(&mut head, value as u64, 2);
    }
    contents[..header].copy_from_slice(&head);
    contents.extend(table);
    contents
}

impl Section {
    /// Whether what it names is called when a program begins or ends.
    pub(super) fn runs_by_itself(&self) -> bool {
        (INIT_ARRAY..=PREINIT_ARRAY).contains(&self.kind)
            || [".init", ".fini", ".ctors", ".dtors"]
                .iter()
                .any(|start| self.name.starts_with(start))
    }

    /// A section like this one with other contents.
    pub(super) fn with(&self, data: Vec<u8>, relocations: Vec<Relocation>) -> Self {
        Self {
            size: data.len() as u64,
            data,
            relocations,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn integers_have_both_orders() {
        for (is_big, bytes) in [(false, [4, 3, 2, 1]), (true, [1, 2, 3, 4])] {
            let format = Format {
                is_wide: true,
                is_big,
            };
            let mut out = Vec::new();
            format.put(&mut out, 0x0102_0304, 4);
            assert_eq!(out, bytes);
            assert_eq!(format.get(&out, 0, 4), Some(0x0102_0304));
            assert_eq!(format.get(&out, 1, 4), None);
        }
    }
}
