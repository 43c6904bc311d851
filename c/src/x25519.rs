//! X25519: the functions `lanner_x25519_…` of `lanner.h`.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_x25519::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

use crate::boundary::{array, write};
use crate::random;
use crate::status::Error;

/// A secret key from the caller's 32 bytes.
///
/// # Safety
///
/// As [`array`].
unsafe fn secret_key(pointer: *const u8) -> Result<StaticSecret, Error> {
    // SAFETY: the caller's promise.
    let bytes = Zeroizing::new(*unsafe { array::<32>(pointer) }?);
    Ok(StaticSecret::from(*bytes))
}

/// `lanner_x25519_generate` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_generate(secret: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { random::write::<32>(secret) }
}

/// `lanner_x25519_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public(secret: *const u8, public: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, || {
            Ok(PublicKey::from(&secret_key(secret)?).to_bytes())
        })
    }
}

/// `lanner_x25519` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519(
    secret: *const u8,
    their_public: *const u8,
    shared: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(shared, || {
            let theirs = PublicKey::from(*array::<32>(their_public)?);
            let agreed = secret_key(secret)?.diffie_hellman_checked(&theirs);
            Ok(agreed.map_err(|_| Error::NonContributory)?.to_bytes())
        })
    }
}

/// `lanner_x25519_unchecked` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_unchecked(
    secret: *const u8,
    their_public: *const u8,
    shared: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(shared, || {
            let theirs = PublicKey::from(*array::<32>(their_public)?);
            Ok(secret_key(secret)?.diffie_hellman(&theirs).to_bytes())
        })
    }
}
