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
/// files say, except where a variable has flags, which has the last word: then they are added there.
pub(crate) fn build(command: Cmd) -> Cmd {
    let flags = flags(root(), cargo_home().as_deref());
    match std::env::var("RUSTFLAGS") {
        Ok(own) => command.env("RUSTFLAGS", &format!("{own} {}", flags.join(" "))),
        Err(_) => command.args(["--config", &setting(&flags)]),
    }
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
    fn places_become_names() {
        let flags = flags(Path::new("/a/b"), Some(Path::new("/c")));
        assert_eq!(
            setting(&flags),
            "build.rustflags=['--remap-path-prefix=/a/b=/lanner', '--remap-path-prefix=/c=/cargo']"
        );
    }
}
