//! Hybrid signatures: the functions `lanner_hybrid_…` of `lanner.h`.

mod key;
mod sign;
mod verify;

#[cfg(feature = "key-files")]
pub(crate) use key::{Key, KeySlot};

use crate::status::Error;

/// What the library's error is in C.
fn status(error: lanner_hybrid::Error) -> Error {
    match error {
        lanner_hybrid::Error::Context => Error::Context,
        lanner_hybrid::Error::Signature => Error::Signature,
        lanner_hybrid::Error::Random => Error::Random,
        lanner_hybrid::Error::Fault => Error::Fault,
        _ => Error::Key,
    }
}
