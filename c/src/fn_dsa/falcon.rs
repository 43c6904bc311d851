//! The original Falcon, in its encodings.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint, c_void};

use lanner_fn_dsa::SigningSpace;
use lanner_fn_dsa::falcon::{self, Encoding, det1024, max_signature_size};
use lanner_simd::stack::cleared;

use super::any::{Key, KeySlot, Public, PublicSlot};
use super::stream::{Verification, Verifier};
use super::{Variant, logn, status};
use crate::boundary::{BEGINNING, DEPTH, bytes, hand_out, write_out};
use crate::random::Generator;
use crate::scratch::{Scratch, range};
use crate::status::{Error, OK, code};

/// `enum lanner_falcon_encoding` of `lanner.h`.
fn encoding(number: c_int) -> Result<Encoding, Error> {
    match number {
        0 => Ok(Encoding::Padded),
        1 => Ok(Encoding::Compressed),
        2 => Ok(Encoding::ConstantTime),
        _ => Err(Error::Unsupported),
    }
}

/// The longest signature of any encoding.
const MAX_SIGNATURE: usize = max_signature_size(Encoding::ConstantTime, 10);
const _: () = assert!(
    MAX_SIGNATURE >= max_signature_size(Encoding::Compressed, 10)
        && MAX_SIGNATURE >= det1024::MAX_COMPRESSED_SIZE
);

/// `lanner_falcon_signature_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
extern "C" fn lanner_falcon_signature_bytes(number: c_int, degree: c_uint) -> usize {
    match (encoding(number), logn(degree)) {
        (Ok(encoding), Ok(logn)) => max_signature_size(encoding, logn),
        _ => 0,
    }
}

/// Signs by a function of Falcon's, with random bytes of the system. The last argument is a [`Scratch`].
macro_rules! sign_by {
    ($function:ident, $key:expr, ($($argument:expr),+), $scratch:expr) => {{
        macro_rules! sign {
            ($of_degree:expr, $n:literal) => {
                $scratch.with(SigningSpace::<$n>::new, |space| {
                    falcon::$function($of_degree, space, &mut Generator, $($argument),+)
                        .map_err(status)
                })
            };
        }
        match $key {
            Key::Falcon512(key) => sign!(key, 512),
            Key::Falcon1024(key) => sign!(key, 1024),
            _ => Err(Error::Unsupported),
        }
    }};
}

/// A function of `lanner.h` that signs by a function of Falcon's.
macro_rules! signs_by {
    ($name:ident, $function:ident) => {
        #[doc = concat!("`", stringify!($name), "` of `lanner.h`.")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            key: *const KeySlot,
            number: c_int,
            message: *const u8,
            message_length: usize,
            signature: *mut u8,
            signature_length: *mut usize,
            scratch: *mut c_void,
            scratch_length: usize,
        ) -> c_int {
            // SAFETY: the caller's promises.
            unsafe {
                hand_out::<MAX_SIGNATURE>(signature, signature_length, |out| {
                    let encoding = encoding(number)?;
                    let reads = [KeySlot::range(key), range(message, message_length)];
                    let scratch = Scratch::apart(scratch, scratch_length, &reads)?;
                    let message = bytes(message, message_length)?;
                    sign_by!(
                        $function,
                        KeySlot::get(key)?,
                        (message, encoding, out),
                        scratch
                    )
                })
            }
        }
    };
}

signs_by!(lanner_falcon_sign, sign_in);
signs_by!(lanner_falcon_sign_checked, sign_checked_in);

/// What says whether a signature of a message is valid, in one encoding if one is demanded.
type Check = fn(&Public, Option<Encoding>, &[u8], &[u8]) -> Result<(), Error>;

/// The verdict of `check` on a signature, in one encoding if the number of one is demanded.
///
/// # Safety
///
/// The pointers as in `lanner.h`.
unsafe fn verdict(
    check: Check,
    public: *const PublicSlot,
    demanded: Option<c_int>,
    (message, message_length): (*const u8, usize),
    (signature, signature_length): (*const u8, usize),
) -> c_int {
    let verdict = || {
        let demanded = demanded.map(encoding).transpose()?;
        // SAFETY: the caller's promises.
        let (public, message, signature) = unsafe {
            let public = PublicSlot::get(public)?;
            let message = bytes(message, message_length)?;
            (public, message, bytes(signature, signature_length)?)
        };
        check(public, demanded, message, signature)
    };
    code(verdict())
}

