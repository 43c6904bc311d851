//! Ed25519 for the npm package, written for size; [`lanner-ed25519`] is the same scheme written
//! for speed.
#![cfg_attr(target_arch = "wasm32", no_std)]
// On other targets there are only the tests.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

mod field;
mod limbs;
#[cfg(feature = "x25519")]
mod montgomery;
mod point;
mod scalar;
mod scheme;
mod sha512;

#[cfg(target_arch = "wasm32")]
mod boundary;
#[cfg(test)]
mod tests;
