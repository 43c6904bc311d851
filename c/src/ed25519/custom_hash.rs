//! EdDSA over this curve with a hash function of the caller's in the place of SHA-512: what
//! ed25519-donna calls `ED25519_CUSTOMHASH`.
//!
//! The schemes are generic over types that make their own fresh states, so the table of the caller's
//! functions waits in the thread for the time of one call, together with memory for the states: that
//! there is none of it can only be said before the scheme begins.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::cell::Cell;
use core::ffi::{c_int, c_void};

use digest::typenum::U64;
use digest::{Digest, FixedOutput, HashMarker, Output, OutputSizeUser, Update};
use lanner_ed25519::hazmat::{ExpandedSecretKey, raw_sign_deriving, raw_verify};
use lanner_ed25519::{SecretKey, VerifyingKey};
use zeroize::{DefaultIsZeroes, Zeroize, Zeroizing};

use super::verify::{public_key, signature};
use crate::boundary::{bytes, secret, write};
use crate::status::{Error, code};
use crate::system::{set_thread_pointer, thread_pointer};

/// `lanner_hash` of `lanner.h`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Table {
    state_size: usize,
    init: Option<unsafe extern "C" fn(*mut c_void)>,
    update: Option<unsafe extern "C" fn(*mut c_void, *const u8, usize)>,
    finish: Option<unsafe extern "C" fn(*mut c_void, *mut u8)>,
}

/// The largest state that is accepted: a bound against nonsense, as `lanner.h` says.
const MAX_STATE_SIZE: usize = 65536;

/// A table without holes.
#[derive(Clone, Copy)]
struct Functions {
    state_size: usize,
    init: unsafe extern "C" fn(*mut c_void),
    update: unsafe extern "C" fn(*mut c_void, *const u8, usize),
    finish: unsafe extern "C" fn(*mut c_void, *mut u8),
}

/// What memory for states is made of: aligned as `lanner.h` says, which `u128` is not on every target.
#[derive(Clone, Copy, Default)]
#[repr(C, align(16))]
struct Word([u64; 2]);

impl DefaultIsZeroes for Word {}

/// How many states are in use at once, at most: a scheme finishes one hash before it begins the next, and
/// a spare one does no harm.
const STATES: usize = 2;

/// What waits in the thread.
#[derive(Clone, Copy)]
struct Active {
    functions: Functions,
    /// The states that are not in use; NULL in the place of one that is.
    states: [*mut Word; STATES],
}

/// What waits in this thread: a variable of the innermost [`with`] that runs.
fn active<'a>() -> Option<&'a Cell<Active>> {
    // SAFETY: NULL, or set by a `with` that has not returned. Only what that one calls, in the same thread, is here.
    unsafe { thread_pointer().cast::<Cell<Active>>().as_ref() }
}

/// Runs `run` while the caller's hash function is the one that [`Hash`] uses.
///
/// # Safety
///
/// `table` is NULL or points to a table of functions that do what `lanner.h` says.
unsafe fn with<T>(table: *const Table, run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    // SAFETY: the caller's promise.
    let table = unsafe { table.as_ref() }.ok_or(Error::Null)?;
    let (Some(init), Some(update), Some(finish)) = (table.init, table.update, table.finish) else {
        return Err(Error::Null);
    };
    if table.state_size > MAX_STATE_SIZE {
        return Err(Error::Length);
    }
    let functions = Functions {
        state_size: table.state_size,
        init,
        update,
        finish,
    };
    let words = functions.words();
    let mut memory = Vec::new();
    let room = words * STATES;
    memory.try_reserve_exact(room).map_err(|_| Error::Memory)?;
    memory.resize(room, Word::default());
    let mut states = memory.chunks_exact_mut(words).map(<[Word]>::as_mut_ptr);
    let states = core::array::from_fn(|_| states.next().expect("as many chunks"));
    // A hash function may itself verify something with another one.
    let outer = thread_pointer();
    let active = Cell::new(Active { functions, states });
    set_thread_pointer((&raw const active).cast_mut().cast())?;
    let result = run();
    // It was set before, so that this takes no memory; but what is not there any more must not stay.
    set_thread_pointer(outer).expect("there is a place for it");
    result
}