fn check(
    public: &Public,
    demanded: Option<Encoding>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    macro_rules! verify {
        ($key:expr) => {
            match demanded {
                Some(encoding) => falcon::verify_as($key, signature, message, encoding),
                None => falcon::verify($key, signature, message),
            }
        };
    }
    match public {
        Public::Falcon512(key) => verify!(key),
        Public::Falcon1024(key) => verify!(key),
        _ => return Err(Error::Unsupported),
    }
    .map_err(status)
}

/// `lanner_falcon_verify_as` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_verify_as(
    public: *const PublicSlot,
    number: c_int,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    let message = (message, message_length);
    let signature = (signature, signature_length);
    // SAFETY: the caller's promises.
    unsafe { verdict(check, public, Some(number), message, signature) }
}

/// `lanner_falcon_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_verify(
    public: *const PublicSlot,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    let message = (message, message_length);
    let signature = (signature, signature_length);
    // SAFETY: the caller's promises.
    unsafe { verdict(check, public, None, message, signature) }
}

/// Begins to verify a signature, in one encoding if one is demanded.
///
/// # Safety
///
/// The pointers as in `lanner.h`.
unsafe fn begin(
    public: *const PublicSlot,
    demanded: Option<Encoding>,
    signature: *const u8,
    signature_length: usize,
) -> Result<Verification, Error> {
    // SAFETY: the caller's promises.
    let (public, signature) = unsafe {
        let public = PublicSlot::get(public)?;
        (public, bytes(signature, signature_length)?)
    };
    macro_rules! stream {
        ($key:expr) => {
            match demanded {
                Some(encoding) => falcon::verify_stream_as($key, signature, encoding),
                None => falcon::verify_stream($key, signature),
            }
        };
    }
    let stream = match public {
        Public::Falcon512(key) => stream!(key),
        Public::Falcon1024(key) => stream!(key),
        _ => return Err(Error::Unsupported),
    };
    Ok(Verification::new(
        Variant::Falcon,
        0,
        stream.map_err(status)?,
    ))
}

/// `lanner_falcon_verifier_init_as` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_verifier_init_as(
    verifier: *mut Verifier,
    public: *const PublicSlot,
    number: c_int,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Verifier::put_from::<BEGINNING>(verifier, || {
            begin(public, Some(encoding(number)?), signature, signature_length)
        })
    }
}

/// `lanner_falcon_verifier_init` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_verifier_init(
    verifier: *mut Verifier,
    public: *const PublicSlot,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Verifier::put_from::<BEGINNING>(verifier, || {
            begin(public, None, signature, signature_length)
        })
    }
}

/// `lanner_falcon_open` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_open(
    public: *const PublicSlot,
    signed_message: *const u8,
    signed_length: usize,
    message: *mut *const u8,
    message_length: *mut usize,
) -> c_int {
    let open = || {
        if message.is_null() || message_length.is_null() {
            return Err(Error::Null);
        }
        // SAFETY: the caller's promises.
        let (public, signed) = unsafe {
            (
                PublicSlot::get(public)?,
                bytes(signed_message, signed_length)?,
            )
        };
        match public {
            Public::Falcon512(key) => falcon::open(key, signed),
            Public::Falcon1024(key) => falcon::open(key, signed),
            _ => return Err(Error::Unsupported),
        }
        .map_err(status)
    };
    let (pointer, length, result) = match open() {
        Ok(inside) => (inside.as_ptr(), inside.len(), OK),
        Err(error) => (core::ptr::null(), 0, error.code()),
    };
    // SAFETY: not NULL, and the caller's promise.
    unsafe {
        if !message.is_null() {
            message.write_unaligned(pointer);
        }
        if !message_length.is_null() {
            message_length.write_unaligned(length);
        }
    }
    result
}

/// The bytes of a nonce, and of what stands before it in a signature.
const NONCE: usize = 40;
const HEADER: usize = 1;

/// In a signed message, the header of the signature's second part instead of a signature's own.
const SEALED: u8 = 0x20;

