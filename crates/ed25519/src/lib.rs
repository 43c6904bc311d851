//! Ed25519 signatures as specified by [RFC 8032], with the items, names and
//! features of `ed25519-dalek` 3, so that
//!
//! ```toml
//! ed25519-dalek = { package = "lanner-ed25519", version = "0.1" }
//! ```
//!
//! in a manifest is all that a program written for that crate needs.
//!
//! # Sign and verify
//!
#![cfg_attr(feature = "getrandom", doc = "```")]
#![cfg_attr(not(feature = "getrandom"), doc = "```ignore")]
//! use lanner_ed25519::{Signature, Signer, SigningKey};
//!
//! // Feature `getrandom`. With feature `rand_core`, any generator of that
//! // crate serves as well: `SigningKey::generate(&mut rng)`.
//! let signing_key = SigningKey::generate_from_os()?;
//! let signature: Signature = signing_key.sign(b"the falcon has landed");
//!
//! let verifying_key = signing_key.verifying_key();
//! assert!(verifying_key.verify_strict(b"the falcon has landed", &signature).is_ok());
//! assert!(verifying_key.verify_strict(b"the eagle has landed", &signature).is_err());
//! # Ok::<(), lanner_ed25519::NoRandomness>(())
//! ```
//!
//! Keys and signatures are byte arrays where they cross a boundary: 32 bytes
//! for a seed ([`SecretKey`]) and for a public key, 64 for a signature.
//!
//! ```
//! use lanner_ed25519::{Signer, SigningKey, VerifyingKey};
//!
//! let signing_key = SigningKey::from_bytes(&[7; 32]);
//! let signature = signing_key.sign(b"message").to_bytes();
//!
//! let public = signing_key.verifying_key().to_bytes();
//! let verifying_key = VerifyingKey::from_bytes(&public)?;
//! verifying_key.verify_strict(b"message", &signature.into())?;
//! # Ok::<(), lanner_ed25519::SignatureError>(())
//! ```
//!
//! # Who accepts what
//!
//! RFC 8032 leaves room for interpretation, and libraries fill it
//! differently. Here each rule has a name, is a type in [`profile`], and never
//! changes. [`Verifier::verify`] follows [`profile::Dalek`] for the sake of
//! existing programs; **new programs should use
//! [`VerifyingKey::verify_strict`]** ([`profile::Strict`]), which also refuses
//! the weak keys under which one signature is valid for many messages.
//! [`VerifyingKey::under`] takes any profile, and verifies under it in every form.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `fast` (default) | tables of base-point multiples, about 60 KB; `PreparedVerifyingKey` |
//! | `zeroize` (default) | nothing: secrets are wiped in any case |
//! | `alloc` | `alloc` in this crate and in those it re-exports |
//! | `batch` | `verify_batch` and more of the module [`batch`]; implies `alloc` and `rand_core` |
//! | `digest` | Ed25519ph, `Context`, the `Digest…` traits of `signature` |
//! | `fiat` | the formally verified arithmetic of fiat-crypto, as further [`backend`]s |
//! | `getrandom` | `OsRng`, `SigningKey::generate_from_os`; nothing on WebAssembly without WASI, where randomness comes from the caller |
//! | `hazmat` | the module `hazmat` (raw signing, key blinding), `verify_stream` |
//! | `legacy_compatibility` | the S check of the drop-in names becomes that of [`profile::Donna`]; named profiles stay as they are |
//! | `pkcs8`, `pem` | key files; `pem` implies `alloc` |
//! | `rand_core` | `SigningKey::generate`, hedged signing |
//! | `rayon` | batches over several threads; implies `batch` and needs the standard library |
//! | `serde` | `Serialize`, `Deserialize`, and the module `serde_compat` |
//! | `simd128` | on wasm32, vectors of 128 bits without a compiler flag |
//! | `unstable-profiles` | profiles whose specification still moves |
//! | `xeddsa` | the module `xeddsa`: signatures by the keys of X25519, as Signal specifies them |
//! | `std`, `asm`, `nightly`, `batch_deterministic` | accepted from older manifests: `alloc`, nothing, nothing, `batch` |
//!
//! # Secrets
//!
//! Signing runs in constant time; verification does not and need not, since
//! everything it sees is public. Secret keys and intermediate secrets are
//! overwritten when dropped, whatever the features, and each operation on them
//! overwrites the stack that it used; `Debug` never shows them;
//! comparing them takes constant time. Outside the `hazmat` module nothing
//! signs under a public key that was not derived from the secret, because
//! signatures under two public keys reveal the secret.
//!
//! [RFC 8032]: https://www.rfc-editor.org/rfc/rfc8032

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

/// Which instructions do the work: [`force`](backend::force) selects them by hand.
pub mod backend {
    #[doc(no_inline)]
    pub use lanner_simd::backend::{Backend, Unavailable, active, force, list};
}
pub mod batch;
mod checked;
mod constants;
#[cfg(feature = "digest")]
mod context;
mod depth;
mod diagnosis;
mod domain;
mod encoding;
mod equation;
mod errors;
mod expanded;
#[cfg(feature = "hazmat")]
pub mod hazmat;
#[cfg(feature = "rand_core")]
mod hedged;
#[cfg(feature = "pkcs8")]
mod key_info;
mod many;
#[cfg(feature = "digest")]
mod prehash;
#[cfg(feature = "fast")]
mod prepared;
pub mod profile;
#[cfg(feature = "serde")]
pub mod serde_compat;
#[cfg(feature = "serde")]
mod serde_impl;
mod sha512;
mod sign_stream;
mod signing;
mod stream;
mod under;
mod verify;
mod verifying;
#[cfg(feature = "xeddsa")]
pub mod xeddsa;

pub use ed25519;
#[cfg(feature = "pkcs8")]
pub use ed25519::pkcs8;
#[cfg(feature = "rand_core")]
pub use rand_core;

pub use ed25519::Signature;
pub use ed25519::signature::{Signer, Verifier};
#[cfg(any(feature = "digest", feature = "batch"))]
pub use sha2::Digest;
#[cfg(feature = "digest")]
pub use sha2::Sha512;
#[cfg(feature = "digest")]
pub use signature::{DigestSigner, DigestVerifier};

#[cfg(feature = "batch")]
pub use batch::verify_batch;
pub use constants::{
    EXPANDED_SECRET_KEY_LENGTH, KEYPAIR_LENGTH, PUBLIC_KEY_LENGTH, SECRET_KEY_LENGTH,
    SIGNATURE_LENGTH,
};
#[cfg(feature = "digest")]
pub use context::Context;
pub use diagnosis::{Reason, diagnose};
pub use errors::SignatureError;
#[cfg(feature = "pkcs8")]
pub use key_info::PrivateKeyError;
#[cfg(all(
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
pub use lanner_simd::{NoRandomness, OsRng};
#[cfg(feature = "fast")]
pub use prepared::PreparedVerifyingKey;
pub use sign_stream::{MessageSink, SignStreamError};
pub use signing::{SecretKey, SigningKey};
pub use stream::StreamVerifier;
pub use under::{ProfileVerifier, PublicKey};
pub use verifying::VerifyingKey;

/// The program of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
