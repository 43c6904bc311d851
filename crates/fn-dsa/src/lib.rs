//! FN-DSA, the signature scheme that grew out of Falcon: key generation, signing and verification.
//!
//! **No standard of FN-DSA has been published.** The main variant is what fn-dsa 0.2 and 0.3 define: the
//! keys, encodings and bounds of Falcon, round 3, and a hash that binds the verifying key and a context. (A seed makes
//! different keys in those two: here the ones of 0.3, and in the module `shake256x4` the ones of 0.2.)
//! It may differ from the standard. Two modules have the other variants that are in use: [`falcon`],
//! the original of round 3 as liboqs, PQClean, Bouncy Castle, noble and Algorand have it, and
//! [`draft2026`], the draft guess: what fn-dsa 0.4 takes the coming draft to be. **A key pair is for one of them**: one that signs as
//! Falcon and as FN-DSA lets signatures be forged across the two, and so their keys are different types, and files
//! with different identifiers.
//!
//! # Sign and verify
//!
#![cfg_attr(
    all(feature = "keygen", feature = "sign", feature = "getrandom"),
    doc = "```"
)]
#![cfg_attr(
    not(all(feature = "keygen", feature = "sign", feature = "getrandom")),
    doc = "```ignore"
)]
//! use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, OsRng, SigningKey512, VerifyingKey512};
//!
//! // Feature `getrandom`. Any generator of rand_core 0.10 serves as well, in `SigningKey512::generate`.
//! let signing_key = SigningKey512::generate_from_os()?;
//! let mut signature = [0; 666];
//! signing_key.sign_bytes(&mut OsRng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)?;
//!
//! let mut public = [0; 897];
//! signing_key.verifying_key().write_bytes(&mut public)?;
//!
//! let verifying_key = VerifyingKey512::from_bytes(&public)?;
//! verifying_key.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"message")?;
//! assert!(
//!     verifying_key
//!         .try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"another")
//!         .is_err()
//! );
//! # Ok::<(), lanner_fn_dsa::Error>(())
//! ```
//!
//! # Sizes in bytes
//!
//! | degree | signing key | verifying key | signature | seed of a key pair |
//! |---|---|---|---|---|
//! | 512 (`logn` = 9) | 1281 | 897 | 666 | 32 |
//! | 1024 (`logn` = 10) | 2305 | 1793 | 1280 | 32 |
//!
//! Degrees 4 to 256 are toys, which only the types named `…Weak` accept. Every encoding is canonical: of
//! each value there is one, and nothing else decodes. (Original Falcon alone has several encodings of signatures;
//! [`falcon::verify_as`] demands one.) A signing key decodes only if its parts are those of a key: f G - g F = q over the
//! integers.
//!
//! # How it is used
//!
//! * A wrong length (but of a hash in the place of a message), degree or context is an [`Error`]. (The names of fn-dsa 0.3 panic where they do there, except `verify`:
//!   with a context of more than 255 bytes it is `false`.)
//! * A key pair is a function of a seed: `SigningKeyOf::from_seed`. The pair of 32 random bytes is the one
//!   that fn-dsa 0.3.0 makes, on every platform.
//! * Signing takes `&self`. Its memory comes from the stack, or [from the caller](SigningSpace): see [Memory](#memory).
//! * Messages in pieces: [`SigningKeyOf::sign_stream`], [`VerifyingKeyOf::verify_stream`].
//! * Over variants and degrees a program is generic by the module [`variant`].
//!
//! # Memory
//!
//! Types for one degree have memory for that degree alone; those of `…Standard` have that of 1024. In kB, at 512 and at 1024,
//! where the stack is that of release builds, and includes what is overwritten after secrets (under an operating system, half a
//! kB more than the table says):
//!
//! | | in types | stack | in all |
//! |---|---|---|---|
//! | a key pair, with [`KeyPairGenerator512`] or [`KeyPairGenerator1024`] | 22.5, 45.1 | 5 | 28, 50 |
//! | `from_seed`, beside the key | – | 28, 52 | 28, 52 |
//! | signing, with the key and [`SigningSpace`] | 39.0, 77.9 | 12, 13 | 51, 91 |
//! | decoding a signing key, with [`DecodingSpace`], beside the key | 8.2, 16.4 | 7, 10 | 15, 27 |
//! | verification | 1.1, 2.1 | 5, 7 | 6, 9 |
//! | `verify_each`, with AVX2, beside the keys | – | 29, 45 | 29, 45 |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `keygen` (default) | key generation |
//! | `sign` (default) | signing. Without both, verification alone is left |
//! | `getrandom` | `OsRng`, `generate_from_os`; nothing on WebAssembly without WASI, where randomness comes from the caller |
//! | `rand_core_06` | `Rng06`, for the generators that fn-dsa 0.3 takes, and `rand_core_06`, whose traits they have |
//! | `signature` | the traits of the crate `signature`, and `Signature512`, `Signature1024` |
//! | `pkcs8`, `pem` | key files, with the identifiers of Falcon for its keys and identifiers of this project's own for FN-DSA; writing them needs `alloc`, which `pem` implies |
//! | `jose` | JSON Web Keys and signatures as an IETF draft has them: unstable, and not covered by semantic versioning; implies `alloc` |
//! | `alloc` | `alloc` in the crates that are re-exported |
//! | `no_avx2` | leaves the code for AVX2 and AVX-512 out: a smaller binary and the same results |
//! | `simd128` | on WebAssembly: vector instructions, which a module cannot detect |
//! | `div_emu`, `sqrt_emu` | on riscv64, division and square root in integers, for cores whose unit is not constant-time |
//! | `small_context`, `shake256x4` | nothing, but manifests have them: signing keys are small in any case (at 1024, 6 kB, and 72 kB while signing), and keys are those of fn-dsa 0.3 without `shake256x4`, because a feature changes no results: the module of that name makes the others |
//!
//! A setting of the compiler, `--cfg lanner_degrees="standard"` in `RUSTFLAGS`, leaves the toy degrees out of a program,
//! for modules for WebAssembly: their keys are then refused with [`Error::Degree`].
//!
//! # Secrets
//!
//! Key generation and signing make a best effort at constant time: no branch, address or instruction of
//! variable time depends on the secret, with two exceptions, which are the scheme's own. Candidates for
//! keys and signatures that are rejected are thrown away, and their number shows; so does the number of
//! rejections in the Gaussian sampler, whose rate does not depend on the key. Signing computes in
//! floating point where the processor's is exact IEEE-754, and relies on its additions, multiplications,
//! divisions and square roots to take a time that does not depend on the values, which holds for
//! ordinary values on the usual processors; elsewhere it computes the same in integers. Verification
//! sees public values alone, and its time varies.
//!
//! By default the sampler's randomness is a hash of the secret key and of what is signed, so that a
//! repeating random generator leaks nothing. Secrets are overwritten when dropped, and each operation
//! overwrites the stack that it used; `Debug` never shows them; comparing them takes constant time.
//!
//! # In place of fn-dsa 0.3
//!
//! The crate has the items and names of the crate `fn-dsa` 0.3, so that
//!
//! ```toml
//! fn-dsa = { package = "lanner-fn-dsa", version = "0.1", features = ["getrandom"] }
//! ```
//!
//! in a manifest takes the place of that crate, and the same package that of `fn-dsa-kgen`, `fn-dsa-sign`,
//! `fn-dsa-vrfy` and `fn-dsa-comm`. A program changes where it names its random generator, because this crate takes
//! those of rand_core 0.10 and fn-dsa those of 0.6:
//!
//! * `use fn_dsa::OsRng;` in place of `use rand_core::OsRng;` (feature `getrandom`), or
//! * the release of its generator's crate that goes with rand_core 0.10, or
//! * with feature `rand_core_06` the generator that it has: `&mut Rng06(&mut rng)` for `&mut rng` in each call. One of its
//!   own, which has the traits by the names `fn_dsa::{RngCore, CryptoRng}`, has them by `fn_dsa::rand_core_06::{RngCore,
//!   CryptoRng}`.
//!
//! Keys, signatures and their sizes are the same, and a key pair from the same 32 random bytes is the same key pair: the
//! one that fn-dsa 0.3 makes without its feature `shake256x4`, which is accepted here and changes nothing. With it,
//! and in fn-dsa 0.2, that crate derives other keys, which the module `shake256x4` makes under names of their own. No compiler warning is added: signing takes `&mut self` under the
//! name that it has there. Not taken over from `fn-dsa-comm` are the modules of its arithmetic (`codec`, `mq`) and the
//! trait `PRNG`.
//!
//! There, keys are made and used through the traits [`KeyPairGenerator`], [`SigningKey`] and [`VerifyingKey`]:
//!
#![cfg_attr(all(feature = "keygen", feature = "sign"), doc = "```")]
#![cfg_attr(not(all(feature = "keygen", feature = "sign")), doc = "```ignore")]
//! use lanner_fn_dsa::{
//!     DOMAIN_NONE, FN_DSA_LOGN_512, HASH_ID_RAW, KeyPairGenerator, KeyPairGeneratorStandard,
//!     SigningKey, SigningKeyStandard, VerifyingKey, VerifyingKeyStandard, shake::SeededRng,
//!     sign_key_size, signature_size, vrfy_key_size,
//! };
//!
//! let mut rng = SeededRng::new(b"a secret seed; or OsRng");
//! let mut sign_key = [0u8; sign_key_size(FN_DSA_LOGN_512)];
//! let mut vrfy_key = [0u8; vrfy_key_size(FN_DSA_LOGN_512)];
//! let mut generator = KeyPairGeneratorStandard::default();
//! generator.keygen(FN_DSA_LOGN_512, &mut rng, &mut sign_key, &mut vrfy_key);
//!
//! let mut key = SigningKeyStandard::decode(&sign_key).unwrap();
//! let mut signature = [0u8; signature_size(FN_DSA_LOGN_512)];
//! key.sign(&mut rng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature);
//!
//! let key = VerifyingKeyStandard::decode(&vrfy_key).unwrap();
//! assert!(key.verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"message"));
//! ```
//!
//! [`SigningKeyOf::sign_bytes_compat`] makes the very signature of fn-dsa 0.3.0 from its random bytes, and
//! [`SigningKeyOf::sign_bytes_compat_shake256x4`] that of fn-dsa 0.2.0.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod errors;
#[cfg(all(test, any(feature = "keygen", feature = "sign")))]
mod outside;
mod params;
mod rules;

