//! Verifying keys as objects.
#![allow(unsafe_code)]

use core::ffi::c_int;

use lanner_fn_dsa::{VerifyingKey512, VerifyingKey1024, draft2026, falcon};

use super::key::MAX_PUBLIC;
use super::{Variant, status};
use crate::boundary::{Object, Slot, bytes, hand_out};
use crate::status::Error;

/// A verifying key of any variant and either degree, in the layout of C ([`Object::extent`]).
#[repr(C)]
pub(crate) enum Public {
    Main512(VerifyingKey512),
    Main1024(VerifyingKey1024),
    Draft512(draft2026::VerifyingKey512),
    Draft1024(draft2026::VerifyingKey1024),
    Falcon512(falcon::VerifyingKey512),
    Falcon1024(falcon::VerifyingKey1024),
}

/// `lanner_fn_dsa_public` of `lanner.h`.
pub(crate) type PublicSlot = Slot<Public, 288>;

/// The same expression for each of the types.
macro_rules! each_public {
    ($key:expr, $inner:ident => $body:expr) => {
        match $key {
            $crate::fn_dsa::public::Public::Main512($inner) => $body,
            $crate::fn_dsa::public::Public::Main1024($inner) => $body,
            $crate::fn_dsa::public::Public::Draft512($inner) => $body,
            $crate::fn_dsa::public::Public::Draft1024($inner) => $body,
            $crate::fn_dsa::public::Public::Falcon512($inner) => $body,
            $crate::fn_dsa::public::Public::Falcon1024($inner) => $body,
        }
    };
}

/// The same expression, a result, for each type of FN-DSA; an error for those of Falcon.
macro_rules! each_fn_dsa_public {
    ($key:expr, $inner:ident => $body:expr) => {
        match $key {
            $crate::fn_dsa::public::Public::Main512($inner) => $body,
            $crate::fn_dsa::public::Public::Main1024($inner) => $body,
            $crate::fn_dsa::public::Public::Draft512($inner) => $body,
            $crate::fn_dsa::public::Public::Draft1024($inner) => $body,
            $crate::fn_dsa::public::Public::Falcon512(_)
            | $crate::fn_dsa::public::Public::Falcon1024(_) => Err(Error::Unsupported),
        }
    };
}
pub(super) use each_fn_dsa_public;

impl Object for Public {
    const TAG: u64 = u64::from_le_bytes(*b"FN-DSA p");

    fn extent(&self) -> usize {
        let end = each_public!(self, key => (&raw const *key).addr() + size_of_val(key));
        end - (&raw const *self).addr()
    }
}

impl Public {
    /// Decodes a key of either degree, as its first byte says.
    pub(super) fn from_bytes(variant: Variant, bytes: &[u8]) -> Result<Self, Error> {
        match variant {
            Variant::Main => VerifyingKey512::from_bytes(bytes)
                .map(Public::Main512)
                .or_else(|_| VerifyingKey1024::from_bytes(bytes).map(Public::Main1024)),
            Variant::Draft2026 => draft2026::VerifyingKey512::from_bytes(bytes)
                .map(Public::Draft512)
                .or_else(|_| draft2026::VerifyingKey1024::from_bytes(bytes).map(Public::Draft1024)),
            Variant::Falcon => falcon::VerifyingKey512::from_bytes(bytes)
                .map(Public::Falcon512)
                .or_else(|_| falcon::VerifyingKey1024::from_bytes(bytes).map(Public::Falcon1024)),
        }
        .map_err(|_| Error::Key)
    }

    pub(crate) fn variant(&self) -> Variant {
        match self {
            Public::Main512(_) | Public::Main1024(_) => Variant::Main,
            Public::Draft512(_) | Public::Draft1024(_) => Variant::Draft2026,
            Public::Falcon512(_) | Public::Falcon1024(_) => Variant::Falcon,
        }
    }

    pub(crate) fn logn(&self) -> u32 {
        each_public!(self, key => key.logn())
    }

    /// Encodes the key.
    pub(crate) fn write_bytes(&self, out: &mut [u8]) -> Result<(), Error> {
        each_public!(self, key => key.write_bytes(out)).map_err(status)
    }
}

/// `lanner_fn_dsa_public_from_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_from_bytes(
    public: *mut PublicSlot,
    variant: c_int,
    encoded: *const u8,
    encoded_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        PublicSlot::put(public, || {
            Public::from_bytes(Variant::of(variant)?, bytes(encoded, encoded_length)?)
        })
    }
}

/// `lanner_fn_dsa_public_to_bytes` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_to_bytes(
    public: *const PublicSlot,
    out: *mut u8,
    length: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe {
        hand_out::<MAX_PUBLIC>(out, length, |encoded| {
            let public = PublicSlot::get(public)?;
            let encoded = &mut encoded[..lanner_fn_dsa::vrfy_key_size(public.logn())];
            public.write_bytes(encoded)?;
            Ok(encoded.len())
        })
    }
}

/// `lanner_fn_dsa_public_clear` of `lanner.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn lanner_fn_dsa_public_clear(public: *mut PublicSlot) {
    // SAFETY: the caller's promise.
    unsafe { PublicSlot::clear(public) }
}
