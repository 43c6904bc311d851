//! The tests of a part with all its mutants in them: those that do not compile are found, and left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::parts::Part;
use super::placed::{Mutant, Placed, place};
use super::{directory, tree};
use crate::files::{read, write};

/// Asks in every place which mutant there is to be.
const SWITCH: &str = include_str!("switch.rs");

/// Test programs with mutants in them.
pub(super) struct Built {
    pub(super) programs: Vec<Program>,
    /// Those that do not compile.
    pub(super) unviable: BTreeSet<usize>,
    /// Those that are in constants, or in functions that constants call.
    pub(super) left: BTreeSet<usize>,
}

/// A program of tests.
pub(super) struct Program {
    pub(super) file: PathBuf,
    /// Where its package lies, in which tests look for their files.
    pub(super) home: PathBuf,
}

/// Builds the tests of a part.
///
/// # Errors
///
/// A source cannot be read, or it does not compile for a reason that no mutant is to blame for.
pub(super) fn build(part: &Part, mutants: &[Mutant]) -> Result<Built, String> {
    let mut sources = BTreeMap::new();
    for mutant in mutants {
        if !sources.contains_key(&mutant.file) {
            sources.insert(mutant.file.clone(), read(&tree().join(&mutant.file))?);
        }
    }
    let root = part.root();
    if !sources.contains_key(&root) {
        sources.insert(root.clone(), read(&tree().join(&root))?);
    }
    let mut unviable = BTreeSet::new();
    // Functions that constants call.
    let mut constant = BTreeSet::new();
    loop {
        let mut all = BTreeMap::new();
        for (file, source) in &sources {
            let these = mutants.iter().enumerate();
            let these = these
                .filter(|(number, mutant)| mutant.file == *file && !unviable.contains(number))
                .collect();
            let placed =
                place(source, &these, &constant).map_err(|error| format!("{file}: {error}"))?;
            let mut text = placed.text.clone();
            if *file == root {
                let number = mutants.len().to_string();
                text += "\n#[allow(warnings, clippy::all)]\nmod lanner_mutants {\n";
                // What it says of itself is for readers of the file.
                text += &SWITCH
                    .replace("//!", "//")
                    .replace("MUTANTS;", &format!("{number};"));
                text += "}\n";
            }
            let path = tree().join(file);
            if read(&path)? != text {
                write(&path, text)?;
            }
            all.insert(file.clone(), placed);
        }
        let left = all.values().flat_map(|placed| &placed.left).copied();
        let left: BTreeSet<usize> = left.collect();
        match compile(part)? {
            Compiled::Programs(programs) => {
                unviable.extend(all.values().flat_map(|placed| &placed.unread));
                return Ok(Built {
                    programs,
                    unviable,
                    left,
                });
            }
            Compiled::Complaints(complaints) => {
                let before = (unviable.len(), constant.len());
                for complaint in &complaints {
                    match &complaint.constant {
                        Some(name) => drop(constant.insert(name.clone())),
                        None => unviable.extend(blamed(complaint, &all)),
                    }
                }
                println!(
                    "{}: {} mutants do not compile so far, {} functions are called by constants",
                    part.name,
                    unviable.len(),
                    constant.len()
                );
                if before == (unviable.len(), constant.len()) {
                    let first = complaints.first().map_or("", |it| &it.text);
                    return Err(format!("no mutant is to blame for this:\n{first}"));
                }
            }
        }
    }
}

/// What the compiler says.
struct Complaint {
    text: String,
    /// A function that must be `const`.
    constant: Option<String>,
    /// Files and bytes, the most important ones first.
    places: Vec<Vec<(String, std::ops::Range<usize>)>>,
}

enum Compiled {
    Programs(Vec<Program>),
    Complaints(Vec<Complaint>),
}

/// The mutants of the first places that are any's.
fn blamed(complaint: &Complaint, all: &BTreeMap<String, Placed>) -> BTreeSet<usize> {
    let of = |places: &Vec<(String, std::ops::Range<usize>)>| -> BTreeSet<usize> {
        places
            .iter()
            .filter_map(|(file, bytes)| Some(all.get(file)?.blamed(bytes)))
            .flatten()
            .collect()
    };
    let found = complaint
        .places
        .iter()
        .map(of)
        .find(|found| !found.is_empty());
    found.unwrap_or_default()
}

