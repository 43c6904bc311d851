//! Signing and key agreement: Ed25519 and X25519.
//!
//! This crate only gathers: [`ed25519`] is the crate `lanner-ed25519`,
//! [`x25519`] the crate `lanner-x25519`, and their documentation is there. A
//! program that needs one of them can as well depend on that one.
//!
//! # A first program
//!
#![cfg_attr(
    all(feature = "ed25519", feature = "x25519", feature = "getrandom"),
    doc = "```"
)]
#![cfg_attr(
    not(all(feature = "ed25519", feature = "x25519", feature = "getrandom")),
    doc = "```ignore"
)]
//! use lanner::ed25519::{Signer, SigningKey};
//! use lanner::x25519::{EphemeralSecret, PublicKey};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Ed25519: make a key, sign, verify.
//! let signing_key = SigningKey::generate_from_os()?;
//! let signature = signing_key.sign(b"a message");
//! let verifying_key = signing_key.verifying_key();
//! verifying_key.verify_strict(b"a message", &signature)?;
//! assert!(verifying_key.verify_strict(b"another one", &signature).is_err());
//!
//! // X25519: two parties agree on a secret by exchanging public keys.
//! let (alice, bob) = (EphemeralSecret::random(), EphemeralSecret::random());
//! let (alice_public, bob_public) = (PublicKey::from(&alice), PublicKey::from(&bob));
//! let alice_shared = alice.diffie_hellman_checked(&bob_public)?;
//! let bob_shared = bob.diffie_hellman_checked(&alice_public)?;
//! assert_eq!(alice_shared.as_bytes(), bob_shared.as_bytes());
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! `ed25519` and `x25519` (both default) choose the schemes. The others go to
//! the schemes that are chosen: `tables` and `getrandom` (default), `alloc`,
//! `batch`, `digest`, `hazmat`, `pem`, `pkcs8`, `rand_core`, `rayon`, `serde`.
//! `getrandom` has no effect on WebAssembly, where randomness comes from the
//! caller.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "ed25519")]
#[doc(inline)]
pub use lanner_ed25519 as ed25519;
#[cfg(feature = "x25519")]
#[doc(inline)]
pub use lanner_x25519 as x25519;
