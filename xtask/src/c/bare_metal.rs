//! The library for processors without an operating system.

use std::path::Path;

use super::build::cargo_static;
use super::context::{Context, work_dir};
use super::exports;
use super::layout::HEADERS;
use crate::files::{make, text};
use crate::process::{Cmd, Tally};
use crate::targets::host;

/// A processor without an operating system, and without floating point.
pub(super) const TARGET: &str = "thumbv7em-none-eabi";

/// A static library without an operating system. It cannot be run here; that it needs nothing but
/// what every C toolchain for such a target has can be seen from its undefined symbols.
///
/// # Errors
///
/// It does not build, lacks a function, or needs something from outside.
pub(super) fn check(_: &Context) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for (what, features, macros) in [
        (
            "with tables",
            "bare-metal,donna-names,tables",
            &["LANNER_BARE_METAL"][..],
        ),
        (
            "without tables",
            "bare-metal,donna-names",
            &["LANNER_BARE_METAL", "LANNER_NO_TABLES"],
        ),
    ] {
        let args = ["--no-default-features", "--features", features].map(String::from);
        let archive = text(&cargo_static(TARGET, "liblanner-small", &args, &[])?);
        let configuration = exports::Configuration {
            macros,
            headers: HEADERS,
        };
        let found = exports::in_archive("llvm-nm", &archive)?;
        let names = exports::declared(&configuration)?;
        exports::compare("the archive", &names, &found)?;
        size(&archive, &names, &format!("{what}, every function"))?;
        for three in [
            ["ed25519_publickey", "ed25519_sign", "ed25519_sign_open"],
            [
                "lanner_ed25519_key_from_seed",
                "lanner_ed25519_sign",
                "lanner_ed25519_verify",
            ],
        ] {
            let what = format!("{what}, {}", three.join(", "));
            size(&archive, &three.map(String::from), &what)?;
        }
        tally.passed += 4;
    }
    Ok(tally)
}

/// Links functions of the library into a program, which shows that nothing else is needed, and prints
/// how much memory that takes.
fn size(archive: &str, names: &[String], what: &str) -> Result<(), String> {
    let linked = work_dir().join("bare-metal.elf");
    make(&work_dir())?;
    Cmd::new(&linker()?)
        .args(["-flavor", "gnu", "--gc-sections", "--entry", &names[0]])
        .args(["-o", &text(&linked)])
        .args(names.iter().flat_map(|name| ["-u", name.as_str()]))
        .args([archive])
        .run()?;
    let elf = std::fs::read(&linked).map_err(|error| error.to_string())?;
    let (flash, memory) = loaded(&elf).ok_or("the linked program is no ELF file of 32 bits")?;
    println!("bare metal, {what}: {flash} bytes of flash, {memory} of static memory");
    Ok(())
}

/// The linker that comes with the compiler.
fn linker() -> Result<String, String> {
    let sysroot = Cmd::new("rustc").args(["--print", "sysroot"]).capture()?;
    let path = format!("{}/lib/rustlib/{}/bin/rust-lld", sysroot.trim(), host()?);
    match Path::new(&path).is_file() {
        true => Ok(path),
        false => Err(format!("the compiler has no linker at {path}")),
    }
}

/// What the segments of an ELF file of 32 bits, little-endian, take in the file, and the writable ones
/// in memory.
fn loaded(elf: &[u8]) -> Option<(u64, u64)> {
    let word = |at: usize| Some(u32::from_le_bytes(elf.get(at..at + 4)?.try_into().ok()?));
    let half = |at: usize| Some(u16::from_le_bytes(elf.get(at..at + 2)?.try_into().ok()?));
    if !elf.starts_with(b"\x7fELF\x01\x01") {
        return None;
    }
    let first = usize::try_from(word(28)?).ok()?;
    let (mut flash, mut memory) = (0, 0);
    for i in 0..usize::from(half(44)?) {
        let at = first + i * usize::from(half(42)?);
        // The type "load", and the flag "writable".
        if word(at)? == 1 {
            flash += u64::from(word(at + 16)?);
            if word(at + 24)? & 2 != 0 {
                memory += u64::from(word(at + 20)?);
            }
        }
    }
    Some((flash, memory))
}

#[cfg(test)]
mod tests {
    use super::loaded;

    #[test]
    fn segments_are_counted() {
        let mut elf = vec![0; 52 + 2 * 32];
        elf[..6].copy_from_slice(b"\x7fELF\x01\x01");
        elf[28] = 52;
        elf[42] = 32;
        elf[44] = 2;
        // Code of 100 bytes; data of 8 bytes in the file and 20 in memory.
        for (at, size_in_file, size_in_memory, flags) in [(52, 100, 100, 5), (84, 8, 20, 6)] {
            elf[at] = 1;
            elf[at + 16] = size_in_file;
            elf[at + 20] = size_in_memory;
            elf[at + 24] = flags;
        }
        assert_eq!(loaded(&elf), Some((108, 20)));
        assert_eq!(loaded(&elf[..60]), None);
        assert_eq!(loaded(b"\x7fELF\x02\x01"), None);
    }
}
