//! Ed25519 of `lanner-ed25519`, with the exports of the small module.
#![cfg_attr(target_arch = "wasm32", no_std)]

#[cfg(target_arch = "wasm32")]
mod boundary;
