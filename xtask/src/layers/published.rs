//! What is published has what a registry and its readers look for.

use cargo_metadata::Package;
use serde_json::Value;

use super::law::{APART, LIBRARIES, PUBLISHED};
use super::workspace;
use crate::process::{Cmd, root};

/// The licences, in the root and beside each manifest.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// What an archive has beside sources, examples and what [`NEEDED`] names: cargo writes it.
const OF_CARGO: [&str; 4] = [
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
];

/// What every archive must have.
const NEEDED: [&str; 4] = ["README.md", LICENCES[0], LICENCES[1], "src/"];

/// What is missing, of all that is published.
///
/// # Errors
///
/// Cargo failed, or the licences cannot be read.
pub(super) fn gaps() -> Result<Vec<String>, String> {
    let licences = LICENCES.map(|name| std::fs::read(root().join(name)));
    let mut gaps = Vec::new();
    for (workspace, name) in published() {
        let metadata = workspace::metadata_in(workspace, &[])?;
        let package = metadata
            .packages
            .iter()
            .find(|package| package.name == name)
            .ok_or_else(|| format!("no package {name}"))?;
        gaps.extend(of_manifest(package).map(|gap| format!("{name}: {gap}")));
        let dir = package
            .manifest_path
            .parent()
            .ok_or("a manifest without a directory")?;
        for (file, text) in LICENCES.iter().zip(&licences) {
            let text = text.as_ref().map_err(|error| format!("{file}: {error}"))?;
            // A link, or in an archive of the sources its file.
            if std::fs::read(dir.join(file)).ok().as_ref() != Some(text) {
                gaps.push(format!("{name}: no {file} that is the root's"));
            }
        }
        // Without the lock file, for which cargo would ask the registry.
        let list = Cmd::cargo(["package", "--list", "--allow-dirty", "--exclude-lockfile"])
            .args(["--offline"])
            .args(["--manifest-path", package.manifest_path.as_str()])
            .capture()?;
        gaps.extend(of_archive(&list).map(|gap| format!("{name}: {gap}")));
    }
    Ok(gaps)
}

/// The packages that a registry gets, each with the directory of its workspace.
fn published() -> impl Iterator<Item = (&'static str, &'static str)> {
    let here = LIBRARIES.iter().chain(PUBLISHED).map(|name| ("", *name));
    let apart = APART.iter().flat_map(|apart| {
        let names = apart.published.iter();
        names.map(|name| (apart.directory, *name))
    });
    here.chain(apart)
}

/// What should or should not be in an archive, of which these are the files. Tests and benches are no part of one: they read data
/// of packages that no registry has, so that cargo takes these out of the manifest, and nobody could build them.
fn of_archive(list: &str) -> impl Iterator<Item = String> {
    let missing = NEEDED
        .iter()
        .filter(|needed| !list.lines().any(|file| file.starts_with(**needed)))
        .map(|needed| format!("its archive has no {needed}"));
    let in_vain = list
        .lines()
        .filter(|file| {
            let is_source = file.starts_with("src/") || file.starts_with("examples/");
            !is_source && !OF_CARGO.contains(file) && !NEEDED.contains(file)
        })
        .map(|file| format!("its archive has {file}, which `include` in the manifest leaves out"));
    missing.chain(in_vain)
}

fn of_manifest(package: &Package) -> impl Iterator<Item = &'static str> {
    let all_features = package.metadata.pointer("/docs/rs/all-features");
    let is_documented = package
        .targets
        .iter()
        .any(|target| target.is_lib() && target.doc);
    let checks = [
        (package.description.is_some(), "no description"),
        (
            package.license.as_deref() == Some("MIT OR Apache-2.0"),
            "another licence",
        ),
        (package.readme.is_some(), "no README"),
        (!package.categories.is_empty(), "no category"),
        (
            (1..=5).contains(&package.keywords.len()),
            "one to five keywords are needed",
        ),
        (
            !is_documented || all_features == Some(&Value::Bool(true)),
            "its documentation would not show all features",
        ),
    ];
    checks
        .into_iter()
        .filter_map(|(holds, gap)| (!holds).then_some(gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_seen() {
        assert_eq!(gaps(), Ok(Vec::new()));
        let metadata = workspace::metadata(&[]).expect("cargo tells");
        let package = metadata
            .packages
            .into_iter()
            .find(|p| p.name == "lanner-curve");
        let mut package = package.expect("a member");
        package.keywords.clear();
        package.metadata = Value::Null;
        assert_eq!(of_manifest(&package).count(), 2);
    }

    #[test]
    fn tests_and_benches_stay_here() {
        let names: Vec<_> = published().map(|(_, name)| name).collect();
        assert!(names.contains(&"lanner-cli") && names.contains(&"lanner-datafusion"));
        let right =
            "Cargo.toml\nLICENSE-APACHE\nLICENSE-MIT\nREADME.md\nexamples/a.rs\nsrc/tests.rs\n";
        assert_eq!(of_archive(right).count(), 0);
        for more in ["tests/a.rs", "benches/a.rs", "data.json", "README.md.orig"] {
            let found: Vec<_> = of_archive(&format!("{right}{more}\n")).collect();
            assert!(found.len() == 1 && found[0].contains(more), "{found:?}");
        }
        for (less, name) in [
            ("LICENSE-MIT\n", "LICENSE-MIT"),
            ("README.md\n", "README.md"),
        ] {
            let found: Vec<_> = of_archive(&right.replace(less, "")).collect();
            assert_eq!(found, [format!("its archive has no {name}")]);
        }
    }
}
