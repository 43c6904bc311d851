//! FN-DSA and Falcon of `lanner-fn-dsa`.
#![cfg_attr(target_arch = "wasm32", no_std)]

#[cfg(target_arch = "wasm32")]
mod boundary;
