//! The key object: a secret key with the public key that was derived from it.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::SigningKey;

use crate::boundary::{Object, Slot, array, write};
use crate::random;

/// `lanner_ed25519_key` of `lanner.h`.
pub(crate) type Key = Slot<SigningKey, 64>;

impl Object for SigningKey {
    const TAG: u64 = u64::from_le_bytes(*b"Ed25519k");
}

/// `lanner_ed25519_key_from_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_from_seed(key: *mut Key, seed: *const u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { Key::put(key, || Ok(SigningKey::from_bytes(array(seed)?))) }
}

/// `lanner_ed25519_key_from_pair` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_from_pair(key: *mut Key, pair: *const u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        Key::put(key, || {
            SigningKey::from_keypair_bytes(array(pair)?).map_err(|_| crate::status::Error::Key)
        })
    }
}

/// `lanner_ed25519_key_generate` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_generate(key: *mut Key) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { Key::put(key, || Ok(SigningKey::from_bytes(&*random::array()?))) }
}

/// `lanner_ed25519_key_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_seed(key: *const Key, seed: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { write(seed, || Ok(Key::get(key)?.to_bytes())) }
}

/// `lanner_ed25519_key_pair` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_pair(key: *const Key, pair: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { write(pair, || Ok(Key::get(key)?.to_keypair_bytes())) }
}

/// `lanner_ed25519_key_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_public(key: *const Key, public_key: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { write(public_key, || Ok(Key::get(key)?.verifying_key().to_bytes())) }
}

/// `lanner_ed25519_key_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_clear(key: *mut Key) {
    // SAFETY: the caller's promise.
    unsafe { Key::clear(key) }
}
