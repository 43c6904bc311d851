//! `cargo xtask vectors`: writes the project's own test data, every value of it
//! derived by the slow model ([`crate::model`]).

mod exchange;
mod points;
mod rfc;
mod ristretto;
mod sign;
mod stream;
mod verify;

use std::fs;
use std::path::Path;

use lanner_vectors::own::{self, File};
use serde::Serialize;

/// What `cargo xtask help` says about the command.
pub(crate) const HELP: &str = "\
  vectors [--check | --fetch]
                  derive vectors/data again by the slow model and write it
                    --check      write nothing; fail where a file would change
                    --fetch      instead get outside test data from where it is published, at pinned
                                 commits with checksums, into vectors/outside
";

/// Runs the command.
///
/// # Errors
/// With `--check`, names the files that are not what the model derives.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        [flag] if flag == "--fetch" => return crate::fetch::run(),
        _ => {
            return Err(format!(
                "usage: cargo xtask vectors [--check | --fetch]\n\n{HELP}"
            ));
        }
    };
    let dir = own::data_dir();
    let files = derive();
    if check {
        return compare(&dir, &files);
    }
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    for (name, text) in &files {
        let path = dir.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}: {} bytes", path.display(), text.len());
    }
    Ok(())
}

/// Every file: its name and its text.
fn derive() -> Vec<(&'static str, String)> {
    vec![
        ("rfc8032.json", render(&sign::rfc8032())),
        ("rfc7748.json", indented(&exchange::rfc7748())),
        ("ed25519_sign.json", render(&sign::sweep())),
        ("ed25519_hedged.json", render(&sign::hedged())),
        ("ed25519_verify.json", render(&verify::cases())),
        ("points.json", render(&points::cases())),
        ("x25519.json", render(&exchange::cases())),
        ("ristretto255.json", indented(&ristretto::ristretto255())),
        ("hash_to_curve.json", render(&ristretto::hashed())),
    ]
}

/// What the schemes' own tests make, and `vectors/hybrid.py` computes again; and what they write, and all faces read.
const MADE_ELSEWHERE: [&str; 2] = ["hybrid.json", "key_files.json"];

/// Compares the files that are there with what they should be, both ways.
fn compare(dir: &Path, files: &[(&'static str, String)]) -> Result<(), String> {
    let mut wrong = Vec::new();
    for (name, text) in files {
        let path = dir.join(name);
        match fs::read_to_string(&path) {
            Ok(present) if present == *text => {}
            Ok(present) => {
                let line = present.lines().zip(text.lines()).position(|(a, b)| a != b);
                let line = line.unwrap_or(present.lines().count().min(text.lines().count()));
                wrong.push(format!("{}: differs at line {}", path.display(), line + 1));
            }
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        let elsewhere = MADE_ELSEWHERE.iter().any(|known| name == *known);
        if !elsewhere && !files.iter().any(|(known, _)| name == *known) {
            wrong.push(format!(
                "{}: no command makes it",
                dir.join(&name).display()
            ));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "vectors/data is not what the model derives:\n  {}",
        wrong.join("\n  ")
    ))
}

/// A file of cases as JSON with one case to a line, so that a change to a case is
/// a change to one line.
fn render<T: Serialize>(file: &File<T>) -> String {
    let lines: Vec<String> = file
        .cases
        .iter()
        .map(|case| format!("    {}", json(case)))
        .collect();
    let about = json(&file.about);
    format!(
        "{{\n  \"about\": {about},\n  \"cases\": [\n{}\n  ]\n}}\n",
        lines.join(",\n")
    )
}

/// A small file as JSON, indented.
fn indented<T: Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("plain data") + "\n"
}

/// Compact JSON.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_data_is_what_the_model_derives() {
        if let Err(message) = run(&["--check".to_owned()]) {
            panic!("{message}");
        }
    }
}