impl Functions {
    /// The size of a state in words.
    fn words(&self) -> usize {
        self.state_size.div_ceil(size_of::<Word>()).max(1)
    }
}

/// One computation of the caller's hash. Its state stays where it is and is wiped at the end.
struct Hash {
    functions: Functions,
    /// Memory of [`with`], nobody else's until it goes back there.
    state: *mut Word,
}

impl Hash {
    fn state(&mut self) -> *mut c_void {
        self.state.cast()
    }
}

impl Default for Hash {
    fn default() -> Self {
        let cell = active().expect("only made inside `with`");
        let mut active = cell.get();
        let free = active.states.iter_mut().find(|state| !state.is_null());
        let free = free.expect("no scheme needs more of them at once");
        let mut hash = Hash {
            functions: active.functions,
            state: core::mem::replace(free, core::ptr::null_mut()),
        };
        cell.set(active);
        // SAFETY: a state of the size that the table asks for.
        unsafe { (hash.functions.init)(hash.state()) };
        hash
    }
}

impl Update for Hash {
    fn update(&mut self, data: &[u8]) {
        // Where nothing is, a slice has a pointer that C does not know: not NULL, and leading nowhere.
        if data.is_empty() {
            return;
        }
        // SAFETY: an initialised state, and a slice.
        unsafe { (self.functions.update)(self.state(), data.as_ptr(), data.len()) };
    }
}

impl OutputSizeUser for Hash {
    type OutputSize = U64;
}

impl FixedOutput for Hash {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        // SAFETY: an initialised state, and 64 bytes.
        unsafe { (self.functions.finish)(self.state(), out.as_mut_ptr()) };
    }
}

impl HashMarker for Hash {}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: a state of so many words, which `with` keeps, and which nobody else has.
        unsafe { core::slice::from_raw_parts_mut(self.state, self.functions.words()) }.zeroize();
        let cell = active().expect("only dropped inside `with`");
        let mut active = cell.get();
        if let Some(place) = active.states.iter_mut().find(|state| state.is_null()) {
            *place = self.state;
        }
        cell.set(active);
    }
}

fn expand(seed: &SecretKey) -> ExpandedSecretKey {
    let mut hash = <Hash as Digest>::digest(seed);
    let bytes: Zeroizing<[u8; 64]> = Zeroizing::new(hash.into());
    hash.zeroize();
    ExpandedSecretKey::from_bytes(&bytes)
}

/// `lanner_ed25519_hash_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_hash_public(
    hash: *const Table,
    seed: *const u8,
    public: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(public, |out| {
            let mut copy = Zeroizing::new([0; 32]);
            let seed = secret(seed, &mut copy)?;
            with(hash, || {
                *out = VerifyingKey::from(&expand(seed)).to_bytes();
                Ok(())
            })
        })
    }
}

/// `lanner_ed25519_hash_sign` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_hash_sign(
    hash: *const Table,
    seed: *const u8,
    message: *const u8,
    message_length: usize,
    sig: *mut u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(sig, |out| {
            let mut copy = Zeroizing::new([0; 32]);
            let seed = secret(seed, &mut copy)?;
            let message = bytes(message, message_length)?;
            with(hash, || {
                *out = raw_sign_deriving::<Hash>(&expand(seed), message).to_bytes();
                Ok(())
            })
        })
    }
}

/// `lanner_ed25519_hash_verify` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_ed25519_hash_verify(
    hash: *const Table,
    key: *const u8,
    message: *const u8,
    message_length: usize,
    sig: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    let verdict = unsafe {
        with(hash, || {
            let message = bytes(message, message_length)?;
            let sig = signature(sig)?;
            raw_verify::<Hash>(&public_key(key)?, message, &sig).map_err(|_| Error::Signature)
        })
    };
    code(verdict)
}
