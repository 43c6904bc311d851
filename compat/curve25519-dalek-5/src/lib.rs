//! The items of `curve25519-dalek` 5.0, which are those of [`lanner_curve`]: for `[patch.crates-io]`, so that programs
//! and libraries that ask for that version get this one.
//!
//! New programs use [`lanner_curve`] by its name.

#![no_std]

#[cfg(feature = "digest")]
#[doc(no_inline)]
pub use lanner_curve::digest;
#[cfg(feature = "rand_core")]
#[doc(no_inline)]
pub use lanner_curve::rand_core;
#[doc(no_inline)]
pub use lanner_curve::{
    EdwardsPoint, MontgomeryPoint, RistrettoPoint, Scalar, constants, edwards, montgomery,
    ristretto, scalar, traits,
};
