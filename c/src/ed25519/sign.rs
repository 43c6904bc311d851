//! Signing a message that is in memory.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::ed25519::signature::RandomizedSigner;
use lanner_ed25519::hazmat::ExpandedSecretKey;
use lanner_ed25519::{Signer, SigningKey};

use super::key::Key;
use crate::boundary::{array, bytes, write};
use crate::random::Generator;
use crate::status::Error;

/// `lanner_ed25519_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign(
    key: *const Key,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, || {
            let key = Key::get(key)?;
            Ok(key.sign(bytes(message, message_length)?).to_bytes())
        })
    }
}

/// `lanner_ed25519_sign_ctx` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign_ctx(
    key: *const Key,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, || {
            let key = Key::get(key)?;
            let context = bytes(context, context_length)?;
            let signature = key.sign_ctx(context, bytes(message, message_length)?);
            Ok(signature.map_err(|_| Error::Context)?.to_bytes())
        })
    }
}

/// `lanner_ed25519_sign_hedged` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign_hedged(
    key: *const Key,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, || {
            let key = Key::get(key)?;
            let message = bytes(message, message_length)?;
            let signature = key.try_sign_with_rng(&mut Generator, message);
            // Nothing else can fail.
            Ok(signature.map_err(|_| Error::Random)?.to_bytes())
        })
    }
}

/// `lanner_ed25519_sign_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign_seed(
    seed: *const u8,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, || {
            let secret = ExpandedSecretKey::from(array(seed)?);
            Ok(secret.sign(bytes(message, message_length)?).to_bytes())
        })
    }
}

/// `lanner_ed25519_public_from_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_from_seed(
    seed: *const u8,
    public_key: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public_key, || {
            Ok(SigningKey::from_bytes(array(seed)?)
                .verifying_key()
                .to_bytes())
        })
    }
}
