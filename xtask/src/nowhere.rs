//! Builds that say nothing of where they were made, so that they can be made again elsewhere and compared. Messages of
//! panics and debug information name source files: by the same names on every machine.

use std::path::{Path, PathBuf};

use crate::files::text;
use crate::process::{Cmd, root};

/// Cargo's own directory, where the sources of other crates lie.
fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
}

/// A command of cargo that builds for a target, with the flags that do it. They come by `--config`, which adds to what
/// files say, except where a variable has flags, which has the last word: then they are added there. `more` are flags for
/// other ends.
pub(crate) fn build(command: Cmd, more: &[&str]) -> Cmd {
    let mut flags = flags(root(), cargo_home().as_deref());
    flags.extend(more.iter().map(|&flag| flag.to_owned()));
    match std::env::var("RUSTFLAGS") {
        Ok(own) => command.env("RUSTFLAGS", &format!("{own} {}", flags.join(" "))),
        Err(_) => command.args(["--config", &setting(&flags)]),
    }
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
fn setting(flags: &[String]) -> String {
    let quoted: Vec<String> = flags.iter().map(|flag| format!("'{flag}'")).collect();
    format!("build.rustflags=[{}]", quoted.join(", "))
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
    fn places_become_names() {
        let flags = flags(Path::new("/a/b"), Some(Path::new("/c")));
        assert_eq!(
            setting(&flags),
            "build.rustflags=['--remap-path-prefix=/a/b=/lanner', '--remap-path-prefix=/c=/cargo']"
        );
    }
}
