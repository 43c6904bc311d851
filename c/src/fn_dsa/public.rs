//! Verifying keys: to bytes and back.
#![allow(unsafe_code)]

use core::ffi::c_int;

use super::Variant;
use super::any::{MAX_PUBLIC, Public, PublicSlot};
use crate::boundary::{bytes, hand_out};

/// `lanner_fn_dsa_public_from_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_from_bytes(
    public: *mut PublicSlot,
    variant: c_int,
    encoded: *const u8,
    encoded_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        PublicSlot::put(public, || {
            Public::from_bytes(Variant::of(variant)?, bytes(encoded, encoded_length)?)
        })
    }
}

/// `lanner_fn_dsa_public_to_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_to_bytes(
    public: *const PublicSlot,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { hand_out::<MAX_PUBLIC>(out, length, |out| PublicSlot::get(public)?.encode(out)) }
}

/// `lanner_fn_dsa_public_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_clear(public: *mut PublicSlot) {
    // SAFETY: the caller's promise.
    unsafe { PublicSlot::clear(public) }
}