#[cfg_attr(not(any(feature = "keygen", feature = "sign")), allow(dead_code))]
mod codec;
mod hash;
#[cfg_attr(not(any(feature = "keygen", feature = "sign")), allow(dead_code))]
mod ntt;
pub mod shake;
#[cfg(any(feature = "keygen", feature = "sign"))]
pub mod shake256x4;

// Signing has the lanes and transforms of it, too, for the check of a key that it decodes.
#[cfg(any(feature = "keygen", feature = "sign"))]
#[cfg_attr(not(feature = "keygen"), allow(dead_code))]
mod keygen;

#[cfg(feature = "sign")]
mod ffsampling;
#[cfg(feature = "sign")]
mod fft;
#[cfg(test)]
mod forms;
#[cfg(feature = "sign")]
mod fpr;
#[cfg(feature = "sign")]
mod sampler;
#[cfg(feature = "sign")]
mod sign;

#[cfg(feature = "sign")]
mod attempts;
#[cfg(feature = "sign")]
mod checked;
pub mod draft2026;
pub mod falcon;
#[cfg(feature = "keygen")]
mod generating;
#[cfg(feature = "jose")]
pub mod jose;
#[cfg(feature = "pkcs8")]
pub mod key_forms;
#[cfg(feature = "pkcs8")]
mod key_info;
#[cfg(feature = "sign")]
mod prepared;
#[cfg(feature = "rand_core_06")]
mod rng_06;
#[cfg(feature = "sign")]
mod secret;
#[cfg(feature = "signature")]
mod signature_traits;
#[cfg(feature = "sign")]
mod signing;
#[cfg(feature = "sign")]
mod stream_signer;
pub mod variant;
mod vectors;
mod verifying;
#[cfg_attr(
    not(any(feature = "keygen", feature = "sign")),
    allow(dead_code, unused_imports)
)]
mod wiping;

