//! Verifying a signature on a message that is in memory, and what can be said of a public key.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint};

use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule};
use lanner_ed25519::{Signature, VerifyingKey};

use super::CONTEXT_LENGTHS;
use super::profile::by_number;
use crate::boundary::{self, array, bytes};
use crate::status::{Error, OK, code};

/// A public key from the caller's 32 bytes.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 32 bytes.
pub(crate) unsafe fn public_key(pointer: *const u8) -> Result<VerifyingKey, Error> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { array(pointer) }?;
    VerifyingKey::from_bytes(&bytes).map_err(|_| Error::Key)
}

/// A signature from the caller's 64 bytes.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 64 bytes.
pub(super) unsafe fn signature(pointer: *const u8) -> Result<Signature, Error> {
    // SAFETY: the caller's promise.
    Ok(Signature::from_bytes(&unsafe { array(pointer) }?))
}

/// Whether a key has these bytes; by what verification has decoded them with, so that a program has no other decoder.
#[cold]
fn is_point(bytes: &[u8; 32]) -> bool {
    let encoding = CompressedEdwardsY(*bytes);
    let [point, _] =
        CompressedEdwardsY::vartime_decompress_pair(&[encoding; 2], DecodingRule::Zip215);
    point.is_some()
}

/// `lanner_ed25519_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verify(
    profile: c_int,
    key: *const u8,
    message: *const u8,
    message_length: usize,
    sig: *const u8,
) -> c_int {
    let verdict = || {
        let profile = by_number(profile)?;
        // SAFETY: the caller's promises.
        let (key, message, sig) = unsafe {
            let message = bytes(message, message_length)?;
            let sig = signature(sig)?;
            (array(key)?, message, sig)
        };
        VerifyingKey::verify_from_bytes(&key, profile, message, &sig).map_err(|_| {
            if is_point(&key) {
                Error::Signature
            } else {
                Error::Key
            }
        })
    };
    code(verdict())
}

/// `lanner_ed25519_verify_ctx` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verify_ctx(
    profile: c_int,
    key: *const u8,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    sig: *const u8,
) -> c_int {
    let verdict = || {
        let profile = by_number(profile)?;
        // SAFETY: the caller's promises.
        let (key, context, message, sig) = unsafe {
            let context = boundary::context(context, context_length, CONTEXT_LENGTHS)?;
            let message = bytes(message, message_length)?;
            let sig = signature(sig)?;
            (public_key(key)?, context, message, sig)
        };
        key.under(profile)
            .verify_ctx(context, message, &sig)
            .map_err(|_| Error::Signature)
    };
    code(verdict())
}

/// The bits of `enum lanner_ed25519_property` of `lanner.h`.
const WEAK: c_uint = 1;
const CANONICAL: c_uint = 2;
const TORSION_FREE: c_uint = 4;

/// `lanner_ed25519_public_properties` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_properties(
    key: *const u8,
    properties: *mut c_uint,
) -> c_int {
    if properties.is_null() {
        return Error::Null.code();
    }
    // SAFETY: the caller's promise.
    let (bits, status) = match unsafe { public_key(key) } {
        Ok(key) => {
            let bit = |is: bool, bit| if is { bit } else { 0 };
            let bits = bit(key.is_weak(), WEAK)
                | bit(key.is_canonical(), CANONICAL)
                | bit(key.is_torsion_free(), TORSION_FREE);
            (bits, OK)
        }
        Err(error) => (0, error.code()),
    };
    // SAFETY: not NULL, and the caller's promise.
    unsafe { properties.write_unaligned(bits) };
    status
}
