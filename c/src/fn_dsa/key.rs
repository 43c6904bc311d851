//! Signing keys: to bytes and back.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint, c_void};

use lanner_fn_dsa::DecodingSpace;
use zeroize::Zeroizing;

use super::Variant;
use super::any::{Key, KeySlot, MAX_PUBLIC, MAX_SECRET};
use crate::boundary::{self, DEEP, hand_out};
use crate::scratch::{Scratch, bytes_for, range};
use crate::status::Error;

/// `lanner_fn_dsa_key_from_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_from_bytes(
    key: *mut KeySlot,
    variant: c_int,
    secret: *const u8,
    secret_length: usize,
    scratch: *mut c_void,
    scratch_length: usize,
) -> c_int {
    let decode = || {
        let variant = Variant::of(variant)?;
        // A copy, so that what is checked is what is kept.
        let mut copy = Zeroizing::new([0; MAX_SECRET]);
        let copy = copy.get_mut(..secret_length).ok_or(Error::Key)?;
        // SAFETY: the caller's promises. No bytes may be anywhere, and are no key.
        unsafe {
            if !copy.is_empty() {
                boundary::copy(secret, copy)?;
            }
            let reads = [range(secret, secret_length)];
            let scratch = Scratch::apart(scratch, scratch_length, &reads)?;
            Key::from_secret(variant, copy, scratch)
        }
    };
    // SAFETY: the caller's promise.
    unsafe {
        if scratch.is_null() {
            // Below the scratch, which is on the stack then, the key is on its way, too.
            const BELOW: usize = DEEP + size_of::<DecodingSpace<1024>>();
            KeySlot::put_from::<BELOW>(key, decode)
        } else {
            KeySlot::put_from::<DEEP>(key, decode)
        }
    }
}

/// `lanner_fn_dsa_key_scratch_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_fn_dsa_key_scratch_bytes(degree: c_uint) -> usize {
    match degree {
        512 => bytes_for::<DecodingSpace<512>>(),
        1024 => bytes_for::<DecodingSpace<1024>>(),
        _ => 0,
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
