//! Ed25519: the functions `lanner_ed25519_…` of `lanner.h`.

mod batch;
mod convert;
#[cfg(feature = "std")]
mod custom_hash;
mod expanded;
mod feed;
mod key;
mod prehash;
#[cfg(feature = "tables")]
mod prepared;
mod profile;
mod sign;
mod stream;
mod verify;
mod xeddsa;

use core::ops::RangeInclusive;

/// How many bytes a context of Ed25519ctx has (RFC 8032 section 5.1: it should not be empty).
const CONTEXT_LENGTHS: RangeInclusive<usize> = 1..=255;

#[cfg(feature = "donna-names")]
pub(crate) use {
    batch::verdicts,
    profile::DROP_IN,
    sign::{public_of_seed, sign_with_seed},
};
#[cfg(feature = "key-files")]
pub(crate) use {key::Key, verify::public_key};
