//! What is published has what a registry and its readers look for.

use cargo_metadata::Package;
use serde_json::Value;

use super::law::{LIBRARIES, PUBLISHED};
use super::workspace;
use crate::process::root;

/// The licences, in the root and beside each manifest.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// What is missing, of all that is published.
///
/// # Errors
///
/// Cargo failed, or the licences cannot be read.
pub(super) fn gaps() -> Result<Vec<String>, String> {
    let metadata = workspace::metadata(&[])?;
    let licences = LICENCES.map(|name| std::fs::read(root().join(name)));
    let mut gaps = Vec::new();
    for name in LIBRARIES.iter().chain(PUBLISHED) {
        let package = metadata
            .packages
            .iter()
            .find(|package| package.name == *name)
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
    }
    Ok(gaps)
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
}
