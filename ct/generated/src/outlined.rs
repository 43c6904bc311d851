//! Intrinsics that became functions.
//!
//! A vector instruction is written as a call of a function in `core::core_arch`, which the compiler inlines
//! where the caller is compiled for the instruction, and only there. Anywhere else it makes a function of the
//! one instruction, and each use a call with its vectors in memory: correct, and many times slower.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use wasmparser::{KnownCustom, Linking, Parser, Payload, RelocationType, SymbolInfo, TypeRef};

use crate::law;
use crate::objects::{Program, Target, demangled, members};

/// Where the intrinsics are defined.
const INTRINSICS: &str = "core::core_arch::";

fn is_outlined(name: &str) -> bool {
    name.starts_with(INTRINSICS) && !law::is_allowed(law::INTRINSICS, name)
}

/// Notes a call, and by which entry of the table it is allowed.
#[derive(Default)]
struct Calls {
    findings: BTreeSet<String>,
    used: BTreeSet<usize>,
}

impl Calls {
    fn note(&mut self, caller: &str, callee: &str) {
        if !is_outlined(callee) || is_outlined(caller) {
            return;
        }
        let allowed = |(pattern, _): &law::Reason| law::matches(pattern, caller);
        match law::CALLERS.iter().position(allowed) {
            Some(entry) => {
                self.used.insert(entry);
            }
            None => {
                self.findings.insert(format!("{caller} calls {callee}"));
            }
        }
    }
}

/// The findings in a program: who calls an intrinsic.
pub(crate) fn in_program(program: &Program) -> Vec<String> {
    let mut calls = Calls::default();
    for function in &program.functions {
        for target in function.references.values() {
            if let Target::Function(callee) = target {
                calls.note(&function.name, &program.functions[*callee].name);
            }
        }
    }
    calls.findings.into_iter().collect()
}

/// The findings in objects of WebAssembly.
///
/// # Errors
///
/// A file cannot be read, or is no archive of modules.
pub(crate) fn in_modules(archives: &[impl AsRef<Path>]) -> Result<Vec<String>, String> {
    let mut calls = Calls::default();
    let mut functions = 0;
    for archive in archives {
        for (member, data) in members(archive.as_ref())? {
            let module = Module::read(&data).map_err(|error| format!("{member}: {error}"))?;
            functions += module.bodies.len();
            for (caller, callee) in module.references() {
                calls.note(&caller, &callee);
            }
        }
    }
    println!("wasm32: {functions} functions");
    if functions == 0 {
        calls
            .findings
            .insert(String::from("no functions: nothing was checked"));
    }
    for (i, (pattern, _)) in law::CALLERS.iter().enumerate() {
        if !calls.used.contains(&i) {
            calls
                .findings
                .insert(format!("nothing to allow in {pattern}"));
        }
    }
    Ok(calls.findings.into_iter().collect())
}

/// What an object of WebAssembly says of its functions.
#[derive(Default)]
struct Module {
    /// Each symbol: its name, and the index of the function that it is.
    symbols: Vec<Option<(String, u32)>>,
    /// The functions that are not defined here; their indices come first.
    imports: u32,
    /// The extent of each body in the section of code.
    bodies: Vec<Range<usize>>,
    /// Places in the section of code that the linker fills in with a symbol's function.
    relocations: Vec<(usize, u32)>,
}

impl Module {
    fn read(data: &[u8]) -> wasmparser::Result<Self> {
        let mut module = Self::default();
        let mut code = (0, 0);
        let mut sections = 0;
        for payload in Parser::new(0).parse_all(data) {
            let payload = payload?;
            match &payload {
                Payload::ImportSection(imports) => {
                    for import in imports.clone().into_imports() {
                        if matches!(import?.ty, TypeRef::Func(_)) {
                            module.imports += 1;
                        }
                    }
                }
                Payload::CodeSectionStart { range, .. } => code = (sections, range.start),
                Payload::CodeSectionEntry(body) => module
                    .bodies
                    .push(body.range().start - code.1..body.range().end - code.1),
                Payload::CustomSection(section) => match section.as_known() {
                    KnownCustom::Linking(linking) => {
                        for part in linking.subsections() {
                            if let Linking::SymbolTable(table) = part? {
                                for symbol in table {
                                    module.symbols.push(match symbol? {
                                        SymbolInfo::Func { name, index, .. } => {
                                            Some((name.unwrap_or_default().to_owned(), index))
                                        }
                                        _ => None,
                                    });
                                }
                            }
                        }
                    }
                    KnownCustom::Reloc(relocations) if relocations.section_index() == code.0 => {
                        for relocation in relocations.entries() {
                            let relocation = relocation?;
                            if relocation.ty == RelocationType::FunctionIndexLeb {
                                let place = (relocation.offset as usize, relocation.index);
                                module.relocations.push(place);
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
            // An entry of code is no section.
            if !matches!(
                payload,
                Payload::CodeSectionEntry(_) | Payload::Version { .. } | Payload::End(_)
            ) {
                sections += 1;
            }
        }
        Ok(module)
    }

    /// Who names whom, in Rust's names.
    fn references(&self) -> Vec<(String, String)> {
        let defined = |index: u32| {
            let mut symbols = self.symbols.iter().flatten();
            symbols.find(|(_, of)| *of == index).map(|(name, _)| name)
        };
        let mut references = Vec::new();
        for (offset, symbol) in &self.relocations {
            let body = self.bodies.iter().position(|body| body.contains(offset));
            let (Some(body), Some(Some((callee, _)))) = (body, self.symbols.get(*symbol as usize))
            else {
                continue;
            };
            let callee = demangled(callee);
            if !callee.starts_with(INTRINSICS) {
                continue;
            }
            let caller = defined(self.imports + body as u32);
            references.push((demangled(caller.map_or("", String::as_str)), callee));
        }
        references
    }
}
