//! The items of `ed25519-dalek` 3.0, served by [`lanner_ed25519`]: for `[patch.crates-io]`, so that programs and
//! libraries that ask for that version get this one.
//!
//! Keys and signatures are the same bytes, key files too, and what is accepted and refused is the same, with one
//! exception: [`verify_batch`] gives the verdict of [`Verifier::verify`] for each signature, always, where the batch of
//! the original accepts some that it refuses and refuses some that it accepts. `Debug` of keys has another form.
//! Secrets are wiped without the feature `zeroize` too, and so is the stack that the operations on them used.
//!
//! Beside `lanner_ed25519`, which has this interface too, keys have what was left out there on purpose and what programs
//! may count on: `VerifyingKey::default`, key files of version 2. New programs use [`lanner_ed25519`] by its name.
#![cfg_attr(
    not(feature = "batch"),
    doc = "\n[`verify_batch`]: https://docs.rs/ed25519-dalek/3/ed25519_dalek/"
)]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(any(feature = "digest", feature = "hazmat"))]
#[path = "../../common/ed25519/adapter.rs"]
mod adapter;
#[cfg(feature = "batch")]
#[path = "../../common/ed25519/batch.rs"]
mod batch;
#[cfg(feature = "digest")]
#[path = "../../common/ed25519/context.rs"]
mod context;
#[cfg(feature = "digest")]
mod digests;
mod ecosystem;
#[path = "../../common/ed25519/errors.rs"]
mod errors;
#[cfg_attr(not(feature = "hazmat"), allow(dead_code, unreachable_pub))]
#[path = "../../common/ed25519/expanded.rs"]
mod expanded;
#[cfg(feature = "hazmat")]
#[path = "../../common/ed25519/hazmat.rs"]
pub mod hazmat;
#[cfg(feature = "pkcs8")]
#[path = "../../common/ed25519/key_info.rs"]
mod key_info;
#[cfg(feature = "serde")]
#[path = "../../common/ed25519/serde_impl.rs"]
mod serde_impl;
#[path = "../../common/ed25519/signing.rs"]
mod signing;
#[path = "../../common/ed25519/verifying.rs"]
mod verifying;

pub use ed25519;
#[cfg(feature = "pkcs8")]
pub use ed25519::pkcs8;
#[cfg(feature = "rand_core")]
pub use rand_core;

#[cfg(feature = "batch")]
pub use batch::verify_batch;
#[cfg(feature = "digest")]
pub use context::Context;
#[cfg(any(feature = "batch", feature = "digest"))]
pub use curve25519_dalek::digest::Digest;
pub use ed25519::Signature;
#[cfg(feature = "digest")]
pub use ed25519::signature::{DigestSigner, DigestVerifier};
pub use ed25519::signature::{Signer, Verifier};
pub use lanner_ed25519::{
    EXPANDED_SECRET_KEY_LENGTH, KEYPAIR_LENGTH, PUBLIC_KEY_LENGTH, SECRET_KEY_LENGTH,
    SIGNATURE_LENGTH,
};
#[cfg(feature = "digest")]
pub use sha2::Sha512;
pub use signing::{SecretKey, SigningKey};
#[cfg(feature = "hazmat")]
pub use verifying::StreamVerifier;
pub use verifying::VerifyingKey;

/// What fails: opaque, with a source that says why where the feature `alloc` is on.
pub type SignatureError = ed25519::signature::Error;
