//! The key object: a secret key with the public key that was derived from it.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::SigningKey;
use zeroize::Zeroizing;

use crate::boundary::{self, Object, Slot, write};
use crate::random;
use crate::status::Error;

/// `lanner_ed25519_key` of `lanner.h`.
pub(crate) type Key = Slot<SigningKey, 64>;

impl Object for SigningKey {
    const TAG: u64 = u64::from_le_bytes(*b"Ed25519k");
}

/// `lanner_ed25519_key_from_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_from_seed(key: *mut Key, seed: *const u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        Key::put(key, || {
            let mut copy = Zeroizing::new([0; 32]);
            Ok(SigningKey::from_bytes(boundary::secret(seed, &mut copy)?))
        })
    }
}

/// `lanner_ed25519_key_from_pair` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_from_pair(key: *mut Key, pair: *const u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        Key::put(key, || {
            let mut copy = Zeroizing::new([0; 64]);
            let pair = boundary::secret(pair, &mut copy)?;
            SigningKey::from_keypair_bytes(pair).map_err(|_| Error::Key)
        })
    }
}

/// `lanner_ed25519_key_generate` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_generate(key: *mut Key) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        Key::put(key, || {
            let mut seed = Zeroizing::new([0; 32]);
            random::fill(&mut *seed)?;
            Ok(SigningKey::from_bytes(&seed))
        })
    }
}

/// `lanner_ed25519_key_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_seed(key: *const Key, seed: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        write(seed, |out: &mut [u8; 32]| {
            out.copy_from_slice(Key::get(key)?.as_bytes());
            Ok(())
        })
    }
}

/// `lanner_ed25519_key_pair` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_pair(key: *const Key, pair: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        write(pair, |out: &mut [u8; 64]| {
            let key = Key::get(key)?;
            let (seed, public) = out.split_at_mut(32);
            seed.copy_from_slice(key.as_bytes());
            public.copy_from_slice(key.verifying_key().as_bytes());
            Ok(())
        })
    }
}

/// `lanner_ed25519_key_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_public(key: *const Key, public_key: *mut u8) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        write(public_key, |out| {
            *out = Key::get(key)?.verifying_key().to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ed25519_key_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_clear(key: *mut Key) {
    // SAFETY: the caller's promise.
    unsafe { Key::clear(key) }
}
