//! What the checks of the C library share: libraries and data, made once in a run.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

use super::build::{Variant, build};
use super::data;
use super::layout::Library;
use crate::process::target_dir;
use crate::targets::{find, host};

/// The libraries that were built, and how much is asked for.
pub(super) struct Context {
    built: RefCell<HashMap<String, Library>>,
    data: RefCell<Option<PathBuf>>,
    /// More rounds, and the released build on every target.
    pub(super) long: bool,
}

impl Context {
    pub(super) fn new(long: bool) -> Self {
        Self {
            built: RefCell::default(),
            data: RefCell::default(),
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
        if let Some(library) = self.built.borrow().get(&key) {
            return Ok(library.clone());
        }
        let library = build(&find(triple)?, variant)?;
        self.built.borrow_mut().insert(key, library.clone());
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
        if let Some(dir) = &*self.data.borrow() {
            return Ok(dir.clone());
        }
        let dir = work_dir().join("data");
        data::write_all(&dir)?;
        *self.data.borrow_mut() = Some(dir.clone());
        Ok(dir)
    }
}

/// Where the programs of the tests are made.
pub(super) fn work_dir() -> PathBuf {
    target_dir().join("c-test")
}
