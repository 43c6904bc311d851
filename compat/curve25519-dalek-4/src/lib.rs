//! The items of `curve25519-dalek` 4.1, served by [`lanner_curve`]: for `[patch.crates-io]`, so that programs and
//! libraries that ask for that version get this one.
//!
//! There is no arithmetic here. Each type holds its counterpart of [`lanner_curve`], converts from and to it with
//! `From`, and carries the traits of the time: digest 0.10, rand_core 0.6, group 0.13, ff 0.13. They are types of this
//! package because nobody else may implement those traits for foreign ones.
//!
//! Results are the same bytes, and what is decoded and refused is the same; unreduced scalars
//! ([`Scalar::from_bits`](scalar::Scalar::from_bits)) act on points as the integers that they are. `Debug` of a scalar
//! shows nothing, since scalars are often secret, and that of a point its encoding.
//!
//! New programs use [`lanner_curve`] by its name.

#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "digest")]
pub use digest;

#[macro_use]
mod operators;

pub mod constants;
pub mod edwards;
pub mod montgomery;
pub mod ristretto;
#[cfg(feature = "precomputed-tables")]
mod room;
pub mod scalar;
#[cfg(feature = "serde")]
mod serialize;
pub mod traits;

pub use edwards::EdwardsPoint;
pub use montgomery::MontgomeryPoint;
pub use ristretto::RistrettoPoint;
pub use scalar::Scalar;
