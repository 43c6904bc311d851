//! The members of the workspace and their dependencies, as cargo tells them.

use std::path::PathBuf;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::process::root;

/// A workspace member, reduced to what the law speaks about.
#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    pub(super) name: String,
    /// Its directory, relative to the root.
    pub(super) dir: PathBuf,
    /// Dependencies that users of the member get: normal and build ones, of every target.
    pub(super) depends: Vec<String>,
    /// Dependencies of its tests and examples.
    pub(super) tests_depend: Vec<String>,
    /// Names of the members among them.
    pub(super) publishes: bool,
    pub(super) version: String,
}

/// What `cargo metadata` says, without resolving dependencies.
///
/// # Errors
///
/// Cargo failed.
pub(crate) fn metadata(options: &[&str]) -> Result<Metadata, String> {
    metadata_in("", options)
}

/// The same of the workspace in a directory, from the root on: empty for the root's own.
///
/// # Errors
///
/// Cargo failed.
pub(crate) fn metadata_in(dir: &str, options: &[&str]) -> Result<Metadata, String> {
    MetadataCommand::new()
        .manifest_path(root().join(dir).join("Cargo.toml"))
        .no_deps()
        .other_options(options.iter().map(|o| String::from(*o)).collect::<Vec<_>>())
        .exec()
        .map_err(|error| error.to_string())
}

/// All members of the workspace in a directory, from the root on: empty for the root's own.
///
/// # Errors
///
/// Cargo failed, or a member lies outside the workspace.
pub(super) fn members(dir: &str) -> Result<Vec<Member>, String> {
    let metadata = metadata_in(dir, &[])?;
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| {
            let dir = package
                .manifest_path
                .parent()
                .and_then(|dir| dir.strip_prefix(root()).ok())
                .ok_or_else(|| format!("{} lies outside the workspace", package.name))?;
            let of = |tests: bool| {
                package
                    .dependencies
                    .iter()
                    .filter(|d| (d.kind == DependencyKind::Development) == tests)
                    .map(|d| d.name.clone())
                    .collect()
            };
            Ok(Member {
                name: package.name.to_string(),
                dir: dir.into(),
                depends: of(false),
                tests_depend: of(true),
                publishes: package.publish.is_none(),
                version: package.version.to_string(),
            })
        })
        .collect()
}
