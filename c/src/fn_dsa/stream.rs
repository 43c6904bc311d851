//! Verification of a message that comes in pieces.
#![allow(unsafe_code)]

use core::ffi::c_int;
use core::mem::MaybeUninit;

use lanner_fn_dsa::{DomainContext, HashIdentifier, VerifyingKey512, draft2026, falcon};

use super::any::{PublicSlot, each_fn_dsa};
use super::hash::entry;
use super::sign::context;
use super::{Variant, status};
use crate::boundary::{BEGINNING, Object, Slot, bytes};
use crate::status::{Error, code};

/// Bytes of a verification under way, whatever its variant.
const ROOM: usize = 744;

/// A verification under way. Its type depends on the variant, so it is kept as plain memory with the
/// number of the variant: nothing in it is ever called, whatever the caller's memory comes to hold.
pub(super) struct Verification {
    variant: u32,
    /// The length of the hash that comes in pieces, or 0 for what may have any, and how much of it has come: all that is more
    /// counts as the most. No hash comes near that.
    wanted: u16,
    came: u16,
    state: MaybeUninit<[u64; ROOM / 8]>,
}

/// `lanner_fn_dsa_verifier` of `lanner.h`.
pub(super) type Verifier = Slot<Verification, 96>;

impl Object for Verification {
    const TAG: u64 = u64::from_le_bytes(*b"FN-DSAv2");
}

/// The state in the type of what a verification begins with, `S`.
fn typed<A, S>(
    state: &mut MaybeUninit<[u64; ROOM / 8]>,
    _begins_with: fn(A) -> Result<S, lanner_fn_dsa::Error>,
) -> *mut S {
    const { assert!(size_of::<S>() <= ROOM && align_of::<S>() <= align_of::<u64>()) };
    state.as_mut_ptr().cast()
}

/// What a verification of FN-DSA begins with: key, signature, context, hash.
type Parts<'a, K> = (
    &'a K,
    &'a [u8],
    &'a DomainContext<'a>,
    &'a HashIdentifier<'a>,
);

/// The same expression for each type of state. Both degrees of a variant share one.
macro_rules! each_stream {
    ($verification:expr, $state:ident => $body:expr) => {
        match $verification.variant {
            number if number == Variant::Main as u32 => {
                let $state = typed(
                    &mut $verification.state,
                    |(key, signature, context, hash): Parts<'_, VerifyingKey512>| {
                        key.verify_stream(signature, context, hash)
                    },
                );
                $body
            }
            number if number == Variant::Draft2026 as u32 => {
                let $state = typed(
                    &mut $verification.state,
                    |(key, signature, context, hash): Parts<'_, draft2026::VerifyingKey512>| {
                        key.verify_stream(signature, context, hash)
                    },
                );
                $body
            }
            number if number == Variant::Falcon as u32 => {
                let $state = typed(
                    &mut $verification.state,
                    |(key, signature): (&falcon::VerifyingKey512, &[u8])| {
                        falcon::verify_stream(key, signature)
                    },
                );
                $body
            }
            _ => Err(Error::State),
        }
    };
}

impl Verification {
    /// Keeps the state of a verification under a key of this variant, of `wanted` bytes (0: any number).
    ///
    /// The state may refer to the caller's key and signature: `lanner.h` says that both must stay.
    pub(super) fn new<S>(variant: Variant, wanted: usize, state: S) -> Self {
        const { assert!(size_of::<S>() <= ROOM && align_of::<S>() <= align_of::<u64>()) };
        let mut kept = Verification {
            variant: variant as u32,
            wanted: wanted as u16,
            came: 0,
            state: MaybeUninit::zeroed(),
        };
        // SAFETY: it has the room and the alignment.
        unsafe { kept.state.as_mut_ptr().cast::<S>().write(state) };
        kept
    }

    /// Takes the next piece of the message.
    ///
    /// # Safety
    ///
    /// It was made by [`Self::new`], of the state that belongs to the variant.
    unsafe fn update(&mut self, piece: &[u8]) -> Result<(), Error> {
        let length = u16::try_from(piece.len()).unwrap_or(u16::MAX);
        self.came = self.came.saturating_add(length);
        each_stream!(self, state => {
            // SAFETY: the caller's promise.
            unsafe { (*state).update(piece) };
            Ok(())
        })
    }

    /// The verdict.
    ///
    /// # Safety
    ///
    /// It was made by [`Self::new`], of the state that belongs to the variant.
    unsafe fn finish(mut self) -> Result<(), Error> {
        if self.wanted != 0 && self.wanted != self.came {
            return Err(Error::Length);
        }
        each_stream!(self, state => {
            // SAFETY: the caller's promise; the state is used up with `self`.
            unsafe { state.read() }.finish().map_err(status)
        })
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
        Verifier::put_from::<BEGINNING>(verifier, || {
            let public = PublicSlot::get(public)?;
            let context = context(context_bytes, context_length)?;
            let signature = bytes(signature, signature_length)?;
            let (id, wanted) = entry(public.variant(), hash)?;
            each_fn_dsa!(public, key => {
                let stream = key.verify_stream(signature, &context, &id);
                Ok(Verification::new(public.variant(), wanted, stream.map_err(status)?))
            })
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
    // SAFETY: objects with the tag were made by `Verification::new`.
    let take =
        |verification: &mut Verification, piece: &[u8]| unsafe { verification.update(piece) };
    // SAFETY: the caller's promises.
    code(unsafe { Verifier::absorb(verifier, piece, piece_length, take) })
}

/// `lanner_fn_dsa_verifier_final` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_verifier_final(verifier: *mut Verifier) -> c_int {
    // SAFETY: the caller's promise; objects with the tag were made by `Verification::new`.
    code(unsafe { Verifier::take(verifier).and_then(|verification| verification.finish()) })
}

/// `lanner_fn_dsa_verifier_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_verifier_clear(verifier: *mut Verifier) {
    // SAFETY: the caller's promise.
    unsafe { Verifier::clear(verifier) }
}
