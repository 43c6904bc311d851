//! The packages, as cargo downloads them.

use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

use super::directory;
use super::programs::Program;
use crate::files;
use crate::process::Cmd;

/// The package's files, in a directory of their own.
///
/// # Errors
///
/// Cargo cannot download it, or the files cannot be copied.
pub(super) fn fetch(program: &Program) -> Result<PathBuf, String> {
    let scratch = directory().join("fetch").join(program.name);
    files::fresh(&scratch)?;
    manifest(
        &scratch,
        &format!("{} = \"={}\"", program.name, program.version),
    )?;
    files::make(&scratch.join("src"))?;
    files::write(&scratch.join("src/lib.rs"), "")?;
    let path = scratch.join("Cargo.toml");
    Cmd::cargo(["fetch", "--manifest-path", &files::text(&path)]).capture()?;
    let metadata = MetadataCommand::new()
        .manifest_path(&path)
        .exec()
        .map_err(|error| error.to_string())?;
    let package = metadata
        .packages
        .iter()
        .find(|package| *package.name == program.name)
        .ok_or("cargo has not fetched it")?;
    let from = package
        .manifest_path
        .parent()
        .expect("a manifest lies in a directory");
    let to = directory().join("source").join(program.name);
    files::fresh(&to)?;
    copy_all(from.as_std_path(), &to)?;
    // The newest of what it depends on, for both runs; and a workspace of its own, for it lies within another.
    let lock = to.join("Cargo.lock");
    if lock.exists() {
        std::fs::remove_file(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    }
    let manifest = to.join("Cargo.toml");
    let mut own = files::read(&manifest)?;
    if !own.lines().any(|line| line == "[workspace]") {
        own.push_str("\n[workspace]\n");
    }
    own.push_str(&format!("\n{}\n", program.lost));
    files::write(&manifest, own)?;
    Ok(to)
}

/// A manifest with these dependencies, of a workspace of its own.
pub(super) fn manifest(dir: &Path, dependencies: &str) -> Result<(), String> {
    files::make(dir)?;
    files::write(
        &dir.join("Cargo.toml"),
        format!(
            "[workspace]\n\n[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n"
        ),
    )
}

fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    files::make(to)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let target = to.join(entry.file_name());
        if entry.file_type().map_err(failed)?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else {
            files::copy(&entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Checks that a lock file has none of the family from the registry, and at least one of it.
///
/// # Errors
///
/// It has, or has none at all.
pub(super) fn is_patched(lock: &Path) -> Result<(), String> {
    let text = files::read(lock)?;
    // What was not needed is told behind the packages.
    let packages = text.split("[[patch.unused]]").next().unwrap_or_default();
    let mut replaced = 0;
    for package in packages.split("[[package]]") {
        let of_the_family = ["curve25519-dalek", "ed25519-dalek", "x25519-dalek"]
            .iter()
            .any(|name| {
                package
                    .lines()
                    .any(|line| line == format!("name = \"{name}\""))
            });
        if !of_the_family {
            continue;
        }
        if package.contains("+lanner\"") {
            replaced += 1;
        } else {
            let what = package.trim().lines().take(2).collect::<Vec<_>>().join(" ");
            return Err(format!("{}: not replaced: {what}", lock.display()));
        }
    }
    if replaced == 0 {
        return Err(format!("{}: nothing was replaced", lock.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_patched;
    use crate::files;
    use crate::process::target_dir;

    #[test]
    fn what_is_not_replaced_is_found() {
        let package = |name: &str, version: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\n")
        };
        let other = package("serde", "1.0.0");
        let ours = package("x25519-dalek", "2.0.1+lanner");
        let theirs = package("ed25519-dalek", "2.2.0");
        for (text, patched) in [
            (other.clone() + &ours, true),
            (other.clone(), false),
            (ours.clone() + &theirs, false),
            (other.clone() + "[[patch.unused]]\n" + &ours, false),
        ] {
            let dir = target_dir().join("patched-test");
            files::make(&dir).expect("a directory");
            let lock = dir.join("Cargo.lock");
            files::write(&lock, text).expect("a file");
            assert_eq!(is_patched(&lock).is_ok(), patched);
        }
    }
}
