//! Which library this is.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char};

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("the version holds no NUL"),
    };

/// A decimal number of the version, at compile time.
const fn number(text: &str) -> u32 {
    let digits = text.as_bytes();
    let (mut value, mut i) = (0, 0);
    while i < digits.len() {
        value = value * 10 + (digits[i] - b'0') as u32;
        i += 1;
    }
    value
}

const NUMBER: u32 = number(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
    + number(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
    + number(env!("CARGO_PKG_VERSION_PATCH"));

/// `lanner_version` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_version() -> *const c_char {
    VERSION.as_ptr()
}

/// `lanner_version_number` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_version_number() -> u32 {
    NUMBER
}
