//! Names for addresses.

use std::fs;

use addr2line::Loader;

use crate::followed::Process;
use crate::instructions::decode;

/// The instruction at an address, and its function and line where the file tells.
pub(crate) fn describe(process: &Process, address: u64) -> String {
    let (bytes, length) = process.code(address);
    let instruction = decode(&bytes[..length], address);
    let instruction = instruction.map_or_else(String::new, |it| it.to_string());
    let place = place(process, address).unwrap_or_else(|| format!("{address:#x}"));
    format!("{instruction}: {place}")
}

/// Function, file and line. Files are mapped in order, the first page of each first.
fn place(process: &Process, address: u64) -> Option<String> {
    let maps = fs::read_to_string(format!("/proc/{}/maps", process.id())).ok()?;
    let mut start = 0;
    let mut file = "";
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let (from, to) = words.next()?.split_once('-')?;
        let (from, to) = (
            u64::from_str_radix(from, 16).ok()?,
            u64::from_str_radix(to, 16).ok()?,
        );
        let path = words.nth(4).unwrap_or_default();
        if path != file {
            (start, file) = (from, path);
        }
        if (from..to).contains(&address) {
            break;
        }
    }
    let loader = Loader::new(file).ok()?;
    let offset = address - start + loader.relative_address_base();
    let function = loader.find_symbol(offset).unwrap_or("?");
    let function = addr2line::demangle_auto(function.into(), None);
    let line = loader.find_location(offset).ok().flatten();
    let line = line.and_then(|at| Some(format!(" at {}:{}", at.file?, at.line?)));
    Some(format!(
        "{function}{}",
        line.unwrap_or_else(|| format!(" in {file}"))
    ))
}
