//! Signing a message that is in memory.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_ed25519::ed25519::signature::RandomizedSigner;
use lanner_ed25519::hazmat::ExpandedSecretKey;
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use lanner_simd::stack::cleared;
use zeroize::Zeroizing;

use super::CONTEXT_LENGTHS;
use super::key::Key;
use crate::boundary::{self, DEPTH, GROUP, bytes, write, write_each, write_out};
use crate::random::Generator;
use crate::status::{Error, OK, code};

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

/// `lanner_ed25519_sign_checked` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign_checked(
    key: *const Key,
    message: *const u8,
    message_length: usize,
    signature: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(signature, |out| {
            let signature = Key::get(key)?.sign_checked(bytes(message, message_length)?);
            *out = signature.map_err(|_| Error::Fault)?.to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ed25519_message` of `lanner.h`.
#[repr(C)]
struct RawMessage {
    key: *const Key,
    message: *const u8,
    message_length: usize,
}

/// The signatures of at most [`GROUP`] messages, written to `signatures`.
///
/// # Safety
///
/// `messages` points to `count` elements, with pointers as in `lanner.h`; `signatures` has room for as many signatures,
/// and overlaps nothing of that.
unsafe fn group(
    messages: *const RawMessage,
    count: usize,
    signatures: *mut u8,
) -> Result<(), Error> {
    let mut made = [Signature::from_bytes(&[0; 64]); GROUP];
    // SAFETY: the caller's promises.
    cleared::<DEPTH, _>(|| unsafe {
        let first = Key::get((*messages).key)?;
        let mut keys = [first; GROUP];
        let mut texts: [&[u8]; GROUP] = [&[]; GROUP];
        for i in 0..count {
            let message = &*messages.add(i);
            keys[i] = Key::get(message.key)?;
            texts[i] = bytes(message.message, message.message_length)?;
        }
        SigningKey::sign_each_by(&keys[..count], &texts[..count], &mut made[..count]);
        Ok(())
    })?;
    for (i, signature) in made[..count].iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { write_out(signatures.add(64 * i), &signature.to_bytes()) };
    }
    Ok(())
}

/// `lanner_ed25519_sign_each` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign_each(
    messages: *const RawMessage,
    count: usize,
    signatures: *mut u8,
) -> c_int {
    // Before anything else, so that nothing is written to an array that cannot be there.
    if count > isize::MAX as usize / 64 {
        return Error::Length.code();
    }
    if count == 0 {
        return OK;
    }
    if signatures.is_null() {
        return Error::Null.code();
    }
    let run = || {
        if messages.is_null() {
            return Err(Error::Null);
        }
        if !messages.is_aligned() {
            return Err(Error::Alignment);
        }
        for first in (0..count).step_by(GROUP) {
            let size = GROUP.min(count - first);
            // SAFETY: the caller's promises, for a part of the arrays.
            unsafe { group(messages.add(first), size, signatures.add(64 * first)) }?;
        }
        Ok(())
    };
    let result = run();
    if result.is_err() {
        // SAFETY: not NULL, and the caller promises that much room.
        unsafe { signatures.write_bytes(0, 64 * count) };
    }
    code(result)
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
            let context = boundary::context(context, context_length, CONTEXT_LENGTHS)?;
            let signature = key.sign_ctx(context, bytes(message, message_length)?);
            *out = signature.map_err(|_| Error::Context)?.to_bytes();
            Ok(())
        })
    }
}

/// `lanner_ed25519_sign_ctx_checked` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_sign_ctx_checked(
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
            let context = boundary::context(context, context_length, CONTEXT_LENGTHS)?;
            let signature = key.sign_ctx_checked(context, bytes(message, message_length)?);
            // The length of the context was looked at.
            *out = signature.map_err(|_| Error::Fault)?.to_bytes();
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

/// `lanner_ed25519_public_from_seed_each` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_public_from_seed_each(
    seeds: *const u8,
    count: usize,
    public_keys: *mut u8,
) -> c_int {
    let derive = |seeds: &[[u8; 32]], public_keys: &mut [[u8; 32]]| {
        let mut keys = [None; GROUP];
        let keys = &mut keys[..seeds.len()];
        VerifyingKey::from_secret_keys_each(seeds, keys);
        for (public_key, key) in public_keys.iter_mut().zip(keys.iter().flatten()) {
            *public_key = key.to_bytes();
        }
    };
    // SAFETY: the caller's promises.
    unsafe { write_each(seeds, count, public_keys, derive) }
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
