//! Public keys with tables.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uchar};

use lanner_ed25519::batch::PreparedBatch;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{PreparedVerifyingKey, Signature};

use super::profile::by_number;
use super::verify::{public_key, signature};
use crate::boundary::{GROUP, Object, Slot, bytes};
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

/// `lanner_ed25519_prepared_item` of `lanner.h`.
#[repr(C)]
struct RawItem {
    key: *const Prepared,
    signature: *const u8,
    message: *const u8,
    message_length: usize,
}

/// Writes the verdicts on at most [`GROUP`] signatures, of which there is at least one.
///
/// # Safety
///
/// `items` points to as many elements as there are verdicts, with pointers as in `lanner.h`.
unsafe fn group(
    profile: ProfileName,
    items: *const RawItem,
    verdicts: &mut [bool],
) -> Result<(), Error> {
    let count = verdicts.len();
    // SAFETY: the caller's promises.
    let first = unsafe { Prepared::get((*items).key) }?;
    let mut keys = [first; GROUP];
    let mut messages: [&[u8]; GROUP] = [&[]; GROUP];
    let mut signatures = [Signature::from_bytes(&[0; 64]); GROUP];
    for i in 0..count {
        // SAFETY: the caller's promises.
        unsafe {
            let item = &*items.add(i);
            keys[i] = Prepared::get(item.key)?;
            messages[i] = bytes(item.message, item.message_length)?;
            signatures[i] = signature(item.signature)?;
        }
    }
    // It only fails where they differ in length.
    PreparedBatch::new(
        profile,
        &messages[..count],
        &signatures[..count],
        &keys[..count],
    )
    .and_then(|batch| batch.verify_each_into(verdicts))
    .map_err(|_| Error::Length)
}

/// `lanner_ed25519_prepared_verify_batch` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_prepared_verify_batch(
    profile: c_int,
    items: *const RawItem,
    count: usize,
    verdicts_out: *mut c_uchar,
) -> c_int {
    let profile = by_number(profile);
    if count == 0 {
        return code(profile.map(|_| ()));
    }
    if count > isize::MAX as usize / size_of::<RawItem>() {
        return Error::Length.code();
    }
    let clear = || {
        if !verdicts_out.is_null() {
            // SAFETY: not NULL, and the caller promises `count` bytes.
            unsafe { verdicts_out.write_bytes(0, count) };
        }
    };
    // First, so that no failure leaves an element that says "valid".
    clear();
    let run = || {
        let profile = profile?;
        if items.is_null() {
            return Err(Error::Null);
        }
        if !items.is_aligned() {
            return Err(Error::Alignment);
        }
        let mut all = true;
        for first in (0..count).step_by(GROUP) {
            let mut verdicts = [false; GROUP];
            let verdicts = &mut verdicts[..GROUP.min(count - first)];
            // SAFETY: the caller's promises, for a part of the array.
            unsafe { group(profile, items.add(first), verdicts) }?;
            for (i, &valid) in verdicts.iter().enumerate() {
                all &= valid;
                if !verdicts_out.is_null() {
                    // SAFETY: as above, and the index is below `count`.
                    unsafe { verdicts_out.add(first + i).write(valid.into()) };
                }
            }
        }
        if all { Ok(()) } else { Err(Error::Signature) }
    };
    let result = run();
    if result.is_err_and(|error| error != Error::Signature) {
        clear();
    }
    code(result)
}

/// `lanner_ed25519_prepared_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_prepared_clear(prepared: *mut Prepared) {
    // SAFETY: the caller's promise.
    unsafe { Prepared::clear(prepared) }
}
