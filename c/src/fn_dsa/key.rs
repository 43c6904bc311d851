//! Signing keys as objects.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_fn_dsa::{SigningKey512, SigningKey1024, draft2026, falcon};
use zeroize::Zeroizing;

use super::{Variant, status};
use crate::boundary::{self, Object, Slot, hand_out};
use crate::status::Error;

/// A signing key of any variant and either degree. In the layout of C, so that the tag stands before the key
/// ([`Object::extent`]).
#[repr(C)]
pub(crate) enum Key {
    Main512(SigningKey512),
    Main1024(SigningKey1024),
    Draft512(draft2026::SigningKey512),
    Draft1024(draft2026::SigningKey1024),
    Falcon512(falcon::SigningKey512),
    Falcon1024(falcon::SigningKey1024),
}

/// `lanner_fn_dsa_key` of `lanner.h`.
pub(crate) type KeySlot = Slot<Key, 800>;

/// The same expression for each of the types.
macro_rules! each_key {
    ($key:expr, $inner:ident => $body:expr) => {
        match $key {
            $crate::fn_dsa::key::Key::Main512($inner) => $body,
            $crate::fn_dsa::key::Key::Main1024($inner) => $body,
            $crate::fn_dsa::key::Key::Draft512($inner) => $body,
            $crate::fn_dsa::key::Key::Draft1024($inner) => $body,
            $crate::fn_dsa::key::Key::Falcon512($inner) => $body,
            $crate::fn_dsa::key::Key::Falcon1024($inner) => $body,
        }
    };
}

/// The same expression, a result, for each type of FN-DSA; an error for those of Falcon.
macro_rules! each_fn_dsa_key {
    ($key:expr, $inner:ident => $body:expr) => {
        match $key {
            $crate::fn_dsa::key::Key::Main512($inner) => $body,
            $crate::fn_dsa::key::Key::Main1024($inner) => $body,
            $crate::fn_dsa::key::Key::Draft512($inner) => $body,
            $crate::fn_dsa::key::Key::Draft1024($inner) => $body,
            $crate::fn_dsa::key::Key::Falcon512(_) | $crate::fn_dsa::key::Key::Falcon1024(_) => {
                Err(Error::Unsupported)
            }
        }
    };
}
pub(super) use each_fn_dsa_key;

impl Object for Key {
    const TAG: u64 = u64::from_le_bytes(*b"FN-DSA k");

    fn extent(&self) -> usize {
        let end = each_key!(self, key => (&raw const *key).addr() + size_of_val(key));
        end - (&raw const *self).addr()
    }
}

/// The longest encodings.
pub(crate) const MAX_SECRET: usize = draft2026::sign_key_size(10);
pub(crate) const MAX_PUBLIC: usize = lanner_fn_dsa::vrfy_key_size(10);

impl Key {
    /// Decodes a key of either degree, as its first byte says.
    pub(super) fn from_bytes(variant: Variant, bytes: &[u8]) -> Result<Self, Error> {
        // Each type refuses the other degree without a look at the rest.
        match variant {
            Variant::Main => SigningKey512::from_bytes(bytes)
                .map(Key::Main512)
                .or_else(|_| SigningKey1024::from_bytes(bytes).map(Key::Main1024)),
            Variant::Draft2026 => draft2026::SigningKey512::from_bytes(bytes)
                .map(Key::Draft512)
                .or_else(|_| draft2026::SigningKey1024::from_bytes(bytes).map(Key::Draft1024)),
            Variant::Falcon => falcon::SigningKey512::from_bytes(bytes)
                .map(Key::Falcon512)
                .or_else(|_| falcon::SigningKey1024::from_bytes(bytes).map(Key::Falcon1024)),
        }
        .map_err(|_| Error::Key)
    }

    pub(crate) fn variant(&self) -> Variant {
        match self {
            Key::Main512(_) | Key::Main1024(_) => Variant::Main,
            Key::Draft512(_) | Key::Draft1024(_) => Variant::Draft2026,
            Key::Falcon512(_) | Key::Falcon1024(_) => Variant::Falcon,
        }
    }

    pub(crate) fn logn(&self) -> u32 {
        each_key!(self, key => key.logn())
    }

    pub(crate) fn secret_size(&self) -> usize {
        self.variant().secret_size(self.logn())
    }

    /// Encodes the key itself.
    pub(crate) fn write_secret(&self, out: &mut [u8]) -> Result<(), Error> {
        each_key!(self, key => key.write_bytes(out)).map_err(status)
    }

    /// Encodes the verifying key that belongs to it.
    pub(crate) fn write_public(&self, out: &mut [u8]) -> Result<(), Error> {
        each_key!(self, key => key.verifying_key().write_bytes(out)).map_err(status)
    }
}

/// `lanner_fn_dsa_key_from_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_from_bytes(
    key: *mut KeySlot,
    variant: c_int,
    secret: *const u8,
    secret_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        KeySlot::put(key, || {
            let variant = Variant::of(variant)?;
            // A copy, so that what is checked is what is kept.
            let mut copy = Zeroizing::new([0; MAX_SECRET]);
            let copy = copy.get_mut(..secret_length).ok_or(Error::Key)?;
            boundary::copy(secret, copy)?;
            Key::from_bytes(variant, copy)
        })
    }
}

/// `lanner_fn_dsa_key_secret` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_secret(
    key: *const KeySlot,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<MAX_SECRET>(out, length, |encoded| {
            let key = KeySlot::get(key)?;
            let encoded = &mut encoded[..key.secret_size()];
            key.write_secret(encoded)?;
            Ok(encoded.len())
        })
    }
}

/// `lanner_fn_dsa_key_public` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_public(
    key: *const KeySlot,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<MAX_PUBLIC>(out, length, |encoded| {
            let key = KeySlot::get(key)?;
            let encoded = &mut encoded[..lanner_fn_dsa::vrfy_key_size(key.logn())];
            key.write_public(encoded)?;
            Ok(encoded.len())
        })
    }
}

/// `lanner_fn_dsa_key_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_key_clear(key: *mut KeySlot) {
    // SAFETY: the caller's promise.
    unsafe { KeySlot::clear(key) }
}
