//! Verification, without allocation.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint};

use lanner_hybrid::{DIGEST_LENGTH, VerifyingKey512, VerifyingKey1024};

use super::status;
use crate::boundary::{self, array, bytes};
use crate::status::{Error, code};

/// What a signature is of.
enum Signed<'a> {
    Message(&'a [u8]),
    Digest(&'a [u8; DIGEST_LENGTH]),
}

/// The verdict. Each degree has a frame of its own, so that the smaller one takes less stack.
fn verify(
    degree: c_uint,
    key: &[u8],
    context: &[u8],
    signed: &Signed<'_>,
    signature: &[u8],
) -> Result<(), Error> {
    match degree {
        512 => verify_512(key, context, signed, signature),
        1024 => verify_1024(key, context, signed, signature),
        _ => Err(Error::Unsupported),
    }
}

macro_rules! verify_of_degree {
    ($name:ident, $key:ty) => {
        #[inline(never)]
        fn $name(
            key: &[u8],
            context: &[u8],
            signed: &Signed<'_>,
            signature: &[u8],
        ) -> Result<(), Error> {
            let key = <$key>::from_bytes(key).map_err(status)?;
            match signed {
                Signed::Message(message) => key.verify(signature, context, message),
                Signed::Digest(digest) => key.verify_digest(signature, context, digest),
            }
            .map_err(status)
        }
    };
}

verify_of_degree!(verify_512, VerifyingKey512);
verify_of_degree!(verify_1024, VerifyingKey1024);

/// `lanner_hybrid_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_verify(
    degree: c_uint,
    public: *const u8,
    public_length: usize,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    let verdict = || {
        // SAFETY: the caller's promises.
        let (public, context, message, signature) = unsafe {
            (
                bytes(public, public_length)?,
                boundary::context(context, context_length, 0..=255)?,
                bytes(message, message_length)?,
                bytes(signature, signature_length)?,
            )
        };
        verify(
            degree,
            public,
            context,
            &Signed::Message(message),
            signature,
        )
    };
    code(verdict())
}

/// `lanner_hybrid_verify_digest` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_verify_digest(
    degree: c_uint,
    public: *const u8,
    public_length: usize,
    context: *const u8,
    context_length: usize,
    digest: *const u8,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    let verdict = || {
        // SAFETY: the caller's promises.
        let (public, context, digest, signature) = unsafe {
            (
                bytes(public, public_length)?,
                boundary::context(context, context_length, 0..=255)?,
                array(digest)?,
                bytes(signature, signature_length)?,
            )
        };
        verify(degree, public, context, &Signed::Digest(&digest), signature)
    };
    code(verdict())
}
