//! Signatures by the keys of X25519, as Signal specifies them.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::xeddsa::{RANDOM_LENGTH, SecretKey, verify, verify_with_sign, verifying_key};
use zeroize::Zeroizing;

use super::verify::signature;
use crate::boundary::{self, array, bytes, write};
use crate::random;
use crate::status::{Error, code};

/// The caller's secret key of X25519.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 32 bytes.
unsafe fn secret_key(pointer: *const u8) -> Result<SecretKey, Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promise.
    let secret = unsafe { boundary::secret(pointer, &mut copy) }?;
    Ok(SecretKey::from_x25519(secret))
}

/// `lanner_xeddsa_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_xeddsa_sign(
    secret: *const u8,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, |out| {
            let message = bytes(message, message_length)?;
            let key = secret_key(secret)?;
            let mut random = Zeroizing::new([0; RANDOM_LENGTH]);
            random::fill(&mut *random)?;
            *out = key.sign(message, &random).to_bytes();
            Ok(())
        })
    }
}

/// `lanner_xeddsa_sign_from_random` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_xeddsa_sign_from_random(
    secret: *const u8,
    random: *const u8,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, |out| {
            let message = bytes(message, message_length)?;
            let mut copy = Zeroizing::new([0; RANDOM_LENGTH]);
            let random = boundary::secret(random, &mut copy)?;
            *out = secret_key(secret)?.sign(message, random).to_bytes();
            Ok(())
        })
    }
}

/// `lanner_xeddsa_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_xeddsa_verify(
    public: *const u8,
    message: *const u8,
    message_length: usize,
    sig: *const u8,
) -> c_int {
    let verdict = || {
        // SAFETY: the caller's promises.
        let (public, message, sig) = unsafe {
            let message = bytes(message, message_length)?;
            (array(public)?, message, signature(sig)?)
        };
        verify(&public, message, &sig).map_err(|_| match verifying_key(&public) {
            Ok(_) => Error::Signature,
            Err(_) => Error::Key,
        })
    };
    code(verdict())
}

/// `lanner_xeddsa_verify_with_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_xeddsa_verify_with_sign(
    public: *const u8,
    message: *const u8,
    message_length: usize,
    sig: *const u8,
) -> c_int {
    let verdict = || {
        // SAFETY: the caller's promises.
        let (public, message, sig) = unsafe {
            let message = bytes(message, message_length)?;
            (array(public)?, message, signature(sig)?)
        };
        verify_with_sign(&public, message, &sig).map_err(|_| Error::Signature)
    };
    code(verdict())
}
