//! Batches: one verdict per signature.
#![allow(unsafe_code)]

#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::ffi::{c_int, c_uchar};

#[cfg(feature = "std")]
use lanner_ed25519::batch::Batch;
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

/// One signature with what it belongs to: message, signature, and the bytes of the key.
pub(crate) type Item<'a> = (&'a [u8], Signature, [u8; 32]);

/// The verdicts on `count` signatures, which `item` fetches one after the other, each handed to
/// `tell`. Where there is no item, or its key is no point, the signature is not valid, and nothing need be
/// told.
///
/// # Errors
///
/// The error of `item`; the verdicts of earlier chunks have been told.
pub(crate) fn verdicts<'a>(
    profile: ProfileName,
    count: usize,
    item: impl Fn(usize) -> Result<Option<Item<'a>>, Error>,
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

/// All signatures of a chunk together, or, if there is no memory for that, one after the other.
fn chunk<'a>(
    profile: ProfileName,
    range: core::ops::Range<usize>,
    item: &impl Fn(usize) -> Result<Option<Item<'a>>, Error>,
    tell: &mut impl FnMut(usize, bool),
) -> Result<(), Error> {
    #[cfg(feature = "std")]
    if let Some(done) = together(profile, range.clone(), item, tell) {
        return done;
    }
    for i in range {
        let valid = item(i)?.is_some_and(|(message, signature, key)| {
            VerifyingKey::from_bytes(&key)
                .and_then(|key| key.under(profile).verify(message, &signature))
                .is_ok()
        });
        tell(i, valid);
    }
    Ok(())
}

/// All signatures of a chunk together; `None` if there is not enough memory, and then nothing was told.
#[cfg(feature = "std")]
fn together<'a>(
    profile: ProfileName,
    range: core::ops::Range<usize>,
    item: &impl Fn(usize) -> Result<Option<Item<'a>>, Error>,
    tell: &mut impl FnMut(usize, bool),
) -> Option<Result<(), Error>> {
    let size = range.len();
    let mut messages = room(size)?;
    let mut signatures = room(size)?;
    let mut encodings = room(size)?;
    // The indices of the items that are there.
    let mut there = room(size)?;
    for i in range {
        match item(i) {
            Ok(Some((message, signature, key))) => {
                messages.push(message);
                signatures.push(signature);
                encodings.push(key);
                there.push(i);
            }
            Ok(None) => {}
            Err(error) => return Some(Err(error)),
        }
    }
    let mut decoded = room(encodings.len())?;
    decoded.resize(encodings.len(), None);
    VerifyingKey::from_bytes_each(&encodings, &mut decoded);
    if decoded.iter().any(Option::is_none) {
        // Rare: only what decodes goes on.
        retain(&mut messages, &decoded);
        retain(&mut signatures, &decoded);
        retain(&mut there, &decoded);
    }
    let mut keys = room(there.len())?;
    keys.extend(decoded.iter().flatten());
    let mut valid = room(there.len())?;
    valid.resize(there.len(), false);
    // It only fails where they differ in length.
    let done = Batch::new(profile, &messages, &signatures, &keys)
        .and_then(|batch| batch.verify_each_combined_into(&mut valid))
        .map_err(|_| Error::Length);
    for (i, valid) in there.into_iter().zip(valid) {
        tell(i, valid);
    }
    Some(done)
}

/// A vector with room for so many elements, or `None` if there is no memory for it.
#[cfg(feature = "std")]
fn room<T>(length: usize) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(length).ok()?;
    Some(elements)
}

/// Keeps the elements whose key decodes.
#[cfg(feature = "std")]
fn retain<T>(elements: &mut Vec<T>, keys: &[Option<VerifyingKey>]) {
    let mut keys = keys.iter();
    elements.retain(|_| keys.next().is_some_and(Option::is_some));
}

/// `lanner_ed25519_item` of `lanner.h`.
#[repr(C)]
struct RawItem {
    public_key: *const u8,
    signature: *const u8,
    message: *const u8,
    message_length: usize,
}

/// `lanner_ed25519_verify_batch` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_verify_batch(
    profile: c_int,
    items: *const RawItem,
    count: usize,
    verdicts_out: *mut c_uchar,
) -> c_int {
    if count == 0 {
        return match by_number(profile) {
            Ok(_) => OK,
            Err(error) => error.code(),
        };
    }
    if count > isize::MAX as usize / size_of::<RawItem>() {
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
            unsafe {
                let item = &*items.add(i);
                let key = array(item.public_key)?;
                let message = bytes(item.message, item.message_length)?;
                Ok(Some((
                    message,
                    Signature::from_bytes(&array(item.signature)?),
                    key,
                )))
            }
        };
        let mut valid_ones = 0;
        verdicts(profile, count, item, |i, valid| {
            valid_ones += usize::from(valid);
            if !verdicts_out.is_null() {
                // SAFETY: as above, and `i` is below `count`.
                unsafe { verdicts_out.add(i).write(valid.into()) };
            }
        })?;
        match valid_ones == count {
            true => Ok(()),
            false => Err(Error::Signature),
        }
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
