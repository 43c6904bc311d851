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

#[cfg(feature = "donna-names")]
pub(crate) use {
    batch::verdicts,
    profile::DROP_IN,
    sign::{public_of_seed, sign_with_seed},
};
#[cfg(feature = "key-files")]
pub(crate) use {key::Key, verify::public_key};
