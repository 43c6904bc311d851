//! Relocatable ELF files, of both widths and byte orders, as much of them as it takes to part one: what the crate `object` reads,
//! by numbers that parts of it can have anew, and what it writes.

use std::error::Error;

use object::elf::{self, FileHeader32, FileHeader64, SectionFlags, SectionType};
use object::read::elf::{FileHeader, Rel as _, Rela as _, SectionHeader as _, Sym as _};
use object::write::elf as made;
use object::{Endian, Endianness, FileKind};

pub(super) const WRITE: u64 = elf::SHF_WRITE.0;
pub(super) const ALLOC: u64 = elf::SHF_ALLOC.0;
pub(super) const MERGE: u64 = elf::SHF_MERGE.0;
pub(super) const STRINGS: u64 = elf::SHF_STRINGS.0;

pub(super) const GLOBAL: u8 = elf::STB_GLOBAL.0;
pub(super) const HIDDEN: u8 = elf::STV_HIDDEN.0;

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
        self.info >> 4 == elf::STB_LOCAL.0
    }

    /// Whether it stands for a section.
    pub(super) fn is_section(&self) -> bool {
        self.info & 15 == elf::STT_SECTION.0
    }
}

#[derive(Clone, Debug)]
pub(super) struct Relocation {
    pub(super) offset: u64,
    pub(super) symbol: usize,
    pub(super) kind: elf::RelocationType,
    /// Otherwise it is in the place itself.
    pub(super) addend: Option<i64>,
}

#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) kind: SectionType,
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
    pub(super) endian: Endianness,
    pub(super) is_wide: bool,
    pub(super) header: made::FileHeader,
    pub(super) sections: Vec<Section>,
    pub(super) symbols: Vec<Symbol>,
}

impl Object {
    /// The integer of 32 bits at a place in a section.
    pub(super) fn word(&self, data: &[u8], at: usize) -> Option<u32> {
        let bytes = *data.get(at..)?.first_chunk()?;
        Some(self.endian.read_u32(bytes))
    }

    /// The bytes of an integer of 32 bits.
    pub(super) fn bytes(&self, word: u32) -> [u8; 4] {
        self.endian.write_u32(word)
    }
}

/// Reads a file.
///
/// # Errors
///
/// It is none of this kind, or has what a part could not have: groups of sections, say.
pub(super) fn parse(file: &[u8]) -> Result<Object, String> {
    let read = match FileKind::parse(file) {
        Ok(FileKind::Elf32) => read::<FileHeader32<Endianness>>(file),
        Ok(FileKind::Elf64) => read::<FileHeader64<Endianness>>(file),
        _ => Err("no ELF file".into()),
    };
    read.map_err(|error| error.to_string())
}

fn text(bytes: &[u8]) -> Result<String, Box<dyn Error>> {
    Ok(std::str::from_utf8(bytes)?.to_owned())
}

fn read<H: FileHeader<Endian = Endianness>>(file: &[u8]) -> Result<Object, Box<dyn Error>> {
    let header = H::parse(file)?;
    let endian = header.endian()?;
    let table = header.sections(endian, file)?;
    let mut object = Object {
        endian,
        is_wide: header.is_type_64(),
        header: made::FileHeader::from_raw(endian, header),
        sections: Vec::new(),
        symbols: Vec::new(),
    };
    for section in table.iter() {
        let name = text(table.section_name(endian, section)?)?;
        let (kind, flags) = (section.sh_type(endian), section.sh_flags(endian));
        if [elf::SHT_GROUP, elf::SHT_SYMTAB_SHNDX].contains(&kind)
            || flags.contains(elf::SHF_LINK_ORDER)
        {
            return Err(format!("a section that cannot be parted: {name}").into());
        }
        // What is made anew.
        let is_table = [
            elf::SHT_NULL,
            elf::SHT_SYMTAB,
            elf::SHT_STRTAB,
            elf::SHT_RELA,
            elf::SHT_REL,
        ];
        let data = match is_table.contains(&kind) {
            true => &[],
            false => section.data(endian, file)?,
        };
        object.sections.push(Section {
            name,
            kind,
            flags: flags.0,
            size: section.sh_size(endian).into(),
            align: section.sh_addralign(endian).into(),
            entry: section.sh_entsize(endian).into(),
            data: data.to_vec(),
            relocations: Vec::new(),
        });
    }
    let symbols = table.symbols(endian, file, elf::SHT_SYMTAB)?;
    if symbols.is_empty() {
        return Err("an object without symbols".into());
    }
    for symbol in symbols.iter() {
        let name = text(symbols.symbol_name(endian, symbol)?)?;
        let place = match symbol.st_shndx(endian) {
            elf::SHN_UNDEF => Place::Undefined,
            elf::SHN_ABS => Place::Absolute,
            index => match index.index() {
                Some(index) => Place::Section(index.into()),
                None => return Err(format!("a symbol that cannot be parted: {name}").into()),
            },
        };
        object.symbols.push(Symbol {
            name,
            value: symbol.st_value(endian).into(),
            size: symbol.st_size(endian).into(),
            info: symbol.st_info().0,
            other: symbol.st_other().0,
            place,
        });
    }
    for section in table.iter() {
        let found = if let Some((list, _)) = section.rela(endian, file)? {
            let read = |entry: &H::Rela| Relocation {
                offset: entry.r_offset(endian).into(),
                symbol: entry.r_sym(endian, false) as usize,
                kind: entry.r_type(endian, false),
                addend: Some(entry.r_addend(endian).into()),
            };
            list.iter().map(read).collect()
        } else if let Some((list, _)) = section.rel(endian, file)? {
            let read = |entry: &H::Rel| Relocation {
                offset: entry.r_offset(endian).into(),
                symbol: entry.r_sym(endian) as usize,
                kind: entry.r_type(endian),
                addend: None,
            };
            list.iter().map(read).collect()
        } else {
            continue;
        };
        let about = object.sections.get_mut(section.info_link(endian).0);
        about.ok_or("relocations of no section")?.relocations = found;
    }
    Ok(object)
}

