//! The C library, as programs in C load it.
//!
//! `unsafe` because names are taken for functions of a type on the word of the headers.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use libloading::Library;

static LIBRARY: OnceLock<Library> = OnceLock::new();

/// Loads the library, whose functions [`function`] then finds.
///
/// # Errors
///
/// It cannot be loaded, or another one was.
pub(crate) fn load(path: &str) -> Result<(), String> {
    // SAFETY: loading liblanner runs no code of it.
    let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
    LIBRARY
        .set(library)
        .map_err(|_| String::from("a C library is loaded already"))
}

/// Whether one is loaded.
pub(crate) fn is_loaded() -> bool {
    LIBRARY.get().is_some()
}

/// A function of the library.
///
/// # Safety
///
/// `T` is the type of a function pointer, and the one that the headers give to this name.
///
/// # Panics
///
/// If no library is loaded, or it has no such function.
pub(crate) unsafe fn function<T: Copy>(name: &str) -> T {
    let library = LIBRARY.get().expect("a C library is loaded");
    // SAFETY: the caller's promise.
    let symbol = unsafe { library.get::<T>(name) };
    *symbol.unwrap_or_else(|error| panic!("{name}: {error}"))
}
