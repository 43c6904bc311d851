//! Ed25519 for the npm package, written for size.
//!
//! `lanner-ed25519` is the same scheme written for speed: compiled for size and without tables it
//! still is several times as large as a page may be asked to load. So this crate has an arithmetic
//! of its own, chosen for how few octets its code takes after compression: four field elements
//! side by side, which are the coordinates of one point, one multiplication for all of them, and
//! formulas as tables of small numbers. The vectors and the other faces of the library are its
//! tests.
#![cfg_attr(all(target_arch = "wasm32", not(test)), no_std)]
// On other targets there are only the tests.
#![cfg_attr(any(not(target_arch = "wasm32"), test), allow(dead_code))]
// Formulas are written with the indices that the papers have.
#![allow(clippy::needless_range_loop)]

mod engine;
mod field;
#[cfg(feature = "x25519")]
mod montgomery;
mod point;
mod sha512;

// For the fuzzers in `fuzz/`, which compare this arithmetic with the libraries'.
#[doc(hidden)]
pub use engine::Engine;

// A program of tests has the standard library's own way to panic.
#[cfg(all(target_arch = "wasm32", not(test)))]
mod boundary;
#[cfg(test)]
mod tests;
