//! The items of `x25519-dalek` 3.0, which are those of [`lanner_x25519`]: for `[patch.crates-io]`, so that programs and
//! libraries that ask for that version get this one.
//!
//! New programs use [`lanner_x25519`] by its name.

#![no_std]

#[cfg(feature = "reusable_secrets")]
#[doc(no_inline)]
pub use lanner_x25519::ReusableSecret;
#[cfg(feature = "static_secrets")]
#[doc(no_inline)]
pub use lanner_x25519::StaticSecret;
#[doc(no_inline)]
pub use lanner_x25519::{
    EphemeralSecret, PublicKey, SharedSecret, X25519_BASEPOINT_BYTES, rand_core, x25519,
};