/// Which instructions do the work: [`force`](backend::force) selects them by hand.
pub mod backend {
    pub use lanner_simd::backend::{Backend, Unavailable, active, force, list};
}

pub use core::convert::Infallible as RngError;
#[cfg(feature = "pkcs8")]
pub use pkcs8;
pub use rand_core::{self, CryptoRng, Rng as RngCore};
#[cfg(feature = "rand_core_06")]
pub use rand_core_06;
#[cfg(feature = "signature")]
pub use signature;

#[cfg(feature = "sign")]
pub use attempts::SigningSpace;
pub use errors::Error;
#[cfg(feature = "keygen")]
pub use generating::{
    KeyPairGenerator, KeyPairGenerator512, KeyPairGenerator1024, KeyPairGeneratorOf,
    KeyPairGeneratorStandard, KeyPairGeneratorWeak,
};
pub use hash::{
    DOMAIN_NONE, DomainContext, HASH_ID_ORIGINAL_FALCON, HASH_ID_RAW, HASH_ID_SHA3_256,
    HASH_ID_SHA3_384, HASH_ID_SHA3_512, HASH_ID_SHA256, HASH_ID_SHA384, HASH_ID_SHA512,
    HASH_ID_SHA512_256, HASH_ID_SHAKE128, HASH_ID_SHAKE256, HashIdentifier, hash_to_point,
};
#[cfg(feature = "pkcs8")]
pub use key_info::{FALCON_512_OID, FALCON_1024_OID, FN_DSA_512_OID, FN_DSA_1024_OID};
#[cfg(all(
    feature = "getrandom",
    not(all(target_family = "wasm", any(target_os = "unknown", target_os = "none")))
))]
pub use lanner_simd::OsRng;
pub use params::{
    FN_DSA_LOGN_512, FN_DSA_LOGN_1024, NONCE_LENGTH, SEED_LENGTH, sign_key_size, signature_size,
    vrfy_key_size,
};
#[cfg(feature = "sign")]
pub use prepared::{
    PreparedSigningKey512, PreparedSigningKey1024, PreparedSigningKeyOf, SigningSpaceEach,
};
#[cfg(feature = "rand_core_06")]
pub use rng_06::Rng06;
#[cfg(feature = "sign")]
pub use secret::DecodingSpace;
pub use shake::{SHA3_224, SHA3_256, SHA3_384, SHA3_512, SHAKE, SHAKE128, SHAKE256};
#[cfg(feature = "signature")]
pub use signature_traits::{Signature, Signature512, Signature1024};
#[cfg(feature = "sign")]
pub use signing::{
    MessageSink, SigningKey, SigningKey512, SigningKey1024, SigningKeyOf, SigningKeyStandard,
    SigningKeyWeak, StreamError,
};
#[cfg(feature = "sign")]
pub use stream_signer::{StreamSigner, StreamSignerStandard};
pub use verifying::{
    StreamVerifier, VerifyingKey, VerifyingKey512, VerifyingKey1024, VerifyingKeyOf,
    VerifyingKeyStandard, VerifyingKeyWeak,
};

/// A [`StreamVerifier`] of the main variant.
pub type StreamVerifierStandard<'k, 's> = StreamVerifier<'k, 's, params::P3>;

/// The program of the README.
#[cfg(all(doctest, feature = "getrandom", feature = "keygen", feature = "sign"))]
#[doc = include_str!("../README.md")]
struct Readme;
