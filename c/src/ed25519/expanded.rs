//! Secret keys without a seed: those that BIP32-Ed25519 derives.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::VerifyingKey;
use lanner_ed25519::hazmat::ExpandedSecretKey;
use zeroize::Zeroizing;

use crate::boundary::{self, bytes, write};
use crate::status::Error;

/// The scalar and the prefix of the caller's 64 bytes.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to 64 bytes.
unsafe fn expanded(pointer: *const u8) -> Result<ExpandedSecretKey, Error> {
    let mut copy = Zeroizing::new([0; 64]);
    // SAFETY: the caller's promise.
    let secret = unsafe { boundary::secret(pointer, &mut copy) }?;
    Ok(ExpandedSecretKey::from_unclamped_bytes(secret))
}

/// `lanner_ed25519_expanded_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_expanded_public(secret: *const u8, public: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, |out| {
            *out = VerifyingKey::from(&expanded(secret)?).to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ed25519_expanded_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_expanded_sign(
    secret: *const u8,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, |out| {
            let message = bytes(message, message_length)?;
            *out = expanded(secret)?.sign(message).to_bytes();
            Ok(())
        })
    }
}
