//! Signing and key agreement: Ed25519, X25519 and FN-DSA (Falcon).
//!
//! This crate only gathers: [`ed25519`] is the crate `lanner-ed25519`,
//! [`x25519`] the crate `lanner-x25519`, [`fn_dsa`] the crate `lanner-fn-dsa`,
//! and their documentation is there. A program that needs one of them can as
//! well depend on that one.
//!
//! The schemes are used alike: `SigningKey` and `VerifyingKey` are types, and `generate_from_os` makes
//! a secret key from the randomness of the operating system. What the crates have for programs that
//! were written for others (in FN-DSA the traits of fn-dsa 0.3, say) keeps its names there.
//!
//! # Without an operating system
//!
//! Take the features that are wanted, without the default ones: `getrandom` asks a system. On x86-64 where no registers of
//! vectors are used (`x86_64-unknown-none`, `x86_64-unknown-uefi`: kernels, boot loaders) doubles are computed in integers. Builds
//! without optimisation want `RUSTFLAGS='--cfg sha2_backend="soft" --cfg chacha20_backend="soft"'` there, because the
//! compiler cannot make the vectors that these two crates have beside; so does AArch64 without such registers
//! (`aarch64-unknown-none-softfloat`), in every build.
//!
//! # A first program
//!
#![cfg_attr(
    all(
        feature = "ed25519",
        feature = "x25519",
        feature = "fn-dsa",
        feature = "getrandom"
    ),
    doc = "```"
)]
#![cfg_attr(
    not(all(
        feature = "ed25519",
        feature = "x25519",
        feature = "fn-dsa",
        feature = "getrandom"
    )),
    doc = "```ignore"
)]
//! use lanner::ed25519::{Signer, SigningKey};
//! use lanner::fn_dsa::{Signature512, SigningKey512, signature::Verifier};
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
//! let (alice, bob) = (EphemeralSecret::generate_from_os()?, EphemeralSecret::generate_from_os()?);
//! let (alice_public, bob_public) = (PublicKey::from(&alice), PublicKey::from(&bob));
//! let alice_shared = alice.diffie_hellman_checked(&bob_public)?;
//! let bob_shared = bob.diffie_hellman_checked(&alice_public)?;
//! assert_eq!(alice_shared.as_bytes(), bob_shared.as_bytes());
//!
//! // FN-DSA: as Ed25519, against quantum computers too. Keys and signatures are larger.
//! let signing_key = SigningKey512::generate_from_os()?;
//! let signature: Signature512 = signing_key.sign(b"a message");
//! let verifying_key = signing_key.verifying_key();
//! verifying_key.verify(b"a message", &signature)?;
//! assert!(verifying_key.verify(b"another one", &signature).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! `ed25519`, `x25519` and `fn-dsa` (all default) choose the schemes; `hybrid` adds signatures of two of them in one, which are
//! experimental (`lanner::hybrid`, the crate `lanner-hybrid`). The
//! others go to the schemes that are chosen: `tables` and `getrandom` (default),
//! `alloc`, `batch`, `digest`, `fiat`, `hazmat`, `pem`, `pkcs8`, `rand_core`, `rayon`,
//! `serde`, `simd128`, `xeddsa`, and of FN-DSA `no_avx2`, `div_emu` and `sqrt_emu`. `getrandom` brings `OsRng`, and has no effect on WebAssembly without WASI, where randomness
//! comes from the caller. Verification of FN-DSA alone, without the code that
//! makes keys and signs, is the crate `lanner-fn-dsa` without its default features.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

/// Which instructions do the work, in all schemes: [`force`](backend::force) selects them by hand.
///
/// ```
/// use lanner::backend;
///
/// println!("{} is at work", backend::active());
/// ```
pub mod backend {
    #[doc(no_inline)]
    pub use lanner_simd::backend::{Backend, Unavailable, active, force, list};
}

// Modules, not crates by another name: the compiler's advice to import a trait names them.
/// Ed25519 signatures: all of `lanner-ed25519`.
#[cfg(feature = "ed25519")]
pub mod ed25519 {
    #[doc(inline)]
    pub use lanner_ed25519::*;
}
#[cfg(feature = "fn-dsa")]
pub mod fn_dsa;
/// Hybrid signatures of Ed25519 and FN-DSA, experimental: all of `lanner-hybrid`.
#[cfg(feature = "hybrid")]
pub mod hybrid {
    #[doc(inline)]
    pub use lanner_hybrid::*;
}
/// X25519 key agreement: all of `lanner-x25519`.
#[cfg(feature = "x25519")]
pub mod x25519 {
    #[doc(inline)]
    pub use lanner_x25519::*;
}

// One type, whichever crate it comes from.
#[cfg(all(
    feature = "ed25519",
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
pub use lanner_ed25519::OsRng;
#[cfg(all(
    feature = "fn-dsa",
    feature = "getrandom",
    not(any(
        feature = "ed25519",
        feature = "x25519",
        all(target_family = "wasm", any(target_os = "unknown", target_os = "none"))
    ))
))]
pub use lanner_fn_dsa::OsRng;
#[cfg(all(
    feature = "x25519",
    feature = "getrandom",
    not(any(
        feature = "ed25519",
        all(target_family = "wasm", any(target_os = "unknown", target_os = "none"))
    ))
))]
pub use lanner_x25519::OsRng;

/// The program of the README.
#[cfg(all(doctest, feature = "ed25519", feature = "getrandom"))]
#[doc = include_str!("../README.md")]
struct Readme;