/// `lanner_falcon_seal` of `lanner.h`.
///
/// A compressed signature, taken apart: what stands in a signed message is the length of the last part
/// (two bytes, big-endian), the nonce, the message, a header, and the compressed vector.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_seal(
    key: *const KeySlot,
    message: *const u8,
    message_length: usize,
    signed_message: *mut u8,
    signed_length: *mut usize,
) -> c_int {
    if signed_length.is_null() {
        return Error::Null.code();
    }
    // SAFETY: not NULL, and the caller's promise.
    let room = unsafe { signed_length.read_unaligned() };
    let mut signature = [0; MAX_SIGNATURE];
    let made = cleared::<DEPTH, Result<usize, Error>>(|| {
        // SAFETY: the caller's promises.
        let (key, message) = unsafe { (KeySlot::get(key)?, bytes(message, message_length)?) };
        let out = &mut signature;
        sign_by!(
            sign_in,
            key,
            (message, Encoding::Compressed, out),
            Scratch::NONE
        )
    });
    let (needed, status) = match made {
        Err(error) => (0, error.code()),
        Ok(length) => {
            // Cannot overflow: a message is at most half of the address space.
            let needed = 2 + length + message_length;
            let (head, vector) = signature[..length].split_at_mut(HEADER + NONCE);
            if signed_message.is_null() {
                (needed, OK)
            } else if room < needed {
                (needed, Error::Buffer.code())
            } else {
                let part = [SEALED + (head[0] & 0x0f)];
                // At most 1422.
                let part_length = (part.len() + vector.len()) as u16;
                let message_at = 2 + NONCE;
                // SAFETY: not NULL, with room enough. The message may lie anywhere in there, so it
                // goes to its place first.
                unsafe {
                    if message_length > 0 {
                        core::ptr::copy(message, signed_message.add(message_at), message_length);
                    }
                    write_out(signed_message, &part_length.to_be_bytes());
                    write_out(signed_message.add(2), &head[HEADER..]);
                    let after = signed_message.add(message_at + message_length);
                    write_out(after, &part);
                    write_out(after.add(part.len()), vector);
                }
                (needed, OK)
            }
        }
    };
    if status != OK && !signed_message.is_null() {
        // No message has such a length, so nothing of it could have been written.
        let most = if message_length > isize::MAX as usize {
            0
        } else {
            2 + MAX_SIGNATURE + message_length
        };
        // SAFETY: the caller promises that much room.
        unsafe { signed_message.write_bytes(0, room.min(most)) };
    }
    // SAFETY: not NULL, and the caller's promise.
    unsafe { signed_length.write_unaligned(needed) };
    status
}

/// A function of `lanner.h` that signs by a function of the deterministic mode.
macro_rules! signs_without_randomness_by {
    ($name:ident, $function:ident) => {
        #[doc = concat!("`", stringify!($name), "` of `lanner.h`.")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            key: *const KeySlot,
            message: *const u8,
            message_length: usize,
            signature: *mut u8,
            signature_length: *mut usize,
        ) -> c_int {
            // SAFETY: the caller's promises.
            unsafe {
                hand_out::<MAX_SIGNATURE>(signature, signature_length, |out| {
                    let Key::Falcon1024(key) = KeySlot::get(key)? else {
                        return Err(Error::Unsupported);
                    };
                    let message = bytes(message, message_length)?;
                    det1024::$function(key, message, out).map_err(status)
                })
            }
        }
    };
}

signs_without_randomness_by!(lanner_falcon_det1024_sign, sign);
signs_without_randomness_by!(lanner_falcon_det1024_sign_checked, sign_checked);

fn check_det1024(
    public: &Public,
    demanded: Option<Encoding>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let Public::Falcon1024(key) = public else {
        return Err(Error::Unsupported);
    };
    match demanded {
        Some(encoding) => det1024::verify_as(key, signature, message, encoding),
        None => det1024::verify(key, signature, message),
    }
    .map_err(status)
}

/// `lanner_falcon_det1024_verify_as` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_det1024_verify_as(
    public: *const PublicSlot,
    number: c_int,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    let message = (message, message_length);
    let signature = (signature, signature_length);
    // SAFETY: the caller's promises.
    unsafe { verdict(check_det1024, public, Some(number), message, signature) }
}

/// `lanner_falcon_det1024_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_det1024_verify(
    public: *const PublicSlot,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    let message = (message, message_length);
    let signature = (signature, signature_length);
    // SAFETY: the caller's promises.
    unsafe { verdict(check_det1024, public, None, message, signature) }
}
