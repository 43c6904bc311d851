//! Which instructions do the work: `lanner_backend_…` of `lanner.h`.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_int};

use lanner_curve::backend::{self, Backend};

use crate::status::{Error, code};

/// The name as C text.
fn name(backend: Backend) -> &'static CStr {
    match backend.name() {
        "portable64" => c"portable64",
        "portable32" => c"portable32",
        "fiat64" => c"fiat64",
        "fiat32" => c"fiat32",
        "adx" => c"adx",
        "avx2" => c"avx2",
        "avx512" => c"avx512",
        "sse2" => c"sse2",
        "neon" => c"neon",
        "simd128" => c"simd128",
        // A test makes sure that this file knows all that there are.
        _ => c"unknown",
    }
}

/// `lanner_backend_name` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_backend_name(index: usize) -> *const c_char {
    backend::list()
        .nth(index)
        .map_or(core::ptr::null(), |backend| name(backend).as_ptr())
}

/// `lanner_backend_active` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_backend_active() -> *const c_char {
    name(backend::active()).as_ptr()
}

/// `lanner_backend_force` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_backend_force(wanted: *const c_char) -> c_int {
    if wanted.is_null() {
        return Error::Null.code();
    }
    // SAFETY: not NULL, and the caller promises that it ends with NUL.
    let wanted = unsafe { CStr::from_ptr(wanted) };
    let found = backend::list().find(|&backend| name(backend) == wanted);
    code(
        found
            .ok_or(Error::Unsupported)
            .and_then(|backend| backend::force(backend).map_err(|_| Error::Unsupported)),
    )
}

#[cfg(test)]
mod tests {
    use super::{backend, name};

    #[test]
    fn the_names_are_those_of_the_other_faces() {
        for backend in backend::list() {
            assert_eq!(name(backend).to_str(), Ok(backend.name()));
        }
    }
}
