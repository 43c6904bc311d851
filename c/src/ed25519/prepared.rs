//! Public keys with tables.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::PreparedVerifyingKey;

use super::profile::by_number;
use super::verify::{public_key, signature};
use crate::boundary::{Object, Slot, bytes};
use crate::status::{Error, code};

/// `lanner_ed25519_prepared` of `lanner.h`.
type Prepared = Slot<PreparedVerifyingKey, 1024>;

impl Object for PreparedVerifyingKey {
    const TAG: u64 = u64::from_le_bytes(*b"Ed25519t");
}

/// `lanner_ed25519_prepared_init` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_prepared_init(
    prepared: *mut Prepared,
    key: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Prepared::put(prepared, || {
            Ok(PreparedVerifyingKey::new(&public_key(key)?))
        })
    }
}

/// `lanner_ed25519_prepared_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_prepared_verify(
    prepared: *const Prepared,
    profile: c_int,
    message: *const u8,
    message_length: usize,
    sig: *const u8,
) -> c_int {
    let verdict = || {
        // SAFETY: the caller's promises.
        let (prepared, message, sig) = unsafe {
            let prepared = Prepared::get(prepared)?;
            (prepared, bytes(message, message_length)?, signature(sig)?)
        };
        prepared
            .under(by_number(profile)?)
            .verify(message, &sig)
            .map_err(|_| Error::Signature)
    };
    code(verdict())
}

/// `lanner_ed25519_prepared_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_prepared_clear(prepared: *mut Prepared) {
    // SAFETY: the caller's promise.
    unsafe { Prepared::clear(prepared) }
}
