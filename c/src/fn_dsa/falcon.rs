//! The original Falcon, in its encodings.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint};

use lanner_fn_dsa::falcon::{
    self, Encoding, SigningKey512, SigningKey1024, VerifyingKey512, VerifyingKey1024, det1024,
    max_signature_size,
};
use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_ORIGINAL_FALCON};

use super::key::{Key, KeySlot};
use super::public::{Public, PublicSlot};
use super::stream::{Verification, Verifier};
use super::{logn, status};
use crate::boundary::{bytes, hand_out};
use crate::random::Generator;
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

/// `lanner_falcon_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_sign(
    key: *const KeySlot,
    number: c_int,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
    signature_length: *mut usize,
) -> c_int {
    let mut buffer = [0; MAX_SIGNATURE];
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(signature, signature_length, || {
            let key = KeySlot::get(key)?;
            let encoding = encoding(number)?;
            let message = bytes(message, message_length)?;
            let rng = &mut Generator;
            let length = match key {
                Key::Main512(key) => falcon::sign(
                    &SigningKey512::dangerous_from_fn_dsa(key),
                    rng,
                    message,
                    encoding,
                    &mut buffer,
                ),
                Key::Main1024(key) => falcon::sign(
                    &SigningKey1024::dangerous_from_fn_dsa(key),
                    rng,
                    message,
                    encoding,
                    &mut buffer,
                ),
                Key::Draft512(_) | Key::Draft1024(_) => return Err(Error::Unsupported),
            };
            Ok(&buffer[..length.map_err(status)?])
        })
    }
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
    let verdict = || {
        // SAFETY: the caller's promises.
        let (public, message, signature) = unsafe {
            let public = PublicSlot::get(public)?;
            let message = bytes(message, message_length)?;
            (public, message, bytes(signature, signature_length)?)
        };
        match public {
            Public::Main512(key) => falcon::verify(
                &VerifyingKey512::dangerous_from_fn_dsa(key),
                signature,
                message,
            ),
            Public::Main1024(key) => falcon::verify(
                &VerifyingKey1024::dangerous_from_fn_dsa(key),
                signature,
                message,
            ),
            Public::Draft512(_) | Public::Draft1024(_) => return Err(Error::Unsupported),
        }
        .map_err(status)
    };
    code(verdict())
}

/// `lanner_falcon_verifier_init` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_verifier_init(
    verifier: *mut Verifier,
    public: *const PublicSlot,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    macro_rules! begin {
        ($key:expr, $signature:expr) => {
            Verification::new(
                $key.verify_stream($signature, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON)
                    .map_err(status)?,
                |stream, piece| stream.update(piece),
                |stream| stream.finish().map_err(status),
            )
        };
    }
    // SAFETY: the caller's promises.
    unsafe {
        Verifier::put(verifier, || {
            let public = PublicSlot::get(public)?;
            let signature = bytes(signature, signature_length)?;
            match public {
                Public::Main512(key) => Ok(begin!(key, signature)),
                Public::Main1024(key) => Ok(begin!(key, signature)),
                Public::Draft512(_) | Public::Draft1024(_) => Err(Error::Unsupported),
            }
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
    if message.is_null() || message_length.is_null() {
        return Error::Null.code();
    }
    let open = || {
        // SAFETY: the caller's promises.
        let (public, signed) = unsafe {
            (
                PublicSlot::get(public)?,
                bytes(signed_message, signed_length)?,
            )
        };
        match public {
            Public::Main512(key) => {
                falcon::open(&VerifyingKey512::dangerous_from_fn_dsa(key), signed)
            }
            Public::Main1024(key) => {
                falcon::open(&VerifyingKey1024::dangerous_from_fn_dsa(key), signed)
            }
            Public::Draft512(_) | Public::Draft1024(_) => return Err(Error::Unsupported),
        }
        .map_err(status)
    };
    let (pointer, length, result) = match open() {
        Ok(inside) => (inside.as_ptr(), inside.len(), OK),
        Err(error) => (core::ptr::null(), 0, error.code()),
    };
    // SAFETY: not NULL, and the caller's promise.
    unsafe {
        message.write_unaligned(pointer);
        message_length.write_unaligned(length);
    }
    result
}

/// `lanner_falcon_seal` of `lanner.h`.
#[cfg(feature = "std")]
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_seal(
    key: *const KeySlot,
    message: *const u8,
    message_length: usize,
    signed_message: *mut u8,
    signed_length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(signed_message, signed_length, || {
            let key = KeySlot::get(key)?;
            let message = bytes(message, message_length)?;
            // Cannot overflow: a message is at most half of the address space.
            let mut buffer = std::vec![0; falcon::max_sealed_size(key.logn(), message.len())];
            let rng = &mut Generator;
            let length = match key {
                Key::Main512(key) => falcon::seal(
                    &SigningKey512::dangerous_from_fn_dsa(key),
                    rng,
                    message,
                    &mut buffer,
                ),
                Key::Main1024(key) => falcon::seal(
                    &SigningKey1024::dangerous_from_fn_dsa(key),
                    rng,
                    message,
                    &mut buffer,
                ),
                Key::Draft512(_) | Key::Draft1024(_) => return Err(Error::Unsupported),
            };
            buffer.truncate(length.map_err(status)?);
            Ok(buffer)
        })
    }
}

/// `lanner_falcon_det1024_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_falcon_det1024_sign(
    key: *const KeySlot,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
    signature_length: *mut usize,
) -> c_int {
    let mut buffer = [0; MAX_SIGNATURE];
    // SAFETY: the caller's promises.
    unsafe {
        hand_out(signature, signature_length, || {
            let Key::Main1024(key) = KeySlot::get(key)? else {
                return Err(Error::Unsupported);
            };
            let message = bytes(message, message_length)?;
            let length = det1024::sign(
                &SigningKey1024::dangerous_from_fn_dsa(key),
                message,
                &mut buffer,
            )
            .map_err(status)?;
            Ok(&buffer[..length])
        })
    }
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
    let verdict = || {
        // SAFETY: the caller's promises.
        let (public, message, signature) = unsafe {
            let public = PublicSlot::get(public)?;
            let message = bytes(message, message_length)?;
            (public, message, bytes(signature, signature_length)?)
        };
        let Public::Main1024(key) = public else {
            return Err(Error::Unsupported);
        };
        det1024::verify(
            &VerifyingKey1024::dangerous_from_fn_dsa(key),
            signature,
            message,
        )
        .map_err(status)
    };
    code(verdict())
}
