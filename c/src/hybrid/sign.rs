//! Signing.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use lanner_hybrid::{DIGEST_LENGTH, SigningSpace, signature_size};

use super::key::{Key, KeySlot};
use super::status;
use crate::boundary::{self, array, bytes, write_sized};
use crate::random::Generator;
use crate::scratch::{Scratch, range};
use crate::status::Error;

/// The longest signature.
const MAX_SIGNATURE: usize = signature_size(10);

/// Writes the signature that `sign` makes, or zeros; without a key nothing, since only that could say how long it is.
///
/// # Safety
///
/// `key` and `out` as in `lanner.h`.
#[inline(always)]
unsafe fn write_signature(
    key: *const KeySlot,
    out: *mut u8,
    sign: impl FnOnce(&Key, &mut [u8]) -> Result<(), Error>,
) -> c_int {
    let length = |key: &Key| signature_size(key.logn());
    // SAFETY: the caller's promises.
    unsafe { write_sized::<MAX_SIGNATURE, _, _>(key, out, length, sign) }
}

/// Signs by a method of the key. The last argument is a [`Scratch`].
macro_rules! sign_by {
    ($method:ident, $key:expr, ($($argument:expr),+), $scratch:expr) => {
        match $key {
            Key::Of512(key) => $scratch.with(SigningSpace::<512>::new, |space| {
                key.$method(space, &mut Generator, $($argument),+).map_err(status)
            }),
            Key::Of1024(key) => $scratch.with(SigningSpace::<1024>::new, |space| {
                key.$method(space, &mut Generator, $($argument),+).map_err(status)
            }),
        }
    };
}

/// A function of `lanner.h` that signs a message by a method of the key.
macro_rules! signs_message {
    ($name:ident, $method:ident) => {
        #[doc = concat!("`", stringify!($name), "` of `lanner.h`.")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            key: *const KeySlot,
            context: *const u8,
            context_length: usize,
            message: *const u8,
            message_length: usize,
            signature: *mut u8,
            scratch: *mut c_void,
            scratch_length: usize,
        ) -> c_int {
            let reads = [
                KeySlot::range(key),
                range(context, context_length),
                range(message, message_length),
            ];
            // SAFETY: the caller's promises.
            unsafe {
                write_signature(key, signature, |key, signature| {
                    let scratch = Scratch::apart(scratch, scratch_length, &reads)?;
                    let context = boundary::context(context, context_length, 0..=255)?;
                    let message = bytes(message, message_length)?;
                    sign_by!($method, key, (context, message, signature), scratch)
                })
            }
        }
    };
}

signs_message!(lanner_hybrid_sign, sign_bytes_in);
signs_message!(lanner_hybrid_sign_checked, sign_bytes_checked_in);

/// A function of `lanner.h` that signs the message with a hash by a method of the key.
macro_rules! signs_digest {
    ($name:ident, $method:ident) => {
        #[doc = concat!("`", stringify!($name), "` of `lanner.h`.")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            key: *const KeySlot,
            context: *const u8,
            context_length: usize,
            digest: *const u8,
            signature: *mut u8,
            scratch: *mut c_void,
            scratch_length: usize,
        ) -> c_int {
            let reads = [
                KeySlot::range(key),
                range(context, context_length),
                range(digest, DIGEST_LENGTH),
            ];
            // SAFETY: the caller's promises.
            unsafe {
                write_signature(key, signature, |key, signature| {
                    let scratch = Scratch::apart(scratch, scratch_length, &reads)?;
                    let context = boundary::context(context, context_length, 0..=255)?;
                    let digest = &array(digest)?;
                    sign_by!($method, key, (context, digest, signature), scratch)
                })
            }
        }
    };
}

signs_digest!(lanner_hybrid_sign_digest, sign_digest_in);
signs_digest!(lanner_hybrid_sign_digest_checked, sign_digest_checked_in);
