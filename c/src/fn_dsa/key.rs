//! Signing keys: to bytes and back.
#![allow(unsafe_code)]

use core::ffi::c_int;

use zeroize::Zeroizing;

use super::Variant;
use super::any::{Key, KeySlot, MAX_PUBLIC, MAX_SECRET};
use crate::boundary::{self, hand_out};
use crate::status::Error;

/// `lanner_fn_dsa_key_from_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_from_bytes(
    key: *mut KeySlot,
    variant: c_int,
    secret: *const u8,
    secret_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        KeySlot::put(key, || {
            let variant = Variant::of(variant)?;
            // A copy, so that what is checked is what is kept.
            let mut copy = Zeroizing::new([0; MAX_SECRET]);
            let copy = copy.get_mut(..secret_length).ok_or(Error::Key)?;
            boundary::copy(secret, copy)?;
            Key::from_bytes(variant, copy)
        })
    }
}

/// `lanner_fn_dsa_key_secret` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_secret(
    key: *const KeySlot,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { hand_out::<MAX_SECRET>(out, length, |out| KeySlot::get(key)?.encode(out)) }
}

/// `lanner_fn_dsa_key_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_public(
    key: *const KeySlot,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { hand_out::<MAX_PUBLIC>(out, length, |out| KeySlot::get(key)?.encode_public(out)) }
}

/// `lanner_fn_dsa_key_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_clear(key: *mut KeySlot) {
    // SAFETY: the caller's promise.
    unsafe { KeySlot::clear(key) }
}
