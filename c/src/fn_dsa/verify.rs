//! Verification of a message in memory, and mu.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_fn_dsa::draft2026;

use super::any::{Public, PublicSlot, each_fn_dsa};
use super::hash::identifier_of_length;
use super::sign::context;
use super::{Variant, status};
use crate::boundary::{bytes, write};
use crate::status::{Error, code};

/// `lanner_fn_dsa_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_verify(
    public: *const PublicSlot,
    context_bytes: *const u8,
    context_length: usize,
    hash: c_int,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    let verdict = || {
        // SAFETY: the caller's promises.
        let (public, context, message, signature) = unsafe {
            let public = PublicSlot::get(public)?;
            let context = context(context_bytes, context_length)?;
            let message = bytes(message, message_length)?;
            (
                public,
                context,
                message,
                bytes(signature, signature_length)?,
            )
        };
        let id = identifier_of_length(public.variant(), hash, message.len())?;
        each_fn_dsa!(public, key => {
            key.try_verify(signature, &context, &id, message).map_err(status)
        })
    };
    code(verdict())
}

/// `lanner_fn_dsa_draft2026_mu` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_draft2026_mu(
    public: *const PublicSlot,
    context_bytes: *const u8,
    context_length: usize,
    hash: c_int,
    message: *const u8,
    message_length: usize,
    mu: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(mu, |out| {
            let public = PublicSlot::get(public)?;
            let hashed_key = match public {
                Public::Draft512(key) => key.hashed(),
                Public::Draft1024(key) => key.hashed(),
                _ => return Err(Error::Unsupported),
            };
            let context = context(context_bytes, context_length)?;
            let message = bytes(message, message_length)?;
            let id = identifier_of_length(Variant::Draft2026, hash, message.len())?;
            *out = draft2026::try_compute_mu(hashed_key, &context, &id, message).map_err(status)?;
            Ok(())
        })
    }
}
