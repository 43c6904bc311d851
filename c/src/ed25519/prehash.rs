//! Ed25519ph: signatures of SHA-512 of a message, which is read once.
#![allow(unsafe_code)]

use core::ffi::c_int;

use digest::Digest;
use lanner_ed25519::{Sha512, SigningKey};

use super::key::Key;
use super::profile::by_number;
use super::verify::{public_key, signature};
use crate::boundary::{self, Object, Slot, bytes, write};
use crate::status::{Error, code};

/// SHA-512 under way.
struct Prehash(Sha512);

/// `lanner_ed25519ph_state` of `lanner.h`.
type State = Slot<Prehash, 40>;

impl Object for Prehash {
    const TAG: u64 = u64::from_le_bytes(*b"Ed25519p");
}

/// The context of Ed25519ph.
///
/// # Safety
///
/// Unless it is NULL, `pointer` points to `length` initialised bytes, which nobody writes meanwhile.
unsafe fn prehash_context<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], Error> {
    // SAFETY: the caller's promise.
    unsafe { boundary::context(pointer, length, 0..=255) }
}

fn sign(key: &SigningKey, hash: Sha512, context: &[u8], out: &mut [u8; 64]) -> Result<(), Error> {
    let signature = key.sign_prehashed(hash, Some(context));
    *out = signature.map_err(|_| Error::Context)?.to_bytes();
    Ok(())
}

/// Verifies what `hash` has absorbed.
///
/// # Safety
///
/// The pointers as in `lanner.h`.
unsafe fn verify(
    profile: c_int,
    key: *const u8,
    context: *const u8,
    context_length: usize,
    hash: Sha512,
    sig: *const u8,
) -> Result<(), Error> {
    let profile = by_number(profile)?;
    // SAFETY: the caller's promises.
    let (key, context, sig) = unsafe {
        let context = prehash_context(context, context_length)?;
        let sig = signature(sig)?;
        (public_key(key)?, context, sig)
    };
    key.under(profile)
        .verify_prehashed(hash, Some(context), &sig)
        .map_err(|_| Error::Signature)
}

/// `lanner_ed25519ph_init` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_init(state: *mut State) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { State::put(state, || Ok(Prehash(Sha512::new()))) }
}

/// `lanner_ed25519ph_update` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_update(
    state: *mut State,
    piece: *const u8,
    piece_length: usize,
) -> c_int {
    let take = |state: &mut Prehash, piece: &[u8]| {
        state.0.update(piece);
        Ok(())
    };
    // SAFETY: the caller's promises.
    code(unsafe { State::absorb(state, piece, piece_length, take) })
}

/// `lanner_ed25519ph_final_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_final_sign(
    state: *mut State,
    key: *const Key,
    context: *const u8,
    context_length: usize,
    sig: *mut u8,
) -> c_int {
    if sig.is_null() {
        // The state is used up in any case.
        // SAFETY: the caller's promise.
        drop(unsafe { State::take(state) });
        return Error::Null.code();
    }
    // SAFETY: the caller's promises.
    unsafe {
        write(sig, |out| {
            let state = State::take(state)?;
            let key = Key::get(key)?;
            sign(key, state.0, prehash_context(context, context_length)?, out)
        })
    }
}

/// `lanner_ed25519ph_final_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_final_verify(
    state: *mut State,
    profile: c_int,
    key: *const u8,
    context: *const u8,
    context_length: usize,
    sig: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    code(unsafe {
        State::take(state)
            .and_then(|state| verify(profile, key, context, context_length, state.0, sig))
    })
}

/// `lanner_ed25519ph_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_clear(state: *mut State) {
    // SAFETY: the caller's promise.
    unsafe { State::clear(state) }
}

/// `lanner_ed25519ph_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_sign(
    key: *const Key,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    sig: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(sig, |out| {
            let key = Key::get(key)?;
            let context = prehash_context(context, context_length)?;
            let hash = Sha512::new_with_prefix(bytes(message, message_length)?);
            sign(key, hash, context, out)
        })
    }
}

/// `lanner_ed25519ph_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_verify(
    profile: c_int,
    key: *const u8,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    sig: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    code(unsafe {
        bytes(message, message_length).and_then(|message| {
            let hash = Sha512::new_with_prefix(message);
            verify(profile, key, context, context_length, hash, sig)
        })
    })
}
