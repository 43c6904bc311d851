//! Signing a message that the caller feeds twice.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use lanner_ed25519::{MessageSink, SignStreamError};

use super::CONTEXT_LENGTHS;
use super::key::Key;
use crate::boundary::{self, write};
use crate::sink::{Feed, Sink};
use crate::status::Error;

/// `lanner_ed25519_sign_feed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign_feed(
    key: *const Key,
    context: *const u8,
    context_length: usize,
    feed: Option<Feed>,
    user: *mut c_void,
    signature: *mut u8,
) -> c_int {
    let pass = |target: &mut MessageSink<'_>| {
        let feed = feed.ok_or(Error::Null)?;
        // SAFETY: the caller's function.
        unsafe { Sink::run(feed, user, |piece| target.update(piece)) }
    };
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, |out| {
            let key = Key::get(key)?;
            // A context of no bytes, which Ed25519ctx does not have, is an error, and no wish for Ed25519.
            let signature = if context.is_null() && context_length == 0 {
                key.sign_stream(pass)
            } else {
                key.sign_stream_ctx(
                    boundary::context(context, context_length, CONTEXT_LENGTHS)?,
                    pass,
                )
            };
            let signature = signature.map_err(|error| match error {
                SignStreamError::Source(error) => error,
                SignStreamError::MessageChanged => Error::MessageChanged,
                _ => Error::Context,
            })?;
            *out = signature.to_bytes();
            Ok(())
        })
    }
}
