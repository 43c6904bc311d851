//! The variants of the scheme as types, for programs that are generic over them.
//!
//! A key's type says which variant it is for, of which degrees: `SigningKeyOf<V, MIN, N>` is a key of variant
//! `V` and a degree from 2^`MIN` to `N`. What every variant can do asks for a [`Variant`], what takes a context
//! and the identifier of a hash for [`FnDsa`], which original Falcon is not.
//!
#![cfg_attr(all(feature = "keygen", feature = "sign"), doc = "```")]
#![cfg_attr(not(all(feature = "keygen", feature = "sign")), doc = "```ignore")]
//! use lanner_fn_dsa::variant::{FnDsa, P3, P4};
//! use lanner_fn_dsa::{DOMAIN_NONE, Error, HASH_ID_RAW, SigningKeyOf, shake::SeededRng};
//!
//! fn sign_and_verify<V: FnDsa, const MIN: u32, const N: usize>(
//!     key: &SigningKeyOf<V, MIN, N>,
//! ) -> Result<(), Error> {
//!     let rng = &mut SeededRng::new(b"use a real generator");
//!     let mut signature = vec![0; lanner_fn_dsa::signature_size(key.logn())];
//!     key.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)?;
//!     key.verifying_key().try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"message")
//! }
//!
//! sign_and_verify(&SigningKeyOf::<P3, 9, 512>::from_seed(&[1; 32])?)?;
//! sign_and_verify(&SigningKeyOf::<P4, 9, 512>::from_seed(&[1; 32])?)?;
//! # Ok::<(), lanner_fn_dsa::Error>(())
//! ```

#[cfg(feature = "pkcs8")]
pub use crate::key_info::Named;
pub use crate::params::{FnDsa, P3, P4, R3, Variant};
