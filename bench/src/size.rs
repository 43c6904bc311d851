//! The size build: flash and stack of a minimal program that signs and verifies.
//!
//! The programs are `runners/size-*`, for a microcontroller with the Thumb-2 instructions,
//! optimised for size across crates, linked without std. Flash is what its file holds of code
//! and data. For the stack the same program is built to paint its stack and look how far the
//! paint has gone, and run in an emulator (`runners/size-start`).

use std::path::Path;
use std::process::Command;

use object::{Object, ObjectSection, SectionFlags, elf};

use crate::machine;
use crate::peers::FIRST;
use crate::runners::{Missing, cargo_build, run};

/// A Cortex-M4 or M7 without floating-point registers.
pub(crate) const TRIPLE: &str = "thumbv7em-none-eabi";

/// What one program takes, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Size {
    pub(crate) column: &'static str,
    pub(crate) what: String,
    pub(crate) code: u64,
    /// Constants, and the tables of the unwinder where a linker keeps them.
    pub(crate) constants: u64,
    /// Memory of its own, zeroed or filled at the start.
    pub(crate) memory: u64,
    /// The deepest stack, where there is an emulator.
    pub(crate) stack: Option<u64>,
}

impl Size {
    /// What lies in the flash memory.
    pub(crate) fn flash(&self) -> u64 {
        self.code + self.constants
    }
}

/// The programs: column, package, and the library's package.
const PROGRAMS: [(&str, &str, &str); 3] = [
    (FIRST, "size-lanner", "lanner-ed25519"),
    ("ed25519-compact", "size-compact", "ed25519-compact"),
    ("dalek without tables", "size-dalek", "ed25519-dalek"),
];

/// Builds and measures them all; what cannot be measured is reported as missing.
pub(crate) fn measure() -> (Vec<Size>, Vec<Missing>) {
    eprintln!("building for {TRIPLE}");
    let (mut sizes, mut missing) = (Vec::new(), Vec::new());
    for (column, package, library) in PROGRAMS {
        let mut report = |what: String, reason: String| {
            eprintln!("lanner-bench: NOT MEASURED: {what}: {reason}");
            missing.push(Missing { what, reason });
        };
        match flash(column, package, library) {
            Ok(size) => {
                let stack = stack(package);
                if let Err(reason) = &stack {
                    report(format!("stack of {column}"), reason.clone());
                }
                sizes.push(Size {
                    stack: stack.ok(),
                    ..size
                });
            }
            Err(reason) => report(format!("size of {column}"), reason),
        }
    }
    (sizes, missing)
}

fn flash(column: &'static str, package: &str, library: &str) -> Result<Size, String> {
    let program = cargo_build(package, Some(TRIPLE), "size", "", &[])?.join(package);
    let mut size = Size {
        column,
        what: machine::runner_version(library),
        code: 0,
        constants: 0,
        memory: 0,
        stack: None,
    };
    read_sections(&program, &mut size)?;
    Ok(size)
}

/// Adds up the sections that are part of the running program.
fn read_sections(program: &Path, size: &mut Size) -> Result<(), String> {
    let shown = program.display();
    let bytes = std::fs::read(program).map_err(|error| format!("{shown}: {error}"))?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("{shown}: {error}"))?;
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else {
            return Err(format!("{shown}: not ELF"));
        };
        let has = |flag: u32| sh_flags & u64::from(flag) != 0;
        if !has(elf::SHF_ALLOC) {
            continue;
        }
        if has(elf::SHF_EXECINSTR) {
            size.code += section.size();
        } else if has(elf::SHF_WRITE) {
            size.memory += section.size();
            // What is not zero at the start is kept in the flash memory as well.
            if section.file_range().is_some() {
                size.constants += section.size();
            }
        } else {
            size.constants += section.size();
        }
    }
    if size.code == 0 {
        return Err(format!("{shown}: no code in it"));
    }
    Ok(())
}

fn stack(package: &str) -> Result<u64, String> {
    // Another directory, so that the two builds of one program do not replace each other.
    let features = ["--features", "stack"];
    let flags = "--cfg stack";
    let dir = cargo_build(package, Some(TRIPLE), "size", flags, &features)?;
    let output = run(Command::new("qemu-arm").arg(dir.join(package)))
        .map_err(|reason| format!("{reason}\n(an emulator of user programs: qemu-user)"))?;
    let used = output.trim();
    used.parse()
        .map_err(|_| format!("{package} says '{used}' about its stack"))
}
