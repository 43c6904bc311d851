//! FN-DSA and Falcon: the crate `lanner-fn-dsa`, where the documentation is.
//!
//! As with the other schemes, [`SigningKey`] and [`VerifyingKey`] are types here, of keys of either
//! degree. In the crate itself these names are those of the traits of fn-dsa 0.3. The traits [`signature::Signer`] and
//! [`signature::Verifier`], by which all schemes sign alike, say nothing of a degree: a signing key has them where its type
//! does, as [`SigningKey512`] and [`SigningKey1024`].
#![cfg_attr(feature = "getrandom", doc = "\n```")]
#![cfg_attr(not(feature = "getrandom"), doc = "\n```ignore")]
//! use lanner::fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, OsRng, SigningKey, VerifyingKey, signature_size};
//!
//! let signing_key = SigningKey::generate_from_os()?; // of degree 1024
//! let mut signature = [0; signature_size(10)];
//! signing_key.sign_bytes(&mut OsRng, &DOMAIN_NONE, &HASH_ID_RAW, b"message", &mut signature)?;
//!
//! let mut public = [0; 1793];
//! signing_key.verifying_key().write_bytes(&mut public)?;
//! VerifyingKey::from_bytes(&public)?.try_verify(&signature, &DOMAIN_NONE, &HASH_ID_RAW, b"message")?;
//! # Ok::<(), lanner::fn_dsa::Error>(())
//! ```

// What is named below goes before what is globbed.
pub use lanner_fn_dsa::*;
#[doc(inline)]
pub use lanner_fn_dsa::{SigningKeyStandard as SigningKey, VerifyingKeyStandard as VerifyingKey};
