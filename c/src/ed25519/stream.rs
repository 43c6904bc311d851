//! Verifying a message that comes in pieces.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::StreamVerifier;

use super::CONTEXT_LENGTHS;
use super::profile::by_number;
use super::verify::{public_key, signature};
use crate::boundary::{self, BEGINNING, Object, Slot};
use crate::status::{Error, code};

/// `lanner_ed25519_verifier` of `lanner.h`.
type Verifier = Slot<StreamVerifier, 128>;

impl Object for StreamVerifier {
    const TAG: u64 = u64::from_le_bytes(*b"Ed25519v");
}

/// `lanner_ed25519_verifier_init` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verifier_init(
    verifier: *mut Verifier,
    profile: c_int,
    key: *const u8,
    sig: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Verifier::put_from::<BEGINNING>(verifier, || {
            let profile = by_number(profile)?;
            let sig = signature(sig)?;
            public_key(key)?
                .under(profile)
                .verify_stream(&sig)
                .map_err(|_| Error::Signature)
        })
    }
}

/// `lanner_ed25519_verifier_init_ctx` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verifier_init_ctx(
    verifier: *mut Verifier,
    profile: c_int,
    key: *const u8,
    context: *const u8,
    context_length: usize,
    sig: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Verifier::put_from::<BEGINNING>(verifier, || {
            let profile = by_number(profile)?;
            let context = boundary::context(context, context_length, CONTEXT_LENGTHS)?;
            let sig = signature(sig)?;
            public_key(key)?
                .under(profile)
                .verify_stream_ctx(context, &sig)
                .map_err(|_| Error::Signature)
        })
    }
}

/// `lanner_ed25519_verifier_update` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verifier_update(
    verifier: *mut Verifier,
    piece: *const u8,
    piece_length: usize,
) -> c_int {
    let take = |verifier: &mut StreamVerifier, piece: &[u8]| {
        verifier.update(piece);
        Ok(())
    };
    // SAFETY: the caller's promises.
    code(unsafe { Verifier::absorb(verifier, piece, piece_length, take) })
}

/// `lanner_ed25519_verifier_final` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verifier_final(verifier: *mut Verifier) -> c_int {
    // SAFETY: the caller's promise.
    let verdict = unsafe { Verifier::take(verifier) }
        .and_then(|verifier| verifier.finalize_and_verify().map_err(|_| Error::Signature));
    code(verdict)
}

/// `lanner_ed25519_verifier_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verifier_clear(verifier: *mut Verifier) {
    // SAFETY: the caller's promise.
    unsafe { Verifier::clear(verifier) }
}
