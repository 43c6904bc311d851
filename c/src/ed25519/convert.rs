//! From Ed25519 keys to X25519 keys (RFC 7748 section 4.1).
#![allow(unsafe_code)]

use core::ffi::c_int;

use super::key::Key;
use super::verify::public_key;
use crate::boundary::write;
use crate::status::Error;

/// `lanner_ed25519_public_to_x25519` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_to_x25519(key: *const u8, x25519: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(x25519, |out| {
            let converted = public_key(key)?.to_x25519_public_bytes();
            *out = converted.map_err(|_| Error::Key)?;
            Ok(())
        })
    }
}

/// `lanner_ed25519_key_to_x25519` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_to_x25519(key: *const Key, x25519: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(x25519, |out| {
            *out = Key::get(key)?.to_x25519_secret_bytes();
            Ok(())
        })
    }
}
