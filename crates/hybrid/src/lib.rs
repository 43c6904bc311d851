//! Hybrid signatures: one of Ed25519 and one of FN-DSA, over the same data, **both of which must be valid**. A forger
//! has to break both schemes.
//!
//! **Experimental.** FN-DSA is no standard yet, and what is here is one of its guessed variants (fn-dsa 0.3, the
//! *main* variant of `lanner-fn-dsa`), whose name is in what is signed. When the standard is there it gets labels, identifiers
//! and names of its own; these will not change their meaning. The specification, with test vectors and that rule in
//! full, is `docs/hybrid.md` in the repository.
//!
#![cfg_attr(all(feature = "getrandom", feature = "sign"), doc = "```")]
#![cfg_attr(not(all(feature = "getrandom", feature = "sign")), doc = "```ignore")]
//! // Feature `getrandom`. Any generator of rand_core 0.10 serves as well.
//! use lanner_hybrid::{OsRng, SigningKey512, VerifyingKey512};
//!
//! let signing_key = SigningKey512::generate(&mut OsRng)?;
//! let mut signature = [0; 730];
//! signing_key.sign_bytes(&mut OsRng, b"", b"message", &mut signature)?;
//!
//! let mut public = [0; 929];
//! signing_key.verifying_key().write_bytes(&mut public)?;
//! let verifying_key = VerifyingKey512::from_bytes(&public)?;
//! verifying_key.verify(&signature, b"", b"message")?;
//! assert!(verifying_key.verify(&signature, b"", b"another one").is_err());
//! assert!(verifying_key.verify(&signature, b"another context", b"message").is_err());
//! # Ok::<(), lanner_hybrid::Error>(())
//! ```
//!
//! # What is signed
//!
//! Neither half signs the message or its hash. Both sign the *representative*: a prefix of this construction, a label that names
//! algorithms and variant, the hash of the whole verifying key, the context, and the SHA-512 of the message. So no half is a
//! signature of the message elsewhere, and none can be moved to another hybrid key. FN-DSA has the label as its
//! context as well, and Ed25519 is verified by the strict rule.
//!
//! # Keys
//!
//! A signing key is a seed of 32 bytes, from which the keys of both halves are derived. There is no way to take these out: a
//! half that signs alone as well would undo what the hybrid is for.
//!
//! # Features
//!
//! `fast` (default): tables for Ed25519. `sign` (default): key generation and signing. `getrandom`: `OsRng`, and keys from
//! the generator of the operating system. `pkcs8`, `pem`: key files. `alloc`.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod errors;
#[cfg(feature = "pkcs8")]
mod key_info;
mod representative;
#[cfg(feature = "sign")]
mod signing;
mod verifying;

pub use errors::Error;
#[cfg(feature = "pkcs8")]
pub use key_info::{HYBRID_512_OID, HYBRID_1024_OID};
#[cfg(feature = "sign")]
pub use lanner_fn_dsa::SigningSpace;
pub use lanner_fn_dsa::{FN_DSA_LOGN_512 as LOGN_512, FN_DSA_LOGN_1024 as LOGN_1024};
#[cfg(all(
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
pub use lanner_simd::OsRng;
#[cfg(feature = "pkcs8")]
pub use pkcs8;
pub use rand_core;
use representative::checked;
pub use representative::{PREFIX, label, name};
#[cfg(feature = "sign")]
pub use signing::{SigningKey512, SigningKey1024, SigningKeyOf, SigningKeyStandard};
pub use verifying::{
    StreamVerifier, VerifyingKey512, VerifyingKey1024, VerifyingKeyOf, VerifyingKeyStandard,
};

#[cfg(not(feature = "fast"))]
pub(crate) use lanner_hash::sha512::Compact as Sha512;
#[cfg(feature = "fast")]
pub(crate) use sha2::Sha512;

/// Bytes of the seed that a signing key is.
pub const SEED_LENGTH: usize = 32;

/// Bytes of the SHA-512 of a message.
pub const DIGEST_LENGTH: usize = 64;

/// Bytes of a context at most.
pub const MAX_CONTEXT_LENGTH: usize = 255;

/// Bytes of a verifying key with FN-DSA of degree 2^`logn`: 929 or 1825. The key of Ed25519 comes first.
///
/// # Panics
///
/// If `logn` is not 9 or 10.
#[must_use]
pub const fn verifying_key_size(logn: u32) -> usize {
    lanner_ed25519::PUBLIC_KEY_LENGTH + lanner_fn_dsa::vrfy_key_size(checked(logn))
}

/// Bytes of a signature with FN-DSA of degree 2^`logn`: 730 or 1344. That of Ed25519 comes first, that of FN-DSA is padded.
///
/// # Panics
///
/// If `logn` is not 9 or 10.
#[must_use]
pub const fn signature_size(logn: u32) -> usize {
    lanner_ed25519::SIGNATURE_LENGTH + lanner_fn_dsa::signature_size(checked(logn))
}

/// The program of the README.
#[cfg(all(doctest, feature = "getrandom", feature = "sign"))]
#[doc = include_str!("../README.md")]
struct Readme;
