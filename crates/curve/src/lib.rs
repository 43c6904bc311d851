//! The arithmetic of Curve25519 in both its shapes: the twisted Edwards curve of
//! Ed25519 ([`edwards`]) and the Montgomery curve of X25519 ([`montgomery`]), with
//! the integers modulo the order of their large subgroup ([`scalar`]), and the group
//! Ristretto255 of that order ([`ristretto`]).
//!
//! The names are those of `curve25519-dalek`, so that
//! `curve25519-dalek = { package = "lanner-curve", … }` serves programs that use
//! it. Programs that sign or agree on keys want the
//! schemes instead: `lanner-ed25519` and `lanner-x25519`.
//!
//! ```
//! use lanner_curve::{constants::ED25519_BASEPOINT_POINT, edwards::EdwardsPoint, scalar::Scalar};
//!
//! let (a, b) = (Scalar::from(6u64), Scalar::from(7u64));
//! assert_eq!(EdwardsPoint::mul_base(&(a * b)), ED25519_BASEPOINT_POINT * a * b);
//! ```
//!
//! # Constant time
//!
//! Everything runs in constant time in its arguments unless its name begins with
//! `vartime_` or its documentation says otherwise.
//!
//! # Secrets in memory
//!
//! Multiplications of points, and sums of many in constant time, overwrite the stack that they used. Scalars and points
//! are plain values, which are copied as the program likes, and the smaller operations
//! (sums, encodings and decodings of points, hashing to them; sums, products, inverses and hashes of scalars) wipe nothing: a
//! protocol that is made of them runs in `lanner_simd::stack::cleared`, and wipes its
//! values by `zeroize`.
//!
//! # Features
//!
//! * `alloc` (default): functions that return or need vectors.
//! * `precomputed-tables` (default): tables of multiples of the base point, about
//!   60 kB, for fast signing and key generation.
//! * `fiat`: two further [`backend`]s, formally verified.
//! * `legacy_compatibility`: scalars that are not reduced.
//! * `digest`: hashing to scalars, to Ristretto255, and to the curves (RFC 9380).
//! * `group`: the traits of `group` and `ff`.
//! * `lizard`: 16 bytes in an element of Ristretto255, and the inverse of its map.
//! * `rand_core`, `serde`: traits of those crates.
//! * `simd128`: on wasm32, vectors of 128 bits without a compiler flag; elsewhere it means nothing.
//! * `zeroize`: accepted and without effect; secrets can always be wiped.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(test)]
mod adversary;
mod bytes;
mod ct;
mod field;
#[cfg(feature = "digest")]
mod hash_to_curve;
mod operators;
mod safegcd;
#[cfg(feature = "serde")]
mod serialize;
mod tables;

pub mod backend;
pub mod constants;
pub mod edwards;
pub mod hazmat;
pub mod montgomery;
pub mod ristretto;
pub mod scalar;
pub mod traits;

#[cfg(feature = "digest")]
pub use digest;
pub use edwards::EdwardsPoint;
pub use montgomery::MontgomeryPoint;
#[cfg(feature = "rand_core")]
pub use rand_core;
pub use ristretto::RistrettoPoint;
pub use scalar::Scalar;

/// The program of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
