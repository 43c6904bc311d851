//! What the checks of the C library share: libraries and data, made once in a run.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::build::{Variant, build};
use super::data;
use super::layout::Library;
use crate::process::target_dir;
use crate::targets::{find, host};

/// The libraries that were built, and how much is asked for.
pub(super) struct Context {
    /// Held while one is built, so that what stands beside waits for it.
    built: Mutex<HashMap<String, Library>>,
    data: Mutex<Option<PathBuf>>,
    /// More rounds, and the released build on every target.
    pub(super) long: bool,
}

/// What is in there; a panic has left it as it was.
fn held<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Context {
    pub(super) fn new(long: bool) -> Self {
        Self {
            built: Mutex::default(),
            data: Mutex::default(),
            long,
        }
    }

    /// The library of a target.
    ///
    /// # Errors
    ///
    /// It does not build.
    pub(super) fn library(&self, triple: &str, variant: Variant) -> Result<Library, String> {
        let key = format!("{triple} {variant:?}");
        let mut built = held(&self.built);
        if let Some(library) = built.get(&key) {
            return Ok(library.clone());
        }
        let library = build(&find(triple)?, variant)?;
        built.insert(key, library.clone());
        Ok(library)
    }

    /// The library of this machine.
    ///
    /// # Errors
    ///
    /// It does not build.
    pub(super) fn own(&self) -> Result<Library, String> {
        self.library(&host()?, Variant::default())
    }

    /// The directory with the test data as text, written anew in each run.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(super) fn data(&self) -> Result<PathBuf, String> {
        if let Some(dir) = &*held(&self.data) {
            return Ok(dir.clone());
        }
        let dir = work_dir().join("data");
        data::write_all(&dir)?;
        *held(&self.data) = Some(dir.clone());
        Ok(dir)
    }
}

/// Where the programs of the tests are made.
pub(super) fn work_dir() -> PathBuf {
    target_dir().join("c-test")
}
