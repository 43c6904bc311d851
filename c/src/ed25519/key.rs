//! The key object: a secret key with the public key that was derived from it.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::SigningKey;
use lanner_simd::stack::cleared;
use zeroize::Zeroizing;

use crate::boundary::{self, DEPTH, GROUP, Object, Slot, write};
use crate::random;
use crate::status::{Error, OK};

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

/// `lanner_ed25519_key_from_seed_each` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_key_from_seed_each(
    keys: *mut Key,
    seeds: *const u8,
    count: usize,
) -> c_int {
    // Before anything else, so that nothing is written to an array that cannot be there.
    if count > isize::MAX as usize / (64 * size_of::<u64>()) {
        return Error::Length.code();
    }
    if count == 0 {
        return OK;
    }
    if keys.is_null() {
        return Error::Null.code();
    }
    // An object of C, which is longer than what is in it.
    let slot = |i: usize| keys.cast::<[u64; 64]>().wrapping_add(i).cast::<Key>();
    let refused = if !keys.is_aligned() {
        Some(Error::Alignment)
    } else if seeds.is_null() {
        Some(Error::Null)
    } else {
        None
    };
    if let Some(error) = refused {
        for i in 0..count {
            // SAFETY: the caller promises `count` objects.
            unsafe { Key::clear(slot(i)) };
        }
        return error.code();
    }
    for first in (0..count).step_by(GROUP) {
        let size = GROUP.min(count - first);
        let mut made = [const { None }; GROUP];
        let made = &mut made[..size];
        cleared::<DEPTH, _>(|| {
            let mut copies = Zeroizing::new([[0; 32]; GROUP]);
            let copies = &mut copies[..size];
            // SAFETY: not NULL, and the caller promises that many seeds; the copies are ours.
            unsafe {
                core::ptr::copy_nonoverlapping(
                    seeds.add(32 * first),
                    copies.as_flattened_mut().as_mut_ptr(),
                    32 * size,
                );
            }
            SigningKey::from_bytes_each(copies, made);
        });
        for (i, key) in made.iter().enumerate() {
            // A copy goes into the object; `made` wipes what it has when it is dropped.
            // SAFETY: the caller promises `count` objects.
            let status = unsafe { Key::put(slot(first + i), || key.clone().ok_or(Error::Key)) };
            debug_assert_eq!(status, OK);
        }
    }
    OK
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
