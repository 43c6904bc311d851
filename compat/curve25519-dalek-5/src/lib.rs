//! The items of `curve25519-dalek` 5.0, which are those of [`lanner_curve`]: for `[patch.crates-io]`, so that programs
//! and libraries that ask for that version get this one.
//!
//! New programs use [`lanner_curve`] by its name.

#![no_std]

#[cfg(feature = "digest")]
pub use digest;
#[cfg(feature = "rand_core")]
pub use rand_core;

#[doc(no_inline)]
pub use lanner_curve::{
    EdwardsPoint, MontgomeryPoint, Scalar, constants, edwards, montgomery, scalar, traits,
};
