//! Signing keys.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_uint};

use lanner_hybrid::{SEED_LENGTH, SigningKey512, SigningKey1024, verifying_key_size};
use zeroize::Zeroizing;

use super::status;
use crate::boundary::{DEEP, Object, Slot, hand_out, secret, write};
use crate::random;
use crate::status::Error;

/// The longest encoding of a verifying key.
const MAX_PUBLIC: usize = verifying_key_size(10);

/// `lanner_hybrid_key` of `lanner.h`: a signing key of either degree. In the layout of C, so that the tag stands before the key
/// ([`Object::extent`]).
#[repr(C)]
#[expect(
    clippy::large_enum_variant,
    reason = "nothing is allocated, and what a smaller key leaves free is never copied"
)]
pub(crate) enum Key {
    Of512(SigningKey512),
    Of1024(SigningKey1024),
}

/// Memory for one.
pub(crate) type KeySlot = Slot<Key, 896>;

/// The same expression for each of the types.
macro_rules! each {
    ($key:expr, $inner:ident => $body:expr) => {
        match $key {
            Key::Of512($inner) => $body,
            Key::Of1024($inner) => $body,
        }
    };
}

impl Object for Key {
    const TAG: u64 = u64::from_le_bytes(*b"hybrid k");

    fn extent(&self) -> usize {
        let end = each!(self, key => (&raw const *key).addr() + size_of_val(key));
        end - (&raw const *self).addr()
    }
}

impl Key {
    /// The key that a seed is. Each degree has a frame of its own, so that the smaller one takes less stack.
    fn from_seed(degree: c_uint, seed: &[u8; SEED_LENGTH]) -> Result<Self, Error> {
        match degree {
            512 => Self::of_512(seed),
            1024 => Self::of_1024(seed),
            _ => Err(Error::Unsupported),
        }
    }

    #[inline(never)]
    fn of_512(seed: &[u8; SEED_LENGTH]) -> Result<Self, Error> {
        SigningKey512::from_seed(seed)
            .map(Key::Of512)
            .map_err(status)
    }

    #[inline(never)]
    fn of_1024(seed: &[u8; SEED_LENGTH]) -> Result<Self, Error> {
        SigningKey1024::from_seed(seed)
            .map(Key::Of1024)
            .map_err(status)
    }

    pub(crate) fn logn(&self) -> u32 {
        each!(self, key => key.logn())
    }

    pub(crate) fn seed(&self) -> &[u8; SEED_LENGTH] {
        each!(self, key => key.seed())
    }

    /// Encodes the verifying key at the start of `out`; the length.
    fn encode_public(&self, out: &mut [u8]) -> Result<usize, Error> {
        let length = verifying_key_size(self.logn());
        let out = out.get_mut(..length).ok_or(Error::Buffer)?;
        each!(self, key => key.verifying_key().write_bytes(out)).map_err(status)?;
        Ok(length)
    }
}

/// `lanner_hybrid_key_from_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_key_from_seed(
    key: *mut KeySlot,
    degree: c_uint,
    seed: *const u8,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        KeySlot::put_from::<DEEP>(key, || {
            let mut copy = Zeroizing::new([0; SEED_LENGTH]);
            Key::from_seed(degree, secret(seed, &mut copy)?)
        })
    }
}

/// `lanner_hybrid_key_generate` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_key_generate(key: *mut KeySlot, degree: c_uint) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        KeySlot::put_from::<DEEP>(key, || {
            let mut seed = Zeroizing::new([0; SEED_LENGTH]);
            random::fill(&mut *seed)?;
            Key::from_seed(degree, &seed)
        })
    }
}

/// `lanner_hybrid_key_seed` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_key_seed(key: *const KeySlot, seed: *mut u8) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        write(seed, |out: &mut [u8; SEED_LENGTH]| {
            out.copy_from_slice(KeySlot::get(key)?.seed());
            Ok(())
        })
    }
}

/// `lanner_hybrid_key_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_key_public(
    key: *const KeySlot,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { hand_out::<MAX_PUBLIC>(out, length, |out| KeySlot::get(key)?.encode_public(out)) }
}

/// `lanner_hybrid_key_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_hybrid_key_clear(key: *mut KeySlot) {
    // SAFETY: the caller's promise.
    unsafe { KeySlot::clear(key) }
}
