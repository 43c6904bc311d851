//! Signing a message that is in memory.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::ed25519::signature::RandomizedSigner;
use lanner_ed25519::hazmat::ExpandedSecretKey;
use lanner_ed25519::{Signer, VerifyingKey};
use zeroize::Zeroizing;

use super::key::Key;
use crate::boundary::{self, bytes, write};
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
        write(signature, |out| {
            let key = Key::get(key)?;
            *out = key.sign(bytes(message, message_length)?).to_bytes();
            Ok(())
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
        write(signature, |out| {
            let key = Key::get(key)?;
            let context = bytes(context, context_length)?;
            let signature = key.sign_ctx(context, bytes(message, message_length)?);
            *out = signature.map_err(|_| Error::Context)?.to_bytes();
            Ok(())
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
        write(signature, |out| {
            let key = Key::get(key)?;
            let message = bytes(message, message_length)?;
            let signature = key.try_sign_with_rng(&mut Generator, message);
            // Nothing else can fail.
            *out = signature.map_err(|_| Error::Random)?.to_bytes();
            Ok(())
        })
    }
}

/// Signs with the caller's seed, under the public key that is derived from it.
///
/// # Safety
///
/// The pointers as in `lanner.h`.
pub(crate) unsafe fn sign_with_seed(
    seed: *const u8,
    message: *const u8,
    message_length: usize,
    out: &mut [u8; 64],
) -> Result<(), Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promises.
    let (seed, message) = unsafe {
        let seed = boundary::secret(seed, &mut copy)?;
        (seed, bytes(message, message_length)?)
    };
    *out = ExpandedSecretKey::from(seed).sign(message).to_bytes();
    Ok(())
}

/// The public key of the caller's seed.
///
/// # Safety
///
/// `seed` is NULL or points to 32 bytes.
pub(crate) unsafe fn public_of_seed(seed: *const u8, out: &mut [u8; 32]) -> Result<(), Error> {
    let mut copy = Zeroizing::new([0; 32]);
    // SAFETY: the caller's promise.
    let seed = unsafe { boundary::secret(seed, &mut copy) }?;
    *out = VerifyingKey::from(&ExpandedSecretKey::from(seed)).to_bytes();
    Ok(())
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
        write(signature, |out| {
            sign_with_seed(seed, message, message_length, out)
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
    unsafe { write(public_key, |out| public_of_seed(seed, out)) }
}
