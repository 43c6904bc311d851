//! Batches: one verdict per signature.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uchar};

use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, VerifyingKey};

use super::profile::by_number;
use crate::boundary::{array, bytes};
use crate::status::{Error, OK};

/// How many signatures are taken in at a time: it bounds the memory, and more than that gain nothing
/// from each other.
#[cfg(feature = "std")]
const CHUNK: usize = 8192;
#[cfg(not(feature = "std"))]
const CHUNK: usize = 1;

/// One signature with what it belongs to, checked and decoded. `None` where the key decodes to no
/// point: such a signature is not valid.
type Decoded<'a> = Option<(&'a [u8], Signature, VerifyingKey)>;

/// The verdicts on `count` signatures, which `item` fetches one after the other, each handed to
/// `tell`.
///
/// # Errors
///
/// The error of `item`; the verdicts of earlier chunks have been told.
pub(crate) fn verdicts<'a>(
    profile: ProfileName,
    count: usize,
    item: impl Fn(usize) -> Result<Decoded<'a>, Error>,
    mut tell: impl FnMut(usize, bool),
) -> Result<(), Error> {
    let mut first = 0;
    while first < count {
        let end = count.min(first.saturating_add(CHUNK));
        chunk(profile, first..end, &item, &mut tell)?;
        first = end;
    }
    Ok(())
}

/// All signatures of a chunk together.
#[cfg(feature = "std")]
fn chunk<'a>(
    profile: ProfileName,
    range: core::ops::Range<usize>,
    item: &impl Fn(usize) -> Result<Decoded<'a>, Error>,
    tell: &mut impl FnMut(usize, bool),
) -> Result<(), Error> {
    use std::vec::Vec;

    let size = range.len();
    let mut messages = Vec::with_capacity(size);
    let mut signatures = Vec::with_capacity(size);
    let mut keys = Vec::with_capacity(size);
    let mut decodes = Vec::with_capacity(size);
    for i in range.clone() {
        let item = item(i)?;
        decodes.push(item.is_some());
        if let Some((message, signature, key)) = item {
            messages.push(message);
            signatures.push(signature);
            keys.push(key);
        }
    }
    // It only fails where the three differ in length.
    let valid = lanner_ed25519::batch::verify_each_by_name(profile, &messages, &signatures, &keys)
        .map_err(|_| Error::Length)?;
    let mut valid = valid.into_iter();
    for (i, decodes) in range.zip(decodes) {
        tell(i, decodes && valid.next().unwrap_or(false));
    }
    Ok(())
}

/// One after the other, without memory of its own.
#[cfg(not(feature = "std"))]
fn chunk<'a>(
    profile: ProfileName,
    range: core::ops::Range<usize>,
    item: &impl Fn(usize) -> Result<Decoded<'a>, Error>,
    tell: &mut impl FnMut(usize, bool),
) -> Result<(), Error> {
    for i in range {
        let valid = item(i)?.is_some_and(|(message, signature, key)| {
            key.verify_by_name(profile, message, &signature).is_ok()
        });
        tell(i, valid);
    }
    Ok(())
}

/// `lanner_ed25519_item` of `lanner.h`.
#[repr(C)]
struct Item {
    public_key: *const u8,
    signature: *const u8,
    message: *const u8,
    message_length: usize,
}

/// `lanner_ed25519_verify_batch` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verify_batch(
    profile: c_int,
    items: *const Item,
    count: usize,
    verdicts_out: *mut c_uchar,
) -> c_int {
    if count == 0 {
        return match by_number(profile) {
            Ok(_) => OK,
            Err(error) => error.code(),
        };
    }
    if count > isize::MAX as usize / size_of::<Item>() {
        return Error::Length.code();
    }
    if !verdicts_out.is_null() {
        // SAFETY: not NULL, and the caller promises `count` bytes. Written first, so that no
        // failure leaves an element that says "valid".
        unsafe { verdicts_out.write_bytes(0, count) };
    }
    let run = || {
        let profile = by_number(profile)?;
        if items.is_null() {
            return Err(Error::Null);
        }
        if !items.is_aligned() {
            return Err(Error::Alignment);
        }
        let item = |i: usize| {
            // SAFETY: the caller promises `count` items, with pointers as in `lanner.h`.
            let (key, message, signature) = unsafe {
                let item = &*items.add(i);
                (
                    array::<32>(item.public_key)?,
                    bytes(item.message, item.message_length)?,
                    Signature::from_bytes(array(item.signature)?),
                )
            };
            let key = VerifyingKey::from_bytes(key).ok();
            Ok(key.map(|key| (message, signature, key)))
        };
        let mut all = true;
        verdicts(profile, count, item, |i, valid| {
            all &= valid;
            if !verdicts_out.is_null() {
                // SAFETY: as above, and `i` is below `count`.
                unsafe { verdicts_out.add(i).write(valid.into()) };
            }
        })?;
        if all { Ok(()) } else { Err(Error::Signature) }
    };
    match run() {
        Ok(()) => OK,
        Err(error) => {
            if error != Error::Signature && !verdicts_out.is_null() {
                // SAFETY: as above.
                unsafe { verdicts_out.write_bytes(0, count) };
            }
            error.code()
        }
    }
}
