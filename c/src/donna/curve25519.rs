//! `curve25519.h`.
//!
//! curve25519-donna returns an `int`, which is 0 and which its users look at; a caller who was told of a
//! function without a result never sees it.
#![allow(unsafe_code)]

use core::ffi::c_int;

use crate::boundary::write;
use crate::x25519;

/// `curve25519_donna` of `curve25519.h`. Always 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn curve25519_donna(
    mypublic: *mut u8,
    secret: *const u8,
    basepoint: *const u8,
) -> c_int {
    // SAFETY: the caller's promises. The status has nowhere to go.
    unsafe {
        write(mypublic, |out| x25519::agree(secret, basepoint, out));
    }
    0
}

/// `curve25519_donna_raw` of `curve25519.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn curve25519_donna_raw(
    mypublic: *mut u8,
    secret: *const u8,
    basepoint: *const u8,
) {
    // SAFETY: the caller's promises. The status has nowhere to go.
    unsafe {
        write(mypublic, |out| x25519::multiply(secret, basepoint, out));
    }
}

/// The public key of a secret key.
///
/// # Safety
///
/// The pointers are NULL or point to 32 bytes each.
pub(super) unsafe fn public_key(public: *mut u8, secret: *const u8) {
    // SAFETY: the caller's promises. The status has nowhere to go.
    unsafe {
        write(public, |out| x25519::derive(secret, out));
    }
}

/// `curve25519_donna_basepoint` of `curve25519.h`. Always 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn curve25519_donna_basepoint(mypublic: *mut u8, secret: *const u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { public_key(mypublic, secret) };
    0
}
