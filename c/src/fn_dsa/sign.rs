//! Signing.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

use lanner_fn_dsa::rand_core::utils::next_word_via_fill;
use lanner_fn_dsa::rand_core::{TryCryptoRng, TryRng};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DomainContext, SigningSpace, StreamError, signature_size};

use super::any::{Key, KeySlot, each_fn_dsa};
use super::hash::{entry, identifier_of_length};
use super::status;
use crate::boundary::{self, bytes, write_sized};
use crate::random::{Failed, Generator};
use crate::scratch::{Scratch, range};
use crate::sink::{Feed, Sink};
use crate::status::Error;

/// The longest signature.
const MAX_SIGNATURE: usize = signature_size(10);

/// The context of a signature.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to `length` initialised bytes, which nobody writes meanwhile.
pub(super) unsafe fn context<'a>(
    pointer: *const u8,
    length: usize,
) -> Result<DomainContext<'a>, Error> {
    // SAFETY: the caller's promise.
    unsafe { boundary::context(pointer, length, 0..=255) }.map(DomainContext)
}

/// Signs by a method of the key, into memory of ours. The last argument is a [`Scratch`].
macro_rules! sign_by {
    ($method:ident, $key:expr, $rng:expr, ($($argument:expr),+), $scratch:expr) => {{
        macro_rules! sign {
            ($of_degree:expr, $n:literal) => {
                $scratch.with(SigningSpace::<$n>::new, |space| {
                    $of_degree
                        .$method(space, $rng, $($argument),+)
                        .map_err(status)
                })
            };
        }
        match $key {
            Key::Main512(key) => sign!(key, 512),
            Key::Main1024(key) => sign!(key, 1024),
            Key::Draft512(key) => sign!(key, 512),
            Key::Draft1024(key) => sign!(key, 1024),
            Key::Falcon512(_) | Key::Falcon1024(_) => Err(Error::Unsupported),
        }
    }};
}

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

/// A function of `lanner.h` that signs by a method of the key, with random bytes of the system.
macro_rules! signs_by {
    ($name:ident, $method:ident) => {
        #[doc = concat!("`", stringify!($name), "` of `lanner.h`.")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            key: *const KeySlot,
            context_bytes: *const u8,
            context_length: usize,
            hash: c_int,
            message: *const u8,
            message_length: usize,
            signature: *mut u8,
            scratch: *mut c_void,
            scratch_length: usize,
        ) -> c_int {
            let key_object = key;
            // SAFETY: the caller's promises.
            unsafe {
                write_signature(key, signature, |key, signature| {
                    let reads = [
                        KeySlot::range(key_object),
                        range(context_bytes, context_length),
                        range(message, message_length),
                    ];
                    let scratch = Scratch::apart(scratch, scratch_length, &reads)?;
                    let context = &context(context_bytes, context_length)?;
                    let id = &identifier_of_length(key.variant(), hash, message_length)?;
                    let message = bytes(message, message_length)?;
                    sign_by!(
                        $method,
                        key,
                        &mut Generator,
                        (context, id, message, signature),
                        scratch
                    )
                })
            }
        }
    };
}

signs_by!(lanner_fn_dsa_sign, sign_bytes_in);
signs_by!(lanner_fn_dsa_sign_checked, sign_bytes_checked_in);

/// `lanner_fn_dsa_sign_seeded` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_sign_seeded(
    key: *const KeySlot,
    seed: *const u8,
    seed_length: usize,
    context_bytes: *const u8,
    context_length: usize,
    hash: c_int,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
    scratch: *mut c_void,
    scratch_length: usize,
) -> c_int {
    let key_object = key;
    // SAFETY: the caller's promises.
    unsafe {
        write_signature(key, signature, |key, signature| {
            let reads = [
                KeySlot::range(key_object),
                range(seed, seed_length),
                range(context_bytes, context_length),
                range(message, message_length),
            ];
            let scratch = Scratch::apart(scratch, scratch_length, &reads)?;
            let seed = bytes(seed, seed_length)?;
            if seed.is_empty() {
                return Err(Error::Length);
            }
            let context = &context(context_bytes, context_length)?;
            let id = &identifier_of_length(key.variant(), hash, message_length)?;
            let message = bytes(message, message_length)?;
            let rng = &mut SeededRng::new(seed);
            sign_by!(
                sign_bytes_in,
                key,
                rng,
                (context, id, message, signature),
                scratch
            )
        })
    }
}

/// Random bytes that the caller gives, and no others.
struct Given<'a>(&'a [u8]);

impl TryRng for Given<'_> {
    type Error = Failed;

    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, buffer: &mut [u8]) -> Result<(), Failed> {
        let (bytes, rest) = self.0.split_at_checked(buffer.len()).ok_or(Failed)?;
        buffer.copy_from_slice(bytes);
        self.0 = rest;
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

/// `lanner_fn_dsa_sign_from_random` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_sign_from_random(
    key: *const KeySlot,
    random: *const u8,
    random_length: usize,
    context_bytes: *const u8,
    context_length: usize,
    hash: c_int,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_signature(key, signature, |key, signature| {
            let rng = &mut Given(bytes(random, random_length)?);
            let context = &context(context_bytes, context_length)?;
            let id = &identifier_of_length(key.variant(), hash, message_length)?;
            let message = bytes(message, message_length)?;
            match key {
                Key::Main512(key) => key.sign_bytes_compat(rng, context, id, message, signature),
                Key::Main1024(key) => key.sign_bytes_compat(rng, context, id, message, signature),
                // This variant has one way only.
                Key::Draft512(key) => key.sign_bytes(rng, context, id, message, signature),
                Key::Draft1024(key) => key.sign_bytes(rng, context, id, message, signature),
                Key::Falcon512(_) | Key::Falcon1024(_) => return Err(Error::Unsupported),
            }
            .map_err(status)
        })
    }
}

/// `lanner_fn_dsa_sign_feed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_sign_feed(
    key: *const KeySlot,
    context_bytes: *const u8,
    context_length: usize,
    feed: Option<Feed>,
    user: *mut c_void,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write_signature(key, signature, |key, signature| {
            let feed = feed.ok_or(Error::Null)?;
            let context = context(context_bytes, context_length)?;
            let (id, _) = entry(key.variant(), 0)?;
            let rng = &mut Generator;
            each_fn_dsa!(key, key => {
                let signed = key.sign_stream(rng, &context, &id, signature, |target| {
                    Sink::run(feed, user, |piece| target.update(piece))
                });
                signed.map_err(|error| match error {
                    StreamError::Source(error) => error,
                    StreamError::Sign(error) => status(error),
                    _ => Error::Callback,
                })
            })
        })
    }
}
