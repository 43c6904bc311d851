//! The instructions of this program and of its libraries, by their addresses in memory.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, Register};

/// A piece of a file that is mapped as code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mapping {
    start: u64,
    end: u64,
    offset: u64,
    path: String,
}

/// All code of a process.
#[derive(Default)]
pub(crate) struct Code {
    mappings: Vec<Mapping>,
    files: HashMap<String, Vec<u8>>,
}

/// What introduces a mapping in the output of a process that runs under valgrind.
const MAPPED: &str = "mapped ";

/// The code that this process has mapped, in lines for [`Code::read`].
pub(crate) fn mapped() -> String {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut lines = String::new();
    for line in maps.lines() {
        // Address range, permissions, offset, device, inode, path.
        let mut words = line.split_whitespace();
        let (Some(range), Some(permissions), Some(offset)) =
            (words.next(), words.next(), words.next())
        else {
            continue;
        };
        if let (true, Some((start, end)), Some(path)) = (
            permissions.contains('x'),
            range.split_once('-'),
            words.nth(2),
        ) {
            // Writing to a string does not fail.
            let _ = writeln!(lines, "{MAPPED}{start} {end} {offset} {path}");
        }
    }
    lines
}

impl Code {
    /// The code that a process had mapped, by its own words.
    pub(crate) fn read(output: &str) -> Self {
        let lines = output.lines().filter_map(|line| line.strip_prefix(MAPPED));
        let mappings = lines.filter_map(|line| {
            let mut words = line.split(' ');
            let mut number = || u64::from_str_radix(words.next()?, 16).ok();
            let (start, end, offset) = (number()?, number()?, number()?);
            Some(Mapping {
                start,
                end,
                offset,
                path: String::from(words.next()?),
            })
        });
        Self {
            mappings: mappings.collect(),
            files: HashMap::new(),
        }
    }

    /// The instruction at an address.
    pub(crate) fn at(&mut self, address: u64) -> Option<Instruction> {
        let here = |mapping: &&Mapping| (mapping.start..mapping.end).contains(&address);
        let mapping = self.mappings.iter().find(here)?;
        let file = self.files.entry(mapping.path.clone());
        let file = file.or_insert_with(|| fs::read(&mapping.path).unwrap_or_default());
        let at = usize::try_from(address - mapping.start + mapping.offset).ok()?;
        decode(file.get(at..)?, address)
    }
}

/// The first instruction of some bytes that lie at an address.
pub(crate) fn decode(bytes: &[u8], address: u64) -> Option<Instruction> {
    let bits = if cfg!(target_pointer_width = "64") {
        64
    } else {
        32
    };
    let longest = &bytes[..bytes.len().min(15)];
    let instruction = Decoder::with_ip(bits, longest, address, DecoderOptions::NONE).decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// Whether an instruction shifts the elements of a vector by one count, which is in a register or at a place of the stack that
/// nothing decides.
///
/// Its time does not depend on the count, but memcheck reports a count that is undefined, because it cannot
/// say which bits of the result are.
pub(crate) fn shifts_vectors(instruction: &Instruction) -> bool {
    let shifts = matches!(
        instruction.mnemonic(),
        Mnemonic::Vpsllq
            | Mnemonic::Vpsrlq
            | Mnemonic::Vpslld
            | Mnemonic::Vpsrld
            | Mnemonic::Vpsrad
            | Mnemonic::Psllq
            | Mnemonic::Psrlq
            | Mnemonic::Pslld
            | Mnemonic::Psrld
            | Mnemonic::Psrad
    );
    // No base, in what has no memory operand.
    let base = instruction.memory_base();
    let is_fixed = matches!(base, Register::None | Register::RSP | Register::ESP);
    shifts && is_fixed && instruction.memory_index() == Register::None
}

#[cfg(test)]
mod tests {
    use super::{decode, shifts_vectors};

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn vector_shifts_are_known() {
        // vpsllq ymm0, ymm1, xmm2; with the count on the stack, in memory, and in an array on the stack; mov eax, [rdi].
        let shift = decode(&[0xc5, 0xf5, 0xf3, 0xc2], 0).expect("an instruction");
        let spilled = decode(&[0xc5, 0xf5, 0xf3, 0x44, 0x24, 0x10], 0).expect("an instruction");
        let indexed = decode(&[0xc5, 0xf5, 0xf3, 0x04, 0x04], 0).expect("an instruction");
        let loads = decode(&[0xc5, 0xf5, 0xf3, 0x07], 0).expect("an instruction");
        let other = decode(&[0x8b, 0x07], 0).expect("an instruction");
        assert!(shifts_vectors(&shift) && shifts_vectors(&spilled));
        assert!(!shifts_vectors(&indexed) && !shifts_vectors(&loads) && !shifts_vectors(&other));
    }
}
