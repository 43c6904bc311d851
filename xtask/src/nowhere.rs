//! Builds that say nothing of where they were made, so that they can be made again elsewhere and compared. Messages of
//! panics and debug information name source files: by the same names on every machine.

use std::path::{Path, PathBuf};

use crate::files::{make, text, write};
use crate::process::{Cmd, root, target_dir};

/// Cargo's own directory, where the sources of other crates lie.
fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
}

/// A command of cargo that builds for a target, with the flags that do it, which are added to the user's own. `more` are
/// flags for other ends.
///
/// # Errors
///
/// Cargo would not hand them to the compiler.
pub(crate) fn build(command: Cmd, triple: &str, more: &[&str]) -> Result<Cmd, String> {
    let mut flags = flags(root(), cargo_home().as_deref());
    flags.extend(more.iter().map(|&flag| flag.to_owned()));
    let command = command.args(["--target", triple]);
    let variable = |name| std::env::var(name).ok();
    let of_variables = encoded(
        variable("CARGO_ENCODED_RUSTFLAGS"),
        variable("RUSTFLAGS"),
        &flags,
    );
    Ok(match of_variables {
        Some(flags) => command.env("CARGO_ENCODED_RUSTFLAGS", &flags),
        None => command.args(["--config", &setting(&key(triple, &[])?, &flags)]),
    })
}

/// A variable with flags has the last word, `CARGO_ENCODED_RUSTFLAGS` before `RUSTFLAGS`: where there is one, these are added
/// to it, in the form of the former, which knows spaces.
fn encoded(first: Option<String>, second: Option<String>, flags: &[String]) -> Option<String> {
    let own: Vec<String> = match (first, second) {
        (Some(own), _) => own.split('\x1f').map(str::to_owned).collect(),
        (None, Some(own)) => own.split(' ').map(str::to_owned).collect(),
        (None, None) => return None,
    };
    let own = own.iter().filter(|flag| !flag.is_empty());
    let all: Vec<&str> = own.chain(flags).map(String::as_str).collect();
    Some(all.join("\x1f"))
}

/// Which setting cargo adds flags of ours to and hands to the compiler of a target. `build.rustflags` counts only where none of
/// the target is set, be it in a file, under its name or a `cfg` that is true of it, or in a variable. Cargo itself is asked,
/// with an empty crate that does not compile without the flag. `variables` are set besides.
fn key(triple: &str, variables: &[(&str, &str)]) -> Result<String, String> {
    let dir = target_dir().join("nowhere");
    make(&dir)?;
    write(
        &dir.join("Cargo.toml"),
        "[package]\nname = \"nowhere\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n",
    )?;
    write(
        &dir.join("lib.rs"),
        "#![no_std]\n#[cfg(not(lanner_nowhere))]\ncompile_error!(\"the flag did not arrive\");\n",
    )?;
    let flag = [String::from("--cfg=lanner_nowhere")];
    let mut said = String::new();
    for key in [
        String::from("build.rustflags"),
        format!("target.{triple}.rustflags"),
    ] {
        let mut check = Cmd::cargo(["check", "--quiet", "--target", triple])
            .args(["--manifest-path", &text(&dir.join("Cargo.toml"))])
            .args(["--target-dir", &text(&dir.join("target"))])
            .args(["--config", &setting(&key, &flag)]);
        for (name, value) in variables {
            check = check.env(name, value);
        }
        match check.capture() {
            Ok(_) => return Ok(key),
            Err(error) => said = error,
        }
    }
    Err(format!(
        "flags that builds need do not reach the compiler: {said}"
    ))
}

/// Checks that files name neither of the places.
///
/// # Errors
///
/// One does, or cannot be read.
pub(crate) fn check(files: &[PathBuf]) -> Result<(), String> {
    let places: Vec<String> = [Some(root().to_owned()), cargo_home()]
        .iter()
        .flatten()
        .map(|place| text(place))
        .collect();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        if let Some(place) = places.iter().find(|place| has(&bytes, place.as_bytes())) {
            return Err(format!(
                "{} names {place}, where it was built",
                file.display()
            ));
        }
    }
    Ok(())
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn flags(root: &Path, cargo_home: Option<&Path>) -> Vec<String> {
    let places = [(Some(root), "/lanner"), (cargo_home, "/cargo")];
    places
        .iter()
        .filter_map(|(from, to)| Some(format!("--remap-path-prefix={}={to}", text((*from)?))))
        .collect()
}

/// The flags as TOML.
fn setting(key: &str, flags: &[String]) -> String {
    let quoted: Vec<String> = flags.iter().map(|flag| format!("'{flag}'")).collect();
    format!("{key}=[{}]", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found() {
        let file =
            std::env::temp_dir().join(format!("lanner-xtask-{}-nowhere", std::process::id()));
        let named = format!("\0{}/crates/curve\0", root().display());
        for (bytes, is_fine) in [
            (named.as_str(), false),
            ("/lanner/crates/curve", true),
            ("", true),
        ] {
            std::fs::write(&file, bytes).expect("written");
            assert_eq!(
                check(std::slice::from_ref(&file)).is_ok(),
                is_fine,
                "{bytes}"
            );
        }
        std::fs::remove_file(&file).expect("it was made");
        assert!(check(&[file]).is_err());
    }

    #[test]
    fn variables_have_the_last_word() {
        let some = |text: &str| Some(String::from(text));
        let flags = ["--cfg=a".to_owned(), "--remap=/b c=/d".to_owned()];
        let ours = "--cfg=a\x1f--remap=/b c=/d";
        for (first, second, expected) in [
            (None, None, None),
            (None, some("-C  x"), some(&format!("-C\x1fx\x1f{ours}"))),
            (
                some("-C\x1fx y"),
                some("-Z"),
                some(&format!("-C\x1fx y\x1f{ours}")),
            ),
            (some(""), some("-Z"), some(ours)),
            (None, some(""), some(ours)),
        ] {
            assert_eq!(encoded(first, second, &flags), expected);
        }
    }

    /// What a user has set for the target stays, and ours go with it.
    #[test]
    fn flags_reach_the_compiler_beside_those_of_the_target() {
        if ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]
            .iter()
            .any(|name| std::env::var_os(name).is_some())
        {
            println!("SKIPPED: a variable has flags, and the last word");
            return;
        }
        let triple = crate::targets::host().expect("the compiler says");
        let of_target = format!("target.{triple}.rustflags");
        let variable = format!(
            "CARGO_TARGET_{}_RUSTFLAGS",
            triple.to_uppercase().replace(['-', '.'], "_")
        );
        let with = |name: &str, flags: &str| key(&triple, &[(name, flags)]);
        assert_eq!(with(&variable, "--cfg=their_own"), Ok(of_target));
        // Those that have the last word are no setting's.
        assert!(with("RUSTFLAGS", "--cfg=their_own").is_err());
        assert!(key(&triple, &[]).is_ok());
    }

    #[test]
    fn places_become_names() {
        let flags = flags(Path::new("/a/b"), Some(Path::new("/c")));
        assert_eq!(
            setting("build.rustflags", &flags),
            "build.rustflags=['--remap-path-prefix=/a/b=/lanner', '--remap-path-prefix=/c=/cargo']"
        );
    }
}
