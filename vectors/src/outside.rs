//! Where the outside files are, and what happens when they are not.
//!
//! There are two places: a directory with all of them, which the environment names or which lies beside the
//! workspace; and `vectors/outside`, where `cargo xtask vectors --fetch` puts those that are published as they
//! are read here. A test that needs only such files says which, and runs with either.

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// The environment variable that names the directory of outside test data.
pub const SHARED_DIR_VARIABLE: &str = "LANNER_SHARED_VECTORS";

/// The directory of outside files. Each reader is a method, in the module of
/// the file's source.
#[derive(Clone, Debug)]
pub struct Outside {
    root: PathBuf,
}

/// Where outside test data is looked for: `LANNER_SHARED_VECTORS`, or else
/// `<workspace>/../shared/vectors`.
fn candidate() -> PathBuf {
    match env::var_os(SHARED_DIR_VARIABLE) {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors"),
    }
}

/// The directory of outside test data, if it exists.
pub fn shared_dir() -> Option<PathBuf> {
    let path = candidate();
    path.is_dir().then_some(path)
}

/// Where `cargo xtask vectors --fetch` puts what it fetches.
pub fn fetched_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("outside")
}

/// The outside test data for a test that reads these files and no others: all of it, or what was
/// fetched, or none, which is said on standard error.
///
/// # Panics
/// As [`outside`].
pub fn outside_files(test: &str, files: &[&str]) -> Option<Outside> {
    let root = fetched_dir();
    if shared_dir().is_none()
        && env::var_os(SHARED_DIR_VARIABLE).is_none()
        && files.iter().all(|file| root.join(file).is_file())
    {
        return Some(Outside { root });
    }
    outside(test)
}

/// The outside test data for the test named, or none, with a line on standard
/// error that says so.
///
/// # Panics
/// If `CI` is set and `LANNER_SHARED_VECTORS` names a directory that is not
/// there: a machine that promises the data must have it.
pub fn outside(test: &str) -> Option<Outside> {
    if let Some(root) = shared_dir() {
        return Some(Outside { root });
    }
    let path = candidate();
    assert!(
        env::var_os("CI").is_none() || env::var_os(SHARED_DIR_VARIABLE).is_none(),
        "CI is set, but {SHARED_DIR_VARIABLE} names {}, which is not a directory",
        path.display()
    );
    // Written to the stream itself: the test harness holds back what the print
    // macros write in a test that passes.
    let line = format!(
        "SKIPPED: {test}: outside vectors not found at {}\n",
        path.display()
    );
    let _ = std::io::stderr().write_all(line.as_bytes());
    None
}

impl Outside {
    /// The path of a file below the directory.
    pub fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    /// A file as text.
    pub fn text(&self, file: &str) -> String {
        let path = self.path(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A gzip file as text.
    pub fn gunzip(&self, file: &str) -> String {
        let path = self.path(file);
        let packed = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(packed.as_slice())
            .read_to_string(&mut text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text
    }

    /// A JSON file as the type asked for.
    pub fn json<T: DeserializeOwned>(&self, file: &str) -> T {
        serde_json::from_str(&self.text(file))
            .unwrap_or_else(|error| panic!("{}: {error}", self.path(file).display()))
    }
}