/// Writes a file. Its local symbols stand before the others.
///
/// # Errors
///
/// It is too large for its kind.
pub(super) fn write(object: &Object) -> Result<Vec<u8>, String> {
    written(object).map_err(|error| error.to_string())
}

fn written(object: &Object) -> Result<Vec<u8>, Box<dyn Error>> {
    let has_addends = |section: &Section| Some(section.relocations.first()?.addend.is_some());
    let names: Vec<Option<String>> = object
        .sections
        .iter()
        .map(|section| {
            let before = if has_addends(section)? {
                ".rela"
            } else {
                ".rel"
            };
            Some(format!("{before}{}", section.name))
        })
        .collect();
    let mut file = Vec::new();
    let mut writer = made::Writer::new_single_phase(object.endian, object.is_wide, &mut file);
    writer.write_file_header(&object.header)?;
    let mut headers = Vec::new();
    for section in object.sections.iter().skip(1) {
        let offset = writer.write_align(section.align);
        writer.write(&section.data);
        headers.push(made::SectionHeader {
            sh_name: 0,
            sh_type: section.kind,
            sh_flags: SectionFlags(section.flags),
            sh_addr: 0,
            sh_offset: offset,
            sh_size: section.size,
            sh_link: 0,
            sh_info: 0,
            sh_addralign: section.align,
            sh_entsize: section.entry,
        });
    }
    let mut places = Vec::new();
    for section in object.sections.iter().filter(|s| !s.relocations.is_empty()) {
        places.push(writer.write_align_relocation());
        for relocation in &section.relocations {
            let entry = made::Rel {
                r_offset: relocation.offset,
                r_sym: u32::try_from(relocation.symbol)?,
                r_type: relocation.kind,
                r_addend: relocation.addend.unwrap_or(0),
            };
            writer.write_relocation(relocation.addend.is_some(), &entry);
        }
    }

    let symbols = || object.symbols.iter().skip(1);
    let of_symbols: Vec<_> = symbols()
        .map(|symbol| match symbol.name.as_str() {
            "" => None,
            name => Some(writer.add_string(name.as_bytes())),
        })
        .collect();
    let of_sections: Vec<_> = object.sections[1..]
        .iter()
        .map(|section| writer.add_section_name(section.name.as_bytes()))
        .collect();
    let of_relocations: Vec<_> = names
        .iter()
        .map(|name| Some(writer.add_section_name(name.as_ref()?.as_bytes())))
        .collect();
    // Offsets of names are known when the names are written.
    writer.write_strtab()?;
    writer.write_null_symbol();
    for (symbol, name) in symbols().zip(of_symbols) {
        let (section, special) = match symbol.place {
            Place::Undefined => (None, elf::SHN_UNDEF),
            Place::Absolute => (None, elf::SHN_ABS),
            Place::Section(index) => (Some(u32::try_from(index)?), elf::SHN_UNDEF),
        };
        let st_name = writer.string_offset(name);
        writer.write_symbol(&made::Sym {
            section,
            st_name,
            st_info: elf::SymbolInfo(symbol.info),
            st_other: elf::SymbolOther(symbol.other),
            st_shndx: special,
            st_value: symbol.value,
            st_size: symbol.size,
        });
    }
    writer.write_shstrtab()?;

    writer.write_null_section_header();
    for (header, name) in headers.iter_mut().zip(of_sections) {
        header.sh_name = writer.section_name_offset(Some(name));
        writer.write_section_header(header);
    }
    // The one after those of names, which it refers to.
    let table = object.sections.len() + places.len() + 1;
    let related = (0_u32..).zip(&object.sections).zip(of_relocations);
    let related = related.filter_map(|((index, section), name)| Some((index, section, name?)));
    for ((index, section, name), place) in related.zip(places) {
        writer.write_relocation_section_header(
            name,
            made::SectionIndex(index),
            made::SectionIndex(u32::try_from(table)?),
            place,
            section.relocations.len(),
            section.relocations[0].addend.is_some(),
        );
    }
    let locals = object.symbols.iter().filter(|symbol| symbol.is_local());
    writer.write_strtab_section_header();
    writer.write_symtab_section_header(u32::try_from(locals.count())?);
    writer.write_shstrtab_section_header();
    let mut start = Vec::new();
    writer.write_file_header_to(&mut start)?;
    file[..start.len()].copy_from_slice(&start);
    Ok(file)
}

impl Section {
    /// Whether what it names is called when a program begins or ends.
    pub(super) fn runs_by_itself(&self) -> bool {
        (elf::SHT_INIT_ARRAY..=elf::SHT_PREINIT_ARRAY).contains(&self.kind)
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
