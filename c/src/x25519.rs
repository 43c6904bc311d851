//! X25519: the functions `lanner_x25519_…` of `lanner.h`.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_x25519::{PublicKey, StaticSecret, x25519_each};
use zeroize::Zeroizing;

use crate::boundary::{array, bytes, write, write_out};
use crate::random;
use crate::status::{Error, OK};

/// A secret key from the caller's 32 bytes.
///
/// # Safety
///
/// As [`array`].
unsafe fn secret_key(pointer: *const u8) -> Result<StaticSecret, Error> {
    // SAFETY: the caller's promise.
    let bytes = Zeroizing::new(*unsafe { array::<32>(pointer) }?);
    Ok(StaticSecret::from(*bytes))
}

/// `lanner_x25519_generate` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_generate(secret: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { random::write::<32>(secret) }
}

/// `lanner_x25519_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_public(secret: *const u8, public: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, || {
            Ok(PublicKey::from(&secret_key(secret)?).to_bytes())
        })
    }
}

/// `lanner_x25519` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519(
    secret: *const u8,
    their_public: *const u8,
    shared: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(shared, || {
            let theirs = PublicKey::from(*array::<32>(their_public)?);
            let agreed = secret_key(secret)?.diffie_hellman_checked(&theirs);
            Ok(agreed.map_err(|_| Error::NonContributory)?.to_bytes())
        })
    }
}

/// `lanner_x25519_unchecked` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_unchecked(
    secret: *const u8,
    their_public: *const u8,
    shared: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(shared, || {
            let theirs = PublicKey::from(*array::<32>(their_public)?);
            Ok(secret_key(secret)?.diffie_hellman(&theirs).to_bytes())
        })
    }
}

/// How many pairs are taken in at a time: enough for the widest vectors.
const GROUP: usize = 16;

/// Keys that stand one after the other.
///
/// # Safety
///
/// As [`bytes`], for 32 times `count` bytes.
unsafe fn keys<'a>(pointer: *const u8, count: usize) -> Result<&'a [[u8; 32]], Error> {
    let length = count.checked_mul(32).ok_or(Error::Length)?;
    // SAFETY: the caller's promise.
    let (keys, _) = unsafe { bytes(pointer, length) }?.as_chunks();
    Ok(keys)
}

/// The shared secrets of at most [`GROUP`] pairs, written to `shared`; whether none is zero.
///
/// # Safety
///
/// `secrets` and `publics` as in [`keys`]; `shared` has room for as much.
unsafe fn group(
    secrets: *const u8,
    publics: *const u8,
    count: usize,
    shared: *mut u8,
) -> Result<bool, Error> {
    let mut agreed = Zeroizing::new([[0; 32]; GROUP]);
    let agreed = &mut agreed[..count];
    // SAFETY: the caller's promises. The inputs are not looked at after the first byte of output.
    unsafe {
        x25519_each(keys(secrets, count)?, keys(publics, count)?, agreed);
        write_out(shared, agreed.as_flattened());
    }
    // All bytes of a secret count, wherever the first one that is not zero stands.
    let mut contributory = true;
    for secret in agreed {
        contributory &= secret.iter().fold(0, |bits, byte| bits | byte) != 0;
    }
    Ok(contributory)
}

/// `lanner_x25519_each` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_x25519_each(
    secrets: *const u8,
    publics: *const u8,
    count: usize,
    shared: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises; looked at for NULL and for the length only.
    let checked = unsafe { keys(secrets, count).and(keys(publics, count)).map(drop) };
    match checked {
        _ if count == 0 => return OK,
        Err(Error::Length) => return Error::Length.code(),
        _ if shared.is_null() => return Error::Null.code(),
        Err(error) => {
            // SAFETY: not NULL, and the caller promises that much room.
            unsafe { shared.write_bytes(0, 32 * count) };
            return error.code();
        }
        Ok(()) => {}
    }
    let mut status = OK;
    for first in (0..count).step_by(GROUP) {
        let at = 32 * first;
        // SAFETY: the caller's promises, for a part of the arrays. Where `shared` is one of the inputs,
        // a group writes over what it has read itself.
        let contributory = unsafe {
            group(
                secrets.add(at),
                publics.add(at),
                GROUP.min(count - first),
                shared.add(at),
            )
        };
        if contributory != Ok(true) {
            status = Error::NonContributory.code();
        }
    }
    status
}
