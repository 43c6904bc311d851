//! X25519 key agreement as specified by [RFC 7748], with the items, names and
//! features of `x25519-dalek` 3, so that
//!
//! ```toml
//! x25519-dalek = { package = "lanner-x25519", version = "0.1" }
//! ```
//!
//! in a manifest is all that a program written for that crate needs.
//!
//! # Agree on a secret
//!
//! Each party makes a secret key, sends the public key that belongs to it, and
//! combines its own secret with the other's public key. Both get the same 32
//! bytes, which belong into a key derivation function, together with both
//! public keys, and not into a cipher directly.
//!
#![cfg_attr(feature = "getrandom", doc = "```")]
#![cfg_attr(not(feature = "getrandom"), doc = "```ignore")]
//! use lanner_x25519::{EphemeralSecret, NonContributory, PublicKey};
//!
//! let alice_secret = EphemeralSecret::random();
//! let alice_public = PublicKey::from(&alice_secret);
//! let bob_secret = EphemeralSecret::random();
//! let bob_public = PublicKey::from(&bob_secret);
//!
//! let alice_shared = alice_secret.diffie_hellman_checked(&bob_public)?;
//! let bob_shared = bob_secret.diffie_hellman_checked(&alice_public)?;
//! assert_eq!(alice_shared.as_bytes(), bob_shared.as_bytes());
//! # Ok::<(), NonContributory>(())
//! ```
//!
//! # The all-zero result
//!
//! A public key of small order makes the result all zero, whatever the secret.
//! Some protocols must refuse that (RFC 9180, TLS 1.3, the Noise patterns that
//! rely on it), and the functions named `…_checked` do: **prefer them**.
//! `diffie_hellman` and [`x25519`] keep the incumbent's behaviour and leave the
//! check to [`SharedSecret::was_contributory`].
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `precomputed-tables` (default) | tables of base-point multiples |
//! | `zeroize` (default) | nothing: secrets are wiped in any case |
//! | `fiat` | the formally verified arithmetic of fiat-crypto, as further [`backend`]s |
//! | `getrandom` | `OsRng`, and `random()` on the secret keys; nothing on WebAssembly without WASI, where randomness comes from the caller |
//! | `static_secrets` | `StaticSecret`, which can be stored |
//! | `reusable_secrets` | `ReusableSecret`, which can be used twice but not stored |
//! | `serde` | `Serialize`, `Deserialize` for `PublicKey` and `StaticSecret` |
//! | `simd128` | on wasm32, vectors of 128 bits without a compiler flag |
//! | `pkcs8`, `pem` | key files; `pkcs8` implies `static_secrets`, `pem` implies `alloc` |
//! | `alloc`, `std` | encoding key files |
//!
//! # Secrets
//!
//! Everything here runs in constant time in secrets and public keys alike.
//! Secret keys and shared secrets are overwritten when dropped, whatever the
//! features, and each operation on them overwrites the stack that it used;
//! `Debug` never shows them. The array that [`x25519`] returns is the caller's
//! to wipe.
//!
//! [RFC 7748]: https://www.rfc-editor.org/rfc/rfc7748

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "pem")]
extern crate alloc;

/// Which instructions do the work: [`force`](backend::force) selects them by hand.
pub mod backend {
    #[doc(no_inline)]
    pub use lanner_simd::backend::{Backend, Unavailable, active, force, list};
}
mod checked;
#[cfg(feature = "pkcs8")]
mod key_info;
mod public;
mod secret;
#[cfg(feature = "serde")]
mod serde_impl;
mod shared;
mod x25519;

#[cfg(feature = "pkcs8")]
pub use pkcs8;
pub use rand_core;

pub use checked::{NonContributory, x25519_checked};
#[cfg(all(
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
pub use lanner_simd::{NoRandomness, OsRng};
pub use public::PublicKey;
pub use secret::EphemeralSecret;
#[cfg(feature = "reusable_secrets")]
pub use secret::ReusableSecret;
#[cfg(feature = "static_secrets")]
pub use secret::StaticSecret;
pub use shared::SharedSecret;
pub use x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_base_each, x25519_each};

/// The program of the README.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;
