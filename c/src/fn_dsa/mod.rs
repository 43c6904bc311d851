//! FN-DSA and Falcon: the functions `lanner_fn_dsa_…` and `lanner_falcon_…` of `lanner.h`.

mod any;
mod falcon;
mod hash;
mod key;
mod keygen;
mod public;
mod sign;
mod stream;
mod verify;

#[cfg(feature = "key-files")]
pub(crate) use any::{Key, KeySlot, MAX_PUBLIC, MAX_SECRET, Public, PublicSlot};

use crate::status::Error;

/// What the library's error is in C.
pub(crate) fn status(error: lanner_fn_dsa::Error) -> Error {
    match error {
        lanner_fn_dsa::Error::Degree => Error::Unsupported,
        lanner_fn_dsa::Error::Length => Error::Length,
        lanner_fn_dsa::Error::Context => Error::Context,
        lanner_fn_dsa::Error::Signature => Error::Signature,
        lanner_fn_dsa::Error::Random => Error::Random,
        lanner_fn_dsa::Error::Fault => Error::Fault,
        // `Attempts` as well: such a key comes from no key generator.
        _ => Error::Key,
    }
}

/// `enum lanner_fn_dsa_variant` of `lanner.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Main,
    Draft2026,
    Falcon,
}

impl Variant {
    fn of(number: core::ffi::c_int) -> Result<Self, Error> {
        match number {
            0 => Ok(Variant::Main),
            1 => Ok(Variant::Draft2026),
            2 => Ok(Variant::Falcon),
            _ => Err(Error::Unsupported),
        }
    }

    /// The bytes of a signing key.
    fn secret_size(self, logn: u32) -> usize {
        match self {
            Variant::Main | Variant::Falcon => lanner_fn_dsa::sign_key_size(logn),
            Variant::Draft2026 => lanner_fn_dsa::draft2026::sign_key_size(logn),
        }
    }
}

/// The logarithm of a degree that keys may have.
fn logn(degree: core::ffi::c_uint) -> Result<u32, Error> {
    match degree {
        512 => Ok(lanner_fn_dsa::FN_DSA_LOGN_512),
        1024 => Ok(lanner_fn_dsa::FN_DSA_LOGN_1024),
        _ => Err(Error::Unsupported),
    }
}
