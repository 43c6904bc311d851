//! Ed25519ph: signatures of SHA-512 of a message, which is read once.
#![allow(unsafe_code)]

use core::ffi::c_int;

use digest::Digest;
use lanner_ed25519::{Sha512, Signature, SigningKey};

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

/// What signs what a hash has absorbed, under a context of a length that there is.
type Sign = fn(&SigningKey, Sha512, &[u8]) -> Result<Signature, Error>;

fn once(key: &SigningKey, hash: Sha512, context: &[u8]) -> Result<Signature, Error> {
    key.sign_prehashed(hash, Some(context))
        .map_err(|_| Error::Context)
}

fn checked(key: &SigningKey, hash: Sha512, context: &[u8]) -> Result<Signature, Error> {
    key.sign_prehashed_checked(hash, Some(context))
        .map_err(|_| Error::Fault)
}

/// Signs what `state` has absorbed, and clears it.
///
/// # Safety
///
/// The pointers as in `lanner.h`.
#[inline(always)]
unsafe fn final_sign(
    state: *mut State,
    key: *const Key,
    context: *const u8,
    context_length: usize,
    sig: *mut u8,
    sign: Sign,
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
            *out = sign(key, state.0, prehash_context(context, context_length)?)?.to_bytes();
            Ok(())
        })
    }
}

/// Signs a message that is in memory.
///
/// # Safety
///
/// The pointers as in `lanner.h`.
#[inline(always)]
unsafe fn sign_whole(
    key: *const Key,
    (context, context_length): (*const u8, usize),
    (message, message_length): (*const u8, usize),
    sig: *mut u8,
    sign: Sign,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(sig, |out| {
            let key = Key::get(key)?;
            let context = prehash_context(context, context_length)?;
            let hash = Sha512::new_with_prefix(bytes(message, message_length)?);
            *out = sign(key, hash, context)?.to_bytes();
            Ok(())
        })
    }
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
    // SAFETY: the caller's promises.
    unsafe { final_sign(state, key, context, context_length, sig, once) }
}

/// `lanner_ed25519ph_final_sign_checked` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_final_sign_checked(
    state: *mut State,
    key: *const Key,
    context: *const u8,
    context_length: usize,
    sig: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { final_sign(state, key, context, context_length, sig, checked) }
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
    let (context, message) = ((context, context_length), (message, message_length));
    // SAFETY: the caller's promises.
    unsafe { sign_whole(key, context, message, sig, once) }
}

/// `lanner_ed25519ph_sign_checked` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519ph_sign_checked(
    key: *const Key,
    context: *const u8,
    context_length: usize,
    message: *const u8,
    message_length: usize,
    sig: *mut u8,
) -> c_int {
    let (context, message) = ((context, context_length), (message, message_length));
    // SAFETY: the caller's promises.
    unsafe { sign_whole(key, context, message, sig, checked) }
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
