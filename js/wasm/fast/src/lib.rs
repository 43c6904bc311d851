//! Ed25519 for the npm package, written for speed.
//!
//! `lanner-ed25519` with all its tables and paths is six times as large, and waits for its engine that
//! much longer before the first signature. Here there is one path for everything: a point is four
//! lanes of one vector type, and tables are made when they are first needed. The tests compare every part with
//! `lanner-curve`.
#![cfg_attr(all(target_arch = "wasm32", not(test)), no_std)]
// On other targets there are only the tests.
#![cfg_attr(any(not(target_arch = "wasm32"), test), allow(dead_code))]

mod batch;
mod chain;
mod characters;
mod engine;
mod field;
mod half_size;
mod hash;
mod linear;
mod multiply;
mod point;
mod product;

// For the fuzzers in `fuzz/`, which compare this arithmetic with the libraries'.
#[doc(hidden)]
pub use engine::Engine;

// A program of tests has the standard library's own way to panic.
#[cfg(all(target_arch = "wasm32", not(test)))]
mod boundary;
#[cfg(test)]
mod tests;