fn compile(part: &Part) -> Result<Compiled, String> {
    // These are not mutated: they do as they do for users.
    let unchecked = part.unchecked.iter().flat_map(|name| {
        ["debug-assertions = false", "overflow-checks = false"]
            .map(|setting| format!("--config=profile.test.package.{name}.{setting}"))
    });
    let features = match part.features {
        Some(some) => vec!["--no-default-features", "--features", some],
        None => vec!["--all-features"],
    };
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(tree())
        .args(["build", "--tests", "--profile", "test"])
        .args(features)
        // All that can be known of one round.
        .arg("--keep-going")
        .args(["--message-format", "json"])
        .args(part.tests.iter().flat_map(|name| ["-p", name]))
        .args(unchecked)
        .env("CARGO_TARGET_DIR", directory().join("build"))
        .env("CARGO_PROFILE_TEST_DEBUG", "none")
        // Mutants have warnings, and some that are errors by default.
        .env("RUSTFLAGS", "--cap-lints=allow")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let messages: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    if output.status.success() {
        return Ok(Compiled::Programs(
            messages.iter().filter_map(program).collect(),
        ));
    }
    let complaints: Vec<Complaint> = messages.iter().filter_map(complaint).collect();
    if complaints.is_empty() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(Compiled::Complaints(complaints))
}

/// A program of tests, if that is what the message is about.
fn program(message: &Value) -> Option<Program> {
    let file = message["executable"].as_str()?;
    let manifest = message["manifest_path"].as_str()?;
    (message["profile"]["test"] == true).then(|| Program {
        file: file.into(),
        home: PathBuf::from(manifest).with_file_name(""),
    })
}

/// An error, if that is what the message is about.
fn complaint(message: &Value) -> Option<Complaint> {
    let message = &message["message"];
    let text = message["message"].as_str()?;
    if message["level"] != "error" || text.starts_with("aborting due to") {
        return None;
    }
    let constant = text
        .contains("non-const")
        .then(|| function_named(text))
        .flatten();
    let mut places = vec![Vec::new(), Vec::new()];
    let mut read = |message: &Value, first: bool| {
        for span in message["spans"].as_array().into_iter().flatten() {
            let (mut file, mut range) = (span["file_name"].as_str(), bytes(span));
            // What a macro made is where that was called.
            let mut at = span;
            while let Some(outer) = at["expansion"]["span"].as_object() {
                at = &at["expansion"]["span"];
                file = outer["file_name"].as_str();
                range = bytes(at);
            }
            if let (Some(file), Some(range)) = (file, range) {
                let primary = first && span["is_primary"] == true;
                places[usize::from(!primary)].push((file.to_owned(), range));
            }
        }
    };
    read(message, true);
    for child in message["children"].as_array().into_iter().flatten() {
        read(child, false);
    }
    let text = message["rendered"].as_str().unwrap_or(text).to_owned();
    Some(Complaint {
        text,
        constant,
        places,
    })
}

fn bytes(span: &Value) -> Option<std::ops::Range<usize>> {
    let number = |name: &str| usize::try_from(span[name].as_u64()?).ok();
    Some(number("byte_start")?..number("byte_end")?)
}

/// The name of the function between the quotes, without its path and its parameters.
fn function_named(text: &str) -> Option<String> {
    let path = text.split('`').nth(1)?;
    let mut depth = 0_usize;
    let plain: String = path
        .chars()
        .filter(|character| {
            let inside = depth > 0 || *character == '<';
            match character {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            !inside
        })
        .collect();
    let name = plain.rsplit("::").find(|part| !part.is_empty())?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{complaint, function_named};
    use serde_json::json;

    #[test]
    fn names_are_without_paths_and_parameters() {
        let named = |path: &str| function_named(&format!("cannot call non-const `{path}` in it"));
        assert_eq!(named("f").as_deref(), Some("f"));
        assert_eq!(named("a::B::<Vec<u8>>::g").as_deref(), Some("g"));
        assert_eq!(named("h::<4>").as_deref(), Some("h"));
        assert_eq!(function_named("nothing is named"), None);
    }

    #[test]
    fn complaints_are_read() {
        let span = |file: &str, start: u32, is_primary: bool| {
            json!({"file_name": file, "byte_start": start, "byte_end": start + 1,
                   "is_primary": is_primary})
        };
        let mut in_macro = span("core.rs", 1, true);
        in_macro["expansion"] = json!({"span": span("a.rs", 7, false)});
        let message = |level: &str, text: &str| {
            json!({"message": {"level": level, "message": text, "children": [],
                   "spans": [span("a.rs", 3, false), span("b.rs", 5, true), in_macro]}})
        };
        let read = complaint(&message("error", "mismatched types")).expect("an error");
        let at = |file: &str, start: usize| (file.to_owned(), start..start + 1);
        // What is most important comes first, and what a macro made is where that was called.
        assert_eq!(
            read.places,
            [vec![at("b.rs", 5), at("a.rs", 7)], vec![at("a.rs", 3)]]
        );
        assert_eq!(read.constant, None);
        let read = complaint(&message("error", "cannot call non-const function `c::f`"));
        assert_eq!(read.and_then(|it| it.constant).as_deref(), Some("f"));
        assert!(complaint(&message("warning", "unused")).is_none());
        assert!(complaint(&message("error", "aborting due to 2 errors")).is_none());
    }
}
