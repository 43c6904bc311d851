//! Verification of a message that comes in pieces.
#![allow(unsafe_code)]

use core::ffi::c_int;
use core::mem::MaybeUninit;

use super::hash::identifier;
use super::public::{PublicSlot, each_public};
use super::sign::context;
use super::status;
use crate::boundary::{Object, Slot, bytes};
use crate::status::{Error, code};

/// Bytes of a verification under way, whatever its variant.
const ROOM: usize = 736;

/// A verification under way. Its type depends on the variant, so it is kept as plain memory with the
/// two functions that know the type.
pub(super) struct Verification {
    update: unsafe fn(*mut u8, &[u8]),
    finish: unsafe fn(*mut u8) -> Result<(), Error>,
    state: MaybeUninit<[u64; ROOM / 8]>,
}

/// `lanner_fn_dsa_verifier` of `lanner.h`.
pub(super) type Verifier = Slot<Verification, 96>;

impl Object for Verification {
    const TAG: u64 = u64::from_le_bytes(*b"FN-DSA v");
}

/// The functions of one type of state.
struct Functions<S, U, F>(core::marker::PhantomData<(S, U, F)>);

impl<S, U: Fn(&mut S, &[u8]), F: Fn(S) -> Result<(), Error>> Functions<S, U, F> {
    const FITS: () = assert!(
        size_of::<S>() <= ROOM
            && align_of::<S>() <= align_of::<u64>()
            && size_of::<U>() == 0
            && size_of::<F>() == 0
    );

    /// # Safety
    ///
    /// `state` holds an `S`, and nobody else uses it.
    unsafe fn update(state: *mut u8, piece: &[u8]) {
        // SAFETY: a function without captures is a value of size zero, and one was there when this
        // one was taken; the state is the caller's promise.
        unsafe {
            let update = core::ptr::NonNull::<U>::dangling();
            update.as_ref()(&mut *state.cast::<S>(), piece);
        }
    }

    /// # Safety
    ///
    /// As [`Self::update`]; the state is used up.
    unsafe fn finish(state: *mut u8) -> Result<(), Error> {
        // SAFETY: as there.
        unsafe {
            let finish = core::ptr::NonNull::<F>::dangling();
            finish.as_ref()(state.cast::<S>().read())
        }
    }
}

impl Verification {
    /// Keeps a state. `update` and `finish` must not capture anything.
    ///
    /// The state may refer to the caller's key and signature: `lanner.h` says that both must stay.
    pub(super) fn new<S, U: Fn(&mut S, &[u8]), F: Fn(S) -> Result<(), Error>>(
        state: S,
        _update: U,
        _finish: F,
    ) -> Self {
        const { Functions::<S, U, F>::FITS };
        let mut kept = Verification {
            update: Functions::<S, U, F>::update,
            finish: Functions::<S, U, F>::finish,
            state: MaybeUninit::zeroed(),
        };
        // SAFETY: it has the room and the alignment.
        unsafe { kept.state.as_mut_ptr().cast::<S>().write(state) };
        kept
    }
}

/// `lanner_fn_dsa_verifier_init` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_verifier_init(
    verifier: *mut Verifier,
    public: *const PublicSlot,
    context_bytes: *const u8,
    context_length: usize,
    hash: c_int,
    signature: *const u8,
    signature_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        Verifier::put(verifier, || {
            let public = PublicSlot::get(public)?;
            let context = context(context_bytes, context_length)?;
            let signature = bytes(signature, signature_length)?;
            let id = identifier(public.variant(), hash)?;
            Ok(each_public!(public, key => Verification::new(
                key.verify_stream(signature, &context, &id).map_err(status)?,
                |stream, piece| stream.update(piece),
                |stream| stream.finish().map_err(status),
            )))
        })
    }
}

/// `lanner_fn_dsa_verifier_update` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_verifier_update(
    verifier: *mut Verifier,
    piece: *const u8,
    piece_length: usize,
) -> c_int {
    let update = || {
        // SAFETY: the caller's promises; the state is of the type that `update` knows.
        unsafe {
            let piece = bytes(piece, piece_length)?;
            Verifier::update(verifier, |verification| {
                (verification.update)(verification.state.as_mut_ptr().cast(), piece);
            })
        }
    };
    code(update())
}

/// `lanner_fn_dsa_verifier_final` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_verifier_final(verifier: *mut Verifier) -> c_int {
    // SAFETY: the caller's promise; the state is of the type that `finish` knows, and is gone.
    code(unsafe {
        Verifier::take(verifier).and_then(|mut verification| {
            (verification.finish)(verification.state.as_mut_ptr().cast())
        })
    })
}

/// `lanner_fn_dsa_verifier_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_verifier_clear(verifier: *mut Verifier) {
    // SAFETY: the caller's promise.
    unsafe { Verifier::clear(verifier) }
}
